"""From a history to the prompt that a model's API accepts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, cast

from normalizer.copying import copied
from normalizer.items import ItemT
from normalizer.modalities import ALL
from normalizer.plan import listed, plan


def normalize(history: Sequence[ItemT], modalities: Collection[str] = ALL) -> list[ItemT]:
    """Return the prompt for `history`: every call answered, no orphan output, no unsupported media.

    This is what the released Codex CLI does on the way to the model. `history` and everything
    reachable from it stays as it is, and the prompt shares nothing mutable with it.

    `modalities` names what the model takes, out of `text`, `image` and `audio`.

    Raises HistoryError when the history is not a sequence of objects with a string `type`, or a
    call or output whose `call_id` or `id` is neither a string nor null; ValueError for an unknown
    modality.
    """
    items = listed(history)
    prompt: list[Any] = []
    for item, repair in zip(items, plan(items, modalities), strict=True):
        if repair is None:
            prompt.append(copied(item))
        else:
            prompt += repair.items
    return cast("list[ItemT]", prompt)
