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
import multiprocessing
import random
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from benchmarks.gate.fast import fast_checks
from benchmarks.gate.right import right_checks
from benchmarks.gate.settings import GateSettings, gate_table
from benchmarks.gate.strong import strong_checks
from benchmarks.gate.verdict import GateVerdict
from normalizer import CommandError
from normalizer.commands.terminal import progress
from properties.commands.options import add_deviations, add_subject
from properties.running import Request
from properties.settings import read_settings

#: How many things are tried at a time; none of them is timed.
_PROCESSES: Final = 2

_UNFINISHED: Final = "## callpair gate: could not measure\n\nThe run did not come to its end.\n"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_subject(parser)
    add_deviations(parser)
    default = _defaults()
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
        default=default.margin,
        metavar="X",
        help=f"let pass up to this much more time or memory (default: {default.margin:.2f})",
    )
    parser.add_argument(
        "--slope",
        type=_margin,
        default=default.slope,
        metavar="X",
        help=f"let pass growth this much steeper than a copy's (default: {default.slope:.2f})",
    )
    parser.add_argument(
        "--instructions",
        action="store_true",
        default=default.instructions,
        help="count instructions too, with valgrind",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=default.request.seed,
        metavar="N",
        help="seed of the fresh histories (default: another one each time)",
    )
    parser.add_argument("--json", action="store_true", help="print the verdict as JSON")
    parser.add_argument("--markdown", metavar="FILE", help="write the verdict for a CI summary")


def run(arguments: argparse.Namespace) -> int:
    settings = settings_of(arguments)
    page = Path(arguments.markdown) if arguments.markdown else None
    if page:
        _write(page, _UNFINISHED)  # Whatever happens, no page of an earlier run stays.
    verdict = _verdict(settings)
    if page:
        _write(page, verdict.markdown() + "\n")
    print(verdict.json() if arguments.json else verdict.text())
    return verdict.code


def _defaults() -> GateSettings:
    """Return what the project around us asks for."""
    settings = read_settings()
    table = gate_table(settings)
    request = Request(seed=table.pop("seed", settings.seed))
    return GateSettings(request, settings.capabilities, **table)


def settings_of(arguments: argparse.Namespace) -> GateSettings:
    """Return what the project around us and the command line ask for; the latter wins."""
    default = _defaults()
    request = Request(
        arguments.subject,
        arguments.subject_path,
        seed=arguments.seed,
        deviations=arguments.deviations,
        timeout=arguments.timeout,
        validate=arguments.validate,
    )
    return GateSettings(
        request,
        default.claims,
        base=arguments.base or default.base,
        base_subject=None if arguments.base else arguments.base_subject or default.base_subject,
        margin=arguments.margin,
        slope=arguments.slope,
        instructions=arguments.instructions,
    )


def _verdict(settings: GateSettings) -> GateVerdict:
    start = time.monotonic()
    settings.candidate().close()  # Says in one line what is wrong with it.
    seed = settings.request.seed
    seed = random.SystemRandom().randrange(2**32) if seed is None else seed
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="callpair-")))
        fast = stack.enter_context(fast_checks(settings, folder))
        pool = stack.enter_context(_pool())
        checks = [*right_checks(settings, seed, pool), *strong_checks(pool), *fast]
        verdict = GateVerdict(settings.request.subject, checks)
        for check in progress(checks, len(checks), "checks"):
            verdict.lines.append(check.line())
    verdict.seconds = time.monotonic() - start
    return verdict


@contextmanager
def _pool() -> Iterator[Executor]:
    """Yield two processes for what does not disturb each other; nothing of it goes on afterwards.

    They are done before anything is timed: its results are asked for first.
    """
    pool = ProcessPoolExecutor(_PROCESSES, multiprocessing.get_context("spawn"))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


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
