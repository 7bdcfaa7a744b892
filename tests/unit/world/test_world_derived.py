from __future__ import annotations

import pytest

from eai.errors import InputError, UnknownNameError
from eai.logic import Atom, Count, Exists, Not, Variable
from eai.pddl import Axiom, Domain, Predicate, parse_condition, parse_domain
from eai.world import State, World

HEAD = """(define (domain d) (:requirements :adl :derived-predicates)
    (:types cup plate - object)
    (:predicates (clean ?x) (on ?x ?y) (wet ?x) (dark)
      (ready ?x) (above ?x ?y) (level ?x ?y) (spare ?x) (even ?x) (odd ?x) (blocked) (free ?x)
      (linked ?x ?y ?z))
"""
OBJECTS = {"a": "cup", "b": "cup", "c": "plate", "d": "plate"}
TOWER = [Atom("on", ("a", "b")), Atom("on", ("b", "c"))]


def scene(rules: str, *facts: Atom) -> tuple[World, State]:
    world = World(parse_domain(f"{HEAD}{rules})"))
    return world, world.state(OBJECTS, facts)


def extension(world: World, state: State, predicate: str) -> set[str]:
    """The objects that have a derived property."""
    return {name for name in OBJECTS if world.holds(state, Atom(predicate, (name,)))}


def test_a_derived_property_holds_where_its_body_does() -> None:
    rules = "(:derived (ready ?x) (and (clean ?x) (not (wet ?x))))"
    world, state = scene(rules, Atom("clean", ("a",)), Atom("clean", ("b",)), Atom("wet", ("b",)))
    assert extension(world, state, "ready") == {"a"}
    assert world.holds(state, parse_condition("(exists (?x) (ready ?x))"))
    assert not world.holds(state, parse_condition("(exists (?x - plate) (ready ?x))"))


def test_several_rules_are_alternatives() -> None:
    rules = "(:derived (ready ?x) (clean ?x)) (:derived (ready ?y) (exists (?x) (on ?x ?y)))"
    world, state = scene(rules, *TOWER, Atom("clean", ("d",)))
    assert extension(world, state, "ready") == {"b", "c", "d"}


def test_the_types_of_a_head_restrict_it() -> None:
    world, state = scene("(:derived (ready ?x - cup) (not (clean ?x)))", Atom("clean", ("a",)))
    assert extension(world, state, "ready") == {"b"}
    assert world.holds(state, parse_condition("(forall (?x - plate) (not (ready ?x)))"))


def test_a_derived_relation_is_found_from_both_sides() -> None:
    rules = "(:derived (level ?x ?y) (exists (?z) (and (on ?x ?z) (on ?y ?z))))"
    world, state = scene(rules, Atom("on", ("a", "c")), Atom("on", ("b", "c")))
    for text in ("(exists (?x) (and (level ?x b) (not (= ?x b))))", "(exists (?x) (level a ?x))"):
        assert world.holds(state, parse_condition(text))
    assert not world.holds(state, parse_condition("(exists (?x) (level ?x c))"))


def test_variables_of_a_rule_are_its_own() -> None:
    # the names of the rule's variables are those of the condition, the other way round
    rules = "(:derived (level ?y ?x) (exists (?z) (and (on ?y ?z) (on ?z ?x))))"
    world, state = scene(rules, *TOWER)
    assert world.holds(state, parse_condition("(exists (?x ?y) (and (level ?x ?y) (on b ?y)))"))
    assert not world.holds(state, parse_condition("(exists (?x) (level ?x ?x))"))


def test_a_derived_predicate_without_arguments() -> None:
    world, state = scene("(:derived (blocked) (exists (?x) (wet ?x)))", Atom("wet", ("a",)))
    assert world.holds(state, Atom("blocked"))
    state.remove("wet", ("a",))
    assert not world.holds(state, Atom("blocked"))


ABOVE = """(:derived (above ?x ?y)
    (or (on ?x ?y) (exists (?z) (and (on ?x ?z) (above ?z ?y)))))"""


def test_recursion_reaches_the_least_fixed_point() -> None:
    world, state = scene(ABOVE, *TOWER, Atom("on", ("d", "d")))
    pairs = {(x, y) for x in OBJECTS for y in OBJECTS if world.holds(state, Atom("above", (x, y)))}
    assert pairs == {("a", "b"), ("a", "c"), ("b", "c"), ("d", "d")}


def test_recursive_predicates_follow_the_state() -> None:
    world, state = scene(ABOVE, *TOWER)
    question = parse_condition("(above a c)")
    assert world.holds(state, question)
    copied = state.copy()
    state.remove("on", ("b", "c"))
    assert not world.holds(state, question)
    assert world.holds(copied, question)
    p = world.layout.index["on"]
    state.write(p, 0, 1, 0b0100, True)
    assert world.holds(state, question)


def test_recursive_predicates_are_quantified_and_counted() -> None:
    world, state = scene(ABOVE, *TOWER)
    assert world.holds(state, parse_condition("(exists (?x) (forall (?y - plate) (or (above ?x ?y)"
                                              " (= ?y d))))"))  # fmt: skip
    x = Variable("x")
    assert world.holds(state, Count(2, x, Atom("above", (x, "c"))))
    assert world.holds(state, Count(2, x, Atom("above", ("a", x))))


def test_predicates_that_recur_through_each_other() -> None:
    rules = """
      (:derived (even ?x) (not (exists (?y) (on ?x ?y))))
      (:derived (even ?x) (exists (?y) (and (on ?x ?y) (odd ?y))))
      (:derived (odd ?x) (exists (?y) (and (on ?x ?y) (even ?y))))"""
    world, state = scene(rules, *TOWER)
    assert extension(world, state, "even") == {"a", "c", "d"}
    assert extension(world, state, "odd") == {"b"}


def test_recursion_with_three_arguments_and_with_none() -> None:
    rules = """
      (:derived (linked ?x ?y ?z) (or (and (on ?x ?y) (on ?y ?z)) (linked ?y ?z ?x)))
      (:derived (blocked) (or (exists (?x) (linked ?x ?x ?x)) (blocked)))"""
    world, state = scene(rules, *TOWER)
    for terms in (("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")):
        assert world.holds(state, Atom("linked", terms))
    assert not world.holds(state, Atom("linked", ("a", "c", "b")))
    assert not world.holds(state, Atom("blocked"))
    state.add("on", ("d", "d"))
    assert world.holds(state, Atom("blocked"))


@pytest.mark.parametrize(("lower", "upper"), [("even", "odd"), ("odd", "even")])
def test_negation_waits_for_the_lower_recursion_to_end(lower: str, upper: str) -> None:
    # "lower" is all that is under a; "upper" needs an object that is not: whatever the names are
    rules = f"""
      (:derived ({lower} ?x) (or (= ?x a) (exists (?y) (and ({lower} ?y) (on ?y ?x)))))
      (:derived ({upper} ?x) (or (not ({lower} ?x)) (exists (?y) (and ({upper} ?y) (on ?y ?x)))))"""
    domain = parse_domain(f"{HEAD}{rules})".replace("(= ?x a)", "(clean ?x)"))
    world = World(domain)
    state = world.state(OBJECTS, [*TOWER, Atom("clean", ("a",))])
    assert extension(world, state, lower) == {"a", "b", "c"}
    assert extension(world, state.copy(), upper) == {"d"}


def test_a_double_negation_is_no_negation() -> None:
    rules = """(:derived (ready ?x)
      (or (clean ?x) (not (not (exists (?y) (and (on ?x ?y) (ready ?y)))))))"""
    world, state = scene(rules, *TOWER, Atom("clean", ("c",)))
    assert extension(world, state, "ready") == {"a", "b", "c"}


X, Y = Variable("x"), Variable("y")


def rules(*axioms: Axiom) -> Domain:
    names = {axiom.head.predicate: Predicate(axiom.head.predicate, (X,)) for axiom in axioms}
    return Domain("d", predicates={**names, "on": Predicate("on", (X, Y))}, axioms=axioms)


P, Q = Atom("p", (X,)), Atom("q", (X,))


@pytest.mark.parametrize(
    "axioms",
    [
        (Axiom(P, Not(P)),),
        (Axiom(P, Not(Q)), Axiom(Q, P)),
        (Axiom(P, Q), Axiom(Q, Exists((Y,), Not(Atom("p", (Y,)))))),
        (Axiom(P, P >> Atom("on", (X, X))),),
        (Axiom(P, Count(1, Y, Atom("p", (Y,)))),),
    ],
)
def test_a_predicate_that_depends_on_its_own_negation_is_refused(axioms: tuple[Axiom, ...]) -> None:
    with pytest.raises(InputError, match="depends on its own negation, through"):
        World(rules(*axioms))


@pytest.mark.parametrize("head", [Atom("p", ("a",)), Atom("p", (X, X))])
def test_the_head_of_a_rule_has_different_variables(head: Atom) -> None:
    with pytest.raises(InputError, match="the head of a rule for 'p'"):
        World(rules(Axiom(head, Atom("on", (X, X)))))


# ---------------------------------------------------------------------- computed predicates


def first_below(state: State, x: int) -> int:
    """A relation that PDDL cannot say: the object with the smallest number that x is on."""
    row = state.rows[state.layout.index["on"]][x]
    return row & -row


def test_a_computed_predicate_takes_the_place_of_its_rules() -> None:
    domain = parse_domain(f"{HEAD}(:derived (level ?x ?y) (on ?x ?y)))")
    world = World(domain, computed={"level": first_below})
    state = world.state(OBJECTS, [Atom("on", ("a", "b")), Atom("on", ("a", "c"))])
    assert world.holds(state, Atom("level", ("a", "b")))
    assert not world.holds(state, Atom("level", ("a", "c")))
    for text in ("(exists (?y) (level a ?y))", "(exists (?x) (level ?x b))"):
        assert world.holds(state, parse_condition(text))
    assert not world.holds(state, parse_condition("(exists (?x) (level ?x c))"))


def test_a_computed_predicate_breaks_a_recursion() -> None:
    domain = parse_domain(f"{HEAD}(:derived (ready ?x) (free ?x)) (:derived (free ?x) (ready ?x)))")
    world = World(domain, computed={"free": lambda _state: 0b10})
    assert extension(world, world.state(OBJECTS, []), "ready") == {"b"}


def test_a_computed_predicate_can_be_without_arguments() -> None:
    world = World(parse_domain(f"{HEAD})"), computed={"blocked": lambda _state: 1})
    state = world.state(OBJECTS, [])
    assert world.holds(state, Atom("blocked"))
    assert not world.holds(state, Not(Atom("blocked")))


def test_a_computed_predicate_must_be_declared() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'blocked'"):
        World(parse_domain(f"{HEAD})"), computed={"block": lambda _state: 1})
