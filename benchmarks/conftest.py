"""Figures that are no times: beside the times in pytest-benchmark's JSON, and below its table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import pytest
from tabulate import tabulate

from benchmarks.timing import Timed

#: A figure of the running test: its name, its value, and the limit that it must keep, if any.
Note = Callable[[str, float, float | None], None]

_FIGURES = pytest.StashKey[dict[tuple[str, str], tuple[float, float | None]]]()


class Benchmark(Protocol):
    """What these tests use of pytest-benchmark's fixture, which has no types of its own."""

    group: str | None
    extra_info: dict[str, object]

    def pedantic(self, target: Timed, *, rounds: int = 1) -> object:
        """Time `rounds` calls of `target` for the table."""


@pytest.fixture
def note(request: pytest.FixtureRequest, benchmark: Benchmark) -> Note:
    """Return the function that notes a figure; a later figure of the same name replaces it."""

    def note_figure(name: str, figure: float, limit: float | None) -> None:
        benchmark.extra_info[name] = round(figure, 3)
        request.config.stash[_FIGURES][request.node.name, name] = figure, limit

    return note_figure


def mutables(value: Any) -> Iterator[int]:
    """Yield the identity of every dict and list in `value`, as often as it occurs."""
    if isinstance(value, (dict, list)):
        yield id(value)
        for inner in value.values() if isinstance(value, dict) else value:
            yield from mutables(inner)


def pytest_configure(config: pytest.Config) -> None:
    """Start with no figures."""
    config.stash[_FIGURES] = {}


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the figures: pytest-benchmark's own table has no room for them."""
    figures = terminalreporter.config.stash[_FIGURES]
    if not figures:
        return
    terminalreporter.section("ratios and slopes")
    rows = [(test, name, *figure) for (test, name), figure in figures.items()]
    headers = ("test", "figure", "value", "limit")
    terminalreporter.write_line(tabulate(rows, headers, floatfmt=".3f", missingval=""))
