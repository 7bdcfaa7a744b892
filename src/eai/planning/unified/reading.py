"""From unified-planning's ``Problem`` to our domain and problem."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from eai.errors import InputError
from eai.logic.formula import (
    TRUE,
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
)
from eai.pddl.model import (
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
)
from eai.planning.unified.writing import ROOT

if TYPE_CHECKING:
    from unified_planning.model import Problem as UnifiedProblem

__all__ = ["from_unified"]


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
            t.name: t.father.name if t.father else ROOT for t in given.user_types if t.name != ROOT
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
    parts = tuple(_formula(arg) for arg in node.args)
    if node.is_not():
        return Not(parts[0])
    if node.is_and() or node.is_or():
        return And(parts) if node.is_and() else Or(parts)
    if node.is_implies() or node.is_iff():
        return (Implies if node.is_implies() else Iff)(*parts)
    if node.is_forall() or node.is_exists():
        quantifier = Forall if node.is_forall() else Exists
        return quantifier(_variables(node.variables()), parts[0])
    raise _refused(f"the condition {node}")
