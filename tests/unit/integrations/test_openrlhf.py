"""The reward function and server of OpenRLHF, called as its agents call them."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Any

import pytest

from eai.integrations.openrlhf import reward_function, server
from eai.integrations.training import PARTS

TASK = "studio-01"
PLAN = '[{"WALK": ["light.34"]}, {"SWITCHON": ["light.34"]}]'
PROMPT = (
    f"<|im_start|>user\nSwitch on the light, for example {PLAN}<|im_end|>\n<|im_start|>assistant\n"
)


def value(query: str, prompt: str = PROMPT, label: str = TASK) -> tuple[float, float]:
    """Return the reward of one query, and whether it was refused."""
    result = reward_function("household")(queries=[query], prompts=[prompt], labels=[label])
    assert result["rewards"] == result["scores"]
    assert set(result["extra_logs"]) == set(PARTS)
    return result["rewards"][0], result["extra_logs"]["broken"]


@pytest.mark.parametrize(
    "answer", ["I cannot do that.<|im_end|>", "", "<|im_end|>", "[]<|im_end|>"]
)
def test_an_example_plan_in_the_prompt_is_never_paid(answer: str) -> None:
    assert value(PROMPT + answer) == (0.0, 0.0)
    assert value(PROMPT[20:] + answer) == (0.0, 0.0)  # a long prompt is cut from the left


def test_an_answer_behind_the_prompt_is_paid() -> None:
    assert value(f"{PROMPT}{PLAN}<|im_end|>") == (1.0, 0.0)
    assert value(f"{PROMPT[20:]}{PLAN}<|im_end|>") == (1.0, 0.0)


def test_a_query_that_does_not_begin_with_its_prompt_is_refused() -> None:
    assert value(PLAN) == (0.0, 1.0)
    assert value(PROMPT + PLAN, prompt="") == (0.0, 1.0)


def test_rows_of_another_task_go_to_the_function_for_them() -> None:
    def other(
        queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str]
    ) -> dict[str, Any]:
        assert prompts == ["2 + 2?"]
        return {"rewards": [float(queries[0].endswith(labels[0]))]}

    ours = reward_function("household", other=other)
    queries, prompts = [PROMPT + PLAN, "2 + 2?4"], [PROMPT, "2 + 2?"]
    assert ours(queries, prompts, [TASK, "4"])["rewards"] == [1.0, 1.0]
    assert value(PROMPT + PLAN, label="") == (0.0, 0.0)


def posted(url: str, body: Any) -> Any:
    request = urllib.request.Request(url, json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


def test_the_server_answers_its_requests() -> None:
    served = server(reward_function("household"), 0)
    thread = threading.Thread(target=served.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    url = f"http://127.0.0.1:{served.server_address[1]}/"
    try:
        row = {"query": [PROMPT + PLAN], "prompts": [PROMPT], "labels": [TASK]}
        assert posted(url, row)["rewards"] == [1.0]
        with pytest.raises(urllib.error.HTTPError, match="400"):
            posted(url, {"query": []})
    finally:
        served.shutdown()
        thread.join()
        served.server_close()
