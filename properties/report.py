"""What people read about a broken property: the sentence, the history, expected beside got."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from normalizer import Item
from normalizer.commands.terminal import count, shown
from properties.broken import BrokenCase
from properties.case import json_text
from properties.catalogue import BY_NAME
from properties.specification import specification
from strategies.drawing import drawn

#: Width of each column where expected stands beside got.
_COLUMN: Final = 37

#: A longer line of the history is cut.
_LINE: Final = 98

#: A longer JSON text is cut.
_JSON_WIDTH: Final = 600

#: Of a longer history or prompt, only so many lines are shown.
_MOST_LINES: Final = 40

#: Groups of properties that are about more than one prompt, and what is then said of a single one.
_BETWEEN_PROMPTS: Final = ("identity", "idempotence", "immutability", "metamorphic")
_ASIDE: Final = (
    "what is broken need not show in a single prompt; this one is not as expected, besides:",
)

#: No more findings than this are told.
_MOST_FINDINGS: Final = 3


def broken_report(case: BrokenCase, names: Sequence[str] | None = None, reproduce: str = "") -> str:
    """Return the report of one broken property; `reproduce` is the command that shows it again.

    `names` are those of all the properties that the case stands for.
    """
    size = count(len(case.history), "item")
    lines = [
        *_headline(case, names or [case.property_name]),
        "",
        f"smallest history, {size}, for a model that takes {case.takes}:",
        *(f"  {_cut(line, _LINE)}" for line in around(drawn(case.history), 0)),
        "",
        *_expected_beside_got(case),
    ]
    if reproduce:
        lines += ["", f"reproduce: {reproduce}"]
    return "\n".join(lines)


def _headline(case: BrokenCase, names: Sequence[str]) -> list[str]:
    findings = "; ".join(case.findings[:_MOST_FINDINGS])
    if len(names) == 1:
        return [f"{names[0]} is broken: {findings}", f"  {BY_NAME[names[0]].statement}"]
    return [
        f"{count(len(names), 'property')} cannot hold: {findings}",
        *textwrap.wrap(", ".join(names), 96, initial_indent="  ", subsequent_indent="  "),
    ]


def _expected_beside_got(case: BrokenCase) -> list[str]:
    expected = expected_for(case)
    if case.prompt is None:
        return ["expected:", *(f"  {_brief(item)}" for item in expected), "got: no prompt"]
    if json_text(expected) == json_text(case.prompt):
        return ["this prompt is as expected: what is broken does not show in a single one"]
    pairs = list(zip_longest(expected, case.prompt, fillvalue=None))
    first = first_difference(pairs)
    rows = around([_row(*pair) for pair in pairs], first)
    return [
        *(_ASIDE if case.property_name.partition("/")[0] in _BETWEEN_PROMPTS else []),
        f"  {'expected':{_COLUMN}}   got",
        *rows,
        *_in_full(first, *pairs[first]),
    ]


def around(lines: Sequence[str], place: int) -> list[str]:
    """Return the lines around `place`, and of how many items others before and after tell."""
    shown_ones = window(len(lines), place)
    before, after = shown_ones.start, len(lines) - shown_ones.stop
    return [
        *([f"… {count(before, 'item')} before"] if before else []),
        *lines[shown_ones],
        *([f"… {count(after, 'item')} more"] if after else []),
    ]


def window(length: int, place: int) -> slice:
    """Return which of so many lines are shown: all, or those around `place`."""
    start = max(0, min(place - _MOST_LINES // 2, length - _MOST_LINES))
    return slice(start, min(length, start + _MOST_LINES))


def expected_for(case: BrokenCase) -> list[Item]:
    """Return the prompt that was expected; Codex's, where the case does not know."""
    if case.expected is not None:
        return case.expected
    return specification(case.history, case.modalities)


def _row(wanted: Item | None, got: Item | None) -> str:
    mark = " " if same(wanted, got) else "!"
    left, right = (_brief(item) if item else "" for item in (wanted, got))
    if left == right and wanted and got and mark == "!":
        keys = [key for key in {**wanted, **got} if wanted.get(key) != got.get(key)]
        right = f"other {', '.join(keys)}"
    return f"{mark} {_cut(left, _COLUMN):{_COLUMN}} {mark} {_cut(right, _COLUMN)}".rstrip()


def first_difference(pairs: Sequence[tuple[Item | None, Item | None]]) -> int:
    """Return the place of the first two that are not the same."""
    return next((place for place, pair in enumerate(pairs) if not same(*pair)), 0)


def _in_full(place: int, wanted: Item | None, got: Item | None) -> list[str]:
    return [
        "",
        f"expected item {place}: {_cut(json.dumps(wanted), _JSON_WIDTH)}",
        f"     got item {place}: {_cut(json.dumps(got), _JSON_WIDTH)}",
    ]


def same(wanted: Item | None, got: Item | None) -> bool:
    """Whether both are the same item, but for the order of keys."""
    return json_text(wanted, sort_keys=True) == json_text(got, sort_keys=True)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _brief(item: Item) -> str:
    """Return what tells this item from others, in a few words."""
    words = [item["type"], *(str(item[key]) for key in ("role", "call_id") if key in item)]
    if item.get("output") == "aborted":
        words.append("aborted")
    return " ".join(map(shown, words))
