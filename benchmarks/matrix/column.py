"""One subject of the matrix: what it is, and what came of every property."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.peers import PEERS, Peer
from properties.broken import BrokenCase
from properties.results import Results


@dataclass(frozen=True, slots=True)
class Column:
    """What came of one subject."""

    results: Results

    @property
    def name(self) -> str:
        """What it is called here: a peer needs no prefix."""
        return self.results.subject.removeprefix("peer:")

    @property
    def peer(self) -> Peer | None:
        """What is known about it; None for one that is no peer."""
        kind, _, name = self.results.subject.partition(":")
        return PEERS.get(name) if kind == "peer" else None

    def counterexamples(self) -> list[tuple[list[str], BrokenCase]]:
        """Return the smallest case behind each broken property, the smallest of all first.

        Each comes with the names of the properties that it is the case of.
        """
        told: dict[tuple[str, frozenset[str]], tuple[list[str], BrokenCase]] = {}
        for name, case in self.results.broken.items():
            key = (repr(case.history), case.modalities)
            told.setdefault(key, ([], case))[0].append(name)
        return sorted(told.values(), key=lambda entry: len(entry[1].history))
