"""Everything that is wrong with the names and types of a formula, before it is run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from eai.errors import nearest
from eai.logic.formula import (
    ActionAtom,
    Atom,
    Formula,
    Term,
    Variable,
    bound_variables,
    children,
    terms_of,
)
from eai.logic.parser import parse_tree
from eai.logic.syntax.dialects import Dialect, prepare
from eai.logic.syntax.names import unquoted
from eai.logic.syntax.reserved import misread, misreading
from eai.logic.vocabulary import LogicVocabulary

__all__ = ["FormulaProblem", "ProblemKind", "check_formula"]

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


def check_formula(
    formula: Formula | str,
    vocabulary: LogicVocabulary,
    *,
    dialect: Dialect = "default",
    source: str = "formula",
) -> list[FormulaProblem]:
    """Find all names and types in a formula that do not fit a vocabulary.

    Args:
        formula: A formula; or its text, whose problems then have positions.
        vocabulary: The names that may occur, and their types so far as they are known.
        dialect: How the text is written.
        source: What to call the text in error messages.

    Returns:
        The problems, in reading order, operators that could be names last; an empty list if
        there are none.

    Raises:
        ParseError: If the text is no formula at all.
    """
    if not isinstance(formula, str):
        return list(_Checker(vocabulary, raw=False).check(formula))
    tree = parse_tree(formula, source=source, dialect=dialect)
    prepared = prepare(formula, dialect)
    found = [*_Checker(vocabulary, raw=True).check(tree), *_reserved(prepared.text, vocabulary)]
    return [replace(each, position=prepared.place(each.position or 0)) for each in found]


def _reserved(text: str, vocabulary: LogicVocabulary) -> Iterator[FormulaProblem]:
    for place, name in misread(text, vocabulary):
        yield FormulaProblem(
            "reserved-word", misreading(name), name, position=place, is_error=False
        )


_Scope = Mapping[str, Variable]


class _Checker:
    """Checks one formula; in a raw one, names are still tokens and variables are not told."""

    def __init__(self, vocabulary: LogicVocabulary, *, raw: bool) -> None:
        self.vocabulary = vocabulary
        self.raw = raw

    def check(self, formula: Formula) -> Iterator[FormulaProblem]:
        scopes: list[_Scope] = [{}]
        used: list[set[str]] = []
        pending = [(formula, False)]
        while pending:
            node, ready = pending.pop()
            bound = bound_variables(node)
            if ready:
                yield from self.unused(bound, used.pop())
                scopes.pop()
                continue
            if bound:
                yield from self.binders(bound)
                scopes.append({**scopes[-1], **{str(v.name): v for v in bound}})
                used.append(set())
                pending.append((node, True))
            yield from self.names(node, scopes[-1])
            for name in self.mentioned(node, scopes[-1]):
                self.note(name, used, scopes)
            pending += [(part, False) for part in reversed(children(node))]

    def note(self, name: str, used: list[set[str]], scopes: list[_Scope]) -> None:
        """Remember with its own quantifier that a variable was used."""
        for names, scope, outer in zip(
            reversed(used), reversed(scopes), reversed(scopes[:-1]), strict=False
        ):
            if scope.get(name) is not outer.get(name):
                names.add(name)
                return

    def mentioned(self, node: Formula, scope: _Scope) -> Iterator[str]:
        for term in terms_of(node):
            name = self.variable_name(term)
            if name is not None and name in scope:
                yield name

    def variable_name(self, term: Term) -> str | None:
        if isinstance(term, Variable):
            return term.name
        return str(term) if self.raw else None

    def binders(self, bound: tuple[Variable, ...]) -> Iterator[FormulaProblem]:
        seen: set[str] = set()
        for variable in bound:
            if variable.name in seen:
                message = f"the variable {variable.name!s} is bound twice"
                yield _problem("repeated-variable", message, variable.name)
            seen.add(variable.name)
            for kind in variable.types:
                yield from self.type_name(kind)

    def type_name(self, token: str) -> Iterator[FormulaProblem]:
        known = self.vocabulary.types
        name = unquoted(token)
        if known is not None and name not in (*known, "object"):
            near = tuple(nearest(name, known))
            yield _problem("unknown-type", f"there is no type {name!r}", token, near)

    def unused(self, bound: tuple[Variable, ...], used: set[str]) -> Iterator[FormulaProblem]:
        for variable in bound:
            if variable.name not in used:
                message = f"nothing inside the quantifier mentions {variable.name!s}"
                yield replace(_problem("unused-variable", message, variable.name), is_error=False)

    def names(self, node: Formula, scope: _Scope) -> Iterator[FormulaProblem]:
        if isinstance(node, (Atom, ActionAtom)):
            yield from self.primitive(node, scope)
        for term in terms_of(node):
            yield from self.term(term, scope)

    def primitive(self, node: Atom | ActionAtom, scope: _Scope) -> Iterator[FormulaProblem]:
        token = node.predicate if isinstance(node, Atom) else node.action
        given = unquoted(token) if self.raw else token
        arities = self.arities(node)
        name = self.find(given, node)
        if name is None:
            fitting = [each for each, arity in arities.items() if arity == len(node.terms)]
            near = nearest(given, fitting) or nearest(given, arities)
            message = f"there is no {self.kind_of(node)} named {given!r}"
            yield _problem("unknown-primitive", message, token, tuple(near))
        elif arities[name] != len(node.terms):
            number = arities[name]
            plural = "" if number == 1 else "s"
            message = f"{name} takes {number} argument{plural}, not {len(node.terms)}"
            yield _problem("arity", message, token)
        else:
            yield from self.argument_types(name, node, scope)

    def find(self, name: str, node: Atom | ActionAtom) -> str | None:
        found = self.vocabulary.find_predicate(name) if isinstance(node, Atom) else None
        if found is None and (self.raw or isinstance(node, ActionAtom)):
            found = self.vocabulary.find_action(name)
        return found

    def arities(self, node: Atom | ActionAtom) -> Mapping[str, int]:
        predicates, actions = self.vocabulary.predicates, self.vocabulary.actions
        if self.raw:
            return {**actions, **predicates}
        return predicates if isinstance(node, Atom) else actions

    def kind_of(self, node: Atom | ActionAtom) -> str:
        if self.raw and self.vocabulary.actions:
            return "predicate or action"
        return "predicate" if isinstance(node, Atom) else "action"

    def argument_types(
        self, name: str, node: Atom | ActionAtom, scope: _Scope
    ) -> Iterator[FormulaProblem]:
        wanted = self.vocabulary.parameters.get(name, ())
        for number, (term, types) in enumerate(zip(node.terms, wanted, strict=False), 1):
            kinds = self.kinds(term, scope)
            if kinds and not self.vocabulary.can_be(kinds, types):
                message = (
                    f"argument {number} of {name} is a {' or '.join(types)}, "
                    f"and {term!s} is a {' or '.join(kinds)}"
                )
                token = term.name if isinstance(term, Variable) else term
                yield _problem("argument-type", message, token)

    def kinds(self, term: Term, scope: _Scope) -> tuple[str, ...]:
        """The types of a term, if they are known."""
        name = self.variable_name(term)
        if name is not None and name in scope:
            return tuple(unquoted(kind) for kind in scope[name].types)
        known = self.vocabulary.find_object(unquoted(str(term)) if self.raw else str(term))
        kind = None if known is None else self.vocabulary.type_of(known)
        return () if kind is None else (kind,)

    def term(self, term: Term, scope: _Scope) -> Iterator[FormulaProblem]:
        name = self.variable_name(term)
        if name is not None and name in scope:
            return
        if isinstance(term, Variable):
            near = tuple(nearest(term.name, scope))
            yield _problem("unbound-variable", f"{term.name} is not bound", term.name, near)
            return
        given = unquoted(term) if self.raw else term
        if self.vocabulary.find_object(given) is None:
            known = [*(scope if self.raw else ()), *sorted(self.vocabulary.objects or ())]
            near = tuple(nearest(given, known))
            message = f"there is no object named {given!r}"
            yield _problem("unknown-object", message, term, near)


def _problem(
    kind: ProblemKind, message: str, token: str, near: tuple[str, ...] = ()
) -> FormulaProblem:
    name = unquoted(token)
    return FormulaProblem(kind, message, name, near, getattr(token, "start_pos", None))
