"""Conformance: metamorphic."""

from __future__ import annotations

import pytest

from properties.conformance import Trial, matrix
from properties.property import Property


@pytest.mark.parametrize(("prop", "family"), matrix("metamorphic"))
def test_metamorphic(trial: Trial, prop: Property, family: str) -> None:
    """Prompts of related histories are related."""
    trial.verify(prop, family)
