"""The matrix as a Markdown document."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from tabulate import tabulate

from benchmarks.matrix.column import Column
from normalizer import Item
from properties.broken import BrokenCase
from properties.reports.matrix import headers, lines
from strategies import drawn

#: What stands for an outcome in a narrow column.
_MARKS: Final = {"holds": "✓", "broken": "✗", "n/a": "·", "error": "?"}

_INTRODUCTION: Final = """\
# Normalizers that people use, property by property

Made by `callpair matrix` on {date}, with {conditions}.

✓ holds, ✗ broken, · not applicable: the property needs what the normalizer does not claim.

The properties are those of the prompts that Codex sends. Most of these packages serve other APIs,
some stricter, and do on purpose what a property forbids: what their own wire asks for is said with
each. Normalizers of chat messages are tried through a bridge (`benchmarks/peers/bridge.py`): it
keeps ids of different families apart, leaves behind what a chat message cannot say, and brings
made-up outputs of a batch back behind their calls. What they do inside their own messages is not
seen, so immutability is not applicable to them.

Each counterexample is the smallest that was found. The command below it finds it again.
"""


def markdown(columns: Sequence[Column], date: str) -> str:
    """Return the whole document; `date` says when the columns were made."""
    blocks = [
        _INTRODUCTION.format(date=date, conditions=columns[0].results.conditions),
        _table(columns),
        *map(_section, columns),
    ]
    return "\n".join(blocks)


def _table(columns: Sequence[Column]) -> str:
    runs = [column.results for column in columns]
    rows = [
        [f"`{line.name}`", *(_MARKS.get(cell, cell) for cell in line.cells)] for line in lines(runs)
    ]
    titles = ["property", *(header.removeprefix("peer:") for header in headers(runs))]
    return tabulate(rows, titles, tablefmt="github", disable_numparse=True) + "\n"


def _section(column: Column) -> str:
    paragraphs = [f"## {column.name}", *_introduced(column), f"{column.results.verdict}."]
    for names, case in column.counterexamples():
        paragraphs += _counterexample(column, names, case)
    return "\n\n".join(paragraphs) + "\n"


def _introduced(column: Column) -> list[str]:
    """Return who a peer is, what it claims, and what its own wire asks for."""
    peer = column.peer
    if peer is None:
        return []
    claims = ", ".join(f"{name} = {json.dumps(value)}" for name, value in peer.claims.items())
    paragraphs = [f"{peer.package} {peer.version()}, {peer.takes}.", f"Claims: `{claims}`."]
    return [*paragraphs, f"Why: {peer.because}."] if peer.because else paragraphs


def _counterexample(column: Column, names: Sequence[str], case: BrokenCase) -> list[str]:
    return [
        f"- **{', '.join(names)}**: {case.findings[0]}",
        f"  For a model that takes {case.takes}, this:",
        _drawing(case.history),
        *(
            [f"  It gave no prompt: it {case.outcome}."]
            if case.prompt is None
            else ["  becomes:", _drawing(case.prompt)]
        ),
        f"      $ {column.results.command(case)}",
    ]


def _drawing(items: Sequence[Item]) -> str:
    return "\n".join(f"      {line}" for line in drawn(items) or ["(no items)"])
