"""Copies of JSON values that share nothing mutable with the original."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any


def copied(value: Any) -> Any:
    """Return an equal value made of new dicts and lists, key order kept.

    Strings, numbers, booleans and null are shared: nobody can change them. Mappings and lists of
    other classes become plain dicts and lists.
    """
    kind = type(value)
    if kind is dict:
        copy = value.copy()
        for key, inner in value.items():
            # Most of a history's values are strings, and a string is not worth a call.
            if type(inner) is not str:
                copy[key] = copied(inner)
        return copy
    if kind is list:
        return [copied(inner) for inner in value]
    if isinstance(value, Mapping):
        return copied(dict(value))
    if isinstance(value, list):
        return copied(list(value))
    return deepcopy(value)
