"""The front door as a user meets it: help, wrong usage, ways to start it, streams that close."""

# Asserts read `expected == actual` here.
from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from callpair import COMMANDS
from properties.selfcheck.helpers import (
    CRASHED,
    PROJECT,
    callpair,
    line,
    message,
    run,
    written,
)

#: The commands that read a session, and need the standard library only.
each_command = pytest.mark.parametrize("command", ["prompt", "doctor"])


def words(text: str) -> list[str]:
    """Return what a text says, however its columns are set."""
    return text.replace("-", " ").split()


def shell(script: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a shell script in which `"$@"` is callpair with these arguments."""
    return subprocess.run(
        ["bash", "-c", script, "-", sys.executable, PROJECT / "callpair.py", *arguments],
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )


# --- help and usage -------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_shows_an_example(command: str | None) -> None:
    """The help of callpair and of each command ends in an example to copy."""
    asked = callpair("--help") if command is None else callpair(command, "--help")
    examples = asked.out.rpartition("examples:\n")[2].splitlines()

    assert (0, "") == (asked.code, asked.err)
    assert examples[0].startswith(f"  callpair {command or ''}")


def test_help_names_every_command() -> None:
    """Without arguments callpair tells what its commands are."""
    asked = callpair()

    assert 0 == asked.code
    assert [] == [name for name in COMMANDS if f"  {name} " not in asked.out]


def test_the_version_is_that_of_the_distribution() -> None:
    """`callpair --version` tells the version that pyproject.toml holds."""
    declared = f'version = "{callpair("--version").out.split()[1]}"'

    assert declared in (PROJECT / "pyproject.toml").read_text().splitlines()


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("--nonsense",),
        ("prompt",),
        ("prompt", "--nonsense", str(CRASHED)),
        ("prompt", str(CRASHED), str(CRASHED)),
        ("doctor",),
        ("doctor", "--jobs", "0", str(CRASHED)),
        ("doctor", "--jobs", "-1", str(CRASHED)),
        ("doctor", "--jobs", "two", str(CRASHED)),
        ("doctor", "--jobs", "9" * 30, str(CRASHED)),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_told_in_one_line(arguments: tuple[str, ...]) -> None:
    """A command line that callpair cannot follow costs one line, points to the help, exits 2."""
    refused = callpair(*arguments)

    assert (2, "") == (refused.code, refused.out)
    assert 1 == len(refused.err.splitlines())
    assert "--help" in refused.err


# --- ways to start it -----------------------------------------------------------------------------


def test_the_installed_command_does_what_the_checkout_does() -> None:
    """`callpair` on the path prints the same prompt as `python callpair.py`."""
    script = Path(sysconfig.get_path("scripts")) / "callpair"

    assert callpair("prompt", CRASHED) == run([script, "prompt", CRASHED])


@each_command
def test_a_bare_checkout_needs_the_standard_library_only(command: str, tmp_path: Path) -> None:
    """With the front door, `normalizer` and nothing installed, a command finds the same."""
    shutil.copy(PROJECT / "callpair.py", tmp_path)
    shutil.copytree(PROJECT / "normalizer", tmp_path / "normalizer")
    bare = run([sys.executable, "-S", "-E", tmp_path / "callpair.py", command, CRASHED])
    whole = callpair(command, CRASHED)

    assert whole.code == bare.code
    assert words(whole.out) == words(bare.out)
    assert words(whole.err) == words(bare.err)


@each_command
def test_a_run_leaves_no_warnings(command: str) -> None:
    """In Python's development mode, warnings being errors, a run goes as ever."""
    python = [sys.executable, "-X", "dev", "-W", "error"]

    assert callpair(command, CRASHED) == run([*python, PROJECT / "callpair.py", command, CRASHED])


# --- streams --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def long_session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a session whose prompt does not fit into a pipe."""
    path = tmp_path_factory.mktemp("long") / "long.jsonl"
    return written(path, *(line(message("x" * 1000)) for _ in range(1000)))


@pytest.mark.parametrize("options", [[], ["--jsonl"]], ids=str)
def test_a_reader_may_leave_early(options: list[str], long_session: Path) -> None:
    """`| head` ends the command with exit code 2 and without a word."""
    done = shell('"$@" | head -c 1; exit ${PIPESTATUS[0]}', "prompt", "-q", *options, long_session)

    assert (2, "") == (done.returncode, done.stderr)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@each_command
def test_a_full_disk_is_told_in_one_line(command: str) -> None:
    """When the output cannot be written the command says so in one line and exits with 2."""
    done = shell('"$@" > /dev/full', command, CRASHED)

    assert 2 == done.returncode
    assert "No space left on device" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


@each_command
def test_a_closed_output_is_no_crash(command: str) -> None:
    """A command whose standard output is closed has nobody to talk to, and does not crash."""
    done = shell('"$@" >&-', command, CRASHED)

    assert "Traceback" not in done.stderr


@each_command
def test_a_closed_error_stream_changes_nothing_else(command: str) -> None:
    """With standard error closed, standard output and the exit code are as ever."""
    done = shell('"$@" 2>&-', command, CRASHED)
    expected = callpair(command, CRASHED)

    assert (expected.code, expected.out) == (done.returncode, done.stdout)


def test_a_prompt_is_utf_8_in_every_locale(tmp_path: Path) -> None:
    """JSON is UTF-8, whatever the terminal or the locale thinks."""
    path = written(tmp_path / "r.jsonl", line(message("é \U0001f600")))
    done = run(
        [sys.executable, PROJECT / "callpair.py", "prompt", "-q", path],
        env={"PYTHONIOENCODING": "latin-1"},
    )

    assert [message("é \U0001f600")] == json.loads(done.out)
