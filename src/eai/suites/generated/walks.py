"""Random walks from one initial state, what they change, and plans for that.

A plan for a goal is made of the steps of a walk that the goal needs:

1. The walk is cut where the goal holds for the first time.
2. Backwards from the goal, a step is taken that made a part of it true, then each that made a part
   of the precondition of such a step true (causal links, McAllester & Rosenblitt 1991). Effects
   may have conditions, which are not asked for: the last steps are taken that changed anything
   about the objects of the goal. The shortened walk is tried out; if it misses the goal, the plan
   is the whole walk up to there.
3. Steps that the goal does not need are left out one by one, each with what only serves it (action
   elimination, Nakhost & Müller 2010); of a whole walk before that blocks of half of it, a quarter
   and so on.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from random import Random
from typing import NamedTuple

from eai.contract import TaskWorld
from eai.logic import Atom, Formula, Not
from eai.suites.generated.moves import Fact, Move
from eai.suites.generated.positions import Position, Taken, Test, beginnings
from eai.task import Task
from eai.world import Action, World, mask_of


class Scene:
    """An initial state, with the actions that may be possible from there on.

    Args:
        task: A task that begins there.
        world: Where plans are run.
        kind: The kind of tasks to generate.
    """

    def __init__(self, task: Task, world: World, kind: TaskWorld) -> None:
        self.task = task
        self._wordings = kind.wordings
        universe = task.start.universe
        self._names = universe.names
        agent = universe.number(task.agent) if task.agent else None
        self._agent = agent
        objects = mask_of(map(universe.number, task.vocabulary.objects))
        # Goals are about what plans may name, and the agent.
        self._nameable = objects if agent is None else objects | 1 << agent
        predicates = [words.removeprefix("not ") for words in kind.wordings]
        self._goal_predicates = frozenset(predicates or task.vocabulary.predicates)
        derived = sorted(self._goal_predicates & world.derived)
        self._begin = beginnings(task, world, kind, derived)

    def walk(self, random: Random, length: int) -> Walk:
        """Take random steps that never return to an earlier state."""
        start = position = self._begin()
        seen = {start}
        steps: list[Taken] = []
        while len(steps) < length:
            step = position.step(random, steps[-1].move if steps else None, seen)
            if step is None:
                break
            steps.append(step)
            position = step.after
            seen.add(position)
        facts = position.changes()
        # Of a symmetric relation one direction is enough.
        goals = [fact for fact in facts if self._is_goal(fact) and not fact.is_mirrored_in(facts)]
        return Walk(start, steps, sorted(goals), self._agent)

    def _is_goal(self, fact: Fact) -> bool:
        """Return whether a fact is suitable as a part of a goal."""
        if fact.predicate not in self._goal_predicates:
            return False
        if len(set(fact.numbers)) < len(fact.numbers):
            return False  # nobody is asked to bring something next to itself
        if any(not self._nameable >> number & 1 for number in fact.numbers):
            return False
        key = fact.predicate if fact.value else f"not {fact.predicate}"
        return not self._wordings or key in self._wordings

    def literal(self, fact: Fact) -> Formula:
        """Return a fact as a formula."""
        atom = Atom(fact.predicate, tuple([self._names[number] for number in fact.numbers]))
        return atom if fact.value else Not(atom)


class _Link(NamedTuple):
    """A step on which another step, or the goal, depends.

    Args:
        maker: Number of the step; -1 for none.
        unless: Something held at the start, so the step is only needed if one of these steps is,
            which made it false; -1 if the step is needed in any case.
        makers: All steps that made it true; 0 if they are not known.
    """

    maker: int
    unless: int = -1
    makers: int = 0


class Walk:
    """A sequence of steps from an initial state.

    Args:
        start: The initial state.
        steps: The steps.
        changed: The facts that they made true and that may be a goal, in an order.
    """

    def __init__(
        self,
        start: Position,
        steps: Sequence[Taken],
        changed: Sequence[Fact],
        agent: int | None,
    ) -> None:
        self._agent = agent
        self.steps = steps
        self.changed = changed
        self._positions = [start, *[step.after for step in steps]]
        self._links: dict[int, list[_Link]] = {}  # of a step's precondition
        self._tried: list[set[int]] = []  # the steps that goals so far needed

    def plan(self, goal: Sequence[Fact], min_steps: int) -> tuple[Action, ...]:
        """Return the steps of the walk that a goal needs, or none if they are too few or not new.

        Args:
            goal: The goal, which is a part of what the walk changed.
            min_steps: Minimum number of steps.
        """
        start = self._positions[0]
        tests = [start.test_of(fact) for fact in goal]
        end = 0
        while not _is_reached(self._positions[end], tests):
            end += 1
        links = [self._link(test, end) for test in tests]
        needed = self._needed_steps(goal, links)
        if len(needed) < min_steps or needed in self._tried:
            return ()
        self._tried.append(needed)
        certain = {self.steps[number].move for number in self._certain_steps(links, needed)}
        moves = _reaching(start, [self.steps[number].move for number in sorted(needed)], tests)
        if moves is None:
            # The links missed something, so that the whole walk is shortened.
            certain = set()
            moves = _without_idle_blocks(start, [step.move for step in self.steps[:end]], tests)
        if len(moves) < min_steps:
            return ()
        previous_length = len(moves) + 1
        while len(moves) < previous_length:
            # Without a later step, an earlier one may be idle.
            previous_length = len(moves)
            moves = _without_idle(start, moves, tests, 1, certain)
        return tuple([move.action for move in moves])

    def _needed_steps(self, goal: Sequence[Fact], links: Sequence[_Link]) -> set[int]:
        """Return the numbers of the steps that a goal probably needs.

        Args:
            goal: The goal.
            links: For each fact of the goal the step that made it true.
        """
        # Conditions of effects have no links, so that the last step about each object counts.
        about = [
            _Link(self._step_about(number, link.maker))
            for fact, link in zip(goal, links, strict=True)
            for number in fact.numbers
            if number != self._agent
        ]
        needed: set[int] = set()
        needed_mask = 0
        pending = [*links, *about]
        waiting: list[_Link] = []  # links that only count if another step is needed
        while pending:
            link = pending.pop()
            if link.maker < 0 or link.maker in needed:
                continue
            if link.unless >= 0 and not link.unless & needed_mask:
                waiting.append(link)
                continue
            needed.add(link.maker)
            needed_mask |= 1 << link.maker
            pending += self._links_of(link.maker)
            # The new step may be the one that makes a waiting link count.
            pending += waiting
            waiting = []
        return needed

    def _certain_steps(self, links: Sequence[_Link], needed: set[int]) -> set[int]:
        """Return the needed steps that a goal cannot do without.

        Such a step is the only needed one that makes something true which did not hold at the
        start, and which the goal or another certain step depends on.

        Args:
            links: For each fact of the goal the step that made it true.
            needed: Numbers of the steps that the goal probably needs.
        """
        needed_mask = mask_of(needed)
        certain: set[int] = set()
        pending = list(links)
        while pending:
            maker, unless, makers = pending.pop()
            if maker not in certain and unless < 0 and makers & needed_mask == 1 << maker:
                certain.add(maker)
                pending += self._links_of(maker)
        return certain

    def _links_of(self, number: int) -> list[_Link]:
        """Return the steps that made the preconditions of a step true."""
        if number not in self._links:
            tests = self._positions[number].tests(self.steps[number].move)
            links = [self._link(test, number) for test in tests]
            self._links[number] = [link for link in links if link.maker >= 0]
        return self._links[number]

    def _link(self, test: Test, position: int) -> _Link:
        """Return the step that made a test true before a position."""
        reads, holds = test
        maker = -1
        makers = breakers = 0
        held_at_start = holds_now = holds(self._positions[0].state)
        for number in range(position):
            # Steps that change nothing which the test reads cannot change its outcome.
            if self.steps[number].changed & reads:
                held_before, holds_now = holds_now, holds(self._positions[number + 1].state)
                if holds_now and not held_before:
                    maker = number
                    makers |= 1 << number
                elif held_before and not holds_now:
                    breakers |= 1 << number
        return _Link(maker, breakers if held_at_start else -1, makers)

    def _step_about(self, number: int, step: int) -> int:
        """Return an earlier step that changed an object which the step itself does not name.

        It is the last one that names it, else the last one that changed facts about it, else -1.
        """
        if number in self.steps[step].move.objects:
            return -1
        touching = -1
        for earlier in range(step - 1, -1, -1):
            if number in self.steps[earlier].move.objects:
                return earlier
            if touching < 0 and self.steps[earlier].touched >> number & 1:
                touching = earlier
        return touching


def _is_reached(position: Position, tests: Iterable[Test]) -> bool:
    """Return whether all tests hold in a position."""
    state = position.state
    for _, holds in tests:  # noqa: SIM110 - a generator in all() takes twice as long
        if not holds(state):
            return False
    return True


def _without_idle_blocks(start: Position, moves: list[Move], goal: Sequence[Test]) -> list[Move]:
    """Remove blocks of steps that a goal does not need, halving the size of a block each time.

    Args:
        start: Where the steps begin.
        moves: The steps.
        goal: The tests of the goal.
    """
    block_size = len(moves)
    while block_size > 1:
        block_size = (block_size + 1) // 2
        moves = _without_idle(start, moves, goal, block_size, ())
        block_size = min(block_size, len(moves))
    return moves


def _without_idle(
    start: Position, moves: list[Move], goal: Sequence[Test], size: int, certain: Container[Move]
) -> list[Move]:
    """Remove blocks of steps that a goal does not need, with the steps that only serve them.

    Args:
        start: Where the steps begin.
        moves: The steps.
        goal: The tests of the goal.
        size: Number of steps of a block.
        certain: Steps that others need without a doubt: these are not left out with a block that
            begins with one.
    """
    position = start  # before the block
    index = 0  # of the first step of the block
    while index < len(moves):
        later = moves[index + size :]
        needed_later = _reaching(position, later, goal, is_strict=moves[index] in certain)
        if needed_later is not None:
            # The goal is reached without the block, so the next block is at the same index.
            moves = [*moves[:index], *needed_later]
            continue
        for move in moves[index : index + size]:
            position = position.after(move) or position
        index += size
    return moves


def _reaching(
    start: Position, moves: Iterable[Move], goal: Sequence[Test], *, is_strict: bool = False
) -> list[Move] | None:
    """Return the applicable steps up to a goal, or None if they do not reach it.

    Args:
        start: The state.
        moves: The steps.
        goal: The tests of the goal.
        is_strict: Whether all steps have to be possible; else the others are left out.
    """
    position = start
    done: list[Move] = []
    if _is_reached(position, goal):
        return done
    for move in moves:
        after = position.after(move)
        if after is None:
            if is_strict:
                return None
        # A step that changes nothing is left out.
        elif after is not position:
            position = after
            done.append(move)
            if _is_reached(position, goal):
                return done
    return None
