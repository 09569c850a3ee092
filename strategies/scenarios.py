"""Scenarios: the shapes behind public bug reports, each in one line of shorthand.

Random faults would reach most of them now and then; here each is reached for certain.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from hypothesis import strategies as st

from normalizer import FAMILIES, FAMILIES_OF_OUTPUT, FAMILY_OF_CALL, Family, Item
from strategies.bits import ZERO, Bits
from strategies.items import ITEM_ID_PREFIX, Writer
from strategies.labelled import Labelled, LabelledHistory, without_labels
from strategies.pools import CALL_IDS
from strategies.shorthand import history_of
from strategies.whole import Draft, Options, checked_options, drafts

#: How many scenarios one history holds at the most.
_MAX_SCENARIOS: Final = 4

#: Every scenario by its name. The names of call ids are placeholders: see `labelled_scenarios`.
SCENARIOS: Final[dict[str, str]] = {
    # Unanswered calls.
    "trailing function call": "FC(a,id=fc_1)",
    "trailing custom call": "CC(a,id=ctc_1)",
    "trailing search call": "TC(a,id=tsc_1)",
    "trailing shell call": "LS(a,id=lsh_1)",
    "reasoning then call": "R FC(a)",
    "parallel, only the middle answered": "FC(a) FC(b) FC(c) FO(b)",
    "parallel families, one answered": "FC(a) CC(b) TC(c) LS(d) CO(b)",
    "unanswered deep inside": "U FC(a) A U FC(b) FO(b) A",
    "unanswered then user message": "FC(a) U",
    "one lost output in each turn": "U FC(a) A U CC(b) A U LS(c) A U TC(d) A",
    "call cut off by compaction": "U CO(a) FC(b) FO(b)",
    "fork while a call runs": "U FC(a) U FC(b) FO(b)",
    "all open": "FC(a) FC(b) CC(c) TC(d) LS(e)",
    # Orphan outputs.
    "orphan first": "FO(a) U FC(b) FO(b)",
    "orphan only": "FO(a)",
    "orphan with image": "FO(a,image)",
    "orphan custom with media": "CO(a,audio,image) A",
    "summary then orphan": "U FO(a) A",
    "orphan of each type": "FO(a) CO(b) TO(c)",
    "run of orphans": "FO(a) FO(b) CO(c) CO(d) U",
    "orphan between call and output": "FC(a) FO(b) FO(a)",
    # Link keys.
    "empty id shared by calls": 'FC("") CC("") FC("")',
    "empty id answered": 'LS("") FO("")',
    "null where allowed": "LS(null) TC(null) FO(null) TO(null)",
    "output without id": "FO(absent) FC(a)",
    "call id equal to item id": "FC(a,id=c1) CC(b,id=c2)",
    "confusable ids, one answered": "FC(a) FC(b) FC(c) FO(a) CC(b) CO(d)",
    "confusable ids across call and output": "FC(a) FO(b) CC(c) CO(d)",
    # Duplicates.
    "two outputs": "FC(a) FO(a) FO(a)",
    "made-up then real output": "FC(a) FO(a,aborted) U FO(a)",
    "call id reused by a later call": "FC(a) FO(a) U FC(a)",
    "call repeated, none answered": "FC(a,id=fc_1) U FC(a,id=fc_2)",
    "whole history twice": "U FC(a) FO(a) CC(b) U FC(a) FO(a) CC(b)",
    "one item twice in a row": "CC(a) CC(a) CO(a)",
    "one item id on two calls": "FC(a,id=fc_1) FC(b,id=fc_1) LS(c,id=fc_1)",
    # Order.
    "output before call": "FO(a) FC(a)",
    "output before call, custom": "CO(a) U CC(a)",
    "user message in between": "FC(a) U FO(a)",
    "developer message in between": "FC(a) D FO(a)",
    "assistant message in between": "FC(a) A FO(a)",
    "outputs in another order": "FC(a) CC(b) FC(c) FO(c) CO(b) FO(a)",
    "two agents interleaved": "U FC(a) U CC(b) FO(a) A CO(b) A",
    # Families.
    "function call, custom output": "FC(a) CO(a)",
    "custom call, function output": "CC(a) FO(a)",
    "function call, search output": "FC(a) TO(a)",
    "search call, function output": "TC(a) FO(a)",
    "search call, custom output": "TC(a) CO(a)",
    "custom call, search output": "CC(a) TO(a)",
    "shell call, custom output": "LS(a) CO(a)",
    "shell call, search output": "LS(a) TO(a)",
    "four calls with one id, one answered": "FC(a) LS(a) CC(a) TC(a) CO(a)",
    "four calls with one id, none answered": "TC(a) CC(a) LS(a) FC(a)",
    "function and shell share an output": "FC(a) LS(a) FO(a)",
    "function and shell share an open id": "FC(a,id=fc_1) LS(a,id=lsh_1)",
    "outputs of the next family": "FC(a) CO(a) CC(b) TO(b) LS(c) TO(c) TC(d) FO(d)",
    "outputs of the family before": "FC(a) TO(a) CC(b) FO(b) LS(c) CO(c) TC(d) CO(d)",
    "early outputs of the next family": "CO(a) FC(a) TO(b) CC(b) TO(c) LS(c) FO(d) TC(d)",
    "early outputs of the family before": "TO(a) FC(a) FO(b) CC(b) CO(c) LS(c) CO(d) TC(d)",
    "custom call with a function's item id": "CC(a,id=fc_1)",
    # Server-executed searches.
    "server search call": "TC(a,server)",
    "server search call without id": "TC(null,server)",
    "server search pair": "TC(a,server) TO(a,server)",
    "server search output": "TO(a,server)",
    "server search output without id": "TO(null,server)",
    "client search pair": "TC(a) TO(a)",
    "client search output": "TO(a)",
    "client call, server output": "TC(a) TO(b,server)",
    # Media.
    "image in a user message": "U(,text,image)",
    "image in an output": "FC(a) FO(a,image)",
    "media in a custom output": "CC(a) CO(a,text,audio,image)",
    "media in outputs without id": "FO(absent,image) FO(null,audio)",
    "image in every part": "U(,image,image,image)",
    "audio beside image": "A(,audio,image)",
    "base64 as text": "U(,base64)",
    "placeholder as text": "U(,placeholder,image)",
    "generated image": "G",
    "empty content": "U(,empty) A(,empty)",
    "media beside an open call": "U(,image) FC(a) D(,audio) FO(b,image)",
    # Payloads.
    "cut-off arguments": 'FC(a,arguments={"cmd":"l)',
    "empty arguments": "FC(a,arguments=)",
    "unknown item": "X FC(a)",
    "unknown key": "FC(a,zeta=1) FO(b,eta=2) U(,theta=3)",
    "unknown part": "U(,video,image)",
}


def scenario_histories(
    *,
    families: Collection[Family] = FAMILIES,
    media: bool = True,
    unknown: bool = True,
    max_items: int = 200,
) -> st.SearchStrategy[list[Item]]:
    """Whole histories with one to six of `SCENARIOS` in their midst.

    The options are those of `histories`.
    """
    options = checked_options(families, media=media, unknown=unknown, max_items=max_items)
    return without_labels(labelled_scenarios(options))


def labelled_scenarios(options: Options) -> st.SearchStrategy[LabelledHistory]:
    """Scenarios with their labels; their call ids come from the set that the history uses."""
    fitting = [name for name, text in SCENARIOS.items() if _fits(text, options)]
    fitting.sort(key=lambda name: len(SCENARIOS[name].split()))  # shrinks towards short ones
    return drafts(options, extras=_MAX_SCENARIOS).map(lambda draft: _with_scenarios(draft, fitting))


def _with_scenarios(draft: Draft, fitting: Sequence[str]) -> LabelledHistory:
    """Put some scenarios, one after another, between two blocks of the draft."""
    names = [Bits(code).choice(fitting, 24) for code in draft.extras]
    shapes = [item for name in names for item in _shape(name, draft.writer)]
    shapes += _confusables(draft.writer, Bits(draft.extras[0])) if draft.bits.number(1) else []
    place = draft.bits.number(3) % (len(draft.blocks) + 1)
    if draft.bits.number(1):  # In a long history the end is as good a place as the head.
        place = len(draft.blocks) - place
    before = [item for block in draft.blocks[:place] for item in block]
    after = [item for block in draft.blocks[place:] for item in block]
    labels = ("kind: scenario", *(f"scenario: {name}" for name in names), *draft.labels)
    return Labelled([*before, *shapes, *after], labels)


def _shape(name: str, writer: Writer) -> list[Item]:
    ids: dict[str, str] = {}

    def name_of(letter: str) -> str:
        # Each scenario has ids of its own: side by side they stay the shapes that they are.
        if letter not in ids:
            ids[letter] = writer.next_call_id()
        return ids[letter]

    items = history_of(SCENARIOS[name], name_of)
    return [item if "id" in item else item | _item_id(item, writer) for item in items]


def _item_id(item: Item, writer: Writer) -> Item:
    family = FAMILY_OF_CALL.get(item["type"])
    return writer.item_id(ITEM_ID_PREFIX[family.name]) if family else {}


def _confusables(writer: Writer, bits: Bits) -> list[Item]:
    """Return open calls and orphans whose call ids careless code takes for each other.

    Whole sets of them, and more than one: each confusion has to show in every run.
    """
    first, family = bits.number(6), bits.choice(writer.families, 2)
    sets = tuple(CALL_IDS.values())[1:]
    call_ids = [*sets[first % len(sets)], *sets[(first + 3) % len(sets)]]
    return [
        writer.output(family, call_id, Bits(ZERO))
        if bits.number(1)
        else writer.call(family, call_id, Bits(ZERO))
        for call_id in call_ids
    ]


def _fits(text: str, options: Options) -> bool:
    items = history_of(text)
    if not options.media and any(word in text for word in ("image", "audio", "G")):
        return False
    if not options.unknown and any(word in text for word in ("X", "video", "zeta")):
        return False
    return all(_allowed(item, options.families) for item in items)


def _allowed(item: Item, families: Collection[Family]) -> bool:
    kind = item["type"]
    if kind in FAMILY_OF_CALL:
        return FAMILY_OF_CALL[kind] in families
    if kind in FAMILIES_OF_OUTPUT:
        return any(family in families for family in FAMILIES_OF_OUTPUT[kind])
    return True
