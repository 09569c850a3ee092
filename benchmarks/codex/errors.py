"""What keeps Codex from being asked, told in one line."""

from __future__ import annotations

from normalizer import CommandError


class CodexError(CommandError):
    """Codex is not there, does not answer, or its answer cannot be understood."""
