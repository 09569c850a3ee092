"""Compare normalizers, property by property.

Tries every property on each subject, by default the reference and all peers that are
installed (`pip install 'callpair[peers]'`), on the same histories. Prints a table as
Markdown, and for each subject the smallest counterexample behind each broken property with
the command that finds it again. With --html the same as one page. `callpair bench` times
the same subjects.

Exits with 0 if all properties hold for all, 1 if one is broken, 2 if something could not
be run.

examples:
  callpair matrix
  callpair matrix reference peer:litellm python:my_agent.history:normalize --html matrix.html
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from benchmarks.matrix import Column, Effort, column_of, markdown, page
from benchmarks.peers import installed_peers
from normalizer import CommandError
from normalizer.commands.terminal import progress
from properties.commands.options import count_of

_EXAMPLES: Final = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "subjects",
        nargs="*",
        metavar="SUBJECT",
        help="as for callpair check (default: the reference and all installed peers)",
    )
    parser.add_argument(
        "--examples",
        type=count_of,
        default=_EXAMPLES,
        metavar="N",
        help=f"examples a property (default: {_EXAMPLES})",
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of the histories (default: 0)"
    )
    parser.add_argument("--html", metavar="FILE", help="write a page as well")


def run(arguments: argparse.Namespace) -> int:
    subjects = arguments.subjects or [
        "reference",
        *(f"peer:{peer.name}" for peer in installed_peers()),
    ]
    effort = Effort(arguments.examples, arguments.seed)
    columns = [
        column_of(subject, effort) for subject in progress(subjects, len(subjects), "subjects")
    ]
    date = datetime.now(UTC).date().isoformat()
    print(markdown(columns, date))
    if arguments.html:
        _write(arguments.html, page(columns, date))
    return _exit_code(columns)


def _write(name: str, text: str) -> None:
    try:
        Path(name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}") from None


def _exit_code(columns: Sequence[Column]) -> int:
    for column in columns:
        for row in column.results.errors:
            print(f"{column.subject}: {row.property_name}: {row.reason}", file=sys.stderr)
    if any(column.results.errors or not column.results.complete for column in columns):
        return 2
    return 1 if any(column.results.broken for column in columns) else 0
