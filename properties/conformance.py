"""How one property is tried on one subject: the engine behind every conformance test."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import pytest
from hypothesis import given, seed, settings
from hypothesis.errors import Flaky
from hypothesis.stateful import run_state_machine_as_test

from normalizer import FAMILIES, Family, Item
from properties.broken import Broken, BrokenCase
from properties.catalogue import selected
from properties.property import MIXED, Property
from properties.subject import Subject, SubjectError
from strategies import histories, modality_sets
from strategies.pools import copy_of
from strategies.sessions import Check, sessions

#: How many steps a played session has at the most.
_SESSION_STEPS: Final = 20


def matrix(group: str) -> list[Any]:
    """Return the properties of a group, each with each of its columns, to parametrize a test."""
    return [
        pytest.param(prop, family, id=f"{prop.name.partition('/')[2]}-{family}")
        for prop in selected([group])
        for family in prop.families
    ]


@dataclass(slots=True)
class Trial:
    """Tries properties on one subject, and counts."""

    subject: Subject
    settings: settings
    seed: int
    #: Cases to try before any history is drawn.
    saved: Sequence[BrokenCase] = ()
    #: After it has hung for as long as this, in seconds, the subject is not waited for any more.
    patience: float = 8.0
    #: Examples tried for the last property.
    examples: int = field(default=0, init=False)
    #: The smallest case seen for the last property.
    _best: BrokenCase | None = field(default=None, init=False)
    #: For how many seconds the subject hung in all.
    _hung: float = field(default=0.0, init=False)

    def verify(self, prop: Property, family: str) -> None:
        """Try `prop` on histories of `family`; raise Broken with the smallest it fails on."""
        self.examples = 0
        if self._hung > self.patience and self._best is not None:
            raise Broken(replace(self._best, property_name=prop.name, family=family))
        self._best = None
        try:
            self._verify(prop, family)
        except Broken as broken:
            raise Broken(smallest(broken.case, self.subject, prop)) from None
        except Flaky:
            # Once broken, on the same history not again: a subject with a memory or with chance.
            assert self._best is not None
            raise Broken(self._best) from None

    def _verify(self, prop: Property, family: str) -> None:
        for case in self.saved:
            if case.property_name == prop.name:
                self._try(prop, family, case.history, case.modalities)

        def attempt(history: list[Item], modalities: frozenset[str]) -> None:
            self._try(prop, family, history, modalities)

        if prop.cases:
            for history, modalities in prop.cases():
                attempt(history, modalities)
        elif prop.played:
            self._on_sessions(attempt)
        else:
            self._on_drawn(attempt, family)

    def _on_sessions(self, attempt: Check) -> None:
        """Play sessions and make the attempt after each step."""
        played = settings(
            self.settings,
            max_examples=max(1, self.settings.max_examples // 4),
            stateful_step_count=_SESSION_STEPS,
        )
        run_state_machine_as_test(seed(self.seed)(sessions(attempt)), settings=played)

    def _on_drawn(self, attempt: Check, family: str) -> None:
        @seed(self.seed)
        @settings(self.settings)
        @given(history=histories(families=families_of(family)), modalities=modality_sets())
        def drawn(history: list[Item], modalities: frozenset[str]) -> None:
            attempt(history, modalities)

        drawn()

    def _try(
        self, prop: Property, family: str, history: list[Item], modalities: frozenset[str]
    ) -> None:
        if self._hung > self.patience:
            return
        self.examples += 1
        start = time.monotonic()
        case = broken_by(self.subject, prop, family, history, modalities)
        if case is None:
            return
        if case.outcome == "hung":
            self._hung += time.monotonic() - start
        if self._best is None or len(case.history) <= len(self._best.history):
            self._best = case
        raise Broken(case)


def families_of(column: str) -> tuple[Family, ...]:
    """Return the families that the histories of a column hold."""
    return tuple(family for family in FAMILIES if column in (MIXED, family.name))


def broken_by(
    subject: Subject, prop: Property, family: str, history: list[Item], modalities: frozenset[str]
) -> BrokenCase | None:
    """Return what `subject` breaks of `prop` on this history; None if the property holds.

    Whatever the subject does is a finding.
    """
    findings, outcome = [], ""
    try:
        findings = [str(found) for found in prop.of_subject(subject, history, modalities)]
    except SubjectError as error:
        findings, outcome = [f"the normalizer {error}"], error.outcome
    if not findings:
        return None
    return BrokenCase(
        prop.name,
        family,
        subject.name,
        copy_of(history),
        modalities,
        tuple(findings),
        None if outcome else _prompt_or_none(subject, history, modalities),
        outcome,
    )


def _prompt_or_none(
    subject: Subject, history: list[Item], modalities: frozenset[str]
) -> list[Item] | None:
    try:
        return subject.prompt(history, modalities)
    except SubjectError:
        return None


def smallest(case: BrokenCase, subject: Subject, prop: Property) -> BrokenCase:
    """Return the case without every item that it can do without.

    Hypothesis shrinks what a history was made from; this shrinks the history itself.
    """
    for index in range(len(case.history) if case.outcome != "hung" else 0):
        shorter = case.history[:index] + case.history[index + 1 :]
        broken = broken_by(subject, prop, case.family, shorter, case.modalities)
        if broken is not None:
            return smallest(broken, subject, prop)
    return case
