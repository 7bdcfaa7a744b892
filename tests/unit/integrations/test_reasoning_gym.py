"""The data set of reasoning-gym, made and scored as its users do."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import pytest
from needs import package
from recorded_trainers import REASONING_GYM, standing_in

import eai

SMALL = "generated:household?seed=1&n=6"

pytestmark = pytest.mark.filterwarnings("ignore")  # what the package warns about is not ours


@pytest.fixture(scope="module", autouse=True)
def task() -> eai.Task:
    """Return a task; this loads numpy, which cannot be loaded again after a stand-in is gone."""
    suite = eai.suite(SMALL)
    return suite.task(suite.task_ids()[0])


@pytest.fixture(params=["recorded", "own"])
def create(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Return ``create_dataset``."""
    if request.param == "own":
        found = package("reasoning_gym")
        importlib.import_module("eai.integrations.reasoning_gym")
        yield found.create_dataset
        return
    with standing_in(REASONING_GYM, "reasoning_gym"):
        yield importlib.import_module("reasoning_gym").create_dataset
        importlib.import_module("reasoning_gym.factory").DATASETS.clear()


def test_rows_are_tasks_with_prompts_in_an_order_by_seed(create: Any) -> None:
    one, same = (create("eai", suite=SMALL, size=15, seed=1) for _ in range(2))
    other = create("eai", suite=SMALL, size=15, seed=2)
    rows = range(15)
    tasks = [one[index]["metadata"]["task"] for index in rows]
    assert tasks == [same[index]["metadata"]["task"] for index in rows]
    assert tasks != [other[index]["metadata"]["task"] for index in rows]
    # There are fewer tasks than rows, so they come again.
    assert len(one) == 15 > len(set(tasks))
    assert one[0]["question"]
    assert one[0]["metadata"]["source_dataset"] == "eai"


def test_an_answer_is_scored_by_its_task(task: eai.Task, create: Any) -> None:
    data = create("eai", suite=SMALL, size=3, seed=1)
    plan = "\n".join(map(str, task.plans[0]))
    entry = {"metadata": {"task": task.id}, "answer": ""}
    answers = [plan, "no", "", None]
    assert [data.score_answer(answer, entry) for answer in answers] == [1.0, 0.0, 0.0, 0.0]
    assert data.score_answer(plan, {"metadata": {"source_dataset": "chess"}, "answer": plan}) == 0.0
