"""The names in a formula: from tokens to variables, objects, predicates and actions."""

from __future__ import annotations

import re
from collections.abc import Mapping

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
    ForPairs,
    Term,
    Variable,
    atoms,
    bound_variables,
    children,
    has_then,
    walk,
    with_children,
)
from eai.logic.syntax.builder import LARGEST_COUNT
from eai.logic.syntax.errors import NESTING_LIMIT, too_deep
from eai.logic.vocabulary import LogicVocabulary

__all__ = ["place_of", "resolve", "unquoted"]


def resolve(
    tree: Formula,
    text: str,
    *,
    source: str,
    vocabulary: LogicVocabulary | None,
    strict: bool = False,
) -> Formula:
    """Look up every name of a tree.

    Args:
        tree: A tree whose names are tokens of the text, as the grammar leaves them.
        text: The text that was parsed.
        source: What the text is called.
        vocabulary: The names that may occur, or None for any.
        strict: Whether to refuse, as the published parser does, an ``and`` above a ``then``.

    Raises:
        ParseError: If a name is unknown, is used with a wrong number of arguments or cannot be
            bound, or the tree is nested too deeply.
    """
    names = _Names(text, source, vocabulary)
    if strict:
        names.check_mixed(tree)
    return names.formula(tree)


_Scope = Mapping[str, Variable]


class _Names:
    """The second pass: tokens to variables, objects, predicates and actions."""

    def __init__(self, text: str, source: str, vocabulary: LogicVocabulary | None) -> None:
        self.text = text
        self.source = source
        self.vocabulary = vocabulary
        self.bound: set[str] = set()

    def formula(self, tree: Formula) -> Formula:
        """Look up all names, every node after its parts, with the variables bound around it."""
        scopes: list[_Scope] = [{}]
        bound: list[tuple[Variable, ...]] = []
        done: list[Formula] = []
        pending = [(tree, False)]
        depth = 0
        while pending:
            node, ready = pending.pop()
            parts = children(node)
            if ready:
                made = tuple(done[-len(parts) :])
                done[-len(parts) :] = [self.rebuilt(node, made, scopes, bound)]
                depth -= 1
            elif not parts:
                done.append(self.leaf(node, scopes[-1]))
            else:
                depth += 1
                if depth > NESTING_LIMIT:
                    raise too_deep(self.text, _first_position(node), self.source)
                self.enter(node, scopes, bound)
                pending.append((node, True))
                pending += [(part, False) for part in reversed(parts)]
        return done[0]

    def enter(self, node: Formula, scopes: list[_Scope], bound: list[tuple[Variable, ...]]) -> None:
        given = bound_variables(node)
        if not given:
            return
        if isinstance(node, (Count, ForPairs)) and (node.number or 0) > LARGEST_COUNT:
            raise self.error("the number of objects is too large", given[0].name)
        variables = tuple(self.variable(variable) for variable in given)
        inner = {variable.name: variable for variable in variables}
        if len(inner) < len(variables):
            raise self.error("a variable is bound twice", given[-1].name)
        bound.append(variables)
        scopes.append({**scopes[-1], **inner})

    def rebuilt(
        self,
        node: Formula,
        parts: tuple[Formula, ...],
        scopes: list[_Scope],
        bound: list[tuple[Variable, ...]],
    ) -> Formula:
        if not bound_variables(node):
            return with_children(node, parts)
        scopes.pop()
        variables = bound.pop()
        if isinstance(node, Count):
            return Count(node.number, variables[0], parts[0], node.comparison)
        if isinstance(node, ForPairs):
            return ForPairs(variables[0], variables[1], parts[0], node.number)
        kind = Exists if isinstance(node, Exists) else Forall
        return kind(variables, parts[0])

    def leaf(self, node: Formula, scope: _Scope) -> Formula:
        if isinstance(node, Atom):
            return self.atom(node, scope)
        if isinstance(node, Equal):
            left, right = self.terms((node.left, node.right), scope)
            return Equal(left, right)
        return node

    def check_mixed(self, tree: Formula) -> None:
        for node in walk(tree):
            if isinstance(node, And) and has_then(node):
                first = next(part for part in node.operands if has_then(part))
                raise ParseError(
                    "'and' cannot join a 'then' in the published grammar",
                    text=self.text,
                    position=_first_position(first),
                    source=self.source,
                    mend="use the default dialect",
                )

    def atom(self, tree: Atom, scope: _Scope) -> Formula:
        name = unquoted(tree.predicate)
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

    def variable(self, tree: Variable) -> Variable:
        if tree.name.startswith('"'):
            raise self.error("a variable is written without quotes", tree.name)
        self.bound.add(str(tree.name))
        return Variable(str(tree.name), tuple(map(unquoted, tree.types)))

    def terms(self, tokens: tuple[Term, ...], scope: _Scope) -> tuple[Term, ...]:
        return tuple([self.term(token, scope) for token in tokens if isinstance(token, str)])

    def term(self, token: str, scope: _Scope) -> Term:
        variable = scope.get(token)
        if variable is not None:
            return variable
        name = unquoted(token)
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
        name = unquoted(token)
        kind = "predicate or action" if vocabulary.actions else "predicate"
        known = [*vocabulary.predicates, *vocabulary.actions]
        return self.error(
            f"there is no {kind} named {_shown(name)}",
            token,
            expected=_listed(known),
            mend=_did_you_mean(name, known),
        )

    def unknown_object(self, token: str, scope: _Scope, vocabulary: LogicVocabulary) -> ParseError:
        name = unquoted(token)
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
            position=place_of(token),
            source=self.source,
            expected=expected,
            mend=mend,
        )


def place_of(token: str) -> int:
    """Return where a token begins in the text that was parsed."""
    place: int = getattr(token, "start_pos", 0)
    return place


def _first_position(tree: Formula) -> int:
    """Where the names of a tree begin, so far as it has any (constants have no place)."""
    first = next(atoms(tree), None)
    return place_of(first.predicate) if isinstance(first, Atom) else 0


def unquoted(token: str) -> str:
    """Return the name that a token stands for."""
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
