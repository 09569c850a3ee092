"""Subjects in other processes: those that are right, and every way in which one may not be."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

from normalizer import ALL, CommandError, normalize
from properties import remote
from properties.broken import Broken
from properties.catalogue import BY_NAME, selected
from properties.conformance import Trial
from properties.golden import golden_rows
from properties.loading import load_subject
from properties.profiles import PROFILES
from properties.selfcheck.helpers import PROJECT
from properties.subject import SkippedError, Subject, SubjectError
from strategies import history_of

_HERE: Final = Path(__file__).parent
_PYTHON: Final = f"command:{sys.executable} {_HERE / 'misbehaving.py'}"
_NODE: Final = f"command:node {_HERE / 'misbehaving.mjs'}"

#: The right ones, one of each kind.
RIGHT: Final = {
    "JavaScript": f"command:node {PROJECT / 'examples' / 'plain.mjs'}",
    "Python": f"command:{sys.executable} {PROJECT / 'examples' / 'plain.py'}",
    "served": f"command:{sys.executable} {PROJECT / 'callpair.py'} serve reference",
    "interpreter": f"python@{sys.executable}:normalizer:normalize",
}

#: What each misbehaving subject does, by the outcome that has to be named.
OUTCOMES: Final = {
    "raised": ["error"],
    "crashed": [
        *("exit", "segfault", "traceback", "dies-with-a-child", "closed-output"),
        "half-a-line-then-exit",
    ],
    "hung": ["silence", "busy", "half-a-line-then-silence"],
    "spoke garbage": [
        *("print", "empty-line", "not-utf-8", "nan", "infinity", "overflow", "hexadecimal"),
        *("lone-surrogate", "nested-200", "nested-100000", "an-array", "a-number", "no-seq"),
        *("no-prompt", "prompt-and-error", "banner-at-start", "other-version", "unknown-claim"),
        *("unknown-value", "claims-as-text"),
    ],
    "wrong seq": ["seq-behind", "seq-as-text"],
    "returned no prompt": ["prompt-null", "prompt-of-texts", "prompt-without-type"],
    "died at start": ["exit-at-start", "traceback-at-start"],
}

JAVASCRIPT_OUTCOMES: Final = {
    "crashed": ["exit", "uncaught", "rejected"],
    "hung": ["busy", "silence"],
    "spoke garbage": ["console-log", "undefined", "two-prompts"],
    "wrong seq": ["wrong-seq"],
    "returned no prompt": ["null-prompt"],
    "died at start": ["exit-at-start"],
}

_SUBJECTS: Final = [
    pytest.param(f"{command} {name}", outcome, id=f"{language}-{name}")
    for language, command, outcomes in (
        ("Python", _PYTHON, OUTCOMES),
        ("JavaScript", _NODE, JAVASCRIPT_OUTCOMES),
    )
    for outcome, names in outcomes.items()
    for name in names
]

_HISTORY: Final = history_of("FC(a,id=fc_1) U(,image) FO(b) TC(c,id=tsc_1)")


@pytest.fixture
def opened() -> Iterator[list[Subject]]:
    """Return a list: the subjects in it are closed after the test."""
    subjects: list[Subject] = []
    yield subjects
    for subject in subjects:
        subject.close()


@pytest.mark.parametrize(("name", "outcome"), _SUBJECTS)
def test_what_a_subject_does_has_a_name(name: str, outcome: str, opened: list[Subject]) -> None:
    """Each way to misbehave gives its named outcome in one line, every time."""
    subject = load_subject(name, timeout=0.4 if outcome == "hung" or "child" in name else 20.0)
    opened.append(subject)

    for _ in range(2):
        with pytest.raises(SubjectError) as caught:
            subject.prompt(_HISTORY, ALL)

        assert outcome == caught.value.outcome, str(caught.value)
        assert 1 == len(str(caught.value).splitlines())


@pytest.mark.parametrize("name", ["split-writes", "a-megabyte-on-stderr"])
@pytest.mark.parametrize("command", [_PYTHON, _NODE], ids=["Python", "JavaScript"])
def test_what_is_odd_but_allowed_is_no_outcome(
    name: str, command: str, opened: list[Subject]
) -> None:
    """Slow writers and talkative ones give their prompt."""
    subject = load_subject(f"{command} {name}")
    opened.append(subject)

    for _ in range(3):
        assert normalize(_HISTORY) == subject.prompt(_HISTORY, ALL)


def test_a_subject_knows_best_how_long_it_took(opened: list[Subject]) -> None:
    """Its own account counts; the way there and back where it gives none, or has no clock."""
    seconds = {}
    for name in ("took-an-hour", "took-no-time", "tells-no-time"):
        opened.append(load_subject(f"{_PYTHON} {name}", timeout=20.0, validate=True))
        seconds[name] = opened[-1].seconds(_HISTORY, ALL)

    assert 3600 == seconds.pop("took-an-hour")
    assert all(0 < passed < 20 for passed in seconds.values())


@pytest.mark.parametrize("name", ["seconds-as-text", "seconds-below-0"])
def test_a_time_that_is_none_is_garbage(name: str, opened: list[Subject]) -> None:
    """Only a number from 0 up says how long it took."""
    opened.append(load_subject(f"{_PYTHON} {name}", timeout=20.0))

    with pytest.raises(SubjectError, match="spoke garbage: seconds: "):
        opened[0].seconds(_HISTORY, ALL)


def test_lines_may_end_as_on_windows(opened: list[Subject]) -> None:
    """A carriage return before the line's end is white space."""
    subject = load_subject(f"{_PYTHON} carriage-returns", validate=True)
    opened.append(subject)

    assert normalize(_HISTORY) == subject.prompt(_HISTORY, ALL)


def test_a_second_answer_is_found_with_the_next_question(opened: list[Subject]) -> None:
    """Who answers twice answers the next question wrongly."""
    subject = load_subject(f"{_PYTHON} answers-twice")
    opened.append(subject)
    subject.prompt(_HISTORY, ALL)

    with pytest.raises(SubjectError, match="wrong seq: 1 instead of 2"):
        subject.prompt(_HISTORY, ALL)


def test_silence_at_start_is_hanging(
    opened: list[Subject], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who never says who it is hangs."""
    monkeypatch.setattr(remote, "_START_TIMEOUT", 0.4)
    subject = load_subject(f"{_PYTHON} silence-at-start")
    opened.append(subject)

    with pytest.raises(SubjectError, match=r"hung: no answer after 0\.4 s"):
        subject.prompt(_HISTORY, ALL)


def test_what_it_said_on_stderr_is_told(opened: list[Subject]) -> None:
    """The end of a traceback on stderr says why a subject crashed."""
    subject = load_subject(f"{_PYTHON} traceback")
    opened.append(subject)

    with pytest.raises(SubjectError, match=r"crashed: exit code 1; it said: .*KeyError: 'call_id'"):
        subject.prompt(_HISTORY, ALL)


def test_a_subject_is_started_again(opened: list[Subject]) -> None:
    """After a crash the next history is tried in a new process."""
    subject = load_subject(f"{_PYTHON} exit-late")
    opened.append(subject)
    harmless = history_of("CC(a)")

    for _ in range(3):
        with pytest.raises(SubjectError):
            subject.prompt(_HISTORY, ALL)

        assert normalize(harmless) == subject.prompt(harmless, ALL)


def test_who_is_deaf_is_ended_by_force() -> None:
    """A subject that does not stop when it is told to is killed, soon."""
    subject = load_subject(f"{_PYTHON} deaf-to-stop")
    subject.prompt(_HISTORY, ALL)
    start = time.monotonic()

    subject.close()

    assert time.monotonic() - start < 20


@pytest.mark.parametrize("name", RIGHT.values(), ids=RIGHT)
def test_the_right_ones_agree_with_codex(name: str, opened: list[Subject]) -> None:
    """Every recorded prompt comes back item by item, whichever kind of subject gives it."""
    subject = load_subject(name, validate=True)
    opened.append(subject)

    for row in golden_rows():
        assert row.prompt == subject.prompt(row.history, row.modalities), row.name


@pytest.mark.parametrize("name", ["JavaScript", "Python"])
def test_the_examples_hold_every_property(name: str, opened: list[Subject]) -> None:
    """The examples to copy are right: they hold whatever applies to a command."""
    subject = load_subject(RIGHT[name])
    opened.append(subject)
    trial = Trial(subject, settings(PROFILES["ci"], max_examples=25), seed=7)

    for prop in selected([]):
        slow = prop.name in ("model/small_histories", "work/linear")
        if not slow and not prop.inapplicable(subject.capabilities):
            trial.verify(prop, "mixed")

            assert trial.examples > 0, prop.name


@pytest.mark.parametrize("example", ["plain.py", "plain.mjs"])
def test_the_examples_are_short(example: str) -> None:
    """Whoever copies an example can read it first."""
    assert len((PROJECT / "examples" / example).read_text().splitlines()) < 120


@pytest.mark.parametrize(
    ("function", "names"),
    [
        ("in_place", {"immutability/input_unchanged"}),
        ("sharing_parts", {"immutability/nothing_shared", "immutability/edits_stay_in_prompt"}),
    ],
)
def test_another_interpreter_is_seen_from_inside(
    function: str, names: set[str], opened: list[Subject]
) -> None:
    """What a Python normalizer does to its input shows, although it runs elsewhere."""
    subject = load_subject(f"python@{sys.executable}:properties.selfcheck.subjects:{function}")
    opened.append(subject)
    trial = Trial(subject, PROFILES["ci"], seed=7)

    for name in names:
        with pytest.raises(Broken) as caught:
            trial.verify(BY_NAME[name], "mixed")

        assert len(caught.value.case.history) <= 2


def test_a_live_record_changes_here_too(opened: list[Subject]) -> None:
    """What another interpreter does to the record itself is done to ours."""
    subject = load_subject(f"python@{sys.executable}:properties.selfcheck.subjects:in_place")
    opened.append(subject)
    record = history_of("FC(a)")

    subject.live_prompt(record, ALL)

    assert 2 == len(record)


def test_a_command_is_not_seen_from_inside(opened: list[Subject]) -> None:
    """What a command does to its input stays unknown: not applicable, never passed."""
    subject = load_subject(RIGHT["JavaScript"])
    opened.append(subject)
    trial = Trial(subject, PROFILES["ci"], seed=7)

    with pytest.raises(pytest.skip.Exception, match="not applicable: seen_inside is false"):
        trial.verify(BY_NAME["immutability/input_unchanged"], "mixed")


def test_who_takes_no_part_passes_nothing(opened: list[Subject]) -> None:
    """A subject that skips every history is not applicable, with its own words."""
    subject = load_subject(f"{_PYTHON} skips")
    opened.append(subject)

    with pytest.raises(SkippedError):
        subject.prompt(_HISTORY, ALL)
    with pytest.raises(pytest.skip.Exception, match="it takes no part: not today"):
        Trial(subject, PROFILES["ci"], seed=7).verify(BY_NAME["pairing/call_answered"], "mixed")


@pytest.mark.parametrize(
    ("name", "outcome"),
    [("exit-late", "crashed"), ("seq-behind-late", "wrong seq"), ("nan-late", "spoke garbage")],
)
def test_the_smallest_history_of_an_outcome_is_found(
    name: str, outcome: str, opened: list[Subject]
) -> None:
    """Outcomes are findings: they come with the smallest history that causes them."""
    subject = load_subject(f"{_PYTHON} {name}")
    opened.append(subject)

    with pytest.raises(Broken) as caught:
        Trial(subject, PROFILES["ci"], seed=7).verify(BY_NAME["pairing/call_answered"], "mixed")

    case = caught.value.case
    assert (outcome, ["function_call"]) == (case.outcome, [item["type"] for item in case.history])


def test_who_dies_too_often_is_given_up(
    opened: list[Subject], monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the budget of starts is spent, every property is told to fail for the known reason."""
    monkeypatch.setattr(remote, "STARTS", 3)
    subject = load_subject(f"{_PYTHON} exit-late")
    opened.append(subject)
    trial = Trial(subject, PROFILES["ci"], seed=7)

    for name in ("pairing/call_answered", "orphans/none_left"):
        with pytest.raises(Broken) as caught:
            trial.verify(BY_NAME[name], "mixed")

        assert (name, "crashed") == (caught.value.case.property_name, caught.value.case.outcome)
        assert any(item["type"] == "function_call" for item in caught.value.case.history)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("command:no-such-program", "no program 'no-such-program'"),
        ("command:", "expected reference, python:"),
        ("command:node 'x", "No closing quotation"),
        ("python@no-such-python:a:b", "no program 'no-such-python'"),
        ("python@python3:a", "expected reference, python:"),
    ],
)
def test_a_subject_that_cannot_be_is_told_in_one_line(name: str, problem: str) -> None:
    """Mistakes in a subject's name say what to mend."""
    with pytest.raises(CommandError, match=problem):
        load_subject(name)


def test_ids_are_compared_across_processes(opened: list[Subject]) -> None:
    """Ids that depend on the process are found out, whichever kind of subject makes them."""
    subject = load_subject("python:properties.selfcheck.subjects:with_ids_of_this_process")
    opened.append(subject)

    with pytest.raises(Broken, match="another prompt in a new process"):
        Trial(subject, PROFILES["ci"], seed=7).verify(
            BY_NAME["identity/same_in_every_process"], "mixed"
        )
