"""The states in which VirtualHome tasks begin.

The state of the scene that all tasks share is built once; a task's state is a copy of it,
enlarged by the task's own objects, with the facts flipped in which the task differs.
"""

from __future__ import annotations

from collections.abc import Mapping

from eai.simulators.virtualhome_model import class_predicates, virtualhome_domain
from eai.suites.virtualhome.compact import CompactTask, Facts, Listed, Scene
from eai.suites.virtualhome.vocabulary import RELATIONS, check_facts
from eai.world.state import Layout, State
from eai.world.universe import Universe

__all__ = ["Starts"]

_TYPES = {"Rooms": "room", "Characters": "character"}


class Starts:
    """Initial states.

    Args:
        scene: What all tasks share.
    """

    def __init__(self, scene: Scene) -> None:
        self._layout = Layout(virtualhome_domain())
        self._types = _typed(scene.nodes)
        self._at = {node[0]: at for at, node in enumerate(scene.nodes)}
        self._base = State(self._layout, Universe(self._layout.domain, self._types))
        _flip(self._base, scene.facts, self._at)
        _mark_classes(self._base, scene.nodes)

    def start_of(self, task: CompactTask) -> State:
        """Build the initial state of a task.

        Raises:
            DataError: If it has a fact that the domain does not declare.
        """
        types = {**self._types, **_typed(task.nodes)}
        state = self._base.enlarged(Universe(self._layout.domain, types))
        added = {node[0]: at for at, node in enumerate(task.nodes, start=len(self._types))}
        _flip(state, task.facts, {**self._at, **added})
        _mark_classes(state, task.nodes)
        return state


def _typed(nodes: list[Listed]) -> dict[str, str]:
    return {
        f"{class_name}.{number}": _TYPES.get(category, "thing")
        for number, class_name, category in nodes
    }


def _flip(state: State, facts: Facts, at: Mapping[int, int]) -> None:
    """Make the facts that hold false, and those that do not hold true."""
    check_facts(facts)
    for table in (facts.properties, facts.states):
        for name, numbers in table.items():
            mask = 0
            for number in numbers:
                mask ^= 1 << at[number]
            state.unary[state.layout.index[name.lower()]] ^= mask
    for relation, ends in facts.edges.items():
        p = state.layout.index[RELATIONS.get(relation, relation)]
        rows, cols = state.rows[p], state.cols[p]
        for start, end in zip(ends[::2], ends[1::2], strict=True):
            a, b = at[start], at[end]
            rows[a] ^= 1 << b
            cols[b] ^= 1 << a


def _mark_classes(state: State, nodes: list[Listed]) -> None:
    for number, class_name, _ in nodes:
        for predicate in class_predicates(class_name):
            state.add(predicate, (f"{class_name}.{number}",))
