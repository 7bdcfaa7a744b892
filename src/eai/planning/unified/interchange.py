"""Interchange with unified-planning: our tasks to its ``Problem``, and back.

In unified-planning every argument of a fluent has a type that objects must have; our tasks may
have ill-typed facts. Fluents therefore take objects of the root type; the types of parameters
and quantified variables are kept. Derived predicates have no counterpart.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any, cast

from eai.errors import InputError, MissingExtraError, look_up
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
    Clause,
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
from eai.planning.costs import amounts

if TYPE_CHECKING:
    from unified_planning.environment import Environment
    from unified_planning.model import Problem as UnifiedProblem

_ROOT = "object"
"""The type above all types."""

_ALIKE: tuple[type[Formula], ...] = (Not, And, Or, Implies, Iff, Exists, Forall)
_WRITTEN = {kind: kind.__name__ for kind in _ALIKE} | {Xor: "XOr"}
_READ = {kind.__name__.upper(): kind for kind in _ALIKE}


def to_unified(
    domain: Domain, problem: Problem, *, environment: Environment | None = None
) -> UnifiedProblem:
    """Say a task in unified-planning.

    Args:
        domain: The domain, without derived predicates.
        problem: The problem. Everything that is mentioned must be declared.
        environment: The environment of unified-planning that it is made in; by default the global
            one, for which its own engines are made.

    Raises:
        MissingExtraError: If unified-planning is not installed.
        InputError: If the task has derived predicates, or a connective outside of ADL.
    """
    if domain.axioms:
        raise InputError(
            "unified-planning cannot express derived predicates",
            where=f"domain {domain.name!r}",
            expected="a domain without (:derived ...)",
        )
    with warnings.catch_warnings():
        # It warns of every name that a predicate shares with an action, type or object.
        warnings.simplefilter("ignore", UserWarning)
        writer = _Writer(domain, problem, environment)
        # PDDL lets predicates, actions, types and objects share names.
        refuses, writer.env.error_used_name = writer.env.error_used_name, False
        try:
            return writer.problem()
        finally:
            writer.env.error_used_name = refuses


def register(environment: Environment | None = None) -> None:
    """Make our planner known to unified-planning: ``OneshotPlanner(name="eai")``.

    Args:
        environment: Where; by default the global environment.

    Raises:
        MissingExtraError: If unified-planning is not installed.
    """
    env = environment or _unified().get_environment()
    if "eai" not in env.factory.engines:
        env.factory.add_engine("eai", "eai.planning.unified.planner", "EaiPlanner")


def _unified() -> Any:  # noqa: ANN401
    try:
        import unified_planning.shortcuts as up
    except ImportError:
        raise MissingExtraError(
            "unified-planning", extra="planners", purpose="interchange with other planners"
        ) from None
    return up


class _Writer:
    """Builds one problem of unified-planning."""

    def __init__(self, domain: Domain, problem: Problem, environment: Environment | None) -> None:
        self.up = _unified()
        self.domain, self.task = domain, problem
        self.env: Any = environment or self.up.get_environment()
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
        types, values = self.env.type_manager, self.task.values.items()
        for function in functions:
            if function.name != "total-cost":
                known = [float(v) for term, v in values if term.predicate == function.name]
                whole = all(map(float.is_integer, known))
                self.fluent(function, types.IntType() if whole else types.RealType(), 0)
        for atom in self.task.initial:
            self.result.set_initial_value(self.atom(atom, {}), True)
        for term, value in values:
            if term.predicate in self.fluents:
                self.result.set_initial_value(self.atom(term, {}), self.number(value))
        costs = dict(map(self.action, self.domain.operators.values()))
        self.result.add_actions(costs)
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
                f"a variable of several types ({', '.join(names)}) cannot be expressed in "
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
        names = [variable.name for variable in declared.parameters]
        if len(set(names)) < len(names):  # a declaration may say one name twice
            names = [f"p{number}" for number in range(len(names))]
        locations = {name: self.type((_ROOT,)) for name in names}
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
        for quantified, condition, added, atom in _without_conflicts(
            list(clauses(operator.effect, scope))
        ):
            # A variable that the atom does not mention only has to exist.
            idle = tuple(v for v in quantified if v not in atom.terms)
            test = Exists(idle, condition) if idle else condition
            variables = self.variables([v for v in quantified if v not in idle])
            inner = {**scope, **{v.name: build.VariableExp(v) for v in variables}}
            action.add_effect(self.atom(atom, inner), added, self.formula(test, inner), variables)
        if not self.task.minimize:
            return action, None
        cost = [
            self.atom(amount, scope) if isinstance(amount, Atom) else self.number(amount)
            for amount in amounts(operator.effect)
        ]
        return action, build.Plus(cost) if len(cost) > 1 else next(iter(cost), build.Int(0))

    def number(self, value: float) -> Any:  # noqa: ANN401
        """Make a number: an integer if it is whole, which more planners take."""
        whole = float(value).is_integer()
        return self.build.Int(int(value)) if whole else self.build.Real(Fraction(str(value)))

    def variables(self, variables: Sequence[Variable]) -> tuple[Any, ...]:
        """Make quantified variables."""
        return tuple([self.up.Variable(v.name, self.type(v.types), self.env) for v in variables])

    def atom(self, atom: Atom, scope: Mapping[str, Any]) -> Any:  # noqa: ANN401
        """Make a fluent applied to terms."""
        terms = [self.term(term, scope) for term in atom.terms]
        fluent = look_up("predicate", atom.predicate, self.fluents)
        return self.build.FluentExp(fluent, terms)

    def term(self, term: Term, scope: Mapping[str, Any]) -> Any:  # noqa: ANN401
        """Make a parameter, a quantified variable, or an object."""
        known, name = (scope, term.name) if isinstance(term, Variable) else (self.objects, term)
        found = look_up("object", name, known)
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
            raise InputError(f"{type(formula).__name__} cannot be expressed in unified-planning")
        variables = self.variables(formula.variables)
        inner = {**scope, **{v.name: build.VariableExp(v) for v in variables}}
        parts = [self.formula(part, inner) for part in formula.operands]
        return getattr(build, name)(*parts, *variables)


def _without_conflicts(literals: Sequence[Clause]) -> Iterator[Clause]:
    """Let nothing be deleted that is added: unified-planning refuses to do both."""
    for clause in literals:
        condition = clause.condition
        for other in literals:
            if clause.added or not other.added or other.atom.predicate != clause.atom.predicate:
                continue
            apart = {v.name: Variable(f"{v.name}_added", v.types) for v in other.variables}
            added, atom = other.condition.substitute(apart), other.atom.substitute(apart)
            pairs = zip(atom.terms, clause.atom.terms, strict=True)
            same = And((added, *(Equal(one, two) for one, two in pairs if one != two)))
            both = Exists(tuple(apart.values()), same) if apart else same
            condition = And((condition, Not(both)))
        yield clause._replace(condition=condition)


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
    if type(given).__name__ != "Problem" or not hasattr(given, "explicit_initial_values"):
        raise _refused(f"another class: {type(given).__name__}")
    if given.timed_goals or given.timed_effects or given.trajectory_constraints:
        raise _refused("timed goals, timed effects or trajectory constraints")
    metrics = list(given.quality_metrics)
    costs: Any = next((each for each in metrics if each.is_minimize_action_costs()), None)
    # To minimise the number of actions is what happens without a metric.
    known = costs or not metrics or metrics[0].is_minimize_sequential_plan_length()
    if len(metrics) > 1 or not known:
        raise _refused("a metric that is not the sum of action costs")
    fluents = list(given.fluents)
    predicates = [f for f in fluents if f.type.is_bool_type()]
    functions = [f for f in fluents if not f.type.is_bool_type()]
    operators = [_operator(action, costs) for action in given.actions]
    domain = Domain(
        name,
        types={
            each.name: each.father.name if each.father else _ROOT
            for each in given.user_types
            if each.name != _ROOT
        },
        predicates={f.name: Predicate(f.name, _variables(f.signature)) for f in predicates},
        functions={f.name: Function(f.name, _variables(f.signature)) for f in functions},
        operators={operator.name: operator for operator in operators},
    )
    values = [(_atom(node), value) for node, value in _initial_values(given).items()]
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


def _initial_values(given: Any) -> Mapping[Any, Any]:  # noqa: ANN401
    """The initial values that are given, and those of fluents that are something by default."""
    explicit = given.explicit_initial_values
    defaults = given.fluents_defaults
    everywhere = set()  # fluents that are something else by default than false or 0
    for fluent in given.fluents:
        kind, said = fluent.type, f"the fluent {fluent.name!r}"
        if not (kind.is_bool_type() or kind.is_int_type() or kind.is_real_type()):
            raise _refused(f"{said}, which is neither a truth value nor a number")
        default = defaults.get(fluent)
        if default is None:
            count = prod([len(list(given.objects(each.type))) for each in fluent.signature])
            if sum(1 for node in explicit if node.fluent() == fluent) < count:
                raise _refused(f"{said}, which has no value at the start")
        elif not (default.is_false() or (default.is_constant() and default.constant_value() == 0)):
            everywhere.add(fluent)
    if not everywhere:
        return cast("Mapping[Any, Any]", explicit)
    return {
        node: value
        for node, value in given.initial_values.items()
        if node in explicit or node.fluent() in everywhere
    }


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
    if cost.is_constant() and not cost.is_bool_constant():
        return [float(cost.constant_value())]
    if cost.is_fluent_exp():
        return [_atom(cost)]
    raise _refused("a cost that is not a sum")


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
    if not node.is_parameter_exp() and not node.is_variable_exp():
        raise _refused(f"the term {node}")
    return _variables([node.parameter() if node.is_parameter_exp() else node.variable()])[0]


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
