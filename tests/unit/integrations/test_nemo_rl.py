"""The environment of NeMo-RL, stepped as its rollouts do it."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import pytest
from needs import package
from recorded_trainers import NEMO_RL, standing_in

TASK = "studio-01"
PLAN = '[{"WALK": ["light.34"]}, {"SWITCHON": ["light.34"]}]'

pytestmark = pytest.mark.filterwarnings("ignore")  # what the package warns about is not ours


def log(answer: str) -> list[dict[str, str]]:
    templated = f"<|im_start|>user\nFor example {PLAN}<|im_end|>\n<|im_start|>assistant\n"
    return [
        {"role": "user", "content": templated},
        {"role": "assistant", "content": answer},
    ]


BATCH = [log(PLAN), log("no"), log(PLAN), log(PLAN), log(PLAN)[:1]]
ROWS = [
    {"ground_truth": TASK},
    {"ground_truth": TASK},
    {"ground_truth": "4"},
    None,
    {"ground_truth": TASK},
]


@pytest.fixture(params=["recorded", "own"])
def ours(request: pytest.FixtureRequest) -> Iterator[Any]:
    if request.param == "own":
        package("nemo_rl")
        package("ray")
        yield importlib.import_module("eai.integrations.nemo_rl")
        return
    with standing_in(NEMO_RL, "nemo_rl") as module:
        yield module


def test_a_batch_has_a_reward_for_each_row(ours: Any) -> None:
    env = ours.PlanEnvironment({"suite": "household"})
    result = env.step(BATCH, ROWS)
    assert [float(value) for value in result.rewards] == [1.0, 0.0, 0.0, 0.0, 0.0]
    assert [bool(value) for value in result.terminateds] == [True] * 5
    assert {len(field) for field in result} == {5}
    assert all(each["content"] == "" for each in result.observations)
    batch = object()
    same, metrics = env.global_post_process_and_metrics(batch)
    assert same is batch
    assert (metrics["eai/scored"] >= 3, metrics["eai/other"] >= 2) == (True, True)


def test_it_is_announced_once(ours: Any) -> None:
    ours.register()
    ours.register()
    assert ours.ENV_REGISTRY["eai"]["actor_class_fqn"] in ours.ACTOR_ENVIRONMENT_REGISTRY


@pytest.mark.heavy
def test_nemo_rl_itself_makes_an_actor_and_collects_its_rewards() -> None:
    package("nemo_rl")
    ray = package("ray")
    ours = importlib.import_module("eai.integrations.nemo_rl")
    ours.register()
    make = importlib.import_module("nemo_rl.environments.utils").create_env
    collect = importlib.import_module("nemo_rl.experience.rollouts").calculate_rewards
    ray.init(num_cpus=1, include_dashboard=False)
    try:
        env = make("eai", {"suite": "household"})
        batch = {"message_log": BATCH, "task_name": ["eai"] * 5, "extra_env_info": ROWS}
        result = collect(batch, {"eai": env})
        assert result.rewards.tolist() == [1.0, 0.0, 0.0, 0.0, 0.0]
    finally:
        ray.shutdown()
