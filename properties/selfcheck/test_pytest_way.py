"""`pytest --pyargs properties` in an adopter's repository: the same as `callpair check`."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Final

import pytest

from properties.selfcheck.helpers import callpair

pytest_plugins = ["pytester"]

_MINE: Final = """
def normalize(history, modalities):
    answered = {item.get("call_id") for item in history if item["type"].endswith("_output")}
    prompt = []
    for item in history:
        prompt.append(dict(item))
        if item["type"] == "function_call" and item["call_id"] not in answered:
            prompt.append(
                {"type": "function_call_output", "call_id": item["call_id"], "output": "aborted"}
            )
    return prompt
"""

_SETTINGS: Final = """
[tool.callpair]
subject = "python:mine:normalize"
only = ["pairing", "orphans/none_left", "identity/prefix"]
families = ["function", "mixed"]
examples = 30
seed = 1
deviations = "deviations.toml"
[tool.callpair.capabilities]
ids = "none"
"""

_DEVIATION: Final = """
[[deviation]]
property = "orphans/none_left"
reason = "we do not prune yet"
history = '[{"type": "function_call_output", "call_id": "a", "output": "ok"}]'
"""


def _project(folder: Path) -> None:
    """Make the repository of somebody who has a normalizer with known faults."""
    (folder / "mine.py").write_text(_MINE)
    (folder / "pyproject.toml").write_text(_SETTINGS)
    (folder / "deviations.toml").write_text(_DEVIATION)
    (folder / "test_theirs.py").write_text("def test_theirs(): pass\n")


def test_pytest_and_check_come_to_the_same(pytester: pytest.Pytester) -> None:
    """With the settings of the project alone, each property and column has the same outcome."""
    _project(pytester.path)
    words = {"holds": "passed", "broken": "failed", "deviates": "skipped", "n/a": "skipped"}

    checked = callpair("check", "--json", cwd=pytester.path)
    pytester.runpytest_subprocess("--pyargs", "properties", "--junit-xml", "report.xml")

    rows = json.loads(checked.out)["rows"]
    expected = {
        f"{row['property'].partition('/')[2]}-{row['family']}": words[row["outcome"]]
        for row in rows
    }
    cases = ET.parse(pytester.path / "report.xml").getroot().iter("testcase")
    got = {case.attrib["name"].split("[")[1][:-1]: _outcome(case) for case in cases}
    assert 1 == checked.code
    assert set(words.values()) == set(expected.values())
    assert expected == got


def _outcome(case: ET.Element) -> str:
    for tag, word in (("failure", "failed"), ("skipped", "skipped"), ("error", "error")):
        if case.find(tag) is not None:
            return word
    return "passed"


def test_their_own_tests_are_left_alone(pytester: pytest.Pytester) -> None:
    """In a run without conformance tests no normalizer is loaded, and nothing is said."""
    (pytester.path / "pyproject.toml").write_text('[tool.callpair]\nsubject = "python:no:such"\n')
    pytester.makepyfile("def test_theirs(): pass")

    ran = pytester.runpytest_subprocess()

    ran.assert_outcomes(passed=1)
    ran.stdout.no_fnmatch_line("*callpair*subject*")


def test_a_failure_is_a_report_for_people(pytester: pytest.Pytester) -> None:
    """No traceback of ours: the sentence, the smallest history, expected beside got."""
    _project(pytester.path)

    ran = pytester.runpytest_subprocess(
        *("--pyargs", "properties", "--subject", "python:mine:normalize"),
        *("--only", "pairing/call_answered", "--families", "mixed"),
    )

    ran.assert_outcomes(failed=1)
    ran.stdout.fnmatch_lines(["pairing/call_answered is broken:*", "smallest history, 1 item,*"])
    ran.stdout.no_fnmatch_line("*Traceback*")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--subject", "nobody"), "*no subject 'nobody'*"),
        (("--callpair-profile", "x"), "*invalid choice: 'x'*"),
        (("--deviations", "none.toml"), "*none.toml: No such file*"),
    ],
)
def test_mistakes_are_usage_errors(
    words: tuple[str, ...], problem: str, pytester: pytest.Pytester
) -> None:
    """What cannot be run is told in one line, and pytest exits with 4."""
    ran = pytester.runpytest_subprocess("--pyargs", "properties", *words)

    assert pytest.ExitCode.USAGE_ERROR == ran.ret
    ran.stderr.fnmatch_lines([problem])


def test_a_project_in_another_environment(tmp_path: Path) -> None:
    """The normalizer's own interpreter has nothing of ours, and is still seen from inside."""
    _project(tmp_path)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / ".venv"], check=True)
    theirs = tmp_path / ".venv" / "bin" / "python"
    bare = subprocess.run(
        [theirs, "-c", "import hypothesis"], check=False, capture_output=True, cwd=tmp_path
    )

    ran = callpair(
        *("check", "--subject", f"python@{theirs}:mine:normalize"),
        *("--only", "immutability", "--json"),
        cwd=tmp_path,
    )

    outcomes = {row["property"]: row["outcome"] for row in json.loads(ran.out)["rows"]}
    assert 0 != bare.returncode
    assert "broken" == outcomes["immutability/nothing_shared"]
    assert "holds" == outcomes["immutability/input_unchanged"]
