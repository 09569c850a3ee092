"""User turns in a history: where they begin, and what a rollback or a compaction leaves of them.

Codex puts context of its own into a session as user and developer messages. Those begin no turn; a
rollback drops them together with the turn that they introduce.
"""

from __future__ import annotations

from typing import Final

from normalizer.items import Item

_TAGS: Final = (
    "agent_message_board_notification",
    "environment_context",
    "recommended_plugins",
    "skill",
    "subagent_notification",
    "turn_aborted",
    "user_shell_command",
)

#: How the texts begin and end that Codex writes in the user's name, in lower case.
_USER_CONTEXT: Final = (
    ("# agents.md instructions", "</instructions>"),
    *((f"<{tag}>", f"</{tag}>") for tag in _TAGS),
)

#: How the texts begin that Codex writes as a developer.
_DEVELOPER_CONTEXT: Final = (
    "<apps_instructions>",
    "<collaboration_mode>",
    "<context_window>",
    "<context_window_guidance>",
    "<model_switch>",
    "<multi_agent_mode>",
    "<permissions instructions>",
    "<personality_spec>",
    "<plugins_instructions>",
    "<realtime_conversation>",
    "<rollout_budget>",
    "<skills_instructions>",
    "<token_budget>",
    "<tools>",
)

#: How Codex begins the summary that a compaction leaves; the next compaction leaves it out.
_SUMMARY_PREFIX: Final = (
    "Another language model started to solve this problem and produced a summary of its thinking "
    "process. You also have access to the state of the tools that were used by that language "
    "model. Use this to build on the work that has already been done and avoid duplicating work. "
    "Here is the summary produced by the other language model, use the information in this "
    "summary to assist with your own analysis:\n"
)


#: What a summary keeps of a user message.
_SPOKEN_KEYS: Final = ("type", "id", "role", "content")


def begins_turn(item: Item) -> bool:
    """Whether `item` begins a user turn: a message of the user's own, or of another agent."""
    return item["type"] == "agent_message" or (
        _is_message(item, "user") and not _is_user_context(item)
    )


def without_last_turns(history: list[Item], turns: int) -> int:
    """Return how many items of `history` stay when its last `turns` user turns are dropped.

    The context that Codex put right before the first dropped turn goes with it. What stands before
    the first turn of all stays, however many turns are dropped.
    """
    starts = [index for index, item in enumerate(history) if begins_turn(item)]
    if not turns or not starts:
        return len(history)
    kept = starts[-min(turns, len(starts))]
    while kept > starts[0] and _is_context(history[kept - 1]):
        kept -= 1
    return kept


def survives_summary(item: Item) -> bool:
    """Whether a compaction that leaves a summary keeps `item`: it keeps what the user said."""
    if not _is_message(item, "user") or _is_user_context(item):
        return False
    return not "".join(_texts(item)).startswith(_SUMMARY_PREFIX)


def spoken(message: Item) -> Item:
    """Return what a summary keeps of a user `message`: its texts, without media."""
    parts = [part for part in message["content"] if part["type"] == "input_text"]
    if message["content"] and not parts:
        parts = [_text("")]
    return {key: message[key] for key in message if key in _SPOKEN_KEYS} | {"content": parts}


def summary_message(summary: str) -> Item:
    """Return the user message that stands for everything that a compaction dropped."""
    content = [_text(summary or "(no summary available)")]
    return {"type": "message", "role": "user", "content": content}


def _text(text: str) -> Item:
    return {"type": "input_text", "text": text}


def _is_message(item: Item, role: str) -> bool:
    return bool(item["type"] == "message" and item["role"] == role)


def _texts(message: Item) -> list[str]:
    return [part["text"] for part in message["content"] if part["type"] == "input_text"]


def _is_context(item: Item) -> bool:
    if _is_message(item, "developer"):
        return any(text.lstrip().lower().startswith(_DEVELOPER_CONTEXT) for text in _texts(item))
    return _is_message(item, "user") and _is_user_context(item)


def _is_user_context(message: Item) -> bool:
    # One such part makes the whole message context, also beside words of the user's own.
    return any(_is_user_context_text(text.strip().lower()) for text in _texts(message))


def _is_user_context_text(text: str) -> bool:
    return any(text.startswith(start) and text.endswith(end) for start, end in _USER_CONTEXT)
