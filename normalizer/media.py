"""Media that a model cannot take, and the text that stands in for it."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any, Final

from normalizer.copying import copied
from normalizer.items import Item


@dataclass(frozen=True, slots=True)
class Medium:
    """A modality other than text, as it shows in an item's list of parts."""

    modality: str
    #: The `type` of a part that carries it.
    part_type: str
    #: What the model is told instead, word for word what Codex says.
    placeholder: str


MEDIA: Final[tuple[Medium, ...]] = tuple(
    Medium(
        modality,
        f"input_{modality}",
        f"{modality} content omitted because you do not support {modality} input",
    )
    for modality in ("image", "audio")
)

#: The key that holds the list of parts, for each item type whose parts are looked at.
_PARTS_KEY: Final[Mapping[str, str]] = {
    "message": "content",
    "function_call_output": "output",
    "custom_tool_call_output": "output",
}

#: A generated image is no part of a list: it is emptied in place.
_GENERATED_IMAGE: Final = "image_generation_call"

#: The types of the items that may hold media.
MEDIA_CARRIERS: Final = frozenset({*_PARTS_KEY, _GENERATED_IMAGE})


def missing_media(modalities: Set[str]) -> tuple[Medium, ...]:
    """Return the media that a model with these modalities cannot take."""
    return tuple(medium for medium in MEDIA if medium.modality not in modalities)


def without_media(
    item: Mapping[str, Any], missing: tuple[Medium, ...]
) -> tuple[Item, tuple[str, ...]] | None:
    """Return a copy of `item` without the `missing` media, and the modality of each replacement.

    Parts keep their count and order: each unsupported one gives way to a text. Returns None when
    the item holds nothing of the kind.
    """
    if item["type"] == _GENERATED_IMAGE:
        return _without_result(item, missing)
    key = _PARTS_KEY.get(item["type"])
    parts = item.get(key) if key else None
    if not isinstance(parts, list):
        return None
    found = {
        position: medium
        for position, part in enumerate(parts)
        if isinstance(part, (dict, Mapping))
        for medium in missing
        if part.get("type") == medium.part_type
    }
    if not found:
        return None
    copy = copied(item)
    for position, medium in found.items():
        copy[key][position] = {"type": "input_text", "text": medium.placeholder}
    return copy, tuple(medium.modality for medium in found.values())


def _without_result(
    item: Mapping[str, Any], missing: tuple[Medium, ...]
) -> tuple[Item, tuple[str, ...]] | None:
    if item.get("result") == "" or all(medium.modality != "image" for medium in missing):
        return None
    return {**copied(item), "result": ""}, ("image",)
