"""Normalizing costs little more than a plain copy of the history, at any size."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from benchmarks.companions import PLAIN_COPY
from benchmarks.conftest import Benchmark, Note
from benchmarks.histories import build
from benchmarks.runners import ProcessRunner
from benchmarks.targets import target_of
from benchmarks.timing import paired_seconds, ratio, settled, slope
from benchmarks.workloads import Workload
from benchmarks.yardsticks import plain_copy
from normalizer import ALL, normalize
from properties.loading import REFERENCE

pytestmark = pytest.mark.benchmark(disable_gc=True)

#: How many times as long as a plain copy normalizing may take.
MAX_RATIO = 1.3

#: How much steeper than the copy's its growth may be. It is faster on short histories, and not on
#: long ones, that wait for memory: it looks at every item twice, first to learn which call ids
#: there are.
MAX_EXTRA_SLOPE = 0.05

#: How far a measurement of the same code against itself may be off before none is to be trusted.
MAX_CONTROL = 1.1

#: How many pairs of calls settle a ratio, by number of items: the shorter the call, the more.
PAIRS = {1_000: 101, 10_000: 21, 100_000: 5}

#: Where growth is measured, and with how many pairs at least.
GROWTH_SIZES = [1_000, 10_000, 100_000, 1_000_000]
GROWTH_PAIRS = 2

#: How many times as much memory as a plain copy normalizing may need at its peak.
MAX_PEAK = 1.2


@pytest.mark.parametrize("modalities", [ALL, {"text"}], ids=["all", "text"])
@pytest.mark.parametrize("size", PAIRS)
def test_normalize_keeps_pace(
    benchmark: Benchmark, note: Note, size: int, modalities: Collection[str]
) -> None:
    """A session costs at most 1.3 plain copies of it, with its images and without."""
    history = build("session", size)
    normalizing = partial(normalize, history, modalities)
    copying = partial(plain_copy, history)

    benchmark.group = f"{size:,} items"
    benchmark.pedantic(normalizing, rounds=3)
    measured = settled(partial(ratio, normalizing, copying), PAIRS[size], MAX_RATIO)
    note("ratio to plain copy", measured, MAX_RATIO)

    assert measured <= MAX_RATIO


def test_plain_copy_keeps_pace(benchmark: Benchmark, note: Note) -> None:
    """The control: the copy against itself, by which the other ratios are to be judged."""
    copying = partial(plain_copy, build("session", 10_000))

    benchmark.group = "10,000 items"
    benchmark.pedantic(copying, rounds=3)
    measured = settled(partial(ratio, copying, copying), PAIRS[10_000], MAX_CONTROL)
    note("ratio to plain copy", measured, MAX_CONTROL)

    assert measured <= MAX_CONTROL


@pytest.mark.parametrize("shape", ["session", "media"])
def test_normalize_needs_little_memory(
    benchmark: Benchmark, note: Note, shape: str, tmp_path: Path
) -> None:
    """At its peak it needs at most 1.2 times what a plain copy of the same history needs."""
    workload = Workload(shape, 100_000)
    reference = target_of(REFERENCE)
    assert reference
    with (
        closing(ProcessRunner(reference, tmp_path)) as ours,
        closing(ProcessRunner(PLAIN_COPY, tmp_path)) as copy,
    ):
        for runner in (ours, copy):
            runner.load(workload)
        benchmark.group = f"{workload.size:,} items"
        benchmark.pedantic(ours.fastest)
        peaks = [runner.peak() for runner in (ours, copy)]
    measured = peaks[0] / peaks[1]
    note("peak memory to plain copy", measured, MAX_PEAK)

    assert measured <= MAX_PEAK


def test_normalize_stays_linear(benchmark: Benchmark, note: Note) -> None:
    """From a thousand items to a million its time grows as the copy's does."""
    session = build("session", GROWTH_SIZES[-1])

    def extra_slope(pairs: int) -> float:
        normalizing, copying = [], []
        for size in GROWTH_SIZES:
            history = session[:size]
            times = paired_seconds(
                partial(normalize, history),
                partial(plain_copy, history),
                max(pairs, PAIRS.get(size, 0)),
            )
            normalizing.append(min(ours for ours, _ in times))
            copying.append(min(theirs for _, theirs in times))
        note("slope", slope(GROWTH_SIZES, normalizing), None)
        note("slope of plain copy", slope(GROWTH_SIZES, copying), None)
        return slope(GROWTH_SIZES, normalizing) - slope(GROWTH_SIZES, copying)

    benchmark.group = f"{len(session):,} items"
    benchmark.pedantic(partial(normalize, session))
    measured = settled(extra_slope, GROWTH_PAIRS, MAX_EXTRA_SLOPE)
    note("extra slope", measured, MAX_EXTRA_SLOPE)

    assert measured <= MAX_EXTRA_SLOPE
