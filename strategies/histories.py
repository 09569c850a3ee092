"""The histories that a normalizer is tested with: whole, truncated, corrupted, and known shapes."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Final

from hypothesis import strategies as st

from normalizer import ALL, FAMILIES, FAMILIES_OF_OUTPUT, FAMILY_OF_CALL, Family, Item
from strategies.bits import Bits, codes
from strategies.corrupted import checked_faults, labelled_corrupted
from strategies.faults import FAULTS
from strategies.labelled import Labelled, LabelledHistory, without_labels
from strategies.pools import copy_of
from strategies.scenarios import labelled_scenarios
from strategies.truncated import labelled_truncated
from strategies.whole import checked_options, labelled_whole

#: How often a long session repeats what happened.
_TURNS: Final = 8

#: What models take; everything first.
MODALITY_SETS: Final = (ALL, ALL - {"audio"}, ALL - {"image"}, frozenset({"text"}))


def histories(
    *,
    families: Collection[Family] = FAMILIES,
    faults: Collection[str] = tuple(FAULTS),
    media: bool = True,
    unknown: bool = True,
    max_items: int = 200,
) -> st.SearchStrategy[list[Item]]:
    """Histories as a record may hold them: whole, truncated, corrupted, or of a known bad shape.

    Every one is a list of fresh JSON objects that `normalizer.normalize` accepts, and shrinks
    towards few items with plain ids. Inside a test each fault, cut and scenario is an `event`.

    * `families`: the call families that calls and outputs come from.
    * `faults`: names out of `FAULTS`, the faults that corrupted histories may have.
    * `media`: whether images and audio occur.
    * `unknown`: whether types, keys and parts occur that no released Codex writes.
    * `max_items`: how long a history may be before faults are applied.

    Raises ValueError at once for options that allow no history.
    """
    return without_labels(
        labelled_histories(
            families=families, faults=faults, media=media, unknown=unknown, max_items=max_items
        )
    )


def labelled_histories(
    *,
    families: Collection[Family] = FAMILIES,
    faults: Collection[str] = tuple(FAULTS),
    media: bool = True,
    unknown: bool = True,
    max_items: int = 200,
) -> st.SearchStrategy[LabelledHistory]:
    """What `histories` draws, with the labels beside each history instead of as events."""
    options = checked_options(families, media=media, unknown=unknown, max_items=max_items)
    drawn = st.one_of(
        labelled_scenarios(options),
        labelled_truncated(options),
        labelled_corrupted(options, checked_faults(faults)),
        labelled_whole(options),
        labelled_scenarios(options),  # twice: there are many, and each has to occur
    )
    return st.builds(partial(_maybe_long, max_items), drawn, codes)


def _maybe_long(max_items: int, drawn: LabelledHistory, code: bytes) -> LabelledHistory:
    """Return `drawn`, or once in a while a long session in which the same happens again and again.

    What a normalizer gets wrong only beyond a few dozen items has to have happened there, too.
    """
    history = drawn.value
    if not Bits(code).flag(4) or not history:
        return drawn
    turns = min(_TURNS, max_items // len(history))
    later = [again(item, turn) for turn in range(1, turns) for item in copy_of(history)]
    return Labelled([*history, *later], drawn.labels)


def again(item: Item, turn: int) -> Item:
    """Return `item` as it happens in a later turn: with other ids, where it has any of a call."""
    is_linked = item["type"] in FAMILY_OF_CALL or item["type"] in FAMILIES_OF_OUTPUT
    keys = ("call_id", "id") if is_linked else ()
    return item | {key: f"{item[key]}~{turn}" for key in keys if item.get(key)}


def modality_sets() -> st.SearchStrategy[frozenset[str]]:
    """What models take: text, with or without images and audio; everything first."""
    return st.sampled_from(MODALITY_SETS)
