"""Every small history has a right prompt: small cases are proved, not sampled."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from normalizer import ALL, Item
from properties.capabilities import Capabilities
from properties.case import Case, json_text, parts_of
from properties.laws import MODULES, media, preservation
from properties.property import Finding, Property, Question, properties_in, relation_law
from properties.subject import Subject
from strategies import history_of

#: What the histories are made of: every family, two call ids, no call id, server search, media.
ALPHABET: Final = (
    "FC(a,id=fc_1)",
    "FO(a)",
    "FC(b)",
    "FO(b,image)",
    "LS(a,id=lsh_1)",
    "CC(a,id=ctc_1)",
    "CO(a)",
    "CO(b)",
    "TC(a,id=tsc_1)",
    "TO(a)",
    "TC(null,server)",
    "TO(b,server)",
    "FO(absent)",
    "U(,text,image)",
)

#: The longest histories; with 14 shapes there are 41,371 of up to four items.
LONGEST: Final = 4

#: Relations take several runs each: they are tried on every history of up to two items.
_LONGEST_FOR_RELATIONS: Final = 2

_PROPERTIES: Final = [
    prop
    for group in MODULES
    for prop in properties_in(group)
    if prop.cases is None and not prop.played
]
PROMPT_LAWS: Final = [prop for prop in _PROPERTIES if prop.prompt_law]
_KEY_ORDER_LAWS: Final = (preservation.items_unchanged, media.rest_of_item_unchanged)
RELATIONS: Final = [prop for prop in _PROPERTIES if prop.relation_law]


def small_histories(claims: Capabilities) -> Iterator[Question]:
    """Yield every history over `ALPHABET` that is covered by the claims, the shortest first.

    Those with media come for the poorest model, all but the longest for one that takes all, too.
    """
    items = claims.known([history_of(shape)[0] for shape in ALPHABET])
    both = tuple(dict.fromkeys((ALL, claims.poorest)))
    for length in range(LONGEST + 1):
        with_media = both[-1:] if length == LONGEST else both
        for chosen in product(items, repeat=length):
            history = list(chosen)
            for modalities in with_media if any(map(parts_of, history)) else (ALL,):
                yield history, modalities


@relation_law("model/small_histories", cases=small_histories)
def every_small_history(
    subject: Subject, history: Sequence[Item], modalities: frozenset[str]
) -> Iterator[Finding]:
    """Every history of up to four items out of all kinds satisfies every property."""
    before = json_text(history)
    record: list[Item] = json.loads(before)
    prompt = subject.live_prompt(record, modalities)
    if json_text(record) != before:
        yield Finding("immutability/input_unchanged: the input was changed")
    case = Case(history, modalities, prompt, subject.capabilities)
    for prop in _laws_to_ask(case):
        for violation in prop.of_prompt(case):
            yield Finding(f"{prop.name}: {violation}")
    for prop in RELATIONS if len(history) <= _LONGEST_FOR_RELATIONS else ():
        if prop.inapplicable(subject.capabilities):
            continue
        for violation in prop.of_subject(subject, history, modalities):
            yield Finding(f"{prop.name}: {violation}")


def _laws_to_ask(case: Case) -> Sequence[Property]:
    """Return the laws that may fail.

    The specification's prompts satisfy every law: the suite's own tests see to that. Where the
    prompt is the same, only the order of keys is left to ask about.
    """
    same = json_text(case.prompt, sort_keys=True) == json_text(case.expected, sort_keys=True)
    if same:
        return _KEY_ORDER_LAWS
    return [prop for prop in PROMPT_LAWS if not prop.inapplicable(case.capabilities)]
