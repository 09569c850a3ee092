"""Explain properties: what they say, why that matters, a broken example, how to deviate.

Prints Markdown, a section for each property; docs/properties.md is the output for all.

Exits with 0, or with 2 if there is no such property.

examples:
  callpair explain pairing/call_answered
  callpair explain media idempotence
  callpair explain > docs/properties.md
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from normalizer import ALL, CommandError
from properties.broken import BrokenCase
from properties.catalogue import selected
from properties.deviations import Deviation, entry
from properties.lessons import LESSONS, Lesson
from properties.property import MIXED, Property
from strategies import drawn, history_of

_HEAD = """\
# Properties

What must hold of every normalizer, as `callpair check` tries it. This page is written by
`callpair explain > docs/properties.md`. In the examples `○` marks a call without an output and
`×` an output without a call.

A property that needs what a normalizer does not claim is not applicable: see the claims in
[adopt.md](adopt.md).
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help="a property or a group; all")


def run(arguments: argparse.Namespace) -> int:
    try:
        chosen = selected(arguments.names)
    except ValueError as error:
        raise CommandError(str(error)) from None
    print(page(chosen, head=not arguments.names), end="")
    return 0


def page(chosen: list[Property], *, head: bool = True) -> str:
    """Return the Markdown about these properties."""
    blocks = [_HEAD] if head else []
    group = ""
    for prop in chosen:
        if prop.group != group:
            group = prop.group
            blocks.append(f"## {group}\n")
        blocks.append("\n\n".join(_section(prop)) + "\n")
    return "\n".join(blocks)


def _section(prop: Property) -> Iterator[str]:
    lesson = LESSONS[prop.name]
    yield f"### {prop.name}"
    yield f"**{prop.statement}**"
    yield lesson.why
    if prop.needs:
        yield f"Needs {', '.join(f'`{need}`' for need in prop.needs)}."
    yield _example(lesson, modalities_of(prop))
    yield "To deviate from it, knowingly, put this into the deviations file:"
    history = history_of(lesson.history)
    case = BrokenCase(prop.name, MIXED, "", history, modalities_of(prop), ())
    yield f"```toml\n{entry(Deviation(case, 'why it is so', 'https://example.org/why'))}```"


def modalities_of(prop: Property) -> frozenset[str]:
    """Return what the model takes in the example of a property."""
    return frozenset({"text"}) if prop.group == "media" else ALL


def _example(lesson: Lesson, modalities: frozenset[str]) -> str:
    """Return the history, and what a normalizer that breaks the property makes of it."""
    takes = "text alone" if modalities != ALL else "everything"
    lines = [f"history, for a model that takes {takes}:"]
    lines += [f"  {line}" for line in drawn(history_of(lesson.history))]
    if lesson.did:
        lines.append(f"wrong: the normalizer {lesson.did}")
    else:
        lines.append("a wrong prompt:")
        lines += [f"  {line}" for line in drawn(history_of(lesson.prompt))]
    return "\n".join(["```text", *lines, "```"])
