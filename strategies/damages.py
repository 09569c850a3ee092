"""Damages: what crashes, disks and editors do to a rollout file, each small and named.

Each knows which lines it costs. Some cost none: a reader must not stumble over those.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from normalizer import FAMILIES_OF_OUTPUT, FAMILY_OF_CALL, Item
from strategies.bits import Bits
from strategies.lines import Line, carrying, line_of
from strategies.pools import copy_of


@dataclass(slots=True)
class RolloutDraft:
    """A rollout file on its way to being damaged."""

    lines: list[Line]
    #: What it was made with so far.
    labels: tuple[str, ...] = ()
    #: Whether the lines that turns hinge on are spared. What a rollback behind a compaction does is
    #: obvious only while the turns are intact.
    firm: bool = False
    #: What stands behind the last line.
    ending: bytes = b"\n"

    def spared(self, line: Line) -> bool:
        """Whether no damage but a cut tail may touch `line`."""
        return self.firm and line.hinge

    def places(self, fits: Callable[[Line], bool]) -> list[int]:
        """Return the places of the whole lines that `fits` and that are not spared."""
        return [
            place
            for place, line in enumerate(self.lines)
            if line.whole and not self.spared(line) and fits(line)
        ]


#: Changes the draft in place; returns False where there is nothing to change.
Damage = Callable[[RolloutDraft, Bits], bool]


def _any(line: Line) -> bool:  # noqa: ARG001
    return True


def _change(change: Callable[[Line, Bits], Line], fits: Callable[[Line], bool] = _any) -> Damage:
    """Return the damage that puts another line in the place of a whole one."""

    def damage(draft: RolloutDraft, bits: Bits) -> bool:
        places = draft.places(fits)
        if not places:
            return False
        place = places[bits.number(5) % len(places)]
        draft.lines[place] = change(draft.lines[place], bits)
        return True

    return damage


def _item_change(
    change: Callable[[Item, Bits], Item], fits: Callable[[Item], bool], *, sound: bool = False
) -> Damage:
    """Return the damage that puts another item in the place of one that `fits`.

    No reader can read it, unless it is `sound`.
    """

    def changed(line: Line, bits: Bits) -> Line:
        line = carrying(change(copy_of(line.item), bits))
        return line if sound else line.spoilt(line.data)

    return _change(changed, lambda line: line.item is not None and fits(line.item))


def _insertion(inserted: Callable[[Bits], Line]) -> Damage:
    """Return the damage that puts one more line between two."""

    def damage(draft: RolloutDraft, bits: Bits) -> bool:
        place = bits.number(5) % (len(draft.lines) + 1)
        draft.lines.insert(place, inserted(bits))
        return True

    return damage


def _joint(joined: Callable[[bytes, bytes, Bits], bytes]) -> Damage:
    """Return the damage that leaves one line of two whole ones."""

    def damage(draft: RolloutDraft, bits: Bits) -> bool:
        whole = draft.places(_any)
        places = [place for place in whole if place + 1 in whole]
        if not places:
            return False
        place = places[bits.number(5) % len(places)]
        one, other = draft.lines[place : place + 2]
        draft.lines[place : place + 2] = [one.spoilt(joined(one.data, other.data, bits))]
        return True

    return damage


# --- torn ---------------------------------------------------------------------------------------


def _inside(data: bytes, bits: Bits) -> int:
    """Return a place inside the object in `data`: no part before it is whole, nor any behind it."""
    return 1 + bits.number(11) % (len(data.rstrip()) - 1)


def _torn_tail(draft: RolloutDraft, bits: Bits) -> bool:
    places = [place for place, line in enumerate(draft.lines) if line.whole]
    if not places:
        return False
    place = places[~(bits.number(5) % len(places))]
    last = draft.lines[place]
    length = bits.number(11) % (len(last.data) + 1)
    del draft.lines[place:]
    if length:
        data = last.data[:length]
        # All that can be missing without harm is the line break, and the CR before it.
        whole = length >= len(last.data.rstrip())
        draft.lines.append(replace(last, data=data) if whole else last.spoilt(data))
        draft.ending = b""
    return True


def _torn(line: Line, bits: Bits) -> Line:
    return line.spoilt(line.data[: _inside(line.data, bits)])


def _half_character(line: Line, bits: Bits) -> Line:
    cut = _inside(line.data, bits)
    rest = line.data[cut:] if bits.number(1) else b""
    return line.spoilt(line.data[:cut] + "🔧".encode()[:3] + rest)


def _glued(one: bytes, other: bytes, _: Bits) -> bytes:
    return one + other


def _torn_and_glued(one: bytes, other: bytes, bits: Bits) -> bytes:
    return one[: _inside(one, bits)] + other


def _raw_newline(draft: RolloutDraft, bits: Bits) -> bool:
    places = draft.places(_any)
    if not places:
        return False
    place = places[bits.number(5) % len(places)]
    line = draft.lines[place]
    cut = _inside(line.data, bits)
    draft.lines[place : place + 1] = [line.spoilt(line.data[:cut]), line.spoilt(line.data[cut:])]
    return True


# --- bytes that do not belong there -------------------------------------------------------------


def _nuls(bits: Bits) -> bytes:
    return b"\0" * (1 + bits.number(3))


def _nul_tail(draft: RolloutDraft, bits: Bits) -> bool:
    if draft.ending or not draft.lines:
        draft.lines.append(Line(b"", None))
    last = draft.lines[-1]
    if draft.spared(last):
        return False
    draft.lines[-1] = last.spoilt(last.data + _nuls(bits))
    draft.ending = b""
    return True


def _carriage_returns(draft: RolloutDraft, _: Bits) -> bool:
    draft.lines[:] = [replace(line, data=line.data + b"\r") for line in draft.lines]
    return bool(draft.lines)


def _no_final_newline(draft: RolloutDraft, _: Bits) -> bool:
    took = bool(draft.ending and draft.lines)
    draft.ending = b""
    return took


def _separators_in_text(message: Item, _: Bits) -> Item:
    """Careless readers take these for line breaks; to JSON they are text."""
    text = "1\u20282\u20293\u00854\r5\x0b6\x0c7\x1e8"
    return message | {"content": [{"type": "input_text", "text": text}]}


# --- lines too many, lines too few --------------------------------------------------------------


def _blank(bits: Bits) -> Line:
    return Line(bits.choice((b"", b" ", b"\t", b"\r"), 2))


#: Lines that hold no envelope.
_FOREIGN: Final = (
    b"garbage",
    b"7",
    b"null",
    b'"text"',
    b"[]",
    b"{}",
    b"{'timestamp': 1}",
    b'{"type": "response_item", "payload": {"type": "reasoning", "summary": []}}',
)


def _foreign(bits: Bits) -> Line:
    return Line(bits.choice(_FOREIGN, 3), None)


def _newer(bits: Bits) -> Line:
    """A type of line that a newer Codex may write: no reason to complain."""
    return line_of(bits.choice(("future_line", "Response_Item", ""), 2), {"type": "message"})


def _nul_line(bits: Bits) -> Line:
    return Line(_nuls(bits), None)


def _without_header(draft: RolloutDraft, _: Bits) -> bool:
    took = bool(draft.lines) and b'"session_meta"' in draft.lines[0].data
    if took:
        del draft.lines[0]
    return took


def _repeated_block(draft: RolloutDraft, bits: Bits) -> bool:
    if not draft.lines:
        return False
    start = bits.number(5) % len(draft.lines)
    block = draft.lines[start : start + 1 + bits.number(3)]
    if any(map(draft.spared, block)):
        return False
    end = len(draft.lines) if bits.number(1) else start + len(block)
    draft.lines[end:end] = block
    return True


# --- strict JSON ----------------------------------------------------------------------------------


def _noted(line: Line, note: str) -> bytes:
    """Return the line's bytes with one more key, which nothing depends on."""
    return line.data.rstrip()[:-1] + f', "note": {note}}}'.encode()


def _nested(levels: int) -> str:
    """Return a value with which a line nests so many levels deep."""
    return "[" * (levels - 1) + "]" * (levels - 1)


_NOT_STRICT: Final = ("NaN", "Infinity", "-Infinity", "01", "[1,]", "True")
_RAW: Final = ('"a\tb"', '"a\rb"', '"a\x1fb"', '"a\x00b"')
_LONE: Final = (r'"\ud83d"', r'"\udd27\ud83d"', r'{"\ud83dx": 1}')
_SOUND: Final = (r'"\ud83d\udd27"', r'"\u0000"', "-0.0", "1.5e5", _nested(127), '"\x7f\ufeff"')


def _with_note(notes: tuple[str, ...]) -> Callable[[Line, Bits], Line]:
    return lambda line, bits: line.spoilt(_noted(line, bits.choice(notes, 3)))


def _odd_but_sound(line: Line, bits: Bits) -> Line:
    """What only a careless parser refuses, or reads another way."""
    match bits.number(2):
        case 0:
            return replace(line, data=_noted(line, bits.choice(_SOUND, 3)))
        case 1:
            return replace(line, data=b"{\r\t " + line.data[1:] + b" \t")
        case 2:  # Of repeated keys the last counts.
            return replace(line, data=b'{"type": "event_msg", "payload": 7, ' + line.data[1:])
    return replace(line, data=line.data.replace(b'"payload"', rb'"pay\u006coad"', 1))


# --- the wrong shape ------------------------------------------------------------------------------

_WRONG: Final[tuple[Any, ...]] = (7, ["c1"], True, {})


def _with_wrong_envelope(line: Line, bits: Bits) -> Line:
    envelope = json.loads(line.data)
    key = bits.choice(("timestamp", "type", "payload"), 2)
    if bits.number(1) and key != "payload":
        envelope[key] = bits.choice((None, *_WRONG), 3)
    else:
        del envelope[key]
    return line.spoilt(json.dumps(envelope).encode())


#: A field that an item of each type needs.
_NEEDED: Final = {
    "message": "content",
    "function_call": "arguments",
    "local_shell_call": "action",
    "custom_tool_call": "input",
    "tool_search_call": "arguments",
    "function_call_output": "output",
    "custom_tool_call_output": "output",
    "tool_search_output": "tools",
}


def _is_needy(item: Item) -> bool:
    return item["type"] in _NEEDED


def _is_linked(item: Item) -> bool:
    return item["type"] in FAMILY_OF_CALL or item["type"] in FAMILIES_OF_OUTPUT


def _is_message(item: Item) -> bool:
    return bool(item["type"] == "message")


def _wrong(key: str) -> Callable[[Item, Bits], Item]:
    return lambda item, bits: item | {key: bits.choice(_WRONG, 2)}


def _without_field(item: Item, _: Bits) -> Item:
    del item[_NEEDED[item["type"]]]
    return item


_WRONG_TURNS: Final = (None, "1", 1.0, True, -1, 2**32)
_WRONG_COMPACTIONS: Final[tuple[Item, ...]] = (
    {},
    {"message": None, "replacement_history": []},
    {"message": "m", "replacement_history": "h"},
    {"message": "m", "replacement_history": [None]},
    {"message": "m", "replacement_history": [{"type": "function_call", "call_id": "c1"}]},
)


def _wrong_rewrite(line: Line, bits: Bits) -> Line:
    envelope = json.loads(line.data)
    if envelope["type"] == "compacted":
        envelope["payload"] = bits.choice(_WRONG_COMPACTIONS, 3)
    else:
        envelope["payload"]["num_turns"] = bits.choice(_WRONG_TURNS, 3)
    return line.spoilt(json.dumps(envelope).encode())


#: Every damage by its name, the plainest first.
DAMAGES: Final[dict[str, Damage]] = {
    "torn tail": _torn_tail,
    "torn in the middle": _change(_torn),
    "half a character": _change(_half_character),
    "lines glued": _joint(_glued),
    "torn and whole line glued": _joint(_torn_and_glued),
    "raw newline": _raw_newline,
    "NUL line": _insertion(_nul_line),
    "NUL tail": _nul_tail,
    "NUL before a line": _change(lambda line, bits: line.spoilt(_nuls(bits) + line.data)),
    "byte order mark": _change(lambda line, _: line.spoilt(BOM_UTF8 + line.data)),
    "CR LF": _carriage_returns,
    "no final newline": _no_final_newline,
    "separators in text": _item_change(_separators_in_text, _is_message, sound=True),
    "blank line": _insertion(_blank),
    "foreign line": _insertion(_foreign),
    "line of a newer type": _insertion(_newer),
    "header missing": _without_header,
    "block repeated": _repeated_block,
    "odd but sound": _change(_odd_but_sound),
    "not strict": _change(_with_note(_NOT_STRICT)),
    "raw control character": _change(_with_note(_RAW)),
    "lone surrogate": _change(_with_note(_LONE)),
    "nested too deep": _change(_with_note((_nested(128),))),
    "envelope of the wrong shape": _change(_with_wrong_envelope),
    "call id of the wrong type": _item_change(_wrong("call_id"), _is_linked),
    "item id of the wrong type": _item_change(_wrong("id"), _is_needy),
    "field missing": _item_change(_without_field, _is_needy),
    "rewrite of the wrong shape": _change(_wrong_rewrite, lambda line: line.rewrites),
}
