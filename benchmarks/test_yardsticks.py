"""The yardsticks do what a normalizer is compared with them for."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.conftest import mutables
from benchmarks.histories import SHAPES, build
from benchmarks.yardsticks import deep_copy, lean_copy, plain_copy, reverse_insert
from normalizer import normalize


@pytest.mark.parametrize("copy", [plain_copy, lean_copy, deep_copy])
def test_copies_are_equal_and_share_nothing_mutable(copy: Any) -> None:
    """A copy costs what a prompt must cost at least: all of it is new."""
    history = build("session", 500)
    result = copy(history)

    assert result == history
    assert set(mutables(result)).isdisjoint(mutables(history))


@pytest.mark.parametrize("shape", SHAPES)
def test_reverse_insert_gives_the_same_prompt(shape: str) -> None:
    """The slow way is a normalizer all the same, for a model that takes every medium."""
    history = build(shape, 1_000)
    before = plain_copy(history)

    assert reverse_insert(history) == normalize(history)
    assert history == before
