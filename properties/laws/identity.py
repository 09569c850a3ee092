"""A made-up output has the same item id whenever and wherever it is made, so prompt caches hold."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final

from normalizer import ALL, Item
from properties.capabilities import (
    COMPLETES,
    DERIVES_IDS,
    KEEPS_IDS,
    REPLACES_MEDIA,
    STARTED_ANEW,
    Capabilities,
)
from properties.case import Case, Key, json_text, key_of_call, key_of_output, prefix_of
from properties.property import EACH, Finding, Question, prompt_law, relation_law
from properties.specification import made_up_output
from properties.subject import Subject
from strategies import history_of

_USER: Final[Item] = {"type": "message", "role": "user", "content": []}

#: A later turn that no generated history holds, with an open call of its own.
_LATER: Final[list[Item]] = [
    _USER,
    {"type": "function_call", "id": "fc_later", "name": "n", "arguments": "", "call_id": "later!"},
]


#: A call of each family that nobody answered.
_OPEN_CALLS: Final = (
    "FC(f{0},id=fc_{0}) LS(l{0},id=lsh_{0}) CC(c{0},id=ctc_{0}) TC(t{0},id=tsc_{0})"
)

#: What Python's strings are hashed with elsewhere; other languages do not mind.
_HASH_SEEDS: Final = (1, 2)


@prompt_law("identity/derived", EACH, needs=(COMPLETES, DERIVES_IDS))
def derived(case: Case) -> Iterator[Finding]:
    """A made-up output's item id is the UUID5 of its call's, behind its type's prefix."""
    expected: dict[Key, Counter[Any]] = defaultdict(Counter)
    for index in case.unanswered:
        call = case.history[index]
        key = key_of_call(call)
        assert key
        expected[key][made_up_output(call).get("id")] += 1
    for index in case.made_up:
        item = case.prompt[index]
        key = key_of_output(item)
        if key in expected and not expected[key][item.get("id")]:
            wanted = ", ".join(map(repr, expected[key]))
            yield Finding(f"item id {item.get('id')!r} instead of {wanted}", prompt=index)


@prompt_law("identity/none_for_old_calls", EACH, needs=(COMPLETES, DERIVES_IDS))
def none_for_old_calls(case: Case) -> Iterator[Finding]:
    """A call without an item id gets an output without one."""
    with_id = {key_of_call(call) for call in _open_calls(case) if call.get("id")}
    for index in case.made_up:
        item = case.prompt[index]
        if "id" in item and key_of_output(item) not in with_id:
            yield Finding(f"item id {item['id']!r} for a call that has none", prompt=index)


@prompt_law("identity/prefix", EACH, needs=(COMPLETES, DERIVES_IDS))
def prefix(case: Case) -> Iterator[Finding]:
    """A made-up output's item id begins with the prefix of its type."""
    for index in case.made_up:
        item = case.prompt[index]
        if "id" in item and not str(item["id"]).startswith(prefix_of(item["type"])):
            yield Finding(f"item id {item['id']!r}", prompt=index)


@prompt_law("identity/distinct", EACH, needs=(COMPLETES, KEEPS_IDS))
def distinct(case: Case) -> Iterator[Finding]:
    """Made-up outputs of calls with different item ids have different item ids."""
    calls = {(key_of_call(call), call["id"]) for call in _open_calls(case) if call.get("id")}
    ids = {
        (case.prompt[index]["type"], case.prompt[index].get("id"))
        for index in case.made_up
        if case.prompt[index].get("id")
    }
    wanted = {(key[0], item_id) for key, item_id in calls if key}
    # Who does not derive ids may give them to calls without one, too.
    surplus = len(ids) > len(wanted) and case.capabilities.ids == "derived"
    if surplus or len(ids) < len(wanted):
        yield Finding(f"{len(ids)} different item ids for {len(wanted)} different calls")


@relation_law("identity/same_every_time", needs=(COMPLETES, KEEPS_IDS))
def same_every_time(
    subject: Subject, history: Sequence[Item], modalities: frozenset[str]
) -> Iterator[Finding]:
    """Every repeat gives the same ids, whatever was normalized in between."""
    first = _ids(subject.prompt(history, modalities))
    subject.prompt(_LATER, modalities)
    if _ids(subject.prompt(history, modalities)) != first:
        yield Finding("a repeat gives other item ids")


@relation_law("identity/same_at_every_place", needs=(COMPLETES, KEEPS_IDS))
def same_at_every_place(
    subject: Subject, history: Sequence[Item], modalities: frozenset[str]
) -> Iterator[Finding]:
    """A call's made-up output keeps its id when items are put before and after."""
    alone = _ids(subject.prompt(history, modalities))
    within = _ids(subject.prompt([_USER, *history, _USER], modalities))
    if within != [None, *alone, None]:
        yield Finding("with a message before and after, the item ids differ")


@relation_law("identity/same_for_every_model", needs=(COMPLETES, KEEPS_IDS, REPLACES_MEDIA))
def same_for_every_model(
    subject: Subject, history: Sequence[Item], modalities: frozenset[str]
) -> Iterator[Finding]:
    """The ids do not depend on what the model takes."""
    expected = _ids(subject.prompt(history, ALL))
    for other in (modalities, *subject.capabilities.modality_sets):
        if _ids(subject.prompt(history, other)) != expected:
            yield Finding(f"other item ids for {sorted(other)}")


@relation_law("identity/same_as_history_grows", needs=(COMPLETES, KEEPS_IDS))
def same_as_history_grows(
    subject: Subject, history: Sequence[Item], modalities: frozenset[str]
) -> Iterator[Finding]:
    """A later turn with an open call of its own leaves the ids before it alone."""
    before = _ids(subject.prompt(history, modalities))
    after = _ids(subject.prompt([*history, *_LATER], modalities))
    if after[: len(before)] != before:
        yield Finding("after another turn, the earlier item ids differ")


def _many_open_calls(claims: Capabilities) -> Iterator[Question]:
    yield claims.known(history_of(" ".join(map(_OPEN_CALLS.format, range(2))))), ALL


@relation_law(
    "identity/same_in_every_process",
    cases=_many_open_calls,
    needs=(STARTED_ANEW,),
)
def same_in_every_process(
    subject: Subject, history: Sequence[Item], modalities: frozenset[str]
) -> Iterator[Finding]:
    """Another process, with another hash seed, gives the same prompt."""
    expected = json_text(subject.prompt(history, modalities))
    for hash_seed in _HASH_SEEDS:
        elsewhere = subject.anew(hash_seed)
        try:
            prompt = json_text(elsewhere.prompt(history, modalities))
        finally:
            elsewhere.close()
        if prompt != expected:
            yield Finding(f"another prompt in a new process, with hash seed {hash_seed}")


def _open_calls(case: Case) -> list[Item]:
    return [case.history[index] for index in case.unanswered]


def _ids(prompt: Sequence[Item]) -> list[Any]:
    return [item.get("id") for item in prompt]
