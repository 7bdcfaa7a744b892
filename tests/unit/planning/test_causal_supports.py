"""What conditions rest on, example by example: of several supports the one that is preferred."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from causes_worlds import NAMES, THINGS, WORLD

from eai.logic import (
    ActionAtom,
    Atom,
    Count,
    Exists,
    Forall,
    Formula,
    Not,
    Or,
    Variable,
    parse_formula,
)
from eai.pddl import parse_domain, parse_problem
from eai.planning import Bound, Links, Requirement, Support, Taken
from eai.world import Action, State, World

OBJECTS = {"robot": "robot", **dict.fromkeys(THINGS, "thing")}
X = Variable("x", ("thing",))
FACTS = ["lit", "door_open", "window_open"]
FACTS += [f"{name} {thing}" for name in ("painted", "wet") for thing in THINGS]
FACTS += [f"in {one} {other}" for one in THINGS for other in THINGS]


def state_of(facts: Iterable[str]) -> State:
    return WORLD.state(OBJECTS, [Atom(name, tuple(rest)) for name, *rest in map(str.split, facts)])


def words(reads: Iterable[Requirement] | None) -> set[str] | None:
    """Literals as text: ``"wet box"``, ``"not lit"``."""
    if reads is None:
        return None
    names = tuple(OBJECTS)
    texts = set()
    for requirement in reads:
        assert not isinstance(requirement, Bound)
        p, numbers, value = requirement
        parts = [WORLD.layout.names[p], *(names[number] for number in numbers)]
        texts.add(" ".join(parts if value else ["not", *parts]))
    return texts


def formula(text: str) -> Formula:
    return parse_formula(text, vocabulary=NAMES)


def support_of(
    condition: Formula,
    now: Iterable[str],
    *,
    start: Iterable[str] | None = None,
    volatile: Iterable[str] = FACTS,
    value: bool = True,
) -> set[str] | None:
    """The support of a condition in a state that came about from another one."""
    now = list(now)
    support = Support(WORLD, state_of(now if start is None else start), state_of(volatile))
    support.move(state_of(now))
    return words(support.of(condition, {}, value))


@pytest.mark.parametrize(
    ("condition", "now", "start", "reads"),
    [
        # What has held from the start is preferred to what steps made so.
        ("lit() or door_open()", ["lit", "door_open"], ["lit"], {"lit"}),
        ("lit() or door_open()", ["lit", "door_open"], ["door_open"], {"door_open"}),
        # Then fewer literals; of two that are alike the first.
        ("wet(box) and lit() or door_open()", ["wet box", "lit", "door_open"], None, {"door_open"}),
        ("door_open() or wet(box) and lit()", ["wet box", "lit", "door_open"], None, {"door_open"}),
        ("lit() or door_open()", ["lit", "door_open"], [], {"lit"}),
        ("door_open() or lit()", ["lit", "door_open"], [], {"door_open"}),
        # One change weighs more than two literals that have been so all the time.
        (
            "door_open() or wet(box) and lit()",
            ["wet box", "lit", "door_open"],
            ["wet box", "lit"],
            {"wet box", "lit"},
        ),
        # What does not hold is no support.
        ("lit() or door_open()", ["door_open"], None, {"door_open"}),
        ("lit() and door_open()", ["door_open"], None, None),
        ("not lit()", [], None, {"not lit"}),
        ("lit() -> wet(can)", ["wet can"], ["lit"], {"not lit"}),
        ("lit() -> wet(can)", ["wet can"], ["lit", "wet can"], {"wet can"}),
        ("aired()", ["door_open", "window_open"], ["window_open"], {"window_open"}),
        ("not aired()", [], None, {"not door_open", "not window_open"}),
        ("lit() <-> door_open()", [], None, {"not lit", "not door_open"}),
        ("lit() <-> door_open()", ["lit"], None, None),
    ],
)
def test_the_support_that_rests_on_fewest_changes_is_taken(
    condition: str, now: list[str], start: list[str] | None, reads: set[str] | None
) -> None:
    assert support_of(formula(condition), now, start=start) == reads


def test_nothing_is_better_than_what_does_not_change() -> None:
    either = formula("lit() or door_open()")
    assert support_of(either, ["lit", "door_open"], volatile=["lit"]) == set()
    both = formula("lit() and door_open()")
    assert support_of(both, ["lit", "door_open"], volatile=["lit"]) == {"lit"}


CIRCLE = ["in can box", "in box can"]
NESTED = ["in can box", "in box pot"]


@pytest.mark.parametrize(
    ("condition", "now", "reads"),
    [
        ("nested(can, box)", NESTED, {"in can box"}),
        ("nested(can, pot)", NESTED, {"in can box", "in box pot"}),
        ("nested(can, pot)", [*NESTED, "in can pot"], {"in can pot"}),
        ("nested(pot, can)", NESTED, None),
        # A way from the pot to the can would begin with one of two literals, or in a circle.
        ("not nested(pot, can)", NESTED, {"not in pot box", "not in pot can"}),
        ("nested(can, can)", ["in can box", "in box can"], {"in can box", "in box can"}),
        ("not nested(can, pot)", CIRCLE, {"not in can pot", "not in box pot"}),
    ],
)
def test_derivations_rest_on_a_shortest_one_and_denials_on_all(
    condition: str, now: list[str], reads: set[str] | None
) -> None:
    assert support_of(formula(condition), now) == reads


@pytest.mark.parametrize("value", [True, False])
@pytest.mark.parametrize(
    ("number", "comparison", "reads"),
    [
        (0, "at least", set()),
        (1, "at least", {"wet can"}),
        (2, "at least", {"wet can", "wet box"}),
        (3, "at least", None),
        (2, "at most", {"not wet pot"}),
        (3, "at most", {"not wet pot"}),
        (1, "at most", None),
        (2, "exactly", {"wet can", "wet box", "not wet pot"}),
        (1, "exactly", None),
        (3, "exactly", None),
    ],
)
def test_of_counted_instances_the_cheapest_are_taken(
    number: int, comparison: str, reads: set[str] | None, value: bool
) -> None:
    """The can is wet from the start, the box since."""
    counted = Count(number, X, Atom("wet", (X,)), comparison)  # type: ignore[arg-type]
    condition = counted if value else Not(counted)
    found = support_of(condition, ["wet can", "wet box"], start=["wet can"], value=value)
    assert found == reads


def test_quantifiers_rest_on_one_instance_or_on_all() -> None:
    some, every = Exists((X,), Atom("wet", (X,))), Forall((X,), Atom("wet", (X,)))
    wet = ["wet box", "wet can", "wet pot"]
    assert support_of(some, wet, start=["wet can"]) == {"wet can"}
    assert support_of(some, wet[:1]) == {"wet box"}
    assert support_of(some, []) is None
    assert support_of(Not(some), []) == {"not wet box", "not wet can", "not wet pot"}
    assert support_of(every, wet) == set(wet)
    assert support_of(every, wet[:2]) is None
    assert support_of(Not(every), ["wet can"], start=["wet can", "wet box"]) == {"not wet pot"}


def test_actions_are_compared_with_the_one_that_is_taken() -> None:
    state = state_of([])
    support = Support(WORLD, state, state_of(FACTS))
    paint = ActionAtom("paint", ("box",))
    support.move(state, Action("paint", ("box",)))
    assert support.of(paint, {}) == frozenset()
    assert support.of(paint, {}, False) is None
    assert support.of(ActionAtom("paint", (X,)), {"x": 1}) == frozenset()
    for other in (Action("paint", ("can",)), Action("soak", ("box",)), None):
        support.move(state, other)
        assert support.of(paint, {}) is None
        assert support.of(paint, {}, False) == frozenset()


def test_a_support_is_found_anew_in_every_state() -> None:
    support = Support(WORLD, state_of(["lit"]), state_of(FACTS))
    aired = formula("aired()")
    for facts, reads in ((["door_open"], {"door_open"}), (["window_open"], {"window_open"})):
        support.move(state_of(facts))
        assert words(support.of(aired, {})) == reads
        assert words(support.of(aired, {})) == reads
    support.move(state_of([]))
    assert support.of(aired, {}) is None


@pytest.mark.parametrize(
    ("text", "env", "want", "names"),
    [
        # The box is wet now; the can may become so; the pot stays painted.
        ("wet(x)", {}, True, "box can"),
        ("wet(x)", {}, False, "robot can pot"),
        ("painted(x)", {}, True, "can pot"),
        ("painted(x)", {}, False, "robot box can"),
        ("wet(x) and painted(x)", {}, True, "can"),
        ("wet(x) or painted(x)", {}, True, "box can pot"),
        ("wet(x) or painted(x)", {}, False, "robot can"),
        ("x = y", {"y": 3}, True, "pot"),
        ("y = x", {"y": 2}, True, "can"),
        ("not x = y", {"y": 2}, False, "can"),
        ("not x = y", {"y": 2}, True, "all"),
        ("x = y", {}, True, "all"),
        ("in(x, y)", {"y": 3}, True, "box"),
        ("in(y, x)", {"y": 1}, True, "pot"),
        ("in(x, y)", {"y": 1}, True, "can"),
        ("in(y, x)", {"y": 2}, True, "box"),
        ("in(x, y)", {}, True, "all"),
        ("in(x, x)", {}, True, "all"),
        ("in(x, y)", {"y": 3}, False, "robot can pot"),
        ("in(x, y)", {"y": 1}, False, "robot box can pot"),
        ("in(x, pot)", {}, True, "box"),
        ("nested(x, y)", {"y": 3}, True, "all"),
        ("nested(x, y)", {"y": 3}, False, "all"),
        ("aired()", {}, True, "all"),
        ("lit()", {}, True, "all"),
        ("lit() and wet(x)", {}, True, "box can"),
        ("lit() or wet(x)", {}, True, "all"),
    ],
)
def test_objects_for_which_a_condition_may_be_as_wanted(
    text: str, env: dict[str, int], want: bool, names: str
) -> None:
    y = Variable("y", ("thing",))
    given = {"x": X, "y": y}
    condition = (
        parse_formula(f"exists x - thing, y - thing. ({text})", vocabulary=NAMES)
        .operands[0]
        .substitute(given)
    )
    now, volatile = (
        ["wet box", "painted pot", "in box pot"],
        ["wet can", "painted can", "in can box"],
    )
    support = Support(WORLD, state_of(now), state_of(volatile))
    found = support.objects(condition, "x", env, want)
    every = tuple(OBJECTS)
    if names == "all":
        assert found == -1
    else:
        assert [name for i, name in enumerate(every) if found >> i & 1] == names.split()


def taken(start: State, plan: str) -> list[Taken]:
    """The steps of a plan, ``"open_door; put can box"``; what cannot be done is passed over."""
    state, steps = start.begin(), []
    for name, *arguments in (part.split() for part in plan.split(";")):
        numbers = WORLD.numbers(state, name, ("robot", *arguments))
        is_done = WORLD.first_failure(state, name, numbers) < 0
        changes = WORLD.apply(state, name, numbers) if is_done else None
        steps.append(Taken(Action(name, tuple(arguments)), numbers, changes))
    return steps


WASHED = """soak box; open_door; dry; paint can; soak can; slam; slam"""
MOVED = """take can box; put can pot; open_door; open_door; close_door; dry; put box can"""


@pytest.mark.parametrize(
    ("initially", "plan", "needs", "rests_on"),
    [
        (
            ["in can box"],
            WASHED,
            [[], ["not door_open"], [], ["not wet can", "door_open"], [], [], []],
            [[], [], [], [1, 2], [], [], []],
        ),
        (
            ["wet box", "in can box"],
            MOVED,
            [
                ["in can box"],
                ["not in can box", "not in can pot"],
                ["not door_open"],
                ["door_open"],  # it is passed over, since the door is open
                ["door_open"],
                ["not door_open"],  # else the box would be dry
                ["not in can box", "not in box can"],
            ],
            [[], [0], [], [2], [2], [2, 4], [0]],
        ),
        (["lit"], "press; press; look", [[], [], ["lit"]], [[], [], [0, 1]]),
    ],
)
def test_every_step_says_what_it_needs(
    initially: list[str], plan: str, needs: list[list[str]], rests_on: list[list[int]]
) -> None:
    start = state_of(initially)
    links = Links(WORLD, start, taken(start, plan))
    places = range(links.end)
    assert [words(links.needs(place)) for place in places] == list(map(set, needs))
    steps = [sorted(links.rests_on([(links.needs(place), place)])) for place in places]
    assert steps == rests_on


@pytest.mark.parametrize(
    ("initially", "plan", "order"),
    [
        (
            ["in can box"],
            WASHED,
            {(0, 2), (1, 2), (1, 3), (2, 3), (2, 5), (2, 6), (3, 4), (3, 5), (3, 6)},
        ),
        (["wet box", "in can box"], MOVED, {(0, 1), (0, 6), (2, 3), (2, 4), (3, 4), (4, 5)}),
        (["lit"], "press; press; look", {(0, 1), (1, 2)}),
    ],
)
def test_steps_keep_the_order_that_their_links_ask_for(
    initially: list[str], plan: str, order: set[tuple[int, int]]
) -> None:
    start = state_of(initially)
    assert Links(WORLD, start, taken(start, plan)).order([]) == order


@pytest.mark.parametrize(
    ("plan", "action", "against", "rests_on"),
    [
        (MOVED, "look", [], []),
        (MOVED, "paint box", ["not door_open"], [2, 4]),
        # It is in the can already, so nothing has to be done; and something is in the way.
        (MOVED, "put box pot", ["in box can"], [0, 6]),
        (MOVED, "close_door", ["not door_open"], [2, 4]),
        (MOVED, "take can box", ["not in can box"], [0]),
        (MOVED, "take pot can", [], []),
        ("open_door; soak box", "paint box", ["wet box", "door_open"], [0, 1]),
    ],
)
def test_what_keeps_an_action_from_being_done_at_the_end(
    plan: str, action: str, against: list[str], rests_on: list[int]
) -> None:
    start = state_of(["in can box"])
    links = Links(WORLD, start, taken(start, plan))
    name, *arguments = action.split()
    reads = links.failed(name, WORLD.numbers(start, name, ("robot", *arguments)))
    assert words(reads) == set(against)
    assert sorted(links.rests_on([(reads, links.end)])) == rests_on


def test_what_made_a_literal_so() -> None:
    start = state_of(["lit"])
    links = Links(WORLD, start, taken(start, "press; look; press; press"))
    reads = links.support(0).of(formula("lit()"), {})
    assert reads is not None
    (lit,) = reads
    assert [links.makers(lit, place) for place in range(5)] == [(None,), (0,), (0,), (2,), (3,)]
    assert links.rests_on([]) == frozenset()


ALARM = World(
    parse_domain("""(define (domain alarm) (:requirements :adl :derived-predicates :numeric-fluents)
      (:predicates (high) (alarm) (loud) (on)) (:functions (level))
      (:derived (high) (> (level) 3))
      (:derived (alarm) (or (high) (loud)))
      (:derived (loud) (and (alarm) (on)))
      (:action fill :parameters () :effect (and (on) (assign (level) 5))))""")
)


@pytest.mark.parametrize(
    ("name", "numbers", "facts"),
    [("high", 1, 0), ("alarm", 1, 1), ("loud", 1, 1), ("on", 0, 1)],
)
def test_a_derived_atom_without_a_value_stays_as_it_is_with_all_that_its_rules_read(
    name: str, numbers: int, facts: int
) -> None:
    state = ALARM.state({}, [])
    level = (ALARM.layout.functions["level"],)
    support = Support(ALARM, state, ALARM.state({}, [Atom("on")]), frozenset([level]))
    support.move(state)
    reads = support.as_it_is(Atom(name), {})
    bounds = [each for each in reads if isinstance(each, Bound)]
    assert bounds == [Bound(level, "=", None)] * numbers
    literals = [each for each in reads if not isinstance(each, Bound)]
    assert literals == [(ALARM.layout.index["on"], (), False)] * facts


METER_DOMAIN = parse_domain("""(define (domain meter) (:requirements :adl :numeric-fluents)
      (:predicates (on) (wet) (dry) (full ?x)) (:functions (level))
      (:action fill :parameters () :effect (and (on) (assign (level) 5))))""")
METER = World(METER_DOMAIN)


@pytest.mark.parametrize(
    ("spared", "now", "reads"),
    [
        # The comparison has no value; the other parts decide, and have to go on doing so.
        ("(and (wet) (> (level) 3))", [], {"not wet"}),
        ("(and (> (level) 3) (wet))", [], {"not wet"}),
        ("(and (wet) (dry) (> (level) 3))", [], {"not wet", "not dry"}),
        ("(or (wet) (and (dry) (> (level) 3)))", [], {"not wet", "not dry"}),
        ("(imply (wet) (> (level) 3))", [], {"not wet"}),
        ("(not (or (wet) (> (level) 3)))", ["wet"], {"wet"}),
        ("(exists (?x) (and (full ?x) (> (level) 3)))", [], {"not full a", "not full b"}),
        ("(forall (?x) (or (full ?x) (> (level) 3)))", ["full a", "full b"], {"full a", "full b"}),
    ],
)
def test_what_spares_a_comparison_without_a_value_stays_as_it_is(
    spared: str, now: list[str], reads: set[str]
) -> None:
    objects = {"a": "object", "b": "object"}
    level = (METER.layout.functions["level"],)

    def state_with(*facts: str) -> State:
        atoms = [Atom(name, tuple(rest)) for name, *rest in map(str.split, facts)]
        return METER.state(objects, atoms)

    problem = (
        f"(define (problem p) (:domain meter) (:objects a b) (:init) (:goal (or (on) {spared})))"
    )
    tested = parse_problem(problem, domain=METER_DOMAIN).goal
    state = state_with("on", *now)
    volatile = state_with("on", "wet", "dry", "full a", "full b")
    support = Support(METER, state, volatile, frozenset([level]))
    support.move(state)
    requirements = support.of(tested, {})
    assert requirements is not None
    assert Bound(level, "=", None) in requirements
    found = set()
    for requirement in requirements:
        if isinstance(requirement, Bound):
            continue
        p, numbers, value = requirement
        text = " ".join([METER.layout.names[p], *("ab"[number] for number in numbers)])
        found.add(text if value else f"not {text}")
    assert found == {"on", *reads}


def test_a_condition_without_numbers_asks_for_nothing_more() -> None:
    level = (METER.layout.functions["level"],)
    state = METER.state({}, [Atom("on")])
    support = Support(METER, state, METER.state({}, [Atom("on"), Atom("wet")]), frozenset([level]))
    support.move(state)
    either = Or((Atom("on"), Atom("wet")))
    assert support.of(either, {}) == frozenset([(METER.layout.index["on"], (), True)])


RULES = World(
    parse_domain("""(define (domain rules) (:requirements :adl :derived-predicates)
      (:types thing place) (:predicates (wet ?x) (hot ?x) (on ?x ?y) (odd ?x) (both ?x)
        (over ?x ?y) (held ?x - thing))
      (:derived (odd ?x) (wet ?x))
      (:derived (odd ?x) (hot ?x))
      (:derived (both ?x) (and (odd ?x) (hot ?x)))
      (:derived (over ?x ?y) (and (on ?x ?y) (wet ?x)))
      (:derived (held ?x - thing) (hot ?x))
      (:action soak :parameters (?x) :effect (wet ?x)))""")
)


@pytest.mark.parametrize(
    ("atom", "want", "names"),
    [
        # "a" is wet now, "b" is hot now, "c" may become wet and "d" hot.
        (("odd", "x"), True, "abcd"),
        (("odd", "x"), False, "cde"),
        (("both", "x"), True, "bd"),
        (("both", "x"), False, "acde"),
        (("over", "x", "b"), True, "a"),
        (("over", "a", "x"), True, "b"),
        (("over", "x", "b"), False, "bcde"),
        # Of the things of a type nothing is told for those that are not derived.
        (("held", "x"), True, "bd"),
        (("held", "x"), False, "all"),
    ],
)
def test_objects_of_a_derived_atom_are_those_of_its_rules(
    atom: tuple[str, ...], want: bool, names: str
) -> None:
    def state_with(*facts: str) -> State:
        atoms = [Atom(name, tuple(rest)) for name, *rest in map(str.split, facts)]
        return RULES.state(dict.fromkeys("abcde", "thing"), atoms)

    now, volatile = state_with("wet a", "hot b", "on a b"), state_with("wet c", "hot d")
    x = Variable("x")
    predicate, *terms = atom
    tested = Atom(predicate, tuple(x if term == "x" else term for term in terms))
    found = Support(RULES, now, volatile).objects(tested, "x", {}, want)
    if names == "all":
        assert found == -1
    else:
        assert "".join(name for i, name in enumerate("abcde") if found >> i & 1) == names


@pytest.mark.parametrize(
    "asked", [("box", "can"), ("can", "box"), ("can", "box", "pot"), ("pot", "can", "box")]
)
def test_supports_in_a_circle_are_those_of_each_alone(asked: tuple[str, ...]) -> None:
    # The absence of each depends on that of the other, which is cut short inside of it.
    now = ["in box can", "in can box", "in pot box"]
    shared = Support(WORLD, state_of(now), state_of(FACTS))
    shared.move(state_of(now))
    for name in asked:
        condition = Not(Atom("nested", (name, "pot")))
        assert words(shared.of(condition, {}, True)) == support_of(condition, now)
