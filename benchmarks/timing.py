"""Times that can be compared on a busy machine: minima, ratios of neighbours, slopes.

A shared machine changes its pace from second to second. So nothing here is an absolute verdict:
two functions are timed in turn, and only their quotient counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from statistics import linear_regression, median
from time import perf_counter

from properties.shim import collector_paused

#: Something to time: it takes nothing, and what it returns is thrown away.
Timed = Callable[[], object]

#: Runs something, and returns how many seconds it took.
Clock = Callable[[], float]


def seconds(function: Timed) -> float:
    """Return the wall time of one call of `function`, freeing of its result not included."""
    with collector_paused():
        start = perf_counter()
        result = function()
        end = perf_counter()
        # Freed while the collector still rests, or it would visit a million objects for nothing.
        del result
    return end - start


def fastest(function: Timed, rounds: int) -> float:
    """Return the shortest wall time out of `rounds` calls: what others took away only adds."""
    return min(seconds(function) for _ in range(rounds))


def paired_seconds(candidate: Timed, base: Timed, pairs: int) -> list[tuple[float, float]]:
    """Return the wall times of `candidate` and `base`, called side by side, for each pair."""
    return side_by_side(partial(seconds, candidate), partial(seconds, base), pairs)


def side_by_side(candidate: Clock, base: Clock, pairs: int) -> list[tuple[float, float]]:
    """Return what the two clocks tell, read in turn, for each pair.

    The order is ABBA: a machine that gets slower and slower favours neither.
    """
    times = []
    for pair in range(pairs):
        if pair % 2:
            base_seconds = base()
            times.append((candidate(), base_seconds))
        else:
            times.append((candidate(), base()))
    return times


def ratio(candidate: Timed, base: Timed, pairs: int) -> float:
    """Return how many times as long `candidate` takes as `base`: the median over the pairs."""
    return median(ours / theirs for ours, theirs in paired_seconds(candidate, base, pairs))


def slope(sizes: Sequence[int], times: Sequence[float]) -> float:
    """Return the growth of `times` over `sizes`: 1 is linear, 2 is quadratic.

    It is the least-squares slope of log(time) on log(size).
    """
    return linear_regression([math.log(n) for n in sizes], [math.log(t) for t in times]).slope


def settled(measure: Callable[[int], float], effort: int, limit: float) -> float:
    """Return `measure(effort)`; what is above `limit` is measured again with three times as much.

    One bad moment of the machine is no regression, a figure that stays is.
    """
    figure = measure(effort)
    return figure if figure <= limit else measure(3 * effort)
