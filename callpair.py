#!/usr/bin/env python3
"""The front door: argument parsing and dispatch, nothing else.

Each package brings its own commands. A command is a module with a docstring (its help, whose last
paragraph is an example), `add_arguments(parser)` and `run(arguments)`, which returns the exit code:
0 holds, 1 a check failed, 2 the command could not do its work. Only the module of the command that
was asked for is imported.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType, ModuleType
from typing import NoReturn

from normalizer.errors import CommandError

VERSION = "0.1.0"

#: Every command: its module, and one line about it.
COMMANDS = {
    "prompt": ("normalizer.commands.prompt", "turn a recorded session into a valid prompt"),
    "doctor": ("normalizer.commands.doctor", "find the sessions that need repair"),
    "sample": ("strategies.commands.sample", "show generated histories, or count what they hold"),
    "check": ("properties.commands.check", "try every property on a normalizer"),
    "replay": ("properties.commands.replay", "try saved failing cases again"),
    "explain": ("properties.commands.explain", "tell what a property says, and why"),
    "report": ("properties.commands.report", "compare the reports of several runs"),
    "faults": ("properties.commands.faults", "try the suite on normalizers that are wrong"),
    "judge": ("properties.commands.judge", "judge one recorded prompt"),
    "serve": ("properties.commands.serve", "speak a subject's side of the protocol"),
    "bench": ("benchmarks.commands.bench", "time normalizers on large histories, side by side"),
    "gate": ("benchmarks.commands.gate", "keep a normalizer right and fast, in CI"),
    "codex": ("benchmarks.commands.codex", "compare the reference with the installed Codex CLI"),
    "matrix": ("benchmarks.commands.matrix", "compare normalizers, property by property"),
}

EPILOG = """\
examples:
  callpair prompt examples/crashed-session.jsonl
  callpair doctor ~/.codex/sessions
  callpair check --subject python:my_agent.history:normalize

exit codes: 0 holds, 1 a check failed, 2 the command could not do its work
"""


class _Parser(argparse.ArgumentParser):
    """Tells a usage error in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: error: {message} (see {self.prog} --help)\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that `argv` names and return its exit code."""
    _open_streams()
    signal.signal(signal.SIGTERM, _interrupt)
    arguments = list(sys.argv[1:] if argv is None else argv)
    parser = _front_parser()
    chosen = parser.parse_args(arguments[:1] or ["--help"])
    module = importlib.import_module(COMMANDS[chosen.command][0])
    description, _, example = (module.__doc__ or "").strip().rpartition("\n\n")
    command = _Parser(
        prog=f"callpair {chosen.command}",
        description=description,
        epilog=example,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    return _run(command, module, arguments[1:])


def _interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
    """End as after Ctrl-C: processes are stopped, and temporary folders removed."""
    raise KeyboardInterrupt


def _front_parser() -> argparse.ArgumentParser:
    width = max(map(len, COMMANDS))
    commands = "\n".join(f"  {name:{width}}  {line}" for name, (_, line) in COMMANDS.items())
    parser = _Parser(
        prog="callpair",
        usage="callpair COMMAND ...",
        description=f"Verify, benchmark and gate prompt-history normalizers.\n\n{commands}",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"callpair {VERSION}")
    parser.add_argument("command", choices=COMMANDS, help=argparse.SUPPRESS, metavar="COMMAND")
    return parser


def _open_streams() -> None:
    """Make the standard streams fit for use: closed ones are null, output is UTF-8 everywhere."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")


def _run(command: argparse.ArgumentParser, module: ModuleType, arguments: Sequence[str]) -> int:
    name = command.prog
    try:
        module.add_arguments(command)
        code: int = module.run(command.parse_args(arguments))
        sys.stdout.flush()
        return code
    except CommandError as error:
        print(f"{name}: error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{name}: interrupted", file=sys.stderr)
        return 2
    except OSError as error:
        # Python would complain once more at exit, when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # The reader (`| head`) has had enough.
            print(f"{name}: error: {error.strerror or error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
