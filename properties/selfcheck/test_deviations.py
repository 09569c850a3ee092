"""Known deviations, saved cases and settings: what an adopter keeps in a repository of theirs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from normalizer import ALL, CommandError
from properties.broken import BrokenCase
from properties.deviations import (
    Deviation,
    deviations_from,
    read_deviations,
    write_deviations,
)
from properties.selfcheck.helpers import Outcome, callpair
from properties.settings import read_settings
from strategies import history_of

_WRONG: Final = "python:properties.selfcheck.subjects:claiming_success"
_QUICK: Final = ("--only", "pairing", "--families", "mixed", "--examples", "30", "--seed", "1")


def _case(history: str, name: str = "pairing/says_aborted") -> BrokenCase:
    return BrokenCase(name, "mixed", "s", history_of(history), ALL, ("it is wrong",))


def _check(folder: Path, *words: str, subject: str = _WRONG) -> Outcome:
    return callpair("check", "--subject", subject, *_QUICK, *words, cwd=folder)


def test_deviations_are_read_as_they_were_written(tmp_path: Path) -> None:
    """Quotes, control characters and other scripts survive the way into the file and back."""
    history = history_of("FC(a) U", name_of=lambda _: "'''\x7f\x00 é\"\\")
    case = BrokenCase("model/equals_codex", "mixed", "s", history, frozenset({"text"}), ("x",))
    written = [
        Deviation(case, 'they said "no"\x7f', "https://example.org/1"),
        *deviations_from([_case("FC(a)")], []),
    ]

    write_deviations(tmp_path / "d.toml", written, "s")
    read = read_deviations(tmp_path / "d.toml")

    for one, other in zip(written, read, strict=True):
        assert (one.reason, one.link) == (other.reason, other.link)
        assert one.case.digest == other.case.digest


def test_todays_failures_become_deviations(tmp_path: Path) -> None:
    """What is broken today is written down; from then on it is expected, and nothing else."""
    first = _check(tmp_path, "--write-deviations", "d.toml")
    second = _check(tmp_path, "--deviations", "d.toml")

    assert 1 == first.code
    assert 0 == second.code, second.out
    assert "6 properties, 5 hold, 0 broken, 1 deviate as recorded" in second.out


def test_a_subject_that_cannot_be_leaves_no_file(tmp_path: Path) -> None:
    """An empty file would say that nothing deviates."""
    outcome = _check(tmp_path, "--write-deviations", "d.toml", subject="python:nowhere:normalize")

    assert 2 == outcome.code
    assert not (tmp_path / "d.toml").exists()


def test_what_the_file_held_stays(tmp_path: Path) -> None:
    """Reasons that somebody wrote are not lost, and no property is listed twice."""
    (tmp_path / "pyproject.toml").write_text('[tool.callpair]\ndeviations = "d.toml"\n')
    first = _check(tmp_path, "--write-deviations", "d.toml")
    file = tmp_path / "d.toml"
    [known] = read_deviations(file)
    kept = [replace(known, reason="old code"), Deviation(_case("FO(b)", "orphans/none_left"), "r")]
    write_deviations(file, kept, "s")
    (tmp_path / "pyproject.toml").unlink()
    again = _check(tmp_path, "--write-deviations", "d.toml")

    assert "d.toml: 1 new deviation, 0 known ones kept" in first.err
    assert "d.toml: 0 new deviations, 2 known ones kept" in again.err
    assert ["old code", "r"] == [one.reason for one in read_deviations(file)]


def test_a_deviation_that_is_gone_is_an_error(tmp_path: Path) -> None:
    """Who mends what was recorded has to remove it."""
    write_deviations(tmp_path / "d.toml", [Deviation(_case("FC(a)"), "old code")], "s")

    ran = _check(tmp_path, "--deviations", "d.toml", subject="reference")

    assert 1 == ran.code
    assert "the deviation from pairing/says_aborted (old code) is fixed: remove it" in ran.out


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("says_aborted", "says_nothing"), "no property 'pairing/says_nothing'"),
        (('reason = "r"', 'reason = ""'), "needs a reason"),
        (('reason = "r"\n', ""), "it has no 'reason'"),
        (("[\n", "{\n"), "Expecting property name"),
        (('"text"', '"smell"'), "unknown modality 'smell'"),
        (("[[deviation]]", "[[deviations]]"), r"expected \[\[deviation\]\] tables"),
        (('"function_call"', "7"), "item 0, key 'type'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_wrong_file_is_told_in_one_line(
    change: tuple[str, str], problem: str, tmp_path: Path
) -> None:
    """A deviations file that nobody could follow names the entry and what is wrong with it."""
    file = tmp_path / "d.toml"
    write_deviations(file, [Deviation(_case("FC(a)"), "r")], "s")
    file.write_text(file.read_text().replace(*change))

    with pytest.raises(CommandError, match=problem):
        read_deviations(file)


def test_saved_cases_are_tried_first(tmp_path: Path) -> None:
    """A case that was saved is found again with a single example, whatever the seed."""
    _case("U U FC(a)").save(tmp_path / "kept")

    ran = _check(tmp_path, "--save", "kept", "--json")

    [row] = [row for row in json.loads(ran.out)["rows"] if row["outcome"] == "broken"]
    assert ("pairing/says_aborted", 1) == (row["property"], row["examples"])


def test_settings_are_found_from_below(tmp_path: Path) -> None:
    """The nearest pyproject.toml counts, and its paths are meant from its folder."""
    (tmp_path / "pyproject.toml").write_text(
        '[tool.callpair]\nsubject = "python:a:b"\nsubject_path = ["src"]\ndeviations = "d.toml"\n'
    )
    below = tmp_path / "src" / "deep"
    below.mkdir(parents=True)

    settings = read_settings(below)

    assert "python:a:b" == settings.subject
    assert (str(tmp_path / "src"),) == settings.subject_path
    assert str(tmp_path / "d.toml") == settings.deviations
    assert tmp_path / "pyproject.toml" == settings.file


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("speed = 1", "unknown key tool.callpair.speed"),
        ("timeout = 0", "expected a number above 0"),
        ("timeout = true", "expected a number above 0"),
        ("only = 'pairing'", "expected a list of strings"),
        ("subject = 1", "expected a string"),
        ("capabilities = 1", "expected a table"),
        ("[", "Invalid initial character"),
    ],
)
def test_settings_that_make_no_sense_are_told(line: str, problem: str, tmp_path: Path) -> None:
    """One line, with the file and the key, exit code 2."""
    (tmp_path / "pyproject.toml").write_text(f"[tool.callpair]\n{line}\n")

    ran = callpair("check", cwd=tmp_path)

    assert (2, "", 1) == (ran.code, ran.out, len(ran.err.splitlines())), ran.err
    assert problem in ran.err
