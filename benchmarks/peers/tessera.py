"""tessera-transcript: it repairs chat messages, and refuses those with a repeated call id."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import tessera

from benchmarks.peers.chat import Message, repaired
from normalizer import Item


def normalize(history: list[Item], _: Collection[str]) -> list[Item]:
    """Return what `tessera.repair` makes of the history; raises what it raises."""
    return repaired(history, _repaired)


def _repaired(messages: list[Message]) -> list[Message]:
    result: list[Any] = tessera.repair(messages, adapter="openai").transcript
    return result
