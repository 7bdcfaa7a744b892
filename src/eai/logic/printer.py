"""Formulas as text, in notations that can be parsed again.

Parsing the text gives the same tree back, if the formula is closed and no connective in it has
fewer than two operands. Those have no notation of their own: a conjunction or disjunction is
printed as what it means, and so is a ``then`` that is the whole formula. Elsewhere a ``then``
of one formula says of a part what no shorter text says, and is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Protocol

from eai.errors import SchemaError
from eai.logic.algebra import Counting
from eai.logic.nodes import Term, Variable, format_name
from eai.nesting import on_own_stack

_TIGHTEST = 7
"""Level of what never needs parentheses."""


class Printable(Protocol):
    """A formula that is partly converted to text."""

    level: ClassVar[int]

    @property
    def operands(self) -> Sequence[object]:
        """Its parts."""
        ...

    def text(self, to: Printer) -> str:
        """Return its text in a notation."""
        ...


_COUNTS = {"exactly": "forn", "at least": "atleast", "at most": "atmost"}
_NOTATIONS = {
    "default": _COUNTS,
    "unicode": {
        **_COUNTS,
        "iff": "\u2194",
        "implies": "\u2192",
        "xor": "\u2295",
        "or": "\u2228",
        "and": "\u2227",
        "not": "\u00ac",
        "forall": "\u2200",
        "exists": "\u2203",
        "true": "\u22a4",
        "false": "\u22a5",
        "X": "\u25cb",
        "F": "\u25c7",
        "G": "\u25a1",
    },
}
"""Words of operators and constants that are not written by their first word, by notation."""

_GLUED = frozenset("\u00ac\u2200\u2203\u25cb\u25c7\u25a1")
"""Signs that no blank has to follow."""


@on_own_stack
def format_formula(formula: Printable, *, notation: str = "default") -> str:
    """Return the formula as text.

    Args:
        formula: Any formula.
        notation: ``"default"`` or ``"unicode"``; :func:`~eai.logic.parse_formula` reads both.

    Raises:
        SchemaError: If the formula has no notation: a ``then`` without operands, or with one
            inside a formula; a variable that is not a plain word, or one without a type; or
            there is no such notation.
    """
    if notation not in _NOTATIONS:
        notations = ", ".join(_NOTATIONS)
        raise SchemaError(f"there is no notation {notation!r}", expected=notations)
    return formula.text(Printer(_NOTATIONS[notation]))


class Printer:
    """Prints formulas in one notation. Nodes use it to print themselves."""

    def __init__(self, signs: Mapping[str, str]) -> None:
        self._signs = signs
        self._scope: frozenset[str] = frozenset()
        self.is_inside = False
        """Whether it has come to a part of what it writes."""

    def word(self, word: str) -> str:
        """Return what an operator is written as."""
        return self._signs.get(word, word)

    def constant(self, value: bool) -> str:
        """Return true or false."""
        return self.word("true" if value else "false")

    def inside(self, formula: Printable, loosest: int) -> str:
        """Return an operand as text, in parentheses if its operator binds too loosely."""
        self.is_inside = True
        text = formula.text(self)
        # A conjunction of fewer than two operands is written as something that binds tightly.
        if len(formula.operands) < 2 or formula.level >= loosest:
            return text
        return f"({text})"

    def prefixed(self, word: str, operand: str) -> str:
        """Return an operator before its operand."""
        word = self.word(word)
        blank = "" if word in _GLUED else " "
        return f"{word}{blank}{operand}"

    def counted(self, comparison: Counting, number: int) -> str:
        """Return the head of a counting quantifier."""
        return f"{self._signs[comparison]} {number}."

    def pairs(self, number: int | None) -> str:
        """Return the head of a quantifier over pairs."""
        if number is None:
            return "forpairs"
        return f"fornpairs {number}."

    def quantified(self, head: str, variables: Sequence[Variable], body: Printable) -> str:
        """Return a quantifier with its variables and its body: ``exists x - cup. (on(x))``.

        Args:
            head: The word of the quantifier.
            variables: Its variables.
            body: Its body.
        """
        if not variables:
            return self.inside(body, _TIGHTEST)
        binders = ", ".join(map(self._binder, variables))
        # The names that are bound here, for objects that are called the same (see ``term``).
        outer_scope = self._scope
        self.is_inside = True
        self._scope = outer_scope | {variable.name for variable in variables}
        body_text = body.text(self)
        self._scope = outer_scope
        blank = "" if head in _GLUED else " "
        return f"{head}{blank}{binders}. ({body_text})"

    def _binder(self, variable: Variable) -> str:
        """Return a quantified variable with its types, unless these are general."""
        name = self._variable(variable)
        if variable.types == ("object",):
            return name
        if not variable.types:
            raise SchemaError(f"variable {variable.name!r} without a type cannot be written")
        return f"{name}:{'|'.join(format_name(kind) for kind in variable.types)}"

    def primitive(self, name: str, terms: tuple[Term, ...]) -> str:
        """Return a proposition."""
        return f"{format_name(name)}({', '.join(map(self.term, terms))})"

    def term(self, term: Term) -> str:
        """Return a variable or an object."""
        if isinstance(term, Variable):
            return self._variable(term)
        if term in self._scope:
            return f'"{term}"'  # quotes keep it apart from a variable of the same name
        return format_name(term)

    def _variable(self, variable: Variable) -> str:
        """Return the name of a variable.

        Raises:
            SchemaError: If it would be read as something else.
        """
        name = variable.name
        # In quotes it would be read as an object.
        if format_name(name) != name:
            raise SchemaError(
                f"variable {name!r} cannot be written", expected="a word, not a keyword"
            )
        return name
