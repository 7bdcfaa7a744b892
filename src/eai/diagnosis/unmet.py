"""Findings on the conditions of a goal that are not met."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from eai.diagnosis.judgement import Condition, Finding
from eai.diagnosis.taxonomy import ErrorKind
from eai.diagnosis.wording import in_words
from eai.errors import InputError
from eai.logic.formula import Atom, Formula, Not
from eai.logic.parser import parse_formula
from eai.logic.printer import format_formula
from eai.task import Goal
from eai.world.trajectory import Trajectory

__all__ = ["unmet_goals"]

_KINDS = {
    "state": ErrorKind.STATE_GOAL,
    "relation": ErrorKind.RELATION_GOAL,
    "action": ErrorKind.ACTION_GOAL,
}

_LITERAL = re.compile(r"(not )?([^\s(),]+)\(([^()]*)\)")

_QUANTIFIED = re.compile(r"(?:not )?(?:forall|exists|forn|forpairs|fornpairs|exactly|at-\w+) ")


def unmet_goals(
    goals: Sequence[Condition],
    *,
    goal: Goal | None = None,
    trajectory: Trajectory | None = None,
) -> tuple[Finding, ...]:
    """Return one finding for every goal condition that is not met.

    Args:
        goals: The conditions, as they were judged.
        goal: The goal that they are from. With it and what was done, the findings say in words
            what is the case in their stead.
        trajectory: What was done.
    """
    words = {} if goal is None or trajectory is None else _words(goals, goal, trajectory)
    return tuple(
        Finding(
            _KINDS[each.kind],
            _action(goals, place, trajectory)
            if each.kind == "action"
            else _final(each, words.get(each.text, "")),
            conditions=(each.text,),
            held_until=None if each.lost_by is None else each.lost_by - 1,
            destroyed_by=each.lost_by,
        )
        for place, each in enumerate(goals)
        if not each.met
    )


def _words(goals: Sequence[Condition], goal: Goal, trajectory: Trajectory) -> dict[str, str]:
    """What is the case at the end instead of a condition, by the condition's text."""
    formulas = (formula for option in goal.final for _, formula in option)
    known = {format_formula(formula): formula for formula in formulas}
    wanted = {each.text for each in goals if not each.met and each.kind != "action"}
    return {text: _at_the_end(known.get(text) or _read(text), trajectory) for text in wanted}


def _read(text: str) -> Formula | None:
    """The formula of a text: a suite may judge what its goal does not list."""
    found = _LITERAL.fullmatch(text)
    if found is None:
        return _parsed(text)
    denied, predicate, terms = found.groups()
    atom = Atom(predicate, tuple(terms.split(", ")) if terms else ())
    return Not(atom) if denied else atom


@lru_cache(maxsize=256)
def _parsed(text: str) -> Formula | None:
    try:
        return parse_formula(text)
    except InputError:
        return None


def _at_the_end(formula: Formula | None, trajectory: Trajectory) -> str:
    """What is the case at the end, where a condition does not hold; empty if it cannot be said.

    A semantics may not count what holds, and a goal may speak of kinds of objects that only its
    suite knows.
    """
    try:
        world, state = trajectory.world, trajectory.final
        if formula is None or world.holds(state, formula):
            return ""
        return in_words(world, state, formula)
    except InputError:
        return ""


def _final(condition: Condition, words: str) -> str:
    lost_by = condition.lost_by
    if words:
        return f"{words} at the end{_since(condition)} [{condition.text}]"
    if lost_by is not None:
        return f"{condition.text} does not hold at the end: step {lost_by} made it false"
    return f"{condition.text} does not hold at the end and never did"


def _since(condition: Condition) -> str:
    lost_by = condition.lost_by
    if _QUANTIFIED.match(condition.text):
        # The words are about one object or a number, the past is known of the condition only.
        return "" if lost_by is None else f"; the condition held until step {lost_by}"
    return "; no step changed that" if lost_by is None else f"; step {lost_by} made it so"


def _action(goals: Sequence[Condition], place: int, trajectory: Trajectory | None) -> str:
    """Why an action does not count: it was not done, or not after what comes before it."""
    name = goals[place].text
    if trajectory is None:
        return f"{name} was not done (in this order)"
    done = [step.number for step in trajectory.steps if step.action.name.upper() in name.split("|")]
    before = [each for each in goals[:place] if each.kind == "action"]
    if not done or not before:
        return f"{name} was not done"
    last, since = done[-1], before[-1].since
    missing = next((each for each in before if not each.met), None)
    if missing is not None:
        return (
            f"{name} was done in step {last}, but not after {missing.text}, which the goal asks "
            "for first"
        )
    if last == since:
        return f"{name} was not done again after step {last}"
    return f"{name} was done in step {last}, but not after {before[-1].text} (step {since})"
