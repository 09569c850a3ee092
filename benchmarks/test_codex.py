"""The comparison with Codex finds what differs and nothing else, and leaves nothing behind."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import callpair
from benchmarks import stand_in
from benchmarks.codex import CodexError, Oracle, canonical, find_codex
from benchmarks.codex.answer import Answer
from benchmarks.codex.batches import batches
from benchmarks.codex.shrinking import smallest
from normalizer import ALL, Item, normalize
from strategies import histories, history_of

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which everything temporary is made; it is empty again at the end."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def compare(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    """Return the exit code of `callpair codex`, and what it printed."""
    code = callpair.main(["codex", *arguments])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


# --- with the real one ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def installed() -> str:
    """Return the path of the installed Codex."""
    try:
        return str(find_codex())
    except CodexError as error:
        pytest.skip(str(error))


def test_codex_sends_what_the_reference_makes(
    capsys: Capture, installed: str, scratch: Path
) -> None:
    """On histories for models of all kinds, item by item."""
    code, out, err = compare(capsys, "-n", "400", "--codex", installed)

    assert (0, "") == (code, err), out
    assert [] == list(scratch.iterdir())


def test_codex_reads_what_the_reader_reads(capsys: Capture, installed: str) -> None:
    """Out of whole and of damaged rollout files."""
    code, out, err = compare(capsys, "--rollouts", "-n", "24", "--codex", installed)

    assert (0, "") == (code, err), out


def test_codex_goes_nowhere_else(installed: str) -> None:
    """Beside its prompt it sends nothing."""
    with Oracle(find_codex(installed)) as oracle:
        resumption = oracle.resume(next(batches([history_of("FC(a)")])).rollout(), ALL)

        assert () == oracle.strays
    assert resumption.prompt is not None


# --- with a stand-in ------------------------------------------------------------------------------


def test_equal_prompts_are_told(capsys: Capture, tmp_path: Path, scratch: Path) -> None:
    """The command exits with 0, says how many were compared, and cleans up."""
    codex = str(stand_in.program(tmp_path))
    code, out, _ = compare(capsys, "-n", "30", "--seed", "1", "--codex", codex)

    assert 0 == code
    assert "0 of 30 histories differ" in out
    assert [] == list(scratch.iterdir())


def test_the_smallest_difference_is_shown(capsys: Capture, tmp_path: Path) -> None:
    """One open call is enough to see that an output is lost."""
    codex = str(stand_in.program(tmp_path, "loses outputs"))
    code, out, _ = compare(capsys, "-n", "30", "--seed", "1", "--json", "--codex", codex)
    found = json.loads(out)["smallest"]

    assert 1 == code
    assert 1 == len(found["session"])
    assert 1 + len(found["codex"]) == len(found["reference"])


def test_a_difference_between_files_is_shown(capsys: Capture, tmp_path: Path) -> None:
    """One line is enough to see that an item is lost."""
    codex = str(stand_in.program(tmp_path, "loses items"))
    code, out, _ = compare(capsys, "--rollouts", "-n", "12", "--seed", "1", "--codex", codex)

    assert 1 == code
    assert "Codex:     nothing" in out


def test_rows_are_recorded(capsys: Capture, tmp_path: Path) -> None:
    """They hold exactly what the reference makes, as the golden ones do."""
    file, codex = tmp_path / "rows.jsonl", str(stand_in.program(tmp_path))
    compare(capsys, "-n", "60", "--seed", "1", "--codex", codex, "--record", str(file))
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]

    assert 10 < len(rows) <= 60
    for row in rows:
        assert row["prompt"] == normalize(row["history"], row["modalities"])


@pytest.mark.parametrize(
    ("fault", "problem"),
    [
        ("refuses", "Codex refused a sound session: exit 1: error: no such session"),
        ("no catalogue", "`codex debug models` failed: exit 0: no message"),
        ("loses items", "histories went in"),
    ],
)
def test_no_answer_is_an_error(capsys: Capture, tmp_path: Path, fault: str, problem: str) -> None:
    """The command tells in one line what kept Codex from answering, and exits with 2."""
    code, out, err = compare(capsys, "-n", "1", "--codex", str(stand_in.program(tmp_path, fault)))

    assert (2, "") == (code, out)
    assert err.startswith("callpair codex: error: ")
    assert problem in err


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--codex", "/nowhere/codex"], "no Codex CLI at '/nowhere/codex': npm install"),
        (["-m", "image"], "every model that Codex knows takes text"),
        (["--rollouts", "--record", "rows.jsonl"], "golden rows hold histories"),
    ],
)
def test_wrong_usage_is_told(capsys: Capture, arguments: list[str], problem: str) -> None:
    """One line says what to mend, and nothing is run."""
    code, out, err = compare(capsys, *arguments)

    assert (2, "") == (code, out)
    assert problem in err


# --- the parts ------------------------------------------------------------------------------------


@given(st.lists(histories(unknown=False), max_size=8))
def test_batches_keep_histories_apart(drawn: list[list[Item]]) -> None:
    """Normalized together they give the same as one by one, and each is what was drawn."""
    for batch in batches(drawn):
        together = [item for history in batch.histories for item in history]
        one_by_one = [item for history in batch.histories for item in normalize(history)]

        assert one_by_one == normalize(together)
    assert list(map(shape, drawn)) == [
        shape(history) for batch in batches(drawn) for history in batch.histories
    ]


def shape(history: list[Item]) -> list[Any]:
    """Return a history with numbers in the place of its call ids: equal ids, equal numbers."""
    numbers: dict[object, int] = {None: -1}
    return [
        item | {"call_id": numbers.setdefault(item["call_id"], len(numbers))}
        if "call_id" in item
        else item
        for item in history
    ]


def test_call_ids_stay_where_they_can() -> None:
    """The first history to use an id keeps it, the empty one too."""
    open_calls = [history_of('FC("")'), history_of("FC(1)"), history_of('CC("") FC(1)')]
    (batch,) = batches(open_calls)

    assert open_calls[:2] == batch.histories[:2]
    assert ["2/", "12/"] == [item["call_id"] for item in batch.histories[2]]


def test_what_loading_changes_is_not_compared() -> None:
    """Null and absent, an id without a prefix, an empty text of an output."""
    texts = [{"type": "input_text", "text": ""}, {"type": "input_text", "text": "a"}]
    output = {"type": "function_call_output", "id": None, "call_id": "c", "output": texts}
    call = {"type": "local_shell_call", "id": "x", "call_id": None, "action": {"env": None}}

    assert [
        {"type": "function_call_output", "call_id": "c", "output": texts[1:]},
        {"type": "local_shell_call", "action": {}},
    ] == canonical([output, call])


@given(histories(unknown=False))
def test_no_item_and_no_value_gets_lost(history: list[Item]) -> None:
    """Beside ids, only what is null goes."""
    prompt = normalize(history)

    for item, kept in zip(prompt, canonical(prompt), strict=True):
        assert kept.keys() | {"id"} >= {key for key in item if item[key] is not None}
        assert item.keys() >= kept.keys()


@given(st.lists(st.integers(0, 3), max_size=30))
def test_shrinking_keeps_what_matters(session: list[int]) -> None:
    """Of a session that differs for a two followed by a three, those two are left."""

    def differs(parts: list[int]) -> bool:
        return 3 in parts[parts.index(2) :] if 2 in parts else False

    def ask(sessions: list[list[int]]) -> list[Answer[int]]:
        return [Answer(parts, ALL, [], [{}] if differs(parts) else []) for parts in sessions]

    if differs(session):
        assert [2, 3] == smallest(ask([session])[0], ask).session
