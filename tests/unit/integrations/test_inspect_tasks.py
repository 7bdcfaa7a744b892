"""Suites as tasks of Inspect AI, with its mock model."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from needs import INSTALLED, package

inspect_ai = package("inspect_ai", extra="inspect")

from inspect_ai.model import ModelOutput, ModelUsage, get_model  # noqa: E402

import eai  # noqa: E402
from eai.agents import Form, format_plan  # noqa: E402
from eai.errors import InputError  # noqa: E402
from eai.integrations.inspect_tasks import ability, records_of  # noqa: E402
from eai.suites.household import Household  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
"""What the framework warns about is not ours."""

HOUSEHOLD = Household()
FIRST = HOUSEHOLD.task_ids()[:3]


@pytest.fixture(autouse=True)
def _no_open_streams() -> Iterator[None]:
    """Let go of streams that the framework leaves open, while its warnings are ignored."""
    yield
    gc.collect()


def said(*answers: str) -> Any:
    outputs = [ModelOutput.from_content("mockllm/model", answer) for answer in answers]
    for output in outputs:
        # Else tokens are counted, with a table that is fetched from the network.
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return get_model("mockllm/model", custom_outputs=outputs)


def gold(task: str) -> str:
    return format_plan("household", HOUSEHOLD.task(task).plans[0])


def run(tmp_path: Path, task: Any, model: Any) -> Any:
    (log,) = inspect_ai.eval(
        task,
        model=model,
        limit=3,
        display="none",
        log_dir=str(tmp_path),
        max_samples=1,
        max_connections=1,
    )
    assert log.status == "success", log.error
    return log


def values(log: Any) -> dict[str, float]:
    return {name: metric.value for name, metric in log.results.scores[0].metrics.items()}


def test_the_numbers_are_those_of_our_own_report(tmp_path: Path) -> None:
    answers = [gold(FIRST[0]), "no plan", gold(FIRST[2])]
    log = run(tmp_path, ability("household"), said(*answers))
    records = records_of(log)
    assert [record.task for record in records] == list(FIRST)
    assert [record.result.success for record in records] == [True, False, True]
    report = eai.evaluate("household", dict(zip(FIRST, answers, strict=True)))
    evaluated = {record.task: record.result for record in report.records}
    assert all(record.result == evaluated[record.task] for record in records)
    found = values(log)
    assert any(value == pytest.approx(200 / 3) for value in found.values())


def test_the_explanation_is_the_feedback(tmp_path: Path) -> None:
    log = run(tmp_path, ability("household"), said("no plan", "no plan", "no plan"))
    (score,) = log.samples[0].scores.values()
    assert score.value == 0
    assert "does not solve the task" in score.explanation


@pytest.mark.parametrize("form", ["chat", "paper"])
def test_a_model_plans_again(tmp_path: Path, form: Form) -> None:
    answers = [gold(FIRST[0]), "nothing", gold(FIRST[1]), "nothing", "nothing"]
    task = ability("household", max_attempts=2, form=form)
    log = run(tmp_path, task, said(*answers))
    assert [record.result.success for record in records_of(log)] == [True, True, False]
    assert [sample.metadata["attempts"] for sample in log.samples] == [1, 2, 2]
    roles = [message.role for message in log.samples[1].messages]
    expected = ["user", "assistant"] if form == "paper" else ["user", "assistant"] * 2
    assert roles == expected


def test_other_abilities_have_their_own_numbers(tmp_path: Path) -> None:
    task = ability("household", "goal_interpretation")
    log = run(tmp_path, task, said("{}", "{}", "{}"))
    assert {record.ability for record in records_of(log)} == {"goal_interpretation"}
    assert any(name.endswith("f1") for name in values(log)) or "exact_match" in values(log)


def test_only_plans_are_made_again() -> None:
    with pytest.raises(InputError, match="2 attempts"):
        ability("household", "goal_interpretation", max_attempts=2)


@pytest.mark.skipif("site-packages" not in eai.__file__, reason=INSTALLED)
def test_the_framework_finds_the_task_by_name(tmp_path: Path) -> None:
    log = run(tmp_path, "eai/ability", said("x", "x", "x"))
    assert len(records_of(log)) == 3


def test_a_saved_log_is_read_as_predictions(tmp_path: Path) -> None:
    answers = [gold(FIRST[0]), "no plan", gold(FIRST[2])]
    log = run(tmp_path, ability("household"), said(*answers))
    predictions = eai.load_predictions(log.location)
    assert predictions.items == dict(zip(FIRST, answers, strict=True))
    report = eai.evaluate("household", log.location)
    assert [r.result for r in report.records[:3]] == [r.result for r in records_of(log)]
