"""Try the suite on normalizers that are wrong on purpose: does it catch them all?

Prints a table, one line for each fault: the properties that break and their groups, after
how many examples and seconds the first of them does (medians of 5 seeds, 200 histories
each; seconds of processor time, drawing included), what share of the 1,000 histories shows
the fault, and how many items the smallest counterexample has. NAME is a fault or a kind of
faults.

Exits with 0 if every fault is caught, 1 if one escapes, 2 if something could not be run.

examples:
  callpair faults
  callpair faults media keys-sorted --json
  callpair faults --plot detection.svg --jobs 4
  callpair faults --list
  callpair check --subject fault:made-up-at-the-end
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any, Final

from normalizer import CommandError
from normalizer.commands.terminal import count, progress, table
from properties.commands.curve import draw_curve
from properties.commands.options import count_of
from properties.faults import FAULTS, KINDS, Fault
from properties.faults.detection import EXAMPLES, SEEDS, Record, record_of

_HEADERS: Final = (
    "fault",
    "caught",
    "properties",
    "groups",
    "examples",
    "seconds",
    "shown by",
    "smallest",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help="a fault or a kind (default: all)")
    parser.add_argument("--list", action="store_true", help="say what each fault is; try nothing")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="first seed (default: 0)")
    parser.add_argument(
        "--jobs", type=count_of, default=2, metavar="N", help="processes at a time (default: 2)"
    )
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    parser.add_argument(
        "--plot", metavar="FILE", help="draw the share of faults caught against examples"
    )


def run(arguments: argparse.Namespace) -> int:
    faults = _named(arguments.names)
    if arguments.list:
        print(table([(f.name, f.group, f.sentence) for f in faults], ("fault", "kind", "sentence")))
        return 0
    seeds = range(arguments.seed, arguments.seed + SEEDS)
    records = list(progress(_records(faults, seeds, arguments.jobs), len(faults), "faults"))
    if arguments.plot:
        draw_curve(records, EXAMPLES, Path(arguments.plot))
    if arguments.json:
        print(json.dumps(_plain(faults, records, seeds), indent=2))
    else:
        print(_report(faults, records, seeds))
    return 0 if all(record.caught for record in records) else 1


def _named(names: Sequence[str]) -> list[Fault]:
    """Return the faults with these names, or of the kinds of these names; all for none."""
    for name in names:
        if name not in FAULTS and name not in KINDS:
            kinds = ", ".join(KINDS)
            raise CommandError(f"no fault {name!r}: see --list; the kinds are {kinds}")
    return [f for f in FAULTS.values() if not names or f.name in names or f.group in names]


def _records(faults: Sequence[Fault], seeds: Sequence[int], jobs: int) -> Iterator[Record]:
    """Yield the record of each fault, in their order."""
    # Fresh processes: what this one has imported and drawn must not count.
    with ProcessPoolExecutor(min(jobs, len(faults)), get_context("spawn")) as pool:
        yield from pool.map(partial(_record, seeds), [fault.name for fault in faults])


def _record(seeds: Sequence[int], name: str) -> Record:
    return record_of(FAULTS[name], seeds)


def _report(faults: Sequence[Fault], records: Sequence[Record], seeds: Sequence[int]) -> str:
    lines: list[tuple[object, ...]] = []
    kind = ""
    for fault, record in zip(faults, records, strict=True):
        if fault.group != kind:
            kind = fault.group
            lines.append((f"{kind}/", *[""] * (len(_HEADERS) - 1)))
        lines.append(_line(record))
    return "\n\n".join([table(lines, _HEADERS), _verdict(records, seeds)])


def _line(record: Record) -> tuple[object, ...]:
    return (
        f"  {record.name}",
        "caught" if record.caught else "ESCAPED",
        len(record.caught_by),
        len(record.groups),
        "-" if record.examples is None else f"{record.examples:g}",
        "-" if record.seconds is None else f"{record.seconds:.2f}",
        f"{record.trigger_rate:.1%}",
        count(record.smallest, "item") if record.smallest is not None else "-",
    )


def _verdict(records: Sequence[Record], seeds: Sequence[int]) -> str:
    caught = [record for record in records if record.caught]
    words = [f"{len(caught)} of {count(len(records), 'fault')} caught"]
    if caught:
        examples = median(record.examples or 0 for record in caught)
        seconds = [record.seconds or 0 for record in caught]
        words.append(f"median {examples:g} examples and {median(seconds):.2f} s")
        words.append(f"at most {max(seconds):.2f} s")
    return f"{', '.join(words)}; seeds {seeds[0]} to {seeds[-1]}"


def _plain(
    faults: Sequence[Fault], records: Sequence[Record], seeds: Sequence[int]
) -> dict[str, Any]:
    return {
        "seeds": list(seeds),
        "examples": EXAMPLES,
        "faults": [_plain_record(*pair) for pair in zip(faults, records, strict=True)],
    }


def _plain_record(fault: Fault, record: Record) -> dict[str, Any]:
    return {
        "name": fault.name,
        "kind": fault.group,
        "sentence": fault.sentence,
        "caught": record.caught,
        "caught_by": record.caught_by,
        "expected": fault.expected,
        "detections": [
            found
            and {
                "property": found.property_name,
                "examples": found.examples,
                "seconds": round(found.seconds, 3),
            }
            for found in record.detections
        ],
        "trigger_rate": record.trigger_rate,
        "reason": fault.reason,
        "smallest": record.smallest,
        "witness": fault.witness,
        "modalities": sorted(fault.modalities),
    }
