"""Reading a rollout and normalizing it costs little more than parsing its lines."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from benchmarks.conftest import Note
from benchmarks.histories import build
from benchmarks.rollouts import rollout_lines
from benchmarks.timing import ratio, settled
from benchmarks.yardsticks import json_loop
from normalizer import normalize
from normalizer.rollout import read_rollout

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

pytestmark = pytest.mark.benchmark(disable_gc=True)

#: How many times as long as a bare `json.loads` of each line the whole way may take.
MAX_RATIO = 2.0

#: So many items make a file of about 50 MB.
SIZE = 14_000

PAIRS = 9


def test_reading_and_normalizing_takes_little_longer_than_parsing(
    benchmark: BenchmarkFixture, note: Note, tmp_path: Path
) -> None:
    """From the file to the prompt costs at most 2 loops of `json.loads` over its lines."""
    path = tmp_path / "rollout.jsonl"
    with path.open("wb") as file:
        file.writelines(rollout_lines(build("session", SIZE)))

    def to_prompt() -> object:
        return normalize(read_rollout(path).history)

    def parsing() -> None:
        with path.open("rb") as file:
            json_loop(file)

    benchmark.group = f"read and normalize {path.stat().st_size / 1e6:.0f} MB"
    benchmark.pedantic(to_prompt, rounds=PAIRS, warmup_rounds=1)
    measured = settled(partial(ratio, to_prompt, parsing), PAIRS, MAX_RATIO)
    note("ratio to json.loads loop", measured, MAX_RATIO)

    assert measured <= MAX_RATIO
