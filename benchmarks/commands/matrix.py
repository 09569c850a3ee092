"""Compare normalizers, property by property.

Tries every property on each subject, by default the reference and all peers that are
installed (`pip install 'callpair[peers]'`), on the same histories. Prints a table as
Markdown, and for each subject the smallest counterexample behind each broken property with
the command that finds it again. With --report the same as a page, or for programs.
`callpair bench` times the same subjects.

Exits with 0 if all properties hold for all, 1 if one is broken, 2 if something could not
be run.

examples:
  callpair matrix
  callpair matrix reference peer:litellm python:my_agent.history:normalize
  callpair matrix --profile nightly --seed 7 --report matrix.html --report matrix.jsonl
"""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime

from benchmarks.matrix import Column, markdown
from benchmarks.peers import installed_peers
from normalizer.commands.terminal import progress
from properties.commands.options import add_report, add_subject_handling
from properties.loading import REFERENCE
from properties.profiles import PROFILES
from properties.reports import write_report
from properties.running import Request, run_conformance


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "subjects",
        nargs="*",
        metavar="SUBJECT",
        help="as for callpair check (default: the reference and all installed peers)",
    )
    add_subject_handling(parser)
    parser.add_argument(
        "--profile", choices=PROFILES, default="dev", help="how hard to try (default: dev)"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of the histories (default: 0)"
    )
    add_report(parser)


def run(arguments: argparse.Namespace) -> int:
    peers = [f"peer:{peer.name}" for peer in installed_peers()]
    subjects = arguments.subjects or [REFERENCE, *peers]
    runs = [
        run_conformance(_request(subject, arguments))
        for subject in progress(subjects, len(subjects), "subjects")
    ]
    print(markdown(list(map(Column, runs)), datetime.now(UTC).date().isoformat()))
    for path in arguments.report:
        write_report(path, runs)
    for results in runs:
        for row in results.errors:
            print(f"{results.subject}: {row.property_name}: {row.reason}", file=sys.stderr)
    return max(results.exit_code for results in runs)


def _request(subject: str, arguments: argparse.Namespace) -> Request:
    return Request(
        subject,
        arguments.subject_path,
        arguments.profile,
        seed=arguments.seed,
        timeout=arguments.timeout,
        validate=arguments.validate,
    )
