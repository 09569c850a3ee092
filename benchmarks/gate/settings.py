"""What the gate is asked for: defaults, the user's `pyproject.toml`, the command line.

    [tool.callpair]
    subject = "python:my_agent.history:normalize"
    subject_path = ["src"]

    [tool.callpair.gate]
    base = "origin/main"
    margin = 0.05

The later of the three wins.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from normalizer import CommandError

#: Keys that the gate shares with other commands: they stand in `[tool.callpair]`.
_SHARED: Final = ("subject", "subject_path")


@dataclass(frozen=True, slots=True)
class GateSettings:
    """Each setting has the name of its option, with underscores."""

    #: The candidate.
    subject: str = "reference"
    subject_path: tuple[str, ...] = ()
    #: The revision to compare its speed with, unless there is a `base_subject`.
    base: str = "HEAD"
    base_subject: str | None = None
    #: How much more time and memory than the base's is let pass: 0.10 is 10 %.
    margin: float = 0.10
    #: How much steeper than a plain copy's its growth may be.
    slope: float = 0.20
    #: Whether to count instructions as well.
    instructions: bool = False
    #: Seed of the fresh histories; None takes another one each time.
    seed: int | None = None


_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "subject": (str,),
    "subject_path": (list,),
    "base": (str,),
    "base_subject": (str,),
    "margin": (float, int),
    "slope": (float, int),
    "instructions": (bool,),
    "seed": (int,),
}


def gate_settings(given: Mapping[str, Any], folder: Path) -> GateSettings:
    """Return the settings; `given` are those of the command line, None where it is silent.

    The user's file is the nearest `pyproject.toml` in `folder` or above. Raises CommandError for a
    setting that does not exist or has the wrong type.
    """
    chosen = _from_file(folder)
    asked = {key: value for key, value in given.items() if value not in (None, [], False)}
    if "base" in asked:
        chosen.pop("base_subject", None)
    chosen |= asked
    chosen["subject_path"] = tuple(chosen.get("subject_path", ()))
    known = {field.name for field in fields(GateSettings)}
    return GateSettings(**{key: value for key, value in chosen.items() if key in known})


def _from_file(folder: Path) -> dict[str, Any]:
    file = next((up / "pyproject.toml" for up in _upwards(folder) if _has_file(up)), None)
    if file is None:
        return {}
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {}).get("callpair", {})
    except (OSError, ValueError) as error:
        raise CommandError(f"{file}: {error}") from None
    shared = {key: value for key, value in table.items() if key in _SHARED}
    found: dict[str, Any] = shared | table.get("gate", {})
    for key, value in found.items():
        if not isinstance(value, _TYPES.get(key, ())):
            known = ", ".join(_TYPES)
            what = "of the wrong type" if key in _TYPES else f"unknown: choose from {known}"
            raise CommandError(f"{file}: [tool.callpair.gate] {key} is {what}")
    if "subject_path" in found:
        found["subject_path"] = [str(file.parent / path) for path in found["subject_path"]]
    return found


def _upwards(folder: Path) -> tuple[Path, ...]:
    folder = folder.resolve()
    return (folder, *folder.parents)


def _has_file(folder: Path) -> bool:
    return (folder / "pyproject.toml").is_file()
