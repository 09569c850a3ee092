"""A property: a name, a sentence, and the law that tells whether it holds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Final, Literal, NamedTuple, TypeAlias

from normalizer import FAMILIES, Item
from properties.capabilities import Capabilities, Need
from properties.case import Case
from properties.subject import Subject

#: The column of histories in which calls of all families mix.
MIXED: Final = "mixed"

#: Every column of the report: one for each family, and the mix of them.
EACH: Final = (*(family.name for family in FAMILIES), MIXED)


def checked_columns(names: Collection[str]) -> tuple[str, ...]:
    """Return the columns of these names, all for none; raise ValueError for an unknown name."""
    for name in names:
        if name not in EACH:
            raise ValueError(f"unknown column {name!r}: choose from {', '.join(EACH)}")
    return tuple(names) or EACH


class Finding(NamedTuple):
    """What a law found wrong, and where."""

    message: str
    #: Position in the prompt, where the prompt is to blame.
    prompt: int | None = None
    #: Position in the history, where an item of it is missing or mistreated.
    history: int | None = None


@dataclass(frozen=True, slots=True)
class Violation:
    """A property that does not hold, with the place where it shows."""

    property: str
    message: str
    #: Position in the prompt; None where no item of it is to blame.
    prompt_index: int | None = None
    #: Position in the history; None where no item of it is concerned.
    history_index: int | None = None

    def __str__(self) -> str:
        places = (
            f"{name} item {index}"
            for name, index in (("prompt", self.prompt_index), ("history", self.history_index))
            if index is not None
        )
        place = ", ".join(places)
        return f"{place}: {self.message}" if place else self.message


#: A law over one prompt.
PromptLaw: TypeAlias = Callable[[Case], Iterator[Finding]]

#: A law over several runs of a normalizer, which it makes itself.
RelationLaw: TypeAlias = Callable[[Subject, Sequence[Item], frozenset[str]], Iterator[Finding]]


#: What a normalizer is asked: a history, and what the model takes.
Question: TypeAlias = tuple[list[Item], frozenset[str]]

#: Yields what to try on a normalizer with these claims.
Cases: TypeAlias = Callable[[Capabilities], Iterator[Question]]


@dataclass(frozen=True, slots=True)
class Property:
    """Something that must hold of every normalizer."""

    #: Stable name, `group/statement`.
    name: str
    #: What holds, in one sentence.
    statement: str
    #: `core` holds for Codex and the reference.
    level: Literal["core"]
    #: The columns of the report that it has: the kinds of histories it is tried on.
    families: tuple[str, ...]
    #: Where drawing histories makes no sense: all those to try it on, the smallest first.
    cases: Cases | None = None
    #: Whether it is tried on the record of a session that is played step by step.
    played: bool = False
    #: What a normalizer has to claim for it to be applicable.
    needs: tuple[Need, ...] = ()
    #: Exactly one of the two is set.
    prompt_law: PromptLaw | None = None
    relation_law: RelationLaw | None = None

    @property
    def group(self) -> str:
        return self.name.partition("/")[0]

    def inapplicable(self, capabilities: Capabilities, family: str = MIXED) -> str:
        """Return why it says nothing about such a normalizer in this column; empty if it does."""
        own = [name for name in self.families if name != MIXED] if family == MIXED else [family]
        if own and not capabilities.families.intersection(own):
            return f"families has no {' or '.join(own)}"
        return next(filter(None, (need.missing_in(capabilities) for need in self.needs)), "")

    @property
    def is_drawn(self) -> bool:
        """Whether it is tried on drawn histories, not on cases or sessions of its own."""
        return self.cases is None and not self.played

    def cases_for(self, claims: Capabilities) -> Iterator[Question]:
        """Yield its own cases, where it has any, that a normalizer with these claims covers."""
        for history, modalities in self.cases(claims) if self.cases else ():
            if claims.covers(history, modalities):
                yield history, modalities

    def of_prompt(self, case: Case) -> list[Violation]:
        """Return where the property fails in one prompt; nothing for a relation."""
        return self._named(self.prompt_law(case)) if self.prompt_law else []

    def of_subject(
        self, subject: Subject, history: Sequence[Item], modalities: frozenset[str]
    ) -> list[Violation]:
        """Return where the property fails for `subject` on this history.

        Raises what `subject.prompt` raises.
        """
        if self.relation_law:
            return self._named(self.relation_law(subject, history, modalities))
        prompt = subject.prompt(history, modalities)
        return self.of_prompt(Case(history, modalities, prompt, subject.capabilities))

    def _named(self, findings: Iterator[Finding]) -> list[Violation]:
        return [Violation(self.name, *finding) for finding in findings]


def prompt_law(
    name: str, families: tuple[str, ...] = (MIXED,), *, needs: tuple[Need, ...] = ()
) -> Callable[[PromptLaw], Property]:
    """Make a property of a law over one prompt; the first line of its docstring is the sentence."""
    return lambda law: Property(name, _sentence(law), "core", families, needs=needs, prompt_law=law)


def relation_law(
    name: str,
    families: tuple[str, ...] = (MIXED,),
    *,
    cases: Cases | None = None,
    played: bool = False,
    needs: tuple[Need, ...] = (),
) -> Callable[[RelationLaw], Property]:
    """Make a property of a law over several runs, in the same way."""
    return lambda law: Property(
        name, _sentence(law), "core", families, cases, played, needs, relation_law=law
    )


def properties_in(module: ModuleType) -> tuple[Property, ...]:
    """Return the properties that `module` defines, in their order."""
    return tuple(value for value in vars(module).values() if isinstance(value, Property))


def _sentence(law: Callable[..., object]) -> str:
    return (law.__doc__ or "").strip().partition("\n")[0]
