"""Lifted conditions and effects, turned into functions that ground them for one binding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement, pairwise, product
from math import comb, prod
from operator import itemgetter
from typing import Any

from eai.errors import InputError
from eai.logic import And, Atom, Bits, Count, Equal, Formula, Implies, Quantifier, Term, Variable
from eai.planning.conditions import IMPOSSIBLE, NOTHING, Condition, conjoin, disjoin


def bindings(
    binding: list[str],
    locations: Sequence[int],
    ranges: Sequence[Sequence[str]],
    count: Callable[[int], None],
    *,
    alike: bool = False,
) -> Iterator[None]:
    """Put every combination of objects into the places of a binding, one after the other.

    The number of combinations is counted before the first is made; what that raises ends the
    work. Where places are alike, each selection of their objects is put in once, in one order.
    """
    size = len(locations)
    number = comb(len(ranges[0]) + size - 1, size) if alike else prod(map(len, ranges))
    count(number * max(1, size))
    every = combinations_with_replacement(ranges[0], size) if alike else product(*ranges)
    for done, names in enumerate(every, start=1):
        for place, name in zip(locations, names, strict=True):
            binding[place] = name
        yield
        if not done & 1023:
            count(0)  # a look at the clock


def interchangeable(formula: Quantifier) -> bool:
    """Whether it makes no difference which of the variables stands for which object."""
    variables = formula.variables
    if len(variables) < 2 or any(v.types != variables[0].types for v in variables):
        return False
    shape = _shape(formula.body)
    return all(
        _shape(formula.body.substitute({one.name: other, other.name: one})) == shape
        for one, other in pairwise(variables)
    )


def _shape(formula: Formula) -> object:
    """What two conditions have in common that differ in the order of their parts only."""
    signed = formula.split(True)
    if signed is not None:
        return signed.every, frozenset((_shape(part), wish) for part, wish in signed.parts)
    return frozenset(formula.terms) if isinstance(formula, Equal) else formula


Binding = list[str]
"""Objects by slot: parameters, constants and quantified variables."""

Ground = Callable[[Binding], Condition]
Builder = Callable[[Binding], int]
"""Returns the place of an atom's positive literal in masks."""


class Vocabulary:
    """The atoms that may change, numbered as they come up, and the facts that may not.

    Objects (constants included) have types, and types direct supertypes. How many conditions and
    effects will be looked at next is counted; what that raises ends the work.
    """

    def __init__(
        self,
        objects: Mapping[str, str],
        within: Mapping[str, str],
        *,
        fluents: frozenset[str],
        facts: Iterable[Atom],
        count: Callable[[int], None],
    ) -> None:
        self.fluents = fluents
        self.count = count
        members: dict[str, list[str]] = {"object": list(objects)}
        for name, type_name in objects.items():
            current, seen = type_name, {"object"}
            while current not in seen:
                seen.add(current)
                members.setdefault(current, []).append(name)
                current = within.get(current, "object")
        self.members = {type_name: tuple(names) for type_name, names in members.items()}
        self.atoms: list[tuple[str, tuple[str, ...]]] = []
        self.tables: dict[str, dict[Any, int]] = {}
        self.static: dict[str, set[tuple[str, ...]]] = {}
        self.reachable: dict[str, set[tuple[str, ...]]] = {}
        self.definitions: dict[str, Callable[[tuple[str, ...], bool], Condition]] = {}
        self.initial: dict[tuple[str, tuple[str, ...]], None] = {}
        for atom in facts:
            arguments = tuple([str(term) for term in atom.terms])
            if atom.predicate in fluents:
                self.initial[atom.predicate, arguments] = None
            else:
                self.static.setdefault(atom.predicate, set()).add(arguments)

    def objects(self, types: Sequence[str]) -> tuple[str, ...]:
        """Objects of any of the types, in order; a type that is not declared has none."""
        if len(types) == 1:
            return self.members.get(types[0], ())
        wanted = {name for type_name in types for name in self.members.get(type_name, ())}
        return tuple([name for name in self.members["object"] if name in wanted])

    def facts(self, predicate: str) -> set[tuple[str, ...]] | None:
        """Arguments for which a predicate can ever be true; None if that was not found out."""
        if predicate in self.fluents or predicate in self.definitions:
            return self.reachable.get(predicate)
        return self.static.get(predicate, set())

    def enter(self, predicate: str, arguments: tuple[str, ...]) -> None:
        """Number an atom that may change, unless it has a number."""
        table = self.tables.setdefault(predicate, {})
        key: object = arguments[0] if len(arguments) == 1 else arguments
        if key not in table:
            self.number(table, key, predicate)

    def number(self, table: dict[Any, int], key: object, predicate: str) -> int:
        """Number a new atom and return the place of its positive literal."""
        place = table[key] = 2 * len(self.atoms)
        self.atoms.append((predicate, key if isinstance(key, tuple) else (str(key),)))
        return place


@dataclass
class Lifter:
    """Compiles the formulas of one operator, rule or goal."""

    vocabulary: Vocabulary
    slots: dict[str, int] = field(default_factory=dict)
    start: Binding = field(default_factory=list)

    def bind(self, variables: Iterable[Variable]) -> list[int]:
        """Make a slot for each variable; it hides others of the same name."""
        locations = []
        for variable in variables:
            locations.append(len(self.start))
            self.slots[f"?{variable.name}"] = len(self.start)
            self.start.append("")
        return locations

    def slot(self, term: Term) -> int:
        """Return the slot of a term. A variable that nothing binds stands for no object."""
        name = f"?{term.name}" if isinstance(term, Variable) else term
        place = self.slots.get(name)
        if place is None:
            place = self.slots[name] = len(self.start)
            self.start.append(name)
        return place

    def atom(self, atom: Atom) -> Builder:
        """Compile an atom that may change to a function that finds its positive literal."""
        slots = list(map(self.slot, atom.terms))
        get: Callable[[Binding], Any]  # the arguments; one stands alone
        get = itemgetter(*slots) if slots else lambda _: ()
        table = self.vocabulary.tables.setdefault(atom.predicate, {})
        number, predicate = self.vocabulary.number, atom.predicate

        def place(binding: Binding) -> int:
            key = get(binding)
            known = table.get(key)
            return number(table, key, predicate) if known is None else known

        return place

    def condition(self, formula: Formula, *, wanted: bool = True) -> Ground:
        """Compile a condition (or its negation) to a function that grounds it.

        Raises:
            InputError: If it is not a condition of ADL.
        """
        if isinstance(formula, Atom):
            if formula.predicate in self.vocabulary.fluents:
                place, true = self.atom(formula), 1 if wanted else 2
                return lambda binding: Condition(true << place(binding))
            slots = list(map(self.slot, formula.terms))
            defined = self.vocabulary.definitions.get(formula.predicate)
            if defined is not None:
                return lambda binding: defined(tuple([binding[i] for i in slots]), wanted)
            facts = self.vocabulary.static.get(formula.predicate, set())
            yes, no = (NOTHING, IMPOSSIBLE) if wanted else (IMPOSSIBLE, NOTHING)
            return lambda binding: yes if tuple([binding[i] for i in slots]) in facts else no
        signed = formula.split(wanted)
        if signed is not None:
            parts = [self.condition(part, wanted=wish) for part, wish in signed.parts]
            return parts[0] if len(parts) == 1 else _joined(parts, every=signed.every)
        if isinstance(formula, Quantifier):
            return self._quantified(formula, wanted)
        if isinstance(formula, Equal):
            this, other = self.slot(formula.left), self.slot(formula.right)
            yes, no = (NOTHING, IMPOSSIBLE) if wanted else (IMPOSSIBLE, NOTHING)
            return lambda binding: yes if binding[this] == binding[other] else no
        if isinstance(formula, Count):
            return self._counted(formula, wanted)
        if formula.is_temporal or formula.variables or len(formula.operands) != 2:
            raise InputError(
                f"{type(formula).__name__} cannot stand in a planning task",
                expected="a condition of ADL: and, or, not, imply, forall, exists, =, predicates",
            )
        # It says that its sides agree, or that they differ.
        left, right = formula.operands
        same = And((Implies(left, right), Implies(right, left)))
        return self.condition(same, wanted=wanted is bool(formula.combine(Bits(1), (1, 1))))

    def _quantified(self, formula: Quantifier, wanted: bool) -> Ground:
        outer = dict(self.slots)
        locations = self.bind(formula.variables)
        ranges = [self.vocabulary.objects(variable.types) for variable in formula.variables]
        body = self.condition(formula.body, wanted=wanted)
        self.leave(outer)
        join = disjoin if formula.wants is wanted else conjoin
        alike = interchangeable(formula)
        # What is made for a combination of objects takes about as long as four looks at a part.
        size = 4 * (2 + sum(1 for _ in formula.body.walk()))

        def count(combinations: int) -> None:
            self.vocabulary.count(combinations * size)

        return lambda binding: join(
            [body(binding) for _ in bindings(binding, locations, ranges, count, alike=alike)]
        )

    def _counted(self, formula: Count, wanted: bool) -> Ground:
        """At least n: some n objects satisfy the body. At most n: all but n falsify it."""
        outer = dict(self.slots)
        (place,) = self.bind((formula.variable,))
        objects = self.vocabulary.objects(formula.variable.types)
        yes, no = self.condition(formula.body), self.condition(formula.body, wanted=False)
        self.leave(outer)

        def some_of(number: int, part: Ground) -> Ground:
            return _some_of(number, part, place, objects, self.vocabulary.count)

        n, others = formula.number, len(objects) - formula.number
        if wanted:
            sides = {"at least": some_of(n, yes), "at most": some_of(others, no)}
        else:
            sides = {"at least": some_of(others + 1, no), "at most": some_of(n + 1, yes)}
        return sides.get(formula.comparison) or _joined(tuple(sides.values()), every=wanted)

    def leave(self, outer: Mapping[str, int]) -> None:
        """Forget the variables of an inner scope; constants are kept."""
        for name in [name for name in self.slots if name.startswith("?")]:
            if name not in outer:
                del self.slots[name]
        self.slots.update(outer)


def _joined(parts: Sequence[Ground], *, every: bool) -> Ground:
    """All of some conditions, or one of them."""
    # What decides it, and what changes nothing.
    end, idle = (IMPOSSIBLE, NOTHING) if every else (NOTHING, IMPOSSIBLE)
    join = conjoin if every else disjoin

    def ground(binding: Binding) -> Condition:
        found = []
        for part in parts:
            condition = part(binding)
            if condition is end:
                return end
            if condition is not idle:
                found.append(condition)
        return join(found) if found else idle

    return ground


def _some_of(
    number: int, part: Ground, place: int, objects: Sequence[str], count: Callable[[int], None]
) -> Ground:
    """Some ``number`` of the objects, put into the place, satisfy the part."""

    def ground(binding: Binding) -> Condition:
        if number <= 0:
            return NOTHING
        count(comb(len(objects), number) * number)
        found = []
        for name in objects:
            binding[place] = name
            found.append(part(binding))
        options = []
        for done, chosen in enumerate(combinations(found, number), start=1):
            options.append(conjoin(chosen))
            if not done & 1023:
                count(0)  # a look at the clock
        return disjoin(options)

    return ground
