"""The verdict of a gate: all its lines, and what follows from them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from tabulate import tabulate

from benchmarks.gate.line import FAIL, LEFT_OUT, NOT_MEASURED, PASS, Check, Line
from normalizer.commands.terminal import count, table

_HEADERS: Final = ("", "check", "against", "figure", "limit", "verdict")


@dataclass(slots=True)
class GateVerdict:
    """What the gate found so far.

    It passes once every check that it set out to do has a line, and not before.
    """

    #: What the candidate is called.
    subject: str
    planned: Sequence[Check]
    lines: list[Line] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def complete(self) -> bool:
        """Whether every check has a line: a run that broke off proves nothing."""
        return 0 < len(self.planned) == len(self.lines)

    @property
    def code(self) -> int:
        """0 for a pass, 1 for a regression, 2 where there is none but something is not known."""
        if self._with(FAIL):
            return 1
        measured = self.complete and not self._with(NOT_MEASURED) and self._with(PASS)
        return 0 if measured else 2

    def text(self) -> str:
        """Return the verdict for a terminal of 80 columns."""
        return "\n\n".join([table(self._rows(), _HEADERS), *self._details(), self._summary()])

    def markdown(self) -> str:
        """Return the verdict for the summary page of a CI job."""
        rows = tabulate(self._rows(), _HEADERS, tablefmt="pipe", disable_numparse=True)
        details = (f"```\n{detail}\n```" for detail in self._details())
        return "\n\n".join([f"## callpair gate: {self._word()}", rows, *details, self._summary()])

    def json(self) -> str:
        """Return the verdict as JSON."""
        plain = {
            "subject": self.subject,
            "verdict": self._word(),
            "complete": self.complete,
            "seconds": round(self.seconds, 1),
            "lines": [line.plain() for line in self.lines],
        }
        return json.dumps(plain, indent=2)

    def _with(self, verdict: str) -> list[Line]:
        return [line for line in self.lines if line.verdict == verdict]

    def _word(self) -> str:
        return ("pass", "regression", "could not measure")[self.code]

    def _rows(self) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = []
        part = ""
        for line in self.lines:
            figure = line.figure
            told = line.part if line.part != part else ""
            part = line.part
            rows.append(
                (told, line.check, figure.against, figure.text, figure.limit, figure.verdict)
            )
        return rows

    def _details(self) -> list[str]:
        return [
            f"{line.part}: {line.check}: {line.verdict}\n{line.figure.detail}"
            for line in self.lines
            if line.figure.detail and line.verdict in (FAIL, NOT_MEASURED)
        ]

    def _summary(self) -> str:
        numbers = [
            f"{len(found)} {word}"
            for verdict, word in (
                (PASS, "pass"),
                (FAIL, "failed"),
                (NOT_MEASURED, "not measured"),
                (LEFT_OUT, "left out"),
            )
            if (found := self._with(verdict))
        ]
        checks = count(len(self.planned), "check")
        return f"{self._word()}: {checks}, {', '.join(numbers)}; {self.seconds:.0f} s"
