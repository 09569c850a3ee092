"""Conformance: work."""

from __future__ import annotations

import pytest

from properties.conformance import Trial, matrix
from properties.property import Property


@pytest.mark.parametrize(("prop", "family"), matrix("work"))
def test_work(trial: Trial, prop: Property, family: str) -> None:
    """The work grows with the history and not faster."""
    trial.verify(prop, family)
