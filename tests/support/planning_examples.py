"""Small planning tasks, written by hand."""

from __future__ import annotations

from eai.pddl import Domain, Problem, parse_domain, parse_problem

__all__ = ["DOMAIN", "PROBLEM", "lamps", "lamps_domain"]

DOMAIN = """
(define (domain lamps)
  (:requirements :adl :action-costs)
  (:types lamp room)
  (:predicates (lit ?l - lamp) (at ?r - room) (in ?l - lamp ?r - room) (door ?a ?b - room)
               (broken ?l - lamp))
  (:functions (total-cost))
  (:action go
    :parameters (?a ?b - room)
    :precondition (and (at ?a) (or (door ?a ?b) (door ?b ?a)))
    :effect (and (at ?b) (not (at ?a)) (increase (total-cost) 1)))
  (:action press
    :parameters (?l - lamp)
    :precondition (and (not (broken ?l)) (exists (?r - room) (and (in ?l ?r) (at ?r))))
    :effect (and (when (lit ?l) (not (lit ?l))) (when (not (lit ?l)) (lit ?l))
                 (increase (total-cost) 1)))
  (:action flash
    :parameters ()
    :precondition ()
    :effect (and (forall (?l - lamp) (when (not (broken ?l)) (lit ?l)))
                 (increase (total-cost) 10))))
"""

PROBLEM = """
(define (problem lamps-1)
  (:domain lamps)
  (:objects hall attic cellar - room desk floor wall - lamp)
  (:init (at hall) (door hall attic) (in desk hall) (in floor attic) (in wall cellar) (broken wall))
  (:goal {goal})
  (:metric minimize (total-cost)))
"""


def lamps_domain() -> Domain:
    """Rooms, doors and lamps."""
    return parse_domain(DOMAIN)


def lamps(goal: str) -> Problem:
    """A problem with this goal."""
    return parse_problem(PROBLEM.format(goal=goal))
