"""The record is the truth: neither the normalizer nor whoever edits the prompt changes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from normalizer import Item
from properties import observation
from properties.capabilities import COPIES, SEEN_INSIDE, Need
from properties.property import Finding, Property, relation_law
from properties.subject import Subject


def _never(name: str, kind: str, sentence: str, *needs: Need) -> Property:
    """Return the property that `kind` is never observed."""

    def law(
        subject: Subject, history: Sequence[Item], modalities: frozenset[str]
    ) -> Iterator[Finding]:
        found = subject.observed(history, modalities)
        if kind in found:
            yield Finding(found[kind])

    law.__doc__ = sentence
    return relation_law(name, needs=(SEEN_INSIDE, *needs))(law)


input_unchanged = _never(
    "immutability/input_unchanged",
    observation.CHANGED,
    "The input is deep-equal before and after, also after later calls.",
)
nothing_shared = _never(
    "immutability/nothing_shared",
    observation.SHARED,
    "The prompt holds no list or dict of the input.",
    COPIES,
)
edits_stay_in_prompt = _never(
    "immutability/edits_stay_in_prompt",
    observation.REACHED,
    "An edit of the prompt never reaches the input.",
    COPIES,
)
prompts_independent = _never(
    "immutability/prompts_independent",
    observation.LASTING,
    "Neither an edit of one prompt nor a later call changes another prompt.",
)
