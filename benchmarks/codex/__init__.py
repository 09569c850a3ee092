"""The released Codex CLI beside the reference: the same sessions, prompt by prompt.

    >>> from benchmarks.codex import Oracle, find_codex
    >>> with Oracle(find_codex()) as oracle:
    ...     oracle.resume(Path("rollout.jsonl").read_bytes(), frozenset({"text"})).prompt

`cli.py` runs the program, `home.py` gives it a CODEX_HOME and `provider.py` a model provider;
`oracle.py` is what asks. `histories.py` and `rollouts.py` compare, `canonical.py` says what does
not count. The command is `callpair codex`.
"""

from benchmarks.codex.answer import Answer
from benchmarks.codex.canonical import canonical
from benchmarks.codex.cli import find_codex
from benchmarks.codex.errors import CodexError
from benchmarks.codex.oracle import Oracle, Resumption

__all__ = ["Answer", "CodexError", "Oracle", "Resumption", "canonical", "find_codex"]
