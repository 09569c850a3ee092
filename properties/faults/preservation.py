"""Faults in preservation: what should have stayed as it was, where it was."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from typing import Any

from normalizer import FAMILY_OF_CALL, Item
from properties.faults.fault import fault
from properties.faults.skeleton import Items, Skeleton

_UNCHANGED = ("preservation/items_unchanged", "model/equals_specification")

#: Where only the order of keys differs.
_REORDERED = ("preservation/items_unchanged", "media/rest_of_item_unchanged")


# --- items that go --------------------------------------------------------------------------------


def _dropping(
    name: str, witness: str, sentence: str, is_dropped: Callable[[Item], bool], *expected: str
) -> None:
    """Enter the fault that drops some items."""

    @fault(witness, "preservation/count", "model/equals_specification", *expected, name=name)
    class Dropping(Skeleton):
        __doc__ = sentence

        def taken(self, history: list[Item]) -> Items:
            return tuple(item for item in super().taken(history) if not is_dropped(item))


_dropping(
    "unknown-items-dropped",
    "X",
    "Items of unknown types are dropped.",
    lambda item: not item["type"].endswith(("message", "reasoning", "_call", "_output")),
)
_dropping("reasoning-dropped", "R", "Reasoning is dropped.", lambda i: i["type"] == "reasoning")
_dropping(
    "web-searches-dropped",
    "W",
    "Web searches are dropped.",
    lambda item: item["type"] == "web_search_call",
)
_dropping(
    "empty-messages-dropped",
    "U(,empty)",
    "Messages without content are dropped.",
    lambda item: item.get("content") == [],
)
_dropping(
    "developer-messages-dropped",
    "D",
    "Developer messages are dropped.",
    lambda item: item.get("role") == "developer",
)
_dropping(
    "null-calls-dropped",
    "LS(null)",
    "Calls without a call id are dropped.",
    lambda item: item["type"] in FAMILY_OF_CALL and item.get("call_id") is None,
)


def _repeats(name: str, witness: str, sentence: str, known: Callable[[Item, Items], bool]) -> None:
    """Enter the fault that drops what is already there."""

    @fault(witness, "preservation/count", "model/equals_specification", name=name)
    class Repeats(Skeleton):
        __doc__ = sentence

        def taken(self, history: list[Item]) -> Items:
            kept: Items = ()
            for item in super().taken(history):
                kept = kept if known(item, kept) else (*kept, item)
            return kept


_repeats("deduplicated", "U A U", "Equal items are kept once.", lambda item, kept: item in kept)
_repeats(
    "repeats-collapsed",
    "U U",
    "Equal items in a row are kept once.",
    lambda item, kept: item in kept[-1:],
)
_repeats(
    "deduplicated-by-item-id",
    "FC(a,id=fc_1) FC(b,id=fc_1)",
    "Items with the same item id are kept once.",
    lambda item, kept: bool(item.get("id")) and item["id"] in [other.get("id") for other in kept],
)
_repeats(
    "calls-deduplicated",
    "FC(a) FO(a) FC(a)",
    "Calls with the same call id are kept once.",
    lambda item, kept: (
        item["type"] in FAMILY_OF_CALL
        and item.get("call_id") is not None
        and (item["type"], item["call_id"]) in [(o["type"], o.get("call_id")) for o in kept]
    ),
)


@fault("U " * 65, "preservation/count", "metamorphic/piecewise")
class OnlyTheLast64(Skeleton):
    """Only the last 64 items go out."""

    def taken(self, history: list[Item]) -> Items:
        return super().taken(history)[-64:]


@fault("U " * 64 + "FC(a)", "pairing/call_answered", "metamorphic/piecewise")
class WrongBeyond64(Skeleton):
    """Calls beyond the 64th item are not completed."""

    def completed(self, items: Items) -> Items:
        return super().completed(items[:64]) + items[64:]


@fault("U " * 64 + "FO(a)", "orphans/none_left", "preservation/count")
class OrphansBeyond64Kept(Skeleton):
    """Orphans beyond the 64th item are kept."""

    def pruned(self, items: Items) -> Items:
        asked = self.asked(items)
        return tuple(
            item
            for place, item in enumerate(items)
            if place >= 64 or not self.is_orphan(item, asked)
        )


# --- items that move ------------------------------------------------------------------------------


@fault("U FC(a) FO(a) FC(b) FO(b) A", "preservation/order", "metamorphic/piecewise")
class Sorted(Skeleton):
    """Items are sorted by their type."""

    def pruned(self, items: Items) -> Items:
        return tuple(sorted(super().pruned(items), key=lambda item: str(item["type"])))


@fault("U D", "preservation/order", "metamorphic/piecewise")
class DeveloperFirst(Skeleton):
    """Developer messages move to the front."""

    def pruned(self, items: Items) -> Items:
        return tuple(sorted(super().pruned(items), key=lambda i: i.get("role") != "developer"))


@fault("FC(a) FC(b) FO(b) FO(a)", "preservation/order", "model/equals_codex")
class OutputsInOrderOfCalls(Skeleton):
    """Outputs in a row are put in the order of their calls."""

    def pruned(self, items: Items) -> Items:
        order = {key: place for place, item in enumerate(items) if (key := self.call_key(item))}
        done: list[Item] = []
        run: list[Item] = []
        for item in (*super().pruned(items), {"type": "end"}):
            if self.output_key(item) in order:
                run.append(item)
            else:
                done += [*sorted(run, key=lambda i: order[self.output_key(i) or ("", "")]), item]
                run = []
        return tuple(done[:-1])


@fault("FO(a) FC(a)", "preservation/order", "model/equals_codex")
class EarlyOutputsMovedDown(Skeleton):
    """An output that precedes its call is moved behind it."""

    def pruned(self, items: Items) -> Items:
        kept = list(super().pruned(items))
        for item in [i for i in kept if self.output_key(i)]:
            calls = [
                place for place, i in enumerate(kept) if self.call_key(i) == self.output_key(item)
            ]
            place = next(place for place, i in enumerate(kept) if i is item)
            if calls and place < calls[0]:
                kept.insert(calls[0], kept.pop(place))
        return tuple(kept)


@fault("U U", "preservation/count", "model/equals_codex")
class MessagesMerged(Skeleton):
    """Messages of one role in a row become one."""

    def pruned(self, items: Items) -> Items:
        done: list[Item] = []
        for item in super().pruned(items):
            role = item.get("role")
            if role and done and done[-1].get("role") == role:
                done[-1] = {**done[-1], "content": [*done[-1]["content"], *item["content"]]}
            else:
                done.append(item)
        return tuple(done)


# --- items that change ----------------------------------------------------------------------------


def _changing(
    name: str,
    witness: str,
    sentence: str,
    change: Callable[[Item], Item],
    expected: tuple[str, ...] = _UNCHANGED,
    reason: str = "",
) -> None:
    """Enter the fault that changes items on their way to the prompt."""

    @fault(witness, *expected, name=name, reason=reason)
    class Changing(Skeleton):
        __doc__ = sentence

        def taken(self, history: list[Item]) -> Items:
            return tuple(change(item) for item in super().taken(history))


def _with_texts(change: Callable[[str], str]) -> Callable[[Item], Item]:
    """Return what changes every text in an item."""

    def inner(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: inner(entry) for key, entry in value.items()}
        if isinstance(value, list):
            return [inner(entry) for entry in value]
        return change(value) if isinstance(value, str) else value

    return lambda item: {
        key: inner(value) if key in ("content", "output", "name", "arguments", "input") else value
        for key, value in item.items()
    }


def _with_numbers(change: Callable[[Any], Any]) -> Callable[[Item], Item]:
    """Return what changes every number in an item."""

    def inner(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: inner(entry) for key, entry in value.items()}
        if isinstance(value, list):
            return [inner(entry) for entry in value]
        return change(value) if type(value) in (int, float) else value

    return inner


#: All the keys there are, in somebody's opinion.
_KNOWN_KEYS = {
    *("type", "id", "call_id", "role", "content", "name", "arguments", "input", "output"),
    *("status", "action", "execution", "tools", "result"),
}

_changing(
    "unknown-keys-dropped",
    "U(,zeta=1)",
    "Keys that are not known are dropped.",
    lambda item: (
        {key: item[key] for key in item if key in _KNOWN_KEYS}
        if item["type"].endswith(("message", "_call", "_output"))
        else item
    ),
)
_changing(
    "null-keys-dropped",
    "LS(null) FC(a) FO(a)",
    "Keys with a null value are dropped.",
    lambda item: {key: item[key] for key in item if item[key] is not None},
)
_changing(
    "nested-nulls-dropped",
    r'X(,call_id=a,n:={"m":null})',
    "Null values inside an item are dropped.",
    lambda item: json.loads(
        json.dumps(item),
        object_hook=lambda pairs: {
            key: value
            for key, value in pairs.items()
            if value is not None or key in ("id", "call_id", "encrypted_content", "content")
        },
    ),
)
_changing(
    "empty-keys-dropped",
    "U(,empty)",
    "Keys with an empty value are dropped.",
    lambda item: {key: item[key] for key in item if item[key] not in ("", [])},
)
_changing(
    "null-ids-dropped",
    "U(,id=)",
    "Item ids that are null or empty are dropped.",
    lambda item: {key: item[key] for key in item if key != "id" or item[key]},
)
_changing(
    "keys-sorted",
    "U",
    "The keys of an item are sorted.",
    lambda item: {key: item[key] for key in sorted(item)},
    _REORDERED,
    "nearly every item shows it",
)
_changing(
    "nested-keys-sorted",
    "LS(a) FO(a)",
    "The keys inside an item are sorted.",
    lambda item: {key: json.loads(json.dumps(item[key], sort_keys=True)) for key in item},
    ("preservation/items_unchanged", "media/other_parts_unchanged"),
)
_changing(
    "type-first",
    "FC(a) FO(a)",
    "The call id is moved behind the type.",
    lambda item: {key: item[key] for key in sorted(item, key="call_id type".find, reverse=True)},
    _REORDERED,
)
_changing(
    "floats-for-whole-numbers",
    r"X(,n:=1)",
    "Whole numbers become floats.",
    _with_numbers(float),
)
_changing(
    "whole-numbers-for-floats",
    r"X(,n:=1.0)",
    "Floats without a fraction become whole numbers.",
    _with_numbers(lambda number: int(number) if number == int(number) else number),
)
_changing(
    "big-numbers-rounded",
    r"X(,n:=9007199254740993)",
    "Whole numbers beyond 53 bits are rounded, as in JavaScript.",
    _with_numbers(lambda number: int(float(number)) if isinstance(number, int) else number),
)
_changing(
    "texts-stripped",
    r'FC(a) FO(a,output:="\u0020x")',
    "Texts lose their outer space.",
    _with_texts(str.strip),
)
_changing(
    "texts-composed",
    r'FC(a) FO(a,output:="e\u0301")',
    "Texts are brought into composed Unicode form.",
    _with_texts(lambda text: unicodedata.normalize("NFC", text)),
)
_changing(
    "nuls-removed",
    r'FC(a,name:="a\u0000") FO(a)',
    "NULs are removed from texts.",
    _with_texts(lambda text: text.replace("\0", "")),
)
_changing(
    "line-separators-replaced",
    r'FC(a) FO(a,output:="\u2028")',
    "Unicode line separators become newlines.",
    _with_texts(lambda text: "\n".join(text.splitlines())),
)
_changing(
    "ascii-only",
    r"FC(a) FO(a,output=ü)",
    "Characters outside ASCII become question marks.",
    _with_texts(lambda text: text.encode("ascii", "replace").decode()),
)


def _parsed_again(arguments: object) -> object:
    try:
        return json.dumps(json.loads(str(arguments)))
    except ValueError:
        return arguments


def _mended(arguments: object) -> object:
    try:
        return (
            arguments
            if not isinstance(arguments, str)
            else arguments and json.loads(arguments) and arguments
        )
    except ValueError:
        return "{}"


_changing(
    "arguments-written-anew",
    'FC(a,arguments={"n":1.50}) FO(a)',
    "Arguments that are JSON are parsed and written anew.",
    lambda item: (
        {**item, "arguments": _parsed_again(item["arguments"])}
        if item["type"] == "function_call"
        else item
    ),
)
_changing(
    "cut-off-arguments-mended",
    'FC(a,arguments={"cmd) FO(a)',
    "Arguments that are cut off become an empty object.",
    lambda item: (
        {**item, "arguments": _mended(item["arguments"])}
        if item["type"] == "function_call"
        else item
    ),
)
_changing(
    "empty-arguments-filled",
    "FC(a,arguments=) FO(a)",
    "Empty arguments become an empty object.",
    lambda item: (
        {**item, "arguments": item["arguments"] or "{}"}
        if item["type"] == "function_call"
        else item
    ),
)
_changing(
    "single-text-unwrapped",
    "U(,text)",
    "Content that is a single text becomes a string.",
    lambda item: (
        {**item, "content": item["content"][0]["text"]}
        if item["type"] == "message"
        and [part["type"] for part in item["content"]] == ["input_text"]
        else item
    ),
)
_changing(
    "empty-parts-dropped",
    r'U(,content:=[{"text":""}])',
    "Parts with an empty text are dropped.",
    lambda item: (
        {**item, "content": [p for p in item["content"] if p.get("text") != ""]}
        if item["type"] == "message"
        else item
    ),
    (*_UNCHANGED, "media/part_count_kept"),
)
_changing(
    "running-calls-closed",
    "LS(a,status=in_progress) FO(a)",
    'The status "in_progress" becomes "incomplete".',
    lambda item: {**item, "status": "incomplete"} if item.get("status") == "in_progress" else item,
)
_changing(
    "aborted-rewritten",
    "FC(a) FO(a,aborted)",
    'A recorded "aborted" is told in other words.',
    lambda item: {**item, "output": "interrupted"} if item.get("output") == "aborted" else item,
)
_changing(
    "item-ids-dropped",
    "FC(a,id=fc_1) FO(a)",
    "Item ids are left out of the prompt.",
    lambda item: {key: item[key] for key in item if key != "id"},
    ("identity/derived", "model/equals_specification"),
)
_changing(
    "outputs-written-as-json",
    "FC(a) FO(a,text)",
    "Outputs that are lists of parts become JSON text.",
    lambda item: (
        {**item, "output": json.dumps(item["output"])}
        if isinstance(item.get("output"), list)
        else item
    ),
)
_changing(
    "long-outputs-cut",
    "FC(a) FO(a,output=" + "x" * 300 + ")",
    "Outputs are cut to 256 characters.",
    lambda item: (
        {**item, "output": item["output"][:256]} if isinstance(item.get("output"), str) else item
    ),
)
