"""Evaluating predictions from Python: what counts, what is left out, what resumes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import eai
from eai.diagnosis import ErrorKind
from eai.errors import OutputExistsError, UnknownNameError
from eai.suites.household import Household, samples


@pytest.fixture(scope="module")
def suite() -> Household:
    return Household()


def _reference(suite: Household) -> dict[str, str]:
    """The first reference plan of every task, as an answer."""
    return {
        task_id: json.dumps(
            [
                {action.name.upper(): [part for a in action.arguments for part in a.rsplit(".", 1)]}
                for action in suite.task(task_id).plans[0]
            ]
        )
        for task_id in suite.task_ids()
    }


def test_reference_plans_solve_every_task(suite: Household) -> None:
    report = eai.evaluate(suite, _reference(suite))
    assert [record.task for record in report.failures()] == []
    assert len(report.records) == len(suite.task_ids())


def test_a_missing_answer_is_a_scored_failure(suite: Household) -> None:
    answers = _reference(suite)
    left_out = next(iter(answers))
    del answers[left_out]
    report = eai.evaluate(suite, answers)
    [failure] = report.failures()
    assert failure.task == left_out
    assert failure.result.status == "missing"
    assert [f.kind for f in failure.result.findings] == [ErrorKind.NO_ANSWER]
    [model] = report.models
    assert report.tally(model).tasks == len(suite.task_ids())


def test_an_answer_to_an_unknown_task_is_reported_and_the_rest_is_evaluated(
    suite: Household,
) -> None:
    report = eai.evaluate(suite, {**_reference(suite), "cellar-99": "[]"})
    assert any("cellar-99" in note and "no such task" in note for note in report.notes)
    assert report.failures() == ()


GARBAGE = [
    *("", "\x00\ud800", "[" * 50_000, '{"WALK": ' * 2_000, "a" * 2_000_000),
    *('"x": [' * 3_000, "null", "[[[]]]", '[{"WALK": ["\ud83d"]}]', "x = 1e999999"),
    '[{"WALK": [' + "9" * 10_000 + "]}]",
]


@pytest.mark.parametrize("semantics", ["official", "strict"])
def test_garbage_is_one_scored_failure(suite: Household, semantics: str) -> None:
    usual = _reference(suite)
    missed = {each.task for each in eai.evaluate(suite, usual, semantics=semantics).failures()}
    assert len(missed) < len(usual) // 2
    garbage = dict(zip([task for task in usual if task not in missed], GARBAGE, strict=False))
    report = eai.evaluate(suite, {**usual, **garbage}, semantics=semantics)
    assert {each.task for each in report.failures()} == missed | garbage.keys()


def test_the_same_input_gives_the_same_files(suite: Household, tmp_path: Path) -> None:
    for name in ("one", "two"):
        eai.evaluate(suite, samples(), tasks=suite.task_ids()[::6], output=tmp_path / name)
    for path in sorted((tmp_path / "one").iterdir()):
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes(), path.name


def test_an_interrupted_run_goes_on(suite: Household, tmp_path: Path) -> None:
    class StopError(Exception):
        pass

    def stop(done: int, _total: int) -> None:
        if done == 10:
            raise StopError

    whole, parts, some = tmp_path / "whole", tmp_path / "parts", suite.task_ids()[::6]
    eai.evaluate(suite, samples(), tasks=some, output=whole)
    with pytest.raises(StopError):
        eai.evaluate(suite, samples(), tasks=some, output=parts, progress=stop)
    assert len((parts / "records.jsonl").read_bytes().splitlines()) == 10
    # As if the process had been killed while it wrote a line.
    with (parts / "records.jsonl").open("ab") as stream:
        stream.write(b'{"suite":"household","ver')
    eai.evaluate(suite, samples(), tasks=some, output=parts)
    for path in sorted(whole.iterdir()):
        assert path.read_bytes() == (parts / path.name).read_bytes(), path.name


def test_an_interrupted_run_of_something_else_is_kept(suite: Household, tmp_path: Path) -> None:
    def stop(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        eai.evaluate(suite, samples(), output=tmp_path, progress=stop)
    with pytest.raises(OutputExistsError, match="another run"):
        eai.evaluate(suite, samples(), output=tmp_path, semantics="official")


def test_only_answers_that_changed_are_evaluated_again(
    suite: Household, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = _reference(suite)

    def stop(done: int, _total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        eai.evaluate(suite, answers, output=tmp_path / "run", progress=stop)
    answers[suite.task_ids()[1]] = "[]"
    evaluated: set[str] = set()
    evaluate = Household.evaluate

    def counting(self: Household, ability: str, task: eai.Task, *rest: object) -> object:
        evaluated.add(task.id)
        return evaluate(self, ability, task, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Household, "evaluate", counting)
    seen: list[int] = []  # the page, made afterwards, evaluates stored answers for its words
    report = eai.evaluate(
        suite, answers, output=tmp_path / "run", progress=lambda *_: seen.append(len(evaluated))
    )
    assert report.evaluated_now == seen[-1] == len(suite.task_ids()) - 2
    eai.evaluate(suite, answers, output=tmp_path / "whole")
    for path in sorted((tmp_path / "whole").iterdir()):
        assert path.read_bytes() == (tmp_path / "run" / path.name).read_bytes(), path.name


def test_every_kind_of_error_occurs_in_the_samples(suite: Household) -> None:
    report = eai.evaluate(suite, samples())
    kinds = {f.kind for record in report.records for f in record.result.findings}
    no_plan = {
        ErrorKind.UNSCORABLE,
        ErrorKind.BEYOND_BUDGET,
        ErrorKind.PREDICATE_HALLUCINATION,
        ErrorKind.PATH_GOAL,
    }
    assert kinds == set(ErrorKind) - no_plan


def test_one_quirk_can_be_switched(suite: Household) -> None:
    report = eai.evaluate(suite, samples(), semantics="official", without=["grab_memory"])
    assert report.setting.semantics.startswith("official -grab_memory")


@pytest.mark.parametrize(
    "wrong",
    [
        {"suite": "attic"},
        {"semantics": "lenient"},
        {"ability": "juggling"},
        {"semantics": "official", "without": ["no_such_quirk"]},
    ],
)
def test_unknown_names_are_errors(wrong: dict[str, object]) -> None:
    arguments: dict[str, object] = {"suite": "household", **wrong}
    with pytest.raises(UnknownNameError):
        eai.evaluate(str(arguments.pop("suite")), {"flat-01": "[]"}, **arguments)  # type: ignore[arg-type]
