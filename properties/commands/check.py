"""Try every property on a normalizer.

Runs the conformance tests and prints a table, property by kind of history: holds,
broken, n/a (it needs what the normalizer does not claim), deviates (broken, as the
deviations file says), or - where a property has no such column. For each broken
property: what it says, the smallest history that breaks it, expected beside got, and
one command that shows it again. The smallest failing cases are kept as JSON files.

Exits with 0 if every property holds, 1 if one is broken, 2 if something could not be run.

examples:
  callpair check
  callpair check --subject python:my_agent.history:normalize --subject-path src
  callpair check --only pairing --only model/equals_codex --families function,mixed
  callpair check --subject 'command:node examples/plain.mjs' --timeout 5
  callpair check --profile nightly --seed 7
"""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from normalizer.commands.terminal import count, table
from properties.catalogue import CATALOGUE
from properties.commands.options import (
    add_deviations,
    add_report,
    add_subject,
    comma_list,
    count_of,
    subject_words,
)
from properties.deviations import deviations_from, read_deviations, write_deviations
from properties.profiles import PROFILES
from properties.property import EACH
from properties.report import broken_report
from properties.reports import write_report
from properties.results import NOT_A_COLUMN, Results, Row
from properties.running import Progress, Request, in_silence, run_conformance
from properties.settings import SAVED, read_settings

#: Headers of the columns, short enough for 80 characters in all.
_HEADERS: Final = ("function", "local\nshell", "custom", "tool\nsearch", "mixed")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_subject(parser)
    defaults = read_settings()
    parser.add_argument(
        "--profile", choices=PROFILES, help="how hard to try (default: dev; in CI ci)"
    )
    parser.add_argument("--examples", type=count_of, metavar="N", help="examples a property")
    parser.add_argument("--seed", type=int, metavar="N", help="seed of the histories")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="NAME",
        help="a property, or a group of properties (repeatable)",
    )
    parser.add_argument(
        "--families",
        type=comma_list,
        default=[],
        metavar="A,B",
        help=f"kinds of histories, out of {','.join(EACH)}",
    )
    parser.add_argument(
        "--save",
        default=defaults.save,
        metavar="DIR",
        help=f"where failing cases are kept, and tried first (default: {SAVED})",
    )
    add_deviations(parser)
    parser.add_argument(
        "--write-deviations", metavar="FILE", help="add what is broken today to such a file"
    )
    add_report(parser)
    parser.add_argument("--json", action="store_true", help="print the results as JSON")


def run(arguments: argparse.Namespace) -> int:
    target = Path(arguments.write_deviations) if arguments.write_deviations else None
    request = Request(
        arguments.subject,
        arguments.subject_path,
        arguments.profile,
        arguments.examples,
        arguments.seed,
        arguments.only,
        arguments.families,
        arguments.deviations,
        saved=arguments.save,
        timeout=arguments.timeout,
        validate=arguments.validate,
    )
    with _present(target, arguments.subject), _progress_bar() as progress:
        results = run_conformance(request, progress)
    files = {name: case.save(Path(arguments.save)) for name, case in sorted(results.broken.items())}
    if arguments.json:
        print(json.dumps(_plain(results, files), indent=2))
    else:
        print(_report(results, files, subject_words(arguments.subject, arguments.subject_path)))
    for path in arguments.report:
        write_report(path, [results])
    if target:
        _write_deviations(target, results)
    return results.exit_code


@contextmanager
def _present(target: Path | None, subject: str) -> Iterator[None]:
    """See that there is such a file: the settings may name it, and nothing is known to be broken.

    Of a run that comes to nothing, no empty file stays.
    """
    if target is None or target.exists():
        yield
        return
    write_deviations(target, [], subject)
    try:
        yield
    except BaseException:
        target.unlink(missing_ok=True)
        raise


def _write_deviations(target: Path, results: Results) -> None:
    """Add what is broken to the file; what it holds stays, with its reasons."""
    known = read_deviations(target)
    found = deviations_from(results.broken.values(), known)
    write_deviations(target, found, results.subject)
    new = count(len(found) - len(known), "new deviation")
    print(f"{target}: {new}, {count(len(known), 'known one')} kept", file=sys.stderr)


@contextmanager
def _progress_bar() -> Iterator[Progress]:
    """Yield what shows progress on a terminal; it stays quiet in a pipe."""
    if not sys.stderr.isatty():
        yield in_silence
        return
    from tqdm import tqdm

    with tqdm(unit=" properties", leave=False) as bar:

        def show(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield show


def _report(results: Results, files: dict[str, Path], subject: str) -> str:
    blocks = [
        ", ".join([f"subject {results.subject}", results.conditions, *_settings_file()]),
        table(_lines(results.rows), ("property", *_HEADERS, "tried", "s")),
    ]
    for names, case in results.stories:
        reproduce = f"callpair replay {files[case.property_name]} {subject}"
        blocks.append(broken_report(case, names, reproduce))
    blocks += [
        f"{row.property_name} ({row.family}) could not be tried: {row.reason}"
        for row in results.errors
    ]
    blocks += dict.fromkeys(row.reason for row in results.with_outcome("fixed"))
    blocks += filter(None, [_not_applicable(results)])
    return "\n\n".join([*blocks, results.verdict])


def _settings_file() -> list[str]:
    """Return where settings come from, if from anywhere."""
    file = read_settings().file
    return [f"settings of {file}"] if file else []


def _lines(rows: Sequence[Row]) -> list[tuple[object, ...]]:
    """Return one line for each property, a headline before each group."""
    by_name: dict[str, dict[str, Row]] = {}
    for row in rows:
        by_name.setdefault(row.property_name, {})[row.family] = row
    lines: list[tuple[object, ...]] = []
    group = ""
    for prop in CATALOGUE:
        tried = by_name.get(prop.name)
        if tried:
            if prop.group != group:
                group = prop.group
                lines.append((f"{group}/", *[""] * 7))
            lines.append(_line(prop.name, tried))
    return lines


def _line(name: str, tried: dict[str, Row]) -> tuple[object, ...]:
    cells = [tried[family].outcome if family in tried else NOT_A_COLUMN for family in EACH]
    examples = sum(row.examples for row in tried.values())
    seconds = sum(row.seconds for row in tried.values())
    return (f"  {name.partition('/')[2]}", *cells, f"{examples:,}", f"{seconds:.1f}")


def _not_applicable(results: Results) -> str:
    """Return why some properties are not applicable, where others are."""
    names: dict[str, list[str]] = {}
    for row in results.with_outcome("n/a"):
        names.setdefault(row.reason, []).append(row.property_name)
    reasons = [(reason, ", ".join(dict.fromkeys(of))) for reason, of in names.items()]
    return "\n".join(
        line
        for reason, of in reasons
        for line in textwrap.wrap(f"n/a, because {reason}: {of}", 96, subsequent_indent="  ")
    )


def _plain(results: Results, files: dict[str, Path]) -> dict[str, Any]:
    rows = [
        {
            "property": row.property_name,
            "family": row.family,
            "outcome": row.outcome,
            "examples": row.examples,
            "skipped": row.skipped,
            "seconds": round(row.seconds, 3),
            **({"reason": row.reason} if row.reason else {}),
        }
        for row in results.rows
    ]
    broken = [
        {
            "property": name,
            "findings": case.findings,
            "modalities": sorted(case.modalities),
            "history": case.history,
            "prompt": case.prompt,
            "file": str(files[name]),
        }
        for name, case in results.broken.items()
    ]
    return {
        "subject": results.subject,
        "profile": results.profile,
        "seed": results.seed,
        "complete": results.complete,
        "rows": rows,
        "broken": broken,
    }
