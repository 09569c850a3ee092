"""Rollbacks, compactions and messages between agents: what they leave of a session's record."""

# Asserts read `expected == actual` here.
from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from normalizer import Item, Note, Rollout, read_rollout
from properties.selfcheck.helpers import call, line, message, written

ENVIRONMENT: Final = message("<environment_context>\nlinux\n</environment_context>")

#: The keys of a compaction that no rollback undoes.
RESUMABLE: Final = {"window_number": 1, "resume_metadata": {}}


def said(role: str, text: str) -> Item:
    """Return a message by `role` that says `text`."""
    return message(text) | {"role": role}


def happened(kind: str, **more: Any) -> str:
    """Return the line of an event."""
    return line({"type": kind, **more}, "event_msg")


def rolled_back(turns: Any) -> str:
    """Return the line of a rollback."""
    return happened("thread_rolled_back", num_turns=turns)


def compacted(**payload: Any) -> str:
    """Return the line of a compaction."""
    return line({"message": "so far", **payload}, "compacted")


def read(tmp_path: Path, *lines: Item | str) -> Rollout:
    """Return what a rollout of these items and lines holds."""
    texts = [each if isinstance(each, str) else line(each) for each in lines]
    return read_rollout(written(tmp_path / "r.jsonl", *texts))


# --- rollbacks ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("turns", "kept"), [(0, 4), (1, 2), (2, 0), (3, 0), (2**32 - 1, 0)])
def test_a_rollback_drops_that_many_turns(turns: int, kept: int, tmp_path: Path) -> None:
    """From the user message that begins the turn on; all of them, when there are no more."""
    items = [message("a"), call("1"), message("b"), call("2")]
    rollout = read(tmp_path, *items, rolled_back(turns))

    assert items[:kept] == rollout.history
    assert [1, 2, 3, 4][:kept] == rollout.lines
    assert [] == rollout.skipped


@pytest.mark.parametrize(
    "context",
    [
        ENVIRONMENT,
        message("  <ENVIRONMENT_CONTEXT> x </Environment_Context>\n"),
        message("# AGENTS.md instructions for /tmp\nx </INSTRUCTIONS>"),
        message("<turn_aborted></turn_aborted>"),
        ENVIRONMENT | {"content": [*message("words")["content"], *ENVIRONMENT["content"]]},
        said("developer", "<permissions instructions> x"),
        said("developer", " <MODEL_SWITCH>"),
    ],
)
def test_context_goes_with_the_turn_that_it_introduces(context: Item, tmp_path: Path) -> None:
    """Codex puts it right before; it begins no turn of its own."""
    for number in (1, 2, 3):
        before, after = [message("a"), call("b")], [message("c"), call("d")]
        items = [*before, *[context] * number, *after]

        assert before == read(tmp_path, *items, rolled_back(1)).history
        assert [] == read(tmp_path, *items, rolled_back(2)).history


@pytest.mark.parametrize(
    "other",
    [
        said("developer", "be brief"),
        said("assistant", "<environment_context> x </environment_context>"),
        said("assistant", "<model_switch>"),
        said("developer", "<environment_context> x </environment_context>"),
        call("c"),
    ],
)
def test_what_is_no_context_stays(other: Item, tmp_path: Path) -> None:
    """Whoever wrote it, it belongs to the turn before."""
    assert [message("a"), other] == read(
        tmp_path, message("a"), other, message("b"), rolled_back(1)
    ).history


@pytest.mark.parametrize(
    "text",
    ["<environment_context> x", "x </environment_context>", "<model_switch>", "# AGENTS.md x"],
)
def test_what_only_looks_like_context_begins_a_turn(text: str, tmp_path: Path) -> None:
    """A tag that is not closed, or a developer's, are the user's own words."""
    items = [message("a"), message(text), call("c")]

    assert items[:1] == read(tmp_path, *items, rolled_back(1)).history


def test_what_stands_before_the_first_turn_stays(tmp_path: Path) -> None:
    """However many turns are dropped, and also context right before the first."""
    items = [said("developer", "<tools>"), ENVIRONMENT, message("a"), message("b")]

    assert items[:2] == read(tmp_path, *items, rolled_back(9)).history


def test_without_turns_a_rollback_drops_nothing(tmp_path: Path) -> None:
    """Where no turn began, nothing can be taken back."""
    items = [ENVIRONMENT, call("c")]

    assert items == read(tmp_path, *items, rolled_back(1)).history


@pytest.mark.parametrize("turns", [None, -1, 2**32, 1.0, True, "1", []])
def test_a_rollback_of_no_whole_number_is_skipped(turns: Any, tmp_path: Path) -> None:
    """Codex counts turns in 32 bits without a sign."""
    rollout = read(tmp_path, message("a"), rolled_back(turns))

    assert [message("a")] == rollout.history
    assert [Note(2, "rollback without a whole 'num_turns'")] == rollout.skipped


def test_other_events_change_nothing(tmp_path: Path) -> None:
    """Not even those that are named alike."""
    rollout = read(tmp_path, message("a"), happened("thread_rolled_forward", num_turns=1), "{}")

    assert [message("a")] == rollout.history
    assert [3] == [note.line for note in rollout.skipped]


# --- compactions ----------------------------------------------------------------------------------


def test_a_summary_keeps_what_the_user_said(tmp_path: Path) -> None:
    """The user's own messages stay as text, then comes the summary; all else is gone."""
    image = {"type": "input_image", "file_id": "f"}
    kept = message("a") | {"id": "msg_1"}
    rollout = read(
        tmp_path,
        ENVIRONMENT,
        kept | {"content": [image, *kept["content"], image], "phase": "x"},
        said("assistant", "b"),
        message("x") | {"content": [image]},
        message("x") | {"content": []},
        call("c"),
        compacted(),
    )

    assert [
        kept,
        message(""),
        message("x") | {"content": []},
        message("so far"),
    ] == rollout.history
    assert [2, 4, 5, 7] == rollout.lines


def test_an_earlier_summary_is_left_out_of_the_next(tmp_path: Path) -> None:
    """Codex knows its own summaries by how they begin, over all their texts."""
    start = "Another language model started to solve this problem and produced a summary"
    path = tmp_path / "r.jsonl"
    full = summary_start()
    parts = [*message(full[:40])["content"], *message(full[40:] + "x")["content"]]
    rollout = read(tmp_path, message("") | {"content": parts}, message(start), compacted())

    assert path.exists()
    assert [message(start), message("so far")] == rollout.history


def summary_start() -> str:
    """Return how Codex begins a summary."""
    return (
        "Another language model started to solve this problem and produced a summary of its "
        "thinking process. You also have access to the state of the tools that were used by that "
        "language model. Use this to build on the work that has already been done and avoid "
        "duplicating work. Here is the summary produced by the other language model, use the "
        "information in this summary to assist with your own analysis:\n"
    )


def test_an_empty_summary_says_so(tmp_path: Path) -> None:
    """A message without a text would say nothing at all."""
    rollout = read(tmp_path, compacted(message=""))

    assert [message("(no summary available)")] == rollout.history


@pytest.mark.parametrize("payload", [[], {}, {"message": 7}, {"message": None}, "so far"])
def test_a_compaction_without_a_message_is_skipped(payload: Any, tmp_path: Path) -> None:
    """Codex does not read it, whatever else it holds."""
    rollout = read(tmp_path, message("a"), line(payload, "compacted"))

    assert [message("a")] == rollout.history
    assert [Note(2, "compaction without a string 'message'")] == rollout.skipped


def test_a_replacement_is_a_list_of_whole_items(tmp_path: Path) -> None:
    """The reason tells which item is not."""
    bad = compacted(replacement_history=[message("a"), {"type": "message"}])
    rollout = read(tmp_path, compacted(replacement_history={}), bad)

    assert [
        Note(1, "'replacement_history' is not a list"),
        Note(2, "'replacement_history' item 1: message needs 'role': a string"),
    ] == rollout.skipped


def test_a_rollback_undoes_a_compaction_in_the_same_turn(tmp_path: Path) -> None:
    """The items from before it are back."""
    lines: list[Item | str] = [message("a"), happened("task_started"), message("b")]
    rollout = read(tmp_path, *lines, compacted(replacement_history=[message("c")]), rolled_back(1))

    assert [message("a")] == rollout.history


@pytest.mark.parametrize("started", ["task_started", "turn_started"])
def test_a_rollback_spares_the_compaction_of_an_earlier_turn(started: str, tmp_path: Path) -> None:
    """It drops what came behind it."""
    rollout = read(
        tmp_path,
        message("a"),
        compacted(replacement_history=[message("c")]),
        happened(started),
        message("b"),
        happened(started),
        message("d"),
        rolled_back(1),
        rolled_back(1),
    )

    assert [message("c")] == rollout.history


def test_rollbacks_add_up(tmp_path: Path) -> None:
    """Two of one turn each undo what one of two turns does."""
    lines: list[Item | str] = [
        message("a"),
        happened("task_started"),
        message("b"),
        compacted(replacement_history=[message("c")]),
        happened("task_started"),
        message("d"),
    ]

    once = read(tmp_path, *lines, rolled_back(2)).history

    assert [message("a")] == once
    assert once == read(tmp_path, *lines, rolled_back(1), rolled_back(1)).history


def test_a_user_event_counts_as_the_turn_of_its_segment(tmp_path: Path) -> None:
    """A rollback is used up by it and spares the compaction before."""
    rollout = read(
        tmp_path,
        message("a"),
        message("b"),
        compacted(replacement_history=[message("c"), message("d")]),
        happened("task_started"),
        happened("user_message"),
        rolled_back(1),
    )

    assert [message("c")] == rollout.history


def test_no_rollback_undoes_a_compaction_that_holds_all(tmp_path: Path) -> None:
    """Newer ones carry what a session resumes from; each of the two keys is needed."""
    lines: list[Item | str] = [message("a"), happened("task_started"), message("b")]
    replacement = [message("c"), message("d")]

    def left(**keys: Any) -> list[Item]:
        compaction = compacted(replacement_history=replacement, **keys)
        return read(tmp_path, *lines, compaction, rolled_back(1)).history

    assert [message("c")] == left(**RESUMABLE)
    for key in RESUMABLE:
        assert [message("a")] == left(**RESUMABLE | {key: None})


def test_only_the_newest_compaction_decides(tmp_path: Path) -> None:
    """One that holds all counts no more when a lesser one follows it."""
    rollout = read(
        tmp_path,
        compacted(replacement_history=[message("a")], **RESUMABLE),
        happened("task_started"),
        message("b"),
        compacted(replacement_history=[message("c")]),
        rolled_back(1),
    )

    assert [message("a")] == rollout.history


def test_keys_alone_hold_no_history(tmp_path: Path) -> None:
    """A summary is none to resume from, whatever keys it carries."""
    rollout = read(
        tmp_path,
        compacted(replacement_history=[message("a")]),
        message("b"),
        compacted(**RESUMABLE),
    )

    assert [message("a"), message("b"), message("so far")] == rollout.history


# --- messages between agents ----------------------------------------------------------------------

SENT: Final = {"author": "/root", "recipient": "/root/helper", "content": "look"}


def test_a_message_between_agents_is_an_item_and_begins_a_turn(tmp_path: Path) -> None:
    """Codex sends it on in a form of its own."""
    sent = line(SENT, "inter_agent_communication")
    content = [{"type": "input_text", "text": "look"}]
    rollout = read(tmp_path, message("a"), sent)

    assert [message("a"), {"type": "agent_message", **SENT, "content": content}] == rollout.history
    assert [] == rollout.unknown
    assert [message("a")] == read(tmp_path, message("a"), sent, rolled_back(1)).history


@pytest.mark.parametrize("key", SENT)
def test_a_message_between_agents_needs_its_three_texts(key: str, tmp_path: Path) -> None:
    """Without one of them the line is skipped."""
    payloads = [{**SENT, key: 7}, {k: SENT[k] for k in SENT if k != key}, "look"]
    rollout = read(tmp_path, *(line(payload, "inter_agent_communication") for payload in payloads))

    reason = "message between agents without author, recipient and content"
    assert [] == rollout.history
    assert [Note(1, reason), Note(2, reason), Note(3, reason)] == rollout.skipped
