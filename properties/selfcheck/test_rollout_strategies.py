"""The rollout files: whole and damaged as promised, and the reader finds in each what it must."""

from __future__ import annotations

import io
import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from normalizer import Rollout, normalize
from normalizer.rollout import rollout_of
from strategies import DAMAGES, RolloutFile, recorded_rollouts, rollout_files
from strategies.commands.draws import draw

REWRITES: Final = ("rollback", "compaction", "summary")

#: What costs no line that can be counted on: the reader has nothing to report.
HARMLESS: Final = (
    "CR LF",
    "no final newline",
    "separators in text",
    "blank line",
    "line of a newer type",
    "header missing",
    "block repeated",
    "odd but sound",
)


def read(file: RolloutFile) -> Rollout:
    """Return what the reader makes of `file`."""
    return rollout_of(io.BytesIO(file.data))


@pytest.fixture(scope="session")
def files() -> list[RolloutFile]:
    """Many rollout files, the same every time."""
    found: list[RolloutFile] = []
    discarded = draw(recorded_rollouts(), 1000, found.append, with_seed=1)

    assert discarded < 10, "under 1 %: what is drawn is used"
    return found


# --- the reader -----------------------------------------------------------------------------------


@settings(max_examples=300, derandomize=True, database=None, deadline=None)
@given(recorded_rollouts())
def test_the_reader_finds_the_items_and_names_the_bad_lines(file: RolloutFile) -> None:
    """What was written is found; what was damaged is skipped, and told by its line number."""
    rollout = read(file)

    assert file.history == rollout.history
    assert file.skipped == tuple(note.line for note in rollout.skipped)


def test_it_does_so_for_many_files_more(files: list[RolloutFile]) -> None:
    """The same over the files that the other tests count."""
    for file in files:
        rollout = read(file)

        assert (file.history, file.skipped) == (
            rollout.history,
            tuple(note.line for note in rollout.skipped),
        )


@pytest.mark.parametrize("damage", DAMAGES)
def test_it_does_so_after_each_damage_alone(damage: str) -> None:
    """Each damage by itself, however often in one file."""
    found: list[RolloutFile] = []
    draw(recorded_rollouts(damages=[damage]), 40, found.append, with_seed=1)
    for file in found:
        rollout = read(file)

        assert file.history == rollout.history
        assert file.skipped == tuple(note.line for note in rollout.skipped)
    assert any(f"damage: {damage}" in file.labels for file in found)


def test_the_normalizer_takes_what_was_recorded(files: list[RolloutFile]) -> None:
    """A damaged file costs calls and outputs, never the prompt."""
    for file in files:
        normalize(file.history, {"text"})


# --- what occurs ----------------------------------------------------------------------------------


def test_every_damage_and_rewrite_occurs(files: list[RolloutFile]) -> None:
    """Each in 1 % of the files at least, and files that are whole in 5 %."""
    counts = Counter(label for file in files for label in set(file.labels))
    names = [f"damage: {name}" for name in DAMAGES] + [f"rewrite: {name}" for name in REWRITES]

    assert [] == [name for name in names if counts[name] < 0.01 * len(files)]
    assert counts["rollout: whole"] > 0.05 * len(files)
    assert counts["rollout: whole"] + counts["rollout: damaged"] == len(files)


def test_rollbacks_behind_a_compaction_occur(files: list[RolloutFile]) -> None:
    """A compaction and a rollback in one file, in 2 % of them."""
    both = [
        file for file in files if {"rewrite: compaction", "rewrite: rollback"} <= {*file.labels}
    ]

    assert len(both) > 0.02 * len(files)


def test_a_damage_that_costs_no_line_leaves_nothing_to_report() -> None:
    """Files with nothing but harmless damages are read to the last line."""
    found: list[RolloutFile] = []
    draw(recorded_rollouts(damages=HARMLESS), 100, found.append, with_seed=1)

    assert [] == [file for file in found if file.skipped]


def test_whole_files_are_lines_of_json(files: list[RolloutFile]) -> None:
    """What is called whole starts with a header and holds one envelope a line."""
    for file in files:
        if "rollout: whole" in file.labels:
            lines = [json.loads(line) for line in file.data.split(b"\n")[:-1]]

            assert lines[0]["type"] == "session_meta"
            assert all({"timestamp", "type", "payload"} == set(line) for line in lines)
            assert file.skipped == ()


def test_no_two_items_are_one_object(files: list[RolloutFile]) -> None:
    """A repeated line carries an equal item, not the same one."""
    items = [id(item) for file in files for item in file.history]

    assert len(items) == len(set(items))


# --- options --------------------------------------------------------------------------------------


def test_without_damages_all_files_are_whole() -> None:
    """`damages=()` draws what no crash, disk or editor has touched."""
    found: list[RolloutFile] = []
    draw(recorded_rollouts(damages=()), 100, found.append, with_seed=1)

    assert {"rollout: whole"} == {file.labels[0] for file in found}


@pytest.mark.parametrize("strategy", [rollout_files, recorded_rollouts])
def test_a_damage_that_does_not_exist_raises_at_once(
    strategy: Callable[..., st.SearchStrategy[object]],
) -> None:
    """A misspelt name shows where it is written."""
    with pytest.raises(ValueError, match="unknown damage 'no such damage'"):
        strategy(damages=["no such damage"])


def test_rollout_files_are_bytes_like_the_recorded_ones() -> None:
    """The same files, for tests that know by themselves what to expect."""
    found: list[bytes] = []
    draw(rollout_files(damages=()), 50, found.append, with_seed=1)
    for data in found:
        assert b"session_meta" in data.split(b"\n")[0]
        assert rollout_of(io.BytesIO(data)).skipped == []


# --- minimal examples -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "lines"),
    [
        (lambda file: bool(file.skipped), 1),
        (lambda file: bool(file.history), 3),
        (lambda file: b"thread_rolled_back" in file.data, 2),
        (lambda file: bool(file.skipped and file.history), 5),
    ],
    ids=["a line is skipped", "an item is found", "a rollback", "both"],
)
def test_minimal_files_are_short(condition: Callable[[RolloutFile], bool], lines: int) -> None:
    """What breaks a reader shrinks to a few lines."""
    minimal = find(
        recorded_rollouts(),
        condition,
        settings=settings(max_examples=500, database=None, deadline=None),
        random=random.Random(1),
    )

    assert lines >= len(minimal.data.splitlines())
