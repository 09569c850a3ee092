"""`callpair prompt` as a user runs it: a recorded session in, a prompt and a summary out."""

# Asserts read `expected == actual` here.
from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from threading import Thread

import pytest

from normalizer import Item, normalize, read_rollout
from properties.golden import FOLDER
from properties.selfcheck.helpers import (
    CRASHED,
    Recording,
    as_sent,
    call,
    callpair,
    line,
    message,
    recordings,
    snapshot,
    written,
)

HISTORY = read_rollout(CRASHED).history


def lines_of(items: list[Item]) -> str:
    """Return items, one a line."""
    return "".join(f"{json.dumps(item, ensure_ascii=False)}\n" for item in items)


#: Every shape that a recorded session may have, and what the summary calls it.
SHAPES: dict[str, tuple[str, str]] = {
    "rollout": (CRASHED.read_text(), "rollout"),
    "array": (json.dumps(HISTORY), "JSON array"),
    "array on many lines": (json.dumps(HISTORY, indent=2), "JSON array"),
    "array with an item a line": (
        "[\n" + ",\n".join(map(json.dumps, HISTORY)) + "\n]\n",
        "JSON array",
    ),
    "items": (lines_of(HISTORY), "items, one a line"),
    "items after blank lines": ("\n\n" + lines_of(HISTORY), "items, one a line"),
    "request": (json.dumps({"model": "m", "input": HISTORY, "stream": True}), "request body"),
    "request on many lines": (
        json.dumps({"model": "m", "input": HISTORY}, indent=2),
        "request body",
    ),
}

#: A session with something to say about almost every line.
EVENTFUL = [
    line({"id": "s"}, "session_meta"),
    line(message("a")),
    line(call("unanswered")),
    "torn {",
    line({"type": "custom_tool_call_output", "call_id": "orphan", "output": "ok"}),
    line({"type": "telepathy_call", "call_id": "t"}),
    line({**message("b"), "content": [{"type": "input_image", "file_id": "f"}] * 2}),
    line({"type": "function_call", "call_id": 7, "name": "f", "arguments": "{}"}),
]

#: Bad input: the file's bytes, and words of the error. None stands for a file that is not there.
BAD: dict[str, tuple[bytes | None, tuple[str, ...]]] = {
    "missing": (None, ("No such file",)),
    "empty": (b"", ("empty",)),
    "blank": (b"\n \n\n", ("empty",)),
    "binary": (b"\x7fELF\x02\x01\x01\x00" + bytes(range(256)) * 8, ("UTF-8",)),
    "surrogate in an array": (b'[{"type": "\xed\xa0\x80"}]', ("UTF-8",)),
    "escaped surrogate in an array": (rb'[{"type": "\ud800"}]', ("lone surrogate",)),
    "text": (b"Dear diary,\n", ("JSON",)),
    "torn array": (b'[{"type": "message"', ("cut off",)),
    "object": (b'{"a": 1}\n', ("no history", "input")),
    "request with a text": (b'{"input": "hi"}\n', ("no history", "input")),
    "null": (b"null\n", ("no history",)),
    "array of numbers": (b"[1, 2]\n", ("item 0", "int")),
    "item without type": (b'[{"type": "message"}, {"role": "user"}]\n', ("item 1", "'type'")),
    "item without type in a request": (b'{"input": [{"role": "user"}]}\n', ("item 0", "'type'")),
    "line without type": (b'{"type": "message"}\n\n{"role": "user"}\n', ("line 3", "'type'")),
    "line that is no object": (b'{"type": "message"}\n7\n', ("line 2", "int")),
    "call id a number": (b'[{"type": "function_call", "call_id": 7}]\n', ("item 0", "'call_id'")),
    "call id a number in a line": (
        b'{"type": "message"}\n{"type": "function_call", "call_id": 7}\n',
        ("line 2", "'call_id'"),
    ),
    "huge number": (b'[{"type": "message", "n": ' + b"9" * 5000 + b"}]\n", ("digits",)),
    "endless nesting": (b"[" * 100_000 + b"]" * 100_000, ("nested too deep",)),
}

#: Bad input on which the command still crashes or misleads.
CRASHES: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "deep nesting in an array": (
        b'[{"type": "message", "deep": ' + b"[" * 980 + b"]" * 980 + b"}]\n",
        ("nested",),
    ),
    "deep nesting in a line": (
        b'{"type": "message", "deep": ' + b"[" * 980 + b"]" * 980 + b"}\n",
        ("nested",),
    ),
    "first line without type": (b'{"role": "user"}\n{"type": "message"}\n', ("line 1", "'type'")),
}


# --- the ways in ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("content", "name"), SHAPES.values(), ids=SHAPES)
def test_every_shape_gives_the_same_prompt(content: str, name: str, tmp_path: Path) -> None:
    """A rollout, an array, items a line and a request body give one prompt, and are recognised."""
    path = tmp_path / "session"
    path.write_text(content)
    done = callpair("prompt", path)

    assert 0 == done.code
    assert normalize(HISTORY) == json.loads(done.out)
    assert done.err.startswith(f"{path}: {name}")


@pytest.mark.parametrize("shape", ["rollout", "array", "items", "request"])
def test_every_shape_may_come_through_standard_input(shape: str) -> None:
    """`-` reads standard input, and tells which shape it was."""
    content, name = SHAPES[shape]
    done = callpair("prompt", "-", stdin=content.encode())

    assert 0 == done.code
    assert normalize(HISTORY) == json.loads(done.out)
    assert done.err.startswith(f"standard input: {name}")


def test_a_rollout_may_begin_with_a_line_that_is_not_whole(tmp_path: Path) -> None:
    """A rollout whose first line lacks its timestamp is still one, and that line is skipped."""
    first = json.dumps({"type": "session_meta", "payload": {}})
    done = callpair("prompt", written(tmp_path / "r.jsonl", first, line(message("a"))))

    assert [message("a")] == json.loads(done.out)
    assert "line 1" in done.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_with_a_name_is_read(tmp_path: Path) -> None:
    """A pipe, as in `callpair prompt <(zstdcat session.jsonl.zst)`, can be read like a file."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    Thread(target=pipe.write_bytes, args=[CRASHED.read_bytes()], daemon=True).start()
    done = callpair("prompt", pipe)

    assert 0 == done.code
    assert normalize(HISTORY) == json.loads(done.out)


@pytest.mark.parametrize("name", ["ünï \U0001f600.jsonl", "two\nlines", "\x1b[31mred"])
def test_a_file_may_have_any_name(name: str, tmp_path: Path) -> None:
    """Letters of any script and control characters are fine in a file's name."""
    path = tmp_path / name
    path.write_bytes(CRASHED.read_bytes())
    done = callpair("prompt", "-q", path)

    assert (0, "") == (done.code, done.err)
    assert normalize(HISTORY) == json.loads(done.out)


# --- what is printed ------------------------------------------------------------------------------


@pytest.mark.parametrize("session", recordings("rollouts")[:4], ids=lambda session: session.name)
def test_the_model_may_take_less(session: Recording) -> None:
    """`-m` gives what Codex sends to a model that takes just that."""
    done = callpair("prompt", "-q", "-m", ",".join(session.modalities), session.path)

    assert session.prompt == as_sent(json.loads(done.out))


@pytest.mark.parametrize("names", ["text,image", " image , text ", "image,text,text"])
def test_modalities_may_stand_in_any_order(names: str, tmp_path: Path) -> None:
    """Blanks, order and repetition do not matter in the list of modalities."""
    parts = [{"type": "input_image"}, {"type": "input_audio"}]
    history = [{"type": "message", "role": "user", "content": parts}]
    path = written(tmp_path / "items.jsonl", lines_of(history))

    assert normalize(history, ["text", "image"]) == json.loads(
        callpair("prompt", "-q", "-m", names, path).out
    )


def test_jsonl_prints_one_item_a_line() -> None:
    """With `--jsonl` each line is an item, and together they are the prompt."""
    done = callpair("prompt", "--jsonl", CRASHED)

    assert normalize(HISTORY) == [json.loads(text) for text in done.out.splitlines()]


@pytest.mark.parametrize("options", [["-q"], ["-q", "--jsonl"]], ids=str)
def test_what_is_printed_needs_no_more_repair(options: list[str]) -> None:
    """The prompt goes in again as it came out, in both forms, and comes out the same."""
    once = callpair("prompt", *options, CRASHED)

    assert once == callpair("prompt", *options, "-", stdin=once.out.encode())


def test_quiet_prints_the_prompt_alone() -> None:
    """With `-q` nothing goes to standard error, and the same to standard output."""
    loud, quiet = callpair("prompt", CRASHED), callpair("prompt", "-q", CRASHED)

    assert (loud.code, loud.out, "") == quiet


def test_texts_arrive_as_they_are(tmp_path: Path) -> None:
    """Letters of any script, separators and control characters come out as they went in."""
    history = [message('é 日本 \U0001f600 \u2028 \x85 \x00 \x7f \\ud800 " \r\n')]
    path = written(tmp_path / "r.jsonl", line(history[0]))

    assert history == json.loads(callpair("prompt", "-q", path).out)


# --- the summary ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def summary(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the summary of the eventful session for a model that takes text only."""
    path = written(tmp_path_factory.mktemp("eventful") / "r.jsonl", *EVENTFUL)
    return callpair("prompt", "-m", "text", path).err.splitlines()


@pytest.mark.parametrize(
    "words",
    [
        ("answered", "line 3", "function_call", "unanswered"),
        ("dropped", "line 5", "custom_tool_call_output", "orphan"),
        ("replaced", "line 7", "message", "2 image parts"),
        ("skipped", "line 4", "not JSON"),
        ("skipped", "line 8", "'call_id'"),
        ("kept", "line 6", "telepathy_call"),
    ],
    ids=" ".join,
)
def test_the_summary_tells_what_was_done_with_each_line(
    words: tuple[str, ...], summary: list[str]
) -> None:
    """Whatever is answered, dropped, replaced, skipped or kept has a line with its number."""

    assert 1 == len([text for text in summary if all(word in text for word in words)])


def test_the_summary_begins_with_what_was_read(summary: list[str]) -> None:
    """The first lines tell the shape, the number of items before and after, and the modalities."""

    assert summary[0].endswith("r.jsonl: rollout, 5 items")
    assert summary[1] == "prompt: 5 items for a model that takes text"


@pytest.mark.parametrize(
    "total",
    [
        "1 call answered with a made-up output",
        "1 output dropped",
        "2 media parts replaced",
        "2 lines skipped",
    ],
)
def test_the_summary_ends_in_totals(total: str, summary: list[str]) -> None:
    """The last line counts the calls, outputs, media parts and lines."""

    assert total in summary[-1]


def test_the_summary_of_an_array_counts_items() -> None:
    """Where there are no lines the item's index tells the place."""
    history = [message("a"), call("c")]
    done = callpair("prompt", "-", stdin=json.dumps(history).encode())

    assert "item 1" in done.err


# --- bad input ------------------------------------------------------------------------------------


def assert_told_in_one_line(content: bytes | None, words: tuple[str, ...], path: Path) -> None:
    """Assert that the command refuses a file: one line that names it, nothing else, exit 2."""
    if content is not None:
        path.write_bytes(content)
    done = callpair("prompt", path)

    assert (2, "") == (done.code, done.out)
    assert 1 == len(done.err.splitlines())
    assert done.err.startswith(f"callpair prompt: error: {path}: ")
    assert [] == [word for word in words if word not in done.err]


@pytest.mark.parametrize(("content", "words"), BAD.values(), ids=BAD)
def test_bad_input_is_told_in_one_line(
    content: bytes | None, words: tuple[str, ...], tmp_path: Path
) -> None:
    """What holds no history costs one line that names the file and the fault, and exits with 2."""
    assert_told_in_one_line(content, words, tmp_path / "bad.jsonl")


@pytest.mark.parametrize(("content", "words"), CRASHES.values(), ids=CRASHES)
def test_worse_input_is_told_in_one_line(
    content: bytes, words: tuple[str, ...], tmp_path: Path
) -> None:
    """Nesting that Python cannot follow, and items whose first lacks a type, are no exception."""
    assert_told_in_one_line(content, words, tmp_path / "bad.jsonl")


def test_a_line_of_items_that_nests_too_deep_is_skipped(tmp_path: Path) -> None:
    """Among items, one a line, a line that a rollout's reader would skip is skipped too."""
    deep = json.dumps(message("a")).replace('"a"', "[" * 980 + "]" * 980)
    path = written(tmp_path / "items.jsonl", json.dumps(message("a")), deep)
    done = callpair("prompt", path)

    assert 0 == done.code
    assert [message("a")] == json.loads(done.out)
    assert "nested deeper than 127" in done.err


def test_a_folder_is_no_session(tmp_path: Path) -> None:
    """A folder is refused in one line."""
    done = callpair("prompt", tmp_path)

    assert (2, "", f"callpair prompt: error: {tmp_path}: Is a directory\n") == done


@pytest.mark.parametrize("content", [b"", b"\xff", b'{"a": 1}', b"[7]"], ids=ascii)
def test_bad_standard_input_is_told_in_one_line(content: bytes) -> None:
    """Standard input without a history is refused like such a file."""
    done = callpair("prompt", "-", stdin=content)

    assert (2, "") == (done.code, done.out)
    assert 1 == len(done.err.splitlines())
    assert done.err.startswith("callpair prompt: error: standard input: ")


@pytest.mark.parametrize(
    "names",
    [
        "video",
        "text,Image",
        "text;image",
        "",
    ],
)
def test_an_unknown_modality_is_told_in_one_line(names: str) -> None:
    """A modality that does not exist costs one line that shows those that do, and exits with 2."""
    done = callpair("prompt", "-m", names, CRASHED)

    assert (2, "") == (done.code, done.out)
    assert 1 == len(done.err.splitlines())
    assert "text, image, audio" in done.err


# --- the session is only read ---------------------------------------------------------------------


@pytest.mark.parametrize("file", ["torn_tail.jsonl", "nul_tail.jsonl"])
def test_nothing_is_written_to_a_session(file: str, tmp_path: Path) -> None:
    """After a run the session has the same bytes and time, and nothing new beside it."""
    copy = shutil.copy2(FOLDER / "damaged" / file, tmp_path)
    before = snapshot(tmp_path)
    callpair("prompt", copy)

    assert before == snapshot(tmp_path)
