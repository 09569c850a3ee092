"""`callpair check`, `replay` and `judge`, run as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from normalizer import normalize
from properties.catalogue import CATALOGUE, GROUPS
from properties.selfcheck.helpers import callpair
from strategies import history_of

_SUBJECTS: Final = "properties.selfcheck.subjects"

#: Quick, and enough to find what the wrong subjects do.
_QUICK: Final = ("--profile", "ci", "--examples", "50", "--families", "mixed")


#: The body of a normalizer that keeps what it was given in a file.
_WRITES_DOWN: Final = (
    "    with open('seen.jsonl', 'a') as seen:",
    "        print(json.dumps([history, sorted(modalities)]), file=seen)",
    "    return normalizer.normalize(history, modalities)",
)


def test_check_finds_that_the_reference_holds(tmp_path: Path) -> None:
    """Every property of the groups asked for holds, and the table says so."""
    ran = callpair("check", "--only", "pairing", "--only", "orphans", *_QUICK, cwd=tmp_path)

    assert (0, "") == (ran.code, ran.err)
    assert "10 properties, 10 hold, 0 broken; 500 examples" == ran.out.splitlines()[-1]
    assert not (tmp_path / ".callpair").exists()


def test_check_breaks_a_wrong_normalizer(tmp_path: Path) -> None:
    """The report has the sentence, the smallest history, both prompts, and how to see it again."""
    subject = f"python:{_SUBJECTS}:without_completion"

    ran = callpair(
        "check", "--subject", subject, "--only", "pairing/call_answered", *_QUICK, cwd=tmp_path
    )

    assert 1 == ran.code
    assert "Every call with a call id has an output of its answering type" in ran.out
    assert "smallest history, 1 item" in ran.out
    assert "expected                                got" in ran.out
    assert "1 property, 0 hold, 1 broken" in ran.out
    [file] = (tmp_path / ".callpair" / "broken").iterdir()
    [reproduce] = [line for line in ran.out.splitlines() if line.startswith("reproduce: ")]
    command = f"callpair replay .callpair/broken/{file.name} --subject {subject}"
    assert f"reproduce: {command}" == reproduce

    replayed = callpair(*command.split()[1:], cwd=tmp_path)
    fixed = callpair("replay", str(tmp_path), cwd=tmp_path)

    assert 1 == replayed.code
    assert "still broken" in replayed.out
    assert 0 == fixed.code
    assert "fixed" in fixed.out


def test_check_prints_json(tmp_path: Path) -> None:
    """`--json` holds each row, and each broken property with its history."""
    subject = f"python:{_SUBJECTS}:claiming_success"

    ran = callpair(
        "check", "--subject", subject, "--only", "pairing", "--json", *_QUICK, cwd=tmp_path
    )

    results = json.loads(ran.out)
    assert 1 == ran.code
    assert results["complete"]
    outcomes = {row["property"]: row["outcome"] for row in results["rows"]}
    assert "broken" == outcomes["pairing/says_aborted"]
    assert "holds" == outcomes["pairing/call_answered"]
    [broken] = results["broken"]
    assert "pairing/says_aborted" == broken["property"]
    assert "ok" == broken["prompt"][1]["output"]


def test_check_tells_how_much_was_skipped(tmp_path: Path) -> None:
    """What a normalizer takes no part in is not among the examples that hold."""
    choosy = ("--subject", "python:properties.selfcheck.subjects:choosy")
    words = ("check", *choosy, "--only", "pairing/call_answered", "--profile", "ci")
    told = callpair(*words, cwd=tmp_path)
    plain = json.loads(callpair(*words, "--json", cwd=tmp_path).out)
    skipped = sum(row["skipped"] for row in plain["rows"])
    tried = sum(row["examples"] for row in plain["rows"])

    assert 0 == told.code, told.out
    assert skipped > 0
    assert f"; {tried:,} examples, {skipped:,} more skipped by the normalizer" in told.out


def test_the_same_seed_tries_the_same_histories(tmp_path: Path) -> None:
    """A seed that was printed runs the same again: the same smallest history is found."""
    subject = f"python:{_SUBJECTS}:with_random_ids"
    runs = [
        callpair(
            *("check", "--subject", subject, "--only", "identity/derived", "--families", "mixed"),
            *("--seed", "7", "--examples", "50", "--json", "--save", folder),
            cwd=tmp_path,
        )
        for folder in ("one", "other")  # a saved case would be tried first
    ]

    first, second = (json.loads(ran.out) for ran in runs)
    assert 7 == first["seed"]
    assert first["broken"][0]["history"] == second["broken"][0]["history"]
    assert first["rows"][0]["examples"] == second["rows"][0]["examples"]


@pytest.mark.parametrize("words", [("--seed", "7"), ("--profile", "ci")], ids=["seed", "ci"])
def test_every_history_is_the_same_again(words: tuple[str, ...], tmp_path: Path) -> None:
    """Not just those that break something: each that a normalizer was given, in the same order."""
    lines = ("import json, normalizer", "def normalize(history, modalities):", *_WRITES_DOWN)
    (tmp_path / "writing.py").write_text("\n".join(lines))
    subject = ("--subject", "python:writing:normalize", "--subject-path", str(tmp_path))
    only = ("--only", "pairing/call_answered", "--only", "session/prompt_valid")
    seen = []
    for _ in range(2):
        assert 0 == callpair("check", *subject, *only, *words, cwd=tmp_path).code
        seen.append((tmp_path / "seen.jsonl").read_text())
        (tmp_path / "seen.jsonl").unlink()

    assert seen[0] == seen[1]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--subject", "nobody"), "no subject 'nobody'"),
        (("--subject", "python:x:y", "--subject-path", "no/such"), "'no/such': no such folder"),
        (("--only", "pairings"), "unknown property or group 'pairings'"),
        (("--families", "shell"), "unknown column 'shell'"),
        (("--examples", "0"), "expected a positive number, got '0'"),
        (("--profile", "slow"), "invalid choice: 'slow'"),
    ],
)
def test_a_mistake_is_told_in_one_line(words: tuple[str, ...], problem: str) -> None:
    """Exit code 2, one line that says what to mend, no traceback."""
    ran = callpair("check", *words)

    assert (2, "", 1) == (ran.code, ran.out, len(ran.err.splitlines()))
    assert problem in ran.err


def test_replay_says_what_is_no_saved_case(tmp_path: Path) -> None:
    """A file that is no saved case is an error, and so is a property that does not exist."""
    (tmp_path / "a.json").write_text("[]")
    case = {"property": "pairing/none", "modalities": ["text"], "history": []}
    (tmp_path / "b.json").write_text(json.dumps(case))

    ran = callpair("replay", "--json", str(tmp_path))

    assert 2 == ran.code
    first, second = json.loads(ran.out)
    assert ("error", "error") == (first["outcome"], second["outcome"])
    assert "not a saved case" in first["detail"]
    assert "no property 'pairing/none'" in second["detail"]


def test_judge_finds_what_is_wrong_with_a_prompt(tmp_path: Path) -> None:
    """Each violation is named, with its place in the prompt or in the history."""
    history = history_of("FC(a) U FO(b)")
    (tmp_path / "history.json").write_text(json.dumps(history))
    (tmp_path / "good.json").write_text(json.dumps({"input": normalize(history)}))
    (tmp_path / "bad.json").write_text(json.dumps(history))
    files = ("--history", str(tmp_path / "history.json"), "--prompt")

    good = callpair("judge", *files, str(tmp_path / "good.json"))
    bad = callpair("judge", *files, str(tmp_path / "bad.json"))

    assert (0, "0 violations of 0 properties\n") == (good.code, good.out)
    assert 1 == bad.code
    assert "prompt item 0: function_call 'a' has no function_call_output" in bad.out
    assert "prompt item 2: function_call_output 'b' has no call" in bad.out


def test_judge_prints_json(tmp_path: Path) -> None:
    """`--json` holds the places as numbers."""
    (tmp_path / "history.json").write_text(json.dumps(history_of("FC(a)")))
    file = str(tmp_path / "history.json")

    ran = callpair("judge", "--history", file, "--prompt", file, "--json")

    violations = json.loads(ran.out)
    assert 1 == ran.code
    assert {
        "property": "pairing/call_answered",
        "message": "function_call 'a' has no function_call_output",
        "prompt_index": 0,
        "history_index": None,
    } in violations


def test_every_property_has_a_name_a_group_and_a_sentence() -> None:
    """Names are `group/statement` and unique; sentences are sentences."""
    names = [prop.name for prop in CATALOGUE]

    assert len(names) == len(set(names))
    for prop in CATALOGUE:
        assert prop.group in GROUPS
        assert prop.statement[0].isupper()
        assert prop.statement.endswith(".")
        assert prop.families
        assert (prop.prompt_law is None) != (prop.relation_law is None)
