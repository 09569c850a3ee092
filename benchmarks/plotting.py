"""The picture of a race: time over size, both logarithmic, so that a slope is a power."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.racing import Measurement, slopes
from normalizer import CommandError

#: Told apart without colours too.
_MARKERS: Final = "osD^vP*X"


def plot(measurements: Sequence[Measurement], title: str, file: Path) -> None:
    """Draw the times into `file`, in the format of its suffix.

    Raises CommandError when matplotlib is missing or the file cannot be written.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise CommandError("--plot needs matplotlib: pip install 'callpair[plot]'") from None
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot(xscale="log", yscale="log", title=title)
    axes.set(xlabel="items in the history", ylabel="seconds a prompt")
    growth = slopes(measurements)
    for place, name in enumerate(dict.fromkeys(one.name for one in measurements)):
        own = [one for one in measurements if one.name == name]
        label = f"{name} (slope {growth[name]:.2f})" if name in growth else name
        axes.plot(
            [one.items for one in own],
            [one.seconds for one in own],
            marker=_MARKERS[place % len(_MARKERS)],
            linewidth=1.5,
            label=label,
        )
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend(frameon=False)
    try:
        figure.savefig(file, dpi=120)
    except (OSError, ValueError) as error:
        raise CommandError(f"{file}: {error}") from None
