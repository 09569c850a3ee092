"""Normalizers with one known flaw each, for the gate to find."""

from __future__ import annotations

from collections.abc import Collection
from copy import deepcopy
from time import perf_counter
from typing import Final
from uuid import UUID, uuid5

from normalizer import Item, normalize

#: What `slowed` adds to its time.
SLOWDOWN: Final = 0.15

_NAMESPACE: Final = UUID("00000000-0000-4000-8000-000000000000")

_kept: list[list[Item]] = []


def identical(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Do what the reference does."""
    return normalize(history, modalities)


def slowed(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Do the same, and take 15 % longer for it."""
    start = perf_counter()
    prompt = normalize(history, modalities)
    now = perf_counter()
    end = now + SLOWDOWN * (now - start)
    while perf_counter() < end:
        pass
    return prompt


def quadratic(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Do the same, and look for each item's equal among those before it."""
    for index, item in enumerate(history):
        any(earlier is item for earlier in history[:index])
    return normalize(history, modalities)


def hoarding(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Do the same, and keep a reference to every history."""
    _kept.append(history)
    return normalize(history, modalities)


def other_namespace(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Do the same, with made-up ids out of another namespace."""
    known = {item.get("id") for item in history}
    prompt = deepcopy(normalize(history, modalities))
    for item in prompt:
        if item.get("id") and item["id"] not in known:
            prefix = item["id"].partition("_")[0]
            item["id"] = f"{prefix}_{uuid5(_NAMESPACE, item['id'])}"
    return prompt
