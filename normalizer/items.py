"""Items and histories as callers pass them: plain JSON objects, in the order they happened."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

#: One entry of a history or a prompt: a JSON object with a string `type`.
Item: TypeAlias = dict[str, Any]

#: The caller's own item type, for example `openai.types.responses.ResponseInputItemParam`:
#: what goes in as a list of those comes out as a list of those.
ItemT = TypeVar("ItemT", bound=Mapping[str, object])

#: What really happened in a session, oldest first.
History: TypeAlias = Sequence[Mapping[str, object]]


class Normalizer(Protocol):
    """Anything that turns a history into a prompt the way `normalizer.normalize` does."""

    def __call__(self, history: list[Item], modalities: Collection[str], /) -> list[Item]:
        """Return the prompt for `history`; leave `history` as it is."""
