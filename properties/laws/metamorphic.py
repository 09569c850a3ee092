"""How prompts of related histories are related."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from normalizer import Item
from properties.capabilities import IDS_WITHOUT_CALL_IDS
from properties.case import json_text, key_of_call, key_of_output
from properties.property import EACH, Finding, relation_law
from properties.subject import Subject

#: Longer histories are cut at this many places only.
_MOST_CUTS: Final = 6


@relation_law("metamorphic/piecewise")
def piecewise(
    subject: Subject, history: Sequence[Item], modalities: frozenset[str]
) -> Iterator[Finding]:
    """Two histories without a common call id normalize to the two prompts, one after the other."""
    other = _renamed(history, lambda call_id: f"{call_id}~other")
    expected = subject.prompt(history, modalities) + subject.prompt(other, modalities)
    if json_text(subject.prompt([*history, *other], modalities)) != json_text(expected):
        yield Finding("behind each other they normalize to something else")


@relation_law("metamorphic/renaming", EACH, needs=(IDS_WITHOUT_CALL_IDS,))
def renaming(
    subject: Subject, history: Sequence[Item], modalities: frozenset[str]
) -> Iterator[Finding]:
    """Renaming the call ids, one to one, renames them in the prompt and changes nothing else."""
    plain: dict[str, str] = {}

    def rename(call_id: str) -> str:
        return plain.setdefault(call_id, f"id{len(plain)}")

    renamed = _renamed(history, rename)
    expected = _renamed(subject.prompt(history, modalities), rename)
    if json_text(subject.prompt(renamed, modalities)) != json_text(expected):
        yield Finding("with plain call ids the prompt differs in more than the call ids")


@relation_law("metamorphic/growing_keeps_prefix", EACH)
def growing_keeps_prefix(
    subject: Subject, history: Sequence[Item], modalities: frozenset[str]
) -> Iterator[Finding]:
    """What is added to a session leaves the prompt before it alone, so that a prompt cache holds.

    Unless what was added answers an open call or vouches for an orphan.
    """
    whole = subject.prompt(history, modalities)
    step = 1 + len(history) // _MOST_CUTS
    for cut in range(0, len(history), step):
        before, added = history[:cut], history[cut:]
        if _touches(added, before):
            continue
        prompt = subject.prompt(before, modalities)
        if json_text(whole[: len(prompt)]) != json_text(prompt):
            yield Finding(f"the prompt for the first {cut} items is not how the whole one begins")
            return


def _touches(added: Sequence[Item], before: Sequence[Item]) -> bool:
    """Whether an added output answers a call in `before`, or an added call asks for an output."""
    calls = {key_of_call(item) for item in before} - {None}
    outputs = {key_of_output(item) for item in before} - {None}
    return any(key_of_output(item) in calls or key_of_call(item) in outputs for item in added)


def _renamed(items: Sequence[Item], rename: Callable[[str], str]) -> list[Item]:
    """Return the items with the call ids of calls and outputs renamed; null stays null."""
    return [
        {**item, "call_id": rename(key[1])}
        if (key := key_of_call(item) or key_of_output(item))
        else item
        for item in items
    ]
