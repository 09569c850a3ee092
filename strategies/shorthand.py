"""Histories in one line: `FC(a) FO(a) U` is a call, its output and a user message.

| token | item | token | item |
|---|---|---|---|
| FC, FO | function call, output | U, A, D | user, assistant, developer message |
| LS | local shell call, answered by FO | R | reasoning |
| CC, CO | custom call, output | W | web search |
| TC, TO | tool search call, output | G | generated image |
| | | X | item of an unknown type |

In parentheses stands the call id, then words that change the item: `FC(a)`, `TO(null,server)`,
`FO(a,image)`, `FC(a,id=fc_9)`, `U(,audio,image)`. `null` and `absent` in the place of the call id
mean what they say, and `""` is the empty one. `=` sets a string, `:=` any JSON without commas and
white space: `U(,cost:=1.0)`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Final

from normalizer import FAMILIES, Item
from strategies.pools import AUDIO, FILE, IMAGE, TEXT, copy_of

_CALLS: Final = {"FC": "function", "LS": "local_shell", "CC": "custom", "TC": "tool_search"}
_OUTPUTS: Final = {"FO": "function", "CO": "custom", "TO": "tool_search"}
_ROLES: Final = {"U": "user", "A": "assistant", "D": "developer"}
_FAMILY: Final = {family.name: family for family in FAMILIES}

#: What a call of each family holds beside its type and ids.
_PAYLOAD: Final[dict[str, Item]] = {
    "function": {"name": "shell", "arguments": "{}"},
    "local_shell": {"status": "completed", "action": {"type": "exec", "command": ["ls"]}},
    "custom": {"name": "apply_patch", "input": "x"},
    "tool_search": {"status": "completed", "execution": "client", "arguments": {}},
}

#: What an output holds beside its type and ids.
_SAID: Final[Item] = {"output": "ok"}
_SEARCHED: Final[Item] = {"status": "completed", "execution": "client", "tools": []}

_OTHERS: Final[dict[str, Item]] = {
    "R": {"type": "reasoning", "id": "rs_1", "summary": []},
    "W": {"type": "web_search_call", "id": "ws_1", "status": "completed"},
    "G": {"type": "image_generation_call", "id": "ig_1", "status": "completed", "result": "iVBO"},
    "X": {"type": "future_item", "content": [IMAGE]},
}

_TOKEN: Final = re.compile(r"([A-Z]+)(?:\(([^)]*)\))?$")

_IMAGE_OMITTED: Final = "image content omitted because you do not support image input"

#: Lists of parts by the word that asks for one.
_PARTS: Final[dict[str, list[Any]]] = {
    "image": [IMAGE],
    "audio": [AUDIO],
    "file": [FILE],
    "text": [TEXT],
    "base64": [{"type": "input_text", "text": IMAGE["image_url"]}],
    "placeholder": [{"type": "input_text", "text": _IMAGE_OMITTED}],
    "video": [{"type": "input_video", "video_url": "data:,"}],
    "empty": [],
}


def history_of(text: str, name_of: Callable[[str], str] = str) -> list[Item]:
    """Return the history that `text` describes; `name_of` gives each call id its final form.

    Raises ValueError for a token that is none.
    """
    return [_item(token, name_of) for token in text.split()]


def _item(token: str, name_of: Callable[[str], str]) -> Item:
    match = _TOKEN.match(token)
    if not match:
        raise ValueError(f"no item: {token!r}")
    kind, inner = match[1], match[2]
    call_id, *words = (inner or "").split(",")
    item = _bare(kind, token)
    if kind in _CALLS or kind in _OUTPUTS:
        _link(item, call_id, name_of)
    _apply(item, words)
    return item


def _bare(kind: str, token: str) -> Item:
    if kind in _CALLS:
        family = _FAMILY[_CALLS[kind]]
        return {"type": family.call_type, **copy_of(_PAYLOAD[family.name])}
    if kind in _OUTPUTS:
        family = _FAMILY[_OUTPUTS[kind]]
        said = _SEARCHED if family.name == "tool_search" else _SAID
        return {"type": family.output_type, **copy_of(said)}
    if kind in _ROLES:
        return {"type": "message", "role": _ROLES[kind], "content": [dict(TEXT)]}
    if kind in _OTHERS:
        other: Item = copy_of(_OTHERS[kind])
        return other
    raise ValueError(f"no item: {token!r}")


def _link(item: Item, call_id: str, name_of: Callable[[str], str]) -> None:
    """Give `item` its call id, unless it is absent."""
    if call_id != "absent":
        item["call_id"] = None if call_id == "null" else "" if call_id == '""' else name_of(call_id)


def _apply(item: Item, words: list[str]) -> None:
    """Change `item` as the words behind its call id say."""
    parts: list[Any] = []
    for word in words:
        key, separator, value = word.partition("=")
        if separator and key.endswith(":"):
            item[key[:-1]] = json.loads(value)
        elif separator:
            item[key] = value
        elif word == "server":
            item["execution"] = "server"
        elif word == "aborted":
            item["output"] = "aborted"
        elif word in _PARTS:
            parts += copy_of(_PARTS[word])
            item["content" if item["type"] == "message" else "output"] = parts
        else:
            raise ValueError(f"no such word: {word!r}")
