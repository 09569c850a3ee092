"""A prompt needs no repair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from normalizer import Item
from properties.case import json_text
from properties.laws.media import MODALITY_SETS
from properties.property import EACH, Finding, relation_law
from properties.subject import Subject


@relation_law("idempotence/result_unchanged", EACH)
def result_unchanged(
    subject: Subject, history: Sequence[Item], modalities: frozenset[str]
) -> Iterator[Finding]:
    """Normalizing a prompt again changes nothing."""
    once = subject.prompt(history, modalities)
    if json_text(subject.prompt(once, modalities)) != json_text(once):
        yield Finding("the second prompt differs from the first")


@relation_law("idempotence/for_every_model")
def for_every_model(
    subject: Subject, history: Sequence[Item], modalities: frozenset[str]
) -> Iterator[Finding]:
    """Normalizing a prompt for any model that takes at least as much changes nothing."""
    once = subject.prompt(history, modalities)
    for other in MODALITY_SETS:
        if other >= modalities and json_text(subject.prompt(once, other)) != json_text(once):
            yield Finding(f"for a model that takes {sorted(other)} the prompt differs")
