"""Normalizing costs little more than a plain copy of the history, at any size."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import TYPE_CHECKING

import pytest

from benchmarks.conftest import Note
from benchmarks.histories import build
from benchmarks.timing import fastest, ratio, settled, slope
from benchmarks.yardsticks import plain_copy
from normalizer import ALL, normalize

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

pytestmark = pytest.mark.benchmark(disable_gc=True)

#: How many times as long as a plain copy normalizing may take.
MAX_RATIO = 1.6

#: How much steeper than the copy's its growth may be.
MAX_EXTRA_SLOPE = 0.05

#: Half decades from a thousand items to a million.
GROWTH_SIZES = [round(10 ** (exponent / 2)) for exponent in range(6, 13)]


@pytest.mark.parametrize("modalities", [ALL, {"text"}], ids=["all", "text"])
@pytest.mark.parametrize(("size", "pairs"), [(1_000, 101), (10_000, 31), (100_000, 7)])
def test_normalizing_takes_little_longer_than_copying(
    benchmark: BenchmarkFixture, note: Note, size: int, pairs: int, modalities: Collection[str]
) -> None:
    """A session costs at most 1.6 plain copies of it, with its images and without."""
    history = build("session", size)
    normalizing = partial(normalize, history, modalities)
    copying = partial(plain_copy, history)

    benchmark.group = f"normalize {size:,} items"
    benchmark.pedantic(normalizing, rounds=pairs, warmup_rounds=1)
    measured = settled(partial(ratio, normalizing, copying), pairs, MAX_RATIO)
    note("ratio to plain copy", measured, MAX_RATIO)

    assert measured <= MAX_RATIO


def test_normalizing_grows_no_faster_than_copying(benchmark: BenchmarkFixture, note: Note) -> None:
    """From a thousand items to a million the slopes of both on log-log paper agree."""
    session = build("session", GROWTH_SIZES[-1])

    def extra_slope(rounds: int) -> float:
        normalizing, copying = [], []
        for size in GROWTH_SIZES:
            history = session[:size]
            enough = max(rounds, 30_000 // size)
            normalizing.append(fastest(partial(normalize, history), enough))
            copying.append(fastest(partial(plain_copy, history), enough))
        note("growth slope", slope(GROWTH_SIZES, normalizing))
        note("growth slope of plain copy", slope(GROWTH_SIZES, copying))
        return slope(GROWTH_SIZES, normalizing) - slope(GROWTH_SIZES, copying)

    benchmark.group = f"normalize {len(session):,} items"
    benchmark.pedantic(normalize, (session,), rounds=1)
    measured = settled(extra_slope, 2, MAX_EXTRA_SLOPE)
    note("extra growth slope", measured, MAX_EXTRA_SLOPE)

    assert measured <= MAX_EXTRA_SLOPE
