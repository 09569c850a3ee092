"""Conformance: immutability."""

from __future__ import annotations

import pytest

from properties.conformance import Trial, matrix
from properties.property import Property


@pytest.mark.parametrize(("prop", "family"), matrix("immutability"))
def test_immutability(trial: Trial, prop: Property, family: str) -> None:
    """Nothing that is done to a prompt reaches the record."""
    trial.verify(prop, family)
