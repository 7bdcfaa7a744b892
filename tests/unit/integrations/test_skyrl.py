"""Environments of SkyRL, made and stepped as its generator does it."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import pytest
from needs import package
from recorded_trainers import SKYRL, standing_in

TASK = "studio-01"
PLAN = '[{"WALK": ["light.34"]}, {"SWITCHON": ["light.34"]}]'
PROMPT = [{"role": "user", "content": f"For example {PLAN}"}]
NAME = "household_action_sequencing_graded"

pytestmark = pytest.mark.filterwarnings("ignore")  # what the package warns about is not ours


@pytest.fixture(params=["recorded", "own"])
def gym(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Return the module whose ``make`` makes environments, with ours registered twice."""
    if request.param == "own":
        found = package("skyrl_gym")
        ours = importlib.import_module("eai.integrations.skyrl")
        ours.register("household")
        ours.register("household")
        yield found
        return
    with standing_in(SKYRL, "skyrl") as ours:
        ours.register("household")
        ours.register("household")
        yield importlib.import_module("skyrl_gym")


def made(gym: Any, name: str, task: object, max_turns: int = 1) -> Any:
    spec = {"method": "rule", "ground_truth": task}
    extras = {"reward_spec": spec, "max_turns": max_turns, "other": None}
    return gym.make(name, env_config={}, extras=extras)


@pytest.mark.parametrize(
    ("task", "action", "reward"),
    [
        (TASK, PLAN, 1.0),
        (TASK, f"{PLAN}<|im_end|>", 1.0),
        (TASK, "no", 0.0),
        (None, PLAN, 0.0),
        ("gsm8k-17", PLAN, 0.0),
    ],
)
def test_an_answer_is_one_step(gym: Any, task: object, action: str, reward: float) -> None:
    env = made(gym, "eai-household", task)
    assert env.init(PROMPT) == (PROMPT, {})
    output = env.step(action)
    assert (output["observations"], output["done"]) == ([], True)
    assert output["reward"] == reward
    expected = {f"{NAME}/{part}" for part in ("solved", "goals", "way", "left", "broken")}
    assert set(env.get_metrics()) == (expected if task == TASK else set())


def test_every_answer_is_an_action(gym: Any) -> None:
    env = made(gym, "eai-household-acting", TASK, max_turns=4)
    prompt, _ = env.init(PROMPT)
    assert [message["role"] for message in prompt] == ["user", "user"]
    walked, solved = env.step("WALK light.34"), env.step("Action: SWITCHON light.34<|im_end|>")
    assert (walked["reward"], walked["done"], len(walked["observations"])) == (0.0, False, 1)
    assert (solved["reward"], solved["done"], solved["observations"]) == (1.0, True, [])
    assert env.get_metrics()["household_acting/solved"] == 1.0


def test_the_number_of_turns_is_limited(gym: Any) -> None:
    env = made(gym, "eai-household-acting", TASK, max_turns=2)
    env.init(PROMPT)
    assert [env.step("LOOKAT light.34")["done"] for _ in range(2)] == [False, True]
    other = made(gym, "eai-household-acting", None)
    assert other.init(PROMPT) == (PROMPT, {})
    assert other.step("WALK light.34")["done"]
