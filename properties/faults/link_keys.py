"""Faults in link keys: what two call ids have to share to belong together."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from normalizer import FAMILY_OF_CALL, Item
from properties.faults.fault import fault
from properties.faults.skeleton import Items, Skeleton

_X64 = "x" * 64


@fault('FC("")', "pairing/call_answered", "preservation/count", "metamorphic/renaming")
class EmptyIsAbsent(Skeleton):
    """An empty call id counts as none."""

    def call_id(self, item: Item) -> str | None:
        return super().call_id(item) or None


@fault("TC(null)", "preservation/count", "model/equals_codex", "orphans/outputs_without_id_kept")
class NullIsAnId(Skeleton):
    """A null call id is matched like any other."""

    def call_id(self, item: Item) -> str | None:
        return "null" if item.get("call_id", "") is None else super().call_id(item)


@fault("LS(null,id=lsh_1)", "preservation/count", "model/equals_codex")
class ItemIdInstead(Skeleton):
    """A call without a call id is matched by its item id."""

    def call_id(self, item: Item) -> str | None:
        call_id = super().call_id(item)
        return item.get("id") if call_id is None and self.is_call(item) else call_id

    def is_call(self, item: Item) -> bool:
        return item["type"] in FAMILY_OF_CALL


def _matched_by(name: str, witness: str, sentence: str, change: Callable[[str], str]) -> None:
    """Enter the fault that matches call ids by what `change` makes of them."""

    @fault(
        witness,
        "metamorphic/renaming",
        "model/equals_specification",
        name=name,
    )
    class MatchedBy(Skeleton):
        __doc__ = sentence

        def call_id(self, item: Item) -> str | None:
            call_id = super().call_id(item)
            return None if call_id is None else change(call_id)


_matched_by("case-folded", "FC(a) FO(A)", "Call ids are matched without case.", str.casefold)
_matched_by("stripped", r"FC(a) FO(a\x20)", "Call ids are matched without outer space.", str.strip)
_matched_by(
    "cut-at-64",
    f"FC({_X64}a) FO({_X64}b)",
    "Call ids are matched by their first 64 characters.",
    lambda call_id: call_id[:64],
)
_matched_by(
    "composed",
    r"FC(caf\u00e9) FO(cafe\u0301)",
    "Call ids are matched in composed Unicode form.",
    lambda call_id: unicodedata.normalize("NFC", call_id),
)
_matched_by(
    "compatible",
    r"FC(\ufb01le) FO(file)",
    "Call ids are matched in compatible Unicode form.",
    lambda call_id: unicodedata.normalize("NFKC", call_id),
)
_matched_by(
    "letters-only",
    r"FC(a/b) FO(a.b)",
    "Call ids are matched by their letters and digits.",
    lambda call_id: "".join(filter(str.isalnum, call_id)),
)
_matched_by(
    "cut-at-colon",
    "FC(a:b) FO(a:c)",
    "Call ids are matched up to a colon.",
    lambda call_id: call_id.partition(":")[0],
)
_matched_by(
    "cut-at-nul",
    r"FC(a\x00b) FO(a)",
    "Call ids are matched up to a NUL, as in C.",
    lambda call_id: call_id.partition("\0")[0],
)
_matched_by(
    "without-prefix",
    "FC(fc_1) FO(fco_1)",
    "Call ids are matched without what stands before the underscore.",
    lambda call_id: call_id.rpartition("_")[2],
)
_matched_by(
    "read-as-number",
    "FC(1) FO(01)",
    "Call ids that are numbers are matched by their value.",
    lambda call_id: str(float(call_id)) if call_id.strip("-").isdecimal() else call_id,
)


@fault(f"FC({_X64}a)", "model/equals_specification", "metamorphic/renaming")
class LongIdsShortened(Skeleton):
    """Call ids over 64 characters are shortened in the prompt."""

    def taken(self, history: list[Item]) -> Items:
        return tuple(
            {**item, "call_id": item["call_id"][:64]} if item.get("call_id") else item
            for item in super().taken(history)
        )


@fault(r"FC(a\x20) FO(a\x20)", "model/equals_specification", "metamorphic/renaming")
class IdsStrippedInThePrompt(Skeleton):
    """Call ids lose their outer space on the way to the prompt."""

    def taken(self, history: list[Item]) -> Items:
        return tuple(
            {**item, "call_id": item["call_id"].strip()} if item.get("call_id") else item
            for item in super().taken(history)
        )
