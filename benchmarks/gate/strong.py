"""As strong: no fault that the suite used to catch escapes it."""

from __future__ import annotations

import importlib
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from typing import Final

from benchmarks.gate.line import LEFT_OUT, Check, Figure, counted

_AGAINST: Final = "catalogue"

#: One seed is enough to tell what is caught; `callpair faults` takes more, to tell how soon.
_SEED: Final = 0


def strong_checks() -> list[Check]:
    """Return the one check."""
    return [Check("strong", "faults caught", _AGAINST, _faults)]


def _faults() -> Figure:
    """Try the suite on every fault there is, on both cores."""
    try:
        names = list(importlib.import_module("properties.faults").FAULTS)
    except ModuleNotFoundError:
        return Figure(_AGAINST, "not available", "all", LEFT_OUT)
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        caught = dict(zip(names, pool.map(_is_caught, names), strict=True))
    escaped = [name for name in names if not caught[name]]
    detail = f"escaped: {', '.join(escaped)}\nreproduce: callpair faults {' '.join(escaped)}"
    return counted(_AGAINST, len(names) - len(escaped), len(names), detail)


def _is_caught(name: str) -> bool:
    faults = importlib.import_module("properties.faults")
    detection = importlib.import_module("properties.faults.detection")
    return bool(detection.record_of(faults.FAULTS[name], [_SEED]).caught)
