"""Chat messages as plain dicts, for peers that take them: the wire of Chat Completions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from benchmarks.peers.bridge import (
    Placed,
    arguments_of,
    back,
    chat_id,
    made_up,
    name_of,
    parallel,
    rewritten,
    text_of,
    texts_of,
)
from normalizer import Item

#: A chat message, or a call inside one.
Message = dict[str, Any]

#: Where the item stood in the history; peers let unknown keys pass.
_PLACE: Final = "place"

_ROLES: Final = {"developer": "system"}


def repaired(
    history: Sequence[Item], repair: Callable[[list[Message]], list[Message]]
) -> list[Item]:
    """Return the prompt that `repair`, a normalizer of chat messages, makes of `history`."""
    messages = [_message(kind, placed) for kind, placed in parallel(history)]
    return back(history, _items(history, repair(messages)))


def _message(kind: str, group: list[Placed]) -> Message:
    place, item = group[0]
    if kind == "call":
        calls = [_call(placed) for placed in group]
        return {"role": "assistant", "content": None, "tool_calls": calls}
    if kind == "output":
        said: Message = {"role": "tool", "tool_call_id": chat_id(item)}
    else:
        said = {"role": _ROLES.get(item["role"], item["role"])}
    return {**said, "content": text_of(item), _PLACE: place}


def _call(placed: Placed) -> Message:
    function = {"name": name_of(placed.item), "arguments": _whole(arguments_of(placed.item))}
    return {
        "id": chat_id(placed.item),
        "type": "function",
        "function": function,
        _PLACE: placed.place,
    }


def _whole(arguments: str) -> str:
    """Return `arguments`, or an empty object where they were cut off: that is not the question."""
    try:
        json.loads(arguments)
    except ValueError:
        return "{}"
    return arguments


def _items(history: Sequence[Item], messages: list[Message]) -> Iterator[Placed]:
    for message in messages:
        for call in message.get("tool_calls") or ():
            yield Placed(call[_PLACE], history[call[_PLACE]])
        if _PLACE in message:
            place = message[_PLACE]
            yield Placed(place, rewritten(history[place], texts_of(message["content"])))
        elif message["role"] == "tool":
            yield made_up(message["tool_call_id"], texts_of(message["content"]))
        elif not message.get("tool_calls"):
            yield Placed(None, _said(message))


def _said(message: Message) -> Item:
    """Return a message that a peer put in; also what it left of one with calls."""
    content = [{"type": "input_text", "text": texts_of(message["content"])}]
    return {"type": "message", "role": message["role"], "content": content}
