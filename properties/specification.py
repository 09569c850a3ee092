"""The executable specification: what a prompt must be, said as plainly as code can say it.

It is slow (every question scans the whole history) and takes nothing from the normalizer, not even
its table: two accounts of the rules written apart, which have to agree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID, uuid5

if TYPE_CHECKING:
    from properties.capabilities import Capabilities

#: For each call type: the type that answers it, and the prefix of a made-up output's id.
ANSWERS: Final = {
    "function_call": ("function_call_output", "fco"),
    "local_shell_call": ("function_call_output", "fco"),
    "custom_tool_call": ("custom_tool_call_output", "ctco"),
    "tool_search_call": ("tool_search_output", "tso"),
}

_NAMESPACE: Final = UUID("90d38d3e-6a5b-4d52-bfe2-2f1e634bfac4")

#: The key under which an item of each type holds its list of parts.
_PARTS: Final = {
    "message": "content",
    "function_call_output": "output",
    "custom_tool_call_output": "output",
}


def specification(
    history: Sequence[Mapping[str, Any]],
    modalities: Set[str],
    claims: Capabilities | None = None,
) -> list[Any]:
    """Return the prompt for `history`. It shares objects with it: compare, then drop it.

    `claims` are those of a normalizer that means to do something else than Codex does.
    """
    prompt: list[Any] = []
    drops = claims is not None and claims.unanswered == "drop"
    for item in history:
        unanswered = is_unanswered(item, history)
        if not is_orphan(item, history) and not (unanswered and drops):
            prompt.append(as_model_takes_it(item, modalities, claims))
        if unanswered and not drops:
            prompt.append(made_up_output(item, claims))
    return prompt


def is_unanswered(item: Mapping[str, Any], history: Sequence[Mapping[str, Any]]) -> bool:
    """Whether `item` is a call with a call id that no output of its answering type carries."""
    if item["type"] not in ANSWERS or item.get("call_id") is None:
        return False
    output_type, _ = ANSWERS[item["type"]]
    return not any(
        other["type"] == output_type and other.get("call_id") == item["call_id"]
        for other in history
    )


def is_orphan(item: Mapping[str, Any], history: Sequence[Mapping[str, Any]]) -> bool:
    """Whether `item` is an output with a call id that no call of its family carries."""
    call_types = [call for call, (output, _) in ANSWERS.items() if output == item["type"]]
    if not call_types or item.get("call_id") is None:
        return False
    if item["type"] == "tool_search_output" and item.get("execution") == "server":
        return False
    return not any(
        other["type"] in call_types and other.get("call_id") == item["call_id"] for other in history
    )


def made_up_output(call: Mapping[str, Any], claims: Capabilities | None = None) -> dict[str, Any]:
    """Return the output that stands for the one that `call` never got."""
    output_type, prefix = ANSWERS[call["type"]]
    output = {"type": output_type, "call_id": call["call_id"]}
    if call.get("id") and (claims is None or claims.ids != "none"):
        output["id"] = f"{prefix}_{uuid5(_NAMESPACE, prefix + ':' + call['id'])}"
    if output_type == "tool_search_output":
        return output | {"status": "completed", "execution": "client", "tools": []}
    return output | {"output": claims.made_up_text if claims else "aborted"}


def as_model_takes_it(
    item: Mapping[str, Any], modalities: Set[str], claims: Capabilities | None = None
) -> Mapping[str, Any]:
    """Return `item` with a text in the place of each part that the model cannot take."""
    if item["type"] == "image_generation_call":
        return item if "image" in modalities else {**item, "result": ""}
    key = _PARTS.get(item["type"], "")
    parts = item.get(key)
    if not isinstance(parts, list):
        return item
    return {**item, key: [_part_as_model_takes_it(part, modalities, claims) for part in parts]}


def _part_as_model_takes_it(part: Any, modalities: Set[str], claims: Capabilities | None) -> Any:
    kind = part.get("type") if isinstance(part, dict) else None
    if kind == "input_image" and "image" not in modalities:
        return {"type": "input_text", "text": placeholder("image", claims)}
    if kind == "input_audio" and "audio" not in modalities:
        return {"type": "input_text", "text": placeholder("audio", claims)}
    return part


def placeholder(modality: str, claims: Capabilities | None = None) -> str:
    """Return what a model is told in the place of a part that it cannot take."""
    if claims is not None:
        return claims.media_texts[modality]
    return f"{modality} content omitted because you do not support {modality} input"
