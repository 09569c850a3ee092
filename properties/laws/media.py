"""A model gets no media that it cannot take, and all of those that it can."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from normalizer import ALL, MEDIA, Item
from properties.capabilities import ANY, REPLACES_MEDIA
from properties.case import Case, is_text, json_text, parts_of
from properties.property import Finding, prompt_law, relation_law
from properties.subject import Subject

_TYPES: Final = {medium.part_type: medium for medium in MEDIA}
_GENERATED: Final = "image_generation_call"


@prompt_law("media/none_unsupported", needs=(REPLACES_MEDIA,))
def none_unsupported(case: Case) -> Iterator[Finding]:
    """No part of a message or an output is a medium that the model cannot take."""
    for index, item in enumerate(case.prompt):
        for part in parts_of(item):
            if _is_unsupported(part, case.modalities):
                yield Finding(f"{part['type']} is left", prompt=index)


@prompt_law("media/generated_image_emptied", needs=(REPLACES_MEDIA,))
def generated_image_emptied(case: Case) -> Iterator[Finding]:
    """A generated image has an empty result without the image modality, and its own with it."""
    for position, before, after in case.twins():
        if before["type"] == _GENERATED:
            expected = before if "image" in case.modalities else {**before, "result": ""}
            if json_text(after) != json_text(expected):
                yield Finding("a generated image that is not as expected", prompt=position)


@prompt_law("media/part_count_kept")
def part_count_kept(case: Case) -> Iterator[Finding]:
    """Every item keeps the number of its parts."""
    for position, before, after in case.twins():
        if len(parts_of(before)) != len(parts_of(after)):
            yield Finding(
                f"{len(parts_of(after))} parts instead of {len(parts_of(before))}", prompt=position
            )


@prompt_law("media/placeholder_in_place", needs=(REPLACES_MEDIA,))
def placeholder_in_place(case: Case) -> Iterator[Finding]:
    """In the place of each unsupported part stands a text that says what was omitted."""
    for position, old, new in _part_pairs(case):
        if _is_unsupported(old, case.modalities):
            text = case.capabilities.media_texts[_TYPES[old["type"]].modality]
            if not is_text(new) or text not in (ANY, new["text"]):
                yield Finding(f"{old['type']} became {new}", prompt=position)


@prompt_law("media/other_parts_unchanged")
def other_parts_unchanged(case: Case) -> Iterator[Finding]:
    """Texts, supported media and unknown parts stay as they are."""
    for position, old, new in _part_pairs(case):
        if not _is_unsupported(old, case.modalities) and json_text(old) != json_text(new):
            yield Finding("a part that was changed", prompt=position)


@prompt_law("media/rest_of_item_unchanged")
def rest_of_item_unchanged(case: Case) -> Iterator[Finding]:
    """An item that loses media keeps all its other keys, in their order."""
    for position, before, after in case.twins():
        if parts_of(before) and json_text(_without_parts(before)) != json_text(
            _without_parts(after)
        ):
            yield Finding("more than the parts was changed", prompt=position)


@relation_law("media/sets_intersect", needs=(REPLACES_MEDIA,))
def sets_intersect(
    subject: Subject, history: Sequence[Item], modalities: frozenset[str]
) -> Iterator[Finding]:
    """Normalizing for one model and then for another is the same as for what both take."""
    once = subject.prompt(history, modalities)
    for other in subject.capabilities.modality_sets:
        twice = subject.prompt(once, other)
        expected = subject.prompt(history, modalities & other)
        if json_text(twice, sort_keys=True) != json_text(expected, sort_keys=True):
            yield Finding(f"for {_named(modalities)} and then {_named(other)} it differs")


@relation_law("media/switching_back_restores", needs=(REPLACES_MEDIA,))
def switching_back_restores(
    subject: Subject, history: Sequence[Item], modalities: frozenset[str]
) -> Iterator[Finding]:
    """A model switch in between leaves no trace: the same record gives the same prompt again."""
    switches = [ALL, modalities, ALL, *subject.capabilities.modality_sets, modalities]
    prompts = subject.prompts(history, switches)
    expected = {modality_set: subject.prompt(history, modality_set) for modality_set in switches}
    for turn, (modality_set, prompt) in enumerate(zip(switches, prompts, strict=True)):
        case = Case(history, modality_set, prompt)
        if json_text(prompt) != json_text(expected[modality_set]) or _wrong_media(case):
            yield Finding(f"after {turn} switches, {_named(modality_set)} gives another prompt")


def _wrong_media(case: Case) -> bool:
    # The same wrong prompt each time is no better.
    return any(law.of_prompt(case) for law in (none_unsupported, other_parts_unchanged))


def _is_unsupported(part: Any, modalities: frozenset[str]) -> bool:
    if not isinstance(part, dict) or not isinstance(part.get("type"), str):
        return False
    medium = _TYPES.get(part["type"])
    return medium is not None and medium.modality not in modalities


def _part_pairs(case: Case) -> Iterator[tuple[int, Any, Any]]:
    for position, before, after in case.twins():
        old_parts, new_parts = parts_of(before), parts_of(after)
        if len(old_parts) == len(new_parts):
            for old, new in zip(old_parts, new_parts, strict=True):
                yield position, old, new


def _without_parts(item: Item) -> Item:
    key = "content" if item["type"] == "message" else "output"
    return {name: None if name == key else value for name, value in item.items()}


def _named(modalities: frozenset[str]) -> str:
    return "{" + ", ".join(sorted(modalities)) + "}"
