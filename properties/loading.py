"""From what the user writes after `--subject` to the subject."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from normalizer import CommandError, normalize
from properties.subject import PythonSubject, Subject

#: The kinds of subject, for help texts.
KINDS: Final = "reference, python:package.module:callable, or fault:NAME"


def load_subject(name: str, paths: Sequence[str] = ()) -> Subject:
    """Return the subject that `name` asks for; `paths` are folders to import it from.

    Raises CommandError, in one line, when there is no such subject.
    """
    if name == "reference":
        return PythonSubject(name, normalize)
    kind, _, rest = name.partition(":")
    if kind == "fault":
        return _fault(name, rest)
    if kind == "python" and rest.count(":") == 1:
        return PythonSubject(name, _imported(name, *rest.split(":"), paths=paths))
    raise CommandError(f"no subject {name!r}: expected {KINDS}")


def _fault(name: str, fault: str) -> Subject:
    # Faults know the properties that catch them, and those know subjects.
    from properties.faults import FAULTS

    if fault not in FAULTS:
        raise CommandError(f"no subject {name!r}: see callpair faults --list")
    return FAULTS[fault].subject()


def _imported(
    name: str, module: str, attribute: str, *, paths: Sequence[str]
) -> Callable[..., Any]:
    for path in paths:
        if not Path(path).is_dir():
            raise CommandError(f"subject path {path!r}: no such folder")
        if path not in sys.path:
            sys.path.insert(0, path)
    try:
        found: Any = importlib.import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except Exception as error:
        raise CommandError(f"subject {name!r}: {type(error).__name__}: {error}") from None
    if not callable(found):
        raise CommandError(f"subject {name!r}: {attribute} is not callable")
    return found  # type: ignore[no-any-return]
