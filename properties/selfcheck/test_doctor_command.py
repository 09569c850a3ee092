"""`callpair doctor` as a user runs it: a tree of sessions in, a diagnosis of each out."""

# Asserts read `expected == actual` here.
from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from normalizer import Item
from properties.golden import FOLDER
from properties.selfcheck.helpers import (
    CRASHED,
    PROJECT,
    Outcome,
    call,
    callpair,
    line,
    message,
    run,
    snapshot,
    written,
)

WHOLE = FOLDER / "damaged" / "whole.jsonl"


def output(kind: str, call_id: str) -> Item:
    """Return an output of this type."""
    return {"type": kind, "call_id": call_id, "output": "ok"}


#: The files of a tree of sessions, by path: the lines, or the bytes of what is no session.
TREE: dict[str, bytes | list[str | bytes]] = {
    "2026/01/whole.jsonl": WHOLE.read_bytes(),
    "2026/01/crashed.jsonl": CRASHED.read_bytes(),
    "2026/02/mixed.jsonl": [
        line(call("a")),
        line({**call("b"), "type": "custom_tool_call", "input": ""}),
        line(output("function_call_output", "c")),
        line(output("custom_tool_call_output", "d")),
        line(output("custom_tool_call_output", "e")),
    ],
    "2026/02/torn.jsonl": [line(message("a")), line(message("b"))[:-20]],
    "2026/02/not-utf-8.jsonl": [line(message("a")), b"\xff\xfe", line(message("b")), b"{"],
    "ünï \U0001f600/items.jsonl": json.dumps(message("a")).encode() + b"\n",
    "bad/binary.jsonl": bytes(range(256)),
    "bad/empty.jsonl": b"",
    "bad/no-history.jsonl": b'{"a": 1}\n',
    "bad/call-id.jsonl": json.dumps(call("c") | {"call_id": 7}).encode() + b"\n",
    "bad/notes.txt": b"This is no session, and nobody asked about it.\n",
}

UNREADABLE = {
    "bad/binary.jsonl": "UTF-8",
    "bad/empty.jsonl": "empty",
    "bad/no-history.jsonl": "no history",
    "bad/call-id.jsonl": "'call_id'",
    "bad/gone.jsonl": "No such file",
}


def planted(folder: Path) -> Path:
    """Write the tree of sessions into a folder and return it."""
    for name, content in TREE.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            written(path, *content)
    (folder / "bad" / "gone.jsonl").symlink_to("nowhere")
    return folder


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of whole, broken and unreadable sessions."""
    return planted(tmp_path_factory.mktemp("sessions"))


@pytest.fixture(scope="module")
def report(tree: Path) -> Outcome:
    """Return what the doctor says about the tree."""
    return callpair("doctor", tree)


@pytest.fixture(scope="module")
def findings(tree: Path) -> dict[str, Any]:
    """Return what the doctor says about the tree, for machines."""
    found: dict[str, Any] = json.loads(callpair("doctor", "--json", tree).out)
    return found


# --- the report -----------------------------------------------------------------------------------


def rows_about(report: Outcome, name: str) -> list[str]:
    """Return the lines of a report that name a file."""
    return [text for text in report.out.splitlines() if name in text]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("crashed.jsonl", ["function 2"]),
        ("mixed.jsonl", ["function 1, custom 1", "function 1, custom 2"]),
        ("torn.jsonl", ["  1"]),
        ("not-utf-8.jsonl", ["  2"]),
        *((Path(name).name, [word]) for name, word in UNREADABLE.items()),
    ],
)
def test_a_session_in_need_has_one_line(name: str, words: list[str], report: Outcome) -> None:
    """One line tells the calls, outputs and lines that need repair, or why nothing can be read."""
    [row] = rows_about(report, name)

    assert [] == [word for word in words if word not in row]


@pytest.mark.parametrize("name", ["whole.jsonl", "items.jsonl", "notes.txt"])
def test_what_is_whole_or_no_session_has_no_line(name: str, report: Outcome) -> None:
    """A whole session needs no line, and a file that is no *.jsonl is not looked at."""

    assert [] == rows_about(report, name)


@pytest.mark.parametrize(
    "total",
    [
        "11 sessions: 2 whole, 4 to repair, 5 unreadable",
        "unanswered calls: function 3, custom 1",
        "orphan outputs:   function 1, custom 2",
        "skipped lines:    3",
    ],
)
def test_the_report_ends_in_totals(total: str, report: Outcome) -> None:
    """The last lines sum up the sessions, calls, outputs and lines."""

    assert total in report.out.splitlines()[-4:]


def test_a_report_in_a_pipe_is_quiet(report: Outcome) -> None:
    """In a pipe there is no progress bar, and no broken session says a word outside its row."""

    assert "" == report.err


def test_a_terminal_shows_progress(tree: Path) -> None:
    """On a terminal a progress bar counts the sessions."""
    terminal, stderr = pytest.importorskip("pty").openpty()
    pytest.importorskip("termios").tcsetwinsize(stderr, (24, 80))
    os.set_blocking(terminal, False)
    subprocess.run(
        [sys.executable, PROJECT / "callpair.py", "doctor", tree],
        stdout=subprocess.DEVNULL,
        stderr=stderr,
        check=False,
        timeout=60,
    )
    shown = os.read(terminal, 10_000).decode()
    os.close(terminal)
    os.close(stderr)

    assert "/11 " in shown


# --- for machines ---------------------------------------------------------------------------------


def test_json_tells_of_every_session(tree: Path, findings: dict[str, Any]) -> None:
    """With `--json` every session is listed, in the order of the paths, whole ones too."""
    paths = [session["path"] for session in findings["sessions"]]

    assert sorted(str(path) for path in tree.rglob("*.jsonl")) == paths


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "2026/01/whole.jsonl",
            {"format": "rollout", "items": 3, "unanswered": {}, "orphans": {}, "whole": True},
        ),
        (
            "2026/02/mixed.jsonl",
            {
                "items": 5,
                "unanswered": {"function": 1, "custom": 1},
                "orphans": {"function": 1, "custom": 2},
                "skipped": [],
                "error": None,
                "whole": False,
            },
        ),
        (
            "2026/02/torn.jsonl",
            {"items": 1, "skipped": [{"line": 2, "text": "cut off"}], "whole": False},
        ),
        ("ünï \U0001f600/items.jsonl", {"format": "items, one a line", "whole": True}),
        ("bad/empty.jsonl", {"error": "empty", "format": None, "items": 0, "whole": False}),
    ],
)
def test_json_tells_what_each_session_needs(
    name: str, expected: dict[str, Any], tree: Path, findings: dict[str, Any]
) -> None:
    """A session's entry counts calls and outputs by family and lists the skipped lines."""
    [session] = [found for found in findings["sessions"] if found["path"] == str(tree / name)]

    assert expected == {key: session[key] for key in expected}


def test_json_ends_in_totals(findings: dict[str, Any]) -> None:
    """The totals for machines are those for people."""

    assert {
        "sessions": 11,
        "whole": 2,
        "need_repair": 4,
        "unreadable": 5,
        "unanswered": {"function": 3, "custom": 1},
        "orphans": {"function": 1, "custom": 2},
        "skipped": 3,
    } == findings["totals"]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_number_of_processes_changes_nothing(jobs: str, tree: Path, report: Outcome) -> None:
    """Any number of processes finds the same, in the same order."""

    assert report == callpair("doctor", "--jobs", jobs, tree)


# --- exit codes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["2026/01/whole.jsonl"], 0),
        (["2026/01/whole.jsonl", "ünï \U0001f600"], 0),
        (["2026/01/whole.jsonl", "2026/01/crashed.jsonl"], 1),
        (["2026/02/torn.jsonl"], 1),
        (["2026"], 1),
        (["bad/binary.jsonl"], 2),
        (["2026/01/crashed.jsonl", "bad/gone.jsonl", "2026/01/whole.jsonl"], 2),
        (["nowhere"], 2),
        (["bad/notes.txt"], 2),
    ],
    ids=str,
)
def test_the_exit_code_tells_the_worst(names: list[str], code: int, tree: Path) -> None:
    """0: all are whole; 1: some need repair; 2: some cannot be read."""

    assert code == callpair("doctor", *(tree / name for name in names)).code


def test_a_folder_without_sessions_is_told_in_one_line(tmp_path: Path) -> None:
    """Where there is nothing to look at the doctor cannot do its work."""
    done = callpair("doctor", tmp_path)

    assert (2, "") == (done.code, done.out)
    assert done.err == f"callpair doctor: error: no *.jsonl file below {tmp_path}\n"


@pytest.mark.parametrize("arguments", [(), ("--json",), ("--jobs", "2")], ids=str)
def test_nothing_is_written_to_any_session(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """After a run every file has the same bytes and time, and nothing new is beside them."""
    before = snapshot(planted(tmp_path))
    callpair("doctor", *arguments, tmp_path)

    assert before == snapshot(tmp_path)


# --- trees that are traps -------------------------------------------------------------------------


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """Return a folder with one session that needs repair; the trap is still to be set."""
    (tmp_path / "crashed.jsonl").write_bytes(CRASHED.read_bytes())
    return tmp_path


def assert_only_the_crashed_session_is_found(folder: Path) -> None:
    """Assert that nothing else in a folder was taken for a session."""
    done = callpair("doctor", "--json", folder)

    assert (1, "") == (done.code, done.err)
    assert [str(folder / "crashed.jsonl")] == [
        session["path"] for session in json.loads(done.out)["sessions"]
    ]


def test_a_link_to_a_folder_above_is_no_trap(trap: Path) -> None:
    """A link that leads in a circle is not followed."""
    (trap / "up").symlink_to(trap, target_is_directory=True)
    assert_only_the_crashed_session_is_found(trap)


def test_a_folder_that_is_named_like_a_session_is_none(trap: Path) -> None:
    """A folder whose name ends in .jsonl is walked like any other."""
    (trap / "folder.jsonl").mkdir()
    assert_only_the_crashed_session_is_found(trap)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_in_a_folder_is_no_session(trap: Path) -> None:
    """A named pipe below a folder is left alone: nobody may ever write to it."""
    pipe = trap / "pipe.jsonl"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=[b""], daemon=True)
    writer.start()
    try:
        assert_only_the_crashed_session_is_found(trap)
    finally:
        os.close(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK))
        writer.join(10)


def test_a_link_to_itself_is_a_row(trap: Path) -> None:
    """A session that cannot be opened is told of, and the others are too."""
    (trap / "loop.jsonl").symlink_to("loop.jsonl")
    done = callpair("doctor", trap)

    assert (2, "") == (done.code, done.err)
    assert 1 == len(rows_about(done, "loop.jsonl"))
    assert 1 == len(rows_about(done, "crashed.jsonl"))


def test_a_session_that_nests_too_deep_is_a_row(trap: Path) -> None:
    """A session that nests as deep as Python's parser takes is told of, and the others are too."""
    for levels in (600, 980, 1400):
        item = json.dumps(call("c", deep="HERE")).replace('"HERE"', "[" * levels + "]" * levels)
        (trap / f"deep-{levels}.jsonl").write_text(f"[{item}]")
    done = callpair("doctor", trap)

    assert "Traceback" not in done.err
    assert 3 == len(rows_about(done, "deep-"))
    assert 1 == len(rows_about(done, "crashed.jsonl"))


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_name_that_cannot_be_looked_up_is_a_row(jobs: str, trap: Path) -> None:
    """A path that the system refuses to look at is told of, and the others are too."""
    done = callpair("doctor", "--jobs", jobs, trap, "x" * 5000)

    assert (2, "") == (done.code, done.err)
    assert 1 == len(rows_about(done, "File name too long"))
    assert 1 == len(rows_about(done, "crashed.jsonl"))


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 0)() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_a_row(trap: Path) -> None:
    """A file and a folder without permission to read are told of, and the others are too."""
    (trap / "locked.jsonl").write_bytes(CRASHED.read_bytes())
    (trap / "locked").mkdir()
    (trap / "locked.jsonl").chmod(0)
    (trap / "locked").chmod(0)
    done = callpair("doctor", trap)
    (trap / "locked").chmod(0o700)

    assert (2, "") == (done.code, done.err)
    assert 2 == len(rows_about(done, "Permission denied"))
    assert 1 == len(rows_about(done, "crashed.jsonl"))


@pytest.mark.parametrize("name", [b"two\nlines", b"\x1b[31mred", b"not UTF-8 \xff"], ids=ascii)
def test_a_name_is_shown_in_one_line_without_control_characters(name: bytes, trap: Path) -> None:
    """Whatever a session is called, it has one line, and the terminal stays as it is."""
    (trap / os.fsdecode(name + b".jsonl")).write_bytes(CRASHED.read_bytes())
    done = run(
        [sys.executable, "-X", "utf8", PROJECT / "callpair.py", "doctor", trap],
        env={"PYTHONIOENCODING": "utf-8:strict"},
    )

    assert (1, "") == (done.code, done.err)
    assert 2 == len([row for row in rows_about(done, ".jsonl") if "function 2 " in row])
    assert done.out.replace("\n", "").isprintable()


def test_standard_input_is_read_by_any_number_of_processes() -> None:
    """`-` is read whether or not there are workers."""
    content = CRASHED.read_bytes()
    alone = callpair("doctor", "-", stdin=content)

    assert 1 == alone.code
    assert alone == callpair("doctor", "--jobs", "2", "-", stdin=content)
