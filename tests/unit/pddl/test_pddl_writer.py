"""Writing PDDL: the text, its layout, and names that PDDL forbids."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from eai.errors import InputError
from eai.logic import FALSE, TRUE, And, Atom, Count, Equal, Exists, Formula, Then, Variable
from eai.pddl import (
    MINIMAL_COST,
    AddEffect,
    Axiom,
    CostEffect,
    Domain,
    Effect,
    Function,
    Operator,
    Predicate,
    Problem,
    format_condition,
    format_domain,
    format_problem,
    parse_condition,
    parse_domain,
    parse_problem,
)

X = Variable("x", ("cup", "jug"))


def test_a_domain() -> None:
    domain = Domain(
        "d",
        requirements=("adl",),
        types={"cup": "object", "jug": "object", "mug": "cup"},
        constants={"best": "mug"},
        predicates={"full": Predicate("full", (X,)), "dry": Predicate("dry", (X,))},
        functions={"total-cost": Function("total-cost")},
        axioms=(Axiom(Atom("dry", (X,)), ~Atom("full", (X,))),),
        operators={
            "fill": Operator("fill", (X,), ~Equal(X, "best"), AddEffect(Atom("full", (X,)))),
            "wait": Operator("wait", (), TRUE, CostEffect(1.0)),
        },
    )
    text = format_domain(domain)
    assert text == (
        "(define (domain d)\n"
        "  (:requirements :adl)\n"
        "  (:types\n"
        "    cup jug - object\n"
        "    mug - cup)\n"
        "  (:constants\n"
        "    best - mug)\n"
        "  (:predicates\n"
        "    (full ?x - (either cup jug))\n"
        "    (dry ?x - (either cup jug)))\n"
        "  (:functions\n"
        "    (total-cost) - number)\n"
        "  (:derived (dry ?x - (either cup jug))\n"
        "    (not (full ?x)))\n"
        "  (:action fill\n"
        "    :parameters (?x - (either cup jug))\n"
        "    :precondition (not (= ?x best))\n"
        "    :effect (full ?x))\n"
        "  (:action wait\n"
        "    :parameters ()\n"
        "    :effect (increase (total-cost) 1)))\n"
    )
    assert parse_domain(text) == domain


def test_a_problem() -> None:
    problem = Problem(
        "p",
        "d",
        objects={"a": "cup", "b": "cup", "1.c": "jug"},
        initial=(Atom("full", ("a",)),),
        goal=Atom("full", ("1.c",)),
        values={Atom("total-cost"): 0.0, Atom("size", ("a",)): Fraction(1, 100_000)},
        metric=MINIMAL_COST,
    )
    text = format_problem(problem)
    assert text == (
        "(define (problem p)\n"
        "  (:domain d)\n"
        "  (:objects\n"
        "    a b - cup\n"
        "    1.c - jug)\n"
        "  (:init\n"
        "    (full a)\n"
        "    (= (total-cost) 0)\n"
        "    (= (size a) 0.00001))\n"
        "  (:goal (full 1.c))\n"
        "  (:metric minimize (total-cost)))\n"
    )
    assert parse_problem(text) == problem


def test_a_head_keeps_its_types_beside_a_narrower_declaration() -> None:
    head = Variable("x")
    domain = Domain(
        "d",
        types={"cup": "object"},
        predicates={"p": Predicate("p", (Variable("x", ("cup",)),))},
        axioms=(Axiom(Atom("p", (head,)), TRUE),),
    )
    assert "(:derived (p ?x - object)\n" in format_domain(domain)
    assert parse_domain(format_domain(domain)) == domain


def test_long_conditions_are_broken_and_read_back() -> None:
    y = Variable("y")
    part = Exists((y,), And(tuple(Atom(f"predicate-number-{n}", (y,)) for n in range(6))))
    text = format_condition(part & ~part)
    lines = text.split("\n")
    assert lines[:4] == [
        "(and",
        "  (exists (?y)",
        "    (and",
        "      (predicate-number-0 ?y)",
    ]
    assert max(map(len, lines)) <= 96
    assert parse_condition(text) == part & ~part


@pytest.mark.parametrize(
    ("formula", "text"), [(TRUE, "(and)"), (FALSE, "(or)"), (And(()), "(and)")]
)
def test_constants(formula: Formula, text: str) -> None:
    assert format_condition(formula) == text


@pytest.mark.parametrize("formula", [Then((TRUE, TRUE)), Count(2, Variable("x"), TRUE)])
def test_what_pddl_cannot_say(formula: Formula) -> None:
    with pytest.raises(InputError, match=f"no way to say {type(formula).__name__}"):
        format_condition(formula)


def test_effects_and_numbers_that_pddl_cannot_say() -> None:
    for effect, what in ((Effect(), "no way to say Effect"), (CostEffect(math.inf), "number inf")):
        with pytest.raises(InputError, match=what):
            format_domain(Domain("d", operators={"a": Operator("a", effect=effect)}))


def test_a_head_with_an_object_is_refused() -> None:
    with pytest.raises(InputError, match="has an object in it"):
        format_domain(Domain("d", axioms=(Axiom(Atom("p", ("a",)), TRUE),)))


@pytest.mark.parametrize(
    "name", ["", "two words", "a(b", "Cup", "caf\u00e9", "?x", "-x", "3", "a;b"]
)
def test_names_that_cannot_be_read_back_are_refused(name: str) -> None:
    with pytest.raises(InputError, match=r"the object name .* cannot be written") as caught:
        format_condition(Atom("p", (name,)))
    assert "legal_names=True" in str(caught.value)
    legal = format_condition(Atom("p", (name,)), legal_names=True)
    formula = parse_condition(legal)
    assert isinstance(formula, Atom)
    assert len(formula.terms) == 1


@pytest.mark.parametrize("name", ["and", "=", "when", "either"])
def test_words_of_pddl_cannot_name_predicates(name: str) -> None:
    with pytest.raises(InputError, match=r"the predicate name .* cannot be written"):
        format_condition(Atom(name))


def test_legal_names() -> None:
    names = ["cup", "65.character", "Glass|+01.2", "_x", "and", "a-b_c", ""]
    problem = Problem("p", "d", objects=dict.fromkeys(names, "object"))
    assert list(parse_problem(format_problem(problem, legal_names=True)).objects) == [
        "cup",
        "n65_character",
        "glass__01_2",
        "n_x",
        "and_",
        "a-b_c",
        "n",
    ]


def test_legal_names_are_used_throughout() -> None:
    x = Variable("x.1", ("a.b",))
    domain = Domain(
        "d.d",
        types={"a.b": "object"},
        constants={"c.c": "a.b"},
        predicates={"p.p": Predicate("p.p", (x,))},
        operators={"go.on": Operator("go.on", (x,), Equal(x, "c.c"), AddEffect(Atom("p.p", (x,))))},
    )
    written = parse_domain(format_domain(domain, legal_names=True))
    assert written == parse_domain(format_domain(domain).replace(".", "_"))


def test_two_names_never_become_one() -> None:
    with pytest.raises(InputError, match=r"'a\.b' and 'a_b' would both be written as 'a_b'"):
        format_problem(
            Problem("p", "d", objects=dict.fromkeys(["a.b", "a_b"], "object")), legal_names=True
        )
    problem = Problem("p", "d", objects={"a.b": "object"})
    domain = Domain("d", constants={"a_b": "object"})
    assert "a_b - object" in format_problem(problem, legal_names=True)
    with pytest.raises(InputError, match="would both be written"):
        format_problem(problem, domain=domain, legal_names=True)
