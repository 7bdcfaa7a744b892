"""Subgoals that ask for an action: when it can be taken, and which one it is.

An action holds at the position from which it is taken (paper, section 2.2). To reach a subgoal
with an action, a state has to be reached in which the action can be taken and the rest of the
subgoal holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from eai.budget import Budget, Meter
from eai.diagnosis import Run
from eai.errors import InputError
from eai.logic import FALSE, ActionAtom, Formula, Quantifier, Variable, atoms, truth
from eai.world import Action, Step, Trajectory


def demands_action(condition: Formula) -> bool:
    """Whether an action occurs in a condition."""
    return any(isinstance(each, ActionAtom) for each in atoms(condition))


def enabling(condition: Formula, run: Run) -> Formula:
    """The condition with each action replaced by its precondition.

    It holds wherever one step can make the condition true; it may hold elsewhere, too, if the
    condition asks for several actions at once.

    Raises:
        InputError: If an action stands below something else than ``and``, ``or``, ``not``,
            ``implies``, ``exists`` or ``forall``.
    """
    return _enabling(condition, run, wanted=True)


def _enabling(formula: Formula, run: Run, *, wanted: bool) -> Formula:
    if isinstance(formula, ActionAtom):
        return _precondition(formula, run) if wanted else FALSE
    if not demands_action(formula):
        return formula
    signed = formula.split(True)
    if signed is None and not isinstance(formula, Quantifier):
        raise InputError("an action stands where it cannot be searched for")
    # A quantifier wants of its body what is wanted of itself.
    parts = ((formula.operands[0], True),) if signed is None else signed.parts
    return formula.rebuild(_enabling(part, run, wanted=wanted is value) for part, value in parts)


def _precondition(atom: ActionAtom, run: Run) -> Formula:
    operator = run.world.operator(atom.action).operator
    names = (parameter.name for parameter in operator.parameters)
    binding = dict(zip(names, (run.agent, *atom.terms), strict=True))
    inner = {v.name for node in operator.precondition.walk() for v in node.variables}
    free = {term.name for term in atom.terms if isinstance(term, Variable)}
    if inner & free:
        raise InputError(f"the variable {min(inner & free)!r} has a meaning in the world")
    return operator.precondition.substitute(binding)


def is_met(condition: Formula, run: Run) -> bool:
    """Whether a condition holds now, without an action."""
    if not demands_action(condition):
        return run.world.holds(run.state, condition)
    return bool(truth(condition, Trajectory(run.world, run.state, (), run.state)))


def instances(condition: Formula, run: Run) -> int:
    """Count the atoms that testing a condition looks at, if it has to look at all of them."""
    universe = run.state.universe
    if not demands_action(condition):
        return run.world.instances(condition, universe)
    # An action is no predicate of the world: every combination of objects is looked at.
    sizes = [universe.mask(v.types).bit_count() for v in condition.variables]
    return prod(sizes) * (sum([instances(part, run) for part in condition.operands]) or 1)


def last_action(condition: Formula, run: Run, meter: Meter | None = None) -> Action | None:
    """The action that makes a condition true that is enabled now; None if it needs none.

    Args:
        condition: The condition.
        run: What was done.
        meter: Counts what is looked at; what it raises goes to the caller.

    Raises:
        InputError: If no single action does, because the condition asks for several at once.
    """
    meter = meter or Budget.unlimited().meter()
    cost = instances(condition, run)
    meter.count_instances(cost)
    if is_met(condition, run):
        return None
    for action in _candidates(condition, run):
        meter.count_instances()
        numbers = run.numbers(action)
        if run.world.first_failure(run.state, action.name, numbers) >= 0:
            continue
        meter.count_instances(cost)
        step = Trajectory(run.world, run.state, (Step(action, 1, []),), run.state)
        if truth(condition, step) & 1:
            return action
    raise InputError("it asks for several actions at once")


def _candidates(condition: Formula, run: Run) -> Iterator[Action]:
    names = run.state.universe.names
    for atom in atoms(condition):
        if isinstance(atom, ActionAtom):
            choices = [names if isinstance(term, Variable) else (term,) for term in atom.terms]
            for terms in product(*choices):
                yield Action(atom.action, tuple(map(str, terms)))
