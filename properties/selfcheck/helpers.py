"""What the self checks share: the golden data, files to read, callpair run as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from normalizer import ALL, Item
from properties.golden import FOLDER

PROJECT = Path(__file__).parents[2]
CRASHED = PROJECT / "examples" / "crashed-session.jsonl"

#: What Codex keeps in a rollout and leaves off the wire.
_OFF_THE_WIRE = "internal_chat_message_metadata_passthrough"


class Recording(NamedTuple):
    """A rollout file, and the prompt that Codex made of it for a model with these modalities."""

    path: Path
    modalities: frozenset[str]
    prompt: list[Item]

    @property
    def name(self) -> str:
        return f"{self.path.stem}-{'+'.join(sorted(self.modalities))}"


class Outcome(NamedTuple):
    """What a run of callpair left behind."""

    code: int
    out: str
    err: str


def recordings(folder: str) -> list[Recording]:
    """Return the recordings in a folder of the golden data, one for each prompt."""
    found = []
    for path in sorted((FOLDER / folder).glob("*.jsonl")):
        prompts = json.loads(path.with_suffix(".prompt.json").read_bytes())
        if isinstance(prompts, list):
            prompts = {",".join(ALL): prompts}
        found += [
            Recording(path, frozenset(names.split(",")), prompt)
            for names, prompt in prompts.items()
        ]
    return found


def as_sent(prompt: list[Item]) -> list[Item]:
    """Return `prompt` without what Codex leaves off the wire."""
    return [{key: item[key] for key in item if key != _OFF_THE_WIRE} for item in prompt]


def line(payload: object, kind: str = "response_item") -> str:
    """Return the line that a rollout holds for `payload`."""
    envelope = {"timestamp": "2026-12-01T10:00:00.000Z", "type": kind, "payload": payload}
    return json.dumps(envelope, ensure_ascii=False)


def message(text: str) -> Item:
    """Return a user message that says `text`."""
    content = [{"type": "input_text", "text": text}]
    return {"type": "message", "role": "user", "content": content}


def call(call_id: str, **more: object) -> Item:
    """Return a function call without an output."""
    return {"type": "function_call", "call_id": call_id, "name": "f", "arguments": "{}", **more}


def written(path: Path, *lines: str | bytes) -> Path:
    """Write a file of these lines and return its path."""
    raw = [text.encode() if isinstance(text, str) else text for text in lines]
    path.write_bytes(b"".join(text + b"\n" for text in raw))
    return path


def snapshot(folder: Path) -> dict[Path, tuple[int, bytes]]:
    """Return when each file below `folder` was last written, and its bytes."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def mutables(value: Any) -> dict[int, Any]:
    """Return every object inside `value` that somebody could change, by identity."""
    if isinstance(value, Mapping):
        inner = list(value.values())
    elif isinstance(value, list | tuple):
        inner = list(value)
    else:
        return {}
    found = {} if isinstance(value, tuple) else {id(value): value}
    for part in inner:
        found |= mutables(part)
    return found


def callpair(*arguments: str | Path, stdin: bytes = b"", cwd: Path = PROJECT) -> Outcome:
    """Run callpair from this checkout the way a user does."""
    return run([sys.executable, PROJECT / "callpair.py", *arguments], stdin=stdin, cwd=cwd)


def run(
    command: list[str | Path],
    *,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    cwd: Path = PROJECT,
) -> Outcome:
    """Run a command to its end, `env` added to its environment, and return what it left behind."""
    done = subprocess.run(
        command,
        input=stdin,
        env={**os.environ, **(env or {})},
        cwd=cwd,
        capture_output=True,
        check=False,
        timeout=60,
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())
