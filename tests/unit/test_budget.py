"""The budget of an evaluation: what it says, what it refuses, what is counted against it."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

import eai
from eai.budget import BeyondBudgetError, Budget
from eai.errors import InputError, OutputExistsError
from eai.runs import Evaluator
from eai.semantics import Semantics


def test_a_budget_is_read_as_it_is_printed() -> None:
    assert str(Budget()) == ""
    assert Budget.parse("") == Budget()
    budget = Budget.parse("states=1000, bytes=none")
    assert budget == Budget(states=1000, bytes=None)
    assert str(budget) == "states=1000 bytes=none"
    assert Budget.parse(str(budget)) == budget
    assert Budget.parse(str(Budget.unlimited())) == Budget(None, None, None, None)


def test_none_takes_all_limits_away() -> None:
    assert Budget.parse(" none ") == Budget.unlimited()
    for text in ("none,none", "none,states=1"):
        with pytest.raises(InputError):
            Budget.parse(text)


@pytest.mark.parametrize("text", ["states", "states=0", "states=-1", "seconds=5", "states=1.5"])
def test_what_is_no_budget_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        Budget.parse(text)


def test_each_resource_is_counted_to_its_limit() -> None:
    meter = Budget(states=2, actions=10, instances=3, bytes=100).meter()
    meter.count_states()
    meter.count_states()
    with pytest.raises(BeyondBudgetError, match="more than 2 expanded states"):
        meter.count_states()
    with pytest.raises(BeyondBudgetError) as caught:
        meter.count_actions(11)
    assert (caught.value.resource, caught.value.limit) == ("actions", 10)
    meter.count_instances(3)
    with pytest.raises(BeyondBudgetError):
        meter.count_instances()
    meter.hold(100)
    meter.hold(1)
    assert meter.bytes == 100
    with pytest.raises(BeyondBudgetError, match="more than 100 bytes"):
        meter.hold(101)
    free = Budget.unlimited().meter()
    free.count_states(10**12)
    assert free.states == 10**12


def test_a_semantics_is_told_with_its_budget() -> None:
    usual = Semantics("official", version="eai-eval 1.0.5")
    assert str(usual) == "official (eai-eval 1.0.5)"
    small = Semantics("strict", budget=Budget(states=7))
    assert str(small) == "strict (budget states=7)"
    assert Semantics.spelled(str(small), {}) == small
    both = Semantics("official", version="eai-eval 1.0.5", budget=Budget(states=7, bytes=None))
    assert str(both) == "official (eai-eval 1.0.5, budget states=7 bytes=none)"
    assert Semantics.spelled(str(both), {}, version="eai-eval 1.0.5") == both


def test_a_run_names_all_limits_the_default_ones_too(tmp_path: Path) -> None:
    suite = eai.suite("household")
    answers = {suite.task_ids()[0]: "[]"}

    def written(**options: object) -> dict[str, int | None]:
        eai.evaluate(suite, answers, output=tmp_path, force=True, **options)  # type: ignore[arg-type]
        found: dict[str, int | None] = json.loads((tmp_path / "run.json").read_text())["budget"]
        return found

    assert written() == asdict(Budget())
    assert written(budget="states=7,bytes=none") == asdict(Budget(states=7, bytes=None))
    assert written(workers=1) == asdict(Budget())


def test_a_run_under_other_default_limits_does_not_go_on(tmp_path: Path) -> None:
    suite = eai.suite("household")
    answers = {suite.task_ids()[0]: "[]"}
    eai.evaluate(suite, answers, output=tmp_path)
    manifest = tmp_path / "run.json"
    run = json.loads(manifest.read_text())
    run["complete"] = False
    run["budget"]["states"] += 1
    manifest.write_text(json.dumps(run))
    with pytest.raises(OutputExistsError):
        eai.evaluate(suite, answers, output=tmp_path)


def test_what_is_beyond_the_budget_is_scored_with_what_used_it_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    suite = eai.suite("household")

    def evaluate(*_: object) -> None:
        Budget(states=5).meter().count_states(6)

    monkeypatch.setattr(suite, "evaluate", evaluate)
    evaluator = Evaluator(suite, "action_sequencing", suite.semantics("strict"))
    result = evaluator.record("model", suite.task_ids()[0], "[]").result
    assert (result.status, result.success) == ("evaluated", False)
    assert result.outcome == "beyond the budget"
    (finding,) = result.findings
    assert finding.kind == "beyond_budget"
    assert "5 expanded states" in finding.message
