"""Goals from formulas: conditions on the final state, and demanded actions.

A goal in the notation of the Embodied Agent Interface is a chain of *links*, ``f then g then
h``. Its last link describes the final state, unless it speaks of an action; links that speak of
actions demand those actions, in order (paper, section 2.2, Table 1). What cannot be said like
this (a state on the way or during an action, the arguments of an action) is left to the formula
itself, which is evaluated on the whole trajectory.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from eai.errors import InputError
from eai.logic import (
    TRUE,
    ActionAtom,
    Count,
    Exists,
    Formula,
    Not,
    atoms,
    conjuncts,
    format_formula,
)
from eai.task import ActionGoal, Goal, literal_kind

OPTION_LIMIT = 256
"""Maximum number of alternatives of the final state that are listed."""

_Option = tuple[Formula, ...]


def goal_from_formula(formula: Formula, text: str = "") -> Goal:
    """Return the goal with the conditions that follow from a formula.

    * *Final state*: the conjuncts of the last link, if it mentions no action. A disjunction
      among them (or an implication, or a negated conjunction) makes alternatives; every
      alternative lists literals. A quantified conjunct is one condition.
    * *Actions*: a link such as ``exists x. (LOOKAT(x) or WATCH(x))`` demands one action, any of
      the alternatives. What stands beside an action in its link holds when it is taken and is
      left to the formula, as are negated and universally quantified actions.
    * A link that has a ``then`` inside another connective is left to the formula.

    Args:
        formula: The goal.
        text: The goal as it was written; by default the formula is printed.

    Raises:
        InputError: If there are more than :data:`OPTION_LIMIT` alternatives.
    """
    actions: list[ActionGoal] = []
    for link in formula.links:
        if not link.is_temporal:
            actions += _demanded(link)
    last = formula.links[-1] if formula.links else TRUE
    options: list[_Option] = [()]
    if not last.is_temporal and not any(isinstance(atom, ActionAtom) for atom in atoms(last)):
        # A contradiction has no alternative that could be listed: it is its own condition.
        options = _bounded(_options(last, True)) or [conjuncts(last)]
    final = tuple([_with_kinds(option) for option in options])
    is_path = formula.reading() == "ltlf"
    text = text or format_formula(formula)
    return Goal(text, formula, final, tuple(actions), is_path=is_path)


def _with_kinds(option: _Option) -> tuple[tuple[str, Formula], ...]:
    """Return the conditions of an alternative, each with its kind."""
    return tuple([(literal_kind(condition), condition) for condition in option])


def _demanded(formula: Formula) -> tuple[ActionGoal, ...]:
    """Return the actions that the formula requires, in reading order."""
    if isinstance(formula, ActionAtom):
        return (ActionGoal((formula.action,)),)
    # "For all" demands nothing: there may be no object. Nor does a count that may be 0.
    if isinstance(formula, Exists) or (isinstance(formula, Count) and formula.number > 0):
        return _demanded(formula.body)
    split = formula.split(True)
    if split is None:
        return ()
    demands = []
    for operand, wanted in split.parts:
        # That an action is not taken demands none.
        demands.append(_demanded(operand) if wanted else ())
    if split.every:
        return tuple(itertools.chain.from_iterable(demands))
    # One action out of several; none if some alternative does without, or needs two.
    if any(len(goals) != 1 for goals in demands):
        return ()
    names: dict[str, None] = {}
    for (goal,) in demands:
        names.update(dict.fromkeys(goal.names))
    return (ActionGoal(tuple(names)),) if names else ()


def _options(formula: Formula, wanted: bool) -> list[_Option]:
    """Return the formula, or its negation, in disjunctive normal form.

    This is its disjunctive normal form, in which quantified formulas count as literals.
    """
    split = formula.split(wanted)
    if split is None:
        return [(formula if wanted else Not(formula),)]
    options_of_operands = [_options(operand, value) for operand, value in split.parts]
    if not split.every:
        return _bounded(itertools.chain.from_iterable(options_of_operands))
    joined: list[_Option] = [()]
    for options in options_of_operands:
        # Counted after each operand: their product is not made before it is refused.
        pairs = itertools.product(joined, options)
        joined = _bounded((*left, *right) for left, right in pairs)
    return joined


def _bounded(options: Iterable[_Option]) -> list[_Option]:
    """Return the distinct alternatives, or raise an error if there are too many."""
    # As sets, because alternatives with the same conditions in another order are the same.
    distinct: dict[frozenset[Formula], _Option] = {}
    for option in options:
        distinct.setdefault(frozenset(option), tuple(dict.fromkeys(option)))
        # Counted as they come: n disjunctions of two have 2^n alternatives.
        if len(distinct) > OPTION_LIMIT:
            raise InputError(
                f"the goal has more than {OPTION_LIMIT} alternatives for the final state",
                expected=f"at most {OPTION_LIMIT} ways to choose among its disjunctions",
                mend="write alternatives with a quantifier: `exists x. (...)` is one condition",
            )
    return list(distinct.values())
