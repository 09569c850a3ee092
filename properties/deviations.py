"""Known deviations: a file in the adopter's repository that says what is broken on purpose, or yet.

    [[deviation]]
    property = "pairing/answer_follows_call"
    reason = "our API takes outputs in any order"
    link = "https://example.org/issues/7"
    modalities = ["text", "image", "audio"]
    history = '''
    [
      {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "a"}
    ]
    '''

A listed property is tried on these histories alone, and has to fail on each: a deviation that no
longer fails is an error, so that the file never tells of what is long since right.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from normalizer import ALL, CommandError, Item, modality_set, repairs
from properties.broken import BrokenCase
from properties.catalogue import BY_NAME
from properties.property import MIXED

_HEADER = """\
# Known deviations of {subject}, for `callpair check --deviations`.
# A property that is listed here has to fail on its history; say why in `reason`.
"""


@dataclass(frozen=True, slots=True)
class Deviation:
    """A property that is known not to hold, with the history that shows it."""

    case: BrokenCase
    #: Why that is so, for whoever reads the report.
    reason: str
    #: Where to read more; may be empty.
    link: str = ""


class FixedError(AssertionError):
    """Raised by a conformance test whose recorded deviation is gone."""

    def __init__(self, deviation: Deviation) -> None:
        super().__init__(
            f"the deviation from {deviation.case.property_name} ({deviation.reason}) is fixed: "
            "remove it from the deviations file"
        )


def read_deviations(path: Path) -> list[Deviation]:
    """Read a deviations file. Raises CommandError, in one line, for anything else."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise CommandError(f"{path}: {error}") from None
    entries = content.get("deviation", [])
    if content.keys() - {"deviation"} or not isinstance(entries, list):
        raise CommandError(f"{path}: expected [[deviation]] tables and nothing else")
    return [_deviation(path, number, entry) for number, entry in enumerate(entries, start=1)]


def _deviation(path: Path, number: int, entry: Any) -> Deviation:
    place = f"{path}: deviation {number}"
    try:
        name, reason, text = entry["property"], entry["reason"], entry["history"]
        modalities = modality_set(entry.get("modalities", list(ALL)))
        history = json.loads(text)
        repairs(history, modalities)  # says what is wrong with a history
    except KeyError as error:
        raise CommandError(f"{place}: it has no {error}") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise CommandError(f"{place}: {error}") from None
    if name not in BY_NAME:
        raise CommandError(f"{place}: no property {name!r}")
    if not isinstance(reason, str) or not reason.strip():
        raise CommandError(f"{place}: {name} needs a reason")
    case = BrokenCase(name, MIXED, "", history, modalities, ())
    return Deviation(case, reason, str(entry.get("link", "")))


def deviations_from(cases: Iterable[BrokenCase], known: Sequence[Deviation]) -> list[Deviation]:
    """Return the known deviations and, to be explained, one for each case of another property."""
    listed = {one.case.property_name for one in known}
    found = [
        Deviation(case, f"not explained yet: {case.findings[0]}")
        for case in cases
        if case.property_name not in listed
    ]
    return [*known, *found]


def write_deviations(path: Path, deviations: Sequence[Deviation], subject: str) -> None:
    """Write a deviations file. Raises CommandError when it cannot be written."""
    entries = [_HEADER.format(subject=subject), *map(entry, deviations)]
    try:
        path.write_text("\n".join(entries), encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None


def entry(deviation: Deviation) -> str:
    """Return the table that stands for `deviation` in the file."""
    case = deviation.case
    lines = ["[[deviation]]", f"property = {_text(case.property_name)}"]
    lines.append(f"reason = {_text(deviation.reason)}")
    if deviation.link:
        lines.append(f"link = {_text(deviation.link)}")
    lines.append(f"modalities = {json.dumps(sorted(case.modalities))}")
    lines += ["history = '''", _history(case.history), "'''", ""]
    return "\n".join(lines)


def _text(value: str) -> str:
    """Return a TOML string: JSON's escapes are TOML's too; DEL has to be one of them."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _history(history: Sequence[Item]) -> str:
    """Return the history as JSON, an item a line, without what would end the TOML string."""
    if not history:
        return "[]"
    lines = ",\n".join(f"  {json.dumps(item)}" for item in history)
    return f"[\n{lines}\n]".replace("'", "\\u0027").replace("\x7f", "\\u007f")
