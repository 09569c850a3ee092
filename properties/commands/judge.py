"""Judge one recorded prompt, with no normalizer at hand.

Given what was recorded (the history) and what went over the wire (the prompt), prints
every violation of a property of one prompt. Both files may be JSON arrays of items,
request bodies with an `input` array, rollouts, or items one a line; `-` reads stdin.

Exits with 0 if there is no violation, 1 if there is one, 2 if a file cannot be used.

examples:
  callpair judge --history examples/crashed-session.jsonl --prompt request.json
  callpair judge --history history.json --prompt prompt.json -m text --json
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from normalizer import HistoryError, Item, repairs
from normalizer.commands.options import add_modalities
from normalizer.commands.terminal import count, table
from normalizer.errors import SourceError
from normalizer.source import read_source
from properties.case import PromptError
from properties.catalogue import violations
from properties.property import Violation


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--history", required=True, metavar="FILE", help="what was recorded")
    parser.add_argument("--prompt", required=True, metavar="FILE", help="what the model was sent")
    add_modalities(parser)
    parser.add_argument("--json", action="store_true", help="print the violations as JSON")


def run(arguments: argparse.Namespace) -> int:
    history, prompt = _items(arguments.history), _items(arguments.prompt)
    try:
        found = violations(history, arguments.modalities, prompt)
    except PromptError as error:
        raise SourceError(arguments.prompt, f"no prompt: {error}") from None
    if arguments.json:
        print(json.dumps([asdict(violation) for violation in found], indent=2))
    else:
        print(_report(found))
    return 1 if found else 0


def _items(path: str) -> list[Item]:
    source = read_source(path)
    try:
        repairs(source.history)  # raises for what is no history
    except HistoryError as error:
        raise source.refused(error) from None
    return source.history


def _report(found: list[Violation]) -> str:
    rows = [(violation.property, str(violation)) for violation in found]
    broken = len({violation.property for violation in found})
    verdict = f"{count(len(found), 'violation')} of {count(broken, 'property')}"
    return "\n\n".join([*([table(rows, ("property", "violation"))] if rows else []), verdict])
