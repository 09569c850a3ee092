"""The values that histories are made of: explicit, so that every normalizer sees the same inputs.

The first entry of each pool is the plainest. JSON values are kept as text and parsed on use: no two
histories share an object.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

_LONG: Final = "call_" + "x" * 59  # 64 characters, a limit that some APIs set

#: Sets of call ids that careless code confuses, by what it gets wrong. A history takes its ids from
#: one set, so that the confusable ones meet.
CALL_IDS: Final[Mapping[str, tuple[str, ...]]] = {
    "plain": ("c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"),
    "empty": ("", "c1", " ", "c2", "0"),
    "case": ("call_a", "call_A", "CALL_A", "Call_a"),
    "space": ("c1", "c1 ", " c1", "c1\t", "c 1"),
    "unicode form": ("caf\u00e9", "cafe\u0301", "\ufb01le", "file", "\u212b", "\u00c5"),
    "long": (_LONG, _LONG + "a", _LONG + "b", _LONG + "y" * 236),
    "separator": ("fco:c1", "c1", "c1:fco", "a:b", "a:b:c", "a/b", "a.b"),
    "prefix": ("fc_1", "ctc_1", "tsc_1", "lsh_1", "fco_1", "fc_2", "fc_3"),
    "number": ("1", "01", "1.0", "1e0", "-1", "null", "None", "true", "NaN"),
    "script": ("вызов", "呼出", "🔧", "נ", "ß", "ss", "İ", "i"),
    "control": ("a\u0000b", "a", "a\u0000", "ab", "a\nb", '"a"', "a\\"),
}

#: The same, in the order of choice: plain ids half of the time.
CALL_ID_SETS: Final = ("plain",) * (len(CALL_IDS) - 1) + tuple(CALL_IDS)[1:]

#: Tool names.
NAMES: Final = ("shell", "exec_command", "mcp__files__read", "naïve\u0000tool")

#: What calls carry as `arguments` or `input`; not all of it is whole JSON, as after a crash.
ARGUMENTS: Final = ('{"cmd":"ls"}', "", '{"cmd":"l', "{}", '{"path":"/tmp/ü","n":1.50}', "[1, 2")

#: What a tool said.
TEXTS: Final = (
    "ok",
    "",
    "aborted",
    "two\nlines",
    "\u2028 and \u0085",
    "null",
    "0",
    "ünïcode 🔧",
    " cafe\u0301\n",
    "many lines\n" * 100,
)

# A real picture and a real sound: Codex decodes both, and says so of what it cannot decode.
_PNG: Final = (
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CAFWEXHbQSACj/P8Fu7N9hAAAA"
    "AElFTkSuQmCC"
)
_WAV: Final = "UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA=="

IMAGE: Final = {"type": "input_image", "image_url": f"data:image/png;base64,{_PNG}"}
#: The same by reference, as clients other than Codex may write it.
FILE: Final = {"type": "input_image", "file_id": "file-1"}
AUDIO: Final = {"type": "input_audio", "audio_url": f"data:audio/wav;base64,{_WAV}"}
TEXT: Final = {"type": "input_text", "text": "hi"}
_DETAILED: Final = IMAGE | {"detail": "high"}
_BASE64: Final = {"type": "input_text", "text": IMAGE["image_url"]}
_PLACEHOLDERS: Final = tuple(
    {
        "type": "input_text",
        "text": f"{modality} content omitted because you do not support {modality} input",
    }
    for modality in ("image", "audio")
)
#: Not media, whatever it looks like.
_UNKNOWN_PART: Final = {"type": "input_video", "video_url": "data:,", "input_image": [IMAGE]}
_NESTED_PART: Final = {"type": "input_text", "text": "a", "nested": {"type": "input_image"}}


def _texts(*values: object) -> tuple[str, ...]:
    return tuple(map(json.dumps, values))


#: Lists of parts without media, for messages and for the outputs of tools.
PLAIN_PARTS: Final = _texts(
    [TEXT], [TEXT, TEXT], [], [{"type": "input_text", "text": ""}], [_BASE64], [*_PLACEHOLDERS]
)

#: Lists of parts with media.
MEDIA_PARTS: Final = _texts(
    [IMAGE],
    [TEXT, IMAGE],
    [AUDIO],
    [IMAGE, TEXT, AUDIO],
    [IMAGE, _DETAILED, IMAGE],
    [AUDIO, AUDIO, TEXT],
    [_PLACEHOLDERS[0], IMAGE, _BASE64, AUDIO],
)

#: Lists of parts that no version of Codex writes; a normalizer lets them pass.
UNKNOWN_PARTS: Final = _texts(
    [_UNKNOWN_PART], [_NESTED_PART, IMAGE], [_UNKNOWN_PART, AUDIO, FILE], [FILE, TEXT]
)

#: Keys that a normalizer does not know and must keep, in their order, with their numbers.
UNKNOWN_KEYS: Final = _texts(
    {"zeta": 1, "alpha": {"b": [True, None, 0.5], "a": {}}},
    {"metadata": {"turn": 3, "cost": 1.25e-07, "share": 1.0, "flags": [[], [{}]]}},
    {"output_tokens": 9007199254740993, "internal_note": "", "content_image": [IMAGE]},
    {"namespace": None, "status": "incomplete", "tools": [{"name": "calendar", "on": False}]},
)

#: Whole items of types that a normalizer does not know. None is a call or an output of a family.
UNKNOWN_ITEMS: Final = _texts(
    {"type": "future_item", "id": "x1", "content": [IMAGE, TEXT], "call_id": "c1"},
    {"type": "mcp_call", "id": "mcp_1", "name": "read", "arguments": "{}", "output": None},
    {"type": "compaction", "encrypted_content": "gAAAAx"},
    {"type": "function_call_note", "call_id": "c1", "note": [1, 2]},
    {"type": "computer_call", "id": "cu_1", "call_id": "c2", "action": {"type": "wait"}},
    {"type": "computer_call_output", "call_id": "c3", "output": {"parts": [IMAGE]}},
)


def parsed(pool: tuple[str, ...], index: int) -> Any:
    """Return a new object equal to the pool's entry at `index`, counted round."""
    return json.loads(pool[index % len(pool)])


def copy_of(value: Any) -> Any:
    """Return a copy that shares nothing with `value`."""
    return json.loads(json.dumps(value))
