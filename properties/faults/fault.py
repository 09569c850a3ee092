"""One wrong normalizer, with what is known about it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

from normalizer import ALL, Item, normalize
from properties.broken import BrokenCase
from properties.case import json_text
from properties.catalogue import BY_NAME
from properties.conformance import broken_by
from properties.faults.skeleton import Skeleton
from properties.property import MIXED
from properties.subject import PythonSubject, Subject, SubjectError
from strategies import history_of
from strategies.histories import MODALITY_SETS

#: What a model takes that takes text alone.
TEXT: Final = frozenset({"text"})


@dataclass(frozen=True, slots=True)
class Fault:
    """A normalizer that gets one thing wrong."""

    #: Stable name: what it gets wrong, in words.
    name: str
    #: What it gets wrong, in one sentence.
    sentence: str
    normalizer: type[Skeleton]
    #: The witness in shorthand.
    shorthand: str
    #: What the model takes when the witness shows it.
    modalities: frozenset[str]
    #: Names of the properties that have to catch it.
    expected: tuple[str, ...]
    #: In shorthand, a history that its process has to have seen before, for models of every kind.
    before: str = ""
    #: Why the share of drawn histories that show it may lie outside the usual.
    reason: str = ""

    @property
    def group(self) -> str:
        """The kind of fault: the module that it stands in."""
        return self.normalizer.__module__.rpartition(".")[2]

    @property
    def witness(self) -> list[Item]:
        """A history on which it goes wrong. Call ids may hold Python's escapes."""
        return history_of(self.shorthand, lambda name: name.encode().decode("unicode_escape"))

    def subject(self) -> Subject:
        """Return the wrong normalizer, not called yet."""
        return PythonSubject(f"fault:{self.name}", self.normalizer())

    def _experienced(self) -> Subject:
        """Return the wrong normalizer in a process that has seen what it has to have seen."""
        subject = self.subject()
        if self.before:
            subject.prompts(history_of(self.before), MODALITY_SETS)
        return subject

    def differs(self, history: list[Item], modalities: frozenset[str]) -> bool:
        """Whether the prompt it makes is not, to the byte, the reference's."""
        try:
            prompt = self._experienced().prompt(history, modalities)
        except SubjectError:
            return True
        return json_text(prompt) != _right(json_text(history), modalities)

    def broken(
        self, name: str, history: list[Item], modalities: frozenset[str]
    ) -> BrokenCase | None:
        """Return how it breaks the property `name` on one history, if it does."""
        return broken_by(self.subject(), BY_NAME[name], MIXED, history, modalities)

    def shows(self, history: list[Item], modalities: frozenset[str]) -> bool:
        """Whether anything about one history tells it from the reference.

        What one prompt cannot show (sharing, memory), an expected relation between prompts must.
        """
        if self.differs(history, modalities):
            return True
        if _shown_by_one_prompt(self):
            return False
        expected = [BY_NAME[name] for name in self.expected]
        relations = [prop.name for prop in expected if prop.relation_law and prop.is_drawn]
        return any(self.broken(name, history, modalities) for name in relations)


@cache
def _shown_by_one_prompt(fault: Fault) -> bool:
    return fault.differs(fault.witness, fault.modalities)


@cache
def _right(history: str, modalities: frozenset[str]) -> str:
    """Return the prompt for a history, both as JSON text: every fault is asked about the same."""
    return json_text(normalize(json.loads(history), modalities))


#: Every fault by its name.
FAULTS: Final[dict[str, Fault]] = {}


def fault(
    shorthand: str,
    *expected: str,
    modalities: frozenset[str] = ALL,
    before: str = "",
    name: str = "",
    reason: str = "",
) -> Callable[[type[Skeleton]], type[Skeleton]]:
    """Enter a class into `FAULTS`; the first line of its docstring is the sentence.

    Its name in words is the fault's, unless there is a `name`.
    """

    def entered(normalizer: type[Skeleton]) -> type[Skeleton]:
        words = name or _words(normalizer.__name__)
        if words in FAULTS:
            raise ValueError(f"two faults are named {words!r}")
        sentence = (normalizer.__doc__ or "").strip().partition("\n")[0]
        FAULTS[words] = Fault(
            words, sentence, normalizer, shorthand, modalities, expected, before, reason
        )
        return normalizer

    return entered


def _words(class_name: str) -> str:
    """Return `class_name` in words: `CutAt64` is `cut-at-64`."""
    return "-".join(re.findall(r"[A-Z][a-z]*|[0-9]+", class_name)).lower()
