"""Conformance: idempotence."""

from __future__ import annotations

import pytest

from properties.conformance import Trial, matrix
from properties.property import Property


@pytest.mark.parametrize(("prop", "family"), matrix("idempotence"))
def test_idempotence(trial: Trial, prop: Property, family: str) -> None:
    """A prompt needs no repair."""
    trial.verify(prop, family)
