"""An older revision of a normalizer, taken from its git repository into a temporary worktree."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from benchmarks.targets import Target
from normalizer import CommandError


class Checkout(NamedTuple):
    """A revision in a folder of its own."""

    #: As it was asked for, and the commit that it names.
    name: str
    #: Folder of the repository that it was taken from.
    repository: Path
    folder: Path

    def target(self, target: Target, root: Path) -> Target:
        """Return `target`, imported from `root` so far, to be imported from this revision.

        Raises CommandError when the revision has no such folder.
        """
        if self.counterpart(root) is None:
            raise CommandError(
                f"{self.name}: {target.name} comes from {root}, which that revision of "
                f"{self.repository} does not hold: use --subject-path or --base-subject"
            )
        return target.moved(self.name, (root, *map(Path, target.folders)), self.counterpart)

    def counterpart(self, folder: Path) -> Path | None:
        """Return where `folder` of the repository is in this revision; None if it is not."""
        folder = folder.resolve()
        if not folder.is_relative_to(self.repository):
            return None
        counterpart = self.folder / folder.relative_to(self.repository)
        return counterpart if counterpart.is_dir() else None


@contextmanager
def checked_out(revision: str, root: Path) -> Iterator[Checkout]:
    """Check out `revision` of the repository around `root`; nothing of it stays behind.

    Raises CommandError when there is no such repository or revision.
    """
    try:
        repository = Path(_git(root, "rev-parse", "--show-toplevel"))
        commit = _git(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    except subprocess.CalledProcessError:
        raise CommandError(
            f"no revision {revision!r} of {root} in a git repository: fetch it, or use "
            "--base-subject"
        ) from None
    with tempfile.TemporaryDirectory(prefix="callpair-base-") as temporary:
        folder = Path(temporary).resolve() / "base"
        _git(repository, "worktree", "add", "--detach", "--quiet", str(folder), commit)
        try:
            yield Checkout(f"{revision} {commit[:7]}", repository, folder)
        finally:
            _git(repository, "worktree", "remove", "--force", str(folder))


def _git(folder: Path, *arguments: str) -> str:
    # In a git hook, variables like GIT_DIR would name another repository; and no hook runs here.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    command = ["git", "-C", str(folder), "-c", f"core.hooksPath={os.devnull}", *arguments]
    try:
        done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    except FileNotFoundError:
        raise CommandError("git is not installed") from None
    return done.stdout.strip()
