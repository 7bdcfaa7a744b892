"""Reading VirtualHome's part of the official release, straight from the wheel.

Nothing of the wheel is unpacked or run. Per task there are an annotation (goal), a program (the
gold plan) and one file with two scene graphs: before the gold plan and after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

from eai.suites import archive

__all__ = ["Annotation", "Archive", "Edge", "Graph", "Node", "Program", "Step", "relevant"]

Edge = tuple[str, int, int]
"""Relation, from-node, to-node."""

Step = tuple[str, tuple[tuple[str, int], ...]]
"""Action name and the class and id of each object."""

_SCENE = "scene_1"
_PART = "TrimmedTestScene1_graph/results_intentions_march-13-18/file"
_SET = "virtualhome_eval/dataset/programs_processed_precond_nograb_morepreconds"
_GRAPHS = f"{_SET}/init_and_final_graphs/{_PART}{{}}.json"
_PROGRAMS = f"{_SET}/executable_programs/{_PART}{{}}.txt"
_RESOURCES = "virtualhome_eval/resources/virtualhome"
_GOALS = f"{_RESOURCES}/task_state_LTL_formula_accurate.json"
_NAMES = f"{_RESOURCES}/id2task.json"
_STEP = re.compile(r"\[(\w+)\]((?:\s+<[^<>]+>\s+\(\d+\.\d+\))*)\s*")
_OBJECT = re.compile(r"<([^<>]+)>\s+\(\d+\.(\d+)\)")


@dataclass(frozen=True, slots=True)
class Annotation:
    """The goal of a task, as annotated.

    Args:
        id: Identifier of the task (``"27_2"``).
        name: Category (``"Wash clothes"``).
        goals: State goals (keys ``id``, ``class_name``, ``state``) and relation goals (keys
            ``from_id``, ``relation_type``, ``to_id``), in the order of the file.
        actions: Action goals; alternatives are separated by ``|``.
        formula: The same as an LTL formula; None if the task has no goal.
    """

    id: str
    name: str
    goals: tuple[Mapping[str, Any], ...]
    actions: tuple[str, ...]
    formula: str | None


@dataclass(frozen=True, slots=True)
class Program:
    """A gold program.

    Args:
        name: Its first line.
        description: Its second line: the task in a person's words.
        steps: Its actions.
    """

    name: str
    description: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """An object of a scene graph.

    Args:
        id: Its number, unique in the graph.
        class_name: Its class (``"washing_machine"``).
        category: Its category (``"Rooms"``, ``"Characters"``, ...).
        properties: What it is made for (``"GRABBABLE"``), sorted.
        states: How it is (``"CLOSED"``), sorted.
    """

    id: int
    class_name: str
    category: str
    properties: tuple[str, ...] = ()
    states: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Graph:
    """A scene: its objects and the relations between them.

    Args:
        nodes: The objects by ascending id.
        edges: The relations.
    """

    nodes: Mapping[int, Node]
    edges: frozenset[Edge]


@final
class Archive(archive.Archive):
    """The wheel of the official release, opened for VirtualHome's files."""

    @cached_property
    def annotations(self) -> dict[str, Annotation]:
        """All annotations by task id, in the order of the file."""
        names = self.json(_NAMES)
        with self.shape(_GOALS):
            found = {
                task: _annotation(task, name, entry)
                for name, entries in self.json(_GOALS)[_SCENE].items()
                for task, entry in entries.items()
            }
        with self.shape(_NAMES):
            if any(names[task] != annotation.name for task, annotation in found.items()):
                raise ValueError(f"the names of tasks contradict {_GOALS}")
            if not found:
                raise ValueError(f"{_GOALS} has no tasks")
        return found

    def program(self, task: str) -> Program:
        """Return the gold program of a task."""
        name = _PROGRAMS.format(task)
        text = self.read(name).decode("utf-8", errors="replace")
        with self.shape(name):
            title, description, *rest = text.splitlines()
            steps = tuple(_step(line) for line in rest if line.startswith("["))
            return Program(title.strip(), description.strip(), steps)

    def graphs(self, task: str) -> tuple[Graph, frozenset[int]]:
        """Return the initial scene graph of a task and the ids of its relevant objects."""
        name = _GRAPHS.format(task)
        content = self.json(name)
        with self.shape(name):
            before, after = content["init_graph"], content["final_graph"]
            return _graph(before), relevant(before, after)


def relevant(before: Mapping[str, Any], after: Mapping[str, Any]) -> frozenset[int]:
    """Return the ids of the objects that the gold plan changes.

    These are the objects that a plan may mention: every node that is not the same in both
    graphs (order of its properties and states apart), and both ends of every edge that is in
    one graph only. This is the rule of the official evaluator.

    Args:
        before: The initial graph as in the release: ``nodes`` and ``edges``.
        after: The final graph, likewise.
    """
    changed = _sorted_nodes(before) ^ _sorted_nodes(after)
    ids = {node for node, _ in changed}
    for _, start, end in _edges(before) ^ _edges(after):
        ids.update((start, end))
    return frozenset(ids)


def _sorted_nodes(graph: Mapping[str, Any]) -> set[tuple[int, str]]:
    def text(node: Mapping[str, Any]) -> str:
        lists = {key: sorted(node[key]) for key in ("properties", "states")}
        return repr(sorted({**node, **lists}.items()))

    return {(node["id"], text(node)) for node in graph["nodes"]}


def _edges(graph: Mapping[str, Any]) -> frozenset[Edge]:
    return frozenset(
        (edge["relation_type"], edge["from_id"], edge["to_id"]) for edge in graph["edges"]
    )


def _graph(graph: Mapping[str, Any]) -> Graph:
    nodes = [_node(node) for node in graph["nodes"]]
    found = Graph(
        {node.id: node for node in sorted(nodes, key=lambda node: node.id)}, _edges(graph)
    )
    for relation, start, end in found.edges:
        if start not in found.nodes or end not in found.nodes:
            raise ValueError(f"{relation} between unknown nodes {start} and {end}")
    return found


def _node(node: Mapping[str, Any]) -> Node:
    return Node(
        node["id"],
        node["class_name"],
        node["category"],
        tuple(sorted(node["properties"])),
        tuple(sorted(node["states"])),
    )


def _annotation(task: str, name: str, entry: Mapping[str, Any]) -> Annotation:
    goal = entry["vh_goal"]
    return Annotation(
        task, name, tuple(goal["goal"]), tuple(goal["actions"]), entry["tl_goal"] or None
    )


def _step(line: str) -> Step:
    match = _STEP.fullmatch(line)
    if match is None:
        raise ValueError(f"not a step of a program: {line!r}")
    return match[1], tuple((name, int(number)) for name, number in _objects(match[2]))


def _objects(text: str) -> Iterable[tuple[str, str]]:
    return ((match[1], match[2]) for match in _OBJECT.finditer(text))
