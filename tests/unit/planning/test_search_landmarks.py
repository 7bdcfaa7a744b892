"""Landmarks that a search counts: single literals, and a few of which one must become true."""

from __future__ import annotations

import pytest

from eai.pddl import parse_domain, parse_problem
from eai.planning import Limits, ground
from eai.planning.landmarks import Landmarks
from eai.planning.task import GroundTask
from eai.world.bits import bits

DOMAIN = """(define (domain post) (:requirements :adl) (:types van)
  (:predicates (ready ?v - van) (inside ?v - van) (sorted) (delivered))
  (:action sort :parameters () :precondition (not (sorted)) :effect (sorted))
  (:action spill :parameters () :precondition (sorted) :effect (not (sorted)))
  (:action load :parameters (?v - van) :precondition (and (ready ?v) (sorted)) :effect (inside ?v))
  (:action drive :parameters (?v - van) :precondition (inside ?v)
    :effect (and (delivered) (not (inside ?v)))))"""


def post(vans: int) -> GroundTask:
    """A parcel is sorted, and taken by one of some vans."""
    names = [f"v{number}" for number in range(vans)]
    ready = " ".join(f"(ready {name})" for name in names)
    problem = f"""(define (problem p) (:domain post) (:objects {" ".join(names)} - van)
        (:init {ready}) (:goal (delivered)))"""
    domain = parse_domain(DOMAIN)
    return ground(domain, parse_problem(problem, domain=domain), limits=Limits())


def counts(vans: int, *names: str) -> list[int]:
    """Return the number of open landmarks at the start and after each action of some names."""
    task = post(vans)
    landmarks = Landmarks(task, Limits())
    state = task.initial
    numbers = [landmarks.look(state)[0]]
    for name in names:
        action = next(action for action in task.actions if action.action.name == name)
        before = state
        state = task.successor(state, action)
        landmarks.follow(before, state)
        numbers.append(landmarks.look(state)[0])
    return numbers


@pytest.mark.parametrize(
    ("vans", "expected"),
    [(1, [3, 2, 1, 0]), (2, [3, 2, 1, 0]), (4, [3, 2, 1, 0]), (5, [2, 1, 1, 0])],
)
def test_up_to_four_alternatives_are_a_landmark(vans: int, expected: list[int]) -> None:
    assert counts(vans, "sort", "load", "drive") == expected


@pytest.mark.parametrize(("vans", "spilt"), [(1, 3), (2, 3), (4, 3), (5, 1)])
def test_what_every_alternative_needs_is_needed_again(vans: int, spilt: int) -> None:
    assert counts(vans, "sort", "spill", "sort")[2] == spilt


@pytest.mark.parametrize("vans", [1, 2])
def test_single_literals_are_told_from_alternatives(vans: int) -> None:
    task = post(vans)
    literals = Landmarks(task, Limits()).literals
    names = {str(task.atoms[literal >> 1]) for literal in bits(literals) if not literal & 1}
    assert names == {"sorted()", "delivered()"} | ({"inside(v0)"} if vans == 1 else set())
