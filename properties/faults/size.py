"""Faults that show in what is large: limits that somebody thought nobody would reach."""

from __future__ import annotations

from typing import Any, Final

from normalizer import Item
from properties.faults.fault import TEXT, fault
from properties.faults.skeleton import Items, Missing, Skeleton

_REASON: Final = "no drawn history is as large as that"

_LIMIT: Final = 1_000


@fault("FO(a) " * (_LIMIT + 1), "model/large_histories", reason=_REASON)
class OrphansBeyond1000Kept(Skeleton):
    """Orphans beyond the 1,000th item are kept."""

    def pruned(self, items: Items) -> Items:
        return super().pruned(items[:_LIMIT]) + items[_LIMIT:]


@fault("U " * _LIMIT + "FC(a)", "model/large_histories", reason=_REASON)
class CallsBeyond1000LeftOpen(Skeleton):
    """Calls beyond the 1,000th item are not completed."""

    def completed(self, items: Items) -> Items:
        return super().completed(items[:_LIMIT]) + items[_LIMIT:]


@fault(f"FC(a) FO(a,output={'x' * 30_001})", "model/large_histories", reason=_REASON)
class OutputsCutAt30000(Skeleton):
    """Outputs are cut after 30,000 characters."""

    def copied(self, value: Any) -> Any:
        return value[:30_000] if isinstance(value, str) else super().copied(value)


@fault(f"U(,{','.join(['image'] * 101)})", "model/large_histories", modalities=TEXT, reason=_REASON)
class OnlyTheFirst100Parts(Skeleton):
    """Of a long list, only the first 100 parts are looked at."""

    def stripped_item(self, item: Item, missing: Missing) -> Item:
        for key in ("content", "output"):
            parts = item.get(key)
            if isinstance(parts, list):
                head = super().stripped_item({**item, key: parts[:100]}, missing)
                return {**head, key: [*head[key], *parts[100:]]}
        return super().stripped_item(item, missing)


@fault(f"FC({'a' * 512}b) FO({'a' * 512}c)", "model/large_histories", reason=_REASON)
class CutAt512(Skeleton):
    """Call ids are told apart by their first 512 characters."""

    def call_id(self, item: Item) -> str | None:
        call_id = super().call_id(item)
        return call_id and call_id[:512]


@fault(
    "TC(a,arguments:=" + '{"a":' * 40 + "1" + "}" * 40 + ") TO(a)",
    "model/large_histories",
    reason=_REASON,
)
class NestedValuesCutOff(Skeleton):
    """Values deeper than 32 levels are cut off."""

    def copied(self, value: Any, depth: int = 0) -> Any:
        if isinstance(value, dict | list) and depth > 32:
            return None
        if isinstance(value, dict):
            return {key: self.copied(inner, depth + 1) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.copied(inner, depth + 1) for inner in value]
        return value
