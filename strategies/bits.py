"""Short byte strings decoded into choices.

Hypothesis draws and shrinks a list of them far faster than nested dictionaries, and evenly. Its
shrinker makes each byte as small as it can; zero always stands for the simplest thing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")

#: How many bytes one code has: enough for the choices about one block of items.
_BYTES: Final = 3

#: Draws one of the codes that `Bits` decodes.
codes = st.binary(min_size=_BYTES, max_size=_BYTES)

#: The code that stands for the simplest choices.
ZERO: Final = bytes(_BYTES)


def code_lists(min_size: int, max_size: int) -> st.SearchStrategy[list[bytes]]:
    """Draws a list of the codes that `Bits` decodes."""
    # Left alone, Hypothesis makes four of five test cases by copying parts of an earlier one onto
    # each other, which decodes to more of the same. It spares collections of unique elements; to
    # this key every element is one.
    return st.lists(codes, min_size=min_size, max_size=max_size, unique_by=lambda _: object())


class Bits:
    """Reads choices from a code, lowest bits first; an exhausted one reads as zero."""

    def __init__(self, code: bytes) -> None:
        self._rest = int.from_bytes(code, "little")

    def number(self, width: int) -> int:
        """Return the number in the next `width` bits."""
        number = self._rest & ((1 << width) - 1)
        self._rest >>= width
        return number

    def choice(self, options: Sequence[T], width: int) -> T:
        """Return one of `options`, picked by the next `width` bits; zero picks the first."""
        return options[self.number(width) % len(options)]

    def flag(self, width: int) -> bool:
        """Return True once in `2**width`, when all the next bits are set."""
        return self.number(width) == (1 << width) - 1
