"""What goes wrong on the caller's side, told in one line."""

from __future__ import annotations


class HistoryError(ValueError):
    """A history that cannot be normalized without guessing.

    Raised before anything is built, and always names the place: the item's index in the history
    and, where one is to blame, the key.
    """

    def __init__(self, problem: str, *, index: int | None = None, key: str | None = None) -> None:
        place = "history" if index is None else f"item {index}"
        if key is not None:
            place += f", key {key!r}"
        super().__init__(f"{place}: {problem}")
        #: What is wrong, without the place.
        self.problem = problem
        #: Index of the item in the history; None when the history itself is to blame.
        self.index = index
        #: The key inside the item; None when the item itself is to blame.
        self.key = key


class CommandError(Exception):
    """A command cannot do its work; the message is one line that says what to mend."""


class SourceError(CommandError):
    """A file that cannot be read or holds no history; the message names the file."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name}: {problem}")
        #: What is wrong, without the file's name.
        self.problem = problem
