"""A run as JSON lines: a header, a row for each property and family, a footer.

Without its footer a report is not whole, and no reader takes it: a run that broke off is no pass.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, get_args

from normalizer import CommandError
from properties.broken import BrokenCase, case_from
from properties.results import Outcome, Results, Row


def jsonl(runs: Sequence[Results]) -> str:
    """Return the report of each run, one after another."""
    return "".join(f"{json.dumps(line)}\n" for run in runs for line in _lines(run))


def _lines(run: Results) -> Iterator[dict[str, Any]]:
    yield {
        "kind": "header",
        "subject": run.subject,
        "profile": run.profile,
        "seed": run.seed,
        "versions": {
            "callpair": _version("callpair"),
            "hypothesis": _version("hypothesis"),
            "python": platform.python_version(),
        },
    }
    for row in run.rows:
        yield {
            "kind": "row",
            "property": row.property_name,
            "family": row.family,
            "outcome": row.outcome,
            "examples": row.examples,
            "seconds": round(row.seconds, 3),
            **({"skipped": row.skipped} if row.skipped else {}),
            **({"reason": row.reason} if row.reason else {}),
            **({"case": row.case.content()} if row.case else {}),
        }
    yield {"kind": "footer", "rows": len(run.rows), "complete": run.complete}


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:  # a checkout that is not installed
        return "unknown"


def read_report(path: Path) -> Results:
    """Read the report of one run. Raises CommandError for anything else, and for half of one."""
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return _results(lines)
    except OSError as error:
        raise CommandError(f"{path}: {error.strerror}") from None
    except KeyError as error:
        raise CommandError(f"{path}: not a report: it has no {error}") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise CommandError(f"{path}: not a report: {error}") from None


def _results(lines: Sequence[dict[str, Any]]) -> Results:
    if not lines or lines[0].get("kind") != "header":
        raise ValueError("it does not begin with a header")
    if lines[-1].get("kind") != "footer" or lines[-1]["rows"] != len(lines) - 2:
        raise ValueError("its footer is missing: the run broke off")
    header, *rows, footer = lines
    results = Results(header["subject"], header["profile"], header["seed"])
    results.rows += map(_row, rows)
    results.complete = footer["complete"]
    return results


def _row(line: dict[str, Any]) -> Row:
    if line["outcome"] not in get_args(Outcome):
        raise ValueError(f"unknown outcome {line['outcome']!r}")
    case: BrokenCase | None = case_from(line["case"]) if "case" in line else None
    return Row(
        line["property"],
        line["family"],
        line["outcome"],
        line["examples"],
        line["seconds"],
        case,
        line.get("reason", ""),
        line.get("skipped", 0),
    )
