"""The reward worker of ROLL, called as its scheduler calls it."""

from __future__ import annotations

import importlib
from types import SimpleNamespace

from recorded_trainers import ROLL, standing_in

PLAN = '[{"WALK": ["light.34"]}, {"SWITCHON": ["light.34"]}]'


def test_a_batch_has_a_reward_for_each_response() -> None:
    with standing_in(ROLL, "roll") as ours:
        data_class = importlib.import_module("roll.distributed.scheduler.protocol").DataProto
        worker_class = type("Household", (ours.SuiteRewardWorker,), {"suite": "household"})
        worker = worker_class(SimpleNamespace(model_args=None))
        worker.initialize(pipeline_config=None)
        texts = [f"{PLAN}<|im_end|><|endoftext|>", "no", PLAN]
        rows = [[ord(letter) for letter in text] for text in texts]
        tasks = ["studio-01", "studio-01", "17"]
        found = worker.compute_rewards(data_class({"responses": rows}, {"ground_truth": tasks}))
    assert set(found.batch) == {"token_level_rewards", "response_level_rewards", "scores"}
    assert found.batch["response_level_rewards"] == [1.0, 0.0, 0.0]
    assert found.batch["scores"] == [1.0, 0.0, 0.0]
    assert [len(row) for row in found.batch["token_level_rewards"]] == [len(row) for row in rows]
    assert found.meta_info["metrics"]["eai/household/solved"] == 1 / 3
