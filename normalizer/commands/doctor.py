"""Find the sessions that need repair.

Reads every file named and every *.jsonl file below the folders named (a Codex
`sessions/` tree) and shows one line for each session that needs repair: its unanswered
calls and orphan outputs by family, and how many lines cannot be read. Nothing is ever
written to a session.

Exits with 0 if every session is whole, 1 if some need repair, 2 if something could not
be read.

examples:
  callpair doctor ~/.codex/sessions
  callpair doctor --json --jobs 2 ~/.codex/sessions examples/crashed-session.jsonl
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from stat import S_IFREG, S_ISDIR, S_ISREG
from typing import Any

from normalizer.commands.terminal import count, path_shown, progress, table
from normalizer.errors import CommandError, HistoryError, SourceError
from normalizer.families import FAMILIES_OF_OUTPUT, FAMILY_OF_CALL
from normalizer.plan import Repair, repairs
from normalizer.rollout import Note
from normalizer.source import STDIN, read_source


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What one session needs."""

    path: str
    #: Which shape was recognised; None when the file could not be read.
    format: str | None = None
    items: int = 0
    #: Unanswered calls by family.
    unanswered: dict[str, int] = field(default_factory=dict)
    #: Orphan outputs by family; an orphan `function_call_output` counts as `function`.
    orphans: dict[str, int] = field(default_factory=dict)
    #: Lines that were skipped, each with its number and the reason.
    skipped: tuple[Note, ...] = ()
    #: Why the file could not be read; None when it could.
    error: str | None = None

    @property
    def whole(self) -> bool:
        return not (self.unanswered or self.orphans or self.skipped or self.error)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a session or a folder of them")
    parser.add_argument("--jobs", type=_jobs, default=1, metavar="N", help="processes (default: 1)")
    parser.add_argument("--json", action="store_true", help="print every session as JSON")


def run(arguments: argparse.Namespace) -> int:
    paths = list(_sessions(arguments.paths))
    if not paths:
        raise CommandError(f"no *.jsonl file below {', '.join(arguments.paths)}")
    found = list(progress(_diagnoses(paths, arguments.jobs), len(paths), "sessions"))
    print(_json(found) if arguments.json else _report(found))
    if any(diagnosis.error for diagnosis in found):
        return 2
    return 0 if all(diagnosis.whole for diagnosis in found) else 1


def diagnose(path: str) -> Diagnosis:
    """Return what the session at `path` needs; an unreadable one is a diagnosis too."""
    try:
        source = read_source(path)
        made = repairs(source.history)
    except HistoryError as error:
        return Diagnosis(path, error=source.refused(error).problem)
    except SourceError as error:
        return Diagnosis(path, error=error.problem)
    unanswered = _by_family(made, "answered")
    orphans = _by_family(made, "dropped")
    skipped = tuple(source.rollout.skipped)
    return Diagnosis(path, source.format, len(source.history), unanswered, orphans, skipped)


def _by_family(made: Sequence[Repair], action: str) -> dict[str, int]:
    return dict(Counter(_family(repair) for repair in made if repair.action == action))


def _family(repair: Repair) -> str:
    family = FAMILY_OF_CALL.get(repair.type) or FAMILIES_OF_OUTPUT[repair.type][0]
    return family.name


def _jobs(text: str) -> int:
    jobs = int(text) if text.isdecimal() else 0
    if not 1 <= jobs <= 256:
        raise argparse.ArgumentTypeError(f"expected a number of processes, got {text!r}")
    return jobs


def _sessions(paths: Sequence[str]) -> Iterator[str]:
    """Yield the files named and the *.jsonl files below the folders named, in a stable order."""
    for path in paths:
        yield from sorted(_below(path)) if S_ISDIR(_mode(path)) else [path]


def _below(folder: str) -> Iterator[str]:
    """Yield the *.jsonl files below `folder`, and the folders that may not be looked into."""
    locked: list[str] = []
    for place, _, names in os.walk(folder, onerror=lambda error: locked.append(error.filename)):
        for path in (str(Path(place, name)) for name in names if name.endswith(".jsonl")):
            # No pipes: nobody may ever write to them. A dangling link is a broken session.
            if S_ISREG(_mode(path) or S_IFREG):
                yield path
    yield from locked


def _mode(path: str) -> int:
    """Return what kind of file `path` is; 0 where nobody can tell: reading it will say why."""
    try:
        return Path(path).stat().st_mode
    except OSError:
        return 0


def _diagnoses(paths: list[str], jobs: int) -> Iterator[Diagnosis]:
    if jobs == 1 or STDIN in paths:  # Worker processes have no standard input.
        yield from map(diagnose, paths)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(diagnose, paths, chunksize=max(1, len(paths) // (jobs * 8)))


def _report(found: list[Diagnosis]) -> str:
    rows = [
        (
            path_shown(diagnosis.path),
            _counts(diagnosis.unanswered),
            _counts(diagnosis.orphans),
            len(diagnosis.skipped) or "-",
        )
        for diagnosis in found
        if not diagnosis.whole and diagnosis.error is None
    ]
    errors = [
        (path_shown(diagnosis.path), diagnosis.error) for diagnosis in found if diagnosis.error
    ]
    blocks = [
        table(rows, ("session", "unanswered calls", "orphan outputs", "skipped lines")),
        table(errors, ("unreadable", "why")),
    ]
    totals = _totals(found)
    lines = (
        f"{count(totals['sessions'], 'session')}: {totals['whole']:,} whole, "
        f"{totals['need_repair']:,} to repair, {totals['unreadable']:,} unreadable",
        f"unanswered calls: {_counts(totals['unanswered'])}",
        f"orphan outputs:   {_counts(totals['orphans'])}",
        f"skipped lines:    {totals['skipped'] or '-'}",
    )
    return "\n\n".join([*filter(None, blocks), "\n".join(lines)])


def _counts(by_family: dict[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in by_family.items()) or "-"


def _totals(found: list[Diagnosis]) -> dict[str, Any]:
    unreadable = sum(diagnosis.error is not None for diagnosis in found)
    whole = sum(diagnosis.whole for diagnosis in found)
    return {
        "sessions": len(found),
        "whole": whole,
        "need_repair": len(found) - whole - unreadable,
        "unreadable": unreadable,
        "unanswered": dict(_sum(diagnosis.unanswered for diagnosis in found)),
        "orphans": dict(_sum(diagnosis.orphans for diagnosis in found)),
        "skipped": sum(len(diagnosis.skipped) for diagnosis in found),
    }


def _sum(counts: Iterable[dict[str, int]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for by_family in counts:
        total.update(by_family)
    return total


def _json(found: list[Diagnosis]) -> str:
    sessions = [_plain(diagnosis) for diagnosis in found]
    return json.dumps({"sessions": sessions, "totals": _totals(found)}, indent=2)


def _plain(diagnosis: Diagnosis) -> dict[str, Any]:
    skipped = [note._asdict() for note in diagnosis.skipped]
    return {**asdict(diagnosis), "skipped": skipped, "whole": diagnosis.whole}
