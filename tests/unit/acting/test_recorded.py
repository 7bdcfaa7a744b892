"""Episodes that were recorded elsewhere are scored like any answer."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import pytest

import eai
from eai.acting import RecordedEpisode, RecordedStep, read_fact, record_schema
from eai.diagnosis import Result
from eai.errors import SchemaError
from eai.logic import format_formula
from eai.report import record_to_json

SUITE = eai.suite("household")
TASK = SUITE.task("studio-01")
STRICT = SUITE.semantics("strict")
STEPS = (RecordedStep("WALK light.34", success=True), RecordedStep("SWITCHON light.34"))
SOLVED = RecordedEpisode("studio-01", STEPS, success=True, end="success")


def evaluated(record: RecordedEpisode) -> Result:
    return SUITE.evaluate("recorded", TASK, record.to_json(), STRICT)


def test_a_record_is_evaluated_in_the_world_of_its_task() -> None:
    result = evaluated(SOLVED)
    assert (result.success, result.outcome, result.notes) == (True, "success", ())
    assert result.plan == ("WALK light.34", "SWITCHON light.34")


def test_what_the_record_says_was_not_done_is_not_done() -> None:
    failed = replace(STEPS[1], success=False, feedback="the switch is stuck", code="STUCK")
    result = evaluated(replace(SOLVED, steps=(STEPS[0], failed)))
    assert not result.success
    assert result.executed == ("done", "failed")
    assert result.findings[0].message == "the switch is stuck"
    assert result.notes == (
        "steps with another outcome here than in the record: 2; "
        "the record says that the task was solved; its steps, evaluated here, "
        "say that it was not solved",
    )
    again = evaluated(replace(SOLVED, steps=(STEPS[0], failed, STEPS[1])))
    assert again.success
    assert again.executed == ("done", "failed", "done")


def test_what_the_world_refuses_stays_undone() -> None:
    early = replace(STEPS[1], success=True)
    result = evaluated(RecordedEpisode("studio-01", (early,), success=False))
    assert not result.success
    assert result.findings[0].kind == "missing_step"
    assert "with another outcome here than in the record: 1" in result.notes[0]


def test_the_goal_counts_when_it_is_reached_first() -> None:
    more = RecordedStep("SWITCHOFF light.34")
    result = evaluated(replace(SOLVED, steps=(*STEPS, more)))
    assert result.success
    assert len(result.executed) == 3


def facts_of(steps: tuple[RecordedStep, ...]) -> RecordedEpisode:
    """The same steps with the facts of a simulator."""
    world = SUITE.environment(TASK, STRICT)
    world.reset()
    fluents = TASK.start.layout.domain.fluents

    def facts() -> tuple[str, ...]:
        atoms = (atom for atom in world.state().atoms() if atom.predicate in fluents)
        return tuple(map(format_formula, atoms))

    start, found = facts(), []
    read = SUITE.episode_rules(TASK, STRICT).read
    for step in steps:
        action = read(f"Action: {step.action}").action
        assert action is not None
        world.step(action)
        found.append(replace(step, facts=facts()))
    return RecordedEpisode("studio-01", tuple(found), start=start)


def test_recorded_facts_decide_where_there_are_some() -> None:
    record = facts_of(STEPS)
    assert evaluated(record).success
    # Whatever the actions would do here, the light is on if the record says so.
    odd = replace(record.steps[-1], action="dance")
    result = evaluated(replace(record, steps=(odd,)))
    assert result.success
    assert result.goals[0].since == 1
    dark = replace(record, steps=(record.steps[0],))
    assert not evaluated(dark).success


def test_facts_at_some_positions_only_are_refused() -> None:
    record = facts_of(STEPS)
    result = evaluated(replace(record, start=None))
    assert result.status == "excluded"
    assert "facts are recorded at some positions only" in result.notes[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "object"),
        ('{"task": "studio-01", "steps": [{"acton": "WALK x"}]}', "did you mean 'action'"),
        ('{"task": "studio-01", "steps": [{"action": 3}]}', "steps[0].action"),
        ("WALK light.34", "json"),
    ],
)
def test_what_is_no_record_is_nobodys_failure(text: str, said: str) -> None:
    result = SUITE.evaluate("recorded", TASK, text, STRICT)
    assert result.status == "excluded"
    assert said.lower() in result.notes[0].lower()


def test_a_missing_record_is_a_scored_failure() -> None:
    assert SUITE.evaluate("recorded", TASK, None, STRICT).status == "missing"


def test_a_record_is_read_back_as_it_was_written() -> None:
    record = replace(facts_of(STEPS), model="m", recorder="sim 1", metadata={"seed": 3})
    assert RecordedEpisode.from_json(record.to_json()) == record
    steps = record_schema()["$defs"]["RecordedStep"]["properties"]
    assert set(steps) == {each.name for each in fields(RecordedStep)}
    with pytest.raises(SchemaError, match="not an atom"):
        read_fact("on(")


@pytest.mark.parametrize(
    ("suite", "task", "agent"),
    [
        ("household", "flat-17", "oracle"),
        ("household", "flat-17", "random"),
        ("asgardbench", "turn_on_tv__FloorPlan202_V1", "oracle"),
        ("asgardbench", "turn_on_tv__FloorPlan202_V1", "random"),
        ("asgardbench", "turn_on_tv__FloorPlan202_V1", ["", "Action: FIND", "I do not know"]),
    ],
)
def test_an_episode_is_the_same_as_its_record(suite: str, task: str, agent: object) -> None:
    acted = eai.interact(suite, task, agent)  # type: ignore[arg-type]
    chosen = eai.suite(suite)
    meaning = chosen.semantics(chosen.default_semantics)
    text = RecordedEpisode.of(acted.episode).to_json()
    result = chosen.evaluate("recorded", chosen.task(task), text, meaning)
    record = acted.record()
    assert record_to_json(replace(record, result=result)) == record_to_json(record)


def test_records_are_predictions_of_their_own_form() -> None:
    lines = [json.loads(SOLVED.to_json()), {"task": "flat-17", "steps": []}]
    report = eai.evaluate("household", {"m": lines}, ability="recorded", tasks="answered")
    assert [
        metric.value for metric in report.metrics("m") if metric.key == "task_success_rate"
    ] == [50.0]
    assert "Episodes" in str(report)


def test_states_of_a_simulator_are_evaluated_as_they_are() -> None:
    states = [
        {"time": 0.0, "true": ["off(lamp)", ["next_to", "character.5", "wall_3"]]},
        {"time": 2.5, "true": ["(on lamp)"], "action": "press(lamp)"},
    ]
    value = {"task": "studio-01", "states": states, "names": {"lamp": "light.34"}}
    report = eai.evaluate("household", {"sim": [value]}, ability="recorded", tasks="answered")
    [record] = report.records
    assert record.result.success
    assert record.result.goals[0].since == 1
    assert record.result.notes == (
        "facts about objects that the task does not have were left out: wall_3",
    )
    dark = {**value, "states": states[:1]}
    assert not SUITE.evaluate("recorded", TASK, json.dumps(dark), STRICT).success


@pytest.mark.parametrize(
    "value",
    [
        {"states": []},
        {"states": [{"atoms": []}]},
        {"states": [{"true": [3]}]},
        {"states": [{"true": ["no such(x)"]}]},
        {"states": [{"true": ["glows(light.34)"]}]},
        {"states": 7},
    ],
)
def test_what_are_no_states_is_nobodys_failure(value: object) -> None:
    result = SUITE.evaluate("recorded", TASK, json.dumps(value), STRICT)
    assert result.status == "excluded"
