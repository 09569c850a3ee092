"""One line of the gate's verdict: what was compared, the figure, the limit, and what follows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from normalizer import CommandError

Verdict = Literal["pass", "FAIL", "not measured", "left out"]

PASS: Final = "pass"
FAIL: Final = "FAIL"
NOT_MEASURED: Final = "not measured"

#: What cannot be told of this kind of subject, or was not asked for; it decides nothing.
LEFT_OUT: Final = "left out"


@dataclass(frozen=True, slots=True)
class Figure:
    """What came of a check."""

    #: What the candidate was compared with.
    against: str
    #: The figure and its limit as people read them.
    text: str
    limit: str
    verdict: Verdict
    #: The same figure as a number; a share of 1 for checks that count.
    value: float | None = None
    #: What people want to know besides when it is no pass: a report, a reason, a command.
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A check with its figure."""

    #: `right`, `strong` or `fast`.
    part: str
    check: str
    figure: Figure

    @property
    def verdict(self) -> Verdict:
        return self.figure.verdict

    def plain(self) -> dict[str, Any]:
        """Return the line as a JSON object."""
        return {"part": self.part, "check": self.check, **asdict(self.figure)}


@dataclass(frozen=True, slots=True)
class Check:
    """Something that the gate has set out to do: it becomes a line, whatever happens."""

    part: str
    name: str
    #: What the candidate is compared with, for a line without a figure.
    against: str
    measure: Callable[[], Figure]

    def line(self) -> Line:
        """Do it; what cannot be done is a line that says so."""
        try:
            figure = self.measure()
        except CommandError as error:
            figure = Figure(self.against, "-", "-", NOT_MEASURED, detail=str(error))
        return Line(self.part, self.name, figure)


def counted(against: str, good: int, total: int, detail: str = "") -> Figure:
    """Return the figure of a check that all of `total` must pass."""
    verdict: Verdict = PASS if good == total > 0 else FAIL
    return Figure(against, f"{good} of {total}", "all", verdict, good / max(total, 1), detail)


def limited(
    against: str, text: str, value: float, limit: float, *, exceeds: bool, detail: str = ""
) -> Figure:
    """Return the figure of a check whose `value` has a limit."""
    return Figure(against, text, f"{limit:.2f}", FAIL if exceeds else PASS, value, detail)
