"""The reward function of verl, called as its managers call it, and by a manager of its own."""

from __future__ import annotations

import asyncio
import importlib
import sys
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import pytest
from needs import package

from eai.integrations.training import PARTS
from eai.integrations.verl import compute_score

TASK = "studio-01"
PLAN = '[{"WALK": ["light.34"]}, {"SWITCHON": ["light.34"]}]'
NAMES = {"score", *PARTS}


def called(solution: str, task: object = TASK, **extra: Any) -> dict[str, float]:
    """Call the function with every argument that verl 0.9.1 gives, by keyword."""
    return compute_score(
        data_source="eai",
        solution_str=solution,
        ground_truth=task,
        extra_info={"num_turns": 2, "rollout_reward_scores": {}, **extra},
        suite="household",
        reward_router_address=None,
        reward_model_tokenizer=None,
    )


def test_a_score_has_the_same_names_whatever_the_answer() -> None:
    results = [called(text) for text in (PLAN, "no", "")]
    assert [result["score"] for result in results] == [1.0, 0.0, 0.0]
    assert all(set(result) == NAMES for result in results)


def test_after_several_turns_only_the_last_of_the_model_is_paid() -> None:
    said = f"I look.\nuser\nFor example {PLAN}\nassistant\n"
    assert called(f"{said}no", num_turns=4)["score"] == 0.0
    assert called(f"{said}{PLAN}", num_turns=4)["score"] == 1.0
    refused = called(f"{PLAN}\ntool\n{PLAN}", num_turns=4)
    assert (refused["score"], refused["broken"]) == (0.0, 1.0)


def test_rows_of_other_sources_go_to_the_function_of_verl(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []

    def default_compute_score(*row: Any, **others: Any) -> Any:
        given.append((row, others))
        return 0.5 if row[0] == "gsm8k" else {"score": 1.0, "acc": True}

    module = ModuleType("verl.utils.reward_score")
    vars(module)["default_compute_score"] = default_compute_score
    for name in ("verl", "verl.utils"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, "verl.utils.reward_score", module)
    number = compute_score("gsm8k", "#### 4", "4", None, suite="household", sandbox=1)
    known = compute_score("math", "4", None, None, suite="household")
    assert (number["score"], set(number)) == (0.5, NAMES)
    assert (known["score"], set(known)) == (1.0, NAMES | {"acc"})
    assert given[0] == (("gsm8k", "#### 4", "4", None), {"sandbox": 1})


def test_many_threads_call_it_at_once() -> None:
    with ThreadPoolExecutor(16) as pool:
        results = list(pool.map(called, [PLAN, "no"] * 100))
    assert [result["score"] for result in results] == [1.0, 0.0] * 100


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore")  # what verl warns about is not ours
def test_the_manager_of_verl_calls_it() -> None:
    package("verl")
    np, torch = package("numpy"), package("torch")
    protocol = importlib.import_module("verl.protocol")
    naive = importlib.import_module("verl.experimental.reward_loop.reward_manager.naive")
    load = importlib.import_module("verl.trainer.ppo.reward").get_custom_reward_fn
    config = package("omegaconf").OmegaConf.create(
        {
            "reward": {
                "custom_reward_function": {
                    "path": "pkg://eai.integrations.verl",
                    "name": "compute_score",
                    "reward_kwargs": {"suite": "household"},
                }
            }
        }
    )

    class Tokenizer:
        def decode(self, ids: Any, **_: Any) -> str:
            return "".join(map(chr, ids.tolist()))

    def data(text: str) -> Any:
        ids = torch.tensor([[ord(letter) for letter in text]])
        return protocol.DataProto.from_dict(
            tensors={"responses": ids, "attention_mask": torch.ones_like(ids)},
            non_tensors={
                "data_source": np.array(["eai"], dtype=object),
                "reward_model": np.array([{"ground_truth": TASK}], dtype=object),
                "extra_info": np.array([{}], dtype=object),
                "__num_turns__": np.array([2]),
            },
        )

    async def run(text: str) -> Any:
        manager = naive.NaiveRewardManager(config, Tokenizer(), load(config))
        return await manager.run_single(data(text))

    result = asyncio.run(run(PLAN))
    assert result["reward_score"] == 1.0
    assert result["reward_extra_info"]["solved"] == 1.0
    assert asyncio.run(run("no"))["reward_score"] == 0.0
