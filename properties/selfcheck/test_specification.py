"""The executable specification is right, and the laws agree with it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from normalizer import Item
from properties import CATALOGUE
from properties.capabilities import CODEX
from properties.case import Case
from properties.golden import GoldenRow, golden_rows
from properties.laws.exhaustive import ALPHABET, LONGEST, PROMPT_LAWS, small_histories
from properties.profiles import PROFILES
from properties.specification import specification
from strategies import histories, modality_sets


@pytest.mark.parametrize("row", list(golden_rows()), ids=lambda row: row.name)
def test_it_says_what_codex_did(row: GoldenRow) -> None:
    """For every recorded history it gives the prompt that Codex sent."""
    expected = row.prompt

    assert expected == specification(row.history, row.modalities)


def test_its_prompts_satisfy_every_law_on_small_histories() -> None:
    """No law over one prompt contradicts it: that is what the exhaustive property builds on."""
    tried = 0
    for history, modalities in small_histories(CODEX):
        tried += 1
        case = Case(history, modalities, specification(history, modalities))

        assert [] == [found for law in PROMPT_LAWS for found in law.of_prompt(case)]

    assert sum(len(ALPHABET) ** length for length in range(LONGEST + 1)) <= tried


@settings(PROFILES["ci"])
@given(history=histories(), modalities=modality_sets())
def test_its_prompts_satisfy_every_law(history: list[Item], modalities: frozenset[str]) -> None:
    """No law over one prompt contradicts it on drawn histories either."""
    case = Case(history, modalities, specification(history, modalities))

    assert [] == [found for prop in CATALOGUE for found in prop.of_prompt(case)]
