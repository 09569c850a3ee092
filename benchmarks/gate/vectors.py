"""Item ids that a made-up output must have: pinned, so that no change to the rule goes unnoticed.

An id that changes makes every provider's prompt cache miss, and two versions of one runtime
disagree about one session.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from normalizer import ALL, Item
from properties.subject import Subject


class Vector(NamedTuple):
    """A call's type and item id, and the item id of its made-up output."""

    call_type: str
    call_item_id: str
    output_id: str

    @property
    def call(self) -> Item:
        """The call, with what its type needs besides."""
        return {
            "type": self.call_type,
            "id": self.call_item_id,
            "call_id": "call_1",
            **_NEEDED[self.call_type],
        }


_NEEDED: Final[dict[str, Item]] = {
    "function_call": {"name": "exec_command", "arguments": "{}"},
    "local_shell_call": {
        "status": "completed",
        "action": {"type": "exec", "command": ["ls"]},
    },
    "custom_tool_call": {"name": "apply_patch", "input": ""},
    "tool_search_call": {"execution": "client", "arguments": {}},
}

#: The first is the example that DESIGN.md gives; the golden rows hold others that Codex wrote.
VECTORS: Final = (
    Vector("function_call", "fc_1", "fco_d08ee114-ed5d-5706-8dbd-16ccacd40aa4"),
    Vector(
        "function_call",
        "fc_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "fco_1d92681b-7570-5c18-bbc6-8baee5f7cba3",
    ),
    Vector("function_call", "вызов ✅", "fco_4630ac9a-a698-5b51-8b46-9f349233f164"),
    Vector("local_shell_call", "fc_1", "fco_d08ee114-ed5d-5706-8dbd-16ccacd40aa4"),
    Vector("local_shell_call", "lsh_1", "fco_37093384-5cd0-5813-8a86-723bfcccbbb2"),
    Vector("custom_tool_call", "ctc_1", "ctco_ffd2c872-81a7-5a00-b6f6-884096d1f522"),
    Vector("custom_tool_call", "fc_1", "ctco_2d2a40e1-a1ef-5502-b688-50b4b36ac662"),
    Vector("tool_search_call", "tsc_1", "tso_f380c6b3-5815-5031-91ee-dd1c77f963ee"),
    Vector("tool_search_call", "fc_1", "tso_a193973e-5596-5633-bb9c-ff104c5df65d"),
)


def wrong_vector(subject: Subject, vector: Vector) -> str:
    """Return what is wrong where `subject` does not keep `vector`; nothing where it does.

    Raises what `Subject.prompts` raises.
    """
    prompt = subject.prompt([vector.call], ALL)
    got = prompt[1].get("id") if len(prompt) > 1 else None
    if got == vector.output_id:
        return ""
    what = f"{vector.call_type} {vector.call_item_id!r}"
    return f"{what}: item id {got!r} instead of {vector.output_id!r}"
