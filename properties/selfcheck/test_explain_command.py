"""`callpair explain`: each property is told with an example that is really broken."""

from __future__ import annotations

import pytest

from properties.catalogue import CATALOGUE, violations
from properties.commands.explain import modalities_of, page
from properties.lessons import LESSONS
from properties.property import Property
from properties.selfcheck.helpers import PROJECT, callpair
from strategies import history_of


def test_every_property_has_a_lesson() -> None:
    """No property without its why, and no why without a property."""
    assert [prop.name for prop in CATALOGUE] == list(LESSONS)


def test_the_page_in_docs_is_what_the_catalogue_says() -> None:
    """docs/properties.md cannot drift: write it anew with `callpair explain`."""
    assert page(list(CATALOGUE)) == (PROJECT / "docs" / "properties.md").read_text("utf-8")


@pytest.mark.parametrize(
    "prop", [prop for prop in CATALOGUE if prop.prompt_law], ids=lambda prop: prop.name
)
def test_the_wrong_prompt_is_wrong(prop: Property) -> None:
    """The example of a property of one prompt violates just that property, among others."""
    lesson = LESSONS[prop.name]

    found = violations(history_of(lesson.history), modalities_of(prop), history_of(lesson.prompt))

    assert prop.name in {violation.property for violation in found}


def test_one_property_is_explained() -> None:
    """By name, without the page's head."""
    ran = callpair("explain", "pairing/call_answered")

    assert 0 == ran.code
    assert ran.out.startswith("## pairing\n\n### pairing/call_answered\n")
    assert 2 == callpair("explain", "pairing/nothing").code
