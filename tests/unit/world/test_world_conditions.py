"""Conditions, one connective at a time, in a home of four objects.

The cup is on the table, the plate is on the table, the table is in the kitchen; the cup is
clean; the table is between the kitchen and the cup.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from eai.errors import InputError, UnknownNameError
from eai.logic import (
    And,
    Atom,
    Count,
    Equal,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Iff,
    Implies,
    Not,
    Or,
    Then,
    Truth,
    Variable,
    Xor,
)
from eai.pddl import Domain, Operator, Predicate, parse_condition, parse_domain
from eai.world import State, Universe, World

DOMAIN = parse_domain("""(define (domain home)
    (:requirements :adl)
    (:types thing room - object cup - thing)
    (:constants kitchen - room)
    (:predicates (dark) (lit) (clean ?x) (big ?x) (on ?x ?y) (in ?x ?y) (between ?x ?y ?z)))""")
WORLD = World(DOMAIN)
OBJECTS = {"cup": "cup", "plate": "thing", "table": "thing", "kitchen": "room"}
FACTS = [
    Atom("lit"),
    Atom("clean", ("cup",)),
    Atom("big", ("table",)),
    Atom("on", ("cup", "table")),
    Atom("on", ("plate", "table")),
    Atom("in", ("table", "kitchen")),
    Atom("between", ("table", "kitchen", "cup")),
]
STATE = WORLD.state(OBJECTS, FACTS)


def holds(text: str, state: State = STATE) -> bool:
    return WORLD.holds(state, parse_condition(text))


LID, POT = Variable("l", ("lid",)), Variable("p", ("pot",))

TRUE_ONES = [
    "()",
    "(and)",
    "(lit)",
    "(not (dark))",
    "(clean cup)",
    "(on cup table)",
    "(between table kitchen cup)",
    "(in table kitchen)",
    "(= cup cup)",
    "(not (= cup plate))",
    "(and (lit) (clean cup) (not (clean plate)))",
    "(or (dark) (lit))",
    "(imply (dark) (clean plate))",
    "(imply (lit) (clean cup))",
]
FALSE_ONES = [
    "(or)",
    "(dark)",
    "(clean table)",
    "(on table cup)",
    "(between kitchen table cup)",
    "(not (lit))",
    "(= cup table)",
    "(and (lit) (dark))",
    "(or (dark) (clean plate))",
    "(imply (lit) (clean plate))",
]


@pytest.mark.parametrize("text", TRUE_ONES)
def test_connectives_that_hold(text: str) -> None:
    assert holds(text)


@pytest.mark.parametrize("text", FALSE_ONES)
def test_connectives_that_do_not_hold(text: str) -> None:
    assert not holds(text)


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        # the variable is the first, the second, the only, the last argument
        ("(exists (?x) (on ?x table))", True),
        ("(exists (?x) (on cup ?x))", True),
        ("(exists (?x) (clean ?x))", True),
        ("(exists (?x) (between table kitchen ?x))", True),
        ("(exists (?x) (on ?x cup))", False),
        ("(forall (?x) (on ?x table))", False),
        ("(forall (?x) (imply (on ?x table) (not (big ?x))))", True),
        ("(forall (?x) (imply (on ?x table) (clean ?x)))", False),
        ("(forall (?x) (or (big ?x) (not (in ?x kitchen))))", True),
        # the variable does not occur, or there are no variables
        ("(exists (?x) (lit))", True),
        ("(forall (?x) (dark))", False),
        ("(exists () (lit))", True),
        ("(forall () (dark))", False),
        # with itself, with an object
        ("(exists (?x) (on ?x ?x))", False),
        ("(exists (?x) (and (= ?x plate) (on ?x table)))", True),
        ("(exists (?x) (= ?x ?x))", True),
        # an argument in the middle of three: no mask, a loop
        ("(exists (?x) (between table ?x cup))", True),
        ("(exists (?x) (between ?x kitchen cup))", True),
        ("(forall (?x) (not (between kitchen ?x cup)))", True),
    ],
)
def test_one_quantified_variable(text: str, truth: bool) -> None:
    assert holds(text) is truth


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("(exists (?x ?y) (and (on ?x ?y) (in ?y kitchen)))", True),
        ("(exists (?x ?y) (and (on ?x ?y) (on ?y ?x)))", False),
        ("(exists (?x ?y) (and (on ?x table) (on ?y table) (not (= ?x ?y))))", True),
        ("(exists (?x ?y) (and (in ?x kitchen) (in ?y kitchen) (not (= ?x ?y))))", False),
        ("(exists (?x ?y ?z) (between ?x ?y ?z))", True),
        ("(exists (?x ?y ?z) (and (between ?x ?y ?z) (on ?z ?x) (in ?x ?y)))", True),
        ("(exists (?x ?y ?z) (and (between ?x ?y ?z) (on ?x ?z)))", False),
        ("(forall (?x ?y) (imply (on ?x ?y) (big ?y)))", True),
        ("(forall (?x ?y) (imply (on ?x ?y) (big ?x)))", False),
        ("(forall (?x) (exists (?y) (or (on ?x ?y) (in ?x ?y))))", False),
        ("(forall (?x - thing) (exists (?y) (or (on ?x ?y) (in ?x ?y))))", True),
        ("(exists (?y) (forall (?x - thing) (or (on ?x ?y) (= ?x ?y))))", True),
        ("(not (exists (?x) (forall (?y) (on ?y ?x))))", True),
    ],
)
def test_several_quantified_variables(text: str, truth: bool) -> None:
    assert holds(text) is truth


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("(exists (?x - cup) (on ?x table))", True),
        ("(exists (?x - room) (on ?x table))", False),
        ("(forall (?x - cup) (clean ?x))", True),
        ("(forall (?x - thing) (clean ?x))", False),
        ("(exists (?x - (either cup room)) (in table ?x))", True),
        ("(exists (?x - (either cup room)) (big ?x))", False),
        ("(forall (?x - room) (= ?x kitchen))", True),
    ],
)
def test_a_variable_ranges_over_its_types(text: str, truth: bool) -> None:
    assert holds(text) is truth


def test_a_range_can_be_empty() -> None:
    empty = WORLD.state({"table": "thing"}, [])
    assert holds("(forall (?x - cup) (dark))", empty)
    assert not holds("(exists (?x - cup) (not (dark)))", empty)
    assert not holds("(exists (?x - cup ?y) (= ?y ?y))", empty)


X, Y = Variable("x"), Variable("y")
ON_TABLE = Atom("on", (X, "table"))


@pytest.mark.parametrize(
    ("formula", "truth"),
    [
        (Count(2, X, ON_TABLE), True),
        (Count(1, X, ON_TABLE), False),
        (Count(1, X, ON_TABLE, "at least"), True),
        (Count(3, X, ON_TABLE, "at least"), False),
        (Count(2, X, ON_TABLE, "at most"), True),
        (Count(1, X, ON_TABLE, "at most"), False),
        (Count(0, X, Atom("on", (X, "cup"))), True),
        (Count(4, X, Atom("lit")), True),
        (Count(1, Variable("x", ("cup",)), ON_TABLE), True),
        # no masks: two open arguments of the same atom, an argument in the middle, a count inside
        (Count(0, X, Atom("on", (X, X))), True),
        (Count(1, X, Atom("between", ("table", X, "cup"))), True),
        (Count(1, X, Count(2, Y, Atom("on", (Y, X)))), True),
        (Exists((X,), Count(2, Y, Atom("on", (Y, X)))), True),
        (Forall((X,), Count(0, Y, Atom("on", (Y, X)))), False),
        (Iff(Atom("lit"), Atom("clean", ("cup",))), True),
        (Iff(Atom("lit"), Atom("dark")), False),
        (Xor(Atom("lit"), Atom("dark")), True),
        (Forall((X,), Iff(Atom("big", (X,)), Atom("in", (X, "kitchen")))), True),
        (Forall((X,), Xor(Atom("big", (X,)), Atom("in", (X, "kitchen")))), False),
        (Exists((X,), Xor(Atom("big", (X,)), Atom("clean", (X,)))), True),
    ],
    ids=str,
)
def test_counting_and_equivalence(formula: Formula, truth: bool) -> None:
    assert WORLD.holds(STATE, formula) is truth


PAIRS = World(
    parse_domain("(define (domain d) (:requirements :adl) (:predicates (p ?x) (q ?x) (r ?x ?y)))")
)
P, Q = Atom("p", (X,)), Atom("q", (X,))
BODIES: list[tuple[Formula, str]] = [
    # For each body: of p and q both, p alone, q alone and none, those of which it is true.
    (P, "both p"),
    (Not(P), "q none"),
    (And((P, Q)), "both"),
    (Or((P, Q)), "both p q"),
    (Implies(P, Q), "both q none"),
    (Iff(P, Q), "both none"),
    (Xor(P, Q), "p q"),
    (Not(And((P, Q))), "p q none"),
    (Not(Or((P, Q))), "none"),
    (Not(Implies(P, Q)), "p"),
    (Not(Iff(P, Q)), "p q"),
    (Or((And((P, Q)), Not(P))), "both q none"),
    (Or((Not(And((P, Q))), P)), "both p q none"),
    (And((Or((P, Q)), Not(And((P, Q))))), "p q"),
    (Implies(Or((P, Q)), And((P, Q))), "both none"),
]
FACTS_OF = {"both": (P, Q), "p": (P,), "q": (Q,), "none": ()}


@pytest.mark.parametrize(("body", "cases"), BODIES, ids=[str(body) for body, _ in BODIES])
def test_a_quantifier_asks_the_body_of_every_object(body: Formula, cases: str) -> None:
    for of_a, of_b in product(FACTS_OF, repeat=2):
        facts = [Atom(atom.predicate, ("a",)) for atom in FACTS_OF[of_a]]
        facts += [Atom(atom.predicate, ("b",)) for atom in FACTS_OF[of_b]]
        state = PAIRS.state({"a": "object", "b": "object"}, facts)
        number = (of_a in cases.split()) + (of_b in cases.split())
        assert PAIRS.holds(state, Forall((X,), body)) is (number == 2)
        assert PAIRS.holds(state, Exists((X,), body)) is (number > 0)
        assert PAIRS.holds(state, Count(1, X, body)) is (number == 1)
        # A body of two objects, of which both are asked for, and each of the two for the other.
        other = body.substitute({"x": Y})
        assert PAIRS.holds(state, Forall((X, Y), And((body, other)))) is (number == 2)
        assert PAIRS.holds(state, Forall((X,), Exists((Y,), And((body, other))))) is (number == 2)
        assert PAIRS.holds(state, Exists((X,), Forall((Y,), Or((body, other))))) is (number > 0)
        assert PAIRS.holds(state, Forall((X, Y), Or((body, other)))) is (number == 2)
        assert PAIRS.holds(state, Exists((X, Y), And((body, Not(other))))) is (number == 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # ?x of the action is the cup and ?y is the plate; a quantifier hides them
        ("(exists (?x) (and (big ?x) (in ?x kitchen)))", True),
        ("(exists (?x) (exists (?y) (and (on ?y ?x) (clean ?y))))", True),
        ("(exists (?x ?y) (and (on ?y ?x) (big ?x)))", True),
        ("(exists (?z ?y) (and (on ?z ?y) (big ?y) (between ?y kitchen ?z)))", True),
        ("(forall (?x) (exists (?y) (and (= ?x ?y) (imply (clean ?y) (on ?x table)))))", True),
        ("(exists (?x) (and (big ?x) (exists (?x) (and (clean ?x) (on ?x table)))))", True),
        ("(exists (?x) (and (big ?x) (clean ?x)))", False),
        ("(and (clean ?x) (exists (?x) (big ?x)) (clean ?x))", True),
        ("(exists (?x) (exists (?z) (and (in ?x kitchen) (on ?z ?x) (not (clean ?z)))))", True),
    ],
)
def test_a_variable_hides_a_parameter_of_its_name(text: str, expected: bool) -> None:
    operator = Operator("look", (X, Y), parse_condition(text, variables=(X, Y)))
    domain = Domain(
        "home", types=DOMAIN.types, constants=DOMAIN.constants, predicates=DOMAIN.predicates,
        operators={"look": operator},
    )  # fmt: skip
    world = World(domain)
    state = world.state(OBJECTS, FACTS)
    numbers = world.numbers(state, "look", ("cup", "plate"))
    assert (world.first_failure(state, "look", numbers) < 0) is expected


def test_one_compiled_condition_serves_objects_of_other_problems() -> None:
    other = WORLD.state({"mug": "cup", "desk": "thing", "kitchen": "room"}, [])
    other.add("on", ("mug", "desk"))
    assert WORLD.holds(other, Atom("on", ("mug", "desk")))
    assert not WORLD.holds(other, Atom("on", ("desk", "mug")))
    assert holds("(on cup table)")


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (Atom("cleen", ("cup",)), "did you mean 'clean'"),
        (Atom("clean", ("mug",)), "no object named 'mug'"),
        (Exists((Variable("x", ("cupp",)),), Atom("clean", (X,))), "did you mean 'cup'"),
        (Exists((X,), Atom("cleen", (X,))), "did you mean 'clean'"),
    ],
)
def test_unknown_names_are_errors(formula: Formula, message: str) -> None:
    with pytest.raises(UnknownNameError, match=message):
        WORLD.holds(STATE, formula)


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (Atom("clean", (X,)), "variable 'x' is bound by no quantifier"),
        (Atom("clean", ("cup", "cup")), "clean takes 1 argument, not 2"),
        (Exists((X,), Atom("on", (X,))), "on takes 2 arguments, not 1"),
        (Then((Truth(True), Truth(True))), "Then is not a condition on a single state"),
        (Exists((X,), Then((ON_TABLE,))), "Then is not a condition on a single state"),
    ],
)
def test_conditions_that_are_none_are_errors(formula: Formula, message: str) -> None:
    with pytest.raises(InputError, match=message):
        WORLD.holds(STATE, formula)


def test_an_object_that_only_the_condition_of_an_operator_knows_is_an_error() -> None:
    operator = Operator("look", (), Atom("clean", ("vase",)))
    world = World(
        Domain("d", predicates={"clean": Predicate("clean", (X,))}, operators={"look": operator})
    )
    with pytest.raises(UnknownNameError, match="no object named 'vase'"):
        world.first_failure(world.state({"cup": "object"}, []), "look", ())


def test_a_type_that_only_the_condition_of_an_operator_knows_is_an_error() -> None:
    is_a_vase_clean = Exists((Variable("x", ("vase",)),), Atom("clean", (X,)))
    operator = Operator("look", (), is_a_vase_clean)
    world = World(
        Domain("d", predicates={"clean": Predicate("clean", (X,))}, operators={"look": operator})
    )
    with pytest.raises(UnknownNameError):
        world.first_failure(world.state({"cup": "object"}, []), "look", ())


def deep(levels: int) -> Formula:
    formula: Formula = Atom("clean", ("cup",))
    for level in range(levels):
        formula = (
            And((Or((formula, Atom("dark"))), Atom("lit"))) if level % 2 else Not(Not(formula))
        )
    return formula


def test_nesting_has_a_limit_and_an_error() -> None:
    assert WORLD.holds(STATE, deep(120))
    with pytest.raises(InputError, match="nested more than 250 levels"):
        WORLD.holds(STATE, deep(1_000))


def test_many_nested_quantifiers_are_compiled_in_reasonable_time() -> None:
    formula: Formula = Atom("on", ("cup", "table"))
    for i in range(14):
        near = Atom("on", (Variable(f"v{i}"), Variable(f"v{i + 1}")))
        formula = Exists((Variable(f"v{i}"),), And((Or((near, Atom("lit"))), formula)))
    assert WORLD.holds(STATE, Exists((Variable("v14"),), formula))


def test_forty_levels_of_any_kind_can_be_compiled() -> None:
    clean = Atom("clean", ("cup",))
    counted: Formula = clean
    same: Formula = clean
    for i in range(40):
        counted = Count(4, Variable(f"v{i}"), Or((counted, Atom("clean", (Variable(f"v{i}"),)))))
        same = Iff(same, clean)
    assert WORLD.holds(STATE, counted)
    assert WORLD.holds(STATE, same)


def test_equality_of_a_variable_with_two_others() -> None:
    # exists z: z = x and z = y, as masks of x
    body = And((Equal(Variable("z"), X), Equal(Variable("z"), Y)))
    same = Exists((Variable("z"),), body)
    assert WORLD.holds(STATE, Forall((X,), Exists((Y,), same)))
    assert not WORLD.holds(STATE, Forall((X, Y), same))
    assert WORLD.holds(STATE, Implies(Exists((X,), ON_TABLE), Atom("lit")))


@pytest.mark.parametrize("more", ["lid", "pot"])
def test_as_many_pairs_are_needed_as_the_smaller_side_has(more: str) -> None:
    domain = parse_domain("""(define (domain shop) (:types lid pot) (:predicates (fits ?a ?b)))""")
    world = World(domain)
    pairs = ForPairs(Variable("l", ("lid",)), Variable("p", ("pot",)), Atom("fits", (LID, POT)))
    objects = {"l1": "lid", "l2": "lid", "p1": "pot", "p2": "pot", "another": more}
    assert not world.holds(world.state(objects, [Atom("fits", ("l1", "p1"))]), pairs)
    facts = [Atom("fits", ("l1", "p1")), Atom("fits", ("l2", "p2"))]
    assert world.holds(world.state(objects, facts), pairs)


def test_pairs_and_kinds_that_only_the_problem_knows_are_conditions_too() -> None:
    domain = parse_domain("""(define (domain shop) (:types item) (:predicates (fits ?a ?b)))""")
    world = World(domain)
    kinds = replace(domain, types={**domain.types, "lid": "item", "pot": "item"})
    objects = {"l1": "lid", "l2": "lid", "p1": "pot", "p2": "pot"}
    state = State(world.layout, Universe(kinds, objects))
    pairs = ForPairs(Variable("l", ("lid",)), Variable("p", ("pot",)), Atom("fits", (LID, POT)))
    for lid, pot in (("l1", "p1"), ("l2", "p1")):
        state.add("fits", (lid, pot))
    assert not world.holds(state, pairs)
    assert world.holds(state, ForPairs(pairs.first, pairs.second, pairs.body, 1))
    assert world.holds(state, Forall((LID,), Exists((POT,), Atom("fits", (LID, POT)))))
    state.add("fits", ("l2", "p2"))
    assert world.holds(state, pairs)
    assert not world.holds(state, Not(And((Atom("fits", ("l1", "p1")), pairs))))
    with pytest.raises(UnknownNameError, match="no type named 'cup'"):
        world.test_of(Exists((Variable("c", ("cup",)),), Truth(True)), state.universe)


@pytest.mark.parametrize("types", [("ghost",), ("thing", "ghost"), ("ghost", "object")])
def test_a_kind_that_nobody_knows_is_refused_wherever_it_stands(types: tuple[str, ...]) -> None:
    domain = parse_domain("(define (domain d) (:types thing place) (:predicates (seen ?x)))")
    world = World(domain)
    state = world.state({"chair": "thing"}, [Atom("seen", ("chair",))])
    variable = Variable("v", types)
    with pytest.raises(UnknownNameError):
        world.holds(state, Exists((variable,), Atom("seen", (variable,))))


@pytest.mark.parametrize("order", ["?y - thing ?z - ghost", "?z - ghost ?y - thing"])
@pytest.mark.parametrize("ghosts", [[], ["g"]])
def test_a_variable_that_nothing_reads_still_needs_an_object(order: str, ghosts: list[str]) -> None:
    domain = parse_domain(f"""(define (domain d) (:requirements :adl :derived-predicates)
        (:types thing ghost) (:predicates (f ?x - thing) (seen ?x - thing) (all) (on ?x ?y - thing))
        (:derived (seen ?x - thing) (exists ({order}) (and (f ?y) (= ?x ?y))))
        (:derived (all) (forall (?x - thing) (exists ({order}) (and (f ?y) (= ?x ?y)))))
        (:action a :parameters (?x - thing) :effect (f ?x)))""")
    world = World(domain)
    objects = {**dict.fromkeys(("a", "b"), "thing"), **dict.fromkeys(ghosts, "ghost")}
    for facts in ([], ["a"], ["a", "b"]):
        state = world.state(objects, [Atom("f", (name,)) for name in facts])
        for name in ("a", "b"):
            assert world.holds(state, Atom("seen", (name,))) is (bool(ghosts) and name in facts)
        assert world.holds(state, Atom("all")) is (bool(ghosts) and len(facts) == 2)
