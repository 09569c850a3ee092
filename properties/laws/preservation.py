"""What is neither made up, nor an orphan, nor media stays as it is, where it is."""

from __future__ import annotations

from collections.abc import Iterator

from normalizer import ALL, Item
from properties.case import Case, json_text, parts_of
from properties.property import MIXED, Finding, prompt_law


@prompt_law("preservation/count")
def count(case: Case) -> Iterator[Finding]:
    """The prompt has as many items as the history, less the orphans, plus the unanswered calls."""
    expected = len(case.survivors) + (len(case.unanswered) if case.completes else 0)
    if len(case.prompt) != expected:
        yield Finding(f"{len(case.prompt)} items instead of {expected}")


@prompt_law("preservation/order")
def order(case: Case) -> Iterator[Finding]:
    """The items that stay keep their order."""
    for position, before, after in case.pairs():
        if _identity(before) != _identity(after):
            yield Finding(f"{_identity(after)} where {_identity(before)} was", prompt=position)
            return


@prompt_law("preservation/items_unchanged")
def items_unchanged(case: Case) -> Iterator[Finding]:
    """An item without media keeps every key, in its order, and every value, to the byte."""
    for position, before, after in case.twins():
        if not _has_media(before) and json_text(before) != json_text(after):
            yield Finding("an item that was changed", prompt=position)


@prompt_law("preservation/well_formed_returned", (MIXED,))
def well_formed_returned(case: Case) -> Iterator[Finding]:
    """A history that needs no repair comes back equal."""
    needs_repair = case.unanswered or case.orphans or case.modalities != ALL
    if not needs_repair and json_text(case.prompt) != json_text(case.history):
        yield Finding("a history that needs no repair was changed")


def _identity(item: Item) -> tuple[object, ...]:
    return (item["type"], item.get("id"), item.get("call_id"), item.get("role"))


def _has_media(item: Item) -> bool:
    types = ("input_image", "input_audio")
    return item["type"] == "image_generation_call" or any(
        isinstance(part, dict) and part.get("type") in types for part in parts_of(item)
    )
