"""tool-call-repair: it repairs chat messages, here by answering the calls that nobody answered."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import toolrepair

from benchmarks.peers.chat import Message, repaired
from normalizer import Item


def normalize(history: list[Item], _: Collection[str]) -> list[Item]:
    """Return what `toolrepair.repair` with the strategy `synthesize` makes of the history."""
    return repaired(history, _repaired)


def _repaired(messages: list[Message]) -> list[Message]:
    result: list[Any] = toolrepair.repair(messages, format="openai", strategy="synthesize")
    return result
