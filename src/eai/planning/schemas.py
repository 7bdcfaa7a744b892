"""Action schemas and rules, grounded binding by binding."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from eai.logic.formula import Atom, Formula, Variable, conjuncts
from eai.pddl.model import (
    AndEffect,
    Axiom,
    CostEffect,
    Effect,
    Operator,
    clauses,
)
from eai.planning.conditions import IMPOSSIBLE
from eai.planning.effects import Effects
from eai.planning.lifting import Binding, Lifter, Vocabulary
from eai.planning.task import GroundAction, Rule
from eai.world.action import Action

__all__ = ["actions_of", "amounts", "rules_of"]


def actions_of(
    operator: Operator,
    vocabulary: Vocabulary,
    *,
    values: Mapping[Atom, float] | None,
    count_actions: Callable[[int], None],
) -> Iterator[GroundAction]:
    """Yield the ground actions of an operator that the static facts allow.

    Args:
        operator: The action schema.
        vocabulary: Objects, facts and atoms.
        values: Values of function terms; None if every action costs 1.
        count_actions: Called with a number of ground actions before they are made.
    """
    lifter = Lifter(vocabulary)
    count = len(lifter.bind(operator.parameters))
    condition = lifter.condition(operator.precondition)
    effects = Effects(operator.effect, lifter, count=count)
    cost = _cost(operator.effect, lifter, values)
    size = _size(operator)

    def count_bindings(bindings: int) -> None:
        count_actions(bindings)
        vocabulary.count(bindings * size)

    for binding in _enumerate(operator.parameters, operator.precondition, lifter, count_bindings):
        found = condition(binding)
        if found is IMPOSSIBLE or 0 in found.clauses:
            continue
        action = Action(operator.name, tuple(binding[:count]))
        yield GroundAction(action, found, *effects.ground(binding), cost(binding))


def rules_of(axiom: Axiom, vocabulary: Vocabulary) -> Iterator[Rule]:
    """Yield the ground instances of a rule that the static facts allow."""
    lifter = Lifter(vocabulary)
    lifter.bind([term for term in axiom.head.terms if isinstance(term, Variable)])
    body, head = lifter.condition(axiom.body), lifter.atom(axiom.head)
    parameters = [term for term in axiom.head.terms if isinstance(term, Variable)]
    for binding in _enumerate(parameters, axiom.body, lifter, vocabulary.count):
        found = body(binding)
        if found is not IMPOSSIBLE and 0 not in found.clauses:
            yield Rule(found, 1 << head(binding))


def _size(operator: Operator) -> int:
    """How many conditions and effects an operator has, before its quantifiers are expanded."""
    effects = list(clauses(operator.effect))
    conditions = [operator.precondition, *(clause.condition for clause in effects)]
    return len(effects) + sum(1 for each in conditions for _ in each.walk())


def _cost(
    effect: Effect, lifter: Lifter, values: Mapping[Atom, float] | None
) -> Callable[[Binding], float]:
    if values is None:
        return lambda _: 1.0
    parts = list(amounts(effect))
    fixed = sum(amount for amount in parts if not isinstance(amount, Atom))
    terms = [
        (amount.predicate, [lifter.slot(term) for term in amount.terms])
        for amount in parts
        if isinstance(amount, Atom)
    ]
    known = values

    def cost(binding: Binding) -> float:
        return fixed + sum(
            known.get(Atom(name, tuple([binding[i] for i in slots])), 0.0) for name, slots in terms
        )

    return cost


def amounts(effect: Effect) -> Iterator[float | Atom]:
    """Yield what an effect adds to the total cost: numbers, and function terms."""
    if isinstance(effect, CostEffect):
        yield effect.amount
    elif isinstance(effect, AndEffect):
        for part in effect.parts:
            yield from amounts(part)


class _Level(NamedTuple):
    """One parameter: its place, its candidates, and the facts that become decided with it."""

    place: int
    candidates: Sequence[str]
    bound: list[int]
    beside: Mapping[tuple[str, ...], Sequence[str]] | None
    checks: list[tuple[set[tuple[str, ...]], list[int]]]


def _enumerate(
    parameters: Sequence[Variable],
    condition: Formula,
    lifter: Lifter,
    count: Callable[[int], None],
) -> Iterator[Binding]:
    """Yield the bindings that agree with the static facts among a condition's conjuncts.

    Bindings are counted before they are made, all at once from the level on from which no fact
    narrows them down: those of an operator with many parameters are never begun.
    """
    vocabulary = lifter.vocabulary
    joins = [
        (vocabulary.static.get(part.predicate, set()), [lifter.slot(term) for term in part.terms])
        for part in conjuncts(condition)
        if isinstance(part, Atom) and _is_static(part, vocabulary)
    ]
    levels = _levels(parameters, joins, lifter)
    free = [1]  # how many bindings there are from a level on; 0 if facts narrow them down
    for level in reversed(levels):
        narrowed = level.beside is not None or level.checks
        free.append(0 if narrowed else free[-1] * len(level.candidates))
    return _descend(levels, free[::-1], 0, lifter.start[:], count, vocabulary.count)


def _is_static(atom: Atom, vocabulary: Vocabulary) -> bool:
    name = atom.predicate
    return name not in vocabulary.fluents and name not in vocabulary.definitions


def _descend(
    levels: Sequence[_Level],
    free: Sequence[int],
    depth: int,
    binding: Binding,
    count: Callable[[int], None],
    look: Callable[[int], None],
) -> Iterator[Binding]:
    if free[depth] and not (depth and free[depth - 1]):
        count(free[depth])
    if depth == len(levels):
        yield binding
        return
    place, candidates, bound, beside, checks = levels[depth]
    if beside is not None:
        candidates = beside.get(tuple([binding[i] for i in bound]), ())
    look(len(candidates))
    for name in candidates:
        binding[place] = name
        for facts, slots in checks:
            if tuple([binding[i] for i in slots]) not in facts:
                break
        else:
            yield from _descend(levels, free, depth + 1, binding, count, look)


def _levels(
    parameters: Sequence[Variable],
    joins: Sequence[tuple[set[tuple[str, ...]], list[int]]],
    lifter: Lifter,
) -> list[_Level]:
    """Order the parameters: those first that others narrow down, then those with few objects."""
    start = lifter.start
    open_places = dict(enumerate(parameters))
    known = set(range(len(parameters), len(start)))
    levels: list[_Level] = []
    while open_places:
        made = [_level(place, v, known, joins, lifter) for place, v in open_places.items()]
        best = min(made, key=lambda level: (level.beside is None, len(level.candidates)))
        del open_places[best.place]
        known.add(best.place)
        levels.append(best)
    return levels


def _level(
    place: int,
    variable: Variable,
    known: set[int],
    joins: Sequence[tuple[set[tuple[str, ...]], list[int]]],
    lifter: Lifter,
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
    facts, slots = max(narrowing, key=lambda join: len(known.intersection(join[1])))
    bound = [i for i in slots if i in known]
    return _Level(place, candidates, bound, _index(facts, slots, place, bound, candidates), decided)


def _index(
    facts: set[tuple[str, ...]],
    slots: list[int],
    place: int,
    bound: list[int],
    candidates: Sequence[str],
) -> dict[tuple[str, ...], Sequence[str]]:
    """Map the objects in the bound places to the candidates that stand beside them."""
    beside: dict[tuple[str, ...], set[str]] = {}
    at = slots.index(place)
    keys = [i for i, slot in enumerate(slots) if slot in bound]
    for row in facts:
        if len(row) == len(slots):
            beside.setdefault(tuple([row[i] for i in keys]), set()).add(row[at])
    order = {name: i for i, name in enumerate(candidates)}
    return {
        key: sorted((name for name in names if name in order), key=order.__getitem__)
        for key, names in beside.items()
    }
