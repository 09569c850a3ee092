"""Command-line options that the commands over normalizers share."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence

from properties.loading import KINDS


def add_subject(parser: argparse.ArgumentParser) -> None:
    """Add `--subject` and `--subject-path`: the normalizer under test."""
    parser.add_argument(
        "--subject",
        default="reference",
        metavar="S",
        help=f"the normalizer under test: {KINDS} (default: reference)",
    )
    parser.add_argument(
        "--subject-path",
        action="append",
        default=[],
        metavar="DIR",
        help="a folder to import the subject from (repeatable)",
    )


def comma_list(text: str) -> list[str]:
    """Return the names in a list with commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def count_of(text: str) -> int:
    """Return `text` as a positive number, for argparse."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a positive number, got {text!r}")
    return int(text)


def subject_words(subject: str, paths: Sequence[str]) -> str:
    """Return the options that ask for this subject, as one would type them."""
    words = ["--subject", subject]
    for path in paths:
        words += ["--subject-path", path]
    return shlex.join(words)
