"""A generated value together with what happened to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from hypothesis import event
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from normalizer import Item

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Labelled(Generic[T]):
    """A value and the names of the faults, cuts and shapes that it was made with."""

    value: T
    #: Each as `kind: name`, for example `fault: item dropped`.
    labels: tuple[str, ...] = ()


#: A history with its labels.
LabelledHistory = Labelled[list[Item]]


def without_labels(strategy: st.SearchStrategy[Labelled[T]]) -> st.SearchStrategy[T]:
    """The bare values of `strategy`; inside a test, each label becomes an `event`."""
    return strategy.map(_told)


def _told(drawn: Labelled[T]) -> T:
    for label in drawn.labels:
        try:
            event(label)
        except InvalidArgument:  # not inside a test, as with `.example()`
            break
    return drawn.value
