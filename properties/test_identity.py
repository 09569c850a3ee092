"""Conformance: identity."""

from __future__ import annotations

import pytest

from properties.conformance import Trial, matrix
from properties.property import Property


@pytest.mark.parametrize(("prop", "family"), matrix("identity"))
def test_identity(trial: Trial, prop: Property, family: str) -> None:
    """A made-up output has the same item id whenever and wherever it is made."""
    trial.verify(prop, family)
