"""Large histories, the same in every process: each by shape, size and seed.

    >>> history = build("session", 100_000)

A shape is an endless stream of items, and a history is its start. So a small history is the start
of a large one, and every history ends the way a crash ends it: anywhere, calls open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, cycle, islice
from types import MappingProxyType
from typing import Final

from benchmarks.scribe import Scribe
from normalizer import FAMILIES, FAMILIES_OF_OUTPUT, Item
from properties.shim import collector_paused

#: One call in so many of a session never gets an output: 5 %.
UNANSWERED_ONE_IN: Final = 20

#: One output in so many of a session answers no call: 2 %.
ORPHAN_ONE_IN: Final = 50

#: Which calls a session makes, out of twenty.
_CALL_TYPES: Final = (
    *("function_call",) * 13,
    *("custom_tool_call",) * 3,
    *("local_shell_call",) * 3,
    "tool_search_call",
)

#: Which items carry the same call id, for each of a few ids: answered and not, by their own family
#: and by another.
_CARRIERS: Final = (
    ("function_call", "local_shell_call", "function_call_output"),
    ("function_call", "custom_tool_call_output"),
    ("local_shell_call", "custom_tool_call", "custom_tool_call_output"),
    ("tool_search_call", "function_call_output"),
    ("custom_tool_call", "tool_search_call", "tool_search_output"),
    tuple(family.call_type for family in FAMILIES),
    tuple(FAMILIES_OF_OUTPUT),
)


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of history that can be built in any size."""

    name: str
    #: What is in it, in one line.
    description: str
    _items: Callable[[Scribe], Iterator[Item]] = field(repr=False)

    def build(self, size: int, seed: int = 0) -> list[Item]:
        """Return a history of exactly `size` items; another `seed` gives other ids and texts.

        Raises ValueError when `size` is negative.
        """
        with collector_paused():
            return list(islice(self._items(Scribe(seed)), size))


def build(shape: str, size: int, seed: int = 0) -> list[Item]:
    """Return a history of exactly `size` items in the shape of that name.

    Raises ValueError for an unknown shape or a negative size.
    """
    if shape not in SHAPES:
        raise ValueError(f"unknown shape {shape!r}: choose from {', '.join(SHAPES)}")
    return SHAPES[shape].build(size, seed)


def _session(scribe: Scribe) -> Iterator[Item]:
    steps = _steps(scribe)
    while True:
        yield scribe.user_message()
        for _ in range(scribe.between(1, 12)):
            yield from next(steps)
        yield scribe.assistant_message()


def _one_turn(scribe: Scribe) -> Iterator[Item]:
    yield scribe.user_message()
    yield from chain.from_iterable(_steps(scribe))


def _steps(scribe: Scribe) -> Iterator[list[Item]]:
    """Yield what the model does between two looks at the history: think, talk, call, be answered.

    Open calls and orphans are counted out, not drawn, so that their shares hold in any size.
    """
    calls = outputs = 0
    while True:
        step = [scribe.reasoning()]
        if not scribe.between(0, 3):
            step.append(scribe.assistant_message())
        # Five of eight steps make one call, the others two to four in parallel.
        batch = [_any_call(scribe) for _ in range(max(1, scribe.between(-3, 4)))]
        step += batch
        for call in batch:
            calls += 1
            if calls % UNANSWERED_ONE_IN == 0:
                continue
            step.append(scribe.answer(call))
            outputs += 1
            if outputs % ORPHAN_ONE_IN == ORPHAN_ONE_IN - 1:
                step.append(scribe.answer(_any_call(scribe)))  # Its call is left out.
                outputs += 1
        yield step


def _parallel(scribe: Scribe) -> Iterator[Item]:
    yield scribe.user_message()
    while True:
        storm = [_any_call(scribe) for _ in range(scribe.between(8, 128))]
        yield scribe.reasoning()
        yield from storm
        scribe.random.shuffle(storm)
        yield from map(scribe.answer, storm)


def _unanswered(scribe: Scribe) -> Iterator[Item]:
    for family in cycle(FAMILIES):
        yield scribe.call(family.call_type, scribe.call_id())


def _orphans(scribe: Scribe) -> Iterator[Item]:
    for output_type in cycle(FAMILIES_OF_OUTPUT):
        yield scribe.output(output_type, scribe.call_id())


def _media(scribe: Scribe) -> Iterator[Item]:
    while True:
        yield scribe.message("user", [scribe.image(), scribe.audio(), scribe.image()])
        call = scribe.call("function_call", scribe.call_id())
        yield call
        yield {**scribe.answer(call), "output": [scribe.image(), scribe.audio()]}
        yield scribe.generated_image()


def _collisions(scribe: Scribe) -> Iterator[Item]:
    while True:
        number = scribe.between(0, len(_CARRIERS) - 1)
        types = _CARRIERS[number]
        item_type = types[scribe.between(0, len(types) - 1)]
        write = scribe.output if item_type in FAMILIES_OF_OUTPUT else scribe.call
        yield write(item_type, f"call_{number}")


def _any_call(scribe: Scribe) -> Item:
    return scribe.call(_CALL_TYPES[scribe.between(0, len(_CALL_TYPES) - 1)], scribe.call_id())


#: Every shape, by name.
SHAPES: Final[Mapping[str, Shape]] = MappingProxyType(
    {
        shape.name: shape
        for shape in (
            Shape("session", "a long session: turns, mixed families, a few open calls", _session),
            Shape("one_turn", "one giant turn: the user speaks once, the model goes on", _one_turn),
            Shape("parallel", "storms of parallel calls, answered in another order", _parallel),
            Shape("unanswered", "calls of every family, all of them open", _unanswered),
            Shape("orphans", "outputs of every type, none of them asked for", _orphans),
            Shape("media", "images and sound in every message and every output", _media),
            Shape(
                "collisions",
                "a few call ids, shared by many items of several families",
                _collisions,
            ),
        )
    }
)
