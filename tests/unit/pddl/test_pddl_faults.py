"""Twenty faults of a domain and problem, each found at its place; and the pair without one."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from eai.pddl import Issue, read_domain, read_problem

DOMAIN = """\
(define (domain gripper)
  (:requirements :strips :typing :negative-preconditions)
  (:types room ball hand - object)
  (:predicates (at-robby ?r - room)
               (at ?b - ball ?r - room)
               (free ?h - hand)
               (carry ?b - ball ?h - hand))
  (:action move
    :parameters (?from ?to - room)
    :precondition (and (at-robby ?from) (not (at-robby ?to)))
    :effect (and (at-robby ?to) (not (at-robby ?from)))
  )
  (:action pick
    :parameters (?b - ball ?r - room ?h - hand)
    :precondition (and (at ?b ?r) (at-robby ?r) (free ?h))
    :effect (and (carry ?b ?h) (not (at ?b ?r)) (not (free ?h)))
  )
  (:action drop
    :parameters (?b - ball ?r - room ?h - hand)
    :precondition (and
      (carry ?b ?h)
      (at-robby ?r)
    )
    :effect (and
      (at ?b ?r)
      (free ?h)
      (not (carry ?b ?h))
    )
  )
)
"""

PROBLEM = """\
(define (problem two-balls)
  (:domain gripper)
  (:objects kitchen hall - room red blue - ball left right - hand)
  (:init (at-robby kitchen) (free left) (free right)
         (at red kitchen)
         (at blue kitchen))
  (:goal (and (at red hall) (at blue hall)))
)
"""


@dataclass(frozen=True)
class Fault:
    """A fault: what it is made of, and how it must be reported.

    Args:
        name: What it is.
        old: Part of the domain or problem.
        new: What stands there instead.
        at: Line and column of the report.
        kind: Kind of the issue.
        mend: What the advice must contain.
        double: Whether it is made of two: both types of a circle, both arguments in exchange.
    """

    name: str
    old: str
    new: str
    at: tuple[int, int]
    kind: str
    mend: str = ""
    double: bool = False


DOMAIN_FAULTS = [
    Fault(
        "bracket missing",
        "(at-robby ?r) (free ?h))\n    :effect",
        "(at-robby ?r) (free ?h)\n    :effect",
        (15, 19),
        "unclosed-bracket",
        "line 15, column 58",
    ),
    Fault(
        "bracket extra",
        "(not (at-robby ?to)))\n",
        "(not (at-robby ?to))))\n",
        (10, 62),
        "extra-bracket",
        "remove",
    ),
    Fault(
        "unknown predicate",
        "(carry ?b ?h) (not (at",
        "(carries ?b ?h) (not (at",
        (16, 19),
        "undeclared-predicate",
        "'carry'",
    ),
    Fault("arity", "(at ?b ?r) (at-robby", "(at ?b) (at-robby", (15, 25), "wrong-arity"),
    Fault(
        "unbound variable",
        "(at-robby ?to) (not",
        "(at-robby ?too) (not",
        (11, 28),
        "unbound-variable",
        "'?to'",
    ),
    Fault(
        "unknown type",
        "(?b - ball ?r - room ?h - hand)\n    :precondition (and (at",
        "(?b - boll ?r - room ?h - hand)\n    :precondition (and (at",
        (14, 23),
        "undeclared-type",
        "'ball'",
    ),
    Fault(
        "misspelt keyword",
        ":precondition (and (at-robby",
        ":precondtion (and (at-robby",
        (10, 5),
        "unknown-keyword",
        "':precondition'",
    ),
    Fault(
        "or in an effect",
        ":effect (and (at-robby",
        ":effect (or (at-robby",
        (11, 14),
        "no-effect",
        "one action for each",
    ),
    Fault(
        "duplicate action", "(:action drop", "(:action pick", (18, 12), "repeated-name", "line 13"
    ),
    Fault(
        "parameter type clash",
        "(carry ?b ?h)\n      (at-robby ?r)",
        "(carry ?b ?h)\n      (at-robby ?h)",
        (22, 17),
        "ill-typed",
    ),
    Fault(
        "circular types",
        "room ball hand - object",
        "room - ball ball - room hand - object",
        (3, 11),
        "cyclic-types",
        double=True,
    ),
    Fault("markdown fence", "(define", "```pddl\n(define", (1, 1), "markdown-fence", "remove"),
    Fault(
        "missing dash",
        "(?from ?to - room)",
        "(?from ?to room)",
        (9, 28),
        "missing-dash",
        "'- room'",
    ),
    Fault(
        "undeclared requirement",
        " :negative-preconditions",
        "",
        (10, 42),
        "undeclared-requirement",
        ":negative-preconditions",
    ),
]

PROBLEM_FAULTS = [
    Fault(
        "undeclared object in the goal",
        "(at blue hall)",
        "(at blue halls)",
        (7, 38),
        "undeclared-object",
        "'hall'",
    ),
    Fault(
        "undeclared object in the initial state",
        "(free left)",
        "(free lefty)",
        (4, 35),
        "undeclared-object",
        "'left'",
    ),
    Fault(
        "ill-typed initial state",
        "(at red kitchen)",
        "(at kitchen red)",
        (5, 14),
        "ill-typed",
        double=True,
    ),
    Fault(
        "unknown predicate in the initial state",
        "(at red kitchen)",
        "(in red kitchen)",
        (5, 11),
        "undeclared-predicate",
    ),
    Fault(
        "missing goal",
        "  (:goal (and (at red hall) (at blue hall)))\n",
        "",
        (7, 1),
        "missing-part",
        "add (:goal",
    ),
    Fault("domain name mismatch", "(:domain gripper)", "(:domain grip)", (2, 12), "other-domain"),
]


def found(fault: Fault | None) -> list[Issue]:
    """Everything that is wrong with the pair after one fault was put in."""
    domain, problem = DOMAIN, PROBLEM
    if fault in DOMAIN_FAULTS:
        domain = _with(domain, fault)
    elif fault is not None:
        problem = _with(problem, fault)
    known, issues = read_domain(domain)
    return issues + read_problem(problem, domain=known)[1]


def _with(text: str, fault: Fault) -> str:
    assert text.count(fault.old) == 1
    return text.replace(fault.old, fault.new)


def test_the_pair_without_a_fault_is_in_order() -> None:
    assert found(None) == []


@pytest.mark.parametrize("fault", [*DOMAIN_FAULTS, *PROBLEM_FAULTS], ids=lambda fault: fault.name)
def test_a_fault_is_found_at_its_place(fault: Fault) -> None:
    first, *more = found(fault)
    assert (first.kind, first.line, first.column) == (fault.kind, *fault.at)
    assert fault.mend in (first.mend or "")
    assert {issue.kind for issue in more} <= ({fault.kind} if fault.double else set())


def test_there_are_twenty() -> None:
    assert len(DOMAIN_FAULTS) + len(PROBLEM_FAULTS) == 20


def test_all_faults_at_once_are_found_at_once() -> None:
    text = DOMAIN
    together = ("unknown predicate", "arity", "unbound variable", "misspelt keyword")
    faults = [fault for fault in DOMAIN_FAULTS if fault.name in together]
    for fault in faults:
        text = _with(text, fault)
    places = [(issue.kind, issue.line, issue.column) for issue in read_domain(text)[1]]
    assert places == sorted(((f.kind, *f.at) for f in faults), key=lambda place: place[1:])
