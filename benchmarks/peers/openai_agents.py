"""OpenAI Agents SDK: it drops calls that nobody answered, and takes the same items as Codex."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any

from agents.memory import SessionSettings
from agents.run_internal.items import drop_orphan_function_calls
from agents.run_internal.session_persistence import prepare_input_with_session

from normalizer import Item


def normalize(history: list[Item], _: Collection[str]) -> list[Item]:
    """Return what `drop_orphan_function_calls` leaves, asked to drop orphan outputs as well."""
    items: Any = history
    places = set(range(len(history)))
    kept: list[Any] = drop_orphan_function_calls(
        items, pruning_indexes=places, output_pruning_indexes=places
    )
    return kept


def normalize_session(history: list[Item], _: Collection[str]) -> list[Item]:
    """Return the model input that a session with this history gives a run without new input."""
    session: Any = _Session(history)
    prepared, _new = asyncio.run(prepare_input_with_session([], session, None))
    items: list[Any] = list(prepared)
    return items


class _Session:
    """A session that holds one history; limited, since only then orphan outputs are dropped."""

    def __init__(self, history: list[Item]) -> None:
        self.session_id = "session"
        self.session_settings = SessionSettings(limit=len(history) + 1)
        self._history = history

    async def get_items(self, limit: int | None = None, **_: Any) -> list[Item]:
        del limit
        return self._history
