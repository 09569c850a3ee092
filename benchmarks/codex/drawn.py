"""The sessions to ask about, drawn bit by bit."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final, TypeVar

from hypothesis import strategies as st

from strategies.commands.draws import draw

T = TypeVar("T")

#: How many are drawn in one go, while Codex works on the ones before.
_CHUNK: Final = 1000


def drawn_sessions(strategy: st.SearchStrategy[T], number: int, seed: int) -> Iterator[T]:
    """Yield `number` values of `strategy`, in chunks; the same `seed` yields the same."""
    seeds = random.Random(seed)
    for start in range(0, number, _CHUNK):
        chunk: list[T] = []
        size = min(_CHUNK, number - start)
        draw(strategy, size, chunk.append, with_seed=seeds.getrandbits(32))
        yield from chunk
