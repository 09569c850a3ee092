"""What a model can take: a set out of text, image and audio."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

#: Every modality there is, in the order in which they are listed for people.
MODALITIES: Final[tuple[str, ...]] = ("text", "image", "audio")

#: A model that takes everything; the default everywhere.
ALL: Final[frozenset[str]] = frozenset(MODALITIES)


def modality_set(names: Collection[str]) -> frozenset[str]:
    """Return `names` as a set.

    Raises ValueError when a name is not a modality, or when `names` is one string: `"text"` would
    otherwise be read as its letters.
    """
    if isinstance(names, str):
        raise ValueError(f"modalities: a collection of names, not the string {names!r}")
    chosen = list(names)
    for name in chosen:
        if name not in MODALITIES:
            raise ValueError(f"unknown modality {name!r}: choose from {', '.join(MODALITIES)}")
    return frozenset(chosen)
