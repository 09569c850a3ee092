"""Compare the reference with the installed Codex CLI, history by history.

Draws histories, lets Codex resume sessions that hold them, and compares the prompts that
it sends with those of the reference, item by item. With --rollouts it does the same for
rollout files, whole and damaged, each in a run of its own. If any differ, the smallest
that does is shown.

Codex gets a CODEX_HOME of its own and a model provider on this machine; nothing leaves
the machine.

Exits with 0 if all are equal, 1 if some differ, 2 if Codex could not be asked.

examples:
  callpair codex -n 20000 --seed 1
  callpair codex -m text,audio --codex node_modules/.bin/codex
  callpair codex --rollouts -n 500
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any, Final, NamedTuple

from hypothesis import strategies as st

from benchmarks.codex import Answer, Oracle, find_codex
from benchmarks.codex.cli import VARIABLE
from benchmarks.codex.drawn import drawn_sessions
from benchmarks.codex.histories import answers_on_histories
from benchmarks.codex.home import MODELS
from benchmarks.codex.record import Record
from benchmarks.codex.rollouts import answers_on_rollouts
from benchmarks.codex.shrinking import smallest
from benchmarks.codex.tally import Tally
from normalizer import MODALITIES, CommandError
from normalizer.commands.options import modalities_of
from normalizer.commands.terminal import count, plural, progress, table
from properties.commands.options import count_of
from strategies import drawn, histories, rollout_files

_DEFAULT_NUMBER: Final = 2000

#: A longer JSON text is cut.
_JSON_WIDTH: Final = 600


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-n",
        type=count_of,
        default=_DEFAULT_NUMBER,
        metavar="N",
        help=f"how many histories or files (default: {_DEFAULT_NUMBER})",
    )
    parser.add_argument("--seed", type=int, metavar="N", help="draw the same as before")
    parser.add_argument(
        "-m",
        "--modalities",
        type=modalities_of,
        metavar="text,image",
        help=f"what the model takes, out of {','.join(MODALITIES)} (default: each set in turn)",
    )
    parser.add_argument(
        "--codex", metavar="PATH", help=f"the program (default: ${VARIABLE}, or codex on the PATH)"
    )
    parser.add_argument("--rollouts", action="store_true", help="compare rollout files instead")
    parser.add_argument(
        "--record", metavar="FILE", help="write what Codex did to histories as golden rows"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    if arguments.record and arguments.rollouts:
        raise CommandError("--record: golden rows hold histories, not rollout files")
    if arguments.modalities and arguments.modalities not in MODELS:
        raise CommandError("-m: every model that Codex knows takes text")
    modality_sets = [arguments.modalities] if arguments.modalities else list(MODELS)
    kind = _ROLLOUTS if arguments.rollouts else _HISTORIES
    seed = random.SystemRandom().randrange(10**6) if arguments.seed is None else arguments.seed
    with Oracle(find_codex(arguments.codex)) as oracle, ExitStack() as stack:
        record = stack.enter_context(Record(arguments.record)) if arguments.record else None
        tally = Tally(kind.noun, oracle.version(), seed)
        sessions = drawn_sessions(kind.sessions(), arguments.n, seed)
        answers = kind.ask(oracle, sessions, modality_sets)
        for answer in progress(answers, arguments.n, plural(kind.noun)):
            tally.add(answer)
            if record is not None:
                record.add(f"seed-{seed}/{tally.number}", answer)
        if tally.shortest is not None:
            tally.shortest = _smallest(oracle, kind, tally.shortest)
    print(json.dumps(_plain(tally), indent=2) if arguments.json else _report(tally))
    return 1 if tally.differing else 0


# --- what is compared -----------------------------------------------------------------------------


class _Kind(NamedTuple):
    """A kind of session: how it is drawn, and how Codex is asked about it."""

    noun: str
    sessions: Callable[[], st.SearchStrategy[list[Any]]]
    ask: Callable[
        [Oracle, Iterable[Sequence[Any]], Sequence[frozenset[str]]], Iterator[Answer[Any]]
    ]


def _files_of_lines() -> st.SearchStrategy[list[bytes]]:
    return rollout_files(unknown=False).map(lambda data: data.split(b"\n"))


_HISTORIES: Final = _Kind("history", lambda: histories(unknown=False), answers_on_histories)
_ROLLOUTS: Final = _Kind("rollout file", _files_of_lines, answers_on_rollouts)


def _smallest(oracle: Oracle, kind: _Kind, answer: Answer[Any]) -> Answer[Any]:
    return smallest(answer, lambda sessions: list(kind.ask(oracle, sessions, [answer.modalities])))


# --- the report -----------------------------------------------------------------------------------


def _report(tally: Tally) -> str:
    rows = [
        (
            _names(modalities),
            f"{tally.compared[modalities]:,}",
            f"{tally.differing[modalities]:,}",
            f"{tally.refused[modalities]:,}",
        )
        for modalities in MODELS
        if tally.compared[modalities] or tally.refused[modalities]
    ]
    headers = ("modalities", plural(tally.noun), "differ", "refused")
    verdict = (
        f"{tally.differing.total():,} of {count(tally.compared.total(), tally.noun)} differ; "
        f"{tally.items:,} items sent, {tally.speed:,.0f} {plural(tally.noun)} a second"
    )
    blocks = [f"{tally.codex} beside the reference, seed {tally.seed}", table(rows, headers)]
    if tally.shortest is not None:
        blocks.append(_difference(tally.shortest))
    return "\n\n".join([*blocks, verdict])


def _difference(answer: Answer[Any]) -> str:
    index, wanted, got = answer.first_difference()
    takes = ", ".join(name for name in MODALITIES if name in answer.modalities)
    return "\n".join(
        (
            f"smallest that differs, for a model that takes {takes}:",
            *(f"  {line}" for line in _shown(answer.session)),
            "",
            f"item {index} of the prompt",
            f"  reference: {_brief(wanted)}",
            f"  Codex:     {_brief(got)}",
        )
    )


def _shown(session: list[Any]) -> list[str]:
    """Return the lines of a file as they are, or a history as a person reads it and as JSON."""
    if session and isinstance(session[0], bytes):
        return [ascii(line)[2:-1] for line in session]
    return [*drawn(session), "", json.dumps(session)]


def _brief(item: object) -> str:
    text = "nothing" if item is None else json.dumps(item)
    return text if len(text) <= _JSON_WIDTH else text[: _JSON_WIDTH - 1] + "…"


def _names(modalities: frozenset[str]) -> str:
    return ",".join(name for name in MODALITIES if name in modalities)


def _plain(tally: Tally) -> dict[str, Any]:
    answer = tally.shortest
    return {
        "codex": tally.codex,
        "seed": tally.seed,
        "what": plural(tally.noun),
        "compared": {_names(key): number for key, number in tally.compared.items()},
        "differing": {_names(key): number for key, number in tally.differing.items()},
        "refused": {_names(key): number for key, number in tally.refused.items()},
        "seconds": round(tally.seconds, 3),
        "smallest": None if answer is None else _plain_answer(answer),
    }


def _plain_answer(answer: Answer[Any]) -> dict[str, Any]:
    return {
        "modalities": sorted(answer.modalities),
        "session": [
            part.decode(errors="backslashreplace") if isinstance(part, bytes) else part
            for part in answer.session
        ],
        "reference": answer.expected,
        "codex": answer.got,
    }
