"""Histories as the rollout files that Codex would have recorded them in."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from normalizer import FAMILIES_OF_OUTPUT, Item

_START = datetime(2026, 12, 1, 18, 14, 41, tzinfo=UTC)
_PACE = timedelta(milliseconds=137)
_SESSION = "01a232d1-1ed6-7082-9a67-e9badde169ea"
_TURN = "01a232d1-1eed-7ab0-8b22-525375c73e0f"


def rollout_lines(history: Iterable[Item]) -> Iterator[bytes]:
    """Yield the lines of a rollout that holds `history`, each with its line break.

    A header comes first. Between the items stand almost as many events, and most repeat what an
    item holds, as in real sessions: whoever reads the items has to get past them.
    """
    for ordinal, (line_type, payload, extra) in enumerate(_entries(history)):
        time = (_START + ordinal * _PACE).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = {"timestamp": time, "ordinal": ordinal, "type": line_type, "payload": payload}
        yield json.dumps(line | extra, ensure_ascii=False).encode() + b"\n"


def _entries(history: Iterable[Item]) -> Iterator[tuple[str, Item, Item]]:
    """Yield the type, the payload and the further keys of each line."""
    yield "session_meta", _header(), {}
    for sequence, item in enumerate(history):
        if item["type"] == "message" and item.get("role") == "user":
            if sequence:
                yield "event_msg", _turn_complete(), {}
            yield "event_msg", _turn_started(), {}
        metadata = {
            "history_sequence": sequence,
            "sampled_through_sequence": max(0, sequence - 1),
            "client_authored": False,
            "model_search_state": "unused",
        }
        event = _item_completed(item)
        if event is not None:
            yield "event_msg", event, {}
        yield "response_item", item, {"metadata": metadata}


def _header() -> Item:
    return {
        "session_id": _SESSION,
        "id": _SESSION,
        "cwd": "/workspace",
        "originator": "codex_exec",
        "cli_version": "0.171.0",
        "source": "exec",
        "model_provider": "openai",
    }


def _turn_started() -> Item:
    return {
        "type": "task_started",
        "turn_id": _TURN,
        "root_turn_id": _TURN,
        "started_at": 1_796_148_881,
        "model_context_window": 258_400,
        "collaboration_mode_kind": "default",
    }


def _turn_complete() -> Item:
    return {
        "type": "task_complete",
        "turn_id": _TURN,
        "root_turn_id": _TURN,
        "last_agent_message": "Done.",
        "started_at": 1_796_148_881,
        "completed_at": 1_796_148_899,
        "duration_ms": 18_204,
    }


def _item_completed(item: Item) -> Item | None:
    """Return the event that tells a user interface about `item`; calls wait for their outputs."""
    shown = _shown(item)
    if shown is None:
        return None
    return {
        "type": "item_completed",
        "thread_id": _SESSION,
        "turn_id": _TURN,
        "item": shown,
        "started_at_ms": 1_796_148_881_592,
        "completed_at_ms": 1_796_148_881_845,
    }


def _shown(item: Item) -> dict[str, Any] | None:
    if item["type"] == "message":
        kind = "UserMessage" if item["role"] == "user" else "AgentMessage"
        return {"type": kind, "id": item["id"], "content": item["content"]}
    if item["type"] == "reasoning":
        texts = [part["text"] for part in item["summary"]]
        return {"type": "Reasoning", "id": item["id"], "summary_text": texts, "raw_content": []}
    if item["type"] in FAMILIES_OF_OUTPUT and isinstance(item.get("output"), str):
        return {
            "type": "CommandExecution",
            "id": item["call_id"],
            "command": ["/bin/bash", "-lc", "git status --short"],
            "cwd": "file:///workspace",
            "parsed_cmd": [{"type": "unknown", "cmd": "git status --short"}],
            "status": "completed",
            "aggregated_output": item["output"],
            "exit_code": 0,
            "duration": {"secs": 0, "nanos": 261_180_878},
        }
    return None
