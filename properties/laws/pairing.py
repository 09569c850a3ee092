"""Every call has its output, and a made-up output says that nothing is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from properties.capabilities import ANY, COMPLETES
from properties.case import Case, key_of_call, key_of_output
from properties.property import EACH, MIXED, Finding, prompt_law

#: What a made-up search output holds beside its type and its ids; the others hold a text.
_SEARCH: Final = "tool_search_output"
_FOUND_NOTHING: Final = {"status": "completed", "execution": "client", "tools": []}


@prompt_law("pairing/call_answered", EACH)
def call_answered(case: Case) -> Iterator[Finding]:
    """Every call with a call id has an output of its answering type with that call id."""
    answers = {key_of_output(item) for item in case.prompt}
    for index, item in enumerate(case.prompt):
        key = key_of_call(item)
        if key and key not in answers:
            yield Finding(f"{item['type']} {key[1]!r} has no {key[0]}", prompt=index)


@prompt_law("pairing/answer_follows_call", EACH, needs=(COMPLETES,))
def answer_follows_call(case: Case) -> Iterator[Finding]:
    """A made-up output stands right after its call."""
    for index in case.made_up:
        key = key_of_output(case.prompt[index])
        before = key_of_call(case.prompt[index - 1]) if index else None
        if before != key:
            yield Finding("a made-up output that does not follow its call", prompt=index)


@prompt_law("pairing/one_for_each_open_call", EACH, needs=(COMPLETES,))
def one_for_each_open_call(case: Case) -> Iterator[Finding]:
    """There is one made-up output for each unanswered call, also where calls share a call id."""
    made_up = Counter(key_of_output(case.prompt[index]) for index in case.made_up)
    for index in case.unanswered:
        key = key_of_call(case.history[index])
        assert key
        if made_up[key] != case.call_keys[key]:
            yield Finding(
                f"{made_up[key]} made-up outputs for {case.call_keys[key]} unanswered calls",
                history=index,
            )


@prompt_law("pairing/no_second_answer", EACH)
def no_second_answer(case: Case) -> Iterator[Finding]:
    """A call that has an output gets no other."""
    outputs = Counter(key_of_output(item) for item in case.prompt)
    for index, item in enumerate(case.history):
        key = key_of_call(item)
        if key and 0 < case.output_keys[key] < outputs[key]:
            yield Finding(f"{outputs[key]} outputs, {case.output_keys[key]} before", history=index)


@prompt_law(
    "pairing/says_aborted", ("function", "local_shell", "custom", MIXED), needs=(COMPLETES,)
)
def says_aborted(case: Case) -> Iterator[Finding]:
    """A made-up output of a function or custom call says "aborted", or its claimed text, alone."""
    return _says(case, "function_call_output", "custom_tool_call_output")


@prompt_law("pairing/found_nothing", ("tool_search", MIXED), needs=(COMPLETES,))
def found_nothing(case: Case) -> Iterator[Finding]:
    """A made-up output of a tool search is a completed client search that found no tools."""
    return _says(case, _SEARCH)


def _says(case: Case, *types: str) -> Iterator[Finding]:
    for index in case.made_up:
        item = case.prompt[index]
        if item["type"] in types:
            said = {key: item[key] for key in item if key not in ("type", "id", "call_id")}
            text = case.capabilities.made_up_text
            if text == ANY and isinstance(said.get("output"), str):
                text = said["output"]
            if said != (_FOUND_NOTHING if item["type"] == _SEARCH else {"output": text}):
                yield Finding(f"a made-up output that says {said}", prompt=index)
