"""Histories are what their shapes promise, in any size and in every process."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from io import BytesIO
from pathlib import Path

import pytest

from benchmarks.conftest import mutables
from benchmarks.histories import SHAPES, build
from benchmarks.rollouts import rollout_lines
from normalizer import FAMILIES_OF_OUTPUT, FAMILY_OF_CALL, Item, repairs
from normalizer.rollout import rollout_of

ROOT = Path(__file__).parents[1]

#: Prints a digest of a history of every shape.
DIGESTS = """
import hashlib, json
from benchmarks import SHAPES
for shape in SHAPES.values():
    print(hashlib.sha256(json.dumps(shape.build(200, seed=7)).encode()).hexdigest())
"""


def shares(history: list[Item]) -> tuple[float, float]:
    """Return which part of the calls is unanswered and which part of the outputs orphan."""
    types = Counter(item["type"] for item in history)
    actions = Counter(repair.action for repair in repairs(history))
    calls = sum(types[call_type] for call_type in FAMILY_OF_CALL)
    outputs = sum(types[output_type] for output_type in FAMILIES_OF_OUTPUT)
    return actions["answered"] / max(calls, 1), actions["dropped"] / max(outputs, 1)


@pytest.mark.parametrize("size", [0, 1, 100, 12_345])
@pytest.mark.parametrize("shape", SHAPES)
def test_size_is_exact(shape: str, size: int) -> None:
    """A history has as many items as were asked for."""
    assert len(build(shape, size)) == size


@pytest.mark.parametrize("shape", SHAPES)
def test_small_histories_start_large_ones(shape: str) -> None:
    """A growing size is a growing session: what was there before stays."""
    assert build(shape, 1_000)[:300] == build(shape, 300)


@pytest.mark.parametrize("shape", SHAPES)
def test_seeds_give_different_histories(shape: str) -> None:
    """Another seed is another session of the same shape."""
    assert build(shape, 100, seed=1) != build(shape, 100, seed=2)


@pytest.mark.parametrize("shape", SHAPES)
def test_items_share_nothing_mutable(shape: str) -> None:
    """A history is like one read from a file: no dict or list is in two places."""
    seen = list(mutables(build(shape, 1_000)))

    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize("hash_seed", ["0", "1", "4711"])
def test_other_processes_build_the_same(hash_seed: str) -> None:
    """Neither the process nor its hash seed shows in a history."""
    here = [
        hashlib.sha256(json.dumps(shape.build(200, seed=7)).encode()).hexdigest()
        for shape in SHAPES.values()
    ]
    there = subprocess.run(
        [sys.executable, "-c", DIGESTS],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
        capture_output=True,
        check=True,
        text=True,
    )

    assert there.stdout.split() == here


@pytest.mark.parametrize("shape", ["session", "one_turn"])
@pytest.mark.parametrize("size", [1_000, 20_000])
def test_sessions_are_damaged_as_promised(shape: str, size: int) -> None:
    """Of a session's calls 5 % are unanswered and of its outputs 2 % orphan, but for its end."""
    unanswered, orphans = shares(build(shape, size))

    assert unanswered == pytest.approx(0.05, abs=8 / size)
    assert orphans == pytest.approx(0.02, abs=8 / size)


@pytest.mark.parametrize(
    ("shape", "expected"), [("unanswered", (1, 0)), ("orphans", (0, 1)), ("media", (0, 0))]
)
def test_extremes_are_extreme(shape: str, expected: tuple[float, float]) -> None:
    """All calls unanswered, all outputs orphan, and nothing to repair but media."""
    assert shares(build(shape, 1_000)) == expected


def test_sessions_mix_everything() -> None:
    """A session has every family, lists for outputs, images, and messages of several parts."""
    session = build("session", 10_000)
    types = {item["type"] for item in session}
    outputs = [item["output"] for item in session if item["type"] == "function_call_output"]
    messages = [item["content"] for item in session if item["type"] == "message"]

    assert types == {"message", "reasoning", *FAMILY_OF_CALL, *FAMILIES_OF_OUTPUT}
    assert 0.02 < sum(isinstance(output, list) for output in outputs) / len(outputs) < 0.3
    assert sum(len(parts) > 1 for parts in messages) > len(messages) / 4
    assert len(repairs(session, {"text"})) > len(repairs(session)) + 10


def test_one_turn_has_one_user_message() -> None:
    """The user speaks first, and once."""
    roles = [item.get("role") for item in build("one_turn", 5_000)]

    assert roles[0] == "user"
    assert roles.count("user") == 1


def test_parallel_outputs_come_in_another_order() -> None:
    """A storm's outputs follow all of its calls, shuffled."""
    storm = [item for item in build("parallel", 4) if "call_id" in item]
    history = build("parallel", 2_000)
    called = [item["call_id"] for item in history if item["type"] in FAMILY_OF_CALL]
    answered = [item["call_id"] for item in history if item["type"] in FAMILIES_OF_OUTPUT]

    assert all(item["type"] in FAMILY_OF_CALL for item in storm)
    assert set(answered) < set(called)
    assert answered != called[: len(answered)]


def test_media_stand_in_every_item_but_calls() -> None:
    """A text-only model sees placeholders all over."""
    history = build("media", 1_000)

    assert len(repairs(history, {"text"})) == sum(i["type"] != "function_call" for i in history)


def test_collisions_share_a_few_call_ids() -> None:
    """Few ids stand in many items, and one id in items of several types."""
    carriers: dict[str, set[str]] = {}
    for item in build("collisions", 2_000):
        carriers.setdefault(item["call_id"], set()).add(item["type"])
    unanswered, orphans = shares(build("collisions", 2_000))

    assert len(carriers) < 10
    assert all(len(types) > 1 for types in carriers.values())
    assert 0 < unanswered < 1
    assert 0 < orphans < 1


@pytest.mark.parametrize("shape", SHAPES)
def test_a_rollout_holds_its_history(shape: str) -> None:
    """What is written as a rollout is read back, with no line skipped and no item unknown."""
    history = build(shape, 200)
    lines = list(rollout_lines(history))
    rollout = rollout_of(BytesIO(b"".join(lines)))

    assert rollout.history == history
    assert rollout.skipped == []
    assert len(lines) > len(history)
    assert json.loads(lines[0])["type"] == "session_meta"
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in lines)


def test_bad_requests_are_refused() -> None:
    """An unknown shape and a negative size raise at once."""
    with pytest.raises(ValueError, match="unknown shape 'spiral'"):
        build("spiral", 10)
    with pytest.raises(ValueError, match="size"):
        build("session", -1)
