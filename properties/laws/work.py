"""The work grows with the history and not faster."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import linear_regression
from typing import Final

from normalizer import Item
from properties.capabilities import Capabilities
from properties.laws.large import repeated
from properties.property import Finding, Question, relation_law
from properties.subject import Subject
from strategies import history_of

#: Lengths of the repeated histories. Moving list entries costs little: only long lists show it.
_SIZES: Final = (500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000)

#: The slope of log(time) over log(items) is about 1 for linear work and about 2 for quadratic; new
#: memory makes it somewhat steeper, and a busy machine as steep as one likes, but not each time.
_STEEPEST: Final = 1.55
_SURE: Final = 1.8

#: How often each size is timed in a row. Only what is steep so far gets to the next round.
_ROUNDS: Final = (1, 3, 3, 3)

#: When a prompt takes as long as this, in seconds, no longer history is needed.
_LONG: Final = 0.1

#: How many points a slope is told from; not from the short histories, if there are more.
_FEWEST: Final = 3


#: What the long histories repeat.
_SHAPES: Final = ("FC(a)", "FO(a)", "FC(a) FO(a)", "U(,image) CC(a) LS(b) FO(b) A TC(c) FO(d)")


def _cases(claims: Capabilities) -> Iterator[Question]:
    for shape in _SHAPES:
        yield claims.known(history_of(shape)), claims.poorest


@relation_law("work/linear", cases=_cases)
def linear(
    subject: Subject, history: Sequence[Item], modalities: frozenset[str]
) -> Iterator[Finding]:
    """Twice the history takes about twice the time."""
    if not history:
        return
    fastest: dict[int, float] = {}
    for repeats in _ROUNDS:
        steepness = _slope(subject, history, modalities, fastest, repeats)
        if steepness <= _STEEPEST:
            return
        if repeats > 1 and steepness >= _SURE:
            break
    yield Finding(f"the time grows with the power {steepness:.2f} of the number of items")


def _slope(
    subject: Subject,
    history: Sequence[Item],
    modalities: frozenset[str],
    fastest: dict[int, float],
    repeats: int,
) -> float:
    """Return how steep the fastest times are, by size, after having tried to beat them."""
    for size in _SIZES:
        record = repeated(history, size)
        seconds = subject.seconds(record, modalities)
        # On the wall clock, what takes long is interrupted the more; the processor's knows better.
        once_will_do = seconds >= _LONG and subject.capabilities.seen_inside
        if repeats > 1 and not once_will_do:
            seconds = min(seconds, subject.seconds(record, modalities, repeats - 1))
        fastest[size] = min(seconds, fastest.get(size, seconds))
        if seconds > _LONG and len(fastest) >= _FEWEST:
            break
    sizes = sorted(fastest)[-_FEWEST:]
    times = [math.log(fastest[size]) for size in sizes]
    return linear_regression([math.log(size) for size in sizes], times).slope
