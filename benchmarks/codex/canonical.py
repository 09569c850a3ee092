"""What Codex changes by loading an item and sending it again, and not by normalizing.

Codex reads an item into a structure and writes that out again. In items of the form that it writes
itself this leaves three traces, whatever the history, and no more are made equal here:

1. *Absent and null are one.* An optional key that is null, in an item or in the `action` of a shell
   call, may come back absent, and the other way round.
2. *An item id without a prefix is not sent*: one that is not two non-empty words around a `_`, such
   as `x`, `fc_` or the empty one. A made-up output's id is derived from it all the same, and that
   one is compared.
3. *An empty text part of an output is lost on the way in*, from a list of parts only.

The order of keys is lost, too: prompts are compared without it. Keys, types and parts that Codex
does not know are not compared: the histories that are drawn for it hold none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from normalizer import FAMILIES_OF_OUTPUT, Item


def canonical(prompt: Iterable[Mapping[str, Any]]) -> list[Item]:
    """Return `prompt` without the traces of loading: equal for Codex and for the reference."""
    return [_canonical_item(item) for item in prompt]


def _canonical_item(item: Mapping[str, Any]) -> Item:
    kept = {key: value for key, value in item.items() if value is not None}
    if "id" in kept and not _is_sent(kept["id"]):
        del kept["id"]
    if isinstance(kept.get("action"), dict):
        kept["action"] = {key: word for key, word in kept["action"].items() if word is not None}
    if item["type"] in FAMILIES_OF_OUTPUT and isinstance(kept.get("output"), list):
        kept["output"] = [part for part in kept["output"] if not _is_empty_text(part)]
    return kept


def _is_sent(item_id: str) -> bool:
    prefix, _, rest = item_id.partition("_")
    return bool(prefix and rest)


def _is_empty_text(part: Mapping[str, Any]) -> bool:
    return bool(part["type"] == "input_text" and part["text"] == "")
