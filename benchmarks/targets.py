"""Where a normalizer is to be imported from, when a process of its own imports it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import normalizer
from benchmarks.peers import PEERS
from properties.loading import REFERENCE, place_of

#: Where this suite and its reference were imported from.
SUITE = Path(normalizer.__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Target:
    """A Python normalizer that needs no more than an interpreter and folders to import it from."""

    #: As it is asked for on the command line, or as a report is to call it.
    name: str
    interpreter: str
    module: str
    attribute: str
    #: Where to look for modules before the interpreter's own folders, first match wins.
    folders: tuple[str, ...]

    def moved(
        self, name: str, folders: Iterable[Path], move: Callable[[Path], Path | None]
    ) -> Target:
        """Return the same normalizer under another name, looked for where `move` takes `folders`.

        It looks into those that do not move only afterwards.
        """
        found = dict.fromkeys(str(moved) for folder in folders if (moved := move(folder)))
        return replace(self, name=name, folders=(*found, *self.folders))


def target_of(subject: str, paths: Sequence[str] = ()) -> Target | None:
    """Return where to import a subject from; None for one that is no Python callable elsewhere."""
    kind, _, rest = subject.partition(":")
    is_peer = kind == "peer" and rest in PEERS
    place = place_of(f"python:{PEERS[rest].target}" if is_peer else subject)
    if place is None:
        return None
    interpreter, module, attribute = place
    if subject == REFERENCE:
        return Target(subject, sys.executable, module, attribute, (str(SUITE),))
    # In this interpreter, whatever `callpair check` finds is found here too.
    around = () if interpreter else tuple(filter(None, sys.path))
    return Target(subject, interpreter or sys.executable, module, attribute, (*paths, *around))
