"""Reading BEHAVIOR's part of the official release, straight from the wheel.

Nothing of the wheel is unpacked or run. There is one recording (*demo*) for each of 100
activities; its name is the identifier of the task. A demo is described in several files, which name
its objects in two ways: the activity's definition says ``jar.n.01_1``, plans say ``jar_0``. The
prompt for action sequencing lists the objects by their second names, in the order in which the
table of object states lists them by their first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, final

from eai.simulators import behavior_domain, initial_state
from eai.simulators.behavior import AGENT, BehaviorScene
from eai.suites.behavior.goals import bind_names
from eai.suites.behavior.scenes import Listed, Words, predicate_of, scene_of
from eai.suites.shared.archive import TaskArchive
from eai.suites.shared.store import SharedData, StoredStart, StoredTask, numbered
from eai.world import State

# Where the part of a published prompt begins that is about its own task.
_TASK = "Your task:"
# Where the objects of a published prompt begin.
_LIST = "interactable objects:"
# One object of a published prompt, with its name and its category.
_LINE = re.compile(r"\{'name': '([^']+)', 'category': '([^']+)'\}")


def prompt_objects(prompt: str) -> list[tuple[str, str]]:
    """Return (name, category) of every object in a prompt, in order.

    The worked example before the task lists objects of its own, which are left out.
    """
    _, task_heading, task = prompt.rpartition(_TASK)
    _, list_heading, lines = task.partition(_LIST)
    objects = _LINE.findall(lines)
    has_objects = task_heading and list_heading and objects
    if not has_objects:
        raise ValueError(f"no objects behind {_LIST!r}")
    return [(str(name), str(category)) for name, category in objects]


_EVALUATION = "behavior_eval/evaluation"
_DEMOS = "behavior_eval/data/demo_names.json"
_ABOUT = "behavior_eval/data/demo_stats.json"
_GOALS = f"{_EVALUATION}/goal_interpretation/resources/data"
_CONDITIONS = f"{_GOALS}/all_conditions.json"
_STATES = f"{_GOALS}/all_objects.json"
_INSTRUCTIONS = f"{_GOALS}/instructions_by_activity_name.json"
_PREDICATES = f"{_GOALS}/object_states.json"
_PROMPTS = f"{_EVALUATION}/action_sequencing/resources/prompts/helm_prompts.json"
_PLANS = f"{_EVALUATION}/action_sequencing/resources/human_annotations/{{}}.json"
_VOCABULARY = f"{_EVALUATION}/subgoal_decomposition/resources/base_vocabulary.json"
_TERMS = f"{_EVALUATION}/subgoal_decomposition/resources/error_list_dict.json"
_DEFINITIONS = f"{_EVALUATION}/transition_modeling/resources/pddl_behavior/{{}}.pddl"
_GOAL = "(:goal"
# A comment of a definition goes to the end of its line.
_COMMENT = re.compile(r";[^\n]*")
_BRACKET = re.compile(r"[()]")


@final
class BehaviorArchive(TaskArchive):
    """The wheel of the official release, opened for BEHAVIOR's files."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._tables: dict[str, Any] = {}

    def collection(self) -> SharedData:
        """Return the data that all tasks share: their names, and the vocabulary."""
        with self.shape(_DEMOS):
            demos = [str(demo) for demo in self._table(_DEMOS)]
            # An error in here is one of the file that is named above.
            if not demos:
                raise ValueError("there are no tasks")
        with self.shape(_VOCABULARY):
            actions = self._table(_VOCABULARY)["action_param"]
            arities = {str(name): int(number) for name, number in actions.items()}
        with self.shape(_PREDICATES):
            names = self._table(_PREDICATES)
            predicates = {predicate_of(name): 1 for name in names["node_states"]}
            predicates |= {predicate_of(name): 2 for name in names["edge_states"]}
        activities = {demo: self._about(demo)[0].replace("_", " ") for demo in demos}
        return SharedData(activities, arities, predicates)

    def task(self, task: str, shared: SharedData) -> StoredTask:  # noqa: ARG002
        """Convert a demo; tasks share no objects.

        Args:
            task: The name of the demo.
            shared: Not used: the demo is read from the files alone.
        """
        demo = task
        activity, home = self._about(demo)
        # Name in the definition ("jar.n.01_1") to the name in plans, and to the possible states.
        names: dict[str, str] = {}
        states: dict[str, tuple[str, ...]] = {}
        for name, definition_name, object_states in self._objects(demo):
            names[definition_name] = name
            states[definition_name] = object_states
        start = initial_state(self.scene(demo))
        return StoredTask(
            demo,
            activity.replace("_", " "),
            self._instruction(activity),
            start=_stored_start(start).text,
            goal={"text": bind_names(self._goal(demo), names)},
            plans=[self._plan(demo)],
            vocabulary=[name for name in start.universe.names if name != AGENT],
            metadata={
                "release": "eai-eval 1.0.5",
                "activity": activity,
                "scene": home,
                "names": names,
                "states": states,
                "options": self._options(demo),
                "terms": self._terms(demo),
            },
        )

    def _instruction(self, activity: str) -> str:
        """Return the instruction of an activity in natural language."""
        with self.shape(_INSTRUCTIONS):
            return str(self._table(_INSTRUCTIONS)[activity])

    def _options(self, demo: str) -> list[list[tuple[Words, ...]]]:
        """Return the options of each goal condition of a demo; an option is a list of literals."""
        with self.shape(_CONDITIONS):
            conditions = self._table(_CONDITIONS)[demo]["goal_conditions"].values()
            return [[_rows(option) for option in condition] for condition in conditions]

    def _plan(self, demo: str) -> list[list[str]]:
        """Return the words of each step of the human annotation, misspelt actions included."""
        file = _PLANS.format(demo)
        steps = self.json(file)
        plan: list[list[str]] = []
        with self.shape(file):
            for step in steps:
                objects = [name.strip() for name in step["object"].split(",")]
                plan.append([step["action"].lower(), *objects])
        return plan

    def scene(self, demo: str) -> BehaviorScene:
        """Return the scene that the agent finds."""
        with self.shape(_CONDITIONS):
            initial = _rows(self._table(_CONDITIONS)[demo]["initial_conditions"].values())
            return scene_of(self._objects(demo), initial, self._terms(demo))

    def _about(self, demo: str) -> tuple[str, str]:
        """Return the activity and the home of a demo."""
        with self.shape(_ABOUT):
            about = self._table(_ABOUT)[demo]
            return str(about["task"]), str(about["scene_id"])

    def _objects(self, demo: str) -> tuple[Listed, ...]:
        """Return name, name in the definition, and states of each object of a demo."""
        with self.shape(_PROMPTS):
            prompts = {entry["identifier"]: entry["llm_prompt"] for entry in self._table(_PROMPTS)}
            listed = prompt_objects(prompts[demo])
        objects = []
        with self.shape(_STATES):
            stated = self._table(_STATES)[demo].items()
            # Both files list the objects in the same order; the categories must agree.
            for (name, category), (definition_name, states) in zip(listed, stated, strict=True):
                if definition_name.rpartition("_")[0] != category:
                    text = f"{definition_name} stands where the prompt has {name} ({category})"
                    raise ValueError(text)
                objects.append((name, definition_name, tuple(map(str, states))))
        return tuple(objects)

    def _goal(self, demo: str) -> str:
        """Return the condition in ``(:goal ...)`` of a definition, on one line, without comments.

        The goal is cut out of the text, because some definitions have closing brackets too many
        behind it, and the PDDL reader would refuse these definitions.
        """
        name = _DEFINITIONS.format(demo)
        text = _COMMENT.sub("", self.read(name).decode("utf-8", errors="replace")).lower()
        with self.shape(name):
            start = text.index(_GOAL) + len(_GOAL)
            depth = 1
            for bracket in _BRACKET.finditer(text, start):
                # The bracket around the condition is open already.
                depth += 1 if bracket[0] == "(" else -1
                if not depth:
                    words = " ".join(text[start : bracket.start()].split())
                    return words.replace("( ", "(").replace(" )", ")")
            raise ValueError("the goal is not closed")

    def _terms(self, demo: str) -> tuple[tuple[Words, bool], ...]:
        """Return the flattened goal conditions of a demo, and whether each held at its start."""
        with self.shape(_TERMS):
            row = self._table(_TERMS)[demo]
            return tuple(zip(_rows(row["subgoals"]), row["subgoal_success"], strict=True))

    def _table(self, name: str) -> Any:  # noqa: ANN401
        """Read a file that speaks of all demos (once)."""
        if name not in self._tables:
            self._tables[name] = self.json(name)
        return self._tables[name]


def _stored_start(start: State) -> StoredStart:
    """Return the form in which the initial state of a task is stored.

    Only the types of the task itself are stored: those of the shipped domain come with ``eai``.
    """
    universe = start.universe
    shipped_types = behavior_domain().types
    own_types: dict[str, str] = {}
    for name, supertype in universe.domain.types.items():
        if name not in shipped_types:
            own_types[name] = supertype
    atoms = []
    for atom in start.atoms():
        atoms.append((atom.predicate, *[str(term) for term in atom.terms]))
    return StoredStart(own_types, universe.objects, numbered(atoms, universe.names))


def _rows(conditions: Iterable[Any]) -> tuple[Words, ...]:
    """Return conditions as their words: ``("not", "open", "jar.n.01_1")``."""
    return tuple([tuple(_words(condition)) for condition in conditions])


def _words(condition: Any) -> Iterator[str]:  # noqa: ANN401
    """Flatten ``["not", ["open", "jar.n.01_1"]]``."""
    for item in condition:
        if isinstance(item, str):
            yield item
        else:
            yield from _words(item)
