"""Goals from formulas: conditions on the final state, and demanded actions.

A goal in the notation of the Embodied Agent Interface is a chain of *links*, ``f then g then
h``. Its last link describes the final state, unless it speaks of an action; links that speak of
actions demand those actions, in order (paper, section 2.2, Table 1). Other conditions (a state on
the way or during an action, the arguments of an action) are left to the formula itself, which is
evaluated on the whole trajectory.
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
      the alternatives.

    A link is a part of the chain ``f then g then h``. Everything else is left to the formula, which
    is evaluated as a whole: conditions beside an action in its link, negated and universally
    quantified actions, and links with ``then`` inside another connective.

    Args:
        formula: The goal.
        text: The goal as it was written; by default the formula is printed.

    Raises:
        InputError: If there are more than :data:`OPTION_LIMIT` alternatives.
    """
    actions: list[ActionGoal] = []
    for link in formula.links:
        if not link.is_temporal:
            actions += _required_actions(link)
    last_link = formula.links[-1] if formula.links else TRUE
    options: list[_Option] = [()]
    if not last_link.is_temporal and not any(
        isinstance(atom, ActionAtom) for atom in atoms(last_link)
    ):
        # A contradiction has no alternative that could be listed: it is its own condition.
        options = _bounded(_disjunctive_normal_form(last_link, True)) or [conjuncts(last_link)]
    final = tuple([_with_kinds(option) for option in options])
    is_path = formula.reading() == "ltlf"
    text = text or format_formula(formula)
    return Goal(text, formula, final, tuple(actions), is_path=is_path)


def _with_kinds(option: _Option) -> tuple[tuple[str, Formula], ...]:
    """Return the conditions of an alternative, each with its kind."""
    return tuple([(literal_kind(condition), condition) for condition in option])


def _required_actions(formula: Formula) -> tuple[ActionGoal, ...]:
    """Return the actions that must be executed to make a formula true, in reading order.

    ``LOOKAT(tv) and WATCH(tv)`` requires two actions. ``LOOKAT(tv) or WATCH(tv)`` requires one,
    with the two names as alternatives.
    """
    if isinstance(formula, ActionAtom):
        return (ActionGoal((formula.action,)),)
    # "For all" requires no action, since there may be no object. Nor does a count that may be 0.
    if isinstance(formula, Exists):
        return _required_actions(formula.body)
    if isinstance(formula, Count) and formula.number > 0:
        return _required_actions(formula.body)
    split = formula.split(True)
    if split is None:
        return ()
    actions_of_operands = []
    for operand, wanted in split.parts:
        # A negated operand requires that no action is taken.
        actions_of_operands.append(_required_actions(operand) if wanted else ())
    if split.every:
        return tuple(itertools.chain.from_iterable(actions_of_operands))
    # A disjunction requires one action only if each of its operands does.
    if any(len(actions) != 1 for actions in actions_of_operands):
        return ()
    names: dict[str, None] = {}
    for (action,) in actions_of_operands:
        names.update(dict.fromkeys(action.names))
    return (ActionGoal(tuple(names)),) if names else ()


def _disjunctive_normal_form(formula: Formula, wanted: bool) -> list[_Option]:
    """Return a formula in disjunctive normal form, as a list of conjunctions.

    ``a and (b or c)`` becomes ``[(a, b), (a, c)]``. Quantified formulas count as literals.

    Args:
        formula: The formula.
        wanted: The truth value that is wanted: for False, its negation is transformed.

    Raises:
        InputError: If there are more than :data:`OPTION_LIMIT` conjunctions.
    """
    split = formula.split(wanted)
    if split is None:
        return [(formula if wanted else Not(formula),)]
    forms = [_disjunctive_normal_form(operand, value) for operand, value in split.parts]
    if not split.every:
        return _bounded(itertools.chain.from_iterable(forms))
    conjunctions: list[_Option] = [()]
    for form in forms:
        # Bounded after each operand, so that a huge product is refused before it is made.
        pairs = itertools.product(conjunctions, form)
        conjunctions = _bounded((*left, *right) for left, right in pairs)
    return conjunctions


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
