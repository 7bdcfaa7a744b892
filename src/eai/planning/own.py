"""Our planner: declare what is missing, ground, search, and run the plan that was found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from eai.budget import BeyondBudgetError, Budget, Meter
from eai.errors import InputError
from eai.logic.formula import TRUE, Atom, Exists, Forall, Formula, Term, Variable, objects_of
from eai.pddl import format_condition
from eai.pddl.model import (
    AddEffect,
    AndEffect,
    Axiom,
    DeleteEffect,
    Domain,
    Effect,
    ForallEffect,
    Operator,
    Predicate,
    Problem,
    WhenEffect,
)
from eai.planning.greedy import search_greedily
from eai.planning.grounding import ground
from eai.planning.limits import Limits, MemoryLimitError, TimeLimitError
from eai.planning.novelty import search_by_width
from eai.planning.optimal import search_breadth_first, search_by_cost
from eai.planning.portfolio import ExcludedError, search_in_turns
from eai.planning.results import Outcome, PlanningResult
from eai.planning.schemas import amounts
from eai.planning.task import GroundAction, Search, Task, finish
from eai.world.action import Action
from eai.world.transition import world_of

__all__ = ["OWN", "OwnEngine", "Validation", "declared", "objection", "validate"]

_DECLARED = "(declared object)"
"""The type of what is declared; no PDDL text can have a type of this name."""


def objection(domain: Domain, problem: Problem) -> str | None:
    """Say why a task means nothing, as Fast Downward's translator would; None if it does.

    Args:
        domain: The domain.
        problem: The problem.
    """
    known = {name: predicate.arity for name, predicate in domain.predicates.items()}
    for name, mark in _marks(domain, problem):
        for predicate, arity in sorted(mark.predicates):
            # A type is a predicate of one argument, too.
            takes = known.get(predicate, 1 if predicate in domain.types else None)
            if takes is None:
                return f"{name} mentions the predicate {predicate!r}, which is not declared"
            if takes != arity:
                return f"{name}: {predicate} takes {takes} arguments, not {arity}"
    for name, type_name in {**domain.constants, **problem.objects}.items():
        if type_name != "object" and type_name not in domain.types:
            return f"the object {name!r} has the type {type_name!r}, which is not declared"
    return None


def declared(domain: Domain, problem: Problem) -> tuple[Domain, Problem]:
    """Return the task with everything declared that it mentions; itself if nothing is missing.

    Args:
        domain: The domain.
        problem: The problem. There must be no :func:`objection` to it.
    """
    marks = [mark for _, mark in _marks(domain, problem)]
    objects = {str(term) for atom in problem.initial for term in atom.terms}
    objects.update(*(mark.objects for mark in marks))
    objects.update(f"?{name}" for mark in marks for name in mark.unbound)
    missing = objects.difference(domain.constants, problem.objects)
    types = set[str]().union(*(mark.types for mark in marks)) - {"object", *domain.types}
    used = {name for mark in marks for name, _ in mark.predicates} - {*domain.predicates}
    facts = tuple([atom for atom in problem.initial if _is_declared(atom, domain)])
    if not missing and not types and not used and len(facts) == len(problem.initial):
        return domain, problem
    members = _members(used, domain, problem)
    known = {name: _DECLARED if t == "object" else t for name, t in problem.objects.items()}
    complete = replace(
        problem,
        objects={**known, **dict.fromkeys(sorted(missing), "object")},
        initial=(*facts, *members),
        goal=_retyped(problem.goal, frozenset()),
    )
    return _complete_domain(domain, types, used), complete


def _marks(domain: Domain, problem: Problem) -> Iterator[tuple[str, _Mentions]]:
    for name, operator in domain.operators.items():
        yield f"action {name!r}", _of_operator(operator)
    for axiom in domain.axioms:
        scope = _names(axiom.head.terms)
        yield f"the rule for {axiom.head.predicate!r}", _of_formula(axiom.body, scope)
    yield "the goal", _of_formula(problem.goal, frozenset())


def _is_declared(atom: Atom, domain: Domain) -> bool:
    predicate = domain.predicates.get(atom.predicate)
    return predicate is not None and predicate.arity == len(atom.terms)


def _members(types: set[str], domain: Domain, problem: Problem) -> Iterator[Atom]:
    """Yield the facts that say which objects have the types that serve as predicates."""
    for type_name in sorted(types):
        for name, own in {**domain.constants, **problem.objects}.items():
            if domain.is_subtype(own, type_name):
                yield Atom(type_name, (name,))


def _complete_domain(domain: Domain, types: set[str], used: set[str]) -> Domain:
    above = {name: _DECLARED if t == "object" else t for name, t in domain.types.items()}
    return replace(
        domain,
        types={_DECLARED: "object", **dict.fromkeys(sorted(types), _DECLARED), **above},
        constants={n: _DECLARED if t == "object" else t for n, t in domain.constants.items()},
        predicates={
            **domain.predicates,
            **{name: Predicate(name, (Variable("x"),)) for name in sorted(used)},
        },
        axioms=tuple(
            Axiom(axiom.head, _retyped(axiom.body, _names(axiom.head.terms)))
            for axiom in domain.axioms
        ),
        operators={name: _operator(operator) for name, operator in domain.operators.items()},
    )


class _Mentions(NamedTuple):
    """Names that occur: predicates with arities, objects, unbound variables, types."""

    predicates: frozenset[tuple[str, int]]
    objects: frozenset[str]
    unbound: frozenset[str]
    types: frozenset[str]


_Scope = frozenset[str]


@lru_cache(maxsize=4096)
def _of_operator(operator: Operator) -> _Mentions:
    scope = _names(operator.parameters)
    parts = [_of_formula(operator.precondition, scope)]
    parts += [_of_formula(formula, inner) for formula, inner in _formulas(operator.effect, scope)]
    types = frozenset(name for variable in operator.parameters for name in variable.types)
    return _Mentions(
        frozenset().union(*(part.predicates for part in parts)),
        frozenset().union(*(part.objects for part in parts)),
        frozenset().union(*(part.unbound for part in parts)),
        types.union(*(part.types for part in parts)),
    )


def _formulas(effect: Effect, scope: _Scope) -> Iterator[tuple[Formula, _Scope]]:
    """Yield the conditions and atoms of an effect, with the variables that are bound there."""
    if isinstance(effect, (AddEffect, DeleteEffect)):
        yield effect.atom, scope
    elif isinstance(effect, WhenEffect):
        yield effect.condition, scope
        yield from _formulas(effect.effect, scope)
    elif isinstance(effect, ForallEffect):
        # Types of the variables are seen in an empty condition over them.
        yield Forall(effect.variables, TRUE), scope
        yield from _formulas(effect.effect, scope | _names(effect.variables))
    elif isinstance(effect, AndEffect):
        for part in effect.parts:
            yield from _formulas(part, scope)


def _of_formula(formula: Formula, scope: _Scope) -> _Mentions:
    return _Mentions(
        frozenset(
            (node.predicate, len(node.terms)) for node in formula.walk() if isinstance(node, Atom)
        ),
        objects_of(formula),
        frozenset(variable.name for variable in formula.free) - scope,
        frozenset(
            name
            for node in formula.walk()
            for variable in node.variables
            for name in variable.types
        ),
    )


def _names(terms: Iterable[Term]) -> _Scope:
    return frozenset(term.name for term in terms if isinstance(term, Variable))


def _operator(operator: Operator) -> Operator:
    scope = _names(operator.parameters)
    return Operator(
        operator.name,
        _variables(operator.parameters),
        _retyped(operator.precondition, scope),
        _effect(operator.effect, scope),
    )


def _effect(effect: Effect, scope: _Scope) -> Effect:
    if isinstance(effect, (AddEffect, DeleteEffect)):
        terms = [
            f"?{term.name}" if isinstance(term, Variable) and term.name not in scope else term
            for term in effect.atom.terms
        ]
        return type(effect)(Atom(effect.atom.predicate, tuple(terms)))
    if isinstance(effect, WhenEffect):
        return WhenEffect(_retyped(effect.condition, scope), _effect(effect.effect, scope))
    if isinstance(effect, ForallEffect):
        inner = scope | _names(effect.variables)
        return ForallEffect(_variables(effect.variables), _effect(effect.effect, inner))
    if isinstance(effect, AndEffect):
        return AndEffect(tuple(_effect(part, scope) for part in effect.parts))
    return effect


def _retyped(formula: Formula, scope: _Scope) -> Formula:
    """Let quantifiers range over what is declared, and name what they do not bind."""
    unbound = {v.name: f"?{v.name}" for v in formula.free if v.name not in scope}
    return _narrowed(formula.substitute(unbound) if unbound else formula)


def _narrowed(formula: Formula) -> Formula:
    parts = tuple(_narrowed(part) for part in formula.operands)
    if isinstance(formula, (Forall, Exists)):
        return type(formula)(_variables(formula.variables), parts[0])
    return formula.rebuild(parts) if parts else formula


def _variables(variables: Iterable[Variable]) -> tuple[Variable, ...]:
    return tuple(
        Variable(v.name, tuple(_DECLARED if name == "object" else name for name in v.types))
        for v in variables
    )


@dataclass(frozen=True, slots=True)
class Validation:
    """Whether a plan works.

    Args:
        valid: Whether every action is applicable and the goal holds at the end.
        reason: What is wrong; empty if nothing is.
        step: 1-based number of the first action that fails; None if all can be done.
        cost: Total cost of a valid plan: its length if the problem does not minimise costs.
    """

    valid: bool
    reason: str = ""
    step: int | None = None
    cost: float | None = None


def validate(domain: Domain, problem: Problem, plan: Sequence[Action]) -> Validation:
    """Run a plan.

    Args:
        domain: The domain. What it does not declare but mentions is taken as declared.
        problem: The problem.
        plan: The actions.

    Raises:
        InputError: If the domain cannot be run (it says why).
    """
    domain, problem = declared(domain, problem)
    world = world_of(domain)
    state = world.state(problem.objects, problem.initial)
    for step, action in enumerate(plan, start=1):
        try:
            numbers = world.numbers(state, action.name, action.arguments)
        except InputError as error:
            return Validation(False, f"{action} is no action of the task: {error.what}", step)
        failing = world.operator(action.name).first_failure(state, *numbers)
        if failing >= 0:
            test = world.test(action.name, failing, action.arguments)
            unmet = format_condition(test, legal_names=True)  # undeclared names may be in it
            return Validation(False, f"{action} is not applicable: {unmet}", step)
        world.apply(state, action.name, numbers)
    if not world.holds(state, problem.goal):
        return Validation(False, "the goal does not hold after the last action")
    return Validation(True, cost=_cost(domain, problem, plan))


def _cost(domain: Domain, problem: Problem, plan: Sequence[Action]) -> float:
    if not problem.minimize:
        return float(len(plan))
    return sum(
        _amount(amount, domain.operators[action.name], action, problem)
        for action in plan
        for amount in amounts(domain.operators[action.name].effect)
    )


def _amount(amount: float | Atom, operator: Operator, action: Action, problem: Problem) -> float:
    if not isinstance(amount, Atom):
        return amount
    names = [variable.name for variable in operator.parameters]
    term = amount.substitute(dict(zip(names, action.arguments, strict=True)))
    return problem.values.get(term, 0.0) if isinstance(term, Atom) else 0.0


_VERSION = "3"
"""Changes whenever the plans or proofs that are found may change."""


@dataclass(frozen=True, slots=True)
class OwnEngine:
    """One of our searches as an engine.

    Args:
        name: Its name.
        search: The search.
        optimal: Whether its plans are the cheapest there are.
    """

    name: str
    search: Callable[[Task, Limits], Search]
    optimal: bool = False

    @property
    def version(self) -> str:
        """Version of the planning room."""
        return _VERSION

    def solve(
        self,
        domain: Domain,
        problem: Problem,
        *,
        time_limit: float | None,
        memory_limit: float | None,
        budget: Budget | Meter | None = None,
    ) -> PlanningResult:
        """Plan; see :func:`eai.planning.plan`.

        Raises:
            InputError: If a limit is not positive.
        """
        limits = Limits(time=time_limit, memory=memory_limit, budget=budget)
        outcome, reason, found = self._solve(domain, problem, limits)
        return PlanningResult(
            outcome=outcome,
            plan=None if found is None else tuple([step.action for step in found]),
            engine=self.name,
            version=self.version,
            reason=reason,
            optimal=self.optimal and found is not None,
            expanded=limits.meter.states,
        )

    def _solve(
        self, domain: Domain, problem: Problem, limits: Limits
    ) -> tuple[Outcome, str, list[GroundAction] | None]:
        try:
            if (why := objection(domain, problem)) is not None:
                return Outcome.REJECTED, why, None
            task = ground(domain, problem, limits=limits)
            if not task.reachable:
                return Outcome.UNSOLVABLE, "the goal is out of reach even without deletions", None
            found = finish(self.search(task, limits))
        except ExcludedError:
            return (
                Outcome.UNSOLVABLE,
                "no pairs of literals that can be true lead to the goal",
                None,
            )
        except InputError as error:
            return Outcome.REJECTED, str(error), None
        except RecursionError:
            return Outcome.REJECTED, "a condition or effect is nested too deeply", None
        except TimeLimitError:
            return Outcome.TIME_LIMIT, f"after {limits.meter.states} states", None
        except MemoryLimitError:
            return Outcome.MEMORY_LIMIT, f"after {limits.meter.states} states", None
        except BeyondBudgetError as error:
            return Outcome.BEYOND_BUDGET, str(error), None
        if found is None:
            return Outcome.UNSOLVABLE, f"all {limits.meter.states} reachable states were seen", None
        return Outcome.SOLVED, f"found after {limits.meter.states} states", found


OWN = {
    engine.name: engine
    for engine in (
        OwnEngine("eai", search_in_turns),
        OwnEngine("eai-width", search_by_width),
        OwnEngine("eai-greedy", search_greedily),
        OwnEngine("eai-optimal", search_by_cost, optimal=True),
        OwnEngine("eai-breadth-first", search_breadth_first),
    )
}
"""Our engines by name."""
