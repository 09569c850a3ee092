"""The matrix that every report for people shows: a row a property, a column a run or a family."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from properties.catalogue import CATALOGUE
from properties.property import EACH
from properties.results import NOT_A_COLUMN, Results


class Line(NamedTuple):
    """A property and what came of it in each column."""

    group: str
    name: str
    statement: str
    cells: list[str]


def headers(runs: Sequence[Results]) -> list[str]:
    """Return the headers of the columns: families for one run, subjects for several."""
    if len(runs) == 1:
        return [family.replace("_", " ") for family in EACH]
    return [run.subject for run in runs]


def lines(runs: Sequence[Results]) -> Iterator[Line]:
    """Yield a line for each property that was tried in one of the runs."""
    columns = _families(runs[0]) if len(runs) == 1 else [run.by_property for run in runs]
    for prop in CATALOGUE:
        cells = [column.get(prop.name, NOT_A_COLUMN) for column in columns]
        if any(cell != NOT_A_COLUMN for cell in cells):
            yield Line(prop.group, prop.name, prop.statement, cells)


def _families(run: Results) -> list[Mapping[str, str]]:
    return [
        {row.property_name: row.outcome for row in run.rows if row.family == family}
        for family in EACH
    ]
