"""Numeric conditions that do not hold, in words: the values compared, and where they are from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from eai.logic import Atom, Formula, NumericCondition, Rational, format_number
from eai.world import Key, NumberChange, State, Trajectory, UndefinedError, numbers_of


def values_told(
    trajectory: Trajectory, formula: Formula, *, write: Callable[[Atom], str] = str
) -> str:
    """Return the comparisons of a formula with values, and the steps that set these.

    Args:
        trajectory: The steps; the formula is about the state after the last one.
        formula: A formula without variables; of others the comparisons without variables are told.
        write: Function that writes a function term; by default as it stands in formulas.

    Examples:
        ``1 >= 5 is false; fuel(truck) became 1 at step 4``
    """
    state = trajectory.final
    told: list[str] = []
    terms: dict[Atom, None] = {}
    for node in formula.walk():
        if not isinstance(node, NumericCondition) or node.free:
            continue
        compared = _comparison_in_words(trajectory, state, node)
        if compared:
            told.append(compared)
            terms.update(dict.fromkeys(node.function_terms))
    return "; ".join([*told, *_last_changes(trajectory, state, terms, write)])


def _comparison_in_words(trajectory: Trajectory, state: State, condition: NumericCondition) -> str:
    """Return a comparison of two values; empty if they are what is written, or undefined."""
    try:
        left = trajectory.world.value(state, condition.left)
        right = trajectory.world.value(state, condition.right)
    except UndefinedError:
        return ""
    truth = "false"
    if trajectory.world.holds(state, condition):
        truth = "true"
    return f"{format_number(left)} {condition.sign} {format_number(right)} is {truth}"


def _last_changes(
    trajectory: Trajectory, state: State, terms: Iterable[Atom], write: Callable[[Atom], str]
) -> Iterator[str]:
    """Yield which step gave some function terms their values."""
    for term in terms:
        key = state.key_of(term)
        for step in reversed(trajectory.steps):
            new = _value_set_by(numbers_of(step.changes), key)
            if new is not None:
                yield f"{write(term)} became {format_number(new)} at step {step.number}"
                break


def _value_set_by(changes: Iterable[NumberChange], key: Key) -> Rational | None:
    """Return the value that a step gives to a function term; None if it does not change it."""
    for change in changes:
        if change.key == key:
            return change.new
    return None
