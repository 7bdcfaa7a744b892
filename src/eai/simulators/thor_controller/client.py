"""The client of AI2-THOR 5.0.0: starting a player, asking it, and what becomes of what it raises.

Two things can go wrong. The engine refuses what was asked: that is a :class:`ControllerReply`
without success. Or the client, the player or the connection between them fails: that is a
:class:`~eai.errors.SimulationError`, because no model is to blame for it.
"""

from __future__ import annotations

import importlib
import os
import shlex
import struct
import zlib
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from eai.errors import InputError, MissingExtraError, SimulationError

_MALFORMED = frozenset({"InvalidAction", "MissingArguments", "AmbiguousAction", "InvalidArgument"})
"""The error codes for which the client raises (ai2thor 5.0.0, ``Controller.step``)."""


class ControllerEvent(Protocol):
    """The client's reply to one request."""

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The state of the simulator after the request, as JSON values."""
        ...


class Client(Protocol):
    """The used part of the interface of ``ai2thor.controller.Controller``."""

    @property
    def last_event(self) -> ControllerEvent:
        """The last reply."""
        ...

    def step(self, action: str, **arguments: object) -> ControllerEvent:
        """Ask the engine to do something."""
        ...

    def reset(self, scene: str) -> ControllerEvent:
        """Load a scene."""
        ...

    def stop(self) -> None:
        """End the player."""
        ...


@dataclass(frozen=True, slots=True)
class ControllerReply:
    """The engine's answer, with the state of the simulator afterwards.

    A refusal has a message, and some have a code.
    """

    success: bool
    metadata: Mapping[str, Any] = field(repr=False)
    message: str = ""
    code: str = ""

    @property
    def malformed(self) -> bool:
        """Whether the request was refused, whatever the state: no such action, a wrong argument."""
        return self.code in _MALFORMED

    @property
    def value(self) -> Any:  # noqa: ANN401 (whatever JSON value an action returns)
        """The value that the action returns beside the state (``actionReturn``)."""
        return self.metadata.get("actionReturn")


class Connection(AbstractContextManager["Connection"]):
    """A running player, as a context manager that ends it."""

    def __init__(self, client: Client, *, images: bool = False) -> None:
        self._client = client
        self._images = images
        self._lost = False

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The state of the simulator after the last request."""
        return self._client.last_event.metadata

    @property
    def image(self) -> bytes:
        """The last camera image as PNG, or empty without rendering."""
        if not self._images:
            return b""
        frame: Any = getattr(self._client.last_event, "frame")  # noqa: B009 (only if it is drawn)
        # A PNG has a signature, a header, the compressed rows (each after a filter byte of 0) and
        # an end.
        height, width, _ = frame.shape
        rows = b"".join(b"\0" + frame[row].tobytes() for row in range(height))
        header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        picture = b"\x89PNG\r\n\x1a\n"
        picture += _png_chunk(b"IHDR", header)
        picture += _png_chunk(b"IDAT", zlib.compress(rows, 1))
        return picture + _png_chunk(b"IEND", b"")

    def ask(self, action: str, **arguments: object) -> ControllerReply:
        """Send an action to the engine.

        Raises:
            SimulationError: If the player gave no answer, has ended, or was started anew.
        """
        with self._guarded(action):
            try:
                return _reply(self._client.step(action, **arguments))
            except ValueError as error:
                reply = _reply(self._client.last_event)
                if not reply.malformed:
                    raise SimulationError(f"the simulator client failed: {error}") from error
                return reply

    def load(self, scene: str) -> ControllerReply:
        """Load a scene in its initial state."""
        with self._guarded(f"loading {scene}"):
            try:
                return _reply(self._client.reset(scene))
            except ValueError as error:
                raise _no_scene(scene) from error

    def close(self) -> None:
        """End the player."""
        self._lost = True
        _end(self._client)

    @contextmanager
    def _guarded(self, doing: str) -> Iterator[None]:
        """Turn failures of the client, the player or the connection into a SimulationError.

        Args:
            doing: The current activity, for the message.
        """
        if self._lost:
            raise SimulationError("the simulator player has ended", mend="connect again")
        try:
            yield
        except (RuntimeError, TimeoutError, OSError) as error:
            # The client says so by a class of its own that cannot be imported without it.
            restarted = type(error).__name__ == "RestartError"
            self._lost = not restarted
            raise _failed(doing, error, restarted) from error


def _png_chunk(kind: bytes, body: bytes) -> bytes:
    """Return a part of a PNG file: its length, its kind, its body and a checksum of both."""
    checksum = zlib.crc32(kind + body)
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", checksum)


def connect(
    scene: str,
    *,
    executable: str | Path | None = None,
    images: bool = False,
    options: Mapping[str, object] | None = None,
) -> Connection:
    """Start the player of AI2-THOR 5.0.0 and load a scene.

    The first start downloads the player, unless ``executable`` is given.

    Args:
        scene: Name of the scene (``"FloorPlan1"``).
        executable: Path of a player that is there already.
        images: Whether the player renders images (1,024 by 1,024 pixels, as for the benchmark).
            Without images it needs no display.
        options: Other arguments of ``ai2thor.controller.Controller``
            (``{"visibilityDistance": 1.5, "server_timeout": 30}``). By default objects are visible
            up to 5 m, as in AsgardBench.

    Raises:
        MissingExtraError: If the client is not installed.
        InputError: If the executable cannot be run, or the player has no such scene.
        SimulationError: If the player could not be downloaded or started.
    """
    arguments: dict[str, object] = {"headless": not images, "visibilityDistance": 5.0}
    if images:
        arguments["width"] = 1024
        arguments["height"] = 1024
    arguments.update(options or {})
    if arguments["headless"]:
        # The client passes a display name on, even if nothing is rendered.
        arguments.setdefault("x_display", os.environ.get("DISPLAY", ":0"))
    if executable is not None:
        path = Path(executable)
        # If the player cannot be started, the client would wait for it forever.
        if not (path.is_file() and os.access(path, os.X_OK)):
            raise InputError(
                "this is not a program that can be run",
                where=str(path),
                expected="the executable of an AI2-THOR player",
            )
        # The client splits the command at spaces.
        arguments["local_executable_path"] = shlex.quote(str(path.absolute()))
    try:
        controller: Any = importlib.import_module("ai2thor.controller").Controller
    except ImportError as error:
        raise MissingExtraError("ai2thor", extra="thor", purpose="the real AI2-THOR") from error
    # The object exists before it is initialised, so that a started player can be ended on errors.
    client = controller.__new__(controller)
    try:
        client.__init__(scene=scene, **arguments)
    except Exception as error:
        # The client raises plain Exception when a display or a driver is missing.
        if getattr(client, "server", None) is not None:
            _end(client)
        raise _not_started(scene, error, fetching=executable is None) from error
    return Connection(client, images=images)


def _end(client: Client) -> None:
    """End a player, even if it crashed."""
    try:
        client.stop()
    except OSError:
        # The pipe to a player that has died cannot be emptied; it is closed now, the rest is not.
        client.stop()


def _reply(event: ControllerEvent) -> ControllerReply:
    """Return the reply in an event of the client."""
    metadata = event.metadata
    if metadata["lastActionSuccess"]:
        return ControllerReply(True, metadata)
    message = str(metadata.get("errorMessage") or "")
    code = str(metadata.get("errorCode") or "")
    return ControllerReply(False, metadata, message, code)


def _no_scene(scene: str) -> InputError:
    """Return the error for a scene that the player does not have."""
    return InputError(
        f"the simulator player has no scene named {scene!r}",
        expected="FloorPlan1-30, 201-230, 301-330 or 401-430",
    )


def _failed(doing: str, error: Exception, restarted: bool) -> SimulationError:
    """Return the error to show after a failure of the client, player or connection.

    Args:
        doing: The request that was being made.
        error: The error.
        restarted: Whether the client has started another player since.
    """
    if restarted:
        return SimulationError(
            "the simulator player crashed and was restarted, so the episode is lost",
            where=doing,
            mend="reset the environment and begin again",
        )
    # The client does not tell a player that hangs from one that has ended.
    if isinstance(error, TimeoutError):
        return SimulationError(
            "the simulator player gave no answer in time; it hangs or has ended",
            where=doing,
            mend="connect again, or allow more time with options={'server_timeout': SECONDS}",
        )
    return SimulationError(
        f"the connection to the simulator player failed: {error}", where=doing, mend="connect again"
    )


def _not_started(scene: str, error: Exception, *, fetching: bool) -> InputError | SimulationError:
    """Return the error to show if a player could not be started.

    Args:
        scene: The scene that was to be loaded.
        error: The error of the client.
        fetching: Whether the client fetches the player, if it is not there.
    """
    text = str(error)
    if "not contained in build" in text:
        return _no_scene(scene)
    if isinstance(error, TimeoutError):
        return _failed("starting", error, restarted=False)
    # Without a network the client reports that its own release does not exist; a download that
    # breaks off is an error of the network.
    if fetching and ("no build exists" in text or isinstance(error, OSError)):
        return SimulationError(
            "the simulator player could not be downloaded",
            expected="a network at the first start: the player is fetched once, "
            "into ~/.ai2thor/releases",
            mend="start it once with a network, or pass executable=PATH of a player",
        )
    return SimulationError(f"the simulator player could not be started: {text}")
