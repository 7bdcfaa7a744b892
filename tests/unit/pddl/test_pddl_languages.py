"""Texts in other planning languages are refused by the name of the language, once each."""

from __future__ import annotations

import pytest

from eai.pddl import Issue, read_actions, read_domain, read_problem
from eai.pddl.languages import (
    FACTS,
    HEADS,
    OWN_REQUIREMENTS,
    REQUIREMENTS,
    SECTIONS,
    Language,
)

DOMAIN = """
(define (domain depot)
  (:requirements :strips :typing)
  (:types place robot)
  (:predicates (at ?r - robot ?p - place) (clean ?p - place))
  (:functions (total-cost) - number (fuel ?r - robot) - number)
  {}
  (:action go
    :parameters (?r - robot ?a ?b - place)
    :precondition (and (at ?r ?a) {})
    :effect (and (at ?r ?b) (not (at ?r ?a)) {})))
"""
PROBLEM = """
(define (problem p) (:domain depot) (:objects r - robot a b - place)
  (:init (at r a) {}) {} (:goal (and (at r b) {})))
"""
PROCESS = """
  (:process scrub{}
    :parameters (?r - robot ?p - place)
    :precondition (at ?r ?p)
    :effect (clean ?p))
"""


def foreign(issues: list[Issue]) -> list[Issue]:
    return [issue for issue in issues if issue.severity == "error"]


@pytest.mark.parametrize(
    ("section", "condition", "effect", "language"),
    [
        (PROCESS.format(1) + PROCESS.format(2), "", "", "PDDL+"),
        ("", "(at start (clean ?a))", "", "temporal PDDL"),
        ("", "", "(at end (clean ?a))", "temporal PDDL"),
        ("", "(or (preference tidy (clean ?a)) (clean ?b))", "", "PDDL 3"),
        ("", "(hold-after 3 (clean ?a))", "", "PDDL 3"),
        ("", "", "(probabilistic 0.9 (clean ?b))", "PPDDL"),
        ("", "", "(oneof (clean ?b) (clean ?a))", "FOND"),
        ("", "", "(increase (reward) 2)", "PPDDL"),
        ("(:action look :parameters () :observe (clean a))", "", "", "partial observability"),
        ("(:action turn :agent (?r - robot) :parameters ())", "", "", "MA-PDDL"),
        ("(:process heat :parameters () :effect (and))", "", "", "PDDL+"),
        ("(:task visit :parameters (?p - place))", "", "", "HDDL"),
        ("(:method m :parameters (?p - place) :task (visit ?p))", "", "", "HDDL"),
    ],
)
def test_language_of_a_domain_is_named_with_a_tool_that_takes_it(
    section: str, condition: str, effect: str, language: str
) -> None:
    (issue,) = foreign(read_domain(DOMAIN.format(section, condition, effect))[1])
    assert issue.kind == "unsupported-part"
    assert language in (issue.language or "")
    assert language in issue.message
    assert issue.mend
    assert "leave it out" not in issue.mend


@pytest.mark.parametrize(
    ("fact", "section", "goal", "language"),
    [
        ("(oneof (clean a) (clean b))", "", "", "partial observability"),
        ("(unknown (clean a))", "", "", "partial observability"),
        ("(or (clean a) (clean b))", "", "", "partial observability"),
        ("(probabilistic 0.5 (clean a))", "", "", "PPDDL"),
        ("", "", "(not (preference tidy (clean a)))", "PDDL 3"),
        ("", "(:htn :ordered-subtasks (visit a))", "", "HDDL"),
    ],
)
def test_language_of_a_problem_is_named(fact: str, section: str, goal: str, language: str) -> None:
    (issue,) = foreign(read_problem(PROBLEM.format(fact, section, goal))[1])
    assert language in (issue.language or "")


@pytest.mark.parametrize(
    "text",
    [
        "domain elevators {\n  types { elevator : object; };\n}",
        "// of a competition\n\n// in 2011\nnon-fluents nf { domain = elevators; }",
        "\tinstance i-1{ domain = elevators; }",
    ],
)
def test_files_of_rddl_are_named_with_tools(text: str) -> None:
    for issues in (read_domain(text)[1], read_problem(text)[1]):
        (issue,) = foreign(issues)
        assert (issue.kind, issue.column) == ("unsupported-part", 2 if text[0] == "\t" else 1)
        assert "RDDL" in (issue.language or "")
        assert "pyRDDLGym" in (issue.advice or "")


def test_words_about_a_domain_are_no_rddl() -> None:
    issues = read_domain("domain of blocks (define (domain d) (:predicates (p)))")[1]
    assert [issue.language for issue in foreign(issues)] == [None]


def test_change_over_time_is_pddl_plus() -> None:
    text = DOMAIN.format("", "", "(increase (fuel ?r) (* #t 2))")
    assert "PDDL+" in {issue.language for issue in foreign(read_domain(text)[1])}


def test_one_finding_stands_for_all_of_its_kind_in_a_text_of_definitions() -> None:
    text = DOMAIN.format("".join(PROCESS.format(number) for number in range(6)), "", "")
    (issue,) = foreign(read_domain(text)[1])
    assert "6 places" in issue.message
    assert issue.line == text[: text.index(":process")].count("\n") + 1


def test_every_action_of_an_answer_keeps_its_own_finding() -> None:
    action = "(:action a{} :parameters () :effect (at end (f)))"
    read, _ = read_actions(action.format(1) + action.format(2))
    assert [operator.sound for operator in read] == [False, False]


def test_every_language_says_what_takes_it() -> None:
    for _, language in (*FACTS.values(), *HEADS.values(), *SECTIONS.values()):
        assert language.tools
        assert "leave" not in language.tools


@pytest.mark.parametrize(("key", "language"), list(REQUIREMENTS.items()))
def test_requirement_of_another_language_names_it_with_a_tool(key: str, language: Language) -> None:
    text = DOMAIN.format("", "", "").replace(":strips", f":strips :{key}")
    _, issues = read_domain(text)
    (issue,) = [each for each in issues if each.kind == "unsupported-part"]
    assert (issue.severity, issue.language, issue.line) == ("warning", language.name, 3)
    assert issue.advice == language.tools


def test_requirement_that_there_is_not_is_a_warning() -> None:
    text = DOMAIN.format("", "", "").replace(":strips", ":strips :durative-action :made-up")
    _, issues = read_domain(text)
    unknown = [each for each in issues if each.kind == "unknown-keyword"]
    assert [each.severity for each in unknown] == ["warning", "warning"]
    assert unknown[0].line == 3
    known = DOMAIN.format("", "", "").replace(":strips", " :".join([":strips", *OWN_REQUIREMENTS]))
    assert [each.kind for each in read_domain(known)[1] if each.severity == "warning"] == []
