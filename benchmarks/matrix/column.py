"""One subject of the matrix: what it is, and what came of every property."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.peers import PEERS, Peer
from properties.broken import BrokenCase
from properties.results import Outcome, Results
from properties.running import Progress, Request, in_silence, run_conformance


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard each subject is tried: on the same histories as all others."""

    examples: int
    seed: int


@dataclass(frozen=True, slots=True)
class Column:
    """A subject and its results."""

    subject: str
    results: Results
    effort: Effort

    @property
    def peer(self) -> Peer | None:
        """What is known about it; None for one that is no peer."""
        return peer_of(self.subject)

    @property
    def title(self) -> str:
        """Its name, and its version where that is known."""
        return f"{self.peer.package} {self.peer.version()}" if self.peer else self.subject

    @property
    def outcomes(self) -> Mapping[str, Outcome]:
        """The outcome of each property, by name."""
        return self.results.by_property

    def counterexamples(self) -> list[tuple[list[str], BrokenCase]]:
        """Return the smallest case behind each broken property; one that breaks several only once.

        Each comes with the names of the properties that it breaks.
        """
        told: dict[tuple[str, frozenset[str]], tuple[list[str], BrokenCase]] = {}
        for name, case in self.results.broken.items():
            key = (repr(case.history), case.modalities)
            told.setdefault(key, ([], case))[0].append(name)
        return sorted(told.values(), key=lambda entry: len(entry[1].history))

    def command(self, case: BrokenCase) -> str:
        """Return the command that finds the case again."""
        return (
            f"callpair check --subject {self.subject} --only {case.property_name} "
            f"--families {case.family} --examples {self.effort.examples} --seed {self.effort.seed}"
        )


def column_of(subject: str, effort: Effort, progress: Progress = in_silence) -> Column:
    """Try every property on `subject`.

    Raises CommandError when there is no such subject, or when nothing could be run.
    """
    request = Request(subject, examples=effort.examples, seed=effort.seed)
    return Column(subject, run_conformance(request, progress), effort)


def peer_of(subject: str) -> Peer | None:
    """Return the peer that `subject` asks for; None where it asks for something else."""
    kind, _, name = subject.partition(":")
    return PEERS.get(name) if kind == "peer" else None
