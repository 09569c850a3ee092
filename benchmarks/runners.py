"""Normalizers that can be timed side by side: each in a process of its own, where it can be.

In one process the second function finds what the first has warmed up, and two revisions of one
package cannot be imported at all.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.targets import Target, target_of
from benchmarks.workloads import Workload
from normalizer import CommandError, Item
from properties.loading import load_subject
from properties.subject import SkippedError, Subject, SubjectError

#: The script that a process of its own runs.
WORKER: Final = Path(__file__).with_name("worker.py")

#: How long an answer may take, in seconds: a million items on a slow day.
_PATIENCE: Final = 300.0


class NotMeasured(CommandError):
    """A normalizer could not be measured; the message says which and why."""


class Runner(ABC):
    """A normalizer that runs one workload at a time, again and again."""

    #: What a report calls it.
    name: str

    @abstractmethod
    def load(self, workload: Workload) -> None:
        """Get ready to run `workload`. Raises NotMeasured when that fails."""

    @abstractmethod
    def fastest(self, calls: int = 1) -> float:
        """Return the seconds that the fastest of so many calls took.

        Raises NotMeasured when one fails.
        """

    def peak(self, histories: int = 1) -> int | None:
        """Return how many bytes it needs at most beside the history, over several in a row.

        None where nobody can tell. Raises NotMeasured when a call fails.
        """
        del histories
        return None

    @abstractmethod
    def close(self) -> None:
        """End what the runner has started."""


class ProcessRunner(Runner):
    """A Python normalizer, imported by a process of its own that holds the history.

    `folder` is where histories are handed over: runners that share it share the files.
    """

    def __init__(self, target: Target, folder: Path) -> None:
        self.name = target.name
        self._folder = folder
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `close`)
        self._process = subprocess.Popen(
            [target.interpreter, WORKER, target.module, target.attribute, *target.folders],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            # A set of strings has the same order on both sides then, and so the same cost.
            env={**os.environ, "PYTHONHASHSEED": "0"},
        )
        try:
            #: The folder that the normalizer was imported from.
            self.root = Path(self._answer())
        except NotMeasured:
            self.close()
            raise

    def load(self, workload: Workload) -> None:
        file = workload.pickled(self._folder)
        self._ask("load", file=str(file), modalities=sorted(workload.modalities))

    def fastest(self, calls: int = 1) -> float:
        seconds: float = self._ask("fastest", calls=calls)
        return seconds

    def peak(self, histories: int = 1) -> int:
        peak: int = self._ask("peak", histories=histories)
        return peak

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()
        self._stderr.close()

    def _ask(self, action: str, **arguments: object) -> Any:
        assert self._process.stdin
        try:
            self._process.stdin.write(json.dumps({"action": action, **arguments}).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise self._died() from None
        return self._answer()

    def _answer(self) -> Any:
        answers = self._process.stdout
        assert answers
        if not select.select([answers], [], [], _PATIENCE)[0]:
            raise NotMeasured(f"{self.name}: no answer after {_PATIENCE:g} s")
        line = answers.readline()
        if not line:
            raise self._died()
        answer = json.loads(line)
        if "error" in answer:
            raise NotMeasured(f"{self.name}: {answer['error']}")
        return answer["result"]

    def _died(self) -> NotMeasured:
        self._process.wait()
        self._stderr.seek(0)
        last = self._stderr.read().decode(errors="replace").strip().rpartition("\n")[2]
        return NotMeasured(f"{self.name}: its process ended: {last or self._process.returncode}")


class SubjectRunner(Runner):
    """A subject of any other kind, timed the way the suite reaches it; its memory is its own."""

    def __init__(self, subject: Subject) -> None:
        self.name = subject.name
        self._subject = subject
        self._history: list[Item] = []
        self._modalities: frozenset[str] = frozenset()

    def load(self, workload: Workload) -> None:
        self._history, self._modalities = workload.history(), workload.modalities

    def fastest(self, calls: int = 1) -> float:
        try:
            return self._subject.seconds(self._history, self._modalities, calls)
        except SubjectError as error:
            raise NotMeasured(f"{self.name} {error}") from None
        except SkippedError as skipped:
            raise NotMeasured(f"{self.name} takes no part: {skipped}") from None

    def close(self) -> None:
        self._subject.close()


def runner_of(subject: str, paths: Sequence[str], folder: Path) -> Runner:
    """Return what runs the subject of this name; `paths` are folders to import it from.

    Raises CommandError, in one line, when there is no such subject.
    """
    target = target_of(subject, paths)
    return ProcessRunner(target, folder) if target else subject_runner(subject)


def subject_runner(subject: str, folder: Path | None = None) -> SubjectRunner:
    """Return what runs a subject that is no Python callable elsewhere; a command, in `folder`."""
    return SubjectRunner(load_subject(subject, timeout=_PATIENCE, folder=folder))
