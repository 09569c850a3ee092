"""Sessions: what a runtime does with its record, one step after another.

The record tells what happened and is only ever added to, but for a rollback and a compaction. After
each step the runtime would talk to the model: that is where `check` is called.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from hypothesis import event
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from normalizer import ALL, FAMILIES, Family, Item
from strategies.bits import ZERO, Bits, code_lists, codes
from strategies.histories import MODALITY_SETS
from strategies.items import Writer
from strategies.pools import copy_of

#: Called with the record itself and with what the model takes; raises when something is wrong.
Check = Callable[[list[Item], frozenset[str]], None]

_SUMMARY: Final[Item] = {
    "type": "message",
    "role": "user",
    "content": [{"type": "input_text", "text": "what happened so far"}],
}


class SessionMachine(RuleBasedStateMachine):
    """A session with turns, calls, answers in any order, crashes, forks, rollbacks, compactions.

    `sessions` gives it the check.
    """

    check: ClassVar[Check]
    families: ClassVar[Sequence[Family]]
    models: ClassVar[Sequence[frozenset[str]]]

    def __init__(self) -> None:
        super().__init__()
        self._writer = Writer(Bits(ZERO), families=self.families, media=True, unknown=True)
        self._model = ALL
        #: Calls that still run: where they answer to is known to the runtime alone.
        self._running: list[Item] = []
        self.record: list[Item] = []

    @rule(code=codes)
    def user_turn(self, code: bytes) -> None:
        """The user says something."""
        self.record.append(self._writer.message("user", Bits(code)))

    @rule(code=codes)
    def call(self, code: bytes) -> None:
        """The model calls a tool."""
        bits = Bits(code)
        call = self._writer.call(bits.choice(self.families, 2), self._writer.next_call_id(), bits)
        self.record.append(call)
        self._running.append(call)

    @rule(some=code_lists(min_size=2, max_size=4))
    def parallel_calls(self, some: list[bytes]) -> None:
        """The model calls several tools at once."""
        for code in some:
            self.call(code)

    @precondition(lambda self: self._running)
    @rule(code=codes)
    def answer(self, code: bytes) -> None:
        """One of the running calls gets its output, not always the first."""
        bits = Bits(code)
        call = self._running.pop(bits.number(3) % len(self._running))
        family = next(family for family in FAMILIES if family.call_type == call["type"])
        self.record.append(self._writer.output(family, call["call_id"], bits))

    @precondition(lambda self: self._running)
    @rule()
    def crash(self) -> None:
        """The process dies with calls running; the next one resumes from the file."""
        event("session: crash")
        self._running.clear()
        self.record = json.loads(json.dumps(self.record))

    @rule()
    def resume(self) -> None:
        """Another process reads the record and talks to the model at once."""
        self.record = json.loads(json.dumps(self.record))

    @precondition(lambda self: self.record)
    @rule()
    def fork(self) -> None:
        """The session goes on in a copy; calls that run answer to the original only."""
        event("session: fork")
        self.record = copy_of(self.record)
        self._running.clear()

    @precondition(lambda self: any(item.get("role") == "user" for item in self.record))
    @rule()
    def rollback(self) -> None:
        """The last user turn is taken back, maybe between a call and its output."""
        event("session: rollback")
        turns = [i for i, item in enumerate(self.record) if item.get("role") == "user"]
        del self.record[turns[-1] :]

    @precondition(lambda self: self.record)
    @rule(keep=st.integers(0, 3))
    def compaction(self, keep: int) -> None:
        """Everything but the last items gives way to a summary, maybe a call whose output comes."""
        event("session: compaction")
        self.record = [copy_of(_SUMMARY), *self.record[len(self.record) - keep :]]

    @rule(code=codes)
    def switch_model(self, code: bytes) -> None:
        """The user goes on with a model that takes other things."""
        self._model = Bits(code).choice(self.models, 2)

    @invariant()
    def holds(self) -> None:
        """Whatever happened, the check holds."""
        type(self).check(self.record, self._model)


def sessions(
    check: Check,
    *,
    families: Sequence[Family] = FAMILIES,
    models: Sequence[frozenset[str]] = MODALITY_SETS,
) -> type[SessionMachine]:
    """Sessions after each step of which `check(record, modalities)` is called.

    Try them with `hypothesis.stateful.run_state_machine_as_test`. `check` gets the record itself,
    so that it can tell whether a normalizer changes it.

    * `families`: the call families that calls come from.
    * `models`: what the models take between which the user switches.
    """
    members = {"check": staticmethod(check), "families": families, "models": models}
    return type("Sessions", (SessionMachine,), members)
