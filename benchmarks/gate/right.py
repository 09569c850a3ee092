"""Right: every property, on the same histories as ever and on fresh ones; what Codex sent; ids."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.gate.line import LEFT_OUT, Check, Figure, counted
from benchmarks.gate.settings import GateSettings
from benchmarks.gate.vectors import VECTORS, wrong_vector
from normalizer import CommandError
from properties.catalogue import BY_NAME, GROUPS
from properties.commands.options import subject_words
from properties.deviations import read_deviations
from properties.golden import GoldenRow, golden_rows
from properties.property import Property
from properties.report import broken_report
from properties.results import Results
from properties.running import run_conformance
from properties.subject import SkippedError, Subject, SubjectError

#: Told in full; more broken properties are only named.
_MOST_REPORTS: Final = 2

#: Golden rows and pinned ids that are told.
_MOST_FINDINGS: Final = 5

#: The same histories on every run.
_SAME: Final = "ci"

#: Others on every run, and not as many: it is the many runs that find what is rare.
_FRESH: Final = "dev"

#: How the work grows is a matter of `fast`: beside other processes it cannot be timed.
_GROUPS: Final = tuple(group for group in GROUPS if group != "work")

_CODEX: Final = BY_NAME["model/equals_codex"]
_IDS: Final = BY_NAME["identity/derived"]


def right_checks(settings: GateSettings, seed: int, pool: Executor) -> list[Check]:
    """Return the checks. The two long ones are under way from now on, in processes of `pool`."""

    def suite(profile: str, seed: int | None) -> Future[Results]:
        request = replace(settings.request, profile=profile, seed=seed, only=_GROUPS)
        return pool.submit(run_conformance, request)

    same, fresh = suite(_SAME, None), suite(_FRESH, seed)
    again = f"callpair check {_words(settings)} --profile"
    recorded = settings.request.deviations
    return [
        _conformance("conformance", "same histories", same, f"{again} {_SAME}"),
        _conformance("fresh histories", f"seed {seed}", fresh, f"{again} {_FRESH} --seed {seed}"),
        *([_check("deviations", "as recorded", same, deviations_figure)] if recorded else []),
        Check("right", "golden rows", "Codex CLI", partial(golden_figure, settings)),
        Check("right", "id vectors", "pinned ids", partial(vectors_figure, settings)),
    ]


def _words(settings: GateSettings) -> str:
    return subject_words(settings.request.subject, settings.request.subject_paths)


def _conformance(name: str, against: str, running: Future[Results], again: str) -> Check:
    return _check(name, against, running, lambda it: conformance_figure(against, it, again))


def _check(
    name: str, against: str, running: Future[Results], measure: Callable[[Results], Figure]
) -> Check:
    """Return a check of what the conformance tests in another process come to."""

    def measured() -> Figure:
        try:
            results = running.result()
        except BrokenProcessPool:
            raise CommandError("the process that ran the conformance tests died") from None
        if results.errors:
            row = results.errors[0]
            tried = f"{row.property_name} ({row.family})"
            raise CommandError(f"{tried} could not be tried: {row.reason}")
        if not results.complete:
            raise CommandError("the conformance tests broke off")
        return measure(results)

    return Check("right", name, against, measured)


def conformance_figure(against: str, results: Results, again: str) -> Figure:
    """Tell how many of the properties that apply hold, and how much the candidate took no part in.

    The command `again` tries the same once more.
    """
    outcomes = [prop for prop in results.by_property.values() if prop in ("holds", "broken")]
    figure = counted(against, outcomes.count("holds"), len(outcomes), _report(results, again))
    skipped = f", {results.skipped:,} skipped" if results.skipped else ""
    return replace(figure, text=f"{figure.text}{skipped}")


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


def deviations_figure(results: Results) -> Figure:
    """Tell whether each property that deviates as recorded still does."""
    fixed = results.with_outcome("fixed")
    good = {row.property_name for row in results.with_outcome("deviates")}
    gone = {row.property_name for row in fixed}
    if not good | gone:
        return Figure("as recorded", "none applicable", "all", LEFT_OUT)
    detail = "\n".join(dict.fromkeys(row.reason for row in fixed))
    return counted("as recorded", len(good - gone), len(good | gone), detail)


def golden_figure(settings: GateSettings) -> Figure:
    """Compare with the prompts that Codex sent, row by row."""
    with _asked(settings, _CODEX) as (subject, why_not):
        if why_not:
            return Figure("Codex CLI", why_not, "all", LEFT_OUT)
        claims = subject.capabilities
        rows = [row for row in golden_rows() if claims.covers(row.history, row.modalities)]
        return _findings("Codex CLI", [partial(_wrong_row, subject, row) for row in rows])


def _wrong_row(subject: Subject, row: GoldenRow) -> str:
    for violation in _CODEX.of_subject(subject, row.history, row.modalities):
        return f"golden row {row.name}: {violation}"
    return ""


def vectors_figure(settings: GateSettings) -> Figure:
    """Compare with the pinned item ids, one by one."""
    with _asked(settings, _IDS) as (subject, why_not):
        if why_not:
            return Figure("pinned ids", why_not, "all", LEFT_OUT)
        vectors = [vector for vector in VECTORS if subject.capabilities.knows([vector.call])]
        return _findings("pinned ids", [partial(wrong_vector, subject, one) for one in vectors])


def _findings(against: str, attempts: Sequence[Callable[[], str]]) -> Figure:
    """Return the figure for attempts that each return what is wrong; nothing if nothing is."""
    wrong, tried = [], 0
    for attempt in attempts:
        try:
            finding = attempt()
        except SkippedError:
            continue
        except SubjectError as error:
            finding = f"the normalizer {error}"
        tried += 1
        wrong += [finding] if finding else []
    if not tried:
        return Figure(against, "takes no part", "all", LEFT_OUT)
    return counted(against, tried - len(wrong), tried, "\n".join(wrong[:_MOST_FINDINGS]))


@contextmanager
def _asked(settings: GateSettings, prop: Property) -> Iterator[tuple[Subject, str]]:
    """Yield the candidate, and why `prop` is not to be asked of it; empty where it is."""
    subject = settings.candidate()
    file = settings.request.deviations
    known = read_deviations(Path(file)) if file else []
    deviates = any(one.case.property_name == prop.name for one in known)
    try:
        why_not = prop.inapplicable(subject.capabilities)
        yield subject, "deviates as recorded" if deviates else why_not
    finally:
        subject.close()
