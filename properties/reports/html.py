"""A page that stands alone: the matrix, and each broken property with its history drawn.

Everything in it comes from a normalizer or its histories, so everything is escaped.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from normalizer import Item
from properties.broken import BrokenCase
from properties.catalogue import BY_NAME
from properties.report import around, expected_for, first_difference, same, window
from properties.reports.matrix import headers, lines
from properties.results import Results
from strategies.drawing import drawn


class Pair(NamedTuple):
    """An item that was expected beside the one in its place."""

    expected: str
    got: str
    differs: bool


def html(runs: Sequence[Results]) -> str:
    """Return the page about the runs side by side."""
    from jinja2 import Environment, FileSystemLoader

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html.j2").render(
        runs=runs,
        headers=headers(runs),
        groups=[(group, list(of)) for group, of in groupby(lines(runs), lambda line: line.group)],
        stories=[
            _story(number, run, names, case)
            for number, run in enumerate(runs)
            for names, case in run.stories
        ],
        reasons=[(run, list(dict.fromkeys(_reasons(run)))) for run in runs if _reasons(run)],
    )


def _reasons(run: Results) -> list[tuple[str, str, str]]:
    """Return the outcomes that want a reason, with it."""
    return [(row.property_name, row.outcome, row.reason) for row in run.rows if row.reason]


def _story(number: int, run: Results, names: Sequence[str], case: BrokenCase) -> dict[str, Any]:
    return {
        "run": number,
        "subject": run.subject,
        "names": names,
        "statement": BY_NAME[names[0]].statement if len(names) == 1 else "",
        "findings": case.findings,
        "takes": case.takes,
        "drawing": "\n".join(around(drawn(case.history), 0)),
        "pairs": _pairs(case),
        "no_prompt": case.prompt is None,
        "command": run.command(case),
    }


def _pairs(case: BrokenCase) -> list[Pair]:
    expected = expected_for(case)
    both = list(zip_longest(expected, case.prompt or [], fillvalue=None))
    return [
        Pair(_text(wanted), _text(item), not same(wanted, item))
        for wanted, item in both[window(len(both), first_difference(both))]
    ]


def _text(item: Item | None) -> str:
    return "" if item is None else json.dumps(item, ensure_ascii=False, indent=1)
