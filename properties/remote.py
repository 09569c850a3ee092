"""Normalizers in other processes, in any language: one JSON object a line, each way.

    > {"cmd": "start", "version": 1}
    < {"version": 1, "name": "mine", "language": "JavaScript", "capabilities": {}}
    > {"cmd": "run", "seq": 1, "history": [], "modalities": ["text"]}
    < {"seq": 1, "prompt": []}
    > {"cmd": "stop"}

Everything else that a process may do has a name. `raised`: it answers with an error. `crashed`: it
ends, or closes its output. `hung`: there is no answer in time. `spoke garbage`: the answer is no
message of the protocol. `wrong seq`: it answers another question. `died at start`: it ends before
it has said who it is. Who did one of these, other than raise, is ended and started again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Final, NoReturn

from normalizer import MODALITIES, CommandError, Item
from normalizer.strict_json import NotJson, parse
from properties import schemas
from properties.capabilities import CODEX, Capabilities
from properties.case import PromptError, checked_prompt, json_text
from properties.process import EndlessLineError, NoAnswerError, Process, ProcessEndedError
from properties.shim import VERSION
from properties.subject import (
    TIMEOUT,
    SkippedError,
    Subject,
    SubjectError,
    SubjectGoneError,
)

#: How often a subject is started in all. A dead one is most often dead for one reason.
STARTS: Final = 150

#: How long it may take to say who it is, in seconds: interpreters are slow to start.
_START_TIMEOUT: Final = 10.0

#: No more of an answer than this is told.
_TOLD: Final = 120

_SHIM: Final = Path(__file__).with_name("shim.py")


class RemoteSubject(Subject):
    """A normalizer that speaks the protocol: started when first asked, and again when it fails."""

    #: Whether the other end is ours and tells what the normalizer does to its input.
    _seen_inside: ClassVar[bool] = False

    def __init__(
        self,
        name: str,
        argv: Sequence[str],
        *,
        timeout: float = TIMEOUT,
        validate: bool = False,
        claims: Mapping[str, Any] | None = None,
        folder: Path | None = None,
    ) -> None:
        self.name = name
        self._argv = argv
        self._timeout = timeout
        self._check = schemas.checker() if validate else None
        self._claims = claims or {}
        #: Where the process runs; the current folder if None.
        self._folder = folder
        self._environment: Mapping[str, str] = {}
        self._process: Process | None = None
        self._starts = 0
        self._seq = 0
        self._capabilities = self._declared({})
        #: Why it never started.
        self._stillborn: SubjectError | None = None

    @property
    def capabilities(self) -> Capabilities:
        """What it said at its start, then what its owner says; else what Codex does."""
        if self._starts == 0:
            with suppress(SubjectError):  # The next question brings it up again.
                self._running()
        return self._capabilities

    def _declared(self, said: Mapping[str, Any]) -> Capabilities:
        claims = CODEX.declared({**said, **self._claims})
        return replace(claims, seen_inside=self._seen_inside, started_anew=True)

    def prompts(
        self, history: Sequence[Item], modality_sets: Sequence[frozenset[str]]
    ) -> list[list[Item]]:
        text = json_text(history)
        return [self._run(text, modalities) for modalities in modality_sets]

    def live_prompt(self, record: list[Item], modalities: frozenset[str]) -> list[Item]:
        return self.prompt(record, modalities)

    def seconds(
        self, history: Sequence[Item], modalities: frozenset[str], repeats: int = 1
    ) -> float:
        """Return how long it took by its own account; else from the question to the answer."""
        text = json_text(history)
        return min(self._seconds(text, modalities) for _ in range(repeats))

    def anew(self, hash_seed: int) -> Subject:
        twin = copy(self)
        twin._environment = {"PYTHONHASHSEED": str(hash_seed)}
        twin._process, twin._stillborn, twin._starts = None, None, 0
        return twin

    def close(self) -> None:
        if self._process is not None:
            self._process.close(_line({"cmd": "stop"}))
            self._process = None

    def _run(self, history: str, modalities: frozenset[str]) -> list[Item]:
        answer = self._answer("run", history, modalities=_listed(modalities))
        if "prompt" not in answer:
            self._fail("spoke garbage", "neither prompt, nor error, nor skipped")
        return _prompt_in(answer)

    def _seconds(self, history: str, modalities: frozenset[str]) -> float:
        self._running()
        question = self._question("run", history, modalities=_listed(modalities))
        start = time.perf_counter()
        answer = self._ask(question, self._timeout)
        seconds = time.perf_counter() - start
        told = self._checked(self._parsed(answer)).get("seconds", 0)
        if isinstance(told, bool) or not isinstance(told, int | float) or told < 0:
            self._fail("spoke garbage", f"seconds: {_told(json.dumps(told).encode())}")
        return float(told) or seconds

    def _answer(self, command: str, history: str, **fields: object) -> dict[str, Any]:
        """Return the subject's answer to `command`.

        Raises SubjectError for any of the named outcomes, and SkippedError.
        """
        self._running()
        answer = self._ask(self._question(command, history, **fields), self._timeout)
        return self._checked(self._parsed(answer))

    def _question(self, command: str, history: str, **fields: object) -> bytes:
        self._seq += 1
        head = json.dumps({"cmd": command, "seq": self._seq, **fields})
        # The history is JSON already, and is often sent several times.
        line = f'{head[:-1]}, "history": {history}}}\n'.encode()
        if self._check and command == "run":
            trouble = self._check("to_subject", json.loads(line))
            if trouble:
                raise CommandError(f"the suite breaks its own protocol: {trouble}")
        return line

    def _ask(self, line: bytes, timeout: float) -> bytes:
        assert self._process
        try:
            return self._process.ask(line, timeout)
        except ProcessEndedError as error:
            self._fail("crashed", str(error))
        except NoAnswerError:
            self._fail("hung", f"no answer after {timeout:g} s")
        except EndlessLineError as error:
            self._fail("spoke garbage", str(error))

    def _parsed(self, answer: bytes) -> dict[str, Any]:
        try:
            message = parse(answer)
        except NotJson as error:
            self._fail("spoke garbage", f"{error}: {_told(answer)}")
        if not isinstance(message, dict):
            self._fail("spoke garbage", f"no object: {_told(answer)}")
        return message

    def _checked(self, message: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to the last question, if that is what `message` is."""
        if "seq" not in message:
            self._fail("spoke garbage", f"no seq: {_told(json.dumps(message).encode())}")
        if message["seq"] != self._seq or isinstance(message["seq"], bool):
            self._fail("wrong seq", f"{message['seq']!r} instead of {self._seq}")
        if self._check and (trouble := self._check("from_subject", message)):
            self._fail("spoke garbage", trouble)
        if sum(kind in message for kind in ("prompt", "error", "skipped")) > 1:
            self._fail("spoke garbage", "more than one of prompt, error and skipped")
        if "error" in message:
            raise SubjectError("raised", str(message["error"]))
        if "skipped" in message:
            raise SkippedError(str(message["skipped"]))
        return message

    def _fail(self, outcome: str, detail: str) -> NoReturn:
        """End the process, whose state nobody knows now, and raise SubjectError."""
        assert self._process
        words = self._process.last_words()
        self._process.close()
        self._process = None
        raise SubjectError(
            outcome, f"{detail}; it said: {_told(words.encode())}" if words else detail
        )

    def _running(self) -> None:
        """See that the process runs and has said who it is."""
        if self._process is not None:
            self._process.forget_words()
            return
        if self._stillborn is not None:
            raise self._stillborn
        if self._starts >= STARTS:
            raise SubjectGoneError("gone", f"it failed {STARTS} times")
        self._starts += 1
        try:
            self._start()
        except SubjectError as error:
            if self._starts == 1:
                self._stillborn = error
            raise

    def _start(self) -> None:
        try:
            self._process = Process(self._argv, environment=self._environment, folder=self._folder)
        except OSError as error:
            raise SubjectError("died at start", f"{self._argv[0]}: {error.strerror}") from None
        try:
            answer = self._ask(_line({"cmd": "start", "version": VERSION}), _START_TIMEOUT)
        except SubjectError as error:
            if error.outcome == "crashed":
                raise SubjectError("died at start", error.detail) from None
            raise
        hello = self._parsed(answer)
        if hello.get("version") != VERSION:
            self._fail("spoke garbage", f"not version {VERSION} at start: {_told(answer)}")
        if self._check and (trouble := self._check("hello", hello)):
            self._fail("spoke garbage", trouble)
        try:
            self._capabilities = self._declared(hello.get("capabilities") or {})
        except (ValueError, TypeError) as error:
            self._fail("spoke garbage", f"capabilities: {error}")


class CommandSubject(RemoteSubject):
    """A command in any language. What it does inside its process stays its secret."""

    def observed(self, history: Sequence[Item], modalities: frozenset[str]) -> dict[str, str]:
        raise NotImplementedError(f"{self.name} is not seen from inside")


class InterpreterSubject(RemoteSubject):
    """A callable in another Python interpreter, which need not have anything of ours installed.

    Its `argv` comes from `python_argv`.
    """

    _seen_inside = True

    def prompts(
        self, history: Sequence[Item], modality_sets: Sequence[frozenset[str]]
    ) -> list[list[Item]]:
        sets = [_listed(modalities) for modalities in modality_sets]
        answer = self._answer("prompts", json_text(history), modality_sets=sets)
        return [_prompt_in({"prompt": prompt}) for prompt in answer["prompts"]]

    def live_prompt(self, record: list[Item], modalities: frozenset[str]) -> list[Item]:
        answer = self._answer("live", json_text(record), modalities=_listed(modalities))
        record[:] = answer.get("record", record)
        return _prompt_in(answer)

    def observed(self, history: Sequence[Item], modalities: frozenset[str]) -> dict[str, str]:
        answer = self._answer("observe", json_text(history), modalities=_listed(modalities))
        found: dict[str, str] = answer["found"]
        return found

    def seconds(
        self, history: Sequence[Item], modalities: frozenset[str], repeats: int = 1
    ) -> float:
        """Return the time that passes inside."""
        text = json_text(history)
        listed = _listed(modalities)
        return min(
            float(self._answer("time", text, modalities=listed)["seconds"]) for _ in range(repeats)
        )


def python_argv(interpreter: str, target: str, paths: Sequence[str]) -> list[str]:
    """Return the command that serves `target`, a `package.module:callable`, in `interpreter`."""
    return [interpreter, str(_SHIM), target, *paths]


def _prompt_in(answer: dict[str, Any]) -> list[Item]:
    try:
        return checked_prompt(answer.get("prompt"))
    except PromptError as error:
        raise SubjectError("returned no prompt", str(error)) from None


def _listed(modalities: frozenset[str]) -> list[str]:
    return [name for name in MODALITIES if name in modalities]


def _line(message: Mapping[str, object]) -> bytes:
    return json.dumps(message).encode() + b"\n"


def _told(answer: bytes) -> str:
    """Return the beginning of what was said, fit for one line."""
    text = answer[: _TOLD + 1].decode("utf-8", "replace")
    shown = text if text.isprintable() else repr(text)
    return shown if len(text) <= _TOLD else f"{shown[:_TOLD]}…"
