"""Undefined costs, for all that looks at facts only; this module imports no planner.

A function term without a value is undefined, and an action that would add it to the total cost
cannot be done (as in VAL, Kairos and Fast Downward). So that searches, repairs and causes need no
numbers, :func:`with_values` turns this into an ordinary precondition on static facts. The cost of a
plan itself is a number like others: :func:`eai.planning.metrics.cost_of`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product

from eai.logic import (
    TRUE,
    And,
    Atom,
    Forall,
    Formula,
    Implies,
    Variable,
    atoms,
)
from eai.pddl import (
    AndEffect,
    CostClause,
    Domain,
    Operator,
    Predicate,
    Problem,
    clauses,
    cost_clauses,
)
from eai.pddl.instances import JoinLimitError, StaticJoin, format_term, missing_values
from eai.pddl.model import Phrase
from eai.world import State, World


@lru_cache(maxsize=512)
def _costs(operator: Operator) -> tuple[CostClause, ...]:
    """Return the amounts that an operator adds to the total cost, each with its condition."""
    return tuple(cost_clauses(operator.effect, [v.name for v in operator.parameters]))


def _functions(operator: Operator) -> set[str]:
    """Return the names of the functions whose values an operator adds to the total cost."""
    amounts = [clause.amount for clause in _costs(operator)]
    return {amount.predicate for amount in amounts if isinstance(amount, Atom)}


def _instances(
    variables: Sequence[Variable], condition: Formula, binding: Mapping[str, str], state: State
) -> Iterator[tuple[Mapping[str, str], Formula]]:
    """Yield every binding of the variables, with the ground condition."""
    names = [variable.name for variable in variables]
    objects_by_variable = [state.universe.of_types(variable.types) for variable in variables]
    for objects in product(*objects_by_variable):
        instance_binding = {**binding, **dict(zip(names, objects, strict=True))}
        yield instance_binding, condition.substitute(instance_binding)


_SUFFIX = "-has-value"
"""Suffix of the predicate that is true for the terms of a function that have a value."""


def with_values(domain: Domain, problem: Problem) -> tuple[Domain, Problem]:
    """Return the task in which actions with an undefined cost are not applicable.

    A function with missing values gets a guard: a static predicate ``FUNCTION-has-value``, which
    holds for the terms with a value and becomes a precondition of actions. The task itself is
    returned if no possible action needs a missing value.

    Args:
        domain: The domain.
        problem: The problem.
    """
    # Most tasks lack no values. They are left unchanged, as guards would make them larger.
    functions_used = set[str]().union(*map(_functions, domain.operators.values()))
    if not functions_used or not _may_lack_values(domain, problem):
        return domain, problem
    domain_with_guards, guards = _declare_guards(
        domain, sorted(functions_used.intersection(domain.functions))
    )
    operators = {name: _guarded(operator, guards) for name, operator in domain.operators.items()}
    # The guard of a term is true from the start if the term has a value.
    facts = []
    for term in problem.values:
        if term.predicate in guards:
            facts.append(Atom(guards[term.predicate], term.terms))
    guarded_problem = replace(problem, initial=(*problem.initial, *facts))
    return replace(domain_with_guards, operators=operators), guarded_problem


def _declare_guards(domain: Domain, functions: Iterable[str]) -> tuple[Domain, dict[str, str]]:
    """Declare, for each function, a predicate that is true of the terms with a value.

    Args:
        domain: The domain.
        functions: Names of functions.

    Returns:
        The domain with the predicates and phrases for them, and each function with the name of
        its predicate.
    """
    predicates = dict(domain.predicates)
    phrases = dict(domain.phrases)
    guards: dict[str, str] = {}
    for name in functions:
        guard = name + _SUFFIX
        while guard in predicates:  # a domain may declare a predicate of this name
            guard += "-"
        guards[name] = guard
        parameters = domain.functions[name].parameters
        predicates[guard] = Predicate(guard, parameters)
        # A phrase has {0}, {1}, ... in the place of arguments.
        placeholders = tuple([f"{{{i}}}" for i in range(len(parameters))])
        term = format_term(Atom(name, placeholders))
        phrases[guard] = Phrase(f"{term} has a value", f"{term} has no value")
    return replace(domain, predicates=predicates, phrases=phrases), guards


def _may_lack_values(domain: Domain, problem: Problem) -> bool:
    """Return whether the static facts permit an action whose cost is undefined.

    It returns True as well if the check takes too long. A needless request for values does no
    harm.
    """
    join = StaticJoin(domain, problem)
    try:
        for operator in domain.operators.values():
            for _ in missing_values(join, operator, problem):
                return True
    except JoinLimitError:
        return True
    return False


def _guarded(operator: Operator, guards: Mapping[str, str]) -> Operator:
    """Return an operator with a precondition that also requires the values in its cost.

    An action with an undefined cost ``(distance ?a ?b)`` is not applicable. A guard is a predicate
    that is true if the value is defined. A conditional cost is only guarded under its condition.

    Args:
        operator: The operator.
        guards: Names of the guards, by functions.
    """
    guard_conditions = []
    for clause in _costs(operator):
        if isinstance(clause.amount, Atom) and clause.amount.predicate in guards:
            test: Formula = Atom(guards[clause.amount.predicate], clause.amount.terms)
            if clause.condition != TRUE:
                test = Implies(clause.condition, test)
            if clause.variables:
                test = Forall(clause.variables, test)
            guard_conditions.append(test)
    if not guard_conditions:
        return operator
    return replace(operator, precondition=And((operator.precondition, *guard_conditions)))


def without_costs(domain: Domain) -> Domain:
    """Return a domain without action costs, or the same object if it has none.

    Effects on the total cost are removed, and all others are kept.
    """
    operators = {}
    for name, operator in domain.operators.items():
        if not _costs(operator):
            operators[name] = operator
            continue
        names = [variable.name for variable in operator.parameters]
        literals = tuple([clause.effect for clause in clauses(operator.effect, names)])
        operators[name] = replace(operator, effect=AndEffect(literals))
    if operators == domain.operators:
        return domain
    return replace(domain, operators=operators)


def missing_term(world: World, state: State, unmet: Formula) -> str:
    """Return the function term without a value because of which a condition is not met.

    Args:
        world: The world of a domain that :func:`with_values` returned.
        state: A state in which the condition does not hold.
        unmet: The condition: a conjunct of a precondition.

    Returns:
        The term, such as ``(distance a b)``; empty if the condition is not about a value.
    """
    if isinstance(unmet, Forall):
        instances = _instances(unmet.variables, unmet.body, {}, state)
        # The first instance that does not hold says which term has no value.
        for _, instance in instances:
            if not world.holds(state, instance):
                unmet = instance
                break
    for atom in atoms(unmet):
        if not isinstance(atom, Atom):
            continue
        function = guarded_function(world.domain, atom.predicate)
        if function:
            return format_term(Atom(function, atom.terms))
    return ""


def guarded_function(domain: Domain, predicate: str) -> str:
    """Return the function that a predicate of :func:`with_values` guards, or ""."""
    # Hyphens were added at the end where a domain declares a predicate of the name itself.
    function = predicate.rstrip("-").removesuffix(_SUFFIX)
    if function == predicate or function not in domain.functions:
        return ""
    return function
