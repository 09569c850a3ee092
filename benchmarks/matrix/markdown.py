"""The matrix as a Markdown document."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from tabulate import tabulate

from benchmarks.matrix.column import Column
from normalizer import MODALITIES
from properties.broken import BrokenCase
from properties.catalogue import CATALOGUE
from strategies import drawn

MARKS: Final = {"holds": "✓", "broken": "✗", "n/a": "·", "error": "?"}

_INTRODUCTION: Final = """\
# Normalizers that people use, property by property

Made by `callpair matrix` on {date}, with {examples} examples a property and seed {seed}.

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
    """Return the whole document."""
    effort = columns[0].effort
    blocks = [
        _INTRODUCTION.format(date=date, examples=effort.examples, seed=effort.seed),
        _table(columns),
        *(_section(column) for column in columns if column.results.broken),
    ]
    return "\n".join(blocks)


def _table(columns: Sequence[Column]) -> str:
    rows = [
        [
            f"`{prop.name}`",
            *(MARKS.get(column.outcomes.get(prop.name, ""), "-") for column in columns),
        ]
        for prop in CATALOGUE
    ]
    headers = ["property", *(_short(column) for column in columns)]
    return tabulate(rows, headers, tablefmt="github", disable_numparse=True) + "\n"


def _section(column: Column) -> str:
    peer = column.peer
    lines = [f"## {_short(column)}", ""]
    if peer is not None:
        lines += [f"{column.title}, {peer.takes}.", ""]
        claims = ", ".join(f"{name} = {json.dumps(value)}" for name, value in peer.claims.items())
        lines += [f"Claims: `{claims}`.", ""]
        lines += [f"Why: {peer.because}.", ""] if peer.because else []
    for names, case in column.counterexamples():
        lines += [*_counterexample(column, names, case), ""]
    return "\n".join(lines)


def _counterexample(column: Column, names: Sequence[str], case: BrokenCase) -> list[str]:
    takes = ", ".join(name for name in MODALITIES if name in case.modalities)
    return [
        f"- **{', '.join(names)}**: {case.findings[0]}",
        "",
        f"  For a model that takes {takes}:",
        "",
        *(f"      {line}" for line in drawn(case.history)),
        "",
        f"  gives {case.outcome or 'this'}:" if case.prompt is None else "  gives:",
        "",
        *(f"      {line}" for line in drawn(case.prompt or [])),
        "",
        f"      $ {column.command(case)}",
    ]


def _short(column: Column) -> str:
    return column.subject.removeprefix("peer:")
