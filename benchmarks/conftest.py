"""Figures that are no times: beside the times in pytest-benchmark's JSON, and below its table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from tabulate import tabulate

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

#: Notes down a figure of the running test under a name, with the limit that it must keep, if any.
Note = Callable[[str, float, float | None], None]

_FIGURES = pytest.StashKey[dict[tuple[str, str], tuple[float, float | None]]]()


def pytest_configure(config: pytest.Config) -> None:
    """Start with no figures."""
    config.stash[_FIGURES] = {}


@pytest.fixture
def note(request: pytest.FixtureRequest, benchmark: BenchmarkFixture) -> Note:
    """Return the function that notes a figure; a later figure of the same name replaces it."""

    def note_figure(name: str, figure: float, limit: float | None = None) -> None:
        benchmark.extra_info[name] = round(figure, 3)
        request.config.stash[_FIGURES][request.node.name, name] = figure, limit

    return note_figure


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the figures: pytest-benchmark's own table has no room for them."""
    figures = terminalreporter.config.stash[_FIGURES]
    if not figures:
        return
    terminalreporter.section("ratios and slopes")
    rows = [(test, name, *figure) for (test, name), figure in figures.items()]
    headers = ("test", "figure", "measured", "at most")
    terminalreporter.write_line(tabulate(rows, headers, floatfmt=".3f", missingval=""))
