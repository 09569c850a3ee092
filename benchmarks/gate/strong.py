"""As strong: no fault that the suite used to catch escapes it."""

from __future__ import annotations

from benchmarks.gate.line import LEFT_OUT, Check, Figure


def strong_checks() -> list[Check]:
    """Return the one check."""
    return [Check("strong", "faults", "their catalogue", _faults)]


def _faults() -> Figure:
    try:
        import properties.faults  # type: ignore[import-not-found]  # noqa: F401
    except ImportError:
        return Figure("their catalogue", "not available", "all", LEFT_OUT)
    raise NotImplementedError
