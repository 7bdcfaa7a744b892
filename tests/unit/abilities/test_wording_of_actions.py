"""What prompts say of actions, one kind of condition and effect at a time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from eai.abilities import rules
from eai.pddl import parse_domain, parse_problem, with_phrases
from eai.task import ActionGoal, Goal, Task, Vocabulary
from eai.world import World

DOMAIN = """(define (domain d)
  (:requirements :adl :derived-predicates)
  (:types robot thing - object box lid - thing)
  (:predicates (on ?x) (lit ?x) (wet ?x) (near ?x ?y) (left ?x) (right ?x) (never ?x)
    (free ?r) (reach ?x ?y) (chosen ?x) (fed ?x))
  (:derived (free ?r) (or (left ?r) (right ?r)))
  (:derived (reach ?x ?y) (or (near ?x ?y) (exists (?z) (and (near ?x ?z) (reach ?z ?y)))))
  {actions})
"""
PROBLEM = """(define (problem p) (:domain d)
  (:objects me - robot crate chest - box cover - lid)
  (:init (lit crate) (wet cover) (near crate chest) (near me crate) (left me))
  (:goal (on crate)))
"""


def small(*actions: str, agent: str = "me") -> Task:
    """A task with some actions; the agent is the first parameter of each."""
    parts = (
        f"(:action act{number} :parameters (?r - robot {text})"
        for number, text in enumerate(actions)
    )
    domain = parse_domain(DOMAIN.format(actions="\n".join(parts)))
    problem = parse_problem(PROBLEM, domain=domain)
    names = {name: len(each.parameters) for name, each in domain.operators.items()}
    return Task(
        id="t",
        name="T",
        instruction="",
        start=World(domain).state(problem.objects, problem.initial),
        agent=agent,
        goal=Goal("on(crate)", problem.goal, ((("state", problem.goal),),)),
        vocabulary=Vocabulary(names, {}, frozenset(problem.objects)),
    )


def told(*actions: str, agent: str = "me") -> list[str]:
    """The lines of the rules for some actions; the agent is the first parameter of each."""
    return rules(small(*actions, agent=agent)).text.splitlines()


CASES = """
?x) :precondition (not (free ?r)) :effect (on ?x)
?x) :effect (and (right ?r) (left ?r))
?x) :effect (and (not (left ?r)) (not (right ?r)))
- ACT0(x): needs not free(agent); then on(x)
- ACT1(x): then right/left(agent)
- ACT2(x): then not free(agent)
What that means:
- free(r): left(r) or right(r)

?x) :precondition (not (free ?r)) :effect (on ?x)
?x) :effect (and (right ?r) (left ?r))
?x) :effect (and (not (left ?r)) (not (right ?x)))
- ACT0(x): needs not free(agent); then on(x)
- ACT1(x): then right/left(agent)
- ACT2(x): then not left(agent), not right(x)
What that means:
- free(r): left(r) or right(r)

?x) :precondition (not (free ?r)) :effect (on ?x)
?x) :effect (and (right ?r) (left ?r))
?x) :effect (and (not (left ?r)) (when (wet ?x) (not (right ?r))))
- ACT0(x): needs not free(agent); then on(x)
- ACT1(x): then right/left(agent)
- ACT2(x): then not left(agent); if wet(x): not right(agent)
What that means:
- free(r): left(r) or right(r)

?x - thing) :effect (on ?x)
- ACT0(x: thing): then on(x)

?x) :precondition (and (lit ?x) (not (wet ?x))) :effect (on ?x)
- ACT0(x): needs lit(x), not wet(x); then on(x)

?x) :precondition (or (lit ?x) (and (wet ?x) (near ?r ?x))) :effect (and (on ?x) (not (near ?r ?x)) (not (lit ?x)) (not (wet ?x)))
- ACT0(x): needs lit(x) or (wet(x) and near(agent, x)); then not near(agent, x), not lit(x), on(x)

?x) :precondition (and (or (lit ?x) (wet ?x)) (or (lit ?x) (near ?r ?x))) :effect (and (on ?x) (wet ?x) (not (lit ?x)) (not (near ?r ?x)))
- ACT0(x): needs lit(x) or (wet(x) and near(agent, x)); then not lit(x), not near(agent, x), on/wet(x)

?x ?y) :precondition (not (= ?x ?y)) :effect (and (on ?x) (near ?x ?y) (near ?y ?x))
?x ?y) :precondition (near ?y ?x) :effect (on ?x)
- ACT0(x, y): needs x is not y; then on(x), near(x <-> y)
- ACT1(x, y): needs near(y, x); then on(x)

?x) :precondition (exists (?b - box) (near ?x ?b)) :effect (and (on ?x) (forall (?y) (not (near ?x ?y))))
- ACT0(x): needs there is box b with near(x, b); then not near(x, *), on(x)

?x) :precondition (forall (?b - box) (or (lit ?b) (near ?x ?b))) :effect (and (on ?x) (when (lit ?x) (not (lit ?x))) (when (wet ?x) (and (lit ?x) (not (near ?r ?x)))))
- ACT0(x): needs for every box b: (lit(b) or near(x, b)); then on(x); if lit(x): not lit(x); if wet(x): lit(x)

?x) :precondition (free ?r) :effect (and (on ?x) (not (left ?r)) (not (right ?r)))
- ACT0(x): needs left(agent); then not left(agent), on(x)

?x) :precondition (reach ?r ?x) :effect (on ?x)
?x ?y) :effect (near ?x ?y)
- ACT0(x): needs reach(agent, x); then on(x)
- ACT1(x, y): then near(x, y)
What that means:
- reach(x, y): near(x, y) or (there is z with (near(x, z) and reach(z, y)))

?x) :precondition (lit ?x) :effect (and (on ?x) (forall (?y - box) (when (near ?y ?x) (lit ?y))))
?x ?y) :effect (and (not (lit ?x)) (near ?x ?y))
- ACT0(x): needs lit(x); then on(x); for each box y with near(y, x): lit(y)
- ACT1(x, y): then not lit(x), near(x, y)

?x) :precondition (never ?x) :effect (on ?x)
?x) :precondition (or (never ?x) (lit ?x)) :effect (on ?x)
?x) :effect (fed ?x)
- ACT1(x): needs lit(x); then on(x)
These change nothing that matters for the goal: ACT2

?x) :precondition (or (never ?x) (and (never ?x) (lit ?x))) :effect (on ?x)
?x) :effect (on ?x)
- ACT1(x): then on(x)

?x) :precondition (and (near ?r ?x) (lit ?x)) :effect (and (on ?x) (not (lit ?x)))
?x) :precondition (and (near ?r ?x) (lit ?x)) :effect (and (on ?x) (not (near ?r ?x)))
?x) :precondition (and (near ?r ?x) (lit ?x)) :effect (and (on ?x) (wet ?x))
?x) :precondition (and (near ?r ?x) (lit ?x)) :effect (and (on ?x) (wet ?x))
These need near(agent, x), lit(x):
- ACT0(x): then not lit(x), on(x)
- ACT1(x): then not near(agent, x), on(x)
- ACT2(x), ACT3(x): then on(x)

?x) :precondition (and (near ?r ?x) (lit ?x)) :effect (on ?x)
?x) :precondition (and (lit ?x) (near ?r ?x)) :effect (and (on ?x) (wet ?x))
?x) :precondition (and (lit ?x) (wet ?x) (near ?r ?x)) :effect (and (on ?x) (not (wet ?x)))
These need near(agent, x), lit(x):
- ACT0(x): then on(x)
- ACT1(x): then on/wet(x)
- ACT2(x): needs wet(x); then not wet(x), on(x)

?x) :precondition (and (wet ?x) (near ?r ?x) (lit ?x)) :effect (on ?x)
?x) :precondition (and (lit ?x) (near ?r ?x)) :effect (and (on ?x) (wet ?x))
?x) :precondition (and (lit ?x) (near ?r ?x)) :effect (and (on ?x) (not (lit ?x)))
These need near(agent, x), lit(x):
- ACT0(x): needs wet(x); then on(x)
- ACT1(x): then on/wet(x)
- ACT2(x): then not lit(x), on(x)

?x) :effect (and (on ?x) (lit ?x) (wet ?x))
?x) :precondition (or (lit ?x) (wet ?x)) :effect (and (when (near ?r ?x) (and (on ?x) (lit ?x) (wet ?x))) (when (lit ?x) (not (near ?r ?x))))
- ACT0(x): then on/lit/wet(x)
- ACT1(x): needs lit(x) or wet(x); then if lit(x): [not near(agent, x)]; if near(agent, x): what ACT0(x) does

?x ?y) :precondition (or (lit ?x) (wet ?x)) :effect (near ?x ?y)
?x) :effect (and (on ?x) (lit ?x) (wet ?x))
?x) :effect (when (near ?r ?x) (and (on ?x) (lit ?x) (wet ?x)))
- ACT0(x, y): needs lit(x) or wet(x); then near(x, y)
- ACT1(x): then on/lit/wet(x)
- ACT2(x): then if near(agent, x): what ACT1(x) does

?x) :precondition (exists (?b - box) (= ?b ?x)) :effect (on ?x)
- ACT0(x): needs x is of type box; then on(x)

?x) :precondition (exists (?b - box) (= ?b ?b)) :effect (on ?x)
- ACT0(x): needs there is box b with b is b; then on(x)

?x) :precondition (exists (?b - box) (= ?x ?b)) :effect (on ?x)
- ACT0(x): needs x is of type box; then on(x)

?x) :precondition (not (exists (?b - box) (near ?b ?x))) :effect (and (on ?x) (forall (?a - box ?b - lid) (near ?a ?b)) (forall (?y) (near ?y ?y)))
- ACT0(x): needs for every box b: not near(b, x); then on(x); for each box a and lid b: near(a, b); for each y: near(y, y)

?x) :precondition (and (not (free ?r)) (not (free ?x)) (not (wet ?x))) :effect (on ?x)
?x) :effect (and (right ?r) (left ?r) (left ?x) (right ?x) (wet ?x))
?x) :effect (and (not (wet ?x)) (not (left ?r)) (not (right ?r)))
?x) :effect (and (not (left ?x)) (not (left ?r)) (not (right ?r)))
?x) :effect (and (not (right ?x)) (not (left ?r)))
- ACT0(x): needs not free(agent), not free(x), not wet(x); then on(x)
- ACT1(x): then right/left(agent), left/right/wet(x)
- ACT2(x): then not wet(x), not free(agent)
- ACT3(x): then not left(x), not free(agent)
- ACT4(x): then not right(x), not left(agent)
What that means:
- free(r): left(r) or right(r)
"""  # noqa: E501 - actions as they are written, lines as they are told


@pytest.mark.parametrize("case", CASES.strip().split("\n\n"))
def test_an_action_is_told_by_what_it_needs_and_does(case: str) -> None:
    actions = [line for line in case.splitlines() if line.startswith("?")]
    lines = case.splitlines()[len(actions) :]
    assert [line for line in told(*actions) if not line.startswith("Conditions of")] == lines


def test_signs_are_explained_where_they_are_used() -> None:
    needed = "?x) :precondition (near ?x ?x) :effect (on ?x)"
    plain = told("?x) :effect (on ?x)")
    starred = told("?x) :effect (and (on ?x) (forall (?y) (not (near ?x ?y))))", needed)
    both = told("?x ?y) :effect (and (on ?x) (near ?x ?y) (near ?y ?x))", needed)
    assert [" * " in f" {lines[-1]}" for lines in (plain, starred, both)] == [False, True, False]
    assert ["<->" in lines[-1] for lines in (plain, starred, both)] == [False, False, True]


def test_without_an_agent_every_parameter_is_named() -> None:
    assert told("?x) :precondition (near ?r ?x) :effect (on ?x)", agent="")[0] == (
        "- ACT0(r: robot, x): needs near(r, x); then on(x)"
    )


def worded(goal: str, precondition: str) -> list[str]:
    """The rules of a domain with phrases, for a goal in PDDL."""
    domain = with_phrases(
        parse_domain(
            """(define (domain d) (:requirements :adl :derived-predicates)
              (:predicates (on ?x) (in ?x ?y) (safe ?x) (bare ?x))
              (:derived (safe ?x) (exists (?y) (and (in ?x ?y) (on ?y))))
              (:derived (bare ?x) (not (exists (?y) (in ?y ?x))))
              (:action go :parameters (?r ?x ?y)
                :precondition """
            + precondition
            + """ :effect (and (in ?x ?y) (on ?y))))"""
        ),
        {
            "safe": ["{0} is safe", "{0} is in danger"],
            "bare": ["{0} is bare", "{0} has something in it"],
        },
    )
    problem = parse_problem(
        f"(define (problem p) (:domain d) (:objects me box can) (:init) (:goal {goal}))",
        domain=domain,
    )
    task = Task(
        id="t",
        name="T",
        instruction="",
        start=World(domain).state(problem.objects, problem.initial),
        agent="me",
        goal=Goal("", problem.goal, ((("state", problem.goal),),)),
        vocabulary=Vocabulary({"go": 3}, {}, frozenset(problem.objects)),
    )
    return rules(task).text.splitlines()


def test_a_derived_predicate_of_the_goal_is_explained_by_its_name() -> None:
    lines = worded("(safe box)", "(and)")
    assert "- safe(x): there is y with (in(x, y) and on(y))" in lines
    # One that only actions mention has its phrase, and is explained by it.
    lines = worded("(on box)", "(bare ?y)")
    assert "needs y is bare; then" in lines[0]
    assert any(line.startswith("- x is bare: ") for line in lines)
    assert not any(line.startswith("- bare(") for line in lines)
    assert any("has something in it" in line for line in worded("(on box)", "(not (bare ?y))"))


def test_a_condition_without_words_is_written_as_a_formula() -> None:
    [line, _] = told("?x) :precondition (imply (lit ?x) (wet ?x)) :effect (on ?x)")
    assert line == "- ACT0(x): needs lit(x) implies wet(x); then on(x)"
    [denied, _] = told("?x) :precondition (not (imply (lit ?x) (wet ?x))) :effect (on ?x)")
    assert denied == "- ACT0(x): needs not (lit(x) implies wet(x)); then on(x)"


def test_an_action_that_the_domain_does_not_know_is_named_with_its_number_of_objects() -> None:
    task = replace(small("?x) :effect (on ?x)"), goal=Goal())
    names = {**task.vocabulary.actions, "look": 0, "say": 2}
    task = replace(task, vocabulary=replace(task.vocabulary, actions=names))
    assert rules(task).text.splitlines()[0] == "- LOOK: 0 objects, SAY: 2 objects"
    assert "LOOK" not in rules(task, without={"look"}).text


def test_an_action_that_the_goal_demands_is_listed_though_it_changes_nothing() -> None:
    task = small("?x) :effect (fed ?x)", "?x) :effect (and)", "?x) :effect (on ?x)")
    demanding = replace(task, goal=replace(task.goal, actions=(ActionGoal(("act1",)),)))
    assert rules(demanding).text.splitlines() == [
        "- ACT1(x)",
        "- ACT2(x): then on(x)",
        "Conditions of effects are about the state before the action. "
        "What becomes both true and false is true.",
        "These change nothing that matters for the goal: ACT0",
    ]
    assert rules(task).text.endswith(": ACT0, ACT1")
