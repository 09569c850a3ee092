"""From what the user writes after `--subject` to the subject."""

from __future__ import annotations

import importlib
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final, NamedTuple

from normalizer import CommandError, normalize
from properties.capabilities import CODEX
from properties.remote import CommandSubject, InterpreterSubject, python_argv
from properties.subject import TIMEOUT, PythonSubject, Subject

#: The normalizer of this project.
REFERENCE: Final = "reference"

#: Where packages that know this one enter kinds of subjects of their own: a function of what
#: stands behind the colon, and of the timeout.
_OTHERS: Final = "callpair.subjects"

#: The kinds of subject, for help texts.
KINDS: Final = (
    "reference, python:package.module:callable, python@INTERPRETER:package.module:callable, "
    "command:ARGV, fault:NAME, or peer:NAME"
)


class Place(NamedTuple):
    """Where a Python callable is to be found."""

    #: As the user writes it; empty for this process.
    interpreter: str
    module: str
    attribute: str

    @property
    def target(self) -> str:
        """Both in one, as the user writes them."""
        return f"{self.module}:{self.attribute}"


def load_subject(
    name: str,
    paths: Sequence[str] = (),
    *,
    timeout: float = TIMEOUT,
    validate: bool = False,
    claims: Mapping[str, Any] | None = None,
    folder: Path | None = None,
) -> Subject:
    """Return the subject that `name` asks for.

    * `paths`: folders to import it from, before all others.
    * `timeout`: how long one call may take, in seconds.
    * `validate`: whether each message to and from a command is checked against its schema.
    * `claims`: what its owner claims for it; see `properties.capabilities`.
    * `folder`: where a command runs, in place of the current folder.

    Raises CommandError, in one line, when there is no such subject.
    """
    for path in paths:
        if not Path(path).is_dir():
            raise CommandError(f"subject path {path!r}: no such folder")
    try:
        capabilities = CODEX.declared(claims or {})
    except (ValueError, TypeError) as error:
        raise CommandError(f"capabilities: {error}") from None
    kind, _, rest = name.partition(":")
    if kind == "fault":
        return _fault(name, rest)
    if kind == "command" and rest.strip():
        argv = _command(name, rest)
        return CommandSubject(
            name, argv, timeout=timeout, claims=claims, validate=validate, folder=folder
        )
    for entry in entry_points(group=_OTHERS, name=kind):
        found: Subject = entry.load()(rest, timeout)
        return found
    place = place_of(name)
    if place is None:
        raise CommandError(f"no subject {name!r}: expected {KINDS}")
    if place.interpreter:
        argv = python_argv(_program(name, place.interpreter), place.target, paths)
        return InterpreterSubject(name, argv, timeout=timeout, claims=claims)
    function = normalize if name == REFERENCE else _imported(name, place, paths)
    elsewhere = InterpreterSubject(
        name, python_argv(sys.executable, place.target, sys.path), timeout=timeout, claims=claims
    )
    return PythonSubject(
        name, function, timeout=timeout, capabilities=capabilities, anew=elsewhere.anew
    )


def place_of(name: str) -> Place | None:
    """Return where the Python callable is that `name` asks for; None if it is no such name."""
    if name == REFERENCE:
        return Place("", "normalizer", "normalize")
    kind, _, rest = name.partition(":")
    kind, _, interpreter = kind.partition("@")
    module, _, attribute = rest.partition(":")
    if kind != "python" or not module or not attribute or ":" in attribute:
        return None
    return Place(interpreter, module, attribute)


def _fault(name: str, fault: str) -> Subject:
    # Faults know the properties that catch them, and those know subjects.
    from properties.faults import FAULTS

    if fault not in FAULTS:
        raise CommandError(f"no subject {name!r}: see callpair faults --list")
    return FAULTS[fault].subject()


def _command(name: str, words: str) -> list[str]:
    try:
        program, *arguments = shlex.split(words)
    except ValueError as error:
        raise CommandError(f"subject {name!r}: {error}") from None
    return [_program(name, program), *arguments]


def _program(name: str, program: str) -> str:
    found = shutil.which(program)
    if found is None:
        raise CommandError(f"subject {name!r}: no program {program!r}")
    return found


def _imported(name: str, place: Place, paths: Sequence[str]) -> Callable[..., Any]:
    # The current folder comes last: it must not hide what is installed.
    sys.path[:0] = [path for path in paths if path not in sys.path]
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    try:
        found: Any = importlib.import_module(place.module)
        for part in place.attribute.split("."):
            found = getattr(found, part)
    except Exception as error:
        raise CommandError(f"subject {name!r}: {type(error).__name__}: {error}") from None
    if not callable(found):
        raise CommandError(f"subject {name!r}: {place.attribute} is not callable")
    return found  # type: ignore[no-any-return]
