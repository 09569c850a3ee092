"""Rollout files: the bytes of a recorded session, whole and damaged."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st

from normalizer import FAMILIES_OF_OUTPUT, FAMILY_OF_CALL, Item
from strategies.bits import Bits
from strategies.damages import DAMAGES, RolloutDraft
from strategies.labelled import Labelled, without_labels
from strategies.lines import (
    Line,
    Record,
    carrying,
    compaction,
    event,
    header,
    is_user,
    line_of,
    rollback,
    summary,
    user_message,
)
from strategies.whole import Draft, Options, drafts

#: How many damages one file gets at the most.
MAX_DAMAGES: Final = 5

#: The rewrites that one file holds, in their order. A rollback and a compaction after it would say
#: little: the compaction carries what the rollback left.
_REWRITES: Final = (
    ("rollback",),
    ("compaction",),
    ("summary",),
    ("compaction", "rollback"),
    ("summary", "rollback"),
    ("compaction", "summary"),
)

#: How many turns a rollback takes back.
_TURNS: Final = (1, 2, 3, 0, 1, 2, 1, 2**32 - 1)


@dataclass(frozen=True, slots=True)
class RolloutFile:
    """A rollout file and what a reader has to make of it."""

    data: bytes
    #: The items that it tells, after rollbacks and compactions.
    history: list[Item]
    #: The numbers of the lines that cannot be read, from 1.
    skipped: tuple[int, ...]
    #: What it was made with, each as `kind: name`.
    labels: tuple[str, ...]


def rollout_files(
    *, damages: Collection[str] = tuple(DAMAGES), unknown: bool = True
) -> st.SearchStrategy[bytes]:
    """The bytes of rollout files, whole or after one to five of the named `damages`.

    A file holds what Codex writes: a header, events beside items, rollbacks and compactions.
    Inside a test each damage is an `event`. `unknown` is that of `histories`.

    Raises ValueError at once for a name that is not in `DAMAGES`; without any, all files are whole.
    """
    files = recorded_rollouts(damages=damages, unknown=unknown)
    return without_labels(files.map(lambda file: Labelled(file.data, file.labels)))


def recorded_rollouts(
    *, damages: Collection[str] = tuple(DAMAGES), unknown: bool = True
) -> st.SearchStrategy[RolloutFile]:
    """What `rollout_files` draws, each file with the history that a reader has to find in it."""
    names = _checked_damages(damages)
    # The first extra says how the file is written, the others how it is damaged.
    extras = 1 + (MAX_DAMAGES if names else 0)
    plain = drafts(Options(unknown=unknown), extras=extras)
    # Only what people say survives a compaction without a history, and then without its media.
    spoken = drafts(Options(media=False, unknown=False), extras=extras)
    return st.one_of(
        plain.map(lambda draft: _recorded(draft, ((),), names)),
        spoken.map(lambda draft: _recorded(draft, _REWRITES, names)),
    )


def _checked_damages(damages: Collection[str]) -> tuple[str, ...]:
    for name in damages:
        if name not in DAMAGES:
            raise ValueError(f"unknown damage {name!r}: choose from {', '.join(DAMAGES)}")
    return tuple(name for name in DAMAGES if name in damages)


def _recorded(
    draft: Draft, rewrites: Sequence[Sequence[str]], damages: Sequence[str]
) -> RolloutFile:
    written, *drawn = draft.extras
    return _damaged(_drafted(draft, Bits(written), rewrites), drawn, damages)


def _drafted(draft: Draft, bits: Bits, rewrites: Sequence[Sequence[str]]) -> RolloutDraft:
    """Return a whole rollout that holds the drafted history and one choice of `rewrites`."""
    chosen = bits.choice(rewrites, 3)
    places = sorted(bits.number(3) % (len(draft.blocks) + 1) for _ in chosen)
    talkative = bool(bits.number(1))
    lines = [header()]
    for place, block in enumerate([*draft.blocks, []]):
        for at, name in zip(places, chosen, strict=True):
            if at == place:
                lines += _rewrite(name, lines, bits)
        if bits.number(1):
            lines += _item_lines(user_message(f"turn {place}"), talkative=talkative)
        for item in block:
            lines += _item_lines(item, talkative=talkative)
    labels = (*(f"rewrite: {name}" for name in chosen), *draft.labels)
    return RolloutDraft(lines, labels, firm={"compaction", "rollback"} <= {*chosen})


def _item_lines(item: Item, *, talkative: bool) -> list[Line]:
    """Return the line of `item` and the lines that stand beside it in a session."""
    before = [event("task_started", hinge=True, turn_id="t")] if is_user(item) else []
    return [*before, carrying(item), *([_beside(item)] if talkative else [])]


def _beside(item: Item) -> Line:
    """Return a line that carries no item, though it may look like one that does."""
    if is_user(item):
        return event("user_message", hinge=True, message="hi", images=[])
    if item["type"] in FAMILY_OF_CALL:
        return line_of("response_item", {"type": "ghost_snapshot", "ghost_commit": {"id": "0"}})
    if item["type"] in FAMILIES_OF_OUTPUT:
        return event("item_completed", turn_id="t", item=item)
    return line_of("turn_context", {"cwd": "/w", "turn_id": "t"})


def _rewrite(name: str, lines: Sequence[Line], bits: Bits) -> list[Line]:
    if name == "rollback":
        return [rollback(bits.choice(_TURNS, 3))]
    before = event("task_started", hinge=True, turn_id="t")
    if name == "summary":
        return [before, summary("so far")]
    items = [line.item for line in lines if line.item is not None]
    return [before, compaction(items[len(items) - bits.number(3) :])]


def _damaged(draft: RolloutDraft, drawn: Sequence[bytes], damages: Sequence[str]) -> RolloutFile:
    found = []
    for code in drawn:
        bits = Bits(code)
        first = bits.number(6)
        for turn in range(len(damages)):
            # Where a damage finds nothing to change, the next one takes its place.
            name = damages[(first + turn) % len(damages)]
            if DAMAGES[name](draft, bits):
                found.append(f"damage: {name}")
                break
    kind = "rollout: damaged" if found else "rollout: whole"
    return _file(draft, (kind, *found, *draft.labels))


def _file(draft: RolloutDraft, labels: tuple[str, ...]) -> RolloutFile:
    record = Record()
    skipped = []
    for number, line in enumerate(draft.lines, start=1):
        if line.effect is None:
            skipped.append(number)
        else:
            line.effect(record)
    data = b"\n".join(line.data for line in draft.lines) + draft.ending
    return RolloutFile(data if draft.lines else b"", record.history, tuple(skipped), labels)
