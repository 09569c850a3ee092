"""The faults: each is caught, for an expected reason, and the correct normalizers are not."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from normalizer import ALL, normalize
from properties import faults
from properties.case import json_text
from properties.catalogue import BY_NAME, CATALOGUE
from properties.conformance import broken_by
from properties.faults import FAULTS, KINDS, Fault, Skeleton
from properties.faults.detection import examples, examples_until, shown_by
from properties.loading import load_subject
from properties.property import MIXED, Property
from properties.subject import PythonSubject
from strategies import SCENARIOS, history_of

SEEDS = range(2)

FOLDER = Path(faults.__file__).parent

#: The modules that hold no faults.
MACHINERY = {"__init__", "detection", "fault", "skeleton"}

#: Of the small histories, those that relations are tried on, and some more.
_MOST_CASES = 1_000


#: A correct normalizer that is not the reference.
SKELETON = PythonSubject("skeleton", Skeleton())


def name_of(named: Fault | Property) -> str:
    """Return what a test of `named` is called."""
    return named.name


each_fault = pytest.mark.parametrize("fault", FAULTS.values(), ids=name_of)

#: Whether work grows too fast is told by the clock: `callpair faults` tries that, no unit test.
each_untimed_fault = pytest.mark.parametrize(
    "fault", [fault for fault in FAULTS.values() if fault.group != "work"], ids=name_of
)


def test_there_are_many_of_every_kind() -> None:
    """At least 75 in all, and every module holds some."""
    assert len(FAULTS) >= 75
    assert set(KINDS) == {path.stem for path in FOLDER.glob("*.py")} - MACHINERY


@each_fault
def test_an_entry_is_complete(fault: Fault) -> None:
    """It tells what is wrong, and names properties of two groups where more than one can see it."""
    groups = {BY_NAME[name].group for name in fault.expected}

    assert fault.sentence.endswith(".")
    assert len(groups) > 1 or fault.group in ("sharing", "size", "work")
    assert fault.subject().name == load_subject(f"fault:{fault.name}").name


@each_untimed_fault
def test_the_witness_shows_the_fault(fault: Fault) -> None:
    """The prompt for it is not the reference's, or one of the expected properties breaks on it."""
    witness = fault.witness

    assert fault.shows(witness, fault.modalities) or any(
        fault.broken(name, witness, fault.modalities) for name in fault.expected
    )


@each_untimed_fault
def test_every_expected_property_catches_it(fault: Fault) -> None:
    """Within 200 examples from each seed; with cases of its own, on one of those."""
    missed = [
        (name, seed)
        for name in fault.expected
        for seed in (SEEDS if BY_NAME[name].is_drawn else SEEDS[:1])
        if examples_until(fault, name, examples(seed)) is None
    ]

    assert [] == missed


@each_fault
def test_neither_too_few_nor_too_many_histories_show_it(fault: Fault) -> None:
    """Of 200: `callpair faults` tells the share of 1,000. Unless the entry says why."""
    drawn = [examples(seed) for seed in SEEDS[:1]]
    rate = len(shown_by(fault, drawn)) / sum(map(len, drawn))

    assert 0.001 < rate < 0.80 or fault.reason


@pytest.mark.parametrize(
    "prop",
    [
        prop
        for prop in CATALOGUE
        if not prop.played and not prop.inapplicable(SKELETON.capabilities)
    ],
    ids=name_of,
)
def test_no_property_accuses_the_skeleton(prop: Property) -> None:
    """It is correct, and written in another style than the reference."""
    drawn = [example[:2] for seed in SEEDS for example in examples(seed)]
    cases = prop.cases_for(SKELETON.capabilities) if prop.cases else drawn
    broken = (broken_by(SKELETON, prop, MIXED, *case) for case in islice(cases, _MOST_CASES))

    assert [] == list(filter(None, broken))


def test_the_skeleton_makes_the_same_prompts() -> None:
    """To the byte, for every scenario and every drawn history."""
    skeleton = Skeleton()
    histories = [(history_of(text), ALL) for text in SCENARIOS.values()]
    histories += [(e.history, e.modalities) for seed in SEEDS for e in examples(seed)]
    for history, modalities in histories:
        assert json_text(normalize(history, modalities)) == json_text(skeleton(history, modalities))
