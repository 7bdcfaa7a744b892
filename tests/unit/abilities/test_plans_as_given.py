"""Plans are taken however they are given, and what is none is refused with a way out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import eai
from eai.abilities.plans import checked_task, steps_of
from eai.agents import ScriptedAgent
from eai.answers import binding
from eai.diagnosis import DomainRules, ErrorKind, Finding, Run
from eai.errors import InputError, SimulationError
from eai.planning import Repair
from eai.report import Record
from eai.simulators import Symbolic

SUITE = eai.suite("household")
TASK = SUITE.task("studio-01")
ANSWER = "switchon(light.34)"
STEPS = (eai.Action("switchon", ("light.34",)),)


def record_of(answer: str) -> Record:
    report = eai.evaluate(SUITE, {"m": {"studio-01": answer}})
    return next(record for record in report.records if record.task == "studio-01")


@pytest.mark.parametrize(
    "plan",
    [
        STEPS,
        list(STEPS),
        ANSWER,
        '[{"SWITCHON": ["light", "34"]}]',
        ["switchon(light.34)"],
        ("switchon(light)",),
    ],
)
def test_a_plan_may_be_given_in_many_ways(plan: Any) -> None:
    assert steps_of(TASK, plan) == STEPS
    assert eai.repair(TASK, plan).distance == 1
    assert eai.causes(TASK, plan).plan == STEPS


def test_a_plan_may_be_given_by_its_record() -> None:
    record = record_of(ANSWER)
    for plan in (record, record.result, record.result.plan):
        assert steps_of(TASK, plan) == STEPS
        assert eai.repair(TASK, plan).distance == 1
        assert eai.causes(TASK, plan).plan == STEPS


def test_steps_that_cannot_be_run_are_kept_as_they_were_written() -> None:
    mixed: Any = ["fly(moon)", *STEPS]
    assert steps_of(TASK, mixed) == (eai.Action("fly", ("moon",)), *STEPS)
    assert steps_of(TASK, []) == ()
    causes = eai.causes(TASK, "fly(moon)").failure
    assert causes is not None
    assert causes.kind == "action_hallucination"
    found: Repair = eai.repair(TASK, ["fly(moon)"])
    assert found.distance == 2


def test_the_reference_plan_may_be_given_as_text() -> None:
    text = "\n".join(map(str, TASK.plans[0]))
    made = [eai.perturb(SUITE, TASK, plan, "drop") for plan in (None, text, TASK.plans[0])]
    assert len({str(each.plan) for each in made}) == 1


GIVEN: Any = eai  # what is given is wrong on purpose


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: GIVEN.repair(TASK, None), "None is not a plan"),
        (
            lambda: GIVEN.repair(TASK, {"WALK": ["light", "34"]}),
            "something of type dict is not a plan",
        ),
        (lambda: GIVEN.causes(TASK, [1]), "step 1 is something of type int"),
        (lambda: GIVEN.causes(TASK, ["walk(light.34)", "hello"]), "text 2 is not a step: 'hello'"),
        (lambda: GIVEN.repair("studio-01", STEPS), "'studio-01' is not a task"),
        (lambda: GIVEN.causes("studio-01", STEPS), "'studio-01' is not a task"),
        (
            lambda: GIVEN.repair(SUITE.task("studio-02"), record_of(ANSWER)),
            "of the task 'studio-01'",
        ),
        (lambda: GIVEN.perturb(SUITE, TASK, 3), "something of type int is not a plan"),
        (lambda: GIVEN.perturb(SUITE, 3), "something of type int is not a task"),
        (lambda: GIVEN.replan(SUITE, TASK, 3), "something of type int is not an agent"),
        (lambda: GIVEN.replan(SUITE, TASK, ANSWER), "is not an agent"),
        (
            lambda: GIVEN.replan(SUITE, record_of(ANSWER), [ANSWER]),
            "something of type Record is not a task",
        ),
        (lambda: GIVEN.explain("studio-01"), "'studio-01' is not a record"),
        (
            lambda: GIVEN.explain(eai.Report([record_of(ANSWER)])),
            "something of type Report is not a record",
        ),
    ],
)
def test_what_is_no_plan_is_refused_with_a_way_out(call: Callable[[], object], said: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert said in caught.value.what
    assert caught.value.expected or caught.value.mend


def test_a_task_is_returned_as_it_is_and_a_record_says_which_one_is_meant() -> None:
    assert checked_task(TASK) is TASK
    with pytest.raises(InputError) as caught:
        checked_task(record_of(ANSWER))
    assert caught.value.mend == 'eai.suite("household").task("studio-01")'


def test_an_agent_may_be_a_list_of_answers() -> None:
    answers = [ANSWER, "walk(light.34)\nswitchon(light.34)"]
    found = eai.replan(SUITE, TASK, answers)
    assert [attempt.answer for attempt in found.attempts] == answers
    again = eai.replan(SUITE, TASK, ScriptedAgent(answers))
    assert [attempt.result.success for attempt in found.attempts] == [False, True]
    assert again.attempts == found.attempts


def test_a_report_is_compared_with_a_run_by_its_path(tmp_path: Path) -> None:
    solved = "walk(light.34)\nswitchon(light.34)"
    eai.evaluate(SUITE, {"m": {"studio-01": solved}}, output=tmp_path / "run")
    report = eai.evaluate(SUITE, {"m": {"studio-01": ANSWER}})
    other = eai.evaluate(SUITE, {"m": {"studio-01": solved}})
    found = report.compare(tmp_path / "run", draws=100)
    assert str(found) == str(report.compare(other, draws=100))
    assert str(report.compare(str(tmp_path / "run" / "records.jsonl"), draws=100)) == str(found)


def test_the_records_of_a_run_are_read_by_its_folder(tmp_path: Path) -> None:
    eai.evaluate(SUITE, {"m": {"studio-01": ANSWER}}, output=tmp_path / "run")
    assert len(eai.read_records(tmp_path / "run").records) == len(SUITE.task_ids())
    with pytest.raises(InputError, match=r"records\.jsonl: cannot be read"):
        eai.read_records(tmp_path)


class Refusing(DomainRules):
    """Rules by which no step can be done."""

    def take(self, run: Run, action: eai.Action, number: int) -> tuple[str, Finding | None]:  # noqa: ARG002
        return "failed", Finding(ErrorKind.AFFORDANCE, f"{action} is refused", step=number)


class Meddling(DomainRules):
    """Rules by which the agent turns to the light before every step."""

    def take(self, run: Run, action: eai.Action, number: int) -> tuple[str, Finding | None]:
        super().take(run, eai.Action("turnto", ("light.34",)), number)
        return super().take(run, action, number)


NEVER_TURNED = {"name": "never turned", "formula": "G !facing(character.5, light.34)"}


@pytest.mark.parametrize(
    ("conduct", "rules", "passes"),
    [
        (DomainRules, [NEVER_TURNED], True),
        (Meddling, [], True),
        (Meddling, [NEVER_TURNED], False),
        (Refusing, [], False),
        (Refusing, [NEVER_TURNED], False),
    ],
)
def test_a_repaired_plan_has_to_pass_where_plans_are_run(
    conduct: type[DomainRules], rules: list[dict[str, str]], passes: bool
) -> None:
    simulator = Symbolic(TASK.world, conduct())
    if passes:
        assert eai.repair(TASK, STEPS, simulator=simulator, rules=rules or None).distance == 1
        return
    with pytest.raises(SimulationError) as caught:
        eai.repair(TASK, STEPS, simulator=simulator, rules=rules or None)
    assert ("never turned" in str(caught.value)) is (conduct is Meddling)


@pytest.mark.parametrize(
    "answer",
    [
        "walk(light.34)\nswitchon(li",
        "1. walk(light.34)\n2. do something funny\n3. switchon(light.34)",
        '[{"WALK": ["light", "34"]}, {"SWITCHON": ["li',
        "I refuse.",
        "",
    ],
)
def test_a_plan_that_cannot_be_read_whole_is_refused(answer: str) -> None:
    with pytest.raises(InputError):
        steps_of(TASK, answer)


@pytest.mark.parametrize("end", [[], [ANSWER]])
def test_a_plan_with_more_unknown_steps_than_are_listed_is_refused(
    end: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(binding, "MOST_FINDINGS", 3)
    unknown = "fly(light.34)"
    assert len(steps_of(TASK, "\n".join([unknown] * 3 + end))) == 3 + len(end)
    for count in (4, 5):
        with pytest.raises(InputError):
            steps_of(TASK, "\n".join([unknown] * count + end))
