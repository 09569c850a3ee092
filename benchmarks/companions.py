"""The yardsticks as normalizers, to be run beside the subjects."""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import Final

from benchmarks import yardsticks
from benchmarks.targets import SUITE, Target
from normalizer import Item


def plain_copy(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Return a plain copy of `history`, whatever the model takes."""
    del modalities
    copy: list[Item] = yardsticks.plain_copy(history)
    return copy


def lean_copy(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Return the fastest plain copy of `history`, whatever the model takes."""
    del modalities
    copy: list[Item] = yardsticks.lean_copy(history)
    return copy


def deep_copy(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Return a deep copy of `history`, whatever the model takes."""
    del modalities
    copy: list[Item] = yardsticks.deep_copy(history)
    return copy


def _companion(name: str, module: str, attribute: str) -> Target:
    return Target(name, sys.executable, module, attribute, (str(SUITE), *filter(None, sys.path)))


#: The least that any normalizer must do: the unit of the others.
PLAIN_COPY: Final = _companion("plain copy", "benchmarks.companions", "plain_copy")

#: What stands beside the subjects of a benchmark.
YARDSTICKS: Final = (
    PLAIN_COPY,
    _companion("lean copy", "benchmarks.companions", "lean_copy"),
    _companion("deepcopy", "benchmarks.companions", "deep_copy"),
    _companion("reverse insert", "benchmarks.yardsticks", "reverse_insert"),
)
