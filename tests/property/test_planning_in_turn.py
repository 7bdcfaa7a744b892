"""Small tasks, seed by seed: engines, relaxed plans, landmarks and pairs against all states."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from functools import cache
from itertools import combinations
from random import Random

import pytest
from strategies_planning import random_task

from eai.pddl import Domain, Problem
from eai.planning import Limits, Outcome, ground, plan, validate
from eai.planning.conditions import complement, holds, literals_of
from eai.planning.landmarks import Landmarks
from eai.planning.own import BREADTH_FIRST, GREEDY, WIDTH
from eai.planning.pairs import LiteralPairs
from eai.planning.portfolio import ExcludedError, exclude_goal
from eai.planning.searches import Relaxation
from eai.planning.task import (
    GroundAction,
    GroundTask,
    Successors,
    _without_needless_actions,
    finish,
)
from eai.world.bits import bits

SEEDS = range(60)
STATES = 400
ENGINES = ("eai", WIDTH, GREEDY, "eai-optimal", BREADTH_FIRST)


@cache
def made(seed: int) -> tuple[Domain, Problem]:
    return random_task(Random(seed))


def plain(seed: int) -> GroundTask:
    """The ground task without derived predicates."""
    domain, problem = made(seed)
    return ground(replace(domain, axioms=()), problem)


def mark_unbound_effects(task: GroundTask) -> tuple[dict[int, list[GroundAction]], bool]:
    """States with a shortest way to each, and whether these are all."""
    ways: dict[int, list[GroundAction]] = {task.initial: []}
    queue = deque([task.initial])
    while queue:
        state = queue.popleft()
        for action in task.actions:
            if holds(action.condition, state):
                after = task.successor(state, action)
                if after not in ways:
                    ways[after] = [*ways[state], action]
                    queue.append(after)
                    if len(ways) > STATES:
                        return ways, False
    return ways, True


def shortest(task: GroundTask, ways: dict[int, list[GroundAction]]) -> list[GroundAction] | None:
    goals = [way for state, way in ways.items() if holds(task.goal, state)]
    return min(goals, key=len, default=None)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_engine_finds_a_plan_or_proves_that_there_is_none(seed: int) -> None:
    domain, problem = made(seed)
    task = ground(domain, problem)
    ways, is_complete = mark_unbound_effects(task)
    best = shortest(task, ways)
    for engine in ENGINES:
        found = plan(domain, problem, engine=engine)
        if best is not None:
            assert found.solved
            assert found.plan is not None
            assert validate(domain, problem, found.plan).valid
        elif is_complete:
            assert found.outcome is Outcome.UNSOLVABLE
        if engine == BREADTH_FIRST and best is not None and is_complete:
            assert found.plan is not None
            assert len(found.plan) <= len(best) or not found.optimal


@pytest.mark.parametrize("seed", SEEDS)
def test_applicable_actions_are_those_whose_conditions_hold(seed: int) -> None:
    task = ground(*made(seed))
    successors = Successors(task)
    for state in [*mark_unbound_effects(task)[0]][:60]:
        found = successors.applicable(state)
        assert len(found) == len({id(action) for action in found})
        expected = [action for action in task.actions if holds(action.condition, state)]
        assert sorted(map(id, found)) == sorted(map(id, expected))


def relaxed(task: GroundTask, state: int) -> int:
    """All literals that can be true if nothing is ever made false."""
    reached, before = state | task.derived << 1, -1
    while before != reached:
        before = reached
        for action in task.actions:
            if holds(action.condition, reached):
                reached |= action.effect
                for condition, literals in action.conditional:
                    if holds(condition, reached):
                        reached |= literals
        for stratum in task.strata:
            for rule in stratum:
                if holds(rule.body, reached):
                    reached |= rule.head
    return reached


@pytest.mark.parametrize("seed", SEEDS)
def test_there_is_a_relaxed_plan_where_the_relaxation_reaches_the_goal(seed: int) -> None:
    task = ground(*made(seed))
    if not task.reachable:
        return
    relaxation = Relaxation(task, Limits())
    for state in [*mark_unbound_effects(task)[0]][:40]:
        found = relaxation.plan(state)
        assert (found is not None) is holds(task.goal, relaxed(task, state))
        if found is None:
            continue
        actions, facts = found
        assert all(0 <= number < len(task.actions) for number in actions)
        # The chosen actions alone reach the goal, and what is asked for was not true yet.
        only = replace(task, actions=tuple(task.actions[number] for number in sorted(actions)))
        assert holds(task.goal, relaxed(only, state))
        assert not facts & (state | task.derived << 1)
        if holds(task.goal, state):
            assert not actions


@pytest.mark.parametrize("seed", SEEDS)
def test_landmarks_become_true_on_every_way_to_the_goal(seed: int) -> None:
    task = plain(seed)
    if not task.reachable:
        return
    ways, _ = mark_unbound_effects(task)
    best = shortest(task, ways)
    if best is None:
        return
    landmarks = Landmarks(task, Limits())
    state, passed = task.initial, [task.initial]
    for action in best:
        after = task.successor(state, action)
        if after not in passed:
            landmarks.follow(state, after)
        state = after
        passed.append(state)
    ever = 0
    for each in passed:
        ever |= each
    facts = (1 << 2 * len(task.atoms)) - 1
    assert landmarks._all & facts & ~ever == 0
    for mask in landmarks._literals_of.values():
        assert mask & ever
    for each in passed:
        open_ones, hoped = landmarks.look(each)
        assert open_ones >= 0
        if open_ones == 0:
            assert holds(task.goal, each)
        if not holds(task.goal, each) and task.goal[1:] == ((), ()):
            assert hoped & ~each
    assert landmarks.look(passed[-1])[0] == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_literals_that_are_true_together_are_a_pair_that_is_possible(seed: int) -> None:
    task = plain(seed)
    pairs = LiteralPairs(task, Limits())
    while not pairs.are_complete:
        for _ in pairs.extend_by_all_actions():
            pass
    ways, is_complete = mark_unbound_effects(task)
    for state in ways:
        assert state & ~pairs.reached == 0
        for one, other in combinations(bits(state), 2):
            assert pairs._partners[one] >> other & 1
            assert pairs._partners[other] >> one & 1
    for literal in bits(pairs.reached):
        assert pairs._partners[literal] >> literal & 1
    if is_complete and task.reachable:
        try:
            finish(exclude_goal(task, Limits()))
        except ExcludedError:
            assert shortest(task, ways) is None


def test_a_proof_pauses_before_it_looks_at_actions() -> None:
    paused = 0
    for seed in SEEDS:
        task = plain(seed)
        if not task.reachable or not task.actions:
            continue
        search = exclude_goal(task, Limits())
        next(search)
        paused += 1
    assert paused


def test_with_derived_predicates_pairs_prove_nothing() -> None:
    for seed in SEEDS:
        task = ground(*made(seed))
        if task.strata:
            assert finish(exclude_goal(task, Limits())) is None


@pytest.mark.parametrize("seed", SEEDS)
def test_no_action_of_a_shortened_plan_can_be_left_out(seed: int) -> None:
    task = ground(*made(seed))
    ways, _ = mark_unbound_effects(task)
    best = shortest(task, ways)
    if best is None:
        return
    # A detour: any action that can be done, before the plan and where it still works.
    for first in task.actions:
        if not holds(first.condition, task.initial):
            continue
        plan_with, state = [first, *best], task.initial
        for action in plan_with:
            if not holds(action.condition, state):
                break
            state = task.successor(state, action)
        else:
            if not holds(task.goal, state):
                continue
            found = _without_needless_actions(task, list(plan_with))
            assert works(task, found)
            assert len(found) <= len(plan_with)
            for at in range(len(found)):
                assert not works(task, [*found[:at], *found[at + 1 :]])


def works(task: GroundTask, steps: list[GroundAction]) -> bool:
    """Whether steps lead to the goal; what cannot be done is passed over."""
    state = task.initial
    for action in steps:
        if holds(action.condition, state):
            state = task.successor(state, action)
    return holds(task.goal, state)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_ground_task_says_what_conditions_ask_for(seed: int) -> None:
    task = ground(*made(seed))
    if not task.reachable:
        return
    for action in task.actions:
        assert literals_of(action.condition) & ~task.needed == 0
        for condition, literals in action.conditional:
            if literals & task.needed:
                assert literals_of(condition) & ~task.needed == 0
    assert literals_of(task.goal) & ~task.needed == 0
    assert task.initial & complement(task.initial, task.positive) == 0
