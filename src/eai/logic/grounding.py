"""Which objects a quantifier has to look at, and in which order it decides its body.

``exists`` asks for a binding that makes the body true, ``forall`` for one that makes it false:
one search serves both. The body is split into *literals* that all must have a wanted truth
value, and each is decided as soon as its variables are bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from eai.logic.formula import (
    ActionAtom,
    Always,
    And,
    Atom,
    Equal,
    Eventually,
    Exists,
    Forall,
    Formula,
    Historically,
    Implies,
    Next,
    Not,
    Once,
    Or,
    Previous,
    Release,
    Since,
    Term,
    Then,
    Trigger,
    Until,
    Variable,
    WeakNext,
    WeakPrevious,
    free_variables,
    has_then,
)
from eai.logic.trace import Trajectory

__all__ = ["Level", "Literal", "Search", "candidates", "search_plan"]

_DEPTH = 30
"""So far below its root a formula is looked into for candidates."""

Literal = tuple[Formula, bool]
"""A formula and the truth value that is wanted of it."""

Binding = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Level:
    """One variable of a quantifier.

    Args:
        variable: Name of the variable that is bound here.
        decided: Literals whose last free variable it is.
        constraints: All literals that mention it, decided here or later.
        depends: Names bound before, on which this and the later levels depend.
    """

    variable: str
    decided: tuple[Literal, ...]
    constraints: tuple[Literal, ...]
    depends: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Search:
    """The order of work for one quantifier over state formulas.

    Args:
        outside: Literals that mention none of its variables.
        levels: One for each variable.
    """

    outside: tuple[Literal, ...]
    levels: tuple[Level, ...]


@lru_cache(maxsize=2048)
def search_plan(quantified: Forall | Exists) -> Search:
    """Plan the search for a binding that decides the quantifier.

    That is a binding under which the body is true for ``exists``, false for ``forall``.
    """
    names = [variable.name for variable in quantified.variables]
    levels: list[list[tuple[Literal, set[str]]]] = [[] for _ in names]
    outside: list[Literal] = []
    for literal in _literals(quantified.body, wanted=isinstance(quantified, Exists)):
        mentioned = {variable.name for variable in free_variables(literal[0])}
        last = max((i for i, name in enumerate(names) if name in mentioned), default=None)
        if last is None:
            outside.append(literal)
        else:
            levels[last].append((literal, mentioned))
    return Search(tuple(outside), tuple(_level(names, levels, i) for i in range(len(names))))


def _level(names: list[str], levels: list[list[tuple[Literal, set[str]]]], index: int) -> Level:
    later = [pair for level in levels[index:] for pair in level]
    mentioned = set[str]().union(*(mentions for _, mentions in later))
    return Level(
        variable=names[index],
        decided=tuple(literal for literal, _ in levels[index]),
        constraints=tuple(literal for literal, mentions in later if names[index] in mentions),
        depends=tuple(sorted(mentioned.difference(names[index:]))),
    )


def _literals(formula: Formula, *, wanted: bool) -> Iterator[Literal]:
    """Split a formula into literals that must all have their wanted value, in reading order."""
    pending: list[Literal] = [(formula, wanted)]
    while pending:
        node, wish = pending.pop()
        if isinstance(node, Not):
            pending.append((node.operand, not wish))
        elif isinstance(node, And if wish else Or):
            pending += [(operand, wish) for operand in reversed(node.operands)]
        elif isinstance(node, Implies) and not wish:
            pending += [(node.right, False), (node.left, True)]
        else:
            yield node, wish


def candidates(
    literals: Iterable[Literal], name: str, *, binding: Binding, trajectory: Trajectory
) -> frozenset[str] | None:
    """Return the objects outside which some literal never has its wanted value.

    Actions tell: few are taken, and their arguments are known. State propositions tell if the
    trajectory knows the objects for which they are ever true (:class:`~eai.logic.trace.Extents`).

    Args:
        literals: Formulas that must all have their wanted values. Of a formula with ``then``
            the value on any part of the trajectory is meant, of others at any position.
        name: The variable whose objects are asked for.
        binding: The variables that are bound already; others may be anything.
        trajectory: Where the actions are taken.

    Returns:
        A set that contains every object that may take the variable's place, or None if all may.
    """
    question = _Question(name, binding, trajectory, getattr(trajectory, "ever", None))
    found = [question.ask(formula, wanted=wanted) for formula, wanted in literals]
    return min((each for each in found if each is not None), key=len, default=None)


@dataclass(slots=True)
class _Question:
    """For which objects can a formula have a wanted value?"""

    name: str
    binding: Binding
    trajectory: Trajectory
    ever: Callable[[str, tuple[str | None, ...], int], frozenset[str] | None] | None
    depth: int = 0

    def ask(self, formula: Formula, *, wanted: bool) -> frozenset[str] | None:
        """Objects for which it can be so; None if it cannot be told, or not cheaply."""
        answer = _ANSWERS.get(type(formula))
        # A state formula also fails on an empty part, whatever the object.
        if answer is None or self.depth == _DEPTH or (not wanted and has_then(formula)):
            return None
        self.depth += 1
        found = answer(self, formula, wanted=wanted)
        self.depth -= 1
        return found

    def atom(self, formula: Atom, *, wanted: bool) -> frozenset[str] | None:
        if not wanted or self.ever is None:
            return None
        place = next((i for i, term in enumerate(formula.terms) if self._asked(term)), None)
        if place is None:
            return None
        known = tuple(
            self.binding.get(term.name) if isinstance(term, Variable) else term
            for term in formula.terms
        )
        return self.ever(formula.predicate, known, place)

    def action(self, formula: ActionAtom, *, wanted: bool) -> frozenset[str] | None:
        if not wanted or not any(self._asked(term) for term in formula.terms):
            return None
        taken = self.trajectory.taken(formula.action)
        return frozenset(
            argument
            for _, arguments in taken
            if all(map(self._fits, formula.terms, arguments))
            for term, argument in zip(formula.terms, arguments, strict=False)
            if self._asked(term)
        )

    def equal(self, formula: Equal, *, wanted: bool) -> frozenset[str] | None:
        if not wanted or self._asked(formula.left) == self._asked(formula.right):
            return None
        other = formula.right if self._asked(formula.left) else formula.left
        known = self.binding.get(other.name) if isinstance(other, Variable) else other
        return None if known is None else frozenset({known})

    def negation(self, formula: Not, *, wanted: bool) -> frozenset[str] | None:
        return self.ask(formula.operand, wanted=not wanted)

    def conjunction(self, formula: And, *, wanted: bool) -> frozenset[str] | None:
        join = self._least if wanted else self._union
        return join([self.ask(operand, wanted=wanted) for operand in formula.operands])

    def disjunction(self, formula: Or, *, wanted: bool) -> frozenset[str] | None:
        join = self._union if wanted else self._least
        return join([self.ask(operand, wanted=wanted) for operand in formula.operands])

    def implication(self, formula: Implies, *, wanted: bool) -> frozenset[str] | None:
        if has_then(formula):
            return None
        join = self._union if wanted else self._least
        return join(
            [self.ask(formula.left, wanted=not wanted), self.ask(formula.right, wanted=wanted)]
        )

    def sequence(self, formula: Then, *, wanted: bool) -> frozenset[str] | None:
        return self._least([self.ask(operand, wanted=wanted) for operand in formula.operands])

    def operand(self, formula: Next | Eventually, *, wanted: bool) -> frozenset[str] | None:
        """The operand has to have the value at some position."""
        return self.ask(formula.operand, wanted=wanted)

    def strong(self, formula: Next | Previous, *, wanted: bool) -> frozenset[str] | None:
        """As for an operand, but false for want of a position, whatever the object."""
        return self.ask(formula.operand, wanted=True) if wanted else None

    def weak(self, formula: WeakNext | WeakPrevious, *, wanted: bool) -> frozenset[str] | None:
        """As for an operand, but true for want of a position, whatever the object."""
        return None if wanted else self.ask(formula.operand, wanted=False)

    def right(self, formula: Until | Release, *, wanted: bool) -> frozenset[str] | None:
        """The right side has to have the value at some position."""
        return self.ask(formula.right, wanted=wanted)

    def quantified(self, formula: Forall | Exists, *, wanted: bool) -> frozenset[str] | None:
        names = {variable.name for variable in formula.variables}
        if wanted is not isinstance(formula, Exists) or self.name in names:
            return None
        outer = {name: bound for name, bound in self.binding.items() if name not in names}
        inner = _Question(self.name, outer, self.trajectory, self.ever, self.depth)
        return inner.ask(formula.body, wanted=wanted)

    def _asked(self, term: Term) -> bool:
        return isinstance(term, Variable) and term.name == self.name

    def _fits(self, term: Term, argument: str) -> bool:
        if isinstance(term, Variable):
            return self.binding.get(term.name, argument) == argument
        return term == argument

    @staticmethod
    def _least(found: list[frozenset[str] | None]) -> frozenset[str] | None:
        """All must have the value: the smallest set will do."""
        return min((each for each in found if each is not None), key=len, default=None)

    @staticmethod
    def _union(found: list[frozenset[str] | None]) -> frozenset[str] | None:
        """One must have the value: every set counts."""
        if None in found:
            return None
        return frozenset[str]().union(*(each for each in found if each is not None))


_ANSWERS: dict[type[Formula], Callable[..., frozenset[str] | None]] = {
    Atom: _Question.atom,
    ActionAtom: _Question.action,
    Equal: _Question.equal,
    Not: _Question.negation,
    And: _Question.conjunction,
    Or: _Question.disjunction,
    Implies: _Question.implication,
    Then: _Question.sequence,
    Forall: _Question.quantified,
    Exists: _Question.quantified,
    Next: _Question.strong,
    Previous: _Question.strong,
    WeakNext: _Question.weak,
    WeakPrevious: _Question.weak,
    **dict.fromkeys((Eventually, Always, Once, Historically), _Question.operand),
    **dict.fromkeys((Until, Release, Since, Trigger), _Question.right),
}
