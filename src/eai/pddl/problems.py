"""The sections of a problem."""

from __future__ import annotations

from collections.abc import Sequence

from eai.logic.formula import TRUE, Atom
from eai.pddl.conditions import ConditionReader, is_total_cost
from eai.pddl.lists import read_names
from eai.pddl.model import Problem
from eai.pddl.names import RESERVED
from eai.pddl.reading import Reading
from eai.pddl.sections import define, only, sections
from eai.pddl.sources import Form, Item

__all__ = ["problem_of"]

_SECTIONS = (":domain", ":requirements", ":objects", ":init", ":goal", ":metric")
_FACT = "a fact such as (PREDICATE OBJECT ...) or (= (FUNCTION OBJECT ...) NUMBER)"
_METRIC = "minimize (total-cost)"


def problem_of(reading: Reading, form: Form) -> Problem:
    """Read ``(define (problem NAME) SECTION ...)``.

    What is not in its place or is declared twice is noted; names that are not declared are left
    to the check.
    """
    found = define(reading, form, "problem")
    if found is None:
        return Problem("", "", objects={})
    name, rest = found
    parts = sections(reading, rest, once=_SECTIONS)
    reader = ConditionReader(reading)
    domain = only(reading, parts[":domain"], form, what="(:domain NAME)")
    if domain is not None:
        reading.places["problem", name] = (name, (domain,))
    reading.keywords(parts[":requirements"])
    facts = _Facts(reader)
    reading.where = "initial state"
    for item in parts[":init"]:
        facts.read(item)
    reading.where = "goal"
    goal_item = only(reading, parts[":goal"], form, what="(:goal CONDITION)")
    goal = None if goal_item is None else reader.condition(goal_item, {})
    reading.where = "objects"
    return Problem(
        name=name,
        domain=(domain and reading.word(domain, "NAME", "the name of the domain")) or "",
        objects=read_names(reading, parts[":objects"], "object"),
        initial=facts.atoms(),
        goal=TRUE if goal is None else goal,
        values=facts.values,
        minimize=_metric(reading, parts[":metric"]),
    )


class _Facts:
    """The initial state, while it is read."""

    def __init__(self, reader: ConditionReader) -> None:
        self.reader = reader
        self.true: dict[Atom, None] = {}
        self.false: dict[Atom, Form] = {}
        self.values: dict[Atom, float] = {}

    def read(self, item: Item) -> None:
        reading = self.reader.reading
        form = reading.form(item, _FACT)
        head = reading.head(form, _FACT) if form else None
        if form is None or head is None:
            return
        if head == "=":
            self._value(form)
        elif head == "not":
            self._negated(form)
        else:
            atom = self._atom(form)
            if atom is not None:
                self.true.setdefault(atom)

    def atoms(self) -> tuple[Atom, ...]:
        """What holds; what is not given does not hold, and saying so is allowed."""
        for atom, form in self.false.items():
            if atom in self.true:
                message = "this fact is given as true and as not true"
                self.reader.reading.note("contradictory-facts", message, form)
        return tuple(self.true)

    def _negated(self, form: Form) -> None:
        reading = self.reader.reading
        reading.note(
            "negated-fact",
            "what is not given does not hold, so this says nothing",
            form,
            severity="warning",
            advice="leave it out: some planners refuse it",
        )
        found = reading.count(form, 1, "one fact")
        inner = reading.form(found[0], _FACT) if found else None
        atom = self._atom(inner) if inner else None
        if atom is not None:
            self.false[atom] = form

    def _atom(self, form: Form) -> Atom | None:
        reading = self.reader.reading
        head = reading.head(form, _FACT)
        if head in RESERVED:
            reading.note("no-fact", f"'{head}' is no fact", form.items[0], expected=_FACT)
            return None
        return self.reader.atom(form, {}) if head else None

    def _value(self, form: Form) -> None:
        reading = self.reader.reading
        found = reading.count(form, 2, "(FUNCTION OBJECT ...) and a number")
        inner = reading.form(found[0], "(FUNCTION OBJECT ...)") if found else None
        term = self._atom(inner) if inner else None
        value = reading.number(found[1], "a number") if found and term else None
        if term is None or value is None:
            return
        if self.values.setdefault(term, value) != value:
            message = "this function has another value already"
            reading.note("contradictory-facts", message, form)


def _metric(reading: Reading, items: Sequence[Item]) -> bool:
    if not items:
        return False
    wrong = None
    if reading.word(items[0], "NAME", _METRIC) != "minimize" or len(items) != 2:
        wrong = items[0]
    elif not is_total_cost(items[1]):
        wrong = items[1]
    if wrong is not None:
        reading.note("unsupported-part", "this metric is not known", wrong, expected=_METRIC)
    return wrong is None
