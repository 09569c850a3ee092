"""From a rollout file to a history: a JSONL file of events and items, as Codex writes it.

One bad line costs that line and nothing else: it is skipped, kept account of, and reading goes on.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from normalizer.fields import is_known, problem_of
from normalizer.items import Item
from normalizer.strict_json import MAX_DEPTH, NotJson, parse
from normalizer.turns import is_user_turn, summarized, without_last_turns

#: Codex's own bookkeeping; it never reaches a model.
_BOOKKEEPING: Final = "ghost_snapshot"

_ENVELOPE: Final = ("timestamp", "type", "payload")


class Note(NamedTuple):
    """Something to say about one line of a file."""

    #: Number of the line, from 1.
    line: int
    text: str


@dataclass(slots=True)
class Rollout:
    """What a rollout file holds, after compactions and rollbacks."""

    history: list[Item] = field(default_factory=list)
    #: The line that each item of `history` comes from; empty where a file has no lines of items.
    lines: list[int] = field(default_factory=list)
    #: Lines that hold nothing readable, each with the reason.
    skipped: list[Note] = field(default_factory=list)
    #: Items of a type that this reader does not know, kept in `history` all the same.
    unknown: list[Note] = field(default_factory=list)


class _Skip(Exception):
    """A line that Codex's reader refuses; the message says why."""


def read_rollout(path: str | os.PathLike[str]) -> Rollout:
    """Read the rollout file at `path`, line by line, for reading only.

    Raises OSError when the file cannot be read; whatever its bytes, nothing else.
    """
    with Path(path).open("rb") as file:
        return rollout_of(file)


def rollout_of(lines: Iterable[bytes]) -> Rollout:
    """Return what the `lines` of a rollout hold. Lines end at `\\n` and nowhere else."""
    rollout = Rollout()
    for number, line in enumerate(lines, start=1):
        if line.isspace():
            continue
        try:
            kind, payload = _envelope(line)
            _LINE_TYPES.get(kind, _carries_no_item)(rollout, payload, number)
        except (NotJson, _Skip) as error:
            rollout.skipped.append(Note(number, str(error)))
    return rollout


def is_envelope(value: object) -> bool:
    """Whether `value` is the JSON object that a rollout holds in each line."""
    return isinstance(value, dict) and all(key in value for key in _ENVELOPE)


def _envelope(line: bytes) -> tuple[str, Any]:
    value = parse(line, max_depth=MAX_DEPTH)
    if not isinstance(value, dict):
        raise _Skip("not an object")
    for key in _ENVELOPE:
        if key not in value:
            raise _Skip(f"no {key!r}")
    if not isinstance(value["timestamp"], str):
        raise _Skip("'timestamp' is not a string")
    if not isinstance(value["type"], str):
        raise _Skip("'type' is not a string")
    return value["type"], value["payload"]


def _carries_no_item(_rollout: Rollout, _payload: Any, _number: int) -> None:
    """Session header, turn context, and whatever a newer Codex writes beside its items."""


def _add_item(rollout: Rollout, payload: Any, number: int) -> None:
    problem = problem_of(payload)
    if problem:
        raise _Skip(problem)
    if payload["type"] == _BOOKKEEPING:
        return
    if not is_known(payload["type"]):
        rollout.unknown.append(Note(number, f"item of unknown type {payload['type']!r}"))
    rollout.history.append(payload)
    rollout.lines.append(number)


def _compact(rollout: Rollout, payload: Any, number: int) -> None:
    """Replace all before by the history that a compaction left, or by a summary of it."""
    if not isinstance(payload, dict) or not isinstance(payload.get("message"), str):
        raise _Skip("compaction without a 'message'")
    replacement = payload.get("replacement_history")
    if replacement is None:
        kept = [i for i, item in enumerate(rollout.history) if is_user_turn(item)]
        rollout.lines = [*(rollout.lines[i] for i in kept), number]
        rollout.history = summarized([rollout.history[i] for i in kept], payload["message"])
        return
    if not isinstance(replacement, list):
        raise _Skip("'replacement_history' is not a list")
    for index, item in enumerate(replacement):
        problem = problem_of(item)
        if problem:
            raise _Skip(f"'replacement_history' item {index}: {problem}")
    rollout.history, rollout.lines = [], []
    for item in replacement:
        _add_item(rollout, item, number)


def _roll_back(rollout: Rollout, payload: Any, _number: int) -> None:
    """Drop the last user turns, if the event is a rollback."""
    if not isinstance(payload, dict) or payload.get("type") != "thread_rolled_back":
        return
    turns = payload.get("num_turns")
    if type(turns) is not int or not 0 <= turns < 2**32:
        raise _Skip("rollback without a 'num_turns'")
    kept = without_last_turns(rollout.history, turns)
    del rollout.history[kept:], rollout.lines[kept:]


_LINE_TYPES: Final = {
    "response_item": _add_item,
    "compacted": _compact,
    "event_msg": _roll_back,
}
