"""What the reader says about text that is not PDDL: the place, what was expected, the mending."""

from __future__ import annotations

import re
import time

import pytest

from eai.errors import ParseError
from eai.pddl import parse_condition, parse_domain, parse_problem, read_problem
from eai.pddl.brackets import MAX_CHARACTERS, MAX_DEPTH

# each: the text with the offending place marked by «, what is said, what is expected, the mending
DOMAINS = [
    # brackets
    ("«", "the text is empty", r"\(define \(domain NAME\) ...\)", None),
    ("«; nothing", "the text is empty", None, None),
    ("«define", r"there is no '\(' before 'define'", r"\(define", r"write '\(define'"),
    ("«)", r"'\)' outside of all brackets", None, None),
    ("«(define (domain d)", r"the bracket '\(define' is not closed", r"'\)' before the end", None),
    (
        "(define (domain d)\n (:action a :precondition «(and (p) :effect ()))",
        r"the bracket '\(and' is not closed",
        r"'\)' before ':effect' \(line 2, column 36\)",
        None,
    ),
    (
        "(define (domain d)\n «(:action one :effect (and (p))\n (:action two))",
        r"the bracket '\(:action one' is not closed",
        r"'\)' before ':action' \(line 3, column 3\)",
        None,
    ),
    (
        "(define (domain d)«)\n (:action a)",
        "this closing bracket is one too many",
        None,
        "remove it",
    ),
    ("(define (domain d))«)", "this closing bracket is one too many", None, "remove it"),
    (
        "(define (domain d))\n «That is all (I hope)",
        "goes on after the last bracket was closed at line 1, column 19",
        "the end of the text",
        "remove what is not PDDL",
    ),
    (
        "(define (domain d) (:action a«) :effect (and))",
        "this closing bracket is one too many",
        None,
        "remove it",
    ),
    # characters
    ("(define (domain d) «{})", r"the character '\{' cannot stand here", "brackets, names", None),
    ("(define (domain «\0))", r"the character '\\x00' cannot stand here", None, None),
    ("(define (domain «\u00e9t\u00e9))", "the character '\u00e9' cannot stand here", None, None),
    # the frame
    ("(define «(problem d))", "this is a problem, not a domain", "domain NAME", "domain first"),
    ("«(domain d)", "this is not a domain", "domain NAME", None),
    ("«()", "empty brackets", "domain NAME", None),
    ("(define (domain «?d))", r"found '\?d'", "the name of the domain", None),
    ("(define (domain d «e))", "'domain' is followed by 2 items", "name of the domain", None),
    ("(define (domain d) «x)", "found 'x'", "a section in brackets", None),
    (
        "(define (domain d) («:predicate (p)))",
        "there is no section named ':predicate'",
        ":requirements, :types",
        "did you mean ':predicates'",
    ),
    ("(define (domain d) (:types a) «(:types b))", "a second section ':types'", None, None),
    ("(define (domain d) (:constraints («p)))", "there is no predicate 'p'", None, None),
    ("(define (domain d) (:requirements «adl))", "found 'adl'", "a :keyword", None),
    # types and typed lists
    ("(define (domain d) (:types a - (either «b c) b c))", "several types: b, c", "one type", None),
    (
        "(define (domain d) (:types b c - object a - b «a - c))",
        "the type 'a' is a subtype of both 'b' and 'c'",
        None,
        None,
    ),
    ("(define (domain d) (:types «object - thing thing))", "'object' is the type of", None, None),
    ("(define (domain d) (:types «a - b b - a))", "the types above 'a' form a cycle", None, None),
    (
        "(define (domain d) (:types block) (:constants c - «blok))",
        "there is no type 'blok'",
        "a type from :types",
        "did you mean 'block'",
    ),
    ("(define (domain d) (:types a «-))", "'-' without a type after it", "a type, or", None),
    ("(define (domain d) (:predicates (p ?x - «(oneof a b))))", "are not a type", "either", None),
    ("(define (domain d) (:predicates (p «x)))", "found 'x'", r"a \?variable", None),
    ("(define (domain d) (:predicates (p) «(p ?x)))", "'p' is declared twice", None, None),
    ("(define (domain d) (:predicates («= ?x ?y)))", "'=' cannot name a predicate", None, None),
    ("(define (domain d) (:functions (f) - «thing))", "object fluents", None, None),
    # actions
    ("(define (domain d) «(:action))", "an action without a name", None, None),
    ("(define (domain d) (:action a «(p)))", "found a form in brackets", ":parameters", None),
    (
        "(define (domain d) (:action a «:preconditions (p)))",
        "there is no part of the action 'a' named ':preconditions'",
        ":parameters, :precondition, :effect",
        "did you mean ':precondition'",
    ),
    ("(define (domain d) (:action a :effect () «:effect ()))", "a second ':effect'", None, None),
    ("(define (domain d) (:action a «:effect))", "':effect' without brackets", None, None),
    ("(define (domain d) (:action a) (:action «a))", "'a' is declared twice", None, None),
]

BODIES = [
    ("(«qq)", "there is no predicate 'qq'", "a predicate from :predicates", "did you mean 'q'"),
    ("(«q)", "'q' takes 1 argument, not 0", r"\(q \?x\)", None),
    ("(«p ?v)", "'p' takes 0 arguments, not 1", r"\(p\)", None),
    ("(forall (?thing - a) (q «?thin))", "nothing binds", r"\?v, \?thing", r"mean '\?thing'"),
    ("(q «?w)", r"nothing binds the variable \?w", r"one of \?v", None),
    ("(q «car)", "there is no object 'car'", "a declared object", "did you mean 'cart'"),
    ("(r «?v)", r"\?v is of type a", "type b", None),
    ("(r «cart)", "'cart' is of type a", "type b", None),
    ("(q «(p))", "found a form in brackets", r"a \?variable or the name of an object", None),
    ("(q «3)", "found '3'", None, None),
    ("(«?v p)", r"found '\?v'", None, None),
    ("(«(p))", "found a form in brackets", None, None),
]

CONDITIONS = [
    ("(not (p) «(p))", "'not' is followed by 2 items", "one condition", None),
    ("(imply (p)«)", "'imply' is followed by 1 item", "two conditions", None),
    ("(= ?v«)", "'=' is followed by 1 item", "two terms", None),
    ("(forall «?x (p))", r"found '\?x'", "variables in brackets", None),
    ("(forall (?x - «c) (p))", "there is no type 'c'", None, None),
    ("(«when (p) (p))", "'when' cannot be a condition here", "a condition such as", None),
    ("(> 1«)", "'>' is followed by 1 item", "two of these", None),
    ("(> 1 («g))", "there is no function 'g'", None, None),
    ("(or («preference x (p)) (p))", "PDDL 3", None, "VAL"),
    ("(and «p)", "found 'p'", "a condition such as", None),
]

EFFECTS = [
    ("(«or (p) (p))", "'or' cannot be an effect here", "an effect such as", None),
    ("(assign («total-cost) 3)", "there is no function 'total-cost'", None, "declare it"),
    ("(increase («fuel) 3)", "there is no function 'fuel'", None, "declare it"),
    ("(increase (total-cost) «?v)", r"found '\?v'", "a number, ", None),
    ("(«increase (total-cost) 3)", "there is no function 'total-cost'", None, "declare it"),
    ("(«increase (total-cost) -3)", "there is no function 'total-cost'", None, None),
    ("(not «(and (p)))", r"'\(not \(and ...\)\)' is not an effect", None, None),
    ("(«d)", "the derived predicate 'd' cannot be an effect", "without :derived", None),
    ("(not («d))", "the derived predicate 'd' cannot be an effect", None, None),
]

HEAD = (
    "(define (domain d) (:types a b) (:constants cart - a) (:predicates (p) (q ?x - a) (r ?x - b)"
    " (d)) (:functions (f)) (:derived (d) (p))\n"
)

PROBLEM = "(define (problem x) (:domain d) (:objects o1 o2 - a) "
PROBLEMS = [
    ("(define (problem x) (:goal (p))«)", r"the problem has no \(:domain NAME\)", None, None),
    (PROBLEM + "«)", r"the problem has no \(:goal CONDITION\)", None, None),
    (PROBLEM + "(:goal (p) «(p)))", "one item too many", None, None),
    (PROBLEM + "(:init «p) (:goal (p)))", "found 'p'", "a fact such as", None),
    (PROBLEM + "(:init («and (p))) (:goal (p)))", "'and' is not a fact", "a fact such as", None),
    (PROBLEM + "(:init (p) «(not (p))) (:goal (p)))", "given as true and as not true", None, None),
    (PROBLEM + "(:init (q «o3)) (:goal (p)))", "no object 'o3'", None, None),
    (PROBLEM + "(:init (q «?x)) (:goal (p)))", r"nothing binds the variable \?x", None, None),
    (
        PROBLEM + "(:init («d)) (:goal (p)))",
        "the derived predicate 'd' cannot be in the initial state",
        None,
        None,
    ),
    (PROBLEM + "(:init (= («g) 1)) (:goal (p)))", "there is no function 'g'", None, None),
    (PROBLEM + "(:init (= «1 1)) (:goal (p)))", "found '1'", r"\(FUNCTION OBJECT ...\)", None),
    (PROBLEM + "(:init (= (f) «x)) (:goal (p)))", "found 'x'", "a number", None),
    (PROBLEM + f"(:init (= (f) «{'9' * 401})) (:goal (p)))", "too large", "a number", None),
    (
        PROBLEM + "(:goal (p)) (:metric maximize («total-cost)))",
        "there is no function 'total-cost'",
        None,
        "declare it",
    ),
    (
        PROBLEM + "(:goal (p)) (:metric minimize («time)))",
        "there is no function 'time'",
        None,
        "declare it",
    ),
    (PROBLEM + "(:goal (q «cat)))", "there is no object 'cat'", None, "did you mean 'cart'"),
    (
        PROBLEM.replace("o2", "o1", 1).replace("o1 o1", "o1 «o1") + "(:goal (p)))",
        "twice",
        None,
        None,
    ),
    (PROBLEM.replace("o2", "«cart") + "(:goal (p)))", "constant of the domain already", None, None),
    ("(define «(domain d))", "this is a domain, not a problem", None, None),
]

Case = tuple[str, str, "str | None", "str | None"]


def check(error: ParseError, marked: str, case: Case) -> None:
    _, what, expected, mend = case
    assert re.search(what, error.what)
    assert error.position == marked.index("«")
    assert re.search(expected or "", error.expected or "")
    assert re.search(mend or "", error.mend or "")


@pytest.mark.parametrize("case", DOMAINS, ids=lambda case: case[0])
def test_domains(case: Case) -> None:
    with pytest.raises(ParseError) as caught:
        parse_domain(case[0].replace("«", ""))
    check(caught.value, case[0], case)


@pytest.mark.parametrize("case", [*BODIES, *CONDITIONS], ids=lambda case: case[0])
def test_preconditions(case: Case) -> None:
    marked = f"{HEAD}(:action x :parameters (?v - a) :precondition {case[0]}))"
    with pytest.raises(ParseError) as caught:
        parse_domain(marked.replace("«", ""))
    check(caught.value, marked, case)


@pytest.mark.parametrize("case", [*BODIES, *EFFECTS], ids=lambda case: case[0])
def test_effects(case: Case) -> None:
    marked = f"{HEAD}(:action x :parameters (?v - a) :effect {case[0]}))"
    with pytest.raises(ParseError) as caught:
        parse_domain(marked.replace("«", ""))
    check(caught.value, marked, case)


@pytest.mark.parametrize("case", PROBLEMS, ids=lambda case: case[0])
def test_problems(case: Case) -> None:
    with pytest.raises(ParseError) as caught:
        parse_problem(case[0].replace("«", ""), domain=parse_domain(HEAD + ")"))
    check(caught.value, case[0], case)


def test_the_first_mistake_of_the_text_is_reported() -> None:
    text = f"{HEAD}(:action x :effect (and («one) (two))) (:action y :parameters (?v - c)))"
    with pytest.raises(ParseError, match="'one'") as caught:
        parse_domain(text.replace("«", ""))
    assert caught.value.position == text.index("«")


def test_a_derived_predicate_cannot_depend_on_its_negation() -> None:
    text = "(define (domain d) (:predicates (a) (b)) («:derived (a) (not (b))) (:derived (b) (a)))"
    with pytest.raises(ParseError, match="'a' depends on its own negation, through 'b'") as caught:
        parse_domain(text.replace("«", ""))
    assert caught.value.position == text.index("«")


def test_a_message_shows_the_place() -> None:
    with pytest.raises(ParseError) as caught:
        parse_domain("(define (domain d)\n  (:predicates (p))\n  (:action go :effect (pp)))")
    assert str(caught.value) == (
        "domain:3:24: there is no predicate 'pp'\n"
        "      (:action go :effect (pp)))\n"
        "                           ^\n"
        "  expected: a predicate from :predicates\n"
        "  hint: did you mean 'p'?"
    )


def test_a_keyword_cannot_stand_in_a_condition() -> None:
    with pytest.raises(ParseError, match="found ':goal'"):
        parse_condition("(:goal (p))")


def test_an_unbound_variable_in_a_condition_without_a_domain() -> None:
    with pytest.raises(ParseError, match=r"nothing binds the variable \?x"):
        parse_condition("(p ?x)")


def test_nesting_has_a_limit() -> None:
    text = "(not " * (MAX_DEPTH - 1) + "(p)" + ")" * (MAX_DEPTH - 1)
    assert parse_condition(text) is not None
    with pytest.raises(ParseError, match="nested more than"):
        parse_condition(f"(not {text})")


@pytest.mark.heavy
def test_brackets_of_very_long_texts_are_mended_at_the_beginning_only() -> None:
    _, issues = read_problem("(define (problem p)" + "(:goal (p)) " * 10_000)
    assert "brackets do not match, and there are more than 50,000 words and brackets" in {
        issue.message for issue in issues
    }
    _, issues = read_problem("(define (problem p)" + "(:goal " * 60_000)
    assert issues[0].message == "more than 10,000 brackets are not matched"


@pytest.mark.heavy
@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000,
        "(" * 100_000 + ")" * 100_000,
        ")" * 100_000,
        "()" * 50_000,
        "(define (domain d))" * 10_000,
        "a" * 1_000_000,
        "?" * 1_000_000,
        "\0" * 1_000_000,
        "; " * 500_000,
        "x\u20ac{" * 1_000_000,
        "(a b " * 100_000,
    ],
    ids=lambda text: text[:8],
)
def test_garbage_is_refused_quickly(text: str) -> None:
    before = time.process_time()
    with pytest.raises(ParseError):
        parse_domain(text)
    assert time.process_time() - before < 5  # under 0.5 s when nothing else runs


@pytest.mark.heavy
def test_many_unknown_names_and_long_chains_of_types_are_refused_quickly() -> None:
    before = time.process_time()
    facts = " ".join(f"(q o{number})" for number in range(20_000))
    objects = " ".join(f"thing{number}" for number in range(5_000))
    with pytest.raises(ParseError, match="no object 'o0'"):
        parse_problem(
            f"(define (problem x) (:domain d) (:objects {objects} - a) (:init {facts}) (:goal ()))",
            domain=parse_domain(HEAD + ")"),
        )
    chain = " ".join(f"t{number} - t{number + 1}" for number in range(20_000))
    assert "t20000" in parse_domain(f"(define (domain d) (:types {chain}))").types
    assert time.process_time() - before < 20


def test_a_text_may_be_too_long() -> None:
    with pytest.raises(ParseError, match="the text has 5,000,001 characters"):
        parse_domain(" " * (MAX_CHARACTERS + 1))
