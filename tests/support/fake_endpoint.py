"""A small server on this machine that speaks the protocol of models behind endpoints."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = Callable[[dict[str, Any]], "tuple[int, object]"]


class Endpoint:
    """What the server was asked, and what it answers."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.reply: Reply = lambda _: (200, said("hello, too"))
        self.url = ""
        self.seconds_a_byte = 0.0
        self.location = ""
        self.encoding = ""


def said(text: object) -> dict[str, object]:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "tiny",
        "choices": [choice],
    }


@contextmanager
def serving() -> Iterator[Endpoint]:
    """Serve on this machine as long as the block lasts."""
    state = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            request = json.loads(self.rfile.read(length))
            state.asked.append({"path": self.path, **request})
            state.headers.append({key.lower(): value for key, value in self.headers.items()})
            code, value = state.reply(request)
            body = value if isinstance(value, bytes) else json.dumps(value).encode()
            self.send_response(code)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("retry-after-ms", "1")
            if state.encoding:
                self.send_header("Content-Encoding", state.encoding)
            if state.location:
                self.send_header("Location", state.location)
            # Whoever gave up waiting is gone.
            with suppress(ConnectionError):
                self.end_headers()
                if not state.seconds_a_byte:
                    self.wfile.write(body)
                    return
                for byte in body:
                    self.wfile.write(bytes([byte]))
                    time.sleep(state.seconds_a_byte)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
