"""User turns in a history: where they begin, and what a rollback or a compaction leaves of them."""

from __future__ import annotations

from typing import Final

from normalizer.items import Item

#: How the user messages begin that Codex itself puts into a session; they start no turn.
_CONTEXT_MARKERS: Final = (
    "<environment_context>",
    "<user_instructions>",
    "<turn_aborted>",
    "<user_shell_command>",
    "<skill>",
    "<subagent_notification>",
    "# agents.md instructions",
)


def is_user_turn(item: Item) -> bool:
    """Whether `item` is a message that the user wrote: each such message begins a turn."""
    return item["type"] == "message" and item["role"] == "user" and not _is_context(item)


def without_last_turns(history: list[Item], turns: int) -> int:
    """Return how many items of `history` stay when its last `turns` user turns are dropped.

    The context that Codex put right before the first dropped turn goes with it. What stands before
    the first turn of all stays, however many turns are dropped.
    """
    starts = [index for index, item in enumerate(history) if is_user_turn(item)]
    if not turns or not starts:
        return len(history)
    kept = starts[-min(turns, len(starts))]
    while kept > starts[0] and _is_context(history[kept - 1]):
        kept -= 1
    return kept


def summarized(messages: list[Item], summary: str) -> list[Item]:
    """Return the history that a compaction leaves: the user's `messages`, then the `summary`."""
    part = {"type": "input_text", "text": summary or "(no summary available)"}
    return [*messages, {"type": "message", "role": "user", "content": [part]}]


def _is_context(item: Item) -> bool:
    if item["type"] != "message" or item["role"] not in ("user", "developer"):
        return False
    texts = (part.get("text") for part in item["content"])
    return any(_has_marker(text) for text in texts if isinstance(text, str))


def _has_marker(text: str) -> bool:
    return text.lstrip().lower().startswith(_CONTEXT_MARKERS)
