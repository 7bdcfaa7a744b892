"""A guard between a client and a server of the Model Context Protocol, on standard input.

Messages are lines of JSON-RPC. All are passed on as they are, except calls of tools that the guard
refuses: these are answered in the place of the server, with the reason. A line that is no message
is answered with an error and not passed on. A call that is passed on counts as made, even if it
fails.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO, Any

from eai.errors import InputError
from eai.guard import Guard
from eai.nesting import load_json

_LIST_ID = "eai-guard-tools"
"""Identifier of the proxy's own request, whose reply is not passed on to the client."""
_LIST_TIMEOUT_S = 10.0
"""Seconds that a call waits for the list of tools; without it the order of arguments is unknown."""


class GuardProxy:
    """Forwards messages between a client and a server, and refuses forbidden calls.

    Args:
        guard: The guard.
        to_client: Where lines for the client are written.
        to_server: Where lines for the server are written.
    """

    def __init__(self, guard: Guard, to_client: IO[bytes], to_server: IO[bytes]) -> None:
        """Begin as if the tools were listed: they are asked for once the session has begun."""
        self.guard = guard
        self._to_client = to_client
        self._to_server = to_server
        # Messages of both directions come in threads of their own.
        self._lock = threading.RLock()
        self._tools_are_listed = threading.Event()
        self._tools_are_listed.set()

    def from_client(self, line: bytes) -> None:
        """Forward a line of the client, or answer it."""
        if not line.strip():
            return
        try:
            message = load_json(line)
        except ValueError:
            self._reply_to_client(
                {"id": None, "error": {"code": -32700, "message": "this is not JSON"}}
            )
            return
        if not isinstance(message, dict):
            self._reply_to_client(
                {"id": None, "error": {"code": -32600, "message": "one message a line"}}
            )
            return
        if message.get("method") == "tools/call" and not self._check_call(message):
            return
        # The message is written anew: another reader may take another one of two equal keys.
        self._write_message(self._to_server, message)
        # The session has begun: now the proxy may ask for the tools, and calls wait for the reply.
        if message.get("method") == "notifications/initialized":
            self._tools_are_listed.clear()
            self._write_message(
                self._to_server, {"jsonrpc": "2.0", "id": _LIST_ID, "method": "tools/list"}
            )

    def _check_call(self, message: Mapping[str, Any]) -> bool:
        """Return whether a call is allowed, and reply to a refused one with the reason."""
        self._tools_are_listed.wait(_LIST_TIMEOUT_S)
        params = message.get("params")
        with self._lock:
            decision = self.guard.check(params)
            if decision.allowed:
                # The call counts as made from now on: the client may send another one at once.
                self.guard.observe(params)
                return True
        content = [{"type": "text", "text": str(decision)}]
        self._reply_to_client(
            {"id": message.get("id"), "result": {"content": content, "isError": True}}
        )
        return False

    def from_server(self, line: bytes) -> None:
        """Forward a line of the server."""
        try:
            message = load_json(line)
        except ValueError:
            message = None
        # A reply to the guard's own request is not forwarded: the client never asked for it.
        if isinstance(message, dict) and message.get("id") == _LIST_ID:
            self._store_tools(message.get("result"))
            self._tools_are_listed.set()
            return
        with self._lock:
            self._to_client.write(line if line.endswith(b"\n") else line + b"\n")
            self._to_client.flush()

    def _store_tools(self, result: object) -> None:
        """Store the names and argument orders of the server's tools."""
        if not isinstance(result, dict) or not isinstance(result.get("tools"), list):
            return
        for tool in result["tools"]:
            if isinstance(tool, dict) and isinstance(tool.get("name"), str):
                self.guard.declare(tool["name"], _argument_names(tool))

    def _reply_to_client(self, message: dict[str, Any]) -> None:
        """Answer the client in the place of the server."""
        self._write_message(self._to_client, {"jsonrpc": "2.0", **message})

    def _write_message(self, stream: IO[bytes], message: object) -> None:
        """Write a message as one line, which no line of the other thread may break."""
        with self._lock:
            stream.write(json.dumps(message).encode("ascii") + b"\n")
            stream.flush()


def run_proxy(guard: Guard, command: Sequence[str]) -> int:
    """Run a server behind a guard until either ends, and return its exit code.

    Raises:
        InputError: If the command cannot be run.
    """
    try:
        server = subprocess.Popen(  # noqa: S603 - the command is the user's
            list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
    except OSError as error:
        raise InputError(f"the server cannot be started: {error}", where=command[0]) from error
    assert server.stdin is not None  # noqa: S101 - for the type checker: both are pipes
    assert server.stdout is not None  # noqa: S101
    proxy = GuardProxy(guard, sys.stdout.buffer, server.stdin)
    # The client may wait for a server that has ended, so its lines are read in a thread.
    client_thread = threading.Thread(
        target=_forward_client_lines, args=(proxy, server.stdin), daemon=True
    )
    client_thread.start()
    for line in server.stdout:
        proxy.from_server(line)
    return server.wait()


def _argument_names(tool: Mapping[str, object]) -> tuple[str, ...]:
    """Return the argument names of a tool in schema order, or none."""
    schema = tool.get("inputSchema")
    if not isinstance(schema, dict) or not isinstance(schema.get("properties"), dict):
        return ()
    return tuple(schema["properties"])


def _forward_client_lines(proxy: GuardProxy, to_server: IO[bytes]) -> None:
    """Forward the client's lines until they end, and then close the server's input."""
    with suppress(OSError, ValueError):  # the server ended before
        for line in sys.stdin.buffer:
            proxy.from_client(line)
    with suppress(OSError):
        to_server.close()
