"""Conformance: orphans."""

from __future__ import annotations

import pytest

from properties.conformance import Trial, matrix
from properties.property import Property


@pytest.mark.parametrize(("prop", "family"), matrix("orphans"))
def test_orphans(trial: Trial, prop: Property, family: str) -> None:
    """No output stands without its call, and no other output is touched."""
    trial.verify(prop, family)
