"""The matrix tells for each subject what holds, and what to type where something is broken."""

from __future__ import annotations

from html import escape

import pytest

from benchmarks.matrix import Column, Effort, markdown, page
from benchmarks.peers import PEERS
from normalizer import ALL, CommandError
from properties.broken import BrokenCase
from properties.loading import load_subject
from properties.results import Results, Row
from strategies import history_of

EFFORT = Effort(examples=20, seed=3)


def broken(name: str, text: str) -> Row:
    """Return the row of a property that is broken on the history that `text` describes."""
    history = history_of(text)
    case = BrokenCase(name, "mixed", "python:m:f", history, ALL, ("it <is> wrong",), history)
    return Row(name, "mixed", "broken", 5, 0.1, case)


@pytest.fixture
def column() -> Column:
    """Return the column of a subject that breaks three properties on two histories."""
    rows = [
        Row("pairing/found_nothing", "mixed", "holds", 20, 0.1),
        Row("identity/derived", "mixed", "n/a", 0, 0.0, reason="ids is none"),
        broken("pairing/call_answered", "FC(a)"),
        broken("preservation/count", "FC(a)"),
        broken("preservation/order", "FC(a) U"),
    ]
    return Column("python:m:f", Results("python:m:f", "dev", 3, rows, complete=True), EFFORT)


def test_a_history_that_breaks_several_is_told_once(column: Column) -> None:
    """The smallest comes first, with all that it breaks."""
    told = [names for names, _ in column.counterexamples()]

    assert [["pairing/call_answered", "preservation/count"], ["preservation/order"]] == told


def test_each_counterexample_has_its_command(column: Column) -> None:
    """It names the subject, the property, the histories, and how hard it was tried."""
    text = markdown([column], "2026-12-02")

    assert (
        "$ callpair check --subject python:m:f --only preservation/order "
        "--families mixed --examples 20 --seed 3" in text
    )


def test_the_table_has_a_mark_for_each_property(column: Column) -> None:
    """Broken, holding, not applicable, and not tried."""
    lines = markdown([column], "2026-12-02").splitlines()
    marks = {line.split("`")[1]: line.split("|")[2].strip() for line in lines if "| `" in line}

    assert "✗" == marks["preservation/count"]
    assert "✓" == marks["pairing/found_nothing"]
    assert "·" == marks["identity/derived"]
    assert "-" == marks["work/linear"]


def test_the_page_escapes_what_subjects_say(column: Column) -> None:
    """A finding is text, whatever it holds."""
    html = page([column], "2026-12-02")

    assert escape("it <is> wrong") in html
    assert "<is>" not in html


def test_an_unknown_peer_is_told() -> None:
    """With those that there are."""
    with pytest.raises(CommandError, match=f"choose from {', '.join(PEERS)}"):
        load_subject("peer:nobody")
