"""The fields that an item of a known type needs: Codex's reader refuses it without them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple


class Need(NamedTuple):
    """What a field must hold, for people and as a test."""

    what: str
    #: Also called for an absent field, with None.
    holds: Callable[[Any], bool]


#: For each part type that Codex knows: the keys of which one must hold a string.
_PART_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "input_text": ("text",),
    "output_text": ("text",),
    "input_image": ("image_url", "file_id"),
    "input_audio": ("audio_url", "file_id"),
}


def _is_part(value: object) -> bool:
    """Whether `value` is a part; one of an unknown type may be a newer Codex's, and is let pass."""
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        return False
    keys = _PART_KEYS.get(value["type"])
    return keys is None or any(isinstance(value.get(key), str) for key in keys)


def _is_parts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_part, value))


def _is_shell_action(value: object) -> bool:
    """Whether `value` tells a command to execute, as a list of words."""
    if not isinstance(value, dict) or value.get("type") != "exec":
        return False
    words = value.get("command")
    return isinstance(words, list) and all(isinstance(word, str) for word in words)


_STRING = Need("a string", lambda value: isinstance(value, str))
_STRING_OR_NULL = Need("a string or null", lambda value: value is None or isinstance(value, str))
_PARTS = Need("a list of parts", _is_parts)
_STRING_OR_PARTS = Need(
    "a string or a list of parts", lambda value: isinstance(value, str) or _is_parts(value)
)
_LIST = Need("a list", lambda value: isinstance(value, list))
_PRESENT = Need("any value", lambda _: True)
_SHELL_STATUS = Need(
    "completed, in_progress or incomplete",
    lambda value: value in ("completed", "in_progress", "incomplete"),
)
_SHELL_ACTION = Need("a command to execute", _is_shell_action)

_CALL_ID: Final = {"call_id": _STRING}
_CALL_ID_OR_NULL: Final = {"call_id": _STRING_OR_NULL}

#: The fields to look at, by item type.
NEEDS: Final[Mapping[str, Mapping[str, Need]]] = {
    "message": {"role": _STRING, "content": _PARTS},
    "function_call": {"name": _STRING, "arguments": _STRING} | _CALL_ID,
    "custom_tool_call": {"name": _STRING, "input": _STRING} | _CALL_ID,
    "local_shell_call": {"status": _SHELL_STATUS, "action": _SHELL_ACTION} | _CALL_ID_OR_NULL,
    "tool_search_call": {"execution": _STRING, "arguments": _PRESENT} | _CALL_ID_OR_NULL,
    "function_call_output": {"output": _STRING_OR_PARTS} | _CALL_ID_OR_NULL,
    "custom_tool_call_output": {"output": _STRING_OR_PARTS} | _CALL_ID,
    "tool_search_output": {"status": _STRING, "execution": _STRING, "tools": _LIST}
    | _CALL_ID_OR_NULL,
    "reasoning": {"summary": _LIST},
    "web_search_call": {},
    "image_generation_call": {"status": _STRING, "result": _STRING},
    "compaction": {"encrypted_content": _STRING},
    "context_compaction": {},
    "agent_message": {"author": _STRING, "recipient": _STRING, "content": _LIST},
}

#: Items that Codex keeps for itself; they never reach a model.
BOOKKEEPING: Final = frozenset({"ghost_snapshot", "compaction_trigger", "configuration_update"})


def is_known(kind: str) -> bool:
    """Whether Codex knows items of this type; a newer one may know more."""
    return kind in NEEDS or kind in BOOKKEEPING


def problem_of(item: object) -> str | None:
    """Return what keeps Codex's reader from taking `item`, in a few words; None if nothing does.

    An item of an unknown type needs a string `type` and nothing else.
    """
    if not isinstance(item, dict):
        return "the item is not an object"
    kind = item.get("type")
    if not isinstance(kind, str):
        return "the item has no string 'type'"
    for key, need in NEEDS.get(kind, {}).items():
        if not need.holds(item.get(key)) or (need is _PRESENT and key not in item):
            return f"{kind} needs {key!r}: {need.what}"
    if is_known(kind) and not _STRING_OR_NULL.holds(item.get("id")):
        return f"{kind} needs 'id': {_STRING_OR_NULL.what}"
    return None
