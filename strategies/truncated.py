"""Truncated histories: a whole one of which a crash, a trim or a compaction took a part."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from hypothesis import strategies as st

from normalizer import FAMILIES, Family, Item
from strategies.bits import Bits
from strategies.labelled import Labelled, LabelledHistory, without_labels
from strategies.whole import Draft, Options, checked_options, drafts


def truncated_histories(
    *,
    families: Collection[Family] = FAMILIES,
    media: bool = True,
    unknown: bool = True,
    max_items: int = 200,
) -> st.SearchStrategy[list[Item]]:
    """Whole histories cut at the tail, at the head, at both, or inside a parallel batch.

    The options are those of `histories`.
    """
    options = checked_options(families, media=media, unknown=unknown, max_items=max_items)
    return without_labels(labelled_truncated(options))


def labelled_truncated(options: Options) -> st.SearchStrategy[LabelledHistory]:
    """Truncated histories, each with the label of its cut."""
    return drafts(options).map(_truncated)


def _truncated(draft: Draft) -> LabelledHistory:
    name = draft.bits.choice(tuple(_CUTS), 2)
    items = _CUTS[name](draft, draft.bits)
    return Labelled(items, ("kind: truncated", f"cut: {name}", *draft.labels))


def _tail(draft: Draft, bits: Bits) -> list[Item]:
    """A crash: what came last was not written."""
    items = draft.items
    return items[: len(items) - 1 - bits.number(6) % max(1, len(items))]


def _head(draft: Draft, bits: Bits) -> list[Item]:
    """A window or a compaction: what came first is gone."""
    items = draft.items
    return items[1 + bits.number(6) % max(1, len(items)) :]


def _both(draft: Draft, bits: Bits) -> list[Item]:
    head = 1 + bits.number(3)
    return _tail(draft, bits)[head:]


def _batch(draft: Draft, bits: Bits) -> list[Item]:
    """A crash while the outputs of a block of calls came in; what follows is a later turn."""
    batches = [i for i, block in enumerate(draft.blocks) if len(block) > 2]
    cut = batches[bits.number(3) % len(batches)] if batches else len(draft.blocks) - 1
    lost = 1 + bits.number(1)
    blocks = draft.blocks
    kept = [
        block[: max(0, len(block) - lost)] if i == cut else block for i, block in enumerate(blocks)
    ]
    return [item for block in kept for item in block]


_CUTS: Final[dict[str, Callable[[Draft, Bits], list[Item]]]] = {
    "tail": _tail,
    "head": _head,
    "both ends": _both,
    "inside a batch": _batch,
}
