"""A small yard with derived predicates, and all states that actions lead to in it."""

from __future__ import annotations

from collections import deque
from functools import cache
from itertools import product

from eai.logic import Atom, Formula, LogicVocabulary, parse_formula
from eai.pddl import parse_domain
from eai.world import State, World

__all__ = [
    "OBJECTS",
    "STARTS",
    "THINGS",
    "YARD",
    "formula",
    "ground_actions",
    "key",
    "reachable",
    "state",
]

YARD = World(
    parse_domain("""(define (domain yard) (:requirements :adl :derived-predicates)
  (:types robot thing - object)
  (:predicates (lit) (in ?x ?y - thing) (wet ?x - thing) (sharp ?x - thing) (cut ?x - thing)
               (held ?r - robot ?x - thing) (full ?r - robot) (tidy ?x - thing) (fixed ?x - thing)
               (dry_all) (ready))
  (:derived (full ?r - robot) (exists (?x - thing) (held ?r ?x)))
  (:derived (tidy ?y - thing) (forall (?x - thing) (or (fixed ?x) (not (in ?x ?y)))))
  (:derived (dry_all) (forall (?x - thing) (not (wet ?x))))
  (:derived (ready) (or (and (lit) (forall (?x - thing) (cut ?x)))
    (exists (?x - thing) (and (fixed ?x) (wet ?x)))))
  (:action press :parameters (?r - robot)
    :effect (and (when (lit) (not (lit))) (when (not (lit)) (lit))))
  (:action grab :parameters (?r - robot ?x - thing)
    :precondition (and (not (full ?r)) (not (wet ?x))) :effect (held ?r ?x))
  (:action drop :parameters (?r - robot ?x - thing)
    :precondition (held ?r ?x) :effect (not (held ?r ?x)))
  (:action cut :parameters (?r - robot ?x - thing)
    :precondition (exists (?k - thing) (and (held ?r ?k) (sharp ?k) (not (= ?k ?x))))
    :effect (cut ?x))
  (:action take :parameters (?r - robot ?x ?y - thing)
    :precondition (and (in ?x ?y) (not (full ?r)) (not (fixed ?x)))
    :effect (and (not (in ?x ?y)) (held ?r ?x)))
  (:action put :parameters (?r - robot ?x ?y - thing)
    :precondition (and (held ?r ?x) (not (= ?x ?y)) (not (exists (?z - thing) (in ?y ?z))))
    :effect (and (in ?x ?y) (not (held ?r ?x))))
  (:action splash :parameters (?r - robot) :precondition (lit)
    :effect (forall (?x - thing) (wet ?x)))
  (:action wipe :parameters (?r - robot ?x - thing)
    :precondition (not (held ?r ?x)) :effect (not (wet ?x))))""")
)
THINGS = ("box", "can", "saw")
OBJECTS = {"robot": "robot", **dict.fromkeys(THINGS, "thing")}
NAMES = LogicVocabulary(
    {name: predicate.arity for name, predicate in YARD.domain.predicates.items()},
    {},
    frozenset(OBJECTS),
)
STARTS = (
    "sharp saw",
    "sharp saw; in can box; lit",
    "wet box; wet can; wet saw; sharp saw",
    "fixed can; in can box; lit",
    "cut box; cut can; held robot saw; sharp saw",
)


def formula(text: str) -> Formula:
    return parse_formula(text, vocabulary=NAMES)


def state(facts: str) -> State:
    atoms = [
        Atom(name, tuple(rest)) for name, *rest in map(str.split, filter(None, facts.split(";")))
    ]
    return YARD.state(OBJECTS, atoms)


def key(now: State) -> tuple[object, ...]:
    return tuple(now.unary), tuple(map(tuple, now.rows))


@cache
def ground_actions() -> tuple[tuple[str, tuple[int, ...]], ...]:
    found = []
    for name, operator in YARD.domain.operators.items():
        things = [range(1, 4)] * (len(operator.parameters) - 1)
        found += [(name, (0, *numbers)) for numbers in product(*things)]
    return tuple(found)


@cache
def reachable(facts: str) -> tuple[State, ...]:
    """All states that actions lead to, nearest first."""
    first = state(facts)
    seen, queue, found = {key(first)}, deque([first]), [first]
    while queue:
        now = queue.popleft()
        for name, numbers in ground_actions():
            if YARD.first_failure(now, name, numbers) >= 0:
                continue
            after = now.copy()
            YARD.apply(after, name, numbers)
            if key(after) not in seen:
                seen.add(key(after))
                queue.append(after)
                found.append(after)
    return tuple(found)
