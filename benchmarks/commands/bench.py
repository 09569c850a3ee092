"""Time normalizers on large histories, side by side.

Each runs in a process of its own. The table tells for each size the time and the memory
an item, and how many times as long as the first one it takes; then how the time grows
(1 is linear, 2 is quadratic). Yardsticks stand beside: a plain copy, the fastest one,
copy.deepcopy, and the first way to normalize (a deep copy, then insertion in reverse).

With --write FILE it writes the largest history instead: a rollout for FILE.jsonl, an array
of items for any other name.

Shapes:
{shapes}

examples:
  callpair bench
  callpair bench --subject reference --subject python:my_agent.history:normalize
  callpair bench --shape unanswered --sizes 1e3,1e4,1e5,1e6 --plot growth.png
  callpair bench --shape media --sizes 1000 --write media.jsonl
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Final

from benchmarks.companions import YARDSTICKS
from benchmarks.comparing import Starter
from benchmarks.histories import SHAPES
from benchmarks.plotting import plot
from benchmarks.racing import Measurement, race, slopes
from benchmarks.rollouts import rollout_lines
from benchmarks.runners import ProcessRunner, runner_of
from benchmarks.workloads import Workload
from normalizer import CommandError
from normalizer.commands.options import add_modalities
from normalizer.commands.terminal import count, progress, table
from properties.loading import KINDS
from properties.settings import read_settings

__doc__ = __doc__.format(
    shapes="\n".join(f"  {shape.name:10}  {shape.description}" for shape in SHAPES.values())
)

_SIZES: Final = (100, 1_000, 10_000, 100_000)
_LARGEST: Final = 1_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    defaults = read_settings()
    parser.add_argument(
        "--subject",
        action="append",
        default=[],
        metavar="S",
        help=f"a normalizer: {KINDS} (repeatable; default: {defaults.subject})",
    )
    parser.add_argument(
        "--subject-path",
        action="append",
        default=list(defaults.subject_path),
        metavar="DIR",
        help="a folder to import subjects from (repeatable)",
    )
    parser.add_argument(
        "--shape",
        choices=SHAPES,
        default="session",
        help="shape of the histories (default: session)",
    )
    parser.add_argument(
        "--sizes",
        type=_sizes,
        default=_SIZES,
        metavar="N,N",
        help=f"how many items they have (default: {','.join(map(str, _SIZES))})",
    )
    add_modalities(parser)
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print the figures as JSON")
    output.add_argument("--write", metavar="FILE", help="write the largest history, time nothing")
    parser.add_argument("--plot", metavar="FILE", help="draw time over size, both logarithmic")


def run(arguments: argparse.Namespace) -> int:
    if arguments.write:
        _write(Path(arguments.write), Workload(arguments.shape, arguments.sizes[-1]))
        return 0
    measurements = _measurements(arguments)
    if arguments.plot:
        plot(measurements, f"normalizing {arguments.shape!r} histories", Path(arguments.plot))
    if arguments.json:
        print(json.dumps(_plain(arguments.shape, measurements), indent=2))
    else:
        print(_report(arguments.shape, measurements))
    return 0


def _sizes(text: str) -> tuple[int, ...]:
    try:
        sizes = sorted({int(float(word)) for word in text.split(",")})
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected numbers of items, got {text!r}") from None
    if not 1 <= sizes[0] <= sizes[-1] <= _LARGEST:
        raise argparse.ArgumentTypeError(f"expected sizes from 1 to {_LARGEST:,}, got {text!r}")
    return tuple(sizes)


def _write(file: Path, workload: Workload) -> None:
    history = workload.history()
    try:
        with file.open("wb") as out:
            if file.suffix == ".jsonl":
                out.writelines(rollout_lines(history))
            else:
                out.write(json.dumps(history, ensure_ascii=False).encode() + b"\n")
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror}") from None
    print(f"{file}: {count(len(history), 'item')}, {file.stat().st_size / 1e6:.1f} MB")


def _measurements(arguments: argparse.Namespace) -> list[Measurement]:
    workloads = [Workload(arguments.shape, size, arguments.modalities) for size in arguments.sizes]
    subjects = list(dict.fromkeys(arguments.subject)) or [read_settings().subject]
    with tempfile.TemporaryDirectory(prefix="callpair-") as temporary:
        folder = Path(temporary)
        starters: dict[str, Starter] = {
            subject: partial(runner_of, subject, arguments.subject_path, folder)
            for subject in subjects
        }
        starters |= {peer.name: partial(ProcessRunner, peer, folder) for peer in YARDSTICKS}
        cells = len(starters) * len(workloads)
        return list(progress(race(starters, workloads), cells, "measurements"))


def _report(shape: str, measurements: Sequence[Measurement]) -> str:
    headers = ("items", "normalizer", "µs an item", "ratio", "bytes an item")
    growth = [(name, f"{power:.2f}") for name, power in slopes(measurements).items()]
    return "\n\n".join(
        [
            f"{shape}: {SHAPES[shape].description}",
            table(_rows(measurements), headers),
            *([table(growth, ("normalizer", "slope"))] if growth else []),
        ]
    )


def _rows(measurements: Sequence[Measurement]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    size = 0
    for one in measurements:
        told = f"{one.items:,}" if one.items != size else ""
        size = one.items
        peak = one.peak_per_item
        rows.append(
            (
                told,
                one.name,
                f"{one.seconds_per_item * 1e6:.2f}",
                f"{one.ratio:.2f}",
                "-" if peak is None else f"{peak:,.0f}",
            )
        )
    return rows


def _plain(shape: str, measurements: Sequence[Measurement]) -> dict[str, Any]:
    return {
        "shape": shape,
        "measurements": [asdict(one) for one in measurements],
        "slopes": slopes(measurements),
    }
