"""The Codex program: where it is, and how it is run to its end."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from benchmarks.codex.errors import CodexError

#: Names the program where none is given.
VARIABLE: Final = "CALLPAIR_CODEX"

#: Seconds that one run may take.
_TIMEOUT: Final = 60.0


def find_codex(path: str | None = None) -> Path:
    """Return the program at `path`, else the one that $CALLPAIR_CODEX names, else that on the PATH.

    Raises CodexError when there is none.
    """
    named = path or os.environ.get(VARIABLE) or "codex"
    launcher = shutil.which(named)
    if launcher is None:
        raise CodexError(
            f"no Codex CLI at {named!r}: npm install @openai/codex, "
            f"then name it with --codex or ${VARIABLE}"
        )
    return _native(Path(launcher).resolve())


def _native(launcher: Path) -> Path:
    """Return the program behind the script that npm installs: without node it starts faster."""
    packages = launcher.parent.parent.parent
    natives = sorted(packages.glob("codex-*/vendor/*/bin/codex"))
    return natives[0] if launcher.suffix == ".js" and natives else launcher


class Cli:
    """Runs one Codex program, from several threads if need be, and leaves no process behind."""

    def __init__(self, program: Path) -> None:
        self.program: Final = program
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()

    def run(
        self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str]
    ) -> subprocess.CompletedProcess[bytes]:
        """Run Codex in `folder` to its end.

        Raises CodexError when it cannot be started or takes too long.
        """
        command = [str(self.program), *arguments]
        try:
            # In a session of its own: a helper that outlives Codex can be ended with it.
            process = subprocess.Popen(
                command,
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise CodexError(f"cannot run {self.program}: {error.strerror}") from None
        with self._lock:
            self._running.add(process)
        try:
            out, err = process.communicate(timeout=_TIMEOUT)
        except subprocess.TimeoutExpired:
            raise CodexError(f"Codex gave no answer within {_TIMEOUT:g} s") from None
        finally:
            _end(process)
            with self._lock:
                self._running.discard(process)
        return subprocess.CompletedProcess(command, process.returncode, out, err)

    def close(self) -> None:
        """End every run that still goes on."""
        with self._lock:
            running = list(self._running)
        for process in running:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=10)


def complaint(result: subprocess.CompletedProcess[bytes]) -> str:
    """Return why Codex ended the way it did, in its own words."""
    lines = result.stderr.decode(errors="replace").strip().splitlines()
    errors = [line for line in lines if "error" in line.lower()] or lines[-1:]
    return f"exit {result.returncode}: " + (" / ".join(errors) or "no message")
