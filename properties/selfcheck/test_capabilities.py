"""Claims: normalizers that mean to do something else than Codex are judged by what they claim."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import settings

from normalizer import ALL, FAMILIES, Item, normalize
from properties.broken import Broken
from properties.capabilities import CLAIMS, CODEX, Capabilities
from properties.catalogue import BY_NAME, CATALOGUE, selected
from properties.conformance import Trial
from properties.profiles import PROFILES
from properties.schemas import schema
from properties.selfcheck.helpers import callpair
from properties.specification import is_unanswered
from properties.subject import PythonSubject
from strategies import history_of

_Normalizer = Callable[[list[Item], Collection[str]], list[Item]]


def dropping(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Leaves unanswered calls out."""
    return normalize([item for item in history if not is_unanswered(item, history)], modalities)


def saying(text: str) -> _Normalizer:
    """Return a normalizer whose made-up outputs say `text`."""

    def normalizer(history: list[Item], modalities: Collection[str]) -> list[Item]:
        return [
            {**item, "output": text} if "output" in item and _made_up(item, history) else item
            for item in normalize(history, modalities)
        ]

    return normalizer


def without_ids(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Gives made-up outputs no item id."""
    return [_changed(item, history) for item in normalize(history, modalities)]


def with_own_ids(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Gives every made-up output an item id out of its call's ids."""
    prompt = normalize(history, modalities)
    return [
        _changed(item, history, f"x{prompt[index - 1].get('id')}|{item.get('call_id')}")
        for index, item in enumerate(prompt)
    ]


def _made_up(item: Item, history: list[Item]) -> bool:
    keys = {(other["type"], other.get("call_id")) for other in history}
    return item["type"].endswith("_output") and (item["type"], item.get("call_id")) not in keys


def _changed(item: Item, history: list[Item], new_id: str = "") -> Item:
    """Return `item` with `new_id`, or without one, if it was made up."""
    if not _made_up(item, history):
        return item
    bare = {key: value for key, value in item.items() if key != "id"}
    return {**bare, "id": new_id} if new_id else bare


def blind(history: list[Item], _: Collection[str]) -> list[Item]:
    """Leaves media alone."""
    return normalize(history)


def deaf(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Does not know audio."""
    return normalize(history, {*modalities, "audio"})


def terse(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Says "[image]" in the place of an image."""
    text = json.dumps(normalize(history, modalities))
    omitted = "content omitted because you do not support"
    for medium in ("image", "audio"):
        text = text.replace(f"{medium} {omitted} {medium} input", f"[{medium}]")
    prompt: list[Item] = json.loads(text)
    return prompt


def sharing(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Puts the input's own items into the prompt where they need no repair."""
    own = {json.dumps(item): item for item in history}
    return [own.get(json.dumps(item), item) for item in normalize(history, modalities)]


def functions_alone(history: list[Item], modalities: Collection[str]) -> list[Item]:
    """Knows function calls and nothing else."""
    known = [{**item} for item in history]
    for item in known:
        if item["type"].startswith(("custom_", "local_", "tool_")):
            item["type"] = f"unknown {item['type']}"
    return normalize(known, modalities)


#: Each normalizer with the claims that it needs, and properties that do not apply to it then.
CLAIMANTS: Final[dict[str, tuple[_Normalizer, dict[str, Any], set[str]]]] = {
    "drop": (dropping, {"unanswered": "drop"}, {"pairing/says_aborted", "identity/derived"}),
    "text": (saying("lost"), {"made_up_text": "lost"}, {"model/equals_codex"}),
    "any text": (saying("whatever"), {"made_up_text": "any"}, {"model/equals_codex"}),
    "no ids": (without_ids, {"ids": "none"}, {"identity/derived", "identity/distinct"}),
    "own ids": (with_own_ids, {"ids": "stable"}, {"identity/derived", "identity/prefix"}),
    "media untouched": (blind, {"media": "untouched"}, {"media/none_unsupported"}),
    "no audio": (deaf, {"modalities": ["text", "image"]}, set()),
    "sharing": (sharing, {"shares_untouched": True}, {"immutability/nothing_shared"}),
    "functions": (
        functions_alone,
        {"families": ["function"]},
        {"pairing/found_nothing", "orphans/server_outputs_kept"},
    ),
}


def _trial(normalizer: _Normalizer, claims: Mapping[str, Any]) -> Trial:
    subject = PythonSubject("claimant", normalizer, capabilities=CODEX.declared(claims))
    return Trial(subject, settings(PROFILES["ci"], max_examples=25), seed=7)


def _broken(trial: Trial) -> set[str]:
    """Return the properties that do not hold on mixed histories, but for the slow ones."""
    broken = set()
    for prop in selected([]):
        if prop.name in ("model/small_histories", "work/linear"):
            continue
        try:
            trial.verify(prop, "mixed")
        except Broken:
            broken.add(prop.name)
        except pytest.skip.Exception:
            continue
    return broken


@pytest.mark.parametrize("name", CLAIMANTS)
def test_who_does_what_is_claimed_breaks_nothing(name: str) -> None:
    """Every property that applies to the claims holds, and the others are not applicable."""
    normalizer, claims, inapplicable = CLAIMANTS[name]
    trial = _trial(normalizer, claims)

    assert set() == _broken(trial)
    for prop in inapplicable:
        with pytest.raises(pytest.skip.Exception, match="not applicable"):
            trial.verify(BY_NAME[prop], "mixed")


@pytest.mark.parametrize("name", [name for name in CLAIMANTS if name != "sharing"])
def test_without_the_claims_the_same_is_broken(name: str) -> None:
    """Claims are what makes the difference: judged as Codex, the same normalizer breaks a model."""
    normalizer, _, _ = CLAIMANTS[name]

    with pytest.raises(Broken):
        _trial(normalizer, {}).verify(BY_NAME["model/equals_specification"], "mixed")


@pytest.mark.parametrize("name", ["drop", "text", "no ids", "own ids"])
def test_claims_are_no_excuse_for_others(name: str) -> None:
    """Who claims something and does what Codex does is broken: a claim has to be kept."""
    _, claims, _ = CLAIMANTS[name]
    kept = name == "own ids"  # ids like Codex's are stable ids, too

    assert kept == (_broken(_trial(normalize, claims)) == set())


def test_small_histories_keep_to_the_claims() -> None:
    """The property over all small histories asks for what is claimed and no more."""
    prop = BY_NAME["model/small_histories"]
    shapes = ["FC(a,id=fc_1) U(,text,image)", "LS(a,id=lsh_1) FO(b,image)", "TC(a) TO(b)"]
    for normalizer, claims, _ in CLAIMANTS.values():
        subject = PythonSubject("claimant", normalizer, capabilities=CODEX.declared(claims))
        for history in map(history_of, shapes):
            if subject.capabilities.knows(history):
                for taken in subject.capabilities.modality_sets:
                    assert [] == prop.of_subject(subject, history, taken)


@pytest.mark.parametrize(
    "claims",
    [
        *({"families": [family.name]} for family in FAMILIES),
        {"media": "untouched"},
        {"modalities": ["image"]},
    ],
    ids=str,
)
def test_nothing_holds_for_want_of_histories(claims: Mapping[str, Any]) -> None:
    """Properties with cases of their own have some for whoever claims less than Codex does."""
    capabilities = replace(CODEX.declared(claims), started_anew=True)
    for prop in CATALOGUE:
        if prop.cases and not prop.inapplicable(capabilities):
            assert any(history for history, _ in prop.cases_for(capabilities)), prop.name


def test_what_was_never_tried_is_not_applicable() -> None:
    """A property whose cases are all beyond the claims says nothing."""
    prop = replace(BY_NAME["work/linear"], cases=lambda _: iter(()))

    with pytest.raises(pytest.skip.Exception, match="none of its histories is one"):
        _trial(normalize, {}).verify(prop, "mixed")


def test_work_is_looked_at_where_media_are_not() -> None:
    """Who leaves media alone is tried on long histories as everybody is."""

    def quadratic(history: list[Item], _: Collection[str]) -> list[Item]:
        for index, item in enumerate(history):
            any(earlier is item for earlier in history[:index])
        return normalize(history)

    with pytest.raises(Broken, match="the time grows with the power"):
        _trial(quadratic, {"media": "untouched"}).verify(BY_NAME["work/linear"], "mixed")


def test_placeholders_may_be_others() -> None:
    """The texts in the place of media are those of the claims, or any."""
    history = history_of("U(,image,audio) FC(a) FO(a,image)")
    for texts in ({"image": "[image]", "audio": "[audio]"}, "any"):
        subject = PythonSubject("terse", terse, capabilities=CODEX.declared({"media_texts": texts}))
        for prop in CATALOGUE:
            if prop.prompt_law:
                assert [] == prop.of_subject(subject, history, frozenset({"text"})), prop.name


@pytest.mark.parametrize(
    ("claims", "problem"),
    [
        ({"speed": "high"}, "unknown claim 'speed'"),
        ({"seen_inside": True}, "unknown claim 'seen_inside'"),
        ({"ids": "random"}, "ids is 'random': expected derived or stable or none"),
        ({"families": ["shell"]}, r"families is \['shell'\]: expected a list out of custom"),
        ({"families": []}, r"families is \[\]"),
        ({"families": "function"}, "families is 'function'"),
        ({"modalities": ["video"]}, "modalities is"),
        ({"media_texts": {"video": "x"}}, "media_texts is"),
        ({"shares_untouched": "yes"}, "shares_untouched is 'yes'"),
        ({"made_up_text": None}, "made_up_text is None"),
    ],
    ids=str,
)
def test_claims_that_make_no_sense_are_refused(claims: dict[str, Any], problem: str) -> None:
    """A claim that nobody knows, or without such a value, says what is possible."""
    with pytest.raises(ValueError, match=problem):
        CODEX.declared(claims)


def test_the_schema_knows_every_claim() -> None:
    """The JSON Schema of the handshake and the claims are about the same."""
    assert set(CLAIMS) == set(schema("hello")["properties"]["capabilities"]["properties"])


def test_the_defaults_are_codex() -> None:
    """Who claims nothing is judged as Codex."""
    assert Capabilities() == CODEX
    assert frozenset(ALL) == CODEX.modalities
    assert 4 == len(CODEX.modality_sets)


def test_check_shows_what_is_not_applicable(tmp_path: Path) -> None:
    """The table says n/a, and below it why; such a property does not count as one that holds."""
    (tmp_path / "pyproject.toml").write_text(
        '[tool.callpair]\nonly = ["pairing"]\n[tool.callpair.capabilities]\nunanswered = "drop"\n'
    )
    (tmp_path / "mine.py").write_text(
        "from normalizer import normalize\n"
        "from properties.specification import is_unanswered\n"
        "def drop(history, modalities):\n"
        "    kept = [item for item in history if not is_unanswered(item, history)]\n"
        "    return normalize(kept, modalities)\n"
    )
    options = ("--examples", "20", "--families", "mixed")

    ran = callpair("check", "--subject", "python:mine:drop", *options, cwd=tmp_path)

    assert (0, "") == (ran.code, ran.err)
    assert "6 properties, 2 hold, 0 broken, 4 not applicable; 40 examples" in ran.out
    assert 'n/a, because unanswered is "drop": pairing/answer_follows_call' in ran.out
