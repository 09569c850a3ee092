"""How long each subject takes for large histories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from benchmarks.histories import build
from normalizer import ALL
from properties.loading import load_subject
from properties.subject import Subject, SubjectError

#: Every call answered (but a few), none answered, none called, and one batch after another.
SHAPES: Final = ("session", "unanswered", "orphans", "parallel")

#: From the smaller to the larger size the time of linear code grows tenfold.
SIZES: Final = (1_000, 10_000)

#: A subject is not waited for any longer, in seconds.
_PATIENCE: Final = 20.0


def seconds_of(subject: str, shape: str) -> list[float | str]:
    """Return the shortest of three times for each size, or in a word why there is none."""
    loaded = load_subject(subject, timeout=_PATIENCE)
    try:
        return [_seconds(loaded, shape, size) for size in SIZES]
    finally:
        loaded.close()


def _seconds(subject: Subject, shape: str, size: int) -> float | str:
    try:
        return subject.seconds(build(shape, size), ALL, repeats=3)
    except SubjectError as error:
        return error.outcome


def per_item(times: Sequence[float | str]) -> list[str]:
    """Return the times as microseconds an item, for people."""
    return [
        f"{1e6 * time / size:.2f}" if isinstance(time, float) else time
        for time, size in zip(times, SIZES, strict=True)
    ]
