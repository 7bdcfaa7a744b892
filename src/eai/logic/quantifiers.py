"""Which objects a quantifier has to look at, and in which order it decides its body.

``exists`` asks for a binding that makes the body true, ``forall`` for one that makes it false:
one search serves both. The body is split into *literals* that all must have a wanted truth
value, and each is decided as soon as its variables are bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from eai.logic.expansion import Binding
from eai.logic.formula import Atom, Equal, Proposition, Quantifier
from eai.logic.nodes import Variable
from eai.logic.trace import Trajectory
from eai.logic.tree import Formula, Not

_DEPTH = 30
"""So far below its root a formula is looked into for candidates."""

Literal = tuple[Formula, bool]
"""A formula and the truth value that is wanted of it."""


@dataclass(frozen=True, slots=True)
class Level:
    """One variable of a quantifier.

    Some literals are decided here, as it is their last free variable; the constraints mention it,
    and are decided here or later. This and the later levels depend on names bound before.
    """

    variable: str
    decided: tuple[Literal, ...]
    constraints: tuple[Literal, ...]
    depends: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Search:
    """The order of work for one quantifier: literals without its variables, and its levels.

    If any one of several parts decides it, and some do without some variables, there is nothing but
    a quantifier for each part: each has fewer bindings to try.
    """

    outside: tuple[Literal, ...] = ()
    levels: tuple[Level, ...] = ()
    choices: tuple[Quantifier, ...] = ()


@lru_cache(maxsize=2048)
def search_plan(quantified: Quantifier) -> Search:
    """Plan the search for a binding that decides the quantifier.

    That is a binding under which the body is true for ``exists``, false for ``forall``.
    """
    variables, wants = quantified.variables, quantified.wants
    names = [variable.name for variable in variables]
    choice = quantified.body.split(wants)
    if choice is not None and not choice.every and len(names) > 1:
        bodies = [part if wish is wants else Not(part) for part, wish in choice.parts]
        if not all(body.free_names.issuperset(names) for body in bodies):
            return Search(choices=tuple([type(quantified)(variables, each) for each in bodies]))
    decided: list[list[Literal]] = [[] for _ in names]
    outside: list[Literal] = []
    for literal in _literals(quantified.body, wanted=wants):
        free = literal[0].free_names
        last = [level for level, name in zip(decided, names, strict=True) if name in free]
        (last[-1] if last else outside).append(literal)
    levels = []
    for index, name in enumerate(names):
        later = [literal for level in decided[index:] for literal in level]
        mentioned = {each for part, _ in later for each in part.free_names}
        levels.append(
            Level(
                variable=name,
                decided=tuple(decided[index]),
                constraints=tuple([each for each in later if name in each[0].free_names]),
                depends=tuple(sorted(mentioned.difference(names[index:]))),
            )
        )
    return Search(tuple(outside), tuple(levels))


def _literals(formula: Formula, *, wanted: bool) -> Iterator[Literal]:
    """Split a formula into literals that must all have their wanted value, in reading order."""
    split = formula.split(wanted)
    if split is None or not split.every:
        yield formula, wanted
        return
    for part, wish in split.parts:
        yield from _literals(part, wanted=wish)


def candidates(
    literals: Iterable[Literal], name: str, *, binding: Binding, trajectory: Trajectory
) -> frozenset[str] | None:
    """Return the objects outside which some literal never has its wanted value; None for all.

    Actions tell: few are taken, and their arguments are known. State propositions tell if the
    trajectory knows the objects for which they are ever true (:meth:`Trace.ever`). Of a formula
    with ``then`` the value on any part is meant, of others at any position. Variables that are
    not bound may be anything.
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

    def ask(self, formula: Formula, *, wanted: bool, depth: int = 0) -> frozenset[str] | None:
        """Objects for which it can be so; None if it cannot be told, or not cheaply."""
        if isinstance(formula, (Proposition, Equal)):
            return self._proposition(formula) if wanted else None
        needed = formula.needs(wanted)
        if needed is None or depth == _DEPTH:
            return None
        # On a part without positions a state formula fails whatever the object, so above a
        # `then` failing tells nothing.
        if formula.has_then and not (wanted and all(wish for _, wish in needed.parts)):
            return None
        asked = self
        names = {variable.name for variable in formula.variables}
        if names:
            if self.name in names:
                return None
            outer = {name: bound for name, bound in self.binding.items() if name not in names}
            asked = _Question(self.name, outer, self.trajectory, self.ever)
        found = [asked.ask(part, wanted=wish, depth=depth + 1) for part, wish in needed.parts]
        if needed.every:  # the smallest set will do
            return min((each for each in found if each is not None), key=len, default=None)
        if None in found:
            return None
        return frozenset[str]().union(*(each for each in found if each is not None))

    def _proposition(self, formula: Proposition | Equal) -> frozenset[str] | None:
        locations = [
            i
            for i, term in enumerate(formula.terms)
            if isinstance(term, Variable) and term.name == self.name
        ]
        if not locations:
            return None
        known = tuple(
            self.binding.get(term.name) if isinstance(term, Variable) else term
            for term in formula.terms
        )
        if isinstance(formula, Atom):
            return None if self.ever is None else self.ever(formula.predicate, known, locations[0])
        if isinstance(formula, Equal):
            other = known[1 - locations[0]]
            return None if len(locations) == 2 or other is None else frozenset({other})
        return frozenset(
            arguments[place]
            for _, arguments in self.trajectory.taken(formula.name)
            if all(one is None or one == other for one, other in zip(known, arguments))  # noqa: B905
            for place in locations
            if place < len(arguments)
        )
