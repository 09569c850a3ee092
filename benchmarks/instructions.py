"""How many instructions a call takes, as valgrind's cachegrind counts them.

The count is the same on every run and on a busy machine too, and it includes what C code does. It
is no time: what waits for memory takes longer than what computes.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

from benchmarks.runners import WORKER, NotMeasured
from benchmarks.targets import Target
from benchmarks.workloads import Workload

#: Enough calls for start and import not to matter, few enough for a tool that is 50 times as slow.
_CALLS: Final = 20

_COUNT: Final = re.compile(rb"I\s+refs:\s+([\d,]+)")


def instructions(target: Target, workload: Workload, folder: Path) -> float:
    """Return how many instructions a call of the normalizer takes.

    Histories are kept in `folder`. Raises NotMeasured when there is no valgrind or the call fails.
    """
    file = workload.pickled(folder)
    load: dict[str, object] = {
        "action": "load",
        "file": str(file),
        "modalities": sorted(workload.modalities),
    }
    without, with_calls = (
        _counted(target, [load, {"action": "fastest", "calls": calls}]) for calls in (1, 1 + _CALLS)
    )
    return (with_calls - without) / _CALLS


def _counted(target: Target, actions: list[dict[str, object]]) -> int:
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise NotMeasured("valgrind is not installed")
    command = [
        valgrind,
        "--tool=cachegrind",
        "--cache-sim=no",
        f"--cachegrind-out-file={os.devnull}",
    ]
    done = subprocess.run(
        [*command, target.interpreter, WORKER, target.module, target.attribute, *target.folders],
        input="".join(json.dumps(action) + "\n" for action in actions).encode(),
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        check=False,
    )
    count = _COUNT.search(done.stderr)
    last = done.stdout.strip().rpartition(b"\n")[2]
    if count is None or "result" not in json.loads(last or b"{}"):
        raise NotMeasured(f"{target.name}: cachegrind did not run it to its end")
    return int(count[1].replace(b",", b""))
