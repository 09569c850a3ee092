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
from hypothesis.strategies import sampled_from

from normalizer import FAMILIES, Family, Item
from properties.broken import Broken, BrokenCase
from properties.capabilities import CODEX, Capabilities
from properties.case import Case
from properties.catalogue import selected
from properties.deviations import Deviation, FixedError
from properties.property import MIXED, Property
from properties.subject import SkippedError, Subject, SubjectError, SubjectGoneError
from strategies import histories
from strategies.pools import copy_of
from strategies.sessions import Check, sessions

#: How many steps a played session has at the most.
_SESSION_STEPS: Final = 20

#: Told of a subject with a memory, or one that leaves something to chance.
_NOT_AGAIN: Final = "on the same history it did not happen again"

#: How many items the histories have in all that are tried to make one shorter.
_SHRINKING: Final = 60_000


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
    #: What is known to be broken: it is not looked for, but has to be there.
    deviations: Sequence[Deviation] = ()
    #: After it has hung for as long as this, in seconds, the subject is not waited for any more.
    patience: float = 8.0
    #: Examples tried for the last property, and those in which the subject took no part.
    examples: int = field(default=0, init=False)
    skipped: int = field(default=0, init=False)
    #: The smallest case seen for the last property.
    _best: BrokenCase | None = field(default=None, init=False)
    #: For how many seconds the subject hung in all.
    _hung: float = field(default=0.0, init=False)
    #: The last case in which the subject gave no prompt.
    _failure: BrokenCase | None = field(default=None, init=False)
    #: Whether it is not asked any more, because it hung or died too often.
    _given_up: bool = field(default=False, init=False)
    #: Why the subject took no part the last time that it did not.
    _why_skipped: str = field(default="", init=False)

    def verify(self, prop: Property, family: str) -> None:
        """Try `prop` on histories of `family`; raise Broken with the smallest it fails on.

        Skips the running test where the property is not applicable, and marks it as expected to
        fail where a deviation is recorded; raises FixedError where that one is gone.
        """
        self.examples, self.skipped, self._why_skipped = 0, 0, ""
        self._best = None
        why_not = prop.inapplicable(self.subject.capabilities, family)
        if why_not:
            pytest.skip(f"not applicable: {why_not}")
        known = [one for one in self.deviations if one.case.property_name == prop.name]
        if known:
            self._deviate(prop, family, known)
        try:
            self._give_up_if_hopeless(prop, family)
            self._verify(prop, family)
            self._give_up_if_hopeless(prop, family)
        except Broken as broken:
            raise Broken(self._smallest(broken.case, prop)) from None
        except Flaky:
            # Once broken, on the same history not again: a subject with a memory or with chance.
            assert self._best is not None
            raise Broken(replace(self._best, findings=(*self._best.findings, _NOT_AGAIN))) from None
        if not self.examples:
            why_none = "none of its histories is one that the claims cover"
            pytest.skip(f"not applicable: {self._why_skipped or why_none}")

    def _deviate(self, prop: Property, family: str, known: Sequence[Deviation]) -> None:
        """Expect each recorded deviation from `prop`, on its own history alone."""
        for deviation in known:
            self.examples += 1
            case = deviation.case
            if broken_by(self.subject, prop, family, case.history, case.modalities) is None:
                raise FixedError(deviation)
        pytest.xfail(known[0].reason)

    def _give_up_if_hopeless(self, prop: Property, family: str) -> None:
        """Raise Broken with the last failure when the subject is not asked any more."""
        if self._given_up and self._failure is not None:
            raise Broken(replace(self._failure, property_name=prop.name, family=family))

    def _smallest(self, case: BrokenCase, prop: Property) -> BrokenCase:
        return case if self._given_up else smallest(case, self.subject, prop)

    def _verify(self, prop: Property, family: str) -> None:
        claims = self.subject.capabilities
        for case in self.saved:
            its = (case.property_name, case.family) == (prop.name, family)
            if its and claims.covers(case.history, case.modalities):
                self._try(prop, family, case.history, case.modalities)

        def attempt(history: list[Item], modalities: frozenset[str]) -> None:
            self._try(prop, family, history, modalities)

        if prop.cases:
            for history, modalities in prop.cases_for(claims):
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
        claims = self.subject.capabilities
        machine = sessions(
            attempt, families=families_of(MIXED, claims), models=claims.modality_sets
        )
        run_state_machine_as_test(seed(self.seed)(machine), settings=played)

    def _on_drawn(self, attempt: Check, family: str) -> None:
        claims = self.subject.capabilities
        drawn_from = histories(families=families_of(family, claims))
        models = sampled_from(claims.modality_sets)

        @seed(self.seed)
        @settings(self.settings)
        @given(history=drawn_from, modalities=models)
        def drawn(history: list[Item], modalities: frozenset[str]) -> None:
            attempt(history, modalities)

        drawn()

    def _try(
        self, prop: Property, family: str, history: list[Item], modalities: frozenset[str]
    ) -> None:
        if self._given_up:
            return
        start = time.monotonic()
        try:
            case = broken_by(self.subject, prop, family, history, modalities)
        except SubjectGoneError:
            self._given_up = True
            return
        except SkippedError as skipped:
            self.skipped += 1
            self._why_skipped = f"it takes no part: {skipped}"
            return
        self.examples += 1
        if case is None:
            return
        if case.outcome:
            self._failure = case
        if case.outcome == "hung":
            self._hung += time.monotonic() - start
            self._given_up = self._hung > self.patience
        if self._best is None or len(case.history) <= len(self._best.history):
            self._best = case
        raise Broken(case)


def families_of(column: str, claims: Capabilities = CODEX) -> tuple[Family, ...]:
    """Return the families that the histories of a column hold, out of those that are claimed."""
    wanted = claims.families if column == MIXED else {column}
    return tuple(family for family in FAMILIES if family.name in wanted)


def broken_by(
    subject: Subject, prop: Property, family: str, history: list[Item], modalities: frozenset[str]
) -> BrokenCase | None:
    """Return what `subject` breaks of `prop` on this history; None if the property holds.

    Whatever the subject does is a finding. Raises SkippedError when it takes no part, and
    SubjectGoneError when it is not asked any more.
    """
    findings, outcome = [], ""
    try:
        findings = [str(found) for found in prop.of_subject(subject, history, modalities)]
    except SubjectGoneError:
        raise
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
        prompt := None if outcome else _prompt_or_none(subject, history, modalities),
        outcome,
        copy_of(Case(history, modalities, prompt or [], subject.capabilities).expected),
    )


def _prompt_or_none(
    subject: Subject, history: list[Item], modalities: frozenset[str]
) -> list[Item] | None:
    try:
        return subject.prompt(history, modalities)
    except (SubjectError, SkippedError):
        return None


def smallest(case: BrokenCase, subject: Subject, prop: Property) -> BrokenCase:
    """Return the case without every item that it can do without.

    Hypothesis shrinks what a history was made from; this shrinks the history itself, by halves
    first, and at last item by item. It gives up on a long one that cannot be shortened.
    """
    budget = _SHRINKING if case.outcome != "hung" else 0
    size = max(1, len(case.history) // 2)
    start, shortened = 0, False
    while start < len(case.history) and budget > 0:
        shorter = case.history[:start] + case.history[start + size :]
        budget -= len(shorter)
        try:
            broken = broken_by(subject, prop, case.family, shorter, case.modalities)
        except SubjectGoneError:
            return case
        except SkippedError:
            broken = None
        if broken is None:
            start += size
        else:
            case, shortened = broken, True
        if start >= len(case.history) and (size > 1 or shortened):
            # Once more: with smaller pieces, or since an item may now be dispensable.
            start, shortened, size = 0, False, max(1, size // 2)
    return case
