"""A history as a person reads it: one line an item, calls joined to their outputs.

    0 ┌── function_call            c1  shell {"cmd":"ls"}
    1 │┌─ custom_tool_call         c2  apply_patch x
    2 └┼─ function_call_output     c1  'ok'
    3  └─ custom_tool_call_output  c2  'ok'
    4   ○ function_call            c3  shell {}
    5   × function_call_output     c4  'ok'

A bracket joins the calls and outputs that stand for each other, in whatever order they come. `○`
marks a call that no output answers, `×` an output that no call asked for.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from normalizer import FAMILIES_OF_OUTPUT, FAMILY_OF_CALL
from normalizer.commands.terminal import shown

#: The mark of a call that no output answers.
OPEN: Final = "○"

#: The mark of an output that no call asked for.
ORPHAN: Final = "×"

#: A longer id loses its middle: those that careless code confuses often differ at the end.
_ID_WIDTH: Final = 24

#: Keys that are told in a way of their own, or that say the same in every history.
_QUIET: Final = frozenset(
    {"type", "call_id", "id", "status", "summary", "encrypted_content", "execution"}
)

#: Keys whose values need no name beside them.
_PLAIN: Final = frozenset({"role", "name", "arguments", "input", "content", "output", "result"})


@dataclass(slots=True)
class _Bond:
    """The places of the calls and the outputs that stand for each other."""

    calls: list[int] = field(default_factory=list)
    outputs: list[int] = field(default_factory=list)


def drawn(history: Sequence[object]) -> list[str]:
    """Return one line for each item of `history`.

    Nothing about it is taken for granted: a prompt that somebody made may hold anything.
    """
    columns = (
        _padded([f"{index:>{len(str(len(history) - 1))}}" for index in range(len(history))]),
        _margins(history),
        _padded([shown(str(_field(item, "type", type(item).__name__))) for item in history]),
        _padded([_call_id(item) for item in history]),
        [_content(item) for item in history],
    )
    return [" ".join(row).rstrip() for row in zip(*columns, strict=True)]


def marks(history: Sequence[object]) -> list[str]:
    """Return `OPEN`, `ORPHAN` or an empty string for each item of `history`."""
    found = [""] * len(history)
    for bond in _bonds(history):
        for place in bond.calls:
            found[place] = "" if bond.outputs else OPEN
        for place in bond.outputs:
            # The API ran a server's search itself: nobody had to ask for it.
            asked = bond.calls or _field(history[place], "execution") == "server"
            found[place] = "" if asked else ORPHAN
    return found


def _bonds(history: Sequence[object]) -> list[_Bond]:
    bonds: dict[tuple[str, str], _Bond] = {}
    for place, item in enumerate(history):
        kind, call_id = _field(item, "type"), _field(item, "call_id")
        if not isinstance(kind, str) or not isinstance(call_id, str):
            continue
        if kind in FAMILY_OF_CALL:
            bonds.setdefault((FAMILY_OF_CALL[kind].output_type, call_id), _Bond()).calls += [place]
        elif kind in FAMILIES_OF_OUTPUT:
            bonds.setdefault((kind, call_id), _Bond()).outputs += [place]
    return list(bonds.values())


def _field(item: object, key: str, default: object = None) -> Any:
    return item.get(key, default) if isinstance(item, dict) else default


# --- the margin -----------------------------------------------------------------------------------


def _margins(history: Sequence[object]) -> list[str]:
    """Return the brackets and the marks to the left of each item."""
    joined = [
        sorted(bond.calls + bond.outputs) for bond in _bonds(history) if bond.calls and bond.outputs
    ]
    lanes = _lanes(joined)
    width = max(lanes, default=-1) + 1
    grid = [[" "] * width + [mark or " "] for mark in marks(history)]
    for places, lane in zip(joined, lanes, strict=True):
        for place in range(places[0], places[-1]):
            grid[place][lane] = "│"
    for places, lane in zip(joined, lanes, strict=True):
        for place in places:
            row = grid[place]
            row[lane] = "┌" if place == places[0] else "└" if place == places[-1] else "├"
            row[lane + 1 :] = ["┼" if cell == "│" else "─" for cell in row[lane + 1 :]]
    return ["".join(row) for row in grid]


def _lanes(joined: Sequence[Sequence[int]]) -> list[int]:
    """Return the column of each bracket, the first that is free all along it.

    The brackets come in the order in which they begin.
    """
    ends: list[int] = []
    lanes = []
    for places in joined:
        lane = next((lane for lane, end in enumerate(ends) if end < places[0]), len(ends))
        ends[lane : lane + 1] = [places[-1]]
        lanes.append(lane)
    return lanes


# --- what an item says ----------------------------------------------------------------------------


def _padded(cells: Sequence[str]) -> list[str]:
    width = max(map(len, cells), default=0)
    return [cell.ljust(width) for cell in cells]


def _call_id(item: object) -> str:
    kind, call_id = _field(item, "type"), _field(item, "call_id", ...)
    if call_id is None:
        return "(null)"
    if call_id is ...:
        linked = isinstance(kind, str) and (kind in FAMILY_OF_CALL or kind in FAMILIES_OF_OUTPUT)
        return "(absent)" if linked else ""
    return _short(call_id) if isinstance(call_id, str) else shown(repr(call_id))


def _short(identifier: str) -> str:
    """Return an id that fits; a long one loses its middle, not the end that may tell it apart."""
    if len(identifier) > _ID_WIDTH:
        identifier = f"{identifier[:12]}…{identifier[-8:]}"
    return shown(identifier)


def _content(item: object) -> str:
    if not isinstance(item, dict):
        return shown(repr(item))
    words = [_word(str(key), item[key]) for key in item if key not in _QUIET]
    if "id" in item:
        words.insert(0, f"id={_short(item['id']) if isinstance(item['id'], str) else item['id']}")
    if item.get("execution", "client") != "client":
        words.insert(0, shown(str(item["execution"])))
    return " ".join(words)


def _word(key: str, value: object) -> str:
    if key == "action" and isinstance(_field(value, "command"), list):
        return shown(" ".join(map(str, _field(value, "command"))))
    if isinstance(value, list) and all(map(_is_part, value)):
        told = f"[{', '.join(map(_part, value))}]"
    elif isinstance(value, str):
        told = shown(repr(value) if key in ("output", "result") else value)
    else:
        told = shown(json.dumps(value, ensure_ascii=False, default=repr))
    return told if key in _PLAIN else f"{shown(key)}={told}"


def _is_part(value: object) -> bool:
    return isinstance(_field(value, "type"), str)


def _part(part: dict[str, Any]) -> str:
    if isinstance(part.get("text"), str):
        return shown(repr(part["text"]))
    return shown(part["type"].removeprefix("input_"))
