"""What came of a run of the conformance tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from properties.broken import BrokenCase

Outcome = Literal["holds", "broken", "error"]

#: Shown for a column that a property does not have.
NOT_A_COLUMN: Final = "-"


@dataclass(frozen=True, slots=True)
class Row:
    """One property on histories of one column."""

    property_name: str
    family: str
    outcome: Outcome
    #: How many examples were tried.
    examples: int
    seconds: float
    #: Where it is broken.
    case: BrokenCase | None = None
    #: What went wrong with the suite itself, for an error.
    error: str = ""


@dataclass(slots=True)
class Results:
    """All rows of one run, and what is needed to run it again."""

    subject: str
    profile: str
    #: None where the histories are the same every time.
    seed: int | None
    rows: list[Row] = field(default_factory=list)
    #: Whether every test that was collected has a row: a run that broke off proves nothing.
    complete: bool = False

    @property
    def broken(self) -> dict[str, BrokenCase]:
        """The smallest case of each broken property, by name."""
        smallest: dict[str, BrokenCase] = {}
        for row in self.rows:
            if row.case is not None:
                best = smallest.setdefault(row.property_name, row.case)
                smallest[row.property_name] = min(best, row.case, key=_size)
        return smallest

    @property
    def errors(self) -> Sequence[Row]:
        return [row for row in self.rows if row.outcome == "error"]


def _size(case: BrokenCase) -> tuple[int, int]:
    return (len(case.history), len(str(case.history)))
