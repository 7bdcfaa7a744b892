"""On which literals the value of a condition rests: one signed walk over conditions.

The nodes say what a value takes (:meth:`~eai.logic.tree.Formula.split`): all of its parts, or one
of them. Where all are needed, a value rests on what the parts rest on together; where one will do,
one is chosen. Two questions are answered in this way. Why does a condition hold, or fail (causal
links)? And how can it be made to hold: as long as every literal stays on which it rests that it
fails, it fails, so one of them has to change (a disjunctive landmark).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from eai.logic import Atom, Equal, Formula, Term, Variable, atoms
from eai.world import Literal, State, World

Env = Mapping[str, int]
"""Variable name to the number of an object."""

Part = tuple[Formula, Env, bool]
"""A condition, the objects of its variables, and the value that it is to have."""

Reads = frozenset[Literal]
"""The literals on which something rests."""

NOTHING: Reads = frozenset()

Rule = tuple[tuple[Variable, ...], Formula]
"""Head and body of an axiom."""


@lru_cache(maxsize=16)
def rules_of(world: World) -> Mapping[str, list[Rule]]:
    """Return the axioms that say what a derived predicate means, by predicate.

    A function that computes a predicate may say something else than its axioms, unless it is
    recursive: then it is computed because that is quicker.
    """
    found: dict[str, list[Rule]] = {}
    for axiom in world.domain.axioms:
        head = tuple(term for term in axiom.head.terms if isinstance(term, Variable))
        found.setdefault(axiom.head.predicate, []).append((head, axiom.body))
    for name in world.computed.intersection(found):
        parts = [each for _, body in found[name] for each in atoms(body)]
        if not any(isinstance(each, Atom) and each.predicate == name for each in parts):
            del found[name]
    return found


class Reasons(ABC):
    """Finds the literals on which values of conditions rest, in one ``state`` after the other."""

    def __init__(self, world: World, start: State) -> None:
        self.world = world
        self.start = self.state = start
        self.universe = start.universe
        self.rules = rules_of(world)

    def of(self, formula: Formula, env: Env, value: bool = True) -> Reads | None:
        """Return the literals on which a condition's value rests; None if it has another here."""
        if isinstance(formula, Atom):
            return self.atom(formula, env, value)
        signed = formula.split(value)
        if signed is not None:
            parts = ((part, env, wish) for part, wish in signed.parts)
            return self.together(parts) if signed.every else self.choice(parts)
        if isinstance(formula, Equal):
            left, right = self.numbers(formula.terms, env)
            return NOTHING if (left == right) is value else None
        return self.other(formula, env, value)

    def numbers(self, terms: Iterable[Term], env: Env) -> tuple[int, ...]:
        """Return the numbers of the objects that terms stand for."""
        number = self.universe.number
        return tuple([env[t.name] if isinstance(t, Variable) else number(t) for t in terms])

    def atom(self, atom: Atom, env: Env, value: bool) -> Reads | None:
        """See :meth:`of`."""
        if atom.predicate in self.world.derived:
            return self.derived(atom, env, value)
        p, numbers = self.world.layout.index[atom.predicate], self.numbers(atom.terms, env)
        return self.literal((p, numbers, value)) if self.state.test(p, numbers) is value else None

    def together(self, parts: Iterable[Part]) -> Reads | None:
        """Return what all parts rest on; None if one of them does not have its value."""
        joined = set[Literal]()
        for part in parts:
            found = self.of(*part)
            if found is None:
                return None
            joined |= found
        return frozenset(joined)

    def bodies(self, predicate: str, numbers: tuple[int, ...], value: bool) -> Iterator[Part]:
        """Yield the bodies of the rules for an atom; objects of other types have none."""
        mask = self.universe.mask
        for head, body in self.rules.get(predicate, ()):
            if all(mask(v.types) >> n & 1 for v, n in zip(head, numbers, strict=True)):
                yield body, dict(zip((v.name for v in head), numbers, strict=True)), value

    @abstractmethod
    def literal(self, literal: Literal) -> Reads:
        """What a literal that holds here rests on: itself, or nothing if it always does."""

    @abstractmethod
    def choice(self, parts: Iterable[Part]) -> Reads | None:
        """What a part rests on that has its value; None if there is none."""

    @abstractmethod
    def derived(self, atom: Atom, env: Env, value: bool) -> Reads | None:
        """See :meth:`of`, for an atom that axioms define."""

    @abstractmethod
    def other(self, formula: Formula, env: Env, value: bool) -> Reads | None:
        """See :meth:`of`, for what quantifies, compares, counts or pairs off, and for actions."""
