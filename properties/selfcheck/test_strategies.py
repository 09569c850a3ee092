"""The strategies: they draw what they promise, all of it, and nothing that nobody could use."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from hypothesis import find, settings
from hypothesis import strategies as st

from normalizer import (
    ALL,
    FAMILIES,
    FAMILIES_OF_OUTPUT,
    FAMILY_OF_CALL,
    Family,
    Item,
    normalize,
    repairs,
)
from strategies import (
    FAULTS,
    SCENARIOS,
    Labelled,
    corrupted_histories,
    histories,
    items,
    labelled_histories,
    modality_sets,
    scenario_histories,
    truncated_histories,
    whole_histories,
)
from strategies.commands.census import Census, census_of
from strategies.commands.draws import draw
from strategies.commands.plain import plain_histories
from strategies.pools import CALL_IDS, UNKNOWN_ITEMS, UNKNOWN_KEYS

KINDS: Final = ("whole", "truncated", "corrupted", "scenario")
CUTS: Final = ("tail", "head", "both ends", "inside a batch")
HISTORIES: Final = {
    "whole": whole_histories,
    "truncated": truncated_histories,
    "corrupted": corrupted_histories,
    "scenario": scenario_histories,
    "all": histories,
}

#: What only `unknown=True` may bring.
UNKNOWN_TYPES: Final = {json.loads(text)["type"] for text in UNKNOWN_ITEMS} | {"future_item"}
UNKNOWN_WORDS: Final = {
    *(key for text in UNKNOWN_KEYS for key in json.loads(text)),
    *("zeta", "eta", "theta", "input_video", "nested"),
} - {"status", "tools"}


def drawn_from(strategy: st.SearchStrategy[Any], number: int = 60) -> list[Any]:
    """Return values of `strategy`, the same every time."""
    found: list[Any] = []
    draw(strategy, number, found.append, with_seed=1)
    return found


@pytest.fixture(scope="session")
def drawn() -> list[Labelled[list[Item]]]:
    """What 5,000 draws of the default strategy bring, with the labels."""
    found: list[Labelled[list[Item]]] = []
    discarded = draw(labelled_histories(), 5000, found.append, with_seed=1)

    assert discarded < 50, "under 1 %: what is drawn is used"
    return found


def containers(value: Any) -> Iterator[object]:
    """Yield every list and dictionary in `value`, as often as it occurs there."""
    if isinstance(value, list | dict):
        yield value
        for inner in value.values() if isinstance(value, dict) else value:
            yield from containers(inner)


def is_linked(item: Item) -> bool:
    return item["type"] in FAMILY_OF_CALL or item["type"] in FAMILIES_OF_OUTPUT


def families_of(history: list[Item]) -> set[str]:
    """Return the output types of the families that calls and outputs in `history` belong to."""
    return {
        FAMILY_OF_CALL[item["type"]].output_type if item["type"] in FAMILY_OF_CALL else item["type"]
        for item in history
        if is_linked(item)
    }


# --- every history ------------------------------------------------------------------------------


def test_the_normalizer_accepts_every_history(drawn: list[Labelled[list[Item]]]) -> None:
    """No history is refused: a property never has to discard one."""
    for some in drawn:
        normalize(some.value, {"text"})


def test_every_history_is_json(drawn: list[Labelled[list[Item]]]) -> None:
    """Histories reach normalizers in other languages unchanged, as strict UTF-8 JSON."""
    for some in drawn:
        text = json.dumps(some.value, ensure_ascii=False, allow_nan=False).encode()

        assert some.value == json.loads(text)


def test_no_object_occurs_twice(drawn: list[Labelled[list[Item]]]) -> None:
    """Nothing mutable is shared inside a history, nor between two: damage does not spread."""
    found = [id(inner) for some in drawn for inner in containers(some.value)]

    assert len(found) == len(set(found))


def test_changing_a_history_changes_no_later_one() -> None:
    """Two runs give the same, whatever a test did to the histories of the first."""
    first = drawn_from(histories())
    copies = json.loads(json.dumps(first))
    for history in first:
        for inner in list(containers(history)):
            inner.clear()  # type: ignore[attr-defined]

    assert copies == drawn_from(histories())


@pytest.mark.parametrize("kind", HISTORIES)
def test_each_strategy_draws_what_the_normalizer_accepts(kind: str) -> None:
    """So does each strategy on its own."""
    for history in drawn_from(HISTORIES[kind]()):
        assert history == json.loads(json.dumps(history))
        normalize(history, {"text"})


def test_single_items_are_accepted_too() -> None:
    """`items` draws every type of call, of output and of what stands beside them."""
    found = drawn_from(items(), 300)
    normalize(found)

    assert {*FAMILY_OF_CALL, *FAMILIES_OF_OUTPUT, "message", "reasoning"} <= {
        item["type"] for item in found
    }


def test_modality_sets_are_the_four_with_text() -> None:
    """A model takes text, and images or audio or both besides."""
    images, audio = {"image"}, {"audio"}

    assert {ALL, ALL - images, ALL - audio, ALL - images - audio} == set(
        drawn_from(modality_sets(), 4)
    )


# --- whole histories ----------------------------------------------------------------------------


@pytest.fixture(scope="session")
def whole() -> list[list[Item]]:
    """Many whole histories."""
    return drawn_from(whole_histories(), 300)


def test_whole_histories_need_no_repair(whole: list[list[Item]]) -> None:
    """Nothing is open and nothing is orphaned; without images and audio only media are replaced."""
    for history in whole:
        assert repairs(history) == []
        assert {"replaced"} >= {repair.action for repair in repairs(history, {"text"})}


def test_in_whole_histories_each_call_is_followed_by_its_output(whole: list[list[Item]]) -> None:
    """Each call id belongs to one call and one output behind it, of the answering type."""
    for history in whole:
        open_calls: dict[str, str] = {}
        seen: set[str] = set()
        for item in filter(is_linked, history):
            call_id = item.get("call_id")
            if call_id is None:
                continue
            if item["type"] in FAMILY_OF_CALL:
                assert call_id not in seen
                seen.add(call_id)
                open_calls[call_id] = FAMILY_OF_CALL[item["type"]].output_type
            else:
                assert open_calls.pop(call_id) == item["type"]

        assert open_calls == {}


# --- what occurs --------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def census(drawn: list[Labelled[list[Item]]]) -> Census:
    """The same histories, counted."""
    census = Census()
    for some in drawn:
        census.add(some)
    return census


@pytest.mark.parametrize(
    ("kind", "names", "least"),
    [
        ("kind", KINDS, 0.1),
        ("cut", CUTS, 0.01),
        ("fault", tuple(FAULTS), 0.01),
        ("scenario", tuple(SCENARIOS), 0.002),
        ("call ids", tuple(CALL_IDS), 0.01),
    ],
)
def test_everything_that_has_a_name_occurs(
    census: Census, kind: str, names: tuple[str, ...], least: float
) -> None:
    """No fault, cut or scenario is so rare that a suite would miss it."""
    counts = census.labelled(kind)

    assert set(names) == set(counts)
    assert [] == [name for name in names if counts[name] < least * census.histories]


def test_every_type_stands_alone_in_some_histories(census: Census) -> None:
    """Calls of each type without an output, outputs of each type without a call: 2 % at least."""
    linked = [*FAMILY_OF_CALL, *FAMILIES_OF_OUTPUT]

    assert [] == [kind for kind in linked if census.alone[kind] < 0.02 * census.histories]


def test_histories_have_many_sizes(census: Census) -> None:
    """Most are short, some are empty, and some are so long that windows and caches show."""
    sizes = census.sizes
    of_many = sum(number for size, number in sizes.items() if size > 64)

    assert sizes[0] > 0
    assert 0.01 * census.histories < of_many < 0.1 * census.histories
    assert max(sizes) < 400


def test_histories_come_faster_than_from_nested_dictionaries() -> None:
    """The speed of generation is what people wait for."""
    plain = census_of(plain_histories(), 60, with_seed=1)
    ours = census_of(labelled_histories(), 300, with_seed=1)

    assert ours.speed > 1.5 * plain.speed


# --- options ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", HISTORIES)
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_families_restricts_calls_and_outputs(kind: str, family: Family) -> None:
    """Nothing of another family occurs, not even as a fault."""
    found = drawn_from(HISTORIES[kind](families=(family,)))
    calls = {item["type"] for history in found for item in history} & set(FAMILY_OF_CALL)

    assert {family.output_type} == set().union(*map(families_of, found))
    assert {family.call_type} == calls


@pytest.mark.parametrize("kind", HISTORIES)
def test_without_media_nothing_is_replaced(kind: str) -> None:
    """`media=False` draws what a model that takes text alone takes as it is."""
    for history in drawn_from(HISTORIES[kind](media=False)):
        assert "replaced" not in {repair.action for repair in repairs(history, {"text"})}


@pytest.mark.parametrize("kind", HISTORIES)
def test_without_unknown_all_is_known(kind: str) -> None:
    """`unknown=False` draws no type, key or part that no Codex writes."""
    for history in drawn_from(HISTORIES[kind](unknown=False)):
        words = {
            key
            for inner in containers(history)
            if isinstance(inner, dict)
            for key in (*inner, inner.get("type"))
        }

        assert {item["type"] for item in history}.isdisjoint(UNKNOWN_TYPES)
        assert words.isdisjoint(UNKNOWN_WORDS)


@pytest.mark.parametrize("kind", ["whole", "truncated"])
@pytest.mark.parametrize("max_items", [1, 2, 10])
def test_max_items_bounds_the_length(kind: str, max_items: int) -> None:
    """No history is longer."""
    sizes = {len(history) for history in drawn_from(HISTORIES[kind](max_items=max_items))}

    assert max_items >= max(sizes) > 0 or kind == "truncated"


def test_faults_restricts_faults() -> None:
    """Only the faults that were asked for happen."""
    names = ["call id emptied", "item dropped"]
    found = drawn_from(labelled_histories(faults=names))
    labels = {label for some in found for label in some.labels if label.startswith("fault: ")}

    assert {f"fault: {name}" for name in names} == labels


@pytest.mark.parametrize("kind", HISTORIES)
@pytest.mark.parametrize(
    "options", [{"families": ()}, {"families": ("function",)}, {"max_items": 0}]
)
def test_options_that_allow_no_history_raise_at_once(kind: str, options: dict[str, Any]) -> None:
    """A mistake shows where it is made, not where the strategy is drawn from."""
    with pytest.raises(ValueError, match=next(iter(options))[:5]):
        HISTORIES[kind](**options)


@pytest.mark.parametrize("faults", [(), ("no such fault",), "item dropped"])
@pytest.mark.parametrize("strategy", [corrupted_histories, histories, labelled_histories])
def test_faults_that_do_not_exist_raise_at_once(
    strategy: Callable[..., object], faults: tuple[str, ...]
) -> None:
    """So do faults that are misspelt, or none at all."""
    with pytest.raises(ValueError, match="fault"):
        strategy(faults=faults)


# --- minimal examples ---------------------------------------------------------------------------


def actions(history: list[Item]) -> Counter[str]:
    return Counter(repair.action for repair in repairs(history))


def has_an_open_call(history: list[Item]) -> bool:
    return actions(history)["answered"] > 0


def has_an_orphan(history: list[Item]) -> bool:
    return actions(history)["dropped"] > 0


def has_an_output_of_the_wrong_family(history: list[Item]) -> bool:
    found = repairs(history)
    ids = [{r.call_id for r in found if r.action == action} for action in ("answered", "dropped")]
    return not ids[0].isdisjoint(ids[1])


@pytest.mark.parametrize(
    ("condition", "size"),
    [(has_an_open_call, 1), (has_an_orphan, 2), (has_an_output_of_the_wrong_family, 2)],
)
def test_minimal_examples_are_obvious(condition: Callable[[list[Item]], bool], size: int) -> None:
    """What breaks a normalizer shrinks to the items that matter, with plain ids."""
    minimal = find(
        histories(),
        condition,
        settings=settings(max_examples=2000, database=None, deadline=None),
        random=random.Random(1),
    )

    assert size >= len(minimal)
    assert {"c1"} == {item["call_id"] for item in minimal}
