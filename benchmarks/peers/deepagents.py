"""deepagents: its middleware answers the dangling tool calls in LangChain messages."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from deepagents.middleware.patch_tool_calls import PatchToolCallsMiddleware
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from benchmarks.peers.bridge import (
    Placed,
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

#: Where the items of a message stood in the history.
_PLACES: Final = "places"

_MESSAGES: Final = {"user": HumanMessage, "developer": SystemMessage, "assistant": AIMessage}

_MIDDLEWARE: Final = PatchToolCallsMiddleware()


def normalize(history: list[Item], _: Collection[str]) -> list[Item]:
    """Return what `PatchToolCallsMiddleware.before_agent` makes of the history."""
    messages = [_message(kind, group) for kind, group in parallel(history)]
    state: Any = {"messages": messages}
    runtime: Any = None
    patch = _MIDDLEWARE.before_agent(state, runtime)
    # The first message of a patch asks to remove all others.
    return back(history, _items(history, patch["messages"][1:] if patch else messages))


def _message(kind: str, group: list[Placed]) -> Any:
    item = group[0].item
    more = {_PLACES: [placed.place for placed in group]}
    if kind == "call":
        calls: Any = [
            {"name": name_of(call), "args": {}, "id": chat_id(call), "type": "tool_call"}
            for _, call in group
        ]
        return AIMessage(content="", tool_calls=calls, additional_kwargs=more)
    if kind == "output":
        return ToolMessage(text_of(item), tool_call_id=chat_id(item), additional_kwargs=more)
    return _MESSAGES[item["role"]](text_of(item), additional_kwargs=more)


def _items(history: Sequence[Item], messages: list[Any]) -> Iterator[Placed]:
    for message in messages:
        places = message.additional_kwargs.get(_PLACES)
        if places is None:
            yield made_up(message.tool_call_id, texts_of(message.content))
        elif getattr(message, "tool_calls", None):
            yield from (Placed(place, history[place]) for place in places)
        else:
            (place,) = places
            yield Placed(place, rewritten(history[place], texts_of(message.content)))
