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
from eai.logic import (
    TRUE,
    And,
    Atom,
    Chain,
    Equal,
    Exists,
    Forall,
    Formula,
    Iff,
    Implies,
    Not,
    Or,
    Quantifier,
    Term,
    Truth,
    Variable,
    Xor,
)
from eai.pddl import (
    AddEffect,
    AndEffect,
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
    clauses,
)
from eai.planning.schemas import amounts

if TYPE_CHECKING:
    from unified_planning.model import Problem as UnifiedProblem

_ROOT = "object"
"""The type above all types."""

_ALIKE: tuple[type[Formula], ...] = (Not, And, Or, Implies, Iff, Exists, Forall)
_WRITTEN = {kind: kind.__name__ for kind in _ALIKE} | {Xor: "XOr"}
_READ = {kind.__name__.upper(): kind for kind in _ALIKE}


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


class _Writer:
    """Builds one problem of unified-planning, in an environment of its own."""

    def __init__(self, domain: Domain, problem: Problem) -> None:
        try:
            import unified_planning.shortcuts as up
        except ImportError:
            raise MissingExtraError(
                "unified-planning", extra="planners", purpose="interchange with other planners"
            ) from None
        self.up: Any = up
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
            action, costs[action] = self.action(operator)
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
            father = None if name == _ROOT else self.type((self.domain.types.get(name, _ROOT),))
            self.types[name] = self.env.type_manager.UserType(name, father)
        return self.types[name]

    def fluent(self, declared: Predicate | Function, value: Any, default: object) -> None:  # noqa: ANN401
        """Declare a predicate or function, over objects of any type."""
        locations = {v.name: self.type((_ROOT,)) for v in declared.parameters}
        made = self.up.Fluent(declared.name, value, OrderedDict(locations), environment=self.env)
        self.fluents[declared.name] = made
        self.result.add_fluent(made, default_initial_value=default)

    def action(self, operator: Operator) -> tuple[Any, Any]:
        """Make an action; returns it and the expression of its cost."""
        build = self.build
        locations = OrderedDict((v.name, self.type(v.types)) for v in operator.parameters)
        action = self.up.InstantaneousAction(operator.name, locations, self.env)
        scope = {v.name: build.ParameterExp(action.parameter(v.name)) for v in operator.parameters}
        action.add_precondition(self.formula(operator.precondition, scope))
        for quantified, condition, added, atom in clauses(operator.effect, scope):
            # A variable that the atom does not mention only has to exist.
            idle = tuple(v for v in quantified if v not in atom.terms)
            test = Exists(idle, condition) if idle else condition
            variables = self.variables([v for v in quantified if v not in idle])
            inner = {**scope, **{v.name: build.VariableExp(v) for v in variables}}
            action.add_effect(self.atom(atom, inner), added, self.formula(test, inner), variables)
        cost = [build.Int(0)]
        for amount in amounts(operator.effect):
            if isinstance(amount, Atom):
                cost.append(self.atom(amount, scope))
            else:
                cost.append(build.Real(Fraction(amount)))
        return action, build.Plus(cost) if self.task.minimize else None

    def variables(self, variables: Sequence[Variable]) -> tuple[Any, ...]:
        """Make quantified variables."""
        return tuple([self.up.Variable(v.name, self.type(v.types), self.env) for v in variables])

    def atom(self, atom: Atom, scope: Mapping[str, Any]) -> Any:  # noqa: ANN401
        """Make a fluent applied to terms."""
        terms = [self.term(term, scope) for term in atom.terms]
        if atom.predicate not in self.fluents:
            raise UnknownNameError("predicate", atom.predicate, self.fluents)
        return self.build.FluentExp(self.fluents[atom.predicate], terms)

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
            return build.Equals(*[self.term(term, scope) for term in formula.terms])
        if isinstance(formula, Truth):
            return build.Bool(formula.value)
        name = _WRITTEN.get(type(formula))
        if name is None:
            raise InputError(f"{type(formula).__name__} cannot be said in unified-planning")
        variables = self.variables(formula.variables)
        inner = {**scope, **{v.name: build.VariableExp(v) for v in variables}}
        parts = [self.formula(part, inner) for part in formula.operands]
        return getattr(build, name)(*parts, *variables)


def from_unified(unified: UnifiedProblem, *, name: str = "unified") -> tuple[Domain, Problem]:
    """Take a task over from unified-planning.

    Args:
        unified: A classical problem: actions without duration, fluents that are true or false;
            numbers only as action costs.
        name: Name of the domain.

    Raises:
        InputError: If it says something that ADL with action costs cannot say.
    """
    given: Any = unified
    if given.timed_goals or given.timed_effects or given.trajectory_constraints:
        raise _refused("time, or constraints on the way")
    costs = _costs(given)
    fluents = list(given.fluents)
    predicates = [f for f in fluents if f.type.is_bool_type()]
    functions = [f for f in fluents if not f.type.is_bool_type()]
    operators = [_operator(action, costs) for action in given.actions]
    domain = Domain(
        name,
        types={
            t.name: t.father.name if t.father else _ROOT
            for t in given.user_types
            if t.name != _ROOT
        },
        predicates={f.name: Predicate(f.name, _variables(f.signature)) for f in predicates},
        functions={f.name: Function(f.name, _variables(f.signature)) for f in functions},
        operators={operator.name: operator for operator in operators},
    )
    values = [(_atom(node), value) for node, value in given.initial_values.items()]
    problem = Problem(
        given.name or "problem",
        name,
        objects={o.name: o.type.name for o in given.all_objects},
        initial=tuple(atom for atom, value in values if value.is_true()),
        goal=_joined([_formula(goal) for goal in given.goals]),
        values={a: float(v.constant_value()) for a, v in values if not v.is_bool_constant()},
        minimize=costs is not None,
    )
    return domain, problem


def _refused(what: str) -> InputError:
    return InputError(
        f"the problem has {what}",
        where="unified-planning problem",
        expected="a classical problem: ADL, with or without action costs",
    )


def _costs(given: Any) -> Any:  # noqa: ANN401
    """The metric of action costs; None if there is none."""
    metrics = list(given.quality_metrics)
    if not metrics:
        return None
    if len(metrics) > 1 or not metrics[0].is_minimize_action_costs():
        raise _refused("a metric that is not the sum of action costs")
    return metrics[0]


def _operator(action: Any, costs: Any) -> Operator:  # noqa: ANN401
    if not hasattr(action, "preconditions"):
        raise _refused(f"the action {action.name!r}, which takes time")
    effects = [_effect(effect) for effect in action.effects]
    cost = None if costs is None else costs.get_action_cost(action)
    if cost is not None and not (cost.is_int_constant() and cost.constant_value() == 0):
        effects += [CostEffect(amount) for amount in _amounts(cost)]
    return Operator(
        action.name,
        _variables(action.parameters),
        _joined([_formula(condition) for condition in action.preconditions]),
        AndEffect(tuple(effects)),
    )


def _amounts(cost: Any) -> list[float | Atom]:  # noqa: ANN401
    if cost.is_plus():
        return [amount for part in cost.args for amount in _amounts(part)]
    if cost.is_constant():
        return [float(cost.constant_value())]
    if cost.is_fluent_exp():
        return [_atom(cost)]
    raise _refused("a cost that is no sum")


def _effect(effect: Any) -> Effect:  # noqa: ANN401
    if not effect.is_assignment() or not effect.value.is_bool_constant():
        raise _refused("an effect that does not make a fluent true or false")
    atom = _atom(effect.fluent)
    literal: Effect = AddEffect(atom) if effect.value.is_true() else DeleteEffect(atom)
    if effect.is_conditional():
        literal = WhenEffect(_formula(effect.condition), literal)
    return ForallEffect(_variables(effect.forall), literal) if effect.forall else literal


def _variables(given: Any) -> tuple[Variable, ...]:  # noqa: ANN401
    return tuple(Variable(item.name, (item.type.name,)) for item in given)


def _atom(node: Any) -> Atom:  # noqa: ANN401
    return Atom(node.fluent().name, tuple(_term(arg) for arg in node.args))


def _term(node: Any) -> Term:  # noqa: ANN401
    if node.is_object_exp():
        return str(node.object().name)
    if node.is_parameter_exp():
        return _variables([node.parameter()])[0]
    if node.is_variable_exp():
        return _variables([node.variable()])[0]
    raise _refused(f"the term {node}")


def _joined(parts: Sequence[Formula]) -> Formula:
    if not parts:
        return TRUE
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def _formula(node: Any) -> Formula:  # noqa: ANN401
    if node.is_fluent_exp():
        return _atom(node)
    if node.is_equals():
        return Equal(_term(node.arg(0)), _term(node.arg(1)))
    if node.is_bool_constant():
        return Truth(node.is_true())
    kind: Any = _READ.get(node.node_type.name)
    if kind is None:
        raise _refused(f"the condition {node}")
    parts: list[Any] = [_formula(arg) for arg in node.args]
    if issubclass(kind, Quantifier):
        parts = [_variables(node.variables()), *parts]
    elif issubclass(kind, Chain):
        parts = [parts]
    made: Formula = kind(*parts)
    return made
