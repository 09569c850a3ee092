"""One run of a normalizer, with the facts that the laws ask for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Final

from normalizer import FAMILIES, FAMILIES_OF_OUTPUT, FAMILY_OF_CALL, Item
from properties.capabilities import ANY, CODEX, Capabilities
from properties.specification import specification

#: What links an output to its call: the output's type, and the call id.
Key = tuple[str, str]

_SERVER_OUTPUT: Final = "tool_search_output"


class PromptError(ValueError):
    """What a normalizer returned is no prompt: not a list of JSON objects with a string `type`."""


def json_text(value: object, *, sort_keys: bool = False) -> str:
    """Return `value` as JSON text: two values are the same, byte for byte, if their texts are.

    Unlike `==` this tells 1 from 1.0 from true, and one order of keys from another. Raises
    PromptError when `value` is not JSON.
    """
    try:
        return json.dumps(value, sort_keys=sort_keys, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise PromptError(f"not JSON: {error}") from None


def checked_prompt(prompt: object) -> list[Item]:
    """Return `prompt`; raise PromptError if it is not a list of JSON objects with a `type`."""
    if not isinstance(prompt, list):
        raise PromptError(f"a list was expected, not {type(prompt).__name__}")
    for index, item in enumerate(prompt):
        if not isinstance(item, dict):
            raise PromptError(f"item {index} is not a dict but {type(item).__name__}")
        if not isinstance(item.get("type"), str):
            raise PromptError(f"item {index} has no string 'type'")
    return prompt


class Case:
    """A history, what the model takes, and the prompt that a normalizer made of them.

    The facts are worked out once and on demand. `unanswered` and `orphans` are positions in the
    history, `made_up` and `kept` positions in the prompt.
    """

    def __init__(
        self,
        history: Sequence[Item],
        modalities: frozenset[str],
        prompt: list[Item],
        capabilities: Capabilities = CODEX,
    ) -> None:
        self.history = history
        self.modalities = modalities
        self.prompt = prompt
        self.capabilities = capabilities

    @cached_property
    def expected(self) -> list[Item]:
        """The specification's prompt; what the claims leave open is as the prompt has it."""
        expected = specification(self.history, self.modalities, self.capabilities)
        if self.capabilities.leaves_open:
            for wanted, got in zip(expected, self.prompt, strict=False):
                self._fill(wanted, got)
        return expected

    def _fill(self, wanted: Item, got: Item) -> None:
        key = key_of_output(wanted)
        if key and key not in self.output_keys and key == key_of_output(got):
            if self.capabilities.ids == "stable":
                wanted.pop("id", None)
                wanted.update({"id": got["id"]} if isinstance(got.get("id"), str) else {})
            if wanted.get("output") == ANY and isinstance(got.get("output"), str):
                wanted["output"] = got["output"]
        parts = parts_of(wanted)  # a list of its own: the parts are those of the history
        for place, (part, other) in enumerate(zip(parts, parts_of(got), strict=False)):
            if part == {"type": "input_text", "text": ANY} and is_text(other):
                parts[place] = other

    @cached_property
    def call_keys(self) -> Counter[Key]:
        """How many calls in the history an output with each key would answer."""
        return Counter(key for item in self.history if (key := key_of_call(item)))

    @cached_property
    def output_keys(self) -> Counter[Key]:
        """How many outputs in the history carry each key."""
        return Counter(key for item in self.history if (key := key_of_output(item)))

    @cached_property
    def unanswered(self) -> list[int]:
        """Calls that need a made-up output."""
        return [
            index
            for index, item in enumerate(self.history)
            if (key := key_of_call(item)) and key not in self.output_keys
        ]

    @cached_property
    def orphans(self) -> list[int]:
        """Outputs that have to go."""
        return [
            index
            for index, item in enumerate(self.history)
            if (key := key_of_output(item))
            and key not in self.call_keys
            and not is_server_output(item)
        ]

    @cached_property
    def made_up(self) -> list[int]:
        """Outputs in the prompt whose like the history does not hold."""
        return [
            index
            for index, item in enumerate(self.prompt)
            if (key := key_of_output(item)) and key not in self.output_keys
        ]

    @cached_property
    def kept(self) -> list[int]:
        """Everything else in the prompt."""
        made_up = set(self.made_up)
        return [index for index in range(len(self.prompt)) if index not in made_up]

    @cached_property
    def survivors(self) -> list[int]:
        """The history without what has to go: orphans, and calls that are claimed to be dropped."""
        gone = {*self.orphans, *(() if self.completes else self.unanswered)}
        return [index for index in range(len(self.history)) if index not in gone]

    @property
    def completes(self) -> bool:
        """Whether unanswered calls are claimed to get an output."""
        return self.capabilities.unanswered == "complete"

    def pairs(self) -> Iterator[tuple[int, Item, Item]]:
        """Yield each kept item's position in the prompt, what it was in the history, and it.

        Yields nothing where the numbers differ: which belongs to which is then a guess.
        """
        if len(self.survivors) == len(self.kept):
            for before, after in zip(self.survivors, self.kept, strict=True):
                yield after, self.history[before], self.prompt[after]

    def twins(self) -> Iterator[tuple[int, Item, Item]]:
        """Yield the same; nothing where any types differ either.

        Something is missing then, or in another place. Other properties tell of that.
        """
        pairs = list(self.pairs())
        if all(before["type"] == after["type"] for _, before, after in pairs):
            yield from pairs


def key_of_call(item: Item) -> Key | None:
    """Return the key of the output that `item` waits for; None if it is no call with a call id."""
    family = FAMILY_OF_CALL.get(item["type"])
    call_id = item.get("call_id")
    return (family.output_type, call_id) if family and isinstance(call_id, str) else None


def key_of_output(item: Item) -> Key | None:
    """Return the key of the output `item`; None if it is no output with a call id."""
    call_id = item.get("call_id")
    if item["type"] in FAMILIES_OF_OUTPUT and isinstance(call_id, str):
        return (item["type"], call_id)
    return None


def is_server_output(item: Item) -> bool:
    """Whether `item` reports a search that the API ran itself."""
    return item["type"] == _SERVER_OUTPUT and item.get("execution") == "server"


def is_text(part: Any) -> bool:
    """Whether `part` is a text and nothing else."""
    return (
        isinstance(part, dict)
        and part.keys() == {"type", "text"}
        and part["type"] == "input_text"
        and isinstance(part["text"], str)
    )


def prefix_of(output_type: str) -> str:
    """Return how the item id of a made-up output of this type begins."""
    return next(f.id_prefix for f in FAMILIES if f.output_type == output_type) + "_"


def parts_of(item: Item) -> list[Any]:
    """Return the parts in which media may stand; empty where the item has none."""
    key = "content" if item["type"] == "message" else "output"
    if item["type"] not in ("message", "function_call_output", "custom_tool_call_output"):
        return []
    parts = item.get(key)
    return parts if isinstance(parts, list) else []
