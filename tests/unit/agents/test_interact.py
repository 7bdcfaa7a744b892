"""Acting in the tasks of a suite."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

import eai
from eai.acting import format_action
from eai.agents import (
    TRANSCRIPTS,
    Assignment,
    Interaction,
    PolicyAgent,
    RandomAgent,
    interact,
    interact_all,
)
from eai.agents.agents import Message
from eai.agents.oracle import ActingOracle
from eai.contract import Ability, checked_interactive, is_interactive
from eai.diagnosis import Result
from eai.errors import InputError, ModelError, OutputExistsError, UnknownNameError
from eai.suites.asgardbench.suite import AsgardBench
from eai.suites.behavior import Behavior
from eai.suites.household import Household
from eai.suites.virtualhome import VirtualHome
from eai.world import Action, State

HOUSEHOLD = Household()
TASKS = HOUSEHOLD.task_ids()[:3]
STRICT = HOUSEHOLD.semantics("strict")


def test_the_oracle_solves_a_task() -> None:
    found = eai.interact("household", TASKS[0])
    assert found.success
    assert found.result.success
    assert found.result.executable
    assert str(found).endswith("The end: success")


def test_the_oracle_plans_where_nothing_is_annotated() -> None:
    oracle = ActingOracle(Assignment.of("household", TASKS[0]), annotated=False)
    assert interact("household", TASKS[0], oracle).success


def test_a_random_agent_fails_and_always_in_the_same_way() -> None:
    first, again = (interact(HOUSEHOLD, TASKS[0], "random", seed=3) for _ in range(2))
    other = interact(HOUSEHOLD, TASKS[0], "random", seed=4)
    assert first == again
    assert first.output != other.output
    assert not first.success
    assert {turn.code for turn in first.episode.turns} <= {
        "",
        "affordance",
        "additional_step",
        "missing_step",
        "wrong_order",
    }


def test_a_random_agent_needs_something_to_do() -> None:
    with pytest.raises(InputError, match="no action to take"):
        RandomAgent({"OPEN": 1}, ())
    assert RandomAgent({"OPEN": 1, "WAIT": 0}, ())([]) == "Action: WAIT"


def test_a_policy_acts_by_the_state() -> None:
    task = HOUSEHOLD.task(TASKS[0])
    world = HOUSEHOLD.environment(task, STRICT)
    plan = iter(task.plans[0])

    def policy(state: State) -> Action | None:
        assert state.universe is task.start.universe
        return next(plan, None)

    agent = PolicyAgent(policy, world)
    assert agent([]) == format_action(task.plans[0][0])
    for _ in task.plans[0][1:]:
        agent([])
    with pytest.raises(ModelError, match="does not know"):
        agent([])


def test_answers_that_were_written_beforehand() -> None:
    plan = HOUSEHOLD.task(TASKS[1]).plans[0]
    found = interact(HOUSEHOLD, TASKS[1], [format_action(step) for step in plan])
    assert found.success
    assert interact(HOUSEHOLD, TASKS[1], []).episode.end == "no_more_answers"


def test_a_transcript_is_a_prediction_that_leads_to_the_same_result() -> None:
    found = interact(HOUSEHOLD, TASKS[0], "random", feedback="detailed", view="near")
    line = json.loads(found.to_json("chance"))
    assert line["id"] == TASKS[0]
    assert line["model"] == "chance"
    task = HOUSEHOLD.task(TASKS[0])
    assert HOUSEHOLD.evaluate("interaction", task, line["output"], STRICT) == found.result
    assert len(line["episode"]["turns"]) == len(found.episode.turns)


def test_a_transcript_tells_what_changed() -> None:
    steps = json.loads(interact(HOUSEHOLD, TASKS[0]).to_json())["episode"]["turns"]
    assert len(steps[-1]["observation"]["objects"]) == 1
    assert "gone" not in steps[-1]["observation"]


def test_a_view_of_the_suite_hides_things() -> None:
    sizes = [
        len(interact(HOUSEHOLD, TASKS[0], view=view).episode.start.objects)
        for view in ("near", "room", "")
    ]
    assert sizes == sorted(set(sizes))


def test_names_that_are_not_known() -> None:
    for wrong in ({"view": "x-ray"}, {"feedback": "loud"}, {"agent": "me"}, {"task": "moon"}):
        given: dict[str, object] = {"task": TASKS[0], **wrong}
        with pytest.raises(UnknownNameError):
            interact(suite=HOUSEHOLD, **given)  # type: ignore[arg-type]


def test_what_is_no_agent_is_refused() -> None:
    with pytest.raises(InputError, match="int is not an agent"):
        interact(HOUSEHOLD, TASKS[0], 5)  # type: ignore[arg-type]


class Plans(Household):
    """A suite that cannot be acted in."""

    abilities: Mapping[str, Ability] = {
        "action_sequencing": Household.abilities["action_sequencing"]
    }


def no_oracle(_messages: Sequence[Message]) -> str:
    raise ModelError("no oracle today")


class Excluding(Household):
    """A suite with an oracle of its own."""

    abilities: Mapping[str, Ability] = {
        **Household.abilities,
        "interaction": Household.abilities["interaction"]._replace(oracle=lambda *_: no_oracle),
    }


def test_a_suite_that_cannot_be_acted_in_says_so() -> None:
    bare = Plans()
    assert not is_interactive(bare)
    assert is_interactive(HOUSEHOLD)
    with pytest.raises(InputError, match="'household' cannot be acted in"):
        checked_interactive(bare)


def test_a_suites_own_oracle_is_asked() -> None:
    found = interact(Excluding(), TASKS[0])
    assert found.episode.end == "agent_failure"
    assert found.result.status == "excluded"


def act(name: str) -> Interaction:
    return interact(HOUSEHOLD, name)


def ran(folder: Path, **options: object) -> tuple[Result, ...]:
    options = {"tasks": TASKS, "act": act, **options}
    found = interact_all(
        suite=HOUSEHOLD,
        semantics=STRICT,
        model="oracle",
        output=folder,
        **options,  # type: ignore[arg-type]
    )
    return tuple(record.result for record in found.report.records)


def test_a_run_writes_records_and_transcripts(tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    results = ran(tmp_path, progress=lambda *step: steps.append(step))
    assert [result.success for result in results] == [True] * 3
    assert steps == [(1, 3), (2, 3), (3, 3)]
    report = eai.evaluate(HOUSEHOLD, tmp_path / TRANSCRIPTS, ability="interaction")
    solved = [record.task for record in report.records if record.result.success]
    assert tuple(solved) == tuple(TASKS)
    assert {path.name for path in tmp_path.iterdir()} >= {"records.jsonl", "report.html"}
    with pytest.raises(OutputExistsError):
        ran(tmp_path)
    assert ran(tmp_path, force=True) == results


def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    whole = ran(tmp_path / "whole")
    asked: list[str] = []

    def stopping(name: str) -> Interaction:
        if name == TASKS[1] and not asked:
            asked.append(name)
            raise KeyboardInterrupt
        return act(name)

    with pytest.raises(KeyboardInterrupt):
        ran(tmp_path / "parts", act=stopping)
    with (tmp_path / "parts" / TRANSCRIPTS).open("a") as stream:
        stream.write('{"id": "cut')
    assert ran(tmp_path / "parts", act=stopping) == whole
    for name in (TRANSCRIPTS, "records.jsonl", "run.json"):
        assert (tmp_path / "parts" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_run_about_other_tasks_does_not_go_on(tmp_path: Path) -> None:
    def stopping(name: str) -> Interaction:
        if name == TASKS[1]:
            raise KeyboardInterrupt
        return act(name)

    with pytest.raises(KeyboardInterrupt):
        ran(tmp_path, act=stopping)
    with pytest.raises(InputError, match="also about the task"):
        ran(tmp_path, tasks=TASKS[1:])


def test_what_could_not_be_asked_is_left_out_and_asked_again(tmp_path: Path) -> None:
    out_of_order = [True]

    def shaky(name: str) -> Interaction:
        broken = name == TASKS[1] and out_of_order[0]
        return interact(Excluding() if broken else HOUSEHOLD, name)

    assert len(ran(tmp_path, act=shaky)) == 2
    out_of_order[0] = False
    assert len(ran(tmp_path, act=shaky)) == 3


def test_a_run_stops_when_nobody_can_be_asked() -> None:
    asked: list[str] = []

    def broken(name: str) -> Interaction:
        asked.append(name)
        return interact(Excluding(), name)

    found = interact_all(HOUSEHOLD, HOUSEHOLD.task_ids(), broken, semantics=STRICT, model="me")
    assert len(asked) == 5
    assert found.report.records == ()
    assert found.failures == dict.fromkeys(asked, "no oracle today")


def test_a_run_without_tasks_is_refused() -> None:
    with pytest.raises(InputError, match="no task"):
        interact_all(HOUSEHOLD, (), act, semantics=STRICT, model="me")


def test_every_shipped_suite_can_be_acted_in() -> None:
    suites = (HOUSEHOLD, VirtualHome(), Behavior(), AsgardBench())
    for suite in suites:
        assert checked_interactive(suite) is suite
        assert "interaction" in suite.abilities


def test_an_exception_of_an_agent_ends_its_episode_and_is_told(tmp_path: Path) -> None:
    def late(_messages: Sequence[Message]) -> str:
        raise TimeoutError("read timed out")

    found = interact("household", "studio-01", late)
    assert found.episode.end == "agent_failure"
    assert "TimeoutError: read timed out" in found.episode.note
    assert found.result.status == "excluded"
    suite = Household()
    asked = interact_all(
        suite,
        ["studio-01", "studio-02"],
        lambda task: interact(suite, task, late if task == "studio-01" else "oracle"),
        semantics=suite.semantics("strict"),
        model="late",
        output=tmp_path / "run",
    )
    assert [*asked.failures] == ["studio-01"]
    assert [record.task for record in asked.report.records] == ["studio-02"]
