"""Random walks from one initial state, and what they change.

1. Each step can be done, changes something, and is mostly about an object of the step before.
2. For a goal, the walk is cut where the goal holds, and steps that the goal does not need are left
   out, in blocks of half of them, a quarter and so on, at last one by one (action elimination,
   Nakhost & Müller 2010).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from eai.contract import TaskWorld
from eai.logic import Atom, Formula, Not
from eai.suites.generated.moves import Fact, Move
from eai.suites.generated.positions import Position, first_position
from eai.task import Task
from eai.world import Action, World, mask_of


class Scene:
    """An initial state, with the actions that may be possible from there on.

    Args:
        task: A task that begins there.
        world: Where plans are run.
        kind: What is generated.
    """

    def __init__(self, task: Task, world: World, kind: TaskWorld) -> None:
        self.task = task
        self._wordings = kind.wordings
        universe = task.start.universe
        self._names = universe.names
        agent = universe.number(task.agent) if task.agent else None
        objects = mask_of(map(universe.number, task.vocabulary.objects))
        # Goals are about what plans may name, and the agent.
        self._nameable = objects if agent is None else objects | 1 << agent
        predicates = [words.removeprefix("not ") for words in kind.wordings]
        self._goal_predicates = frozenset(predicates or task.vocabulary.predicates)
        derived = sorted(self._goal_predicates & world.derived)
        self._first = first_position(task, world, kind, derived)

    def walk(self, random: Random, length: int) -> Walk:
        """Take random steps."""
        start = self._first.begin()
        position = start.copy()
        moves: list[Move] = []
        while len(moves) < length:
            move = position.step(random, moves[-1] if moves else None)
            if move is None:
                break
            moves.append(move)
        facts = position.changes()
        # Of a symmetric relation one direction is enough.
        goals = [fact for fact in facts if self._is_goal(fact) and not fact.is_mirrored_in(facts)]
        return Walk(start, moves, sorted(goals))

    def _is_goal(self, fact: Fact) -> bool:
        """Return whether a fact may be a part of a goal."""
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


@dataclass(frozen=True)
class Walk:
    """Steps from an initial state.

    Args:
        start: The initial state.
        moves: The steps.
        changed: What holds behind them that did not before, and may be a goal, in an order.
    """

    start: Position
    moves: list[Move]
    changed: list[Fact]

    def plan(self, goal: Sequence[Fact]) -> tuple[Action, ...]:
        """Return the steps that a goal needs."""
        moves = _reaching(self.start, self.moves, goal) or []
        size = len(moves)
        while size > 1:
            size = (size + 1) // 2
            moves = self._without_idle(moves, goal, size)
            size = min(size, len(moves))
        return tuple([move.action for move in moves])

    def _without_idle(self, moves: list[Move], goal: Sequence[Fact], size: int) -> list[Move]:
        """Leave out blocks of steps that a goal does not need, each with what only serves it."""
        before = self.start.copy()  # where the block begins
        begin = 0
        while begin < len(moves):
            rest = _reaching(before, moves[begin + size :], goal)
            if rest is not None:
                moves = [*moves[:begin], *rest]
                continue
            for move in moves[begin : begin + size]:
                before.take(move)
            begin += size
        return moves


def _reaching(start: Position, moves: Iterable[Move], goal: Iterable[Fact]) -> list[Move] | None:
    """Return the steps up to a goal that can be done from a state; None if it is missed."""
    position = start.copy()
    done: list[Move] = []
    if all(map(position.holds, goal)):
        return done
    for move in moves:
        if position.take(move):
            done.append(move)
            if all(map(position.holds, goal)):
                return done
    return None
