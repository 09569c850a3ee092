"""Faults in identity: the item ids of made-up outputs."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any
from uuid import NAMESPACE_OID, UUID, uuid3, uuid4, uuid5

from normalizer import NAMESPACE, Family, Item
from properties.faults.fault import fault
from properties.faults.skeleton import Items, Skeleton

_CALL = "FC(a,id=fc_1)"


def _derived(family: Family, name: str, namespace: UUID = NAMESPACE) -> str:
    return f"{family.id_prefix}_{uuid5(namespace, f'{family.id_prefix}:{name}')}"


def _given(
    name: str,
    sentence: str,
    item_id: Callable[[Family, Item], str],
    *expected: str,
    witness: str = _CALL,
) -> None:
    """Enter the fault that gives calls with an item id another made-up id."""

    @fault(witness, "identity/derived", "model/equals_specification", *expected, name=name)
    class Given(Skeleton):
        __doc__ = sentence

        def made_up_id(self, family: Family, call: Item) -> str | None:
            return item_id(family, call) if call.get("id") else None


_given(
    "random-ids",
    "Made-up ids are random.",
    lambda family, _: f"{family.id_prefix}_{uuid4()}",
    "identity/same_every_time",
    "session/resume_same",
)
_given(
    "ids-from-call-id",
    "Made-up ids come from the call id.",
    lambda family, call: _derived(family, call["call_id"]),
    "metamorphic/renaming",
)
_given(
    "ids-from-both",
    "Made-up ids come from the item id and the call id.",
    lambda family, call: _derived(family, call["id"] + call["call_id"]),
    "metamorphic/renaming",
)
_given(
    "wrong-namespace",
    "Made-up ids come from another namespace.",
    lambda family, call: _derived(family, call["id"], NAMESPACE_OID),
    "model/equals_codex",
)
_given(
    "without-prefix-in-name",
    "The name that is hashed lacks the prefix.",
    lambda family, call: f"{family.id_prefix}_{uuid5(NAMESPACE, call['id'])}",
    "model/equals_codex",
)
_given(
    "uuid-of-version-3",
    "Made-up ids are UUIDs of version 3.",
    lambda family, call: f"{family.id_prefix}_{uuid3(NAMESPACE, call['id'])}",
    "model/equals_codex",
)
_given(
    "ids-without-prefix",
    "Made-up ids are bare UUIDs.",
    lambda family, call: _derived(family, call["id"]).partition("_")[2],
    "identity/prefix",
)
_given(
    "one-prefix-for-all",
    "Made-up ids of all types begin with `fco_`.",
    lambda _, call: f"fco_{uuid5(NAMESPACE, 'fco:' + call['id'])}",
    "identity/prefix",
    witness="CC(a,id=ctc_1)",
)
_given(
    "id-of-the-call",
    "A made-up output takes over the item id of its call.",
    lambda _, call: str(call["id"]),
    "identity/prefix",
)
_given(
    "prefix-of-the-call",
    "Made-up ids begin as the item id of their call does.",
    lambda _, call: f"{call['id'].partition('_')[0]}_{uuid5(NAMESPACE, call['id'])}",
    "identity/prefix",
)
_given(
    "hashed-in-this-process",
    "Made-up ids come from `hash()`, which differs from process to process.",
    lambda family, call: f"{family.id_prefix}_{hash(call['id']) & 0xFFFFFFFF:08x}",
    "model/equals_codex",
)
_given(
    "letters-of-ids-lowered",
    "The item id is hashed in lower case.",
    lambda family, call: _derived(family, call["id"].lower()),
    witness="FC(a,id=FC_1)",
)


@fault(_CALL, "identity/derived", "identity/distinct", "model/equals_codex")
class NoIds(Skeleton):
    """Made-up outputs never have an item id."""

    def made_up_id(self, family: Family, call: Item) -> str | None:  # noqa: ARG002
        return None


@fault("FC(a)", "identity/none_for_old_calls", "model/equals_codex")
class IdsForOldCalls(Skeleton):
    """A call without an item id gets an output with one, from the call id."""

    def made_up_id(self, family: Family, call: Item) -> str | None:
        return super().made_up_id(family, call) or _derived(family, call["call_id"])


@fault("FC(a,id=)", "identity/none_for_old_calls", "model/equals_specification")
class EmptyItemIdCounts(Skeleton):
    """An empty item id is hashed like any other."""

    def made_up_id(self, family: Family, call: Item) -> str | None:
        return None if call.get("id") is None else _derived(family, call["id"])


@fault("FC(a)", "identity/none_for_old_calls", "model/equals_codex")
class NullIdWritten(Skeleton):
    """The output of a call without an item id says so with a null."""

    def made_up(self, call: Item) -> Item:
        return {"id": None, **super().made_up(call)}


class _Placed(Skeleton):
    """Knows, while it makes up an id, what it was called with."""

    items: Items = ()
    modalities: Collection[str] = ()

    def __call__(self, history: list[Item], modalities: Collection[str]) -> list[Item]:
        self.modalities = modalities
        return super().__call__(history, modalities)

    def completed(self, items: Items) -> Items:
        self.items = items
        return super().completed(items)

    def made_up_id(self, family: Family, call: Item) -> str | None:
        return _derived(family, str(self.name_of(call))) if call.get("id") else None

    def name_of(self, call: Item) -> Any:
        """Return what the id is derived from."""
        return call["id"]


@fault(
    "U FC(a,id=fc_1)", "identity/derived", "identity/same_at_every_place", "metamorphic/piecewise"
)
class IdsFromThePlace(_Placed):
    """Made-up ids come from the place of the call in the history."""

    def name_of(self, call: Item) -> Any:
        return next(place for place, item in enumerate(self.items) if item is call)


@fault(_CALL, "identity/derived", "identity/same_as_history_grows", "metamorphic/piecewise")
class IdsFromTheLength(_Placed):
    """Made-up ids depend on how long the history is."""

    def name_of(self, call: Item) -> Any:
        return f"{call['id']}:{len(self.items)}"


@fault(
    _CALL,
    "identity/derived",
    "identity/same_for_every_model",
    "media/sets_intersect",
    modalities=frozenset({"text"}),
)
class IdsFromTheModel(_Placed):
    """Made-up ids depend on what the model takes."""

    def name_of(self, call: Item) -> Any:
        return call["id"] + ("" if len(self.modalities) == 3 else ",".join(sorted(self.modalities)))


@fault("FC(a,id=fc_1) FC(b,id=fc_1)", "identity/derived", "model/equals_specification")
class RepeatedIdsMadeDifferent(_Placed):
    """Of two calls with one item id the second gets an id of its own."""

    def name_of(self, call: Item) -> Any:
        alike = [item for item in self.items if item.get("id") == call["id"]]
        turn = next(turn for turn, item in enumerate(alike) if item is call)
        return f"{call['id']}:{turn}" if turn else call["id"]


@fault(
    "FC(a,id=fc_1) CC(a,id=ctc_1) FC(a,id=fc_2)", "identity/derived", "model/equals_specification"
)
class IdsCachedByCallId(Skeleton):
    """Made-up ids are cached by call id, across calls and histories."""

    def __init__(self) -> None:
        self._ids: dict[str, str | None] = {}

    def made_up_id(self, family: Family, call: Item) -> str | None:
        return self._ids.setdefault(call["call_id"], super().made_up_id(family, call))


@fault(_CALL, "identity/derived", "identity/same_every_time", "immutability/prompts_independent")
class IdsCounted(Skeleton):
    """Made-up ids come from a counter that runs as long as the process."""

    def __init__(self) -> None:
        self._count = 0

    def made_up_id(self, family: Family, call: Item) -> str | None:
        self._count += 1
        return _derived(family, str(self._count)) if call.get("id") else None
