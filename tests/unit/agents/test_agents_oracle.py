"""Plans as answers, and the agent that knows or finds them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from eai.abilities import Plans
from eai.acting.tasks import task_rules
from eai.agents import Assignment, OracleAgent, format_plan, interact
from eai.agents.oracle import search_plans
from eai.errors import InputError, ModelError, UnknownNameError
from eai.logic import parse_formula
from eai.semantics import Semantics
from eai.suites.household import Household
from eai.suites.thor import ThorTasks, ThorTasksDocument
from eai.task import Goal, Task
from eai.task.goals import goal_from_formula
from eai.world import Action

HOUSEHOLD = Household()
PLAN = (Action("walk", ("lamp.1",)), Action("standup"), Action("putin", ("cup.2", "box.3")))


@pytest.mark.parametrize("suite", ["household", "virtualhome"])
def test_virtualhome_has_names_and_ids_and_a_blank_for_nothing(suite: str) -> None:
    assert format_plan(suite, PLAN) == (
        '[{"WALK": ["lamp", "1"]}, {"STANDUP": [ ]}, {"PUTIN": ["cup", "2", "box", "3"]}]'
    )


def test_behavior_has_one_text_for_all_objects() -> None:
    steps = (Action("right_grasp", ("cup_3",)), Action("place", ("a_1", "b_2")))
    assert format_plan("behavior", steps) == (
        '[{"action": "RIGHT_GRASP", "object": "cup_3"}, {"action": "PLACE", "object": "a_1, b_2"}]'
    )


def test_other_suites_have_the_general_form() -> None:
    assert Plans(Semantics("strict")).write(PLAN[:1]) == '[{"WALK": ["lamp.1"]}]'
    assert Plans(Semantics("strict")).write(()) == "[]"


@pytest.mark.parametrize("semantics", ["strict", "official"])
def test_what_is_written_is_read_back(semantics: str) -> None:
    for name in HOUSEHOLD.task_ids():
        assignment = Assignment.of(HOUSEHOLD, name, semantics)
        plan = assignment.task.plans[0]
        result = assignment.evaluate(format_plan("household", plan))
        assert result.plan == tuple(map(str, plan))


@pytest.mark.parametrize(
    "name",
    [
        *("studio-05", "flat-04"),
        *(
            pytest.param(n, marks=pytest.mark.heavy)
            for n in ("studio-17", "house-08", "cottage-13")
        ),
    ],
)
@pytest.mark.parametrize("semantics", ["strict", "official"])
def test_the_planner_finds_plans_that_solve_the_task(name: str, semantics: str) -> None:
    assignment = Assignment.of(HOUSEHOLD, name, semantics)
    unknown = replace(assignment, task=replace(assignment.task, plans=()))
    plan = next(search_plans(unknown))
    assert assignment.evaluate(format_plan("household", plan)).success


def test_what_happens_by_itself_is_nothing_that_the_agent_plans() -> None:
    goal = {"object": "Egg", "is": ["held"]}
    task = {"id": "one", "scene": "FloorPlan1", "instruction": "Take it.", "goal": [goal]}
    suite = ThorTasks(ThorTasksDocument.model_validate({"tasks": [task]}))
    assert "settle" in suite.task("one").start.layout.domain.operators
    plans = [*search_plans(Assignment.of(suite, "one"))]
    assert "settle" not in {step.name for plan in plans for step in plan}


def test_a_goal_with_links_is_reached_in_order() -> None:
    task = HOUSEHOLD.task("house-16")
    oracle = OracleAgent(HOUSEHOLD, task, annotated=False)
    assert oracle.answer.index("GREET") < oracle.answer.index("POINTAT")


def test_where_nothing_helps_the_annotated_plan_is_given() -> None:
    task = HOUSEHOLD.task("studio-01")
    text = "on(light.34) and off(light.34)"
    formula = parse_formula(text)
    hopeless = replace(task, goal=Goal(text, formula, ((("state", formula),),)))
    known = OracleAgent(HOUSEHOLD, hopeless)
    assert known([]) == format_plan("household", task.plans[0])
    # A failure of ours is not the model's: no answer is made up.
    unknown = OracleAgent(HOUSEHOLD, hopeless, annotated=False)
    with pytest.raises(ModelError, match="found no plan for the task 'studio-01'"):
        unknown([])
    acting = interact(HOUSEHOLD, replace(hopeless, plans=()))
    assert (acting.result.status, acting.episode.turns) == ("excluded", ())


class Worldless(Household):
    """A suite whose tasks nobody can plan for."""

    def plans(self, semantics: Semantics) -> None:  # type: ignore[override]
        """There are none."""


def test_an_oracle_without_a_planner_is_an_error() -> None:
    suite = Worldless()
    task = replace(suite.task("studio-01"), plans=())
    with pytest.raises(InputError, match="cannot search for one") as caught:
        interact(suite, task)
    assert "reference plan" in str(caught.value)


class Goalless(Household):
    """A suite of one's own whose tasks were given no goal."""

    def task(self, task_id: str) -> Task:
        """A task without its goal."""
        return replace(super().task(task_id), goal=Goal())

    def plans(self, semantics: Semantics) -> Plans:
        """By the definitions."""
        return Plans(semantics)


def test_a_task_without_a_goal_is_an_error_and_no_success() -> None:
    suite, task = Goalless(), Goalless().task("studio-01")
    with pytest.raises(InputError, match="'studio-01' has no goal"):
        suite.evaluate("action_sequencing", task, "[]", suite.semantics("strict"))
    with pytest.raises(InputError, match="'studio-01' has no goal"):
        task_rules(task, score=lambda *_: ())


def test_a_goal_that_only_speaks_of_the_way_is_a_goal() -> None:
    goal = goal_from_formula(parse_formula("G not on(light.34)"))
    task = replace(HOUSEHOLD.task("studio-01"), goal=goal)
    for answer, solved in (("[]", True), (format_plan("household", task.plans[0]), False)):
        strict = HOUSEHOLD.semantics("strict")
        result = HOUSEHOLD.evaluate("action_sequencing", task, answer, strict)
        assert (result.status, result.success) == ("evaluated", solved)


def test_names_are_looked_up() -> None:
    with pytest.raises(UnknownNameError, match="studio-99"):
        OracleAgent("household", "studio-99")
    with pytest.raises(UnknownNameError, match="hous"):
        OracleAgent("houshold", "studio-01")
    with pytest.raises(InputError, match="not a suite"):
        OracleAgent(object(), "studio-01")  # type: ignore[arg-type]
