"""The names in a formula: what they denote, and everything that is wrong with them.

One class looks names up, for the parser, which stops at the first error, and for
:func:`~eai.logic.check_formula`, which lists all that is wrong or odd, types included.

The names that a formula may use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from eai.errors import nearest
from eai.logic.formula import ActionAtom, Atom, Proposition
from eai.logic.nodes import WORDS, Term, Variable, is_reserved
from eai.logic.tree import Binary, Formula

Types = Sequence[str]


@dataclass(frozen=True)
class LogicVocabulary:
    """Predicates, actions, objects and types.

    Names are looked up without regard to letter case, and every look-up returns the name in the
    spelling of the vocabulary. Where two names differ in nothing but letter case, an exact match
    wins.

    Args:
        predicates: Predicate name to its number of arguments.
        actions: Action name to its number of arguments.
        objects: Names of the objects, or a mapping of them to their types; None leaves object
            names unchecked.
        types: Type name to the type above it (``"object"`` at the top); None leaves types
            unchecked.
        parameters: Predicate or action name to the types of each of its arguments; names that
            are not in it take any objects.
    """

    predicates: Mapping[str, int]
    actions: Mapping[str, int] = field(default_factory=dict)
    objects: Collection[str] | None = None
    types: Mapping[str, str] | None = None
    parameters: Mapping[str, Sequence[Types]] = field(default_factory=dict)

    def find_predicate(self, name: str) -> str | None:
        """Return the predicate's spelling here, or None if there is no such predicate."""
        return name if name in self.predicates else self._spelled[0].get(name.lower())

    def find_action(self, name: str) -> str | None:
        """Return the action's spelling here, or None if there is no such action."""
        return name if name in self.actions else self._spelled[1].get(name.lower())

    def find_object(self, name: str) -> str | None:
        """Return the object's spelling here, or None; unchecked names come back unchanged."""
        if self.objects is None or name in self._object_names:
            return name
        return self._spelled[2].get(name.lower())

    def type_of(self, name: str) -> str | None:
        """Return the type of an object, if it is known."""
        return self.objects.get(name) if isinstance(self.objects, Mapping) else None

    def above(self, kind: str) -> Iterator[str]:
        """Yield a type and all types above it."""
        seen: set[str] = set()
        while kind not in seen:
            seen.add(kind)
            yield kind
            kind = (self.types or {}).get(kind, "object")

    def can_be(self, kinds: Types, wanted: Types) -> bool:
        """Return whether some object of one of the types can be of one of the wanted types."""
        return any(
            wish in self.above(kind) or kind in self.above(wish)
            for kind in kinds
            for wish in wanted
        )

    @cached_property
    def _spelled(self) -> list[dict[str, str]]:
        """Predicates, actions and objects, by their names in lower case."""
        # Sorted backwards, so that of two spellings the first in order stays.
        kinds = (self.predicates, self.actions, self._object_names)
        return [{name.lower(): name for name in sorted(kind, reverse=True)} for kind in kinds]

    @cached_property
    def _object_names(self) -> frozenset[str]:
        return frozenset(self.objects or ())

    @cached_property
    def object_list(self) -> list[str]:
        """Names of the objects in order."""
        return sorted(self._object_names)


ProblemKind = Literal[
    "unknown-primitive",
    "arity",
    "unknown-object",
    "unbound-variable",
    "unknown-type",
    "argument-type",
    "repeated-variable",
    "unused-variable",
    "reserved-word",
]


@dataclass(frozen=True, slots=True)
class FormulaProblem:
    """One thing that is wrong with a formula, or odd.

    Args:
        kind: What kind of thing, the same words in every version.
        message: One sentence without a full stop.
        name: The name that is to blame.
        suggestions: Names that could have been meant, the likeliest first.
        position: Offset of the name in the text, if a text was checked.
        is_error: Whether evaluation would fail or can never be as meant; otherwise it is odd.
    """

    kind: ProblemKind
    message: str
    name: str
    suggestions: tuple[str, ...] = ()
    position: int | None = None
    is_error: bool = True

    def __str__(self) -> str:
        hint = f"; did you mean {' or '.join(self.suggestions)}?" if self.suggestions else ""
        place = "" if self.position is None else f"{self.position + 1}: "
        return f"{place}{self.message}{hint}"


Report = Callable[[FormulaProblem, "str | None", "str | None"], None]
"""Takes a problem, what was expected, and how to mend it; may raise."""


_MOST_COMPARED = 10
"""For so many wrong names of a formula it is said which ones look like them."""


class Names:
    """Looks names up, inside and outside of quantifiers, and reports what is wrong.

    Raw names are as they stand in a text: perhaps in quotes, variables not told from objects, nor
    actions from predicates. A thorough look-up minds types and variables that are never used, too.
    """

    def __init__(
        self, vocabulary: LogicVocabulary | None, report: Report, *, raw: bool, thorough: bool
    ) -> None:
        self.vocabulary = vocabulary
        self.raw = raw
        self.thorough = thorough
        self._report = report
        self._scope: dict[str, Variable] = {}
        self._used: set[str] = set()
        self._outer: list[tuple[dict[str, Variable], set[str], Sequence[Variable]]] = []
        self._met: set[str] = set()
        self._compared = 0

    # Quantifiers.

    def enter(self, variables: Sequence[Variable]) -> tuple[Variable, ...]:
        """Bind the variables of a quantifier, until :meth:`leave`; return them with plain names."""
        bound: dict[str, Variable] = {}
        plain = []
        for variable in variables:
            name = str(variable.name)
            if name in bound:
                message = f"the variable {name} is bound twice"
                self._problem("repeated-variable", message, variable.name)
            types = tuple(map(unquoted, variable.types)) if self.raw else variable.types
            declared = self.vocabulary.types if self.vocabulary and self.thorough else None
            for token, kind in zip(variable.types, types, strict=True):
                if declared is not None and kind != "object" and kind not in declared:
                    near = nearest(kind, declared)
                    self._problem("unknown-type", f"there is no type {kind!r}", token, near=near)
            bound[name] = Variable(name, types)
            plain.append(bound[name])
        self._outer.append((self._scope, self._used, variables))
        self._scope, self._used = {**self._scope, **bound}, set()
        self._met |= bound.keys()
        return tuple(plain)

    def leave(self) -> None:
        """End the innermost quantifier."""
        used = self._used
        self._scope, self._used, variables = self._outer.pop()
        for variable in variables:
            if self.thorough and variable.name not in used:
                message = f"nothing inside the quantifier mentions {variable.name!s}"
                self._problem("unused-variable", message, variable.name, is_error=False)
        self._used |= used.difference(str(variable.name) for variable in variables)

    # Propositions and terms.

    def proposition(
        self, token: str, terms: Sequence[Term], kind: type[Proposition] | None = None
    ) -> Proposition:
        """Return the proposition that a name and terms denote."""
        given = unquoted(token) if self.raw else token
        if self.vocabulary is None:
            return Atom(given, self.terms(terms))
        name, kind, arities = self._looked_up(given, kind, self.vocabulary)
        if name is None:
            what = "predicate" if kind is Atom else "action"
            if self.raw and self.vocabulary.actions:
                what = "predicate or action"
            fitting = [each for each, arity in arities.items() if arity == len(terms)]
            self._problem(
                "unknown-primitive",
                f"there is no {what} named {_shown(given)}",
                token,
                near=self._nearest(given, fitting, arities),
                expected=", ".join(sorted(arities)[:12]) + (", ..." if len(arities) > 12 else ""),
            )
        elif arities[name] != len(terms):
            arity = arities[name]
            takes = "1 argument" if arity == 1 else f"{arity or 'no'} arguments"
            form = f"{name}({', '.join('xyzuvw'[i % 6] for i in range(arity))})"
            self._problem("arity", f"{name} takes {takes}, not {len(terms)}", token, expected=form)
        elif self.thorough:
            wanted = self.vocabulary.parameters.get(name, ())
            for number, (term, types) in enumerate(zip(terms, wanted, strict=False), 1):
                kinds = self._kinds(term)
                if kinds and not self.vocabulary.can_be(kinds, types):
                    self._problem(
                        "argument-type",
                        f"argument {number} of {name} must be a {' or '.join(types)}, "
                        f"and {term!s} is a {' or '.join(kinds)}",
                        term.name if isinstance(term, Variable) else term,
                    )
        return kind(name or given, self.terms(terms))

    def _looked_up(
        self, given: str, kind: type[Proposition] | None, vocabulary: LogicVocabulary
    ) -> tuple[str | None, type[Proposition], Mapping[str, int]]:
        name = None if kind is ActionAtom else vocabulary.find_predicate(given)
        if name is not None:
            return name, Atom, vocabulary.predicates
        if kind is not Atom:
            name = vocabulary.find_action(given)
            if name is not None:
                return name, ActionAtom, vocabulary.actions
        if kind is None:
            return None, Atom, {**vocabulary.actions, **vocabulary.predicates}
        return None, kind, vocabulary.predicates if kind is Atom else vocabulary.actions

    def _kinds(self, term: Term) -> tuple[str, ...]:
        """The types of a term, if they are known."""
        variable = self._variable(term)
        if variable is not None:
            return variable.types
        if self.vocabulary is None or isinstance(term, Variable):
            return ()
        known = self.vocabulary.find_object(unquoted(term) if self.raw else term)
        kind = None if known is None else self.vocabulary.type_of(known)
        return () if kind is None else (kind,)

    def _variable(self, term: Term) -> Variable | None:
        if isinstance(term, Variable):
            return self._scope.get(term.name)
        return self._scope.get(term) if self.raw else None

    def terms(self, terms: Sequence[Term]) -> tuple[Term, ...]:
        """Return what terms denote: variables, and objects as the vocabulary spells them."""
        return tuple([self._term(term) for term in terms])

    def _term(self, term: Term) -> Term:
        variable = self._variable(term)
        if variable is not None:
            self._used.add(variable.name)
            return variable
        if isinstance(term, Variable):
            near = self._nearest(term.name, self._scope)
            self._problem("unbound-variable", f"{term.name} is not bound", term.name, near=near)
            return term
        name = unquoted(term) if self.raw else term
        known = name if self.vocabulary is None else self.vocabulary.find_object(name)
        if known is None:
            self._no_object(term, name)
        return known or name

    def _no_object(self, token: str, name: str) -> None:
        objects = self.vocabulary.object_list if self.vocabulary else ()
        known = [*(self._scope if self.raw else ()), *objects]
        near = self._nearest(name, known)
        message, expected, mend = f"there is no object named {_shown(name)}", None, None
        if not self.thorough and "." not in name and token == name:
            message = (
                f"unbound variable {_shown(name)}: no quantifier around it binds it, and no object "
                "has that name"
            )
            expected = "a variable inside the parentheses of its quantifier, or an object"
            if name in self._met:
                mend = "close the parentheses of its quantifier after it"
            elif not near:
                mend = f"bind it: exists {name[:40]}. (...)"
        self._problem("unknown-object", message, token, near=near, expected=expected, mend=mend)

    def _nearest(self, name: str, *known: Iterable[str]) -> list[str]:
        """The names that look like one, of the first names that some do.

        Of many wrong names in a formula only the first are compared.
        """
        self._compared += 1
        found = (nearest(name, each) for each in known if self._compared <= _MOST_COMPARED)
        return next(filter(None, found), [])

    def _problem(
        self,
        kind: ProblemKind,
        message: str,
        token: str,
        *,
        near: Sequence[str] = (),
        expected: str | None = None,
        mend: str | None = None,
        is_error: bool = True,
    ) -> None:
        name = unquoted(token) if self.raw else token
        place: int | None = getattr(token, "start_pos", None)
        if mend is None and near:
            mend = f"did you mean {' or '.join(near)}?"
        problem = FormulaProblem(kind, message, name, tuple(near), place, is_error)
        self._report(problem, expected, mend)

    def check(self, formula: Formula) -> None:
        """Look up all names of a formula that is no text."""
        if isinstance(formula, Proposition):
            self.proposition(formula.name, formula.terms, type(formula))
        elif formula.terms:
            self.terms(formula.terms)
        self.enter(formula.variables)
        for operand in formula.operands:
            self.check(operand)
        self.leave()


def unquoted(token: str) -> str:
    """Return the name that a token stands for."""
    if token.startswith('"'):
        return re.sub(r"\\(.)", r"\1", token[1:-1], flags=re.DOTALL)
    return str(token)


def _shown(name: str) -> str:
    return repr(name if len(name) <= 80 else name[:77] + "...")


# Words that are operators, and names that are mistaken for them.

_PRIMITIVE = re.compile(r'"(?:[^"\\]|\\.)*"?|(?<![\w.-])([\w-]+)\s*\(')


def misread(text: str, vocabulary: LogicVocabulary) -> Iterator[tuple[int, str]]:
    """Yield where an operator stands like a primitive of the vocabulary, and that one's name."""
    for match in _PRIMITIVE.finditer(text):
        word = match.group(1) or ""
        # The letters of operators with two sides are names in front of a parenthesis.
        letter = word != word.lower() and issubclass(WORDS.get(word, Formula), Binary)
        if is_reserved(word) and not letter:
            name = vocabulary.find_predicate(word) or vocabulary.find_action(word)
            if name is not None:
                yield match.start(), name


def misreading(word: str) -> str:
    """Return how the reader of an error learns what happened to a name."""
    return f'without quotes {word!r} is an operator; write "{word}"(...) for the name'
