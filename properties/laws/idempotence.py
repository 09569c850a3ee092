"""A prompt needs no repair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from normalizer import Item
from properties.capabilities import REPLACES_MEDIA
from properties.case import json_text
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


@relation_law("idempotence/for_every_model", needs=(REPLACES_MEDIA,))
def for_every_model(
    subject: Subject, history: Sequence[Item], modalities: frozenset[str]
) -> Iterator[Finding]:
    """Normalizing a prompt for any model that takes at least as much changes nothing."""
    once = subject.prompt(history, modalities)
    for other in subject.capabilities.modality_sets:
        if other >= modalities and json_text(subject.prompt(once, other)) != json_text(once):
            yield Finding(f"for a model that takes {sorted(other)} the prompt differs")
