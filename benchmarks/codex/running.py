"""Several runs of Codex at once, their results in order."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, TypeVar

from hypothesis import strategies as st

from strategies.commands.draws import draw

Q = TypeVar("Q")
R = TypeVar("R")

#: How many sessions are drawn in one go, while Codex works on the ones before.
_CHUNK: Final = 1000


def in_order(ask: Callable[[Q], R], questions: Iterable[Q], workers: int) -> Iterator[R]:
    """Yield `ask` of each question, in order, `workers` of them asked at once.

    What one raises is raised in its turn, and the rest is not asked.
    """
    with ThreadPoolExecutor(workers) as pool:
        running: deque[Future[R]] = deque()
        try:
            for question in questions:
                running.append(pool.submit(ask, question))
                if len(running) > 2 * workers:
                    yield running.popleft().result()
            while running:
                yield running.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def drawn_sessions(strategy: st.SearchStrategy[R], number: int, seed: int) -> Iterator[R]:
    """Yield `number` values of `strategy`, drawn bit by bit; the same `seed` yields the same."""
    seeds = random.Random(seed)
    for start in range(0, number, _CHUNK):
        chunk: list[R] = []
        size = min(_CHUNK, number - start)
        draw(strategy, size, chunk.append, with_seed=seeds.getrandbits(32))
        yield from chunk
