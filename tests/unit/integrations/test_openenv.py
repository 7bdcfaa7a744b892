"""The environment of OpenEnv, by its server's own calls and through its clients."""

from __future__ import annotations

import importlib
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from needs import package
from recorded_trainers import OPENENV, standing_in

from eai.errors import InputError

TASK = "studio-01"

pytestmark = pytest.mark.filterwarnings("ignore")  # what the package warns about is not ours


@pytest.fixture(params=["recorded", "own"])
def ours(request: pytest.FixtureRequest) -> Iterator[Any]:
    if request.param == "own":
        package("openenv")
        yield importlib.import_module("eai.integrations.openenv")
        return
    with standing_in(OPENENV, "openenv") as module:
        yield module


def test_an_episode_is_acted_in(ours: Any) -> None:
    env = ours.ActingEnvironment("household")
    begun = env.reset(task=TASK, episode_id="1")
    assert "light.34" in begun.text
    walked = env.step(ours.ActingAction(answer="WALK light.34"))
    solved = env.step(ours.ActingAction(answer="SWITCHON light.34"), timeout_s=1.0)
    assert (walked.reward, walked.done) == (0.0, False)
    assert (solved.reward, solved.done, solved.metadata["solved"]) == (1.0, True, 1.0)
    assert (env.state.episode_id, env.state.step_count) == ("1", 2)


def test_a_seed_draws_a_task(ours: Any) -> None:
    env = ours.ActingEnvironment("household")
    texts = {env.reset(seed=seed).text for seed in (0, 1, 2)}
    assert len(texts) == 3
    assert env.reset(seed=1).text in texts


def test_what_is_lost_in_silence_elsewhere_is_said(ours: Any) -> None:
    env = ours.ActingEnvironment("household")
    with pytest.raises(InputError):  # plain HTTP: an environment that was never reset
        env.step(ours.ActingAction(answer="WALK light.34"))
    with pytest.raises(TypeError):  # a keyword that nobody reads
        env.reset(task=TASK, taks="studio-02")


@pytest.mark.heavy
def test_clients_of_openenv_act_through_its_server() -> None:
    package("openenv")
    uvicorn = importlib.import_module("uvicorn")
    ours = importlib.import_module("eai.integrations.openenv")
    generic = importlib.import_module("openenv.core.generic_client").GenericEnvClient
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = uvicorn.Config(ours.create_app("household"), port=port, log_level="error")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    try:
        # Two sessions at once: each has its own episode.
        with generic(base_url=f"http://127.0.0.1:{port}").sync() as first:
            first.reset(task=TASK)
            first.step({"answer": "WALK light.34"})
            with ours.ActingClient(base_url=f"http://127.0.0.1:{port}").sync() as second:
                second.reset(task=TASK)
                failed = second.step(ours.ActingAction(answer="SWITCHON light.34"))
                assert (failed.reward, failed.done) == (0.0, False)
            solved = first.step({"answer": "SWITCHON light.34"})
            assert (solved.reward, solved.done) == (1.0, True)
    finally:
        server.should_exit = True
        thread.join()
