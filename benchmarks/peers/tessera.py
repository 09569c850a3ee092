"""tessera-transcript: it repairs chat messages, and refuses those with a repeated call id."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import tessera

from benchmarks.peers.chat import Message, repaired
from normalizer import Item
from properties import SkippedError


def normalize(history: list[Item], _: Collection[str]) -> list[Item]:
    """Return what `tessera.repair` makes of the history.

    Raises SkippedError where tessera says that it does not repair such a transcript.
    """
    return repaired(history, _repaired)


def _repaired(messages: list[Message]) -> list[Message]:
    try:
        result: list[Any] = tessera.repair(messages, adapter="openai").transcript
    except tessera.IrreparableError as error:
        raise SkippedError(str(error)) from None
    return result
