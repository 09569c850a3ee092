"""Conformance: media."""

from __future__ import annotations

import pytest

from properties.conformance import Trial, matrix
from properties.property import Property


@pytest.mark.parametrize(("prop", "family"), matrix("media"))
def test_media(trial: Trial, prop: Property, family: str) -> None:
    """A model gets no media that it cannot take, and all of those that it can."""
    trial.verify(prop, family)
