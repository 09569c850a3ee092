"""Conformance: preservation."""

from __future__ import annotations

import pytest

from properties.conformance import Trial, matrix
from properties.property import Property


@pytest.mark.parametrize(("prop", "family"), matrix("preservation"))
def test_preservation(trial: Trial, prop: Property, family: str) -> None:
    """What is neither made up, nor an orphan, nor media stays as it is."""
    trial.verify(prop, family)
