"""The four call families: which call each output type answers, and what a made-up output holds.

This table exists once. The normalizer, the strategies and the commands all read it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of tool call together with the kind of output that answers it."""

    #: Short name used on the command line and in reports.
    name: str
    #: The `type` of the call item.
    call_type: str
    #: The `type` of the output item that answers the call.
    output_type: str
    #: Prefix of a made-up output's item id, as Codex writes it.
    id_prefix: str
    #: What a made-up output says, beside `type`, `id` and `call_id`.
    made_up: Mapping[str, object]


#: What Codex says for a call whose output was lost; never a claim of success.
_ABORTED: Final = MappingProxyType({"output": "aborted"})
_FOUND_NOTHING: Final = MappingProxyType(
    {"status": "completed", "execution": "client", "tools": []}
)

FAMILIES: Final[tuple[Family, ...]] = (
    Family("function", "function_call", "function_call_output", "fco", _ABORTED),
    Family("local_shell", "local_shell_call", "function_call_output", "fco", _ABORTED),
    Family("custom", "custom_tool_call", "custom_tool_call_output", "ctco", _ABORTED),
    Family("tool_search", "tool_search_call", "tool_search_output", "tso", _FOUND_NOTHING),
)

#: The family of each call type.
FAMILY_OF_CALL: Final[Mapping[str, Family]] = MappingProxyType(
    {family.call_type: family for family in FAMILIES}
)

#: The families that each output type can answer: function and local shell share one.
FAMILIES_OF_OUTPUT: Final[Mapping[str, tuple[Family, ...]]] = MappingProxyType(
    {
        output_type: tuple(family for family in FAMILIES if family.output_type == output_type)
        for output_type in dict.fromkeys(family.output_type for family in FAMILIES)
    }
)
