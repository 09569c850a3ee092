"""The gate finds what it is there to find, and only that: each flaw is seeded as a subject."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest

from benchmarks.commands import gate
from benchmarks.comparing import ratio_of, settled_ratio
from benchmarks.gate.fast import fast_checks
from benchmarks.gate.line import FAIL, LEFT_OUT, NOT_MEASURED, PASS, Check, Figure, counted
from benchmarks.gate.right import (
    conformance_figure,
    deviations_figure,
    golden_figure,
    vectors_figure,
)
from benchmarks.gate.settings import GateSettings, gate_table
from benchmarks.gate.vectors import VECTORS
from benchmarks.gate.verdict import GateVerdict
from benchmarks.growing import Growth
from benchmarks.runners import NotMeasured, runner_of
from benchmarks.selfcheck.seeded import SLOWDOWN
from normalizer import CommandError
from properties.running import Request, run_conformance
from properties.selfcheck.helpers import PROJECT
from properties.settings import read_settings

#: So often a timed self check is repeated: a chance of one in twenty must not pass for certainty.
REPEATS = int(os.environ.get("CALLPAIR_GATE_REPEATS", "1"))


@pytest.fixture(params=range(REPEATS))
def again_and_again() -> None:
    """Repeats the self check that uses it."""


def seeded(name: str) -> GateSettings:
    """Return settings under which the gate compares a seeded subject with the reference."""
    request = Request(f"python:benchmarks.selfcheck.seeded:{name}")
    return GateSettings(request, base_subject="reference")


def fast(settings: GateSettings, folder: Path, *names: str) -> dict[str, Figure]:
    """Return the figures of the fast checks with these names."""
    with fast_checks(settings, folder) as checks:
        return {check.name: check.line().figure for check in checks if check.name in names}


def check(verdict: str) -> Check:
    """Return a check that comes to this verdict; NOT_MEASURED one raises."""

    def measure() -> Figure:
        if verdict == NOT_MEASURED:
            raise CommandError("no such luck")
        return Figure("x", "1", "1", verdict)  # type: ignore[arg-type]

    return Check("fast", verdict, "x", measure)


def git(folder: Path, *arguments: str) -> str:
    """Run git in `folder` as somebody with a name, and return what it prints."""
    somebody = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"]
    done = subprocess.run(
        ["git", "-C", folder, *somebody, *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout


# --- what is seeded is found ----------------------------------------------------------------------


@pytest.mark.usefixtures("again_and_again")
def test_a_slowdown_of_15_per_cent_fails(tmp_path: Path) -> None:
    """A normalizer that takes 15 % longer exceeds the margin of 10 %, every time."""
    figure = fast(seeded("slowed"), tmp_path, "time, session")["time, session"]

    assert FAIL == figure.verdict, figure.text


@pytest.mark.usefixtures("again_and_again")
def test_a_command_that_is_slower_by_its_own_account_fails(tmp_path: Path) -> None:
    """What a command's answers say of its time counts, not the way there and back."""
    plain = PROJECT / "examples" / "plain.py"
    told = "time.perf_counter() - start"
    slowed = tmp_path / "slowed.py"
    slowed.write_text(plain.read_text().replace(told, f"{1 + SLOWDOWN} * ({told})"))
    python = f"command:{sys.executable}"
    settings = GateSettings(Request(f"{python} {slowed}"), base_subject=f"{python} {plain}")

    figures = fast(settings, tmp_path, "time, session", "growth")

    assert FAIL == figures["time, session"].verdict, figures
    assert PASS == figures["growth"].verdict, figures


@pytest.mark.usefixtures("again_and_again")
def test_identical_code_passes(tmp_path: Path) -> None:
    """What does the same as the base never fails: not by time, growth or memory."""
    figures = fast(seeded("identical"), tmp_path, "time, session", "growth", "memory")

    assert {PASS} == {figure.verdict for figure in figures.values()}, figures


def test_quadratic_work_fails_by_slope(tmp_path: Path) -> None:
    """Work that grows with the square of the history is steeper than a copy."""
    figure = fast(seeded("quadratic"), tmp_path, "growth")["growth"]

    assert FAIL == figure.verdict
    assert figure.value is not None
    assert figure.value > 1.5


def test_what_is_faster_than_a_copy_does_not_grow_too_fast() -> None:
    """It does so little that memory makes it steep; work that really grows does not stay ahead."""
    assert 0 == Growth("orphans", slope=1.4, copy_slope=1.05, share=0.3).excess
    assert 0.35 == pytest.approx(Growth("orphans", slope=1.4, copy_slope=1.05, share=1.1).excess)


def test_what_keeps_every_history_fails_by_memory(tmp_path: Path) -> None:
    """A reference to every history needs more memory with each."""
    figure = fast(seeded("hoarding"), tmp_path, "memory")["memory"]

    assert FAIL == figure.verdict


def test_another_id_namespace_fails_by_vector() -> None:
    """Made-up ids that change are found, every one, and told."""
    figure = vectors_figure(seeded("other_namespace"))

    assert (FAIL, "0 of 9") == (figure.verdict, figure.text)
    assert "fco_d08ee114-ed5d-5706-8dbd-16ccacd40aa4" in figure.detail


def test_what_takes_no_part_is_not_held_against_it() -> None:
    """Golden rows that a candidate skips are neither right nor wrong."""
    choosy = "python:properties.selfcheck.subjects:choosy"
    request = Request(choosy, profile="ci", examples=25, only=("pairing",))
    golden = golden_figure(GateSettings(request))
    results = run_conformance(request)
    conformance = conformance_figure("same histories", results, "callpair check")

    assert (PASS, PASS) == (golden.verdict, conformance.verdict)
    assert 0 < int(golden.text.partition(" ")[0]) < 253
    assert results.skipped > 0
    assert f"6 of 6, {results.skipped} skipped" == conformance.text


def test_the_reference_keeps_the_golden_rows_and_the_vectors() -> None:
    """The candidate by default is right."""
    for figure in (golden_figure(GateSettings()), vectors_figure(GateSettings())):
        assert PASS == figure.verdict, figure.detail


def test_the_base_is_the_revision_and_not_the_working_tree(tmp_path: Path) -> None:
    """What was added since the last commit is what counts; of the checkout nothing stays behind."""
    repository, histories = tmp_path / "repository", tmp_path / "histories"
    repository.mkdir()
    histories.mkdir()
    module = repository / "mine.py"
    module.write_text("def f(history, modalities):\n    return [{**item} for item in history]\n")
    git(repository, "init", "--quiet")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message", "the base")
    module.write_text(module.read_text().replace("in history", "in history for _ in range(9)"))
    settings = GateSettings(Request("python:mine:f", (str(repository),)))

    figure = fast(settings, histories, "time, session")["time, session"]

    assert FAIL == figure.verdict
    assert figure.against.startswith("HEAD ")
    assert 1 == len(git(repository, "worktree", "list").splitlines())


# --- what cannot be measured is no pass -----------------------------------------------------------


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ([PASS], 0),
        ([PASS, LEFT_OUT], 0),
        ([PASS, FAIL], 1),
        ([FAIL, NOT_MEASURED], 1),
        ([PASS, NOT_MEASURED], 2),
        ([LEFT_OUT], 2),
        ([], 2),
    ],
)
def test_the_code_follows_from_the_lines(verdicts: list[str], code: int) -> None:
    """A regression is 1; without one, anything that is not known is 2."""
    checks = [check(verdict) for verdict in verdicts]
    verdict = GateVerdict("reference", checks, [one.line() for one in checks])

    assert code == verdict.code


def test_a_truncated_run_is_no_pass() -> None:
    """With a check still to come, nothing is known."""
    checks = [check(PASS), check(PASS)]
    verdict = GateVerdict("reference", checks, [checks[0].line()])

    assert 2 == verdict.code
    assert not verdict.complete


def test_nothing_counted_is_no_pass() -> None:
    """A check that had nothing to look at fails."""
    assert FAIL == counted("x", 0, 0).verdict


def test_a_normalizer_that_raises_is_not_measured(tmp_path: Path) -> None:
    """A worker tells what the normalizer raised; one that does not start tells why."""
    with pytest.raises(NotMeasured, match="No module named 'nowhere'"):
        runner_of("python:nowhere:f", (), tmp_path)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (GateSettings(base="no-such-revision"), "no revision 'no-such-revision'"),
        (GateSettings(Request("fault:keys-sorted")), "fault:keys-sorted has no revisions"),
    ],
)
def test_a_base_that_cannot_be_had_is_not_measured(
    settings: GateSettings, why: str, tmp_path: Path
) -> None:
    """One line says why, and the checks of the other parts still have theirs."""
    figure = fast(settings, tmp_path, "base")["base"]

    assert NOT_MEASURED == figure.verdict
    assert why in figure.detail


# --- ratios and settings --------------------------------------------------------------------------


def test_the_interval_lies_around_the_median() -> None:
    """The interval is the same for the same ratios, and narrow where they agree."""
    ratios = [1.0, 1.1, 1.2] * 20

    assert ratio_of(ratios) == ratio_of(ratios)
    assert 1.0 <= ratio_of(ratios).low <= 1.1 <= ratio_of(ratios).high <= 1.2


def test_what_is_close_to_the_limit_is_measured_again() -> None:
    """An interval within the limit stands; any other is replaced by one of more pairs."""
    efforts: list[int] = []

    def measure(effort: int, figure: float) -> float:
        efforts.append(effort)
        return figure

    for figure in (1.0, 1.2):
        settled_ratio(lambda effort, f=figure: ratio_of([measure(effort, f)] * 9), 1.1)  # type: ignore[misc]

    assert [1, 1, 3] == efforts


def asked(*arguments: str) -> GateSettings:
    """Return what the gate is asked for in the current folder with these arguments."""
    parser = argparse.ArgumentParser()
    gate.add_arguments(parser)
    return gate.settings_of(parser.parse_args(arguments))


def test_the_command_line_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's file comes before the defaults, the command line before the file."""
    (tmp_path / "pyproject.toml").write_text(
        '[tool.callpair]\nsubject = "python:a:b"\nsubject_path = ["src"]\ntimeout = 7\n'
        'deviations = "known.toml"\n[tool.callpair.capabilities]\nids = "none"\n'
        '[tool.callpair.gate]\nbase_subject = "reference"\nmargin = 0.05\nseed = 3\n'
    )
    (tmp_path / "deep").mkdir()
    monkeypatch.chdir(tmp_path / "deep")

    from_file = asked()
    both = asked("--margin", "0.2", "--base", "main", "--seed", "4", "--timeout", "5")

    request = from_file.request
    assert ("python:a:b", [str(tmp_path / "src")]) == (request.subject, request.subject_paths)
    assert (str(tmp_path / "known.toml"), 7) == (request.deviations, request.timeout)
    assert ({"ids": "none"}, "reference", 0.05, 3) == (
        from_file.claims,
        from_file.base_subject,
        from_file.margin,
        request.seed,
    )
    assert (None, "main", 0.2, 4, 5) == (
        both.base_subject,
        both.base,
        both.margin,
        both.request.seed,
        both.request.timeout,
    )


@pytest.mark.parametrize(
    "line", ["margins = 1", 'margin = "1"', "base = 1", 'base = "a"\nbase_subject = "b"']
)
def test_a_wrong_setting_is_told(line: str, tmp_path: Path) -> None:
    """A setting that nobody reads, or of another type, is an error; so are two that exclude."""
    (tmp_path / "pyproject.toml").write_text(f"[tool.callpair.gate]\n{line}\n")

    with pytest.raises(CommandError, match=f"gate.*{line.partition(' ')[0]}"):
        gate_table(read_settings(tmp_path))


# --- what the owner of a normalizer has declared --------------------------------------------------


def test_what_is_not_claimed_is_left_out() -> None:
    """Who drops calls is not held against what Codex makes up."""
    settings = GateSettings(claims={"unanswered": "drop"})

    for figure in (golden_figure(settings), vectors_figure(settings)):
        assert (LEFT_OUT, 'unanswered is "drop"') == (figure.verdict, figure.text)


@pytest.mark.parametrize(
    ("history", "text", "detail"),
    [
        ('[{"type": "message", "role": "user", "content": []}]', "0 of 1", "is fixed: remove it"),
        (json.dumps([VECTORS[0].call]), "1 of 1", ""),
    ],
)
def test_recorded_deviations_have_to_stay(
    history: str, text: str, detail: str, tmp_path: Path
) -> None:
    """What is not broken any more is found; what still is counts for neither side."""
    file = tmp_path / "known.toml"
    file.write_text(
        '[[deviation]]\nproperty = "model/equals_specification"\n'
        f"reason = 'ids of our own'\nhistory = '{history}'\n"
    )
    request = replace(
        seeded("other_namespace").request,
        deviations=str(file),
        only=["model/equals_specification"],
        families=["mixed"],
    )
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        figure = deviations_figure(pool.submit(run_conformance, request).result())

    assert text == figure.text
    assert detail in figure.detail
