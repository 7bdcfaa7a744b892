"""Effects in parts, conditions that rules settle, and pairs of objects."""

from __future__ import annotations

import pytest

from eai.errors import UnknownNameError
from eai.logic import FALSE, TRUE, And, Atom, Formula, ForPairs, Not, Or, Variable
from eai.pddl import parse_domain
from eai.world import World
from eai.world.compiler import Compiler

HEAD = """(define (domain d) (:requirements :adl :derived-predicates)
    (:predicates (at ?x) (wet ?x) (on ?x ?y) (between ?x ?y ?z) (nothing) (anyway) (open ?x)
                 (anything) (twice))
    (:derived (nothing) (or))
    (:derived (anyway) (and))
    (:derived (open ?x) (and))
    (:derived (anything) (exists (?x) (at ?x)))
    (:derived (twice) (anything))
    (:derived (twice) (and))"""


@pytest.mark.parametrize(
    ("effect", "positions"),
    [
        ("(at ?x)", [(0,)]),
        ("(and (at ?x) (wet ?y))", [(0,), (1,)]),
        ("(and (at ?x) (wet ?x))", [(0,)]),
        ("(and (not (at ?x)) (not (at ?y)) (not (wet ?x)))", [(0,), (1,)]),
        ("(and (not (at ?x)) (wet ?y))", [(0,), (1,)]),
        # Adding wins where both are about the same object, so they are not taken apart.
        ("(and (not (at ?x)) (at ?y))", [(0, 1, 2)]),
        ("(and (not (at ?x)) (at ?x))", [(0,)]),
        ("(and (not (at ?x)) (at ?x) (wet ?z))", [(0,), (2,)]),
        ("(and (not (at ?x)) (at ?x) (at ?z))", [(0, 1, 2)]),
        ("(and (forall (?o) (not (on ?x ?o))) (on ?x ?y))", [(0, 1, 2)]),
        ("(forall (?o) (when (on ?o ?z) (wet ?o)))", [(2,)]),
        ("(forall (?o) (wet ?o))", [()]),
        ("(and (when (nothing) (at ?x)) (when (anyway) (wet ?y)))", [(1,)]),
        ("(when (and (nothing) (at ?y)) (wet ?x))", []),
        ("(when (and (anyway) (at ?y)) (wet ?x))", [(0, 1)]),
        ("(and)", []),
    ],
)
def test_an_effect_is_taken_apart_by_the_arguments_that_it_depends_on(
    effect: str, positions: list[tuple[int, ...]]
) -> None:
    world = World(parse_domain(f"{HEAD} (:action a :parameters (?x ?y ?z) :effect {effect}))"))
    assert [numbers for numbers, _ in world.operator("a").effects] == positions


def test_adding_wins_over_deleting_in_each_direction() -> None:
    effects = {
        "row": "(and (forall (?o) (not (on ?x ?o))) (on ?x ?y))",
        "column": "(and (forall (?o) (not (on ?o ?y))) (on ?x ?y))",
        "both": "(and (forall (?o) (not (on ?o ?y))) (forall (?o) (on ?x ?o)))",
        "wide": "(and (forall (?o) (not (between ?x ?y ?o))) (between ?x ?y ?y))",
    }
    actions = " ".join(
        f"(:action {name} :parameters (?x ?y) :effect {effect})" for name, effect in effects.items()
    )
    world = World(parse_domain(f"{HEAD} {actions})"))
    pairs = [("a", "a"), ("a", "b"), ("b", "b"), ("c", "b")]
    start = world.state(
        dict.fromkeys("abc", "object"),
        [Atom("on", pair) for pair in pairs] + [Atom("between", ("a", "b", "c"))],
    )
    expected = {
        "row": {("a", "b"), ("b", "b"), ("c", "b")},
        "column": {("a", "a"), ("a", "b")},
        "both": {("a", "a"), ("a", "b"), ("a", "c")},
        "wide": set(pairs),
    }
    for name in effects:
        state = start.copy()
        world.apply(state, name, world.numbers(state, name, ("a", "b")))
        found = {atom.terms for atom in state.atoms() if atom.predicate == "on"}
        assert found == expected[name]
        wide = {atom.terms for atom in state.atoms() if atom.predicate == "between"}
        assert wide == {("a", "b", "b" if name == "wide" else "c")}
        assert world.changes(start, name, (0, 1))
        assert not world.changes(state, name, (0, 1))


X = Variable("x")
AT, WET = Atom("at", ("a",)), Atom("wet", ("a",))
NEVER, ALWAYS = Atom("nothing"), Atom("anyway")


@pytest.mark.parametrize(
    ("condition", "settled"),
    [
        (NEVER, FALSE),
        (ALWAYS, TRUE),
        (Not(NEVER), TRUE),
        (Not(ALWAYS), FALSE),
        (AT, AT),
        (Not(AT), Not(AT)),
        (Atom("anything"), Atom("anything")),
        (Atom("twice"), Atom("twice")),  # of several rules nothing is said
        (Atom("open", ("a",)), Atom("open", ("a",))),
        (And((AT, ALWAYS)), AT),
        (And((AT, NEVER)), FALSE),
        (Or((AT, ALWAYS)), TRUE),
        (Or((AT, NEVER)), AT),
        (Or((NEVER, Not(ALWAYS))), FALSE),
        (And((ALWAYS, Not(NEVER))), TRUE),
        (And((AT, Or((NEVER, WET)))), And((AT, WET))),
        (Or((Not(WET), And((ALWAYS, AT)))), Or((Not(WET), AT))),
    ],
)
def test_what_the_rules_of_a_domain_settle_is_put_in(condition: Formula, settled: Formula) -> None:
    world = World(parse_domain(f"{HEAD})"))
    assert Compiler(world.domain, world.layout).settled(condition) == settled


def test_no_object_is_a_pair_with_itself() -> None:
    world = World(parse_domain(f"{HEAD})"))
    first, second = Variable("f"), Variable("s")
    on = Atom("on", (first, second))
    loops = [Atom("on", (name, name)) for name in "abc"]
    one = [*loops, Atom("on", ("c", "b"))]
    for facts, pairs in ((loops, 0), (one, 1), ([*one, Atom("on", ("a", "b"))], 1)):
        state = world.state(dict.fromkeys("abc", "object"), facts)
        reached = [world.holds(state, ForPairs(first, second, on, number)) for number in (1, 2)]
        assert reached == [pairs >= 1, pairs >= 2]
        assert not world.holds(state, ForPairs(first, second, on))


def test_only_declared_predicates_can_be_computed() -> None:
    with pytest.raises(UnknownNameError, match="nowhere"):
        World(parse_domain(f"{HEAD})"), computed={"nowhere": lambda _state: 0})
