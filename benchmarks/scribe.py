"""Single items as Codex writes them, with ids and texts drawn from one random source."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

from benchmarks.texts import AUDIO_URLS, COMMANDS, IMAGE_URLS, PICTURES, TOOLS, WORDS, Texts
from normalizer import FAMILY_OF_CALL, Item

#: Where Codex notes which turn an item belongs to; every item of a rollout has it.
_NOTE: Final = "internal_chat_message_metadata_passthrough"


class Scribe:
    """Writes one item after another; with the same seed the same items, in every process.

    Items share no dict and no list, as items read from a file do not.
    """

    def __init__(self, seed: int) -> None:
        self.random: Final = Random(seed)
        self._texts = Texts(self.random)
        self._turn = {"turn_id": ""}
        self._clock = 1_796_148_881.5

    def user_message(self) -> Item:
        """Return a message that opens a turn: up to three texts, in one of ten an image as well."""
        self._turn = {"turn_id": self._id("turn")}
        parts = [self._text("input_text") for _ in range(self.between(1, 3))]
        if self.random.random() < 0.1:
            parts.append(self.image())
        return self.message("user", parts)

    def assistant_message(self) -> Item:
        """Return what the model says between or after its calls, in one or two texts."""
        parts = [self._text("output_text") for _ in range(self.between(1, 2))]
        return self.message("assistant", parts)

    def message(self, role: str, parts: list[Item]) -> Item:
        """Return a message with these parts."""
        kind = "user.text" if role == "user" else "unknown"
        return {
            "type": "message",
            "id": self._id("msg"),
            "role": role,
            "content": parts,
            _NOTE: {
                **self._turn,
                "create_time": self._time(),
                "content_item_kinds": [kind],
                "content_item_metadata": [{"provenance": {"type": role}}],
            },
        }

    def reasoning(self) -> Item:
        """Return a thought: a summary to read and the encrypted whole."""
        return {
            "type": "reasoning",
            "id": self._id("rs"),
            "summary": [self._text("summary_text")],
            "content": None,
            "encrypted_content": self._pick(self._texts.encrypted),
            _NOTE: self._turn.copy(),
        }

    def image(self) -> Item:
        """Return a part that shows an image."""
        return {"type": "input_image", "image_url": self._pick(IMAGE_URLS), "detail": "high"}

    def audio(self) -> Item:
        """Return a part that holds sound."""
        return {"type": "input_audio", "audio_url": self._pick(AUDIO_URLS)}

    def generated_image(self) -> Item:
        """Return an image that the model made."""
        return {
            "type": "image_generation_call",
            "id": self._id("ig"),
            "status": "completed",
            "result": self._pick(PICTURES),
            _NOTE: self._turn.copy(),
        }

    def call_id(self) -> str:
        """Return a call id that nothing carries so far."""
        return self._id("call")

    def call(self, call_type: str, call_id: str) -> Item:
        """Return a call of this type."""
        return _CALLS[call_type](self, call_id)

    def output(self, output_type: str, call_id: str) -> Item:
        """Return an output of this type; the tools' are mostly text, in one of ten a list."""
        return _OUTPUTS[output_type](self, call_id)

    def answer(self, call: Item) -> Item:
        """Return the output that answers `call`; a call that views an image gets to see it."""
        output = self.output(FAMILY_OF_CALL[call["type"]].output_type, call["call_id"])
        if call.get("name") == "view_image":
            output["output"] = [self.image()]
        return output

    def between(self, low: int, high: int) -> int:
        """Return one of the numbers from `low` to `high`."""
        # Several times as fast as `randint`, and a history asks a few times per item.
        return low + int(self.random.random() * (high - low + 1))

    def _function_call(self, call_id: str) -> Item:
        views = self.random.random() < 0.03
        return {
            "type": "function_call",
            "id": self._id("fc"),
            "name": "view_image" if views else "exec_command",
            "arguments": '{"path": "a.png"}' if views else self._pick(self._texts.arguments),
            "call_id": call_id,
            _NOTE: self._turn.copy(),
        }

    def _local_shell_call(self, call_id: str) -> Item:
        return {
            "type": "local_shell_call",
            "id": self._id("lsh"),
            "call_id": call_id,
            "status": "completed",
            "action": {
                "type": "exec",
                "command": ["bash", "-lc", self._pick(COMMANDS)],
                "timeout_ms": 120_000,
                "working_directory": "/workspace",
                "env": None,
                "user": None,
            },
            _NOTE: self._turn.copy(),
        }

    def _custom_tool_call(self, call_id: str) -> Item:
        return {
            "type": "custom_tool_call",
            "id": self._id("ctc"),
            "status": "completed",
            "call_id": call_id,
            "name": "apply_patch",
            "input": self._pick(self._texts.patches),
            _NOTE: self._turn.copy(),
        }

    def _tool_search_call(self, call_id: str) -> Item:
        return {
            "type": "tool_search_call",
            "id": self._id("tsc"),
            "call_id": call_id,
            "status": "completed",
            "execution": "client",
            "arguments": {"query": self._pick(WORDS), "limit": 3},
            _NOTE: self._turn.copy(),
        }

    def _function_call_output(self, call_id: str) -> Item:
        return {
            "type": "function_call_output",
            "id": self._id("fco"),
            "call_id": call_id,
            "output": self._printed(),
            _NOTE: {**self._turn, "create_time": self._time()},
        }

    def _custom_tool_call_output(self, call_id: str) -> Item:
        return {
            "type": "custom_tool_call_output",
            "id": self._id("ctco"),
            "call_id": call_id,
            "output": self._printed(),
            _NOTE: {**self._turn, "create_time": self._time()},
        }

    def _tool_search_output(self, call_id: str) -> Item:
        return {
            "type": "tool_search_output",
            "id": self._id("tso"),
            "call_id": call_id,
            "status": "completed",
            "execution": "client",
            "tools": [self._tool() for _ in range(self.between(0, 3))],
            _NOTE: {**self._turn, "create_time": self._time()},
        }

    def _printed(self) -> str | list[Item]:
        text = self._pick(self._texts.printed)
        if self.random.random() < 0.1:
            return [{"type": "input_text", "text": text}, self._text("input_text")]
        return text

    def _tool(self) -> Item:
        return {
            "type": "function",
            "name": self._pick(TOOLS),
            "description": self._pick(self._texts.prose),
            "strict": False,
            "parameters": {
                "type": "object",
                "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
                "required": ["query"],
            },
        }

    def _text(self, part_type: str) -> Item:
        return {"type": part_type, "text": self._pick(self._texts.prose)}

    def _id(self, prefix: str) -> str:
        return f"{prefix}_{self.random.getrandbits(128):032x}"

    def _time(self) -> float:
        self._clock += 0.75
        return self._clock

    def _pick(self, texts: Sequence[str]) -> str:
        return texts[int(self.random.random() * len(texts))]


_Writer = Callable[[Scribe, str], Item]

_CALLS: Final[Mapping[str, _Writer]] = {
    "function_call": Scribe._function_call,
    "local_shell_call": Scribe._local_shell_call,
    "custom_tool_call": Scribe._custom_tool_call,
    "tool_search_call": Scribe._tool_search_call,
}

_OUTPUTS: Final[Mapping[str, _Writer]] = {
    "function_call_output": Scribe._function_call_output,
    "custom_tool_call_output": Scribe._custom_tool_call_output,
    "tool_search_output": Scribe._tool_search_output,
}
