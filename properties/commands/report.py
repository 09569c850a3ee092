"""Compare runs: put reports of several subjects, or of one over time, into one matrix.

A FILE is a `.jsonl` report that `callpair check --report` wrote. A report without its last
line, the footer, is refused: the run broke off.

Exits with 0 if every property holds in every run, 1 if one is broken, 2 if a file cannot
be used.

examples:
  callpair report reference.jsonl mine.jsonl
  callpair report monday.jsonl tuesday.jsonl --report week.html
"""

from __future__ import annotations

import argparse
from pathlib import Path

from normalizer.commands.terminal import table
from properties.commands.options import add_report
from properties.reports import read_report, write_report
from properties.reports.matrix import headers, lines


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="a report, .jsonl")
    add_report(parser)


def run(arguments: argparse.Namespace) -> int:
    runs = [read_report(Path(file)) for file in arguments.files]
    for path in arguments.report:
        write_report(path, runs)
    rows = [(line.name, *line.cells) for line in lines(runs)]
    print(table(rows, ("property", *headers(runs))))
    print()
    for file, results in zip(arguments.files, runs, strict=True):
        print(f"{file}: {results.subject}: {results.verdict}")
    return max(results.exit_code for results in runs)
