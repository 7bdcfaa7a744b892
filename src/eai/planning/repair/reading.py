"""Reading repairs off the search: edits, what all have in common, and how many there are."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple, Union

from eai.planning.repair.edits import Edit, EditKind
from eai.planning.repair.search import Found, Node, Operation
from eai.world.action import Action

__all__ = ["Reading", "apply_operations", "edits_of", "read_repairs"]

_Change = Union[int, Action]
"""The number of a step that is taken out, or an action that is put in, wherever that is."""

_Rank = tuple[int, int, tuple[str, ...]]


class Reading(NamedTuple):
    """The repairs that a search found.

    Args:
        edits: The edits of one of them.
        repaired: The plan after these.
        number: How many there are.
    """

    edits: tuple[Edit, ...]
    repaired: tuple[Action, ...]
    number: int


class _Summary(NamedTuple):
    """What is known of the ways to a node: the best one, what all share, and how many there are."""

    rank: _Rank
    operations: tuple[Operation, ...]
    common: frozenset[_Change]
    number: int


def read_repairs(found: Found, plan: Sequence[Action], familiar: Collection[str]) -> Reading:
    """Choose one of the repairs that were found, and say what they share.

    The one with the fewest objects that are neither in the plan nor in the goal is chosen; of
    several the one whose edits are in the fewest places, the earliest first.

    Args:
        found: What the search found, which is something.
        plan: The plan.
        familiar: Objects of the plan and the goal.
    """
    known: dict[int, _Summary] = {}
    for node in _in_order(found.goals):
        ways = [
            _extended(known[id(parent)], operation, familiar) for parent, operation in node.parents
        ]
        known[id(node)] = _merged(ways) if ways else _Summary((0, 0, ()), (), frozenset(), 1)
    whole = _merged([known[id(goal)] for goal in found.goals])
    edits = edits_of(whole.operations, plan, whole.common if found.complete else frozenset())
    return Reading(edits, apply_operations(whole.operations, plan), whole.number)


def _in_order(goals: Sequence[Node]) -> Iterator[Node]:
    """The nodes on the ways to the goals, parents first."""
    done: set[int] = set()
    pending = list(goals)
    while pending:
        node = pending[-1]
        missing = [parent for parent, _ in node.parents if id(parent) not in done]
        if id(node) in done or not missing:
            pending.pop()
            if id(node) not in done:
                done.add(id(node))
                yield node
        else:
            pending += missing


def _extended(way: _Summary, operation: Operation | None, familiar: Collection[str]) -> _Summary:
    if operation is None:
        return way
    strange, places, texts = way.rank
    action = operation.action
    if action is not None and not operation.paired:
        strange += sum(argument not in familiar for argument in action.arguments)
    places += not way.operations or way.operations[-1].at != operation.at
    rank = strange, places, (*texts, f"{operation.at:06} {operation.kind} {action}")
    return _Summary(
        rank, (*way.operations, operation), way.common | _changes(operation), way.number
    )


def _merged(ways: Sequence[_Summary]) -> _Summary:
    best = min(ways, key=lambda way: way.rank)
    common = frozenset.intersection(*[way.common for way in ways])
    return best._replace(common=common, number=sum(way.number for way in ways))


def _changes(operation: Operation) -> frozenset[_Change]:
    """What an operation takes out and puts in."""
    out = () if operation.kind == "insert" else (operation.at,)
    put = () if operation.action is None else (operation.action,)
    return frozenset((*out, *put))


def edits_of(
    operations: Sequence[Operation],
    plan: Sequence[Action],
    common: AbstractSet[_Change] = frozenset(),
) -> tuple[Edit, ...]:
    """Turn operations into edits; the halves of a move become one."""
    waiting: list[Operation] = []
    found: list[tuple[int, Edit]] = []
    for operation in operations:
        if not operation.paired:
            waiting.append(operation)
            continue
        action = operation.action or plan[operation.at]
        kind = "delete" if operation.kind == "insert" else "insert"
        other = next(
            each
            for each in waiting
            if each.kind == kind and (each.action or plan[each.at]) == action
        )
        waiting.remove(other)
        out, put = (other, operation) if kind == "delete" else (operation, other)
        necessary = _changes(out) | _changes(put) <= common
        edit = Edit(EditKind.MOVE, out.at + 1, put.at + 1, action, action, necessary)
        found.append((min(out.at, put.at), edit))
    found += [(each.at, _plain(each, plan, _changes(each) <= common)) for each in waiting]
    return tuple([edit for _, edit in sorted(found, key=lambda pair: pair[0])])


def _plain(operation: Operation, plan: Sequence[Action], necessary: bool) -> Edit:
    step = operation.at + 1
    if operation.kind == "insert":
        return Edit(EditKind.INSERT, None, step, None, operation.action, necessary)
    old = plan[operation.at]
    if operation.kind == "delete":
        return Edit(EditKind.DELETE, step, None, old, None, necessary)
    return Edit(EditKind.REPLACE, step, None, old, operation.action, necessary)


def apply_operations(operations: Sequence[Operation], plan: Sequence[Action]) -> tuple[Action, ...]:
    """Return the plan after operations."""
    result: list[Action] = []
    for at in range(len(plan) + 1):
        here = [each for each in operations if each.at == at]
        result += [
            each.action for each in here if each.action is not None and each.kind == "insert"
        ]
        if at == len(plan):
            break
        new = [each.action for each in here if each.kind == "replace"]
        if any(each.kind == "delete" for each in here):
            continue
        result += [each for each in new if each is not None] or [plan[at]]
    return tuple(result)
