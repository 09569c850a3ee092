"""A correct normalizer, cut into small steps: each fault gets one of them wrong.

It is written in another style than `normalizer`, because it is also the second correct normalizer,
which the suite must not accuse: three passes over tuples, the first of them from the back.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeAlias
from uuid import uuid5

from normalizer import FAMILIES_OF_OUTPUT, FAMILY_OF_CALL, MEDIA, NAMESPACE, Family, Item, Medium
from properties.case import Key, is_server_output
from strategies.pools import copy_of

#: Items on their way from the record to the prompt.
Items: TypeAlias = tuple[Item, ...]

#: The media that a model cannot take, by the type of their parts.
Missing: TypeAlias = Mapping[str, Medium]

_PARTS_KEY = {
    "message": "content",
    "function_call_output": "output",
    "custom_tool_call_output": "output",
}


class Skeleton:
    """Completes, prunes and strips a copy; one object serves a whole process."""

    def __call__(self, history: list[Item], modalities: Collection[str]) -> list[Item]:
        items = self.completed(self.taken(history))
        return list(self.stripped(self.pruned(items), self.missing(modalities)))

    # --- the copy ---------------------------------------------------------------------------------

    def taken(self, history: list[Item]) -> Items:
        """Return copies of the recorded items."""
        return tuple(self.copied(item) for item in history)

    def copied(self, value: Any) -> Any:
        """Return an equal value that shares nothing mutable."""
        if isinstance(value, dict):
            return {key: self.copied(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.copied(inner) for inner in value]
        return value

    # --- what belongs together --------------------------------------------------------------------

    def call_id(self, item: Item) -> str | None:
        """Return what `item` is matched by; None if by nothing."""
        call_id: str | None = item.get("call_id")
        return call_id

    def call_key(self, item: Item) -> Key | None:
        """Return the key of the output that `item` waits for; None if it is no keyed call."""
        family, call_id = FAMILY_OF_CALL.get(item["type"]), self.call_id(item)
        return None if family is None or call_id is None else (family.output_type, call_id)

    def output_key(self, item: Item) -> Key | None:
        """Return the key of the output `item`; None if it is no keyed output."""
        call_id = self.call_id(item)
        return (
            None
            if item["type"] not in FAMILIES_OF_OUTPUT or call_id is None
            else (item["type"], call_id)
        )

    # --- completing -------------------------------------------------------------------------------

    def completed(self, items: Items) -> Items:
        """Return `items` with a made-up output right after each open call."""
        answered = self.answered(items)
        backwards: list[Item] = []
        for item in reversed(items):
            if self.is_open(item, answered):
                backwards.append(self.made_up(item))
            backwards.append(item)
        return tuple(reversed(backwards))

    def answered(self, items: Items) -> Collection[Key]:
        """Return the keys of the outputs in `items`."""
        return {key for item in items if (key := self.output_key(item))}

    def is_open(self, item: Item, answered: Collection[Key]) -> bool:
        """Whether `item` is a call that none of the `answered` keys belongs to."""
        key = self.call_key(item)
        return key is not None and key not in answered

    def made_up(self, call: Item) -> Item:
        """Return the output that stands for the one that `call` never got."""
        family = FAMILY_OF_CALL[call["type"]]
        item_id = self.made_up_id(family, call)
        ids = (
            {"call_id": call["call_id"]}
            if item_id is None
            else {"id": item_id, "call_id": call["call_id"]}
        )
        return {"type": family.output_type, **ids, **self.said(family)}

    def made_up_id(self, family: Family, call: Item) -> str | None:
        """Return the item id of the made-up output for `call`; None for a call without one."""
        if not call.get("id"):
            return None
        name = f"{family.id_prefix}:{call['id']}"
        return f"{family.id_prefix}_{uuid5(NAMESPACE, name)}"

    def said(self, family: Family) -> Item:
        """Return what a made-up output holds beside its type and ids."""
        said: Item = copy_of(dict(family.made_up))
        return said

    # --- pruning ----------------------------------------------------------------------------------

    def pruned(self, items: Items) -> Items:
        """Return `items` without the outputs that no call asked for."""
        asked = self.asked(items)
        return tuple(item for item in items if not self.is_orphan(item, asked))

    def asked(self, items: Items) -> Collection[Key]:
        """Return the keys of the outputs that the calls in `items` wait for."""
        return {key for item in items if (key := self.call_key(item))}

    def is_orphan(self, item: Item, asked: Collection[Key]) -> bool:
        """Whether `item` is an output to be deleted: none of the `asked` keys is its own."""
        key = self.output_key(item)
        return key is not None and key not in asked and not is_server_output(item)

    # --- stripping --------------------------------------------------------------------------------

    def missing(self, modalities: Collection[str]) -> Missing:
        """Return the media that a model with these modalities cannot take."""
        return {medium.part_type: medium for medium in MEDIA if medium.modality not in modalities}

    def stripped(self, items: Items, missing: Missing) -> Items:
        """Return `items` without the missing media."""
        return tuple(self.stripped_item(item, missing) for item in items)

    def stripped_item(self, item: Item, missing: Missing) -> Item:
        """Return `item` without the missing media."""
        if item["type"] == "image_generation_call":
            return self.stripped_image(item, missing)
        key = self.parts_key(item)
        if key is None or not isinstance(item.get(key), list):
            return item
        return {**item, key: self.stripped_parts(item[key], missing)}

    def stripped_image(self, item: Item, missing: Missing) -> Item:
        """Return a generated image, emptied if the model takes none."""
        return {**item, "result": ""} if "input_image" in missing else item

    def parts_key(self, item: Item) -> str | None:
        """Return the key under which `item` holds its parts; None if nothing is looked at."""
        return _PARTS_KEY.get(item["type"])

    def stripped_parts(self, parts: list[Any], missing: Missing) -> list[Any]:
        """Return `parts` with a text in the place of each that is missing."""
        return [self.stripped_part(part, missing) for part in parts]

    def stripped_part(self, part: Any, missing: Missing) -> Any:
        """Return `part`, or the text that stands for it."""
        kind = part.get("type") if isinstance(part, dict) else None
        return self.placeholder(part, missing[kind]) if kind and kind in missing else part

    def placeholder(self, part: Item, medium: Medium) -> Item:  # noqa: ARG002
        """Return the text that stands for `part`."""
        return {"type": "input_text", "text": medium.placeholder}
