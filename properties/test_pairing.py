"""Conformance: pairing."""

from __future__ import annotations

import pytest

from properties.conformance import Trial, matrix
from properties.property import Property


@pytest.mark.parametrize(("prop", "family"), matrix("pairing"))
def test_pairing(trial: Trial, prop: Property, family: str) -> None:
    """Every call has its output, and a made-up output says that nothing is known."""
    trial.verify(prop, family)
