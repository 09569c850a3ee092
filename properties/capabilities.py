"""What a normalizer claims to do, and what a property needs of it.

A subject declares its claims in the handshake, its owner in `[tool.callpair.capabilities]`; the
defaults are what Codex does. A property that needs what is not claimed is *not applicable*: it is
shown as such and never passes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

from normalizer import ALL, FAMILIES, FAMILIES_OF_OUTPUT, FAMILY_OF_CALL, MEDIA, MODALITIES, Item
from strategies.histories import MODALITY_SETS

#: Claimed in the place of a text: every text will do.
ANY: Final = "any"

_FAMILY_NAMES: Final = frozenset(family.name for family in FAMILIES)
_PLACEHOLDERS: Final = MappingProxyType({medium.modality: medium.placeholder for medium in MEDIA})

#: The claims that are one word out of few.
_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "unanswered": ("complete", "drop"),
    "ids": ("derived", "stable", "none"),
    "media": ("replace", "untouched"),
}


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The claims of one normalizer."""

    #: Names of the call families that it knows.
    families: frozenset[str] = _FAMILY_NAMES
    #: Whether an unanswered call gets a made-up output or is left out.
    unanswered: Literal["complete", "drop"] = "complete"
    #: What a made-up output says, or ANY.
    made_up_text: str = "aborted"
    #: Item ids of made-up outputs: derived as Codex does, the same for the same call, or none.
    ids: Literal["derived", "stable", "none"] = "derived"
    #: Whether a text takes the place of media that the model cannot take.
    media: Literal["replace", "untouched"] = "replace"
    #: That text for each modality, or ANY.
    media_texts: Mapping[str, str] = field(default_factory=lambda: _PLACEHOLDERS)
    #: The modalities that it knows; a model takes all others.
    modalities: frozenset[str] = ALL
    #: Whether items that need no repair are the same objects in the prompt and the input.
    shares_untouched: bool = False
    #: Whether the suite sees what happens inside its process. Not for the subject to say.
    seen_inside: bool = True
    #: Whether the suite can start it again in another process. Not for the subject to say.
    started_anew: bool = False

    @property
    def modality_sets(self) -> tuple[frozenset[str], ...]:
        """What models take, as far as this normalizer tells them apart; everything first."""
        if self.media == "untouched":
            return (ALL,)
        return tuple(taken for taken in MODALITY_SETS if ALL - taken <= self.modalities)

    @property
    def poorest(self) -> frozenset[str]:
        """What the model takes that asks the most of this normalizer."""
        return min(self.modality_sets, key=len)

    @property
    def leaves_open(self) -> bool:
        """Whether more than one prompt for a history fits the claims."""
        texts = (self.made_up_text, *self.media_texts.values())
        return self.ids == "stable" or ANY in texts

    def knows(self, history: Sequence[Item]) -> bool:
        """Whether every call and output of `history` is of a family that is claimed."""
        return self.families == _FAMILY_NAMES or all(map(self._knows_item, history))

    def covers(self, history: Sequence[Item], modalities: frozenset[str]) -> bool:
        """Whether they say what becomes of `history` for a model that takes `modalities`."""
        return modalities in self.modality_sets and self.knows(history)

    def known(self, history: Sequence[Item]) -> list[Item]:
        """Return `history` without the calls and outputs of other families."""
        return list(filter(self._knows_item, history))

    def _knows_item(self, item: Item) -> bool:
        kind = item["type"]
        if kind in FAMILY_OF_CALL:
            return FAMILY_OF_CALL[kind].name in self.families
        answered = FAMILIES_OF_OUTPUT.get(kind)
        return answered is None or any(family.name in self.families for family in answered)

    def declared(self, claims: Mapping[str, Any]) -> Capabilities:
        """Return these capabilities with `claims` in their place, as JSON or TOML has them.

        Raises ValueError for a claim that is unknown or has no such value.
        """
        return replace(self, **{name: _value(name, value) for name, value in claims.items()})


#: What the released Codex does.
CODEX: Final = Capabilities()

#: The claims that a subject, or its owner, may make.
CLAIMS: Final = tuple(
    claim.name
    for claim in fields(Capabilities)
    if claim.name not in ("seen_inside", "started_anew")
)


class Need(NamedTuple):
    """What a property asks of a normalizer: that a claim has one of these values."""

    claim: str
    values: tuple[object, ...]

    def missing_in(self, capabilities: Capabilities) -> str:
        """Return why a property with this need is not applicable; empty where it is."""
        value = getattr(capabilities, self.claim)
        return "" if value in self.values else f"{self.claim} is {_shown(value)}"

    def __str__(self) -> str:
        return f"{self.claim} = {' or '.join(map(_shown, self.values))}"


COMPLETES: Final = Need("unanswered", ("complete",))
DERIVES_IDS: Final = Need("ids", ("derived",))
KEEPS_IDS: Final = Need("ids", ("derived", "stable"))
#: Stable ids may be made of call ids.
IDS_WITHOUT_CALL_IDS: Final = Need("ids", ("derived", "none"))
SAYS_ABORTED: Final = Need("made_up_text", ("aborted",))
SAYS_OMITTED: Final = Need("media_texts", (_PLACEHOLDERS,))
REPLACES_MEDIA: Final = Need("media", ("replace",))
COPIES: Final = Need("shares_untouched", (False,))
SEEN_INSIDE: Final = Need("seen_inside", (True,))
STARTED_ANEW: Final = Need("started_anew", (True,))


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f'"{value}"'


def _value(name: str, value: Any) -> Any:
    """Return the value of a claim as `Capabilities` holds it."""
    if name in _WORDS and value in _WORDS[name]:
        return value
    if name in _WORDS:
        raise ValueError(f"{name} is {value!r}: expected {' or '.join(_WORDS[name])}")
    if name == "families":
        return _names(name, value, _FAMILY_NAMES)
    if name == "modalities":
        return _names(name, value, MODALITIES) | {"text"}
    if name == "made_up_text" and isinstance(value, str):
        return value
    if name == "media_texts":
        return _media_texts(value)
    if name == "shares_untouched" and isinstance(value, bool):
        return value
    if name in CLAIMS:
        raise ValueError(f"{name} is {value!r}")
    raise ValueError(f"unknown claim {name!r}: the claims are {', '.join(CLAIMS)}")


def _names(name: str, value: Any, known: Sequence[str] | frozenset[str]) -> frozenset[str]:
    if not isinstance(value, list) or not value or not all(word in known for word in value):
        raise ValueError(f"{name} is {value!r}: expected a list out of {', '.join(sorted(known))}")
    return frozenset(value)


def _media_texts(value: Any) -> Mapping[str, str]:
    if value == ANY:
        return MappingProxyType(dict.fromkeys(_PLACEHOLDERS, ANY))
    if not isinstance(value, dict) or not all(
        modality in _PLACEHOLDERS and isinstance(text, str) for modality, text in value.items()
    ):
        raise ValueError(f"media_texts is {value!r}: expected a text for image and one for audio")
    return MappingProxyType({**_PLACEHOLDERS, **value})
