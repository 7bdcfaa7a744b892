"""The names in a formula: from tokens to variables, objects, predicates and actions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import ClassVar

from eai.errors import ParseError, nearest
from eai.logic.formula import (
    ActionAtom,
    And,
    Atom,
    Count,
    Equal,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Term,
    Then,
    Truth,
    Variable,
    atoms,
)
from eai.logic.syntax_errors import NESTING_LIMIT, too_deep
from eai.logic.vocabulary import LogicVocabulary

__all__ = ["LARGEST_COUNT", "resolve"]

LARGEST_COUNT = 999_999_999
"""Largest number that a counting quantifier may have; no world has more objects."""


def resolve(
    tree: Formula, text: str, *, source: str, vocabulary: LogicVocabulary | None
) -> Formula:
    """Look up every name of a tree.

    Args:
        tree: A tree whose names are tokens of the text, as the grammar leaves them.
        text: The text that was parsed.
        source: What the text is called.
        vocabulary: The names that may occur, or None for any.

    Raises:
        ParseError: If a name is unknown, is used with a wrong number of arguments or cannot be
            bound, or the tree is nested too deeply.
    """
    return _Names(text, source, vocabulary).formula(tree, {}, 1)


_Scope = Mapping[str, Variable]


class _Names:
    """The second pass: tokens to variables, objects, predicates and actions."""

    def __init__(self, text: str, source: str, vocabulary: LogicVocabulary | None) -> None:
        self.text = text
        self.source = source
        self.vocabulary = vocabulary
        self.bound: set[str] = set()

    def formula(self, tree: Formula, scope: _Scope, depth: int) -> Formula:
        if depth > NESTING_LIMIT:
            raise too_deep(self.text, _first_position(tree), self.source)
        return self._rules[type(tree)](self, tree, scope, depth + 1)

    def truth(self, tree: Truth, _scope: _Scope, _depth: int) -> Formula:
        return tree

    def atom(self, tree: Atom, scope: _Scope, _depth: int) -> Formula:
        name = _unquoted(tree.predicate)
        if self.vocabulary is None:
            return Atom(name, self.terms(tree.terms, scope))
        predicate = self.vocabulary.find_predicate(name)
        if predicate is not None:
            self.check_arity(tree, predicate, self.vocabulary.predicates[predicate])
            return Atom(predicate, self.terms(tree.terms, scope))
        action = self.vocabulary.find_action(name)
        if action is not None:
            self.check_arity(tree, action, self.vocabulary.actions[action])
            return ActionAtom(action, self.terms(tree.terms, scope))
        raise self.unknown_primitive(tree.predicate, self.vocabulary)

    def equal(self, tree: Equal, scope: _Scope, _depth: int) -> Formula:
        left, right = self.terms((tree.left, tree.right), scope)
        return Equal(left, right)

    def negation(self, tree: Not, scope: _Scope, depth: int) -> Formula:
        return Not(self.formula(tree.operand, scope, depth))

    def chain(self, tree: And | Or | Then, scope: _Scope, depth: int) -> Formula:
        return type(tree)(tuple(self.formula(each, scope, depth) for each in tree.operands))

    def implication(self, tree: Implies, scope: _Scope, depth: int) -> Formula:
        left = self.formula(tree.left, scope, depth)
        return Implies(left, self.formula(tree.right, scope, depth))

    def quantified(self, tree: Forall | Exists, scope: _Scope, depth: int) -> Formula:
        variables = tuple(self.variable(variable) for variable in tree.variables)
        inner = {variable.name: variable for variable in variables}
        if len(inner) < len(variables):
            raise self.error("a variable is bound twice", tree.variables[-1].name)
        inner = {**scope, **inner}
        return type(tree)(variables, self.formula(tree.body, inner, depth))

    def count(self, tree: Count, scope: _Scope, depth: int) -> Formula:
        if tree.number > LARGEST_COUNT:
            raise self.error("the number of objects is too large", tree.variable.name)
        variable = self.variable(tree.variable)
        body = self.formula(tree.body, {**scope, variable.name: variable}, depth)
        return Count(tree.number, variable, body)

    def variable(self, tree: Variable) -> Variable:
        if tree.name.startswith('"'):
            raise self.error("a variable is written without quotes", tree.name)
        self.bound.add(str(tree.name))
        return Variable(str(tree.name), tuple(map(_unquoted, tree.types)))

    def terms(self, tokens: tuple[Term, ...], scope: _Scope) -> tuple[Term, ...]:
        return tuple([self.term(token, scope) for token in tokens if isinstance(token, str)])

    def term(self, token: str, scope: _Scope) -> Term:
        variable = scope.get(token)
        if variable is not None:
            return variable
        name = _unquoted(token)
        if self.vocabulary is None:
            return name
        known = self.vocabulary.find_object(name)
        if known is None:
            raise self.unknown_object(token, scope, self.vocabulary)
        return known

    def check_arity(self, tree: Atom, name: str, arity: int) -> None:
        given = len(tree.terms)
        if given != arity:
            raise self.error(
                f"{name} takes {_arguments(arity)}, not {given}",
                tree.predicate,
                expected=f"{name}({', '.join('xyzuvw'[i % 6] for i in range(arity))})",
            )

    def unknown_primitive(self, token: str, vocabulary: LogicVocabulary) -> ParseError:
        name = _unquoted(token)
        kind = "predicate or action" if vocabulary.actions else "predicate"
        known = [*vocabulary.predicates, *vocabulary.actions]
        return self.error(
            f"there is no {kind} named {_shown(name)}",
            token,
            expected=_listed(known),
            mend=_did_you_mean(name, known),
        )

    def unknown_object(self, token: str, scope: _Scope, vocabulary: LogicVocabulary) -> ParseError:
        name = _unquoted(token)
        guess = _did_you_mean(name, [*scope, *sorted(vocabulary.objects or ())])
        if "." in name or token != name:
            return self.error(f"there is no object named {_shown(name)}", token, mend=guess)
        if name in self.bound:
            guess = "let the parentheses of its quantifier close behind it"
        return self.error(
            f"unbound variable {_shown(name)}: no quantifier around it binds it, and no object "
            "has that name",
            token,
            expected="a variable inside the parentheses of its quantifier, or an object",
            mend=guess or f"bind it: exists {name[:40]}. (...)",
        )

    def error(
        self, what: str, token: str, *, expected: str | None = None, mend: str | None = None
    ) -> ParseError:
        return ParseError(
            what,
            text=self.text,
            position=_position(token),
            source=self.source,
            expected=expected,
            mend=mend,
        )

    _rules: ClassVar[dict[type[Formula], Callable[..., Formula]]] = {
        Truth: truth,
        Atom: atom,
        Equal: equal,
        Not: negation,
        And: chain,
        Or: chain,
        Then: chain,
        Implies: implication,
        Forall: quantified,
        Exists: quantified,
        Count: count,
    }


def _position(token: str) -> int:
    place: int = getattr(token, "start_pos", 0)
    return place


def _first_position(tree: Formula) -> int:
    """Where the names of a tree begin, so far as it has any (constants have no place)."""
    first = next(atoms(tree), None)
    return _position(first.predicate) if isinstance(first, Atom) else 0


def _unquoted(token: str) -> str:
    if token.startswith('"'):
        return re.sub(r"\\(.)", r"\1", token[1:-1], flags=re.DOTALL)
    return str(token)


def _shown(name: str) -> str:
    return repr(name if len(name) <= 80 else name[:77] + "...")


def _arguments(number: int) -> str:
    return "1 argument" if number == 1 else f"{number or 'no'} arguments"


def _listed(names: list[str]) -> str:
    known = sorted(set(names))
    return ", ".join(known[:12]) + (", ..." if len(known) > 12 else "")


def _did_you_mean(name: str, known: list[str]) -> str | None:
    near = nearest(name, known)
    return f"did you mean {' or '.join(near)}?" if near else None
