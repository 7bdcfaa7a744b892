"""A run is extended: what is there is kept, what did not change is not evaluated again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from command_line import call

import eai
from eai.errors import InputError, OutputExistsError, UnknownNameError
from eai.evaluation.overview import evaluate_outputs
from eai.report import Record
from eai.runs import Evaluator
from eai.suites.household import Household, samples

CAREFUL, CHATTY = (
    next(path for path in samples() if name in path.name) for name in ("careful", "chatty")
)
TASKS = ("studio-01", "studio-02", "studio-03", "flat-17")


@pytest.fixture
def evaluated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tasks of the answers that were evaluated, one after the other."""
    tasks: list[str] = []
    evaluate = Evaluator.record

    def counting(
        self: Evaluator, model: str, task: str, answer: str | None, epoch: int = 0
    ) -> Record:
        tasks.append(task)
        return evaluate(self, model, task, answer, epoch)

    monkeypatch.setattr(Evaluator, "record", counting)
    return tasks


@pytest.fixture
def outputs(tmp_path: Path) -> Path:
    folder = tmp_path / "outputs" / "household" / "action_sequencing"
    folder.mkdir(parents=True)
    shutil.copy(CAREFUL, folder)
    return tmp_path / "outputs"


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.heavy
def test_a_model_that_is_added_is_evaluated_alone(tmp_path: Path, evaluated: list[str]) -> None:
    whole = eai.evaluate("household", [CAREFUL, CHATTY], tasks=TASKS, output=tmp_path / "whole")
    eai.evaluate("household", CAREFUL, tasks=TASKS, output=tmp_path / "run")
    evaluated.clear()
    report = eai.evaluate("household", CHATTY, tasks=TASKS, output=tmp_path / "run")
    assert sorted(evaluated) == sorted(TASKS)
    assert report.models == whole.models
    assert report.notes == whole.notes
    assert files(tmp_path / "run") == files(tmp_path / "whole")


def test_only_the_answer_that_changed_is_evaluated_again(
    tmp_path: Path, evaluated: list[str]
) -> None:
    answers = dict.fromkeys(TASKS, "[]")
    eai.evaluate("household", answers, tasks=TASKS, output=tmp_path)
    evaluated.clear()
    eai.evaluate("household", answers, tasks=TASKS, output=tmp_path)
    assert evaluated == []
    answers["studio-02"] = "no"
    found = eai.evaluate("household", answers, tasks=TASKS, output=tmp_path)
    assert evaluated == ["studio-02"]
    assert [record.output for record in found.records] == ["[]", "no", "[]", "[]"]


@pytest.mark.heavy
def test_an_extension_that_was_interrupted_goes_on(tmp_path: Path, evaluated: list[str]) -> None:
    def stop(done: int, _total: int) -> None:
        if done == 6:
            raise KeyboardInterrupt

    whole = eai.evaluate("household", [CAREFUL, CHATTY], tasks=TASKS, output=tmp_path / "whole")
    eai.evaluate("household", CAREFUL, tasks=TASKS, output=tmp_path / "run")
    with pytest.raises(KeyboardInterrupt):
        eai.evaluate("household", CHATTY, tasks=TASKS, output=tmp_path / "run", progress=stop)
    evaluated.clear()
    eai.evaluate("household", CHATTY, tasks=TASKS, output=tmp_path / "run", workers=2)
    assert len(whole.records) == 8
    assert files(tmp_path / "run") == files(tmp_path / "whole")


def test_records_that_were_changed_are_not_taken(tmp_path: Path) -> None:
    answers = dict.fromkeys(TASKS, "[]")
    eai.evaluate("household", answers, tasks=TASKS, output=tmp_path)
    records = tmp_path / "records.jsonl"
    records.write_text(records.read_text().replace('"success":false', '"success":true'))
    with pytest.raises(OutputExistsError, match="records were changed"):
        eai.evaluate("household", answers, tasks=TASKS, output=tmp_path)


def test_records_of_another_version_are_made_again(tmp_path: Path, evaluated: list[str]) -> None:
    eai.evaluate("household", {"a": dict.fromkeys(TASKS, "[]")}, tasks=TASKS, output=tmp_path)
    manifest = json.loads((tmp_path / "run.json").read_text())
    (tmp_path / "run.json").write_text(json.dumps(manifest | {"eai": "0.0.1"}))
    evaluated.clear()
    found = eai.evaluate("household", {"b": {"flat-17": "[]"}}, tasks=TASKS, output=tmp_path)
    assert len(evaluated) == 8  # the kept answers, too
    assert found.models == ("a", "b")
    assert not found.tally("a").missing


def test_other_tasks_are_another_run(tmp_path: Path) -> None:
    eai.evaluate("household", {"studio-01": "[]"}, tasks=["studio-01"], output=tmp_path)
    with pytest.raises(OutputExistsError, match="another run"):
        eai.evaluate("household", {"studio-02": "[]"}, tasks=["studio-02"], output=tmp_path)


def test_answered_tasks_may_become_more(tmp_path: Path) -> None:
    one, other = {"a": {"studio-01": "[]"}}, {"b": {"studio-02": "[]"}}
    eai.evaluate("household", one, tasks="answered", output=tmp_path)
    found = eai.evaluate("household", other, tasks="answered", output=tmp_path)
    assert [found.tally(model).missing for model in found.models] == [1, 1]


def test_a_whole_run_is_extended_by_model_and_ability(
    outputs: Path, tmp_path: Path, evaluated: list[str]
) -> None:
    evaluate_outputs("household", outputs, limit=5, output=tmp_path / "run")
    assert len(evaluated) == 5
    shutil.copy(CHATTY, outputs / "household" / "action_sequencing")
    goals = outputs / "household" / "goal_interpretation"
    goals.mkdir()
    (goals / "samples_careful.jsonl").write_text('{"id": "studio-01", "output": "{}"}\n')
    evaluated.clear()
    found = evaluate_outputs("household", outputs, limit=5, output=tmp_path / "run")
    assert len(evaluated) == 5 + 5
    assert set(found.reports["household"]) == {"action_sequencing", "goal_interpretation"}


def test_options_go_to_the_suites_that_know_them(outputs: Path) -> None:
    quirk = next(iter(Household.quirks))
    found = evaluate_outputs(
        ["household", "asgardbench"],
        outputs,
        abilities="action_sequencing",
        tasks=TASKS,
        semantics="official",
        without=[quirk],
        budget="states=5000",
        workers=2,
    ).reports["household"]["action_sequencing"]
    assert f"-{quirk}" in found.setting.semantics
    assert "states=5000" in found.setting.semantics
    assert {record.task for record in found.records} == set(TASKS)
    for wrong in ({"without": ["oops"]}, {"tasks": ["oops"]}, {"abilities": ["oops"]}):
        with pytest.raises(UnknownNameError):
            evaluate_outputs("household", outputs, **wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="limit"):
        evaluate_outputs("household", outputs, tasks="answered", limit=3)


def test_gates_of_a_whole_run(outputs: Path, tmp_path: Path) -> None:
    words = ["evaluate", "household", "--model-outputs", outputs, "--limit", "20", "-q"]
    assert call(*words, "-o", tmp_path / "run").exit_code == 0
    good = call(
        *words, "--fail-under", "task_success_rate=1", "--no-regression-vs", tmp_path / "run"
    )
    assert (good.exit_code, good.stderr) == (0, "")
    bad = call(*words, "--fail-under", "task_success_rate=99.9")
    assert bad.exit_code == 1
    assert "under 99.9" in bad.stderr
    assert isinstance(call(*words, "--fail-under", "oops=1").exception, UnknownNameError)
