"""Any number of normalizers on the same histories, side by side: time, ratio, growth, memory.

Memory is what Python's own allocator is asked for (`tracemalloc`), not what the process occupies:
the same figure on every run, while the other comes in steps of megabytes, holds the interpreter and
the history as well, and never shrinks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from statistics import median
from typing import Final

from benchmarks.comparing import Starter
from benchmarks.runners import Runner
from benchmarks.timing import side_by_side, slope
from benchmarks.workloads import Workload

#: How long the pairs of one cell may take in all, in seconds, and how many there are then.
_BUDGET: Final = 1.5
_PAIRS: Final = (3, 101)

#: Who takes longer than this for one call, in seconds, is spared larger histories.
_LONG: Final = 10.0


@dataclass(frozen=True, slots=True)
class Measurement:
    """What one normalizer needed for one history."""

    name: str
    items: int
    #: The fastest call.
    seconds: float
    #: How many times as long as the first normalizer: the median of pairs of calls in turn.
    ratio: float
    #: Bytes needed at most beside the history; None where nobody can tell.
    peak: int | None

    @property
    def seconds_per_item(self) -> float:
        return self.seconds / self.items

    @property
    def peak_per_item(self) -> float | None:
        return None if self.peak is None else self.peak / self.items


def race(starters: Mapping[str, Starter], workloads: Sequence[Workload]) -> Iterator[Measurement]:
    """Yield what each normalizer, by name, needs for each workload; sizes must ascend.

    All others are measured in turn with the first, two processes at a time. Raises NotMeasured
    when one fails.
    """
    first, *_ = starters
    too_slow: set[str] = set()
    for workload in workloads:
        for name, start in starters.items():
            if name in too_slow or first in too_slow:
                continue
            with closing(starters[first]()) as base, closing(start()) as runner:
                measurement = _measured(name, runner, base, workload)
            yield measurement
            if measurement.seconds > _LONG:
                too_slow.add(name)


def _measured(name: str, runner: Runner, base: Runner, workload: Workload) -> Measurement:
    for one in (runner, base):
        one.load(workload)
    # The slowest calls in a process are its first: they tell how many there is time for.
    once = runner.fastest() + base.fastest()
    fewest, most = _PAIRS
    pairs = max(fewest, min(most, round(_BUDGET / once)))
    times = side_by_side(runner.fastest, base.fastest, pairs)
    return Measurement(
        name,
        workload.size,
        min(ours for ours, _ in times),
        median(ours / theirs for ours, theirs in times),
        runner.peak(),
    )


def slopes(measurements: Sequence[Measurement]) -> dict[str, float]:
    """Return the growth of each normalizer that has two sizes or more: 1 is linear."""
    by_name: dict[str, list[Measurement]] = {}
    for measurement in measurements:
        by_name.setdefault(measurement.name, []).append(measurement)
    return {
        name: slope([one.items for one in found], [one.seconds for one in found])
        for name, found in by_name.items()
        if len(found) > 1
    }
