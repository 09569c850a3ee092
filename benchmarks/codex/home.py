"""A CODEX_HOME for one run, in a scratch folder: the user's own is never looked at."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any, Final

#: The provider of sessions that name none. Codex refuses one whose provider is not configured.
PROVIDER: Final = "oracle"

#: The model that takes each set of modalities.
MODELS: Final = {
    frozenset({"text", *more}): "-".join(("oracle", "text", *more))
    for more in ((), ("image",), ("audio",), ("image", "audio"))
}

#: So large that Codex neither compacts a session nor shortens an output on its own account.
_UNBOUNDED: Final = 1_000_000_000

_CONFIG: Final = """\
model_provider = {provider}
model_catalog_json = {catalogue}
check_for_update_on_startup = false
web_search = "disabled"

[analytics]
enabled = false

[feedback]
enabled = false

[otel]
exporter = "none"
trace_exporter = "none"
metrics_exporter = "none"

[features]
apps = false
plugins = false
remote_plugin = false

[model_providers.{provider}]
name = "oracle"
base_url = {url}
wire_api = "responses"
env_key = "CODEX_ORACLE_KEY"
request_max_retries = 0
stream_max_retries = 0
"""


class Home:
    """One run's CODEX_HOME, below a scratch folder."""

    def __init__(self, scratch: Path) -> None:
        #: The folder itself.
        self.path: Final = Path(tempfile.mkdtemp(prefix="home-", dir=scratch))
        #: Where Codex works.
        self.work: Final = self.path / "work"
        self.work.mkdir()

    def configure(self, provider: str, url: str, catalogue: Path) -> None:
        """Let Codex find `provider` at `url`, and the models in `catalogue`."""
        # A JSON string in ASCII is a TOML string, and a quoted TOML key too.
        text = _CONFIG.format(
            provider=json.dumps(provider),
            catalogue=json.dumps(str(catalogue)),
            url=json.dumps(url),
        )
        (self.path / "config.toml").write_text(text, encoding="utf-8")

    def record(self, session: str, rollout: bytes) -> None:
        """Put a rollout where Codex looks for the session of that id."""
        folder = self.path / "sessions" / "2026" / "12" / "01"
        folder.mkdir(parents=True)
        (folder / f"rollout-2026-12-01T10-00-00-{session}.jsonl").write_bytes(rollout)

    def environment(self, proxy: str) -> dict[str, str]:
        """Return what Codex needs to start: no credentials, no way out but `proxy`."""
        return {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self.path),
            "CODEX_HOME": str(self.path),
            "CODEX_ORACLE_KEY": "unused",
            "HTTP_PROXY": proxy,
            "HTTPS_PROXY": proxy,
            "ALL_PROXY": proxy,
            "NO_PROXY": "127.0.0.1",
            "TZ": "UTC",
            "LC_ALL": "C.UTF-8",
        }

    def delete(self) -> None:
        """Delete the folder, whatever Codex put there."""
        shutil.rmtree(self.path, ignore_errors=True)


def catalogue_of(bundled: dict[str, Any]) -> str:
    """Return a catalogue of models that differ in their modalities alone.

    All else they take from the first of the `bundled` models that Codex comes with.

    Raises LookupError or TypeError when `bundled` holds no model.
    """
    template = bundled["models"][0] | {
        "base_instructions": "oracle",
        "model_messages": None,
        "tool_mode": None,
        "use_responses_lite": False,
        "context_window": _UNBOUNDED,
        "max_context_window": _UNBOUNDED,
        "truncation_policy": {"mode": "bytes", "limit": _UNBOUNDED},
    }
    models = [
        template | {"slug": slug, "display_name": slug, "input_modalities": sorted(modalities)}
        for modalities, slug in MODELS.items()
    ]
    return json.dumps({"models": models})
