"""Lifted conditions and effects, compiled to functions that ground them for one binding.

Idea: a formula is walked once for its schema, and becomes a closure that returns the ground
condition (:class:`~eai.planning.conditions.Condition`) of a binding of the parameters. Static atoms
are decided at once, so what can never hold ends early.

Invariant: a closure reads only the slots of its formula's terms; quantified variables have slots of
their own, which it overwrites.

Cost: a quantifier takes as many steps as there are combinations of its objects; they are counted
before the first is made.
"""

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

_LOOKS_PER_COMBINATION = 4
"""Number of looks at a part of a condition that take as long as one combination of objects."""

_CLOCK_MASK = 1023
"""Bits of the number of combinations; the clock is read whenever they are all zero."""


def bindings(
    binding: list[str],
    slots: Sequence[int],
    ranges: Sequence[Sequence[str]],
    count: Callable[[int], None],
    *,
    is_unordered: bool = False,
) -> Iterator[None]:
    """Assign every combination of objects to some slots of a binding, one after another.

    Args:
        binding: Objects by slot; changed here.
        slots: The slots that get objects.
        ranges: The objects of each of these slots.
        count: Called with the number of combinations before the first is made; an exception that
            it raises ends the iteration.
        is_unordered: Whether the order of the objects in the slots does not matter. Each selection
            of objects is then assigned once.

    Yields:
        None: each time, the binding holds the next combination.
    """
    number_of_slots = len(slots)
    combinations_of_objects: Iterable[Sequence[str]]
    if is_unordered:
        number_of_combinations = comb(len(ranges[0]) + number_of_slots - 1, number_of_slots)
        combinations_of_objects = combinations_with_replacement(ranges[0], number_of_slots)
    else:
        number_of_combinations = prod(map(len, ranges))
        combinations_of_objects = product(*ranges)
    count(number_of_combinations * max(1, number_of_slots))
    # The clock is read at intervals only, by counting nothing.
    for combinations_done, names in enumerate(combinations_of_objects, start=1):
        for slot, name in zip(slots, names, strict=True):
            binding[slot] = name
        yield
        if not combinations_done & _CLOCK_MASK:
            count(0)


def interchangeable(formula: Quantifier) -> bool:
    """Return whether the variables of a quantifier are interchangeable.

    Example:
        >>> from eai.logic import parse_formula
        >>> interchangeable(parse_formula("exists x, y. (on(x, y) and on(y, x))"))
        True
    """
    variables = formula.variables
    if len(variables) < 2 or any(v.types != variables[0].types for v in variables):
        return False
    shape = _order_free_key(formula.body)
    # Swaps of neighbours generate all permutations.
    for left, right in pairwise(variables):
        swapped = formula.body.substitute({left.name: right, right.name: left})
        if _order_free_key(swapped) != shape:
            return False
    return True


def _order_free_key(formula: Formula) -> object:
    """Return a key that is equal for conditions with the same parts in any order.

    ``a and b`` has the key of ``b and a``, and ``x = y`` that of ``y = x``.
    """
    signed = formula.split(True)
    if signed is not None:
        part_keys = frozenset(
            (_order_free_key(part), part_wanted) for part, part_wanted in signed.parts
        )
        return signed.every, part_keys
    if isinstance(formula, Equal):
        return frozenset(formula.terms)
    return formula


Binding = list[str]
"""Objects by slot: parameters, constants and quantified variables."""

Ground = Callable[[Binding], Condition]
"""Returns the ground condition of a binding."""

Builder = Callable[[Binding], int]
"""Returns the position of an atom's positive literal in masks."""


class Vocabulary:
    """The numbered atoms that may change, and the facts that never change.

    Args:
        objects: Object (constants included) to its type.
        within: Type to its direct supertype.
        fluents: Predicates that may change.
        facts: The atoms that hold at the start.
        count: Called with the number of conditions and effects that are examined next; what it
            raises ends the work.
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
        self.members = _members_of_types(objects, within)
        # Ground atoms in the order of their numbers; and by predicate: number by arguments.
        self.atoms: list[tuple[str, tuple[str, ...]]] = []
        self.tables: dict[str, dict[Any, int]] = {}
        # Facts that never change, facts that may be reached, and what defined atoms stand for.
        self.static: dict[str, set[tuple[str, ...]]] = {}
        self.reachable: dict[str, set[tuple[str, ...]]] = {}
        self.definitions: dict[str, Callable[[tuple[str, ...], bool], Condition]] = {}
        self.initial: dict[tuple[str, tuple[str, ...]], None] = {}
        # Facts of fluents can change; all other facts are static.
        for atom in facts:
            arguments = tuple([str(term) for term in atom.terms])
            if atom.predicate in fluents:
                self.initial[atom.predicate, arguments] = None
            else:
                self.static.setdefault(atom.predicate, set()).add(arguments)

    def objects(self, types: Sequence[str]) -> tuple[str, ...]:
        """Return the objects of any of some types, in order. An undeclared type has none."""
        if len(types) == 1:
            return self.members.get(types[0], ())
        subtypes: set[str] = set()
        for type_name in types:
            subtypes.update(self.members.get(type_name, ()))
        return tuple([name for name in self.members["object"] if name in subtypes])

    def facts(self, predicate: str) -> set[tuple[str, ...]] | None:
        """Return the arguments for which a predicate can ever be true; None if that is open."""
        if predicate in self.fluents or predicate in self.definitions:
            return self.reachable.get(predicate)
        return self.static.get(predicate, set())

    def enter(self, predicate: str, arguments: tuple[str, ...]) -> None:
        """Number a changeable atom unless it has a number."""
        table = self.tables.setdefault(predicate, {})
        # A single argument is its own key: `itemgetter` of one slot returns no tuple either.
        key: object = arguments
        if len(arguments) == 1:
            key = arguments[0]
        if key not in table:
            self.number(table, key, predicate)

    def number(self, table: dict[Any, int], key: object, predicate: str) -> int:
        """Number a new atom and return the position of its positive literal."""
        position = table[key] = 2 * len(self.atoms)
        self.atoms.append((predicate, key if isinstance(key, tuple) else (str(key),)))
        return position


def _members_of_types(
    objects: Mapping[str, str], within: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    """Return the objects of each type, those of its subtypes included, in order.

    Args:
        objects: Types of the objects.
        within: Supertypes of the types.
    """
    members: dict[str, list[str]] = {"object": list(objects)}
    for name, type_name in objects.items():
        current = type_name
        visited = {"object"}
        while current not in visited:  # a circle of types ends here
            visited.add(current)
            members.setdefault(current, []).append(name)
            current = within.get(current, "object")
    return {type_name: tuple(names) for type_name, names in members.items()}


@dataclass
class Lifter:
    """Compiles the formulas of one operator, rule or goal.

    Args:
        vocabulary: The atoms and facts.
        slots: Variable or constant to its slot in a binding.
        start: The binding to begin with: constants are there, variables are open.
    """

    vocabulary: Vocabulary
    slots: dict[str, int] = field(default_factory=dict)
    start: Binding = field(default_factory=list)

    def bind(self, variables: Iterable[Variable]) -> list[int]:
        """Add a slot for each variable, which hides outer variables of the same name."""
        slots = []
        for variable in variables:
            slot = len(self.start)
            slots.append(slot)
            self.slots[f"?{variable.name}"] = slot
            self.start.append("")
        return slots

    def slot(self, term: Term) -> int:
        """Return the slot of a term; a new term gets a new slot."""
        # No object begins with a question mark, so variables and objects share one table.
        name = f"?{term.name}" if isinstance(term, Variable) else term
        slot = self.slots.get(name)
        if slot is None:
            slot = self.slots[name] = len(self.start)
            self.start.append(name)
        return slot

    def atom(self, atom: Atom) -> Builder:
        """Return a function from bindings to the positive literal of a changeable atom.

        The function takes a binding, the objects in the slots of the variables, and looks the
        number of the ground atom up.
        """
        slots = list(map(self.slot, atom.terms))
        # Tables have the arguments of an atom as keys: a tuple, or a single argument without a
        # tuple, as itemgetter returns them.
        get_arguments: Callable[[Binding], Any]
        if slots:
            get_arguments = itemgetter(*slots)
        else:
            get_arguments = _no_arguments
        table = self.vocabulary.tables.setdefault(atom.predicate, {})
        number = self.vocabulary.number
        predicate = atom.predicate

        def literal(binding: Binding) -> int:
            # Called for every atom of every ground condition and effect: one look-up if it is
            # known.
            arguments = get_arguments(binding)
            position = table.get(arguments)
            if position is None:
                return number(table, arguments, predicate)
            return position

        return literal

    def condition(self, formula: Formula, *, wanted: bool = True) -> Ground:
        """Return a function from bindings to a ground condition, or its negation.

        Args:
            formula: The condition.
            wanted: Whether the condition has to hold; False for its negation.

        Raises:
            InputError: If it is not a condition of ADL.
        """
        if isinstance(formula, Atom):
            return self._compile_atom(formula, wanted)
        signed = formula.split(wanted)
        if signed is not None:
            # "a implies b" is split into "not a" or "b": each part has the value it must have.
            parts = [self.condition(part, wanted=part_wanted) for part, part_wanted in signed.parts]
            if len(parts) == 1:
                return parts[0]
            return _combine(parts, every=signed.every)
        if isinstance(formula, Quantifier):
            return self._compile_quantifier(formula, wanted)
        if isinstance(formula, Equal):
            left_slot = self.slot(formula.left)
            right_slot = self.slot(formula.right)
            equal, different = _truth_conditions(wanted)
            return lambda binding: equal if binding[left_slot] == binding[right_slot] else different
        if isinstance(formula, Count):
            return self._compile_count(formula, wanted)
        if formula.is_temporal or formula.variables or len(formula.operands) != 2:
            raise InputError(
                f"{type(formula).__name__} cannot stand in a planning task",
                expected="a condition of ADL: and, or, not, imply, forall, exists, =, predicates",
            )
        # Either an equivalence, which is true if both sides are, or an exclusive or.
        left, right = formula.operands
        is_equivalence = bool(formula.combine(Bits(1), (1, 1)))
        sides_agree = And((Implies(left, right), Implies(right, left)))
        return self.condition(sides_agree, wanted=wanted is is_equivalence)

    def _compile_atom(self, atom: Atom, wanted: bool) -> Ground:
        """Return a function from bindings to the ground condition of an atom, or of its negation.

        There are three kinds of atoms. A changeable atom is a literal, a defined one is replaced by
        its definition, and any other is a static fact, which makes the condition true or false.

        Args:
            atom: The atom.
            wanted: Whether it has to hold; False for its negation.
        """
        if atom.predicate in self.vocabulary.fluents:
            position = self.atom(atom)
            # An atom has two bits side by side: 1 for the positive literal, 2 for the negative one.
            literal = 2
            if wanted:
                literal = 1
            return lambda binding: Condition(literal << position(binding))
        slots = list(map(self.slot, atom.terms))
        define = self.vocabulary.definitions.get(atom.predicate)
        if define is not None:
            return lambda binding: define(tuple([binding[slot] for slot in slots]), wanted)
        facts = self.vocabulary.static.get(atom.predicate, set())
        if_true, if_false = _truth_conditions(wanted)

        def look_up(binding: Binding) -> Condition:
            """Return a true or a false condition, depending on a static fact."""
            arguments = tuple([binding[slot] for slot in slots])
            return if_true if arguments in facts else if_false

        return look_up

    def _compile_quantifier(self, formula: Quantifier, wanted: bool) -> Ground:
        """Return a function from bindings to the instances of a quantifier as one condition.

        Args:
            formula: The quantifier.
            wanted: Whether it has to hold; False for its negation.
        """
        outer_slots = dict(self.slots)
        slots = self.bind(formula.variables)
        ranges = [self.vocabulary.objects(variable.types) for variable in formula.variables]
        body = self.condition(formula.body, wanted=wanted)
        self.leave(outer_slots)
        # A true ``exists`` and a false ``forall`` need one instance of the body; a false ``exists``
        # and a true ``forall`` need all of them.
        join = conjoin
        if formula.wants is wanted:
            join = disjoin
        are_interchangeable = interchangeable(formula)
        work_per_combination = _LOOKS_PER_COMBINATION * (2 + sum(1 for _ in formula.body.walk()))

        def count_combinations(number_of_combinations: int) -> None:
            """Count the work of putting objects into the body."""
            self.vocabulary.count(number_of_combinations * work_per_combination)

        def join_instances(binding: Binding) -> Condition:
            """Return the instances of the body as one condition."""
            # Each turn of ``bindings`` puts the next objects into the same binding.
            combinations = bindings(
                binding, slots, ranges, count_combinations, is_unordered=are_interchangeable
            )
            return join([body(binding) for _ in combinations])

        return join_instances

    def _compile_count(self, formula: Count, wanted: bool) -> Ground:
        """Return a function from bindings to "at least n objects satisfy the body".

        "At most n" of N objects satisfy the body if N - n objects falsify it.

        Args:
            formula: The counting formula: at least, at most, or exactly n.
            wanted: Whether the formula has to hold; False for its negation.
        """
        outer_slots = dict(self.slots)
        (slot,) = self.bind((formula.variable,))
        objects = self.vocabulary.objects(formula.variable.types)
        satisfied = self.condition(formula.body)
        falsified = self.condition(formula.body, wanted=False)
        self.leave(outer_slots)

        def some_of(number: int, part: Ground) -> Ground:
            """Return the condition that at least a number of objects satisfies a part."""
            return _ground_some_of(number, part, slot, objects, self.vocabulary.count)

        limit = formula.number
        number_of_others = len(objects) - limit
        if wanted:
            at_least = some_of(limit, satisfied)
            at_most = some_of(number_of_others, falsified)
        else:
            # Fewer than n of N satisfy it: N - n + 1 falsify it. More than n: n + 1 satisfy it.
            at_least = some_of(number_of_others + 1, falsified)
            at_most = some_of(limit + 1, satisfied)
        if formula.comparison == "at least":
            return at_least
        if formula.comparison == "at most":
            return at_most
        return _combine((at_least, at_most), every=wanted)

    def leave(self, outer: Mapping[str, int]) -> None:
        """Remove the variables of an inner scope. Constants are kept."""
        for name in [name for name in self.slots if name.startswith("?")]:
            if name not in outer:
                del self.slots[name]
        self.slots.update(outer)


def _truth_conditions(wanted: bool) -> tuple[Condition, Condition]:
    """Return the ground conditions for a fact that holds and one that does not.

    A fact that is wanted and holds asks for nothing more; one that does not hold never will.
    """
    if wanted:
        return NOTHING, IMPOSSIBLE
    return IMPOSSIBLE, NOTHING


def _combine(parts: Sequence[Ground], *, every: bool) -> Ground:
    """Return a function that grounds a conjunction (``every``), or a disjunction.

    Args:
        parts: Functions that ground the parts.
        every: Whether all parts have to hold.
    """
    # A part with the deciding condition decides the whole; the neutral one changes nothing.
    if every:
        join = conjoin
        deciding = IMPOSSIBLE
        neutral = NOTHING
    else:
        join = disjoin
        deciding = NOTHING
        neutral = IMPOSSIBLE

    def ground(binding: Binding) -> Condition:
        """Return the conjunction or disjunction of the parts for a binding.

        The first part that decides ends it: a false one of a conjunction, a true one of a
        disjunction.
        """
        conditions = []
        for part in parts:
            condition = part(binding)
            if condition is deciding:
                return deciding
            if condition is not neutral:
                conditions.append(condition)
        if not conditions:
            return neutral
        return join(conditions)

    return ground


def _ground_some_of(
    required: int, part: Ground, slot: int, objects: Sequence[str], count: Callable[[int], None]
) -> Ground:
    """Return a function that grounds "some ``required`` of the objects satisfy the part".

    Cost: one option for each choice of ``required`` objects. The choices are counted first.

    Args:
        required: How many objects.
        part: Grounds the part, with an object in the slot.
        slot: The slot.
        objects: The objects.
        count: Counts the conditions that are examined.
    """

    def ground(binding: Binding) -> Condition:
        """Return the disjunction over all selections of the required number of objects.

        "At least 2 of a, b, c" is "(a and b) or (a and c) or (b and c)". In each option, the other
        objects may satisfy the part or not.
        """
        if required <= 0:
            return NOTHING
        count(comb(len(objects), required) * required)
        # The condition of each object is grounded once, and shared by many selections.
        conditions = []
        for name in objects:
            binding[slot] = name
            conditions.append(part(binding))
        options = []
        for selections_done, selection in enumerate(combinations(conditions, required), start=1):
            options.append(conjoin(selection))
            if not selections_done & _CLOCK_MASK:
                count(0)
        return disjoin(options)

    return ground


def _no_arguments(_: Binding) -> tuple[()]:
    """Return the arguments of an atom that has none."""
    return ()
