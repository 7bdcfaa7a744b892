"""Conditions in words.

The words come from the phrases of a domain (:mod:`eai.pddl.phrases`). A condition that *does not
hold* is described by the facts that hold instead. Conditions that mention a predicate without a
phrase, or speak of time, have no words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

from eai.logic import (
    And,
    Atom,
    Count,
    Equal,
    Formula,
    ForPairs,
    Not,
    Quantifier,
    Term,
    Variable,
    generalize,
    objects_of,
)
from eai.pddl import Named
from eai.world import State, World
from eai.world.bits import bits

_MAX_CLAUSES = 6
"""Maximum number of clauses listed; of more the number is given."""

_OF_KIND = {
    (False, True): ("every", True),
    (False, False): ("some", False),
    (True, True): ("some", True),
    (True, False): ("no", True),
}
"""Deciding value of a quantifier, and its own, to the word for objects and their body's value."""

_OBJECTS = ("there is no ", "the number of ")
_SUBJECT = re.compile(r"(?:(?:every|some|no) )?\S+")


class _Clause(NamedTuple):
    """A few words.

    Args:
        guard: Whether they are about a fact that no action changes.
    """

    text: str
    guard: bool = False


class _WordlessError(Exception):
    """There are no words for a part of a condition."""


def in_words(world: World, state: State, condition: Formula, *, holds: bool = False) -> str:
    """Return in words that a condition does not hold, or holds, in a state.

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
    """A teller of conditions in one state."""

    def __init__(self, world: World, state: State) -> None:
        self._world = world
        self._state = state

    def tell(self, formula: Formula, value: bool) -> list[_Clause]:
        """Return in words what follows if a formula has a value."""
        if isinstance(formula, Atom):
            return [self._atom(formula, value)]
        if isinstance(formula, Equal):
            word = "is" if value else "is not"
            return [_Clause(f"{_name(formula.left)} {word} {_name(formula.right)}", guard=value)]
        if isinstance(formula, Quantifier):
            return self._quantified(formula, value)
        if isinstance(formula, Count):
            return [self._counted(formula, value)]
        if isinstance(formula, ForPairs) and not value:
            return [self._unpaired(formula)]
        return self._parts(formula, value)

    def _parts(self, formula: Formula, value: bool) -> list[_Clause]:
        """Return the parts in words that give a connective its value."""
        split = formula.split(value)
        if split is None or not split.parts:
            raise _WordlessError
        parts: Iterable[tuple[Formula, bool]] = split.parts
        if not split.every and formula.free:
            # With variables nobody knows which part it is.
            words = [_joined(self.tell(part, wanted)) for part, wanted in parts]
            return [_Clause(" or ".join(dict.fromkeys(words)))]
        if not split.every:
            holding = []
            for part, wanted in parts:
                if self._world.holds(self._state, part) == wanted:
                    holding.append((part, wanted))
            # Of a conjunction all that fails is told, of a disjunction what makes it true.
            parts = holding[:1] if value else holding
        clauses: list[_Clause] = []
        for part, wanted in parts:
            clauses += self.tell(part, wanted)
        return clauses

    def _atom(self, atom: Atom, value: bool) -> _Clause:
        """Return an atom in words, with the objects to blame if its phrase names them."""
        domain = self._world.domain
        phrase = domain.phrases.get(atom.predicate)
        if phrase is None:
            raise _WordlessError
        text = phrase.true if value else phrase.false
        names = list(map(_name, atom.terms))
        named = phrase.named.get(value)
        if named is not None and not atom.free:
            all_names = self._with_objects_to_blame(named, names)
            if all_names is not None:
                text, names = named.text, all_names
        return _Clause(text.format(*names), value and atom.predicate not in domain.fluents)

    def _with_objects_to_blame(self, named: Named, names: Sequence[str]) -> list[str] | None:
        """Return the names of an atom and of the objects to blame; None if there are none."""
        known = list(names)
        for variable, condition in named.search:
            known_as = {str(number): name for number, name in enumerate(known)}
            fitting = self._fitting(condition.substitute(known_as), variable)
            if fitting is None:
                return None
            known.append(fitting)
        return known

    def _fitting(self, condition: Formula, variable: Variable) -> str | None:
        """Return the first object for which a condition holds; None if there is none."""
        fitting = self._all_fitting(condition, variable)
        return self._state.universe.names[next(bits(fitting))] if fitting else None

    def _all_fitting(self, condition: Formula, variable: Variable) -> int:
        """The objects for which a condition holds, as a mask."""
        universe, constants = self._state.universe, self._world.domain.constants
        objects = sorted(objects_of(condition).difference(constants))
        # Objects become parameters, so that one compiled function serves all of them.
        swap = {name: Variable(f"?{number}") for number, name in enumerate(objects)}
        search = self._world.members_of(generalize(condition, swap), variable, tuple(swap.values()))
        return search(self._state, *[universe.number(name) for name in objects])

    def _quantified(self, formula: Quantifier, value: bool) -> list[_Clause]:
        first, *others = formula.variables
        if formula.free:
            return self._of_kind(formula, value)
        body = type(formula)(tuple(others), formula.body) if others else formula.body
        searched = formula.wants
        if searched is value:
            found = self._fitting(body if value else Not(body), first)
            if found is None:
                raise _WordlessError
            return self.tell(body.substitute({first.name: found}), value)
        reported = self._shown(formula.body, searched)
        return [_Clause(f"there is no {_named(*formula.variables)} for which {reported}")]

    def _of_kind(self, formula: Quantifier, value: bool) -> list[_Clause]:
        """Return a sentence about all objects of a kind, related to others without names."""
        variable, *others = formula.variables
        word, inner = _OF_KIND[formula.wants, value]
        body = formula.body
        parts = body.operands if isinstance(body, And) and word == "every" else (body,)
        atoms = [part.operand if isinstance(part, Not) else part for part in parts]
        if others or not all(isinstance(atom, Atom) for atom in atoms):
            # To say it twice of "some" is not to say it of one.
            raise _WordlessError
        every = Variable(f"{word} {_kind(variable)}", variable.types)
        return self.tell(body.substitute({variable.name: every}), inner)

    def _shown(self, body: Formula, value: bool) -> str:
        """Return a sentence about objects without names."""
        return _joined(_telling(self.tell(body, value)))

    def _counted(self, formula: Count, value: bool) -> _Clause:
        if formula.free:
            raise _WordlessError
        number = self._all_fitting(formula.body, formula.variable).bit_count()
        least = "" if formula.comparison == "exactly" else f"{formula.comparison} "
        instead = "" if value else f" instead of {least}{formula.number}"
        reported = self._shown(formula.body, True)
        return _Clause(
            f"the number of {_named(formula.variable)} for which {reported} is {number}{instead}"
        )

    def _unpaired(self, formula: ForPairs) -> _Clause:
        """How many of the pairs can be formed."""
        if formula.free:
            raise _WordlessError
        sides = formula.first, formula.second
        objects = [self._state.universe.of_types(side.types) for side in sides]
        wanted = min(map(len, objects)) if formula.number is None else formula.number
        formed, holds = wanted - 1, partial(self._world.holds, self._state)
        while formed > 0 and not holds(ForPairs(*sides, formula.body, formed)):
            formed -= 1
        pairs, reported = " and ".join(map(_named, sides)), self._shown(formula.body, True)
        return _Clause(
            f"the number of pairs of {pairs} for which {reported} is {formed} instead of {wanted}"
        )


def _kind(variable: Variable) -> str:
    return " or ".join(variable.types)


def _named(variable: Variable, *others: Variable) -> str:
    """The kind of variables, and their names where these say more."""
    kind, names = _kind(variable), " and ".join(each.name for each in (variable, *others))
    return kind if kind == names else f"{kind} {names}"


def _name(term: Term) -> str:
    return term.name if isinstance(term, Variable) else term


def _telling(clauses: Sequence[_Clause]) -> list[_Clause]:
    """The clauses that say something: once each, without what only says that the rest matters.

    What objects there are comes last: such a clause has clauses of its own.
    """
    own = list(dict.fromkeys(clauses))
    telling = [clause for clause in own if not clause.guard] or own
    return sorted(telling, key=lambda clause: clause.text.startswith(_OBJECTS))


def _joined(clauses: Sequence[_Clause]) -> str:
    """One sentence; what has the same subject as the words before does not repeat it."""
    said: list[str] = []
    subject = ""
    for clause in clauses[:_MAX_CLAUSES]:
        found = _SUBJECT.match(clause.text)
        now = found[0] if found else ""
        again = said and now == subject
        said.append(clause.text[len(now) :].lstrip() if again else clause.text)
        subject = now
    words, more = " and ".join(said), len(clauses) - _MAX_CLAUSES
    return f"{words}, and {more} more" if more > 0 else words
