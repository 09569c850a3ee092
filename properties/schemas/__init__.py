"""The protocol as JSON Schemas, for `--validate` and for whoever writes the other end."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from normalizer import CommandError

#: Takes the name of a schema and a message; returns what is wrong with it, if anything.
Checker = Callable[[str, Any], str]


def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of a kind of message: `to_subject`, `hello` or `from_subject`."""
    path = Path(__file__).with_name(f"{name}.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def checker() -> Checker:
    """Return what checks messages against the schemas.

    Raises CommandError when the package jsonschema is not installed.
    """
    try:
        from jsonschema import Draft202012Validator
    except ImportError:
        raise CommandError("--validate needs jsonschema: install callpair[validate]") from None
    validators = {
        name: Draft202012Validator(schema(name)) for name in ("to_subject", "hello", "from_subject")
    }

    def check(name: str, message: Any) -> str:
        error = next(iter(validators[name].iter_errors(message)), None)
        return f"{error.json_path}: {error.message}" if error else ""

    return check
