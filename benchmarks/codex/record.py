"""Golden rows: histories, each with the prompt that Codex put on the wire for it."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from benchmarks.codex.answer import Answer
from benchmarks.codex.canonical import canonical
from normalizer import MODALITIES, Item


class Record:
    """Writes rows to a file, in the form of `properties/golden/golden.jsonl`."""

    def __init__(self, path: str) -> None:
        self._file: Final = Path(path).open("w", encoding="utf-8")  # noqa: SIM115

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def add(self, name: str, answer: Answer[Item]) -> None:
        """Write one row, if its items are in the form that Codex writes: others prove nothing.

        There, equality is exact.
        """
        if answer.got is None or canonical(answer.session) != answer.session:
            return
        modalities = [name for name in MODALITIES if name in answer.modalities]
        row = {
            "name": name,
            "modalities": modalities,
            "history": answer.session,
            "prompt": answer.got,
        }
        self._file.write(json.dumps(row, ensure_ascii=False) + "\n")
