"""As fast: the candidate against a base, both measured in this run and in turn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.companions import PLAIN_COPY
from benchmarks.comparing import Starter, compared, settled_ratio
from benchmarks.gate.line import LEFT_OUT, Check, Figure, limited
from benchmarks.gate.settings import GateSettings
from benchmarks.growing import steepest
from benchmarks.instructions import instructions
from benchmarks.revision import checked_out
from benchmarks.runners import NotMeasured, ProcessRunner, runner_of, subject_runner
from benchmarks.targets import Target, target_of
from benchmarks.workloads import Workload
from normalizer import CommandError

#: Histories that take different ways through a normalizer: copying, making up, dropping, stripping.
#: Short ones, so that most calls come to their end before something else gets its turn.
WORKLOADS: Final = (
    Workload("session", 250),
    Workload("unanswered", 250),
    Workload("orphans", 250),
    Workload("media", 250, frozenset({"text"})),
)

#: Which of these also show how time grows: quadratic work hides in a history that needs little.
_GROWING: Final = ("session", "unanswered", "orphans")

#: What memory is weighed on, and over how many histories in a row: what is kept adds up.
_WEIGHED: Final = Workload("session", 5_000)
_IN_A_ROW: Final = 4


@dataclass(frozen=True, slots=True)
class Side:
    """The candidate or the base."""

    name: str
    start: Starter
    #: Where it is imported from; None for a subject that is no Python callable.
    target: Target | None


@contextmanager
def fast_checks(settings: GateSettings, folder: Path) -> Iterator[list[Check]]:
    """Yield the checks; the base stays checked out meanwhile. Histories are kept in `folder`.

    Where the base cannot be had, the only check is one that says why.
    """
    with ExitStack() as stack:
        try:
            checks = Contest(*_sides(settings, folder, stack), settings, folder).checks()
        except CommandError as error:
            checks = [Check("fast", "base", settings.base, partial(_not_to_be_had, error))]
        yield checks


def _not_to_be_had(error: CommandError) -> Figure:
    raise error


def _sides(settings: GateSettings, folder: Path, stack: ExitStack) -> tuple[Side, Side]:
    """Return the candidate and the base, which is there until `stack` is closed.

    Raises CommandError when one of them cannot be had.
    """
    candidate = _side(settings.request.subject, settings, folder)
    if settings.base_subject is not None:
        return candidate, _side(settings.base_subject, settings, folder)
    if candidate.target is not None:
        return candidate, stack.enter_context(_revision(candidate.target, settings.base, folder))
    if candidate.name.startswith("command:"):
        return candidate, stack.enter_context(_command_of_revision(candidate.name, settings.base))
    raise CommandError(f"{candidate.name} has no revisions: use --base-subject")


def _side(subject: str, settings: GateSettings, folder: Path) -> Side:
    paths = settings.request.subject_paths
    return Side(subject, partial(runner_of, subject, paths, folder), target_of(subject, paths))


@contextmanager
def _revision(candidate: Target, revision: str, folder: Path) -> Iterator[Side]:
    """Yield the candidate as it was in a revision of the repository it is imported from."""
    with closing(ProcessRunner(candidate, folder)) as runner:
        root = runner.root
    with checked_out(revision, root) as checkout:
        target = checkout.target(candidate, root)

        def start() -> ProcessRunner:
            runner = ProcessRunner(target, folder)
            if not runner.root.is_relative_to(checkout.folder):
                runner.close()
                raise NotMeasured(f"{revision} has no module {target.module}")
            return runner

        yield Side(checkout.name, start, target)


@contextmanager
def _command_of_revision(command: str, revision: str) -> Iterator[Side]:
    """Yield the command, run where a revision of the repository around us has this folder."""
    here = Path.cwd()
    with checked_out(revision, here) as checkout:
        there = checkout.counterpart(here)
        if there is None:
            raise CommandError(f"{checkout.name} has no folder {here.name}: use --base-subject")
        yield Side(checkout.name, partial(subject_runner, command, there), None)


@dataclass(slots=True)
class Contest:
    """The candidate and the base, and what is measured of both."""

    candidate: Side
    base: Side
    settings: GateSettings
    #: Where histories are kept.
    folder: Path
    #: Why no ratio of times is to be trusted; empty where they are.
    _noise: str = field(default="", init=False)

    def checks(self) -> list[Check]:
        """Return the checks, the control first: it says whether the others mean anything."""
        name = self.base.name
        return [
            Check("fast", "A/A control", name, self._control),
            *(
                Check("fast", f"time, {workload.shape}", name, partial(self._time, workload))
                for workload in WORKLOADS
            ),
            Check("fast", "growth", "plain copy", self._growth),
            Check("fast", "memory", name, self._memory),
            *self._instructions(),
        ]

    @property
    def _limit(self) -> float:
        return 1 + self.settings.margin

    def _control(self) -> Figure:
        """Compare the base with itself: identical code that looks different is noise."""
        limit = 1 + self.settings.margin / 2
        ratio = settled_ratio(
            partial(compared, self.base.start, self.base.start, WORKLOADS[0]), limit
        )
        if not 1 / limit <= ratio.median <= limit:
            self._noise = (
                f"the base takes {ratio} times as long as itself: this machine is too busy"
            )
            raise NotMeasured(self._noise)
        return limited(self.base.name, str(ratio), ratio.median, limit, exceeds=False)

    def _time(self, workload: Workload) -> Figure:
        if self._noise:
            raise NotMeasured(self._noise)
        ratio = settled_ratio(
            partial(compared, self.candidate.start, self.base.start, workload), self._limit
        )
        detail = f"{self.candidate.name} takes {ratio} times as long as {self.base.name}"
        return limited(
            self.base.name,
            str(ratio),
            ratio.median,
            self._limit,
            exceeds=ratio.low > self._limit,
            detail=f"{detail}\non the history {workload.shape!r} of {workload.size:,} items",
        )

    def _growth(self) -> Figure:
        most = self.settings.slope
        grown = steepest(self.candidate.start, self._copy, _GROWING, most)
        detail = (
            f"on the history {grown.shape!r} the time grows with the power {grown.slope:.2f}\n"
            f"of the number of items, that of a plain copy with {grown.copy_slope:.2f}"
        )
        return limited(
            "plain copy",
            f"{grown.slope:.2f} ({grown.shape})",
            grown.slope,
            grown.copy_slope + most,
            exceeds=grown.excess > most,
            detail=detail,
        )

    def _memory(self) -> Figure:
        ours, theirs = (_peak(side.start) for side in (self.candidate, self.base))
        if ours is None or theirs is None:
            return Figure(self.base.name, "out of sight", "-", LEFT_OUT)
        return self._share("bytes", ours, theirs)

    def _instructions(self) -> list[Check]:
        if not self.settings.instructions:
            return []
        return [
            Check("fast", f"instructions, {w.shape}", self.base.name, partial(self._counted, w))
            for w in WORKLOADS
        ]

    def _counted(self, workload: Workload) -> Figure:
        if self.candidate.target is None or self.base.target is None:
            return Figure(self.base.name, "out of sight", "-", LEFT_OUT)
        ours, theirs = (
            instructions(side, workload, self.folder)
            for side in (self.candidate.target, self.base.target)
        )
        return self._share("instructions", ours, theirs)

    def _share(self, unit: str, ours: float, theirs: float) -> Figure:
        """Return the figure for two counts that are the same on every run."""
        share = ours / theirs
        return limited(
            self.base.name,
            f"{share:.3f}",
            share,
            self._limit,
            exceeds=share > self._limit,
            detail=f"{self.candidate.name}: {ours:,.0f} {unit}, {self.base.name}: {theirs:,.0f}",
        )

    def _copy(self) -> ProcessRunner:
        return ProcessRunner(PLAIN_COPY, self.folder)


def _peak(start: Starter) -> int | None:
    with closing(start()) as runner:
        runner.load(_WEIGHED)
        return runner.peak(_IN_A_ROW)
