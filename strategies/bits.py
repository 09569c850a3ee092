"""Small integers decoded into choices.

Hypothesis draws and shrinks a short list of integers far faster than nested dictionaries. Its
shrinker clears high bits first, so the choice that matters most is read from the lowest bits, and
zero always stands for the simplest thing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")

#: How many bits one drawn integer holds: Hypothesis draws evenly up to 24.
WIDTH: Final = 24

#: Draws the integers that `Bits` decodes.
codes = st.integers(0, 2**WIDTH - 1)


class Bits:
    """Reads choices from an integer, lowest bits first; an exhausted one reads as zero."""

    def __init__(self, code: int) -> None:
        self._code = code

    def number(self, width: int) -> int:
        """Return the number in the next `width` bits."""
        number = self._code & ((1 << width) - 1)
        self._code >>= width
        return number

    def choice(self, options: Sequence[T], width: int) -> T:
        """Return one of `options`, picked by the next `width` bits; zero picks the first."""
        return options[self.number(width) % len(options)]

    def flag(self, width: int) -> bool:
        """Return True once in `2**width`, when all the next bits are set."""
        return self.number(width) == (1 << width) - 1
