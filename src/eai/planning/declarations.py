"""Names that a task mentions and does not declare, and their declarations.

Published tasks mention objects, predicates and types that they do not declare. Fast Downward's
translator refuses them (:func:`objection`); :func:`declared` returns the task with declarations for
all of them, so that plans can be run all the same. An object declared in this way is in the range
of no quantifier and parameter, so the meaning of everything else stays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
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
    has_times,
    has_trajectory_constraints,
    numeric_domain,
)
from eai.text import counted

NUMERIC_PLANNERS = (
    "others take it: --engine kairos (pip install kairos-planner), or an engine of "
    "unified-planning such as --engine unified:enhsp (pip install unified-planning up-enhsp)"
)
"""Advice on planners for tasks with numbers."""

_DECLARED = "(declared object)"
"""The type of declared objects; no PDDL text can have a type of this name."""


def objection(domain: Domain, problem: Problem) -> str | None:
    """Return why Fast Downward's translator would reject a task, or None if it accepts it.

    Tasks with numbers mean something, but no search here takes them.
    """
    if has_times(domain, problem):
        return (
            "the task has durative actions or timed literals, for which there is no search here; "
            "OPTIC, Temporal Fast Downward and Kairos plan with it"
        )
    if numeric_domain(domain, problem).has_numbers:
        return f"the task has numbers, for which there is no search here; {NUMERIC_PLANNERS}"
    if has_trajectory_constraints(domain, problem):
        return (
            "the task has preferences or constraints of PDDL 3, for which there is no search here; "
            "VAL and Kairos read it, and OPTIC and Kairos plan with it"
        )
    return _wrong_predicate(domain, problem) or _undeclared_type(domain, problem)


def _wrong_predicate(domain: Domain, problem: Problem) -> str | None:
    """Return which predicate is undeclared or has the wrong number of arguments, or None."""
    # A type is a predicate of one argument, too.
    arities = dict.fromkeys(domain.types, 1)
    arities.update(
        (part_name, predicate.arity) for part_name, predicate in domain.predicates.items()
    )
    for part_name, mentions in _all_mentions(domain, problem):
        for predicate, count in sorted(mentions.predicates):
            arity = arities.get(predicate)
            if arity is None:
                return f"{part_name} mentions the predicate {predicate!r}, which is not declared"
            if arity != count:
                return f"{part_name}: {predicate} takes {counted(arity, 'argument')}, not {count}"
    return None


def _undeclared_type(domain: Domain, problem: Problem) -> str | None:
    """Return which object has a type that is not declared, or None if none has."""
    for name, type_name in {**domain.constants, **problem.objects}.items():
        if type_name != "object" and type_name not in domain.types:
            return f"the object {name!r} has the type {type_name!r}, which is not declared"
    return None


class _MissingNames(NamedTuple):
    """The undeclared names in a task, sorted."""

    objects: list[str]
    types: list[str]
    predicates: list[str]


def declared(domain: Domain, problem: Problem) -> tuple[Domain, Problem]:
    """Return the task with declarations for all undeclared names that it uses.

    Quantifiers and parameters do not range over the objects that are added: "all objects" are still
    the objects that were declared before.
    """
    missing_names = _missing_names(domain, problem)
    facts = _well_formed_facts(domain, problem)
    if not any(missing_names) and len(facts) == len(problem.initial):
        return domain, problem
    facts += _facts_of_types(domain, problem, missing_names.predicates)
    # The declared objects get a common type that replaces "object". Objects that are added here are
    # not of that type, so no quantifier or parameter ranges over them.
    types = {_DECLARED: "object", **dict.fromkeys(missing_names.types, _DECLARED)}
    types.update((name, _narrow_type(supertype)) for name, supertype in domain.types.items())
    predicates = dict(domain.predicates)
    for predicate in missing_names.predicates:
        predicates[predicate] = Predicate(predicate, (Variable("x"),))
    axioms = []
    for axiom in domain.axioms:
        axioms.append(Axiom(axiom.head, _narrow_formula(axiom.body, axiom.head.terms)))
    operators = {name: _narrow_operator(operator) for name, operator in domain.operators.items()}
    complete_domain = replace(
        domain,
        types=types,
        constants=_narrow_types_of(domain.constants),
        predicates=predicates,
        axioms=tuple(axioms),
        operators=operators,
    )
    complete_problem = replace(
        problem,
        objects={
            **_narrow_types_of(problem.objects),
            **dict.fromkeys(missing_names.objects, "object"),
        },
        initial=tuple(facts),
        goal=_narrow_formula(problem.goal, ()),
    )
    return complete_domain, complete_problem


def _narrow_types_of(objects: Mapping[str, str]) -> dict[str, str]:
    """Return objects, by name, with the type of declared objects in the place of ``object``."""
    return {name: _narrow_type(type_name) for name, type_name in objects.items()}


def _facts_of_types(domain: Domain, problem: Problem, predicates: Iterable[str]) -> Iterator[Atom]:
    """Yield the facts of types that are used as predicates.

    With the type ``cup``, the condition ``(cup ?x)`` is true for the objects of the type.

    Args:
        domain: The domain.
        problem: The problem.
        predicates: Predicates without a declaration, some of which may be types.
    """
    objects = {**domain.constants, **problem.objects}
    for predicate in predicates:
        for name, type_name in objects.items():
            if domain.is_subtype(type_name, predicate):
                yield Atom(predicate, (name,))


def _missing_names(domain: Domain, problem: Problem) -> _MissingNames:
    """Return the objects, types and predicates that a task uses without declaring them."""
    in_domain = _mentions_of_domain(domain)
    goal = _mentions([(problem.goal, ())])
    objects = {*in_domain.objects, *goal.objects}
    # Facts and values name objects, conditions name everything else as well.
    for atom in (*problem.initial, *problem.values):
        objects.update(map(str, atom.terms))
    objects.update(f"?{name}" for name in in_domain.unbound | goal.unbound)
    types = in_domain.types | goal.types
    predicates = {name for name, _ in in_domain.predicates | goal.predicates}
    return _MissingNames(
        sorted(objects.difference(domain.constants, problem.objects)),
        sorted(types.difference(domain.types, ("object",))),
        sorted(predicates.difference(domain.predicates)),
    )


def _well_formed_facts(domain: Domain, problem: Problem) -> list[Atom]:
    """Return the initial facts of declared predicates, with the declared number of arguments."""
    arities = {(name, predicate.arity) for name, predicate in domain.predicates.items()}
    return [atom for atom in problem.initial if (atom.predicate, len(atom.terms)) in arities]


class _Mentions(NamedTuple):
    """Names that occur in a part of a task.

    Args:
        predicates: Names of predicates, each with the number of its arguments.
        objects: Names of objects.
        unbound: Names of variables that nothing around the part binds.
        types: Names of types.
    """

    predicates: frozenset[tuple[str, int]]
    objects: frozenset[str]
    unbound: frozenset[str]
    types: frozenset[str]


def _all_mentions(domain: Domain, problem: Problem) -> Iterator[tuple[str, _Mentions]]:
    """Yield the parts of a task by name, with the names that they mention."""
    yield from _parts_of_domain(domain)
    yield "the goal", _mentions([(problem.goal, ())])


def _parts_of_domain(domain: Domain) -> Iterator[tuple[str, _Mentions]]:
    """Yield the operators and rules of a domain by name, with the names that they mention."""
    for name, operator in domain.operators.items():
        yield f"action {name!r}", _mentions_of_operator(operator)
    for axiom in domain.axioms:
        yield f"the rule for {axiom.head.predicate!r}", _mentions([(axiom.body, axiom.head.terms)])


_MAX_DOMAINS = 64
"""Maximum number of domains whose mentions are kept."""
_MENTIONS_OF_DOMAINS: dict[int, tuple[Domain, _Mentions]] = {}
"""The mentions of domains by identity; each domain is kept, so that no identity is reused."""


def _mentions_of_domain(domain: Domain) -> _Mentions:
    """Return all names that a domain mentions, collected once for many problems."""
    kept = _MENTIONS_OF_DOMAINS.get(id(domain))
    if kept is not None:
        return kept[1]
    parts = [mentions for _, mentions in _parts_of_domain(domain)]
    joined = _Mentions(
        frozenset().union(*[part.predicates for part in parts]),
        frozenset().union(*[part.objects for part in parts]),
        frozenset().union(*[part.unbound for part in parts]),
        frozenset().union(*[part.types for part in parts]),
    )
    if len(_MENTIONS_OF_DOMAINS) >= _MAX_DOMAINS:
        _MENTIONS_OF_DOMAINS.clear()
    _MENTIONS_OF_DOMAINS[id(domain)] = domain, joined
    return joined


@lru_cache(maxsize=512)
def _mentions_of_operator(operator: Operator) -> _Mentions:
    """Return the names that the precondition, the effects and the costs of an operator mention."""
    parameters = operator.parameters
    parameter_names = [parameter.name for parameter in parameters]
    formulas_in_scope: list[tuple[Formula, Iterable[Term]]] = [(operator.precondition, parameters)]
    for clause in clauses(operator.effect, parameter_names):
        scope = (*parameters, *clause.variables)
        formulas_in_scope += [(clause.condition, scope), (clause.atom, scope)]
    for cost in cost_clauses(operator.effect, parameter_names):
        formulas_in_scope.append((cost.condition, (*operator.parameters, *cost.variables)))
    return _mentions(formulas_in_scope)


def _mentions(formulas_in_scope: Iterable[tuple[Formula, Iterable[Term]]]) -> _Mentions:
    """Return the names in some formulas, and the variables that nothing binds.

    Args:
        formulas_in_scope: Formulas, each with the terms around it that may be its variables.
    """
    predicates: set[tuple[str, int]] = set()
    objects: set[str] = set()
    unbound: set[str] = set()
    types: set[str] = set()
    for formula, scope in formulas_in_scope:
        # The head of a rule may have objects among its variables; only the variables are bound.
        bound_variables = [term for term in scope if isinstance(term, Variable)]
        for node in formula.walk():
            if isinstance(node, Atom):
                predicates.add((node.predicate, len(node.terms)))
        objects |= objects_of(formula)
        for variable in (*bound_variables, *_quantified_variables(formula)):
            types.update(variable.types)
        free_names = {variable.name for variable in formula.free}
        unbound |= free_names - {variable.name for variable in bound_variables}
    return _Mentions(
        frozenset(predicates), frozenset(objects), frozenset(unbound), frozenset(types)
    )


def _quantified_variables(formula: Formula) -> Iterator[Variable]:
    """Yield the variables of all quantifiers in a formula."""
    for node in formula.walk():
        yield from node.variables


def _narrow_operator(operator: Operator) -> Operator:
    """Return an operator with variables that range over the declared objects only.

    Variables of the type ``object`` exclude the objects that are added for undeclared names.
    """
    scope = operator.parameters
    parameter_names = [parameter.name for parameter in scope]
    effects: list[Effect] = []
    for cost in cost_clauses(operator.effect, parameter_names):
        condition = _narrow_formula(cost.condition, (*scope, *cost.variables))
        narrowed = cost._replace(variables=_narrow_variables(cost.variables), condition=condition)
        effects.append(narrowed.effect)
    for clause in clauses(operator.effect, parameter_names):
        clause_scope = (*scope, *clause.variables)
        atom = _narrow_formula(clause.atom, clause_scope)
        condition = _narrow_formula(clause.condition, clause_scope)
        assert isinstance(atom, Atom)  # noqa: S101 - an atom stays one
        effects.append(
            Clause(_narrow_variables(clause.variables), condition, clause.added, atom).effect
        )
    precondition = _narrow_formula(operator.precondition, scope)
    return Operator(
        operator.name, _narrow_variables(scope), precondition, AndEffect(tuple(effects))
    )


def _narrow_formula(formula: Formula, around: Collection[Term]) -> Formula:
    """Restrict quantifiers to declared objects, and turn unbound variables into names."""
    # A variable that nothing binds becomes an object of its own, "?x", which is declared too.
    scope = {term.name for term in around if isinstance(term, Variable)}
    unbound = {v.name: f"?{v.name}" for v in formula.free if v.name not in scope}
    return _narrow_quantifiers(formula.substitute(unbound))


def _narrow_quantifiers(formula: Formula) -> Formula:
    """Return a formula whose quantifiers range over declared objects."""
    operands = [_narrow_quantifiers(operand) for operand in formula.operands]
    if isinstance(formula, Quantifier):
        return formula.over(_narrow_variables(formula.variables), operands[0])
    if not operands:
        return formula
    return formula.rebuild(operands)


def _narrow_variables(variables: Iterable[Variable]) -> tuple[Variable, ...]:
    """Return variables that range over declared objects."""
    narrowed = []
    for variable in variables:
        narrowed.append(Variable(variable.name, tuple(map(_narrow_type, variable.types))))
    return tuple(narrowed)


def _narrow_type(type_name: str) -> str:
    """Return the type of the declared objects in the place of ``object``."""
    if type_name == "object":
        return _DECLARED
    return type_name
