"""Ways through subgoals: what is executed, which way comes first, and conditions with actions."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import pytest
from causes_worlds import NAMES, OPERATORS, THINGS, WORLD, steps, workshop_task

from eai.abilities.subgoals.binding import Subgoal
from eai.abilities.subgoals.search import (
    ENDS,
    MOST_CHOICES,
    Branch,
    Pursuit,
    best_result,
    demands_action,
    enabling,
    instances,
    is_met,
    last_action,
    pieces,
    pursue,
)
from eai.abilities.subgoals.width import NoWay, Reached
from eai.budget import BeyondBudgetError, Budget
from eai.diagnosis import Condition, DomainRules, ErrorKind, Result, Run
from eai.errors import InputError
from eai.logic import FALSE, ActionAtom, Atom, Formula, Variable, parse_formula, truth
from eai.pddl import parse_domain
from eai.world import Action, State, Step, Trajectory, World

RULES = DomainRules()


def formula(text: str) -> Formula:
    return parse_formula(text, vocabulary=NAMES)


def started(*facts: str, plan: str = "", demanded: str = "") -> Run:
    task = workshop_task("lit()", initially=facts)
    run = Run(WORLD, task.start, "robot", demanded=frozenset(demanded.split()))
    for number, action in enumerate(steps(plan), start=1):
        assert RULES.take(run, action, number)[0] == "done"
    return run


def subgoal(*ways: str) -> Subgoal:
    """``"lit() & aired()"`` has two conditions to reach one after the other; a way an argument."""
    return Subgoal(" or ".join(ways), tuple(tuple(map(formula, way.split("&"))) for way in ways))


def pursued(
    *subgoals: Subgoal,
    facts: str = "",
    demanded: str = "",
    budget: Budget | None = None,
    goals: Sequence[str] = (),
) -> list[Pursuit]:
    start = Branch(started(*filter(None, facts.split(";")), demanded=demanded))
    meter = (budget or Budget.unlimited()).meter()
    options = [[formula(text) for text in option.split("&")] for option in goals]
    found = list(pursue(start, subgoals, RULES, meter=meter, goals=options))
    assert start.actions == []  # what others go on from is not changed
    return found


def plan_of(pursuit: Pursuit) -> str:
    return "; ".join(" ".join((each.name, *each.arguments)) for each in pursuit.branch.actions)


# ---- a branch


def test_a_branch_executes_up_to_the_first_step_that_fails() -> None:
    branch = Branch(started("door_open"))
    branch.take(steps("paint box; open_door; look; paint can"), RULES, subgoal="SUB")
    assert branch.outcomes == ["done", "skipped", "failed"]
    assert [str(action) for action in branch.actions] == ["paint(box)", "open_door()", "look()"]
    assert [(each.kind, each.step, each.subgoal) for each in branch.findings] == [
        (ErrorKind.ADDITIONAL_STEP, 2, "SUB"),
        (ErrorKind.MISSING_STEP, 3, "SUB"),
    ]
    assert not branch.alive
    assert branch.execution.executed == ("done", "skipped", "failed")
    assert [step.number for step in branch.execution.trajectory.steps] == [1]
    assert Branch(started()).alive
    first = Branch(started())
    first.take(steps("look"), RULES, subgoal="")
    assert (first.outcomes, first.alive) == (["failed"], False)
    first.take(steps("press; look"), RULES, subgoal="")
    assert (first.outcomes, first.alive) == (["failed", "done", "done"], True)


def test_copies_of_a_branch_go_on_by_themselves() -> None:
    branch = Branch(started("door_open", demanded="look"))
    branch.take(steps("press"), RULES, subgoal="")
    other = branch.copy()
    other.take(steps("paint box"), RULES, subgoal="")
    assert (len(branch.actions), len(other.actions)) == (1, 2)
    assert (len(branch.run.steps), len(other.run.steps)) == (1, 2)
    assert not WORLD.holds(branch.run.state, formula("painted(box)"))
    assert WORLD.holds(other.run.state, formula("painted(box)"))
    assert other.run.demanded == frozenset({"look"})


# ---- ways through subgoals


def test_subgoals_are_reached_one_after_the_other_by_shortest_plans() -> None:
    [first, *_] = pursued(subgoal("lit()"), subgoal("painted(box)"))
    assert (first.reached, first.ended) == (2, False)
    assert first.branch.actions[0] == Action("press")
    assert {each.name for each in first.branch.actions[1:]} <= {"open_door", "open_window", "paint"}
    assert len(first.branch.actions) == 3
    assert {finding.subgoal for finding in first.branch.findings} == set()


def test_what_holds_from_the_start_takes_no_step_and_is_said() -> None:
    [found] = pursued(subgoal("lit()"), facts="lit")
    assert (found.reached, plan_of(found)) == (1, "")
    [finding] = found.branch.findings
    assert (finding.kind, finding.action) == (ErrorKind.ADDITIONAL_STEP, "lit()")
    # What a subgoal before it brought about is no additional step.
    for pursuit in pursued(subgoal("lit()"), subgoal("lit()")):
        assert (plan_of(pursuit), pursuit.branch.findings) == ("press", [])


def test_a_subgoal_of_a_state_or_an_action_may_hold_already() -> None:
    found = pursued(subgoal("lit() or LOOK()"), facts="lit")
    assert [plan_of(each) for each in found] == [""]


def test_every_way_of_a_subgoal_is_followed_in_its_order() -> None:
    found = pursued(subgoal("lit()", "door_open()", "wet(can) & lit()"))
    plans = [plan_of(each) for each in found]
    assert plans[:2] == ["press", "open_door"]
    assert "soak can; press" in plans
    assert all(each.reached == 1 for each in found)


def test_shortest_ways_that_end_with_another_action_are_followed_too() -> None:
    assert {plan_of(each) for each in pursued(subgoal("aired()"))} == {"open_door", "open_window"}
    # Two actions that lead to the same state count once.
    assert [plan_of(each) for each in pursued(subgoal("not aired()"), facts="window_open")] == [
        "slam"
    ]


GATE = World(
    parse_domain("""(define (domain gate) (:requirements :adl) (:types robot)
      (:predicates (lit) (rung) (unlatched) (open) (bent))
      (:action press :parameters (?r - robot) :effect (lit))
      (:action ring :parameters (?r - robot) :effect (rung))
      (:action pull :parameters (?r - robot) :effect (open))
      (:action unlatch :parameters (?r - robot) :effect (unlatched))
      (:action push :parameters (?r - robot) :precondition (unlatched)
        :effect (and (open) (bent))))""")
)


@pytest.mark.parametrize(
    ("facts", "ways"),
    [
        ([], ["pull"]),  # to push takes an action more
        (["unlatched"], ["pull", "push"]),
        (["open"], [""]),
    ],
)
@pytest.mark.parametrize("before", [[], ["lit"], ["lit", "rung"]])
def test_another_last_action_counts_only_if_it_takes_no_more_actions(
    before: list[str], facts: list[str], ways: list[str]
) -> None:
    names = [*before, "open"]
    subgoals = [Subgoal(name, ((Atom(name),),)) for name in names]
    state = GATE.state({"robot": "robot"}, [Atom(name) for name in facts])
    start = Branch(Run(GATE, state, "robot"))
    found = list(pursue(start, subgoals, RULES, meter=Budget.unlimited().meter()))
    actions = {"lit": "press", "rung": "ring"}
    first = [actions[name] for name in before]
    plans = ["; ".join([*first, *filter(None, [way])]) for way in ways]
    assert [plan_of(each) for each in found] == plans


def test_a_subgoal_that_no_action_brings_about_stops_all_ways() -> None:
    found = pursued(subgoal("lit()"), subgoal("(in(box, box))"), subgoal("aired()"))
    [last] = found
    assert last.stopped is not None
    assert (last.stopped.kind, last.reached) == (ErrorKind.AFFORDANCE, 1)
    assert last.stopped.action == "(in(box, box))"
    assert plan_of(last) == "press"
    [other] = pursued(subgoal("in(box, box)", "lit()"))
    assert (other.stopped, plan_of(other)) == (None, "press")


def test_other_ways_are_tried_unless_nothing_ever_reaches_the_subgoal() -> None:
    first = subgoal("lit()", "aired()")
    never = pursued(first, subgoal("in(box, box)"))
    assert [(plan_of(each), each.reached) for each in never] == [("press", 1)]
    missing = pursued(first, subgoal("not (lit() implies lit())"))
    assert [(plan_of(each), each.reached) for each in missing] == [
        ("press", 1),
        ("open_door", 1),
        ("open_window", 1),
    ]
    # Of ways that fail the one is told that might have been possible otherwise.
    for ways in (
        ("in(can, can)", "not (lit() implies lit())"),
        ("not (lit() implies lit())", "in(can, can)"),
    ):
        [found] = pursued(subgoal(*ways))
        assert found.stopped is not None
        assert found.stopped.kind is ErrorKind.MISSING_STEP


@pytest.mark.parametrize(
    ("facts", "kind"),
    [("", ErrorKind.MISSING_STEP), ("in can box", ErrorKind.WRONG_ORDER)],
)
def test_what_cannot_be_reached_from_here_is_missing_or_lost(facts: str, kind: ErrorKind) -> None:
    # Nothing may be in two things: what is in the box can be in the pot only when it is taken out.
    goal = "in(can, box) and in(can, pot)"
    [*_, last] = pursued(subgoal(goal), facts=facts)
    assert last.stopped is not None
    assert last.ended
    assert last.stopped.kind in {kind, ErrorKind.MISSING_STEP, ErrorKind.AFFORDANCE}


def test_only_so_many_ways_are_followed() -> None:
    many = [subgoal(f"painted({one})", f"wet({one})") for one in THINGS]
    found = pursued(*many, subgoal("aired()"))
    assert len(found) <= ENDS
    wide = pursued(*[subgoal("lit()", "aired()", "wet(box)", "wet(can)", "wet(pot)")] * 2)
    assert len(wide) == ENDS


def test_a_bound_ends_a_way() -> None:
    goal = subgoal("painted(box) and painted(can) and painted(pot)")
    [found] = pursued(subgoal("lit()"), goal, facts="lit", budget=Budget(states=4))
    assert (found.reached, found.stopped, found.ended) == (1, None, True)
    assert found.bound


def test_a_way_that_keeps_the_goal_comes_after_those_that_undo_some_of_it() -> None:
    shut = subgoal("not window_open()")
    facts = "window_open;door_open"
    assert [plan_of(each) for each in pursued(shut, facts=facts)] == ["slam"]
    kept = pursued(shut, facts=facts, goals=["door_open() & lit()"])
    assert [plan_of(each) for each in kept] == ["slam", "slam; open_door"]
    # The alternative counts of which most holds; what is not undone makes no other way.
    assert len(pursued(shut, facts=facts, goals=["lit()", "not lit() & aired()"])) == 2
    assert len(pursued(shut, facts=facts, goals=["window_open() & not lit()"])) == 1
    assert len(pursued(shut, facts=facts, goals=["not painted(box)", "lit()"])) == 1


def test_the_last_way_says_that_no_others_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    several = subgoal("painted(box)", "painted(can)", "painted(pot)")
    assert not any(each.is_last for each in pursued(several, facts="door_open"))
    monkeypatch.setattr(sys.modules[pursue.__module__], "ENDS", 2)
    assert [each.is_last for each in pursued(several, facts="door_open")] == [False, True]


def test_few_ways_that_end_at_a_bound_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    search = sys.modules[pursue.__module__]
    find_way = search.find_way
    quick: list[bool] = []

    def bounded(world: World, state: State, goal: Formula, **options: Any) -> Reached | NoWay:
        if "painted" in repr(goal):
            quick.append(options["quick"])
            return NoWay(bound="here")
        found: Reached | NoWay = find_way(world, state, goal, **options)
        return found

    monkeypatch.setattr(search, "find_way", bounded)
    several = subgoal("lit()", "wet(box)", "wet(can)", "wet(pot)")
    found = pursued(several, subgoal("painted(box)"))
    assert [(each.bound, each.reached) for each in found] == [("here", 1)] * 2
    # Where one search has ended at a bound, no other for the same goes as far.
    assert quick == [False, True]


def test_after_a_way_was_followed_half_of_the_budget_is_for_others() -> None:
    budget = Budget(instances=4000)
    meter = budget.meter()
    start = Branch(started())
    ways = pursue(start, [subgoal("lit()", "aired()")], RULES, meter=meter)
    next(ways)
    assert meter.budget.instances == 4000
    meter.count_instances(100)
    next(ways)
    assert meter.budget.instances == 2000
    meter.count_instances(1800)
    with pytest.raises(BeyondBudgetError):
        meter.count_instances(2000)


def test_no_budget_is_an_error_of_its_own() -> None:
    with pytest.raises(BeyondBudgetError):
        pursued(subgoal("lit()"), budget=Budget(instances=1))


def test_an_action_that_is_asked_for_is_taken_last() -> None:
    [first, *_] = pursued(subgoal("LOOK()"))
    assert plan_of(first) == "press; look"
    [painted, *_] = pursued(subgoal("PAINT(can) and lit()"))
    assert painted.branch.actions[-1] == Action("paint", ("can",))
    assert len(painted.branch.actions) == 3
    for pursuit in pursued(
        subgoal("exists x - thing. (PAINT(x) and wet(x))"), facts="door_open;wet pot"
    ):
        assert pursuit.stopped is not None  # what is wet cannot be painted


def test_an_action_that_the_goal_demands_is_a_way_of_its_own() -> None:
    plain = {plan_of(each) for each in pursued(subgoal("not door_open()"), facts="door_open")}
    demanded = {
        plan_of(each)
        for each in pursued(subgoal("not door_open()"), facts="door_open", demanded="slam")
    }
    assert plain == {"close_door"}  # to slam the door does the same
    assert demanded == {"close_door", "slam"}


# ---- the best of several results


def result(success: bool, executable: bool, *met: bool) -> Result:
    goals = tuple(Condition("state", str(n), met=each) for n, each in enumerate(met))
    return Result("evaluated", success=success, executable=executable, goals=goals)


@pytest.mark.parametrize(
    ("results", "best"),
    [
        ([result(False, False, True, True), result(False, True)], 1),
        ([result(False, True, True), result(False, True, True, True)], 1),
        ([result(False, True, True), result(False, True, True)], 0),
        ([result(False, True, True, True), result(True, True, True)], 1),
        ([result(False, False)], 0),
    ],
)
def test_the_best_is_the_first_success_or_meets_most_conditions(
    results: list[Result], best: int
) -> None:
    assert best_result(results) is results[best]


def test_after_a_success_no_other_result_is_asked_for() -> None:
    asked: list[int] = []

    def some() -> Iterator[Result]:
        for number in range(3):
            asked.append(number)
            yield result(number == 1, True)

    assert best_result(some()).success
    assert asked == [0, 1]


# ---- subgoals cut at "or"


@pytest.mark.parametrize(
    ("entries", "first_only", "expected"),
    [
        (["a"], False, [("a",)]),
        (["a or b", "c"], False, [("a", "c"), ("b", "c")]),
        (["a or b", "c or d"], False, [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")]),
        (["a or b", "c or d"], True, [("a", "c")]),
        (["(a or b) and c"], False, [("(a",), ("b) and c",)]),
        (["floor", "for or"], False, [("floor", "for or")]),
        ([], False, [()]),
    ],
)
def test_alternatives_are_combined(
    entries: list[str], first_only: bool, expected: list[tuple[str, ...]]
) -> None:
    assert pieces(entries, first_only=first_only) == expected


def test_only_so_many_combinations_are_looked_at() -> None:
    found = pieces(["a or b or c"] * 4, first_only=False)
    assert found == [*product("abc", repeat=4)][:MOST_CHOICES]
    assert len(found) == MOST_CHOICES == 64


# ---- conditions with actions, against all single actions

CONDITIONS = (
    "LOOK()",
    "PRESS()",
    "PAINT(box)",
    "PRESS() and lit()",
    "PRESS() and not lit()",
    "LOOK() or PAINT(can)",
    "lit() -> PAINT(box)",
    "not lit() or OPEN_DOOR()",
    "exists x - thing. (PAINT(x) and wet(x))",
    "exists x - thing. (TAKE(x, box))",
    "exists x - thing, y - thing. (PUT(x, y) and wet(y))",
    "exists x - thing. (PAINT(x) and not painted(x))",
    "forall x - thing. (wet(x) -> PAINT(x))",
    "PAINT(box) and PAINT(can)",
    "lit()",
)
FACTS = (
    (),
    ("lit",),
    ("door_open",),
    ("door_open", "wet box", "painted can"),
    ("window_open", "wet box", "wet can", "wet pot"),
    ("lit", "in can box", "door_open", "painted box", "painted can", "painted pot"),
)


def single_actions(run: Run) -> Iterator[Action]:
    """Every action that can be done now."""
    for name, arity in OPERATORS.items():
        for terms in product(THINGS, repeat=arity):
            action = Action(name, terms)
            if WORLD.first_failure(run.state, name, run.numbers(action)) < 0:
                yield action


def makes_true(condition: Formula, action: Action, run: Run) -> bool:
    step = Trajectory(WORLD, run.state, (Step(action, 1, []),), run.state)
    return bool(truth(condition, step) & 1)


@pytest.mark.parametrize("facts", FACTS, ids=",".join)
@pytest.mark.parametrize("text", CONDITIONS)
def test_the_action_that_makes_a_condition_true_is_found_where_there_is_one(
    text: str, facts: tuple[str, ...]
) -> None:
    run, condition = started(*facts), formula(text)
    without = bool(truth(condition, Trajectory(WORLD, run.state, (), run.state)))
    assert is_met(condition, run) is without
    fitting = [action for action in single_actions(run) if makes_true(condition, action, run)]
    # It holds at least wherever one step makes the condition true.
    if fitting or without:
        assert WORLD.holds(run.state, enabling(condition, run))
    if without:
        assert last_action(condition, run) is None
    elif fitting:
        assert last_action(condition, run) in fitting
    else:
        with pytest.raises(InputError):
            last_action(condition, run)


@pytest.mark.parametrize("text", [text for text in CONDITIONS if sum(map(str.isupper, text)) < 10])
def test_a_condition_on_one_action_is_enabled_only_where_that_can_be_done(text: str) -> None:
    condition = formula(text)
    for facts in FACTS:
        run = started(*facts)
        fitting = any(makes_true(condition, action, run) for action in single_actions(run))
        enabled = WORLD.holds(run.state, enabling(condition, run))
        assert enabled is (fitting or is_met(condition, run))


def test_an_action_that_must_not_be_taken_enables_nothing() -> None:
    run = started("lit")
    assert enabling(formula("not LOOK()"), run) == formula("not LOOK()").rebuild([FALSE])
    assert enabling(formula("lit()"), run) is formula("lit()")
    with pytest.raises(InputError):
        enabling(formula("lit() <-> LOOK()"), run)


def test_a_variable_with_the_name_of_an_operators_is_refused_by_name() -> None:
    # The precondition of "put" speaks of some ?z.
    run = started()
    enabling(formula("exists x - thing, y - thing. (PUT(x, y))"), run)
    with pytest.raises(InputError) as caught:
        enabling(formula("exists x - thing, z - thing. (PUT(x, z))"), run)
    assert "'z'" in caught.value.what
    assert "'x'" not in caught.value.what


@pytest.mark.parametrize("order", ["b c", "c b"])
def test_of_several_such_variables_the_first_by_name_is_named(order: str) -> None:
    world = World(
        parse_domain(
            f"""(define (domain d) (:requirements :adl) (:types robot thing)
            (:predicates (on ?x ?y - thing))
            (:action lay :parameters (?r - robot ?x ?y - thing)
              :precondition (exists (?{" ?".join(order.split())} - thing) (on ?b ?c))
              :effect (on ?x ?y)))"""
        )
    )
    run = Run(world, world.state({"robot": "robot", "cup": "thing"}, []), "robot")
    first, second = (Variable(name, ("thing",)) for name in order.split())
    with pytest.raises(InputError) as caught:
        enabling(ActionAtom("lay", (first, second)), run)
    assert "'b'" in caught.value.what
    assert "'c'" not in caught.value.what


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("LOOK()", 1),
        ("LOOK() and PRESS() and lit()", 3),
        ("exists x - thing. (PAINT(x))", 3),
        ("exists x - thing. (PAINT(x) and wet(x))", 6),
        ("exists x - thing, y - thing. (PUT(x, y))", 9),
        ("exists x. (PAINT(x))", 4),
        ("exists x - thing. (wet(x))", 1),
    ],
)
def test_looking_at_a_condition_counts_its_atoms(text: str, number: int) -> None:
    assert instances(formula(text), started()) == number
    assert demands_action(formula(text)) is any(letter.isupper() for letter in text)


def test_looking_for_the_last_action_is_counted() -> None:
    run, condition = started("door_open", "wet box"), formula("exists x - thing. (PAINT(x))")
    meter = Budget.unlimited().meter()
    assert last_action(condition, run, meter) == Action("paint", ("can",))
    # The condition, the box, the can, and the condition once more with the can painted.
    assert meter.instances == 3 + 1 + 1 + 3
