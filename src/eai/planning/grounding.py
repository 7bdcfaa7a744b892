"""From a domain and a problem to a ground task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import TypeVar

from eai.logic import TRUE, Atom, Formula, Not, Variable
from eai.nesting import on_own_stack
from eai.pddl import Axiom, Domain, Problem, cost_clauses, literal_effects, polarities
from eai.planning.achievers import relevance
from eai.planning.conditions import (
    IMPOSSIBLE,
    NOTHING,
    Condition,
    Simplifier,
    complement,
    conjoin,
    disjoin,
    even,
    holds,
    literals_of,
    size_of,
)
from eai.planning.lifting import Lifter, Vocabulary
from eai.planning.limits import Limits
from eai.planning.reachability import reachable
from eai.planning.schemas import actions_of, rules_of
from eai.planning.task import GroundAction, Rule, Task, deductions
from eai.world import tabled, union
from eai.world.bits import bits


class _Definition:
    """The rules of one predicate, grounded once for every tuple of arguments."""

    def __init__(self, axioms: Sequence[Axiom], vocabulary: Vocabulary) -> None:
        self._axioms = axioms
        self._vocabulary = vocabulary
        self._rules: dict[bool, list[Callable[[tuple[str, ...]], Condition | None]]] = {}
        self._known: dict[tuple[bool, tuple[str, ...]], Condition] = {}

    def condition(self, arguments: tuple[str, ...], wanted: bool) -> Condition:
        """Return when the atom with these arguments holds (or does not)."""
        key = (wanted, arguments)
        found = self._known.get(key)
        if found is None:
            # What the rules need may be defined, too: they are compiled when all are known.
            if wanted not in self._rules:
                self._rules[wanted] = [self._rule(axiom, wanted) for axiom in self._axioms]
            parts = [part for rule in self._rules[wanted] if (part := rule(arguments)) is not None]
            found = self._known[key] = disjoin(parts) if wanted else conjoin(parts)
        return found

    def _rule(self, axiom: Axiom, wanted: bool) -> Callable[[tuple[str, ...]], Condition | None]:
        """The body of a rule, by the arguments of its head; None if they are of other types."""
        head = [term for term in axiom.head.terms if isinstance(term, Variable)]
        lifter = Lifter(self._vocabulary)
        locations = lifter.bind(head)
        body = lifter.condition(axiom.body, wanted=wanted)
        ranges = [frozenset(self._vocabulary.objects(variable.types)) for variable in head]

        def apply(arguments: tuple[str, ...]) -> Condition | None:
            binding = lifter.start[:]
            for place, among, name in zip(locations, ranges, arguments, strict=True):
                if name not in among:
                    return None
                binding[place] = name
            return body(binding)

        return apply


def compress(task: Task, *, actions: Iterable[GroundAction]) -> Task:
    """Return the same task over fewer atoms: those that matter, renumbered."""
    kept = task.needed | complement(task.needed, task.positive)
    numbers = [literal // 2 for literal in bits(kept & task.positive)]
    move = _Move({old: new for new, old in enumerate(numbers)}, kept)
    strata = [
        tuple([Rule(move.condition(r.body), move.mask(r.head)) for r in group if r.head & kept])
        for group in task.strata
    ]
    return replace(
        task,
        atoms=tuple([task.atoms[number] for number in numbers]),
        positive=even(len(numbers)),
        initial=move.mask(task.initial),
        goal=move.condition(task.goal),
        actions=tuple([move.action(action) for action in actions]),
        needed=move.mask(task.needed),
        strata=tuple(strata),
        derived=move.mask(task.derived),
    )


class _Move:
    """Masks and conditions under new numbers."""

    def __init__(self, locations: dict[int, int], kept: int) -> None:
        self._positions = locations
        self._kept = kept
        self._masks: dict[int, int] = {}

    def mask(self, mask: int) -> int:
        found = self._masks.get(mask)
        if found is None:
            found = 0
            for literal in bits(mask & self._kept):
                found |= 1 << 2 * self._positions[literal >> 1] + (literal & 1)
            self._masks[mask] = found
        return found

    def condition(self, condition: Condition) -> Condition:
        every, clauses, choices = condition
        return Condition(
            self.mask(every),
            tuple([self.mask(clause) for clause in clauses]),
            tuple([tuple([self.condition(o) for o in choice]) for choice in choices]),
        )

    def action(self, action: GroundAction) -> GroundAction:
        return action._replace(
            condition=self.condition(action.condition),
            effect=self.mask(action.effect),
            conditional=tuple([(self.condition(c), self.mask(e)) for c, e in action.conditional]),
            conditional_costs=tuple([(self.condition(c), a) for c, a in action.conditional_costs]),
        )


_T = TypeVar("_T")


@on_own_stack
def ground(domain: Domain, problem: Problem, *, limits: Limits | None = None) -> Task:
    """Ground a task.

    Args:
        domain: The domain.
        problem: The problem.
        limits: What may be used up; what it raises goes to the caller.

    Raises:
        InputError: If a condition is not one of ADL.
    """
    limits = limits or Limits()
    groups = tabled(domain.axioms, where=f"domain {domain.name!r}")
    in_tables = {name for group in groups for name in group}
    axioms = [axiom for axiom in domain.axioms if axiom.head.predicate in in_tables]
    fluents = set(in_tables)
    for operator in domain.operators.values():
        fluents.update(effect.atom.predicate for effect in literal_effects(operator.effect))
    actions, effects = list[GroundAction](), 0

    def count(instances: int) -> None:
        limits.count(instances)
        limits.check(effects, len(actions), len(vocabulary.atoms))

    vocabulary = Vocabulary(
        {**domain.constants, **problem.objects},
        domain.types,
        fluents=frozenset(fluents),
        facts=problem.initial,
        count=count,
    )
    for name in dict.fromkeys(axiom.head.predicate for axiom in domain.axioms):
        if name not in in_tables:
            own = [axiom for axiom in domain.axioms if axiom.head.predicate == name]
            vocabulary.definitions[name] = _Definition(own, vocabulary).condition
    for type_name in set(domain.types) - set(domain.predicates):
        # A type is a predicate of one argument, too.
        vocabulary.static[type_name] = {(name,) for name in vocabulary.objects((type_name,))}
    lifter = Lifter(vocabulary)
    goal = lifter.condition(problem.goal)(lifter.start[:])
    goals = [problem.goal, *(_cheaper(domain) if problem.minimize else ())]
    operators = [domain.operators[name] for name in relevance(domain, goals).operators]
    vocabulary.reachable = reachable(operators, vocabulary, in_tables)
    counted = limits.meter.count_actions
    # If nothing reaches the goal, no action has to be made to say so.
    for operator in operators if holds(goal, _possible(vocabulary)) else ():
        made = actions_of(
            operator,
            vocabulary,
            values=problem.values,
            minimize=problem.minimize,
            count_actions=counted,
        )
        for action in made:
            actions.append(action)
            effects += 1 + len(action.conditional) + len(action.conditional_costs)
    strata = [
        tuple([rule for axiom in group for rule in rules_of(axiom, vocabulary)])
        for group in _layers(axioms)
    ]
    for predicate, arguments in vocabulary.initial:
        if predicate in vocabulary.tables:
            vocabulary.enter(predicate, arguments)
    given = vocabulary.initial
    true = "".join(["01" if atom in given else "10" for atom in reversed(vocabulary.atoms)])
    draft = Task(
        atoms=tuple([Atom(name, arguments) for name, arguments in vocabulary.atoms]),
        positive=even(len(vocabulary.atoms)),
        initial=int(true or "0", 2),
        goal=goal,
        actions=tuple(actions),
        needed=0,
        strata=tuple(strata),
        derived=union([rule.head for stratum in strata for rule in stratum]),
    )
    return _reduced(draft, count)


def _possible(vocabulary: Vocabulary) -> int:
    """The literals that are not known to be out of reach, of the atoms that have numbers."""
    possible = 0
    for number, (predicate, arguments) in enumerate(vocabulary.atoms):
        reached = vocabulary.facts(predicate)
        is_possible = reached is None or arguments in reached
        possible |= (2 | is_possible) << 2 * number
    return possible


def _cheaper(domain: Domain) -> Iterator[Formula]:
    """Yield the conditions under which some action costs less."""
    for operator in domain.operators.values():
        for clause in cost_clauses(operator.effect):
            if clause.condition != TRUE:
                yield Not(clause.condition)


_Count = Callable[[int], None]


def _watched(items: Sequence[_T], size: Callable[[_T], int], count: _Count) -> Iterator[_T]:
    """The items one by one, counted by their sizes before they are looked at."""
    for first in range(0, len(items), 64):
        part = items[first : first + 64]
        count(sum(map(size, part)))
        yield from part


def _nothing(_: object) -> int:
    """Size of what is only reason to look at the clock."""
    return 0


def _reduced(draft: Task, count: _Count) -> Task:
    """Leave out what cannot be reached, and what the goal cannot depend on."""
    if draft.strata:
        draft = replace(draft, initial=deductions(draft, draft.initial))
    reached, actions = _reach(draft, count)
    if not holds(draft.goal, reached):
        return replace(draft, goal=IMPOSSIBLE, actions=(), reachable=False)
    never = draft.positive * 3 & ~reached
    always = draft.initial & ~complement(reached, draft.positive)
    simplify = Simplifier(always, never).simplify
    goal = simplify(draft.goal)
    smaller = [
        _simplified(action, simplify, draft.positive) for action in _watched(actions, _size, count)
    ]
    needed = _relevant(replace(draft, goal=goal, actions=tuple(smaller)), count)
    kept = tuple(_kept(draft.positive, smaller, needed, count))
    task = replace(draft, goal=goal, actions=kept, needed=needed)
    return compress(task, actions=_watched(kept, _size, count))


def _reach(draft: Task, count: _Count) -> tuple[int, list[GroundAction]]:
    """Find the literals and actions that the relaxation without deletions reaches."""
    # A derived atom may become false in many ways: that it can is taken for granted.
    reached = draft.initial | draft.derived << 1
    applicable: dict[int, GroundAction] = {}
    rules = [rule for stratum in draft.strata for rule in stratum]
    waiting = [(number, action, _size(action)) for number, action in enumerate(draft.actions)]
    open_effects: list[tuple[Condition, int]] = []
    before = -1
    while before != reached:
        before = reached
        left = []
        for entry in _watched(waiting, itemgetter(2), count):
            number, action, _ = entry
            if holds(action.condition, reached):
                applicable[number] = action
                reached |= action.effect
                open_effects += action.conditional
            else:
                left.append(entry)
        waiting = left
        later = []
        for effect in _watched(open_effects, lambda effect: size_of(effect[0]), count):
            if effect[1] & ~reached:
                if holds(effect[0], reached):
                    reached |= effect[1]
                else:
                    later.append(effect)
        open_effects = later
        for rule in _watched(rules, _nothing, count):
            if rule.head & ~reached and holds(rule.body, reached):
                reached |= rule.head
    return reached, [applicable[number] for number in sorted(applicable)]


def _size(action: GroundAction) -> int:
    """How many parts its condition and its effects have."""
    found = 1 + size_of(action.condition)
    for condition, _ in (*action.conditional, *action.conditional_costs):
        found += 1 + size_of(condition)
    return found


def _simplified(
    action: GroundAction, simplify: Callable[[Condition], Condition], positive: int
) -> GroundAction:
    condition = simplify(action.condition)
    conditional, effect = [], action.effect
    for when, literals in action.conditional:
        left = simplify(when)
        # What the action requires holds whenever it is done.
        left = left._replace(every=left.every & ~condition.every)
        if 0 in left.clauses or left.every & complement(condition.every, positive):
            continue
        if left == NOTHING:
            effect |= literals
            continue
        if left == Condition(left.every & positive) and left.every.bit_count() == 1:
            # What is deleted if it holds is false afterwards in any case: to go somewhere deletes
            # every other place. Said so, pairs of literals prove more.
            effect |= literals & left.every << 1
            rest = literals & ~(left.every << 1)
            if rest:
                conditional.append((left, rest))
            continue
        conditional.append((left, literals))
    simpler = action._replace(condition=condition, effect=effect, conditional=tuple(conditional))
    return _with_simpler_costs(simpler, simplify) if action.conditional_costs else simpler


def _with_simpler_costs(
    action: GroundAction, simplify: Callable[[Condition], Condition]
) -> GroundAction:
    fixed, costs = action.cost, dict[Condition, float]()
    for condition, amount in action.conditional_costs:
        left = simplify(condition)
        if left == Condition(0):
            fixed += amount
        elif 0 not in left.clauses:
            costs[left] = costs.get(left, 0.0) + amount
    return action._replace(cost=fixed, conditional_costs=tuple(costs.items()))


def _relevant(task: Task, count: _Count) -> int:
    """Find the literals that the goal can depend on, going backwards."""
    positive = task.positive
    needed, before = literals_of(task.goal), -1
    parts = [
        (
            literals_of(action.condition),
            action.effect,
            [(literals_of(condition), effect) for condition, effect in action.conditional],
            union([literals_of(condition) for condition, _ in action.conditional_costs]),
        )
        for action in _watched(task.actions, _size, count)
    ]
    rules = [(literals_of(r.body), r.head) for stratum in task.strata for r in stratum]
    while before != needed:
        before = needed
        for asked, effect, conditional, costly in _watched(
            parts, lambda part: 1 + len(part[2]), count
        ):
            if not effect & needed and not any(e & needed for _, e in conditional):
                continue
            # What makes an action costly must be kept from holding.
            needed |= asked | costly | complement(costly, positive)
            for condition, literals in conditional:
                if literals & needed:
                    needed |= condition
                # A deletion must be kept from happening, too.
                if complement(literals, positive) & needed:
                    needed |= complement(condition, positive)
        for body, head in _watched(rules, _nothing, count):
            if head & needed:
                needed |= body
            if head << 1 & needed:
                needed |= complement(body, positive)
    return needed


def _kept(
    positive: int, actions: Sequence[GroundAction], needed: int, count: _Count
) -> Iterable[GroundAction]:
    """Keep one action, the cheapest, of those that do the same to the literals that matter."""
    kept = needed | complement(needed, positive)
    found: dict[object, GroundAction] = {}
    for action in _watched(actions, _size, count):
        conditional = tuple([(c, e & kept) for c, e in action.conditional if e & kept])
        effect = action.effect & kept
        if not effect & needed and not any(e & needed for _, e in conditional):
            continue
        if not conditional:
            effect &= ~((effect & positive) << 1)
        key = (action.condition, effect, conditional, action.conditional_costs)
        known = found.get(key)
        if known is None or action.cost < known.cost:
            found[key] = action._replace(effect=effect, conditional=conditional)
    return found.values()


def _layers(axioms: Sequence[Axiom]) -> list[list[Axiom]]:
    """Group rules so that what a rule denies is complete before its group is worked on."""
    level = {axiom.head.predicate: 0 for axiom in axioms}
    for _ in range(len(level)):
        for axiom in axioms:
            head = axiom.head.predicate
            for atom, positive in polarities(axiom.body):
                if atom.predicate in level:
                    lowest = level[atom.predicate] + (not positive)
                    level[head] = max(level[head], lowest)
    return [
        [axiom for axiom in axioms if level[axiom.head.predicate] == number]
        for number in sorted(set(level.values()))
    ]
