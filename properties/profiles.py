"""How hard the suite tries: one Hypothesis profile for each occasion.

They are no Hypothesis profiles by name: an adopter's own `ci` profile stays the adopter's.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

from hypothesis import Phase, settings

#: No `explain` phase (the report says more) and no database: a run depends on its seed alone.
_ALL: Final = settings(
    settings.get_profile("default"),
    database=None,
    deadline=None,
    derandomize=False,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    print_blob=False,
    report_multiple_bugs=False,
)

PROFILES: Final[Mapping[str, settings]] = {
    "dev": settings(_ALL, max_examples=100),
    # The same histories on every run and every machine.
    "ci": settings(_ALL, max_examples=200, derandomize=True),
    "nightly": settings(_ALL, max_examples=2000),
    # For mutation testing: that a property breaks counts, and not on which history.
    "mutation": settings(_ALL, derandomize=True, phases=(Phase.explicit, Phase.generate)),
}


def default_profile() -> str:
    """Return the profile that the environment asks for: HYPOTHESIS_PROFILE, else `ci` under CI."""
    asked = os.environ.get("HYPOTHESIS_PROFILE", "")
    if asked in PROFILES:
        return asked
    return "ci" if os.environ.get("CI") else "dev"
