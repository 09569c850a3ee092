"""Values drawn as inside a test, from a seed: the same seed draws the same values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from hypothesis import Phase, given, seed, settings
from hypothesis import strategies as st

T = TypeVar("T")

#: Early draws are kept small, and a few in a row may be variants of one.
_SETTLED, _APART = 50, 15


def draw(
    strategy: st.SearchStrategy[T], number: int, look: Callable[[T], object], *, with_seed: int
) -> int:
    """Call `look` with `number` values of `strategy`; return how many were drawn and discarded.

    No health check is suppressed: a strategy that is too slow or discards too much fails.
    """
    begun = kept = 0

    def begin() -> None:
        nonlocal begun
        begun += 1

    @seed(with_seed)
    @settings(
        max_examples=number,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        derandomize=False,
        suppress_health_check=[],
    )
    @given(st.builds(begin), strategy)
    def keep(_: None, value: T) -> None:
        nonlocal kept
        kept += 1
        look(value)

    keep()
    return begun - kept


def samples(
    strategy: st.SearchStrategy[T], number: int, fits: Callable[[T], bool], *, with_seed: int
) -> list[T]:
    """Return up to `number` values that `fits`, none of them a variant of the one before."""
    found: list[T] = []
    draw(strategy, _SETTLED + _APART * number, found.append, with_seed=with_seed)
    return list(filter(fits, found[_SETTLED:]))[:: _APART // 2][:number]
