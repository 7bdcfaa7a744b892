"""A small world of blocks as PDDL texts, for tests of plans in the notation of PDDL."""

from __future__ import annotations

from pathlib import Path

from eai.answers import Names, Phrases
from eai.pddl import parse_domain, parse_problem

DOMAIN = """(define (domain blocks)
  (:requirements :strips)
  (:predicates (on ?x ?y) (ontable ?x) (clear ?x) (handempty) (holding ?x))
  (:action pick-up :parameters (?x)
    :precondition (and (clear ?x) (ontable ?x) (handempty))
    :effect (and (not (ontable ?x)) (not (clear ?x)) (not (handempty)) (holding ?x)))
  (:action put-down :parameters (?x) :precondition (holding ?x)
    :effect (and (not (holding ?x)) (clear ?x) (handempty) (ontable ?x)))
  (:action stack :parameters (?x ?y) :precondition (and (holding ?x) (clear ?y))
    :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (handempty) (on ?x ?y)))
  (:action unstack :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x) (handempty))
    :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (handempty)) (not (on ?x ?y)))))
"""

PROBLEM = """(define (problem one) (:domain blocks) (:objects a b d)
  (:init (handempty) (ontable a) (ontable d) (on b a) (clear b) (clear d))
  (:goal (and (on d b))))
"""

WORDS = {
    "actions": {
        "pick-up": "pick up the {}",
        "put-down": "put down the {}",
        "stack": "stack the {} on top of the {}",
        "unstack": "unstack the {} from on top of the {}",
    },
    "objects": {"a": "red block", "b": "blue block", "d": "yellow block"},
}

PLAN = "(pick-up d)\n(stack d b)\n"


def names(*, words: bool = False) -> Names:
    """The names of the problem, with the phrases if they are wanted."""
    domain = parse_domain(DOMAIN)
    problem = parse_problem(PROBLEM, domain=domain)
    return Names(domain, problem, Phrases.of(WORDS, where="phrases.json") if words else None)


def write_suite(folder: Path, *, words: bool = False) -> Path:
    """A folder with the domain and two problems, the second without a plan."""
    import json

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "domain.pddl").write_text(DOMAIN)
    (folder / "instance-2.pddl").write_text(PROBLEM)
    (folder / "instance-10.pddl").write_text(PROBLEM.replace("(on d b)", "(on d d)"))
    (folder / "plans").mkdir(exist_ok=True)
    (folder / "plans" / "instance-2.plan").write_text(PLAN)
    (folder / "manifest.json").write_text(
        json.dumps(
            {"name": "blocks", "title": "Blocks", "version": "3", "unsolvable": ["instance-10"]}
        )
    )
    if words:
        (folder / "phrases.json").write_text(json.dumps(WORDS))
    return folder
