"""What normalizing is measured against: the least it must do, and the way that does not scale."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from copy import deepcopy
from typing import Any

from normalizer import ALL, FAMILIES_OF_OUTPUT, FAMILY_OF_CALL, Item, made_up_id


def plain_copy(value: Any) -> Any:
    """Return an equal value made of new dicts and lists, strings shared: the plainest code for it.

    A prompt that shares nothing mutable with its history costs about as much, so this is the unit.
    """
    if isinstance(value, dict):
        return {key: plain_copy(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain_copy(inner) for inner in value]
    return value


def lean_copy(value: Any) -> Any:
    """Return the same as `plain_copy`, in the fastest way known: only what is nested is visited."""
    if type(value) is dict:
        copy = value.copy()
        for key, inner in value.items():
            if type(inner) is dict or type(inner) is list:
                copy[key] = lean_copy(inner)
        return copy
    if type(value) is list:
        return [
            lean_copy(inner) if type(inner) is dict or type(inner) is list else inner
            for inner in value
        ]
    return value


def deep_copy(value: Any) -> Any:
    """Return `copy.deepcopy(value)`, the way most runtimes copy."""
    return deepcopy(value)


def json_loop(lines: Iterable[bytes]) -> None:
    """Parse each line and keep nothing: less than this, no reader of a rollout can do."""
    for line in lines:
        json.loads(line)


def reverse_insert(history: list[Item], modalities: Collection[str] = ALL) -> list[Item]:
    """Return the prompt as the first normalizers made it, all media kept.

    Each made-up output is inserted into, and each orphan deleted from, the middle of a long list,
    back to front so that the positions hold. Every time the rest of the list moves: quadratic.
    """
    del modalities
    prompt: list[Item] = deepcopy(history)
    carried = {(item["type"], item.get("call_id")) for item in prompt}
    made_up: list[tuple[int, Item]] = []
    for index, item in enumerate(prompt):
        family = FAMILY_OF_CALL.get(item["type"])
        call_id = item.get("call_id")
        if family is None or call_id is None or (family.output_type, call_id) in carried:
            continue
        output = {"type": family.output_type, "call_id": call_id, **deepcopy({**family.made_up})}
        if item.get("id"):
            output["id"] = made_up_id(family, item["id"])
        made_up.append((index, output))
    for index, output in reversed(made_up):
        prompt.insert(index + 1, output)
    for index in reversed(range(len(prompt))):
        if _is_orphan(prompt[index], carried):
            del prompt[index]
    return prompt


def _is_orphan(item: Item, carried: set[tuple[str, str | None]]) -> bool:
    families = FAMILIES_OF_OUTPUT.get(item["type"], ())
    call_id = item.get("call_id")
    ran_by_server = item["type"] == "tool_search_output" and item.get("execution") == "server"
    if not families or call_id is None or ran_by_server:
        return False
    return all((family.call_type, call_id) not in carried for family in families)
