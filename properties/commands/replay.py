"""Try saved cases again: is what was broken still broken?

A saved case is a JSON file that `callpair check` wrote: a property and the smallest
history that broke it. PATH may be such a file or a folder of them.

Exits with 0 if every case is fixed, 1 if one is still broken, 2 if one cannot be tried.

examples:
  callpair replay .callpair/broken --subject python:my_agent.history:normalize
  callpair replay .callpair/broken/pairing-call_answered-0123456789ab.json
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from normalizer import CommandError
from normalizer.commands.terminal import table
from properties.broken import read_case
from properties.catalogue import BY_NAME
from properties.commands.options import add_subject, subject_of
from properties.conformance import broken_by
from properties.report import broken_report
from properties.subject import SkippedError, Subject, SubjectGoneError

_CODES = {"fixed": 0, "still broken": 1, "error": 2}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a saved case or a folder of them")
    add_subject(parser)
    parser.add_argument("--json", action="store_true", help="print the outcomes as JSON")


def run(arguments: argparse.Namespace) -> int:
    subject = subject_of(arguments)
    outcomes: list[tuple[Path, str, str]] = []
    for path in _files(arguments.paths):
        outcome, detail = _replayed(path, subject)
        outcomes.append((path, outcome, detail))
    subject.close()
    if arguments.json:
        plain = [{"file": str(p), "outcome": o, "detail": d} for p, o, d in outcomes]
        print(json.dumps(plain, indent=2))
    else:
        for _, outcome, detail in outcomes:
            if outcome != "fixed":
                print(detail, end="\n\n")
        print(table([(path, outcome) for path, outcome, _ in outcomes], ("case", "outcome")))
    return max(_CODES[outcome] for _, outcome, _ in outcomes)


def _files(paths: Sequence[str]) -> list[Path]:
    files = [file for path in paths for file in _below(Path(path))]
    if not files:
        raise CommandError(f"no *.json file below {', '.join(paths)}")
    return files


def _below(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from sorted(path.rglob("*.json"))
    else:
        yield path


def _replayed(path: Path, subject: Subject) -> tuple[str, str]:
    """Return the outcome for the case at `path`, and what to tell about it."""
    try:
        case = read_case(path)
        prop = BY_NAME[case.property_name]
    except CommandError as error:
        return "error", str(error)
    except KeyError as error:
        return "error", f"{path}: no property {error}"
    try:
        broken = broken_by(subject, prop, case.family, case.history, case.modalities)
    except (SkippedError, SubjectGoneError) as error:
        return "error", f"{path}: {error}"
    return ("still broken", broken_report(broken)) if broken else ("fixed", "")
