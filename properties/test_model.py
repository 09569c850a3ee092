"""Conformance: model."""

from __future__ import annotations

import pytest

from properties.conformance import Trial, matrix
from properties.property import Property


@pytest.mark.parametrize(("prop", "family"), matrix("model"))
def test_model(trial: Trial, prop: Property, family: str) -> None:
    """The prompt is what the executable specification says, and what Codex sent."""
    trial.verify(prop, family)
