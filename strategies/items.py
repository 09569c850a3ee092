"""Items of every kind, written the way Codex writes them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from hypothesis import strategies as st

from normalizer import FAMILIES, Family, Item
from strategies.bits import Bits, codes
from strategies.pools import (
    ARGUMENTS,
    CALL_ID_SETS,
    CALL_IDS,
    MEDIA_PARTS,
    NAMES,
    PLAIN_PARTS,
    TEXTS,
    UNKNOWN_ITEMS,
    UNKNOWN_KEYS,
    UNKNOWN_PARTS,
    parsed,
)

#: How a call's own item id begins, by family name.
ITEM_ID_PREFIX: Final = {
    "function": "fc",
    "local_shell": "lsh",
    "custom": "ctc",
    "tool_search": "tsc",
}

#: How item ids are given out within one history. Old sessions have none.
_ITEM_IDS: Final = ("none", "all", "all", "odd", "some", "some", "empty", "null")

#: Makes item ids odd: they are hashed as they are, not without case, space, accents or their end.
_ODD: Final = " E\u0301:" + "x" * 60

_ROLES: Final = ("user", "assistant", "developer")


class Writer:
    """Writes the items of one history: it names the calls and gives the items their ids.

    `bits` decides how, once for the whole history. `media` and `unknown` say whether parts with
    media, and types, keys and parts that no Codex writes, may occur.
    """

    def __init__(
        self, bits: Bits, families: Sequence[Family] = FAMILIES, *, media: bool, unknown: bool
    ) -> None:
        self.families = families
        #: Which set of call ids this history uses.
        self.id_set = bits.choice(CALL_ID_SETS, 5)
        self._item_ids = bits.choice(_ITEM_IDS, 3)
        self.media = media
        self.unknown = unknown
        self._call_ids = CALL_IDS[self.id_set]
        self._calls = 0
        self._items = 0

    def next_call_id(self) -> str:
        """Return a call id that this history does not use yet."""
        self._calls += 1
        return self.call_id(self._calls - 1)

    def call_id(self, index: int) -> str:
        """Return the history's call id number `index`, from 0."""
        turn, place = divmod(index, len(self._call_ids))
        return f"{self._call_ids[place]}~{turn}" if turn else self._call_ids[place]

    def call(self, family: Family, call_id: str | None, bits: Bits) -> Item:
        """Return a call of `family`; its `call_id` may be null where the family allows it."""
        item: Item = {"type": family.call_type, **self.item_id(ITEM_ID_PREFIX[family.name])}
        match family.name:
            case "function":
                item |= {"name": bits.choice(NAMES, 2), "arguments": bits.choice(ARGUMENTS, 3)}
                item["call_id"] = call_id
            case "custom":
                item |= {"status": "completed", "call_id": call_id}
                item |= {"name": bits.choice(NAMES, 2), "input": bits.choice(ARGUMENTS, 3)}
            case "local_shell":
                action: Item = {"type": "exec", "command": ["ls", "-l"], "timeout_ms": None}
                action["env"] = {"LANG": "C"} if bits.number(1) else None
                item |= {"call_id": call_id, "status": "in_progress", "action": action}
            case "tool_search":
                item |= {"call_id": call_id, "status": "completed", "execution": "client"}
                item["arguments"] = {"query": "calendar", "limit": bits.number(2)}
        return item | self._unknown_keys(bits)

    def output(self, family: Family, call_id: str | None, bits: Bits) -> Item:
        """Return an output of the type that answers calls of `family`."""
        item: Item = {"type": family.output_type, "call_id": call_id}
        if family.name == "tool_search":
            tools = [{"type": "function", "name": "find", "parameters": {}}] * bits.number(1)
            item |= {"status": "completed", "execution": "client", "tools": tools}
        else:
            item["output"] = self._parts(bits) if bits.flag(2) else bits.choice(TEXTS, 4)
        return item | self.item_id(family.id_prefix) | self._unknown_keys(bits)

    def message(self, role: str, bits: Bits) -> Item:
        """Return a message by `role`."""
        item: Item = {"type": "message", **self.item_id("msg"), "role": role}
        item["content"] = self._parts(bits)
        return item | self._unknown_keys(bits)

    def reasoning(self) -> Item:
        """Return what a model thought before its call."""
        return {
            "type": "reasoning",
            **self.item_id("rs"),
            "summary": [{"type": "summary_text", "text": "hm"}],
            "content": None,
            "encrypted_content": "gAAAAx",
        }

    def built_in(self, bits: Bits) -> Item:
        """Return an item that needs no output: a web search, a generated image, an unknown type."""
        kind = bits.number(2)
        if kind == 1 and self.media:
            result = bits.choice(("iVBORw0KGgo=", "iVBORw0KGgo=", "/9j/", ""), 2)
            return {"type": "image_generation_call", "id": "ig_1", "status": "completed"} | {
                "result": result
            }
        if kind > 1 and self.unknown:
            unknown: Item = parsed(UNKNOWN_ITEMS, bits.number(3))
            return unknown
        action = {"type": "search", "query": "weather"}
        return {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": action}

    def _parts(self, bits: Bits) -> list[Item]:
        kind = bits.number(2)
        pool = PLAIN_PARTS
        if kind >= 2 and self.media:
            pool = MEDIA_PARTS
            if self.unknown and bits.flag(2):
                pool = UNKNOWN_PARTS
        parts: list[Item] = parsed(pool, bits.number(3))
        return parts

    def _unknown_keys(self, bits: Bits) -> Item:
        if not self.unknown or not bits.flag(3):
            return {}
        keys: Item = parsed(UNKNOWN_KEYS, bits.number(2))
        return keys

    def item_id(self, prefix: str) -> Item:
        """Return the `id` of the next item, if it has one."""
        self._items += 1
        match self._item_ids:
            case "all":
                return {"id": f"{prefix}_{self._items}"}
            case "odd":
                return {"id": f" {prefix.upper()}_{_ODD}{self._items}"}
            case "some":
                return {"id": f"{prefix}_{self._items}"} if self._items % 2 else {}
            case "empty":
                return {"id": ""}
            case "null":
                return {"id": None}
        return {}


def items(
    *, families: Collection[Family] = FAMILIES, media: bool = True, unknown: bool = True
) -> st.SearchStrategy[Item]:
    """Single items of every kind: calls and outputs of `families`, messages, and the rest."""
    allowed = checked_families(families)

    def item(code: bytes) -> Item:
        bits = Bits(code)
        writer = Writer(bits, allowed, media=media, unknown=unknown)
        match bits.number(2):
            case 0:
                return writer.message(bits.choice(_ROLES, 2), bits)
            case 1:
                return writer.call(bits.choice(allowed, 2), writer.next_call_id(), bits)
            case 2:
                return writer.output(bits.choice(allowed, 2), writer.next_call_id(), bits)
        return writer.built_in(bits) if bits.number(1) else writer.reasoning()

    return codes.map(item)


def checked_families(families: Collection[Family]) -> tuple[Family, ...]:
    """Return `families` in the table's order; raise ValueError if there is none, or no such one."""
    for family in families:
        if family not in FAMILIES:
            raise ValueError(f"unknown family {family!r}: choose from normalizer.FAMILIES")
    allowed = tuple(family for family in FAMILIES if family in families)
    if not allowed:
        raise ValueError("families: at least one of the four is needed")
    return allowed
