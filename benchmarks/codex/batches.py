"""Many histories in one session: Codex takes half a second to start, and nothing to go on.

Pairing looks at a whole session, so the call ids of the histories in it must not meet. A history
keeps its ids as long as no other one in the batch has them: the empty id, or one that looks like a
number, then goes to Codex as it is. Where ids would meet they get a tag, before or behind, which
keeps apart what was apart and equal what was equal.
"""

from __future__ import annotations

import json
import secrets
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import Final

from benchmarks.codex.errors import CodexError
from benchmarks.codex.home import PROVIDER
from normalizer import FAMILIES_OF_OUTPUT, FAMILY_OF_CALL, Item

#: Codex needs time quadratic in the items of a session: longer batches are slower again.
_MAX_ITEMS: Final = 1500

_TIME: Final = "2026-12-01T10:00:00.000Z"

History = Sequence[Item]


class Batch:
    """Histories whose call ids are disjoint, and the way to their prompts and back."""

    def __init__(self) -> None:
        #: The histories as they are sent.
        self.histories: Final[list[list[Item]]] = []
        self._nonce = secrets.token_hex(8)
        self._call_ids: set[str] = set()
        self._size = 0

    def has_room(self, history: History) -> bool:
        """Whether `history` may join; one that is too long for any batch has one of its own."""
        return not self.histories or self._size + len(history) < _MAX_ITEMS

    def add(self, history: History) -> None:
        """Take `history` in, with other call ids where its own are in use."""
        sent = _apart(history, self._call_ids, len(self.histories))
        self.histories.append(sent)
        self._call_ids |= _call_ids(sent)
        self._size += len(sent) + 1

    def rollout(self) -> bytes:
        """Return one rollout file that holds every history, a marker message before each."""
        lines = [header()]
        for index, history in enumerate(self.histories):
            lines += [
                rollout_line("response_item", item) for item in (self._marker(index), *history)
            ]
        return b"".join(lines)

    def split(self, prompt: list[Item]) -> list[list[Item]]:
        """Return the prompt of each history, out of that of the whole session.

        Raises CodexError where the markers are not what they were.
        """
        prompts: list[list[Item]] = []
        for item in prompt:
            if item == self._marker(len(prompts)):
                prompts.append([])
            elif prompts:
                prompts[-1].append(item)
            else:
                raise CodexError(f"the prompt does not begin with the first marker: {item}")
        if len(prompts) != len(self.histories):
            raise CodexError(f"{len(self.histories)} histories went in, {len(prompts)} came out")
        return prompts

    def _marker(self, index: int) -> Item:
        text = f"<<history {self._nonce} {index}>>"
        return {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": text}],
        }


def batches(histories: Iterable[History]) -> Iterator[Batch]:
    """Yield `histories`, in their order, in as few batches as are fast."""
    batch = Batch()
    for history in histories:
        if not batch.has_room(history):
            yield batch
            batch = Batch()
        batch.add(history)
    if batch.histories:
        yield batch


def header(**more: str) -> bytes:
    """Return the first line of a rollout file, of a new session, with its line break."""
    payload = {
        "id": str(uuid.uuid4()),
        "timestamp": _TIME,
        "cwd": "/workspace",
        "originator": "codex_exec",
        "cli_version": "0.171.0",
        "source": "exec",
        "model_provider": PROVIDER,
        "base_instructions": {"text": "oracle"},
    }
    return rollout_line("session_meta", payload | more)


def rollout_line(kind: str, payload: object, **more: object) -> bytes:
    """Return a line of a rollout file, with its line break."""
    envelope = {"timestamp": _TIME, "type": kind, "payload": payload, **more}
    return json.dumps(envelope, allow_nan=False).encode() + b"\n"


def _apart(history: History, taken: set[str], place: int) -> list[Item]:
    """Return `history` with call ids none of which is `taken`, those it has if possible."""
    sent = list(history)
    # Alternately in front and behind: what ids begin with, and what they end with, gets its turn.
    tags = (f"{number}/" for number in count(place))
    while not taken.isdisjoint(_call_ids(sent)):
        tag = next(tags)
        sent = [_renamed(item, _tagged(tag, before=bool(place % 2))) for item in history]
    return sent


def _tagged(tag: str, *, before: bool) -> Callable[[str], str]:
    return lambda call_id: tag + call_id if before else call_id + tag


def _renamed(item: Item, renamed: Callable[[str], str]) -> Item:
    return item | {"call_id": renamed(item["call_id"])} if _is_linked(item) else item


def _call_ids(history: History) -> set[str]:
    return {item["call_id"] for item in history if _is_linked(item)}


def _is_linked(item: Item) -> bool:
    kind = item["type"]
    return (kind in FAMILY_OF_CALL or kind in FAMILIES_OF_OUTPUT) and item.get(
        "call_id"
    ) is not None
