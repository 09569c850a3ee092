"""Reading a rollout and normalizing it costs little more than parsing its lines."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from benchmarks.conftest import Benchmark, Note
from benchmarks.histories import build
from benchmarks.rollouts import rollout_lines
from benchmarks.timing import ratio, settled
from benchmarks.yardsticks import json_loop
from normalizer import normalize, read_rollout

pytestmark = pytest.mark.benchmark(disable_gc=True)

#: How many times as long as a bare `json.loads` of each line the whole way may take.
MAX_RATIO = 2.0

#: So many items make a file of about 50 MB.
SIZE = 12_500

#: How many pairs of calls settle the ratio.
PAIRS = 5


def test_reading_keeps_pace(benchmark: Benchmark, note: Note, tmp_path: Path) -> None:
    """From the file to the prompt costs at most 2 loops of `json.loads` over its lines."""
    path = tmp_path / "rollout.jsonl"
    with path.open("wb") as file:
        file.writelines(rollout_lines(build("session", SIZE)))

    def to_prompt() -> object:
        return normalize(read_rollout(path).history)

    def parsing() -> None:
        with path.open("rb") as file:
            json_loop(file)

    benchmark.group = f"rollout of {path.stat().st_size / 1e6:.0f} MB"
    benchmark.pedantic(to_prompt, rounds=3)
    measured = settled(partial(ratio, to_prompt, parsing), PAIRS, MAX_RATIO)
    note("ratio to json loop", measured, MAX_RATIO)

    assert measured <= MAX_RATIO
