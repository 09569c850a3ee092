"""`normalize` and `repairs`: one plan, two uses, and the caller's history left alone."""

# Asserts read `expected == actual` here.
from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import ChainMap, OrderedDict, UserDict, UserList, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from itertools import combinations, pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from normalizer import (
    FAMILIES,
    FAMILY_OF_CALL,
    MODALITIES,
    Item,
    Repair,
    made_up_id,
    normalize,
    repairs,
)
from properties.golden import FOLDER, GoldenRow, golden_rows
from properties.selfcheck.helpers import call, message, mutables

ROWS = list(golden_rows())

#: Every set of modalities there is.
MODALITY_SETS = [
    frozenset(names)
    for size in range(len(MODALITIES) + 1)
    for names in combinations(MODALITIES, size)
]

each_modality_set = pytest.mark.parametrize(
    "modalities", MODALITY_SETS, ids=lambda names: "+".join(sorted(names)) or "none"
)

#: Prints the prompts of the golden rows; run in a process of its own.
PROMPTS = """
import json, sys
from normalizer import normalize
for line in open(sys.argv[1], encoding="utf-8"):
    row = json.loads(line)
    print(json.dumps(normalize(row["history"], row["modalities"])))
"""

IMAGE = {"type": "input_image", "file_id": "file-1"}
AUDIO = {"type": "input_audio", "file_id": "file-2"}
NO_IMAGE = {
    "type": "input_text",
    "text": "image content omitted because you do not support image input",
}
NO_AUDIO = {
    "type": "input_text",
    "text": "audio content omitted because you do not support audio input",
}


class Example(NamedTuple):
    """A history, and what is to be repaired in it for a model that takes text only."""

    history: list[Item]
    #: Index, action, type, call id and media of each repair.
    expected: list[tuple[int, str, str, str | None, tuple[str, ...]]]
    #: What the reasons must hold, one for each repair.
    words: list[str]


EXAMPLES = {
    "nothing": Example([], [], []),
    "whole": Example(
        [call("c"), {"type": "function_call_output", "call_id": "c", "output": "ok"}], [], []
    ),
    "output before its call": Example(
        [{"type": "function_call_output", "call_id": "c", "output": "ok"}, call("c")], [], []
    ),
    "unanswered": Example(
        [message("a"), call("c"), message("b")],
        [(1, "answered", "function_call", "c", ())],
        ["function_call_output"],
    ),
    "the empty string is an id": Example(
        [call("")], [(0, "answered", "function_call", "", ())], ["function_call_output"]
    ),
    "unanswered twice": Example(
        [call("c"), call("c")],
        [(0, "answered", "function_call", "c", ()), (1, "answered", "function_call", "c", ())],
        ["function_call_output", "function_call_output"],
    ),
    "orphan": Example(
        [{"type": "function_call_output", "call_id": "c", "output": "ok"}, message("a")],
        [(0, "dropped", "function_call_output", "c", ())],
        ["function_call or local_shell_call"],
    ),
    "output of another family": Example(
        [call("c"), {"type": "custom_tool_call_output", "call_id": "c", "output": "ok"}],
        [
            (0, "answered", "function_call", "c", ()),
            (1, "dropped", "custom_tool_call_output", "c", ()),
        ],
        ["function_call_output", "custom_tool_call"],
    ),
    "a local shell call vouches for a function output": Example(
        [
            {"type": "local_shell_call", "call_id": "c", "status": "completed", "action": {}},
            {"type": "function_call_output", "call_id": "c", "output": "ok"},
        ],
        [],
        [],
    ),
    "server search": Example(
        [{"type": "tool_search_output", "call_id": "c", "execution": "server", "tools": []}], [], []
    ),
    "without a call id": Example(
        [
            {"type": "tool_search_call", "call_id": None, "execution": "server", "arguments": {}},
            {"type": "function_call_output", "output": "an outside event"},
            {"type": "tool_search_output", "call_id": None, "execution": "client", "tools": []},
        ],
        [],
        [],
    ),
    "media": Example(
        [message("a"), {"type": "message", "role": "user", "content": [IMAGE, AUDIO, IMAGE]}],
        [(1, "replaced", "message", None, ("image", "audio", "image"))],
        ["image or audio"],
    ),
    "media in an answer": Example(
        [call("c"), {"type": "function_call_output", "call_id": "c", "output": [AUDIO]}],
        [(1, "replaced", "function_call_output", "c", ("audio",))],
        ["audio"],
    ),
    "media in an orphan": Example(
        [{"type": "custom_tool_call_output", "call_id": "c", "output": [IMAGE]}],
        [(0, "dropped", "custom_tool_call_output", "c", ())],
        ["custom_tool_call"],
    ),
    "generated image": Example(
        [{"type": "image_generation_call", "id": "ig_1", "result": "aGk="}],
        [(0, "replaced", "image_generation_call", None, ("image",))],
        ["image"],
    ),
}


class Strings(list[str]):
    """A list of another class."""


def rebuilt(history: Sequence[Item], made: Iterable[Repair]) -> list[Item]:
    """Return the prompt that the repairs of a history make of it."""
    instead = {repair.index: repair.items for repair in made}
    return [item for index, kept in enumerate(history) for item in instead.get(index, (kept,))]


def classes(value: Any) -> set[type]:
    """Return the class of every container in `value`."""
    inner = value.values() if isinstance(value, Mapping) else value
    if not isinstance(value, Mapping | list | tuple):
        return set()
    return {type(value)}.union(*map(classes, inner))


# --- one plan -------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_repairs_carried_out_give_codexs_prompt(row: GoldenRow) -> None:
    """A history with its repairs put in place is what Codex sent."""

    assert row.prompt == rebuilt(row.history, repairs(row.history, row.modalities))


@each_modality_set
def test_repairs_carried_out_give_what_normalize_gives(modalities: frozenset[str]) -> None:
    """For every model, `repairs` tells of exactly the changes that `normalize` makes."""
    expected = [normalize(row.history, modalities) for row in ROWS]

    assert expected == [rebuilt(row.history, repairs(row.history, modalities)) for row in ROWS]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_each_repair_tells_of_the_item_at_its_index(row: GoldenRow) -> None:
    """Repairs come in the history's order, one for an item, with that item's type and call id."""
    made = repairs(row.history, row.modalities)
    items = [row.history[repair.index] for repair in made]

    assert all(before.index < after.index for before, after in pairwise(made))
    assert [item["type"] for item in items] == [repair.type for repair in made]
    assert [item.get("call_id") for item in items] == [repair.call_id for repair in made]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_action_tells_what_stands_in_the_items_place(row: GoldenRow) -> None:
    """A call is answered by one item more, an output dropped for none, an item replaced by one."""
    counts = {"answered": 2, "dropped": 0, "replaced": 1}
    made = repairs(row.history, row.modalities)

    assert [counts[repair.action] for repair in made] == [len(repair.items) for repair in made]


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_repairs_say_which_item_and_what_is_done_to_it(example: Example) -> None:
    """Each repair names the item's index, type and call id, what happens to it, and its media."""
    found = [
        (repair.index, repair.action, repair.type, repair.call_id, repair.media)
        for repair in repairs(example.history, ["text"])
    ]

    assert example.expected == found


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_the_reason_for_a_repair_names_what_is_lacking(example: Example) -> None:
    """The reason names the types that would have kept the item as it is, or the media."""
    reasons = [repair.reason for repair in repairs(example.history, ["text"])]

    assert len(example.words) == len(reasons)
    assert all(word in reason for word, reason in zip(example.words, reasons, strict=True))


def test_media_give_way_to_texts_in_their_places() -> None:
    """Each part that the model does not take becomes a text, the others stay where they are."""
    history = [{"type": "message", "role": "user", "content": [IMAGE, {"type": "x"}, AUDIO]}]
    [prompt] = normalize(history, ["text"])

    assert [NO_IMAGE, {"type": "x"}, NO_AUDIO] == prompt["content"]


@pytest.mark.parametrize("part", [None, 7, "input_image", [], [IMAGE], {}, {"type": [IMAGE]}])
def test_parts_of_odd_types_are_no_media(part: object) -> None:
    """What is no object with a known `type` passes as it is, even in a list of parts."""
    history = [{"type": "message", "role": "user", "content": [part]}]

    assert history == normalize(history, ["text"])


@pytest.mark.parametrize(
    "item",
    [
        {"type": "message", "role": "user", "content": "input_image"},
        {"type": "message", "role": "user"},
        {"type": "function_call_output", "output": {"type": "input_image"}},
        {"type": "telepathy_call", "call_id": 7, "id": [], "content": [IMAGE]},
        {"type": "message", "role": "user", "content": [], "id": 7, "call_id": []},
    ],
    ids=str,
)
def test_what_no_rule_is_about_passes_unchanged(item: Item) -> None:
    """Unknown types and odd values outside the pairing keys are nobody's business."""

    assert [item] == normalize([item], ["text"])


def test_modalities_may_be_any_collection() -> None:
    """A list, a set, a tuple and the keys of a dict name the same modalities."""
    history = [{"type": "message", "role": "user", "content": [IMAGE, AUDIO]}]
    names = ["text", "image", "image"]
    expected = normalize(history, frozenset(names))

    assert [expected] * 3 == [
        normalize(history, names),
        normalize(history, tuple(names)),
        normalize(history, dict.fromkeys(names)),
    ]


# --- made-up ids ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "item_id", "expected"),
    [
        ("function", "fc_1", "fco_d08ee114-ed5d-5706-8dbd-16ccacd40aa4"),
        ("function", "fc_c1", "fco_3db172e6-4390-5d67-8891-2ced1c2500e6"),
        ("function", "fc_ключ", "fco_aea4006d-b1b5-5570-a06b-25f440b3dc33"),
        ("local_shell", "fc_1", "fco_d08ee114-ed5d-5706-8dbd-16ccacd40aa4"),
        ("local_shell", "lsh_c1", "fco_9cd281ab-73a0-56e3-a8bd-1438fa495520"),
        ("custom", "ctc_c1", "ctco_7b65c441-192a-5b2a-a8e1-c919d3d9d755"),
        ("tool_search", "tsc_c1", "tso_9569c4a5-160a-59bb-b9cb-9ae69d4f5e76"),
    ],
)
def test_made_up_ids_are_the_ones_that_codex_derives(
    name: str, item_id: str, expected: str
) -> None:
    """The id of a made-up output is that of Codex, to the last digit."""
    [family] = [family for family in FAMILIES if family.name == name]

    assert expected == made_up_id(family, item_id)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_made_up_output_carries_the_id_made_for_its_call(row: GoldenRow) -> None:
    """The id depends on the call's family and item id only; a call without one gets none."""
    answered = [made.items for made in repairs(row.history) if made.action == "answered"]

    assert [
        made_up_id(FAMILY_OF_CALL[asked["type"]], asked["id"]) if asked.get("id") else None
        for asked, _ in answered
    ] == [output.get("id") for _, output in answered]


@pytest.mark.parametrize("asked", [call("c"), call("c", id=None), call("c", id="")], ids=str)
def test_a_call_without_an_item_id_gets_an_output_without_one(asked: Item) -> None:
    """Where the id is absent, null or empty the made-up output has no such key."""

    assert {"type", "call_id", "output"} == normalize([asked])[1].keys()


@pytest.mark.parametrize("seed", ["0", "1", "4294967295"])
def test_prompts_are_the_same_in_another_process(seed: str) -> None:
    """Another process with another hash seed makes the same prompts, ids and key order included."""
    expected = "".join(f"{json.dumps(normalize(row.history, row.modalities))}\n" for row in ROWS)
    printed = subprocess.run(
        [sys.executable, "-c", PROMPTS, FOLDER / "golden.jsonl"],
        env={**os.environ, "PYTHONHASHSEED": seed},
        cwd=FOLDER.parents[1],
        capture_output=True,
        check=True,
        text=True,
        timeout=60,
    ).stdout

    assert expected == printed


# --- the caller's history -------------------------------------------------------------------------


@each_modality_set
def test_the_history_stays_as_it_is(modalities: frozenset[str]) -> None:
    """Neither function changes the history, down to the order of its keys."""
    before = json.dumps([row.history for row in ROWS])
    for row in ROWS:
        normalize(row.history, modalities)
        repairs(row.history, modalities)

    assert before == json.dumps([row.history for row in ROWS])


@each_modality_set
def test_a_prompt_shares_nothing_mutable_with_its_history(modalities: frozenset[str]) -> None:
    """No dict or list of the history is in the prompt or in a repair."""
    for row in ROWS:
        theirs = mutables(row.history)
        made = [repair.items for repair in repairs(row.history, modalities)]

        assert set() == theirs.keys() & mutables(normalize(row.history, modalities)).keys()
        assert set() == theirs.keys() & mutables(made).keys()


def test_prompts_share_nothing_mutable_with_each_other() -> None:
    """Two made-up outputs, and two prompts of one history, have no dict or list in common."""
    search = {"type": "tool_search_call", "call_id": "c", "execution": "client", "arguments": {}}
    history = [search, dict(search)]
    first, second = normalize(history), normalize(history)

    assert set() == mutables(first).keys() & mutables(second).keys()
    assert first[1]["tools"] is not first[3]["tools"]


def test_one_item_that_stands_twice_gives_two_items() -> None:
    """An object that the history holds twice is copied twice."""
    twice = message("a")
    first, second = normalize([twice, twice])

    assert first == second
    assert set() == mutables(first).keys() & mutables(second).keys()


@pytest.mark.parametrize(
    ("odd", "plain"),
    [
        (OrderedDict(a=[1]), {"a": [1]}),
        (defaultdict(list, a=[1]), {"a": [1]}),
        (MappingProxyType({"a": [1]}), {"a": [1]}),
        (UserDict(a=[1]), {"a": [1]}),
        (ChainMap({"a": [1]}), {"a": [1]}),
        (Strings("ab"), ["a", "b"]),
        ([OrderedDict(a=Strings("ab"))], [{"a": ["a", "b"]}]),
        (MappingProxyType({"a": MappingProxyType({"b": [1]})}), {"a": {"b": [1]}}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_containers_of_other_classes_become_plain_ones(odd: Any, plain: object) -> None:
    """Mappings and lists of other classes arrive as dicts and lists, at any depth."""
    [prompt] = normalize([{"type": "message", "odd": odd}])

    assert plain == prompt["odd"]
    assert {dict, list} >= classes(prompt["odd"])
    assert set() == mutables(odd).keys() & mutables(prompt).keys()


@pytest.mark.parametrize(
    "odd",
    [
        ([1], {"a": [1]}),
        [([1],)],
        (MappingProxyType({"a": [1]}),),
    ],
    ids=["of lists", "in a list", "of mappings"],
)
def test_tuples_share_nothing_mutable(odd: Any) -> None:
    """A tuple is equal in the prompt, and what it holds is copied."""
    [prompt] = normalize([{"type": "message", "odd": odd}])

    assert odd == prompt["odd"]
    assert set() == mutables(odd).keys() & mutables(prompt).keys()


def test_what_is_no_json_is_copied_deeply() -> None:
    """A value of any other class is equal in the prompt, and shares nothing with the history's."""
    odd = deque([[1]])
    [prompt] = normalize([{"type": "message", "odd": odd}])

    assert odd == prompt["odd"]
    assert prompt["odd"][0] is not odd[0]


@pytest.mark.parametrize("kind", [OrderedDict, MappingProxyType, UserDict, ChainMap])
def test_items_may_be_mappings_of_any_class(kind: type) -> None:
    """Items of other classes are repaired like dicts, and arrive as dicts."""
    image = {"type": "message", "role": "user", "content": [kind(IMAGE)]}
    plain = [call("c", id="fc_1"), {**image, "content": [IMAGE]}]
    history = [kind(call("c", id="fc_1")), kind(image)]
    prompt = normalize(history, ["text"])

    assert normalize(plain, ["text"]) == prompt
    assert {dict, list} == classes(prompt)


@pytest.mark.parametrize(
    "kind",
    [
        tuple,
        UserList,
        deque,
    ],
)
def test_a_history_may_be_a_sequence_of_any_class(kind: type) -> None:
    """A tuple, a list of another class and a deque hold a history as well as a list."""
    items = [message("a"), call("c"), message("b")]
    before = deepcopy(items)

    assert normalize(items) == normalize(kind(items))
    assert repairs(items) == repairs(kind(items))
    assert before == items


def test_a_generated_image_that_is_empty_needs_no_repair() -> None:
    """There is nothing left to take away, and nothing to report."""
    empty = {"type": "image_generation_call", "id": "ig_1", "status": "completed", "result": ""}

    assert [] == repairs([empty], {"text"})
    assert [0] == [repair.index for repair in repairs([empty | {"result": "iVBO"}], {"text"})]
