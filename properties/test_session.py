"""Conformance: session."""

from __future__ import annotations

import pytest

from properties.conformance import Trial, matrix
from properties.property import Property


@pytest.mark.parametrize(("prop", "family"), matrix("session"))
def test_session(trial: Trial, prop: Property, family: str) -> None:
    """A session goes on through everything, and its record stays true."""
    trial.verify(prop, family)
