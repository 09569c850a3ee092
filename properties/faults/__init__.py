"""Normalizers that are wrong on purpose, one fault each: the proof that the suite has teeth.

    >>> from properties.faults import FAULTS
    >>> FAULTS["made-up-at-the-end"].sentence
    'Made-up outputs stand at the end of the prompt.'

Each is a correct normalizer, `skeleton.py`, with one step changed. `callpair faults` tries the
suite on all of them; each is also a subject of its own, `--subject fault:made-up-at-the-end`.
"""

# Each module enters its faults.
from properties.faults import (  # noqa: F401
    completion,
    identity,
    link_keys,
    media,
    mixups,
    preservation,
    pruning,
    sharing,
    size,
    work,
)
from properties.faults.fault import FAULTS, Fault
from properties.faults.skeleton import Skeleton

#: The kinds of fault, in order: one module each.
KINDS = tuple(dict.fromkeys(fault.group for fault in FAULTS.values()))

__all__ = ["FAULTS", "KINDS", "Fault", "Skeleton"]
