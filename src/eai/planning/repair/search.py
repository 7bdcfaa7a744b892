"""Cheapest-edit search over plan position, world state and progress towards the goal.

A node says how many steps of the plan are dealt with, in which state the world is, and how far
the goal has come. Keeping a step is free; taking one out, putting an action in and replacing a
step cost one each. Taking a step out and putting the same action in elsewhere costs one
altogether: what was done first stays on the node until it is made use of. All nodes of one cost
are worked on before those of the next (Dial's form of Dijkstra's algorithm), so the first cost at
which the goal is reached is the least. The costs are those of aligning a trace with a declarative
model (de Leoni, Maggi & van der Aalst 2012), with moves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Literal, NamedTuple, Optional

from eai.planning.repair.stage import GroundStep, Stage, Wanted
from eai.planning.repair.target import Progress, Tracker
from eai.planning.repair.wishes import End, Wishes
from eai.world.action import Action
from eai.world.bits import bits
from eai.world.state import Change, State

__all__ = ["Found", "Node", "Operation", "search"]


class Operation(NamedTuple):
    """An edit as the search makes it.

    Args:
        kind: ``"insert"``, ``"delete"`` or ``"replace"``.
        at: 0-based number of the step that is dealt with, or before which an action is put in.
        action: The action that is put in.
        paired: Whether it is the second half of a move.
    """

    kind: Literal["insert", "delete", "replace"]
    at: int
    action: Action | None = None
    paired: bool = False


Cells = frozenset[tuple[int, object, object]]
_Token = tuple[bool, Action]
"""An action that was taken out (True) or put in (False), and waits for its other half."""

_FREE, _INSERTED, _DELETED = range(3)

_LOOK = 50
"""Looking for what is worth bringing about counts as so many actions."""


@dataclass(slots=True, eq=False)
class Node:
    """A node of the search.

    Args:
        at: How many steps are dealt with.
        state: The state of the world.
        cells: The atoms in which it differs from the initial state.
        progress: How far the goal has come.
        tokens: Halves of moves.
        phase: What was done since the last step that was kept: in a gap replacements come first,
            then insertions, then deletions, so that no repair is found in two orders.
        cost: Number of edits.
        parents: From which nodes it is reached at that cost, and by what.
    """

    at: int
    state: State
    cells: Cells
    progress: Progress
    tokens: tuple[_Token, ...]
    phase: int
    cost: int
    parents: list[tuple[Node, Optional[Operation]]] = field(default_factory=list)  # noqa: UP045


class _OutOfStepsError(Exception):
    """As many actions were tried as are allowed."""


class Effort:
    """Counts the actions that are tried.

    Args:
        limit: How many may be tried.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.used = 0

    def spend(self, actions: int = 1) -> None:
        """Count some.

        Args:
            actions: How many.

        Raises:
            _OutOfStepsError: If it is one too many.
        """
        self.used += actions
        if self.used > self.limit:
            raise _OutOfStepsError


@dataclass(frozen=True, slots=True)
class Found:
    """What the search found.

    Args:
        goals: Nodes at which the target is reached with the fewest edits; empty if none was found.
        bound: No repair has fewer edits than this.
        complete: Whether these are all repairs with so few edits.
    """

    goals: tuple[Node, ...]
    bound: int
    complete: bool = False


def search(stage: Stage, tracker: Tracker, *, edits: int, effort: Effort) -> Found:
    """Find repairs with the fewest edits.

    Whether one edit is enough is settled, and all repairs of one edit are found. With two edits
    or more, an edit is only made if it is of use for what fails first.

    Args:
        stage: The plan and its world.
        tracker: What has to be reached.
        edits: Most edits.
        effort: What may be tried; is used up.
    """
    for budget in range(edits + 1):
        try:
            goals = _Search(stage, tracker, budget, effort).run()
        except _OutOfStepsError:
            return Found((), min(budget, 2))
        if goals:
            return Found(tuple(goals), min(budget, 2), complete=budget < 2)
    return Found((), min(edits + 1, 2))


class _Search:
    """The search with a budget of edits."""

    def __init__(self, stage: Stage, tracker: Tracker, budget: int, effort: Effort) -> None:
        self._stage = stage
        self._tracker = tracker
        self._budget = budget
        self._effort = effort
        self._size = len(stage.steps)
        self._nodes: dict[object, Node] = {}
        self._layers: list[list[Node]] = [[] for _ in range(budget + 1)]
        self._goals: list[Node] = []
        hopeless = [stage.is_hopeless(at) for at in range(self._size)]
        self._hopeless = [sum(hopeless[at:]) for at in range(self._size + 1)]

    def run(self) -> list[Node]:
        """Return the nodes at which the target is reached within the budget."""
        root = Node(0, self._stage.start.begin(), frozenset(), (0, 0), (), _FREE, 0)
        self._enter(root)
        self._layers[0].append(root)
        for cost in range(max(self._budget, 1)):
            # Free edits put more nodes into the layer while it is worked on.
            for node in self._layers[cost]:
                line = self._line(node)
                if cost < self._budget:
                    self._edit(line)
        return self._goals

    def _enter(self, node: Node) -> bool:
        """Take a node up unless it is known; a second way to it is noted."""
        if node.cost + self._hopeless[node.at] > self._budget:
            return False
        key = (node.at, node.cells, node.progress, node.tokens, node.phase)
        known = self._nodes.get(key)
        if known is None:
            self._nodes[key] = node
            return True
        if known.cost == node.cost:
            known.parents += node.parents
        return False

    def _line(self, node: Node) -> list[Node]:
        """Keep steps from a node for as long as that leads to nodes that are not known yet."""
        line = [node]
        while True:
            self._use_tokens(node)
            if node.at == self._size:
                if self._tracker.is_reached(node.progress, node.state):
                    self._goals.append(node)
                return line
            after = self._kept(node)
            if after is None or not self._enter(after):
                return line
            node = after
            line.append(node)

    def _kept(self, node: Node) -> Node | None:
        step = self._stage.steps[node.at]
        if step is None:
            return None
        self._effort.spend()
        done = self._stage.keep(node.state, node.at)
        if done is None:
            return None
        state, changes = done
        progress, cells = node.progress, node.cells
        if changes is not None:
            progress = self._tracker.advance(progress, node.state, step.action)
            cells = cells ^ _cells(changes)
        return Node(
            node.at + 1, state, cells, progress, node.tokens, _FREE, node.cost, [(node, None)]
        )

    # ------------------------------------------------------------------ edits
    def _edit(self, line: list[Node]) -> None:
        """Make every edit that may be of use at the nodes of a line."""
        last = line[-1]
        whole = self._end(last.state, last.progress, last.at)
        whole = replace(whole, way={**{node.at: node.state for node in line}, **whole.way})
        deleted = [self._end(n.state, n.progress, n.at + 1) for n in line if n.at < self._size]
        wishes = Wishes(self._stage, self._tracker, whole.way, self._budget - line[0].cost)
        self._effort.spend(_LOOK)
        wanted = wishes.at(whole, line[0].at)
        last_edit = line[0].cost + 1 == self._budget
        for node, end in zip_longest(line, deleted):
            moved = self._later(node, whole.at)
            for step in moved:
                self._insert(node, step, ())
            for step in self._stage.candidates(node.state, wanted[0]):
                if step not in moved:
                    self._insert(node, step, wanted[1:])
            if end is None:
                continue
            if not last_edit or not wishes.impossible(node.at, node.at):
                self._delete(node)
            if not end.reached:
                other = wishes.at(end, node.at + 1, node.at)
                for step in self._stage.candidates(node.state, other[0]):
                    self._replace(node, step, other[1:])

    def _later(self, node: Node, until: int) -> list[GroundStep]:
        """The steps that could be moved here from later on, up to the one that fails."""
        steps = self._stage.steps[node.at + 1 : until + 1]
        return [
            step
            for step in dict.fromkeys(filter(None, steps))
            if self._stage.is_applicable(node.state, step)
        ]

    def _end(self, state: State, progress: Progress, at: int) -> End:
        """Keep all steps from a position on, as far as that goes."""
        way = {at: state}
        while at < self._size:
            self._effort.spend()
            done = self._stage.keep(state, at)
            if done is None:
                return End(at, way, reached=False)
            if done[1] is not None:
                progress = self._tracker.advance(progress, state, self._stage.plan[at])
            at, state = at + 1, done[0]
            way[at] = state
        return End(at, way, reached=self._tracker.is_reached(progress, state))

    def _delete(self, node: Node) -> None:
        if node.at == self._size:
            return
        action = self._stage.plan[node.at]
        if (False, action) in node.tokens:
            return  # free
        after = Node(
            node.at + 1,
            node.state,
            node.cells,
            node.progress,
            _with(node.tokens, (True, action)),
            _DELETED,
            node.cost + 1,
            [(node, Operation("delete", node.at))],
        )
        self._pay(after)

    def _insert(self, node: Node, step: GroundStep, wanted: Sequence[Wanted]) -> None:
        if node.phase == _DELETED or (True, step.action) in node.tokens:
            return
        op = Operation("insert", node.at, step.action)
        tokens = node.tokens
        if step.action in self._stage.plan[node.at :]:
            tokens = _with(tokens, (False, step.action))
        after = self._acted(node, step, op, tokens, wanted)
        if after is not None:
            self._pay(after)

    def _replace(self, node: Node, step: GroundStep, wanted: Sequence[Wanted]) -> None:
        if node.phase != _FREE or step.action == self._stage.plan[node.at]:
            return
        op = Operation("replace", node.at, step.action)
        after = self._acted(node, step, op, node.tokens, wanted)
        if after is not None:
            self._pay(after)

    def _acted(
        self,
        node: Node,
        step: GroundStep,
        op: Operation,
        tokens: tuple[_Token, ...],
        wanted: Sequence[Wanted] = (),
    ) -> Node | None:
        """The node after an action that is put in; None if that does not bring what is wanted."""
        self._effort.spend()
        state, changes = self._stage.done(node.state, step)
        if not all(self._stage.brings(changes, each) for each in wanted):
            return None
        replaces = op.kind == "replace"
        cost = node.cost + (not op.paired)
        return Node(
            node.at + replaces,
            state,
            node.cells ^ _cells(changes),
            self._tracker.advance(node.progress, node.state, step.action),
            tokens,
            _FREE if replaces else _INSERTED,
            cost,
            [(node, op)],
        )

    def _pay(self, node: Node) -> None:
        """Take up a node that costs one more."""
        if self._enter(node):
            self._layers[node.cost].append(node)
            if node.cost == self._budget:
                self._finish()

    def _finish(self) -> None:
        """Keep all steps after the last edit; only moves are completed."""
        layer = self._layers[self._budget]
        while layer:
            for node in self._line(layer.pop()):
                node.state = self._stage.start  # nobody asks for it any more

    def _use_tokens(self, node: Node) -> None:
        for after in self._freely(node):
            if self._enter(after):
                self._layers[after.cost].append(after)

    def _freely(self, node: Node) -> Iterator[Node]:
        """Complete moves that were begun."""
        for token in dict.fromkeys(node.tokens):
            out, action = token
            tokens = _without(node.tokens, token)
            if out and node.phase != _DELETED:
                yield from self._put_back(node, action, tokens)
            elif not out and node.at < self._size and self._stage.plan[node.at] == action:
                op = Operation("delete", node.at, None, True)
                yield Node(
                    node.at + 1,
                    node.state,
                    node.cells,
                    node.progress,
                    tokens,
                    _DELETED,
                    node.cost,
                    [(node, op)],
                )

    def _put_back(self, node: Node, action: Action, tokens: tuple[_Token, ...]) -> Iterator[Node]:
        step = self._stage.known(action)
        if step is None:
            return
        if self._stage.is_applicable(node.state, step):
            op = Operation("insert", node.at, action, True)
            after = self._acted(node, step, op, tokens)
            if after is not None:
                yield after


def _cells(changes: Sequence[Change]) -> Cells:
    """The atoms that changes change, without those that are changed back."""
    found: Cells = frozenset()
    for p, column, key, mask, _ in changes:
        found ^= frozenset(
            [(p, number, key) if column else (p, key, number) for number in bits(mask)]
        )
    return found


def _with(tokens: tuple[_Token, ...], token: _Token) -> tuple[_Token, ...]:
    return tuple(sorted((*tokens, token), key=str))


def _without(tokens: tuple[_Token, ...], token: _Token) -> tuple[_Token, ...]:
    at = tokens.index(token)
    return tokens[:at] + tokens[at + 1 :]
