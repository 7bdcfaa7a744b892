"""The reward function of slime, awaited as its hub awaits it."""

from __future__ import annotations

import asyncio
import importlib
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
from needs import package

from eai.integrations.slime import reward_function
from eai.integrations.training import PARTS

TASK = "studio-01"
PLAN = '[{"WALK": ["light.34"]}, {"SWITCHON": ["light.34"]}]'
OURS = reward_function("household")


@dataclass
class Sample:
    """The fields of a sample of slime that a reward function may read."""

    response: str
    label: str | None = TASK
    prompt: str = PLAN
    metadata: Any = None
    status: str = "completed"
    custom_rm_path: str | None = None


def awaited(sample: Any, **others: Any) -> Any:
    return asyncio.run(OURS(SimpleNamespace(reward_key="score"), sample, **others))


def test_a_sample_has_a_score_and_its_parts() -> None:
    result = awaited(Sample(f"{PLAN}<|im_end|>"), evaluation=False)
    assert (result["score"], set(result)) == (1.0, {"score", *PARTS})
    assert awaited(Sample("no<|im_end|>"))["score"] == 0.0


def test_a_group_has_a_score_for_each_sample() -> None:
    group = [Sample(PLAN), Sample("no"), Sample(PLAN, label=None)]
    assert [result["score"] for result in awaited(group)] == [1.0, 0.0, 0.0]


def test_samples_of_other_tasks_go_to_the_function_for_them() -> None:
    async def other(args: object, sample: Any, **_: Any) -> float:
        del args
        return float(sample.response == sample.label)

    ours = reward_function("household", other=other)
    assert asyncio.run(ours(None, Sample("4", label="4"))) == {"score": 1.0}
    found: Any = asyncio.run(ours(None, Sample(PLAN)))
    assert found["score"] == 1.0


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore")  # what slime warns about is not ours
def test_the_hub_of_slime_awaits_it() -> None:
    package("slime")
    hub = importlib.import_module("slime.rollout.rm_hub")
    args = SimpleNamespace(custom_rm_path=f"{__name__}.OURS", rm_type=None)
    assert asyncio.run(hub.async_rm(args, Sample(PLAN)))["score"] == 1.0
    group = asyncio.run(hub.batched_async_rm(args, [Sample(PLAN), Sample("no")]))
    assert [result["score"] for result in group] == [1.0, 0.0]
