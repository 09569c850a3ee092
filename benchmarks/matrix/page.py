"""The matrix as one HTML page: the smallest counterexample opens behind each broken cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jinja2 import Environment

from benchmarks.matrix.column import Column
from benchmarks.matrix.markdown import MARKS
from properties.catalogue import CATALOGUE
from properties.report import broken_report

_PAGE: Final = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>callpair matrix</title>
<style>
body { font: 15px/1.4 system-ui, sans-serif; margin: 2em; }
table { border-collapse: collapse; }
th, td { border: 1px solid #ccc; padding: .2em .5em; vertical-align: top; text-align: left; }
thead th { position: sticky; top: 0; background: #fff; }
.broken { background: #fde8e8; } .holds { background: #e8f6ea; }
pre { max-width: 60em; overflow-x: auto; font-size: 12px; }
</style>
<h1>Normalizers, property by property</h1>
<p>{{ date }}, {{ effort.examples }} examples a property, seed {{ effort.seed }}.
✓ holds, ✗ broken (open it for the smallest counterexample), · not applicable.</p>
<table>
<thead><tr><th>property</th>
{%- for column in columns %}<th>{{ column.title }}</th>{% endfor %}</tr></thead>
{% for prop in catalogue %}<tr><th title="{{ prop.statement }}">{{ prop.name }}</th>
{%- for column in columns %}{% set outcome = column.outcomes.get(prop.name, "") %}
<td class="{{ outcome }}">
{%- if prop.name in column.results.broken %}{% set case = column.results.broken[prop.name] -%}
<details><summary>✗</summary><pre>{{ report(case, None, column.command(case)) }}</pre></details>
{%- else %}{{ marks.get(outcome, "-") }}{% endif %}</td>
{%- endfor %}</tr>
{% endfor %}</table>
</html>
"""


def page(columns: Sequence[Column], date: str) -> str:
    """Return the whole page; everything in it is escaped."""
    template = Environment(autoescape=True).from_string(_PAGE)
    return template.render(
        columns=columns,
        catalogue=CATALOGUE,
        effort=columns[0].effort,
        date=date,
        marks=MARKS,
        report=broken_report,
    )
