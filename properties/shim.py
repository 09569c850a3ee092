"""The suite's end of a Python normalizer in another process: one line in, one line out.

Run as a file by the adopter's own interpreter, so: standard library only, Python 3.9 and later, and
no import from the project; `observation.py` is loaded by its path. Beside the protocol that every
subject speaks (`docs/protocol.md`) it answers to what can only be seen from inside. What a
normalizer in the suite's own process is treated with in the same way, `subject.py` takes from here.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import json
import os
import platform
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

#: The version of the protocol.
VERSION = 1

_FOLDER = Path(__file__).resolve().parent

#: Takes a message, returns the answer beside its `seq`.
Answer = Callable[[dict[str, Any]], dict[str, Any]]


def told(error: BaseException) -> str:
    """Return what was raised, and in which line of which file, where that is not one of ours."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    file = Path(frame.filename)
    place = f" ({file.name}, line {frame.lineno})" if file.parent != _FOLDER else ""
    return f"{type(error).__name__}: {error}{place}"


def takes_no_part(error: BaseException) -> bool:
    """Whether a normalizer says with `error` that this history is none of its business.

    The name of the class decides: where it is defined, nothing of ours need be installed.
    """
    return type(error).__name__ == "SkippedError"


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keep the garbage collector from running, and leave it as it was.

    It visits every object there is, so it would charge the memory of one function to another.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def processor_seconds(function: Callable[..., Any], history: list[Any], modalities: Any) -> float:
    """Return the processor's time for one prompt."""
    with collector_paused():
        start = time.process_time()
        function(history, modalities)
        return time.process_time() - start


def serve(answer: Answer, hello: dict[str, Any], lines: BinaryIO, out: BinaryIO) -> None:
    """Answer each line of `lines` on `out`, until one says to stop."""
    for line in lines:
        message = json.loads(line)
        if message["cmd"] == "stop":
            return
        out.write(_reply(message, answer, hello).encode() + b"\n")
        out.flush()


def _reply(message: dict[str, Any], answer: Answer, hello: dict[str, Any]) -> str:
    if message["cmd"] == "start":
        return json.dumps({"version": VERSION, **hello})
    reply = {"seq": message["seq"]}
    try:
        return json.dumps({**reply, **answer(message)}, allow_nan=False)
    except (Exception, SystemExit) as error:
        said = {"skipped": str(error)} if takes_no_part(error) else {"error": told(error)}
        return json.dumps({**reply, **said})


def private_output() -> BinaryIO:
    """Return stdout for the protocol alone: from now on, whatever is printed goes to stderr."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return out


class _Inside:
    """Answers with a Python function, and with what it does to its input."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._observe = _observation().observe

    def __call__(self, message: dict[str, Any]) -> dict[str, Any]:
        history = message["history"]
        sets = [frozenset(names) for names in message.get("modality_sets", ())]
        modalities = frozenset(message.get("modalities", ()))
        command = message["cmd"]
        if command == "run":
            return {"prompt": self._function(history, modalities)}
        if command == "prompts":
            return {"prompts": list(self._copies(history, sets))}
        if command == "live":
            return self._live(history, modalities)
        if command == "observe":
            return {"found": self._observe(self._function, history, modalities)}
        if command == "time":
            return {"seconds": processor_seconds(self._function, history, modalities)}
        raise ValueError(f"unknown command {command!r}")

    def _copies(self, history: list[Any], sets: list[Any]) -> Iterator[Any]:
        """Yield each prompt as it was when it was made."""
        for modalities in sets:
            yield json.loads(json.dumps(self._function(history, modalities)))

    def _live(self, history: list[Any], modalities: Any) -> dict[str, Any]:
        """Return the prompt, and the record where it is no longer what it was."""
        before = json.dumps(history)
        prompt = self._function(history, modalities)
        changed = json.dumps(history) != before
        return {"prompt": prompt, **({"record": history} if changed else {})}


def _observation() -> Any:
    path = _FOLDER / "observation.py"
    spec = importlib.util.spec_from_file_location("callpair_observation", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _imported(target: str) -> Any:
    module, _, attribute = target.partition(":")
    found = importlib.import_module(module)
    for part in attribute.split("."):
        found = getattr(found, part)
    return found


def main() -> None:
    """Serve the callable that the first argument names; the others are folders to import from."""
    target, *paths = sys.argv[1:]
    # The suite's own modules must not hide the adopter's. The current folder comes last.
    others = [path for path in sys.path if Path(path).resolve() != _FOLDER]
    sys.path[:] = [*paths, *others, str(Path.cwd())]
    out = private_output()
    hello = {"name": target, "language": f"Python {platform.python_version()}"}
    serve(_Inside(_imported(target)), hello, sys.stdin.buffer, out)


if __name__ == "__main__":
    main()
