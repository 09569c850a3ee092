"""A session goes on through everything, and its record stays true."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from normalizer import ALL, Item
from properties.capabilities import SEEN_INSIDE, Capabilities
from properties.case import Case, json_text
from properties.golden import real_sessions
from properties.laws import media, model, orphans, pairing
from properties.property import Finding, Question, relation_law
from properties.subject import Subject
from strategies.pools import copy_of

#: What a model's API refuses a prompt for.
_VALIDITY: Final = (
    pairing.call_answered,
    orphans.none_left,
    media.none_unsupported,
    model.equals_specification,
)


#: Longer histories grow by more than one item at a time.
_MOST_STEPS: Final = 8


@relation_law("session/record_stays_true", needs=(SEEN_INSIDE,))
def record_stays_true(
    subject: Subject, history: Sequence[Item], modalities: frozenset[str]
) -> Iterator[Finding]:
    """However often prompts are made of a growing record, it holds only what happened."""
    record: list[Item] = []
    step = 1 + len(history) // _MOST_STEPS
    for start in range(0, len(history), step):
        happened = history[: start + step]
        record += copy_of(history[start : start + step])
        subject.live_prompt(record, modalities)
        if json_text(record) != json_text(happened):
            yield Finding(f"after {len(happened)} items the record is not what happened")
            return


@relation_law("session/live_record", needs=(SEEN_INSIDE,))
def live_record(
    subject: Subject, history: Sequence[Item], modalities: frozenset[str]
) -> Iterator[Finding]:
    """A record that is grown, or rolled back and written anew, gives what a new one would."""
    record: list[Item] = []
    for other in ([], history[: len(history) // 2], [*history], history[::-1]):
        record[:] = copy_of(other)
        live = subject.live_prompt(record, modalities)
        if json_text(live) != json_text(subject.prompt(other, modalities)):
            yield Finding("the record that lives on gives another prompt than a copy of it")
            return


@relation_law("session/prompt_valid")
def prompt_valid(
    subject: Subject, history: Sequence[Item], modalities: frozenset[str]
) -> Iterator[Finding]:
    """The prompt made of the live record is one that the API takes."""
    yield from _invalid(
        Case(
            history,
            modalities,
            subject.live_prompt(copy_of(history), modalities),
            subject.capabilities,
        )
    )


@relation_law("session/resume_same")
def resume_same(
    subject: Subject, history: Sequence[Item], modalities: frozenset[str]
) -> Iterator[Finding]:
    """After a resume the record gives the same prompt as before."""
    live = subject.live_prompt(copy_of(history), modalities)
    resumed = subject.prompt(history, modalities)
    if json_text(live) != json_text(resumed):
        yield Finding("the resumed session gives another prompt")


@relation_law("session/any_session", played=True)
def any_session(
    subject: Subject, history: Sequence[Item], modalities: frozenset[str]
) -> Iterator[Finding]:
    """Through turns, crashes, forks, rollbacks, compactions and model switches, all this holds."""
    record = copy_of(history)
    prompt = subject.live_prompt(record, modalities)
    if json_text(record) != json_text(history):
        yield Finding("the record is not what happened any more")
    yield from _invalid(Case(history, modalities, prompt, subject.capabilities))
    if json_text(subject.prompt(history, modalities)) != json_text(prompt):
        yield Finding("the resumed session gives another prompt")


def _cut_sessions(_: Capabilities) -> Iterator[Question]:
    """Yield every shipped real session as a crash after each of its items would have left it."""
    for history in real_sessions():
        for length in range(len(history) + 1):
            yield history[:length], ALL


@relation_law("session/real_sessions", cases=_cut_sessions)
def real_sessions_continue(
    subject: Subject, history: Sequence[Item], modalities: frozenset[str]
) -> Iterator[Finding]:
    """Real sessions, cut after any item, give a valid prompt."""
    prompt = subject.prompt(history, modalities)
    yield from _invalid(Case(history, modalities, prompt, subject.capabilities))


def _invalid(case: Case) -> Iterator[Finding]:
    for law in _VALIDITY:
        for violation in law.of_prompt(case):
            yield Finding(f"{law.name}: {violation}")
