"""Reading PDDL text: what comes out of each construct."""

from __future__ import annotations

from pathlib import Path

import pytest

from eai.errors import InputError, ParseError
from eai.logic import FALSE, TRUE, And, Atom, Equal, Exists, Forall, Implies, Not, Or, Variable
from eai.pddl import (
    AddEffect,
    AndEffect,
    Axiom,
    CostEffect,
    DeleteEffect,
    Domain,
    Effect,
    ForallEffect,
    Predicate,
    WhenEffect,
    load_domain,
    load_problem,
    parse_condition,
    parse_domain,
    parse_problem,
)

WORLD = parse_domain("""
(define (domain world)
  (:types robot thing - object cup - thing)
  (:constants r2 - robot)
  (:predicates (held ?x - thing) (dark) (near ?r - robot ?x - thing) (reach ?x - thing))
  (:functions (total-cost) - number (weight ?x - thing) - number)
  (:derived (reach ?x) (near r2 ?x)))
""")
X, Y = Variable("x", ("thing",)), Variable("y", ("cup",))


def effect_of(text: str) -> Effect:
    written = f"(:action a :parameters (?x - thing) :effect {text})"
    types = "(:types robot thing - object cup - thing) (:constants r2 - robot)"
    predicates = "(:predicates (held ?x - thing) (dark) (near ?r - robot ?x - thing))"
    functions = "(:functions (total-cost) - number (weight ?x - thing) - number)"
    text = f"(define (domain d) {types} {predicates} {functions} {written})"
    return parse_domain(text).operators["a"].effect


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("()", TRUE),
        ("(and)", TRUE),
        ("(or)", FALSE),
        ("(dark)", Atom("dark")),
        ("(held ?x)", Atom("held", (X,))),
        ("(near r2 ?x)", Atom("near", ("r2", X))),
        ("(not (dark))", Not(Atom("dark"))),
        ("(and (dark))", And((Atom("dark"),))),
        ("(or (dark) (held ?x))", Or((Atom("dark"), Atom("held", (X,))))),
        ("(imply (dark) (held ?x))", Implies(Atom("dark"), Atom("held", (X,)))),
        ("(= ?x r2)", Equal(X, "r2")),
        ("(forall (?y - cup) (held ?y))", Forall((Y,), Atom("held", (Y,)))),
        ("(exists (?y - cup) (= ?x ?y))", Exists((Y,), Equal(X, Y))),
        (
            "(exists (?x - cup) (held ?x))",
            Exists((Variable("x", ("cup",)),), Atom("held", (Variable("x", ("cup",)),))),
        ),
        ("(AND (Dark) ; remark )\n (HELD ?X))", And((Atom("dark"), Atom("held", (X,))))),
    ],
)
def test_conditions(text: str, formula: object) -> None:
    assert parse_condition(text, domain=WORLD, variables=(X,)) == formula


def test_a_variable_may_range_over_several_types() -> None:
    formula = parse_condition("(exists (?a ?b - (either cup robot) ?c) (= ?a ?c))", domain=WORLD)
    assert isinstance(formula, Exists)
    assert [variable.types for variable in formula.variables] == [
        ("cup", "robot"),
        ("cup", "robot"),
        ("object",),
    ]


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("()", AndEffect()),
        ("(and)", AndEffect()),
        ("(held ?x)", AddEffect(Atom("held", (X,)))),
        ("(not (dark))", DeleteEffect(Atom("dark"))),
        (
            "(and (dark) (not (held ?x)))",
            AndEffect((AddEffect(Atom("dark")), DeleteEffect(Atom("held", (X,))))),
        ),
        ("(when (dark) (held ?x))", WhenEffect(Atom("dark"), AddEffect(Atom("held", (X,))))),
        ("(forall (?y - cup) (held ?y))", ForallEffect((Y,), AddEffect(Atom("held", (Y,))))),
        (
            "(when (dark) (forall (?y - cup) (when (held ?y) (not (dark)))))",
            WhenEffect(
                Atom("dark"),
                ForallEffect((Y,), WhenEffect(Atom("held", (Y,)), DeleteEffect(Atom("dark")))),
            ),
        ),
        ("(increase (total-cost) 3)", CostEffect(3.0)),
        ("(increase (total-cost) 0.25)", CostEffect(0.25)),
        ("(increase (total-cost) (weight ?x))", CostEffect(Atom("weight", (X,)))),
    ],
)
def test_effects(text: str, effect: Effect) -> None:
    assert effect_of(text) == effect


def test_sections_may_come_in_any_order() -> None:
    domain = parse_domain(
        "(define (domain d) (:action a :effect (q) :precondition (p c)) (:derived (p ?x) (q))"
        " (:predicates (p ?x - t) (q)) (:constants c - t) (:types t))"
    )
    t = Variable("x", ("t",))
    assert domain.axioms == (Axiom(Atom("p", (t,)), Atom("q")),)
    assert domain.operators["a"].precondition == Atom("p", ("c",))


def test_an_action_may_be_a_name_only() -> None:
    operator = parse_domain("(define (domain d) (:action wait))").operators["wait"]
    assert (operator.parameters, operator.precondition, operator.effect) == ((), TRUE, AndEffect())


def test_the_root_type_may_be_listed() -> None:
    domain = parse_domain("(define (domain d) (:types object agent) (:predicates (p ?x - object)))")
    assert domain.types == {"agent": "object"}


def test_a_head_without_types_takes_those_of_the_declaration() -> None:
    (axiom,) = WORLD.axioms
    assert axiom.head == Atom("reach", (X,))


def test_object_names_may_have_stops_digits_and_underscores() -> None:
    objects = "(:objects 65.character cup_2 _a 3d)"
    goal = "(:goal (p 65.CHARACTER))"
    problem = parse_problem(f"(define (problem p_1) (:domain d) {objects} {goal})")
    assert list(problem.objects) == ["65.character", "cup_2", "_a", "3d"]
    assert problem.goal == Atom("p", ("65.character",))


def test_a_problem() -> None:
    problem = parse_problem(
        """(define (problem p) (:domain world) (:requirements :adl)
        (:objects c1 c2 - cup stone - thing)
        (:init (held c1) (held c1) (not (dark)) (near r2 stone)
               (= (weight c1) 2) (= (total-cost) 0))
        (:goal (and (dark)))
        (:metric minimize (total-cost)))""",
        domain=WORLD,
    )
    assert problem.objects == {"c1": "cup", "c2": "cup", "stone": "thing"}
    assert problem.initial == (Atom("held", ("c1",)), Atom("near", ("r2", "stone")))
    assert problem.values == {Atom("weight", ("c1",)): 2.0, Atom("total-cost"): 0.0}
    assert problem.goal == And((Atom("dark"),))
    assert problem.minimize


def test_a_problem_without_its_domain_may_mention_anything() -> None:
    problem = parse_problem("(define (problem p) (:domain d) (:init (on a b)) (:goal (on b a)))")
    assert problem.initial == (Atom("on", ("a", "b")),)
    assert not problem.minimize


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "domain.pddl"
    path.write_text("\ufeff(define (domain d) (:predicates (p)))", encoding="utf-8")
    domain = load_domain(path)
    assert domain == Domain("d", predicates={"p": Predicate("p")})
    problem = tmp_path / "problem.pddl"
    problem.write_text("(define (problem p) (:domain d) (:goal (q)))", encoding="utf-8")
    assert load_problem(str(problem)).goal == Atom("q")
    with pytest.raises(ParseError, match=r"problem\.pddl:1:41: there is no predicate 'q'"):
        load_problem(problem, domain=domain)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent\.pddl: the file cannot be read"):
        load_domain(tmp_path / "absent.pddl")
    with pytest.raises(InputError, match="the file cannot be read"):
        load_domain(tmp_path)
    path = tmp_path / "latin.pddl"
    path.write_bytes(b"(define \xe9)")
    with pytest.raises(InputError, match=r"latin\.pddl: byte 8 is not UTF-8 text"):
        load_problem(path)
