"""Action schemas, their effects, and rules, grounded binding by binding."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from operator import itemgetter
from typing import NamedTuple

from eai.errors import InputError
from eai.logic import TRUE, Atom, Formula, Variable, conjuncts
from eai.nesting import NESTING_LIMIT
from eai.pddl import TOTAL_COST, Axiom, Effect, Operator, clauses, cost_clauses
from eai.planning.conditions import IMPOSSIBLE, NOTHING, Condition, conjoin
from eai.planning.lifting import Binding, Builder, Ground, Lifter, Vocabulary, bindings
from eai.planning.task import GroundAction, Rule
from eai.world import Action, mask_of

_MANY = 16
"""An effect on so many atoms is put together in one piece."""

_Made = Sequence[tuple[Condition, int]]
"""Conditions, and the literals that become true under them."""

_Join = tuple[set[tuple[str, ...]], list[int]]
"""Facts of a predicate, and the places of the objects in them."""


class Effects:
    """The effects of an action schema."""

    def __init__(self, effect: Effect, lifter: Lifter, *, count: int) -> None:
        self._count = lifter.vocabulary.count
        self._clauses: list[_Clause] = []
        names = [name[1:] for name in lifter.slots if name.startswith("?")]
        for (variables, condition), group in groupby(clauses(effect, names), itemgetter(0, 1)):
            outer, literals = dict(lifter.slots), list(group)
            bound = lifter.bind(variables)
            ranges = [lifter.vocabulary.objects(variable.types) for variable in variables]
            if all(ranges):
                when = None if condition == TRUE else lifter.condition(condition)
                tested = set(map(lifter.slot, condition.free))
                split = max([i for i, slot in enumerate(bound, 1) if slot in tested], default=0)
                inner, mentioned, made = bound[split:], set(tested), list[_Literal]()
                for each in literals:
                    slots = set(map(lifter.slot, each.atom.terms))
                    mentioned |= slots
                    others, shift = _getter(slots.difference(inner)), 0 if each.added else 1
                    place = lifter.atom(each.atom)
                    made.append(_Literal(place, shift, inner, ranges[split:], others))
                given = {slot for slot in mentioned if slot < count}
                getter = None if len(given) == count else _getter(given)
                self._clauses.append(_Clause(made, when, bound[:split], ranges[:split], getter))
            lifter.leave(outer)

    def ground(self, binding: Binding) -> tuple[int, tuple[tuple[Condition, int], ...]]:
        """Return the literals that always become true, and those that do under conditions."""
        always, conditional = 0, dict[Condition, int]()
        for clause in self._clauses:
            if clause.condition is None:
                for literal in clause.literals:
                    always |= literal.mask(binding, self._count)
                continue
            for when, literals in clause.made(binding, clause.condition, self._count):
                if when == NOTHING:
                    always |= literals
                else:
                    conditional[when] = conditional.get(when, 0) | literals
        return always, tuple(conditional.items())


@dataclass(slots=True)
class _Literal:
    """A literal for all objects in those of its places that the condition says nothing about."""

    place: Builder
    shift: int  # 0 if it becomes true, 1 if it becomes false
    locations: Sequence[int]
    ranges: Sequence[tuple[str, ...]]
    others: Callable[[Binding], object]  # gets the objects in the other places
    known: dict[object, int] = field(default_factory=dict)

    def mask(self, binding: Binding, count: Callable[[int], None]) -> int:
        place, shift = self.place, self.shift
        if not self.locations:
            return 1 << place(binding) + shift
        key = self.others(binding)
        found = self.known.get(key)
        if found is None:
            every = bindings(binding, self.locations, self.ranges, count)
            found = self.known[key] = _mask([place(binding) + shift for _ in every])
        return found


@dataclass(slots=True)
class _Clause:
    """Literals that become true under one condition; None if they always do."""

    literals: Sequence[_Literal]
    condition: Ground | None
    # The quantified places up to the last one that the condition is about.
    locations: Sequence[int]
    ranges: Sequence[tuple[str, ...]]
    # Gets the objects of the parameters that are mentioned; None if all are.
    mentioned: Callable[[Binding], object] | None
    known: dict[object, _Made] = field(default_factory=dict)

    def made(self, binding: Binding, condition: Ground, count: Callable[[int], None]) -> _Made:
        """What the clause does, with what it did for the same objects remembered."""
        if self.mentioned is None:
            return self._made(binding, condition, count)
        key = self.mentioned(binding)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self._made(binding, condition, count)
        return found

    def _made(self, binding: Binding, condition: Ground, count: Callable[[int], None]) -> _Made:
        numbers, masks = dict[Condition, int](), list[int]()
        tested: list[tuple[list[str], int]] = []
        first, *others = self.literals
        for _ in bindings(binding, self.locations, self.ranges, count):
            when = condition(binding)
            if 0 in when.clauses:
                continue
            number = numbers.setdefault(when, len(masks))
            if number == len(masks):
                masks.append(0)
            masks[number] |= first.mask(binding, count)
            tested.append(([binding[place] for place in self.locations], number))
        # Literals are found one after the other, so that their atoms are numbered in this order.
        count(len(others) * len(tested))
        for literal in others:
            for objects, number in tested:
                for place, name in zip(self.locations, objects, strict=True):
                    binding[place] = name
                masks[number] |= literal.mask(binding, count)
        return list(zip(numbers, masks, strict=True))


def _getter(slots: Collection[int]) -> Callable[[Binding], object]:
    return itemgetter(*sorted(slots)) if slots else lambda _: None


def _mask(locations: Sequence[int]) -> int:
    """The mask with these places, without a new number for each if there are many."""
    if len(locations) < _MANY:
        return mask_of(locations)
    octets = bytearray(max(locations) // 8 + 1)
    for place in locations:
        octets[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(octets, "little")


def actions_of(
    operator: Operator,
    vocabulary: Vocabulary,
    *,
    values: Mapping[Atom, float],
    minimize: bool,
    count_actions: Callable[[int], None],
) -> Iterator[GroundAction]:
    """Yield the ground actions of an operator that the static facts allow.

    An action that would add a function term without a value to the total cost cannot be done.

    Args:
        operator: The operator.
        vocabulary: The atoms and facts.
        values: Function terms with their values.
        minimize: Whether actions cost what they add to the total cost; else each costs 1.
        count_actions: Counts actions before they are made.
    """
    lifter = Lifter(vocabulary)
    count = len(lifter.bind(operator.parameters))
    condition = lifter.condition(operator.precondition)
    effects = Effects(operator.effect, lifter, count=count)
    costs = _Costs(operator.effect, lifter, values)
    # How many conditions and effects there are, before quantifiers are expanded.
    made = list(clauses(operator.effect))
    conditions = [operator.precondition, *(clause.condition for clause in made)]
    size = len(made) + sum(1 for each in conditions for _ in each.walk())

    def count_bindings(bindings: int) -> None:
        count_actions(bindings)
        vocabulary.count(bindings * size)

    for binding in _enumerate(operator.parameters, operator.precondition, lifter, count_bindings):
        found = condition(binding)
        if found is IMPOSSIBLE or 0 in found.clauses:
            continue
        cost = costs.ground(binding)
        if cost is None:
            continue
        needed, fixed, conditional = cost
        if needed:
            found = conjoin((found, *needed))
        if not minimize:
            fixed, conditional = 1.0, ()
        action = Action(operator.name, tuple(binding[:count]))
        yield GroundAction(action, found, *effects.ground(binding), fixed, conditional)


def instances(operator: Operator, vocabulary: Vocabulary) -> Iterator[Binding]:
    """Yield the bindings of an operator's parameters that the static facts allow, one by one."""
    lifter = Lifter(vocabulary)
    lifter.bind(operator.parameters)
    return _enumerate(operator.parameters, operator.precondition, lifter, lambda _: None)


def rules_of(axiom: Axiom, vocabulary: Vocabulary) -> Iterator[Rule]:
    """Yield the ground instances of a rule that the static facts allow."""
    lifter = Lifter(vocabulary)
    parameters = [term for term in axiom.head.terms if isinstance(term, Variable)]
    lifter.bind(parameters)
    body, head = lifter.condition(axiom.body), lifter.atom(axiom.head)
    for binding in _enumerate(parameters, axiom.body, lifter, vocabulary.count):
        found = body(binding)
        if found is not IMPOSSIBLE and 0 not in found.clauses:
            yield Rule(found, 1 << head(binding))


class _CostPart(NamedTuple):
    """One increase of the total cost, compiled."""

    locations: Sequence[int]
    ranges: Sequence[tuple[str, ...]]
    when: Ground | None
    unless: Ground | None
    """The negation of ``when``; both are None if the cost always arises."""
    amount: float | tuple[str, Sequence[int]]
    """A number, or a function and the slots of its arguments."""


class _GroundCost(NamedTuple):
    """What an action costs: its own condition, a fixed amount, and amounts under conditions."""

    needed: Sequence[Condition]
    """Conditions without which a function term would be needed that has no value."""
    fixed: float
    conditional: tuple[tuple[Condition, float], ...]


class _Costs:
    """What the actions of a schema add to the total cost."""

    def __init__(self, effect: Effect, lifter: Lifter, values: Mapping[Atom, float]) -> None:
        self._values = values
        self._count = lifter.vocabulary.count
        self._parts: list[_CostPart] = []
        names = [name[1:] for name in lifter.slots if name.startswith("?")]
        for variables, condition, amount in cost_clauses(effect, names):
            outer = dict(lifter.slots)
            locations = lifter.bind(variables)
            ranges = [lifter.vocabulary.objects(variable.types) for variable in variables]
            when = unless = None
            if condition != TRUE:
                when = lifter.condition(condition)
                unless = lifter.condition(condition, wanted=False)
            compiled: float | tuple[str, Sequence[int]]
            if isinstance(amount, Atom):
                if amount == TOTAL_COST:
                    raise InputError("an action adds the total cost to itself", where="effect")
                compiled = amount.predicate, list(map(lifter.slot, amount.terms))
            else:
                compiled = amount
            self._parts.append(_CostPart(locations, ranges, when, unless, compiled))
            lifter.leave(outer)

    def ground(self, binding: Binding) -> _GroundCost | None:
        """Return what an action costs; None if it cannot be done, as its cost is undefined."""
        needed, fixed, conditional = list[Condition](), 0.0, dict[Condition, float]()
        for part in self._parts:
            once = () if part.locations else (None,)
            for _ in once or bindings(binding, part.locations, part.ranges, self._count):
                value = self._value(part, binding)
                when = NOTHING if part.when is None else part.when(binding)
                if when is IMPOSSIBLE or 0 in when.clauses:
                    continue
                if value is None and (part.unless is None or when == NOTHING):
                    return None
                if value is None:
                    assert part.unless is not None  # noqa: S101 - looked at above
                    needed.append(part.unless(binding))
                elif when == NOTHING:
                    fixed += value
                else:
                    conditional[when] = conditional.get(when, 0.0) + value
        return _GroundCost(needed, fixed, tuple(conditional.items()))

    def _value(self, part: _CostPart, binding: Binding) -> float | None:
        if not isinstance(part.amount, tuple):
            return part.amount
        function, slots = part.amount
        return self._values.get(Atom(function, tuple([binding[slot] for slot in slots])))


class _Level(NamedTuple):
    """One parameter: its place, its candidates, and the facts that become decided with it."""

    place: int
    candidates: Sequence[str]
    bound: list[int]
    beside: Mapping[tuple[str, ...], Sequence[str]] | None
    checks: list[_Join]

    def names(self, binding: Binding, look: Callable[[int], None]) -> Iterator[str]:
        """Return the candidates that what is bound before it leaves."""
        found = self.candidates
        if self.beside is not None:
            found = self.beside.get(tuple([binding[i] for i in self.bound]), ())
        look(len(found))
        return iter(found)


def _enumerate(
    parameters: Sequence[Variable], condition: Formula, lifter: Lifter, count: Callable[[int], None]
) -> Iterator[Binding]:
    """Yield the bindings that agree with what is known of the facts among a condition's conjuncts.

    Bindings are counted before they are made, all at once from the level on from which no fact
    narrows them down: those of an operator with many parameters are never begun.
    """
    vocabulary = lifter.vocabulary
    joins = [
        (facts, list(map(lifter.slot, part.terms)))
        for part in conjuncts(condition)
        if isinstance(part, Atom) and (facts := vocabulary.facts(part.predicate)) is not None
    ]
    # Parameters that others narrow down come first, then those with few objects.
    levels, left = list[_Level](), dict(enumerate(parameters))
    known = set(range(len(parameters), len(lifter.start)))
    while left:
        # Of very many parameters the first are compared: each of all with all takes long.
        next_ones = islice(left.items(), NESTING_LIMIT)
        made = [_level(place, v, known, joins, lifter) for place, v in next_ones]
        levels.append(min(made, key=lambda level: (level.beside is None, len(level.candidates))))
        del left[levels[-1].place]
        known.add(levels[-1].place)
    free = [1]  # how many bindings there are from a level on; 0 if facts narrow them down
    for level in reversed(levels):
        narrowed = level.beside is not None or level.checks
        free.append(0 if narrowed else free[-1] * len(level.candidates))
    return _descend(levels, free[::-1], lifter.start[:], count, vocabulary.count)


def _descend(
    levels: Sequence[_Level],
    free: Sequence[int],
    binding: Binding,
    count: Callable[[int], None],
    look: Callable[[int], None],
) -> Iterator[Binding]:
    """Yield the bindings, depth first; a stack, because an action may have any number of levels."""
    if free[0]:
        count(free[0])
    if not levels:
        yield binding
        return
    waiting = [levels[0].names(binding, look)]
    while waiting:
        depth = len(waiting)
        place, checks = levels[depth - 1].place, levels[depth - 1].checks
        for name in waiting[-1]:
            binding[place] = name
            for facts, slots in checks:
                if tuple([binding[i] for i in slots]) not in facts:
                    break
            else:
                if free[depth] and not free[depth - 1]:
                    count(free[depth])
                if depth < len(levels):
                    waiting.append(levels[depth].names(binding, look))
                    break
                yield binding
        else:
            waiting.pop()


def _level(
    place: int, variable: Variable, known: set[int], joins: Sequence[_Join], lifter: Lifter
) -> _Level:
    mine = [(facts, slots) for facts, slots in joins if place in slots]
    candidates = lifter.vocabulary.objects(variable.types)
    for facts, slots in mine:
        at = slots.index(place)
        seen = {row[at] for row in facts if len(row) == len(slots)}
        candidates = tuple([name for name in candidates if name in seen])
    decided = [(facts, slots) for facts, slots in mine if known.issuperset(set(slots) - {place})]
    narrowing = [(facts, slots) for facts, slots in mine if known.intersection(slots)]
    if not narrowing:
        return _Level(place, candidates, [], None, decided)
    # The objects in the bound places, with the candidates that stand beside them.
    facts, slots = max(narrowing, key=lambda join: len(known.intersection(join[1])))
    at, keys = slots.index(place), [i for i, slot in enumerate(slots) if slot in known]
    beside: dict[tuple[str, ...], set[str]] = {}
    for row in facts:
        if len(row) == len(slots):
            beside.setdefault(tuple([row[i] for i in keys]), set()).add(row[at])
    order = {name: i for i, name in enumerate(candidates)}
    ranked = {
        key: sorted(names.intersection(order), key=order.__getitem__)
        for key, names in beside.items()
    }
    return _Level(place, candidates, [slots[i] for i in keys], ranked, decided)
