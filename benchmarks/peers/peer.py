"""A normalizer that people use, and what it claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from normalizer import CommandError


@dataclass(frozen=True, slots=True)
class Peer:
    """One way to use one package; its adapter is imported only when it is asked for."""

    #: As it is asked for: `peer:NAME`.
    name: str
    #: What pip calls its package.
    package: str
    #: The adapter, as `module:function`.
    target: str
    #: What it normalizes, in a few words.
    takes: str
    #: What it claims, where that is not what Codex does: see `properties.capabilities`.
    claims: Mapping[str, Any] = field(default_factory=dict)
    #: Whether it takes chat messages, and a bridge is in between.
    bridged: bool = True
    #: What its own wire asks for, and breaks a property by.
    because: str = ""

    def version(self) -> str:
        """Return the version that is installed.

        Raises CommandError where none is.
        """
        try:
            return version(self.package)
        except PackageNotFoundError:
            raise CommandError(
                f"peer:{self.name}: {self.package} is not installed: pip install 'callpair[peers]'"
            ) from None


#: Claims of those that answer calls in chat messages: these have neither item ids nor, for tools,
#: media that a normalizer would look at.
_CHAT: Final = {"ids": "none", "media": "untouched"}

#: Those that drop calls take Codex's items, but know another output for a local shell call.
_DROPS: Final = {
    "families": ["function", "custom", "tool_search"],
    "unanswered": "drop",
    "ids": "none",
    "media": "untouched",
    "shares_untouched": True,
}

_REASONING: Final = (
    "the Responses API refuses reasoning without the call that it led to. An output that precedes "
    "its call is kept, as Codex keeps it"
)
_ADJACENT: Final = "the APIs that it serves want each output right behind its call, and one only"

#: All of them, by name.
PEERS: Final[Mapping[str, Peer]] = {
    peer.name: peer
    for peer in (
        Peer(
            "openai-agents",
            "openai-agents",
            "benchmarks.peers.openai_agents:normalize",
            "items: drop_orphan_function_calls",
            _DROPS,
            bridged=False,
            because=_REASONING,
        ),
        Peer(
            "openai-agents-session",
            "openai-agents",
            "benchmarks.peers.openai_agents:normalize_session",
            "items: prepare_input_with_session",
            _DROPS,
            bridged=False,
            because=_REASONING,
        ),
        Peer(
            "pydantic-ai",
            "pydantic-ai-slim",
            "benchmarks.peers.pydantic_ai:normalize",
            "its own messages: repair_messages",
            _CHAT | {"made_up_text": "any"},
            because=_ADJACENT,
        ),
        Peer(
            "litellm",
            "litellm",
            "benchmarks.peers.litellm:normalize",
            "chat messages: sanitize_messages_for_tool_calling",
            _CHAT | {"made_up_text": "any"},
            because=_ADJACENT,
        ),
        Peer(
            "deepagents",
            "deepagents",
            "benchmarks.peers.deepagents:normalize",
            "LangChain messages: PatchToolCallsMiddleware",
            _CHAT | {"made_up_text": "any"},
            because="what it makes up names the call id, so renaming that shows; it drops nothing",
        ),
        Peer(
            "turnsafe",
            "turnsafe",
            "benchmarks.peers.turnsafe:normalize",
            "chat messages: repair",
            _CHAT | {"made_up_text": "any"},
            because=_ADJACENT,
        ),
        Peer(
            "tool-call-repair",
            "tool-call-repair",
            "benchmarks.peers.toolrepair:normalize",
            "chat messages: repair, strategy synthesize",
            _CHAT | {"made_up_text": "any"},
            because=_ADJACENT,
        ),
        Peer(
            "tessera",
            "tessera-transcript",
            "benchmarks.peers.tessera:normalize",
            "chat messages: repair",
            _CHAT | {"made_up_text": "any"},
            because=f"{_ADJACENT}; it refuses, and says so, where call ids repeat",
        ),
    )
}


def installed_peers() -> list[Peer]:
    """Return the peers whose packages are installed."""
    found = []
    for peer in PEERS.values():
        try:
            peer.version()
        except CommandError:
            continue
        found.append(peer)
    return found
