"""Command-line options that the commands over normalizers share."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from pathlib import Path

from properties.loading import KINDS, load_subject
from properties.reports import KINDS as KINDS_OF_REPORT
from properties.reports import checked_kind
from properties.settings import read_settings
from properties.subject import Subject


def add_subject(parser: argparse.ArgumentParser) -> None:
    """Add `--subject` and how it is run: the normalizer under test.

    The defaults are what the project around us says. Raises CommandError where that makes no sense.
    """
    defaults = read_settings()
    parser.add_argument(
        "--subject",
        default=defaults.subject,
        metavar="S",
        help=f"the normalizer under test: {KINDS} (default: {defaults.subject})",
    )
    add_subject_handling(parser)


def add_subject_handling(parser: argparse.ArgumentParser) -> None:
    """Add `--subject-path`, `--timeout` and `--validate`: how the subject is found and run."""
    defaults = read_settings()
    parser.add_argument(
        "--subject-path",
        action="append",
        default=list(defaults.subject_path),
        metavar="DIR",
        help="a folder to import the subject from (repeatable)",
    )
    parser.add_argument(
        "--timeout",
        type=seconds_of,
        default=defaults.timeout,
        metavar="S",
        help=f"seconds that one call may take (default: {defaults.timeout:g})",
    )
    parser.add_argument(
        "--validate",
        action="store_true",
        default=defaults.validate,
        help="check each message to and from a command against its JSON Schema",
    )


def add_deviations(parser: argparse.ArgumentParser) -> None:
    """Add `--deviations`: what is known to be broken."""
    parser.add_argument(
        "--deviations",
        default=read_settings().deviations,
        metavar="FILE",
        help="what is known to be broken: it has to be, or the check fails",
    )


def add_report(parser: argparse.ArgumentParser) -> None:
    """Add `--report`: files to write."""
    parser.add_argument(
        "--report",
        action="append",
        type=_report,
        default=[],
        metavar="FILE",
        help=f"also write a report, by its suffix {', '.join(KINDS_OF_REPORT)} (repeatable)",
    )


def _report(file: str) -> Path:
    try:
        return checked_kind(file)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def subject_of(arguments: argparse.Namespace) -> Subject:
    """Return the subject that the options and the settings ask for.

    Raises CommandError when there is no such subject.
    """
    return load_subject(
        arguments.subject,
        arguments.subject_path,
        timeout=arguments.timeout,
        validate=arguments.validate,
        claims=read_settings().capabilities,
    )


def comma_list(text: str) -> list[str]:
    """Return the names in a list with commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def count_of(text: str) -> int:
    """Return `text` as a positive number, for argparse."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a positive number, got {text!r}")
    return int(text)


def seconds_of(text: str) -> float:
    """Return `text` as a positive time, for argparse."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e6:
        raise argparse.ArgumentTypeError(f"expected a positive number of seconds, got {text!r}")
    return seconds


def subject_words(subject: str, paths: Sequence[str]) -> str:
    """Return the options that ask for this subject, as one would type them."""
    words = ["--subject", subject]
    for path in paths:
        words += ["--subject-path", path]
    return shlex.join(words)
