"""Normalizers that are wrong on purpose, each in one way, to test the suite with."""

from __future__ import annotations

import time
import uuid
from collections.abc import Collection, Iterator
from typing import Any

from normalizer import FAMILIES_OF_OUTPUT, FAMILY_OF_CALL, Item, normalize, repairs


def without_completion(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Leaves calls unanswered."""
    prompt = normalize(history, modalities)
    return [item for item in prompt if item not in _made_up(history, modalities)]


def without_pruning(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Keeps orphans."""
    dropped = [made.index for made in repairs(history) if made.action == "dropped"]
    return [*normalize(history, modalities), *(dict(history[index]) for index in dropped)]


def with_random_ids(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Makes up a new item id each time."""
    made_up = _made_up(history, modalities)
    return [
        {**item, "id": f"fco_{uuid.uuid4()}"} if item in made_up and "id" in item else item
        for item in normalize(history, modalities)
    ]


class SkippedError(Exception):
    """Known to the suite by its name alone."""


def choosy(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Right where each call id belongs to one call; takes no part elsewhere."""
    ids = [item["call_id"] for item in history if item["type"] in FAMILY_OF_CALL]
    if len(ids) > len(set(ids)):
        raise SkippedError("a call id repeats")
    return normalize(history, modalities)


def in_place(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Repairs the record itself."""
    history[:] = normalize(history, modalities)
    return normalize(history, modalities)


def sharing_parts(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Shares the parts of messages with the record."""
    contents = iter([item["content"] for item in history if item["type"] == "message"])
    return [
        {**item, "content": next(contents)}
        if item["type"] == "message" and modalities == {"text", "image", "audio"}
        else item
        for item in normalize(history, modalities)
    ]


def not_idempotent(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Answers made-up outputs' calls again and again."""
    prompt = normalize(history, modalities)
    return [
        twin
        for item in prompt
        for twin in ([item, dict(item)] if item.get("output") == "aborted" else [item])
    ]


def mixing_families_up(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Answers custom calls with function outputs."""
    return [
        {**item, "type": "function_call_output"} if item in _made_up(history, modalities) else item
        for item in normalize(history, modalities)
    ]


def pruning_server_outputs(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Takes the outputs of the API's own searches for orphans."""
    return [item for item in normalize(history, modalities) if item.get("execution") != "server"]


def leaving_media_in_outputs(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Strips media from messages only."""
    everything, stripped = normalize(history), normalize(history, modalities)
    return [
        whole if whole["type"] in FAMILIES_OF_OUTPUT else item
        for whole, item in zip(everything, stripped, strict=True)
    ]


def claiming_success(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Says "ok" where nothing is known."""
    made_up = _made_up(history, modalities)
    return [
        {**item, "output": "ok"} if item in made_up and "output" in item else item
        for item in normalize(history, modalities)
    ]


def _made_up(history: list[Item], modalities: Collection[str]) -> list[Item]:
    made = repairs(history, modalities)
    return [repair.items[1] for repair in made if repair.action == "answered"]


def returning_nothing(_history: list[Item], _modalities: Collection[str]) -> None:
    """Forgets to return."""


def yielding(history: list[Item], modalities: Collection[str]) -> Iterator[Item]:
    """Is a generator."""
    yield from normalize(history, modalities)


def returning_a_tuple(history: list[Item], modalities: Collection[str]) -> tuple[Item, ...]:
    """Returns another kind of sequence."""
    return tuple(normalize(history, modalities))


def returning_what_is_no_json(history: list[Item], modalities: Collection[str]) -> list[Any]:
    """Puts a set into the prompt."""
    return [{**item, "extra": {1, 2}} for item in normalize(history, modalities)]


def raising(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Fails on longer histories."""
    if len(history) > 1:
        raise KeyError("call_id")
    return normalize(history, modalities)


def exiting(_history: list[Item], _modalities: Collection[str]) -> list[Item]:
    """Ends the process."""
    raise SystemExit(3)


def hanging(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Never comes back from a call."""
    while any(item["type"] == "function_call" for item in history):
        time.sleep(0.01)
    return normalize(history, modalities)


def with_ids_of_this_process(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Makes up item ids of Python's own hashes, which differ from process to process."""
    made_up = _made_up(history, modalities)
    return [
        {**item, "id": f"fco_{hash(item['id'])}"} if item in made_up and "id" in item else item
        for item in normalize(history, modalities)
    ]


class FailsOnce:
    """Fails on its twentieth call, whatever it is asked, and never again."""

    __name__ = "FailsOnce"

    def __init__(self) -> None:
        self._calls = 0

    def __call__(self, history: list[Item], modalities: Collection[str]) -> list[Item]:
        self._calls += 1
        if self._calls == 20:
            raise RuntimeError("once")
        return normalize(history, modalities)
