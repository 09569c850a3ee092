"""Another process that answers one line with one line, and never makes us wait for longer than we
want to.

Both directions are watched at once: a process that talks before it has listened to the end does not
bring the two to a standstill. What it says on stderr goes to a file, for the same reason.
"""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import tempfile
import time
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

#: A longer line is none: somebody forgot to end it.
_LONGEST_LINE: Final = 1 << 28

#: How much is read at once.
_CHUNK: Final = 1 << 18

#: What a process says on stderr is kept up to about this size.
_MOST_WORDS: Final = 1 << 20

#: How much of it is told, from its end.
_TOLD_WORDS: Final = 400

#: How a line begins that names an error: `ValueError: no`, `Error [ERR_X]: no`.
_ERROR: Final = re.compile(r"(Uncaught )?[\w.]*(Error|Exception)\b.*:")

#: How long a process may take to end by itself, in seconds.
_GRACE: Final = 1.0


class ProcessEndedError(Exception):
    """The process is gone, or its output is closed; the message says how it ended."""


class NoAnswerError(Exception):
    """The process did not answer in time."""


class EndlessLineError(Exception):
    """The process says more than any answer holds."""


class Process:
    """A running process. Closed when it is no longer needed, at the latest at our own end."""

    def __init__(
        self,
        argv: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> None:
        """Start it, in `folder`; raises OSError when there is no such program."""
        # Closed by `_end`.
        self._stderr: IO[bytes] = tempfile.TemporaryFile("a+b")  # noqa: SIM115
        try:
            self._child = subprocess.Popen(
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                bufsize=0,
                env={**os.environ, **(environment or {})},
                cwd=folder,
                start_new_session=True,  # so that whatever it starts ends with it
            )
        except BaseException:
            self._stderr.close()
            raise
        assert self._child.stdin
        assert self._child.stdout
        self._in, self._out = self._child.stdin.fileno(), self._child.stdout.fileno()
        os.set_blocking(self._in, False)
        self._received = b""
        self._reading, self._both = select.poll(), select.poll()
        self._reading.register(self._out, select.POLLIN)
        self._both.register(self._out, select.POLLIN)
        self._both.register(self._in, select.POLLOUT)
        self._finalizer = weakref.finalize(self, _end, self._child, self._stderr)

    def ask(self, line: bytes, timeout: float) -> bytes:
        """Return the line that the process answers to `line` within `timeout` seconds.

        Raises ProcessEndedError, NoAnswerError or EndlessLineError.
        """
        deadline = time.monotonic() + timeout
        unsent = self._sent(memoryview(line))
        chunks: list[bytes] = []
        chunk, self._received = self._received, b""
        while b"\n" not in chunk:
            chunks.append(chunk)
            if len(chunks) * _CHUNK > _LONGEST_LINE and sum(map(len, chunks)) > _LONGEST_LINE:
                raise EndlessLineError(f"a line of more than {_LONGEST_LINE:,} bytes")
            chunk = self._heard(unsent, deadline)
            if unsent:
                unsent = self._sent(unsent)
        end, _, self._received = chunk.partition(b"\n")
        return b"".join([*chunks, end])

    def _sent(self, unsent: memoryview) -> memoryview:
        """Send as much as fits and return the rest."""
        try:
            return unsent[os.write(self._in, unsent) :]
        except BlockingIOError:
            return unsent
        except BrokenPipeError:
            return unsent[:0]  # It listens no more; what it still says tells why.

    def _heard(self, unsent: memoryview, deadline: float) -> bytes:
        """Return what it says next; nothing when there is room to send more."""
        left = deadline - time.monotonic()
        ready = (self._both if unsent else self._reading).poll(max(0.0, left) * 1000)
        if not ready or left < 0:
            if self._child.poll() is not None:  # and somebody else holds its output open
                raise ProcessEndedError(self._ending())
            raise NoAnswerError
        if all(descriptor == self._in for descriptor, _ in ready):
            return b""
        chunk = os.read(self._out, _CHUNK)
        if not chunk:
            raise ProcessEndedError(self._ending())
        return chunk

    def _ending(self) -> str:
        try:
            code = self._child.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        if code >= 0:
            return f"exit code {code}"
        try:
            return f"killed by {signal.Signals(-code).name}"
        except ValueError:
            return f"killed by signal {-code}"

    def last_words(self) -> str:
        """Return the line of what it said on stderr that matters: the last with an error, if any.

        Python's tracebacks end with it; Node.js adds its version.
        """
        if self._stderr.closed:
            return ""
        size = self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, size - _TOLD_WORDS))
        words = self._stderr.read().decode("utf-8", "replace").strip()
        lines = [line.strip() for line in words.splitlines()]
        return next((line for line in reversed(lines) if _ERROR.match(line)), (lines or [""])[-1])

    def forget_words(self) -> None:
        """Drop what it said on stderr, where that has become much."""
        if os.fstat(self._stderr.fileno()).st_size > _MOST_WORDS:
            self._stderr.truncate(0)

    def close(self, farewell: bytes = b"") -> None:
        """End it: by `farewell` if it understands that, else by force."""
        if farewell and self._child.poll() is None:
            self._sent(memoryview(farewell))
        if self._child.stdin and not self._child.stdin.closed:
            self._child.stdin.close()
        if farewell:
            with suppress(subprocess.TimeoutExpired):
                self._child.wait(_GRACE)
        self._finalizer()


def _end(child: subprocess.Popen[bytes], stderr: IO[bytes]) -> None:
    """Kill the process with all that it started, and take leave of it."""
    with suppress(ProcessLookupError, PermissionError):  # it has ended already
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    for stream in (child.stdin, child.stdout, stderr):
        if stream and not stream.closed:
            stream.close()
