"""The detection curve: what share of the faults is caught after how many examples."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from normalizer import CommandError
from properties.faults.detection import Record


def draw_curve(records: Sequence[Record], most: int, path: Path) -> None:
    """Draw the curve into the file at `path`; what it is, its suffix says.

    A band shows the seeds that caught the fewest and the most. Raises CommandError when the file
    cannot be written, or matplotlib is missing.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise CommandError("--plot needs matplotlib: pip install 'callpair[plot]'") from None
    steps = range(1, most + 1)
    curves = [
        [_share(records, seed, step) for step in steps]
        for seed in range(len(records[0].detections))
    ]
    by_step = [sorted(shares) for shares in zip(*curves, strict=True)]
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.subplots()
    lowest, highest = ([shares[end] for shares in by_step] for end in (0, -1))
    axes.fill_between(steps, lowest, highest, step="post", alpha=0.25, linewidth=0)
    axes.step(steps, [shares[len(shares) // 2] for shares in by_step], where="post")
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlim(1, most)
    axes.set_ylim(0, 102)
    axes.set_xlabel("examples tried")
    axes.set_ylabel("faults caught, %")
    axes.set_title(f"{len(records)} faults; median, fewest and most of {len(curves)} seeds")
    axes.grid(alpha=0.3)
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise CommandError(f"{path}: {error}") from None


def _share(records: Sequence[Record], seed: int, step: int) -> float:
    found = [record.detections[seed] for record in records]
    return 100 * sum(each is not None and each.examples <= step for each in found) / len(found)
