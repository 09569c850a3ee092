"""How soon the suite catches a fault, measured on histories that are drawn once for all faults.

Every property is tried on the first history, then every property on the second, and so on, until
one breaks. That is fewer examples than the conformance tests draw: they draw as many again for each
property and for each column.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import Final, NamedTuple, TypeAlias

from hypothesis import strategies as st

from normalizer import Item
from properties.broken import BrokenCase
from properties.catalogue import BY_NAME, CATALOGUE
from properties.conformance import broken_by, smallest
from properties.faults.fault import Fault
from properties.property import MIXED, Property
from strategies import histories, modality_sets
from strategies.commands.draws import draw

#: How many seeds histories are drawn from.
SEEDS: Final = 5

#: How many histories are drawn from each.
EXAMPLES: Final = 200

#: On how many of the histories that show a fault every property is tried.
_SURVEYED: Final = 25

#: Those that are tried on drawn histories.
_DRAWN: Final = [prop for prop in CATALOGUE if prop.is_drawn]

#: Those that are tried on recorded ones. What is left takes seconds each: all small histories, long
#: histories, played sessions.
_RECORDED: Final = [BY_NAME["model/equals_codex"], BY_NAME["session/real_sessions"]]


class Example(NamedTuple):
    """A drawn history, and what the model takes."""

    history: list[Item]
    modalities: frozenset[str]
    #: How long it took until it was drawn, from the first on.
    seconds: float


@cache
def examples(seed: int, number: int) -> tuple[Example, ...]:
    """Return the first `number` histories that the conformance tests draw from this seed."""
    drawn: list[Example] = []
    begun = time.process_time()

    def look(value: tuple[list[Item], frozenset[str]]) -> None:
        drawn.append(Example(*value, time.process_time() - begun))

    draw(st.tuples(histories(), modality_sets()), number, look, with_seed=seed)
    return tuple(drawn)


@dataclass(frozen=True, slots=True)
class Detection:
    """The first time that a property broke, for one seed."""

    property_name: str
    #: How many examples were tried, the last of them with success.
    examples: int
    seconds: float


#: A case in which a property broke, and how it was found.
_Found: TypeAlias = tuple[BrokenCase, Detection]


@dataclass(frozen=True, slots=True)
class Record:
    """What became of one fault."""

    name: str
    #: One for each seed; None where no property broke.
    detections: list[Detection | None]
    #: Names of the properties that broke, in the order of the catalogue.
    caught_by: list[str]
    #: The share of all drawn histories that show the fault.
    trigger_rate: float
    #: How many items the smallest history has that was found to break a property.
    smallest: int | None

    @property
    def caught(self) -> bool:
        """Whether a property broke for every seed."""
        return all(self.detections)

    @property
    def groups(self) -> list[str]:
        """The groups of the properties that broke."""
        return list(dict.fromkeys(BY_NAME[name].group for name in self.caught_by))

    @property
    def examples(self) -> float | None:
        """How many examples it took, the median of all seeds; None for a fault that escaped."""
        found = [detection.examples for detection in self.detections if detection]
        return median(found) if self.caught else None

    @property
    def seconds(self) -> float | None:
        """How long it took, the median of all seeds; None for a fault that escaped."""
        found = [detection.seconds for detection in self.detections if detection]
        return median(found) if self.caught else None


def record_of(fault: Fault, seeds: Sequence[int], number: int = EXAMPLES) -> Record:
    """Try the suite on `fault` with `number` histories from each of `seeds`."""
    drawn = [examples(seed, number) for seed in seeds]
    every = [example for some in drawn for example in some]
    showing = [example for example in every if fault.shows(example.history, example.modalities)]
    found = _found(fault, drawn)
    cases = [case for case, _ in filter(None, found)] + _survey(fault, showing)
    caught_by = {case.property_name for case in cases}
    return Record(
        fault.name,
        [each[1] if each else None for each in found],
        [prop.name for prop in CATALOGUE if prop.name in caught_by],
        len(showing) / len(every),
        _smallest(fault, cases),
    )


def examples_until(fault: Fault, name: str, some: Iterable[Example]) -> int | None:
    """Return how many of the examples it takes until `fault` breaks the property `name`.

    A property with cases of its own is tried on those instead. None if it holds on all.
    """
    found = _first(fault, [BY_NAME[name]], _own_cases(BY_NAME[name]) or some)
    return found[1].examples if found else None


def _found(fault: Fault, drawn: Sequence[Sequence[Example]]) -> list[_Found | None]:
    """Return the first case for each seed in which a property breaks."""
    expected = [BY_NAME[name] for name in fault.expected]
    if any(prop.is_drawn for prop in expected):
        return [_first(fault, _DRAWN, some) for some in drawn]
    # No drawn history shows it, and cases of a property's own know no seed.
    own = [example for prop in expected for example in _own_cases(prop)]
    return [_first(fault, expected, own)] * len(drawn)


def _first(fault: Fault, props: Sequence[Property], some: Iterable[Example]) -> _Found | None:
    """Return the first case in which one of `props` breaks, tried example by example."""
    subject = fault.subject()
    begun = time.process_time()
    for count, example in enumerate(some, start=1):
        for prop in props:
            case = broken_by(subject, prop, MIXED, example.history, example.modalities)
            if case is not None:
                seconds = example.seconds + time.process_time() - begun
                return case, Detection(prop.name, count, seconds)
    return None


def _own_cases(prop: Property) -> list[Example]:
    return [Example(*case, 0.0) for case in prop.cases()] if prop.cases else []


def _survey(fault: Fault, showing: Sequence[Example]) -> list[BrokenCase]:
    """Return one case for each property that breaks on some of the histories that show it."""
    found: dict[str, BrokenCase] = {}
    subject = fault.subject()
    shortest = sorted(showing, key=lambda example: len(example.history))
    for history, modalities, _ in shortest[:_SURVEYED]:
        for prop in _DRAWN:
            if prop.name not in found:
                case = broken_by(subject, prop, MIXED, history, modalities)
                found |= {prop.name: case} if case else {}
    for prop in _RECORDED:
        first = _first(fault, [prop], _own_cases(prop))
        found |= {prop.name: first[0]} if first else {}
    return list(found.values())


def _smallest(fault: Fault, cases: Sequence[BrokenCase]) -> int | None:
    if not cases:
        return None
    case = min(cases, key=lambda case: len(case.history))
    return len(smallest(case, fault.subject(), BY_NAME[case.property_name]).history)
