"""From a session on which Codex and the reference differ to the smallest such one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from benchmarks.codex.answer import Answer

T = TypeVar("T")

#: Asks about several sessions at once: that costs little more than asking about one.
Ask = Callable[[list[list[T]]], Sequence[Answer[T]]]


def smallest(answer: Answer[T], ask: Ask[T]) -> Answer[T]:
    """Return the answer about what is left of the session when all that does not matter is gone.

    Halves of it are left out first, then smaller and smaller pieces, in the end single parts.
    """
    session = answer.session
    size = max(1, len(session) // 2)
    while session:
        shorter = [session[:at] + session[at + size :] for at in range(0, len(session), size)]
        answers = ask(shorter)
        found = next((place for place, other in enumerate(answers) if other.differs), None)
        if found is not None:
            session, answer = shorter[found], answers[found]
        elif size == 1:
            break
        size = max(1, min(size, len(session)) // 2)
    # Asked alone a session reaches Codex as it is, and most differences are still there.
    alone = ask([session])[0]
    return alone if alone.differs else answer
