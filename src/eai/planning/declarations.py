"""Names that a task mentions and does not declare, and what they are taken for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from eai.logic import Atom, Formula, Quantifier, Term, Variable, objects_of
from eai.pddl import (
    AndEffect,
    Axiom,
    Clause,
    Domain,
    Effect,
    Operator,
    Predicate,
    Problem,
    clauses,
    cost_clauses,
)
from eai.text import counted

_DECLARED = "(declared object)"
"""The type of what is declared; no PDDL text can have a type of this name."""


def objection(domain: Domain, problem: Problem) -> str | None:
    """Say why a task means nothing, as Fast Downward's translator would; None if it does."""
    known = {name: predicate.arity for name, predicate in domain.predicates.items()}
    for name, mentions in _all_mentions(domain, problem):
        for predicate, arity in sorted(mentions.predicates):
            # A type is a predicate of one argument, too.
            takes = known.get(predicate, 1 if predicate in domain.types else None)
            if takes is None:
                return f"{name} mentions the predicate {predicate!r}, which is not declared"
            if takes != arity:
                return f"{name}: {predicate} takes {counted(takes, 'argument')}, not {arity}"
    for name, type_name in {**domain.constants, **problem.objects}.items():
        if type_name != "object" and type_name not in domain.types:
            return f"the object {name!r} has the type {type_name!r}, which is not declared"
    return None


def declared(domain: Domain, problem: Problem) -> tuple[Domain, Problem]:
    """Return the task with everything declared that it mentions; itself if nothing is missing.

    Objects that are declared by the way are in the range of no quantifier and parameter: what
    ranges over all objects ranges over those that were declared before.
    """
    mentions = [each for _, each in _all_mentions(domain, problem)]
    objects = {str(term) for atom in problem.initial for term in atom.terms}
    objects.update(*(each.objects for each in mentions))
    objects.update(f"?{name}" for each in mentions for name in each.unbound)
    missing = sorted(objects.difference(domain.constants, problem.objects))
    types = set[str]().union(*(each.types for each in mentions)) - {"object", *domain.types}
    used = {name for each in mentions for name, _ in each.predicates} - {*domain.predicates}
    arities = {(name, predicate.arity) for name, predicate in domain.predicates.items()}
    facts = [atom for atom in problem.initial if (atom.predicate, len(atom.terms)) in arities]
    if not (missing or types or used) and len(facts) == len(problem.initial):
        return domain, problem
    # Types that serve as predicates hold of their objects.
    everything = {**domain.constants, **problem.objects}
    facts += [
        Atom(kind, (name,))
        for kind in sorted(used)
        for name, own in everything.items()
        if domain.is_subtype(own, kind)
    ]
    complete = replace(
        domain,
        types={
            _DECLARED: "object",
            **dict.fromkeys(sorted(types), _DECLARED),
            **{name: _narrow(above) for name, above in domain.types.items()},
        },
        constants={name: _narrow(own) for name, own in domain.constants.items()},
        predicates={
            **domain.predicates,
            **{name: Predicate(name, (Variable("x"),)) for name in sorted(used)},
        },
        axioms=tuple(Axiom(a.head, _narrowed(a.body, a.head.terms)) for a in domain.axioms),
        operators={name: _operator(each) for name, each in domain.operators.items()},
    )
    known = {name: _narrow(own) for name, own in problem.objects.items()}
    return complete, replace(
        problem,
        objects={**known, **dict.fromkeys(missing, "object")},
        initial=tuple(facts),
        goal=_narrowed(problem.goal, ()),
    )


class _Mentions(NamedTuple):
    """Names that occur: predicates with arities, objects, unbound variables, types."""

    predicates: frozenset[tuple[str, int]]
    objects: frozenset[str]
    unbound: frozenset[str]
    types: frozenset[str]


def _all_mentions(domain: Domain, problem: Problem) -> Iterator[tuple[str, _Mentions]]:
    for name, operator in domain.operators.items():
        yield f"action {name!r}", _of_operator(operator)
    for axiom in domain.axioms:
        yield f"the rule for {axiom.head.predicate!r}", _mentions([(axiom.body, axiom.head.terms)])
    yield "the goal", _mentions([(problem.goal, ())])


@lru_cache(maxsize=512)
def _of_operator(operator: Operator) -> _Mentions:
    parts: list[tuple[Formula, Iterable[Term]]] = [(operator.precondition, operator.parameters)]
    for clause in clauses(operator.effect, [v.name for v in operator.parameters]):
        scope = (*operator.parameters, *clause.variables)
        parts += [(clause.condition, scope), (clause.atom, scope)]
    for cost in cost_clauses(operator.effect, [v.name for v in operator.parameters]):
        parts.append((cost.condition, (*operator.parameters, *cost.variables)))
    return _mentions(parts)


def _mentions(parts: Iterable[tuple[Formula, Iterable[Term]]]) -> _Mentions:
    """What formulas mention, each with the variables that are bound around it."""
    predicates, types = set[tuple[str, int]](), set[str]()
    objects, unbound = set[str](), set[str]()
    for formula, around in parts:
        scope = [term for term in around if isinstance(term, Variable)]
        variables = [*scope]
        for node in formula.walk():
            variables += node.variables
            if isinstance(node, Atom):
                predicates.add((node.predicate, len(node.terms)))
        types.update(name for variable in variables for name in variable.types)
        objects |= objects_of(formula)
        unbound |= {v.name for v in formula.free}.difference(v.name for v in scope)
    return _Mentions(*map(frozenset, (predicates, objects, unbound, types)))  # type: ignore[arg-type]


def _operator(operator: Operator) -> Operator:
    scope = operator.parameters
    effects = list[Effect]()
    for cost in cost_clauses(operator.effect, [v.name for v in scope]):
        condition = _narrowed(cost.condition, (*scope, *cost.variables))
        narrowed = cost._replace(variables=_variables(cost.variables), condition=condition)
        effects.append(narrowed.effect)
    for clause in clauses(operator.effect, [v.name for v in scope]):
        around = (*scope, *clause.variables)
        atom, condition = (_narrowed(each, around) for each in (clause.atom, clause.condition))
        assert isinstance(atom, Atom)  # noqa: S101 - an atom stays one
        effects.append(Clause(_variables(clause.variables), condition, clause.added, atom).effect)
    precondition = _narrowed(operator.precondition, scope)
    return Operator(operator.name, _variables(scope), precondition, AndEffect(tuple(effects)))


def _narrowed(formula: Formula, around: Collection[Term]) -> Formula:
    """Let quantifiers range over what is declared, and name what they do not bind."""
    scope = {term.name for term in around if isinstance(term, Variable)}
    unbound = {v.name: f"?{v.name}" for v in formula.free if v.name not in scope}
    return _within(formula.substitute(unbound))


def _within(formula: Formula) -> Formula:
    parts = [_within(part) for part in formula.operands]
    if isinstance(formula, Quantifier):
        return formula.over(_variables(formula.variables), parts[0])
    return formula.rebuild(parts) if parts else formula


def _variables(variables: Iterable[Variable]) -> tuple[Variable, ...]:
    return tuple([Variable(v.name, tuple(map(_narrow, v.types))) for v in variables])


def _narrow(type_name: str) -> str:
    return _DECLARED if type_name == "object" else type_name
