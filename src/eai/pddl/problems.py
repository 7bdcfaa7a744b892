"""The sections of a problem."""

from __future__ import annotations

from collections.abc import Sequence

from eai.logic.formula import Atom
from eai.pddl.conditions import ConditionReader
from eai.pddl.forms import Form, Item
from eai.pddl.model import Problem
from eai.pddl.names import RESERVED
from eai.pddl.reading import Reading

__all__ = ["read_problem"]

_SECTIONS = (":domain", ":requirements", ":objects", ":init", ":goal", ":metric")
_FACT = "a fact such as (PREDICATE OBJECT ...) or (= (FUNCTION OBJECT ...) NUMBER)"
_METRIC = "minimize (total-cost)"


def read_problem(reading: Reading, form: Form) -> Problem:
    """Read ``(define (problem NAME) SECTION ...)``.

    Raises:
        ParseError: Something is not in its place or is declared twice. Names that are not
            declared are left to the check.
    """
    name, rest = reading.define(form, "problem")
    sections = reading.sections(rest, once=_SECTIONS)
    reader = ConditionReader(reading)
    domain = _only(reading, sections[":domain"], form, what="(:domain NAME)")
    goal = _only(reading, sections[":goal"], form, what="(:goal CONDITION)")
    reading.keywords(sections[":requirements"])
    facts = _Facts(reader)
    for item in sections[":init"]:
        facts.read(item)
    return Problem(
        name=name,
        domain=reading.source.word(domain, "NAME", "the name of the domain"),
        objects=reading.names(sections[":objects"], "object"),
        initial=facts.atoms(),
        goal=reader.condition(goal, {}),
        values=facts.values,
        minimize=_metric(reading, sections[":metric"]),
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
        head = reading.head(form, _FACT)
        if head == "=":
            self._value(form)
        elif head == "not":
            (inner,) = reading.count(form, 1, "one fact")
            self.false[self._atom(reading.form(inner, _FACT))] = form
        else:
            self.true.setdefault(self._atom(form))

    def atoms(self) -> tuple[Atom, ...]:
        """What holds; what is not given does not hold, and saying so is allowed."""
        for atom, form in self.false.items():
            if atom in self.true:
                what = "this fact is given as true and as not true"
                raise self.reader.reading.source.error(what, form)
        return tuple(self.true)

    def _atom(self, form: Form) -> Atom:
        reading = self.reader.reading
        head = reading.head(form, _FACT)
        if head in RESERVED:
            raise reading.source.error(f"'{head}' is no fact", form.items[0], expected=_FACT)
        return self.reader.atom(form, {})

    def _value(self, form: Form) -> None:
        reading = self.reader.reading
        function, number = reading.count(form, 2, "(FUNCTION OBJECT ...) and a number")
        term = self._atom(reading.form(function, "(FUNCTION OBJECT ...)"))
        value = reading.number(number, "a number")
        if self.values.setdefault(term, value) != value:
            raise reading.source.error("this function has another value already", form)


def _only(reading: Reading, items: Sequence[Item], form: Form, *, what: str) -> Item:
    if not items:
        raise reading.source.error(f"the problem has no {what}", form.closing, expected=what)
    if len(items) > 1:
        raise reading.source.error("one item too many", items[1], expected=what)
    return items[0]


def _metric(reading: Reading, items: Sequence[Item]) -> bool:
    if not items:
        return False
    if reading.source.word(items[0], "NAME", _METRIC) != "minimize" or len(items) != 2:
        raise reading.source.error("this metric is not known", items[0], expected=_METRIC)
    function = reading.form(items[1], "(total-cost)")
    if reading.head(function, "(total-cost)") != "total-cost" or len(function.items) > 1:
        raise reading.source.error("this metric is not known", items[1], expected=_METRIC)
    return True
