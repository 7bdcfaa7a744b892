"""Conditions in words, by the phrases that a domain brings (:mod:`eai.pddl.phrases`).

What is said is what is the case: that a condition *does not hold* is told by what holds in its
stead. Conditions that mention a predicate without a phrase, or speak of time, have no words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from eai.logic.formula import (
    And,
    Atom,
    Equal,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Term,
    Variable,
    free_variables,
    generalize,
    objects_of,
    substitute,
)
from eai.pddl.model import Named
from eai.world.bits import bits
from eai.world.state import State
from eai.world.transition import World

__all__ = ["in_words"]

_MOST = 6
"""More clauses than this are counted."""


class _Clause(NamedTuple):
    """A few words; ``guard`` if they say that something is so that no action changes."""

    text: str
    guard: bool = False


class _WordlessError(Exception):
    """There are no words for a part of a condition."""


def in_words(world: World, state: State, condition: Formula, *, holds: bool = False) -> str:
    """Say in words that a condition does not hold, or holds, in a state.

    Args:
        world: The world; its domain has the phrases.
        state: The state.
        condition: A closed condition.
        holds: Whether the condition holds in the state.

    Returns:
        ``"novel.15 is inside nightstand.13, which is closed"``; empty if there are no words.
    """
    if not world.domain.phrases:
        return ""
    try:
        clauses = _Teller(world, state).tell(condition, holds)
    except _WordlessError:
        return ""
    return _joined(_telling(clauses))


class _Teller:
    """Tells conditions of one state."""

    def __init__(self, world: World, state: State) -> None:
        self._world = world
        self._state = state

    def tell(self, formula: Formula, value: bool) -> list[_Clause]:
        """What is the case if a formula has a value."""
        if isinstance(formula, Atom):
            return [self._atom(formula, value)]
        if isinstance(formula, Not):
            return self.tell(formula.operand, not value)
        if isinstance(formula, Implies):
            return self.tell(Or((Not(formula.left), formula.right)), value)
        if isinstance(formula, (And, Or)):
            return self._junction(formula, value)
        if isinstance(formula, (Exists, Forall)):
            return self._quantified(formula, value)
        if isinstance(formula, Equal):
            word = "is" if value else "is not"
            return [_Clause(f"{_name(formula.left)} {word} {_name(formula.right)}", guard=value)]
        raise _WordlessError

    def _atom(self, atom: Atom, value: bool) -> _Clause:
        domain = self._world.domain
        phrase = domain.phrases.get(atom.predicate)
        if phrase is None:
            raise _WordlessError
        text, names = (phrase.true if value else phrase.false), list(map(_name, atom.terms))
        named = phrase.named.get(value)
        found = None if named is None or free_variables(atom) else self._found(named, names)
        if named is not None and found is not None:
            text, names = named.text, found
        return _Clause(text.format(*names), value and atom.predicate not in domain.fluents)

    def _found(self, named: Named, names: Sequence[str]) -> list[str] | None:
        """The names of an atom and of the objects that are to blame, if there are some."""
        known = list(names)
        for variable, condition in named.search:
            known_as = {str(number): name for number, name in enumerate(known)}
            fitting = self._fitting(substitute(condition, known_as), variable)
            if fitting is None:
                return None
            known.append(fitting)
        return known

    def _fitting(self, condition: Formula, variable: Variable) -> str | None:
        """The first object for which a condition holds."""
        universe, constants = self._state.universe, self._world.domain.constants
        objects = sorted(objects_of(condition).difference(constants))
        # Objects become parameters, so that one compiled function serves all of them.
        swap = {name: Variable(f"?{number}") for number, name in enumerate(objects)}
        search = self._world.members_of(generalize(condition, swap), variable, tuple(swap.values()))
        found = search(self._state, *[universe.number(name) for name in objects])
        return universe.names[next(bits(found))] if found else None

    def _junction(self, formula: And | Or, value: bool) -> list[_Clause]:
        parts: Iterable[Formula] = formula.operands
        together = isinstance(formula, And) is value
        if not together:
            if free_variables(formula):
                told = (_joined(self.tell(part, value)) for part in parts)
                return [_Clause(" or ".join(told))]
            parts = [part for part in parts if self._world.holds(self._state, part) == value]
            # Of a conjunction all that fails is told, of a disjunction what makes it true.
            parts = parts[:1] if value else parts
        return [clause for part in parts for clause in self.tell(part, value)]

    def _quantified(self, formula: Exists | Forall, value: bool) -> list[_Clause]:
        if free_variables(formula):
            raise _WordlessError
        first, *others = formula.variables
        body = type(formula)(tuple(others), formula.body) if others else formula.body
        searched = isinstance(formula, Exists)
        if searched is value:
            found = self._fitting(body if value else Not(body), first)
            if found is None:
                raise _WordlessError
            return self.tell(substitute(body, {first.name: found}), value)
        names = " and ".join(variable.name for variable in formula.variables)
        told = _joined(_telling(self.tell(formula.body, searched)))
        kind = " or ".join(first.types)
        return [_Clause(f"there is no {kind} {names} for which {told}")]


def _name(term: Term) -> str:
    return term.name if isinstance(term, Variable) else term


def _telling(clauses: Sequence[_Clause]) -> list[_Clause]:
    """The clauses that say something: once each, without what only says that the rest matters."""
    own = list(dict.fromkeys(clauses))
    return [clause for clause in own if not clause.guard] or own


def _joined(clauses: Sequence[_Clause]) -> str:
    """One sentence; what has the same subject as the words before does not repeat it."""
    words = ""
    subject = ""
    for clause in clauses[:_MOST]:
        now, _, rest = clause.text.partition(" ")
        if words:
            words += f" and {rest if now == subject else clause.text}"
        else:
            words = clause.text
        subject = now
    more = len(clauses) - _MOST
    return f"{words}, and {more} more" if more > 0 else words
