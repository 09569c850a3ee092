"""Speak a subject's side of the protocol: one JSON object a line on stdin and stdout.

For testing harnesses: whatever runs `command:ARGV` subjects can run any subject this way.
docs/protocol.md tells what is said.

Exits with 0 when it is told to stop or its input ends, 2 if there is no such subject.

examples:
  callpair serve reference
  callpair check --subject 'command:callpair serve reference'
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from normalizer import MODALITIES
from properties.capabilities import CLAIMS, Capabilities
from properties.commands.options import add_subject_handling, subject_of
from properties.loading import KINDS
from properties.shim import private_output, serve


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("subject", metavar="SUBJECT", help=f"the normalizer to serve: {KINDS}")
    add_subject_handling(parser)


def run(arguments: argparse.Namespace) -> int:
    subject = subject_of(arguments)

    def answer(message: dict[str, Any]) -> dict[str, Any]:
        return {"prompt": subject.prompt(message["history"], frozenset(message["modalities"]))}

    hello = {
        "name": subject.name,
        "language": "Python",
        "capabilities": _plain(subject.capabilities),
    }
    serve(answer, hello, sys.stdin.buffer, private_output())
    subject.close()
    return 0


def _plain(capabilities: Capabilities) -> dict[str, Any]:
    """Return the claims as JSON has them."""
    plain: dict[str, Any] = {claim: getattr(capabilities, claim) for claim in CLAIMS}
    plain["families"] = sorted(capabilities.families)
    plain["modalities"] = [name for name in MODALITIES if name in capabilities.modalities]
    plain["media_texts"] = dict(capabilities.media_texts)
    return plain
