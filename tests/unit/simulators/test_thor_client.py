"""The genuine client of AI2-THOR 5.0.0, with a program in the place of its player."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from fake_thor_stages import write_player
from needs import package

from eai.errors import EaiError, InputError, MissingExtraError, SimulationError
from eai.simulators.thor_controller.client import Connection, connect

pytestmark = [
    # The client leaves its log and its pipes to the garbage collection.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

Start = Callable[..., Connection]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Connect to a player that answers as it is told."""
    package("ai2thor", extra="thor")
    monkeypatch.setenv("HOME", str(tmp_path))
    opened: list[Connection] = []

    def run(answers: Mapping[str, Any], **options: object) -> Connection:
        player = write_player(tmp_path, "scripted", answers=answers)
        connection = connect("FloorPlan1", executable=player, **options)  # type: ignore[arg-type]
        opened.append(connection)
        return connection

    yield run
    for connection in opened:
        connection.close()


def test_a_scene_is_loaded_when_the_player_starts(start: Start) -> None:
    assert start({}).metadata["sceneName"] == "FloorPlan1_physics"


def test_another_scene_is_loaded(start: Start) -> None:
    assert start({}).load("FloorPlan2").metadata["sceneName"] == "FloorPlan2_physics"


def test_a_player_needs_no_display(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    assert start({}).ask("Pass").success


def test_a_player_that_draws_answers_as_well(start: Start) -> None:
    assert start({}, images=True, options={"x_display": ":0"}).ask("Pass").success


def test_an_action_returns_its_value(start: Start) -> None:
    connection = start({"GetReachablePositions": {"value": [{"x": 1.0}]}})
    assert connection.ask("GetReachablePositions").value == [{"x": 1.0}]


def test_a_refusal_that_the_client_keeps_silent_about_is_a_reply(start: Start) -> None:
    connection = start({"PickupObject": {"error": "Agent hand has something in it already"}})
    reply = connection.ask("PickupObject", objectId="Mug|1|2|3")
    assert (reply.success, reply.malformed) == (False, False)
    assert reply.message == "Agent hand has something in it already"


@pytest.mark.parametrize(
    "code", ["InvalidAction", "MissingArguments", "AmbiguousAction", "InvalidArgument"]
)
def test_a_refusal_that_the_client_raises_for_is_a_reply(start: Start, code: str) -> None:
    connection = start({"Fly": {"error": "there is no Fly", "code": code}})
    reply = connection.ask("Fly")
    assert (reply.success, reply.malformed, reply.message) == (False, True, "there is no Fly")


def test_a_refused_request_leaves_the_connection_usable(start: Start) -> None:
    connection = start({"Fly": {"error": "there is no Fly", "code": "InvalidAction"}})
    connection.ask("Fly")
    assert connection.ask("Pass").success


def test_a_scene_that_is_not_there_is_an_error_of_input(start: Start) -> None:
    with pytest.raises(InputError, match="no scene named 'FloorPlan99'"):
        start({}).load("FloorPlan99")


def ended(folder: Path) -> bool:
    """Whether the process of the player is gone."""
    try:
        os.kill(int((folder / "process").read_text("utf-8")), 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize(
    ("scene", "answer", "message"),
    [
        ("FloorPlan99", {}, "no scene named"),
        ("FloorPlan1", {"error": "no such option"}, "could not be started: no such option"),
        ("FloorPlan1", "sleep", "gave no answer in time"),
        ("FloorPlan1", "end", "gave no answer in time"),
    ],
)
def test_a_player_that_cannot_begin_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scene: str, answer: object, message: str
) -> None:
    package("ai2thor", extra="thor")
    monkeypatch.setenv("HOME", str(tmp_path))
    player = write_player(tmp_path, "scripted", answers={"Initialize": answer})
    with pytest.raises(EaiError, match=message):
        connect(scene, executable=player, options={"server_timeout": 1})
    assert ended(tmp_path)


@pytest.mark.parametrize("fate", ["end", "sleep"])
def test_a_player_that_says_nothing_is_no_failure_of_the_agent(start: Start, fate: str) -> None:
    connection = start({"Pass": fate}, options={"server_timeout": 1})
    with pytest.raises(SimulationError, match="gave no answer in time"):
        connection.ask("Pass")
    with pytest.raises(SimulationError, match="has ended"):
        connection.ask("Done")


def test_a_player_that_was_killed_is_no_failure_of_the_agent(start: Start, tmp_path: Path) -> None:
    connection = start({})
    os.kill(int((tmp_path / "process").read_text("utf-8")), signal.SIGKILL)
    connection._client.server.unity_proc.wait(5)  # type: ignore[attr-defined]
    with pytest.raises(SimulationError, match="connection to the simulator player failed"):
        connection.ask("Pass")


def test_a_connection_that_was_closed_says_so(start: Start, tmp_path: Path) -> None:
    with start({}) as connection:
        assert not ended(tmp_path)
    assert ended(tmp_path)
    with pytest.raises(SimulationError, match="has ended"):
        connection.ask("Pass")


@pytest.mark.filterwarnings("ignore:Restarting unity:UserWarning")
def test_a_crash_after_which_the_player_is_started_anew_loses_the_episode(start: Start) -> None:
    # Without a limit of time the client sees that the player has crashed.
    connection = start({"Pass": "crash"}, options={"server_timeout": None})
    with pytest.raises(SimulationError, match="so the episode is lost"):
        connection.ask("Pass")
    assert connection.load("FloorPlan1").success


def test_a_player_that_cannot_be_downloaded_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = package("ai2thor.build", extra="thor")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(build, "base_url", "http://127.0.0.1:9/")
    with pytest.raises(SimulationError) as caught:
        connect("FloorPlan1")
    assert "the simulator player could not be downloaded" in str(caught.value)
    assert "executable=PATH" in str(caught.value)


def test_a_program_that_is_no_player_is_refused_before_it_is_started(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a program that can be run"):
        connect("FloorPlan1", executable=tmp_path / "none")


def test_options_that_the_client_does_not_accept_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package("ai2thor", extra="thor")
    monkeypatch.setenv("HOME", str(tmp_path))
    player = write_player(tmp_path, "scripted", answers={})
    with pytest.raises(SimulationError, match="could not be started: Quality"):
        connect("FloorPlan1", executable=player, options={"quality": "none"})


def test_a_client_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ai2thor.controller", None)
    with pytest.raises(MissingExtraError, match="ai2thor") as caught:
        connect("FloorPlan1")
    assert caught.value.mend == 'pip install "ai2thor==5.0.0"'
