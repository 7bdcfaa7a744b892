"""Minimal repair of a short plan in a world with numbers, by trying all plans with few edits.

Landmarks (:mod:`eai.planning.repair.landmarks`) are literals, and a number is none. So the plan is
read step by step, and at each place every edit is tried: go on with the step, take it out, put
something else in its place, or put an action in before it.

Invariant: after the round for *n* edits, no repair with *n* or fewer was missed. A step that was
taken out may be put in again later without a further edit, and a step may go without one if the
same action was put in before: the two are one move.

Cost: with *b* applicable actions and *s* steps about *(b s)^n* plans are tried. Failed attempts are
remembered by the state, so that edits whose order does not matter are tried once.
``RepairBounds.actions`` ends the search.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from eai.budget import BeyondBudgetError
from eai.planning.repair.candidates import Candidates
from eai.planning.repair.task import ACTION, EditKind, Progress, RepairTask, Slot, Slots
from eai.text import counted
from eai.world import Action, Change, State

MAX_STEPS = 200
"""Maximum number of steps of a plan that is repaired here: one call lies within another a step."""


class _Node(NamedTuple):
    """A search node: a plan whose first steps are already edited.

    Args:
        state: The state after the edited steps.
        progress: The progress towards the target in it.
        at: Number of steps of the plan that are dealt with.
        edits_left: Number of edits that may still be made.
        slots: The edited steps.
        deleted: Steps that were deleted and not inserted again, each with its number.
        inserted: Actions that were inserted and whose own step was not deleted before.
    """

    state: State
    progress: Progress
    at: int
    edits_left: int
    slots: Slots = ()
    deleted: tuple[tuple[Action, int], ...] = ()
    inserted: tuple[Action, ...] = ()

    @property
    def key(self) -> object:
        """All that the rest of the search depends on: nodes with equal keys are searched once."""
        values = frozenset((self.state.numbers or {}).items())
        deleted = tuple(sorted([str(action) for action, _ in self.deleted]))
        inserted = tuple(sorted(map(str, self.inserted)))
        facts = frozenset(self.state.facts())
        return facts, values, self.progress, self.at, deleted, inserted


class ExhaustiveSearch:
    """A search for all repairs with the fewest edits, and its results so far.

    Args:
        task: The repair task.

    Attributes:
        repairs: The repairs that were found.
        bound: No repair has fewer edits than this.
        complete: Whether these are all repairs with as few edits.
        untried: The untried edits, in words.
    """

    def __init__(self, task: RepairTask) -> None:
        self._task = task
        self._candidates = Candidates(task)
        self.repairs: dict[Slots, None] = {}
        self.bound = 0
        self.complete = False
        self.untried = ""
        # The greatest number of edits with which a search failed, by the key of its node.
        self._max_edits_without_success: dict[object, int] = {}
        self._applicable: dict[object, list[Slot]] = {}

    def run(self, edits: int) -> None:
        """Search until repairs are found or a limit is reached.

        Args:
            edits: Maximum number of edits.
        """
        task = self._task
        if len(task.slots) > MAX_STEPS:
            self.untried = f"plans with numbers are repaired up to {MAX_STEPS} steps"
            return
        actions = (task.meter.budget.instances or 0) // ACTION
        try:
            # The first number of edits with a repair is the smallest: all smaller ones were tried.
            for number_of_edits in range(edits + 1):
                self._search(_Node(task.start.begin(), task.first_progress, 0, number_of_edits))
                if self.repairs:
                    self.repairs = dict.fromkeys(filter(self._is_needed, self.repairs))
                    self.complete = True
                    return
                self.bound = number_of_edits + 1
        except BeyondBudgetError:
            self.untried = f"the search ended when it had tried {actions:,} actions"
            return
        self.untried = f"plans with more than {counted(edits, 'edit')} were not tried"

    def _search(self, node: _Node) -> bool:
        """Add the repairs below a node, and return whether there are any.

        The search is depth first, with a fixed number of edits in each round. Nodes that failed are
        remembered with their number of remaining edits, because they also fail with fewer.
        """
        key = node.key
        if self._max_edits_without_success.get(key, -1) >= node.edits_left:
            return False
        has_repair = False
        is_complete_plan = node.at == len(self._task.slots)
        # A plan with fewer edits than this round allows was found in an earlier round.
        if is_complete_plan and self._task.is_reached(node.progress, node.state):
            self.repairs[node.slots] = None
            has_repair = True
        for next_node in self._next_nodes(node):
            # All repairs are wanted, so the search goes on after the first.
            has_repair |= self._search(next_node)
        if not has_repair:
            self._max_edits_without_success[key] = node.edits_left
        return has_repair

    def _next_nodes(self, node: _Node) -> Iterator[_Node]:
        """Yield the nodes after one more step, and after deleting the next step.

        The next step of the plan is kept, deleted, or gets an action inserted before it. Keeping it
        comes first, because that needs no edit.
        """
        slots = self._task.slots
        if node.at < len(slots):
            slot = slots[node.at]
            next_node = self._after_step(node, slot)
            if next_node is not None:
                yield next_node._replace(at=node.at + 1)
            yield from self._without_next_step(node, slot)
        for action in self._actions_to_insert(node):
            yield from self._with_action(node, action)

    def _without_next_step(self, node: _Node, slot: Slot) -> Iterator[_Node]:
        """Yield the node without the next step of the plan.

        A deletion costs an edit. If the same action was inserted before, both edits together are
        one move.
        """
        next_node = node._replace(at=node.at + 1)
        if slot.action in node.inserted:
            # The earlier insertion becomes a move.
            inserted = list(node.inserted)
            inserted.remove(slot.action)
            slots = list(node.slots)
            for index, inserted_slot in enumerate(slots):
                if inserted_slot.action == slot.action and inserted_slot.edit is EditKind.INSERT:
                    slots[index] = inserted_slot._replace(origin=node.at, edit=EditKind.MOVE)
                    break
            yield next_node._replace(slots=tuple(slots), inserted=tuple(inserted))
        elif node.edits_left:
            deleted = (*node.deleted, (slot.action, node.at))
            yield next_node._replace(edits_left=node.edits_left - 1, deleted=deleted)

    def _with_action(self, node: _Node, slot: Slot) -> Iterator[_Node]:
        """Yield the nodes with an action inserted, or replacing the next step.

        Args:
            node: A plan that is edited up to some step.
            slot: The action.
        """
        # If the same action was deleted before, the deletion becomes a move without another edit.
        for index, (action, origin) in enumerate(node.deleted):
            if action == slot.action:
                node_with_move = self._after_step(
                    node, slot._replace(origin=origin, edit=EditKind.MOVE)
                )
                if node_with_move is not None:
                    deleted = (*node.deleted[:index], *node.deleted[index + 1 :])
                    yield node_with_move._replace(deleted=deleted)
                return
        if not node.edits_left:
            return
        edited = node._replace(edits_left=node.edits_left - 1)
        node_with_insertion = self._after_step(edited, slot)
        if node_with_insertion is not None:
            yield node_with_insertion._replace(inserted=(*node.inserted, slot.action))
        # At the end there is no step to replace, and a step is not replaced by itself.
        if node.at == len(self._task.slots) or self._task.slots[node.at].action == slot.action:
            return
        node_with_replacement = self._after_step(
            edited, slot._replace(origin=node.at, edit=EditKind.REPLACE)
        )
        if node_with_replacement is not None:
            yield node_with_replacement._replace(at=node.at + 1)

    def _actions_to_insert(self, node: _Node) -> list[Slot]:
        """Return the actions that may be inserted at a node.

        Without an edit left there are none, unless a deleted step can come back as a move. The
        actions are cached by the facts of the state.
        """
        if not node.edits_left and not node.deleted:
            return []
        number_values = node.state.numbers
        key = frozenset(node.state.facts()), frozenset((number_values or {}).items())
        if key not in self._applicable:
            self._applicable[key] = self._candidates.every(node.state)
        return self._applicable[key]

    def _after_step(self, node: _Node, slot: Slot) -> _Node | None:
        """Return the node after a step, or None if it fails or violates the target.

        Args:
            node: The node.
            slot: The step, one of the plan or an inserted one.
        """
        outcome = self._task.step(node.state, slot)
        if outcome is None:
            return None
        state, changes = outcome
        progress = self._progress_after(node, state, slot, changes)
        if progress is None:
            return None
        return node._replace(state=state, progress=progress, slots=(*node.slots, slot))

    def _progress_after(
        self, node: _Node, state: State, slot: Slot, changes: list[Change] | None
    ) -> Progress | None:
        """Return the progress after a step, or None if the target becomes unreachable."""
        if changes is None:
            return node.progress  # a step that is passed over takes no time
        progress = self._task.advance(node.progress, node.state, slot.action)
        if self._task.is_violated(progress, state):
            return None
        return progress

    def _is_needed(self, slots: Slots) -> bool:
        """Return whether the plan has no insertion where deleting a step would suffice."""
        for position, slot in enumerate(slots):
            if slot.edit in (EditKind.REPLACE, EditKind.MOVE):
                without = (*slots[:position], *slots[position + 1 :])
                if self._task.run(without).reached:
                    return False
        return True
