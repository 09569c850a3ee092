"""Turn a recorded session into the prompt that a model's API accepts.

Prints the prompt as JSON on standard output and a summary for people on standard
error: which calls were answered with a made-up output, which outputs were dropped,
which media were replaced, and which lines were skipped and why. The file is only read.

ROLLOUT may be a rollout file (JSONL), a JSON array of items, items one a line, or a
request body with an `input` array; `-` reads standard input.

examples:
  callpair prompt examples/crashed-session.jsonl
  callpair prompt -m text --jsonl examples/crashed-session.jsonl > prompt.jsonl
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter

from normalizer.commands.options import add_modalities
from normalizer.commands.terminal import count, shown, table
from normalizer.errors import HistoryError
from normalizer.items import Item
from normalizer.modalities import MODALITIES
from normalizer.plan import Repair, repairs
from normalizer.prompt import normalize
from normalizer.source import Source, read_source


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rollout", metavar="ROLLOUT", help="the recorded session; - reads stdin")
    add_modalities(parser)
    parser.add_argument("--jsonl", action="store_true", help="print one item a line")
    parser.add_argument("-q", "--quiet", action="store_true", help="print no summary")


def run(arguments: argparse.Namespace) -> int:
    source = read_source(arguments.rollout)
    try:
        prompt = normalize(source.history, arguments.modalities)
        made = repairs(source.history, arguments.modalities)
    except HistoryError as error:
        raise source.refused(error) from None
    if not arguments.quiet:
        print(_summary(source, made, prompt, arguments.modalities), file=sys.stderr)
    _print_json(prompt, one_a_line=arguments.jsonl)
    return 0


def _print_json(prompt: list[Item], *, one_a_line: bool) -> None:
    if one_a_line:
        for item in prompt:
            print(json.dumps(item, ensure_ascii=False))
    else:
        print(json.dumps(prompt, ensure_ascii=False, indent=2))


def _summary(
    source: Source, made: list[Repair], prompt: list[Item], modalities: frozenset[str]
) -> str:
    takes = ", ".join(name for name in MODALITIES if name in modalities)
    items = count(len(source.history), "item")
    rows = [
        *(_repair_row(source, repair) for repair in made),
        *(("skipped", f"line {note.line}", "", "", note.text) for note in source.rollout.skipped),
        *(("kept", f"line {note.line}", "", "", note.text) for note in source.rollout.unknown),
    ]
    lines = [
        f"{source.name}: {source.format}, {items}",
        f"prompt: {count(len(prompt), 'item')} for a model that takes {takes}",
        *([table(rows)] if rows else []),
        _totals(made, len(source.rollout.skipped)),
    ]
    return "\n".join(lines)


def _repair_row(source: Source, repair: Repair) -> tuple[str, ...]:
    media = Counter(repair.media)
    parts = ", ".join(count(number, f"{modality} part") for modality, number in media.items())
    what = f"{parts}: {repair.reason}" if parts else repair.reason
    place = source.place(repair.index)
    return (repair.action, place, repair.type, shown(repair.call_id), what)


def _totals(made: list[Repair], skipped: int) -> str:
    actions = Counter(repair.action for repair in made)
    return ", ".join(
        (
            f"{count(actions['answered'], 'call')} answered with a made-up output",
            f"{count(actions['dropped'], 'output')} dropped",
            f"{count(sum(len(repair.media) for repair in made), 'media part')} replaced",
            f"{count(skipped, 'line')} skipped",
        )
    )
