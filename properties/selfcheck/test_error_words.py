"""What errors say, word for word: people search for it, and programs look at its parts."""

# Asserts read `expected == actual` here.
from __future__ import annotations

from typing import Any

import pytest

from normalizer import HistoryError, SourceError, normalize, repairs
from normalizer.fields import problem_of
from normalizer.strict_json import NotJson, parse
from properties.selfcheck.helpers import call, message

LONE_SURROGATE = "fc_\ud83d"


@pytest.mark.parametrize(
    ("history", "index", "key", "problem"),
    [
        ("text", None, None, "expected a list of items, got str"),
        (b"text", None, None, "expected a list of items, got bytes"),
        (7, None, None, "expected a list of items, got int"),
        ([message("a"), None], 1, None, "expected an object, got NoneType"),
        ([7], 0, None, "expected an object, got int"),
        ([{}], 0, "type", "expected a string, got nothing"),
        ([{"type": 7}], 0, "type", "expected a string, got int"),
        (
            [call("a"), call("b") | {"call_id": 7}],
            1,
            "call_id",
            "expected a string or null, got int",
        ),
        ([call("a", id=[])], 0, "id", "expected a string or null, got list"),
        ([call("a", id=LONE_SURROGATE)], 0, "id", "holds a lone surrogate"),
    ],
)
def test_a_history_error_names_the_place_and_the_problem(
    history: Any, index: int | None, key: str | None, problem: str
) -> None:
    """In its message and, for programs, in parts."""
    with pytest.raises(HistoryError) as caught:
        normalize(history)
    place = "history" if index is None else f"item {index}"
    place += f", key {key!r}" if key else ""

    assert f"{place}: {problem}" == str(caught.value)
    assert (problem, index, key) == (caught.value.problem, caught.value.index, caught.value.key)


def test_a_source_error_names_the_file_and_the_problem() -> None:
    """The same, for files."""
    error = SourceError("r.jsonl", "empty")

    assert ("r.jsonl: empty", "empty") == (str(error), error.problem)


@pytest.mark.parametrize(
    ("modalities", "words"),
    [
        ("text", "modalities: a collection of names, not the string 'text'"),
        (["video"], "unknown modality 'video': choose from text, image, audio"),
    ],
)
def test_a_wrong_modality_is_told(modalities: Any, words: str) -> None:
    """With what to choose from."""
    with pytest.raises(ValueError, match="modalit") as caught:
        normalize([], modalities)

    assert words == str(caught.value)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"{\xff}", "not UTF-8 at byte 1"),
        (b'{"a": 1}\0', "NUL bytes"),
        (b"\xef\xbb\xbf{}", "starts with a byte order mark"),
        (b'{"a": 1} {}', "text after the value at column 10"),
        (b'{"a": "b', "cut off"),
        (b'{"a": "b\n', "cut off"),
        (b'{"a":  ', "cut off"),
        (
            b"{'a'}",
            "not JSON: Expecting property name enclosed in double quotes at line 1 column 2",
        ),
        (b"[1,\n x]", "not JSON: Expecting value at line 2 column 2"),
        (b"[NaN]", "NaN is no JSON number"),
        (b"[-Infinity]", "-Infinity is no JSON number"),
        (b"[1e999]", "number out of range: 1e999"),
        (b"[1" + b"0" * 400 + b".5]", "number out of range: 1" + "0" * 19),
        (rb'["\ud83d"]', "lone surrogate escape"),
        (rb'{"\uDD27": 1}', "lone surrogate escape"),
        (b"[" * 128 + b"]" * 128, "nested deeper than 127"),
        (b'[{"a":' * 64 + b"1" + b"}]" * 64, "nested deeper than 127"),
        (b"[" * 200_000 + b"]" * 200_000, "nested too deep"),
    ],
)
def test_what_is_no_json_is_told_in_a_few_words(data: bytes, words: str) -> None:
    """Where it helps, with the place."""
    with pytest.raises(NotJson) as caught:
        parse(data)

    assert words == str(caught.value)


@pytest.mark.parametrize("levels", [126, 127])
def test_many_brackets_are_no_deep_nesting(levels: int) -> None:
    """The depth counts, and not how many there are."""
    deep = b"[" * (levels - 1) + b"]" * (levels - 1)

    assert 3 == len(parse(b"[" + deep + b", {}, []]"))


@pytest.mark.parametrize(
    ("item", "words"),
    [
        (None, "the item is not an object"),
        ({}, "the item has no string 'type'"),
        ({"type": 7}, "the item has no string 'type'"),
        ({"type": "message", "content": []}, "message needs 'role': a string"),
        ({"type": "message", "role": "user"}, "message needs 'content': a list of parts"),
        (call("a") | {"call_id": None}, "function_call needs 'call_id': a string"),
        (call("a", id=7), "function_call needs 'id': a string or null"),
        ({"type": "ghost_snapshot", "id": 7}, "ghost_snapshot needs 'id': a string or null"),
        (
            {"type": "function_call_output"},
            "function_call_output needs 'output': a string or a list of parts",
        ),
        (
            {"type": "tool_search_call", "execution": "client"},
            "tool_search_call needs 'arguments': any value",
        ),
        ({"type": "reasoning"}, "reasoning needs 'summary': a list"),
    ],
)
def test_a_field_that_is_missing_is_told(item: Any, words: str) -> None:
    """With the type that needs it, and what it has to hold."""
    assert words == problem_of(item)


@pytest.mark.parametrize(
    ("action", "is_whole"),
    [
        ({"type": "exec", "command": ["ls"]}, True),
        ({"type": "exec", "command": []}, True),
        ({"type": "exec", "command": ["ls", 7]}, False),
        ({"type": "exec", "command": "ls"}, False),
        ({"type": "exec", "command": None}, False),
        ({"type": "exec"}, False),
        ({"type": "run", "command": ["ls"]}, False),
        ({"command": ["ls"]}, False),
        ("ls", False),
    ],
)
def test_a_shell_call_needs_a_command_of_words(action: Any, is_whole: bool) -> None:
    """A list of strings, to be executed."""
    item = {"type": "local_shell_call", "status": "completed", "action": action}

    expected = None if is_whole else "local_shell_call needs 'action': a command to execute"
    assert expected == problem_of(item)


@pytest.mark.parametrize(
    ("part", "is_whole"),
    [
        ({"type": "input_text", "text": ""}, True),
        ({"type": "output_text", "text": ""}, True),
        ({"type": "input_image", "image_url": ""}, True),
        ({"type": "input_image", "file_id": ""}, True),
        ({"type": "input_audio", "audio_url": ""}, True),
        ({"type": "future"}, True),
        ({"type": "input_text"}, False),
        ({"type": "output_text", "text": 7}, False),
        ({"type": "input_image", "audio_url": ""}, False),
        ({"type": "input_audio", "image_url": ""}, False),
        ({"text": "a"}, False),
    ],
)
def test_a_part_needs_what_its_type_carries(part: Any, is_whole: bool) -> None:
    """One of an unknown type needs nothing more."""
    whole = {"type": "input_text", "text": "a"}
    item = {"type": "message", "role": "user", "content": [whole, part]}

    assert (None if is_whole else "message needs 'content': a list of parts") == problem_of(item)


def test_a_repair_says_why() -> None:
    """One sentence for each action."""
    image, audio = {"type": "input_image"}, {"type": "input_audio"}
    history = [
        call("a"),
        {"type": "tool_search_call", "call_id": "t"},
        {"type": "function_call_output", "call_id": "b", "output": "x"},
        {"type": "custom_tool_call_output", "call_id": "c", "output": "x"},
        {"type": "message", "role": "user", "content": [audio, image, audio]},
        {"type": "image_generation_call", "result": "x"},
    ]

    assert [
        "no function_call_output carries its call id",
        "no tool_search_output carries its call id",
        "no function_call or local_shell_call carries its call id",
        "no custom_tool_call carries its call id",
        "the model does not take audio or image input",
        "the model does not take image input",
    ] == [repair.reason for repair in repairs(history, {"text"})]
