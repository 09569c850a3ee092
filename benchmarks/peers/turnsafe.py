"""turnsafe: it repairs chat messages, and moves outputs to their calls."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import turnsafe

from benchmarks.peers.chat import Message, repaired
from normalizer import Item


def normalize(history: list[Item], _: Collection[str]) -> list[Item]:
    """Return what `turnsafe.repair` makes of the history."""
    return repaired(history, _repaired)


def _repaired(messages: list[Message]) -> list[Message]:
    result: list[Any] = turnsafe.repair(messages, "openai")
    return result
