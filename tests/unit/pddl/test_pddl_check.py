"""Checks of domains and problems that were built from objects."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from eai.logic import (
    TRUE,
    ActionAtom,
    And,
    Atom,
    Count,
    Equal,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Then,
    Variable,
)
from eai.pddl import (
    AddEffect,
    AndEffect,
    Axiom,
    CostEffect,
    Domain,
    Effect,
    ForallEffect,
    Function,
    Operator,
    Predicate,
    Problem,
    WhenEffect,
    check_condition,
    check_domain,
    check_problem,
)

THING, CUP, ROBOT = (Variable("x", (name,)) for name in ("thing", "cup", "robot"))
ANY = Variable("x")
DOMAIN = Domain(
    "world",
    requirements=("adl", "derived-predicates", "action-costs"),
    types={"thing": "object", "cup": "thing", "robot": "object"},
    constants={"mug": "cup"},
    predicates={
        "dark": Predicate("dark"),
        "held": Predicate("held", (THING,)),
        "on": Predicate("on", (THING, Variable("y", ("thing", "robot")))),
        "seen": Predicate("seen", (CUP,)),
        "far": Predicate("far"),
    },
    functions={"total-cost": Function("total-cost"), "weight": Function("weight", (THING,))},
    axioms=(Axiom(Atom("far"), Not(Atom("dark"))),),
)


def with_condition(formula: Formula, *parameters: Variable) -> Domain:
    return replace(DOMAIN, operators={"a": Operator("a", parameters, formula)})


def with_effect(effect: Effect, *parameters: Variable) -> Domain:
    return replace(DOMAIN, operators={"a": Operator("a", parameters, TRUE, effect)})


def found(domain: Domain) -> list[str]:
    return [f"{issue.kind} ({issue.where})" for issue in check_domain(domain)]


@pytest.mark.parametrize(
    ("formula", "parameters", "kinds"),
    [
        (Atom("dark"), (), []),
        (Atom("held", ("mug",)), (), []),
        (Atom("held", (CUP,)), (CUP,), []),
        (
            Atom("on", (CUP, Variable("z", ("cup", "robot")))),
            (CUP, Variable("z", ("cup", "robot"))),
            [],
        ),
        (Atom("light"), (), ["undeclared-predicate"]),
        (Atom("held"), (), ["wrong-arity"]),
        (Atom("dark", ("mug",)), (), ["wrong-arity"]),
        (Atom("held", ("jug",)), (), ["undeclared-object"]),
        (Atom("held", (THING,)), (), ["unbound-variable"]),
        (Atom("held", (ROBOT,)), (ROBOT,), ["ill-typed"]),
        (Atom("seen", (THING,)), (THING,), ["loosely-typed"]),
        (Atom("held", (ANY,)), (ANY,), ["loosely-typed"]),
        (Atom("held", (CUP,)), (THING,), ["mistyped-variable"]),
        (Equal(THING, "jug"), (THING,), ["undeclared-object"]),
        (Equal(THING, ROBOT), (), ["unbound-variable", "unbound-variable"]),
        (Forall((THING,), Atom("held", (THING,))), (), []),
        (Exists((THING, THING), Atom("held", (THING,))), (), ["repeated-variable"]),
        (And((Exists((CUP,), TRUE), Atom("seen", (CUP,)))), (), ["unbound-variable"]),
        (Exists((Variable("x", ("jug",)),), TRUE), (), ["undeclared-type"]),
        (Count(2, CUP, Atom("seen", (CUP,))), (), []),
        (Then((TRUE, TRUE)), (), ["temporal-condition"]),
        (Not(ActionAtom("a")), (), ["temporal-condition"]),
        (TRUE, (THING,), ["unused-parameter"]),
        (Exists((THING,), Atom("held", (THING,))), (CUP,), ["unused-parameter"]),
    ],
)
def test_conditions(formula: Formula, parameters: tuple[Variable, ...], kinds: list[str]) -> None:
    domain = with_condition(formula, *parameters)
    assert [issue.kind for issue in check_domain(domain)] == kinds


@pytest.mark.parametrize(
    ("effect", "kinds"),
    [
        (AndEffect(), []),
        (AddEffect(Atom("light")), ["undeclared-predicate"]),
        (AddEffect(Atom("far")), ["derived-effect"]),
        (WhenEffect(Atom("light"), AddEffect(Atom("dark"))), ["undeclared-predicate"]),
        (WhenEffect(Atom("far"), AddEffect(Atom("dark"))), []),
        (ForallEffect((CUP,), AddEffect(Atom("seen", (CUP,)))), []),
        (ForallEffect((ROBOT,), AddEffect(Atom("seen", (ROBOT,)))), ["ill-typed"]),
        (CostEffect(1.5), []),
        (CostEffect(-1.0), ["negative-cost"]),
        (CostEffect(math.nan), ["negative-cost"]),
        (CostEffect(Atom("weight", ("mug",))), []),
        (CostEffect(Atom("weight")), ["wrong-arity"]),
        (CostEffect(Atom("size")), ["undeclared-function"]),
    ],
)
def test_effects(effect: Effect, kinds: list[str]) -> None:
    assert [issue.kind for issue in check_domain(with_effect(effect))] == kinds


def test_an_issue_says_where_it_is() -> None:
    domain = replace(
        DOMAIN,
        axioms=(Axiom(Atom("far"), Atom("light")),),
        operators={"go": Operator("go", (CUP,), Atom("light"), AddEffect(Atom("light")))},
    )
    assert found(domain) == [
        "undeclared-predicate (derived predicate far)",
        "undeclared-predicate (action go, precondition)",
        "undeclared-predicate (action go, effect)",
        "unused-parameter (action go)",
    ]


def test_an_issue_as_text() -> None:
    (issue,) = check_domain(with_condition(Atom("hold", ("mug",))))
    assert str(issue) == (
        "error: action a, precondition: there is no predicate 'hold' (did you mean 'held'?)"
    )


def test_declarations() -> None:
    domain = Domain(
        "d",
        requirements=("typing",),
        types={"a": "b", "b": "a", "c": "a", "e": "zzz"},
        constants={"k": "yyy"},
        predicates={"p": Predicate("p", (Variable("x", ("xxx",)), Variable("x")))},
        functions={"f": Function("f", (Variable("x", ("www",)),))},
    )
    assert found(domain) == [
        "cyclic-types (types)",
        "cyclic-types (types)",
        "cyclic-types (types)",
        "undeclared-type (types)",
        "undeclared-type (constants)",
        "undeclared-type (predicate p)",
        "repeated-variable (predicate p)",
        "undeclared-type (function f)",
    ]


def test_costs_need_their_function() -> None:
    domain = replace(with_effect(CostEffect(1.0)), functions={})
    assert found(domain) == ["undeclared-function (action a, effect)"]


def rule(head: str, body: Formula) -> Axiom:
    return Axiom(Atom(head), body)


P, Q, R = Atom("p"), Atom("q"), Atom("r")


@pytest.mark.parametrize(
    ("rules", "recursive"),
    [
        ([rule("p", P)], []),
        ([rule("p", ~P)], ["p"]),
        ([rule("p", ~~P)], []),
        ([rule("p", ~Q), rule("q", R)], []),
        ([rule("p", Q), rule("q", ~P)], ["q"]),
        ([rule("p", ~Q), rule("q", R), rule("r", P)], ["p"]),
        ([rule("p", Implies(P, Q))], ["p"]),
        ([rule("p", Implies(Q, P))], []),
        ([rule("p", Forall((ANY,), P))], []),
        ([rule("p", Count(1, ANY, P))], ["p"]),
    ],
)
def test_recursion_through_negation(rules: list[Axiom], recursive: list[str]) -> None:
    predicates = {name: Predicate(name) for name in "pqr"}
    keys = ("adl", "derived-predicates")
    domain = Domain("d", requirements=keys, predicates=predicates, axioms=tuple(rules))
    issues = check_domain(domain)
    assert {issue.kind for issue in issues} <= {"derived-recursion"}
    assert [issue.where for issue in issues] == [f"derived predicate {name}" for name in recursive]


def test_the_head_of_a_rule_has_variables_only() -> None:
    domain = replace(DOMAIN, axioms=(Axiom(Atom("held", ("mug",)), TRUE),))
    assert found(domain) == ["derived-head (derived predicate held)"]


def test_problems() -> None:
    problem = Problem(
        "p",
        "world",
        objects={"jug": "thing", "arm": "robot", "mug": "cup", "box": "crate"},
        initial=(Atom("held", ("jug",)), Atom("held", ("arm",)), Atom("far"), Atom("held", (CUP,))),
        goal=Exists((CUP,), Atom("seen", (CUP,))) & Atom("held", ("jar",)),
        values={Atom("weight", ("jug",)): 2.0, Atom("weight", ("arm",)): -1.0},
    )
    assert [f"{issue.kind} ({issue.where})" for issue in check_problem(problem, DOMAIN)] == [
        "repeated-object (objects)",
        "undeclared-type (objects)",
        "ill-typed (initial state)",
        "derived-initial (initial state)",
        "unbound-variable (initial state)",
        "ill-typed (initial state)",
        "negative-cost (initial state)",
        "undeclared-object (goal)",
    ]
    assert [issue.kind for issue in check_problem(replace(problem, values={}))] == [
        "unbound-variable"
    ]


def test_a_problem_for_another_domain() -> None:
    (issue,) = check_problem(Problem("p", "moon", objects={}), DOMAIN)
    assert (issue.kind, issue.severity) == ("other-domain", "error")


def test_single_conditions() -> None:
    formula = Atom("held", (CUP,))
    assert check_condition(formula, DOMAIN, variables=(CUP,)) == []
    assert check_condition(Atom("held", ("jug",)), DOMAIN, objects={"jug": "thing"}) == []
    assert [issue.kind for issue in check_condition(formula)] == ["unbound-variable"]
