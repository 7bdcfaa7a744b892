"""What is said where arguments of the front door are guessed wrongly."""

from __future__ import annotations

from pathlib import Path

import pytest

import eai
from eai.errors import InputError

ANSWERS = {"studio-01": '[{"WALK": ["light.34"]}, {"SWITCHON": ["light.34"]}]'}


@pytest.mark.parametrize("swapped", [ANSWERS, "alpha.jsonl"])
def test_a_suite_behind_the_answers_is_told_to_come_first(swapped: object) -> None:
    with pytest.raises(InputError) as caught:
        eai.evaluate(swapped, "household")  # type: ignore[arg-type]
    assert caught.value.mend == "the suite comes first: eai.evaluate('household', ...)"
    assert len(caught.value.what) < 120


@pytest.mark.parametrize("plan", ["WALK light.34", ["WALK light.34", "SWITCHON light.34"]])
def test_a_plan_is_no_path(plan: object) -> None:
    with pytest.raises(InputError, match=r"'WALK light\.34' is a plan, not the path of a file"):
        eai.evaluate("household", plan)


def test_a_path_with_capitals_and_blanks_is_no_plan() -> None:
    with pytest.raises(InputError, match="cannot be read"):
        eai.evaluate("household", "GPT run.jsonl")


def test_a_model_with_one_plan_is_told_that_the_task_is_missing() -> None:
    with pytest.raises(InputError) as caught:
        eai.evaluate("household", {"gpt": "WALK light.34"})
    assert "{'model': {'studio-01': 'plan'}}" in str(caught.value)


def test_a_missing_file_of_a_model_is_named() -> None:
    with pytest.raises(InputError, match=r"there is no file 'nothere\.jsonl'"):
        eai.evaluate("household", {"gpt": "nothere.jsonl"})


def test_what_holds_no_answers_is_told_what_does() -> None:
    with pytest.raises(InputError, match=r"give a path, or \{task: answer\}"):
        eai.evaluate("household", 42)


def test_without_answers_the_samples_are_evaluated_as_on_the_command_line() -> None:
    assert eai.evaluate("household").models == (
        "samples_careful",
        "samples_chatty",
        "samples_hasty",
    )
    with pytest.raises(InputError, match="'asgardbench' has no sample answers"):
        eai.evaluate("asgardbench")


def test_a_run_is_evaluated_already(tmp_path: Path) -> None:
    run = tmp_path / "run"
    eai.evaluate("household", ANSWERS, tasks="answered", output=run)
    for given in (run, str(run), [run]):
        with pytest.raises(InputError, match="its answers are evaluated already"):
            eai.evaluate("household", given)


def test_answers_beside_their_run_go_on(tmp_path: Path) -> None:
    (tmp_path / "alpha.jsonl").write_text('{"id": "studio-01", "output": "WALK(light.34)"}\n')
    for force in (False, True):
        report = eai.evaluate(
            "household", tmp_path, tasks=["studio-01"], output=tmp_path, force=force
        )
        assert "alpha" in report.models


def test_answers_are_no_records(tmp_path: Path) -> None:
    path = tmp_path / "alpha.jsonl"
    path.write_text('{"id": "studio-01", "output": "WALK(light.34)"}\n')
    for read in (eai.read_records, eai.evaluate("household", ANSWERS).compare):
        with pytest.raises(InputError, match=r"evaluated: eai\.evaluate\(suite, file\)"):
            read(path)


def test_a_model_as_an_agent_is_told_who_asks_it() -> None:
    with pytest.raises(InputError, match=r"openai_chat\.ChatAgent\('gpt-4'\)"):
        eai.interact("household", "studio-01", "gpt-4")
