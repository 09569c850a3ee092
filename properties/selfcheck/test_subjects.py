"""Normalizers that are wrong are found out, by the group that is meant to, and in small."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import settings

from normalizer import ALL, CommandError, normalize
from properties import PythonSubject, SkippedError, SubjectError
from properties.broken import Broken, BrokenCase
from properties.catalogue import GROUPS, selected
from properties.conformance import Trial
from properties.loading import load_subject
from properties.profiles import PROFILES
from properties.property import MIXED
from properties.selfcheck import another, subjects
from strategies import history_of


@pytest.mark.parametrize(
    ("subject", "group"),
    [
        (subjects.without_completion, "pairing"),
        (subjects.without_pruning, "orphans"),
        (subjects.with_random_ids, "identity"),
        (subjects.in_place, "immutability"),
        (subjects.sharing_parts, "immutability"),
        (subjects.not_idempotent, "idempotence"),
        (subjects.mixing_families_up, "pairing"),
        (subjects.pruning_server_outputs, "orphans"),
        (subjects.leaving_media_in_outputs, "media"),
        (subjects.claiming_success, "pairing"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_a_wrong_normalizer_is_broken_by_its_group(subject: Callable[..., Any], group: str) -> None:
    """The group that the fault belongs to breaks it, with at most three items."""
    cases = _broken(subject, group)

    assert cases
    assert 3 >= min(len(case.history) for case in cases)


@pytest.mark.parametrize("group", [group for group in GROUPS if group != "work"])
def test_a_correct_normalizer_of_another_style_is_not_accused(group: str) -> None:
    """It shares no code with the reference, and no property breaks on it."""
    assert [] == _broken(another.normalize, group)


@pytest.mark.parametrize(
    ("subject", "outcome"),
    [
        (subjects.returning_nothing, "returned no prompt"),
        (subjects.yielding, "returned no prompt"),
        (subjects.returning_a_tuple, "returned no prompt"),
        (subjects.returning_what_is_no_json, "returned no prompt"),
        (subjects.raising, "raised"),
        (subjects.exiting, "raised"),
        (subjects.hanging, "hung"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_whatever_a_subject_does_instead_is_a_finding(
    subject: Callable[..., Any], outcome: str
) -> None:
    """It breaks the property that was tried, and the outcome has a name."""
    [case] = _broken(subject, "model/equals_specification", timeout=0.2)

    assert outcome == case.outcome
    assert 2 >= len(case.history)


def test_what_a_subject_raises_is_told_with_its_place() -> None:
    """The message names the file and the line, which are not ours."""
    with pytest.raises(SubjectError, match=r"raised: \w+: .* \(subjects\.py, line \d+\)$"):
        PythonSubject("raising", subjects.raising).prompt(history_of("FC(a) FC(b)"), ALL)


@pytest.mark.parametrize("kind", ["python", f"python@{sys.executable}"])
def test_who_takes_no_part_says_so_by_the_name_of_the_error(kind: str) -> None:
    """It is no outcome, whoever defined the class, and in another interpreter too."""
    subject = load_subject(f"{kind}:properties.selfcheck.subjects:choosy")

    assert normalize(history_of("FC(a)")) == subject.prompt(history_of("FC(a)"), ALL)
    with pytest.raises(SkippedError, match="a call id repeats"):
        subject.prompt(history_of("FC(a) FC(a)"), ALL)
    subject.close()


def test_what_happens_once_is_told_as_such() -> None:
    """A failure that does not come again on the same history is a finding all the same."""
    [case] = _broken(subjects.FailsOnce(), "model/equals_specification")

    assert "on the same history it did not happen again" == case.findings[-1]


def test_a_hanging_subject_does_not_keep_the_suite_for_ever() -> None:
    """When it has hung long enough, the rest is not waited for."""
    trial = _trial(subjects.hanging, timeout=0.3)
    trial.patience = 1.0
    for prop in selected(["model/equals_specification", "pairing", "work"]):
        with pytest.raises(Broken) as raised:
            trial.verify(prop, MIXED)

        assert "hung" == raised.value.case.outcome


def test_the_history_that_goes_in_is_never_changed() -> None:
    """A subject that changes its input changes a copy."""
    history = history_of("FC(a) U")

    PythonSubject("in place", subjects.in_place).prompt(history, ALL)

    assert history_of("FC(a) U") == history


def test_a_record_that_is_alive_is_handed_over_itself() -> None:
    """What a bad subject does to it can be seen."""
    record = history_of("FC(a) U")

    PythonSubject("in place", subjects.in_place).live_prompt(record, ALL)

    assert history_of("FC(a) U") != record


def test_a_subject_is_not_waited_for() -> None:
    """A call that takes too long is ended."""
    with pytest.raises(SubjectError, match=r"hung: no prompt after 0\.1 s"):
        PythonSubject("hanging", subjects.hanging, timeout=0.1).prompt(history_of("FC(a)"), ALL)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("nobody", "no subject 'nobody'"),
        ("python:normalizer", "no subject 'python:normalizer'"),
        ("python:no_such_module:normalize", "ModuleNotFoundError: No module named"),
        ("python:normalizer:no_such_name", "AttributeError: module 'normalizer' has no"),
        ("python:normalizer:ALL", "ALL is not callable"),
    ],
)
def test_a_subject_that_is_not_there_is_told_in_one_line(name: str, problem: str) -> None:
    """The message names the subject and what is wrong with it."""
    with pytest.raises(CommandError) as raised:
        load_subject(name)

    assert problem in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_subject_is_imported_from_the_folders_given(tmp_path: Any) -> None:
    """`--subject-path` makes a module importable."""
    (tmp_path / "mine_alone.py").write_text("from normalizer import normalize\n")

    subject = load_subject("python:mine_alone:normalize", [str(tmp_path)])

    assert normalize(history_of("FC(a)")) == subject.prompt(history_of("FC(a)"), ALL)


def _broken(function: Callable[..., Any], name: str, timeout: float = 2.0) -> list[BrokenCase]:
    trial = _trial(function, timeout)
    cases = []
    for prop in selected([name]):
        if prop.inapplicable(trial.subject.capabilities):
            continue
        try:
            trial.verify(prop, MIXED)
        except Broken as broken:
            cases.append(broken.case)
    return cases


def _trial(function: Callable[..., Any], timeout: float) -> Trial:
    subject = PythonSubject(function.__name__, function, timeout=timeout)
    return Trial(subject, settings(PROFILES["ci"], max_examples=100), 0)
