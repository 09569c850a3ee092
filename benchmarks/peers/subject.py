"""Peers as subjects, for everything that tries a normalizer."""

from __future__ import annotations

import sys
import warnings
from dataclasses import replace
from importlib import import_module
from typing import Final

from benchmarks.peers.peer import PEERS
from normalizer import CommandError, Normalizer
from properties.capabilities import CODEX
from properties.remote import InterpreterSubject, python_argv
from properties.subject import PythonSubject, Subject

#: Some packages take many seconds to import: a new process is waited for as long as this.
_IMPORT: Final = 120.0


def peer_subject(name: str, timeout: float) -> Subject:
    """Return the peer of that name as a subject.

    Raises CommandError when there is none, or when its package is not installed.
    """
    if name not in PEERS:
        raise CommandError(f"no peer {name!r}: choose from {', '.join(PEERS)}")
    peer = PEERS[name]
    peer.version()
    argv = python_argv(sys.executable, peer.target, sys.path)
    elsewhere = InterpreterSubject(f"peer:{name}", argv, timeout=_IMPORT, claims=peer.claims)
    # What a peer does to chat messages of the bridge's own making is not seen from here.
    capabilities = replace(CODEX.declared(peer.claims), seen_inside=not peer.bridged)
    return PythonSubject(
        f"peer:{name}",
        adapter(peer.target),
        timeout=timeout,
        capabilities=capabilities,
        anew=elsewhere.anew,
    )


def adapter(target: str) -> Normalizer:
    """Return the adapter at `target`, `module:function`; what its packages warn of is not ours."""
    module, _, function = target.partition(":")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found: Normalizer = getattr(import_module(module), function)
    return found
