"""Normalizers side by side, property by property: `callpair matrix`.

`column.py` tries one subject; `markdown.py` and `page.py` tell about all.
"""

from benchmarks.matrix.column import Column, Effort, column_of
from benchmarks.matrix.markdown import markdown
from benchmarks.matrix.page import page

__all__ = ["Column", "Effort", "column_of", "markdown", "page"]
