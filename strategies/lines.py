"""The lines of a rollout file, each with what a reader must make of it.

What a file tells is known from how it was made: nothing here reads a rollout.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from normalizer import Item
from strategies.pools import copy_of

_ENCODER: Final = json.JSONEncoder(ensure_ascii=False)

_TIME: Final = "2026-12-01T10:00:00.000Z"


@dataclass(slots=True)
class Record:
    """The history that the lines so far tell."""

    history: list[Item] = field(default_factory=list)
    #: What the last compaction with a history replaced; None when there was none.
    _replaced: list[Item] | None = None
    #: How many items that compaction put in its place.
    _carried: int = 0

    def add(self, item: Item) -> None:
        """Take down one more item."""
        # A copy: a line may stand in a file twice, its item is never the same object twice.
        self.history.append(copy_of(item))

    def compact(self, items: Sequence[Item]) -> None:
        """Go on from `items`."""
        self._replaced, self._carried = self.history, len(items)
        self.history = [copy_of(item) for item in items]

    def summarize(self, message: Item) -> None:
        """Keep what the user said, and the summary of the rest."""
        self.history = [item for item in self.history if is_user(item)]
        self.add(message)

    def roll_back(self, turns: int) -> None:
        """Drop the last `turns` turns; one before the compaction undoes the compaction too."""
        since = self.history[self._carried :]
        if self._replaced is not None and turns > sum(map(is_user, since)):
            self.history, self._replaced, self._carried = [*self._replaced, *since], None, 0
        starts = [place for place, item in enumerate(self.history) if is_user(item)]
        if turns and starts:
            del self.history[starts[-turns:][0] :]


#: What a line does to the record.
Effect = Callable[[Record], None]


def _nothing(_: Record) -> None:
    """Leave the record as it is."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a rollout file."""

    #: Its bytes, without the line break.
    data: bytes
    #: What it tells; None for a line that nobody can read, and that has to be reported.
    effect: Effect | None = _nothing
    #: The item that it carries; None for the other types of line.
    item: Item | None = None
    #: Whether it decides where turns begin and end.
    hinge: bool = False

    @property
    def whole(self) -> bool:
        """Whether it is one readable JSON object: neither blank nor damaged."""
        return self.effect is not None and self.data.startswith(b"{")

    @property
    def rewrites(self) -> bool:
        """Whether it changes what the lines before it told: a rollback or a compaction."""
        return self.item is None and self.effect not in (None, _nothing)

    def spoilt(self, data: bytes) -> Line:
        """Return what became of the line: bytes that cannot be read."""
        return replace(self, data=data, effect=None)


def line_of(kind: str, payload: object, effect: Effect = _nothing, *, hinge: bool = False) -> Line:
    """Return a line of type `kind`, written the way Codex writes it."""
    envelope = {"timestamp": _TIME, "type": kind, "payload": payload}
    return Line(_ENCODER.encode(envelope).encode(), effect, hinge=hinge)


def header() -> Line:
    """Return the first line of every rollout."""
    session = "01a232d1-1ed6-7082-9a67-e9badde169ea"
    payload = {"id": session, "timestamp": _TIME, "cwd": "/w", "originator": "codex_exec"}
    return line_of("session_meta", payload | {"cli_version": "0.171.0", "source": "exec"})


def carrying(item: Item) -> Line:
    """Return the line of `item`."""
    line = line_of("response_item", item, lambda record: record.add(item), hinge=is_user(item))
    return replace(line, item=item)


def event(kind: str, *, hinge: bool = False, **more: object) -> Line:
    """Return the line of an event, which carries no item."""
    return line_of("event_msg", {"type": kind, **more}, hinge=hinge)


def rollback(turns: int) -> Line:
    """Return the line that takes back the last `turns` turns."""
    payload = {"type": "thread_rolled_back", "num_turns": turns}
    return line_of("event_msg", payload, lambda record: record.roll_back(turns), hinge=True)


def compaction(items: Sequence[Item]) -> Line:
    """Return the line after which the session goes on from `items`."""
    payload = {"message": "so far", "replacement_history": items}
    return line_of("compacted", payload, lambda record: record.compact(items), hinge=True)


def summary(text: str) -> Line:
    """Return the line after which the session goes on from a summary."""
    message = user_message(text)
    payload = {"message": text}
    return line_of("compacted", payload, lambda record: record.summarize(message), hinge=True)


def user_message(text: str) -> Item:
    """Return a message that says `text` and nothing else."""
    content = [{"type": "input_text", "text": text}]
    return {"type": "message", "role": "user", "content": content}


def is_user(item: Item) -> bool:
    """Whether a turn begins with `item`: no generated message is context of Codex's own."""
    return bool(item["type"] == "message" and item["role"] == "user")
