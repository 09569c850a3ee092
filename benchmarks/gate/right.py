"""Right: every property, on the same histories as ever and on fresh ones; what Codex sent; ids."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from typing import Final

from benchmarks.gate.line import Check, Figure, counted
from benchmarks.gate.settings import GateSettings
from benchmarks.gate.vectors import VECTORS, wrong_vectors
from normalizer import CommandError
from properties.catalogue import BY_NAME, GROUPS
from properties.commands.options import subject_words
from properties.golden import golden_rows
from properties.loading import load_subject
from properties.report import broken_report
from properties.results import Results
from properties.running import Request, run_conformance
from properties.subject import SubjectError

#: Told in full; more broken properties are only named.
_MOST_REPORTS: Final = 2

#: The same histories on every run.
_SAME: Final = "ci"

#: Others on every run, and not as many: it is the many runs that find what is rare.
_FRESH: Final = "dev"

#: How the work grows is a matter of `fast`: beside other processes it cannot be timed.
_GROUPS: Final = tuple(group for group in GROUPS if group != "work")

_CODEX: Final = "model/equals_codex"


@contextmanager
def right_checks(settings: GateSettings, seed: int) -> Iterator[list[Check]]:
    """Yield the checks; the two long ones are under way from the start, each in its process."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, context) as pool:

        def suite(profile: str, seed: int | None) -> Future[Results]:
            subject, paths = settings.subject, settings.subject_path
            request = Request(subject, paths, profile, seed=seed, only=_GROUPS)
            return pool.submit(run_conformance, request)

        same, fresh = suite(_SAME, None), suite(_FRESH, seed)
        words = subject_words(settings.subject, settings.subject_path)
        again = f"callpair check {words} --profile"
        yield [
            _conformance("conformance", "same histories", same, f"{again} {_SAME}"),
            _conformance(
                "fresh histories", f"seed {seed}", fresh, f"{again} {_FRESH} --seed {seed}"
            ),
            Check("right", "golden rows", "Codex CLI", partial(golden_figure, settings)),
            Check("right", "id vectors", "pinned ids", partial(vectors_figure, settings)),
        ]


def _conformance(name: str, against: str, running: Future[Results], again: str) -> Check:
    def measure() -> Figure:
        try:
            results = running.result()
        except BrokenProcessPool:
            raise CommandError("the process that ran the conformance tests died") from None
        return _figure(results, against, again)

    return Check("right", name, against, measure)


def _figure(results: Results, against: str, again: str) -> Figure:
    if results.errors:
        row = results.errors[0]
        raise CommandError(f"{row.property_name} ({row.family}) could not be tried: {row.reason}")
    if not results.complete:
        raise CommandError("the conformance tests broke off")
    outcomes = [outcome for outcome in results.by_property.values() if outcome != "n/a"]
    right = sum(outcome in ("holds", "deviates") for outcome in outcomes)
    return counted(against, right, len(outcomes), _report(results, again))


def _report(results: Results, again: str) -> str:
    cases = list(results.broken.values())
    blocks = [
        broken_report(case, reproduce=f"{again} --only {case.property_name}")
        for case in cases[:_MOST_REPORTS]
    ]
    if len(cases) > _MOST_REPORTS:
        others = ", ".join(case.property_name for case in cases[_MOST_REPORTS:])
        blocks.append(f"also broken: {others}\nreproduce: {again}")
    return "\n\n".join(blocks)


def golden_figure(settings: GateSettings) -> Figure:
    """Compare with the prompts that Codex sent, row by row."""
    subject = load_subject(settings.subject, settings.subject_path)
    law = BY_NAME[_CODEX]
    rows, wrong = list(golden_rows()), []
    for row in rows:
        try:
            found = [
                str(finding) for finding in law.of_subject(subject, row.history, row.modalities)
            ]
        except SubjectError as error:
            found = [str(error)]
        wrong += [f"golden row {row.name}: {finding}" for finding in found[:1]]
    return counted("Codex CLI", len(rows) - len(wrong), len(rows), "\n".join(wrong[:5]))


def vectors_figure(settings: GateSettings) -> Figure:
    """Compare with the pinned item ids, one by one."""
    subject = load_subject(settings.subject, settings.subject_path)
    try:
        wrong = list(wrong_vectors(subject))
    except SubjectError as error:
        raise CommandError(f"{settings.subject} {error}") from None
    return counted("pinned ids", len(VECTORS) - len(wrong), len(VECTORS), "\n".join(wrong))
