"""What the released Codex CLI 0.171.0 did, recorded.

* `golden.jsonl`: histories, each with the prompt that Codex put on the wire for it.
* `rollouts/`: real sessions, some killed in mid call, each with the prompts that it sent on resume.
* `damaged/`: damaged rollout files, each with the prompt that Codex made of it.
* `refused/`: files that Codex refuses whole, each with the prompt that a better reader makes of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from normalizer import Item, read_rollout

FOLDER: Final = Path(__file__).parent


class GoldenRow(NamedTuple):
    """One history and the prompt that Codex made of it."""

    name: str
    modalities: frozenset[str]
    history: list[Item]
    prompt: list[Item]


def golden_rows() -> Iterator[GoldenRow]:
    """Yield the rows of `golden.jsonl`."""
    with (FOLDER / "golden.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield GoldenRow(
                row["name"], frozenset(row["modalities"]), row["history"], row["prompt"]
            )


def rollout_paths() -> list[Path]:
    """Return the files of the real sessions."""
    return sorted((FOLDER / "rollouts").glob("*.jsonl"))


def real_sessions() -> Iterator[list[Item]]:
    """Yield the history of each real session."""
    for path in rollout_paths():
        yield read_rollout(path).history
