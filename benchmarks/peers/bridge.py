"""From items to what chat messages can say, and back.

A normalizer of chat messages is to be judged on what it promises, not on what its wire cannot say.
So the bridge takes care of three things:

* **Ids.** Chat messages have one space of call ids, items have one for each type of output. A call
  id goes over with that type in front, so that equal ids of two families stay two ids, and an empty
  id is not empty on the other side.
* **Items without a counterpart**: reasoning, built-in tools, calls and outputs without a call id,
  outputs of searches that the API ran itself and nobody called. They stay behind, and come back
  where they stood.
* **Batches.** Calls in a row are parallel: one message. Made-up outputs then follow the whole of
  it, in the order of its calls, and come back each behind its call. In any other order they are
  left as they come.

All else shows as it is: what is lost, moved, rewritten or repeated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from normalizer import FAMILIES_OF_OUTPUT, FAMILY_OF_CALL, Item
from normalizer.copying import copied

_MARK: Final = "|"


class Placed(NamedTuple):
    """An item, and where it stood in the history; None for one that a peer made up."""

    place: int | None
    item: Item


def kind_of(item: Item) -> str:
    """Return what `item` is to a chat: `message`, `call`, `output`, or nothing."""
    if item["type"] == "message":
        return "message"
    if item.get("call_id") is None:
        return ""
    if item["type"] in FAMILY_OF_CALL:
        return "call"
    return "output" if item["type"] in FAMILIES_OF_OUTPUT else ""


def chat_id(item: Item) -> str:
    """Return the id under which a call and its output go over."""
    family = FAMILY_OF_CALL.get(item["type"])
    output_type = family.output_type if family else item["type"]
    return f"{output_type}{_MARK}{item['call_id']}"


def text_of(item: Item) -> str:
    """Return what a message or an output says; a medium is named in brackets."""
    said = item["content"] if item["type"] == "message" else item.get("output", "")
    if isinstance(said, str):
        return said
    return "\n".join(part.get("text", f"[{part['type']}]") for part in said)


def name_of(call: Item) -> str:
    """Return the name of the tool that `call` calls."""
    return str(call.get("name") or call["type"])


def arguments_of(call: Item) -> str:
    """Return what `call` passes to its tool; whole JSON or not."""
    return str(call.get("arguments", call.get("input", "{}")))


def made_up(call_id: str, text: str) -> Placed:
    """Return the output that a peer made up under this id."""
    output_type, _, own_id = call_id.partition(_MARK)
    item: Item = {"type": output_type, "call_id": own_id}
    if output_type == "tool_search_output":  # It has no place for a text.
        return Placed(None, item | {"status": "completed", "execution": "client", "tools": []})
    return Placed(None, item | {"output": text})


def rewritten(item: Item, text: str) -> Item:
    """Return `item` with another text; itself when it says that already."""
    if text_of(item) == text:
        return item
    if item["type"] == "message":
        return item | {"content": [{"type": "input_text", "text": text}]}
    return item | {"output": text}


def parallel(history: Sequence[Item]) -> Iterator[tuple[str, list[Placed]]]:
    """Yield the items that go over, calls in a row together, all others alone."""
    staying = _staying(history)
    said = [Placed(place, item) for place, item in enumerate(history) if place not in staying]
    for kind, group in groupby(said, key=lambda placed: kind_of(placed.item)):
        if kind == "call":
            yield kind, list(group)
        else:
            yield from ((kind, [placed]) for placed in group)


def _staying(history: Sequence[Item]) -> set[int]:
    """Return the places of the items that stay behind."""
    called = {chat_id(item) for item in history if kind_of(item) == "call"}
    return {
        place
        for place, item in enumerate(history)
        if not kind_of(item)
        or (
            kind_of(item) == "output"
            and item.get("execution") == "server"
            and chat_id(item) not in called
        )
    }


def back(history: Sequence[Item], placed: Iterable[Placed]) -> list[Item]:
    """Return the prompt that a peer made of `history`: its items, and those that stayed behind.

    It is a copy. What a peer does to its own messages cannot be seen on this side.
    """
    settled = list(_behind_their_calls(list(placed)))
    waiting = _left_behind(history, settled)
    prompt = [history[place] for place in waiting.get(-1, ())]
    for number, (_, item) in enumerate(settled):
        prompt.append(item)
        prompt += [history[place] for place in waiting.get(number, ())]
    copies: list[Item] = copied(prompt)
    return copies


def _behind_their_calls(placed: list[Placed]) -> Iterator[Placed]:
    """Yield `placed`, the made-up outputs of each batch behind their calls."""
    start = 0
    while start < len(placed):
        calls = _run(placed, start, "call")
        outputs = _run(placed, calls, "output")
        yield from _settled(placed[start:calls], placed[calls:outputs])
        if outputs == start:
            yield placed[start]
        start = max(outputs, start + 1)


def _run(placed: list[Placed], start: int, kind: str) -> int:
    """Return where the run of items of `kind` ends that begins at `start`."""
    end = start
    while end < len(placed) and kind_of(placed[end].item) == kind:
        end += 1
    return end


def _settled(calls: list[Placed], outputs: list[Placed]) -> list[Placed]:
    made = [output for output in outputs if output.place is None]
    ids = [chat_id(output.item) for output in made]
    answered = set(ids)
    order = [chat_id(call.item) for call in calls]
    if ids != [call_id for call_id in order if call_id in answered]:
        return calls + outputs
    mine = iter(made)
    settled: list[Placed] = []
    for call, call_id in zip(calls, order, strict=True):
        settled += [call, next(mine)] if call_id in answered else [call]
    return settled + [output for output in outputs if output.place is not None]


def _left_behind(history: Sequence[Item], settled: list[Placed]) -> dict[int, list[int]]:
    """Return which items go behind which of the settled ones, -1 for those that come first.

    They go behind all that stood before them, and behind what a peer made up for that.
    """
    number_of: dict[int, int] = {}
    last_real = None
    for number, (place, _) in enumerate(settled):
        last_real = place if place is not None else last_real
        if last_real is not None:
            number_of[last_real] = number
    waiting: dict[int, list[int]] = {}
    staying = _staying(history)
    behind = -1
    for place in range(len(history)):
        behind = max(behind, number_of.get(place, -1))
        if place in staying:
            waiting.setdefault(behind, []).append(place)
    return waiting


def texts_of(value: Any) -> str:
    """Return the text in the content of a chat message, however it is written."""
    if isinstance(value, list):
        return "\n".join(part if isinstance(part, str) else part["text"] for part in value)
    return "" if value is None else str(value)
