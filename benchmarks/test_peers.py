"""The bridge to chat messages changes nothing by itself, and the adapters reach their peers."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given

from benchmarks.histories import build
from benchmarks.peers import Peer, installed_peers
from benchmarks.peers.bridge import chat_id
from benchmarks.peers.chat import Message, repaired
from benchmarks.targets import target_of
from benchmarks.timing import fastest, settled, slope
from normalizer import ALL, CommandError, Item
from strategies import history_of, whole_histories


def as_it_is(messages: list[Message]) -> list[Message]:
    """Return the messages that went in."""
    return messages


def answering(*call_ids: str) -> Callable[[list[Message]], list[Message]]:
    """Return a repair that makes up an output for each of these, at the end."""
    return lambda messages: [
        *messages,
        *({"role": "tool", "tool_call_id": call_id, "content": "lost"} for call_id in call_ids),
    ]


# --- the bridge -----------------------------------------------------------------------------------


@given(whole_histories())
def test_what_a_peer_leaves_alone_comes_back(history: list[Item]) -> None:
    """Every item, equal and in its place, also those that no chat message can say."""
    assert history == repaired(history, as_it_is)


def test_equal_ids_of_two_families_are_two() -> None:
    """A peer that looks for the output of a call finds none of another family."""
    seen: list[Message] = []

    def look(messages: list[Message]) -> list[Message]:
        seen.extend(messages)
        return messages

    repaired(history_of('FC("") CO("")'), look)

    assert seen[0]["tool_calls"][0]["id"] != seen[1]["tool_call_id"]


def test_made_up_outputs_come_behind_their_calls() -> None:
    """Also where another call of the batch was answered."""
    history = history_of("FC(a) FC(b) FC(c) FO(b)")
    repair = answering("function_call_output|a", "function_call_output|c")
    called = [(item["type"][9:], item["call_id"]) for item in repaired(history, repair)]

    assert [
        ("call", "a"),
        ("call_output", "a"),
        ("call", "b"),
        ("call", "c"),
        ("call_output", "c"),
        ("call_output", "b"),
    ] == called


def test_the_bridge_is_linear() -> None:
    """One batch of open calls, all answered: a peer is not to be charged for the way to it."""

    def seconds(size: int) -> float:
        history = build("unanswered", size)
        ids = [chat_id(call) for call in history]
        return fastest(lambda: repaired(history, answering(*ids)), 3)

    growth = settled(lambda _: slope([500, 4000], [seconds(500), seconds(4000)]), 1, 1.5)

    assert growth < 1.5


def test_another_order_is_left_to_be_seen() -> None:
    """Outputs that do not follow the order of their calls stay where a peer put them."""
    history = history_of("FC(a) FC(b)")
    repair = answering("function_call_output|b", "function_call_output|a")

    assert ["a", "b", "b", "a"] == [item["call_id"] for item in repaired(history, repair)]


def test_what_stays_behind_comes_back_where_it_was() -> None:
    """Behind what stood before it, and behind the output that was made up for that."""
    history = history_of("R FC(a) W TO(null) LS(null)")
    kinds = [item["type"] for item in repaired(history, answering("function_call_output|a"))]

    assert ["reasoning", "function_call", "function_call_output"] == kinds[:3]
    assert ["web_search_call", "tool_search_output", "local_shell_call"] == kinds[3:]


def test_a_rewritten_text_is_seen() -> None:
    """What a peer puts in the place of a text, and a message that it adds."""

    def repair(messages: list[Message]) -> list[Message]:
        return [{**messages[0], "content": "other"}, {"role": "user", "content": "go on"}]

    texts = [item["content"] for item in repaired(history_of("U"), repair)]

    assert ["other", "go on"] == [parts[0]["text"] for parts in texts]


# --- the adapters ---------------------------------------------------------------------------------


NONE = pytest.mark.skip(reason="no peer is installed: pip install 'callpair[peers]'")
FOUND = [pytest.param(peer, id=peer.name) for peer in installed_peers()]


@pytest.fixture(params=FOUND or [pytest.param(None, marks=NONE, id="none")])
def peer(request: pytest.FixtureRequest) -> Peer:
    """Return each peer that is installed."""
    found: Peer = request.param
    return found


def adapter(peer: Peer) -> Callable[[list[Item], Any], list[Item]]:
    """Return the adapter; what its packages warn of is not ours."""
    module, _, name = peer.target.partition(":")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found: Callable[[list[Item], Any], list[Item]] = getattr(import_module(module), name)
    return found


def test_a_peer_that_is_not_installed_is_told() -> None:
    """With what to type."""
    missing = Peer("nobody", "no-such-package", "nowhere:normalize", "nothing")

    with pytest.raises(CommandError, match="no-such-package is not installed: pip install"):
        missing.version()
    assert missing not in installed_peers()


def test_a_peer_does_what_it_claims(peer: Peer) -> None:
    """It answers one open call, or drops it."""
    kinds = [item["type"] for item in adapter(peer)(history_of("U FC(a) U"), ALL)]
    dropped = peer.claims.get("unanswered") == "drop"

    assert kinds == (
        ["message", "message"]
        if dropped
        else ["message", "function_call", "function_call_output", "message"]
    )


def test_a_peer_leaves_whole_histories_alone(peer: Peer) -> None:
    """Paired calls of each family that it knows come back equal."""
    history = history_of("U FC(a) FO(a) A CC(b) TC(c) CO(b) TO(c) U")

    assert history == adapter(peer)(history, ALL)


def test_a_peer_can_be_timed() -> None:
    """`callpair bench` imports its adapter in a process of its own."""
    target = target_of("peer:turnsafe")

    assert target is not None
    assert ("benchmarks.peers.turnsafe", "normalize") == (target.module, target.attribute)
    assert target_of("peer:nobody") is None
