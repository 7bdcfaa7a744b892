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
from eai.world.bits import bits


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


class _TruthHistory(NamedTuple):
    """The changes of a test on a walk.

    Args:
        makers: The steps that made it true, as a mask.
        breakers: The steps that made it false, as a mask.
        held_at_start: Whether it held at the start.
    """

    makers: int
    breakers: int
    held_at_start: bool

    def link(self, position: int) -> _Link:
        """Return the step that made the test true before a position."""
        earlier = (1 << position) - 1
        makers = self.makers & earlier
        unless = self.breakers & earlier if self.held_at_start else -1
        # The last of the makers is the highest bit; without any this is -1.
        return _Link(makers.bit_length() - 1, unless, makers)


class _PartOfGoal(NamedTuple):
    """A fact that a walk changed, as a part of goals.

    Args:
        test: Its test.
        positions: The positions where it holds, as a mask.
        history: Its changes.
        about: Number of the step that made it true, to earlier steps about its objects.
    """

    test: Test
    positions: int
    history: _TruthHistory
    about: dict[int, list[_Link]]


class Sketch(NamedTuple):
    """The steps of a walk that a goal probably needs.

    Args:
        tests: The tests of the goal.
        end: The first position where it holds.
        links: Of each part of it the step that made it true.
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
        self._parts: dict[Fact, _PartOfGoal] = {}  # of the goals so far
        self._tried: set[int] = set()  # the steps that goals so far needed, as masks

    def sketch(self, goal: Sequence[Fact], min_steps: int) -> Sketch | None:
        """Return the steps that a goal probably needs, or None if they are too few or not new.

        Args:
            goal: The goal, which is a part of what the walk changed.
            min_steps: Minimum number of steps.
        """
        parts = [self._part(fact) for fact in goal]
        common = -1
        for part in parts:
            common &= part.positions
        # The first of the positions where all parts hold is the lowest bit.
        end = (common & -common).bit_length() - 1
        links = [part.history.link(end) for part in parts]
        about: list[_Link] = []
        for fact, part, link in zip(goal, parts, links, strict=True):
            about += self._about(fact, part, link.maker)
        needed = self._needed(links, about)
        if needed.bit_count() < min_steps or needed in self._tried:
            return None
        return Sketch([part.test for part in parts], end, links, needed)

    def plan(self, sketch: Sketch, min_steps: int) -> tuple[Action, ...]:
        """Return the steps of the walk that a goal needs, or none if they are too few.

        Args:
            sketch: The steps that it probably needs.
            min_steps: Minimum number of steps.
        """
        tests, end, links, needed = sketch
        self._tried.add(needed)
        start = self._positions[0]
        moves = _reaching(start, [self.steps[number].move for number in bits(needed)], tests)
        certain_moves = {self.steps[number].move for number in self._certain(links, needed)}
        if moves is None:
            # The links missed something, so that the whole walk is shortened.
            certain_moves = set()
            moves = _without_idle_blocks(start, [step.move for step in self.steps[:end]], tests)
        if len(moves) < min_steps:
            return ()
        previous_length = len(moves) + 1
        while len(moves) < previous_length:
            # Without a later step, an earlier one may be idle.
            previous_length = len(moves)
            moves = _without_idle(start, moves, tests, 1, certain_moves)
        return tuple([move.action for move in moves])

    def _part(self, fact: Fact) -> _PartOfGoal:
        """Return what goals with a fact need to know about it."""
        part = self._parts.get(fact)
        if part is None:
            test = self._positions[0].test_of(fact)
            held = mask_of(
                n for n, position in enumerate(self._positions) if test.holds(position.state)
            )
            part = _PartOfGoal(test, held, self._history(test, len(self.steps)), {})
            self._parts[fact] = part
        return part

    def _about(self, fact: Fact, part: _PartOfGoal, maker: int) -> list[_Link]:
        """Return the earlier steps about the objects of a fact, except for the agent.

        Args:
            fact: The fact.
            part: What is known of it.
            maker: Number of the step that made it true.
        """
        if maker not in part.about:
            part.about[maker] = [
                _Link(self._step_about(number, maker))
                for number in fact.numbers
                if number != self._agent
            ]
        return part.about[maker]

    def _needed(self, links: Sequence[_Link], about: Sequence[_Link]) -> int:
        """Return the steps that a goal probably needs, as a mask.

        Args:
            links: Of each part of the goal the step that made it true.
            about: Earlier steps about the objects of the goal.
        """
        needed = 0
        pending = [*links, *about]
        waiting: list[_Link] = []  # links that only count if another step is needed
        while pending:
            link = pending.pop()
            maker, unless, _ = link
            if maker < 0 or needed >> maker & 1:
                continue
            if unless >= 0 and not unless & needed:
                waiting.append(link)
                continue
            needed |= 1 << maker
            pending += self._links_of(maker)
            pending += waiting
            waiting = []
        return needed

    def _certain(self, links: Sequence[_Link], needed: int) -> set[int]:
        """Return the steps that a goal needs without a doubt.

        They are the only ones among those needed that make true what did not hold at the start, and
        what the goal or another step without a doubt needs.

        Args:
            links: Of each part of the goal the step that made it true.
            needed: The steps that it probably needs, as a mask.
        """
        certain: set[int] = set()
        pending = list(links)
        while pending:
            maker, unless, makers = pending.pop()
            if maker not in certain and unless < 0 and makers & needed == 1 << maker:
                certain.add(maker)
                pending += self._links_of(maker)
        return certain

    def _links_of(self, number: int) -> list[_Link]:
        """Return the steps that made the preconditions of a step true."""
        if number not in self._links:
            tests = self._positions[number].tests(self.steps[number].move)
            links = [self._history(test, number).link(number) for test in tests]
            self._links[number] = [link for link in links if link.maker >= 0]
        return self._links[number]

    def _history(self, test: Test, end: int) -> _TruthHistory:
        """Return the changes of a test before a position."""
        reads, holds = test
        held_at_start = is_true = holds(self._positions[0].state)
        makers = breakers = 0
        for number, step in enumerate(self.steps[:end]):
            if step.changed & reads:
                was_true, is_true = is_true, holds(step.after.state)
                if is_true and not was_true:
                    makers |= 1 << number
                elif was_true and not is_true:
                    breakers |= 1 << number
        return _TruthHistory(makers, breakers, held_at_start)

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
    before = start  # where the block begins
    begin = 0
    while begin < len(moves):
        rest = _reaching(before, moves[begin + size :], goal, is_strict=moves[begin] in certain)
        if rest is not None:
            moves = [*moves[:begin], *rest]
            continue
        for move in moves[begin : begin + size]:
            before = before.after(move) or before
        begin += size
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
        elif after is not position:
            position = after
            done.append(move)
            if _is_reached(position, goal):
                return done
    return None
