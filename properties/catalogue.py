"""Every property, in the order of the report."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from normalizer import Item
from properties.case import Case, checked_prompt, json_text
from properties.laws import MODULES, exhaustive, large, model, work
from properties.property import Property, Violation, properties_in

#: Every property there is.
CATALOGUE: Final[tuple[Property, ...]] = tuple(
    found
    for group in (*MODULES, work)
    # Those of all small histories and of large ones belong to the model's group.
    for module in ((group, exhaustive, large) if group is model else (group,))
    for found in properties_in(module)
)

BY_NAME: Final = {found.name: found for found in CATALOGUE}

#: The names of the groups, in order.
GROUPS: Final = tuple(dict.fromkeys(found.group for found in CATALOGUE))


def selected(names: Collection[str]) -> list[Property]:
    """Return the properties with these names, or in the groups of these names; all for none.

    Raises ValueError for a name that is neither.
    """
    for name in names:
        if name not in GROUPS and name not in BY_NAME:
            raise ValueError(
                f"unknown property or group {name!r}: the groups are {', '.join(GROUPS)}"
            )
    return [p for p in CATALOGUE if not names or p.name in names or p.group in names]


def violations(
    history: Sequence[Item], modalities: Collection[str], prompt: object
) -> list[Violation]:
    """Return every violation of a property of one prompt, without Hypothesis.

    `prompt` is what a normalizer made of `history` for a model that takes `modalities`. Relations
    between prompts (idempotence, immutability and so on) need the normalizer itself: see
    `callpair check`.

    Raises PromptError when `prompt` is not a list of JSON objects with a string `type`.
    """
    json_text(prompt)
    case = Case(history, frozenset(modalities), checked_prompt(prompt))
    return [violation for found in CATALOGUE for violation in found.of_prompt(case)]
