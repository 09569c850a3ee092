"""Normalizers side by side, property by property: `callpair matrix`.

`column.py` says what one subject is and what came of it; `markdown.py` tells about all.
"""

from benchmarks.matrix.column import Column
from benchmarks.matrix.markdown import markdown

__all__ = ["Column", "markdown"]
