"""What a goal formula demands: final-state conditions and actions.

A goal in the notation of the Embodied Agent Interface is a chain of *links*, ``f then g then
h``. Its last link describes the final state, unless it speaks of an action; links that speak of
actions demand those actions, in order (paper, section 2.2, Table 1). What cannot be said like
this (a state on the way or during an action, the arguments of an action) is left to the formula
itself, which is evaluated on the whole trajectory.
"""

from __future__ import annotations

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
"""Most alternatives of the final state that are listed."""

_Option = tuple[Formula, ...]


def goal_from_formula(formula: Formula, text: str = "") -> Goal:
    """Derive a goal's conditions from its formula.

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
    links = formula.links
    actions = tuple(goal for link in links if not link.is_temporal for goal in _demanded(link))
    last = links[-1] if links else TRUE
    options: list[_Option] = [()]
    if not last.is_temporal and not any(isinstance(atom, ActionAtom) for atom in atoms(last)):
        # A contradiction has no alternative that could be listed: it is its own condition.
        options = _bounded(_options(last, True)) or [conjuncts(last)]
    final = tuple(tuple((literal_kind(each), each) for each in option) for option in options)
    is_path = formula.reading() == "ltlf"
    return Goal(text or format_formula(formula), formula, final, actions, is_path=is_path)


def _demanded(formula: Formula) -> tuple[ActionGoal, ...]:
    """The actions that must be taken if the formula is to hold, in reading order."""
    if isinstance(formula, ActionAtom):
        return (ActionGoal((formula.action,)),)
    if isinstance(formula, Exists) or (isinstance(formula, Count) and formula.number > 0):
        return _demanded(formula.body)
    split = formula.split(True)
    if split is None:
        return ()
    parts = [_demanded(part) if wanted else () for part, wanted in split.parts]
    if split.every:
        return tuple(goal for goals in parts for goal in goals)
    # One action out of several; none if some part does without, or needs two.
    if any(len(goals) != 1 for goals in parts):
        return ()
    names = tuple(dict.fromkeys(name for (goal,) in parts for name in goal.names))
    return (ActionGoal(names),) if names else ()


def _options(formula: Formula, wanted: bool) -> list[_Option]:
    """The formula, or its negation, as alternatives of conjunctions."""
    split = formula.split(wanted)
    if split is None:
        return [(formula if wanted else Not(formula),)]
    parts = [_options(part, value) for part, value in split.parts]
    if not split.every:
        return _bounded(option for options in parts for option in options)
    joined: list[_Option] = [()]
    for options in parts:
        joined = _bounded((*left, *right) for left in joined for right in options)
    return joined


def _bounded(options: Iterable[_Option]) -> list[_Option]:
    """Remove repetitions, in conjunctions and of alternatives, and count."""
    distinct: dict[frozenset[Formula], _Option] = {}
    for option in options:
        distinct.setdefault(frozenset(option), tuple(dict.fromkeys(option)))
        if len(distinct) > OPTION_LIMIT:
            raise InputError(
                f"the goal has more than {OPTION_LIMIT} alternatives for the final state",
                expected=f"at most {OPTION_LIMIT} ways to choose among its disjunctions",
                mend="write alternatives with a quantifier: `exists x. (...)` is one condition",
            )
    return list(distinct.values())
