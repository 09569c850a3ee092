"""A census of generated histories: how often each kind of thing occurs, and how fast they come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from time import process_time

from hypothesis import strategies as st

from normalizer import FAMILIES_OF_OUTPUT, FAMILY_OF_CALL
from strategies.commands.draws import draw
from strategies.drawing import marks
from strategies.labelled import LabelledHistory

#: The types of call and of output, in the order of the family table.
LINKED = (*FAMILY_OF_CALL, *FAMILIES_OF_OUTPUT)


@dataclass(slots=True)
class Census:
    """What was counted. Everything is counted once in a history, however often it occurs there."""

    #: How many histories have each label.
    labels: Counter[str] = field(default_factory=Counter)
    #: How many hold an item of each type.
    types: Counter[str] = field(default_factory=Counter)
    #: How many hold a call or an output of each type that stands alone.
    alone: Counter[str] = field(default_factory=Counter)
    #: How many have each number of items.
    sizes: Counter[int] = field(default_factory=Counter)
    #: How many draws were begun and thrown away.
    discarded: int = 0
    #: How long the drawing kept the processor busy, without the counting.
    seconds: float = 0.0

    @property
    def histories(self) -> int:
        return self.sizes.total()

    @property
    def mean_size(self) -> float:
        """How many items a history has."""
        return sum(size * number for size, number in self.sizes.items()) / self.histories

    @property
    def speed(self) -> float:
        """How many histories one core draws in a second."""
        return self.histories / self.seconds

    @property
    def discarded_share(self) -> float:
        """What share of all draws was thrown away."""
        return self.discarded / (self.discarded + self.histories)

    def labelled(self, kind: str) -> dict[str, int]:
        """Return how many histories have each label `kind: name`, by name, the most first."""
        prefix = f"{kind}: "
        return {
            label.removeprefix(prefix): count
            for label, count in self.labels.most_common()
            if label.startswith(prefix)
        }

    def add(self, drawn: LabelledHistory) -> None:
        """Count one history."""
        history = drawn.value
        self.sizes[len(history)] += 1
        self.labels.update(set(drawn.labels))
        self.types.update({item["type"] for item in history})
        alone = zip(history, marks(history), strict=True)
        self.alone.update({item["type"] for item, mark in alone if mark})


def census_of(
    strategy: st.SearchStrategy[LabelledHistory],
    number: int,
    *,
    with_seed: int,
    told: Callable[[], object] = lambda: None,
) -> Census:
    """Count `number` histories of `strategy`; call `told` after each."""
    census = Census()
    counting = 0.0

    def look(drawn: LabelledHistory) -> None:
        nonlocal counting
        begun = process_time()
        census.add(drawn)
        told()
        counting += process_time() - begun

    begun = process_time()
    census.discarded = draw(strategy, number, look, with_seed=with_seed)
    census.seconds = process_time() - begun - counting
    return census
