"""Reports of runs, as files: for programs (`.jsonl`), for people (`.html`, `.md`).

Each kind is a module with a function from a list of results to the text of the file; several
results stand side by side in one matrix. What is read again is the `.jsonl` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from normalizer import CommandError
from properties.reports.html import html
from properties.reports.jsonl import jsonl, read_report
from properties.reports.markdown import markdown
from properties.results import Results

__all__ = ["KINDS", "checked_kind", "read_report", "write_report"]

#: What makes the text of a report, by the suffix of its file.
KINDS: Final[Mapping[str, Callable[[Sequence[Results]], str]]] = {
    ".jsonl": jsonl,
    ".html": html,
    ".md": markdown,
}


def checked_kind(file: str) -> Path:
    """Return `file` as a path; raise ValueError when its suffix is that of no kind of report."""
    path = Path(file)
    if path.suffix not in KINDS:
        raise ValueError(f"{file}: expected a name that ends in {', '.join(KINDS)}")
    return path


def write_report(path: Path, runs: Sequence[Results]) -> None:
    """Write the report that the suffix of `path` asks for.

    Raises CommandError when it cannot be written.
    """
    text = KINDS[path.suffix](runs)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None
