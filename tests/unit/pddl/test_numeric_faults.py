"""Broken texts with numbers: the kind of each mistake, its place, and a hint."""

from __future__ import annotations

import pytest

from eai.pddl import Issue, parse_domain, read_domain, read_problem

DOMAIN = """
(define (domain d) (:requirements :adl :numeric-fluents) (:types truck place)
  (:predicates (at ?t - truck ?p - place))
  (:functions (fuel ?t - truck) (distance ?a ?b - place) - number (total-cost))
  (:action drive :parameters (?t - truck ?a ?b - place)
    :precondition (and (at ?t ?a) {condition})
    :effect (and (at ?t ?b) (not (at ?t ?a)) {effect})))
"""
PROBLEM = """
(define (problem p) (:domain d) (:objects t - truck a b - place)
  (:init (at t a) (= (fuel t) 5) {fact})
  (:goal (and (at t b) {goal}))
  {metric})
"""

CONDITIONS = [
    ("(>= (fuel ?t)«)", "wrong-count"),
    ("(>= (fuel ?t) 1 «2)", "wrong-count"),
    ("(«=> (fuel ?t) 1)", "misspelt-word"),
    ("(«== (fuel ?t) 1)", "misspelt-word"),
    ("(«!= (fuel ?t) 1)", "unknown-character"),
    ("(>= («fuel ?t ?a) 1)", "wrong-arity"),
    ("(>= («fuel) 1)", "wrong-arity"),
    ("(>= («feul ?t) 1)", "undeclared-function"),
    ("(>= («at ?t ?b) 1)", "undeclared-function"),
    ("(>= (fuel «?a) 1)", "ill-typed"),
    ("(>= (fuel «?x) 1)", "unbound-variable"),
    ("(>= (fuel «lorry) 1)", "undeclared-object"),
    ("(>= «fuel 1)", "misplaced-word"),
    ("(>= (fuel ?t) «?a)", "misplaced-word"),
    ("(>= (fuel ?t) (*«))", "wrong-count"),
    ("(>= (fuel ?t) (/ 1«))", "wrong-count"),
    ("(>= (fuel ?t) («and 1 2))", "misplaced-word"),
    ("(>= (fuel ?t) («> 1 2))", "misplaced-word"),
    ("(>= (fuel ?t) (+ 1 «two))", "misplaced-word"),
    ("(>= (fuel ?t) («% 5 2))", "unknown-character"),
    ("(>= (fuel ?t) 1«,5)", "unknown-character"),
    ("(>= (fuel ?t) «1e999)", "misplaced-word"),
    ("(>= (fuel ?t) «9" + "9" * 500 + ")", "misplaced-word"),
    ("(= (fuel ?t) «high)", "misplaced-word"),
    ("(«fuel ?t)", "undeclared-predicate"),
    ("(fuel ?t «>= 5)", "misplaced-word"),
    ("((fuel ?t) «>= 5)", "misplaced-word"),
    ("(fuel ?t «= (distance ?a ?b))", "misplaced-word"),
]
EFFECTS = [
    ("(increase (fuel ?t)«)", "wrong-count"),
    ("(increase (fuel ?t) 1 «2)", "wrong-count"),
    ("(increase «fuel 1)", "wrong-arity"),
    ("(increase («fule ?t) 1)", "undeclared-function"),
    ("(increase («fuel ?t ?t) 1)", "wrong-arity"),
    ("(increase (fuel ?t) («distance ?a))", "wrong-arity"),
    ("(increase (fuel ?t) (distance ?a «?t))", "ill-typed"),
    ("(decrease «5 (fuel ?t))", "misplaced-word"),
    ("(«decreese (fuel ?t) 1)", "misspelt-word"),
    ("(«+= (fuel ?t) 1)", "no-effect"),
    ("(«>= (fuel ?t) 1)", "no-effect"),
    ("(«= (fuel ?t) 1)", "no-effect"),
    ("(not «(increase (fuel ?t) 1))", "no-effect"),
    ("(fuel ?t «= 5)", "misplaced-word"),
    ("(fuel ?t -«= 5)", "misplaced-word"),
    ("(assign (fuel ?t) «?t)", "unsupported-part"),
    ("(scale-up (fuel ?t) «twice)", "misplaced-word"),
    ("(forall (?p - place) (increase (distance «?t ?p) 1))", "ill-typed"),
]
PROBLEMS = [
    ("fact", "(= («fuel) 1)", "wrong-arity"),
    ("fact", "(= («feul t) 1)", "undeclared-function"),
    ("fact", "(= (fuel «q) 1)", "undeclared-object"),
    ("fact", "(= (distance a b) «(+ 1 2))", "misplaced-word"),
    ("fact", "(= «distance 1)", "misplaced-word"),
    ("goal", "(> («feul t) 1)", "undeclared-function"),
    ("metric", "(:metric «least (fuel t))", "misplaced-word"),
    ("metric", "(:metric «minimize (fuel t) (fuel t))", "misplaced-word"),
    ("metric", "(:metric minimize («feul t))", "undeclared-function"),
    ("metric", "(:metric minimize «fuel)", "wrong-arity"),
    ("metric", "(:metric minimize («is-violated late))", "unknown-preference"),
]


def check(issues: list[Issue], marked: str, kind: str) -> None:
    """Check that the first error has a kind, a place and a hint."""
    found = [issue for issue in issues if issue.severity == "error"]
    assert found
    assert found[0].kind == kind, [str(issue) for issue in found]
    assert found[0].place is not None
    assert found[0].mend
    before = marked[: marked.index("«")]
    place = (before.count("\n") + 1, len(before) - before.rfind("\n"))
    assert (found[0].line, found[0].column) == place


@pytest.mark.parametrize(("condition", "kind"), CONDITIONS)
def test_mistake_in_a_numeric_condition(condition: str, kind: str) -> None:
    marked = DOMAIN.format(condition=condition, effect="")
    _, issues = read_domain(marked.replace("«", ""))
    check(issues, marked, kind)


@pytest.mark.parametrize(("effect", "kind"), EFFECTS)
def test_mistake_in_a_numeric_effect(effect: str, kind: str) -> None:
    marked = DOMAIN.format(condition="", effect=effect)
    _, issues = read_domain(marked.replace("«", ""))
    check(issues, marked, kind)


@pytest.mark.parametrize(("part", "text", "kind"), PROBLEMS)
def test_mistake_in_the_numbers_of_a_problem(part: str, text: str, kind: str) -> None:
    domain = parse_domain(DOMAIN.format(condition="", effect=""))
    parts = {"fact": "", "goal": "", "metric": "", part: text}
    marked = PROBLEM.format(**parts)
    _, issues = read_problem(marked.replace("«", ""), domain=domain)
    check(issues, marked, kind)


@pytest.mark.parametrize(
    ("part", "text", "mend"),
    [
        ("condition", "(fuel ?t >= 5)", "(>= (fuel ?t) 5)"),
        ("effect", "(fuel ?t = 5)", "(assign (fuel ?t) 5)"),
        ("effect", "(fuel ?t += 5)", "(increase (fuel ?t) 5)"),
        ("effect", "(fuel ?t -= 5)", "(decrease (fuel ?t) 5)"),
    ],
)
def test_sign_between_its_operands_is_written_first(part: str, text: str, mend: str) -> None:
    parts = {"condition": "", "effect": "", part: text}
    _, issues = read_domain(DOMAIN.format(**parts))
    assert [issue.kind for issue in issues] == ["misplaced-word"]
    assert mend in (issues[0].mend or "")
    _, issues = read_domain(DOMAIN.format(**{**parts, part: mend}))
    assert not issues


def test_value_that_is_given_twice_is_a_warning_and_the_last_one_counts() -> None:
    domain = parse_domain(DOMAIN.format(condition="", effect=""))
    text = PROBLEM.format(fact="(= (fuel t) 7)", goal="", metric="")
    problem, issues = read_problem(text, domain=domain)
    assert [issue.kind for issue in issues] == ["contradictory-facts"]
    assert [issue.severity for issue in issues] == ["warning"]
    assert 7 in problem.values.values()


def test_numbers_need_a_requirement() -> None:
    text = DOMAIN.format(condition="(> (fuel ?t) 0)", effect="").replace(" :numeric-fluents", "")
    _, issues = read_domain(text)
    assert [issue.kind for issue in issues] == ["undeclared-requirement"]


@pytest.mark.parametrize(
    "amount", ["(* 2 " * 120 + "1" + ")" * 120, "(- " * 5000 + "1" + ")" * 5000]
)
def test_expression_that_is_nested_too_deep_is_refused(amount: str) -> None:
    text = DOMAIN.format(condition=f"(> (fuel ?t) {amount})", effect="")
    _, issues = read_domain(text)
    assert "deep-nesting" in {issue.kind for issue in issues}
