"""The normalizer under test, behind one interface.

Whatever a subject does that a normalizer must not (raise, hang, return something else) is a
`SubjectError` with a named outcome: a finding about the subject, never a traceback of the suite.
"""

from __future__ import annotations

import json
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType
from typing import Any, Final

from normalizer import Item
from properties.capabilities import CODEX, Capabilities
from properties.case import PromptError, checked_prompt, json_text
from properties.observation import observe
from properties.shim import processor_seconds, takes_no_part, told

#: How long one call may take, in seconds.
TIMEOUT: Final = 2.0

#: How long after that it is told to stop once more, in seconds.
_AGAIN: Final = 0.2


class SubjectError(Exception):
    """A subject did what no normalizer does; the outcome says what, in a word or two."""

    def __init__(self, outcome: str, detail: str = "") -> None:
        super().__init__(f"{outcome}: {detail}" if detail else outcome)
        #: For example `raised`, `returned no prompt` or `hung`.
        self.outcome = outcome
        self.detail = detail


class SubjectGoneError(SubjectError):
    """A subject failed so often that it is not asked any more: nothing about this history."""


class SkippedError(Exception):
    """A subject says that it takes no part in this history, and why; no outcome at all.

    A Python normalizer raises it, or any exception whose class has this name.
    """


class Subject(ABC):
    """A normalizer under test.

    Histories that go in are never changed, whatever it does, but for `live_prompt`.
    """

    #: As it is asked for on the command line.
    name: str

    @property
    @abstractmethod
    def capabilities(self) -> Capabilities:
        """What it claims to do."""

    @abstractmethod
    def prompts(
        self, history: Sequence[Item], modality_sets: Sequence[frozenset[str]]
    ) -> list[list[Item]]:
        """Return the prompt for each modality set, all made from one and the same record.

        Raises SubjectError for any other outcome, SkippedError when it takes no part.
        """

    @abstractmethod
    def live_prompt(self, record: list[Item], modalities: frozenset[str]) -> list[Item]:
        """Return the prompt made of `record` itself, not of a copy, where the subject runs here.

        What a bad subject does to it is there to be seen. Raises SubjectError as `prompts` does.
        """

    @abstractmethod
    def observed(self, history: Sequence[Item], modalities: frozenset[str]) -> dict[str, str]:
        """Return what it does to its input: see `properties.observation`.

        Raises SubjectError as `prompts` does.
        """

    @abstractmethod
    def seconds(
        self, history: Sequence[Item], modalities: frozenset[str], repeats: int = 1
    ) -> float:
        """Return how long it takes for one prompt: the shortest of `repeats` times.

        The processor's time where it can be seen, since a busy machine adds nothing to that; else
        the wall clock's. Raises SubjectError as `prompts` does.
        """

    @abstractmethod
    def anew(self, hash_seed: int) -> Subject:
        """Return the same normalizer in a new process, its strings hashed with `hash_seed`.

        Only where its capabilities say that it can be started anew. Close it after use.
        """

    def prompt(self, history: Sequence[Item], modalities: frozenset[str]) -> list[Item]:
        """Return the prompt for `history`; raises SubjectError as `prompts` does."""
        return self.prompts(history, [modalities])[0]

    def close(self) -> None:  # noqa: B027 - most have nothing to end
        """End its process, where it has one; the next call starts another."""


class PythonSubject(Subject):
    """A Python callable in this process.

    `anew` makes the same normalizer in another process, given a hash seed.
    """

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        *,
        timeout: float = TIMEOUT,
        capabilities: Capabilities = CODEX,
        anew: Callable[[int], Subject] | None = None,
    ) -> None:
        self.name = name
        self._function = function
        self._timeout = timeout
        self._anew = anew
        self._capabilities = replace(capabilities, started_anew=anew is not None)

    @property
    def capabilities(self) -> Capabilities:
        return self._capabilities

    def anew(self, hash_seed: int) -> Subject:
        if self._anew is None:
            raise NotImplementedError(f"{self.name} cannot be started in another process")
        return self._anew(hash_seed)

    def prompts(
        self, history: Sequence[Item], modality_sets: Sequence[frozenset[str]]
    ) -> list[list[Item]]:
        record = json.loads(json_text(history))
        return [self._prompt(record, modalities) for modalities in modality_sets]

    def live_prompt(self, record: list[Item], modalities: frozenset[str]) -> list[Item]:
        return self._prompt(record, modalities)

    def observed(self, history: Sequence[Item], modalities: frozenset[str]) -> dict[str, str]:
        with self._outcomes():
            return observe(self._function, list(history), modalities)

    def seconds(
        self, history: Sequence[Item], modalities: frozenset[str], repeats: int = 1
    ) -> float:
        record = json.loads(json_text(history))
        return min(self._seconds(record, modalities) for _ in range(repeats))

    def _seconds(self, record: list[Item], modalities: frozenset[str]) -> float:
        with self._outcomes():
            return processor_seconds(self._function, record, modalities)

    def _prompt(self, record: list[Item], modalities: frozenset[str]) -> list[Item]:
        with self._outcomes():
            prompt = self._function(record, modalities)
        try:
            # A copy: what the subject does to its prompt later is seen by `observed` alone.
            copy: list[Item] = json.loads(json_text(checked_prompt(prompt)))
        except PromptError as error:
            raise SubjectError("returned no prompt", str(error)) from None
        return copy

    @contextmanager
    def _outcomes(self) -> Iterator[None]:
        try:
            with _time_limit(self._timeout):
                yield
        except _TimeUpError:
            raise SubjectError("hung", f"no prompt after {self._timeout:g} s") from None
        except (Exception, SystemExit) as error:
            if takes_no_part(error):
                raise SkippedError(str(error)) from None
            raise SubjectError("raised", told(error)) from None


class _TimeUpError(BaseException):
    """Not an Exception, so that a subject's own handlers let it pass."""


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise _TimeUpError inside the block when it takes longer; only signals can stop a loop."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGALRM"):
        yield
        return
    previous = signal.signal(signal.SIGALRM, _time_up)
    # Again and again, until it is heard: see `_time_up`.
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def _time_up(_signal: int, frame: FrameType | None) -> None:
    # Hypothesis listens to the garbage collector; an error raised in there would be lost.
    if frame is None or not frame.f_globals.get("__name__", "").startswith("hypothesis."):
        raise _TimeUpError
