"""Codex beside the reference on rollout files, each in a run of its own.

Codex refuses a whole session where this reader goes on: without a header in front, and for one line
that is not UTF-8. Such a file is asked about once more, in the form in which Codex reads on: with
a header that calls its history paginated, and the numbered line at the end that belongs to that.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import cycle
from typing import Final

from benchmarks.codex.answer import Answer
from benchmarks.codex.batches import header, rollout_line
from benchmarks.codex.canonical import canonical
from benchmarks.codex.oracle import Oracle
from benchmarks.codex.running import in_order
from normalizer import normalize
from normalizer.rollout import rollout_of

#: How many runs of Codex go on at once: with one session each they mostly wait.
_WORKERS: Final = 6


def answers_on_rollouts(
    oracle: Oracle, files: Iterable[Sequence[bytes]], modality_sets: Sequence[frozenset[str]]
) -> Iterator[Answer[bytes]]:
    """Yield the answer on each file, given as its lines, in order.

    Each run takes the next modality set. Raises CodexError when Codex cannot be asked.
    """

    def ask(question: tuple[Sequence[bytes], frozenset[str]]) -> Answer[bytes]:
        return _asked(oracle, *question)

    yield from in_order(ask, zip(files, cycle(modality_sets)), _WORKERS)


def _asked(oracle: Oracle, lines: Sequence[bytes], modalities: frozenset[str]) -> Answer[bytes]:
    data = b"\n".join(lines)
    prompt = oracle.resume(data, modalities).prompt
    if prompt is None:
        prompt = oracle.resume(_resumable(lines), modalities).prompt
    expected = canonical(normalize(rollout_of(BytesIO(data)).history, modalities))
    return Answer([*lines], modalities, expected, None if prompt is None else canonical(prompt))


def _resumable(lines: Sequence[bytes]) -> bytes:
    """Return the file in the form in which Codex reads on after a line that it cannot read."""
    kept = [line + b"\n" for line in lines if not _is_header(line)]
    end = rollout_line("event_msg", {"type": "task_complete", "turn_id": "t"}, ordinal=len(kept))
    return b"".join([header(history_mode="paginated"), *kept, end])


def _is_header(line: bytes) -> bool:
    # In the middle of a paginated history a header is the start of another one.
    try:
        return bool(json.loads(line)["type"] == "session_meta")
    except (ValueError, LookupError, TypeError, RecursionError):
        return False
