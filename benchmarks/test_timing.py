"""The timing tells slow from fast and quadratic from linear, and leaves the collector alone."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import partial

import pytest

from benchmarks.timing import collector_paused, fastest, paired_ratios, ratio, settled, slope

SIZES = [2_000, 4_000, 8_000, 16_000]


def count(times: int) -> None:
    """Take a time that grows with `times`."""
    for _ in range(times):
        pass


def test_twice_the_work_is_a_ratio_of_two() -> None:
    """The ratio of a function that does another's work twice is about two."""
    measure = partial(ratio, partial(count, 100_000), partial(count, 50_000))

    assert settled(measure, 31, 2.2) == pytest.approx(2, abs=0.2)


@pytest.mark.parametrize(
    ("work", "expected"), [(lambda n: 50 * n, 1), (lambda n: n * n // 200, 2)], ids=["n", "n*n"]
)
def test_slope_is_the_power(work: Callable[[int], int], expected: int) -> None:
    """Linear work has the slope 1, quadratic work 2."""
    times = [fastest(partial(count, work(size)), 9) for size in SIZES]

    assert slope(SIZES, times) == pytest.approx(expected, abs=0.15)


def test_pairs_are_in_abba_order() -> None:
    """Each function comes first in every second pair."""
    calls: list[str] = []

    ratios = paired_ratios(partial(calls.append, "A"), partial(calls.append, "B"), 4)

    assert "".join(calls) == "ABBAABBA"
    assert len(ratios) == 4


def test_only_what_is_above_its_limit_is_measured_again() -> None:
    """A figure within its limit stands; another is measured with three times the effort."""
    efforts: list[int] = []

    def measure(effort: int) -> float:
        efforts.append(effort)
        return 10 / effort

    assert settled(measure, 10, 1.0) == 1.0
    assert efforts == [10]
    assert settled(measure, 5, 1.0) == pytest.approx(10 / 15)
    assert efforts == [10, 5, 15]


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_left_as_it_was(*, enabled: bool) -> None:
    """It rests while something is timed, and afterwards runs only if it ran before."""
    before = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        with collector_paused():
            assert not gc.isenabled()

        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()
