"""No output stands without its call, and no other output is touched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from normalizer import FAMILIES_OF_OUTPUT, Item
from properties.case import Case, is_server_output, key_of_call, key_of_output
from properties.property import EACH, MIXED, Finding, prompt_law


@prompt_law("orphans/none_left", EACH)
def none_left(case: Case) -> Iterator[Finding]:
    """Every client output with a call id has a call of its family with that call id."""
    calls = {key_of_call(item) for item in case.prompt}
    for index, item in enumerate(case.prompt):
        key = key_of_output(item)
        if key and key not in calls and not is_server_output(item):
            yield Finding(f"{key[0]} {key[1]!r} has no call", prompt=index)


@prompt_law("orphans/answers_kept", EACH)
def answers_kept(case: Case) -> Iterator[Finding]:
    """Every output that some call of its family asked for is kept: early, late or twice."""
    outputs = Counter(key_of_output(item) for item in case.prompt)
    for index, item in enumerate(case.history):
        key = key_of_output(item)
        if key and case.call_keys[key] and outputs[key] < case.output_keys[key]:
            yield Finding(f"{outputs[key]} of {case.output_keys[key]} outputs kept", history=index)


@prompt_law("orphans/server_outputs_kept", ("tool_search", MIXED))
def server_outputs_kept(case: Case) -> Iterator[Finding]:
    """Outputs of searches that the API ran itself are kept, whatever their call id."""
    before = sum(map(is_server_output, case.history))
    after = sum(map(is_server_output, case.prompt))
    if before != after:
        yield Finding(f"{after} of {before} server outputs kept")


@prompt_law("orphans/outputs_without_id_kept", EACH)
def outputs_without_id_kept(case: Case) -> Iterator[Finding]:
    """Outputs whose call id is null or absent are kept: they report outside events."""
    before, after = _without_id(case.history), _without_id(case.prompt)
    for kind in before | after:
        if before[kind] != after[kind]:
            yield Finding(f"{after[kind]} of {before[kind]} {kind} without a call id")


def _without_id(items: Sequence[Item]) -> Counter[str]:
    return Counter(
        item["type"]
        for item in items
        if item["type"] in FAMILIES_OF_OUTPUT and item.get("call_id") is None
    )
