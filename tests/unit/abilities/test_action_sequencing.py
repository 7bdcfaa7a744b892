"""Evaluating plans in a world of one's own: wrong types are the model's errors, not ours."""

from __future__ import annotations

from dataclasses import fields

import pytest
from small_virtualhome import small_task

from eai import parse_domain
from eai.abilities import evaluate_plan
from eai.answers import BoundPlan
from eai.diagnosis import DomainRules, ErrorKind, Result
from eai.errors import UnknownNameError
from eai.logic import Atom, LogicVocabulary, parse_formula
from eai.report.aggregate import tally
from eai.report.metrics.plans import PLANS
from eai.semantics import Semantics
from eai.suites.virtualhome import VirtualHome
from eai.suites.virtualhome.quirks import QUIRKS
from eai.task import Goal, Task, Vocabulary, goal_from_formula
from eai.world import Action, World

LIFT = """
(define (domain lift)
  (:requirements :typing)
  (:types lift floor book)
  (:predicates (at ?l - lift ?f - floor) (gone ?l - lift))
  (:action leave :parameters (?l - lift ?f - floor)
    :precondition (at ?l ?f) :effect (gone ?l))
  (:action ride :parameters (?l - lift ?f - floor) :effect (at ?l ?f)))
"""


class LiftWorld:
    """The simplest simulator."""

    def __init__(self) -> None:
        self.world = World(parse_domain(LIFT))
        self.rules = DomainRules()


def evaluated(*actions: Action) -> Result:
    lift = LiftWorld()
    objects = {"lift.1": "lift", "floor.1": "floor", "book.1": "book"}
    task = Task(
        "t",
        "Ride",
        "",
        lift.world.state(objects, []),
        "lift.1",
        Goal(final=((("relation", Atom("at", ("lift.1", "floor.1"))),),)),
        Vocabulary({"ride": 1}, {"at": 2}, frozenset(objects)),
    )
    return evaluate_plan(BoundPlan(actions), task, lift)


def test_a_plan_that_fits_solves_the_task() -> None:
    assert evaluated(Action("ride", ("floor.1",))).success


def test_an_object_of_the_wrong_type_is_an_argument_error() -> None:
    result = evaluated(Action("ride", ("floor.1",)), Action("ride", ("book.1",)))
    [finding] = result.findings
    assert finding.kind is ErrorKind.ARGUMENT_NUMBER
    assert finding.step == 2
    assert "'book.1' is a book, but argument ?f of ride takes floor" in finding.message
    assert not any(goal.met for goal in result.goals)
    assert not result.executable


def test_an_unknown_action_is_an_argument_error_too() -> None:
    [finding] = evaluated(Action("jump")).findings
    assert "jump" in finding.message
    assert "takes" not in finding.message


def test_a_task_without_its_agent_is_our_error() -> None:
    task = small_task("off lamp.10", states=["on lamp.10"], actions=[])
    broken = Task(**{**{f.name: getattr(task, f.name) for f in fields(task)}, "agent": "nobody.1"})
    suite = VirtualHome()
    meaning = suite.semantics("strict")
    with pytest.raises(UnknownNameError, match="nobody"):
        suite.evaluate("action_sequencing", broken, "WALK(lamp.10)", meaning)


def test_the_published_evaluator_counts_a_broken_list_twice() -> None:
    task = small_task("off lamp.10", states=["on lamp.10"], actions=[])
    rates = []
    for off in ((), ("parsing_counted_twice",)):
        semantics = Semantics.of("official", QUIRKS, without=off)
        result = VirtualHome().evaluate("action_sequencing", task, '{"WALK": [lamp]}', semantics)
        [parsing] = [metric for metric in PLANS.metrics(tally([result])) if metric.key == "parsing"]
        rates.append((parsing.value, parsing.interval is None))
    assert rates == [(200.0, True), (100.0, False)]


def test_putting_back_what_was_never_grabbed_is_no_additional_step() -> None:
    task = small_task("off lamp.10; near lamp.10", states=["on lamp.10"], actions=[])
    suite = VirtualHome()
    answer = '[{"PUTOBJBACK": ["lamp", "10"]}]'
    result = suite.evaluate("action_sequencing", task, answer, suite.semantics("strict"))
    assert result.findings[0].kind is ErrorKind.MISSING_STEP
    assert result.executed == ("failed",)


SPOKEN = LogicVocabulary(
    {"at": 2}, {"ride": 1}, frozenset({"lift.1", "book.1", "floor.1", "floor.2"})
)


def ridden(formula: str, *actions: Action, must_execute: bool | None = None) -> Result:
    lift = LiftWorld()
    objects = {"lift.1": "lift", "book.1": "book", "floor.1": "floor", "floor.2": "floor"}
    task = Task(
        "t",
        "Ride",
        "",
        lift.world.state(objects, []),
        "lift.1",
        goal_from_formula(parse_formula(formula, vocabulary=SPOKEN)),
        Vocabulary({"ride": 1, "leave": 1}, {"at": 2}, frozenset(objects)),
    )
    if must_execute is None:
        return evaluate_plan(BoundPlan(actions), task, lift)
    return evaluate_plan(BoundPlan(actions), task, lift, must_execute=must_execute)


ONE, TWO = (Action("ride", (f"floor.{number}",)) for number in (1, 2))
STOPPED = Action("leave", ("floor.2",))
AT_ONE, AT_TWO = ("at(lift.1, floor.1)", "at(lift.1, floor.2)")


def test_a_plan_that_stops_fails_unless_that_is_allowed() -> None:
    for must_execute, success in ((None, False), (True, False), (False, True)):
        found = ridden(AT_ONE, ONE, STOPPED, TWO, must_execute=must_execute)
        assert (found.success, found.executable) == (success, False)
        assert found.executed == ("done", "failed", "not reached")
    assert ridden(AT_ONE, ONE).executable
    assert not ridden(AT_TWO, ONE, STOPPED, must_execute=False).success


@pytest.mark.parametrize(
    ("formula", "plan", "link"),
    [
        (f"{AT_ONE} then {AT_TWO}", (ONE, TWO), None),
        (f"ride(floor.1) then ride(floor.2) then {AT_TWO}", (TWO, ONE, TWO), None),
        (f"ride(floor.2) then ride(floor.1) then {AT_TWO}", (ONE, TWO), "ride(floor.1)"),
        (f"ride(floor.1) then ride(floor.1) then {AT_TWO}", (ONE, TWO), "ride(floor.1)"),
        (f"ride(floor.2) then {AT_ONE}", (ONE,), "ride(floor.2)"),
    ],
)
def test_the_first_link_that_breaks_is_told(
    formula: str, plan: tuple[Action, ...], link: str | None
) -> None:
    found = ridden(formula, *plan)
    assert found.success is (link is None)
    assert found.formula_holds is (link is None)
    if link is not None:
        assert link in {condition for each in found.findings for condition in each.conditions}
