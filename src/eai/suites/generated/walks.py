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
from eai.suites.generated.positions import Position, Test, WalkStep, beginnings
from eai.task import Task
from eai.world import Action, World, mask_of
from eai.world.bits import bits


class Scene:
    """An initial state, with the actions that may be possible from there on.

    Args:
        task: A task that begins there.
        world: Where plans are run.
        kind: The kind of tasks to generate.
    """

    def __init__(self, task: Task, world: World, kind: TaskWorld) -> None:
        """Collect the objects and predicates that goals may be about."""
        self.task = task
        self._wordings = kind.wordings
        universe = task.start.universe
        self._names = universe.names
        agent = universe.number(task.agent) if task.agent else None
        self._agent = agent
        objects = mask_of(map(universe.number, task.vocabulary.objects))
        # Goals are about the objects that plans may name, and about the agent.
        self._goal_objects = objects if agent is None else objects | 1 << agent
        worded_predicates = [key.removeprefix("not ") for key in kind.wordings]
        self._goal_predicates = frozenset(worded_predicates or task.vocabulary.predicates)
        derived = sorted(self._goal_predicates & world.derived)
        self._first_position = beginnings(task, world, kind, derived)

    def walk(self, random: Random, length: int) -> Walk:
        """Take random steps that never return to an earlier state."""
        start = position = self._first_position()
        visited = {start}
        steps: list[WalkStep] = []
        last_move: Move | None = None
        while len(steps) < length:
            step = position.step(random, last_move, visited)
            if step is None:
                break
            steps.append(step)
            last_move = step.move
            position = step.after
            visited.add(position)
        facts = position.changes()
        goal_facts: list[Fact] = []
        for fact in facts:
            # Of a symmetric relation one direction is enough.
            if self._can_be_goal(fact) and not fact.is_mirrored_in(facts):
                goal_facts.append(fact)
        return Walk(start, steps, sorted(goal_facts), self._agent)

    def _can_be_goal(self, fact: Fact) -> bool:
        """Return whether a fact is suitable as a part of a goal."""
        if fact.predicate not in self._goal_predicates:
            return False
        if len(set(fact.numbers)) < len(fact.numbers):
            return False  # no goal asks to bring something next to itself
        if any(not self._goal_objects >> number & 1 for number in fact.numbers):
            return False
        key = fact.predicate if fact.value else f"not {fact.predicate}"
        return not self._wordings or key in self._wordings

    def literal(self, fact: Fact) -> Formula:
        """Return a fact as a formula."""
        atom = Atom(fact.predicate, tuple([self._names[number] for number in fact.numbers]))
        return atom if fact.value else Not(atom)


class _Link(NamedTuple):
    """A causal link: a step that made a condition true for a later step or for the goal.

    A condition that held at the start needs its achiever only if a step that made it false is
    needed, too. The other links are unconditional.

    Args:
        achiever: Index of the last step that made the condition true; -1 for none.
        breakers: The steps that made the condition false, as a mask, if it held at the start;
            -1 if the link is unconditional.
        achievers: All steps that made the condition true, as a mask; 0 if they are not known.
    """

    achiever: int
    breakers: int = -1
    achievers: int = 0

    @property
    def is_unconditional(self) -> bool:
        """Whether the achiever is needed in any case."""
        return self.breakers < 0


class _TruthHistory(NamedTuple):
    """The changes of a test on a walk.

    Args:
        achievers: The steps that made it true, as a mask.
        breakers: The steps that made it false, as a mask.
        held_at_start: Whether it held at the start.
    """

    achievers: int
    breakers: int
    held_at_start: bool

    def link(self, position: int) -> _Link:
        """Return the link to the last step before a position that made the test true."""
        earlier_steps = (1 << position) - 1
        achievers = self.achievers & earlier_steps
        breakers = self.breakers & earlier_steps if self.held_at_start else -1
        # The last achiever is the highest bit; without any this is -1.
        return _Link(achievers.bit_length() - 1, breakers, achievers)


class _PartOfGoal(NamedTuple):
    """A fact that a walk changed, as a part of goals.

    Args:
        test: Its test.
        positions: The positions where it holds, as a mask.
        history: Its changes.
        object_links: Links to earlier steps about its objects, by the index of the step that made
            it true.
    """

    test: Test
    positions: int
    history: _TruthHistory
    object_links: dict[int, list[_Link]]


class Sketch(NamedTuple):
    """The steps of a walk that a goal probably needs.

    Args:
        tests: The tests of the goal.
        end: The first position where it holds.
        links: For each fact of the goal the link to the step that made it true.
        needed: The steps, as a mask.
    """

    tests: Sequence[Test]
    end: int
    links: Sequence[_Link]
    needed: int


class Walk:
    """A sequence of steps from an initial state.

    Args:
        start: The initial state.
        steps: The steps.
        changed: The facts that they made true and that may be a goal, in a fixed order.
        agent: Number of the agent, if there is one.

    Attributes:
        plan_lengths: Numbers of steps that its goals need, as far as they were looked for.
    """

    def __init__(
        self,
        start: Position,
        steps: Sequence[WalkStep],
        changed: Sequence[Fact],
        agent: int | None,
    ) -> None:
        """List the positions of the walk; links are looked for when a goal needs them."""
        self._agent = agent
        self.steps = steps
        self.changed = changed
        self._positions = [start, *[step.after for step in steps]]
        # Caches: the links of a step's precondition by its index, and the facts of earlier goals.
        self._precondition_links: dict[int, list[_Link]] = {}
        self._goal_parts: dict[Fact, _PartOfGoal] = {}
        # The sets of steps that earlier goals needed, as masks.
        self._planned_masks: set[int] = set()
        self.plan_lengths: set[int] = set()

    def release(self) -> None:
        """Let go of all states that were reached; no more plans can be asked for."""
        self._positions[0].release()

    def sketch(self, goal: Sequence[Fact], min_steps: int) -> Sketch | None:
        """Return the steps that a goal probably needs, or None if they are too few or not new.

        Args:
            goal: Facts that the walk changed and that hold together at its end.
            min_steps: Minimum number of steps.
        """
        parts = [self._part_of_goal(fact) for fact in goal]
        goal_positions = -1
        for part in parts:
            goal_positions &= part.positions
        # The first position where the whole goal holds is the lowest bit.
        end = (goal_positions & -goal_positions).bit_length() - 1
        links: list[_Link] = []
        object_links: list[_Link] = []
        for fact, part in zip(goal, parts, strict=True):
            link = part.history.link(end)
            links.append(link)
            object_links += self._object_links(fact, part, link.achiever)
        needed = self._needed_steps(links, object_links)
        needed_count = needed.bit_count()
        if needed_count < min_steps:
            self.plan_lengths.add(needed_count)
            return None
        if needed in self._planned_masks:
            return None
        return Sketch([part.test for part in parts], end, links, needed)

    def plan(self, sketch: Sketch, min_steps: int) -> tuple[Action, ...]:
        """Return the steps of the walk that a goal needs, or none if they are too few.

        Args:
            sketch: The steps that it probably needs.
            min_steps: Minimum number of steps.
        """
        tests, end, links, needed = sketch
        self._planned_masks.add(needed)
        start = self._positions[0]
        needed_moves = [self.steps[step_index].move for step_index in bits(needed)]
        moves = _moves_to_goal(start, needed_moves, tests)
        if moves is not None:
            # Knowing them makes it quicker to find out that they cannot be left out.
            certain_steps = self._certain_steps(links, needed)
            certain_moves = {self.steps[step_index].move for step_index in certain_steps}
        else:
            # The links missed something, so that the whole walk is shortened.
            certain_moves = set()
            walk_moves = [step.move for step in self.steps[:end]]
            moves = _without_idle_blocks(start, walk_moves, tests)
        if len(moves) < min_steps:
            self.plan_lengths.add(len(moves))
            return ()
        previous_length = len(moves) + 1
        while len(moves) < previous_length:
            # Without a later step, an earlier one may be idle.
            previous_length = len(moves)
            moves = _without_idle(start, moves, tests, 1, certain_moves)
        self.plan_lengths.add(len(moves))
        return tuple([move.action for move in moves])

    def _part_of_goal(self, fact: Fact) -> _PartOfGoal:
        """Return the test of a fact, and when it held on the walk."""
        part = self._goal_parts.get(fact)
        if part is None:
            test = self._positions[0].test_of(fact)
            positions = mask_of(
                index
                for index, position in enumerate(self._positions)
                if test.holds(position.state)
            )
            part = _PartOfGoal(test, positions, self._history(test, len(self.steps)), {})
            self._goal_parts[fact] = part
        return part

    def _object_links(self, fact: Fact, part: _PartOfGoal, achiever: int) -> list[_Link]:
        """Return links to earlier steps about the objects of a fact, except for the agent.

        Args:
            fact: The fact.
            part: Its history, which also keeps the links.
            achiever: Index of the step that made it true.
        """
        if achiever not in part.object_links:
            part.object_links[achiever] = [
                _Link(self._earlier_step_about(object_number, achiever))
                for object_number in fact.numbers
                if object_number != self._agent
            ]
        return part.object_links[achiever]

    def _needed_steps(self, links: Sequence[_Link], object_links: Sequence[_Link]) -> int:
        """Return the steps that a goal probably needs, as a mask.

        They are found backwards: a needed step needs the achievers of its precondition.

        Args:
            links: For each fact of the goal the link to the step that made it true.
            object_links: Links to earlier steps about the objects of the goal.
        """
        needed = 0
        pending = [*links, *object_links]
        waiting: list[_Link] = []  # links that only count if one of their breakers is needed
        while pending:
            link = pending.pop()
            achiever, breakers, _ = link
            if achiever < 0 or needed >> achiever & 1:
                continue
            if breakers >= 0 and not breakers & needed:
                waiting.append(link)
                continue
            needed |= 1 << achiever
            pending += self._links_of(achiever)
            # The step that was added may be the breaker of a link that waits.
            pending += waiting
            waiting = []
        return needed

    def _certain_steps(self, links: Sequence[_Link], needed: int) -> set[int]:
        """Return the indices of the steps that a goal needs without a doubt.

        Such a step is the only needed one that makes a condition true which did not hold at the
        start; the condition belongs to the goal or to another such step.

        Args:
            links: For each fact of the goal the link to the step that made it true.
            needed: The steps that it probably needs, as a mask.
        """
        certain: set[int] = set()
        pending = list(links)
        while pending:
            link = pending.pop()
            achiever = link.achiever
            if achiever in certain or not link.is_unconditional:
                continue
            is_only_achiever = link.achievers & needed == 1 << achiever
            if is_only_achiever:
                certain.add(achiever)
                pending += self._links_of(achiever)
        return certain

    def _links_of(self, step_index: int) -> list[_Link]:
        """Return the links to the steps that made the preconditions of a step true."""
        if step_index not in self._precondition_links:
            tests = self._positions[step_index].tests(self.steps[step_index].move)
            links = [self._history(test, step_index).link(step_index) for test in tests]
            achieved = [link for link in links if link.achiever >= 0]
            self._precondition_links[step_index] = achieved
        return self._precondition_links[step_index]

    def _history(self, test: Test, end: int) -> _TruthHistory:
        """Return the changes of a test before a position."""
        reads, holds = test
        held_at_start = is_true = holds(self._positions[0].state)
        achievers = breakers = 0
        for step_index, step in enumerate(self.steps[:end]):
            if not step.changed & reads:
                continue
            was_true = is_true
            is_true = holds(step.after.state)
            if is_true and not was_true:
                achievers |= 1 << step_index
            elif was_true and not is_true:
                breakers |= 1 << step_index
        return _TruthHistory(achievers, breakers, held_at_start)

    def _earlier_step_about(self, object_number: int, step_index: int) -> int:
        """Return the index of an earlier step about an object, or -1.

        It is the last step that names the object, else the last one that changed facts about it. No
        earlier step is needed (-1) if the step itself names the object.
        """
        if object_number in self.steps[step_index].move.objects:
            return -1
        last_touching = -1
        for earlier_index in range(step_index - 1, -1, -1):
            earlier_step = self.steps[earlier_index]
            if object_number in earlier_step.move.objects:
                return earlier_index
            if last_touching < 0 and earlier_step.touched >> object_number & 1:
                last_touching = earlier_index
        return last_touching


def _unmet_test(position: Position, tests: Iterable[Test], last: Test | None) -> Test | None:
    """Return a test that does not hold in a position, or None if all of them do.

    Args:
        position: The position.
        tests: The tests.
        last: The unmet test of the position before, which is tried first: it is mostly unmet still.
    """
    state = position.state
    if last is not None and not last.holds(state):
        return last
    for test in tests:
        if not test.holds(state):
            return test
    return None


def _without_idle_blocks(start: Position, moves: list[Move], goal: Sequence[Test]) -> list[Move]:
    """Remove blocks of steps that a goal does not need, halving the size of a block each time.

    Args:
        start: The position before the first step.
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
        start: The position before the first step.
        moves: The steps.
        goal: The tests of the goal.
        size: Number of steps of a block.
        certain: Steps that the goal needs without a doubt. A block that begins with one is only
            removed if all later steps remain applicable.
    """
    before_block = start
    begin = 0
    while begin < len(moves):
        later_moves = moves[begin + size :]
        is_strict = moves[begin] in certain
        remaining = _moves_to_goal(before_block, later_moves, goal, is_strict=is_strict)
        if remaining is not None:
            # The next block has moved to the same place.
            moves = [*moves[:begin], *remaining]
            continue
        for move in moves[begin : begin + size]:
            before_block = before_block.after(move) or before_block
        begin += size
    return moves


def _moves_to_goal(
    start: Position, moves: Iterable[Move], goal: Sequence[Test], *, is_strict: bool = False
) -> list[Move] | None:
    """Return the applicable steps up to a goal, or None if they do not reach it.

    Args:
        start: The position before the first step.
        moves: The steps.
        goal: The tests of the goal.
        is_strict: Whether all steps have to be applicable; otherwise those that are not are left
            out.
    """
    position = start
    done: list[Move] = []
    unmet = _unmet_test(position, goal, None)
    if unmet is None:
        return done
    for move in moves:
        after = position.after(move)
        if after is None:
            if is_strict:
                return None
        # A step that changes nothing is left out as well.
        elif after is not position:
            position = after
            done.append(move)
            unmet = _unmet_test(position, goal, unmet)
            if unmet is None:
                return done
    return None
