"""Acting step by step as a task of Inspect AI, offline with its mock model."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from needs import package

inspect_ai = package("inspect_ai", extra="inspect")

from inspect_ai.model import ModelOutput, ModelUsage, get_model  # noqa: E402

import eai  # noqa: E402
from eai.errors import InputError, UnknownNameError  # noqa: E402
from eai.integrations.inspect_tasks import acting, records_of  # noqa: E402
from eai.report import record_to_json  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
"""What the framework warns about is not ours."""

SOLUTION = ["Action: WALK light.34", "Action: SWITCHON light.34"]


@pytest.fixture(autouse=True)
def _no_open_streams() -> Iterator[None]:
    """Let go of streams that the framework leaves open, while its warnings are ignored."""
    yield
    gc.collect()


def acted(tmp_path: Path, task: Any, outputs: list[ModelOutput]) -> Any:
    for output in outputs:
        # Else tokens are counted, with a table that is fetched from the network.
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    model = get_model("mockllm/model", custom_outputs=outputs)
    (log,) = inspect_ai.eval(
        task, model=model, limit=1, display="none", log_dir=str(tmp_path), max_samples=1
    )
    assert log.status == "success", log.error
    return log


def said(text: str) -> ModelOutput:
    return ModelOutput.from_content("mockllm/model", text)


def called(name: str, **objects: str) -> ModelOutput:
    return ModelOutput.for_tool_call("mockllm/model", name, objects)


def test_the_record_is_that_of_our_own_episode(tmp_path: Path) -> None:
    log = acted(tmp_path, acting("household"), [said(text) for text in SOLUTION])
    [record] = records_of(log)
    own = eai.interact("household", "studio-01", SOLUTION).record("mockllm/model")
    assert record_to_json(record) == record_to_json(own)
    [metrics] = [score.metrics for score in log.results.scores]
    assert metrics["task_success_rate"].value == 100.0


def test_calls_of_tools_are_actions(tmp_path: Path) -> None:
    outputs = [called("walk", object1="light.34"), called("switchon", object1="light.34")]
    log = acted(tmp_path, acting("household", tools=True), outputs)
    [record] = records_of(log)
    assert record.result.success
    assert record.result.plan == ("WALK light.34", "SWITCHON light.34")


def test_failures_are_told_and_explained(tmp_path: Path) -> None:
    outputs = [said("Action: OPEN light.34")] * 8
    log = acted(tmp_path, acting("household", feedback="detailed", view="near"), outputs)
    [score] = log.samples[0].scores.values()
    assert score.value == 0
    assert "affordance" in score.explanation
    assert "1. OPEN light.34: Failure: " in log.samples[0].messages[0].text


def test_what_cannot_be_acted_in_is_refused() -> None:
    with pytest.raises(UnknownNameError):
        acting("household", feedback=cast("Any", "loud"))
    with pytest.raises((InputError, UnknownNameError)):
        acting("no-such-suite")
