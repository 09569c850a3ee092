"""The timing tells slow from fast and quadratic from linear, and leaves the collector alone."""

from __future__ import annotations

import gc
from functools import partial
from itertools import cycle

import pytest

from benchmarks.timing import fastest, paired_seconds, ratio, settled, slope
from properties.shim import collector_paused


def count(times: int) -> None:
    """Take a time that grows with `times`."""
    for _ in range(times):
        pass


def test_twice_the_work_is_a_ratio_of_two() -> None:
    """The ratio of a function that does another's work twice is about two."""
    measure = partial(ratio, partial(count, 100_000), partial(count, 50_000))

    assert settled(measure, 31, 2.2) == pytest.approx(2, abs=0.3)


def test_slow_calls_do_not_count() -> None:
    """The minimum does not see the calls that took longer."""
    work = cycle([400_000, 400_000, 1_000])

    assert fastest(lambda: count(next(work)), 9) < fastest(partial(count, 400_000), 3) / 10


def test_slope_is_the_power() -> None:
    """Linear times have the slope 1, quadratic ones 2, whatever their unit."""
    sizes = [1_000, 10_000, 100_000]

    assert slope(sizes, [3e-6 * n for n in sizes]) == pytest.approx(1)
    assert slope(sizes, [3e-6 * n * n for n in sizes]) == pytest.approx(2)


def test_pairs_are_in_abba_order() -> None:
    """Each function comes first in every second pair."""
    calls: list[str] = []

    times = paired_seconds(partial(calls.append, "A"), partial(calls.append, "B"), 4)

    assert "".join(calls) == "ABBAABBA"
    assert len(times) == 4


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
