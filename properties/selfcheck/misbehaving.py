"""A subject that misbehaves in the way its argument names; standard library only, run as a command.

With a `-late` behind the name it does so only when the history holds a function call.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))

from plain import answer  # type: ignore[import-not-found]

Message = dict[str, Any]


def say(text: str | bytes, end: bytes = b"\n") -> bool:
    """Put `text` on stdout at once; true, so that more can follow behind an `and`."""
    data = text if isinstance(text, bytes) else text.encode()
    sys.stdout.buffer.write(data + end)
    sys.stdout.buffer.flush()
    return True


def answered(message: Message, **changes: Any) -> str:
    """Return the right answer to `message`, with `changes`."""
    return json.dumps({**answer(message), **changes})


def without(message: Message, key: str) -> str:
    """Return the right answer to `message` without one key."""
    right = answer(message)
    del right[key]
    return json.dumps(right)


def hang() -> bool:
    time.sleep(60)
    return True


def close_output() -> bool:
    os.close(1)
    return True


def spin() -> None:
    while True:
        pass


def nested(depth: int) -> str:
    return '[{"type":"x","y":' + "[" * depth + "]" * depth + "}]"


def with_prompt(message: Message, prompt: str) -> str:
    """Return an answer whose prompt is this text, JSON or not."""
    return f'{{"seq": {message["seq"]}, "prompt": {prompt}}}'


def in_pieces(message: Message) -> None:
    for byte in (answered(message) + "\n").encode():
        say(bytes([byte]), end=b"")


def a_megabyte_of_words(message: Message) -> None:
    sys.stderr.write("word " * 200_000)
    sys.stderr.flush()
    say(answered(message))


def with_a_child(_: Message) -> None:
    if os.fork() == 0:
        hang()  # and holds the pipes open
    os.kill(os.getpid(), signal.SIGKILL)


#: What it does in the place of the right answer to `run`.
AT_RUN: dict[str, Callable[[Message], Any]] = {
    "error": lambda m: say(json.dumps({"seq": m["seq"], "error": "no"})),
    "exit": lambda _: os._exit(3),
    "segfault": lambda _: os.kill(os.getpid(), signal.SIGSEGV),
    "traceback": lambda m: m["call_id"],
    "dies-with-a-child": with_a_child,
    "closed-output": lambda _: close_output() and hang(),
    "half-a-line-then-exit": lambda m: say(answered(m)[:9], b"") and os._exit(0),
    "half-a-line-then-silence": lambda m: say(answered(m)[:9], b"") and hang(),
    "silence": lambda _: hang(),
    "busy": lambda _: spin(),
    "print": lambda m: say("got it") and say(answered(m)),
    "empty-line": lambda m: say("") and say(answered(m)),
    "not-utf-8": lambda m: say(with_prompt(m, '[{"type":"\xff"}]').encode("latin-1")),
    "nan": lambda m: say(with_prompt(m, '[{"type":"x","y":NaN}]')),
    "infinity": lambda m: say(with_prompt(m, '[{"type":"x","y":-Infinity}]')),
    "overflow": lambda m: say(with_prompt(m, '[{"type":"x","y":1e999}]')),
    "hexadecimal": lambda m: say(with_prompt(m, '[{"type":"x","y":0x10}]')),
    "lone-surrogate": lambda m: say(with_prompt(m, r'[{"type":"\ud800"}]')),
    "nested-200": lambda m: say(with_prompt(m, nested(200))),
    "nested-100000": lambda m: say(with_prompt(m, nested(100_000))),
    "an-array": lambda m: say(f"[{answered(m)}]"),
    "a-number": lambda _: say("7"),
    "no-seq": lambda m: say(without(m, "seq")),
    "no-prompt": lambda m: say(without(m, "prompt")),
    "prompt-and-error": lambda m: say(answered(m, error="no")),
    "seq-behind": lambda m: say(answered(m, seq=m["seq"] - 1)),
    "seq-as-text": lambda m: say(answered(m, seq=str(m["seq"]))),
    "answers-twice": lambda m: say(answered(m)) and say(answered(m)),
    "seconds-as-text": lambda m: say(answered(m, seconds="1.5")),
    "seconds-below-0": lambda m: say(answered(m, seconds=-1)),
    "prompt-null": lambda m: say(with_prompt(m, "null")),
    "prompt-of-texts": lambda m: say(with_prompt(m, '["aborted"]')),
    "prompt-without-type": lambda m: say(with_prompt(m, '[{"role":"user"}]')),
    # What is allowed:
    "skips": lambda m: say(json.dumps({"seq": m["seq"], "skipped": "not today"})),
    "took-an-hour": lambda m: say(answered(m, seconds=3600)),
    "took-no-time": lambda m: say(answered(m, seconds=0)),
    "tells-no-time": lambda m: say(without(m, "seconds")),
    "split-writes": in_pieces,
    "a-megabyte-on-stderr": a_megabyte_of_words,
    "carriage-returns": lambda m: say(answered(m), end=b"\r\n"),
    "deaf-to-stop": lambda m: say(answered(m)),
}

#: What it does in the place of the right answer to `start`.
AT_START: dict[str, Callable[[Message], Any]] = {
    "exit-at-start": lambda _: os._exit(1),
    "traceback-at-start": lambda m: m["capabilities"],
    "banner-at-start": lambda m: say("Ready.") and say(answered(m)),
    "silence-at-start": lambda _: hang(),
    "other-version": lambda m: say(answered(m, version=2)),
    "unknown-claim": lambda m: say(answered(m, capabilities={"speed": "high"})),
    "unknown-value": lambda m: say(answered(m, capabilities={"ids": "random"})),
    "claims-as-text": lambda m: say(answered(m, capabilities="all")),
}


def misbehaves(message: Message, late: bool) -> bool:
    """Whether now is the time."""
    kinds = [item["type"] for item in message.get("history", ())]
    return not late or "function_call" in kinds


def main() -> None:
    name = sys.argv[1].removesuffix("-late")
    for line in sys.stdin:
        message = json.loads(line)
        if message["cmd"] == "stop":
            if name == "deaf-to-stop":
                hang()
            return
        actions = AT_START if message["cmd"] == "start" else AT_RUN
        if name in actions and misbehaves(message, sys.argv[1].endswith("-late")):
            actions[name](message)
        else:
            say(answered(message))


if __name__ == "__main__":
    main()
