"""Faults: what goes wrong with a record, each small, named, and applied to a whole history."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from normalizer import FAMILIES, FAMILIES_OF_OUTPUT, FAMILY_OF_CALL, Item
from strategies.bits import Bits
from strategies.items import ITEM_ID_PREFIX, Writer
from strategies.pools import IMAGE, TEXT, copy_of

#: Changes the items in place; returns False where there is nothing to change.
Fault = Callable[[list[Item], Bits, Writer], bool]

#: Item types whose call id may be null, for calls and outputs alike.
NULLABLE: Final = frozenset(
    {"local_shell_call", "tool_search_call", "function_call_output", "tool_search_output"}
)


def _is_call(item: Item) -> bool:
    return item["type"] in FAMILY_OF_CALL


def _is_output(item: Item) -> bool:
    return item["type"] in FAMILIES_OF_OUTPUT


def _is_linked(item: Item) -> bool:
    return (_is_call(item) or _is_output(item)) and isinstance(item.get("call_id"), str)


def _any(item: Item) -> bool:  # noqa: ARG001
    return True


def _place(items: list[Item], bits: Bits, fits: Callable[[Item], bool] = _any) -> int | None:
    places = [index for index, item in enumerate(items) if fits(item)]
    if bits.number(1):
        places.reverse()  # In a long history the end is as good a place as the head.
    return places[bits.number(5) % len(places)] if places else None


def _dropped(items: list[Item], bits: Bits, _: Writer) -> bool:
    place = _place(items, bits, _is_linked)
    if place is not None:
        del items[place]
    return place is not None


def _repeated(items: list[Item], bits: Bits, _: Writer) -> bool:
    place = _place(items, bits)
    if place is None:
        return False
    items.insert(len(items) if bits.number(1) else place + 1, copy_of(items[place]))
    return True


def _moved_before(items: list[Item], bits: Bits, _: Writer) -> bool:
    place = _place(items, bits, _is_output)
    if place is None or place == 0:
        return False
    items.insert(max(0, place - 1 - bits.number(2)), items.pop(place))
    return True


def _moved_after(items: list[Item], bits: Bits, _: Writer) -> bool:
    place = _place(items, bits, _is_call)
    if place is None or place == len(items) - 1:
        return False
    items.insert(place + 1 + bits.number(2), items.pop(place))
    return True


def _swapped(items: list[Item], bits: Bits, _: Writer) -> bool:
    one, other = _place(items, bits), _place(items, bits)
    if one is None or other is None or one == other:
        return False
    items[one], items[other] = items[other], items[one]
    return True


def _relinked(items: list[Item], bits: Bits, writer: Writer) -> bool:
    place = _place(items, bits, _is_linked)
    if place is None:
        return False
    items[place]["call_id"] = writer.call_id(bits.number(3))
    return True


def _emptied(items: list[Item], bits: Bits, _: Writer) -> bool:
    place = _place(items, bits, _is_linked)
    if place is None:
        return False
    old = items[place]["call_id"]
    for item in items if bits.number(1) else [items[place]]:
        if _is_linked(item) and item["call_id"] == old:
            item["call_id"] = ""
    return True


def _nulled(items: list[Item], bits: Bits, _: Writer) -> bool:
    place = _place(items, bits, lambda item: item["type"] in NULLABLE)
    if place is None:
        return False
    items[place]["call_id"] = None
    return True


def _collided(items: list[Item], bits: Bits, _: Writer) -> bool:
    one = _place(items, bits, _is_linked)
    if one is None:
        return False
    kind = items[one]["type"]
    other = _place(items, bits, lambda item: _is_linked(item) and item["type"] != kind)
    if other is None:
        return False
    items[other]["call_id"] = items[one]["call_id"]
    return True


def _of_another_family(items: list[Item], bits: Bits, writer: Writer) -> bool:
    place = _place(items, bits, _is_output)
    if place is None:
        return False
    old = items[place]
    others = [family for family in writer.families if family.output_type != old["type"]]
    if not others:
        return False
    items[place] = writer.output(bits.choice(others, 2), old.get("call_id") or "", bits)
    return True


def _replayed(items: list[Item], bits: Bits, _: Writer) -> bool:
    start = _place(items, bits)
    if start is None:
        return False
    block = items[start : start + 2 + bits.number(3)]
    items.extend(map(copy_of, block))
    return True


def _foreign(items: list[Item], bits: Bits, writer: Writer) -> bool:
    place = _place(items, bits, _is_output)
    if place is None:
        return False
    role = bits.choice(("user", "developer", "assistant"), 2)
    items.insert(place, writer.message(role, bits))
    return True


def _interleaved(items: list[Item], _: Bits, __: Writer) -> bool:
    half = len(items) // 2
    if half < 2:
        return False
    one, other = items[:half], items[half:]
    items.clear()
    while one or other:
        items += one[:1] + other[:1]
        del one[:1], other[:1]
    return True


def _orphan_with_media(items: list[Item], bits: Bits, writer: Writer) -> bool:
    families = [family for family in writer.families if family.name != "tool_search"]
    if not families or not writer.media:
        return False
    orphan = writer.output(bits.choice(families, 2), writer.next_call_id(), bits)
    orphan["output"] = [dict(TEXT), dict(IMAGE)]
    items.insert(bits.number(4) % (len(items) + 1), orphan)
    return True


def _without_item_id(items: list[Item], bits: Bits, _: Writer) -> bool:
    place = _place(items, bits, lambda item: _is_call(item) and "id" in item)
    if place is None:
        return False
    del items[place]["id"]
    return True


def _with_item_id(change: Callable[[Item, list[Item], Bits], Any]) -> Fault:
    def fault(items: list[Item], bits: Bits, _: Writer) -> bool:
        place = _place(items, bits, _is_call)
        if place is None:
            return False
        items[place]["id"] = change(items[place], items, bits)
        return True

    return fault


def _shared_id(item: Item, items: list[Item], bits: Bits) -> str:
    others = [other["id"] for other in items if other is not item and other.get("id")]
    return bits.choice(others, 4) if others else "fc_1"


def _foreign_prefix(item: Item, _: list[Item], bits: Bits) -> str:
    own = ITEM_ID_PREFIX[FAMILY_OF_CALL[item["type"]].name]
    prefixes = [*ITEM_ID_PREFIX.values(), *(family.id_prefix for family in FAMILIES)]
    others = [prefix for prefix in prefixes if prefix != own]
    return f"{bits.choice(others, 3)}_{bits.number(2)}"


#: Every fault by its name, the plainest first.
FAULTS: Final[dict[str, Fault]] = {
    "item dropped": _dropped,
    "item repeated": _repeated,
    "call id changed on one side": _relinked,
    "item moved before": _moved_before,
    "item moved after": _moved_after,
    "items swapped": _swapped,
    "foreign item inserted": _foreign,
    "call id emptied": _emptied,
    "call id nulled": _nulled,
    "call ids collide": _collided,
    "output of another family": _of_another_family,
    "block replayed": _replayed,
    "histories interleaved": _interleaved,
    "orphan with media": _orphan_with_media,
    "item id removed": _without_item_id,
    "item id emptied": _with_item_id(lambda *_: ""),
    "item id shared": _with_item_id(_shared_id),
    "item id of another family": _with_item_id(_foreign_prefix),
}
