"""`callpair faults`: its table, its JSON, its picture, its exit codes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from normalizer import CommandError
from properties.commands import faults as command
from properties.commands.curve import draw_curve
from properties.faults import FAULTS
from properties.faults.detection import Detection, Example, Record
from properties.selfcheck.helpers import callpair

_EXAMPLE = Example([], frozenset(), 0.0)
_CAUGHT = Detection("pairing/call_answered", 3, 0.01, _EXAMPLE)


def record(*detections: Detection | None) -> Record:
    """Return what might have become of a fault."""
    return Record("claims-success", list(detections), ["pairing/call_answered"], 0.5, 1)


def test_the_table_tells_what_became_of_each_fault() -> None:
    """One line a fault below its kind, a verdict at the end, and exit code 0."""
    done = callpair("faults", "claims-success", "keys-sorted", "--jobs", "1")
    lines = done.out.splitlines()

    assert (0, "") == (done.code, done.err)
    assert ["fault", "caught", "properties", "groups"] == lines[0].split()[:4]
    assert ["completion/", "claims-success", "preservation/", "keys-sorted"] == [
        line.split()[0] for line in lines[2:6]
    ]
    assert lines[-1].startswith("2 of 2 faults caught, median ")


def test_the_same_seed_gives_the_same_json() -> None:
    """Everything but the seconds."""
    first, second = (json.loads(callpair("faults", "keys-sorted", "--json").out) for _ in "12")
    for result in (first, second):
        for found in result["faults"][0]["detections"]:
            del found["seconds"]

    assert first == second
    assert first["faults"][0]["caught"]
    assert "preservation/items_unchanged" in first["faults"][0]["caught_by"]


def test_list_says_what_each_fault_is() -> None:
    """Without trying any; a kind stands for its faults."""
    done = callpair("faults", "work", "--list")
    names = [name for name, fault in FAULTS.items() if fault.group == "work"]

    assert 0 == done.code
    assert names == [line.split()[0] for line in done.out.splitlines()[2:]]


def test_an_unknown_name_is_told_in_one_line() -> None:
    """It is a mistake of the user's."""
    done = callpair("faults", "nosuch")

    assert (2, "") == (done.code, done.out)
    assert done.err.startswith("callpair faults: error: no fault 'nosuch': see --list; the kinds ")


def test_a_fault_is_a_subject_everywhere() -> None:
    """`check` breaks its properties; a name that does not exist is told in one line."""
    only = ("--only", "pairing/says_aborted", "--examples", "50", "--save", "/dev/null/x")
    broken = callpair("check", "--subject", "fault:claims-success", *only[:4], "--json")
    unknown = callpair("check", "--subject", "fault:nosuch")

    assert 1 == broken.code
    assert ["pairing/says_aborted"] == [b["property"] for b in json.loads(broken.out)["broken"]]
    assert (2, 1) == (unknown.code, len(unknown.err.splitlines()))


def test_a_fault_that_escapes_once_has_escaped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One seed without a detection is enough; the exit code is 1."""
    monkeypatch.setattr(command, "_records", lambda *_: iter([record(_CAUGHT, None)]))
    monkeypatch.setattr(sys, "argv", ["callpair"])
    from callpair import main

    assert 1 == main(["faults", "claims-success"])
    assert "ESCAPED" in capsys.readouterr().out


def test_the_curve_is_a_picture(tmp_path: Path) -> None:
    """Of the kind that its suffix names."""
    pytest.importorskip("matplotlib")
    draw_curve([record(_CAUGHT, None)], 10, tmp_path / "curve.svg")

    assert "<svg" in (tmp_path / "curve.svg").read_text("utf-8")
    with pytest.raises(CommandError, match="nosuch"):
        draw_curve([record(_CAUGHT)], 10, tmp_path / "curve.nosuch")


def test_without_matplotlib_the_plot_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In one line."""
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(CommandError, match=r"pip install 'callpair\[plot\]'"):
        draw_curve([record(_CAUGHT)], 10, tmp_path / "curve.svg")
