"""How many times as long one normalizer takes as another, and how sure that is.

Two processes that run the same code differ by a few per cent for as long as they live: memory lies
elsewhere. So every comparison is spread over several pairs of fresh processes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from random import Random
from statistics import median
from typing import Final, NamedTuple

from benchmarks.runners import Runner
from benchmarks.timing import side_by_side
from benchmarks.workloads import Workload

#: Starts a runner of the same normalizer each time.
Starter = Callable[[], Runner]

#: How many fresh processes a comparison takes of each side.
PROCESSES: Final = 6

#: How many pairs of blocks are timed with each two of them, and how few will do.
PAIRS: Final = 40
FEWEST_PAIRS: Final = 5

#: How many calls a block has; the fastest counts, since each may be interrupted. On a machine with
#: nine processes to a core, the sum over a block was off by up to 20 %, the fastest by 3 %.
CALLS: Final = 5

#: About how long two processes are timed at most, in seconds. Where calls are slow, as they are
#: over a pipe with megabytes of images, there are fewer of them; an interruption is less of each.
_AT_MOST: Final = 2.0

#: Not timed: the first calls in a process are slower.
_WARM_UP: Final = 3

#: How often the ratios are drawn again for the interval, and the share of medians it holds.
_DRAWS: Final = 1_000
_SHARE: Final = 0.95


class Ratio(NamedTuple):
    """The median of many ratios, and the 95 % bootstrap interval around it."""

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.median:.3f} [{self.low:.3f}, {self.high:.3f}]"


def compared(candidate: Starter, base: Starter, workload: Workload, effort: int = 1) -> Ratio:
    """Return how many times as long `candidate` takes as `base`.

    `effort` multiplies the pairs. Raises NotMeasured when one of the two fails.
    """
    ratios: list[float] = []
    for _ in range(PROCESSES * effort):
        with closing(candidate()) as ours, closing(base()) as theirs:
            pairs, calls = _plan(sum(_warmed_up(runner, workload) for runner in (ours, theirs)))
            times = side_by_side(
                partial(ours.fastest, calls), partial(theirs.fastest, calls), pairs
            )
            ratios += (our_time / their_time for our_time, their_time in times)
    return ratio_of(ratios)


def _warmed_up(runner: Runner, workload: Workload) -> float:
    """Return about how many seconds pass with each call, on the way there and back too."""
    runner.load(workload)
    start = time.perf_counter()
    runner.fastest(_WARM_UP)
    return (time.perf_counter() - start) / _WARM_UP


def _plan(seconds: float) -> tuple[int, int]:
    """Return how many pairs of blocks to time, and of how many calls each.

    `seconds` is how long a call takes on both sides together.
    """
    affordable = round(_AT_MOST / seconds)
    calls = min(CALLS, max(1, affordable // FEWEST_PAIRS))
    return min(PAIRS, max(FEWEST_PAIRS, affordable // calls)), calls


def settled_ratio(measure: Callable[[int], Ratio], limit: float) -> Ratio:
    """Return `measure(1)`, or `measure(3)` unless the first lies wholly within `limit`.

    One bad moment of the machine is no regression, and a ratio close to the limit needs a closer
    look.
    """
    first = measure(1)
    return first if first.high <= limit else measure(3)


def ratio_of(ratios: list[float]) -> Ratio:
    """Return the median of `ratios` with its interval; the same for the same ratios."""
    random = Random(0)
    medians = sorted(median(random.choices(ratios, k=len(ratios))) for _ in range(_DRAWS))
    outside = round(_DRAWS * (1 - _SHARE) / 2)
    return Ratio(median(ratios), medians[outside], medians[-1 - outside])
