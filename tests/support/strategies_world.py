"""Hypothesis strategies for the engine: small ADL domains, states and conditions.

Variables are few and are bound again and again, so that one hides another; derived predicates
are recursive, also through each other, and use the negation of earlier ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from eai.logic import (
    FALSE,
    TRUE,
    And,
    Atom,
    Count,
    Counting,
    Equal,
    Exists,
    Forall,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Term,
    Variable,
    Xor,
)
from eai.pddl import (
    AddEffect,
    AndEffect,
    Axiom,
    DeleteEffect,
    Domain,
    Effect,
    ForallEffect,
    Operator,
    Predicate,
    WhenEffect,
)

__all__ = ["Scene", "questions", "random_scene", "scenes"]

_TYPES = {"thing": "object", "cup": "thing", "room": "object"}
_CONSTANTS = {"home": "room"}
_STORED = {"dark": 0, "clean": 1, "open": 1, "near": 2, "on": 2, "between": 3}
_RANGES = (("object",), ("object",), ("thing",), ("cup",), ("room", "cup"))
_LEAVES = ["atom", "atom", "atom", "atom", "atom", "equal", "truth"]
_INNER = ["and", "and", "or", "not", "imply", *["exists"] * 4, "forall", "count"]


@dataclass(frozen=True)
class Scene:
    """A domain with one problem of it."""

    domain: Domain
    objects: dict[str, str]
    facts: tuple[Atom, ...]


def scenes() -> st.SearchStrategy[Scene]:
    """Domains, each with objects and an initial state."""
    return st.randoms(use_true_random=False).map(random_scene)


def questions() -> st.SearchStrategy[tuple[Scene, Formula]]:
    """Scenes, each with a closed condition about its objects."""
    return st.randoms(use_true_random=False).map(_question)


def random_scene(random: Random) -> Scene:
    """Make a scene by throwing dice."""
    domain = _domain(random)
    kinds = random.choices(["object", *_TYPES], k=random.randint(1, 3))
    objects = {f"o{i}.{kind}": kind for i, kind in enumerate(kinds)}
    names = (*objects, *_CONSTANTS)
    facts = [_atom(random, _STORED, names) for _ in range(random.randint(0, 12))]
    return Scene(domain, objects, tuple(dict.fromkeys(facts)))


def _question(random: Random) -> tuple[Scene, Formula]:
    scene = random_scene(random)
    arities = {name: p.arity for name, p in scene.domain.predicates.items()}
    names = _Names(arities, objects=(*scene.objects, *_CONSTANTS), inner=(*_INNER, "iff", "xor"))
    return scene, _condition(random, names, (), depth=5)


@dataclass(frozen=True)
class _Names:
    """What a condition may mention; ``growing`` predicates only without a negation above.

    PDDL has no word for equivalence: only conditions from elsewhere have it.
    """

    arities: dict[str, int]
    growing: frozenset[str] = frozenset()
    objects: tuple[str, ...] = tuple(_CONSTANTS)
    inner: tuple[str, ...] = tuple(_INNER)

    def under_negation(self) -> _Names:
        allowed = {name: n for name, n in self.arities.items() if name not in self.growing}
        return _Names(allowed, frozenset(), self.objects, self.inner)


def _variables(random: Random, *, least: int, most: int) -> tuple[Variable, ...]:
    names = random.sample("xyz", k=random.randint(least, most))
    return tuple(Variable(name, random.choice(_RANGES)) for name in names)


def _atom(random: Random, arities: dict[str, int], terms: Sequence[Term]) -> Atom:
    name = random.choice(sorted(arities))
    return Atom(name, tuple(random.choice(terms) for _ in range(arities[name])))


def _within(scope: Sequence[Variable], bound: Sequence[Variable]) -> tuple[Variable, ...]:
    hidden = {variable.name for variable in bound}
    return (*(v for v in scope if v.name not in hidden), *bound)


def _condition(random: Random, names: _Names, scope: Sequence[Variable], *, depth: int) -> Formula:
    # Variables come first: without them, conditions are dull.
    terms: Sequence[Term] = (*scope, *scope, *names.objects)
    kind = random.choice([*_LEAVES, *names.inner] if depth else _LEAVES)
    if kind == "atom":
        return _atom(random, names.arities, terms)
    if kind == "equal":
        return Equal(random.choice(terms), random.choice(terms))
    if kind == "truth":
        return random.choice([TRUE, FALSE])
    if kind in {"and", "or"}:
        parts = [
            _condition(random, names, scope, depth=depth - 1) for _ in range(random.randint(0, 3))
        ]
        return And(tuple(parts)) if kind == "and" else Or(tuple(parts))
    if kind == "not":
        return Not(_condition(random, names.under_negation(), scope, depth=depth - 1))
    if kind in {"iff", "xor"}:
        free = names.under_negation()
        sides = [_condition(random, free, scope, depth=depth - 1) for _ in range(2)]
        return Iff(*sides) if kind == "iff" else Xor(*sides)
    if kind == "imply":
        left = _condition(random, names.under_negation(), scope, depth=depth - 1)
        return Implies(left, _condition(random, names, scope, depth=depth - 1))
    return _quantified(random, names, scope, depth=depth, kind=kind)


def _quantified(
    random: Random, names: _Names, scope: Sequence[Variable], *, depth: int, kind: str
) -> Formula:
    bound = _variables(random, least=1 if kind == "count" else 0, most=2)
    inner = _within(scope, bound)
    if kind == "count":
        inner = _within(scope, bound[:1])
        body = _condition(random, names.under_negation(), inner, depth=depth - 1)
        how: Counting = random.choice(["exactly", "at least", "at most"])
        return Count(random.randint(0, 2), bound[0], body, how)
    body = _condition(random, names, inner, depth=depth - 1)
    return Exists(bound, body) if kind == "exists" else Forall(bound, body)


def _effect(random: Random, names: _Names, scope: Sequence[Variable], *, depth: int) -> Effect:
    kind = random.choice(["and", "and", "when", "forall", "literal"] if depth else ["literal"])
    if kind == "literal":
        atom = _atom(random, _STORED, (*scope, *scope, *_CONSTANTS))
        return random.choice([AddEffect(atom), DeleteEffect(atom)])
    if kind == "when":
        condition = _condition(random, names, scope, depth=2)
        return WhenEffect(condition, _effect(random, names, scope, depth=depth - 1))
    if kind == "forall":
        bound = _variables(random, least=0, most=2)
        return ForallEffect(bound, _effect(random, names, _within(scope, bound), depth=depth - 1))
    many = range(random.randint(0, 3))
    return AndEffect(tuple(_effect(random, names, scope, depth=depth - 1) for _ in many))


def _axioms(random: Random, arities: dict[str, int]) -> tuple[Axiom, ...]:
    """Make rules for derived predicates; their arities are entered into ``arities``."""
    rules = []
    groups = random.choice([("b",), ("b", "c"), ("d", "b", "c")]), ("a",)
    # The later group comes first in the alphabet: the order of names must not matter.
    for group in groups:
        heads = {f"{name}_derived": _variables(random, least=0, most=3) for name in group}
        arities.update({name: len(head) for name, head in heads.items()})
        names = _Names(dict(arities), frozenset(heads))
        for name, head in heads.items():
            for _ in range(random.randint(1, 2)):
                typed = tuple(Variable(v.name, random.choice(_RANGES)) for v in head)
                body = _condition(random, names, typed, depth=3)
                rules.append(Axiom(Atom(name, typed), body))
    return tuple(rules)


def _domain(random: Random) -> Domain:
    arities = dict(_STORED)
    axioms = _axioms(random, arities)
    names = _Names(arities)
    operators = {}
    for name in ("first", "second"):
        scope = _variables(random, least=0, most=3)
        condition = _condition(random, names, scope, depth=3)
        effect = _effect(random, names, scope, depth=4)
        operators[name] = Operator(name, scope, condition, effect)
    arguments = tuple(Variable(f"v{i}") for i in range(3))
    return Domain(
        "small",
        types=_TYPES,
        constants=_CONSTANTS,
        predicates={name: Predicate(name, arguments[:n]) for name, n in arities.items()},
        axioms=axioms,
        operators=operators,
    )
