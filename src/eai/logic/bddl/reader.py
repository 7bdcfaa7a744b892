"""BDDL goals: the goal language of the BEHAVIOR benchmark, as text or as nested lists.

A goal is read into the one expression tree and printed back. Objects and variables look alike in
BDDL (``?jar.n.01_1``, ``?jar.n.01``): a name is a variable where a quantifier around it binds it,
and an object everywhere else.

What the quantifiers mean (BEHAVIOR, Srivastava et al. 2021, appendix on BDDL; the paper, D.1):

==================================  ==========================================================
``(forall (?x - t) f)``             every object of the type
``(exists (?x - t) f)``             at least one
``(forn (N) (?x - t) f)``           exactly N (:class:`~eai.logic.nodes.Count`)
``(forpairs (?x - t) (?y - u) f)``  pairs that use up the smaller side, each object in one pair
``(fornpairs (N) ...)``             at least N such pairs (:class:`~eai.logic.nodes.ForPairs`)
==================================  ==========================================================
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import ClassVar

from eai.errors import ParseError, nearest
from eai.logic.bddl.lists import KEYWORDS, Form, Item, Nested, Word, is_name, read_lists, read_text
from eai.logic.bddl.printer import format_bddl
from eai.logic.formula import (
    And,
    Atom,
    Comparison,
    Count,
    Equal,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Implies,
    Not,
    Or,
    Term,
    Variable,
)

__all__ = ["format_bddl", "read_bddl"]

_LARGEST = 1_000_000
_CONDITION = "a condition in brackets"
_ONE = "(?x - type)"
_USAGE = {
    "not": "(not CONDITION)",
    "imply": "(imply CONDITION CONDITION)",
    "=": "(= ?x ?y)",
    "forall": f"(forall {_ONE} CONDITION)",
    "exists": f"(exists {_ONE} CONDITION)",
    "forn": f"(forn (N) {_ONE} CONDITION)",
    "forpairs": f"(forpairs {_ONE} (?y - type) CONDITION)",
    "fornpairs": f"(fornpairs (N) {_ONE} (?y - type) CONDITION)",
}


def read_bddl(
    expression: str | Sequence[Nested],
    *,
    objects: Collection[str] | None = None,
    forn: Comparison = "exactly",
    source: str = "goal",
) -> Formula:
    """Read a BDDL goal expression.

    Args:
        expression: Text, with or without ``(:goal ...)`` around it, or nested lists of words
            (``["not", ["open", "jar.n.01_1"]]``). Letter case does not matter: names become
            lower case. A list whose first item is a list is a conjunction, and
            ``["not", "open", "jar.n.01_1"]`` a negated atom, as in the official files.
        objects: Names that may stand where no quantifier binds them; None: any name.
        forn: How ``forn`` counts. The definition says exactly; the official goal options are
            those of ``"at least"``.
        source: What to call the expression in error messages.

    Raises:
        ParseError: The expression is not a BDDL goal, or names an unknown object.
        SchemaError: It is neither text nor lists of words.
    """
    form, text = _form(expression, source)
    return _Reader(text, source, objects, forn).formula(form, {})


def _form(expression: str | Sequence[Nested], source: str) -> tuple[Form, str]:
    if not isinstance(expression, str):
        return read_lists(expression, source)
    form = read_text(expression, source)
    if form.head == ":goal" and len(form.items) == 2 and isinstance(form.items[1], Form):
        return form.items[1], expression
    return form, expression


_Scope = dict[str, Variable]


class _Reader:
    """Makes a formula of forms; knows the text for the places of mistakes."""

    def __init__(
        self, text: str, source: str, objects: Collection[str] | None, forn: Comparison
    ) -> None:
        self.text = text
        self.source = source
        self.objects = objects
        self.forn = forn

    def formula(self, item: Item, scope: _Scope) -> Formula:
        if isinstance(item, Word):
            raise self.error(f"found {item.text!r}", item, expected=_CONDITION)
        if not item.items or isinstance(item.items[0], Form):
            return And(tuple(self.formula(each, scope) for each in item.items))
        head = item.items[0]
        read = self._FORMS.get(head.text)
        if read is not None:
            return read(self, item, scope)
        if not is_name(head.text) or head.text.isdigit():
            raise self.error(f"{head.text!r} is no predicate", head, expected=_CONDITION)
        return Atom(head.text, tuple([self.term(each, scope) for each in item.items[1:]]))

    def term(self, item: Item, scope: _Scope) -> Term:
        name = self.name(item)
        if name in scope:
            return scope[name]
        if self.objects is not None and name not in self.objects:
            near = [repr(each) for each in nearest(name, [*scope, *self.objects])]
            mend = f"did you mean {' or '.join(near)}?" if near else None
            raise self.error(f"there is no object or variable named {name!r}", item, mend=mend)
        return name

    def name(self, item: Item) -> str:
        if isinstance(item, Form):
            raise self.error("found a form in brackets", item, expected="an object or a variable")
        name = item.text.removeprefix("?")
        if not is_name(name):
            raise self.error(f"{item.text!r} is no name", item, expected="an object or a variable")
        return name

    def error(
        self, what: str, at: Item, *, expected: str | None = None, mend: str | None = None
    ) -> ParseError:
        return ParseError(
            what,
            text=self.text,
            position=at.start,
            source=self.source,
            expected=expected,
            mend=mend,
        )

    def _chain(self, item: Form, scope: _Scope) -> Formula:
        parts = tuple(self.formula(each, scope) for each in item.items[1:])
        return And(parts) if item.head == "and" else Or(parts)

    def _not(self, item: Form, scope: _Scope) -> Formula:
        second = item.items[1] if len(item.items) > 1 else None
        if isinstance(second, Word) and is_name(second.text) and second.text not in KEYWORDS:
            return Not(self.formula(Form(item.items[1:], second.start), scope))
        (operand,) = self._parts(item, 1)
        return Not(self.formula(operand, scope))

    def _imply(self, item: Form, scope: _Scope) -> Formula:
        left, right = self._parts(item, 2)
        return Implies(self.formula(left, scope), self.formula(right, scope))

    def _equal(self, item: Form, scope: _Scope) -> Formula:
        left, right = self._parts(item, 2)
        return Equal(self.term(left, scope), self.term(right, scope))

    def _for_all(self, item: Form, scope: _Scope) -> Formula:
        bound, body = self._parts(item, 2)
        variables = tuple(self._typed(bound))
        inner = self.formula(body, scope | {v.name: v for v in variables})
        return (Forall if item.head == "forall" else Exists)(variables, inner)

    def _for_n(self, item: Form, scope: _Scope) -> Formula:
        number, bound, body = self._parts(item, 3)
        variable = self._one(bound)
        inner = self.formula(body, scope | {variable.name: variable})
        return Count(self._number(number), variable, inner, self.forn)

    def _for_pairs(self, item: Form, scope: _Scope) -> Formula:
        numbered = item.head == "fornpairs"
        *number, left, right, body = self._parts(item, 4 if numbered else 3)
        first, second = self._one(left), self._one(right)
        if first.name == second.name:
            raise self.error(f"both sides of the pairs are called {first.name!r}", right)
        inner = self.formula(body, scope | {first.name: first, second.name: second})
        return ForPairs(first, second, inner, self._number(number[0]) if numbered else None)

    def _parts(self, item: Form, number: int) -> list[Item]:
        if len(item.items) != number + 1:
            raise self.error(
                f"{item.head!r} with {len(item.items) - 1} parts", item, expected=_USAGE[item.head]
            )
        return item.items[1:]

    def _number(self, item: Item) -> int:
        words = item.items if isinstance(item, Form) else [item]
        if len(words) == 1 and isinstance(words[0], Word):
            text = words[0].text
            if text.isascii() and text.isdigit() and len(text) <= 7 and int(text) <= _LARGEST:
                return int(text)
        raise self.error(
            "this is no number of objects", item, expected=f"(N), with N from 0 to {_LARGEST:,}"
        )

    def _one(self, item: Item) -> Variable:
        variables = self._typed(item)
        if len(variables) != 1:
            raise self.error(f"{len(variables)} variables", item, expected=f"one: {_ONE}")
        return variables[0]

    def _typed(self, item: Item) -> list[Variable]:
        """Read ``(?x ?y - type ?z - type)``; without a type any object is meant."""
        if isinstance(item, Word):
            raise self.error(f"found {item.text!r}", item, expected=_ONE)
        found: list[Variable] = []
        waiting: list[str] = []
        words = iter(item.items)
        for word in words:
            if isinstance(word, Word) and word.text == "-" and waiting:
                types = self._type(next(words, item))
                found += [Variable(name, types) for name in waiting]
                waiting = []
            else:
                waiting.append(self.name(word))
        found += [Variable(name) for name in waiting]
        if len({v.name for v in found}) < len(found) or not found:
            raise self.error("a quantifier binds each of its variables once", item)
        return found

    def _type(self, item: Item) -> tuple[str, ...]:
        if isinstance(item, Word) and is_name(item.text):
            return (item.text,)
        raise self.error("this is no type", item, expected=f"a type: {_ONE}")

    _FORMS: ClassVar[dict[str, Callable[[_Reader, Form, _Scope], Formula]]] = {
        "and": _chain,
        "or": _chain,
        "not": _not,
        "imply": _imply,
        "=": _equal,
        "forall": _for_all,
        "exists": _for_all,
        "forn": _for_n,
        "forpairs": _for_pairs,
        "fornpairs": _for_pairs,
    }
