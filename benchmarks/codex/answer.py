"""What Codex and the reference make of the same session, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import Generic, TypeVar

from normalizer import Item
from properties.case import json_text

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """Two prompts for one session; both canonical."""

    #: The session, part by part: the items of a history, or the lines of a rollout file.
    session: list[T]
    modalities: frozenset[str]
    #: The reference's prompt.
    expected: list[Item]
    #: Codex's prompt; None when it refused the session.
    got: list[Item] | None

    @property
    def differs(self) -> bool:
        """Whether Codex sent a prompt, and not the one that the reference makes."""
        return self.got is not None and not _same(self.expected, self.got)

    def first_difference(self) -> tuple[int, Item | None, Item | None]:
        """Return the index of the first item that differs, as expected and as sent.

        None stands for the end of a prompt. Raises ValueError when nothing differs.
        """
        for index, (wanted, got) in enumerate(zip_longest(self.expected, self.got or ())):
            if not _same(wanted, got):
                return index, wanted, got
        raise ValueError("the prompts are equal")


def _same(wanted: object, got: object) -> bool:
    return json_text(wanted, sort_keys=True) == json_text(got, sort_keys=True)
