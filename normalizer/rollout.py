"""From a rollout file to a history: a JSONL file of events and items, as Codex writes it.

One bad line costs that line and nothing else: it is skipped, accounted for, and reading goes on.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

from normalizer.compaction import Journal
from normalizer.fields import BOOKKEEPING, is_known, problem_of
from normalizer.items import Item
from normalizer.strict_json import NotJson, parse
from normalizer.turns import (
    begins_turn,
    spoken,
    summary_message,
    survives_summary,
    without_last_turns,
)

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


def read_rollout(path: str | os.PathLike[str]) -> Rollout:
    """Read the rollout file at `path`, line by line, for reading only.

    Raises OSError when the file cannot be read; whatever its bytes, nothing else.
    """
    with Path(path).open("rb") as file:
        return rollout_of(file)


def rollout_of(file: IO[bytes]) -> Rollout:
    """Return what the rollout in `file` holds. Lines end at `\\n` and nowhere else.

    `file` has to be seekable: where a rollback undoes a compaction it is read once more.
    """
    reading = _Reading()
    reading.take(file)
    base = reading.journal.base()
    if base != reading.base:
        file.seek(0)
        reading = _Reading(only_base=base)
        reading.take(file)
    return reading.rollout


def is_envelope(value: object) -> bool:
    """Whether `value` is the JSON object that a rollout holds in each line."""
    return isinstance(value, dict) and all(key in value for key in _ENVELOPE)


class _Skip(Exception):
    """A line that Codex's reader refuses; the message says why."""


#: Every compaction that carries a history is continued from, the newest last.
_ANY: Final = -1


class _Reading:
    """One pass over the lines of a rollout."""

    def __init__(self, only_base: int | None = _ANY) -> None:
        self.rollout = Rollout()
        self.journal = Journal()
        #: Line of the compaction that the history so far continues from.
        self.base: int | None = None
        self._only_base = only_base

    def take(self, file: IO[bytes]) -> None:
        """Read every line of `file`."""
        for number, line in enumerate(file, start=1):
            if line.isspace():
                continue
            try:
                self._take(number, parse(line))
            except (NotJson, _Skip) as error:
                self.rollout.skipped.append(Note(number, str(error)))

    def _take(self, number: int, value: object) -> None:
        kind, payload = _opened(value)
        match kind:
            case "response_item":
                self._item(number, payload)
            case "inter_agent_communication":
                self._item(number, _agent_message(payload))
            case "compacted":
                self._compaction(number, payload)
            case "event_msg" if isinstance(payload, dict):
                self._event(payload)
            case _:
                pass  # Session header, turn context, and what a newer Codex may write beside.

    def _item(self, number: int, item: Any) -> None:
        problem = problem_of(item)
        if problem:
            raise _Skip(problem)
        if begins_turn(item):
            self.journal.turn()
        self._keep(number, item)

    def _keep(self, number: int, item: Item) -> None:
        if item["type"] in BOOKKEEPING:
            return
        if not is_known(item["type"]):
            self.rollout.unknown.append(Note(number, f"item of unknown type {item['type']!r}"))
        self.rollout.history.append(item)
        self.rollout.lines.append(number)

    def _compaction(self, number: int, payload: Any) -> None:
        """Replace all before by the history that a compaction carries, or by a summary."""
        if not isinstance(payload, dict) or not isinstance(payload.get("message"), str):
            raise _Skip("compaction without a string 'message'")
        replacement = payload.get("replacement_history")
        if replacement is None:
            self._summarize(number, payload["message"])
        else:
            _check_replacement(replacement)
        self.journal.compacted(number, payload)
        if replacement is not None and self._only_base in (_ANY, number):
            self.base = number
            self.rollout.history, self.rollout.lines = [], []
            for item in replacement:
                self._keep(number, item)

    def _summarize(self, number: int, summary: str) -> None:
        rollout = self.rollout
        kept = [i for i, item in enumerate(rollout.history) if survives_summary(item)]
        messages = [spoken(rollout.history[i]) for i in kept]
        rollout.lines = [*(rollout.lines[i] for i in kept), number]
        rollout.history = [*messages, summary_message(summary)]

    def _event(self, event: dict[str, Any]) -> None:
        match event.get("type"):
            case "thread_rolled_back":
                self._roll_back(event.get("num_turns"))
            case "task_started" | "turn_started":
                self.journal.task_started()
            case "user_message":
                self.journal.turn()

    def _roll_back(self, turns: Any) -> None:
        if type(turns) is not int or not 0 <= turns < 2**32:
            raise _Skip("rollback without a whole 'num_turns'")
        self.journal.rolled_back(turns)
        kept = without_last_turns(self.rollout.history, turns)
        del self.rollout.history[kept:], self.rollout.lines[kept:]


def _opened(value: object) -> tuple[str, Any]:
    """Return the type and the payload of a line's JSON object."""
    if not isinstance(value, dict):
        raise _Skip("not an object")
    for key in _ENVELOPE:
        if key not in value:
            raise _Skip(f"no {key!r}")
    for key in ("timestamp", "type"):
        if not isinstance(value[key], str):
            raise _Skip(f"{key!r} is not a string")
    return value["type"], value["payload"]


def _check_replacement(replacement: object) -> None:
    if not isinstance(replacement, list):
        raise _Skip("'replacement_history' is not a list")
    for index, item in enumerate(replacement):
        problem = problem_of(item)
        if problem:
            raise _Skip(f"'replacement_history' item {index}: {problem}")


def _agent_message(payload: Any) -> Item:
    """Return the item that Codex makes of a message between agents."""
    keys = ("author", "recipient", "content")
    if not isinstance(payload, dict) or not all(isinstance(payload.get(key), str) for key in keys):
        raise _Skip("message between agents without author, recipient and content")
    content = [{"type": "input_text", "text": payload["content"]}]
    return {
        "type": "agent_message",
        "author": payload["author"],
        "recipient": payload["recipient"],
        "content": content,
    }
