"""A crash at every byte of every shipped real session."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from normalizer import ALL, normalize, read_rollout
from normalizer.rollout import rollout_of
from properties import violations
from properties.golden import rollout_paths


@pytest.mark.parametrize("path", rollout_paths(), ids=lambda path: path.stem)
def test_a_crash_at_any_byte_costs_the_torn_line_alone(path: Path) -> None:
    """The reader yields the whole lines before the cut and says what is missing."""
    data = path.read_bytes()
    for length in range(len(data) + 1):
        rollout = rollout_of(io.BytesIO(data[:length]))
        whole, _, rest = data[:length].rpartition(b"\n")

        # A last line without its newline is whole if nothing but the newline is missing.
        complete = whole.count(b"\n") + bool(whole) + _is_json(rest)
        assert _items(data, complete) == rollout.history
        assert [complete + 1] * bool(rest and not _is_json(rest)) == [
            note.line for note in rollout.skipped
        ]


@pytest.mark.parametrize("path", rollout_paths(), ids=lambda path: path.stem)
def test_the_prompt_after_a_crash_satisfies_every_property(path: Path, tmp_path: Path) -> None:
    """Whatever the last whole line is, the prompt of what is left violates nothing."""
    lines = path.read_bytes().splitlines(keepends=True)
    torn = tmp_path / "torn.jsonl"
    for count in range(len(lines) + 1):
        data = b"".join(lines[:count]) + b'{"timestamp": "20'
        torn.write_bytes(data)
        history = read_rollout(torn).history

        assert data == torn.read_bytes()
        for modalities in (ALL, frozenset({"text"})):
            found = violations(history, modalities, normalize(history, modalities))

            assert [] == found


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def _items(data: bytes, lines: int) -> list[object]:
    """Return the items in the first lines of a file without compactions."""
    values = map(json.loads, data.splitlines()[:lines])
    return [value["payload"] for value in values if value["type"] == "response_item"]
