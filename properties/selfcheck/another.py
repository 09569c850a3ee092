"""A correct normalizer in another style than the reference, and none of its code.

Tuples all the way, a pass of its own for each family, the prompt built from its end.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid5

Item = dict[str, Any]

_NAMESPACE: Final = UUID("90d38d3e-6a5b-4d52-bfe2-2f1e634bfac4")


class _Kind(NamedTuple):
    """An output type, the calls that it answers, and what a made-up one says."""

    output: str
    calls: tuple[str, ...]
    prefix: str
    says: Mapping[str, Any]


_KINDS: Final = (
    _Kind(
        "function_call_output",
        ("function_call", "local_shell_call"),
        "fco",
        {"output": "aborted"},
    ),
    _Kind("custom_tool_call_output", ("custom_tool_call",), "ctco", {"output": "aborted"}),
    _Kind(
        "tool_search_output",
        ("tool_search_call",),
        "tso",
        {"status": "completed", "execution": "client", "tools": []},
    ),
)

_WORDS: Final = {
    "input_image": ("image", "image content omitted because you do not support image input"),
    "input_audio": ("audio", "audio content omitted because you do not support audio input"),
}

_PLACES: Final = {
    "message": "content",
    "function_call_output": "output",
    "custom_tool_call_output": "output",
}


def normalize(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Return a prompt that the API takes."""
    items = tuple(json.loads(json.dumps(item)) for item in history)
    for kind in _KINDS:
        items = _paired(items, kind)
    return [_taken(item, modalities) for item in items]


def _paired(items: tuple[Item, ...], kind: _Kind) -> tuple[Item, ...]:
    """Return the items with every call of one kind answered, and no orphan of that kind."""
    called = _ids(item for item in items if item["type"] in kind.calls)
    answered = _ids(item for item in items if item["type"] == kind.output)
    backwards: list[Item] = []
    for item in reversed(items):
        call_id = item.get("call_id")
        if item["type"] in kind.calls and call_id is not None and call_id not in answered:
            backwards.append(_made_up(item, kind))
        if item["type"] != kind.output or _stays(item, called):
            backwards.append(item)
    return tuple(reversed(backwards))


def _ids(items: Any) -> frozenset[str]:
    return frozenset(item["call_id"] for item in items if item.get("call_id") is not None)


def _stays(output: Item, called: frozenset[str]) -> bool:
    of_the_server = output["type"] == "tool_search_output" and output.get("execution") == "server"
    return of_the_server or output.get("call_id") is None or output["call_id"] in called


def _made_up(call: Item, kind: _Kind) -> Item:
    output = {"type": kind.output, "call_id": call["call_id"], **json.loads(json.dumps(kind.says))}
    if call.get("id"):
        output["id"] = f"{kind.prefix}_{uuid5(_NAMESPACE, kind.prefix + ':' + call['id'])}"
    return output


def _taken(item: Item, modalities: Collection[str]) -> Item:
    if item["type"] == "image_generation_call" and "image" not in modalities:
        return {**item, "result": ""}
    place = _PLACES.get(item["type"], "")
    parts = item.get(place)
    if not isinstance(parts, list):
        return item
    return {**item, place: [_part(part, modalities) for part in parts]}


def _part(part: Any, modalities: Collection[str]) -> Any:
    known = _WORDS.get(part.get("type", "")) if isinstance(part, dict) else None
    if known is None or known[0] in modalities:
        return part
    return {"type": "input_text", "text": known[1]}
