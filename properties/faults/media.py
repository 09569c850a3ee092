"""Faults in stripping: what a model that takes less is sent instead of media."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from normalizer import ALL, MEDIA, Item, Medium
from properties.faults.fault import TEXT, fault
from properties.faults.skeleton import Items, Missing, Skeleton

_MEDIA_TYPES = frozenset(medium.part_type for medium in MEDIA)


# --- where it looks -------------------------------------------------------------------------------


class _Blind(Skeleton):
    """Strips only what `looks_at` picks."""

    def stripped_item(self, item: Item, missing: Missing) -> Item:
        return super().stripped_item(item, missing) if self.looks_at(item) else item

    def looks_at(self, item: Item) -> bool:  # noqa: ARG002
        return True


_LEFT = ("media/none_unsupported", "session/prompt_valid", "media/placeholder_in_place")


@fault("FC(a) FO(a,image)", *_LEFT, modalities=TEXT)
class OnlyMessagesStripped(_Blind):
    """Media in outputs are left."""

    def looks_at(self, item: Item) -> bool:
        return "output" not in item


@fault("U(,image)", *_LEFT, modalities=TEXT)
class OnlyOutputsStripped(_Blind):
    """Media in messages are left."""

    def looks_at(self, item: Item) -> bool:
        return "content" not in item


@fault("CC(a) CO(a,image)", *_LEFT, modalities=TEXT)
class CustomOutputsNotStripped(_Blind):
    """Media in custom outputs are left."""

    def looks_at(self, item: Item) -> bool:
        return str(item["type"]) != "custom_tool_call_output"


@fault("FO(absent,image)", *_LEFT, modalities=TEXT)
class UnkeyedOutputsNotStripped(_Blind):
    """Media in outputs without a call id are left."""

    def looks_at(self, item: Item) -> bool:
        return "output" not in item or item.get("call_id") is not None


@fault("D(,image)", *_LEFT, modalities=TEXT)
class OnlyUserMessagesStripped(_Blind):
    """Media in messages that are not the user's are left."""

    def looks_at(self, item: Item) -> bool:
        return "role" not in item or bool(item["role"] == "user")


@fault("X", "preservation/items_unchanged", "model/equals_specification", modalities=TEXT)
class UnknownItemsStripped(Skeleton):
    """Media in the content of items of an unknown type are replaced."""

    def parts_key(self, item: Item) -> str | None:
        return "content" if isinstance(item.get("content"), list) else super().parts_key(item)


@fault("U(,image,image)", *_LEFT, modalities=TEXT)
class OnlyTheFirstPart(Skeleton):
    """Only the first medium of each item is replaced."""

    def stripped_parts(self, parts: list[Any], missing: Missing) -> list[Any]:
        for place, part in enumerate(parts):
            stripped = self.stripped_part(part, missing)
            if stripped is not part:
                return [*parts[:place], stripped, *parts[place + 1 :]]
        return parts


@fault("U(,image,image,image,image)", *_LEFT, modalities=TEXT)
class OnlyThreeParts(Skeleton):
    """Only the first three parts of each item are looked at."""

    def stripped_parts(self, parts: list[Any], missing: Missing) -> list[Any]:
        return super().stripped_parts(parts[:3], missing) + parts[3:]


@fault("U(,image) U(,image)", *_LEFT, "metamorphic/piecewise", modalities=TEXT)
class OnlyTheLastItem(Skeleton):
    """Only the last item with media is stripped."""

    def stripped(self, items: Items, missing: Missing) -> Items:
        done = super().stripped(items, missing)
        changed = [place for place, item in enumerate(items) if item != done[place]]
        return tuple(
            done[place] if place in changed[-1:] else item for place, item in enumerate(items)
        )


# --- what it takes for media ----------------------------------------------------------------------


@fault("U(,image)", "media/other_parts_unchanged", "model/equals_codex")
class AlwaysStripped(Skeleton):
    """Images are replaced also for a model that takes them."""

    def missing(self, modalities: Collection[str]) -> Missing:
        return super().missing([name for name in modalities if name != "image"])


@fault("U(,image)", "media/none_unsupported", "model/equals_codex", modalities=ALL - {"image"})
class StrippedForTextOnly(Skeleton):
    """Media are replaced only for a model that takes nothing but text."""

    def missing(self, modalities: Collection[str]) -> Missing:
        return super().missing(modalities if set(modalities) == {"text"} else ALL)


@fault(
    "U(,audio)",
    "media/other_parts_unchanged",
    "model/equals_specification",
    modalities=ALL - {"image"},
)
class AudioByTheImageRule(Skeleton):
    """Audio is replaced whenever images are."""

    def missing(self, modalities: Collection[str]) -> Missing:
        kept = modalities if "image" in modalities else [m for m in modalities if m != "audio"]
        return super().missing(kept)


@fault("U(,audio)", *_LEFT, modalities=ALL - {"audio"})
class AudioForgotten(Skeleton):
    """Audio is left whatever the model takes."""

    def missing(self, modalities: Collection[str]) -> Missing:
        return super().missing({*modalities, "audio"})


@fault("U(,video)", "media/other_parts_unchanged", "model/equals_specification", modalities=TEXT)
class UnknownPartsStripped(Skeleton):
    """Every part that is no text is taken for an image."""

    def stripped_part(self, part: Any, missing: Missing) -> Any:
        is_text = part.get("type") in ("input_text", "output_text", *_MEDIA_TYPES)
        return super().stripped_part(part if is_text else {"type": "input_image"}, missing)


@fault("U(,base64)", "media/other_parts_unchanged", "model/equals_specification", modalities=TEXT)
class Base64Stripped(Skeleton):
    """A text that holds a picture as base64 is taken for an image."""

    def stripped_part(self, part: Any, missing: Missing) -> Any:
        is_picture = str(part.get("text", "")).startswith("data:image")
        return super().stripped_part({"type": "input_image"} if is_picture else part, missing)


@fault("U(,file)", *_LEFT, modalities=TEXT)
class OnlyInlineMediaStripped(Skeleton):
    """An image that is given by its file id is left."""

    def stripped_part(self, part: Any, missing: Missing) -> Any:
        return part if "file_id" in part else super().stripped_part(part, missing)


@fault(
    'U(,content:=[{"x":{"type":"input_image"}}])',
    "media/other_parts_unchanged",
    "model/equals_specification",
    modalities=TEXT,
)
class NestedMediaStripped(Skeleton):
    """Media deep inside other values are replaced as well."""

    def stripped_part(self, part: Any, missing: Missing) -> Any:
        stripped = super().stripped_part(part, missing)
        if stripped is not part:
            return stripped
        if isinstance(part, dict):
            return {key: self.stripped_part(inner, missing) for key, inner in part.items()}
        return [self.stripped_part(p, missing) for p in part] if isinstance(part, list) else part


# --- what it puts in their place ------------------------------------------------------------------


@fault("U(,image)", "media/part_count_kept", "model/equals_codex", modalities=TEXT)
class DroppedInsteadOfReplaced(Skeleton):
    """Media are dropped without a word."""

    def stripped_parts(self, parts: list[Any], missing: Missing) -> list[Any]:
        return [part for part in parts if self.stripped_part(part, missing) is part]


@fault("U(,text,image)", "media/part_count_kept", "model/equals_codex", modalities=TEXT)
class DroppedBesideText(Skeleton):
    """Media beside a text are dropped without a word."""

    def stripped_parts(self, parts: list[Any], missing: Missing) -> list[Any]:
        kept = [part for part in parts if self.stripped_part(part, missing) is part]
        return kept or super().stripped_parts(parts, missing)


@fault("U(,image,image)", "media/part_count_kept", "model/equals_codex", modalities=TEXT)
class PlaceholdersMerged(Skeleton):
    """Several media in a row leave one placeholder."""

    def stripped_parts(self, parts: list[Any], missing: Missing) -> list[Any]:
        done: list[Any] = []
        for part in super().stripped_parts(parts, missing):
            if part not in done[-1:] or part in parts:
                done.append(part)
        return done


@fault(
    "U(,image,text)", "media/placeholder_in_place", "model/equals_specification", modalities=TEXT
)
class PlaceholdersLast(Skeleton):
    """Placeholders stand behind all other parts."""

    def stripped_parts(self, parts: list[Any], missing: Missing) -> list[Any]:
        done = super().stripped_parts(parts, missing)
        return sorted(done, key=lambda part: part not in parts)


@fault("U(,image)", "media/placeholder_in_place", "model/equals_codex", modalities=TEXT)
class ShortPlaceholder(Skeleton):
    """The placeholder says something shorter."""

    def placeholder(self, part: Item, medium: Medium) -> Item:  # noqa: ARG002
        return {"type": "input_text", "text": f"[{medium.modality} omitted]"}


@fault("U(,audio)", "media/placeholder_in_place", "model/equals_codex", modalities=TEXT)
class AudioCalledImage(Skeleton):
    """The placeholder speaks of an image also where audio was."""

    def placeholder(self, part: Item, medium: Medium) -> Item:  # noqa: ARG002
        return super().placeholder(part, MEDIA[0])


@fault("U(,image)", "media/placeholder_in_place", "model/equals_codex", modalities=TEXT)
class RestOfThePartKept(Skeleton):
    """The placeholder keeps the other keys of the part, with the picture in them."""

    def placeholder(self, part: Item, medium: Medium) -> Item:
        return {**part, **super().placeholder(part, medium)}


@fault("A(,image)", "media/placeholder_in_place", "model/equals_specification", modalities=TEXT)
class OutputTextForAssistant(Skeleton):
    """In an assistant's message the placeholder is an `output_text`."""

    def stripped_item(self, item: Item, missing: Missing) -> Item:
        done = super().stripped_item(item, missing)
        if item.get("role") != "assistant":
            return done
        return {
            **done,
            "content": [
                {**new, "type": "output_text"} if new is not old else new
                for old, new in zip(item["content"], done["content"], strict=True)
            ],
        }


@fault("FC(a) FO(a,image)", "media/part_count_kept", "model/equals_codex", modalities=TEXT)
class OutputsBecomeText(Skeleton):
    """An output that loses media becomes a plain string."""

    def stripped_item(self, item: Item, missing: Missing) -> Item:
        done = super().stripped_item(item, missing)
        parts = done.get("output")
        if isinstance(parts, list) and parts != item["output"]:
            return {**done, "output": " ".join(str(part.get("text", "")) for part in parts)}
        return done


@fault("U(,image)", "preservation/count", "model/equals_codex", modalities=TEXT)
class EmptiedMessagesDropped(Skeleton):
    """A message that held nothing but media is dropped."""

    def stripped(self, items: Items, missing: Missing) -> Items:
        return super().stripped(tuple(i for i in items if not self.is_emptied(i, missing)), missing)

    def is_emptied(self, item: Item, missing: Missing) -> bool:
        parts = item["content"] if item["type"] == "message" else []
        return bool(parts) and all(part.get("type") in missing for part in parts)


# --- generated images -----------------------------------------------------------------------------


@fault("G", "preservation/count", "model/equals_codex", modalities=TEXT)
class GeneratedImageDropped(Skeleton):
    """A generated image is dropped for a model that takes no images."""

    def stripped(self, items: Items, missing: Missing) -> Items:
        kept = [
            i for i in items if i["type"] != "image_generation_call" or "input_image" not in missing
        ]
        return super().stripped(tuple(kept), missing)


@fault("G", "media/generated_image_emptied", "model/equals_codex", modalities=TEXT)
class GeneratedImageKept(Skeleton):
    """A generated image keeps its picture."""

    def stripped_image(self, item: Item, missing: Missing) -> Item:  # noqa: ARG002
        return item


@fault("G", "media/generated_image_emptied", "model/equals_codex", modalities=ALL - {"audio"})
class GeneratedImageEmptiedForAudio(Skeleton):
    """A generated image is emptied as soon as anything is missing."""

    def stripped_image(self, item: Item, missing: Missing) -> Item:
        return {**item, "result": ""} if missing else item


@fault("G", "media/generated_image_emptied", "model/equals_codex", modalities=TEXT)
class GeneratedImageNulled(Skeleton):
    """A generated image gets a null result."""

    def stripped_image(self, item: Item, missing: Missing) -> Item:
        return {**item, "result": None} if "input_image" in missing else item


# --- one model after another ----------------------------------------------------------------------


@fault("U(,image)", "media/switching_back_restores", "model/equals_specification", before="U")
class OnceTextAlwaysText(Skeleton):
    """After a model that takes less, every model is taken to take less."""

    def __init__(self) -> None:
        self._taken = ALL

    def missing(self, modalities: Collection[str]) -> Missing:
        self._taken &= frozenset(modalities)
        return super().missing(self._taken)


@fault("U(,image)", "media/switching_back_restores", "model/equals_specification")
class OneModelBehind(Skeleton):
    """When the model changes, the next prompt is still made for the one before."""

    def __init__(self) -> None:
        self._before: frozenset[str] | None = None

    def missing(self, modalities: Collection[str]) -> Missing:
        before, self._before = self._before, frozenset(modalities)
        return super().missing(before or modalities)


@fault("U(,image)", "media/switching_back_restores", "model/equals_specification")
class SecondSwitchMissed(Skeleton):
    """Only the first switch of models is noticed."""

    def __init__(self) -> None:
        self._models: list[frozenset[str]] = []

    def missing(self, modalities: Collection[str]) -> Missing:
        if len(self._models) < 2 and frozenset(modalities) not in self._models:
            self._models.append(frozenset(modalities))
        known = frozenset(modalities) in self._models
        return super().missing(modalities if known else self._models[-1])
