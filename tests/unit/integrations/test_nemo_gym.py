"""The resource server of NeMo Gym: rows and responses are posted to ``/verify``."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from needs import package
from recorded_trainers import NEMO_GYM, standing_in

TASK = "studio-01"
PLAN = '[{"WALK": ["light.34"]}, {"SWITCHON": ["light.34"]}]'

pytestmark = pytest.mark.filterwarnings("ignore")  # what the package warns about is not ours


def message(text: str) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": []}
    return {
        "type": "message",
        "id": "m",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    }


REASONING = {
    "type": "reasoning",
    "id": "r",
    "summary": [{"type": "summary_text", "text": PLAN}],
    "encrypted_content": None,
}
CALL = {
    "type": "function_call",
    "call_id": "c",
    "name": "f",
    "arguments": PLAN,
    "id": "f",
    "status": "completed",
}


def row(output: list[Any], **fields: Any) -> dict[str, Any]:
    """Return what an agent posts: the data row and the response."""
    response = {
        "id": "1",
        "created_at": 0.0,
        "model": "tiny",
        "object": "response",
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }
    asked = {"input": [{"role": "user", "content": f"For example {PLAN}"}]}
    return {"responses_create_params": asked, "response": response, **fields}


def objects(value: Any) -> Any:
    if isinstance(value, dict):
        return SimpleNamespace(**{key: objects(each) for key, each in value.items()})
    return [objects(each) for each in value] if isinstance(value, list) else value


@pytest.fixture(params=["recorded", "own"])
def post(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Return a function that posts a row and returns the answer as a dictionary."""
    if request.param == "own":
        package("nemo_gym")
        ours = importlib.import_module("eai.integrations.nemo_gym")
        client_class = importlib.import_module("nemo_gym.server_utils").ServerClient
        client = importlib.import_module("fastapi.testclient").TestClient
        config = ours.SuiteServerConfig(
            host="", port=0, entrypoint="", name="eai", domain="other", suite="household"
        )
        server = ours.SuiteServer(config=config, server_client=client_class.model_construct())
        browser = client(server.setup_webserver())

        def posted(body: Any) -> Any:
            answer = browser.post("/verify", json=body)
            assert answer.status_code == 200, answer.text
            return answer.json()

        yield posted
        return
    with standing_in(NEMO_GYM, "nemo_gym") as ours:
        server = ours.SuiteServer(config=ours.SuiteServerConfig(suite="household"))

        def verified(body: Any) -> Any:
            request = ours.SuiteVerifyRequest(**body)
            request.response = objects(body["response"])
            result = asyncio.run(server.verify(request))
            return result.model_dump()

        yield verified


@pytest.mark.parametrize(
    ("output", "reward"),
    [
        ([REASONING, message(PLAN)], 1.0),
        ([message(PLAN), message("no")], 0.0),
        ([REASONING], 0.0),
        ([CALL], 0.0),
        ([], 0.0),
    ],
)
def test_only_the_last_message_is_read(post: Any, output: list[Any], reward: float) -> None:
    answer = post(row(output, task=TASK, split="train"))
    assert (answer["reward"], answer["solved"]) == (reward, reward)
    assert (answer["broken"], answer["mask_sample"], answer["split"]) == (0.0, False, "train")


@pytest.mark.parametrize("task", [None, "gsm8k-17"])
def test_the_reward_of_another_task_is_masked(post: Any, task: str | None) -> None:
    answer = post(row([message(PLAN)], task=task))
    assert (answer["reward"], answer["mask_sample"]) == (0.0, True)
