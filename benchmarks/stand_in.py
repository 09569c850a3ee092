"""A stand-in for the Codex CLI: the reference behind Codex's own interface, with a fault if asked.

It is there to test what asks Codex where no Codex is installed, and what happens when it differs.
"""

from __future__ import annotations

import json
import os
import sys
import time
import tomllib
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from urllib.request import Request, urlopen

from normalizer import FAMILIES_OF_OUTPUT, Item, normalize, read_rollout

#: What the stand-in does to the prompt before it sends it, by the name of the fault.
FAULTS: Final[Mapping[str, Callable[[list[Item]], list[Item]]]] = MappingProxyType(
    {
        "none": lambda prompt: prompt,
        "loses outputs": lambda prompt: [
            item for item in prompt if item["type"] not in FAMILIES_OF_OUTPUT
        ],
        "loses items": lambda prompt: prompt[:-1],
    }
)

#: The faults that leave no prompt at all.
SILENT: Final = ("refuses", "no catalogue")


def program(folder: Path, fault: str = "none") -> Path:
    """Write a program that runs the stand-in, and return its path."""
    path = folder / "codex"
    project = Path(__file__).parents[1]
    path.write_text(
        f"#!{sys.executable}\n"
        "import sys\n"
        f"sys.path.insert(0, {str(project)!r})\n"
        "from benchmarks.stand_in import main\n"
        f"sys.exit(main(sys.argv[1:], {fault!r}))\n",
        encoding="utf-8",
    )
    path.chmod(0o755)
    return path


def main(arguments: list[str], fault: str) -> int:
    """Do what Codex does with these arguments; return the exit code."""
    home = Path(os.environ["CODEX_HOME"])
    match arguments:
        case ["--version"]:
            print("codex-cli 0.0.0")
        case ["debug", "models", "--bundled"] if fault == "no catalogue":
            print("{}")
        case ["debug", "models", "--bundled"]:
            print(json.dumps({"models": [{}]}))
        case ["exec", *_, "-m", model, "resume", session, text] if fault != "refuses":
            (path,) = home.glob(f"sessions/*/*/*/rollout-*-{session}.jsonl")
            history = read_rollout(path).history
            prompt = FAULTS[fault](normalize(history, _modalities(home, model)))
            _send(home, {"prompt_cache_key": session, "input": [*prompt, _new_turn(text)]})
        case _:
            print("error: no such session", file=sys.stderr)
            return 1
    return 0


def _config(home: Path) -> dict[str, Any]:
    return tomllib.loads((home / "config.toml").read_text("utf-8"))


def _modalities(home: Path, slug: str) -> list[str]:
    catalogue = json.loads(Path(_config(home)["model_catalog_json"]).read_bytes())
    models = {model["slug"]: model for model in catalogue["models"]}
    modalities: list[str] = models[slug]["input_modalities"]
    return modalities


def _send(home: Path, request: Item) -> None:
    config = _config(home)
    url = config["model_providers"][config["model_provider"]]["base_url"]
    with urlopen(Request(f"{url}/responses", json.dumps(request).encode())) as reply:
        reply.read()


def _new_turn(text: str) -> Item:
    """Return a message with a UUID that holds the time, as Codex gives to those that it writes."""
    made = uuid.UUID(int=int(time.time() * 1000) << 80 | 7 << 76 | 2 << 62)
    content = [{"type": "input_text", "text": text}]
    return {"type": "message", "id": f"msg_{made}", "role": "user", "content": content}
