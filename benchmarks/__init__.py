"""Large histories, and whether a normalizer stays fast on them.

    >>> from benchmarks import build, plain_copy, ratio
    >>> history = build("session", 100_000)
    >>> ratio(lambda: normalize(history), lambda: plain_copy(history), pairs=9)

`histories.py` builds them by shape and size, `rollouts.py` writes them as Codex would have recorded
them. `yardsticks.py` holds what a normalizer is measured against, `timing.py` how. `runners.py`
runs normalizers in processes of their own, `racing.py` any number side by side, `comparing.py` two
of them with an interval; `gate/` draws the conclusions. The limits that the reference keeps stand
in `test_*.py`, and nowhere else: `pytest benchmarks`.
"""

from benchmarks.histories import SHAPES, Shape, build
from benchmarks.rollouts import rollout_lines
from benchmarks.timing import (
    Timed,
    fastest,
    paired_seconds,
    ratio,
    seconds,
    settled,
    slope,
)
from benchmarks.yardsticks import deep_copy, json_loop, plain_copy, reverse_insert
from properties.shim import collector_paused

__all__ = [
    "SHAPES",
    "Shape",
    "Timed",
    "build",
    "collector_paused",
    "deep_copy",
    "fastest",
    "json_loop",
    "paired_seconds",
    "plain_copy",
    "ratio",
    "reverse_insert",
    "rollout_lines",
    "seconds",
    "settled",
    "slope",
]
