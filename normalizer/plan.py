"""The plan: which items of a history do not reach the prompt as they are, and what does.

Here are all the rules of pairing, each once:

1. A call with a call id that no output of its answering type carries is *answered*: the prompt
   holds the call and, right after it, a made-up output.
2. An output with a call id that no call of its families carries is *dropped*.
3. An item with media that the model cannot take is *replaced* by a copy without them.

Matching is by membership: neither order nor count matters, and the empty string is an id like any
other. `normalize` carries the plan out, `repairs` hands it to the caller.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import NoneType
from typing import Any, Literal

from normalizer.copying import copied
from normalizer.errors import HistoryError
from normalizer.families import FAMILIES, FAMILIES_OF_OUTPUT, FAMILY_OF_CALL, Family
from normalizer.identity import made_up_id
from normalizer.items import History, Item
from normalizer.media import MEDIA_CARRIERS, Medium, missing_media, without_media
from normalizer.modalities import ALL, modality_set

_CallIds = dict[str, set[str]]


@dataclass(frozen=True, slots=True)
class Repair:
    """One item of a history that does not reach the prompt as it is."""

    #: Index of the item in the history.
    index: int
    #: `answered` with a made-up output, `dropped` as an orphan, or `replaced` for its media.
    action: Literal["answered", "dropped", "replaced"]
    #: The item's `type`.
    type: str
    #: The item's call id; None for items that have none.
    call_id: str | None
    #: One sentence for people.
    reason: str
    #: What stands in the prompt in this item's place: new objects, not the caller's.
    items: tuple[Item, ...]
    #: The modality of each media part that was replaced, in order.
    media: tuple[str, ...] = ()


def listed(history: History) -> list[Mapping[str, Any]]:
    """Return `history` as a list; raise HistoryError if it is no sequence of anything."""
    if not _is_sequence(history):
        raise HistoryError(f"expected a list of items, got {type(history).__name__}")
    return list(history)


def plan(
    history: list[Mapping[str, Any]], modalities: Collection[str] = ALL
) -> Iterator[Repair | None]:
    """Yield the repair of each item of `history`; None for one that passes unchanged.

    The whole history is checked before the first: a HistoryError leaves nothing half done.
    """
    missing = missing_media(modality_set(modalities))
    unmatched = _unmatched(_call_ids_by_type(history))
    for index, item in enumerate(history):
        kind = item["type"]
        repair = None
        if kind in unmatched and item.get("call_id") in unmatched[kind]:
            repair = _pairing(index, item)
        if repair is None and missing and kind in MEDIA_CARRIERS:
            repair = _replacement(index, item, missing)
        yield repair


def repairs(history: History, modalities: Collection[str] = ALL) -> list[Repair]:
    """Return what `normalize` would do to `history` and why, item by item.

    Items that pass unchanged are not listed. Raises what `normalize` raises.
    """
    return [repair for repair in plan(listed(history), modalities) if repair is not None]


def _call_ids_by_type(history: list[Mapping[str, Any]]) -> _CallIds:
    """Return the call ids that each type of call and output carries; check every item."""
    call_ids: _CallIds = {kind: set() for kind in (*FAMILY_OF_CALL, *FAMILIES_OF_OUTPUT)}
    for index, item in enumerate(history):
        if not isinstance(item, (dict, Mapping)):
            raise HistoryError(f"expected an object, got {type(item).__name__}", index=index)
        kind = item.get("type")
        if not isinstance(kind, str):
            raise _wrong_type("a string", item, index, "type")
        if kind not in call_ids:
            continue
        call_id = item.get("call_id")
        if isinstance(call_id, str):
            call_ids[kind].add(call_id)
        elif call_id is not None:
            raise _wrong_type("a string or null", item, index, "call_id")
        if not isinstance(item.get("id"), (str, NoneType)):
            raise _wrong_type("a string or null", item, index, "id")
    return call_ids


def _is_sequence(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _unmatched(call_ids: _CallIds) -> _CallIds:
    """Return, per type, the call ids whose counterpart is nowhere in the history."""
    calls = {
        family.call_type: call_ids[family.call_type] - call_ids[family.output_type]
        for family in FAMILIES
    }
    outputs = {
        output_type: call_ids[output_type].difference(
            *(call_ids[family.call_type] for family in families)
        )
        for output_type, families in FAMILIES_OF_OUTPUT.items()
    }
    return calls | outputs


def _pairing(index: int, item: Mapping[str, Any]) -> Repair | None:
    """Return the repair of an unmatched call or output."""
    kind, call_id = item["type"], item["call_id"]
    family = FAMILY_OF_CALL.get(kind)
    if family is not None:
        reason = f"no {family.output_type} carries its call id"
        items = (copied(item), _made_up_output(family, item, index))
        return Repair(index, "answered", kind, call_id, reason, items)
    if kind == "tool_search_output" and item.get("execution") == "server":
        return None  # The API ran that search itself: no call of ours stands behind it.
    callers = " or ".join(family.call_type for family in FAMILIES_OF_OUTPUT[kind])
    return Repair(index, "dropped", kind, call_id, f"no {callers} carries its call id", ())


def _made_up_output(family: Family, call: Mapping[str, Any], index: int) -> Item:
    output: Item = {"type": family.output_type}
    if call.get("id"):
        try:
            output["id"] = made_up_id(family, call["id"])
        except UnicodeEncodeError:
            raise HistoryError("holds a lone surrogate", index=index, key="id") from None
    output["call_id"] = call["call_id"]
    output.update(copied(dict(family.made_up)))
    return output


def _replacement(index: int, item: Mapping[str, Any], missing: tuple[Medium, ...]) -> Repair | None:
    found = without_media(item, missing)
    if found is None:
        return None
    copy, media = found
    reason = f"the model does not take {' or '.join(dict.fromkeys(media))} input"
    return Repair(index, "replaced", item["type"], item.get("call_id"), reason, (copy,), media)


def _wrong_type(what: str, item: Mapping[str, Any], index: int, key: str) -> HistoryError:
    got = type(item[key]).__name__ if key in item else "nothing"
    return HistoryError(f"expected {what}, got {got}", index=index, key=key)
