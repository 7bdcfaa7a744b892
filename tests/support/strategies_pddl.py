"""Hypothesis strategies for PDDL: domains and problems in which every name is declared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hypothesis import strategies as st

from eai.logic import (
    FALSE,
    TRUE,
    And,
    Atom,
    Equal,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Term,
    Variable,
    exact,
)
from eai.pddl import (
    MINIMAL_COST,
    AddEffect,
    AndEffect,
    Axiom,
    CostEffect,
    DeleteEffect,
    Domain,
    Effect,
    ForallEffect,
    Function,
    Operator,
    Predicate,
    Problem,
    WhenEffect,
)
from eai.pddl.text import RESERVED

__all__ = ["conditions", "domains", "effects", "names", "problems", "worlds"]

names = st.from_regex(r"[a-z][a-z0-9_.-]{0,4}", fullmatch=True).filter(
    lambda name: name not in RESERVED and name != "object"
)
"""Names that can be written in PDDL as they are."""

costs = st.one_of(
    st.integers(0, 10**6),
    # As a text says it: numbers are read exactly.
    st.floats(0, 1e9, allow_nan=False, allow_infinity=False).map(exact),
)


def variables(types: Sequence[str]) -> st.SearchStrategy[tuple[Variable, ...]]:
    """Lists of up to three variables with different names and any types."""
    several = st.lists(st.sampled_from([*types, "object"]), min_size=1, max_size=2, unique=True)
    one = st.builds(Variable, st.sampled_from(["x", "y", "z", "x.1", "0"]), several.map(tuple))
    return st.lists(one, max_size=3, unique_by=lambda variable: variable.name).map(tuple)


def _fits(domain: Domain, types: Sequence[str], wanted: Sequence[str]) -> bool:
    return all(any(domain.is_subtype(name, other) for other in wanted) for name in types)


def _terms(
    domain: Domain, scope: Sequence[Variable], wanted: Sequence[str], objects: Mapping[str, str]
) -> list[Term]:
    named = {**domain.constants, **objects}
    return [
        *(variable for variable in scope if _fits(domain, variable.types, wanted)),
        *(name for name, type_name in named.items() if _fits(domain, [type_name], wanted)),
    ]


@st.composite
def _applied(
    draw: st.DrawFn,
    domain: Domain,
    scope: Sequence[Variable],
    declared: Mapping[str, Predicate] | Mapping[str, Function],
    objects: Mapping[str, str],
) -> Atom | None:
    """A predicate or function with terms that fit; None if there are no such terms."""
    if not declared:
        return None
    one = declared[draw(st.sampled_from(sorted(declared)))]
    choices = [_terms(domain, scope, wanted.types, objects) for wanted in one.parameters]
    if not all(choices):
        return None
    return Atom(one.name, tuple(draw(st.sampled_from(choice)) for choice in choices))


@st.composite
def conditions(
    draw: st.DrawFn,
    domain: Domain,
    scope: Sequence[Variable] = (),
    *,
    objects: Mapping[str, str] | None = None,
    depth: int = 3,
) -> Formula:
    """Conditions over what a domain declares and the variables of a scope."""
    given = objects or {}
    kinds = ["atom", "atom", "equal", "truth", "forall", "exists", *_CONNECTIVES]
    kind = draw(st.sampled_from(kinds if depth else kinds[:4]))
    if kind == "atom":
        atom = draw(_applied(domain, scope, domain.predicates, given))
        return TRUE if atom is None else atom
    if kind == "equal":
        terms = st.sampled_from([*_terms(domain, scope, ["object"], given), "none"])
        left, right = draw(terms), draw(terms)
        return FALSE if "none" in (left, right) else Equal(left, right)
    if kind == "truth":
        return draw(st.sampled_from([TRUE, FALSE]))
    if kind in {"forall", "exists"}:
        bound = draw(variables(list(domain.types)))
        inner = [v for v in scope if v.name not in {b.name for b in bound}]
        body = draw(conditions(domain, [*inner, *bound], objects=given, depth=depth - 1))
        return Forall(bound, body) if kind == "forall" else Exists(bound, body)
    parts = st.lists(
        conditions(domain, scope, objects=given, depth=depth - 1), min_size=2, max_size=3
    )
    return _CONNECTIVES[kind](draw(parts))


def _and(parts: list[Formula]) -> Formula:
    return And(tuple(parts))


def _or(parts: list[Formula]) -> Formula:
    return Or(tuple(parts))


def _not(parts: list[Formula]) -> Formula:
    return Not(parts[0])


def _imply(parts: list[Formula]) -> Formula:
    return Implies(parts[0], parts[1])


_CONNECTIVES = {"and": _and, "or": _or, "not": _not, "imply": _imply}


def _stated(domain: Domain) -> dict[str, Predicate]:
    """Predicates that no rule defines: those that may be given and changed."""
    return {name: p for name, p in domain.predicates.items() if name not in domain.derived}


@st.composite
def effects(
    draw: st.DrawFn, domain: Domain, scope: Sequence[Variable] = (), *, depth: int = 3
) -> Effect:
    """Effects over what a domain declares and the variables of a scope."""
    kinds = ["literal", "cost", "and", "when", "forall"][: None if depth else 2]
    kind = draw(st.sampled_from(kinds))
    if kind == "literal":
        atom = draw(_applied(domain, scope, _stated(domain), {}))
        if atom is None:
            return AndEffect()
        return draw(st.sampled_from([AddEffect(atom), DeleteEffect(atom)]))
    if kind == "cost":
        # The total cost cannot be what is added to it.
        amounts = {name: f for name, f in domain.functions.items() if name != "total-cost"}
        term = draw(_applied(domain, scope, amounts, {}))
        return CostEffect(draw(costs) if term is None else draw(st.one_of(costs, st.just(term))))
    if kind == "when":
        condition = draw(conditions(domain, scope, depth=1))
        return WhenEffect(condition, draw(effects(domain, scope, depth=depth - 1)))
    if kind == "forall":
        bound = draw(variables(list(domain.types)))
        inner = [v for v in scope if v.name not in {b.name for b in bound}]
        return ForallEffect(bound, draw(effects(domain, [*inner, *bound], depth=depth - 1)))
    parts = st.lists(effects(domain, scope, depth=depth - 1), max_size=3)
    return AndEffect(tuple(draw(parts)))


@st.composite
def _declarations(draw: st.DrawFn) -> Domain:
    """A domain without rules and actions."""
    types: dict[str, str] = {}
    for name in draw(st.lists(names, max_size=4, unique=True)):
        types[name] = draw(st.sampled_from(["object", *types]))
    constants = {
        name: draw(st.sampled_from(["object", *types]))
        for name in draw(st.lists(names, max_size=2, unique=True))
    }
    predicates = {
        name: Predicate(name, draw(variables(list(types))))
        for name in draw(st.lists(names, max_size=4, unique=True))
    }
    functions = {"total-cost": Function("total-cost")} | {
        name: Function(name, draw(variables(list(types))))
        for name in draw(st.lists(names, max_size=2, unique=True))
    }
    return Domain(
        draw(names),
        requirements=tuple(draw(st.lists(st.sampled_from(["adl", "typing", "action-costs"])))),
        types=types,
        constants=constants,
        predicates=predicates,
        functions=functions,
    )


@st.composite
def domains(draw: st.DrawFn) -> Domain:
    """Domains in which the check finds no error."""
    base = draw(_declarations())
    derived = {
        f"derived{number}": Predicate(f"derived{number}", parameters)
        for number, parameters in enumerate(draw(st.lists(variables(list(base.types)), max_size=2)))
    }
    axioms = [
        Axiom(Atom(name, rule.parameters), draw(conditions(base, rule.parameters)))
        for name, rule in derived.items()
    ]
    world = replace(base, predicates={**base.predicates, **derived}, axioms=tuple(axioms))
    operators = {}
    for name in draw(st.lists(names, max_size=3, unique=True)):
        scope = draw(variables(list(world.types)))
        condition, effect = draw(conditions(world, scope)), draw(effects(world, scope))
        operators[name] = Operator(name, scope, condition, effect)
    return replace(world, operators=operators)


@st.composite
def problems(draw: st.DrawFn, domain: Domain) -> Problem:
    """Problems of a domain in which the check finds no error."""
    free = names.filter(lambda name: name not in domain.constants)
    types = st.sampled_from(["object", *domain.types])
    objects = draw(st.dictionaries(free, types, max_size=4))
    facts = st.lists(_applied(domain, (), _stated(domain), objects), max_size=6, unique=True)
    values = st.dictionaries(_applied(domain, (), domain.functions, objects), costs, max_size=3)
    return Problem(
        draw(names),
        domain.name,
        objects=objects,
        initial=tuple(atom for atom in draw(facts) if atom is not None),
        goal=draw(conditions(domain, objects=objects)),
        values={term: value for term, value in draw(values).items() if term is not None},
        metric=draw(st.sampled_from((None, MINIMAL_COST))),
    )


@st.composite
def worlds(draw: st.DrawFn) -> tuple[Domain, Problem]:
    """A domain and a problem of it."""
    domain = draw(domains())
    return domain, draw(problems(domain))
