"""Codex beside the reference on histories, many of them in one run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle
from typing import Final

from benchmarks.codex.answer import Answer
from benchmarks.codex.batches import Batch, History, batches
from benchmarks.codex.canonical import canonical
from benchmarks.codex.errors import CodexError
from benchmarks.codex.oracle import Oracle
from benchmarks.codex.running import in_order
from normalizer import Item, normalize

#: How many runs of Codex go on at once.
_WORKERS: Final = 2


def answers_on_histories(
    oracle: Oracle, histories: Iterable[History], modality_sets: Sequence[frozenset[str]]
) -> Iterator[Answer[Item]]:
    """Yield the answer on each history, in order; each run takes the next modality set.

    Raises CodexError when Codex cannot be asked.
    """

    def ask(question: tuple[Batch, frozenset[str]]) -> list[Answer[Item]]:
        return _asked(oracle, *question)

    for answers in in_order(ask, zip(batches(histories), cycle(modality_sets)), _WORKERS):
        yield from answers


def _asked(oracle: Oracle, batch: Batch, modalities: frozenset[str]) -> list[Answer[Item]]:
    resumption = oracle.resume(batch.rollout(), modalities)
    if resumption.prompt is None:
        raise CodexError(f"Codex refused a sound session: {resumption.refusal}")
    return [
        Answer(history, modalities, canonical(normalize(history, modalities)), canonical(prompt))
        for history, prompt in zip(batch.histories, batch.split(resumption.prompt), strict=True)
    ]
