"""How each node of the tree is read: its meaning from the meanings of its operands."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from eai.logic.formula import (
    ActionAtom,
    Always,
    And,
    Atom,
    Count,
    Equal,
    Eventually,
    Exists,
    First,
    Forall,
    Formula,
    ForPairs,
    Historically,
    Iff,
    Implies,
    Last,
    Next,
    Not,
    Once,
    Or,
    Previous,
    Release,
    Since,
    StrongRelease,
    Term,
    Then,
    Trigger,
    Truth,
    Until,
    Variable,
    WeakNext,
    WeakPrevious,
    WeakUntil,
    Xor,
    bottom_up,
    bound_variables,
    children,
    free_variables,
    has_linear,
    has_then,
)
from eai.logic.progression.chain import Meaning
from eai.logic.progression.diagrams import FALSE, TRUE
from eai.logic.progression.pairs import matched
from eai.logic.progression.tables import Proposition, Tables

__all__ = ["Reader"]


class Reader:
    """Reads formulas under one binding of their variables.

    Args:
        tables: What is shared.
        binding: Variable name to object name.
    """

    def __init__(self, tables: Tables, binding: Mapping[str, str]) -> None:
        self._tables = tables
        self._binding = binding
        self._obligations = tables.obligations
        self._diagrams = tables.obligations.diagrams

    def read_ahead(self, formula: Formula) -> None:
        """Read what is read at positions anyway, innermost first, so that depth is no limit."""
        for node in bottom_up(formula):
            if not (free_variables(node) or has_then(node)):
                self.at(node)

    def at(self, formula: Formula) -> int:
        """Return when the formula is true at the position whose letter is read."""
        return self._read(formula, self._at).now

    def part(self, formula: Formula) -> Meaning:
        """Return when the formula holds on the part that begins with the letter that is read."""
        if has_then(formula):
            return self._read(formula, self.part)
        now = self.at(formula)
        if not has_linear(formula):
            now = self._obligations.lasting(TRUE, now, kept=False)
        return Meaning(now, FALSE)

    def _at(self, formula: Formula) -> Meaning:
        return Meaning(self.at(formula), FALSE)

    def _read(self, formula: Formula, operand: Callable[[Formula], Meaning]) -> Meaning:
        """Apply the rule of a node, if it was not applied before.

        Args:
            formula: The node.
            operand: How the operands of connectives and quantifiers are read.
        """
        free = sorted({variable.name for variable in free_variables(formula)})
        key = (id(formula), operand == self.part, *map(self._binding.__getitem__, free))
        known = self._tables.known.get(key)
        if known is None:
            self._diagrams.spend()
            known = self._tables.known[key] = self._apply(formula, operand)
        return known

    def _apply(self, formula: Formula, operand: Callable[[Formula], Meaning]) -> Meaning:
        kind = type(formula)
        if kind in self._truths:
            return Meaning(self._truths[kind](self, formula), FALSE)
        if isinstance(formula, Then):
            return self._tables.chain([self.part(link) for link in _links(formula)])
        part = operand == self.part
        if bound_variables(formula):
            parts = self._instances(formula, part=part)
        else:
            parts = [operand(child) for child in children(formula)]
        if part and kind in self._chains and len(parts) > 1:
            return self._gathered(formula, parts)
        return self._joined(formula, parts)

    def _joined(self, formula: Formula, parts: Sequence[Meaning]) -> Meaning:
        """Apply a connective to what the operands say of a next letter, and of none."""
        join = self._connectives[type(formula)]
        return Meaning(
            join(self, formula, [each.now for each in parts]),
            join(self, formula, [each.empty for each in parts]),
        )

    def _gathered(self, formula: Formula, parts: list[Meaning]) -> Meaning:
        """Join operands two by two and compact each pair, as all at once may have many states."""
        while len(parts) > 1:
            pairs = [parts[i : i + 2] for i in range(0, len(parts), 2)]
            parts = [self._tables.compact(self._joined(formula, pair)) for pair in pairs]
        return parts[0]

    def _instances(self, formula: Formula, *, part: bool) -> list[Meaning]:
        """Read the body of a quantifier for every object."""
        body = children(formula)[0]
        readers = (Reader(self._tables, inner) for inner in self._bindings(formula))
        return [each.part(body) if part else Meaning(each.at(body), FALSE) for each in readers]

    def _bindings(self, formula: Formula) -> Iterator[Mapping[str, str]]:
        variables = bound_variables(formula)
        names = [variable.name for variable in variables]
        pools = [self._tables.objects(variable.types) for variable in variables]
        for choice in itertools.product(*pools):
            self._diagrams.spend()
            yield {**self._binding, **dict(zip(names, choice, strict=True))}

    def _constant(self, formula: Truth) -> int:
        return int(formula.value)

    def _equal(self, formula: Equal) -> int:
        return int(self._ground(formula.left) == self._ground(formula.right))

    def _atom(self, formula: Atom) -> int:
        return self._letter(Atom(formula.predicate, tuple(map(self._ground, formula.terms))))

    def _action(self, formula: ActionAtom) -> int:
        return self._letter(ActionAtom(formula.action, tuple(map(self._ground, formula.terms))))

    def _letter(self, proposition: Proposition) -> int:
        letters = self._tables.letters
        if proposition not in letters:
            letters[proposition] = len(letters)
        return self._diagrams.variable(letters[proposition])

    def _ground(self, term: Term) -> str:
        return self._binding[term.name] if isinstance(term, Variable) else term

    def _last(self, _formula: Last) -> int:
        return self._obligations.promise(FALSE, kept=True)

    def _first(self, _formula: First) -> int:
        return self._obligations.remembered(FALSE, first=True)

    def _next(self, formula: Next) -> int:
        return self._obligations.promise(self.at(formula.operand), kept=False)

    def _weak_next(self, formula: WeakNext) -> int:
        return self._obligations.promise(self.at(formula.operand), kept=True)

    def _eventually(self, formula: Eventually) -> int:
        return self._obligations.lasting(TRUE, self.at(formula.operand), kept=False)

    def _always(self, formula: Always) -> int:
        return self._obligations.lasting(self.at(formula.operand), FALSE, kept=True)

    def _until(self, formula: Until | WeakUntil) -> int:
        weak = isinstance(formula, WeakUntil)
        left, right = self.at(formula.left), self.at(formula.right)
        return self._obligations.lasting(left, right, kept=weak)

    def _release(self, formula: Release | StrongRelease) -> int:
        """The right side now, and the left one too or the same again."""
        weak = isinstance(formula, Release)
        left, right = self.at(formula.left), self.at(formula.right)
        return self._obligations.lasting(right, self._diagrams.both(left, right), kept=weak)

    def _previous(self, formula: Previous | WeakPrevious) -> int:
        weak = isinstance(formula, WeakPrevious)
        return self._obligations.remembered(self.at(formula.operand), first=weak)

    def _once(self, formula: Once) -> int:
        return self._obligations.looking_back(TRUE, self.at(formula.operand), first=False)

    def _historically(self, formula: Historically) -> int:
        return self._obligations.looking_back(self.at(formula.operand), FALSE, first=True)

    def _since(self, formula: Since) -> int:
        left, right = self.at(formula.left), self.at(formula.right)
        return self._obligations.looking_back(left, right, first=False)

    def _trigger(self, formula: Trigger) -> int:
        left, right = self.at(formula.left), self.at(formula.right)
        return self._obligations.looking_back(right, self._diagrams.both(left, right), first=True)

    def _not(self, _formula: Formula, operands: list[int]) -> int:
        return self._diagrams.negation(operands[0])

    def _and(self, _formula: Formula, operands: list[int]) -> int:
        return self._diagrams.all_of(operands)

    def _or(self, _formula: Formula, operands: list[int]) -> int:
        return self._diagrams.any_of(operands)

    def _implies(self, _formula: Formula, operands: list[int]) -> int:
        return self._diagrams.choose(operands[0], operands[1], TRUE)

    def _xor(self, _formula: Formula, operands: list[int]) -> int:
        return self._diagrams.differ(*operands)

    def _iff(self, _formula: Formula, operands: list[int]) -> int:
        return self._diagrams.negation(self._diagrams.differ(*operands))

    def _count(self, formula: Count, operands: list[int]) -> int:
        number, most = formula.number, len(operands)
        if formula.comparison == "at least":
            fewer = self._diagrams.count(operands, min(number - 1, most)) if number > 0 else []
            return self._diagrams.negation(self._diagrams.any_of(fewer))
        if number < 0 or (formula.comparison == "exactly" and number > most):
            return FALSE
        exact = self._diagrams.count(operands, min(number, most))
        return exact[-1] if formula.comparison == "exactly" else self._diagrams.any_of(exact)

    def _pairs(self, formula: ForPairs, operands: list[int]) -> int:
        firsts, seconds = [self._tables.objects(v.types) for v in bound_variables(formula)]
        edges: dict[frozenset[str], int] = {}
        for pair, here in zip(itertools.product(firsts, seconds), operands, strict=True):
            edge = frozenset(pair)
            if len(edge) == 2:
                edges[edge] = self._diagrams.either(edges.get(edge, FALSE), here)
        number = min(len(firsts), len(seconds)) if formula.number is None else formula.number
        return matched(self._diagrams, edges, number)

    # Rules for what is true at a position, connectives, and connectives of any number of operands.
    _truths: ClassVar[dict[type[Formula], Callable[[Any, Any], int]]] = {
        Truth: _constant,
        Equal: _equal,
        Atom: _atom,
        ActionAtom: _action,
        Last: _last,
        First: _first,
        Next: _next,
        WeakNext: _weak_next,
        Eventually: _eventually,
        Always: _always,
        Until: _until,
        WeakUntil: _until,
        Release: _release,
        StrongRelease: _release,
        Previous: _previous,
        WeakPrevious: _previous,
        Once: _once,
        Historically: _historically,
        Since: _since,
        Trigger: _trigger,
    }
    _chains = (And, Or, Forall, Exists)
    _connectives: ClassVar[dict[type[Formula], Callable[[Any, Any, list[int]], int]]] = {
        Not: _not,
        And: _and,
        Or: _or,
        Implies: _implies,
        Xor: _xor,
        Iff: _iff,
        Forall: _and,
        Exists: _or,
        Count: _count,
        ForPairs: _pairs,
    }


def _links(formula: Then) -> list[Formula]:
    """The links of a chain; a chain in a chain means the same as its links in its place."""
    found: list[Formula] = []
    pending: list[Formula] = [formula]
    while pending:
        each = pending.pop()
        if isinstance(each, Then):
            pending.extend(reversed(each.operands))
        else:
            found.append(each)
    return found
