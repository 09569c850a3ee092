"""Histories that nobody can normalize without guessing: refused, with the place and the reason."""

# Asserts read `expected == actual` here.
from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pytest

from normalizer import FAMILIES_OF_OUTPUT, FAMILY_OF_CALL, HistoryError, normalize, repairs
from properties.selfcheck.helpers import call, message

#: Everything before the bad item: one call to answer, one output to drop.
GOOD = [
    message("a"),
    call("open", id="fc_1"),
    {"type": "function_call_output", "call_id": "orphan", "output": "ok"},
]

#: Neither a string nor null, though some of these are false.
_ODD: tuple[Any, ...] = (7, 0, 1.5, True, False, b"c", [], ["c"], {})

KEYED_TYPES = (*FAMILY_OF_CALL, *FAMILIES_OF_OUTPUT)


@dataclass(frozen=True)
class Bad:
    """A bad input, and the place that its error must name."""

    history: Any
    index: int | None = None
    key: str | None = None


NO_SEQUENCES = {
    "null": Bad(None),
    "number": Bad(7),
    "object": Bad({}),
    "item": Bad(message("a")),
    "text": Bad("text"),
    "empty text": Bad(""),
    "bytes": Bad(b"[]"),
    "set": Bad({1}),
    "iterator": Bad(iter(GOOD)),
}

NO_OBJECTS = {
    f"item is {item!r}": Bad([*GOOD, item], len(GOOD))
    for item in (None, 7, True, "message", b"message", [], ["type"], ("type", "message"))
}

NO_TYPES = {
    f"type is {value!r}": Bad([*GOOD, {"type": value, "call_id": "c"}], len(GOOD), "type")
    for value in (None, *_ODD)
} | {
    "no type": Bad([*GOOD, {"call_id": "c", "output": "ok"}], len(GOOD), "type"),
    "empty item": Bad([{}, *GOOD], 0, "type"),
}

WRONG_KEYS = {
    f"{kind} with {key} {value!r}": Bad(
        [*GOOD, {"type": kind, "call_id": "c", key: value}, message("b")], len(GOOD), key
    )
    for kind in KEYED_TYPES
    for key in ("call_id", "id")
    for value in _ODD
}

#: An id that has no UTF-8 form has no made-up id either.
NO_UTF_8 = {"lone surrogate": Bad([*GOOD, call("c", id="\ud800")], len(GOOD), "id")}

BAD = NO_SEQUENCES | NO_OBJECTS | NO_TYPES | WRONG_KEYS | NO_UTF_8

each_bad_history = pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
each_bad_item = pytest.mark.parametrize(
    "bad", [bad for bad in BAD.values() if bad.index is not None]
)
each_function = pytest.mark.parametrize("function", [normalize, repairs])


def error_of(function: Callable[[Any], object], history: Any) -> HistoryError:
    """Return the error that a function raises for a bad history."""
    with pytest.raises(HistoryError) as caught:
        function(history)
    return caught.value


@each_bad_history
@each_function
def test_a_bad_history_is_refused_with_its_place(
    function: Callable[[Any], object], bad: Bad
) -> None:
    """A bad history raises a HistoryError that names the item's index and the key to blame."""
    error = error_of(function, bad.history)

    assert (bad.index, bad.key) == (error.index, error.key)


@each_bad_item
def test_the_message_names_the_place_in_one_line(bad: Bad) -> None:
    """The message is one line that tells the index, the key where one is to blame, and more."""
    text = str(error_of(normalize, bad.history))

    assert f"item {bad.index}" in text
    assert bad.key is None or repr(bad.key) in text
    assert 1 == len(text.splitlines())


@each_bad_history
def test_repairs_refuses_what_normalize_refuses(bad: Bad) -> None:
    """Both functions have the same to say about the same history."""

    assert str(error_of(normalize, bad.history)) == str(error_of(repairs, bad.history))


@each_bad_item
@each_function
def test_a_refused_history_stays_as_it_is(function: Callable[[Any], object], bad: Bad) -> None:
    """A history that is refused at its last item has not been touched at its first."""
    before = deepcopy(bad.history)
    error_of(function, bad.history)

    assert before == bad.history


@each_function
def test_an_iterator_is_refused_unread(function: Callable[[Any], object]) -> None:
    """An iterator is no history, and none of its items is gone after the refusal."""
    items: Iterator[object] = iter(GOOD)
    error_of(function, items)

    assert GOOD == list(items)


@each_function
def test_the_first_bad_item_is_the_one_named(function: Callable[[Any], object]) -> None:
    """Of several bad items the first is named, whatever is wrong with the others."""

    assert 1 == error_of(function, [message("a"), call("c", id=7), 7, {}]).index


def test_a_history_error_is_a_value_error() -> None:
    """Whoever catches ValueError catches a HistoryError."""
    with pytest.raises(ValueError, match="item 0"):
        normalize([{}])


@each_function
@pytest.mark.parametrize("kind", KEYED_TYPES)
@pytest.mark.parametrize("key", ["call_id", "id"])
@pytest.mark.parametrize("value", [None, "", "é"])
def test_ids_may_be_strings_and_null(
    value: str | None, key: str, kind: str, function: Callable[[Any], list[object]]
) -> None:
    """Null, the empty string and any other string are fine as an id and as a call id."""

    assert isinstance(function([{"type": kind, "call_id": "c", key: value}]), list)


# --- modalities -----------------------------------------------------------------------------------


@each_function
@pytest.mark.parametrize("names", [["video"], ["text", "Image"], [""], {"image "}, [None], [1]])
def test_an_unknown_modality_is_refused(names: Any, function: Callable[..., object]) -> None:
    """A name that is no modality raises a ValueError that shows it and what there is."""
    with pytest.raises(ValueError, match="text, image, audio") as caught:
        function(GOOD, names)

    assert repr(list(names)[-1]) in str(caught.value)


@each_function
@pytest.mark.parametrize("names", ["text", "", "image", b"text"])
def test_a_string_is_no_collection_of_modalities(
    names: Any, function: Callable[..., object]
) -> None:
    """One string raises a ValueError: nobody means its letters."""
    with pytest.raises(ValueError, match="modalit"):
        function(GOOD, names)


@each_function
def test_unknown_modalities_are_refused_for_an_empty_history(
    function: Callable[..., object],
) -> None:
    """A bad modality is refused even when there is nothing to repair."""
    with pytest.raises(ValueError, match="video"):
        function([], ["video"])


def test_an_iterator_of_modalities_is_not_read_as_none() -> None:
    """Modalities that can be read once only are read once."""
    image = {"type": "message", "role": "user", "content": [{"type": "input_image"}]}

    assert [image] == normalize([image], iter(["text", "image"]))  # type: ignore[arg-type]
