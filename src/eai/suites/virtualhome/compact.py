"""A small, quickly read form of VirtualHome's tasks.

The tasks play in one flat, whose objects and relations hardly differ from task to task. The
*scene* is the flat as the first task finds it. A *compact task* has the goal, the gold program,
the objects that the task adds, and the *facts* in which it differs from the scene: its graph is
the symmetric difference of both sets of facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from eai.errors import DataError

if TYPE_CHECKING:
    # Tasks that were converted are read without the release.
    from eai.suites.virtualhome.release import Annotation, Edge, Graph, Node, Program, Step

__all__ = ["FORMAT", "CompactTask", "Facts", "Listed", "Scene", "compact", "expand", "scene_of"]

FORMAT = 1
"""Version of the written form; files of another version are made anew."""

Listed = tuple[int, str, str]
"""Id, class and category of an object."""

_FIRST_ADDED = 1000
"""Objects with lower ids belong to the flat, the others to a task."""


class Facts(NamedTuple):
    """What holds of the objects of a graph.

    Args:
        properties: Property name to the ids of the objects that have it.
        states: State name to the ids of the objects that are in it.
        edges: Relation name to its pairs, as ``[from, to, from, to, ...]``.
    """

    properties: Mapping[str, list[int]]
    states: Mapping[str, list[int]]
    edges: Mapping[str, list[int]]


class Scene(NamedTuple):
    """What all tasks share.

    Args:
        names: Task id to category, in the order of the release.
        nodes: The objects of the flat, by ascending id.
        facts: What holds of them.
    """

    names: Mapping[str, str]
    nodes: list[Listed]
    facts: Facts

    def to_json(self) -> dict[str, Any]:
        """Return a value for the json module."""
        return {**self._asdict(), "facts": self.facts._asdict()}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Scene:
        """Rebuild a scene from what :meth:`to_json` returned, after a round trip to text."""
        return cls(content["names"], _tuples(content["nodes"]), Facts(**content["facts"]))


class CompactTask(NamedTuple):
    """One task.

    Args:
        id: Its identifier.
        name: Its category.
        description: What the agent is told, in words.
        program: The gold plan.
        goals: State and relation goals as annotated.
        actions: Action goals as annotated.
        formula: The LTL goal; None if the task has no goal.
        relevant: Ids of the objects that a plan may mention, ascending.
        nodes: The objects that the task adds, by ascending id.
        facts: Where the task differs from the scene.
    """

    id: str
    name: str
    description: str
    program: list[Step]
    goals: list[dict[str, Any]]
    actions: list[str]
    formula: str | None
    relevant: list[int]
    nodes: list[Listed]
    facts: Facts

    def to_json(self) -> dict[str, Any]:
        """Return a value for the json module."""
        return {**self._asdict(), "facts": self.facts._asdict()}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> CompactTask:
        """Rebuild a task from what :meth:`to_json` returned, after a round trip to text."""
        return cls(
            content["id"],
            content["name"],
            content["description"],
            [(action, tuple(_tuples(objects))) for action, objects in content["program"]],
            content["goals"],
            content["actions"],
            content["formula"],
            content["relevant"],
            _tuples(content["nodes"]),
            Facts(**content["facts"]),
        )


def scene_of(graph: Graph, names: Mapping[str, str]) -> Scene:
    """Return the scene: a graph without the objects that a task adds.

    Args:
        graph: The initial graph of the first task.
        names: Task id to category, in the order of the release.
    """
    from eai.suites.virtualhome.release import Graph

    flat = {number: node for number, node in graph.nodes.items() if number < _FIRST_ADDED}
    edges = frozenset(edge for edge in graph.edges if edge[1] in flat and edge[2] in flat)
    return Scene(dict(names), _list(flat.values()), _facts(Graph(flat, edges), _NOTHING))


def compact(
    annotation: Annotation,
    program: Program,
    graph: Graph,
    *,
    relevant: Iterable[int],
    scene: Scene,
) -> CompactTask:
    """Write a task as its differences from the scene.

    Raises:
        DataError: If the graph is not the scene with added objects of higher ids.
    """
    listed = _list(graph.nodes.values())
    if listed[: len(scene.nodes)] != scene.nodes:
        raise DataError(
            f"the graph of task {annotation.id} is not in the scene of the other tasks",
            mend="eai data fetch eai --force",
        )
    return CompactTask(
        annotation.id,
        annotation.name,
        program.description,
        list(program.steps),
        [dict(goal) for goal in annotation.goals],
        list(annotation.actions),
        annotation.formula,
        sorted(relevant),
        listed[len(scene.nodes) :],
        _facts(graph, _plain(scene.facts)),
    )


def expand(task: CompactTask, scene: Scene) -> Graph:
    """Return the initial graph of a task: the inverse of :func:`compact`."""
    from eai.suites.virtualhome.release import Graph, Node

    mine, shared = _plain(task.facts), _plain(scene.facts)
    properties, states, edges = mine[0] ^ shared[0], mine[1] ^ shared[1], mine[2] ^ shared[2]
    nodes = {
        number: Node(
            number,
            name,
            category,
            tuple(sorted(p for p, owner in properties if owner == number)),
            tuple(sorted(s for s, owner in states if owner == number)),
        )
        for number, name, category in (*scene.nodes, *task.nodes)
    }
    return Graph(nodes, frozenset(edges))


_Marks = set[tuple[str, int]]
_Plain = tuple[_Marks, _Marks, "set[Edge]"]
_NOTHING: _Plain = (set(), set(), set())


def _plain(facts: Facts) -> _Plain:
    """Return the facts as sets of tuples."""
    edges = {
        (relation, start, end)
        for relation, ends in facts.edges.items()
        for start, end in zip(ends[::2], ends[1::2], strict=True)
    }
    return _marks(facts.properties), _marks(facts.states), edges


def _marks(table: Mapping[str, list[int]]) -> _Marks:
    return {(name, number) for name, numbers in table.items() for number in numbers}


def _facts(graph: Graph, known: _Plain) -> Facts:
    """Return where the graph differs from known facts."""
    nodes = graph.nodes.values()
    properties = {(name, node.id) for node in nodes for name in node.properties}
    states = {(name, node.id) for node in nodes for name in node.states}
    return Facts(
        _table(properties ^ known[0], lambda fact: [fact[1]]),
        _table(states ^ known[1], lambda fact: [fact[1]]),
        _table(graph.edges ^ known[2], lambda fact: [fact[1], fact[2]]),
    )


def _table(facts: Iterable[Any], numbers: Callable[[Any], list[int]]) -> dict[str, list[int]]:
    table: dict[str, list[int]] = {}
    for fact in sorted(facts):
        table.setdefault(fact[0], []).extend(numbers(fact))
    return table


def _list(nodes: Iterable[Node]) -> list[Listed]:
    return [(node.id, node.class_name, node.category) for node in nodes]


def _tuples(rows: Iterable[Iterable[Any]]) -> list[Any]:
    return [tuple(row) for row in rows]
