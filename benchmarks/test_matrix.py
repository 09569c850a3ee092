"""The matrix tells for each subject what holds, and what to type where something is broken."""

from __future__ import annotations

import pytest

from benchmarks.matrix import Column, markdown
from benchmarks.peers import PEERS
from normalizer import ALL, CommandError, Item
from properties.broken import BrokenCase
from properties.loading import load_subject
from properties.results import Results, Row
from strategies import history_of


def broken(name: str, text: str, prompt: list[Item] | None) -> Row:
    """Return the row of a property that is broken on the history that `text` describes."""
    outcome = "" if prompt is not None else "hung"
    case = BrokenCase(
        name, "mixed", "python:m:f", history_of(text), ALL, ("wrong",), prompt, outcome
    )
    return Row(name, "mixed", "broken", 5, 0.1, case)


@pytest.fixture
def column() -> Column:
    """Return the column of a subject that breaks four properties on three histories."""
    rows = [
        Row("pairing/found_nothing", "mixed", "holds", 20, 0.1),
        Row("identity/derived", "mixed", "n/a", 0, 0.0, reason="ids is none"),
        broken("pairing/call_answered", "FC(a)", []),
        broken("preservation/count", "FC(a)", []),
        broken("preservation/order", "FC(a) U", history_of("U")),
        broken("work/linear", "FC(a) FO(a) U", None),
    ]
    return Column(Results("python:m:f", "dev", 3, rows, complete=True))


def test_a_history_that_breaks_several_is_told_once(column: Column) -> None:
    """The smallest comes first, with all that it breaks."""
    told = [names for names, _ in column.counterexamples()]

    assert [
        ["pairing/call_answered", "preservation/count"],
        ["preservation/order"],
        ["work/linear"],
    ] == told


def test_each_counterexample_has_its_command(column: Column) -> None:
    """It names the subject, the property, the histories, and how hard it was tried."""
    text = markdown([column], "2026-12-02")

    assert (
        "$ callpair check --subject python:m:f --only preservation/order "
        "--families mixed --profile dev --seed 3" in text
    )


def test_no_prompt_and_an_empty_one_are_told_apart(column: Column) -> None:
    """A normalizer that hung gave none; one may also give a prompt without items."""
    text = markdown([column], "2026-12-02")

    assert 1 == text.count("It gave no prompt: it hung.")
    assert 1 == text.count("(no items)")


def test_the_table_has_a_mark_for_each_property(column: Column) -> None:
    """Broken, holding, not applicable, and not tried."""
    other = Column(Results("peer:nobody", "dev", 3, [], complete=True))
    lines = _table([column, other])

    assert ["python:m:f", "nobody"] == lines["property"]
    assert ["✗", "-"] == lines["`preservation/count`"]
    assert ["✓", "-"] == lines["`pairing/found_nothing`"]
    assert ["·", "-"] == lines["`identity/derived`"]


def _table(columns: list[Column]) -> dict[str, list[str]]:
    """Return the cells of the table in the document, by the first of each line."""
    text = markdown([Column(column.results) for column in columns], "2026-12-02")
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| ")]
    return {first.strip(): [cell.strip() for cell in cells] for first, *cells in rows}


def test_an_unknown_peer_is_told() -> None:
    """With those that there are."""
    with pytest.raises(CommandError, match=f"choose from {', '.join(PEERS)}"):
        load_subject("peer:nobody")
