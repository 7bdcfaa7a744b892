"""Interchange with unified-planning: our tasks to its ``Problem``, and back.

In unified-planning every argument of a fluent has a type that objects must have; our tasks may
have ill-typed facts. Fluents therefore take objects of the root type; the types of parameters
and quantified variables are kept. Derived predicates have no counterpart.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from eai.errors import InputError, MissingExtraError, UnknownNameError
from eai.logic.formula import (
    And,
    Atom,
    Equal,
    Exists,
    Forall,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Term,
    Truth,
    Variable,
    Xor,
)
from eai.pddl.model import Domain, Function, Operator, Predicate, Problem, clauses
from eai.planning.schemas import amounts

if TYPE_CHECKING:
    from unified_planning.model import Problem as UnifiedProblem

__all__ = ["ROOT", "package", "to_unified"]

ROOT = "object"
"""The type above all types."""


def to_unified(domain: Domain, problem: Problem) -> UnifiedProblem:
    """Say a task in unified-planning.

    Args:
        domain: The domain, without derived predicates.
        problem: The problem. Everything that is mentioned must be declared.

    Raises:
        MissingExtraError: If unified-planning is not installed.
        InputError: If the task has derived predicates, or a connective outside of ADL.
    """
    if domain.axioms:
        raise InputError(
            "derived predicates cannot be said in unified-planning",
            where=f"domain {domain.name!r}",
            expected="a domain without (:derived ...)",
        )
    with warnings.catch_warnings():
        # It warns of every name that a predicate shares with an action, type or object.
        warnings.simplefilter("ignore", UserWarning)
        return _Writer(domain, problem).problem()


def package() -> Any:  # noqa: ANN401 - the package has no types of its own
    """Import unified-planning's short cuts.

    Raises:
        MissingExtraError: If it is not installed.
    """
    try:
        import unified_planning.shortcuts as up
    except ImportError:
        raise MissingExtraError(
            "unified-planning", extra="planners", purpose="interchange with other planners"
        ) from None
    return up


class _Writer:
    """Builds one problem of unified-planning, in an environment of its own."""

    def __init__(self, domain: Domain, problem: Problem) -> None:
        self.up = package()
        self.domain, self.task = domain, problem
        self.env = self.up.get_environment().__class__()
        # PDDL lets predicates, actions, types and objects share names.
        self.env.error_used_name = False
        self.build = self.env.expression_manager
        self.types: dict[str, Any] = {}
        self.fluents: dict[str, Any] = {}
        self.objects: dict[str, Any] = {}
        self.result = self.up.Problem(problem.name, self.env)

    def problem(self) -> UnifiedProblem:
        """Say everything."""
        for name, type_name in {**self.domain.constants, **self.task.objects}.items():
            self.objects[name] = self.up.Object(name, self.type((type_name,)), self.env)
            self.result.add_object(self.objects[name])
        for predicate in self.domain.predicates.values():
            self.fluent(predicate, self.env.type_manager.BoolType(), False)
        # The total itself is no function of a state.
        functions = self.domain.functions.values() if self.task.minimize else ()
        for function in functions:
            if function.name != "total-cost":
                self.fluent(function, self.env.type_manager.RealType(), 0)
        for atom in self.task.initial:
            self.result.set_initial_value(self.atom(atom, {}), True)
        for term, value in self.task.values.items():
            if term.predicate in self.fluents:
                self.result.set_initial_value(self.atom(term, {}), Fraction(value))
        costs = {}
        for operator in self.domain.operators.values():
            action, costs_of = self.action(operator)
            costs[action] = costs_of
            self.result.add_action(action)
        self.result.add_goal(self.formula(self.task.goal, {}))
        if self.task.minimize:
            metric = self.up.MinimizeActionCosts(costs, environment=self.env)
            self.result.add_quality_metric(metric)
        unified: UnifiedProblem = self.result
        return unified

    def type(self, names: Sequence[str]) -> Any:  # noqa: ANN401
        """Make a type, and those above it."""
        if len(names) != 1:
            raise InputError(
                f"a variable of several types ({', '.join(names)}) cannot be said in "
                "unified-planning",
                expected="one type",
            )
        (name,) = names
        if name not in self.types:
            above = (self.domain.types.get(name, ROOT),)
            father = None if name == ROOT else self.type(above)
            self.types[name] = self.env.type_manager.UserType(name, father)
        return self.types[name]

    def fluent(self, declared: Predicate | Function, value: Any, default: object) -> None:  # noqa: ANN401
        """Declare a predicate or function, over objects of any type."""
        places = {v.name: self.type((ROOT,)) for v in declared.parameters}
        made = self.up.Fluent(declared.name, value, OrderedDict(places), environment=self.env)
        self.fluents[declared.name] = made
        self.result.add_fluent(made, default_initial_value=default)

    def action(self, operator: Operator) -> tuple[Any, Any]:
        """Make an action; returns it and the expression of its cost."""
        places = OrderedDict((v.name, self.type(v.types)) for v in operator.parameters)
        action = self.up.InstantaneousAction(operator.name, places, self.env)
        scope = {
            v.name: self.build.ParameterExp(action.parameter(v.name)) for v in operator.parameters
        }
        action.add_precondition(self.formula(operator.precondition, scope))
        for quantified, condition, added, atom in clauses(operator.effect, scope):
            # A variable that the atom does not mention only has to exist.
            idle = tuple(v for v in quantified if v not in atom.terms)
            test = Exists(idle, condition) if idle else condition
            variables = self.variables([v for v in quantified if v not in idle])
            inner = {**scope, **{v.name: self.build.VariableExp(v) for v in variables}}
            action.add_effect(self.atom(atom, inner), added, self.formula(test, inner), variables)
        cost = [self.build.Int(0)]
        cost += [self.amount(amount, scope) for amount in amounts(operator.effect)]
        return action, self.build.Plus(cost) if self.task.minimize else None

    def amount(self, amount: float | Atom, scope: Mapping[str, Any]) -> Any:  # noqa: ANN401
        """Make a number, or the value of a function."""
        if isinstance(amount, Atom):
            return self.atom(amount, scope)
        return self.build.Real(Fraction(amount))

    def variables(self, variables: Sequence[Variable]) -> tuple[Any, ...]:
        """Make quantified variables."""
        return tuple([self.up.Variable(v.name, self.type(v.types), self.env) for v in variables])

    def atom(self, atom: Atom, scope: Mapping[str, Any]) -> Any:  # noqa: ANN401
        """Make a fluent applied to terms."""
        terms = [self.term(term, scope) for term in atom.terms]
        try:
            return self.build.FluentExp(self.fluents[atom.predicate], terms)
        except KeyError:
            raise UnknownNameError("predicate", atom.predicate, self.fluents) from None

    def term(self, term: Term, scope: Mapping[str, Any]) -> Any:  # noqa: ANN401
        """Make a parameter, a quantified variable, or an object."""
        known, name = (scope, term.name) if isinstance(term, Variable) else (self.objects, term)
        if name not in known:
            raise UnknownNameError("object", name, known)
        found = known[name]
        return found if isinstance(term, Variable) else self.build.ObjectExp(found)

    def formula(self, formula: Formula, scope: Mapping[str, Any]) -> Any:  # noqa: ANN401
        """Make a condition."""
        build = self.build
        if isinstance(formula, Atom):
            return self.atom(formula, scope)
        if isinstance(formula, Equal):
            return build.Equals(self.term(formula.left, scope), self.term(formula.right, scope))
        if isinstance(formula, Truth):
            return build.Bool(formula.value)
        if isinstance(formula, (Forall, Exists)):
            variables = self.variables(formula.variables)
            inner = {**scope, **{v.name: build.VariableExp(v) for v in variables}}
            join = build.Forall if isinstance(formula, Forall) else build.Exists
            return join(self.formula(formula.body, inner), *variables)
        connective = _CONNECTIVES.get(type(formula))
        if connective is None:
            raise InputError(f"{type(formula).__name__} cannot be said in unified-planning")
        return getattr(build, connective)(*[self.formula(f, scope) for f in formula.operands])


_CONNECTIVES: Mapping[type[Formula], str] = {
    And: "And",
    Or: "Or",
    Not: "Not",
    Implies: "Implies",
    Iff: "Iff",
    Xor: "XOr",
}
