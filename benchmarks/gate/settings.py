"""What the gate is asked for: defaults, the user's `pyproject.toml`, the command line.

    [tool.callpair]
    subject = "python:my_agent.history:normalize"
    subject_path = ["src"]

    [tool.callpair.gate]
    base = "origin/main"
    margin = 0.05

The later of the three wins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from normalizer import CommandError
from properties.loading import load_subject
from properties.running import Request
from properties.settings import NUMBER, POSITIVE, SWITCH, TEXT, Kind, Settings, check_table
from properties.subject import TIMEOUT, Subject


@dataclass(frozen=True, slots=True)
class GateSettings:
    """The candidate, and what it is held against."""

    #: The candidate, and how the conformance tests are to try it.
    request: Request = field(default_factory=Request)
    #: What its owner claims for it: see `properties.capabilities`.
    claims: Mapping[str, Any] = field(default_factory=dict)
    #: The revision to compare its speed with, unless there is a `base_subject`.
    base: str = "HEAD"
    base_subject: str | None = None
    #: How much more time and memory than the base's is let pass: 0.10 is 10 %.
    margin: float = 0.10
    #: How much steeper than a plain copy's its growth may be.
    slope: float = 0.20
    #: Whether to count instructions as well.
    instructions: bool = False

    def candidate(self) -> Subject:
        """Return the candidate. Raises CommandError, in one line, when there is no such subject."""
        request = self.request
        return load_subject(
            request.subject,
            request.subject_paths,
            timeout=request.timeout or TIMEOUT,
            validate=request.validate,
            claims=self.claims,
        )


#: The keys of `[tool.callpair.gate]`.
_KINDS: Final[Mapping[str, Kind]] = {
    "base": TEXT,
    "base_subject": TEXT,
    "margin": POSITIVE,
    "slope": POSITIVE,
    "instructions": SWITCH,
    "seed": NUMBER,
}


def gate_table(settings: Settings) -> dict[str, Any]:
    """Return what the user's file says about the gate.

    Raises CommandError for a setting that does not exist or has the wrong type.
    """
    if settings.file is not None:
        check_table(settings.file, "tool.callpair.gate", settings.gate, _KINDS)
        if {"base", "base_subject"} <= settings.gate.keys():
            raise CommandError(
                f"{settings.file}: tool.callpair.gate has both base and base_subject: choose one"
            )
    return dict(settings.gate)
