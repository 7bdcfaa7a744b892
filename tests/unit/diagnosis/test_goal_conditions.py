from __future__ import annotations

from eai.diagnosis import Condition, action_conditions, condition_of, goal_conditions
from eai.logic import Atom, Formula, Not
from eai.pddl import parse_condition, parse_domain
from eai.task import ActionGoal, Goal
from eai.world import Action, Step, Trajectory, World

WORLD = World(
    parse_domain("""(define (domain d) (:requirements :adl :derived-predicates)
    (:predicates (on ?x) (near ?x ?y) (lit))
    (:derived (lit) (exists (?x) (on ?x)))
    (:action on :parameters (?x) :effect (on ?x))
    (:action off :parameters (?x) :effect (not (on ?x)))
    (:action push :parameters (?x ?y) :effect (near ?x ?y))
    (:action wait :parameters ()))""")
)
LAMP, TV = Atom("on", ("lamp",)), Atom("on", ("tv",))


def run(*steps: str) -> Trajectory:
    """A run in which steps have the numbers 10, 20, ... and the television is on."""
    start = WORLD.state({"lamp": "object", "tv": "object"}, [TV])
    state, taken = start.begin(), []
    for number, words in enumerate(map(str.split, steps), start=1):
        action = Action(words[0], tuple(words[1:]))
        changes = WORLD.apply(state, action.name, WORLD.numbers(state, action.name, words[1:]))
        taken.append(Step(action, 10 * number, changes))
    return Trajectory(WORLD, start, taken, state)


def condition(formula: Formula, *steps: str) -> tuple[bool, int | None, int | None]:
    found = condition_of("state", formula, run(*steps))
    return found.met, found.since, found.lost_by


def test_a_condition_knows_since_when_it_holds_and_what_ended_it() -> None:
    assert condition(TV) == (True, 0, None)
    assert condition(TV, "wait", "wait") == (True, 0, None)
    assert condition(LAMP) == (False, None, None)
    assert condition(LAMP, "wait", "on lamp", "wait") == (True, 20, None)
    assert condition(LAMP, "on lamp", "wait", "off lamp", "wait") == (False, 10, 30)
    assert condition(TV, "wait", "off tv") == (False, 0, 20)
    assert condition(LAMP, "on lamp", "off lamp", "on lamp", "wait") == (True, 30, None)
    assert condition(LAMP, "on lamp", "off lamp", "on lamp", "off lamp") == (False, 30, 40)


def test_derived_and_compound_conditions_are_evaluated_the_same_way() -> None:
    assert condition(Atom("lit"), "off tv", "on lamp") == (True, 20, None)
    assert condition(Not(TV), "wait", "off tv") == (True, 20, None)
    assert condition(parse_condition("(forall (?x) (on ?x))"), "on lamp", "off tv") == (
        False, 10, 20,
    )  # fmt: skip


def test_a_condition_is_written_in_the_notation_of_goals() -> None:
    found = condition_of("relation", Atom("near", ("lamp", "tv")), run("push lamp tv"))
    assert found == Condition("relation", "near(lamp, tv)", True, since=10)


def test_conditions_of_the_goal_come_in_order_with_their_kinds() -> None:
    goal = Goal(
        final=((("state", LAMP), ("relation", Atom("near", ("lamp", "tv")))),),
        actions=(ActionGoal(("wait",)),),
    )
    found = goal_conditions(goal, run("on lamp", "wait"))
    assert [(c.kind, c.met, c.since) for c in found] == [
        ("state", True, 10),
        ("relation", False, None),
        ("action", True, 20),
    ]


def test_a_goal_without_conditions_has_none() -> None:
    assert goal_conditions(Goal(), run()) == ()
    assert goal_conditions(Goal(final=()), run()) == ()


def option(*formulas: Formula) -> tuple[tuple[str, Formula], ...]:
    return tuple(("state", formula) for formula in formulas)


def met_texts(goal: Goal, *steps: str) -> list[tuple[str, bool]]:
    return [(c.text, c.met) for c in goal_conditions(goal, run(*steps))]


def test_the_option_with_the_largest_share_of_met_conditions_counts() -> None:
    goal = Goal(final=(option(LAMP, Not(TV)), option(TV)))
    assert met_texts(goal) == [("on(tv)", True)]
    assert met_texts(goal, "on lamp", "off tv") == [("on(lamp)", True), ("not on(tv)", True)]
    # one of two against none of one
    assert met_texts(goal, "off tv") == [("on(lamp)", False), ("not on(tv)", True)]


def test_the_first_of_equal_options_counts() -> None:
    goal = Goal(final=(option(LAMP), option(Not(TV))))
    assert met_texts(goal) == [("on(lamp)", False)]


def actions(trajectory: Trajectory, *goals: str) -> list[tuple[str, bool, int | None]]:
    demanded = [ActionGoal(tuple(names.split("|"))) for names in goals]
    found = action_conditions(demanded, trajectory)
    return [(c.text, c.met, c.since) for c in found]


def test_action_goals_must_occur_in_order() -> None:
    done = run("on lamp", "wait", "off lamp", "wait")
    assert actions(done, "on", "off") == [("ON", True, 10), ("OFF", True, 30)]
    assert actions(done, "on", "wait", "wait") == [
        ("ON", True, 10),
        ("WAIT", True, 20),
        ("WAIT", True, 40),
    ]
    assert actions(done, "off", "on") == [("OFF", True, 30), ("ON", False, None)]


def test_after_the_first_action_goal_that_is_missing_none_is_met() -> None:
    done = run("on lamp", "off lamp")
    assert actions(done, "push", "on") == [("PUSH", False, None), ("ON", False, None)]


def test_one_step_serves_one_action_goal_and_alternatives_are_equal() -> None:
    done = run("wait", "off tv")
    assert actions(done, "wait", "wait") == [("WAIT", True, 10), ("WAIT", False, None)]
    assert actions(done, "on|off") == [("ON|OFF", True, 20)]
