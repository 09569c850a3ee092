"""What an adopter's `pyproject.toml` says in `[tool.callpair]`.

    [tool.callpair]
    subject = "python:my_agent.history:normalize"
    subject_path = ["src"]
    deviations = "callpair-deviations.toml"

    [tool.callpair.capabilities]
    made_up_text = "interrupted"

Options of a command or of pytest win over it. Paths are meant from its own folder.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

from normalizer import CommandError
from properties.subject import TIMEOUT

#: Where `callpair check` keeps failing cases, from the current folder.
SAVED: Final = ".callpair/broken"

#: What a setting may be: in words, and as a check.
Kind: TypeAlias = tuple[str, Callable[[Any], bool]]


@dataclass(frozen=True, slots=True)
class Settings:
    """The table, with defaults for what it does not say. The fields are named like its keys."""

    subject: str = "reference"
    subject_path: tuple[str, ...] = ()
    timeout: float = TIMEOUT
    validate: bool = False
    profile: str | None = None
    examples: int | None = None
    seed: int | None = None
    only: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    #: The deviations file; empty for none.
    deviations: str = ""
    #: Where failing cases are kept, to be tried first.
    save: str = SAVED
    #: See `properties.capabilities`.
    capabilities: Mapping[str, Any] = field(default_factory=dict)
    #: What `callpair gate` is asked for: see `benchmarks.gate.settings`.
    gate: Mapping[str, Any] = field(default_factory=dict)
    #: The file that says so; None where there is none.
    file: Path | None = None


def read_settings(folder: Path | None = None) -> Settings:
    """Return the settings that hold in `folder` (the current one): those of the nearest project.

    Raises CommandError for a file that is no TOML, an unknown key, or a value of the wrong type.
    """
    here = (folder or Path.cwd()).resolve()
    for place in (here, *here.parents):
        file = place / "pyproject.toml"
        if file.is_file():
            return _settings_in(file)
    return Settings()


def _settings_in(file: Path) -> Settings:
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CommandError(f"{file}: {error}") from None
    table = content.get("tool", {}).get("callpair")
    if table is None:
        return Settings()
    if not isinstance(table, dict):
        raise CommandError(f"{file}: tool.callpair is no table")
    check_table(file, "tool.callpair", table, _KINDS)
    values = {key: _value(file, key, value) for key, value in table.items()}
    return Settings(**values, file=file)


def check_table(file: Path, name: str, table: Mapping[str, Any], kinds: Mapping[str, Kind]) -> None:
    """Raise CommandError for the first key of the table `name` that is unknown or ill-valued."""
    for key, value in table.items():
        if key not in kinds:
            raise CommandError(f"{file}: unknown key {name}.{key}: choose from {', '.join(kinds)}")
        expected, fits = kinds[key]
        if not fits(value):
            raise CommandError(f"{file}: {name}.{key} is {value!r}: expected {expected}")


def _value(file: Path, key: str, value: Any) -> Any:
    if key in ("deviations", "save"):
        return str(file.parent / value)
    if key == "subject_path":
        return tuple(str(file.parent / path) for path in value)
    return tuple(value) if isinstance(value, list) else value


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_positive(value: Any) -> bool:
    return (_is_number(value) or isinstance(value, float)) and value > 0


TEXT: Final[Kind] = ("a string", lambda value: isinstance(value, str))
TEXTS: Final[Kind] = (
    "a list of strings",
    lambda value: isinstance(value, list) and all(isinstance(text, str) for text in value),
)
NUMBER: Final[Kind] = ("a whole number", _is_number)
POSITIVE: Final[Kind] = ("a number above 0", _is_positive)
SWITCH: Final[Kind] = ("true or false", lambda value: isinstance(value, bool))
TABLE: Final[Kind] = ("a table", lambda value: isinstance(value, dict))

_KINDS: Final[Mapping[str, Kind]] = {
    "subject": TEXT,
    "subject_path": TEXTS,
    "timeout": POSITIVE,
    "validate": SWITCH,
    "profile": TEXT,
    "examples": ("a whole number above 0", lambda value: _is_number(value) and value > 0),
    "seed": NUMBER,
    "only": TEXTS,
    "families": TEXTS,
    "deviations": TEXT,
    "save": TEXT,
    "capabilities": TABLE,
    "gate": TABLE,
}
