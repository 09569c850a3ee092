"""How the time of a normalizer grows with the history, beside that of a plain copy."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing
from typing import Final, NamedTuple

from benchmarks.comparing import Starter
from benchmarks.timing import side_by_side, slope
from benchmarks.workloads import Workload

#: Doubling sizes. Moving the entries of a list costs little: only long lists show it.
SIZES: Final = (4_000, 8_000, 16_000, 32_000, 64_000)

#: How many pairs of calls are made at each size: the fastest counts.
PAIRS: Final = 3

#: How many sizes, the largest, a slope is told from.
_ENOUGH: Final = 3

#: No need for larger histories when a pair of calls takes as long as this, in seconds, with the way
#: there and back where the normalizer is another process.
_LONG: Final = 1.0


class Growth(NamedTuple):
    """The slope of log(time) over log(items): 1 is linear, 2 is quadratic."""

    #: Shape of the history.
    shape: str
    slope: float
    #: That of a plain copy of the same histories, measured in turn.
    copy_slope: float
    #: How many times as long as the copy it takes for the largest history.
    share: float

    @property
    def excess(self) -> float:
        """How much steeper than the copy's it is: memory gets slower with size for both.

        Nothing for what is faster than the copy even on the largest history. It does so little that
        its time is that of memory alone; work that grows too fast does not stay ahead.
        """
        return self.slope - self.copy_slope if self.share > 1 else 0.0


def growth(normalizer: Starter, copy: Starter, shape: str, effort: int = 1) -> Growth:
    """Return how the times of both grow over histories of this shape.

    `effort` multiplies the pairs. Raises NotMeasured when one of the two fails.
    """
    sizes: list[int] = []
    times: list[tuple[float, float]] = []
    with closing(normalizer()) as ours, closing(copy()) as theirs:
        for size in SIZES:
            for runner in (ours, theirs):
                runner.load(Workload(shape, size))
            start = time.perf_counter()
            pairs = side_by_side(ours.fastest, theirs.fastest, PAIRS * effort)
            once = (time.perf_counter() - start) / len(pairs)
            sizes.append(size)
            times.append((min(our for our, _ in pairs), min(their for _, their in pairs)))
            if once > _LONG and len(sizes) >= _ENOUGH:
                break
    last = slice(-_ENOUGH, None)
    ours_grow, theirs_grow = (slope(sizes[last], side[last]) for side in zip(*times, strict=True))
    return Growth(shape, ours_grow, theirs_grow, times[-1][0] / times[-1][1])


def steepest(normalizer: Starter, copy: Starter, shapes: Sequence[str], most: float) -> Growth:
    """Return the growth on the shape where it exceeds the copy's by the most.

    A shape on which it does so by more than `most` is measured once more: what is steep by chance
    is so once. What is steep twice needs no other shape.
    """
    found = []
    for shape in shapes:
        grown = growth(normalizer, copy, shape)
        if grown.excess > most:
            grown = growth(normalizer, copy, shape, effort=2)
        if grown.excess > most:
            return grown
        found.append(grown)
    return max(found, key=lambda grown: grown.excess)
