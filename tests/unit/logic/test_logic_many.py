"""Growing trajectories, pairs, and formulas that are evaluated often: plain examples."""

from __future__ import annotations

import pickle
from collections.abc import Sequence

import pytest
from list_trajectory import ListTrajectory

from eai.errors import InputError, UnknownNameError
from eai.logic import (
    ActionAtom,
    And,
    Atom,
    Formula,
    LogicVocabulary,
    Monitor,
    Not,
    Then,
    evaluate,
    parse_formula,
)
from eai.logic.algebra import Bits

STATES = [set(), {("on", "tv")}, {("on", "tv"), ("held", "cup")}, {("held", "cup")}]
EVENING = ListTrajectory(["tv", "cup"], STATES, [("GRAB", "tv")] * 3)
MORNING = ListTrajectory(["tv", "cup"], STATES[::-1], [("GRAB", "cup")] * 3)
SHORT = ListTrajectory(["tv", "cup"], STATES[:1])


NAMES = LogicVocabulary({"on": 1}, {"GRAB": 1}, ["tv", "cup"])


def goal(text: str, vocabulary: LogicVocabulary | None = None) -> Formula:
    return parse_formula(text, vocabulary=vocabulary)


def push_all(monitor: Monitor, facts: Sequence[str]) -> list[str]:
    return [monitor.push_facts([Atom(name) for name in step.split()]) for step in facts]


@pytest.mark.parametrize(
    ("text", "steps", "statuses", "holds"),
    [
        ("p()", ["", "p", ""], ["open", "true", "true"], True),
        ("p() then q()", ["q", "p", "", "q"], ["open", "open", "open", "true"], True),
        ("p() then q()", ["q p", "", ""], ["open", "open", "open"], False),
        ("not (p() then q())", ["p", "q"], ["open", "false"], False),
        ("G p", ["p", "p", "", "p"], ["open", "open", "false", "false"], False),
        ("p U q", ["p", "p", "q"], ["open", "open", "true"], True),
        ("p U q", ["p", ""], ["open", "false"], False),
        ("p W q", ["p", "p"], ["open", "open"], True),
        ("X p", ["p"], ["open"], False),
        ("WX p", ["p"], ["open"], True),
        ("F last", ["", ""], ["open", "open"], True),
        ("G (q -> O p)", ["p", "q"], ["open", "open"], True),
        ("G (q -> O p)", ["", "q"], ["open", "false"], False),
        ("G (q -> Y p)", ["p", "q", "q"], ["open", "open", "false"], False),
        ("F (p S q)", ["q", "p"], ["true", "true"], True),
        ("true", [""], ["true"], True),
    ],
)
def test_a_monitor_says_as_soon_as_it_knows(
    text: str, steps: list[str], statuses: list[str], holds: bool
) -> None:
    monitor = Monitor(goal(text))
    assert monitor.status == "open"
    assert push_all(monitor, steps) == statuses
    assert monitor.holds is holds
    assert monitor.positions == len(steps)


def test_a_monitor_watches_actions_and_objects() -> None:
    monitor = Monitor(
        Then((ActionAtom("GRAB", ("cup",)), Atom("on", ("tv",)))), objects=EVENING.objects
    )
    assert monitor.push(lambda *_: True, ("GRAB", ("tv",))) == "open"
    assert monitor.push(lambda *_: True, ("GRAB", ("cup",))) == "open"
    assert monitor.push(lambda *_: True) == "true"
    watched = Monitor(goal("exactly 1 x. (F (on(x)))"), objects=EVENING.objects, reading="ltlf")
    assert watched.push_facts([Atom("on", ("tv",))]) == "open"
    assert watched.holds
    assert watched.push_facts([Atom("on", ("cup",))]) == "false"


def test_a_monitor_of_parts_and_pairs() -> None:
    link = And((Not(Then((Atom("p"), Atom("q")))), Atom("s")))
    goal_s = Then((link, Atom("r")))
    assert push_all(Monitor(goal_s), ["p", "r s", "r"]) == ["open", "open", "true"]
    # The first link cannot hold any more, although s was not seen yet.
    assert push_all(Monitor(goal_s), ["p", "q", "s"]) == ["open", "false", "false"]
    pairs = Monitor(goal("fornpairs 1. x, y. (F near(x, y))"), objects=EVENING.objects)
    assert pairs.push_facts([Atom("near", ("cup", "cup"))]) == "open"
    assert pairs.push_facts([Atom("near", ("cup", "tv"))]) == "true"


def test_a_monitor_stays_small() -> None:
    monitor = Monitor(goal("G (p -> (q U r)) & G F p & G (r -> X (p S q))"))
    for number in range(300):
        push_all(monitor, [("p q", "q", "r p q", "q")[number % 4]])
    small = len(pickle.dumps(monitor))
    for number in range(300):
        push_all(monitor, [("p q", "q", "r p q", "q")[number % 4]])
    assert len(pickle.dumps(monitor)) < 1.1 * small


def test_a_monitor_says_what_it_cannot_watch() -> None:
    with pytest.raises(InputError, match="no position"):
        _ = Monitor(goal("p")).holds
    with pytest.raises(InputError, match="no objects"):
        Monitor(goal("exists x. F (p(x))"))
    with pytest.raises(InputError, match="operations"):
        Monitor(goal("exists x, y, z. F (p(x, y, z))"), objects=[f"o{i}" for i in range(120)])
    with pytest.raises(UnknownNameError):
        Monitor(goal("p(x)")).push(_unknown)


def _unknown(predicate: str, _arguments: tuple[str, ...]) -> bool:
    raise UnknownNameError("predicate", predicate, ["q"])


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("forpairs x:food, y:plate. (on(x, y))", True),
        ("forpairs x:food, y:cup. (on(x, y))", False),
        ("fornpairs 1 x:food, y:cup. (on(x, y))", True),
        ("fornpairs 2 x:food, y:plate. (on(x, y))", True),
        ("fornpairs 3 x:food, y:plate. (on(x, y))", False),
        ("fornpairs 0 x:food, y:plate. (false)", True),
        ("fornpairs 2 x, y. (on(x, y))", True),
        ("fornpairs 3 x, y. (on(x, y))", False),
        ("forpairs x:food, y:plate. (on(x, y) then on(x, y))", True),
        ("F forpairs x:food, y:plate. (on(x, y))", True),
    ],
)
def test_objects_are_paired_off(text: str, holds: bool) -> None:
    facts = {("on", "bread", "p1"), ("on", "bread", "p2"), ("on", "cake", "p1")}
    facts |= {("on", "bread", "c1"), ("on", "cake", "c1"), ("on", "cake", "cake")}
    types = {
        "bread": "food",
        "cake": "food",
        "p1": "plate",
        "p2": "plate",
        "c1": "cup",
        "c2": "cup",
    }
    trajectory = ListTrajectory(types, [facts, facts], [("WAIT",)])
    assert evaluate(goal(text), trajectory).holds is holds


def test_counting_without_vectors() -> None:
    places = Bits(0b111)
    assert places.count(0, "exactly", []) == 0b111
    assert places.count(1, "at least", []) == 0
    assert places.count(-1, "at most", [0b1]) == 0
    assert places.count(1, "at most", [0b101, 0b001]) == 0b110


def test_formulas_of_many_links() -> None:
    links = Then(tuple(Atom("p") for _ in range(3000)))
    trace = ListTrajectory([], [[("p",)]] * 3000)
    assert evaluate(links, trace).position == 2999
    assert evaluate(And((links,)), trace)


def test_a_formula_that_is_evaluated_often_means_the_same() -> None:
    formula = goal("G (on(tv) -> X held(cup)) and exists x. (F on(x))")
    first = [evaluate(formula, each) for each in (EVENING, MORNING, SHORT)]
    for _ in range(100):
        assert [evaluate(formula, each) for each in (EVENING, MORNING, SHORT)] == first


def test_a_position_that_is_pushed_has_facts_and_the_action_that_is_taken_there() -> None:
    monitor = Monitor(goal("F (on(tv) and GRAB(cup))", vocabulary=NAMES))
    grab, on = ActionAtom("GRAB", ("cup",)), Atom("on", ("tv",))
    assert monitor.push_facts([grab]) == "open"
    assert monitor.push_facts([on, ActionAtom("GRAB", ("tv",))]) == "open"
    assert monitor.push_facts([on, Atom("GRAB", ("cup",))]) == "open"
    assert monitor.push_facts([on, grab]) == "true"


@pytest.mark.parametrize(
    ("text", "verdicts"),
    [
        # On EVENING, MORNING and SHORT.
        ("exists x. exists y. F (not x = y and on(x) and held(y))", (True, True, False)),
        ("exists x. exists y. F (x = y and on(x) and held(y))", (False, False, False)),
        ("forall x. (x = tv or F held(x))", (True, True, False)),
        ("forall x. forall y. G (x = y or not (held(x) and held(y)))", (True, True, True)),
        ("exists x. F (x = cup and GRAB(x))", (False, True, False)),
        ("exists x. (F GRAB(x) and G (held(x) -> x = cup))", (True, True, False)),
        ("exists x. (not x = cup and (on(x) then held(cup)))", (True, False, False)),
        ("exactly 1 x. G (x = tv xor F held(x))", (False, True, True)),
    ],
)
def test_verdicts_stay_the_same_however_often_a_formula_is_evaluated(
    text: str, verdicts: tuple[bool, ...]
) -> None:
    things = ["tv", "cup"]
    formula = goal(text, LogicVocabulary({"on": 1, "held": 1}, {"GRAB": 1}, things))
    for _ in range(45):  # a formula that is evaluated often is compiled
        found = tuple(evaluate(formula, each).holds for each in (EVENING, MORNING, SHORT))
        assert found == verdicts
