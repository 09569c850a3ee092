"""What came of a run of the conformance tests."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from normalizer.commands.terminal import count
from properties.broken import BrokenCase

#: `n/a`: it needs what the subject does not claim. `deviates`: broken, as the deviations file says.
#: `fixed`: it is not broken any more, although that file says so.
Outcome = Literal["holds", "broken", "n/a", "deviates", "fixed", "error"]

#: From what says nothing to what is worst.
_WORSE: Final[tuple[Outcome, ...]] = ("n/a", "holds", "deviates", "fixed", "broken", "error")

#: The outcomes that the verdict tells of only where they occur.
_RARE: Final[tuple[tuple[Outcome, str], ...]] = (
    ("n/a", "not applicable"),
    ("deviates", "deviate as recorded"),
    ("fixed", "fixed"),
    ("error", "could not be tried"),
)

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
    #: Why it is not applicable, deviates or is fixed; what went wrong, for an error.
    reason: str = ""
    #: In how many more the subject took no part.
    skipped: int = 0


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
    def by_property(self) -> dict[str, Outcome]:
        """The outcome of each property: the worst of its columns; a column that holds beats n/a."""
        worst: dict[str, Outcome] = {}
        for row in self.rows:
            known = worst.setdefault(row.property_name, row.outcome)
            worst[row.property_name] = max(known, row.outcome, key=_WORSE.index)
        return worst

    @property
    def skipped(self) -> int:
        """In how many examples the subject took no part."""
        return sum(row.skipped for row in self.rows)

    @property
    def failed(self) -> bool:
        """Whether a property is broken, or a recorded deviation is gone."""
        return bool(self.broken or self.with_outcome("fixed"))

    @property
    def exit_code(self) -> int:
        """0 if everything holds, 1 if the run failed, 2 if something could not be tried."""
        if self.errors or not self.complete:
            return 2
        return 1 if self.failed else 0

    @property
    def conditions(self) -> str:
        """How it was run, in a few words."""
        seed = "the same histories every time" if self.seed is None else f"seed {self.seed}"
        return f"profile {self.profile}, {seed}"

    def command(self, case: BrokenCase) -> str:
        """Return the command that finds `case` again, but for the folders of the subject."""
        words = ["callpair", "check", "--subject", self.subject, "--only", case.property_name]
        words += ["--families", case.family, "--profile", self.profile]
        return shlex.join(words if self.seed is None else [*words, "--seed", str(self.seed)])

    @property
    def verdict(self) -> str:
        """What came of it, in one line."""
        outcomes = self.by_property
        numbers = Counter(outcomes.values())
        words = [count(len(outcomes), "property")]
        words.append(f"{numbers['holds']} hold, {numbers['broken']} broken")
        words += [f"{numbers[outcome]} {what}" for outcome, what in _RARE if numbers[outcome]]
        if not self.complete:
            words.append("the run broke off")
        examples = count(sum(row.examples for row in self.rows), "example")
        more = f", {self.skipped:,} more skipped by the normalizer" if self.skipped else ""
        return f"{', '.join(words)}; {examples}{more}"

    @property
    def stories(self) -> list[tuple[list[str], BrokenCase]]:
        """The cases to tell about, each with the names of the properties that it stands for.

        A subject that raises or hangs does so under every property: once is enough.
        """
        told: dict[str, tuple[list[str], BrokenCase]] = {}
        for case in self.broken.values():
            names, _ = told.setdefault(case.outcome or case.property_name, ([], case))
            names.append(case.property_name)
        return list(told.values())

    @property
    def errors(self) -> Sequence[Row]:
        return self.with_outcome("error")

    def with_outcome(self, outcome: Outcome) -> Sequence[Row]:
        """Return the rows with this outcome."""
        return [row for row in self.rows if row.outcome == outcome]


def _size(case: BrokenCase) -> tuple[int, int]:
    return (len(case.history), len(str(case.history)))
