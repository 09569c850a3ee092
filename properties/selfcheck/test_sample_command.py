"""`callpair sample` as a user runs it, and the drawing of histories that it prints."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any, Final

import pytest

import callpair
from normalizer import FAMILIES, FAMILIES_OF_OUTPUT, FAMILY_OF_CALL, normalize
from properties.selfcheck.helpers import PROJECT
from strategies import FAULTS, SCENARIOS, drawn, histories, history_of
from strategies.commands.draws import draw
from strategies.drawing import OPEN, ORPHAN, marks

Capture = pytest.CaptureFixture[str]

#: All characters that brackets are made of.
MARGIN: Final = re.compile(f"^ *[0-9]+ [┌├└│┼─ ]*[{OPEN}{ORPHAN}─ ] ")


def sample(capsys: Capture, *arguments: str) -> str:
    """Return what `callpair sample` prints; it has to exit with 0 and to say nothing else."""
    assert callpair.main(["sample", *arguments]) == 0

    printed = capsys.readouterr()

    assert printed.err == ""
    return printed.out


def sample_json(capsys: Capture, *arguments: str) -> Any:
    return json.loads(sample(capsys, *arguments, "--json"))


def labels_of(capsys: Capture, *arguments: str) -> set[str]:
    """Return all labels of the samples."""
    samples = sample_json(capsys, *arguments)["samples"]
    return {label for some in samples for label in some["labels"]}


# --- the drawing ----------------------------------------------------------------------------------


def test_a_bracket_joins_each_call_to_its_outputs() -> None:
    """Parallel calls get columns of their own, whatever the order of their outputs."""
    expected = """
0 ┌── function_call           a shell {}
1 │┌─ custom_tool_call        b apply_patch x
2 └┼─ function_call_output    a 'ok'
3  ├─ custom_tool_call_output b 'ok'
4  │○ local_shell_call        c ls
5  └─ custom_tool_call_output b 'ok'
6   × tool_search_output      d tools=[]
7 ┌── tool_search_output      e tools=[]
8 └── tool_search_call        e {}
"""

    assert expected.strip("\n").split("\n") == drawn(
        history_of("FC(a) CC(b) FO(a) CO(b) LS(c) CO(b) TO(d) TO(e) TC(e)")
    )


def test_what_needs_no_partner_is_not_marked() -> None:
    """Null and absent call ids, a server's search and a message stand alone by right."""
    history = history_of("LS(null) FO(null) FO(absent) TO(a,server) TC(null,server) U X")

    assert [""] * len(history) == marks(history)
    assert "(null)" in drawn(history)[0]
    assert "(absent)" in drawn(history)[2]
    assert "server" in drawn(history)[3]


def test_the_marks_are_what_codex_would_repair() -> None:
    """An open call is one that gets a made-up output, an orphan one that is dropped."""
    found: list[Any] = []
    draw(histories(), 200, found.append, with_seed=1)
    for history in found:
        counts = [marks(history).count(mark) for mark in (OPEN, ORPHAN)]

        assert len(normalize(history)) == len(history) + counts[0] - counts[1]
        assert [""] * len(normalize(history)) == marks(normalize(history))


def test_every_item_is_one_line_without_control_characters() -> None:
    """Nothing that a history holds reaches the terminal as a command to it."""
    found: list[Any] = [history_of("U FC(a) FO(a)")]
    found[0][0]["content"][0]["text"] = "\x1b[31m\r\n\u2028\u202e\x9b"
    found[0][1] |= {"name": "\x1b]0;t\x07", "\x1bkey": "\x1b", "id": "\x1b"}
    found[0][2]["call_id"] = "\x1b" * 100
    draw(histories(), 200, found.append, with_seed=1)
    for history in found:
        lines = drawn(history)

        assert len(history) == len(lines)
        assert all(line.isprintable() and MARGIN.match(f"{line} ") for line in lines)


def test_long_texts_are_cut_and_long_ids_keep_their_end() -> None:
    """A line stays readable, and two ids that differ at their end still differ."""
    ids = ["x" * 64 + "a", "x" * 64 + "b"]
    history = history_of("FC(a) FC(b)", dict(zip("ab", ids, strict=True)).__getitem__)
    history[0]["arguments"] = "y" * 5000
    one, other = drawn(history)

    assert len(one) < 160
    assert one.split()[3] != other.split()[3]


def test_anything_can_be_drawn() -> None:
    """A prompt under test may hold what is no item at all."""
    values: list[Any] = [None, 7, "text", [], {}, True, [None], {"type": 7}]
    odd: list[Any] = [
        *values,
        *({"type": kind} for kind in values),
        *({"type": "function_call", "call_id": value, "id": value} for value in values),
        *({"type": "message", "role": value, "content": value} for value in values),
        {"type": "message", "content": [{"type": 7}, "x", {"text": "y"}], 3: object()},
        {"type": "local_shell_call", "action": {"command": 7}, "execution": []},
    ]

    assert len(odd) == len(drawn(odd))
    assert [] == drawn([])


# --- samples --------------------------------------------------------------------------------------


def test_it_shows_five_histories_with_what_they_were_made_with(capsys: Capture) -> None:
    """Each has a number, its kind, its size and its labels, and is not empty."""
    out = sample(capsys, "--seed", "1")

    assert out.startswith("seed 1\n")
    assert ["1", "2", "3", "4", "5"] == re.findall(r"^(\d+)\. \w+, \d+ items?", out, re.MULTILINE)
    assert out.count("call ids: ") == 5


def test_the_number_of_histories_is_the_users_choice(capsys: Capture) -> None:
    """`-n` many are shown."""
    assert len(sample_json(capsys, "-n", "12", "--seed", "1")["samples"]) == 12


def test_the_json_holds_whole_histories(capsys: Capture) -> None:
    """Enough to feed a normalizer in any language, drawn the same as for people."""
    printed = sample(capsys, "--seed", "7")
    document = sample_json(capsys, "--seed", "7")

    assert document["seed"] == 7
    for some in document["samples"]:
        normalize(some["history"])

        assert all(f"   {line}" in printed for line in drawn(some["history"]))


def test_without_a_seed_one_is_chosen_and_told(capsys: Capture) -> None:
    """Whatever was seen can be seen again."""
    seed, _, shown = sample(capsys).partition("\n")

    assert shown == sample(capsys, "--seed", seed.removeprefix("seed ")).partition("\n")[2]


def test_the_same_seed_gives_the_same_in_every_process() -> None:
    """The hash seed of a process changes nothing."""
    command = [sys.executable, str(PROJECT / "callpair.py"), "sample", "--seed", "3"]
    runs = [
        subprocess.run(command, capture_output=True, check=True, env={"PYTHONHASHSEED": seed})
        for seed in ("1", "2")
    ]

    assert runs[0].stdout == runs[1].stdout


@pytest.mark.parametrize("kind", ["whole", "truncated", "corrupted", "scenario"])
def test_kind_restricts_the_kind(capsys: Capture, kind: str) -> None:
    """Only histories of that kind are shown."""
    kinds = {label for label in labels_of(capsys, "--kind", kind) if label.startswith("kind: ")}

    assert {f"kind: {kind}"} == kinds


def test_faults_restricts_the_faults(capsys: Capture) -> None:
    """Only those faults happen; corrupted histories are what one wants to see then."""
    labels = labels_of(capsys, "--faults", "item dropped, block replayed", "-n", "20")

    assert {"fault: item dropped", "fault: block replayed", "kind: corrupted"} == {
        label for label in labels if not label.startswith("call ids")
    }


def test_families_restricts_the_families(capsys: Capture) -> None:
    """No call or output of another family is shown."""
    samples = sample_json(capsys, "--families", "custom", "-n", "20")["samples"]
    types = {item["type"] for some in samples for item in some["history"]}

    assert {"custom_tool_call", "custom_tool_call_output"} == types & {
        *FAMILY_OF_CALL,
        *FAMILIES_OF_OUTPUT,
    }


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--faults", "no such fault"), "unknown fault 'no such fault': choose from item dropped"),
        (("--faults", ""), "at least one"),
        (("--families", "nobody"), "choose from function, local_shell"),
        (("--families", ","), "choose from function, local_shell"),
        (("--kind", "whole", "--faults", "item dropped"), "whole histories have none"),
        (("--kind", "broken"), "broken"),
        (("-n", "0"), "expected a number of histories, got '0'"),
        (("-n", "many"), "expected a number of histories, got 'many'"),
        (("--stats", "-1"), "expected a number of histories, got '-1'"),
        (("--stats", "5", "-n", "5"), "not allowed"),
        (("--seed", "x"), "expected a whole number, got 'x'"),
    ],
)
def test_a_mistake_is_told_in_one_line(
    capsys: Capture, arguments: tuple[str, ...], told: str
) -> None:
    """It exits with 2 and says what there is to choose from."""
    try:
        code = callpair.main(["sample", *arguments])
    except SystemExit as error:
        code = error.code  # type: ignore[assignment]
    printed = capsys.readouterr()

    assert (code, printed.out) == (2, "")
    assert told in printed.err
    assert printed.err.count("\n") == 1


# --- statistics -----------------------------------------------------------------------------------


def test_statistics_count_everything_that_has_a_name(capsys: Capture) -> None:
    """Kinds, cuts, faults, scenarios, call ids, types and sizes, and the speed beside another."""
    out = sample(capsys, "--stats", "600", "--seed", "1")
    summary = out.splitlines()[-1]

    for title in ("kind", "cut", "fault (", "scenario (", "call ids (", "type of item", "items"):
        assert re.search(f"^{re.escape(title)}", out, re.MULTILINE)
    assert re.search(r"^these +[\d,]+ +[\d.]+ +[\d.]+$", out, re.MULTILINE)
    assert re.search(r"^plain dictionaries +[\d,]+ +[\d.]+ +1\.00$", out, re.MULTILINE)
    assert re.fullmatch(r"seed 1: 600 histories, \d+ draws? discarded \(\d+\.\d%\)", summary)
    assert f"of {len(FAULTS)})" in out
    assert f"of {len(SCENARIOS)})" in out


def test_statistics_add_up(capsys: Capture) -> None:
    """Each history has one kind, one set of call ids and one size, and is counted once."""
    counted = sample_json(capsys, "--stats", "300", "--seed", "1")

    assert counted["histories"] == 300
    for groups in (counted["labels"]["kind"], counted["labels"]["call ids"], counted["sizes"]):
        assert sum(groups.values()) == 300
    assert max(counted["types"].values()) <= 300
    assert counted["open_or_orphaned"].keys() <= counted["types"].keys()
    assert counted["ratio"] > 0


def test_statistics_can_be_of_one_kind(capsys: Capture) -> None:
    """The other options hold for them too."""
    counted = sample_json(capsys, "--stats", "60", "--kind", "truncated", "--families", "custom")

    assert {"truncated": 60} == counted["labels"]["kind"]
    assert counted["labels"]["fault"] == {}


def test_help_names_the_families_and_ends_in_an_example(capsys: Capture) -> None:
    """Whoever asks for help sees what to type."""
    with pytest.raises(SystemExit):
        callpair.main(["sample", "--help"])
    out = capsys.readouterr().out

    assert ",".join(family.name for family in FAMILIES) in out.replace("\n", "").replace(" ", "")
    assert out.rstrip().endswith("callpair sample --stats 5000")
