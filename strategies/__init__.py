"""Hypothesis strategies for the histories and rollouts of agent sessions, whole and damaged.

    >>> from hypothesis import given
    >>> from strategies import histories
    >>> @given(histories())
    ... def test_my_normalizer(history): ...

What they draw is described by what is valid; how often each kind occurs may change.
`callpair sample` shows some, `callpair sample --stats 1000` how often each kind occurs.
"""

from strategies.corrupted import corrupted_histories
from strategies.damages import DAMAGES
from strategies.drawing import drawn
from strategies.faults import FAULTS
from strategies.histories import histories, labelled_histories, modality_sets
from strategies.items import items
from strategies.labelled import Labelled
from strategies.rollouts import RolloutFile, recorded_rollouts, rollout_files
from strategies.scenarios import SCENARIOS, scenario_histories
from strategies.shorthand import history_of
from strategies.truncated import truncated_histories
from strategies.whole import whole_histories

__all__ = [
    "DAMAGES",
    "FAULTS",
    "SCENARIOS",
    "Labelled",
    "RolloutFile",
    "corrupted_histories",
    "drawn",
    "histories",
    "history_of",
    "items",
    "labelled_histories",
    "modality_sets",
    "recorded_rollouts",
    "rollout_files",
    "scenario_histories",
    "truncated_histories",
    "whole_histories",
]
