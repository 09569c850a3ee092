"""Faults in completing: which calls get a made-up output, where it stands, and what it says."""

from __future__ import annotations

from collections.abc import Collection

from normalizer import FAMILY_OF_CALL, Family, Item
from properties.case import Key
from properties.faults.fault import fault
from properties.faults.skeleton import Items, Skeleton

# --- where it stands ------------------------------------------------------------------------------


@fault(
    "FC(a) U",
    "pairing/answer_follows_call",
    "metamorphic/growing_keeps_prefix",
    "metamorphic/piecewise",
)
class MadeUpAtTheEnd(Skeleton):
    """Made-up outputs stand at the end of the prompt."""

    def completed(self, items: Items) -> Items:
        answered = self.answered(items)
        return items + tuple(self.made_up(item) for item in items if self.is_open(item, answered))


@fault("FC(a)", "pairing/answer_follows_call", "model/equals_codex")
class MadeUpBeforeTheCall(Skeleton):
    """Made-up outputs stand before their calls."""

    def completed(self, items: Items) -> Items:
        return super().completed(items[::-1])[::-1]


@fault("FC(a) FC(b)", "pairing/answer_follows_call", "model/equals_specification")
class MadeUpAfterTheBatch(Skeleton):
    """Made-up outputs stand after the last call of their parallel batch."""

    def completed(self, items: Items) -> Items:
        answered, done, held = self.answered(items), list[Item](), list[Item]()
        for item in items:
            if item["type"] not in FAMILY_OF_CALL:
                done, held = done + held, []
            done = [*done, item]
            held = [*held, self.made_up(item)] if self.is_open(item, answered) else held
        return tuple(done + held)


@fault("FC(a) U FO(a)", "preservation/order", "model/equals_codex")
class LateAnswersMovedUp(Skeleton):
    """A late output is moved to where a made-up one would stand."""

    def pruned(self, items: Items) -> Items:
        kept = list(super().pruned(items))
        for item in [item for item in kept if self.call_key(item)]:
            place = kept.index(item) + 1
            late = [
                other for other in kept[place:] if self.output_key(other) == self.call_key(item)
            ]
            for output in late[:1]:
                kept.remove(output)
                kept.insert(place, output)
        return tuple(kept)


# --- which calls get one --------------------------------------------------------------------------


@fault("FC(a) FC(a)", "pairing/one_for_each_open_call", "preservation/count")
class OneForEachCallId(Skeleton):
    """Calls that share a call id get one made-up output for all of them."""

    def completed(self, items: Items) -> Items:
        seen = set(self.answered(items))
        done: list[Item] = []
        for item in items:
            done.append(item)
            if self.is_open(item, seen):
                seen |= {self.call_key(item) or ("", "")}
                done.append(self.made_up(item))
        return tuple(done)


class _Chosen(Skeleton):
    """Completes only those open calls that `chosen` picks."""

    def completed(self, items: Items) -> Items:
        answered = self.answered(items)
        places = [place for place, item in enumerate(items) if self.is_open(item, answered)]
        chosen = set(self.chosen(places, items))
        return tuple(
            part
            for place, item in enumerate(items)
            for part in ((item, self.made_up(item)) if place in chosen else (item,))
        )

    def chosen(self, places: list[int], items: Items) -> list[int]:  # noqa: ARG002
        return places


@fault("FC(a) FC(b)", "pairing/call_answered", "preservation/count", "metamorphic/piecewise")
class OnlyTheLastCall(_Chosen):
    """Only the last of several open calls is completed."""

    def chosen(self, places: list[int], items: Items) -> list[int]:  # noqa: ARG002
        return places[-1:]


@fault("FC(a) FC(b)", "pairing/call_answered", "preservation/count", "metamorphic/piecewise")
class OnlyTheFirstCall(_Chosen):
    """Only the first of several open calls is completed."""

    def chosen(self, places: list[int], items: Items) -> list[int]:  # noqa: ARG002
        return places[:1]


@fault("FC(a) U", "pairing/call_answered", "preservation/count", "session/prompt_valid")
class OnlyAtTheEnd(_Chosen):
    """A call is completed only when no item follows it."""

    def chosen(self, places: list[int], items: Items) -> list[int]:
        return [place for place in places if place == len(items) - 1]


@fault("FC(a) U", "pairing/call_answered", "metamorphic/growing_keeps_prefix")
class OnlyInTheLastTurn(_Chosen):
    """A call is completed only when no user message follows it."""

    def chosen(self, places: list[int], items: Items) -> list[int]:
        turns = [place for place, item in enumerate(items) if item.get("role") == "user"]
        return [place for place in places if place > max(turns, default=-1)]


@fault("FC(a)", "pairing/call_answered", "preservation/count")
class OnlyWhenSomethingFollows(_Chosen):
    """A call at the very end of the history counts as still running."""

    def chosen(self, places: list[int], items: Items) -> list[int]:
        return [place for place in places if place < len(items) - 1]


@fault(
    "FC(a) FC(b) FC(c) FC(d)", "pairing/call_answered", "preservation/count", "model/equals_codex"
)
class OnlyThreeInABatch(_Chosen):
    """Of the calls in a row only the first three are completed."""

    def chosen(self, places: list[int], items: Items) -> list[int]:
        return [
            place
            for place in places
            if place < 3
            or not all(item["type"] in FAMILY_OF_CALL for item in items[place - 3 : place])
        ]


@fault("CC(a,status=completed)", "pairing/call_answered", "preservation/count")
class CompletedCallsPassedOver(Skeleton):
    """A call whose own status is "completed" counts as answered."""

    def is_open(self, item: Item, answered: Collection[Key]) -> bool:
        return item.get("status") != "completed" and super().is_open(item, answered)


@fault("TC(a,server)", "pairing/call_answered", "preservation/count", "model/equals_codex")
class ServerCallsPassedOver(Skeleton):
    """A search call that the server executes is not completed although it has a call id."""

    def is_open(self, item: Item, answered: Collection[Key]) -> bool:
        return item.get("execution") != "server" and super().is_open(item, answered)


@fault("FC(a)", "pairing/one_for_each_open_call", "preservation/count")
class PrunedBeforeCompleted(Skeleton):
    """Pruning comes first and deletes the open calls, so that nothing is left to complete."""

    def completed(self, items: Items) -> Items:
        answered = self.answered(items)
        return tuple(item for item in items if not self.is_open(item, answered))


# --- what counts as an answer ---------------------------------------------------------------------


@fault("FC(a) FO(a) FC(a)", "pairing/no_second_answer", "preservation/count")
class OutputsUsedUp(Skeleton):
    """Each output answers one call only: a repeated call gets another."""

    def completed(self, items: Items) -> Items:
        left = [key for item in items if (key := self.output_key(item))]
        done: list[Item] = []
        for item in items:
            done.append(item)
            key = self.call_key(item)
            if key in left:
                left.remove(key)
            elif key:
                done.append(self.made_up(item))
        return tuple(done)


@fault("FO(a) FC(a)", "pairing/no_second_answer", "preservation/count")
class EarlyAnswersIgnored(Skeleton):
    """An output that precedes its call does not answer it."""

    def completed(self, items: Items) -> Items:
        later: set[Key] = set()
        backwards: list[Item] = []
        for item in reversed(items):
            if self.is_open(item, later):
                backwards.append(self.made_up(item))
            backwards.append(item)
            later |= (self.output_key(item) and {self.output_key(item) or ("", "")}) or set()
        return tuple(reversed(backwards))


@fault("FC(a) U FO(a)", "pairing/no_second_answer", "preservation/count")
class AnswersCutOffByUser(Skeleton):
    """An output behind a user message does not answer a call before it."""

    def completed(self, items: Items) -> Items:
        turn: list[Item] = []
        done: Items = ()
        for item in items:
            if item.get("role") == "user":
                done, turn = done + super().completed(tuple(turn)), []
            turn.append(item)
        return done + super().completed(tuple(turn))


@fault("FC(a) FO(a,aborted)", "pairing/no_second_answer", "idempotence/result_unchanged")
class AbortedIsNoAnswer(Skeleton):
    """A recorded output that says "aborted" does not count as an answer."""

    def answered(self, items: Items) -> Collection[Key]:
        return super().answered(tuple(i for i in items if i.get("output") != "aborted"))


@fault("FC(a) FO(a,output=)", "pairing/no_second_answer", "preservation/count")
class EmptyIsNoAnswer(Skeleton):
    """An empty output does not count as an answer."""

    def answered(self, items: Items) -> Collection[Key]:
        return super().answered(tuple(item for item in items if item.get("output", "-")))


@fault("FC(a) FO(a,text)", "pairing/no_second_answer", "preservation/count")
class PartsAreNoAnswer(Skeleton):
    """An output that is a list of parts does not count as an answer."""

    def answered(self, items: Items) -> Collection[Key]:
        return super().answered(
            tuple(item for item in items if not isinstance(item.get("output"), list))
        )


# --- what it says ---------------------------------------------------------------------------------


@fault("FC(a)", "pairing/says_aborted", "model/equals_codex")
class ClaimsSuccess(Skeleton):
    """A made-up output says "ok"."""

    def said(self, family: Family) -> Item:
        said = super().said(family)
        return {**said, "output": "ok"} if "output" in said else said


@fault("CC(a)", "pairing/says_aborted", "model/equals_codex")
class CustomSaysNothing(Skeleton):
    """A made-up custom output is empty."""

    def said(self, family: Family) -> Item:
        return {"output": ""} if family.name == "custom" else super().said(family)


@fault("FC(a)", "pairing/says_aborted", "model/equals_specification")
class SaysMoreThanAborted(Skeleton):
    """A made-up output explains itself."""

    def said(self, family: Family) -> Item:
        said = super().said(family)
        return {**said, "output": "aborted by user"} if "output" in said else said


@fault("FC(a)", "pairing/says_aborted", "model/equals_codex")
class MadeUpWithStatus(Skeleton):
    """A made-up output carries a status that Codex does not write."""

    def said(self, family: Family) -> Item:
        return {**super().said(family), "status": "completed"}


def _search_saying(name: str, sentence: str, **more: object) -> None:
    """Enter the fault whose made-up search output holds something else."""

    @fault("TC(a)", "pairing/found_nothing", "model/equals_codex", name=name)
    class SearchSaying(Skeleton):
        __doc__ = sentence

        def said(self, family: Family) -> Item:
            said = super().said(family)
            return {**said, **more} if family.name == "tool_search" else said


_search_saying("search-incomplete", 'A made-up search output is "incomplete".', status="incomplete")
_search_saying("search-by-server", "A made-up search output says `server`.", execution="server")
_search_saying("search-without-list", "A made-up search output has null tools.", tools=None)
_search_saying("search-says-aborted", 'A made-up search output says "aborted".', output="aborted")


@fault("TC(a,server)", "pairing/found_nothing", "model/equals_codex")
class ExecutionOfTheCall(Skeleton):
    """A made-up search output repeats the execution of its call."""

    def made_up(self, call: Item) -> Item:
        output = super().made_up(call)
        return {**output, "execution": call["execution"]} if "execution" in output else output
