"""Reading what is not in order: all findings at once, and a model in spite of them."""

from __future__ import annotations

import pytest

from eai.logic import FALSE, TRUE, And, Atom, Not, Variable
from eai.pddl import (
    AddEffect,
    AndEffect,
    Issue,
    parse_domain,
    read_actions,
    read_domain,
    read_problem,
)

DOMAIN = parse_domain(
    "(define (domain d) (:requirements :adl) (:types cup table) (:constants top - table)"
    " (:predicates (p) (held ?x - cup) (on ?x - cup ?y - table)))"
)
X = Variable("x", ("cup",))
HEAD = """\
(define (domain d)
  (:requirements :adl)
  (:types cup table)
  (:predicates (p) (held ?x - cup) (on ?x - cup ?y - table))
"""


def places(issues: list[Issue]) -> list[tuple[str, int | None, int | None]]:
    return [(issue.kind, issue.line, issue.column) for issue in issues]


# brackets: the last part of a domain with one action, what is reported, and what was meant
BRACKETS = [
    # the arguments of a predicate leave no room for a bracket
    ("(and (p) (held ?x (on ?x top))", "unclosed-bracket", (7, 25), "(p) (held ?x) (on ?x top)"),
    # a negation has one part
    ("(and (not (p) (held ?x)) ", "unclosed-bracket", (7, 21), "(not (p)) (held ?x)"),
    # a line closes what is further out
    ("(and\n    (and\n  (held ?x)\n       )", "unclosed-bracket", (8, 5), "(and (held ?x))"),
    # nothing but the next keyword says so
    ("(and (p) (held ?x)", "unclosed-bracket", (7, 16), "(p) (held ?x)"),
    ("(and (p)) (held ?x))", "extra-bracket", (7, 24), "(p) (held ?x)"),
    ("(and (p) (held ?x)))", "extra-bracket", (7, 35), "(p) (held ?x)"),
    ("(and (p) held ?x))", "missing-bracket", (7, 25), "(p) (held ?x)"),
    ("and (p) (held ?x))", "missing-bracket", (7, 16), "(p) (held ?x)"),
]


@pytest.mark.parametrize(("text", "kind", "at", "meant"), BRACKETS, ids=str)
def test_a_bracket_concerns_its_own_piece_only(
    text: str, kind: str, at: tuple[int, int], meant: str
) -> None:
    before = f"{HEAD}  (:constants top - table)\n  (:action one :parameters (?x - cup)\n"
    after = "\n    :precondition (p))\n  (:action two :effect (p))\n)"
    domain, issues = read_domain(f"{before}       :effect {text}{after}")
    right, none = read_domain(f"{before}       :effect (and {meant}){after}")
    assert none == []
    assert places(issues) == [(kind, *at)]
    assert domain == right


def test_a_section_without_its_opening_bracket() -> None:
    domain, issues = read_domain(f"{HEAD} (:action one :effect (p))\n :action two :effect (p)))")
    assert places(issues) == [("missing-bracket", 6, 2)]
    assert list(domain.operators) == ["one", "two"]


def test_a_definition_without_its_last_bracket() -> None:
    domain, issues = read_domain(HEAD)
    assert places(issues) == [("unclosed-bracket", 1, 1)]
    assert issues[0].mend == "close it at line 4, column 61"
    assert list(domain.predicates) == ["p", "held", "on"]


def test_places_are_those_of_the_text_as_it_was_written() -> None:
    _, issues = read_domain(HEAD.replace("(p)", "(p)\\n (nothing ?x - cat)") + ")")
    assert places(issues) == [("escaped-text", 4, 19), ("undeclared-type", 4, 36)]
    caret = issues[1].error().caret.splitlines()
    assert caret[0][caret[1].index("^") :].startswith("cat)")


def test_escaped_line_breaks_of_a_text_in_one_line_count() -> None:
    _, issues = read_domain(HEAD.replace("\n", "\\n").replace("table))", "tabl))") + ")")
    assert places(issues) == [("escaped-text", 1, 19), ("undeclared-type", 4, 54)]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (f"```pddl\n{HEAD})\n```\n", ["markdown-fence"]),
        (f"Here it is:\n{HEAD})\nI hope (really) that it helps.", ["surrounding-text"] * 2),
        (HEAD.replace("\n", "\\n") + ")", ["escaped-text"]),
        ('{"output": "' + HEAD.replace("\n", "\\n") + ')"}', ["surrounding-text", "escaped-text"]),
        (HEAD.upper() + ")", []),
        (HEAD.replace("held ?x", "held?x") + ")", ["missing-blank"]),
        (HEAD.replace("held ?x -", "held ?x-") + ")", ["missing-blank"]),
        (HEAD.replace("?x - cup ?y", "?x cup ?y") + ")", ["missing-dash"]),
        (HEAD.replace(":types cup", ":types object cup") + ")", ["root-type"]),
        (HEAD.replace("(p)", "(p) (p ?x)") + ")", ["repeated-name"]),
        (HEAD.replace(":predicates", ":predicate") + ")", ["unknown-keyword"]),
        (HEAD.replace("(p)", "(p) \u20ac") + ")", ["unknown-character"]),
    ],
)
def test_what_is_around_and_wrong_in_a_domain_does_not_change_it(
    text: str, kinds: list[str]
) -> None:
    domain, issues = read_domain(text)
    assert domain == read_domain(HEAD + ")")[0]
    assert [issue.kind for issue in issues] == kinds


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("()", TRUE),
        ("(or)", FALSE),
        ("(and (held ?x) (on ?x))", And((Atom("held", (X,)), Atom("on", (X,))))),
        ("(and (held ?x) (held 3) (not))", And((Atom("held", (X,)),))),
        ("(adn (held ?x) (not (p)))", And((Atom("held", (X,)), Not(Atom("p"))))),
        ("((held ?x) (p))", And((Atom("held", (X,)), Atom("p")))),
        ("(when (p) (p))", TRUE),
        ("p", TRUE),
    ],
)
def test_what_is_left_of_a_condition(text: str, condition: object) -> None:
    domain, _ = read_domain(f"{HEAD} (:action a :parameters (?x - cup) :precondition {text}))")
    assert domain.operators["a"].precondition == condition


def test_parts_of_an_action_in_brackets_of_their_own() -> None:
    domain, issues = read_domain(f"{HEAD} (:action a (:precondition (p)) (:effect (not (p)))))")
    assert places(issues) == [("misplaced-word", 5, 13), ("misplaced-word", 5, 33)]
    assert domain.operators["a"].precondition == Atom("p")


def test_of_two_declarations_the_first_counts() -> None:
    domain, issues = read_domain(f"{HEAD} (:action a :effect (p)) (:action a :effect (not (p))))")
    assert domain.operators["a"].effect == AddEffect(Atom("p"))
    assert issues[0].mend == "remove or rename one of them; the other is at line 5, column 11"


def test_facts_stay_as_they_are_given() -> None:
    problem, issues = read_problem(
        "(define (problem x) (:domain d) (:objects a - cup b cup)"
        " (:init (on top a) (held c) (not (p))) (:goal (p)))",
        domain=DOMAIN,
    )
    assert problem.initial == (Atom("on", ("top", "a")), Atom("held", ("c",)))
    assert [issue.kind for issue in issues] == [
        *("missing-dash", "ill-typed", "ill-typed", "undeclared-object", "negated-fact"),
    ]


def test_a_text_without_definition() -> None:
    domain, issues = read_domain("(:action a)")
    assert (domain.name, domain.operators) == ("", {})
    assert [issue.kind for issue in issues] == ["no-definition"]
    problem, issues = read_problem("")
    assert problem.objects == {}
    assert [issue.message for issue in issues] == ["the text is empty"]


def test_an_issue_as_a_record() -> None:
    (issue,) = read_domain(HEAD, source="d.pddl")[1]
    assert issue.as_record() == {
        "file": "d.pddl",
        "line": 1,
        "column": 1,
        "severity": "error",
        "kind": "unclosed-bracket",
        "where": "d.pddl",
        "message": "the bracket '(define' is not closed",
        "expected": "')' before the end of the text",
        "mend": "close it at line 4, column 61",
        "language": None,
    }
    with pytest.raises(ValueError, match="has no place"):
        Issue("wrong-arity", "m", "w").error()


GOOD = "(:action take\n :parameters (?x - cup)\n :precondition (not (held ?x))\n :effect (held ?x))"
ANSWERS = [
    GOOD,
    f"Sure!\n```pddl\n{GOOD}\n```\nIt takes (and holds) a cup.",
    f'```json\n{{"output": "{GOOD}"}}\n```',
    '{"output": "' + GOOD.replace("\n", "\\n") + '"}',
    '"{\\"output\\": \\"' + GOOD.replace("\n", "\\\\n") + '\\"}"',
    f'{{"output": ["{GOOD}"]}}',
    f"(define (domain d) (:predicates (held ?x)) {GOOD})",
    GOOD.upper(),
    GOOD.replace("\n", "; take it\n"),
    ('{"output": "' + GOOD.replace("\n", "; take it\n") + '"}').replace("\n", "\\n"),
]


@pytest.mark.parametrize("answer", ANSWERS)
def test_an_operator_is_found_in_any_wrapping(answer: str) -> None:
    (read,), outside = read_actions(answer, domain=DOMAIN)
    assert (read.issues, outside, read.sound) == ((), [], True)
    assert read.operator == read_actions(GOOD)[0][0].operator
    assert read.operator.parameters == (X,)


@pytest.mark.parametrize("broken", [GOOD[:-1], GOOD[:-2], GOOD + ")", GOOD.replace("((", "(")])
def test_a_broken_operator_does_not_touch_the_others(broken: str) -> None:
    other = GOOD.replace("take", "grab")
    read, outside = read_actions(f"{broken}\n{other}\n{broken}", domain=DOMAIN)
    assert [one.operator.name for one in read] == ["take", "grab", "take"]
    assert read[1].sound
    assert outside == []


def test_an_answer_that_is_cut_off() -> None:
    (read,), _ = read_actions(f'{{"output": "{GOOD[:-8]}', domain=DOMAIN)
    assert [issue.kind for issue in read.issues] == ["unclosed-bracket", "undeclared-predicate"]
    assert read.operator.precondition == Not(Atom("held", (X,)))


def test_actions_without_a_name_and_answers_without_an_action() -> None:
    read, outside = read_actions("(:action) (:action :effect (p))")
    assert read == []
    assert [issue.kind for issue in outside] == ["missing-part", "misplaced-word"]
    read, outside = read_actions('I cannot (yet) do {"this"}.')
    assert read == []
    assert [issue.kind for issue in outside] == ["no-definition"]
    assert read_actions("(:action wait)")[0][0].operator.effect == AndEffect()


def test_the_lines_of_an_answer_are_those_of_its_text() -> None:
    answer = '{"output": "' + GOOD.replace("not (held", "not (hold").replace("\n", "\\n") + '"}'
    (read,), _ = read_actions(answer, domain=DOMAIN)
    assert places(list(read.issues)) == [("undeclared-predicate", 3, 22)]
    assert read.issues[0].mend == "did you mean 'held'?"
