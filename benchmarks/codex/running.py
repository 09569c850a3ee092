"""Several runs of Codex at once, their results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Q = TypeVar("Q")
R = TypeVar("R")


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
