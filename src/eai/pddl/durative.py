"""Durative actions of PDDL 2.1 (Fox & Long 2003): their text, and the model of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from eai.logic import TRUE, And, Forall, Formula, NumericCondition, Variable
from eai.pddl.conditions import ConditionReader, Scope
from eai.pddl.model import (
    DURATION,
    AndEffect,
    DurativeAction,
    Effect,
    ForallEffect,
    Operator,
    WhenEffect,
)
from eai.pddl.text import Form, Item, Word

Time = Literal["start", "end", "all"]
"""When something holds or happens: at the start, at the end, or all the time in between."""

DURATIVE_PARTS = (":parameters", ":duration", ":condition", ":effect")
_TIMED = "(at start X), (at end X) or (over all X), with 'and', 'forall' and 'when' around it"


def read_durative_form(
    reader: ConditionReader,
    name: str,
    parameters: tuple[Variable, ...],
    parts: Mapping[str, Form],
) -> DurativeAction:
    """Read the parts of a durative action. Unreadable parts are noted and omitted.

    The action is split into two instantaneous ones, for its start and its end, and the condition
    that has to hold in between (PDDL 2.1, section 5).

    Args:
        reader: Reads conditions and effects.
        name: Name of the action.
        parameters: Its parameters.
        parts: Forms by keyword: ``:duration``, ``:condition`` and ``:effect``.
    """
    scope = {variable.name: variable for variable in parameters}
    times = _Times(reader)
    # The order is that of the standard and not of the text, so findings come in a fixed order.
    if ":duration" in parts:
        reader.reading.part = ", duration"
        times.duration(parts[":duration"], scope, "start")
    if ":condition" in parts:
        reader.reading.part = ", condition"
        times.conditions(parts[":condition"], scope)
    if ":effect" in parts:
        reader.reading.part = ", effect"
        times.effects(parts[":effect"], scope)
    reader.reading.part = ""
    start = Operator(f"{name} start", parameters, times.condition("start"), times.effect("start"))
    end = Operator(f"{name} end", parameters, times.condition("end"), times.effect("end"))
    return DurativeAction(name, parameters, start, end, times.condition("all"))


class _Times:
    """Sorts the conditions and effects of a durative action by their times."""

    def __init__(self, reader: ConditionReader) -> None:
        self._reader = reader
        self._conditions: dict[Time, list[Formula]] = {"start": [], "end": [], "all": []}
        self._effects: dict[Time, list[Effect]] = {"start": [], "end": [], "all": []}

    def condition(self, time: Time) -> Formula:
        """Return all conditions of a time."""
        conditions = self._conditions[time]
        return And.of(conditions) if conditions else TRUE

    def effect(self, time: Time) -> Effect:
        """Return all effects of a time."""
        return AndEffect(tuple(self._effects[time]))

    def duration(self, item: Item, scope: Scope, time: Time) -> None:
        """Read constraints on the duration, as conditions at the start or end.

        ``(and (>= ?duration 2) (<= ?duration 5))`` becomes two conditions on the function
        ``?duration``.

        Args:
            item: The constraint; the empty one allows any duration.
            scope: The variables that are bound around it.
            time: When it is evaluated, unless it says so itself.
        """
        if not isinstance(item, Form) or not item.items:
            return
        head = str(item.items[0]).lower()
        if head == "and":
            for inner in item.items[1:]:
                self.duration(inner, scope, time)
            return
        # ``(at end (<= ?duration (fuel)))``: the bound may be a number at the end.
        if head == "at":
            timed = self._split_time(item)
            if timed is not None:
                self.duration(timed[1], scope, timed[0])
            return
        condition = self._reader.condition(item, scope)
        # None: it cannot be read, which is noted already.
        if condition is None:
            return
        # The standard has ?duration on the left side of its constraints, and nowhere else.
        if not isinstance(condition, NumericCondition) or condition.left != DURATION:
            expected = "(= ?duration AMOUNT), or with <= or >="
            message = "this is no constraint on the duration"
            self._reader.reading.note("misplaced-word", message, item, expected=expected)
            return
        self._conditions[time].append(condition)

    def conditions(self, item: Item, scope: Scope) -> None:
        """Read a condition whose parts have times."""
        self._read_timed_parts(item, scope, self._add_condition)

    def effects(self, item: Item, scope: Scope) -> None:
        """Read an effect whose parts have times."""
        self._read_timed_parts(item, scope, self._add_effect)

    def _read_timed_parts(
        self,
        item: Item,
        scope: Scope,
        add: Callable[[Time, Item, Scope, tuple[Variable, ...]], None],
        bound_variables: tuple[Variable, ...] = (),
    ) -> None:
        """Read a timed item, and add each of its parts to those of its time.

        ``(and (at start A) (forall (?x) (over all B)))`` adds A to the start, and B with the bound
        variable ``?x`` to the time in between.

        Args:
            item: The condition or effect.
            scope: The variables that are bound around it.
            add: Adds a part: a condition or an effect.
            bound_variables: The variables of ``forall`` around it.
        """
        form = self._reader.reading.form(item, _TIMED)
        if form is None or not form.items:
            return
        head = self._reader.reading.head(form, _TIMED)
        if head == "and":
            for operand in form.items[1:]:
                self._read_timed_parts(operand, scope, add, bound_variables)
        elif head == "forall":
            quantified = self._reader.quantified(form, scope)
            if quantified is not None:
                variables, body, inner_scope = quantified
                self._read_timed_parts(body, inner_scope, add, (*bound_variables, *variables))
        elif head == "when" and add == self._add_effect:  # no condition has a "when"
            self._read_when(form, scope, bound_variables)
        elif head is not None:
            timed = self._split_time(form)
            if timed is not None:
                add(*timed, scope, bound_variables)

    def _split_time(self, form: Form) -> tuple[Time, Item] | None:
        """Return the time and the content of a timed form, or None.

        ``(at start (open door))`` is ``("start", (open door))``. None if it has no time, which is
        noted.
        """
        words = [str(item).lower() for item in form.items[:2] if isinstance(item, Word)]
        times: dict[tuple[str, ...], Time] = {
            ("at", "start"): "start",
            ("at", "end"): "end",
            ("over", "all"): "all",
        }
        time = times.get(tuple(words))
        if time is None or len(form.items) != 3:
            message = "this has no time"
            self._reader.reading.note("misplaced-word", message, form, expected=_TIMED)
            return None
        return time, form.items[2]

    def _add_condition(
        self, time: Time, item: Item, scope: Scope, bound: tuple[Variable, ...]
    ) -> None:
        """Add a condition at the start, at the end, or all the time in between."""
        condition = self._reader.condition(item, scope)
        if condition is not None:
            self._conditions[time].append(Forall(bound, condition) if bound else condition)

    def _add_effect(
        self, time: Time, item: Item, scope: Scope, bound: tuple[Variable, ...]
    ) -> None:
        """Add an effect at the start or the end.

        Args:
            time: Its time; ``over all`` is noted as a mistake, since effects happen at an instant.
            item: The effect.
            scope: The variables that are bound around it.
            bound: The variables of ``forall`` around the time: ``(forall (?x) (at end (wet ?x)))``.
        """
        effect = self._reader.effect(item, scope)
        if effect is None:
            return
        if time == "all":
            message = "an effect has no stretch of time"
            expected = "(at start X) or (at end X)"
            self._reader.reading.note("no-effect", message, item, expected=expected)
            return
        self._effects[time].append(ForallEffect(bound, effect) if bound else effect)

    def _read_when(self, form: Form, scope: Scope, bound: tuple[Variable, ...]) -> None:
        """Read a conditional effect whose condition and effect have the same time.

        An example is ``(when (at start (raining)) (at start (wet)))``.

        Args:
            form: The effect.
            scope: The variables that are bound around it.
            bound: The variables of the ``forall`` around it, if there is one.
        """
        items = self._reader.reading.operands(
            form, 2, "a condition and an effect, both with a time"
        )
        if items is None or not all(isinstance(item, Form) for item in items):
            return
        condition_item, effect_item = items
        # The condition has its times inside, like the effect, so both are sorted on their own.
        nested_times = _Times(self._reader)
        nested_times.conditions(condition_item, scope)
        nested_times.effects(effect_item, scope)
        times: tuple[Time, ...] = ("start", "end", "all")
        for time in times:
            effects = nested_times._effects[time]
            if not effects:
                continue
            # Otherwise the truth of the condition at the start would have to be kept until the end.
            if any(
                nested_times._conditions[other_time] for other_time in times if other_time != time
            ):
                message = "the condition of an effect at another time is not read here"
                self._reader.reading.note("no-effect", message, form, expected="one time for both")
                return
            effect: Effect = WhenEffect(nested_times.condition(time), AndEffect(tuple(effects)))
            if bound:
                effect = ForallEffect(bound, effect)
            self._effects[time].append(effect)
