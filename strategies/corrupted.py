"""Corrupted histories: a whole one after a few labelled faults."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hypothesis import strategies as st

from normalizer import FAMILIES, Family, Item
from strategies.bits import Bits
from strategies.faults import FAULTS
from strategies.labelled import Labelled, LabelledHistory, without_labels
from strategies.whole import Draft, Options, checked_options, drafts

#: How many faults one history gets at the most.
MAX_FAULTS = 5


def corrupted_histories(
    *,
    faults: Collection[str] = tuple(FAULTS),
    families: Collection[Family] = FAMILIES,
    media: bool = True,
    unknown: bool = True,
    max_items: int = 200,
) -> st.SearchStrategy[list[Item]]:
    """Whole histories after one to five of the named `faults`.

    The options are those of `histories`.
    """
    options = checked_options(families, media=media, unknown=unknown, max_items=max_items)
    return without_labels(labelled_corrupted(options, checked_faults(faults)))


def checked_faults(faults: Collection[str]) -> tuple[str, ...]:
    """Return the names in `faults`; raise ValueError for one that is not in `FAULTS`."""
    for name in faults:
        if name not in FAULTS:
            raise ValueError(f"unknown fault {name!r}: choose from {', '.join(FAULTS)}")
    if not faults:
        raise ValueError("faults: at least one is needed")
    return tuple(name for name in FAULTS if name in faults)


def labelled_corrupted(
    options: Options, faults: Sequence[str] = tuple(FAULTS)
) -> st.SearchStrategy[LabelledHistory]:
    """Corrupted histories, each with the labels of the faults that took."""
    return drafts(options, extras=MAX_FAULTS).map(lambda draft: _corrupted(draft, faults))


def _corrupted(draft: Draft, faults: Sequence[str]) -> LabelledHistory:
    items = draft.items
    labels = ["kind: corrupted"]
    for code in draft.extras:
        bits = Bits(code)
        first = bits.number(8)
        for turn in range(len(faults)):
            # Where a fault finds nothing to change, the next one takes its place.
            name = faults[(first + turn) % len(faults)]
            if FAULTS[name](items, bits, draft.writer):
                labels.append(f"fault: {name}")
                break
    return Labelled(items, (*labels, *draft.labels))
