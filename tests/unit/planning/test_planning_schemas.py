"""Grounded schemas against the lifted ones: conditions, effects, and costs, binding by binding."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from random import Random

import pytest

from eai.errors import InputError
from eai.logic import (
    And,
    Atom,
    Count,
    Counting,
    Equal,
    Exists,
    Forall,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Variable,
    Xor,
)
from eai.pddl import TOTAL_COST, AndEffect, CostEffect, Domain, Operator, parse_domain
from eai.planning.conditions import IMPOSSIBLE, NOTHING, Condition, holds
from eai.planning.lifting import Lifter, Vocabulary, bindings
from eai.planning.schemas import actions_of, instances
from eai.planning.task import GroundAction
from eai.world import Action, State, World

TEXT = """
(define (domain towns)
  (:requirements :adl :action-costs)
  (:types town truck - object city - town)
  (:constants hub - city x - truck)
  (:predicates (road ?a ?b - town) (toll ?a ?b ?c - town) (big ?a - town)
    (at ?t - truck ?p - town) (seen ?p - town) (open) (paid ?t - truck) (met ?a ?b - town))
  (:functions (total-cost) (way ?a ?b - town) (fee))
  (:action go :parameters (?t - truck ?a ?b - town)
    :precondition (and (at ?t ?a) (road ?a ?b) (not (= ?a ?b)))
    :effect (and (at ?t ?b) (not (at ?t ?a)) (increase (total-cost) (way ?a ?b))))
  (:action toll :parameters (?t - truck ?a ?b ?c - town)
    :precondition (and (at ?t ?a) (toll ?a ?b ?c) (or (open) (paid ?t) (big ?c)))
    :effect (and (when (open) (seen ?b)) (when (not (big ?a)) (not (paid ?t)))
      (when (big ?c) (at ?t ?c)) (increase (total-cost) 2) (increase (total-cost) (fee))))
  (:action look :parameters (?a - town)
    :precondition (and (exists (?t - truck) (at ?t ?a)) (forall (?b - city) (not (seen ?b))))
    :effect (and (seen ?a)
      (forall (?b - town) (when (road ?a ?b) (seen ?b)))
      (forall (?b - town) (when (and (big ?b) (open)) (not (seen ?b))))))
  (:action meet :parameters (?a - town)
    :precondition (imply (open) (seen ?a))
    :effect (and (forall (?b ?c - town) (met ?b ?c))
      (forall (?b - town) (when (seen ?b) (not (met ?a ?b))))
      (forall (?b ?c - town) (when (at x ?b) (and (met ?c ?b) (not (met ?b ?a)))))))
  (:action ring :parameters () :precondition (not (open)) :effect (open))
  (:action visit :parameters (?c - city ?t - truck)
    :precondition (and (not (at ?t hub)) (road hub ?c) (seen ?c))
    :effect (and (at ?t ?c) (when (seen hub) (increase (total-cost) (way hub ?c)))))
  (:action pay :parameters (?t - truck ?a ?b - town)
    :precondition (and (road ?a ?b) (road ?b ?a) (at ?t ?a))
    :effect (and (paid ?t) (forall (?c - town) (when (seen ?c) (increase (total-cost) 3))))))
"""
OBJECTS = {"hub": "city", "c": "city", "a": "town", "b": "town", "x": "truck", "y": "truck"}
TOWNS = ("hub", "c", "a", "b")
ROADS = [("a", "b"), ("b", "a"), ("b", "c"), ("hub", "c"), ("hub", "hub"), ("c", "c"), ("c", "a")]
STATIC = [Atom("road", pair) for pair in ROADS]
STATIC += [Atom("toll", three) for three in (("a", "b", "c"), ("b", "c", "hub"), ("a", "a", "a"))]
STATIC += [Atom("big", ("c",)), Atom("big", ("b",))]
FLUENTS = frozenset({"at", "seen", "open", "paid", "met"})
VALUES = {Atom("way", pair): float(i + 1) for i, pair in enumerate(ROADS) if pair != ("b", "c")}
VALUES[Atom("fee")] = 5.0


def atoms_of(domain: Domain) -> list[Atom]:
    """All atoms that may change."""
    of_type = {
        kind: [n for n, t in OBJECTS.items() if kind in {t, domain.types.get(t, "object")}]
        for kind in ("city", "town", "truck")
    }
    return [
        Atom(name, names)
        for name in sorted(FLUENTS)
        for names in product(*(of_type[v.types[0]] for v in domain.predicates[name].parameters))
    ]


DOMAIN = parse_domain(TEXT)
WORLD = World(DOMAIN)
CHANGING = atoms_of(DOMAIN)


def vocabulary_of(counted: list[int] | None = None) -> Vocabulary:
    return Vocabulary(
        OBJECTS,
        DOMAIN.types,
        fluents=FLUENTS,
        facts=STATIC,
        count=(counted if counted is not None else []).append,
    )


def state_of(atoms: list[Atom]) -> State:
    here = {name: kind for name, kind in OBJECTS.items() if name not in DOMAIN.constants}
    return WORLD.state(here, [*STATIC, *atoms])


def mask_of(vocabulary: Vocabulary, true: set[Atom]) -> int:
    """The literals that hold, as planning numbers them."""
    atoms = [Atom(name, arguments) for name, arguments in vocabulary.atoms]
    return sum(1 << 2 * i + (atom not in true) for i, atom in enumerate(atoms))


def grounded(
    operator: Operator, vocabulary: Vocabulary, *, minimize: bool = True
) -> list[GroundAction]:
    return list(
        actions_of(
            operator, vocabulary, values=VALUES, minimize=minimize, count_actions=lambda _: None
        )
    )


def states(seed: str, number: int) -> list[list[Atom]]:
    random = Random(seed)
    return [
        [atom for atom in CHANGING if random.random() < share]
        for share in (0.15, 0.5, 0.85)
        for _ in range(number)
    ]


@pytest.mark.parametrize("name", DOMAIN.operators)
def test_a_ground_action_does_what_its_schema_does(name: str) -> None:
    operator, vocabulary = DOMAIN.operators[name], vocabulary_of()
    ranges = [vocabulary.objects(v.types) for v in operator.parameters]
    actions = {each.action.arguments: each for each in grounded(operator, vocabulary)}
    applied = 0
    for atoms in states(name, 6):
        state, true = state_of(atoms), set(atoms)
        before = mask_of(vocabulary, true)
        for names in product(*ranges):
            numbers = WORLD.numbers(state, name, names)
            possible = WORLD.first_failure(state, name, numbers) < 0
            found = actions.get(names)
            if found is None:
                # An action whose cost is undefined is left out as well.
                assert not possible or name in {"go", "visit"}
                continue
            assert holds(found.condition, before) is possible or name == "visit"
            if not possible:
                continue
            applied += 1
            after = state.copy()
            WORLD.apply(after, name, numbers)
            changed = found.effect
            for condition, literals in found.conditional:
                changed |= literals if holds(condition, before) else 0
            for i, (predicate, arguments) in enumerate(vocabulary.atoms):
                atom = Atom(predicate, arguments)
                value = atom in true
                if changed >> 2 * i & 1:
                    value = True
                elif changed >> 2 * i + 1 & 1:
                    value = False
                assert value is (atom in set(after.atoms())), (names, atom)
    assert applied


@pytest.mark.parametrize("name", DOMAIN.operators)
def test_actions_that_static_facts_forbid_are_not_made(name: str) -> None:
    """They are in the order in which objects are given, and what is left can be done somewhere."""
    operator = DOMAIN.operators[name]
    vocabulary = vocabulary_of()
    found = [each.action.arguments for each in grounded(operator, vocabulary)]
    arguments: dict[str, list[tuple[str, ...]]] = {
        "go": [("x", *p) for p in ROADS if p[0] != p[1] and p != ("b", "c")],
        "toll": [("x", "a", "b", "c"), ("x", "b", "c", "hub"), ("x", "a", "a", "a")],
        "look": [(a,) for a in TOWNS],
        "meet": [(a,) for a in TOWNS],
        "ring": [()],
        "visit": [("hub", "x"), ("c", "x")],
        "pay": [("x", "a", "b"), ("x", "b", "a"), ("x", "hub", "hub"), ("x", "c", "c")],
    }
    expected = arguments[name]
    if any(v.types == ("truck",) for v in operator.parameters):
        expected += [tuple("y" if n == "x" else n for n in names) for names in expected]
    assert len(found) == len(set(found))
    assert set(found) == set(expected)
    every = [tuple(each[: len(operator.parameters)]) for each in instances(operator, vocabulary)]
    assert set(every) >= set(found)


def cost(name: str, arguments: tuple[str, ...], true: set[Atom]) -> float:
    """What an action costs, as its schema says."""
    if name == "go":
        return VALUES[Atom("way", arguments[1:])]
    if name == "toll":
        return 7.0
    if name == "visit":
        way = Atom("way", ("hub", arguments[0]))
        return VALUES[way] if Atom("seen", ("hub",)) in true else 0.0
    if name == "pay":
        return 3.0 * sum(Atom("seen", (town,)) in true for town in TOWNS)
    return 0.0


@pytest.mark.parametrize("name", DOMAIN.operators)
def test_a_ground_action_costs_what_its_schema_adds_up(name: str) -> None:
    vocabulary = vocabulary_of()
    for action in grounded(DOMAIN.operators[name], vocabulary):
        for atoms in states(name, 4):
            before = mask_of(vocabulary, set(atoms))
            assert action.cost_in(before) == cost(name, action.action.arguments, set(atoms))
    for action in grounded(DOMAIN.operators[name], vocabulary, minimize=False):
        assert (action.cost, action.conditional_costs) == (1.0, ())


def test_a_cost_that_is_undefined_forbids_the_action_while_it_arises() -> None:
    """The way from the hub to a city has no value here."""
    vocabulary = vocabulary_of()
    visit = DOMAIN.operators["visit"]
    known = {atom: value for atom, value in VALUES.items() if atom.terms != ("hub", "c")}
    made = {
        each.action.arguments[0]: each
        for each in actions_of(
            visit, vocabulary, values=known, minimize=True, count_actions=lambda _: None
        )
    }
    assert set(made) == {"hub", "c"}
    seen, place = Atom("seen", ("hub",)), Atom("seen", ("c",))
    for name, true, possible in (
        ("hub", {seen}, True),
        ("c", {place}, True),
        ("c", {place, seen}, False),
        ("hub", set[Atom](), False),
    ):
        assert holds(made[name].condition, mask_of(vocabulary, true)) is possible
    assert made["c"].cost_in(mask_of(vocabulary, {place})) == 0.0


def test_bindings_are_counted_before_they_are_made() -> None:
    counted: list[int] = []
    binding = [""] * 4
    every = bindings(binding, [1, 3], [("a", "b"), ("c", "d", "e")], counted.append)
    assert counted == []
    first = next(every)
    assert first is None
    assert counted == [12]
    seen = [tuple(binding), *(tuple(binding) for _ in every)]
    assert seen == [("", one, "", other) for one in "ab" for other in "cde"]
    assert counted == [12]
    for ranges, alike, number in (
        ([("a", "b")] * 2, True, 3 * 2),
        ([("a",) * 3] * 3, True, 10 * 3),
    ):
        counted.clear()
        places = list(range(len(ranges)))
        made = list(bindings(binding, places, ranges, counted.append, is_unordered=alike))
        assert counted == [number]
        assert len(made) * len(places) == number
    counted.clear()
    assert len(list(bindings(binding, [], [], counted.append))) == 1
    assert counted == [1]
    # The clock is looked at every 1024 times.
    counted.clear()
    assert len(list(bindings(binding, [0, 1], [("a",) * 64] * 2, counted.append))) == 4096
    assert counted == [8192, 0, 0, 0, 0]


def counts(operator: Operator) -> tuple[list[int], list[int]]:
    actions: list[int] = []
    parts: list[int] = []
    made = actions_of(
        operator, vocabulary_of(parts), values=VALUES, minimize=True, count_actions=actions.append
    )
    list(made)
    return actions, parts


def test_actions_are_counted_from_the_level_on_from_which_nothing_narrows_them_down() -> None:
    assert counts(DOMAIN.operators["look"])[0] == [4]
    assert counts(DOMAIN.operators["ring"])[0] == [1]
    # Trucks come first, because there are fewer; then facts narrow the towns down.
    assert counts(DOMAIN.operators["toll"])[0] == [1] * 6
    assert counts(DOMAIN.operators["go"])[0] == [1] * 14
    assert counts(DOMAIN.operators["pay"])[0] == [1] * 8
    # Here a fact with a constant narrows the cities down, and every truck will do.
    assert counts(DOMAIN.operators["visit"])[0] == [2, 2]


def test_what_facts_restrict_is_bound_before_very_many_other_parameters() -> None:
    names = " ".join(f"?v{number}" for number in range(300))
    condition = "(and (big ?v299) (toll ?v299 ?v299 ?v299))"  # true of no town
    text = f"(:action tour :parameters ({names} - town) :precondition {condition} :effect (open))"
    tour = parse_domain(TEXT.rstrip().removesuffix(")") + text + ")").operators["tour"]
    actions, parts = counts(tour)
    assert actions == []
    assert sum(parts) < 1_000


def test_conditions_are_counted_by_their_size() -> None:
    """A budget means the same wherever a task is grounded."""
    assert counts(DOMAIN.operators["ring"])[1] == [4]
    assert counts(DOMAIN.operators["visit"])[1] == [2, 14, 2, 14, 2]
    assert counts(DOMAIN.operators["look"])[1] == [
        56,
        4,
        *[24, 32, 4, 0, 4, 0],
        *[24, 32, 4, 0] * 3,
    ]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("visit", ["hub x", "hub y", "c x", "c y"]),
        ("toll", ["x a a a", "x a b c", "x b c hub", "y a a a", "y a b c", "y b c hub"]),
        ("go", [f"{truck} {way}" for truck in "xy" for way in ("hub c", "c a", "a b", "b a")]),
    ],
)
def test_actions_are_in_the_order_in_which_objects_are_given(
    name: str, arguments: list[str]
) -> None:
    found = grounded(DOMAIN.operators[name], vocabulary_of())
    assert [" ".join(each.action.arguments) for each in found] == arguments


# ---------------------------------------------------------------------- conditions
X, Y = Variable("p", ("town",)), Variable("q", ("town",))
SEEN, BIG, ROAD = Atom("seen", (X,)), Atom("big", (X,)), Atom("road", (X, Y))
MET = Atom("met", (X, Y))


def every_count() -> list[Formula]:
    how: tuple[Counting, ...] = ("exactly", "at least", "at most")
    return [Count(n, X, body, each) for each in how for n in range(6) for body in (SEEN, BIG)]


CONDITIONS: list[Formula] = [
    *every_count(),
    Exists((X,), SEEN),
    Forall((X,), SEEN),
    Exists((X, Y), And((SEEN, Atom("seen", (Y,)), Not(Equal(X, Y))))),
    Forall((X, Y), Implies(ROAD, MET)),
    Exists((X, Y), And((ROAD, MET))),
    Exists((X,), And((BIG, Forall((Y,), Or((ROAD, MET)))))),
    Forall((X,), Exists((X,), SEEN)),
    Exists((X,), And((Exists((X,), BIG), SEEN))),
    Iff(Atom("open"), Exists((X,), SEEN)),
    Xor(Atom("open"), Exists((X,), SEEN)),
    Iff(Atom("big", ("c",)), Atom("open")),
    Xor(Atom("big", ("c",)), Atom("open")),
    Implies(Atom("open"), Atom("seen", ("a",))),
    Equal("a", "a"),
    Equal("a", "b"),
    Atom("road", ("a", "b")),
    Atom("road", ("b", "b")),
    Not(Or((Atom("open"), Atom("seen", ("a",))))),
]


@pytest.mark.parametrize("wanted", [True, False])
@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
def test_a_ground_condition_is_true_where_the_lifted_one_is(
    condition: Formula, wanted: bool
) -> None:
    vocabulary = vocabulary_of()
    lifter = Lifter(vocabulary)
    ground = lifter.condition(condition, wanted=wanted)
    found = ground(list(lifter.start))
    assert found == ground(list(lifter.start))
    for atoms in states(str(condition), 4):
        state = state_of(atoms)
        expected = WORLD.holds(state, condition) is wanted
        assert holds(found, mask_of(vocabulary, set(atoms))) is expected


def test_what_static_facts_decide_is_nothing_to_look_at() -> None:
    lifter = Lifter(vocabulary_of())

    def ground(condition: Formula, *, wanted: bool = True) -> Condition:
        return lifter.condition(condition, wanted=wanted)(list(lifter.start))

    road, other = Atom("road", ("a", "b")), Atom("road", ("b", "b"))
    for truth, condition in (
        (True, road),
        (False, other),
        (True, Or((other, road))),
        (False, And((road, other))),
        (True, Not(other)),
        (True, Exists((X,), BIG)),
        (False, Forall((X,), BIG)),
        (True, Count(2, X, BIG, "exactly")),
        (False, Count(3, X, BIG, "at least")),
        (True, Equal("a", "a")),
        (False, Equal("a", "b")),
        (False, Count(1, X, BIG, "at most")),
    ):
        assert ground(condition) == (NOTHING if truth else IMPOSSIBLE), condition
        assert ground(condition, wanted=False) == (IMPOSSIBLE if truth else NOTHING), condition


def test_at_least_some_is_a_choice_among_all_selections() -> None:
    vocabulary = vocabulary_of()
    lifter = Lifter(vocabulary)
    found = lifter.condition(Count(2, X, SEEN, "at least"))(list(lifter.start))
    assert len(found.choices) == 1
    literals = {name: 1 << 2 * i for i, (_, (name,)) in enumerate(vocabulary.atoms)}
    expected = {literals[one] | literals[other] for one, other in combinations(TOWNS, 2)}
    assert {each.every for each in found.choices[0]} == expected


@pytest.mark.parametrize(("number", "selections", "looks"), [(4, 715, 0), (6, 1716, 1)])
def test_selections_are_counted_before_they_are_made(
    number: int, selections: int, looks: int
) -> None:
    counted: list[int] = []
    names = [f"o{index}" for index in range(13)]
    vocabulary = Vocabulary(
        dict.fromkeys(names, "object"),
        {},
        fluents=frozenset({"lit"}),
        facts=[],
        count=counted.append,
    )
    lifter = Lifter(vocabulary)
    lamp = Variable("lamp")
    condition = lifter.condition(Count(number, lamp, Atom("lit", (lamp,)), "at least"))
    [choice] = condition(list(lifter.start)).choices
    assert len(choice) == selections
    # The clock is looked at every 1024 times.
    assert counted == [selections * number, *[0] * looks]


@pytest.mark.parametrize(
    ("types", "names"),
    [
        (("town",), TOWNS),
        (("city",), TOWNS[:2]),
        (("truck",), ("x", "y")),
        (("object",), tuple(OBJECTS)),
        (("truck", "city"), ("hub", "c", "x", "y")),
        (("town", "city"), TOWNS),
        (("ghost",), ()),
        (("ghost", "truck"), ("x", "y")),
    ],
)
def test_objects_are_those_of_a_type_and_of_the_types_below(
    types: tuple[str, ...], names: tuple[str, ...]
) -> None:
    assert vocabulary_of().objects(types) == names


def test_atoms_are_numbered_as_they_come_up() -> None:
    vocabulary = vocabulary_of()
    for predicate, arguments in (("seen", ("a",)), ("open", ()), ("at", ("x", "a"))):
        vocabulary.enter(predicate, arguments)
        vocabulary.enter(predicate, arguments)
    assert vocabulary.atoms == [("seen", ("a",)), ("open", ()), ("at", ("x", "a"))]
    assert vocabulary.tables == {
        "seen": {"a": 0},
        "open": {(): 2},
        "at": {("x", "a"): 4},
    }
    assert vocabulary.facts("seen") is None
    assert vocabulary.facts("big") == {("c",), ("b",)}
    assert vocabulary.facts("never") == set()


def test_an_action_does_not_add_the_total_cost_to_itself() -> None:
    ring = DOMAIN.operators["ring"]
    effect = AndEffect((ring.effect, CostEffect(TOTAL_COST)))
    with pytest.raises(InputError):
        grounded(replace(ring, effect=effect), vocabulary_of())


def test_ground_actions_carry_their_names() -> None:
    [ring] = grounded(DOMAIN.operators["ring"], vocabulary_of())
    assert ring.action == Action("ring")
    assert (ring.condition, ring.effect, ring.conditional) == (Condition(2), 1, ())
