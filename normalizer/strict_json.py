"""JSON as strict as Codex's parser, so that what one skips the other skips too.

Python's own `json` lets pass what the standard does not know (NaN, lone surrogates) and has another
idea of how deep is too deep.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, Final, NoReturn

#: How many arrays and objects may stand inside each other: the limit of Rust's serde_json.
MAX_DEPTH: Final = 127

_BYTE_ORDER_MARK: Final = "\ufeff"

#: The escape of a surrogate, alone or one of a pair.
_SURROGATE_ESCAPE: Final = re.compile(rb"\\u[dD][89a-fA-F]")


class NotJson(ValueError):
    """Bytes that are not strict JSON; the message says why in a few words."""


def parse(data: bytes) -> Any:
    """Return the JSON value in `data`. With repeated keys the last wins.

    Raises NotJson when `data` is not UTF-8, or not exactly one JSON value in white space, when it
    holds NaN, Infinity, a number that overflows, a lone surrogate or a raw control character, or
    nests deeper than MAX_DEPTH.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotJson(f"not UTF-8 at byte {error.start}") from None
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise NotJson(_reason(text, error)) from None
    except RecursionError:
        raise NotJson("nested too deep") from None
    except ValueError as error:  # an integer of more digits than Python converts
        raise NotJson(str(error)) from None
    if data.count(b"[") + data.count(b"{") > MAX_DEPTH:
        _refuse_nesting(value, MAX_DEPTH)
    # Only now: where Python's parser barely gets through, its serializer would not.
    if _SURROGATE_ESCAPE.search(data):
        _refuse_lone_surrogates(value)
    return value


def _reason(text: str, error: json.JSONDecodeError) -> str:
    if "\0" in text:
        return "NUL bytes"
    if text.startswith(_BYTE_ORDER_MARK):
        return "starts with a byte order mark"
    if error.msg == "Extra data":
        return f"text after the value at column {error.colno}"
    if error.msg.startswith("Unterminated string") or error.pos >= len(text.rstrip()):
        return "cut off"
    return f"not JSON: {error.msg} at line {error.lineno} column {error.colno}"


def _refuse_constant(name: str) -> NoReturn:
    raise NotJson(f"{name} is no JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise NotJson(f"number out of range: {digits[:20]}")
    return number


def _refuse_lone_surrogates(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise NotJson("lone surrogate escape") from None


def _refuse_nesting(value: Any, levels: int) -> None:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        if levels == 0:
            raise NotJson(f"nested deeper than {MAX_DEPTH}")
        for inner in value:
            _refuse_nesting(inner, levels - 1)


_DECODER: Final = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)
