"""``eai judges agree``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import call

from eai.cli import agreement
from eai.suites.robobench.suite import RoboBenchExamples

[CAREFUL, HASTY] = RoboBenchExamples().samples()


@pytest.mark.heavy
def test_scores_of_others_are_compared(tmp_path: Path) -> None:
    run = tmp_path / "run"
    done = call("evaluate", "robobench-examples", HASTY, "--ability", "multi_step_plan", "-o", run)
    assert done.exit_code == 0, done.output
    scores = [
        {"request_id": "home/02_Q1.png", "node_correctness": 10, "task_completion": 10},
        {"unique_id": "worked/fig6", "result": {"node_correctness": 6, "task_completion": 5}},
        {"id": "worked/v3C", "node_correctness": {"score": 5}, "task_completion": {"score": 9}},
        {"id": "home/03_Q1", "node_correctness": "unclear", "task_completion": None},
    ]
    file = tmp_path / "scores.json"
    file.write_text(json.dumps(scores))
    done = call("judges", "agree", run, file, "--json")
    assert done.exit_code == 0, done.output
    first, _, classes = json.loads(done.stdout)["tables"]
    values = {row["what"]: row["value"] for row in first["rows"]}
    assert values["Plans that both scored"] == 3
    assert values["Their records without a score"] == 1
    assert values["Equal (%)"] == 33.3
    assert sum(row["plans"] for row in classes["rows"]) == 2
    table = tmp_path / "people.csv"
    table.write_text("id,score\nworked/fig6,11\nworked/v3C,5\n")
    done = call("judges", "agree", run, table)
    assert "100.0" in done.output


def test_what_is_no_scores(tmp_path: Path) -> None:
    run = tmp_path / "run"
    call("evaluate", "robobench-examples", CAREFUL, "--ability", "multi_step_plan", "-o", run)
    for text in ("no", "[]", '[{"id": "other", "score": 3}]'):
        file = tmp_path / "scores.json"
        file.write_text(text)
        assert call("judges", "agree", run, file).exit_code == 3


def test_a_model_is_asked_for_scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = tmp_path / "run"
    call("evaluate", "robobench-examples", HASTY, "--ability", "multi_step_plan", "-o", run)
    asked: list[str] = []

    class Chat:
        def __init__(self, model: str, **options: object) -> None:
            assert (model, options["base_url"]) == ("strong", "http://here/v1")

        def __call__(self, messages: list[dict[str, str]]) -> str:
            asked.append(messages[-1]["content"])
            if len(asked) == 1:
                return "I cannot say."
            return 'So:\n```json\n{"node_correctness": 10, "task_completion": {"score": 9}}\n```'

    monkeypatch.setattr(agreement, "ChatAgent", Chat)
    prompt, scores = tmp_path / "official.txt", tmp_path / "scores.jsonl"
    prompt.write_text('Score it as {"node_correctness": 0}.\nGold: {gold}\nPlan: {plan}')
    words = ("judges", "agree", run, "--judge", "strong", "--prompt", prompt, "-o", scores)
    done = call(*words, "--base-url", "http://here/v1", "--json")
    assert done.exit_code == 0, done.output
    assert asked[0].startswith('Score it as {"node_correctness": 0}.\nGold: 1-')
    values = {r["what"]: r["value"] for r in json.loads(done.stdout)["tables"][0]["rows"]}
    assert values["Their records without a score"] == 1
    assert values["Plans that both scored"] == len(asked) - 1
    before = len(asked)
    assert call(*words, "--base-url", "http://here/v1").exit_code == 0
    assert len(asked) == before  # what is answered is not asked again
    prompt.write_text("Another prompt, with none of them.")
    done = call(*words, "--base-url", "http://here/v1", "--force")
    assert "gold:\n1-" in asked[before]
    assert "plan:\n" in asked[before]
    assert call("judges", "agree", run).exit_code == 2
    assert call("judges", "agree", run, "--judge", "strong").exit_code == 2


def test_verdicts_of_any_suite_are_compared(tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert call("evaluate", "household", "--ability", "action_sequencing", "-o", run).exit_code == 0
    records = [json.loads(line) for line in (run / "records.jsonl").read_text().splitlines()]
    model = records[0]["model"]
    own = {each["task"]: each["result"]["success"] for each in records if each["model"] == model}
    theirs = [{"task_id": task, "correct": "yes" if ok else "no"} for task, ok in own.items()]
    file = tmp_path / "people.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in theirs))
    done = call("judges", "agree", run, file, "--model", model, "--json")
    assert done.exit_code == 0, done.output
    first, _, apart = json.loads(done.stdout)["tables"]
    values = {row["what"]: row["value"] for row in first["rows"]}
    assert values["Tasks with both verdicts"] == len(own)
    assert values["Equal (%)"] == 100
    assert values["Kappa"] == 1
    assert apart["rows"] == []
    file.write_text(json.dumps({next(iter(own)): 0.2, "other": 1, "broken": 7}))
    first = json.loads(call("judges", "agree", run, file, "--model", model, "--json").stdout)[
        "tables"
    ][0]
    values = {row["what"]: row["value"] for row in first["rows"]}
    assert values["Tasks with both verdicts"] == 1
    assert (values["Their records without a verdict"], values["Their records of other tasks"]) == (
        1,
        1,
    )
