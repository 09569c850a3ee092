"""Which compaction a session continues from, once rollbacks are taken into account.

Codex chooses it by reading the file backwards, segment by segment; a segment ends where a task
started. A segment that was rolled back does not count, and a compaction in it is as if it had never
been: the items from before it are back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

#: The keys that Codex writes since a compaction can be resumed from by itself.
_RESUMABLE: Final = ("window_number", "resume_metadata")


@dataclass(slots=True)
class _Segment:
    #: Line of the segment's newest compaction that carries a history.
    compaction: int | None = None
    #: How many turns the rollbacks in this segment drop.
    rolled_back: int = 0
    has_turn: bool = False


class Journal:
    """Takes down what matters for the choice while a rollout is read, a few words a segment."""

    def __init__(self) -> None:
        self._segments = [_Segment()]
        self._decisive: int | None = None

    def task_started(self) -> None:
        """Take down that a new segment begins."""
        self._segments.append(_Segment())

    def turn(self) -> None:
        """Take down that the segment holds a user turn."""
        self._segments[-1].has_turn = True

    def rolled_back(self, turns: int) -> None:
        """Take down a rollback of the last `turns` turns."""
        self._segments[-1].rolled_back += turns

    def compacted(self, line: int, payload: dict[str, Any]) -> None:
        """Take down the compaction at `line`."""
        carries_history = payload.get("replacement_history") is not None
        if carries_history:
            self._segments[-1].compaction = line
        # Newer compactions hold all that is needed to resume from them: no rollback undoes one.
        resumable = all(payload.get(key) is not None for key in _RESUMABLE)
        self._decisive = line if carries_history and resumable else None

    def base(self) -> int | None:
        """Return the line of the compaction to continue from; None to take all items there are."""
        if self._decisive is not None:
            return self._decisive
        pending = 0
        for segment in reversed(self._segments):
            pending += segment.rolled_back
            if pending:
                pending -= segment.has_turn
            elif segment.compaction is not None:
                return segment.compaction
        return None
