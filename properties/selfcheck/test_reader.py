"""The rollout reader: exactly Codex's prompt, whatever the file has been through."""

# Asserts read `expected == actual` here.
from __future__ import annotations

import json
import shutil
import tracemalloc
from pathlib import Path
from typing import Any, Final

import pytest

from normalizer import Item, Note, Rollout, normalize, read_rollout
from normalizer.rollout import is_envelope
from properties.golden import FOLDER
from properties.selfcheck.helpers import (
    Recording,
    as_sent,
    call,
    line,
    message,
    recordings,
    snapshot,
    written,
)

DAMAGED = recordings("damaged") + recordings("refused")

#: The one line that Codex does not read in each file of `damaged` and `refused`, and a word of the
#: reason. The files that are not listed have none.
SKIPPED = {
    "bom_line": (5, "byte order mark"),
    "call_id_null_function": (4, "'call_id'"),
    "call_id_number": (4, "'call_id'"),
    "deep_nesting": (5, "127"),
    "garbage_line": (5, "cut off"),
    "invalid_utf8_line": (5, "UTF-8"),
    "line_is_array": (5, "not an object"),
    "line_is_string": (5, "not an object"),
    "lone_surrogate_escape": (5, "lone surrogate"),
    "missing_call_id": (4, "'call_id'"),
    "nan_number": (5, "NaN"),
    "no_timestamp": (5, "'timestamp'"),
    "nul_before_line": (5, "NUL"),
    "nul_line": (5, "NUL"),
    "nul_tail": (5, "NUL"),
    "number_item_id": (4, "'id'"),
    "output_null": (5, "'output'"),
    "output_number": (5, "'output'"),
    "output_object": (5, "'output'"),
    "payload_list": (5, "not an object"),
    "torn_tail": (5, "cut off"),
    "torn_tail_in_utf8": (5, "UTF-8"),
    "torn_then_whole_on_one_line": (4, "not JSON"),
    "two_on_one_line": (4, "text after"),
}

#: A whole item of each type that Codex knows, in the form it writes.
WHOLE: dict[str, Item] = {
    "message": message("hi"),
    "function_call": call("c"),
    "custom_tool_call": {
        "type": "custom_tool_call",
        "call_id": "c",
        "name": "apply_patch",
        "input": "*** Begin Patch",
    },
    "local_shell_call": {
        "type": "local_shell_call",
        "call_id": "c",
        "status": "completed",
        "action": {"type": "exec", "command": ["ls"]},
    },
    "tool_search_call": {
        "type": "tool_search_call",
        "call_id": "c",
        "execution": "client",
        "arguments": {"query": "x"},
    },
    "function_call_output": {"type": "function_call_output", "call_id": "c", "output": "ok"},
    "custom_tool_call_output": {"type": "custom_tool_call_output", "call_id": "c", "output": "ok"},
    "tool_search_output": {
        "type": "tool_search_output",
        "call_id": "c",
        "status": "completed",
        "execution": "client",
        "tools": [],
    },
    "reasoning": {"type": "reasoning", "summary": []},
    "web_search_call": {"type": "web_search_call", "status": "completed"},
}

#: Stands for a key that is not there.
ABSENT = "<absent>"

Values = tuple[Any, ...]

_NO_STRING: Final[Values] = (ABSENT, None, 7, True, [], {})
_NEITHER_STRING_NOR_NULL: Final[Values] = (7, True, [], {})
_NO_PARTS: Final[Values] = (ABSENT, None, 7, "text", {}, [None], ["x"], [[]], [{}], [{"type": 7}])
_NEITHER_STRING_NOR_PARTS: Final[Values] = (
    ABSENT,
    None,
    7,
    {},
    [None],
    ["x"],
    [[]],
    [{}],
    [{"type": 7}],
)

#: What each field must not hold.
WRONG: dict[tuple[str, str], Values] = {
    ("message", "role"): _NO_STRING,
    ("message", "content"): _NO_PARTS,
    ("function_call", "name"): _NO_STRING,
    ("function_call", "arguments"): _NO_STRING,
    ("function_call", "call_id"): _NO_STRING,
    ("custom_tool_call", "name"): _NO_STRING,
    ("custom_tool_call", "input"): _NO_STRING,
    ("custom_tool_call", "call_id"): _NO_STRING,
    ("local_shell_call", "status"): (ABSENT,),
    ("local_shell_call", "action"): (ABSENT,),
    ("local_shell_call", "call_id"): _NEITHER_STRING_NOR_NULL,
    ("tool_search_call", "execution"): _NO_STRING,
    ("tool_search_call", "arguments"): (ABSENT,),
    ("tool_search_call", "call_id"): _NEITHER_STRING_NOR_NULL,
    ("function_call_output", "output"): _NEITHER_STRING_NOR_PARTS,
    ("function_call_output", "call_id"): _NEITHER_STRING_NOR_NULL,
    ("custom_tool_call_output", "output"): _NEITHER_STRING_NOR_PARTS,
    ("custom_tool_call_output", "call_id"): _NO_STRING,
    ("tool_search_output", "status"): _NO_STRING,
    ("tool_search_output", "execution"): _NO_STRING,
    ("tool_search_output", "tools"): (ABSENT, None, 7, "x", {}),
    ("tool_search_output", "call_id"): _NEITHER_STRING_NOR_NULL,
    **{(kind, "id"): _NEITHER_STRING_NOR_NULL for kind in WHOLE},
}

#: Fields that Codex does not insist on.
FREE: tuple[tuple[str, str, Any], ...] = (
    *((kind, "id", value) for kind in WHOLE for value in (ABSENT, None, "", "日本_1")),
    ("function_call", "call_id", ""),
    ("function_call", "arguments", "not JSON"),
    ("function_call_output", "call_id", ABSENT),
    ("function_call_output", "call_id", None),
    ("function_call_output", "output", []),
    ("custom_tool_call_output", "output", [{"type": "input_text", "text": "x"}]),
    ("local_shell_call", "call_id", None),
    ("tool_search_call", "call_id", None),
    ("tool_search_call", "arguments", None),
    ("tool_search_output", "call_id", None),
    ("message", "content", []),
    ("message", "some_newer_key", {"a": [1]}),
)


def with_field(kind: str, key: str, value: Any) -> Item:
    """Return a whole item of this type, but for one field."""
    item = {**WHOLE[kind], key: value}
    if value == ABSENT:
        del item[key]
    return item


def nested(levels: int, opening: str, closing: str) -> str:
    """Return the line of a search whose arguments make it nest so many levels deep."""
    inside = levels - 2  # The line's object and the payload are two.
    value = opening * inside + "null" + closing * inside
    return line(with_field("tool_search_call", "arguments", "HERE")).replace('"HERE"', value)


def numbers(notes: list[Note]) -> list[int]:
    """Return the lines that the notes are about."""
    return [note.line for note in notes]


#: The key that is wrong, and the item that holds it.
BAD = [
    pytest.param(key, with_field(kind, key, value), id=f"{kind}-{key}-{value}")
    for (kind, key), values in WRONG.items()
    for value in values
]


# --- what Codex makes of it -----------------------------------------------------------------------


@pytest.mark.parametrize("session", recordings("rollouts"), ids=lambda session: session.name)
def test_every_session_gives_the_prompt_that_codex_sent_on_resume(session: Recording) -> None:
    """A real session, killed or whole, gives what Codex sent when it went on with it."""
    history = read_rollout(session.path).history

    assert session.prompt == as_sent(normalize(history, session.modalities))


@pytest.mark.parametrize("file", DAMAGED, ids=lambda file: file.path.stem)
def test_every_damaged_file_gives_the_prompt_that_codex_made_of_it(file: Recording) -> None:
    """A damaged file gives Codex's prompt, one that Codex refuses gives all but its bad line."""

    assert file.prompt == normalize(read_rollout(file.path).history)


@pytest.mark.parametrize("file", DAMAGED, ids=lambda file: file.path.stem)
def test_exactly_the_lines_that_codex_does_not_read_are_reported(file: Recording) -> None:
    """Each line that Codex does not read is skipped under its number, and no other line is."""
    expected = [SKIPPED[file.path.stem][0]] if file.path.stem in SKIPPED else []

    assert expected == numbers(read_rollout(file.path).skipped)


@pytest.mark.parametrize(
    "file", [file for file in DAMAGED if file.path.stem in SKIPPED], ids=lambda file: file.path.stem
)
def test_the_reason_for_a_skipped_line_tells_what_is_wrong(file: Recording) -> None:
    """The reason for a skipped line names what keeps it from being read."""
    word = SKIPPED[file.path.stem][1]

    assert [] == [note for note in read_rollout(file.path).skipped if word not in note.text]


@pytest.mark.parametrize("file", DAMAGED + recordings("rollouts"), ids=lambda file: file.name)
def test_every_item_knows_the_line_it_comes_from(file: Recording) -> None:
    """The lines run beside the history: as many, in order, none of them a skipped one."""
    rollout = read_rollout(file.path)
    skipped = {note.line for note in rollout.skipped}

    assert len(rollout.history) == len(rollout.lines)
    assert sorted(rollout.lines) == rollout.lines
    assert set() == skipped & set(rollout.lines)


# --- the file is only read ------------------------------------------------------------------------


@pytest.mark.parametrize("file", DAMAGED + recordings("rollouts"), ids=lambda file: file.name)
def test_reading_leaves_the_file_as_it_was(file: Recording, tmp_path: Path) -> None:
    """Reading changes neither a file's bytes nor its time, and puts nothing beside it."""
    copy = shutil.copy2(file.path, tmp_path)
    before = snapshot(tmp_path)
    read_rollout(copy)

    assert before == snapshot(tmp_path)


@pytest.mark.parametrize(
    ("name", "error"), [("nowhere.jsonl", FileNotFoundError), (".", IsADirectoryError)]
)
def test_what_cannot_be_opened_raises_what_open_raises(
    name: str, error: type[OSError], tmp_path: Path
) -> None:
    """A missing file and a folder are for the caller to deal with."""
    with pytest.raises(error):
        read_rollout(tmp_path / name)


def test_a_path_may_be_a_string() -> None:
    """A path given as a string reads the same file."""
    path = FOLDER / "damaged" / "torn_tail.jsonl"

    assert read_rollout(path) == read_rollout(str(path))


# --- lines ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad",
    [b"\xff", b"caf\xe9", b"\xc3", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf5\x80\x80\x80"],
    ids=["ff", "latin-1", "cut", "overlong", "surrogate", "beyond unicode"],
)
@pytest.mark.parametrize("kind", ["response_item", "event_msg"])
def test_a_line_that_is_not_utf_8_costs_just_that_line(
    kind: str, bad: bytes, tmp_path: Path
) -> None:
    """What stands before and after a line that is not UTF-8 is read as ever."""
    broken = line(message("HERE"), kind).encode().replace(b"HERE", bad)
    path = written(tmp_path / "r.jsonl", line(message("a")), broken, line(message("b")))
    rollout = read_rollout(path)

    assert [message("a"), message("b")] == rollout.history
    assert [2] == numbers(rollout.skipped)
    assert "UTF-8" in rollout.skipped[0].text


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\u0085", "\ufeff", "\x7f"], ids=ascii)
def test_unicode_line_separators_are_text(separator: str, tmp_path: Path) -> None:
    """Characters at which `str.splitlines` would split end no line."""
    item = message(f"one{separator}two")

    assert [item] == read_rollout(written(tmp_path / "r.jsonl", line(item))).history


def test_a_lone_carriage_return_ends_no_line(tmp_path: Path) -> None:
    """Two objects with a lone carriage return between them are one line, and no JSON."""
    two = line(message("a")) + "\r" + line(message("b"))
    rollout = read_rollout(written(tmp_path / "r.jsonl", two, line(message("c"))))

    assert [message("c")] == rollout.history
    assert [1] == numbers(rollout.skipped)


@pytest.mark.parametrize("space", [" ", "\t", "\r", " \r\t\r "], ids=ascii)
def test_white_space_around_the_object_is_fine(space: str, tmp_path: Path) -> None:
    """Blanks, tabs and carriage returns before and after a line's object mean nothing."""
    path = written(tmp_path / "r.jsonl", space + line(message("a")) + space)

    assert [message("a")] == read_rollout(path).history


@pytest.mark.parametrize("space", ["\x0b", "\x0c", "\xa0", "\u2028", "\u3000"], ids=ascii)
def test_other_space_around_the_object_is_no_json(space: str, tmp_path: Path) -> None:
    """What only Unicode calls white space is text beside the object, as it is for Codex."""
    rollout = read_rollout(written(tmp_path / "r.jsonl", space + line(message("a"))))

    assert [] == rollout.history
    assert [1] == numbers(rollout.skipped)


def test_blank_lines_count_but_mean_nothing(tmp_path: Path) -> None:
    """Blank lines are passed over in silence, and the numbers of the others stay right."""
    lines = ("", "  ", line(message("a")), "\r", "\t", "{", "", line(message("b")))
    rollout = read_rollout(written(tmp_path / "r.jsonl", *lines))

    assert [message("a"), message("b")] == rollout.history
    assert [3, 8] == rollout.lines
    assert [6] == numbers(rollout.skipped)


def test_an_empty_file_holds_nothing(tmp_path: Path) -> None:
    """A file without a byte is a rollout without an item."""
    rollout = read_rollout(written(tmp_path / "r.jsonl"))

    assert Rollout() == rollout


def test_a_file_cut_at_any_byte_loses_its_last_line_at_most(tmp_path: Path) -> None:
    """Wherever a crash cuts a call or its output, what stands before is read."""
    path = FOLDER / "damaged" / "whole.jsonl"
    raw, whole = path.read_bytes(), read_rollout(path)
    for cut in range(len(raw) - 300, len(raw)):
        (tmp_path / "r.jsonl").write_bytes(raw[:cut])
        rollout = read_rollout(tmp_path / "r.jsonl")
        kept = len(rollout.history)
        before = [number for number in whole.lines if number <= raw[:cut].count(b"\n")]

        assert whole.history[:kept] == rollout.history
        assert before == rollout.lines[: len(before)]
        assert len(rollout.skipped) <= 1


# --- size -----------------------------------------------------------------------------------------


def test_a_line_of_64_mib_is_read(tmp_path: Path) -> None:
    """A line may be as long as a 64 MiB text makes it."""
    size = 64 * 1024 * 1024
    with (tmp_path / "r.jsonl").open("w") as file:
        print(line(message("x" * size)), line(message("after")), sep="\n", file=file)
    long, after = read_rollout(tmp_path / "r.jsonl").history

    assert size == len(long["content"][0]["text"])
    assert message("after") == after


def test_memory_grows_with_the_history_and_not_with_the_file(tmp_path: Path) -> None:
    """40 MB of events beside one item take a small part of that in memory."""
    event = line({"type": "exec_command_output_delta", "chunk": "x" * 100_000}, "event_msg")
    path = written(tmp_path / "r.jsonl", *[event] * 400, line(message("a")))
    tracemalloc.start()
    rollout = read_rollout(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert [message("a")] == rollout.history
    assert peak < path.stat().st_size / 20


# --- strict JSON ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_nesting_of_127_is_read_and_of_128_is_skipped(
    opening: str, closing: str, tmp_path: Path
) -> None:
    """Arrays and objects may stand 127 deep, the line's own object included."""
    lines = [nested(levels, opening, closing) for levels in (127, 128, 126)]
    rollout = read_rollout(written(tmp_path / "r.jsonl", *lines))

    assert [1, 3] == rollout.lines
    assert [2] == numbers(rollout.skipped)
    assert "127" in rollout.skipped[0].text


def test_brackets_in_a_text_are_not_nesting(tmp_path: Path) -> None:
    """A text full of brackets is as flat as any other."""
    item = message("[{" * 1000)

    assert [item] == read_rollout(written(tmp_path / "r.jsonl", line(item))).history


def test_nesting_of_any_depth_is_skipped(tmp_path: Path) -> None:
    """However deep a line nests, it is skipped, also around Python's own limit."""
    levels = [*range(128, 1200), 100_000]
    deep = [nested(number, "[", "]").replace("client", "\\u0041") for number in levels]
    rollout = read_rollout(written(tmp_path / "r.jsonl", *deep))

    assert [] == rollout.history
    assert len(levels) == len(rollout.skipped)


@pytest.mark.parametrize("kind", ["response_item", "event_msg"])
@pytest.mark.parametrize(
    "value",
    [
        *("NaN", "Infinity", "-Infinity"),
        *("01", "1.", ".5", "+1", "0x1", "True", "'a'", "[1,]", "/**/1", ""),
        *('"\t"', '"\0"', r'"\x"', r'"\u12"'),
        *(r'"\ud800"', r'"\udc00"', r'"\udc00\ud800"', r'"\ud800x"'),
    ],
    ids=ascii,
)
def test_what_is_no_strict_json_is_skipped(value: str, kind: str, tmp_path: Path) -> None:
    """What one parser or another lets pass, but JSON does not know, costs the line."""
    broken = line({**message("a"), "newer_key": "HERE"}, kind).replace('"HERE"', value)
    rollout = read_rollout(written(tmp_path / "r.jsonl", broken, line(message("b"))))

    assert [message("b")] == rollout.history
    assert [1] == numbers(rollout.skipped)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (r'"\ud83d\ude00"', "\U0001f600"),
        (r'"\u0000"', "\0"),
        (r'"\\ud800"', r"\ud800"),
        (r'"\/"', "/"),
        ("1.10", 1.1),
        ("18446744073709551615", 2**64 - 1),
    ],
)
def test_strict_json_is_read(value: str, expected: object, tmp_path: Path) -> None:
    """Escapes and numbers that JSON knows arrive as what they mean."""
    raw = line({**message("a"), "newer_key": "HERE"}).replace('"HERE"', value)
    history = read_rollout(written(tmp_path / "r.jsonl", raw)).history

    assert [{**message("a"), "newer_key": expected}] == history


def test_the_last_of_repeated_keys_wins(tmp_path: Path) -> None:
    """A key that stands twice in an object holds its last value, in the envelope and the item."""
    twice = line(call("last")).replace(': {"', ': {"call_id": 7, "').replace("{", '{"type": 7, ', 1)

    assert [call("last")] == read_rollout(written(tmp_path / "r.jsonl", twice)).history


# --- the envelope ---------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["timestamp", "type", "payload"])
def test_a_line_without_part_of_its_envelope_is_skipped(key: str, tmp_path: Path) -> None:
    """A line needs a timestamp, a type and a payload, and the reason names the one that lacks."""
    envelope = json.loads(line(message("a")))
    del envelope[key]
    rollout = read_rollout(written(tmp_path / "r.jsonl", json.dumps(envelope)))

    assert [] == rollout.history
    assert [1] == numbers(rollout.skipped)
    assert repr(key) in rollout.skipped[0].text


@pytest.mark.parametrize("value", [None, 7, [], {}], ids=str)
@pytest.mark.parametrize("key", ["timestamp", "type"])
def test_timestamp_and_type_are_strings(key: str, value: object, tmp_path: Path) -> None:
    """A timestamp or a type that is no string costs the line, and the reason names it."""
    envelope = {**json.loads(line(message("a"))), key: value}
    rollout = read_rollout(written(tmp_path / "r.jsonl", json.dumps(envelope)))

    assert [] == rollout.history
    assert [1] == numbers(rollout.skipped)
    assert repr(key) in rollout.skipped[0].text


@pytest.mark.parametrize("kind", ["session_meta", "turn_context", "event_msg", "of_next_year"])
def test_other_lines_carry_no_item(kind: str, tmp_path: Path) -> None:
    """Lines of other types add nothing, even if they hold what looks like an item."""
    rollout = read_rollout(written(tmp_path / "r.jsonl", line(message("a"), kind)))

    assert [] == rollout.history
    assert [] == rollout.skipped


# --- items ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("item", WHOLE.values(), ids=WHOLE)
def test_a_whole_item_is_read(item: Item, tmp_path: Path) -> None:
    """An item with all that its type needs is in the history, as it stands in the file."""
    rollout = read_rollout(written(tmp_path / "r.jsonl", line(item)))

    assert [item] == rollout.history
    assert [] == rollout.skipped
    assert [] == rollout.unknown


@pytest.mark.parametrize(("kind", "key", "value"), FREE)
def test_codex_does_not_insist_on_every_field(
    kind: str, key: str, value: object, tmp_path: Path
) -> None:
    """Optional fields may be absent or null, strings and lists may be empty."""
    item = with_field(kind, key, value)

    assert [item] == read_rollout(written(tmp_path / "r.jsonl", line(item))).history


@pytest.mark.parametrize(("key", "bad"), BAD)
def test_an_item_that_lacks_a_field_it_needs_is_skipped(
    key: str, bad: Item, tmp_path: Path
) -> None:
    """A needed field that is missing or of a wrong type costs the line, and the reason names it."""
    path = written(tmp_path / "r.jsonl", line(message("a")), line(bad), line(message("b")))
    rollout = read_rollout(path)

    assert [message("a"), message("b")] == rollout.history
    assert [2] == numbers(rollout.skipped)
    assert repr(key) in rollout.skipped[0].text


@pytest.mark.parametrize(("key", "bad"), BAD)
def test_a_compaction_that_holds_a_bad_item_is_skipped(key: str, bad: Item, tmp_path: Path) -> None:
    """One bad item in a replacement history costs the whole line: what stood before it stays."""
    compaction = {"message": "", "replacement_history": [message("new"), bad]}
    path = written(tmp_path / "r.jsonl", line(message("old")), line(compaction, "compacted"))
    rollout = read_rollout(path)

    assert [message("old")] == rollout.history
    assert [2] == numbers(rollout.skipped)
    assert repr(key) in rollout.skipped[0].text


@pytest.mark.parametrize("payload", [None, 7, "x", [], {}, {"type": None}, {"type": 7}], ids=str)
def test_an_item_is_an_object_with_a_type(payload: object, tmp_path: Path) -> None:
    """A payload that is no object, or has no string `type`, is no item."""
    rollout = read_rollout(written(tmp_path / "r.jsonl", line(payload), line(message("a"))))

    assert [message("a")] == rollout.history
    assert [1] == numbers(rollout.skipped)


@pytest.mark.parametrize("more", [{}, {"id": 7}, {"call_id": 7, "content": None}], ids=str)
def test_an_item_of_an_unknown_type_is_kept_and_told_of(more: Item, tmp_path: Path) -> None:
    """What only a newer Codex knows reaches the history untouched, with a note of its line."""
    item = {"type": "telepathy_call", **more}
    rollout = read_rollout(written(tmp_path / "r.jsonl", line(message("a")), line(item)))

    assert [message("a"), item] == rollout.history
    assert [2] == numbers(rollout.unknown)
    assert "telepathy_call" in rollout.unknown[0].text
    assert [] == rollout.skipped


def test_bookkeeping_is_left_out(tmp_path: Path) -> None:
    """Codex's ghost snapshots reach neither the history nor the notes."""
    ghost = {"type": "ghost_snapshot", "ghost_commit": {"id": "abc"}}
    rollout = read_rollout(written(tmp_path / "r.jsonl", line(ghost), line(message("a"))))

    assert [message("a")] == rollout.history
    assert [] == rollout.skipped
    assert [] == rollout.unknown


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"timestamp": "t", "type": "event_msg", "payload": {}}, True),
        ({"timestamp": "t", "type": "event_msg", "payload": {}, "ordinal": 1}, True),
        ({"timestamp": "t", "type": "event_msg"}, False),
        ({}, False),
        (["timestamp", "type", "payload"], False),
        ("timestamp type payload", False),
    ],
)
def test_a_line_of_a_rollout_is_told_from_an_item(value: object, expected: bool) -> None:
    """It is an object with all keys of the envelope; others do no harm."""
    assert expected == is_envelope(value)
