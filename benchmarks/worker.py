"""The other end of a `ProcessRunner`: imports one normalizer, times it, and weighs its memory.

Runs as a script in a process of its own, in the interpreter and from the folders that it is given.
It needs the standard library of Python 3.9+ only and imports nothing of this suite: what it
measures is the normalizer as it stands there, be it another revision of the one that runs here.

    python worker.py MODULE ATTRIBUTE FOLDER...

It reads a JSON object a line, an action with its arguments, and answers each with one line: the
result, or the `error` that the normalizer raised. The first line tells what was imported.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pickle
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any, TextIO


class Bench:
    """Holds one history and calls the normalizer on it."""

    def __init__(self, normalizer: Callable[..., Any]) -> None:
        self._normalizer = normalizer
        self._pickled = b""
        self._history: list[Any] = []
        self._modalities: Any = frozenset()

    def load(self, file: str, modalities: list[str]) -> int:
        """Take the history that was pickled into `file`, and return how many items it has."""
        self._history = []  # The old one goes before the new one comes.
        self._pickled = Path(file).read_bytes()
        self._history = pickle.loads(self._pickled)
        self._modalities = frozenset(modalities)
        gc.collect()
        return len(self._history)

    def fastest(self, calls: int) -> float:
        """Return the seconds that the fastest of so many calls took, without freeing the prompts.

        The garbage collector rests: it would charge the memory of one call to the next.
        """
        fastest = float("inf")
        gc.disable()
        try:
            for _ in range(calls):
                start = perf_counter()
                prompt = self._normalizer(self._history, self._modalities)
                fastest = min(fastest, perf_counter() - start)
                del prompt
        finally:
            gc.enable()
        return fastest

    def peak(self, histories: int) -> int:
        """Return how many bytes are needed at most beside the history, over several in a row.

        Each history is made for its call and let go after it, so that a normalizer which keeps a
        hold on them needs more with each.
        """
        self._normalizer(self._history, self._modalities)  # Fills caches that are filled once.
        highest = 0
        tracemalloc.start()
        try:
            empty = tracemalloc.get_traced_memory()[0]
            size = 0
            for _ in range(histories):
                record = pickle.loads(self._pickled)
                gc.collect()
                size = size or tracemalloc.get_traced_memory()[0] - empty
                tracemalloc.reset_peak()
                prompt = self._normalizer(record, self._modalities)
                highest = max(highest, tracemalloc.get_traced_memory()[1] - empty - size)
                del prompt, record
                gc.collect()
        finally:
            tracemalloc.stop()
        return highest


def main(module: str, attribute: str, *folders: str) -> None:
    """Import the normalizer and do what standard input asks for, to its end."""
    answers = _quiet_stdout()
    sys.path[:1] = folders  # In place of this script's own folder.
    try:
        found: Any = importlib.import_module(module)
        for name in attribute.split("."):
            found = getattr(found, name)
        bench = Bench(found)
    except Exception as error:
        _answer(answers, {"error": _described(error)})
        return
    _answer(answers, {"result": str(_root(module))})
    for line in sys.stdin:
        action = json.loads(line)
        try:
            result = getattr(bench, action.pop("action"))(**action)
        except (Exception, SystemExit) as error:
            _answer(answers, {"error": _described(error)})
        else:
            _answer(answers, {"result": result})


def _quiet_stdout() -> TextIO:
    """Return the way to the parent; what the normalizer prints goes to standard error instead."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answers


def _root(module: str) -> Path:
    """Return the folder from which `module` was imported."""
    top = sys.modules[module.partition(".")[0]]
    place = top.__path__[0] if hasattr(top, "__path__") else str(top.__file__)
    return Path(place).resolve().parent


def _answer(answers: TextIO, answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


def _described(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    main(*sys.argv[1:])
