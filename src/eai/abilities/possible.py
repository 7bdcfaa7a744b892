"""Which actions and effects the objects of a task allow, whatever is done.

A prompt leaves out what can never happen: nobody can be greeted where nobody else is. The idea is
that of the relaxation without deletions, with each argument of a predicate looked at by itself: a
set of objects for every argument of every predicate. An action is possible if its parameters have
objects for which its conditions may hold; what it makes true adds to the sets, until nothing is
added any more. More may seem possible than is, never less. An effect is looked at again only if
a predicate that its condition reads was added to, so the cost is little more than one pass over
the domain's text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from eai.logic import (
    FALSE,
    TRUE,
    And,
    Atom,
    Exists,
    Formula,
    Not,
    Or,
    Term,
    Variable,
    atoms,
    conjuncts,
)
from eai.pddl import Clause, Operator, clauses
from eai.world import State, world_of

_Ranges = Mapping[str, int]
"""Variable to the objects that it can be, as a mask."""


class _Gain(NamedTuple):
    """An atom that becomes true for all objects for which a condition may hold."""

    atom: Atom
    condition: Formula
    variables: tuple[Variable, ...]


class Possible:
    """Facts that may become true from a state, and what may happen because of them.

    Args:
        state: Where everything begins.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._domain = state.layout.domain
        self._world = world_of(self._domain)
        self._columns = {name: [0] * p.arity for name, p in self._domain.predicates.items()}
        # Predicates without arguments have no column that could say so.
        self._true = set[str]()
        self._rules: dict[str, tuple[tuple[Variable, ...], Formula] | None] = {}
        self._known_ranges: dict[tuple[Formula, Variable], int] = {}
        for predicate, objects in state.facts():
            columns = self._columns[predicate]
            for place, number in enumerate(objects):
                columns[place] |= 1 << number
            if not columns:
                self._true.add(predicate)
        self._clauses = {
            name: tuple(clauses(each.effect, [v.name for v in each.parameters]))
            for name, each in self._domain.operators.items()
        }
        self._grow()
        # Nothing is added from now on, so what follows is computed once.
        self._known_simple: dict[Formula, Formula] = {}
        self._known_stored: dict[Formula, frozenset[str]] = {}
        self._known_effects: dict[tuple[str, Formula], tuple[Clause, ...]] = {}

    @property
    def derived(self) -> frozenset[str]:
        """Names of the predicates that rules define."""
        return self._domain.derived

    def operator(self, operator: Operator) -> Operator | None:
        """Return an action with conditions that are left to test; None if it is never possible."""
        if not self._allows(operator.precondition, operator.parameters):
            return None
        return replace(operator, precondition=self.simplified(operator.precondition))

    def effects(self, operator: Operator) -> tuple[Clause, ...]:
        """Return the effects of a possible action that may happen and may change something."""
        key = operator.name, operator.precondition
        if key not in self._known_effects:
            self._known_effects[key] = tuple(self._effects(operator))
        return self._known_effects[key]

    def _effects(self, operator: Operator) -> Iterator[Clause]:
        said = self._said_by(operator.precondition)
        for clause in self._clauses[operator.name]:
            variables = (*operator.parameters, *clause.variables)
            changed = And((operator.precondition, clause.condition))
            if not clause.added:
                # What is never true is not made false.
                changed = And((changed, clause.atom))
            if self._allows(changed, variables):
                condition = self.simplified(clause.condition)
                if condition in said:
                    condition = TRUE
                yield clause._replace(condition=condition)

    def _said_by(self, precondition: Formula) -> list[Formula]:
        """What a precondition demands, in its own words and in those of the rules."""
        found = list(conjuncts(self.simplified(precondition)))
        for part in conjuncts(precondition):
            if isinstance(part, Atom) and (rule := self.rule(part.predicate)):
                names = [each.name for each in rule[0]]
                found.append(rule[1].substitute(dict(zip(names, part.terms, strict=True))))
        return found

    def rule(self, predicate: str) -> tuple[tuple[Variable, ...], Formula] | None:
        """Return when a derived predicate holds, and of what; None if no rule says so."""
        if predicate in self._rules:
            return self._rules[predicate]
        axioms = [each for each in self._domain.axioms if each.head.predicate == predicate]
        if not axioms:
            return None
        # Rules may be recursive: while one is looked at, its predicate is no other name for it.
        # What is simplified meanwhile is forgotten, as it may be another formula later.
        self._rules[predicate] = None
        known_before, self._known_simple = self._known_simple, {}
        variables = tuple(each for each in axioms[0].head.terms if isinstance(each, Variable))
        bodies = [each.body.substitute(_renamed(each.head, axioms[0].head)) for each in axioms]
        self._rules[predicate] = found = variables, self.simplified(Or.of(bodies))
        self._known_simple = known_before
        return found

    def stored(self, formula: Formula) -> frozenset[str]:
        """Return the predicates that a condition depends on, behind derived ones too."""
        if formula not in self._known_stored:
            self._known_stored[formula] = self._stored(formula)
        return self._known_stored[formula]

    def _stored(self, formula: Formula) -> frozenset[str]:
        found = set[str]()
        waiting = [formula]
        while waiting:
            for atom in atoms(self.simplified(waiting.pop())):
                assert isinstance(atom, Atom)  # noqa: S101 - rules speak of no actions
                if atom.predicate in found:
                    continue
                found.add(atom.predicate)
                rule = self.rule(atom.predicate)
                waiting += [] if rule is None else [rule[1]]
        return frozenset(found - self._domain.derived)

    def simplified(self, formula: Formula) -> Formula:
        """Leave out of a condition what can never hold, and what always does because of that.

        A derived predicate that is only another name for a literal is replaced by it.
        """
        if formula not in self._known_simple:
            self._known_simple[formula] = self._simplified(formula)
        return self._known_simple[formula]

    def _simplified(self, formula: Formula) -> Formula:
        if isinstance(formula, Atom):
            if not self._fits(formula, {}):
                return FALSE
            return self._resolved(formula)
        if isinstance(formula, Not):
            operand = self.simplified(formula.operand)
            return TRUE if operand == FALSE else Not(operand)
        if isinstance(formula, (And, Or)):
            neutral, decisive = (TRUE, FALSE) if isinstance(formula, And) else (FALSE, TRUE)
            parts = [self.simplified(part) for part in formula.operands]
            if decisive in parts:
                return decisive
            left = [part for part in parts if part != neutral]
            return type(formula).of(left) if left else neutral
        if isinstance(formula, Exists):
            body = self.simplified(formula.body)
            return FALSE if body == FALSE else formula.over(formula.variables, body)
        return formula

    def _resolved(self, atom: Atom) -> Formula:
        """An atom, or what its rule says if that is a single literal."""
        rule = self.rule(atom.predicate)
        if rule is None:
            return atom
        variables, body = rule
        if body == TRUE:
            return TRUE
        literal = body.operand if isinstance(body, Not) else body
        if not isinstance(literal, Atom):
            return atom
        names = [each.name for each in variables]
        return body.substitute(dict(zip(names, atom.terms, strict=True)))

    def _grow(self) -> None:
        """Add what actions and rules make true, until nothing is added any more."""
        gains = list(self._gains())
        readers: dict[str, set[int]] = {}
        for number, gain in enumerate(gains):
            for atom in atoms(gain.condition):
                readers.setdefault(atom.name, set()).add(number)
        waiting = dict.fromkeys(range(len(gains)))
        while waiting:
            number = next(iter(waiting))
            del waiting[number]
            if self._adds(gains[number]):
                waiting |= dict.fromkeys(readers.get(gains[number].atom.predicate, ()))

    def _gains(self) -> Iterator[_Gain]:
        """Yield what actions and rules may make true."""
        for operator in self._domain.operators.values():
            for clause in self._clauses[operator.name]:
                if clause.added:
                    condition = And((operator.precondition, clause.condition))
                    yield _Gain(clause.atom, condition, (*operator.parameters, *clause.variables))
        for axiom in self._domain.axioms:
            variables = tuple(each for each in axiom.head.terms if isinstance(each, Variable))
            yield _Gain(axiom.head, axiom.body, variables)

    def _adds(self, gain: _Gain) -> bool:
        """Add an atom for all objects for which it may become true, and say whether any is new."""
        ranges = {each.name: self._range(gain.condition, each) for each in gain.variables}
        return all(ranges.values()) and self._add(gain.atom, ranges)

    def _add(self, atom: Atom, ranges: _Ranges) -> bool:
        columns = self._columns[atom.predicate]
        before = [*columns]
        for i, term in enumerate(atom.terms):
            columns[i] |= self._mask(term, ranges)
        is_new = before != columns
        if not columns and atom.predicate not in self._true:
            self._true.add(atom.predicate)
            is_new = True
        if is_new:
            self._known_ranges.clear()
        return is_new

    def _allows(self, condition: Formula, variables: tuple[Variable, ...]) -> bool:
        if not variables:
            return self._range(condition, Variable("")) != 0
        return all(self._range(condition, each) for each in variables)

    def _range(self, formula: Formula, variable: Variable) -> int:
        """The objects of a variable's types for which a condition may hold."""
        key = formula, variable
        found = self._known_ranges.get(key)
        if found is None:
            found = self._known_ranges[key] = self._range_anew(formula, variable)
        return found

    def _range_anew(self, formula: Formula, variable: Variable) -> int:
        every = self._state.universe.mask(variable.types)
        if formula.free_names == {variable.name} and self._domain.is_static(formula):
            return self._world.members_of(formula, variable, ())(self._state)
        if formula == FALSE:
            return 0
        if isinstance(formula, Atom):
            return self._fits(formula, {variable.name: every}) and self._column(formula, variable)
        if isinstance(formula, And):
            for part in formula.operands:
                every &= self._range(part, variable)
            return every
        if isinstance(formula, Or):
            found = 0
            for part in formula.operands:
                found |= self._range(part, variable)
            return found
        if isinstance(formula, Exists):
            inner = all(self._range(formula.body, each) for each in formula.variables)
            return self._range(formula.body, variable) if inner else 0
        return every

    def _fits(self, atom: Atom, ranges: _Ranges) -> int:
        """Whether an atom can be true at all: 1 or 0."""
        columns = self._columns[atom.predicate]
        if not columns:
            return int(atom.predicate in self._true)
        pairs = zip(atom.terms, columns, strict=True)
        return int(all(self._mask(term, ranges) & column for term, column in pairs))

    def _column(self, atom: Atom, variable: Variable) -> int:
        """The objects that a variable of an atom that can be true can be."""
        found = self._state.universe.mask(variable.types)
        for term, column in zip(atom.terms, self._columns[atom.predicate], strict=True):
            if isinstance(term, Variable) and term.name == variable.name:
                found &= column
        return found

    def _mask(self, term: Term, ranges: _Ranges) -> int:
        if not isinstance(term, Variable):
            return 1 << self._state.universe.number(term)
        found = ranges.get(term.name)
        return self._state.universe.mask(term.types) if found is None else found


def _renamed(head: Atom, like: Atom) -> dict[str, Term]:
    """How the variables of one rule's head are called in another rule's."""
    pairs = zip(head.terms, like.terms, strict=True)
    return {each.name: other for each, other in pairs if isinstance(each, Variable)}
