"""The texts that items hold, in the lengths and scripts of real sessions.

Items share them, as they would not in a file: neither a copy nor a normalizer looks into a text,
and so a million items fit into memory.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from random import Random
from typing import Final

#: Bytes of the images and of the sound before base64: an icon, a screenshot, a photo.
_MEDIA_BYTES: Final = (1_500, 24_000, 150_000)


def _base64_of(random: Random, size: int) -> str:
    return base64.b64encode(random.randbytes(size)).decode("ascii")


#: Generated images as the API returns them, in a few sizes.
PICTURES: Final = tuple(_base64_of(Random(size), size) for size in _MEDIA_BYTES)
IMAGE_URLS: Final = tuple(f"data:image/png;base64,{picture}" for picture in PICTURES)
AUDIO_URLS: Final = tuple(f"data:audio/wav;base64,{picture}" for picture in PICTURES)

_ENGLISH: Final = """
the a this it we you to of in for with when before after only also not still
test parser module branch cache reader config import commit error timeout stack trace function
session retry handler queue worker schema column index buffer fixture regression release
fix run check add remove rename split move read write build merge revert explain
failing slow missing broken flaky nested empty large stale unused wrong green
`main.py` "quoted" src/app/models.py [x] {}
"""
WORDS: Final = tuple(_ENGLISH.split())

#: One text in ten has such words. Python keeps the whole text in wider characters then, and so does
#: a reader of files the whole line.
_OTHERS: Final = ("größer", "naïve", "señal", "проверка", "テスト", "修复", "✅", "→")

COMMANDS: Final = (
    "rg -n 'def build' src | head -50",
    "sed -n '1,200p' src/app/models.py",
    "git status --short && git diff --stat",
    "python -m pytest -q tests/test_reader.py",
    "ls -la && cat pyproject.toml",
    "cargo test --workspace 2>&1 | tail -n 40",
    "find . -name '*.ts' -not -path './node_modules/*' | xargs wc -l",
    "npm run build -- --mode production",
)

TOOLS: Final = ("create_event", "list_events", "send_message", "search_files", "read_page")


class Texts:
    """What people, models and tools write, drawn from one random source."""

    def __init__(self, random: Random) -> None:
        self._random = random
        #: What a person or the model says.
        self.prose: Final = self._several(48, self._prose)
        #: Reasoning that only the API can read.
        self.encrypted: Final = self._several(16, self._encrypted)
        #: Arguments of a function call that runs a command.
        self.arguments: Final = self._several(32, self._arguments)
        #: Inputs of a custom call.
        self.patches: Final = self._several(24, self._patch)
        #: What a command printed.
        self.printed: Final = self._several(48, self._printed)

    def _several(self, count: int, text: Callable[[], str]) -> tuple[str, ...]:
        return tuple(text() for _ in range(count))

    def _prose(self) -> str:
        words = self._random.choices(WORDS, k=self._random.randint(4, 120))
        if self._random.random() < 0.1:
            words += self._random.choices(_OTHERS, k=3)
        return " ".join(words)

    def _encrypted(self) -> str:
        return "gAAAAA" + _base64_of(self._random, self._random.randint(300, 1_500))

    def _arguments(self) -> str:
        folder = f"/workspace/{self._random.choice(WORDS)}"
        return json.dumps({"cmd": self._random.choice(COMMANDS), "workdir": folder})

    def _patch(self) -> str:
        lines = "\n".join(f"+    {self._prose()}" for _ in range(self._random.randint(1, 12)))
        return f"*** Begin Patch\n*** Update File: src/app/models.py\n@@\n{lines}\n*** End Patch"

    def _printed(self) -> str:
        # One in eight is coloured. A file holds the escape characters as \u001b, and every reader
        # has a slower path for lines with such escapes.
        red, plain = ("\x1b[31m", "\x1b[0m") if self._random.random() < 0.125 else ("", "")
        lines = "\n".join(
            f"{red}src/app/models.py{plain}:{number}:{self._prose()}"
            for number in range(self._random.randint(1, 12))
        )
        return f"Chunk ID: 5a464b\nWall time: 0.2588 seconds\nProcess exited with code 0\n{lines}\n"
