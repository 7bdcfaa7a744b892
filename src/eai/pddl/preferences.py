"""Preferences and trajectory constraints of PDDL 3 (Gerevini et al. 2009)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil, floor
from typing import ClassVar

from eai.logic import (
    LARGEST_BOUND,
    TRUE,
    And,
    Formula,
    Rational,
    TimedMode,
    Variable,
    constraints,
)
from eai.pddl.conditions import ConditionReader, Scope
from eai.pddl.model import Preference
from eai.pddl.reading import exact_number, is_number
from eai.pddl.text import Form, Item, Word, words_of

_USAGE = "a name and a condition"


def split_goal(reader: ConditionReader, item: Item) -> tuple[Formula | None, list[Preference]]:
    """Return the hard goal and the preferences of a goal.

    Args:
        reader: Reads conditions.
        item: The goal.
    """
    soft = _SoftReader(reader)
    goal = soft.condition(item, {})
    preferences = []
    for preference in soft.preferences:
        at_end = constraints.at_end(preference.formula)
        preferences.append(Preference(preference.name, at_end, preference.variables))
    return goal, preferences


def split_precondition(
    reader: ConditionReader, item: Item, scope: Scope
) -> tuple[Formula | None, list[Preference]]:
    """Return the hard precondition and the preferences of a precondition."""
    soft = _SoftReader(reader)
    return soft.condition(item, scope), soft.preferences


def split_constraints(
    reader: ConditionReader, items: Sequence[Item]
) -> tuple[Formula, list[Preference]]:
    """Read the section ``:constraints``.

    Args:
        reader: Reads conditions.
        items: The constraints.

    Returns:
        The conjunction of what a plan has to keep, and the preferences, which it should keep.
    """
    soft = _SoftReader(ConstraintReader(reader.reading))
    formulas = []
    for item in items:
        formula = soft.condition(item, {})
        if formula is not None and formula != TRUE:
            formulas.append(formula)
    return And.of(formulas) if formulas else TRUE, soft.preferences


def _mode_reader(name: str) -> Callable[..., Formula | None]:
    """Return a reader for a mode, which also accepts misspelled names."""

    def read(reader: ConstraintReader, form: Form, scope: Scope) -> Formula | None:
        return reader.mode(name, form, scope)

    return read


class ConstraintReader(ConditionReader):
    """Reads conditions with the modes of PDDL 3."""

    def mode(self, name: str, form: Form, scope: Scope) -> Formula | None:
        """Read a mode such as ``(within 5 f)``: bounds, then conditions.

        Args:
            name: The mode.
            form: The brackets.
            scope: The variables that are bound around it.

        Returns:
            A temporal formula over steps, or a mode with times if plans have times. None if a part
            cannot be read, which is noted.
        """
        bound_count, condition_count, make_formula = constraints.MODES[name]
        usage = " ".join(["STEPS"] * bound_count + ["CONDITION"] * condition_count)
        items = self.reading.operands(form, bound_count + condition_count, usage)
        if items is None:
            return None
        bounds: list[Rational] = []
        for item in items[:bound_count]:
            bound = self._read_bound(item)
            if bound is not None:
                bounds.append(bound)
        operands: list[Formula] = []
        for item in items[bound_count:]:
            operand = self.condition(item, scope)
            if operand is not None:
                operands.append(operand)
        # All are read before any failure counts, so that every mistake of them is noted.
        if len(bounds) < bound_count or len(operands) < condition_count:
            return None
        if bounds and self.reading.has_times:
            return TimedMode(name, tuple(bounds), tuple(operands))
        # Position i has time i, so bounds are rounded down to a position, or up for the beginning
        # of an interval.
        round_bound = ceil if name == "hold-during" else floor
        return make_formula(*map(round_bound, bounds), *operands)

    def at(self, form: Form, scope: Scope) -> Formula | None:
        """Read ``(at end f)``; any other ``at`` is a predicate."""
        # A predicate ``at`` has terms as arguments, which are not brackets.
        if len(form.items) == 3 and isinstance(form.items[2], Form):
            words = [Word.at("at-end", "NAME", form.opening), *form.items[2:]]
            return self.mode("at-end", Form(form.opening, words, form.closing), scope)
        return self.atom(form, scope)

    def _read_bound(self, item: Item) -> Rational | None:
        """Read a time bound such as the 5 in ``(within 5 GOAL)``, or return None with a note.

        If plans have no times, it is a number of steps. That becomes the depth of a formula, so it
        may not be larger than ``LARGEST_BOUND``.
        """
        has_times = self.reading.has_times
        number = exact_number(str(item)) if is_number(item) else None
        if number is not None and number >= 0 and (has_times or number <= LARGEST_BOUND):
            return number
        message = "this is not a time" if has_times else "this is not a number of steps"
        expected = "a number from 0" if has_times else f"0 to {LARGEST_BOUND:,}"
        self.reading.note("misplaced-word", message, item, expected=expected)
        return None

    heads: ClassVar[Mapping[str, Callable[..., Formula | None]]] = {
        **ConditionReader.heads,
        **{name: _mode_reader(name) for name in constraints.MODES},
        "at": at,
    }


class _SoftReader:
    """Reads conditions, and collects the preferences in them.

    Args:
        reader: The reader of the conditions.

    Attributes:
        preferences: Those that were met so far.
    """

    def __init__(self, reader: ConditionReader) -> None:
        self._reader = reader
        self.preferences: list[Preference] = []

    def condition(
        self, item: Item, scope: Scope, bound_variables: tuple[Variable, ...] = ()
    ) -> Formula | None:
        """Read a condition, and collect the preferences in it instead of keeping them there.

        Args:
            item: The condition.
            scope: The variables that are bound around it.
            bound_variables: Those of them that quantifiers around preferences bind.

        Returns:
            The condition without its preferences; None if it cannot be read.
        """
        # Nearly all texts have no preferences, and need not be searched for them.
        is_possible = self._reader.reading.may_have_preferences
        if not is_possible or not isinstance(item, Form) or not _has_preference(item):
            return self._reader.condition(item, scope)
        head = _first_word(item)
        if head == "preference":
            self._read_preference(item, scope, bound_variables)
            return TRUE
        if head == "and":
            operands = [self.condition(inner, scope, bound_variables) for inner in item.items[1:]]
            # A preference is replaced by TRUE, which has no effect in a conjunction.
            hard_conditions = [operand for operand in operands if operand not in (None, TRUE)]
            return And.of(hard_conditions) if hard_conditions else TRUE
        # A preference under a forall is one preference for each choice of objects.
        quantified = None
        if head == "forall":
            quantified = self._reader.quantified(item, scope)
        if quantified is None:
            # Anywhere else a preference means nothing, which the reader notes.
            return self._reader.condition(item, scope)
        variables, body, inner_scope = quantified
        # The forall contains preferences only. Hard conditions stay outside of it.
        hard_body = self.condition(body, inner_scope, (*bound_variables, *variables))
        if hard_body == TRUE or hard_body is None:
            return hard_body
        return self._reader.heads["forall"](self._reader, item, scope)

    def _read_preference(
        self, form: Form, scope: Scope, bound_variables: tuple[Variable, ...]
    ) -> None:
        """Read ``(preference NAME CONDITION)``; the name may be left out.

        Args:
            form: The preference.
            scope: The variables that are bound around it.
            bound_variables: Variables of a ``forall`` around it; each instance is a preference of
                its own.
        """
        name = ""
        items = form.items[1:]
        if len(items) == 2 and isinstance(items[0], Word):
            name = items[0].lower()
        elif len(items) != 1:
            self._reader.reading.operands(form, 2, _USAGE)
            return
        formula = self._reader.condition(items[-1], scope)
        if formula is not None:
            self.preferences.append(Preference(name, formula, bound_variables))


def _has_preference(form: Form) -> bool:
    """Return whether a preference stands somewhere in brackets."""
    return any(word.lower() == "preference" for word in words_of([form]))


def _first_word(item: Item) -> str:
    """Return the first word of brackets, in lower case; empty if there is none."""
    if isinstance(item, Form) and item.items and isinstance(item.items[0], Word):
        return item.items[0].lower()
    return ""
