"""Faults in sharing: the record changed, lent out, or remembered."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, cast

from normalizer import FAMILIES_OF_OUTPUT, Family, Item
from properties.faults.fault import TEXT, fault
from properties.faults.skeleton import Items, Missing, Skeleton

_CHANGED = ("immutability/input_unchanged", "session/record_stays_true")
_SHARED = ("immutability/nothing_shared", "immutability/edits_stay_in_prompt")
#: Why more histories show it than is usual.
_ALWAYS = "it is wrong whatever the history holds"
_LASTING = ("immutability/prompts_independent",)


# --- the record changed ---------------------------------------------------------------------------


@fault("FC(a)", *_CHANGED)
class ListChanged(Skeleton):
    """Made-up outputs are inserted into the caller's own list."""

    def __call__(self, history: list[Item], modalities: Collection[str]) -> list[Item]:
        prompt = super().__call__(history, modalities)
        history[:] = self.completed(tuple(history))
        return prompt


@fault("FO(a)", *_CHANGED)
class OrphansDeletedFromTheRecord(Skeleton):
    """Orphans are deleted from the caller's own list."""

    def __call__(self, history: list[Item], modalities: Collection[str]) -> list[Item]:
        prompt = super().__call__(history, modalities)
        history[:] = self.pruned(tuple(history))
        return prompt


@fault("FC(a)", *_CHANGED)
class ItemChanged(Skeleton):
    """An open call is marked in the record."""

    def taken(self, history: list[Item]) -> Items:
        items = super().taken(history)
        answered = self.answered(items)
        for item in history:
            if self.is_open(item, answered):
                item["status"] = "incomplete"
        return items


@fault("U(,image)", *_CHANGED, "media/switching_back_restores", modalities=TEXT)
class PartChanged(Skeleton):
    """Media are replaced in the record's own parts."""

    def __call__(self, history: list[Item], modalities: Collection[str]) -> list[Item]:
        missing = self.missing(modalities)
        for item in history:
            for part in item.get(self.parts_key(item) or "", ()):
                if isinstance(part, dict) and part.get("type") in missing:
                    placeholder = self.placeholder(part, missing[part["type"]])
                    part.clear()
                    part.update(placeholder)
        return super().__call__(history, modalities)


@fault("G", *_CHANGED, "media/switching_back_restores", modalities=TEXT)
class GeneratedImageEmptiedInTheRecord(Skeleton):
    """A generated image loses its picture in the record."""

    def __call__(self, history: list[Item], modalities: Collection[str]) -> list[Item]:
        for item in history:
            if item["type"] == "image_generation_call":
                item.update(self.stripped_image(item, self.missing(modalities)))
        return super().__call__(history, modalities)


@fault("LS(a)", *_CHANGED)
class DeepChange(Skeleton):
    """A note is left deep inside the action of a shell call in the record."""

    def taken(self, history: list[Item]) -> Items:
        items = super().taken(history)
        for item in history:
            if item["type"] == "local_shell_call":
                item["action"]["command"].append("# seen")
        return items


@fault("U FC(a)", *_CHANGED)
class RecordSorted(Skeleton):
    """The caller's own list is put in another order."""

    def taken(self, history: list[Item]) -> Items:
        items = super().taken(history)
        history.sort(key=lambda item: item["type"])
        return items


@fault("FC(a)", "immutability/input_unchanged", reason=_ALWAYS)
class RecordEmptiedLater(Skeleton):
    """The caller's list is kept and emptied when the next history comes."""

    def __init__(self) -> None:
        self._last: list[Item] = []

    def taken(self, history: list[Item]) -> Items:
        items = super().taken(history)
        if self._last is not history:
            self._last.clear()
        self._last = history
        return items


# --- the record lent out --------------------------------------------------------------------------


@fault("U", *_SHARED, reason=_ALWAYS)
class ItemsShared(Skeleton):
    """The items of the prompt are the record's own."""

    def taken(self, history: list[Item]) -> Items:
        return tuple(history)


@fault("U", *_SHARED, reason=_ALWAYS)
class PartsShared(Skeleton):
    """Items are copied, but their parts are the record's own."""

    def taken(self, history: list[Item]) -> Items:
        return tuple(dict(item) for item in history)


@fault("U", *_SHARED)
class InputReturned(Skeleton):
    """When nothing is to be done, the caller's own list is returned."""

    def __call__(self, history: list[Item], modalities: Collection[str]) -> list[Item]:
        prompt = super().__call__(history, modalities)
        return history if prompt == history else prompt


@fault("U(,image,text)", *_SHARED, modalities=TEXT)
class OtherPartsShared(Skeleton):
    """An item that loses media shares its other parts with the record."""

    def taken(self, history: list[Item]) -> Items:
        missing = super().missing(())
        return tuple(
            dict(item) if self.stripped_item(item, missing) != item else self.copied(item)
            for item in history
        )


class _Shallow(Skeleton):
    """Copies down to a level."""

    depth = 0

    def copied(self, value: Any) -> Any:
        return self.copied_down(value, self.depth)

    def copied_down(self, value: Any, depth: int) -> Any:
        if depth == 0:
            return value
        if isinstance(value, dict):
            return {key: self.copied_down(inner, depth - 1) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.copied_down(inner, depth - 1) for inner in value]
        return value


@fault("LS(a)", *_SHARED)
class SharedFromTheThirdLevel(_Shallow):
    """Copies are two levels deep: an item, and the dicts and lists in it."""

    depth = 2


@fault('X(,n:={"m":{"o":{}}})', *_SHARED)
class SharedFromTheFourthLevel(_Shallow):
    """Copies are three levels deep."""

    depth = 3


@fault("U(,text)", *_SHARED)
class DictsInListsShared(Skeleton):
    """Lists are copied, but not the dicts in them."""

    def copied(self, value: Any) -> Any:
        return list(value) if isinstance(value, list) else super().copied(value)


@fault("LS(a)", *_SHARED)
class ListsInDictsShared(Skeleton):
    """Dicts are copied deeply, but below the parts of an item no list is."""

    def taken(self, history: list[Item]) -> Items:
        return tuple(
            {key: self.copied_part(value) for key, value in item.items()} for item in history
        )

    def copied_part(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.copied_dicts(inner) for inner in value]
        return self.copied_dicts(value)

    def copied_dicts(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self.copied_dicts(inner) for key, inner in value.items()}
        return value


@fault("X", *_SHARED)
class UnknownItemsShared(Skeleton):
    """Items of unknown types are the record's own."""

    def taken(self, history: list[Item]) -> Items:
        known = ("_call", "_output", "message", "reasoning")
        return tuple(
            self.copied(item) if item["type"].endswith(known) else item for item in history
        )


@fault("TC(a)", *_SHARED)
class UnknownKeysShared(Skeleton):
    """Only the keys that hold content are copied deeply."""

    def copied(self, value: Any) -> Any:
        if isinstance(value, dict) and "type" in value:
            keys = ("content", "output")
            return {
                key: super(UnknownKeysShared, self).copied(inner) if key in keys else inner
                for key, inner in value.items()
            }
        return super().copied(value)


# --- what it remembers ----------------------------------------------------------------------------


@fault("TC(a)", *_LASTING)
class ToolsOfMadeUpShared(Skeleton):
    """All made-up search outputs hold one and the same list of tools."""

    def __init__(self) -> None:
        self._tools: list[object] = []

    def said(self, family: Family) -> Item:
        said = super().said(family)
        return {**said, "tools": self._tools} if "tools" in said else said


@fault("FC(a)", *_LASTING)
class MadeUpRemembered(Skeleton):
    """A made-up output is kept and given out again for the same call."""

    def __init__(self) -> None:
        self._made_up: dict[str, Item] = {}

    def made_up(self, call: Item) -> Item:
        return self._made_up.setdefault(repr(call), super().made_up(call))


@fault("U(,image)", *_LASTING, modalities=TEXT)
class PlaceholderShared(Skeleton):
    """All placeholders are one and the same dict."""

    def __init__(self) -> None:
        self._placeholders: dict[str, Item] = {}

    def stripped_part(self, part: Any, missing: Missing) -> Any:
        stripped = super().stripped_part(part, missing)
        if stripped is part:
            return part
        return self._placeholders.setdefault(stripped["text"], stripped)


@fault("FC(a)", *_LASTING, reason=_ALWAYS)
class SameListReturned(Skeleton):
    """Every prompt is the same list, filled anew."""

    def __init__(self) -> None:
        self._prompt: list[Item] = []

    def __call__(self, history: list[Item], modalities: Collection[str]) -> list[Item]:
        self._prompt[:] = super().__call__(history, modalities)
        return self._prompt


class _Cached(Skeleton):
    """Gives a prompt out again when `key_of` the history is known."""

    def __init__(self) -> None:
        self._prompts: dict[object, list[Item]] = {}

    def __call__(self, history: list[Item], modalities: Collection[str]) -> list[Item]:
        key = self.key_of(history, modalities)
        if key not in self._prompts:
            self._prompts[key] = super().__call__(history, modalities)
        return cast("list[Item]", self.copied(self._prompts[key]))

    def key_of(self, history: list[Item], modalities: Collection[str]) -> object:
        return (repr(history), tuple(sorted(modalities)))


@fault("U", *_LASTING, reason=_ALWAYS)
class PromptRemembered(_Cached):
    """A prompt is remembered and given out again, edits and all."""

    def copied(self, value: Any) -> Any:
        known = any(value is prompt for prompt in self._prompts.values())
        return value if known else super().copied(value)


@fault("U(,image)", "media/switching_back_restores", "model/small_histories")
class CachedWithoutTheModel(_Cached):
    """Prompts are cached by history alone: a switch of models gives the old one."""

    def key_of(self, history: list[Item], modalities: Collection[str]) -> object:  # noqa: ARG002
        return repr(history)


@fault("FC(a)", "model/equals_specification", "model/equals_codex", before="U")
class CachedByLength(_Cached):
    """Prompts are cached by the number of items."""

    def key_of(self, history: list[Item], modalities: Collection[str]) -> object:
        return (len(history), tuple(sorted(modalities)))


@fault("FC(a)", "session/live_record", "model/equals_specification", reason=_ALWAYS)
class CachedByIdentity(_Cached):
    """Prompts are cached by the identity of the caller's list."""

    def key_of(self, history: list[Item], modalities: Collection[str]) -> object:
        return (id(history), tuple(sorted(modalities)))


@fault("FC(a) U", "session/live_record")
class CachedByIdentityAndLength(_Cached):
    """Prompts are cached by the identity of the caller's list and its length."""

    def key_of(self, history: list[Item], modalities: Collection[str]) -> object:
        return (id(history), len(history), tuple(sorted(modalities)))


@fault("FC(a)", "metamorphic/renaming", "model/equals_specification", before="FC(b)")
class CachedByTypes(_Cached):
    """Prompts are cached by the types of the items."""

    def key_of(self, history: list[Item], modalities: Collection[str]) -> object:
        return (tuple(item["type"] for item in history), tuple(sorted(modalities)))


@fault("FC(a)", "pairing/call_answered", "identity/same_every_time")
class CompletedOnce(Skeleton):
    """A call that was completed once counts as answered from then on."""

    def __init__(self) -> None:
        self._done: set[str] = set()

    def completed(self, items: Items) -> Items:
        done = super().completed(items)
        self._done |= {repr(item) for item in items if self.call_key(item)}
        return done

    def is_open(self, item: Item, answered: Collection[Any]) -> bool:
        return super().is_open(item, answered) and repr(item) not in self._done


@fault("FC(c1)", "pairing/call_answered", "model/equals_specification", before="FC(c1) FO(c1)")
class AnswersRemembered(Skeleton):
    """The call ids that were answered in any history before count as answered."""

    def __init__(self) -> None:
        self._answered: set[Any] = set()

    def answered(self, items: Items) -> Collection[Any]:
        self._answered |= set(super().answered(items))
        return self._answered


# --- no prompt at all -----------------------------------------------------------------------------


@fault("FC(a)", "pairing/call_answered", "model/equals_codex", reason=_ALWAYS)
class IteratorReturned(Skeleton):
    """An iterator comes back instead of a list."""

    def __call__(self, history: list[Item], modalities: Collection[str]) -> list[Item]:
        return cast("list[Item]", iter(super().__call__(history, modalities)))


@fault("", "model/equals_specification", "session/prompt_valid")
class EmptyHistoryRefused(Skeleton):
    """An empty history raises an error."""

    def taken(self, history: list[Item]) -> Items:
        return (history[0], *super().taken(history))[1:]


@fault("X(,call_id=zz)", "model/equals_specification", "preservation/items_unchanged")
class UnknownTypesRefused(Skeleton):
    """An item of an unknown type raises an error."""

    def taken(self, history: list[Item]) -> Items:
        unknown = [item for item in history if item["type"] == "future_item"]
        if unknown:
            raise ValueError(f"unknown item {unknown[0]['type']}")
        return super().taken(history)


@fault("FO(absent) FC(a)", "pairing/call_answered", "model/equals_specification")
class ErrorsSwallowed(Skeleton):
    """A key that is absent raises an error, and then the history goes out as it is."""

    def __call__(self, history: list[Item], modalities: Collection[str]) -> list[Item]:
        try:
            return super().__call__(history, modalities)
        except KeyError:
            return list(self.taken(history))

    def call_id(self, item: Item) -> str | None:
        is_output = item["type"] in FAMILIES_OF_OUTPUT
        return cast("str | None", item["call_id"]) if is_output else super().call_id(item)
