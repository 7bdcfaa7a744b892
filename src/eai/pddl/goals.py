"""Goals in brackets beyond PDDL's conditions: BDDL, and the trajectory constraints of PDDL 3.

Both are read by the one reader of conditions and printed by the one writer, with heads of their
own; the tree is that of every other formula.

BDDL is the goal language of the BEHAVIOR benchmark. Objects and variables look alike in it
(``?jar.n.01_1``, ``?jar.n.01``): a name is a variable where a quantifier around it binds it, and
an object everywhere else. The meaning of its quantifiers (Srivastava et al. 2021, appendix on BDDL;
Li et al. 2024, D.1):

==================================  ==========================================================
``(forall (?x - t) f)``             every object of the type
``(exists (?x - t) f)``             at least one
``(forn (N) (?x - t) f)``           exactly N (:class:`~eai.logic.formula.Count`)
``(forpairs (?x - t) (?y - u) f)``  pairs that use up the smaller side, each object in one pair
``(fornpairs (N) ...)``             at least N such pairs (:class:`~eai.logic.formula.ForPairs`)
==================================  ==========================================================

The modes of PDDL 3 (``always``, ``within``, ...) are explained in :mod:`eai.logic.constraints`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, Union

from eai.errors import SchemaError
from eai.logic import (
    Atom,
    Count,
    Counting,
    Formula,
    ForPairs,
    Quantifier,
    Term,
    Variable,
)
from eai.nesting import on_own_stack
from eai.pddl.brackets import MAX_DEPTH
from eai.pddl.check import check_condition
from eai.pddl.conditions import LOGIC_HEADS, ConditionReader, Scope
from eai.pddl.issues import Issue, suggestion
from eai.pddl.preferences import ConstraintReader
from eai.pddl.reader import begin_reading, raise_first_error, read_outermost_form
from eai.pddl.reading import PddlReading, show
from eai.pddl.text import RESERVED, Form, Item, Tree, Word, on_one_line, scan
from eai.pddl.writer import ConditionWriter

Nested = Union[str, Sequence["Nested"]]
"""A word, or a list of words and lists."""

_MAX_OBJECTS = 1_000_000
"""Maximum number of objects that a goal can count."""

_VARIABLE = "(?x - type)"
_FORN = f"(N) {_VARIABLE} CONDITION"
_PAIRS = f"{_VARIABLE} (?y - type) CONDITION"
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
            lower case. A bracket or list that begins with another one is a conjunction, and
            ``["not", "open", "jar.n.01_1"]`` a negated atom, as in the official files.
        objects: Names that may stand where no quantifier binds them; None: any name.
        forn: How ``forn`` counts. The definition says exactly; the official goal options are
            those of ``"at least"``.
        source: Name of the expression in error messages.

    Raises:
        ParseError: The expression is not a BDDL goal, or names an unknown object.
        SchemaError: It is neither text nor lists of words.
    """
    text = expression if isinstance(expression, str) else _bracketed_text(expression, source)
    reading, form = _inner_form(text, ":goal", source)
    formula: Formula | None = None
    if form is not None:
        formula = _BddlReader(reading, objects, forn).condition(form, {})
    raise_first_error(reading.found())
    assert formula is not None  # noqa: S101 - what is not read is noted, and refused above
    return formula


@on_own_stack
def parse_pddl3(text: str, *, source: str = "constraints") -> Formula:
    """Read trajectory constraints of PDDL 3 (Gerevini & Long 2005).

    Args:
        text: One constraint or condition, with or without ``(:constraints ...)`` around it:
            ``(and (always (not (open fridge))) (within 5 (on light)))``. Names become lower
            case; ``(at end f)`` and ``(at-end f)`` are the same.
        source: Name of the text in error messages.

    Raises:
        ParseError: If the text is not a constraint of PDDL 3.
    """
    reading, form = _inner_form(text, ":constraints", source)
    formula: Formula | None = None
    checked: list[Issue] = []
    if form is not None:
        formula = ConstraintReader(reading).condition(form, {})
    if formula is not None:
        checked = check_condition(formula)
    raise_first_error(reading.found(checked))
    assert formula is not None  # noqa: S101 - without a formula an error was raised
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


def _inner_form(text: str, keyword: str, source: str) -> tuple[PddlReading, Form | None]:
    """Return the brackets of a text, without an outer ``(:keyword ...)``.

    ``(:goal (and A B))`` and ``(and A B)`` both give ``(and A B)``.

    Args:
        text: The text.
        keyword: The keyword that may stand around the brackets: ``":goal"``.
        source: Name of the text in messages.

    Returns:
        The reading, with all findings so far, and the brackets; None if there are none.
    """
    reading = begin_reading(text, source)
    if not text.lstrip().lower().startswith(f"({keyword}"):
        return reading, read_outermost_form(reading, "condition", "a condition in brackets")
    section = read_outermost_form(reading, "sections", "a condition in brackets")
    if section is None:
        return reading, None
    items = reading.operands(section, 1, "one condition")
    if items is None:
        return reading, None
    return reading, reading.form(items[0], "a condition in brackets")


def _bracketed_text(nested: object, source: str, depth: int = 0) -> str:
    """Return nested lists of words as text, cut off at the maximum depth.

    ``["and", ["on", "a"]]`` becomes ``(and (on a))``.

    Args:
        nested: A word or a list; a value that may be anything.
        source: Name of the value in messages.
        depth: How many lists are around it.

    Raises:
        SchemaError: If it is neither, or a text is not exactly one word.
    """
    if isinstance(nested, str):
        # Two are enough to see that it is not exactly one word.
        words = list(islice(scan(nested), 2))
        if words != [nested] or words[0].kind in {"OPEN", "CLOSE", "UNKNOWN"}:
            raise SchemaError(
                f"{nested!r:.60} is not a word", where=source, expected="one word, no blanks"
            )
        return nested
    if not isinstance(nested, Sequence):
        raise SchemaError(
            f"found {nested!r:.60}", where=source, expected="BDDL text, or nested lists of words"
        )
    items = nested if depth <= MAX_DEPTH else ()
    return f"({' '.join([_bracketed_text(item, source, depth + 1) for item in items])})"


@dataclass(frozen=True, slots=True)
class _BddlReader(ConditionReader):
    """Reads conditions of BDDL with the options of :func:`read_bddl`."""

    objects: Collection[str] | None = None
    forn: Counting = "exactly"

    def joined(self, item: Item, expected: str) -> Form | None:
        """Take brackets; a list of brackets is a conjunction, and no mistake here."""
        if isinstance(item, Form) and item.items and isinstance(item.items[0], Form):
            return Form(item.opening, [Word.at("and", "NAME", item.opening), *item.items])
        return self.reading.form(item, expected)

    def term(self, item: Item, scope: Scope) -> Term | None:
        """Return the variable with a name if a quantifier binds it, else the object.

        An object that is not declared is noted, and returned all the same.
        """
        if not isinstance(item, Word) or item.kind not in {"NAME", "VARIABLE"}:
            message = f"found {show(item)}"
            self.reading.note("misplaced-word", message, item, expected="an object or a variable")
            return None
        # "?jar.n.01" is a variable inside of its quantifier, "?jar.n.01_1" an object.
        name = item.lower().removeprefix("?")
        if name in scope:
            return scope[name]
        if self.objects is not None and name not in self.objects:
            self.reading.note(
                "undeclared-object",
                f"there is no object or variable named {name!r}",
                item,
                advice=suggestion(name, [*scope, *self.objects]),
            )
        return name

    def variables(self, item: Item) -> tuple[Variable, ...]:
        """Read a list of distinct names with or without question marks.

        Problems of BEHAVIOR write both ``?jar.n.01 - jar.n.01`` and ``jar - jar.n.01``.
        """
        form = self.reading.form(item, f"variables in brackets: {_VARIABLE}")
        if form is None:
            return ()
        # "jar - jar.n.01" is read as "?jar - jar.n.01".
        items: list[Item] = []
        previous_item: Item | None = None
        for word in form.items:
            # A name after a dash is a type; every other one is meant as a variable.
            if isinstance(word, Word) and word.kind == "NAME" and previous_item != "-":
                items.append(Word.at(f"?{word}", "VARIABLE", word.start))
            else:
                items.append(word)
            previous_item = word
        variables = ConditionReader.variables(self, Form(form.opening, items, form.closing))
        names = {variable.name for variable in variables}
        if not variables or len(names) < len(variables):
            message = "the quantifier binds a variable twice, or none"
            self.reading.note("repeated-variable", message, item, expected=_VARIABLE)
        return variables

    def negation(self, form: Form, scope: Scope) -> Formula | None:
        """Read a negation; ``(not open jar)`` is ``(not (open jar))``."""
        first = form.items[1] if len(form.items) > 1 else None
        # The next word is a predicate, unless it builds conditions.
        if isinstance(first, Word) and first.lower() not in RESERVED | _COUNTING:
            form = Form(form.opening, [form.items[0], Form(first.start, form.items[1:])])
        return ConditionReader.heads["not"](self, form, scope)

    def count(self, form: Form, scope: Scope) -> Formula | None:
        """Read ``(forn (N) (?x - t) f)``: at least, or exactly, N objects satisfy f.

        Which of the two it means depends on the version of BDDL that the reader is made for.
        """
        items = self.reading.operands(form, 3, _FORN)
        if items is None:
            return None
        number_item, variable_item, body_item = items
        # All parts are read before one is missed, so that the mistakes of all are noted.
        number = self.number(number_item)
        variable = self._one_variable(variable_item)
        body = self.condition(body_item, _extend_scope(scope, variable))
        if number is None or variable is None or body is None:
            return None
        return Count(number, variable, body, self.forn)

    def pairs(self, form: Form, scope: Scope) -> Formula | None:
        """Read ``(forpairs (?x - t) (?y - u) f)``, or ``fornpairs`` with a number first.

        The first asks for as many pairs as there are objects of the smaller type, the second for N.

        Args:
            form: The brackets.
            scope: The variables that are bound around it.

        Returns:
            The quantifier; None if a part is missing or cannot be read, which is noted.
        """
        number: int | None = None
        is_numbered = str(form.items[0]).lower() == "fornpairs"
        usage = f"(N) {_PAIRS}" if is_numbered else _PAIRS
        items = self.reading.operands(form, 3 + is_numbered, usage)
        if items is None:
            return None
        if is_numbered:
            number = self.number(items.pop(0))
        left_item, right_item, body_item = items
        left = self._one_variable(left_item)
        right = self._one_variable(right_item)
        if left is not None and right is not None and left.name == right.name:
            message = f"both sides of the pairs are called {left.name!r}"
            self.reading.note("repeated-variable", message, right_item)
        body = self.condition(body_item, _extend_scope(scope, left, right))
        if left is None or right is None or body is None:
            return None
        # Without its number it would be read as forpairs, which means something else.
        if is_numbered and number is None:
            return None
        return ForPairs(left, right, body, number)

    def number(self, item: Item) -> int | None:
        """Read a number of objects, ``(N)`` or ``N``, or return None with a note."""
        word = item
        if isinstance(item, Form) and len(item.items) == 1:
            word = item.items[0]
        # Python refuses to convert texts of thousands of digits: their length is tested first.
        if isinstance(word, Word) and word.isdecimal() and len(word) <= len(str(_MAX_OBJECTS)):
            number = int(word)
            if number <= _MAX_OBJECTS:
                return number
        message = "this is not a number of objects"
        expected = f"(N), with N from 0 to {_MAX_OBJECTS:,}"
        self.reading.note("misplaced-word", message, item, expected=expected)
        return None

    def _one_variable(self, item: Item) -> Variable | None:
        """Read a list of one variable. Of several, the first is taken, with a note."""
        variables = self.variables(item)
        if len(variables) > 1:
            message = f"{len(variables)} variables"
            self.reading.note("wrong-count", message, item, expected=f"one: {_VARIABLE}")
        return variables[0] if variables else None

    heads: ClassVar[Mapping[str, Callable[..., Formula | None]]] = {
        **LOGIC_HEADS,
        "not": negation,
        "forn": count,
        "forpairs": pairs,
        "fornpairs": pairs,
    }


def _extend_scope(scope: Scope, *variables: Variable | None) -> Scope:
    """Return a scope extended by the readable variables."""
    inner = dict(scope)
    for variable in variables:
        if variable is not None:
            inner[variable.name] = variable
    return inner


class _BddlWriter(ConditionWriter):
    """Converts conditions to nested lists of BDDL words."""

    def __init__(self, forn: Counting) -> None:
        super().__init__()
        self.forn = forn
        # Names of the variables that are bound around the formula that is being written.
        self.scope: frozenset[str] = frozenset()

    def condition(self, formula: Formula) -> Tree:
        """Return a condition as nested lists, with each quantifier's own variables.

        Raises:
            SchemaError: If a quantifier binds a variable twice, or none.
        """
        if not isinstance(formula, (Count, ForPairs, Quantifier)):
            return super().condition(formula)
        variable_names = [variable.name for variable in formula.variables]
        # The reader refuses both, so neither is written.
        if not variable_names or len(set(variable_names)) < len(variable_names):
            raise SchemaError(
                "the quantifier binds a variable twice, or none, which BDDL does not allow"
            )
        head = self._quantifier_head(formula)
        # The variables in scope are stored, as objects with the same names must be refused.
        outer_scope = self.scope
        self.scope = outer_scope | set(variable_names)
        if isinstance(formula, Quantifier):
            variables = [self.variables(formula.variables)]
        else:
            # Each variable of a count or of pairs has brackets of its own.
            variables = [self.variables((variable,)) for variable in formula.variables]
        tree = [*head, *variables, self.condition(formula.body)]
        self.scope = outer_scope
        return tree

    def _quantifier_head(self, formula: Count | ForPairs | Quantifier) -> list[Tree]:
        """Return the keyword of a quantifier, followed by its number if it has one.

        ``forall`` has none, ``fornpairs`` and ``forn`` have one in brackets: ``forn (2)``.

        Raises:
            SchemaError: If the formula counts in a way that this version of BDDL has no word for.
        """
        if isinstance(formula, Quantifier):
            return [formula.words[0]]
        if isinstance(formula, ForPairs):
            if formula.number is None:
                return ["forpairs"]
            return ["fornpairs", [str(formula.number)]]
        if formula.comparison != self.forn:
            raise SchemaError(
                f"'{formula.comparison}' has no notation in BDDL",
                expected=f"'{self.forn}', the reading of forn",
            )
        return ["forn", [str(formula.number)]]

    def variables(self, variables: Sequence[Variable], *, explicit: bool = True) -> list[Tree]:  # noqa: ARG002 - types are always written
        """Return variables as BDDL writes them, each with its type.

        Raises:
            SchemaError: If a variable has several types.
        """
        words: list[Tree] = []
        for variable in variables:
            if len(variable.types) != 1:
                raise SchemaError(
                    f"the variable {variable.name!r} does not have exactly one type, "
                    "which BDDL requires"
                )
            words += [self.term(variable), "-", self.name("type", variable.types[0])]
        return words

    def atom(self, kind: str, atom: Atom) -> Tree:
        """Write an atom."""
        if atom.predicate in _COUNTING:
            raise SchemaError(f"{atom.predicate!r} cannot be a predicate in BDDL")
        return super().atom(kind, atom)

    def term(self, term: Term) -> str:
        """Return a variable or an object as BDDL writes it.

        Both may be written without ``?``, so only the variables in scope tell them apart.

        Raises:
            SchemaError: If the text would be read back as something else.
        """
        if isinstance(term, Variable):
            if term.name not in self.scope:
                raise SchemaError(f"no quantifier binds the variable {term.name!r}")
        elif term in self.scope:
            raise SchemaError(
                f"the object {term!r} has the same name as a variable in scope",
                mend="rename the variable",
            )
        return super().term(term)
