"""The released Codex CLI as an oracle: the prompt that it really makes of a session.

Nothing is mocked on its side: it resumes a session from a rollout file, and what it sends to its
model provider is kept. The provider is ours.
"""

from __future__ import annotations

import json
import tempfile
import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from subprocess import CompletedProcess
from types import TracebackType
from typing import Final, Self

from benchmarks.codex.cli import Cli, complaint
from benchmarks.codex.errors import CodexError
from benchmarks.codex.home import MODELS, PROVIDER, Home, catalogue_of
from benchmarks.codex.provider import Provider
from normalizer import Item


@dataclass(frozen=True, slots=True)
class Resumption:
    """What Codex made of one rollout file."""

    #: The prompt of the resumed history; None when Codex refused the session.
    prompt: list[Item] | None
    #: What it said when it refused.
    refusal: str = ""


class Oracle:
    """Asks one Codex program for prompts; used in a `with` block, from several threads at once."""

    def __init__(self, program: Path) -> None:
        self._cli: Final = Cli(program)
        self._scratch: Final = Path(tempfile.mkdtemp(prefix="callpair-codex-"))
        self._catalogue: Final = self._scratch / "models.json"
        self._provider: Final = Provider()

    def __enter__(self) -> Self:
        try:
            self._write_catalogue()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End every run of Codex, stop the provider, delete the scratch folder."""
        self._cli.close()
        self._provider.close()
        rmtree(self._scratch, ignore_errors=True)

    @property
    def strays(self) -> tuple[str, ...]:
        """Requests besides those for a prompt; none of them left the machine."""
        return tuple(self._provider.strays)

    def version(self) -> str:
        """Return what Codex calls itself, such as `codex-cli 0.171.0`."""
        return self._run_in(Home(self._scratch), "--version").stdout.decode().strip()

    def resume(self, rollout: bytes, modalities: frozenset[str]) -> Resumption:
        """Return what Codex makes of a rollout file for a model that takes `modalities`.

        Raises CodexError when it gives no answer, or one that cannot be understood.
        """
        session, provider = _session_and_provider(rollout)
        home = Home(self._scratch)
        mailbox = self._provider.open_mailbox()
        try:
            home.configure(provider, mailbox.url, self._catalogue)
            home.record(session, rollout)
            started = time.time()
            model = ("-m", MODELS[modalities])
            options = ("--skip-git-repo-check", "--color", "never", *model)
            result = self._run_in(home, "exec", *options, "resume", session, "<<END>>")
            request = mailbox.first()
        finally:
            self._provider.close_mailbox(mailbox)
            home.delete()
        if request is None:
            return Resumption(None, complaint(result))
        if request.get("prompt_cache_key") != session:
            return Resumption(None, "Codex began a new session")
        return Resumption(_resumed_part(request["input"], started))

    def _write_catalogue(self) -> None:
        result = self._run_in(Home(self._scratch), "debug", "models", "--bundled")
        try:
            text = catalogue_of(json.loads(result.stdout))
        except (ValueError, LookupError, TypeError):
            raise CodexError(f"`codex debug models` failed: {complaint(result)}") from None
        self._catalogue.write_text(text, encoding="utf-8")

    def _run_in(self, home: Home, *arguments: str) -> CompletedProcess[bytes]:
        return self._cli.run(arguments, home.work, home.environment(self._provider.origin))


def _session_and_provider(rollout: bytes) -> tuple[str, str]:
    """Return the session id and the provider that Codex looks for; any if the file names none."""
    for line in rollout.split(b"\n"):
        try:
            envelope = json.loads(line)
            if envelope["type"] != "session_meta":
                continue
            session = str(uuid.UUID(envelope["payload"]["id"]))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            continue
        provider = envelope["payload"].get("model_provider")
        return session, provider if isinstance(provider, str) and provider else PROVIDER
    return str(uuid.uuid4()), PROVIDER


def _resumed_part(prompt: list[Item], started: float) -> list[Item]:
    """Return what the prompt owes to the rollout.

    Before it stand Codex's own instructions, after it the new turn.
    """
    first = 1 if prompt and _is_instruction(prompt[0]) else 0
    last = len(prompt)
    while last > first and _is_made_since(prompt[last - 1], started):
        last -= 1
    if last == len(prompt):
        raise CodexError("the prompt does not end with the new turn")
    return prompt[first:last]


def _is_instruction(item: Item) -> bool:
    return item.get("role") == "developer" and _uuid_of(item, version=5) is not None


def _is_made_since(item: Item, started: float) -> bool:
    """Whether `item` is of the new turn: its messages' UUIDs hold the time in milliseconds."""
    made = _uuid_of(item, version=7)
    return made is not None and made.int >> 80 >= int(started * 1000)


def _uuid_of(item: Item, *, version: int) -> uuid.UUID | None:
    """Return the UUID of that version in a message's id; None if there is none."""
    item_id = item.get("id")
    if item.get("type") != "message" or not isinstance(item_id, str):
        return None
    try:
        found = uuid.UUID(item_id.removeprefix("msg_"))
    except ValueError:
        return None
    return found if found.version == version else None
