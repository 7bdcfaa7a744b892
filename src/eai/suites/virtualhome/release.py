"""Reading VirtualHome's part of the official release, straight from the wheel.

Nothing of the wheel is unpacked or run. Per task there are an annotation (goal), a program (the
gold plan) and one file with two scene graphs: before the gold plan and after it. Almost everything
in a graph is the same in all tasks: they play in one flat.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any, NamedTuple, final

from eai.errors import DataError
from eai.simulators import class_predicates, virtualhome_domain
from eai.suites.shared.archive import TaskArchive
from eai.suites.shared.store import SharedData, StoredStart, StoredTask, atoms_of, numbered
from eai.suites.virtualhome.tasks import RELATIONS, domain_names

_SCENE = "scene_1"
_PART = "TrimmedTestScene1_graph/results_intentions_march-13-18/file"
_SET = "virtualhome_eval/dataset/programs_processed_precond_nograb_morepreconds"
_GRAPHS = f"{_SET}/init_and_final_graphs/{_PART}{{}}.json"
_PROGRAMS = f"{_SET}/executable_programs/{_PART}{{}}.txt"
_RESOURCES = "virtualhome_eval/resources/virtualhome"
_GOALS = f"{_RESOURCES}/task_state_LTL_formula_accurate.json"
_NAMES = f"{_RESOURCES}/id2task.json"
# A line of a program: "[Grab] <cup> (1.12)".
_STEP = re.compile(r"\[(\w+)\]((?:\s+<[^<>]+>\s+\(\d+\.\d+\))*)\s*")
# An object of a line, of which the id stands behind the point.
_OBJECT = re.compile(r"<([^<>]+)>\s+\(\d+\.(\d+)\)")

# Category of a node to its type in the domain; all others are things.
_TYPES = {"Rooms": "room", "Characters": "character"}
_ENDS = ("from_id", "to_id")
_FIRST_ADDED = 1000
"""Objects with lower ids belong to the flat, the others to a task."""


class Graph(NamedTuple):
    """A scene in the words of the domain."""

    names: Mapping[int, str]  # id to name of every object, by ascending id
    types: Mapping[str, str]  # by name
    atoms: set[tuple[str, ...]]  # those that hold: predicate and names

    @classmethod
    def of(cls, graph: Mapping[str, Any]) -> Graph:
        """Return a graph of the release, with its ``nodes`` and ``edges``."""
        # Sorted by id, so that all graphs of the scene begin with the same objects.
        nodes = sorted(graph["nodes"], key=lambda node: int(node["id"]))
        names = {node["id"]: f"{node['class_name']}.{node['id']}" for node in nodes}
        types: dict[str, str] = {}
        atoms: set[tuple[str, ...]] = set()
        for node in nodes:
            name = names[node["id"]]
            types[name] = _TYPES.get(node["category"], "thing")
            for word in (*node["properties"], *node["states"]):
                atoms.add((word.lower(), name))
            # Some properties follow from the class: a fridge can be opened.
            for predicate in class_predicates(node["class_name"]):
                atoms.add((predicate, name))
        for relation, start, end in _edges(graph):
            if start not in names or end not in names:
                raise ValueError(f"{relation} between unknown nodes {start} and {end}")
            atoms.add((RELATIONS.get(relation, relation), names[start], names[end]))
        _refuse_undeclared({atom[0] for atom in atoms})
        return cls(names, types, atoms)


@final
class HomeArchive(TaskArchive):
    """The wheel of the official release, opened for VirtualHome's files."""

    @cached_property
    def annotations(self) -> dict[str, tuple[str, Mapping[str, Any]]]:
        """Name and annotated goal of each task, in the order of the file."""
        names = self.json(_NAMES)
        annotations: dict[str, tuple[str, Mapping[str, Any]]] = {}
        with self.shape(_GOALS):
            for name, entries in self.json(_GOALS)[_SCENE].items():
                for task, entry in entries.items():
                    goal = {**entry["vh_goal"], "formula": entry["tl_goal"] or ""}
                    annotations[task] = (name, goal)
        with self.shape(_NAMES):
            if any(names[task] != name for task, (name, _) in annotations.items()):
                raise ValueError(f"the names of tasks contradict {_GOALS}")
            if not annotations:
                raise ValueError(f"{_GOALS} has no tasks")
        return annotations

    def collection(self) -> SharedData:
        """Return the data that all tasks share: the start of the first task's flat."""
        # All tasks list the objects of the flat before their own.
        first_task = next(iter(self.annotations))
        graph, _ = self.graphs(first_task)
        vocabulary = domain_names()
        flat_names = set()
        for object_id, name in graph.names.items():
            # Objects that were added for single tasks have higher ids.
            if object_id < _FIRST_ADDED:
                flat_names.add(name)
        flat_objects = {name: kind for name, kind in graph.types.items() if name in flat_names}
        flat_atoms = [atom for atom in graph.atoms if flat_names.issuperset(atom[1:])]
        return SharedData(
            names={task: name for task, (name, _) in self.annotations.items()},
            actions=vocabulary.actions,
            predicates=vocabulary.predicates,
            objects=flat_objects,
            atoms=numbered(flat_atoms, graph.types),
            metadata={"release": "eai-eval 1.0.5"},
        )

    def task(self, task: str, shared: SharedData) -> StoredTask:
        """Return a task. Its graph is the shared flat with added objects of higher ids."""
        graph, changed_ids = self.graphs(task)
        first_objects = list(graph.types.items())[: len(shared.objects)]
        if first_objects != list(shared.objects.items()):
            raise DataError(
                f"the graph of task {task} is not in the scene of the other tasks",
                mend="eai data fetch eai --force",
            )
        added_objects: dict[str, str] = {}
        for object_name, kind in graph.types.items():
            if object_name not in shared.objects:
                added_objects[object_name] = kind
        name, annotated = self.annotations[task]
        instruction, plan = self.program(task)
        names = graph.names
        final: list[list[str]] = []
        with self.shape(_GOALS):
            for condition in annotated["goal"]:
                if "state" in condition:
                    final.append([condition["state"].lower(), names[condition["id"]]])
                    continue
                # All other conditions are relations between two objects.
                related_objects = [names[condition[end]] for end in _ENDS]
                final.append([RELATIONS[condition["relation_type"]], *related_objects])
            goal = {
                "text": annotated["formula"],
                "final": final,
                "actions": list(annotated["actions"]),
            }
        differences = graph.atoms ^ atoms_of(shared, virtualhome_domain())
        start = StoredStart(objects=added_objects, atoms=numbered(differences, graph.types))
        return StoredTask(
            task,
            name,
            instruction,
            start=start.text,
            goal=goal,
            plans=[plan],
            vocabulary=[names[object_id] for object_id in sorted(changed_ids)],
            metadata={"release": "eai-eval 1.0.5", "scene": 1},
        )

    def program(self, task: str) -> tuple[str, list[list[str]]]:
        """Return a task's description by a person, and the words of its gold plan's steps."""
        name = _PROGRAMS.format(task)
        text = self.read(name).decode("utf-8", errors="replace")
        with self.shape(name):
            _, description, *rest = text.splitlines()
            return description.strip(), [_step(line) for line in rest if line.startswith("[")]

    def graphs(self, task: str) -> tuple[Graph, frozenset[int]]:
        """Return the initial scene of a task and the ids of its relevant objects."""
        name = _GRAPHS.format(task)
        content = self.json(name)
        with self.shape(name):
            before, after = content["init_graph"], content["final_graph"]
            return Graph.of(before), relevant(before, after)


def relevant(before: Mapping[str, Any], after: Mapping[str, Any]) -> frozenset[int]:
    """Return the ids of the objects that the gold plan changes, by the official evaluator's rule.

    Plans may mention these objects: every node that differs between the graphs (apart from the
    order of its properties and states), and both ends of every edge that only one graph has.

    Args:
        before: The graph before the plan, with ``nodes`` and ``edges`` as in the release.
        after: The graph after the plan.
    """
    # The symmetric difference has everything that is in only one of the graphs.
    ids = {node_id for node_id, _ in _nodes(before) ^ _nodes(after)}
    for _, start, end in _edges(before) ^ _edges(after):
        ids.update((start, end))
    return frozenset(ids)


def _nodes(graph: Mapping[str, Any]) -> set[tuple[int, str]]:
    """Return the id of each node, and its fields as text with properties and states sorted."""
    nodes: set[tuple[int, str]] = set()
    for node in graph["nodes"]:
        properties, states = sorted(node["properties"]), sorted(node["states"])
        fields = {**node, "properties": properties, "states": states}
        nodes.add((node["id"], repr(sorted(fields.items()))))
    return nodes


def _refuse_undeclared(predicates: Collection[str]) -> None:
    """Raise an error for predicates that the domain lacks, as they would never hold.

    Raises:
        DataError: If there is one.
    """
    declared = virtualhome_domain().predicates
    for predicate in sorted(predicates):
        if predicate not in declared:
            raise DataError(
                f"the scene graph has {predicate!r}, which the domain does not declare",
                expected=", ".join(declared),
            )


def _edges(graph: Mapping[str, Any]) -> set[tuple[str, int, int]]:
    """Return the relations of a graph: ``("INSIDE", 12, 3)`` for the nodes 12 and 3."""
    return {(edge["relation_type"], edge["from_id"], edge["to_id"]) for edge in graph["edges"]}


def _step(line: str) -> list[str]:
    """Return action and objects of a script line: ``[GRAB] <cup> (12)`` is ``grab cup.12``."""
    match = _STEP.fullmatch(line)
    if match is None:
        raise ValueError(f"not a step of a program: {line!r}")
    step = [match[1].lower()]
    for written in _OBJECT.finditer(match[2]):
        step.append(f"{written[1]}.{written[2]}")
    return step
