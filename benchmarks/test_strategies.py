"""Histories are drawn faster than from the strategy that one would write first."""

from __future__ import annotations

from functools import partial

from benchmarks.conftest import Benchmark, Note
from benchmarks.timing import settled
from normalizer import FAMILIES
from strategies.commands.census import census_of
from strategies.commands.plain import plain_histories
from strategies.histories import labelled_histories

#: How many times as many histories a second as the plain strategy gives there must be.
MIN_SPEEDUP = 2.0

#: How many histories are drawn for a speed.
HISTORIES = 300


def test_drawing_keeps_pace(benchmark: Benchmark, note: Note) -> None:
    """Users wait for the histories: there are twice as many a second as plain ones, or more."""
    ours = labelled_histories(families=FAMILIES)

    def cost(number: int) -> float:
        """Return the share of the plain strategy's time that a history takes."""
        drawn = census_of(ours, number, with_seed=0)
        plain = census_of(plain_histories(), number, with_seed=0)
        return plain.speed / drawn.speed

    benchmark.group = f"{HISTORIES} histories"
    benchmark.pedantic(partial(census_of, ours, HISTORIES, with_seed=0))
    measured = settled(cost, HISTORIES, 1 / MIN_SPEEDUP)
    note("time to that of plain histories", measured, 1 / MIN_SPEEDUP)

    assert measured <= 1 / MIN_SPEEDUP
