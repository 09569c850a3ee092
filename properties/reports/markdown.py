"""A report for an issue or a pull request: the matrix, then each broken property."""

from __future__ import annotations

from collections.abc import Sequence

from tabulate import tabulate

from properties.report import broken_report
from properties.reports.matrix import headers, lines
from properties.results import Results

#: Set off from the rest; what holds is not.
_LOUD = ("broken", "fixed", "error")


def markdown(runs: Sequence[Results]) -> str:
    """Return the report of the runs side by side."""
    rows = [
        (f"`{line.name}`", *(f"**{cell}**" if cell in _LOUD else cell for cell in line.cells))
        for line in lines(runs)
    ]
    blocks = [f"# {' and '.join(f'`{run.subject}`' for run in runs)}"]
    blocks += [f"- `{run.subject}`: {run.verdict}; {run.conditions}" for run in runs]
    blocks.append(tabulate(rows, ("property", *headers(runs)), tablefmt="github"))
    for run in runs:
        for names, case in run.stories:
            fence = "```"
            report = broken_report(case, names, run.command(case))
            blocks.append(f"## {run.subject}: {names[0]}\n\n{fence}text\n{report}\n{fence}")
    return "\n\n".join(blocks) + "\n"
