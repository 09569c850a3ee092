"""What came of all the sessions that were compared."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from benchmarks.codex.answer import Answer

#: How many sessions, for each set of modalities.
_Counts = Counter[frozenset[str]]


@dataclass(slots=True)
class Tally:
    """Counts answers, and remembers the one to show."""

    #: What the sessions are, in the singular.
    noun: str
    #: What Codex calls itself.
    codex: str
    seed: int
    #: Sessions for which there are two prompts.
    compared: _Counts = field(default_factory=Counter, init=False)
    #: Those of them whose prompts differ.
    differing: _Counts = field(default_factory=Counter, init=False)
    #: Sessions that Codex refused: there is nothing to compare.
    refused: _Counts = field(default_factory=Counter, init=False)
    #: Items that Codex sent.
    items: int = field(default=0, init=False)
    #: The answer that differs, on the shortest session.
    shortest: Answer[Any] | None = field(default=None, init=False)
    #: From the first question to the last answer.
    seconds: float = field(default=0.0, init=False)
    _begun: float = field(default_factory=time.monotonic, init=False)

    @property
    def number(self) -> int:
        """How many answers there were."""
        return self.compared.total() + self.refused.total()

    @property
    def speed(self) -> float:
        """Sessions a second, from drawing them to comparing them."""
        return self.number / self.seconds if self.seconds else 0.0

    def add(self, answer: Answer[Any]) -> None:
        """Count one more answer."""
        self.seconds = time.monotonic() - self._begun
        if answer.got is None:
            self.refused[answer.modalities] += 1
            return
        self.compared[answer.modalities] += 1
        self.items += len(answer.got)
        if answer.differs:
            self.differing[answer.modalities] += 1
            if self.shortest is None or len(answer.session) < len(self.shortest.session):
                self.shortest = answer
