"""Copies of JSON values that share nothing mutable with the original."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from types import NoneType
from typing import Any, Final

#: Nobody can change a value of these types: it is shared.
_SHARED: Final = frozenset({str, int, float, bool, NoneType})


def copied(value: Any) -> Any:
    """Return an equal value made of new dicts and lists, key order kept.

    Mappings and lists of other classes become plain dicts and lists; values that are not JSON are
    copied deeply.
    """
    # Exact types first: nearly every value of a history has one of these.
    kind = type(value)
    if kind is dict:
        copy = value.copy()
        for key, inner in value.items():
            if type(inner) not in _SHARED:
                copy[key] = copied(inner)
        return copy
    if kind is list:
        return [copied(inner) for inner in value]
    if kind in _SHARED:
        return value
    if isinstance(value, Mapping):
        return copied(dict(value))
    if isinstance(value, list):
        return copied(list(value))
    if kind is tuple:
        return tuple(map(copied, value))
    return deepcopy(value)
