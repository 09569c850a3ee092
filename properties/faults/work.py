"""Faults in work: right prompts that take too long to make."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from normalizer import Item
from properties.case import Key
from properties.faults.fault import fault
from properties.faults.skeleton import Items, Missing, Skeleton

#: No single prompt shows it.
_REASON: Final = "its prompts are right: only long histories show that it is slow"


@fault("FC(a) FO(a)", "work/linear", reason=_REASON)
class AnswersInAList(Skeleton):
    """Each call is looked up in a list of all outputs."""

    def answered(self, items: Items) -> Collection[Key]:
        return [key for item in items if (key := self.output_key(item))]


@fault("FC(a) FO(a)", "work/linear", reason=_REASON)
class AskedInAList(Skeleton):
    """Each output is looked up in a list of all calls."""

    def asked(self, items: Items) -> Collection[Key]:
        return [key for item in items if (key := self.call_key(item))]


@fault("U", "work/linear", reason=_REASON)
class CopiedForEachItem(Skeleton):
    """The prompt is copied whenever an item is added."""

    def stripped(self, items: Items, missing: Missing) -> Items:
        done: Items = ()
        for item in items:
            done = (*map(dict, done), self.stripped_item(item, missing))
        return done


@fault("FC(a)", "work/linear", reason=_REASON)
class RescannedForEachCall(Skeleton):
    """The history is searched again for each call."""

    def completed(self, items: Items) -> Items:
        done: list[Item] = []
        for item in items:
            done.append(item)
            if self.call_key(item) and self.is_open(item, self.answered(items)):
                done.append(self.made_up(item))
        return tuple(done)
