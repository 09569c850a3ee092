"""LiteLLM: what it does to chat messages with `modify_params`, before a request to Anthropic."""

from __future__ import annotations

import logging
import os
from collections.abc import Collection
from typing import Any

# Or it asks the network for a list of prices while it is imported.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm
from litellm.litellm_core_utils.prompt_templates.factory import (
    sanitize_messages_for_tool_calling,
)

from benchmarks.peers.chat import Message, repaired
from normalizer import Item

litellm.modify_params = True
logging.getLogger("LiteLLM").setLevel(logging.ERROR)  # It tells of every repair.


def normalize(history: list[Item], _: Collection[str]) -> list[Item]:
    """Return what `sanitize_messages_for_tool_calling` makes of the history."""
    return repaired(history, _sanitized)


def _sanitized(messages: list[Message]) -> list[Message]:
    chat: Any = messages
    sanitized: list[Any] = sanitize_messages_for_tool_calling(chat)
    return sanitized
