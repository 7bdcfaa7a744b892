"""Goals in brackets beyond PDDL's conditions: BDDL, and the trajectory constraints of PDDL 3.

Both are read by the one reader of conditions and printed by the one writer, with heads of their
own; the tree is that of every other formula.

BDDL is the goal language of the BEHAVIOR benchmark. Objects and variables look alike in it
(``?jar.n.01_1``, ``?jar.n.01``): a name is a variable where a quantifier around it binds it, and
an object everywhere else. What its quantifiers mean (Srivastava et al. 2021, appendix on BDDL; Li
et al. 2024, D.1):

==================================  ==========================================================
``(forall (?x - t) f)``             every object of the type
``(exists (?x - t) f)``             at least one
``(forn (N) (?x - t) f)``           exactly N (:class:`~eai.logic.formula.Count`)
``(forpairs (?x - t) (?y - u) f)``  pairs that use up the smaller side, each object in one pair
``(fornpairs (N) ...)``             at least N such pairs (:class:`~eai.logic.formula.ForPairs`)
==================================  ==========================================================

What the modes of PDDL 3 (``always``, ``within``, ...) mean is said in
:mod:`eai.logic.constraints`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, Union

from eai.errors import SchemaError, nearest
from eai.logic import (
    LARGEST_BOUND,
    Atom,
    Count,
    Counting,
    Formula,
    ForPairs,
    Quantifier,
    Term,
    Variable,
    constraints,
)
from eai.nesting import on_own_stack
from eai.pddl.brackets import MAX_DEPTH
from eai.pddl.check import check_condition
from eai.pddl.conditions import ConditionReader, Scope
from eai.pddl.reader import begin, outermost, refuse
from eai.pddl.reading import Reading, show
from eai.pddl.text import RESERVED, Form, Item, Tree, Word, on_one_line, scan
from eai.pddl.writer import ConditionWriter

Nested = Union[str, Sequence["Nested"]]
"""A word, or a list of words and lists."""

_LARGEST = 1_000_000
"""The largest number of objects that is counted."""

_ONE = "(?x - type)"
_FORN = f"(N) {_ONE} CONDITION"
_PAIRS = f"{_ONE} (?y - type) CONDITION"
_COUNTING = frozenset({"forn", "forpairs", "fornpairs"})


@on_own_stack
def read_bddl(
    expression: str | Sequence[Nested],
    *,
    objects: Collection[str] | None = None,
    forn: Counting = "exactly",
    source: str = "goal",
) -> Formula:
    """Read a BDDL goal expression.

    Args:
        expression: Text, with or without ``(:goal ...)`` around it, or nested lists of words
            (``["not", ["open", "jar.n.01_1"]]``). Letter case does not matter: names become
            lower case. What begins with a bracket or a list is a conjunction, and
            ``["not", "open", "jar.n.01_1"]`` a negated atom, as in the official files.
        objects: Names that may stand where no quantifier binds them; None: any name.
        forn: How ``forn`` counts. The definition says exactly; the official goal options are
            those of ``"at least"``.
        source: What to call the expression in error messages.

    Raises:
        ParseError: The expression is not a BDDL goal, or names an unknown object.
        SchemaError: It is neither text nor lists of words.
    """
    text = expression if isinstance(expression, str) else _in_brackets(expression, source)
    reading, form = _outermost(text, ":goal", source)
    formula = _BddlReader(reading, objects, forn).condition(form, {}) if form else None
    refuse(reading.found())
    assert formula is not None  # noqa: S101 - what is not read is noted, and refused above
    return formula


@on_own_stack
def parse_pddl3(text: str, *, source: str = "constraints") -> Formula:
    """Read trajectory constraints of PDDL 3 (Gerevini & Long 2005).

    Args:
        text: One constraint or condition, with or without ``(:constraints ...)`` around it:
            ``(and (always (not (open fridge))) (within 5 (on light)))``. Names become lower
            case; ``(at end f)`` and ``(at-end f)`` are the same.
        source: What to call the text in error messages.

    Raises:
        ParseError: If the text is no constraint of PDDL 3.
    """
    reading, form = _outermost(text, ":constraints", source)
    formula = _ConstraintReader(reading).condition(form, {}) if form else None
    refuse(reading.found(() if formula is None else check_condition(formula)))
    assert formula is not None  # noqa: S101 - as above
    return formula


@on_own_stack
def format_bddl(formula: Formula, *, forn: Counting = "exactly") -> str:
    """Return the formula as BDDL text, on one line.

    Constants are printed as the empty conjunction and disjunction.

    Args:
        formula: A state formula.
        forn: How ``forn`` counts, as for :func:`read_bddl`.

    Raises:
        InputError: The formula has no notation in BDDL: a temporal operator, an action, a count
            that compares otherwise, a variable of several types, an object that is called like a
            variable around it, a name with capitals or blanks.
    """
    return on_one_line(_BddlWriter(forn).condition(formula))


def _outermost(text: str, keyword: str, source: str) -> tuple[Reading, Form | None]:
    """The brackets of a text, without ``(:keyword ...)`` around them."""
    reading = begin(text, source)
    framed = text.lstrip().lower().startswith(f"({keyword}")
    form = outermost(reading, "sections" if framed else "condition", "a condition in brackets")
    if form is not None and framed:
        found = reading.count(form, 1, "one condition")
        form = reading.form(found[0], "a condition in brackets") if found else None
    return reading, form


def _in_brackets(lists: object, source: str, depth: int = 0) -> str:
    """Nested lists of words as text; what is too deep to be read ends there."""
    if isinstance(lists, str):
        words = list(islice(scan(lists), 2))
        if words != [lists] or words[0].kind in {"OPEN", "CLOSE", "UNKNOWN"}:
            raise SchemaError(
                f"{lists!r:.60} is not a word", where=source, expected="one word, no blanks"
            )
        return lists
    if not isinstance(lists, Sequence):
        raise SchemaError(
            f"found {lists!r:.60}", where=source, expected="BDDL text, or nested lists of words"
        )
    inner = lists if depth <= MAX_DEPTH else ()
    return f"({' '.join([_in_brackets(each, source, depth + 1) for each in inner])})"


@dataclass(frozen=True, slots=True)
class _BddlReader(ConditionReader):
    """Conditions of BDDL."""

    objects: Collection[str] | None = None
    forn: Counting = "exactly"

    def joined(self, item: Item, expected: str) -> Form | None:
        """Brackets, or a list of them, are a conjunction."""
        if isinstance(item, Form) and item.items and isinstance(item.items[0], Form):
            return Form(item.opening, [Word.at("and", "NAME", item.opening), *item.items])
        return self.reading.form(item, expected)

    def term(self, item: Item, scope: Scope) -> Term | None:
        """A name is the variable that a quantifier around it binds, else an object."""
        if not isinstance(item, Word) or item.kind not in {"NAME", "VARIABLE"}:
            message = f"found {show(item)}"
            self.reading.note("misplaced-word", message, item, expected="an object or a variable")
            return None
        name = item.lower().removeprefix("?")
        if name in scope:
            return scope[name]
        if self.objects is not None and name not in self.objects:
            near = [repr(each) for each in nearest(name, [*scope, *self.objects])]
            self.reading.note(
                "undeclared-object",
                f"there is no object or variable named {name!r}",
                item,
                advice=f"did you mean {' or '.join(near)}?" if near else None,
            )
        return name

    def variables(self, item: Item) -> tuple[Variable, ...]:
        """Names with or without a question mark, each of them once."""
        form = self.reading.form(item, f"variables in brackets: {_ONE}")
        if form is None:
            return ()
        items = [
            Word.at(f"?{each}", "VARIABLE", each.start)
            if isinstance(each, Word) and each.kind == "NAME" and before != "-"
            else each
            for before, each in zip(["", *form.items], form.items, strict=False)
        ]
        found = ConditionReader.variables(self, Form(form.opening, items, form.closing))
        if len({variable.name for variable in found}) < len(found) or not found:
            message = "the quantifier binds a variable twice, or none"
            self.reading.note("repeated-variable", message, item, expected=_ONE)
        return found

    def negation(self, form: Form, scope: Scope) -> Formula | None:
        """``(not open jar)`` is ``(not (open jar))``."""
        first = form.items[1] if len(form.items) > 1 else None
        if isinstance(first, Word) and first.lower() not in RESERVED | _COUNTING:
            form = Form(form.opening, [form.items[0], Form(first.start, form.items[1:])])
        return ConditionReader.heads["not"](self, form, scope)

    def count(self, form: Form, scope: Scope) -> Formula | None:
        """``(forn (N) (?x - t) f)``."""
        found = self.reading.count(form, 3, _FORN)
        if found is None:
            return None
        number, variables = self.number(found[0]), self._one(found[1])
        body = self.condition(found[2], {**scope, **{each.name: each for each in variables}})
        if number is None or not variables or body is None:
            return None
        return Count(number, variables[0], body, self.forn)

    def pairs(self, form: Form, scope: Scope) -> Formula | None:
        """``(forpairs (?x - t) (?y - u) f)``, and ``fornpairs`` with a number before."""
        numbered = str(form.items[0]).lower() == "fornpairs"
        usage = f"(N) {_PAIRS}" if numbered else _PAIRS
        found = self.reading.count(form, 4 if numbered else 3, usage)
        if found is None:
            return None
        number = self.number(found[0]) if numbered else None
        left, right, inner = found[-3:]
        sides = (*self._one(left), *self._one(right))
        if len(sides) == 2 and sides[0].name == sides[1].name:
            message = f"both sides of the pairs are called {sides[0].name!r}"
            self.reading.note("repeated-variable", message, right)
        body = self.condition(inner, {**scope, **{each.name: each for each in sides}})
        if len(sides) < 2 or body is None or (numbered and number is None):
            return None
        return ForPairs(sides[0], sides[1], body, number)

    def number(self, item: Item) -> int | None:
        """``(N)`` or ``N``."""
        word = item.items[0] if isinstance(item, Form) and len(item.items) == 1 else item
        if isinstance(word, Word) and word.isdecimal() and len(word) <= 7 and int(word) <= _LARGEST:
            return int(word)
        expected = f"(N), with N from 0 to {_LARGEST:,}"
        self.reading.note(
            "misplaced-word", "this is not a number of objects", item, expected=expected
        )
        return None

    def _one(self, item: Item) -> tuple[Variable, ...]:
        found = self.variables(item)
        if len(found) > 1:
            message = f"{len(found)} variables"
            self.reading.note("wrong-count", message, item, expected=f"one: {_ONE}")
        return found[:1]

    heads: ClassVar[Mapping[str, Callable[..., Formula | None]]] = {
        **ConditionReader.heads,
        "not": negation,
        "forn": count,
        "forpairs": pairs,
        "fornpairs": pairs,
    }


def _mode(name: str) -> Callable[..., Formula | None]:
    """Return the reader of a mode, even if its name is misspelt."""

    def read(reader: _ConstraintReader, form: Form, scope: Scope) -> Formula | None:
        return reader.mode(name, form, scope)

    return read


class _ConstraintReader(ConditionReader):
    """Conditions, and the modes of PDDL 3 over them."""

    def mode(self, name: str, form: Form, scope: Scope) -> Formula | None:
        """``(within 5 f)``: bounds, then conditions."""
        bounds, conditions, make = constraints.MODES[name]
        usage = " ".join(["STEPS"] * bounds + ["CONDITION"] * conditions)
        found = self.reading.count(form, bounds + conditions, usage)
        if found is None:
            return None
        numbers = [self._bound(each) for each in found[:bounds]]
        parts = [self.condition(each, scope) for each in found[bounds:]]
        return None if None in numbers or None in parts else make(*numbers, *parts)

    def at(self, form: Form, scope: Scope) -> Formula | None:
        """``(at end f)``; any other ``at`` is a predicate."""
        if len(form.items) == 3 and isinstance(form.items[2], Form):
            words = [Word.at("at-end", "NAME", form.opening), *form.items[2:]]
            return self.mode("at-end", Form(form.opening, words, form.closing), scope)
        return self.atom(form, scope)

    def _bound(self, item: Item) -> int | None:
        if isinstance(item, Word) and item.isdecimal() and len(item) < 10:
            number = int(item)
            if number <= LARGEST_BOUND:
                return number
        expected = f"0 to {LARGEST_BOUND:,}"
        self.reading.note(
            "misplaced-word", "this is not a number of steps", item, expected=expected
        )
        return None

    heads: ClassVar[Mapping[str, Callable[..., Formula | None]]] = {
        **ConditionReader.heads,
        **{name: _mode(name) for name in constraints.MODES},
        "at": at,
    }


class _BddlWriter(ConditionWriter):
    """Conditions of BDDL."""

    def __init__(self, forn: Counting) -> None:
        super().__init__()
        self.forn = forn
        self.scope: frozenset[str] = frozenset()

    def condition(self, formula: Formula) -> Tree:
        head: list[Tree]
        lists: list[Sequence[Variable]] = [(variable,) for variable in formula.variables]
        if isinstance(formula, Count):
            if formula.comparison != self.forn:
                raise SchemaError(
                    f"'{formula.comparison}' has no notation in BDDL",
                    expected=f"'{self.forn}', the reading of forn",
                )
            head = ["forn", [str(formula.number)]]
        elif isinstance(formula, ForPairs):
            numbered = formula.number is not None
            head = ["fornpairs", [str(formula.number)]] if numbered else ["forpairs"]
        elif isinstance(formula, Quantifier):
            head, lists = [formula.words[0]], [formula.variables]
        else:
            return super().condition(formula)
        names = [variable.name for variable in formula.variables]
        if not names or len(set(names)) < len(names):
            raise SchemaError(
                "the quantifier binds a variable twice, or none, which BDDL does not allow"
            )
        outer, self.scope = self.scope, self.scope | set(names)
        written = [*head, *map(self.variables, lists), self.condition(formula.body)]
        self.scope = outer
        return written

    def variables(self, variables: Sequence[Variable], *, explicit: bool = True) -> list[Tree]:  # noqa: ARG002 - types are always written
        several = [variable.name for variable in variables if len(variable.types) != 1]
        if several:
            raise SchemaError(
                f"the variable {several[0]!r} does not have exactly one type, which BDDL requires"
            )
        words = [(self.term(each), "-", self.name("type", each.types[0])) for each in variables]
        return [word for triple in words for word in triple]

    def atom(self, kind: str, atom: Atom) -> Tree:
        if atom.predicate in _COUNTING:
            raise SchemaError(f"{atom.predicate!r} cannot be a predicate in BDDL")
        return super().atom(kind, atom)

    def term(self, term: Term) -> str:
        if isinstance(term, Variable) and term.name not in self.scope:
            raise SchemaError(f"no quantifier binds the variable {term.name!r}")
        if not isinstance(term, Variable) and term in self.scope:
            raise SchemaError(
                f"the object {term!r} has the same name as a variable in scope",
                mend="rename the variable",
            )
        return super().term(term)
