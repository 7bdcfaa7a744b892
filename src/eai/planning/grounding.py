"""Grounding: from a domain and a problem to a ground task.

1. Only operators that the goal can depend on are grounded
   (:func:`~eai.planning.achievers.relevance`), and only for bindings that the relaxation without
   deletions can reach, if finding these out pays (:mod:`eai.planning.reachability`).
2. The ground task is reduced: actions and literals that cannot be reached, and those that the goal
   cannot depend on, are left out; of actions that do the same the cheapest is kept.
3. The atoms that are left get new numbers, so that masks are short.

Each reduction leaves out only what is in no cheapest plan, so the task has a plan if the problem
has one, with the same cost.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from operator import itemgetter
from typing import NamedTuple, TypeVar

from eai.logic import TRUE, Atom, Formula, Not
from eai.nesting import on_own_stack
from eai.pddl import Axiom, Domain, Operator, Problem, cost_clauses, literal_effects, polarities
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
from eai.planning.task import GroundAction, GroundRule, GroundTask, deductions
from eai.world import tabled, union
from eai.world.bits import bits


class _Definition:
    """The grounded rules of one derived predicate.

    A predicate whose rules are not recursive needs no atoms: its conditions are put in the place of
    its atoms.

    Args:
        axioms: The rules.
        vocabulary: The atoms and facts.
    """

    def __init__(self, axioms: Sequence[Axiom], vocabulary: Vocabulary) -> None:
        self._axioms = axioms
        self._vocabulary = vocabulary
        self._rules: dict[bool, list[Callable[[tuple[str, ...]], Condition | None]]] = {}
        self._conditions: dict[tuple[bool, tuple[str, ...]], Condition] = {}

    def condition(self, arguments: tuple[str, ...], wanted: bool) -> Condition:
        """Return the condition under which the atom with these arguments is true (or false)."""
        key = (wanted, arguments)
        condition = self._conditions.get(key)
        if condition is None:
            condition = self._conditions[key] = self._condition(arguments, wanted)
        return condition

    def _condition(self, arguments: tuple[str, ...], wanted: bool) -> Condition:
        """Return the condition that some body holds, or that no body does.

        Args:
            arguments: Objects of the atom.
            wanted: Whether it is to hold.
        """
        # Predicates in the bodies may be defined as well: so rules are compiled late, when all
        # definitions are in the vocabulary.
        if wanted not in self._rules:
            self._rules[wanted] = [self._rule(axiom, wanted) for axiom in self._axioms]
        bodies = []
        for rule in self._rules[wanted]:
            body = rule(arguments)
            if body is not None:
                bodies.append(body)
        if wanted:
            return disjoin(bodies)
        return conjoin(bodies)

    def _rule(self, axiom: Axiom, wanted: bool) -> Callable[[tuple[str, ...]], Condition | None]:
        """Compile a rule to a function from the arguments of its head to its body.

        Args:
            axiom: The rule.
            wanted: Whether the body has to hold; False for the negation of the body.

        Returns:
            The function. It returns None for arguments that do not have the types of the head.
        """
        lifter = Lifter(self._vocabulary)
        slots = lifter.bind(axiom.parameters)
        body = lifter.condition(axiom.body, wanted=wanted)
        objects_by_parameter = []
        for variable in axiom.parameters:
            objects_by_parameter.append(frozenset(self._vocabulary.objects(variable.types)))

        def apply(arguments: tuple[str, ...]) -> Condition | None:
            """Return the body of a rule for some arguments."""
            # A copy, because the body may change the slots of its quantified variables.
            binding = lifter.start[:]
            for slot, names, name in zip(slots, objects_by_parameter, arguments, strict=True):
                if name not in names:
                    return None
                binding[slot] = name
            return body(binding)

        return apply


def compress(task: GroundTask, *, actions: Iterable[GroundAction]) -> GroundTask:
    """Return an equivalent task with only the relevant atoms, renumbered.

    Args:
        task: The task; ``needed`` are the literals that matter.
        actions: Its actions.
    """
    # An atom is kept with both of its literals, even if only one of them matters.
    kept_literals = task.needed | complement(task.needed, task.positive)
    kept_indices = [literal // 2 for literal in bits(kept_literals & task.positive)]
    renumbering = _Renumbering({old: new for new, old in enumerate(kept_indices)}, kept_literals)
    strata = []
    for stratum in task.strata:
        # Rules for atoms that are left out have no effect on the others.
        rules = [renumbering.rule(rule) for rule in stratum if rule.head & kept_literals]
        strata.append(tuple(rules))
    return replace(
        task,
        atoms=tuple([task.atoms[index] for index in kept_indices]),
        positive=even(len(kept_indices)),
        initial=renumbering.mask(task.initial),
        goal=renumbering.condition(task.goal),
        actions=tuple([renumbering.action(action) for action in actions]),
        needed=renumbering.mask(task.needed),
        strata=tuple(strata),
        derived=renumbering.mask(task.derived),
    )


class _Renumbering:
    """Translates masks and conditions to new atom numbers.

    Args:
        numbers: Old number of an atom to the new one.
        kept: The literals that are kept.
    """

    def __init__(self, numbers: dict[int, int], kept: int) -> None:
        self._numbers = numbers
        self._kept = kept
        self._masks: dict[int, int] = {}

    def mask(self, mask: int) -> int:
        """Return a mask of literals in the new numbers."""
        renumbered = self._masks.get(mask)
        if renumbered is None:
            renumbered = 0
            # Literals that are not kept fall out of the mask.
            for literal in bits(mask & self._kept):
                # Atom n has the literals 2n (it holds) and 2n + 1 (it does not).
                renumbered |= 1 << 2 * self._numbers[literal >> 1] + (literal & 1)
            self._masks[mask] = renumbered
        return renumbered

    def condition(self, condition: Condition) -> Condition:
        """Return a condition under new numbers."""
        clauses = [self.mask(clause) for clause in condition.clauses]
        choices = [self._choice(choice) for choice in condition.choices]
        return Condition(self.mask(condition.every), tuple(clauses), tuple(choices))

    def _choice(self, options: Sequence[Condition]) -> tuple[Condition, ...]:
        """Return the options of a choice under new numbers."""
        return tuple([self.condition(option) for option in options])

    def rule(self, rule: GroundRule) -> GroundRule:
        """Return a rule under new numbers."""
        return GroundRule(self.condition(rule.body), self.mask(rule.head))

    def action(self, action: GroundAction) -> GroundAction:
        """Return an action in the new numbers, without the omitted atoms."""
        conditional = []
        for condition, literals in action.conditional:
            conditional.append((self.condition(condition), self.mask(literals)))
        costs = []
        for condition, amount in action.conditional_costs:
            costs.append((self.condition(condition), amount))
        return action._replace(
            condition=self.condition(action.condition),
            effect=self.mask(action.effect),
            conditional=tuple(conditional),
            conditional_costs=tuple(costs),
        )


_T = TypeVar("_T")
_Count = Callable[[int], None]


@on_own_stack
def ground(
    domain: Domain,
    problem: Problem,
    *,
    limits: Limits | None = None,
    harmful: bool = False,
    whole: bool = False,
) -> GroundTask:
    """Ground a task.

    Args:
        domain: The domain.
        problem: The problem.
        limits: Limits of time, memory and budget; their exceptions are passed on.
        harmful: Whether actions that can only do harm are kept. No shortest plan has one, but
            without them the task says nothing about the states that they lead to.
        whole: Whether everything that can be reached is kept, even if the goal does not need it.

    Raises:
        InputError: If a condition is not one of ADL.
    """
    limits = limits or Limits()
    groups = tabled(domain.axioms, where=f"domain {domain.name!r}")
    in_tables = {name for group in groups for name in group}
    actions: list[GroundAction] = []
    number_of_effects = 0

    # The closure reads "vocabulary" and "number_of_effects" as they are when it is called.
    def count(instances: int) -> None:
        """Count examined instances, and check the limits of time and memory."""
        limits.count(instances)
        limits.check(number_of_effects, len(actions), len(vocabulary.atoms))

    vocabulary = _vocabulary(domain, problem, in_tables, count)
    # The goal first: its atoms get numbers, so the next steps know what has to be reached.
    lifter = Lifter(vocabulary)
    goal = lifter.condition(problem.goal)(lifter.start[:])
    operators = list(domain.operators.values())
    if not whole:
        operators = _relevant_operators(domain, problem, harmful=harmful)
    vocabulary.reachable = reachable(operators, vocabulary, in_tables)
    if not whole and not holds(goal, _optimistic_literals(vocabulary)):
        operators = []  # no action has to be made to say that nothing reaches the goal
    for action in _actions(operators, problem, vocabulary, limits):
        actions.append(action)
        number_of_effects += 1 + len(action.conditional) + len(action.conditional_costs)
    strata = _ground_strata(domain.axioms, in_tables, vocabulary)
    # This comes last: by now the predicates in conditions and effects have a table, and no others.
    for predicate, arguments in vocabulary.initial:
        if predicate in vocabulary.tables:
            vocabulary.enter(predicate, arguments)
    draft = GroundTask(
        atoms=tuple([Atom(name, arguments) for name, arguments in vocabulary.atoms]),
        positive=even(len(vocabulary.atoms)),
        initial=_initial(vocabulary),
        goal=goal,
        actions=tuple(actions),
        needed=0,
        strata=tuple(strata),
        derived=union([rule.head for stratum in strata for rule in stratum]),
    )
    return _reduce(draft, count, harmful=harmful, whole=whole)


def _actions(
    operators: Iterable[Operator], problem: Problem, vocabulary: Vocabulary, limits: Limits
) -> Iterator[GroundAction]:
    """Yield the ground actions that the facts of a vocabulary permit.

    Args:
        operators: The operators.
        problem: The problem, which has the costs.
        vocabulary: The atoms, which grow with the actions.
        limits: Count the actions.
    """
    values = {term: float(value) for term, value in problem.values.items()}
    for operator in operators:
        yield from actions_of(
            operator,
            vocabulary,
            values=values,
            minimize=problem.minimize,
            count_actions=limits.meter.count_actions,
        )


def _relevant_operators(domain: Domain, problem: Problem, *, harmful: bool) -> list[Operator]:
    """Return the operators on which the goal or the cost of a plan can depend."""
    goals = [problem.goal]
    if problem.minimize:
        goals += _negated_cost_conditions(domain)
    names = relevance(domain, goals, harmful=harmful).operators
    return [domain.operators[name] for name in names]


def _ground_strata(
    axioms: Iterable[Axiom], in_tables: Collection[str], vocabulary: Vocabulary
) -> list[tuple[GroundRule, ...]]:
    """Return the ground rules of derived predicates, by stratum.

    Args:
        axioms: The rules of the domain.
        in_tables: The predicates with ground rules; others are replaced by their definitions.
        vocabulary: The atoms and facts.
    """
    strata = []
    for stratum in _strata([axiom for axiom in axioms if axiom.head.predicate in in_tables]):
        rules: list[GroundRule] = []
        for axiom in stratum:
            rules += rules_of(axiom, vocabulary)
        strata.append(tuple(rules))
    return strata


def _vocabulary(
    domain: Domain, problem: Problem, in_tables: Collection[str], count: _Count
) -> Vocabulary:
    """Return the vocabulary of a task.

    Args:
        domain: The domain.
        problem: The problem.
        in_tables: Derived predicates that have atoms, as their rules are recursive.
        count: Counts the conditions and effects that are examined.
    """
    fluents = set(in_tables)
    for operator in domain.operators.values():
        fluents.update(effect.atom.predicate for effect in literal_effects(operator.effect))
    vocabulary = Vocabulary(
        {**domain.constants, **problem.objects},
        domain.types,
        fluents=frozenset(fluents),
        facts=problem.initial,
        count=count,
    )
    by_predicate: dict[str, list[Axiom]] = {}
    for axiom in domain.axioms:
        by_predicate.setdefault(axiom.head.predicate, []).append(axiom)
    for predicate, axioms in by_predicate.items():
        if predicate not in in_tables:
            vocabulary.definitions[predicate] = _Definition(axioms, vocabulary).condition
    for type_name in set(domain.types) - set(domain.predicates):
        # A type is a predicate of one argument, too.
        vocabulary.static[type_name] = {(name,) for name in vocabulary.objects((type_name,))}
    return vocabulary


def _initial(vocabulary: Vocabulary) -> int:
    """Return the initial state as a mask with one literal of each atom.

    Two binary digits an atom, the first atom at the end: ``01`` if it holds (its literal 2n is
    true), ``10`` if not (its literal 2n + 1 is).
    """
    # As a text in base 2, because setting many bits one by one is quadratic.
    digits = ["01" if atom in vocabulary.initial else "10" for atom in reversed(vocabulary.atoms)]
    return int("".join(digits) or "0", 2)


def _optimistic_literals(vocabulary: Vocabulary) -> int:
    """Return the literals of numbered atoms that are not known to be unreachable.

    That an atom is false is never ruled out; that it is true is, if the reachable facts of its
    predicate are known and it is not among them.
    """
    literals = 0
    for atom_index, (predicate, arguments) in enumerate(vocabulary.atoms):
        reachable_facts = vocabulary.facts(predicate)
        literals |= 1 << 2 * atom_index + 1
        if reachable_facts is None or arguments in reachable_facts:
            literals |= 1 << 2 * atom_index
    return literals


def _negated_cost_conditions(domain: Domain) -> Iterator[Formula]:
    """Yield the negated condition of each conditional cost, which makes an action cheaper.

    A cheapest plan may take actions only to make such a condition true.
    """
    for operator in domain.operators.values():
        for clause in cost_clauses(operator.effect):
            if clause.condition != TRUE:
                yield Not(clause.condition)


def _in_counted_batches(
    items: Sequence[_T], size: Callable[[_T], int], count: _Count
) -> Iterator[_T]:
    """Yield items one by one. Each batch is counted before its first item.

    Args:
        items: The items.
        size: Returns how much an item counts.
        count: Counts the work, and raises at a limit.
    """
    for first in range(0, len(items), _BATCH):
        batch = items[first : first + _BATCH]
        count(sum(map(size, batch)))
        yield from batch


_BATCH = 64
"""Number of items between two looks at the clock."""


def _no_size(_: object) -> int:
    """Return the size of an item that is only reason to look at the clock."""
    return 0


def _reduce(draft: GroundTask, count: _Count, *, harmful: bool, whole: bool) -> GroundTask:
    """Return the task without unreachable and irrelevant parts.

    1. Literals and actions that the relaxation without deletions does not reach are left out.
    2. Conditions are simplified by the literals that are true (or false) in all states.
    3. Literals on which the goal cannot depend are left out, and of actions that differ in
       nothing else all but the cheapest.

    The third step is not done for a whole task, which keeps all actions and all literals that can
    change.

    Args:
        draft: The ground task.
        count: Counts examined parts of the task, and raises at a limit.
        harmful: Whether actions that can only do harm are kept.
        whole: Whether the third step is left out.
    """
    if draft.strata:
        draft = replace(draft, initial=deductions(draft, draft.initial))
    reached, actions = _reach(draft, count)
    if not whole and not holds(draft.goal, reached):
        return replace(draft, goal=IMPOSSIBLE, actions=(), reachable=False)
    always_false = draft.positive * 3 & ~reached  # times 3: both literals of each atom
    always_true = draft.initial & ~complement(reached, draft.positive)
    simplify = Simplifier(always_true, always_false).simplify
    simplified = []
    for action in _in_counted_batches(actions, _size, count):
        simplified.append(_simplify_action(action, simplify, draft.positive))
    task = replace(draft, goal=simplify(draft.goal), actions=tuple(simplified))
    if whole:
        return _keep_literals(task, reached & ~always_true, count)
    return _keep_relevant(task, count, harmful=harmful)


def _keep_literals(task: GroundTask, changeable: int, count: _Count) -> GroundTask:
    """Return a task with all its actions, and with the literals that can change.

    Args:
        task: The task, with simplified actions.
        changeable: Mask of the literals that can change.
        count: Counts examined parts of the task, and raises at a limit.
    """
    # Rules are not simplified, so all literals in them are kept.
    rules = [rule for stratum in task.strata for rule in stratum]
    in_rules = union([literals_of(rule.body) | rule.head for rule in rules])
    actions = [_without_overruled(action, task.positive) for action in task.actions]
    task = replace(task, needed=changeable | in_rules)
    return compress(task, actions=_in_counted_batches(actions, _size, count))


def _keep_relevant(task: GroundTask, count: _Count, *, harmful: bool) -> GroundTask:
    """Return a task with the literals on which the goal can depend, and the cheapest actions.

    Args:
        task: The task, with simplified actions.
        count: Counts examined parts of the task, and raises at a limit.
        harmful: Whether actions that can only do harm are kept.
    """
    needed = _relevant(task, count, harmful=harmful)
    cheapest = tuple(_cheapest_alternatives(task.positive, task.actions, needed, count))
    task = replace(task, actions=cheapest, needed=needed)
    return compress(task, actions=_in_counted_batches(cheapest, _size, count))


def _reach(draft: GroundTask, count_tests: _Count) -> tuple[int, list[GroundAction]]:
    """Return the literals and actions that are reachable if nothing is ever deleted.

    This is a fixed point: literals are never removed, so an applicable action stays applicable, and
    only the others are tested again.

    Args:
        draft: The task, with actions that cannot be reached.
        count_tests: Counts the tests, and raises at a limit.
    """
    # A derived atom may become false in many ways: that it can is taken for granted.
    reached = draft.initial | draft.derived << 1
    applicable: dict[int, GroundAction] = {}
    rules = [rule for stratum in draft.strata for rule in stratum]
    untested = [
        (action_index, action, _size(action)) for action_index, action in enumerate(draft.actions)
    ]
    pending_effects: list[tuple[Condition, int]] = []
    reached_before = -1  # no mask is negative, so the first pass always runs
    while reached_before != reached:
        reached_before = reached
        inapplicable = []
        for entry in _in_counted_batches(untested, itemgetter(2), count_tests):
            action_index, action, _ = entry
            if holds(action.condition, reached):
                applicable[action_index] = action
                reached |= action.effect
                pending_effects += action.conditional
            else:
                inapplicable.append(entry)
        untested = inapplicable
        reached, pending_effects = _add_conditional(reached, pending_effects, count_tests)
        for rule in _in_counted_batches(rules, _no_size, count_tests):
            if rule.head & ~reached and holds(rule.body, reached):
                reached |= rule.head
    return reached, [applicable[action_index] for action_index in sorted(applicable)]


def _add_conditional(
    reached: int, pending_effects: Sequence[tuple[Condition, int]], count_tests: _Count
) -> tuple[int, list[tuple[Condition, int]]]:
    """Add the literals of the conditional effects that can happen to the reached ones.

    Args:
        reached: The literals that are reached.
        pending_effects: The condition and the literals of each effect.
        count_tests: Counts the tests.

    Returns:
        The literals that are reached then, and the effects that may add more of them later.
    """
    still_pending: list[tuple[Condition, int]] = []
    for effect in _in_counted_batches(
        pending_effects, lambda effect: size_of(effect[0]), count_tests
    ):
        condition, literals = effect
        if not literals & ~reached:
            # Literals that are reached already need no test, now or later.
            continue
        if holds(condition, reached):
            reached |= literals
        else:
            still_pending.append(effect)
    return reached, still_pending


def _size(action: GroundAction) -> int:
    """Return the number of parts of an action's condition and effects."""
    size = 1 + size_of(action.condition)
    for condition, _ in (*action.conditional, *action.conditional_costs):
        size += 1 + size_of(condition)
    return size


def _simplify_action(
    action: GroundAction, simplify: Callable[[Condition], Condition], positive_literals: int
) -> GroundAction:
    """Return an action with simplified conditions.

    Args:
        action: The action.
        simplify: Simplifies a condition by what holds in all states.
        positive_literals: The positive literal of each atom.
    """
    condition = simplify(action.condition)
    effect = action.effect
    conditional_effects = []
    for when, literals in action.conditional:
        remaining = simplify(when)
        # The precondition holds whenever the action is done.
        remaining = remaining._replace(every=remaining.every & ~condition.every)
        if 0 in remaining.clauses or remaining.every & complement(
            condition.every, positive_literals
        ):
            continue
        if remaining == NOTHING:
            effect |= literals
            continue
        if (
            remaining == Condition(remaining.every & positive_literals)
            and remaining.every.bit_count() == 1
        ):
            # An atom that is deleted if it holds is false afterwards in any case: to go somewhere
            # deletes every other place. Said so, pairs of literals prove more.
            effect |= literals & remaining.every << 1
            literals &= ~(remaining.every << 1)  # noqa: PLW2901 - without what always happens
        if literals:
            conditional_effects.append((remaining, literals))
    simpler = action._replace(
        condition=condition, effect=effect, conditional=tuple(conditional_effects)
    )
    if not action.conditional_costs:
        return simpler
    return _simplify_costs(simpler, simplify)


def _simplify_costs(
    action: GroundAction, simplify: Callable[[Condition], Condition]
) -> GroundAction:
    """Return an action with simplified conditions of its costs.

    A condition that always holds makes its cost a fixed one, and a condition that never holds makes
    it vanish; costs under equal conditions are added up.

    Args:
        action: The action.
        simplify: Simplifies a condition by what holds in all states.
    """
    fixed = action.cost
    costs: dict[Condition, float] = {}
    for condition, amount in action.conditional_costs:
        remaining = simplify(condition)
        if remaining == NOTHING:
            fixed += amount
        elif 0 not in remaining.clauses:
            costs[remaining] = costs.get(remaining, 0.0) + amount
    return action._replace(cost=fixed, conditional_costs=tuple(costs.items()))


class _MentionedLiterals(NamedTuple):
    """The literals that an action mentions.

    Args:
        condition: Literals of its precondition.
        effect: Literals that it makes true in any case.
        conditional: Literals of the condition of each conditional effect, and its effect.
        costs: Literals of the conditions of its costs.
    """

    condition: int
    effect: int
    conditional: list[tuple[int, int]]
    costs: int

    def makes(self, literals: int) -> bool:
        """Return whether the action may make some of these literals true."""
        if self.effect & literals:
            return True
        return any(effect & literals for _, effect in self.conditional)

    def required(self, needed: int, positive: int) -> int:
        """Return the literals that matter if the action does, beside those that are needed.

        Args:
            needed: The literals that are known to matter.
            positive: The positive literal of each atom.
        """
        # A condition that makes the action costly must be kept from holding.
        required = self.condition | self.costs | complement(self.costs, positive)
        for condition, literals in self.conditional:
            if literals & (needed | required):
                required |= condition
            # A deletion must be kept from happening, too.
            if complement(literals, positive) & (needed | required):
                required |= complement(condition, positive)
        return required


def _mentioned_literals(action: GroundAction) -> _MentionedLiterals:
    """Return the literals that the conditions and effects of an action mention."""
    conditional = [(literals_of(condition), effect) for condition, effect in action.conditional]
    costs = union([literals_of(condition) for condition, _ in action.conditional_costs])
    return _MentionedLiterals(literals_of(action.condition), action.effect, conditional, costs)


def helpful(task: GroundTask) -> tuple[GroundAction, ...]:
    """Return the actions of a task that a shortest plan may have: not those that only do harm."""
    needed = _relevant(task, _count_nothing)
    return tuple([action for action in task.actions if _mentioned_literals(action).makes(needed)])


def _number_of_effects(action: _MentionedLiterals) -> int:
    """Return the number of effects of an action, those in any case counted as one."""
    return 1 + len(action.conditional)


def _count_nothing(_: int) -> None:
    """Count nothing: the task was made within its limits."""


def _relevant(task: GroundTask, count: _Count, *, harmful: bool = False) -> int:
    """Return the literals on which the goal can depend, by backward fixed point.

    Args:
        task: The task.
        count: Counts the actions that are examined.
        harmful: Whether the opposite of a literal on which the goal depends counts as well.
    """
    positive = task.positive
    actions = []
    for action in _in_counted_batches(task.actions, _size, count):
        actions.append(_mentioned_literals(action))
    rules = [(literals_of(rule.body), rule.head) for rule in chain.from_iterable(task.strata)]
    # Invariant: whatever is in "needed" can matter for the goal. It only grows, so this ends.
    needed = literals_of(task.goal)
    needed_before = -1  # no mask is negative, so the first pass always runs
    while needed_before != needed:
        needed_before = needed
        if harmful:
            needed |= complement(needed, positive)
        for mentioned in _in_counted_batches(actions, _number_of_effects, count):
            if not mentioned.makes(needed):
                continue
            needed |= mentioned.required(needed, positive)
        for body, head in _in_counted_batches(rules, _no_size, count):
            # That a derived atom is false (its literal is one to the left) can matter, too: then
            # so do the opposites of what its rules need.
            if head & needed:
                needed |= body
            if head << 1 & needed:
                needed |= complement(body, positive)
    return needed


def _cheapest_alternatives(
    positive_literals: int, actions: Sequence[GroundAction], needed: int, count: _Count
) -> Iterable[GroundAction]:
    """Return the cheapest action of each group with equal effects on relevant literals.

    Args:
        positive_literals: The positive literal of each atom.
        actions: The actions.
        needed: The literals that matter.
        count: Counts the actions that are examined.
    """
    relevant = needed | complement(needed, positive_literals)
    cheapest: dict[object, GroundAction] = {}
    for action in _in_counted_batches(actions, _size, count):
        effect = action.effect & relevant
        conditional_effects = []
        possible_literals = effect
        for condition, literals in action.conditional:
            if literals & relevant:
                conditional_effects.append((condition, literals & relevant))
                possible_literals |= literals & relevant
        if not possible_literals & needed:
            continue
        # Names and arguments are not part of the key: "drive car1" and "drive car2" may do the
        # same to all that matters.
        reduced = action._replace(effect=effect, conditional=tuple(conditional_effects))
        reduced = _without_overruled(reduced, positive_literals)
        key = (
            action.condition,
            reduced.effect,
            reduced.conditional,
            action.conditional_costs,
        )
        cheapest_so_far = cheapest.get(key)
        if cheapest_so_far is None or action.cost < cheapest_so_far.cost:
            cheapest[key] = reduced
    return cheapest.values()


def _without_overruled(action: GroundAction, positive: int) -> GroundAction:
    """Return an action without deletions of atoms that it adds.

    In PDDL adding wins over deleting. The deletion of atom n is the literal 2n + 1, one to the left
    of its addition, 2n.
    """
    if action.conditional:
        return action
    return action._replace(effect=action.effect & ~((action.effect & positive) << 1))


def _strata(axioms: Sequence[Axiom]) -> list[list[Axiom]]:
    """Return rules in strata, so that negated predicates are complete before they are used.

    Source: stratified negation, as in Thiebaux, Hoffmann & Nebel, "In defense of PDDL axioms"
    (2005).
    """
    stratum_of = {axiom.head.predicate: 0 for axiom in axioms}
    # A predicate moves up at most once for each predicate. It would move more often only in a
    # circle of negations, which was refused before.
    for _ in range(len(stratum_of)):
        for axiom in axioms:
            head = axiom.head.predicate
            for atom, is_positive in polarities(axiom.body):
                if atom.predicate not in stratum_of:
                    continue
                lowest_stratum = stratum_of[atom.predicate]
                if not is_positive:
                    lowest_stratum += 1
                stratum_of[head] = max(stratum_of[head], lowest_stratum)
    strata: dict[int, list[Axiom]] = {}
    for axiom in axioms:
        strata.setdefault(stratum_of[axiom.head.predicate], []).append(axiom)
    return [strata[index] for index in sorted(strata)]
