"""How soon the suite catches a fault, measured on histories that are drawn once for all faults.

Every property is tried on the first history, then every property on the second, and so on, until
one breaks. That is fewer histories than the conformance tests draw, which draw as many for each
property and each column. Seconds are the processor's: those of the wall clock would tell how busy
the machine is.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import Final, NamedTuple

from hypothesis import strategies as st

from normalizer import Item
from properties.capabilities import CODEX
from properties.case import Case
from properties.catalogue import BY_NAME, CATALOGUE
from properties.conformance import broken_by, smallest
from properties.faults.fault import FAULTS, Fault
from properties.property import MIXED, Property
from properties.subject import Subject, SubjectError
from strategies import histories, modality_sets
from strategies.commands.draws import draw

#: How many seeds histories are drawn from.
SEEDS: Final = 5

#: How many histories are drawn from each.
EXAMPLES: Final = 200

#: On how many of the histories that show a fault every property is tried.
_SURVEYED: Final = 20

#: The properties that are tried on drawn histories.
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


class Detection(NamedTuple):
    """The first time that a property broke."""

    property_name: str
    #: How many examples were tried, the last of them with success.
    examples: int
    seconds: float
    #: The last of them.
    example: Example


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


@cache
def examples(seed: int, number: int = EXAMPLES) -> tuple[Example, ...]:
    """Return the first `number` histories that a seed gives."""
    drawn: list[Example] = []
    begun = time.process_time()

    def look(value: tuple[list[Item], frozenset[str]]) -> None:
        drawn.append(Example(*value, time.process_time() - begun))

    draw(st.tuples(histories(), modality_sets()), number, look, with_seed=seed)
    return tuple(drawn)


def is_caught(name: str, seed: int) -> bool:
    """Tell whether a property catches the fault of that name on the histories of one seed."""
    return all(_detections(FAULTS[name], [examples(seed)]))


def record_of(fault: Fault, seeds: Sequence[int]) -> Record:
    """Try the suite on `fault` with the histories of each of `seeds`."""
    drawn = [examples(seed) for seed in seeds]
    showing = shown_by(fault, drawn)
    detections = _detections(fault, drawn)
    found = [*filter(None, detections), *_survey(fault, showing)]
    caught_by = {detection.property_name for detection in found}
    return Record(
        fault.name,
        detections,
        [prop.name for prop in CATALOGUE if prop.name in caught_by],
        len(showing) / sum(map(len, drawn)),
        _smallest(fault, found),
    )


def shown_by(fault: Fault, drawn: Iterable[Iterable[Example]]) -> list[Example]:
    """Return the examples that show `fault`."""
    return [e for some in drawn for e in some if fault.shows(e.history, e.modalities)]


def examples_until(fault: Fault, name: str, some: Iterable[Example]) -> int | None:
    """Return how many of the examples it takes until `fault` breaks the property `name`.

    A property with cases of its own is tried on those instead. None if it holds on all.
    """
    prop = BY_NAME[name]
    found = _first(fault, [prop], some if prop.is_drawn else _own_cases(prop))
    return found.examples if found else None


def _detections(fault: Fault, drawn: Sequence[Sequence[Example]]) -> list[Detection | None]:
    """Return the first detection for each seed."""
    expected = [BY_NAME[name] for name in fault.expected]
    if any(prop.is_drawn for prop in expected):
        return [_first(fault, _DRAWN, some) for some in drawn]
    # No drawn history shows it, and cases of a property's own know no seed.
    own = [example for prop in expected for example in _own_cases(prop)]
    return [_first(fault, expected, own)] * len(drawn)


def _first(fault: Fault, props: Sequence[Property], some: Iterable[Example]) -> Detection | None:
    """Return the first time that one of `props` breaks, tried example by example."""
    subject = fault.subject()
    begun = time.process_time()
    for count, example in enumerate(some, start=1):
        for prop in _breaking(subject, props, example):
            seconds = example.seconds + time.process_time() - begun
            return Detection(prop.name, count, seconds, example)
    return None


def _breaking(subject: Subject, props: Sequence[Property], example: Example) -> Iterator[Property]:
    """Yield those of `props` that break on one history. Laws of one prompt judge the same one."""
    history, modalities, _ = example
    laws = [prop for prop in props if prop.prompt_law]
    if laws:
        try:
            case = Case(history, modalities, subject.prompt(history, modalities))
            yield from (prop for prop in laws if prop.of_prompt(case))
        except SubjectError:
            yield from laws
    for prop in props:
        if prop.relation_law and broken_by(subject, prop, MIXED, history, modalities):
            yield prop


def _own_cases(prop: Property) -> Iterator[Example]:
    for history, modalities in prop.cases_for(CODEX):
        yield Example(history, modalities, 0.0)


def _survey(fault: Fault, showing: Sequence[Example]) -> list[Detection]:
    """Return one detection for each property that breaks on some of the histories that show it."""
    found: dict[str, Detection] = {}
    subject = fault.subject()
    shortest = sorted(showing, key=lambda example: len(example.history))
    for example in shortest[:_SURVEYED]:
        pending = [prop for prop in _DRAWN if prop.name not in found]
        for prop in _breaking(subject, pending, example):
            found[prop.name] = Detection(prop.name, 1, 0.0, example)
    recorded = [_first(fault, [prop], _own_cases(prop)) for prop in _RECORDED]
    return [*found.values(), *filter(None, recorded)]


def _smallest(fault: Fault, found: Sequence[Detection]) -> int | None:
    if not found:
        return None
    best = min(found, key=lambda detection: len(detection.example.history))
    prop, (history, modalities, _) = BY_NAME[best.property_name], best.example
    subject = fault.subject()
    case = broken_by(subject, prop, MIXED, history, modalities)
    # What only a memory of other histories breaks is not to be shrunk.
    return len(smallest(case, subject, prop).history if case else history)
