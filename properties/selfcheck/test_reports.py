"""Reports: whole or refused, the same run in each, and nothing of a subject gets out of its box."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import pytest

from normalizer import ALL, CommandError
from properties.broken import BrokenCase
from properties.report import broken_report
from properties.reports import read_report, write_report
from properties.results import Results, Row
from properties.selfcheck.helpers import callpair
from strategies import history_of

#: What must not become part of a page.
_EVIL: Final = "</pre><script>alert(1)</script>"


def _case(name: str, outcome: str = "") -> BrokenCase:
    history = history_of("FC(a) U", name_of=lambda _: _EVIL)
    prompt = None if outcome else history
    return BrokenCase(name, "mixed", _EVIL, history, ALL, (f"wrong {_EVIL}",), prompt, outcome)


def _results(subject: str = _EVIL) -> Results:
    rows = [
        Row("pairing/call_answered", "mixed", "broken", 3, 0.5, _case("pairing/call_answered")),
        Row("pairing/call_answered", "custom", "holds", 100, 0.5),
        Row("pairing/says_aborted", "mixed", "n/a", 0, 0.0, reason='unanswered is "drop"'),
        Row("orphans/none_left", "mixed", "broken", 1, 0.1, _case("orphans/none_left", "crashed")),
        Row("orphans/none_left", "custom", "broken", 1, 0.1, _case("orphans/none_left", "crashed")),
        Row("identity/prefix", "mixed", "deviates", 1, 0.1, reason="we have our own"),
        Row("identity/distinct", "mixed", "fixed", 1, 0.1, reason="it is fixed: remove it"),
    ]
    return Results(subject, "ci", None, rows, complete=True)


class _Page(HTMLParser):
    """Collects what a browser would see."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]
        self.anchors |= {f"#{value}" for name, value in attrs if name == "id"}

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_report_is_read_as_it_was_written(tmp_path: Path) -> None:
    """JSON lines hold all of a run."""
    write_report(tmp_path / "a.jsonl", [_results()])

    read = read_report(tmp_path / "a.jsonl")

    assert _results().verdict == read.verdict
    assert _results().rows == read.rows


@pytest.mark.parametrize("kept", [0, 1, 3, -1])
def test_half_a_report_is_refused(kept: int, tmp_path: Path) -> None:
    """Without its footer, or with a row too few, a report proves nothing."""
    file = tmp_path / "a.jsonl"
    write_report(file, [_results()])
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:kept]))

    with pytest.raises(CommandError, match="not a report"):
        read_report(file)


def test_a_page_stands_alone_and_keeps_everything_in_its_box(tmp_path: Path) -> None:
    """No script, nothing to load, and what a subject says is text."""
    write_report(tmp_path / "a.html", [_results(), _results("other")])

    page = _Page((tmp_path / "a.html").read_text("utf-8"))

    assert "script" not in page.tags
    assert page.links
    assert page.anchors >= set(page.links)
    assert f"wrong {_EVIL}" in page.text
    assert "○ function_call" in page.text
    assert 'unanswered is "drop"' in page.text


def test_each_failure_is_told_once(tmp_path: Path) -> None:
    """A property that is broken in two columns has one story, with its smallest history."""
    write_report(tmp_path / "a.html", [_results()])
    write_report(tmp_path / "a.md", [_results()])

    page = _Page((tmp_path / "a.html").read_text("utf-8"))
    text = (tmp_path / "a.md").read_text("utf-8")

    assert 2 == page.tags.count("article")
    assert 2 == text.count("\n## ")
    assert "| `pairing/call_answered` " in text
    assert "**broken**" in text


def test_check_writes_reports_and_they_are_compared(tmp_path: Path) -> None:
    """Runs of two subjects stand side by side; one that is broken makes the exit code 1."""
    quick = ("--only", "pairing", "--families", "mixed", "--examples", "20")
    wrong = "python:properties.selfcheck.subjects:claiming_success"
    callpair("check", *quick, "--report", "a.jsonl", cwd=tmp_path)
    callpair("check", *quick, "--report", "b.jsonl", "--subject", wrong, cwd=tmp_path)

    same = callpair("report", "a.jsonl", "a.jsonl", cwd=tmp_path)
    ran = callpair("report", "a.jsonl", "b.jsonl", "--report", "both.html", cwd=tmp_path)

    [line] = [line for line in ran.out.splitlines() if line.startswith("pairing/says_aborted")]
    assert (0, 1) == (same.code, ran.code)
    assert ["holds", "broken"] == line.split()[1:]
    assert (tmp_path / "both.html").exists()


def test_a_report_of_no_kind_is_refused_before_the_run(tmp_path: Path) -> None:
    """A suffix that stands for no kind of report costs one line and no time."""
    ran = callpair("check", "--report", "a.pdf", cwd=tmp_path)

    assert (2, 1) == (ran.code, len(ran.err.splitlines()))
    assert "a name that ends in .jsonl, .html, .md" in ran.err


def test_a_long_history_is_shown_in_part() -> None:
    """Around the first difference, with how many items there are before and after."""
    history = history_of("U " * 200)
    prompt = [*history[:100], *history[101:]]
    prompt[90] = {**prompt[90], "role": "developer"}
    case = BrokenCase("model/large_histories", "mixed", "s", history, ALL, ("x",), prompt)

    text = broken_report(case)

    assert len(text.splitlines()) < 110
    assert "… 160 items more" in text
    assert "… 70 items before" in text
    assert "expected item 90:" in text


def test_items_that_look_the_same_are_told_apart() -> None:
    """The row names the keys that differ."""
    history = history_of("U FC(a,id=fc_1) FO(a)")
    prompt = [*history[:1], {**history[1], "id": "fc_2"}, history[2]]
    case = BrokenCase("model/equals_specification", "mixed", "s", history, ALL, ("x",), prompt)

    assert "! function_call a                       ! other id" in broken_report(case)
