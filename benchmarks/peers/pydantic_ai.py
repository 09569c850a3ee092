"""Pydantic AI: it makes its own message history valid for every provider."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
    repair_messages,
)

from benchmarks.peers.bridge import (
    Placed,
    arguments_of,
    back,
    chat_id,
    made_up,
    name_of,
    parallel,
    text_of,
)
from normalizer import Item

_PARTS: Final = {"user": UserPromptPart, "developer": SystemPromptPart, "assistant": TextPart}


def normalize(history: list[Item], _: Collection[str]) -> list[Item]:
    """Return what `repair_messages` makes of the history."""
    # A part keeps its identity: that is how its item is found again.
    place_of: dict[int, int] = {}
    messages: list[ModelMessage] = []
    for kind, group in parallel(history):
        parts = [_part(kind, placed.item) for placed in group]
        place_of |= {
            id(part): placed.place
            for part, placed in zip(parts, group, strict=True)
            if placed.place is not None
        }
        messages.append(_message(parts))
    return back(history, _items(history, repair_messages(messages), place_of))


def _part(kind: str, item: Item) -> Any:
    if kind == "call":
        return ToolCallPart(name_of(item), arguments_of(item), chat_id(item))
    if kind == "output":
        return ToolReturnPart("tool", text_of(item), chat_id(item))
    return _PARTS[item["role"]](text_of(item))


def _message(parts: list[Any]) -> ModelMessage:
    if isinstance(parts[0], (ToolCallPart, TextPart)):
        return ModelResponse(parts=parts)
    return ModelRequest(parts=parts)


def _items(
    history: Sequence[Item], messages: Sequence[ModelMessage], place_of: Mapping[int, int]
) -> Iterator[Placed]:
    for message in messages:
        for part in message.parts:
            place = place_of.get(id(part))
            if place is not None:
                yield Placed(place, history[place])
            elif isinstance(part, ToolReturnPart):
                yield made_up(part.tool_call_id, str(part.content))
