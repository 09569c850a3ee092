"""Nothing changes with size: not with that of a history, nor of a text, a list or a call id."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from normalizer import ALL, Item
from properties.capabilities import Capabilities
from properties.case import Case
from properties.laws import model
from properties.property import Finding, Question, relation_law
from properties.subject import Subject
from strategies import history_of
from strategies.histories import again
from strategies.pools import AUDIO, IMAGE, TEXT

#: Beyond the round numbers that limits are made of: 1,000 and 1,024. The specification is slow.
_ITEMS: Final = 1_100

#: Beyond them, too, and below what Codex itself cuts off: 20,000 tokens.
_CHARACTERS: Final = 50_000

#: How many parts a list has.
_PARTS: Final = 300

#: How long a call id is.
_ID: Final = 1_000

#: How deep a value is nested. Readers of JSON often end at 128.
_DEPTH: Final = 60

#: What the long histories repeat.
_SHAPES: Final = (
    "FC(a,id=fc_a) LS(b,id=lsh_b) CC(c,id=ctc_c) TC(d,id=tsc_d)",
    "FO(a,image) CO(b,audio) TO(c)",
    "U(,image) FC(a) FC(b) CC(c) FO(b) CO(c,image) TC(d) TO(d) FO(e) R FO(a)",
)


def _large_histories(claims: Capabilities) -> Iterator[Question]:
    for shape in _SHAPES:
        yield repeated(claims.known(history_of(shape)), _ITEMS), claims.poorest
    for history in (*_long_texts(), *_long_ids(), _crowded(), _nested()):
        yield claims.known(history), ALL
    parts = [TEXT, IMAGE, AUDIO] * (_PARTS // 3)
    for modalities in dict.fromkeys((ALL, claims.poorest)):
        yield claims.known(_with_parts(parts)), modalities


@relation_law("model/large_histories", cases=_large_histories)
def large_histories(
    subject: Subject, history: Sequence[Item], modalities: frozenset[str]
) -> Iterator[Finding]:
    """However long a history, its texts, its lists or its call ids are, the same rules hold."""
    prompt = subject.prompt(history, modalities)
    for violation in model.equals_specification.of_prompt(
        Case(history, modalities, prompt, subject.capabilities)
    ):
        yield Finding(f"{len(history):,} items: {violation}")


def repeated(history: Sequence[Item], size: int) -> list[Item]:
    """Return `size` items: the history again and again, with new ids each time."""
    items: list[Item] = []
    turn = 0
    while history and len(items) < size:
        items += (again(item, turn) for item in history)
        turn += 1
    return items[:size]


def _long_texts() -> Iterator[list[Item]]:
    text = "0123456 89" * (_CHARACTERS // 10)
    yield history_of(f"FC(a,arguments={text}) FO(a,output={text})".replace(" 8", "_8"))
    part = {**TEXT, "text": text}
    yield _with_parts([part, part])


def _long_ids() -> Iterator[list[Item]]:
    stem = "a" * (_ID - 1)
    yield history_of(f"FC({stem}b,id=fc_{stem}) FC({stem}c) FO({stem}c) FO({stem}d)")


def _crowded() -> list[Item]:
    """Return a batch in which one call id stands for many calls and many outputs."""
    return history_of(" ".join(["FC(a)"] * _PARTS + ["FO(a)"] * _PARTS + ["FC(b)"] * _PARTS))


def _nested() -> list[Item]:
    value: Any = {}
    for _ in range(_DEPTH):
        value = {"properties": [value]}
    [call, output] = history_of("TC(a) TO(a)")
    return [{**call, "arguments": value}, {**output, "tools": [value]}]


def _with_parts(parts: list[Any]) -> list[Item]:
    """Return a message and outputs of both kinds that hold these parts."""
    user, *answered = history_of("U FC(a) FO(a) CC(b) CO(b)")
    return [
        {**user, "content": parts},
        *({**item, "output": parts} if "output" in item else item for item in answered),
    ]
