"""The model provider that Codex talks to: a server on 127.0.0.1 that keeps what it is sent.

It answers every prompt with `ok`. It is the proxy of all other traffic, too, and lets none through.
"""

from __future__ import annotations

import json
import re
import secrets
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from benchmarks.codex.errors import CodexError

#: The events of a turn in which the model says `ok`.
_EVENTS: Final[tuple[dict[str, Any], ...]] = (
    {"type": "response.created", "response": {"id": "resp_1"}},
    {
        "type": "response.output_item.done",
        "item": {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "ok"}],
        },
    },
    {
        "type": "response.completed",
        "response": {
            "id": "resp_1",
            "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2},
        },
    },
)
_REPLY: Final = "".join(
    f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in _EVENTS
).encode()

#: The address of a mailbox, on the server.
_MAILBOX: Final = re.compile(r"/([0-9a-f]{16})/v1/responses")


@dataclass(eq=False, slots=True)
class Mailbox:
    """The prompts that one run of Codex has sent."""

    name: str
    #: Where that run sends them.
    url: str
    _bodies: list[bytes] = field(default_factory=list)

    def put(self, body: bytes) -> None:
        """Keep the body of one more request."""
        self._bodies.append(body)

    def first(self) -> dict[str, Any] | None:
        """Return the first request; None when there was none.

        Raises CodexError when it is not JSON.
        """
        if not self._bodies:
            return None
        try:
            request: dict[str, Any] = json.loads(self._bodies[0])
        except ValueError as error:
            raise CodexError(f"Codex sent something that is not JSON: {error}") from None
        return request


class Provider:
    """A running server; each run of Codex has a mailbox of its own there."""

    def __init__(self) -> None:
        #: Requests besides those for a prompt: where Codex would have gone without us.
        self.strays: list[str] = []
        self._mailboxes: dict[str, Mailbox] = {}
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.provider = self
        #: Where the server listens.
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )
        self._thread.start()

    def open_mailbox(self) -> Mailbox:
        """Return a new mailbox."""
        name = secrets.token_hex(8)
        mailbox = Mailbox(name, f"{self.origin}/{name}/v1")
        self._mailboxes[name] = mailbox
        return mailbox

    def close_mailbox(self, mailbox: Mailbox) -> None:
        """Take no more for `mailbox`."""
        self._mailboxes.pop(mailbox.name, None)

    def mailbox_at(self, path: str) -> Mailbox | None:
        """Return the open mailbox at `path`; None when there is none."""
        found = _MAILBOX.fullmatch(path)
        return self._mailboxes.get(found[1]) if found else None

    def close(self) -> None:
        """Stop the server."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(timeout=5)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    provider: Provider


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30
    server: _Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        mailbox = self.server.provider.mailbox_at(self.path)
        if mailbox is None:
            self._refuse()
            return
        mailbox.put(body)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(_REPLY)))
        self.end_headers()
        self.wfile.write(_REPLY)

    def _refuse(self) -> None:
        self.server.provider.strays.append(f"{self.command} {self.path}")
        self.close_connection = True
        self.send_response(403)
        self.send_header("content-length", "0")
        self.end_headers()

    do_GET = do_HEAD = do_PUT = do_DELETE = do_OPTIONS = do_CONNECT = _refuse  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Stay silent: each run is told through its mailbox."""
