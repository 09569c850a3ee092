"""Runs the conformance tests in this process and collects what comes of them."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Generator, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from normalizer import CommandError
from properties.broken import Broken
from properties.deviations import FixedError
from properties.plugin import setup_of, tried_by
from properties.property import Property
from properties.results import Outcome, Results, Row

_TESTS: Final = Path(__file__).parent

#: Called when a test ends: with how many have ended, and how many there are.
Progress = Callable[[int, int], None]


def in_silence(_done: int, _total: int) -> None:
    """Show no progress."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to run; see `callpair check --help`."""

    subject: str = "reference"
    subject_paths: Sequence[str] = ()
    profile: str | None = None
    examples: int | None = None
    seed: int | None = None
    only: Sequence[str] = ()
    families: Sequence[str] = ()
    #: The deviations file; empty for none.
    deviations: str = ""
    #: A folder of cases to try first; empty for none.
    saved: str = ""
    timeout: float | None = None
    validate: bool = False

    @property
    def arguments(self) -> list[str]:
        """The same as arguments for pytest."""
        arguments = ["--subject", self.subject]
        for option, values in (
            ("--subject-path", self.subject_paths),
            ("--only", self.only),
            ("--families", self.families),
        ):
            for value in values:
                arguments += [option, value]
        for option, single in (
            ("--callpair-profile", self.profile),
            ("--examples", self.examples),
            ("--callpair-seed", self.seed),
            ("--timeout", self.timeout),
            ("--deviations", self.deviations or None),
            ("--saved", self.saved or None),
        ):
            if single is not None:
                arguments += [option, str(single)]
        return [*arguments, *(["--validate"] if self.validate else [])]


def run_conformance(request: Request, progress: Progress = in_silence) -> Results:
    """Run the conformance tests that `request` asks for and return their results.

    Raises CommandError when there is no such subject, or when nothing could be run.
    """
    recorder = _Recorder(progress)
    options = ["-p", "properties.plugin", "-p", "no:terminal", "-p", "no:cacheprovider"]
    # Neither settings nor plugins of the project that happens to be around have a say.
    options += ["-c", os.devnull, "--rootdir", str(_TESTS), "-p", "no:benchmark"]
    files = sorted(map(str, _TESTS.glob("test_*.py")))
    complaint = io.StringIO()
    with redirect_stderr(complaint):  # pytest tells there what is wrong with the request
        code = pytest.main([*options, *request.arguments, *files], plugins=[recorder])
    results = recorder.results
    if code == pytest.ExitCode.USAGE_ERROR:
        raise CommandError(complaint.getvalue().strip().removeprefix("ERROR: "))
    if results is None or code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        trouble = recorder.trouble or pytest.ExitCode(code).name.lower().replace("_", " ")
        raise CommandError(f"the conformance tests did not run: {trouble}")
    return results


class _Recorder:
    """A pytest plugin that makes a row of each conformance test."""

    def __init__(self, progress: Progress) -> None:
        self.results: Results | None = None
        self.trouble = ""
        self._progress = progress
        self._total = 0

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        setup = setup_of(session.config)
        self._total = len(session.items)
        self.results = Results(setup.trial.subject.name, setup.profile, setup.seed)

    def pytest_internalerror(self, excrepr: object) -> None:
        self.trouble = str(excrepr).strip().rpartition("\n")[2]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        tried = tried_by(item)
        if tried and self.results and (call.when == "call" or call.excinfo is not None):
            trial = setup_of(item.config).trial
            self.results.rows.append(_row(*tried, call, trial.examples, trial.skipped))
            self.results.complete = len(self.results.rows) == self._total
            self._progress(len(self.results.rows), self._total)
        return report


def _row(
    prop: Property, family: str, call: pytest.CallInfo[None], examples: int, skipped: int
) -> Row:
    raised = call.excinfo.value if call.excinfo is not None else None
    outcome, reason = _told_by(raised)
    case = raised.case if isinstance(raised, Broken) else None
    return Row(prop.name, family, outcome, examples, call.duration, case, reason, skipped)


def _told_by(raised: BaseException | None) -> tuple[Outcome, str]:
    """Return the outcome that an exception stands for, and why where a case does not tell."""
    if raised is None:
        return "holds", ""
    if isinstance(raised, Broken):
        return "broken", ""
    if isinstance(raised, pytest.skip.Exception):
        return "n/a", str(raised).removeprefix("not applicable: ")
    if isinstance(raised, pytest.xfail.Exception):
        return "deviates", str(raised)
    if isinstance(raised, FixedError):
        return "fixed", str(raised)
    return "error", f"{type(raised).__name__}: {raised}"
