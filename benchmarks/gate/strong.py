"""As strong: no fault that the suite used to catch escapes it."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from typing import Final

from benchmarks.gate.line import Check, Figure, counted
from normalizer import CommandError
from properties.faults import FAULTS
from properties.faults.detection import is_caught

_AGAINST: Final = "catalogue"

#: One seed is enough to tell what is caught; `callpair faults` takes more, to tell how soon.
_SEED: Final = 0


def strong_checks(pool: Executor) -> list[Check]:
    """Return the one check. The faults are tried from now on, in processes of `pool`."""
    tried = {name: pool.submit(is_caught, name, _SEED) for name in FAULTS}
    return [Check("strong", "faults caught", _AGAINST, lambda: _figure(tried))]


def _figure(tried: dict[str, Future[bool]]) -> Figure:
    try:
        escaped = [name for name, caught in tried.items() if not caught.result()]
    except BrokenProcessPool:
        raise CommandError("a process that tried the faults died") from None
    told = f"escaped: {', '.join(escaped)}\nreproduce: callpair faults {' '.join(escaped)}"
    detail = told if escaped else ""
    return counted(_AGAINST, len(tried) - len(escaped), len(tried), detail)
