"""Keep a normalizer right and fast: one command, one verdict, for CI.

right   every property on the same histories as ever and on fresh ones, the prompts
        that Codex sent, the pinned item ids
strong  no fault that the suite used to catch escapes it
fast    time, growth and memory against a base that is measured in the same run:
        another revision of the same code, or another normalizer

Settings are read from [tool.callpair] and [tool.callpair.gate] of pyproject.toml; the
command line wins.

Exits with 0 for a pass, 1 for a regression, 2 if there is none but something could not be
measured.

examples:
  callpair gate --base origin/main
  callpair gate --subject python:my_agent.history:normalize --subject-path src
  callpair gate --base-subject python:my_agent.old_history:normalize --margin 0.05
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from benchmarks.gate.fast import fast_checks
from benchmarks.gate.right import right_checks
from benchmarks.gate.settings import GateSettings, gate_settings
from benchmarks.gate.strong import strong_checks
from benchmarks.gate.verdict import GateVerdict
from normalizer import CommandError
from normalizer.commands.terminal import progress
from properties.loading import KINDS, load_subject

_UNFINISHED = "## callpair gate: could not measure\n\nThe run did not come to its end.\n"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    # No defaults here: what is not given is looked up in the user's file first.
    default = GateSettings()
    parser.add_argument(
        "--subject", metavar="S", help=f"the candidate: {KINDS} (default: {default.subject})"
    )
    parser.add_argument(
        "--subject-path",
        action="append",
        default=[],
        metavar="DIR",
        help="a folder to import subjects from (repeatable)",
    )
    base = parser.add_mutually_exclusive_group()
    base.add_argument(
        "--base",
        metavar="REF",
        help=f"a git revision of the candidate to compare with (default: {default.base})",
    )
    base.add_argument("--base-subject", metavar="S", help="a subject to compare with instead")
    parser.add_argument(
        "--margin",
        type=_margin,
        metavar="X",
        help=f"let pass up to this much more time or memory (default: {default.margin:.2f})",
    )
    parser.add_argument(
        "--slope",
        type=_margin,
        metavar="X",
        help=f"let pass growth this much steeper than a copy's (default: {default.slope:.2f})",
    )
    parser.add_argument(
        "--instructions", action="store_true", help="count instructions too, with valgrind"
    )
    parser.add_argument("--seed", type=int, metavar="N", help="seed of the fresh histories")
    parser.add_argument("--json", action="store_true", help="print the verdict as JSON")
    parser.add_argument("--markdown", metavar="FILE", help="write the verdict for a CI summary")


def run(arguments: argparse.Namespace) -> int:
    settings = gate_settings(vars(arguments), Path.cwd())
    page = Path(arguments.markdown) if arguments.markdown else None
    if page:
        _write(page, _UNFINISHED)  # Whatever happens, no page of an earlier run stays.
    verdict = _verdict(settings)
    if page:
        _write(page, verdict.markdown() + "\n")
    print(verdict.json() if arguments.json else verdict.text())
    return verdict.code


def _verdict(settings: GateSettings) -> GateVerdict:
    start = time.monotonic()
    load_subject(settings.subject, settings.subject_path)  # says in one line what is wrong with it
    seed = random.SystemRandom().randrange(2**32) if settings.seed is None else settings.seed
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="callpair-")))
        fast = stack.enter_context(fast_checks(settings, folder))
        right = stack.enter_context(right_checks(settings, seed))
        checks = [*right, *strong_checks(), *fast]
        verdict = GateVerdict(settings.subject, checks)
        for check in progress(checks, len(checks), "checks"):
            verdict.lines.append(check.line())
    verdict.seconds = time.monotonic() - start
    return verdict


def _margin(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 < number < 10:
        raise argparse.ArgumentTypeError(f"expected a number like 0.10, got {text!r}")
    return number


def _write(page: Path, text: str) -> None:
    try:
        page.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{page}: {error.strerror}") from None
