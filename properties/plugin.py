"""The pytest plugin: which normalizer is under test, how hard it is tried, what is left out.

Conformance tests reach the normalizer through the fixture `trial` and in no other way.
"""

from __future__ import annotations

import random
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import settings

from normalizer import CommandError
from properties.broken import Broken, saved_cases
from properties.catalogue import selected
from properties.conformance import Trial
from properties.deviations import FixedError, read_deviations
from properties.loading import KINDS, load_subject
from properties.profiles import PROFILES, default_profile
from properties.property import EACH, Property, checked_columns
from properties.report import broken_report
from properties.settings import Settings, read_settings

_HERE: Final = Path(__file__).parent

#: The seed of the profiles whose histories are the same every time.
_SAME: Final = 0


@dataclass(frozen=True, slots=True)
class Setup:
    """What the options ask for."""

    trial: Trial
    profile: str
    #: What to try.
    properties: tuple[Property, ...]
    #: On which kinds of histories.
    columns: tuple[str, ...]

    @property
    def seed(self) -> int | None:
        """The seed of the histories; None where they are the same every time."""
        return None if self.trial.settings.derandomize else self.trial.seed


_SETUP: Final = pytest.StashKey[Setup]()
_SETTINGS: Final = pytest.StashKey[Settings]()


def setup_of(config: pytest.Config) -> Setup:
    """Return what the options of this run ask for, and the settings of the project around it.

    Only conformance tests need it: where there are none, no normalizer is loaded.
    """
    if _SETUP not in config.stash:
        try:
            config.stash[_SETUP] = _setup(config, config.stash[_SETTINGS])
        except (CommandError, ValueError) as error:
            raise pytest.UsageError(str(error)) from None
    return config.stash[_SETUP]


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("callpair", "normalizer conformance")
    group.addoption("--subject", metavar="S", help=f"the normalizer under test: {KINDS}")
    for option, metavar, what in (
        ("--subject-path", "DIR", "a folder to import the subject from"),
        ("--only", "NAME", "a property or a group of properties to try"),
        ("--families", "NAME", f"a column of histories to try, out of {', '.join(EACH)}"),
    ):
        group.addoption(
            option, action="append", default=[], metavar=metavar, help=f"{what} (repeatable)"
        )
    group.addoption(
        "--callpair-profile", choices=PROFILES, help="how hard to try (default: dev, in CI ci)"
    )
    group.addoption("--examples", type=int, metavar="N", help="examples for each property")
    group.addoption("--callpair-seed", type=int, metavar="N", help="seed of the random histories")
    group.addoption("--timeout", type=float, metavar="S", help="seconds that one call may take")
    group.addoption(
        "--validate", action="store_true", help="check each message of a command against its schema"
    )
    group.addoption("--deviations", metavar="FILE", help="what is known to be broken")
    group.addoption("--saved", metavar="DIR", help="a folder of failing cases to try first")


def pytest_configure(config: pytest.Config) -> None:
    try:
        config.stash[_SETTINGS] = read_settings(config.invocation_params.dir)
    except CommandError as error:
        raise pytest.UsageError(str(error)) from None


def pytest_unconfigure(config: pytest.Config) -> None:
    if _SETUP in config.stash:
        config.stash[_SETUP].trial.subject.close()


def _setup(config: pytest.Config, defaults: Settings) -> Setup:
    profile = config.getoption("callpair_profile") or defaults.profile or default_profile()
    if profile not in PROFILES:
        raise ValueError(f"unknown profile {profile!r}: choose from {', '.join(PROFILES)}")
    chosen = PROFILES[profile]
    examples = config.getoption("examples") or defaults.examples
    seed = config.getoption("callpair_seed")
    seed = defaults.seed if seed is None else seed
    if examples is not None:
        chosen = settings(chosen, max_examples=examples)
    if seed is not None:
        chosen = settings(chosen, derandomize=False)
    elif chosen.derandomize:
        seed = _SAME  # A seed wins over `derandomize`: it has to be the same one every time.
    else:
        seed = random.SystemRandom().randrange(2**32)
    subject = load_subject(
        config.getoption("subject") or defaults.subject,
        config.getoption("subject_path") or defaults.subject_path,
        timeout=config.getoption("timeout") or defaults.timeout,
        validate=config.getoption("validate") or defaults.validate,
        claims=defaults.capabilities,
    )
    properties = tuple(selected(config.getoption("only") or defaults.only))
    columns = checked_columns(config.getoption("families") or defaults.families)
    saved = saved_cases(Path(config.getoption("saved") or defaults.save))
    file = config.getoption("deviations") or defaults.deviations
    deviations = read_deviations(Path(file)) if file else []
    return Setup(Trial(subject, chosen, seed, saved, deviations), profile, properties, columns)


def pytest_report_collectionfinish(
    config: pytest.Config, items: list[pytest.Item]
) -> str | list[str]:
    if not any(map(tried_by, items)):
        return []
    setup = setup_of(config)
    seed = "the same histories every time" if setup.seed is None else f"seed {setup.seed}"
    examples = f"{setup.trial.settings.max_examples} examples"
    subject = setup.trial.subject.name
    file = config.stash[_SETTINGS].file
    source = f", settings of {file}" if file else ""
    return f"callpair: subject {subject}, profile {setup.profile} ({examples}), {seed}{source}"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the suite's own tests out when somebody else's normalizer is under test."""
    asked = config.getoption("subject") or config.stash[_SETTINGS].file
    return True if collection_path == _HERE / "selfcheck" and asked else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the properties and the columns that were not asked for."""
    if not any(map(tried_by, items)):
        return
    setup = setup_of(config)
    # Settings are about conformance tests; options leave out whatever they do not ask for.
    narrowed = config.getoption("only") or config.getoption("families")
    kept: list[pytest.Item] = []
    dropped: list[pytest.Item] = []
    for item in items:
        tried = tried_by(item)
        fits = tried[0] in setup.properties and tried[1] in setup.columns if tried else not narrowed
        (kept if fits else dropped).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=dropped)


def tried_by(item: pytest.Item) -> tuple[Property, str] | None:
    """Return the property and the column that a conformance test tries; None for other tests."""
    parameters: dict[str, Any] = getattr(getattr(item, "callspec", None), "params", {})
    prop, family = parameters.get("prop"), parameters.get("family")
    return (prop, family) if isinstance(prop, Property) and isinstance(family, str) else None


@pytest.fixture(scope="session")
def trial(pytestconfig: pytest.Config) -> Trial:
    """What tries properties on the normalizer under test."""
    return setup_of(pytestconfig).trial


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    call: pytest.CallInfo[None],
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show a broken property as a report for people instead of a traceback of ours."""
    report = yield
    raised = call.excinfo.value if call.excinfo is not None else None
    if isinstance(raised, Broken):
        report.longrepr = broken_report(raised.case)
    elif isinstance(raised, FixedError):
        report.longrepr = str(raised)
    return report
