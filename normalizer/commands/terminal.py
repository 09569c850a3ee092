"""What people read: aligned tables, shortened texts, progress. For every package's commands."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeVar

T = TypeVar("T")

#: A longer text is cut in tables.
_WIDTH = 48

#: A number as our tables have them, or that there is none.
_NUMBER: Final = re.compile(r"[\d.,]*( ?%)?|-")


def table(rows: Sequence[Sequence[object]], headers: Sequence[str] = ()) -> str:
    """Return `rows` as a table with aligned columns; an empty string when there are none.

    Columns that hold nothing but numbers are aligned right, so that their digits are. Without
    tabulate (a bare checkout) the columns are separated by tabs.
    """
    if not rows:
        return ""
    try:
        from tabulate import tabulate
    except ImportError:
        lines = [headers, *rows] if headers else rows
        return "\n".join("\t".join(map(str, line)) for line in lines)
    style = "simple" if headers else "plain"
    return tabulate(
        rows,
        headers,
        tablefmt=style,
        colalign=[_alignment(column) for column in zip(*rows, strict=True)],
        disable_numparse=True,
        preserve_whitespace=True,
    )


def _alignment(column: Iterable[object]) -> str:
    return "right" if all(_NUMBER.fullmatch(str(cell)) for cell in column) else "left"


def shown(text: str | None) -> str:
    """Return `text` fit for one table cell: nothing invisible, nothing endless."""
    if text is None:
        return "-"
    visible = text if text and text.isprintable() and text == text.strip() else repr(text)
    return visible if len(visible) <= _WIDTH else visible[: _WIDTH - 1] + "…"


def path_shown(path: str) -> str:
    """Return `path` in one line that any terminal and any encoding can show."""
    return path if path.isprintable() else repr(path)


def count(number: int, noun: str) -> str:
    """Return `number` and `noun`, in the plural where it belongs: `1 call`, `2 properties`."""
    return f"1 {noun}" if number == 1 else f"{number:,} {plural(noun)}"


def plural(noun: str) -> str:
    """Return the plural of `noun`: `calls`, `properties`."""
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"


def progress(iterable: Iterable[T], total: int, unit: str) -> Iterator[T]:
    """Yield from `iterable` under a progress bar on a terminal; quiet in a pipe."""
    if sys.stderr.isatty():
        try:
            from tqdm import tqdm
        except ImportError:
            pass
        else:
            iterable = tqdm(iterable, total=total, unit=f" {unit}", leave=False)
    yield from iterable
