"""Faults about families: one forgotten, or two mixed up."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from normalizer import FAMILIES, FAMILIES_OF_OUTPUT, FAMILY_OF_CALL, Family, Item
from properties.case import Key
from properties.faults.fault import fault
from properties.faults.skeleton import Items, Skeleton

#: A call of each family in shorthand, and an output of those that have one of their own.
_CALLS: Final = {"function": "FC", "local_shell": "LS", "custom": "CC", "tool_search": "TC"}
_OUTPUTS: Final = {"function": "FO", "custom": "CO", "tool_search": "TO"}


def _forgotten(family: Family) -> None:
    """Enter the fault that completes no calls of one family."""

    @fault(
        f"{_CALLS[family.name]}(a)",
        "pairing/call_answered",
        "pairing/one_for_each_open_call",
        "preservation/count",
        "session/prompt_valid",
        name=f"{family.name}-calls-forgotten".replace("_", "-"),
    )
    class Forgotten(Skeleton):
        __doc__ = f"Calls of the family {family.name} are not completed."

        def is_open(self, item: Item, answered: Collection[Key]) -> bool:
            is_forgotten = item["type"] == family.call_type
            return not is_forgotten and super().is_open(item, answered)


def _answered_by_another(family: Family, other: Family) -> None:
    """Enter the fault that takes a call of one family for answered by an output of another."""

    @fault(
        f"{_CALLS[family.name]}(a) {_OUTPUTS[other.name]}(a)",
        "pairing/call_answered",
        "preservation/count",
        name=f"{family.name}-call-answered-by-{other.name}-output".replace("_", "-"),
    )
    class AnsweredByAnother(Skeleton):
        __doc__ = (
            f"A {family.name} call counts as answered by an output of the family {other.name}."
        )

        def is_open(self, item: Item, answered: Collection[Key]) -> bool:
            is_confused = item["type"] == family.call_type
            key = (other.output_type, item.get("call_id") or "")
            return super().is_open(item, answered) and not (is_confused and key in answered)


def _kept(family: Family) -> None:
    """Enter the fault that deletes no outputs of one type."""

    @fault(
        f"{_OUTPUTS[family.name]}(a)",
        "orphans/none_left",
        "preservation/count",
        "session/prompt_valid",
        name=f"{family.name}-orphans-kept".replace("_", "-"),
    )
    class Kept(Skeleton):
        __doc__ = f"Orphans of the family {family.name} are kept."

        def is_orphan(self, item: Item, asked: Collection[Key]) -> bool:
            is_kept = item["type"] == family.output_type
            return not is_kept and super().is_orphan(item, asked)


def _vouched_for_by_another(family: Family, other: Family) -> None:
    """Enter the fault in which a call of one family vouches for an output of another."""

    @fault(
        f"{_CALLS[family.name]}(a) {_OUTPUTS[other.name]}(a)",
        "orphans/none_left",
        "preservation/count",
        name=f"{family.name}-call-vouches-for-{other.name}-output".replace("_", "-"),
    )
    class VouchedForByAnother(Skeleton):
        __doc__ = f"A {family.name} call vouches for an output of the family {other.name}."

        def asked(self, items: Items) -> Collection[Key]:
            calls = [item for item in items if item["type"] == family.call_type]
            more = {
                (other.output_type, call_id)
                for call in calls
                if (call_id := self.call_id(call)) is not None
            }
            return {*super().asked(items), *more}


for _family in FAMILIES:
    _forgotten(_family)
    for _other in (other for other in FAMILIES if other.name in _OUTPUTS):
        if _family is _other:
            _kept(_family)
        elif _family.output_type != _other.output_type:
            _answered_by_another(_family, _other)
            _vouched_for_by_another(_family, _other)


@fault("FC(a) LS(a)", "pairing/one_for_each_open_call", "preservation/count")
class FamilyByFamily(Skeleton):
    """Shell calls are completed after function calls and find those made-up outputs."""

    def completed(self, items: Items) -> Items:
        for kind in FAMILY_OF_CALL:
            answered = self.answered(items)
            items = tuple(
                part
                for item in items
                for part in (
                    (item, self.made_up(item))
                    if item["type"] == kind and self.is_open(item, answered)
                    else (item,)
                )
            )
        return items


@fault("LS(a)", "pairing/call_answered", "model/equals_codex")
class CustomOutputForShell(Skeleton):
    """A local shell call gets a made-up custom output."""

    def made_up(self, call: Item) -> Item:
        is_shell = call["type"] == "local_shell_call"
        return super().made_up({**call, "type": "custom_tool_call"} if is_shell else call)


@fault("CC(a)", "pairing/call_answered", "model/equals_codex", "session/prompt_valid")
class FunctionOutputForAll(Skeleton):
    """Every call gets a made-up function output."""

    def made_up(self, call: Item) -> Item:
        return super().made_up({**call, "type": "function_call"})


@fault("FC(a) CO(a)", "orphans/none_left", "preservation/count")
class PrunedByBareId(Skeleton):
    """A call of any family vouches for an output."""

    def is_orphan(self, item: Item, asked: Collection[Key]) -> bool:
        vouched = any((kind, self.call_id(item)) in asked for kind in FAMILIES_OF_OUTPUT)
        return super().is_orphan(item, asked) and not vouched


@fault("LS(a) FO(a)", "orphans/answers_kept", "preservation/count", "model/equals_codex")
class ShellVouchesForNothing(Skeleton):
    """The output of a local shell call is deleted: only function calls vouch for its type."""

    def asked(self, items: Items) -> Collection[Key]:
        return super().asked(tuple(i for i in items if i["type"] != "local_shell_call"))
