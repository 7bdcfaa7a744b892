"""The reward worker of ROLL, called as its scheduler calls it."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from needs import package
from recorded_trainers import ROLL, standing_in

PLAN = '[{"WALK": ["light.34"]}, {"SWITCHON": ["light.34"]}]'


class Letters:
    """A tokenizer whose tokens are letters; 0 fills up a row."""

    def batch_decode(self, rows: Sequence[Sequence[int]], **_: object) -> list[str]:
        return ["".join(chr(number) for number in row if number) for row in rows]


@pytest.fixture(params=["recorded", "own"])
def ours(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    if request.param == "recorded":
        with standing_in(ROLL, "roll") as module:
            yield module
        return
    package("roll")
    module = importlib.import_module("eai.integrations.roll")

    def initialized(worker: Any, worker_config: object) -> None:  # ROLL's own asks its cluster
        worker.worker_config = worker_config
        worker.rank_info = SimpleNamespace(rank=0, world_size=1)

    monkeypatch.setattr(module.Worker, "__init__", initialized)
    monkeypatch.setattr(module, "default_tokenizer_provider", lambda **_: Letters())
    yield module


def data_of(ours: Any, texts: Sequence[str], tasks: Sequence[str]) -> Any:
    """Return a batch as ROLL keeps it: rows of tokens of one length, and the other columns."""
    length = max(map(len, texts))
    rows = [[ord(letter) for letter in text.ljust(length, "\0")] for text in texts]
    if ours.DataProto.__module__ == "recorded_trainers":
        return ours.DataProto({"responses": rows}, {"ground_truth": tasks})
    np, torch = package("numpy"), package("torch")
    return ours.DataProto.from_dict(
        tensors={"responses": torch.tensor(rows)},
        non_tensors={"ground_truth": np.array(tasks, dtype=object)},
    )


@pytest.mark.filterwarnings("ignore")  # what ROLL warns about is not ours
def test_a_batch_has_a_reward_for_each_response(ours: Any) -> None:
    worker_class = type("Household", (ours.SuiteRewardWorker,), {"suite": "household"})
    worker = worker_class(SimpleNamespace(model_args=None))
    worker.initialize(pipeline_config=None)
    texts = [f"{PLAN}<|im_end|><|endoftext|>", "no", PLAN]
    data = data_of(ours, texts, ["studio-01", "studio-01", "17"])
    found = worker.compute_rewards(data)
    assert set(found.batch.keys()) == {"token_level_rewards", "response_level_rewards", "scores"}
    assert list(found.batch["response_level_rewards"]) == [1.0, 0.0, 0.0]
    assert list(found.batch["scores"]) == [1.0, 0.0, 0.0]
    lengths = [len(row) for row in data.batch["responses"]]
    assert [len(row) for row in found.batch["token_level_rewards"]] == lengths
    assert found.meta_info["metrics"]["eai/household/solved"] == 1 / 3
