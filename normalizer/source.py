"""The ways in: which shape a file of recorded items has, told from its bytes."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from normalizer.errors import HistoryError, SourceError
from normalizer.items import Item
from normalizer.rollout import Note, Rollout, is_envelope, rollout_of
from normalizer.strict_json import NotJson, parse

#: Standard input beyond this many bytes is kept on disk while its shape is found out.
_SPOOL = 64 * 1024 * 1024

#: The name under which standard input is asked for.
STDIN = "-"


@dataclass(frozen=True, slots=True)
class Source:
    """A recorded history and where it came from."""

    #: The path as the user gave it, or "standard input".
    name: str
    #: Which shape was recognised, for people.
    format: str
    rollout: Rollout

    @property
    def history(self) -> list[Item]:
        return self.rollout.history

    def place(self, index: int) -> str:
        """Return where the history's item `index` stands in the file."""
        lines = self.rollout.lines
        return f"line {lines[index]}" if lines else f"item {index}"

    def refused(self, error: HistoryError) -> SourceError:
        """Return `error` with the name of the file and, where there are lines, the line."""
        if error.index is None or not self.rollout.lines:
            return SourceError(self.name, str(error))
        return SourceError(self.name, f"{self.place(error.index)}: {error}")


def read_source(path: str) -> Source:
    """Read the history in the file at `path`; `-` reads standard input.

    Recognised are a rollout, a JSON array of items, a JSON object with an `input` array (a request
    body), and items one a line. The file is opened for reading only. Rollouts are read line by
    line, so that memory grows with the history kept and not with the file.

    Raises SourceError when the file cannot be read or holds none of these.
    """
    name = "standard input" if path == STDIN else path
    try:
        with _opened(path) as file:
            return _recognised(name, file)
    except OSError as error:
        raise SourceError(name, error.strerror or str(error)) from None


@contextmanager
def _opened(path: str) -> Iterator[IO[bytes]]:
    with ExitStack() as stack:
        from_stdin = path == STDIN
        file = sys.stdin.buffer if from_stdin else stack.enter_context(Path(path).open("rb"))
        if file.seekable():
            yield file
            return
        # A pipe can be read once only, but its shape takes a look ahead.
        spool = stack.enter_context(SpooledTemporaryFile(max_size=_SPOOL))
        shutil.copyfileobj(file, spool)
        spool.seek(0)
        yield spool


def _recognised(name: str, file: IO[bytes]) -> Source:
    first, shape = _first_value(file)
    if not first:
        raise SourceError(name, "empty")
    file.seek(0)
    if shape == "rollout":
        return Source(name, "rollout", rollout_of(file))
    if shape == "items":
        return Source(name, "items, one a line", _items(file))
    try:
        document = parse(file.read())
    except NotJson as error:
        raise SourceError(name, f"neither a rollout nor JSON: {error}") from None
    return _document(name, document)


def _first_value(file: IO[bytes]) -> tuple[bytes, str | None]:
    """Return the first line that is not blank, and the shape that the lines show, if they do.

    A document that spans lines (an array, a request body) starts with a bracket or with a brace
    that its line does not close. So may a rollout whose first line is torn: the first envelope
    decides. An object that its line does close, and that another line follows, is an item, too.
    """
    first, is_object = b"", False
    for line in file:
        if not line.strip():
            continue
        value = _value(line)
        if is_envelope(value):
            return first or line, "rollout"
        if is_object:
            return first, "items"
        if not first:
            first, is_object = line, isinstance(value, dict)
            # A payload without its timestamp may still be a rollout's.
            if is_object and "type" in value and "payload" not in value:
                return first, "items"
    return first, None


def _value(line: bytes) -> Any:
    try:
        return parse(line)
    except NotJson:
        return None


def _items(file: IO[bytes]) -> Rollout:
    """Read items one a line. A line that is not JSON is skipped, as in a rollout."""
    rollout = Rollout()
    for number, line in enumerate(file, start=1):
        if line.isspace():
            continue
        try:
            rollout.history.append(parse(line))
        except NotJson as error:
            rollout.skipped.append(Note(number, str(error)))
        else:
            rollout.lines.append(number)
    return rollout


def _document(name: str, document: Any) -> Source:
    if isinstance(document, list):
        return Source(name, "JSON array of items", Rollout(history=document))
    if isinstance(document, dict) and isinstance(document.get("input"), list):
        return Source(name, "request body", Rollout(history=document["input"]))
    kind = "an object without an `input` array" if isinstance(document, dict) else "a JSON value"
    raise SourceError(name, f"no history: {kind}, where an array of items was expected")
