"""What a normalizer is given to do: a history, and what the model takes."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from pathlib import Path

from benchmarks.histories import build
from normalizer import ALL, Item


@dataclass(frozen=True, slots=True)
class Workload:
    """A history by shape and size, for a model that takes these modalities."""

    shape: str
    size: int
    modalities: frozenset[str] = ALL

    def history(self) -> list[Item]:
        """Return the history, the same every time."""
        return build(self.shape, self.size)

    def pickled(self, folder: Path) -> Path:
        """Return the file in `folder` that holds the history; write it unless it is there."""
        file = folder / f"{self.shape}-{self.size}.pickle"
        if not file.exists():
            # Python 3.9 reads this protocol too.
            file.write_bytes(pickle.dumps(self.history(), protocol=4))
        return file
