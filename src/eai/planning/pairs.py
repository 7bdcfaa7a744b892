"""Pairs of literals that may be true together, and what follows from a goal by them.

Idea: all other pairs exclude each other in every state that can be reached, so whatever excludes
the opposite of a literal implies the literal. Source: Haslum & Geffner, "Admissible heuristics for
optimal planning" (2000), for literals of both signs.

Cost: each round looks at all actions; rounds end when one of them adds no pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from eai.budget import BeyondBudgetError, Meter
from eai.errors import InputError
from eai.logic import TRUE, And, Atom, Formula, Not, conjuncts
from eai.pddl import Domain, Problem
from eai.planning.conditions import Condition, complement, literals_of
from eai.planning.costs import without_costs
from eai.planning.declarations import declared, objection
from eai.planning.grounding import ground
from eai.planning.limits import Limits
from eai.planning.task import GroundAction, GroundTask
from eai.world import State, World, union, world_of
from eai.world.bits import bits


def close_by_pairs(
    domain: Domain, problem: Problem, goals: Sequence[Formula], meter: Meter
) -> list[Formula] | None:
    """Return goals with all literals that mutual exclusions imply, or None.

    A closed goal holds in the same reachable states as the goal. Goals that are closed alike are
    equal; others may be equal, too, as more may follow than pairs of literals say.

    Args:
        domain: The domain.
        problem: The problem; its goal and metric are ignored.
        goals: Conjunctions of literals.
        meter: Counts the work.

    Returns:
        The closed goals. None if the task has derived predicates or numbers, if it is not
        well-formed, or if the budget is used up.
    """
    if domain.axioms:
        return None
    problem_without_goal = replace(
        problem, goal=TRUE, metric=None, constraints=TRUE, preferences=()
    )
    if objection(domain, replace(problem_without_goal, goal=And(tuple(goals)))) is not None:
        return None
    limits = Limits(budget=meter)
    try:
        task = ground(
            *declared(without_costs(domain), problem_without_goal), limits=limits, whole=True
        )
        pairs = _all_pairs(task, limits)
    except (BeyondBudgetError, InputError):
        return None
    world = world_of(domain)
    start = world.state(problem.objects, problem.initial, problem.values)
    # A fact that never changes follows from every goal, as it does where all states are examined.
    changing_atoms = set(task.atoms)
    constant_atoms = [atom for atom in sorted(start.atoms(), key=str) if atom not in changing_atoms]
    closed = []
    for goal in goals:
        literals = _close(pairs, _literals_of_goal(task, world, start, goal), task.positive)
        closed.append(And.of([*constant_atoms, *_parts_of(task, literals)]))
    return closed


def _literals_of_goal(task: GroundTask, world: World, start: State, goal: Formula) -> int | None:
    """Return the changeable literals of a goal, or None if another one is never true.

    Args:
        task: The whole ground task: atoms that it does not have keep their value.
        world: The world.
        start: The initial state.
        goal: A conjunction of literals.
    """
    index_of_atom = {atom: index for index, atom in enumerate(task.atoms)}
    literals = 0
    for conjunct in conjuncts(goal):
        is_negative = isinstance(conjunct, Not)
        atom = conjunct.operands[0] if is_negative else conjunct
        assert isinstance(atom, Atom)  # noqa: S101 - goals are conjunctions of literals
        if atom in index_of_atom:
            literal = 2 * index_of_atom[atom]
            if is_negative:
                literal += 1
            literals |= 1 << literal
        elif world.holds(start, atom) is is_negative:
            return None
    return literals


def _close(pairs: LiteralPairs, literals: int | None, positive: int) -> int:
    """Return all literals implied by some, or every literal if these exclude each other.

    Args:
        pairs: All pairs that may be true together.
        literals: The literals; None if they are never true.
        positive: Mask of the positive literals.
    """
    everything = positive * 3  # both literals of each atom
    if literals is None:
        return everything
    while True:
        possible = pairs.possible_with(Condition(literals), pairs.reached)
        if possible is None:
            return everything
        implied = complement(everything & ~possible, positive)
        if not implied & ~literals:
            return literals
        literals |= implied


def _parts_of(task: GroundTask, literals: int) -> list[Formula]:
    """Return the literals of a mask as formulas: atoms, and negations of atoms."""
    parts: list[Formula] = []
    for literal in bits(literals):
        atom = task.atoms[literal >> 1]
        if literal & 1:
            parts.append(Not(atom))
        else:
            parts.append(atom)
    return parts


def _all_pairs(task: GroundTask, limits: Limits) -> LiteralPairs:
    """Return all pairs of literals that may be true together in some reachable state.

    Args:
        task: A task without derived atoms.
        limits: Limits of the work.
    """
    pairs = LiteralPairs(task, limits)
    while not pairs.are_complete:
        for _ in pairs.extend_by_all_actions():
            pass  # nothing else has its turn meanwhile
    return pairs


_ACTIONS_BEFORE_PAUSE = 64
"""Number of actions that a round looks at before others have their turn."""


def _number_of_literals(action: GroundAction) -> int:
    """Return the number of literals in the condition and the effects of an action."""
    count = literals_of(action.condition).bit_count() + action.effect.bit_count()
    for condition, literals in action.conditional:
        count += literals_of(condition).bit_count() + literals.bit_count()
    return count


class LiteralPairs:
    """The pairs of literals that may both be true in some reachable state.

    Invariant: pairs are only added, and every pair that is true in a state reached by the actions
    examined so far is among them. Some of them may be true in no such state.

    Args:
        task: The task; its initial state has the first pairs.
        limits: Limits of the proof.
    """

    def __init__(self, task: GroundTask, limits: Limits) -> None:
        self._limits = limits
        self._actions = task.actions
        self._sizes = [_number_of_literals(action) for action in task.actions]
        self._positive = task.positive
        self.reached = task.initial
        # For each literal the mask of those that can be true with it, itself included.
        self._partners = dict.fromkeys(bits(task.initial), task.initial)
        # Counts added pairs, to notice a round that adds none.
        self._number_of_additions = 0
        self.are_complete = False

    def possible_with(self, condition: Condition, candidates: int) -> int | None:
        """Return the candidates that can be true together with a condition.

        Args:
            condition: The condition.
            candidates: The literals, as a mask.

        Returns:
            The mask of them; None if the condition cannot hold together with them.
        """
        every, clauses, choices = condition
        if every & ~candidates:
            return None
        for literal in bits(every):
            candidates &= self._partners[literal]
        for clause in clauses:
            if not clause & candidates:
                return None
            # A literal of the clause has to be true, so a candidate must go together with one.
            candidates &= union(self._partners[literal] for literal in bits(clause & candidates))
        for choice in choices:
            masks = [self.possible_with(option, candidates) for option in choice]
            possible = [mask for mask in masks if mask is not None]
            if not possible:
                return None
            candidates &= union(possible)
        # Clauses and choices may have excluded what the condition needs.
        if every & ~candidates:
            return None
        return candidates

    def allow(self, condition: Condition) -> bool:
        """Return whether a condition may hold, as far as the pairs say that were found."""
        return self.possible_with(condition, self.reached) is not None

    def possible_actions(self) -> list[GroundAction]:
        """Return the actions that can be applied as far as the pairs say, in their order.

        Conditional effects that cannot happen when their action is applied are left out of it.
        """
        possible_actions = []
        for action_index, action in enumerate(self._actions):
            self._limits.count(self._sizes[action_index])
            literals_before = self.possible_with(action.condition, self.reached)
            if literals_before is None:
                continue
            conditional = []
            for effect in action.conditional:
                if self.possible_with(effect[0], literals_before) is not None:
                    conditional.append(effect)
            possible_actions.append(action._replace(conditional=tuple(conditional)))
        return possible_actions

    def extend_by_all_actions(self) -> Iterator[None]:
        """Add the pairs of one round over all actions, with regular pauses.

        After a round that adds none, :attr:`are_complete` is true.
        """
        additions_before = self._number_of_additions
        for action_index, action in enumerate(self._actions):
            if action_index % _ACTIONS_BEFORE_PAUSE == 0:
                self._limits.check()
                yield
            self._limits.count(self._sizes[action_index])
            self.extend(action)
        self.are_complete = self._number_of_additions == additions_before

    def extend(self, action: GroundAction) -> None:
        """Add the pairs that an action makes possible.

        Two literals may be true after the action in two cases: the action makes both true, or it
        makes one true and the other was true before and stays true.
        """
        literals_before = self.possible_with(action.condition, self.reached)
        if literals_before is None:
            return
        always_made = action.effect
        literals_after = action.effect
        for condition, literals in action.conditional:
            before_effect = self.possible_with(condition, literals_before)
            if before_effect is not None:
                literals_after |= literals
                # An atom that was true stays true unless one of the effects makes it false.
                undone = complement(always_made | literals, self._positive)
                self._add_pairs(literals, before_effect & ~undone)
        self._add_pairs(literals_after, literals_after)
        self._add_pairs(always_made, literals_before & ~complement(always_made, self._positive))

    def _add_pairs(self, literals: int, partners: int) -> None:
        """Mark every pair of a literal of one mask and one of another as possible.

        Args:
            literals: Mask of the ones.
            partners: Mask of the others.
        """
        for literal in bits(literals):
            earlier_partners = self._partners.get(literal, 0)
            if not earlier_partners:
                self._limits.keep(self.reached)
            new_partners = partners & ~earlier_partners
            if new_partners:
                self._limits.count(new_partners.bit_count())
                self._partners[literal] = earlier_partners | partners | 1 << literal
                self._number_of_additions += 1
                # The relation is symmetric, and a literal is its own partner.
                for partner in bits(new_partners):
                    partners_of_partner = self._partners.get(partner, 0)
                    self._partners[partner] = partners_of_partner | 1 << literal | 1 << partner
        self.reached |= literals | partners
