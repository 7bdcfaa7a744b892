"""The reward function and server of OpenRLHF, called as its agents call them."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import logging
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from needs import package

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


class Letters:
    """A tokenizer whose tokens are letters."""

    def __call__(self, text: str, **_: Any) -> Any:
        ids = SimpleNamespace(tolist=lambda: list(map(ord, text)))
        return {"input_ids": [ids]}

    def decode(self, ids: Sequence[int], **_: Any) -> str:
        return "".join(map(chr, ids))


@pytest.mark.heavy
@pytest.mark.parametrize("over_http", [False, True])
@pytest.mark.parametrize("room", [10_000, 150])  # of a long prompt only the end is kept
def test_the_executor_of_openrlhf_collects_its_rewards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, over_http: bool, room: int
) -> None:
    folder = Path(package("openrlhf").__path__[0])
    # The file alone: the rest of the package needs several GPU libraries.
    logging_utils = ModuleType("openrlhf.utils.logging_utils")
    vars(logging_utils)["init_logger"] = logging.getLogger
    monkeypatch.setitem(sys.modules, "openrlhf.utils", ModuleType("openrlhf.utils"))
    monkeypatch.setitem(sys.modules, "openrlhf.utils.logging_utils", logging_utils)
    spec = importlib.util.spec_from_file_location("agent", folder / "utils" / "agent.py")
    assert spec is not None
    assert spec.loader is not None
    agent = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(agent)

    def executed(answer: str, url: str) -> Any:
        async def generate(*_: object, **__: object) -> Any:
            ids = list(map(ord, answer))
            one = SimpleNamespace(token_ids=ids, finish_reason="stop", logprobs=None)
            return SimpleNamespace(outputs=[one])

        engine = SimpleNamespace(generate=generate)
        sampling = SimpleNamespace(max_tokens=50, logprobs=None)
        executor = agent.SingleTurnAgentExecutor(url)
        return asyncio.run(executor.execute(PROMPT, TASK, sampling, room, Letters(), engine))

    file = tmp_path / "reward.py"
    file.write_text(
        "from eai.integrations.openrlhf import reward_function\n"
        'reward_func = reward_function("household")\n',
        "utf-8",
    )
    served = server(reward_function("household"), 0)
    thread = threading.Thread(target=served.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        url = f"http://127.0.0.1:{served.server_address[1]}" if over_http else str(file)
        for answer, reward in ((f"{PLAN}<|im_end|>", 1.0), ("I cannot.<|im_end|>", 0.0)):
            output = executed(answer, url)
            assert (output["reward"], output["scores"]) == ([reward], [reward])
            assert output["extra_logs"]["solved"] == reward
    finally:
        served.shutdown()
        thread.join()
        served.server_close()
