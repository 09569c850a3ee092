"""Faults in pruning: which outputs are deleted, and which must not be."""

from __future__ import annotations

from collections.abc import Collection

from normalizer import FAMILIES_OF_OUTPUT, FAMILY_OF_CALL, Item
from properties.case import Key, is_server_output, parts_of
from properties.faults.fault import fault
from properties.faults.skeleton import Items, Skeleton


@fault("FO(a) FC(a)", "orphans/answers_kept", "preservation/count", "idempotence/result_unchanged")
class PrunedByPosition(Skeleton):
    """An output before its call is deleted."""

    def pruned(self, items: Items) -> Items:
        seen: set[Key] = set()
        kept: list[Item] = []
        for item in items:
            seen.update(self.asked((item,)))
            if not self.is_orphan(item, seen):
                kept.append(item)
        return tuple(kept)


@fault("FC(a) FO(a) FO(a)", "orphans/answers_kept", "preservation/count")
class OnlyTheFirstOutput(Skeleton):
    """Of the outputs with one call id only the first is kept."""

    def pruned(self, items: Items) -> Items:
        seen: set[Key] = set()
        kept: list[Item] = []
        for item in super().pruned(items):
            key = self.output_key(item)
            if key is None or is_server_output(item) or key not in seen:
                kept.append(item)
            seen |= {key} if key else set()
        return tuple(kept)


@fault("FC(a) FO(a) FO(a)", "orphans/answers_kept", "preservation/count")
class OnlyTheLastOutput(OnlyTheFirstOutput):
    """Of the outputs with one call id only the last is kept."""

    def pruned(self, items: Items) -> Items:
        return super().pruned(items[::-1])[::-1]


@fault("FC(a) FO(b) FO(a)", "orphans/answers_kept", "preservation/count")
class NothingBehindAnOrphan(Skeleton):
    """The outputs right behind an orphan are deleted with it."""

    def pruned(self, items: Items) -> Items:
        asked, kept, behind = self.asked(items), list[Item](), False
        for item in items:
            behind = self.is_orphan(item, asked) or (behind and bool(self.output_key(item)))
            kept += [] if behind else [item]
        return tuple(kept)


@fault("FO(a) FO(b)", "orphans/none_left", "preservation/count", "idempotence/result_unchanged")
class EverySecondOrphanKept(Skeleton):
    """Of two orphans in a row the second is skipped, as when deleting from a list in a loop."""

    def pruned(self, items: Items) -> Items:
        asked, kept = self.asked(items), list(items)
        for item in kept:
            if self.is_orphan(item, asked):
                kept.remove(item)
        return tuple(kept)


@fault("U FO(a)", "orphans/none_left", "preservation/count", "session/prompt_valid")
class OnlyLeadingOrphans(Skeleton):
    """Orphans are deleted only at the head of the history."""

    def pruned(self, items: Items) -> Items:
        asked, start = self.asked(items), 0
        while start < len(items) and self.is_orphan(items[start], asked):
            start += 1
        return items[start:]


@fault("FO(a) U FO(b)", "orphans/none_left", "preservation/count")
class OnlyTheFirstOrphan(Skeleton):
    """Only the first orphan is deleted."""

    def pruned(self, items: Items) -> Items:
        asked = self.asked(items)
        orphans = [place for place, item in enumerate(items) if self.is_orphan(item, asked)][:1]
        return tuple(item for place, item in enumerate(items) if place not in orphans)


@fault("CO(a)", "preservation/count", "model/equals_codex", "metamorphic/renaming")
class OrphansBecomeMessages(Skeleton):
    """An orphan is turned into a user message instead of being deleted."""

    def pruned(self, items: Items) -> Items:
        asked = self.asked(items)
        return tuple(self.told(item) if self.is_orphan(item, asked) else item for item in items)

    def told(self, orphan: Item) -> Item:
        content = [{"type": "input_text", "text": f"output of {orphan['call_id']}"}]
        return {"type": "message", "role": "user", "content": content}


@fault("FO(a,image)", "orphans/none_left", "preservation/count", "session/prompt_valid")
class OrphansWithMediaKept(Skeleton):
    """An orphan that carries media is kept."""

    def is_orphan(self, item: Item, asked: Collection[Key]) -> bool:
        has_media = any(
            part.get("type") in ("input_image", "input_audio") for part in parts_of(item)
        )
        return super().is_orphan(item, asked) and not has_media


@fault("FO(absent)", "orphans/outputs_without_id_kept", "preservation/count", "model/equals_codex")
class UnkeyedOutputsPruned(Skeleton):
    """An output without a call id is deleted."""

    def is_orphan(self, item: Item, asked: Collection[Key]) -> bool:
        unkeyed = item["type"] in FAMILIES_OF_OUTPUT and item.get("call_id") is None
        return unkeyed or super().is_orphan(item, asked)


@fault("TO(a,server)", "orphans/server_outputs_kept", "preservation/count", "model/equals_codex")
class ServerOutputsPruned(Skeleton):
    """The output of a search that the server ran is deleted when no call asked for it."""

    def is_orphan(self, item: Item, asked: Collection[Key]) -> bool:
        return super().is_orphan({**item, "execution": "client"}, asked)


@fault("TC(null,server) TO(null,server)", "preservation/count", "model/equals_codex")
class ServerItemsPruned(Skeleton):
    """Everything about searches that the server ran is deleted."""

    def pruned(self, items: Items) -> Items:
        return tuple(i for i in super().pruned(items) if i.get("execution") != "server")


@fault("X(,call_id=zz)", "preservation/count", "model/equals_specification")
class UnknownItemsPruned(Skeleton):
    """An item of any type whose call id no call carries is deleted."""

    def is_orphan(self, item: Item, asked: Collection[Key]) -> bool:
        call_ids = {call_id for _, call_id in asked}
        known = item["type"] in FAMILY_OF_CALL or item["type"] in FAMILIES_OF_OUTPUT
        unasked = item.get("call_id") is not None and item["call_id"] not in call_ids
        return super().is_orphan(item, asked) or (unasked and not known)
