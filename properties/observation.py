"""What a normalizer does to its input, seen from inside its process.

Judged by comparing and by identity, with plain lists and dicts: special containers would accuse
correct normalizers that look at types or copy deeply. Needs the standard library only, so that it
can run wherever the normalizer runs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

#: The normalizer as it is, called with a list of dicts and a set of strings.
Function = Callable[[list[Any], Any], Any]

#: What `observe` may find, by name.
CHANGED: Final = "changed"
SHARED: Final = "shared"
REACHED: Final = "reached"
LASTING: Final = "lasting"

#: Marks a container as edited.
_MARK: Final = "edited by the suite"

#: Another session's history, normalized in between.
_OTHER: Final = [
    {"type": "message", "role": "user", "content": [{"type": "input_image", "file_id": "z"}]},
    {"type": "function_call", "id": "fc_z", "name": "z", "arguments": "{}", "call_id": "z"},
    {"type": "tool_search_call", "id": "tsc_z", "execution": "client", "call_id": "z"},
    {"type": "custom_tool_call_output", "call_id": "z", "output": "z"},
]


def observe(function: Function, history: list[Any], modalities: Any) -> dict[str, str]:
    """Return what `function` does wrong with its input, each kind with a word on where.

    * `changed`: the call itself changed its input, then or at a later call.
    * `shared`: the prompt holds a list or dict of the input.
    * `reached`: an edit of the prompt changed the input.
    * `lasting`: an edit of the prompt, or a later call, changed another prompt.

    Raises what `function` raises.
    """
    found: dict[str, str] = {}
    record, before = json.loads(json.dumps(history)), json.dumps(history)
    prompt = function(record, modalities)
    first = json.dumps(prompt)
    if json.dumps(record) != before:
        found[CHANGED] = _difference(record, history)
    shared = _shared_place(prompt, record)
    if shared is not None:
        found[SHARED] = f"at {shared} of the prompt"
    edited = _edit(prompt)
    try:
        if json.dumps(record) != before and CHANGED not in found:
            found[REACHED] = _difference(record, history)
        again = function(json.loads(before), modalities)
        second = json.dumps(again)
        if second != first:
            found[LASTING] = "after an edit of the first prompt, the same history gives another"
    finally:
        _undo(edited)
    function(json.loads(json.dumps(_OTHER)), modalities)
    if json.dumps(record) != before and not found:
        found[CHANGED] = f"by a later call: {_difference(record, history)}"
    if json.dumps(again) != second and LASTING not in found:
        found[LASTING] = "a later call changed the prompt of an earlier one"
    return found


def _containers(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each list and dict reachable from `value`, once, with its place."""
    seen: set[int] = set()
    waiting = [(place, value)]
    while waiting:
        place, container = waiting.pop()
        if not isinstance(container, (dict, list, tuple)) or id(container) in seen:
            continue
        seen.add(id(container))
        if not isinstance(container, tuple):
            yield place, container
        entries = container.items() if isinstance(container, dict) else enumerate(container)
        waiting += [(f"{place}[{key!r}]", inner) for key, inner in entries]


def _shared_place(prompt: Any, record: Any) -> str | None:
    of_record = {id(container) for _, container in _containers(record)}
    for place, container in _containers(prompt):
        if id(container) in of_record:
            return place or "the list itself"
    return None


def _edit(prompt: Any) -> list[Any]:
    edited = [container for _, container in _containers(prompt)]
    for container in edited:
        if isinstance(container, dict):
            container[_MARK] = True
        else:
            container.append(_MARK)
    return edited


def _undo(edited: list[Any]) -> None:
    """Take the marks away: what the normalizer keeps of them must not spoil the next run."""
    for container in edited:
        if isinstance(container, dict):
            container.pop(_MARK, None)
        elif _MARK in container:
            container.remove(_MARK)


def _difference(after: Any, before: Any) -> str:
    """Return where a history differs from what it was."""
    if len(after) != len(before):
        return f"{len(after)} items instead of {len(before)}"
    for index, (new, old) in enumerate(zip(after, before, strict=True)):
        if json.dumps(new) != json.dumps(old):
            return f"at item {index}"
    return "in the list"
