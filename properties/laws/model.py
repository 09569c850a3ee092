"""The prompt is what the executable specification says, and what Codex sent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from normalizer import Item
from properties.capabilities import COMPLETES, DERIVES_IDS, SAYS_ABORTED, SAYS_OMITTED, Capabilities
from properties.case import Case, json_text
from properties.golden import golden_rows
from properties.property import EACH, Finding, Question, prompt_law, relation_law
from properties.subject import Subject


@prompt_law("model/equals_specification", EACH)
def equals_specification(case: Case) -> Iterator[Finding]:
    """The prompt equals that of the executable specification, item by item."""
    return _differences(case.expected, case.prompt)


def _golden_cases(_: Capabilities) -> Iterator[Question]:
    for row in golden_rows():
        yield row.history, row.modalities


@relation_law(
    "model/equals_codex",
    cases=_golden_cases,
    needs=(COMPLETES, DERIVES_IDS, SAYS_ABORTED, SAYS_OMITTED),
)
def equals_codex(
    subject: Subject, history: Sequence[Item], modalities: frozenset[str]
) -> Iterator[Finding]:
    """The prompt equals the one that the released Codex CLI sent, for every recorded history."""
    expected = _codex_prompts().get(json_text([history, sorted(modalities)]))
    if expected is not None:
        yield from _differences(expected, subject.prompt(history, modalities))


@cache
def _codex_prompts() -> dict[str, list[Item]]:
    return {json_text([row.history, sorted(row.modalities)]): row.prompt for row in golden_rows()}


def _differences(expected: list[Item], prompt: list[Item]) -> Iterator[Finding]:
    """Yield the first place where `prompt` is not as expected.

    A made-up object has no order of keys to keep; that of the others is a matter of preservation.
    """
    for index, item in enumerate(prompt):
        if index >= len(expected):
            yield Finding("an item too many", prompt=index)
            return
        if json_text(item, sort_keys=True) != json_text(expected[index], sort_keys=True):
            yield Finding("not the item that was expected", prompt=index)
            return
    if len(prompt) < len(expected):
        yield Finding(f"ends after {len(prompt)} of {len(expected)} items")
