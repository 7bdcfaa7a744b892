"""The suite ``household``: everyday tasks in four small homes, shipped with the package.

It works without network or fetched data, and it is what the tutorial and the tests use. The
world is VirtualHome's; homes, tasks, plans and sample predictions were written for this
package. ``docs/household.md`` describes the format, in which one can write tasks of one's own:
``Household(folder)`` reads them.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import resources
from pathlib import Path

from eai.contract import Ability
from eai.errors import InputError, SchemaError, UnknownNameError, check_name, look_up
from eai.files import content_hash
from eai.logic import LogicVocabulary, parse_formula
from eai.semantics import Quirk
from eai.simulators import VirtualHomeSimulator, object_class, virtualhome_domain
from eai.suites.household.homes import Home, expand_home
from eai.suites.shared.documents import (
    HomesDocument,
    ManifestDocument,
    TaskDocument,
    parse_document,
    read_document,
    read_lines,
)
from eai.suites.shared.store import by_class
from eai.suites.virtualhome.quirks import QUIRKS
from eai.suites.virtualhome.suite import HOME_ABILITIES, HomeSuite
from eai.suites.virtualhome.tasks import HomeTask, domain_names
from eai.task import Goal, Task, Vocabulary
from eai.task.goals import goal_from_formula
from eai.text import counted
from eai.world import Action, State

_FILES = ("manifest.json", "homes.json", "tasks.jsonl")
# A step of a plan: "grab(cup.2)".
_STEP = re.compile(r"\s*(\w+)\s*\(([\w\s.,]*)\)\s*")


@dataclass(frozen=True)
class _Kept:
    """Cache of the homes and tasks of a folder.

    Args:
        starts: Homes that a task does not change, with their initial states.
        tasks: Tasks by their identifiers.
    """

    starts: dict[str, tuple[Home, State]] = field(default_factory=dict)
    tasks: dict[str, HomeTask] = field(default_factory=dict)


_SHIPPED = _Kept()
"""Cache of the shipped tasks; all suites of this process share it."""


def samples() -> list[Path]:
    """Return the files of sample predictions, one for each of three fictional models.

    Together they contain every kind of error that an answer can have.
    """
    return sorted(_homes_that_ship().glob("samples_*.jsonl"))


def _homes_that_ship() -> Path:
    """Return the folder of the homes and tasks that are part of the package."""
    return Path(str(resources.files("eai.data.tasks.household")))


class Household(HomeSuite):
    """Everyday tasks in small homes.

    A plan solves a task if it can be executed, every condition on the final state holds, the
    demanded actions occur in order, and the goal formula holds on the trajectory. The quirks
    are those of the published executors only: how the world reacts and which kind of error a
    step is. The changes that the published evaluator makes to answers and goals belong to its own
    tasks.

    Args:
        folder: A folder with ``manifest.json``, ``homes.json`` and ``tasks.jsonl``; by default
            the tasks that are shipped with the package.

    Raises:
        InputError: If a file cannot be read.
        SchemaError: If the manifest or a line of the tasks has the wrong form.
    """

    world_name = "household"
    """The world of generated tasks, also in homes of one's own."""
    quirks: Mapping[str, Quirk] = {
        name: quirk for name, quirk in QUIRKS.items() if quirk.hook in ("world", "errors")
    }
    abilities: Mapping[str, Ability] = {
        name: HOME_ABILITIES[name]
        for name in ("action_sequencing", "goal_interpretation", "interaction", "recorded")
    }

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        """Read the manifest of a folder, by default that of the tasks in the package."""
        self._folder = _homes_that_ship() if folder is None else Path(folder)
        manifest = read_document(ManifestDocument, self._folder / "manifest.json")
        self.name = manifest.name
        self.title = manifest.title
        self.version = manifest.version
        # Suites of the package share a cache: reading a task takes longer than evaluating it.
        self._kept = _SHIPPED if folder is None else _Kept()

    @property
    def content(self) -> str:
        """A hash of the files of a folder of one's own."""
        if self._folder == _homes_that_ship():
            return ""
        return content_hash(self._folder / name for name in _FILES)

    def samples(self) -> Sequence[Path]:
        """Return the files of sample predictions (see :func:`samples`)."""
        return samples()

    def task_ids(self) -> Sequence[str]:
        """Return the identifiers of all tasks, in the order of the file."""
        return tuple(self._lines)

    def task(self, task_id: str) -> Task:
        """Load one task; it is read once, and its home is expanded once for all its tasks.

        Raises:
            UnknownNameError: If there is no such task.
            SchemaError: If its description, its home or a reference plan has a mistake.
            ParseError: If its goal is not a formula over its objects.
            InputError: If its goal has too many alternatives.
        """
        # A line is parsed on demand, as most commands need few tasks.
        line_number, line = look_up("task", task_id, self._lines)
        tasks = self._kept.tasks
        if task_id not in tasks:
            tasks[task_id] = self._read(line_number, line)
        task = tasks[task_id]
        # Copies, because the caller may change them.
        return replace(task, start=task.start.copy(), metadata=dict(task.metadata))

    def _read(self, number: int, line: str) -> HomeTask:
        """Return the task described by a line of the file."""
        where = f"{self._folder / 'tasks.jsonl'}:{number}"
        document = parse_document(TaskDocument, json.loads(line), where=where)
        home, start = self._start(document, where)
        # Plans may name a class, "cup", where the home has "cup.1".
        classes = by_class((name, object_class(name)) for name in home.objects)
        vocabulary = replace(domain_names(), objects=frozenset(home.objects), classes=classes)
        plans = []
        for index, steps in enumerate(document.plans):
            plans.append(_plan(steps, vocabulary, f"{where}: plans[{index}]"))
        return HomeTask(
            id=document.id,
            name=document.name,
            instruction=document.instruction,
            start=start,
            agent=home.agent,
            goal=_goal(document.goal, vocabulary, where),
            vocabulary=vocabulary,
            plans=tuple(plans),
            metadata={"home": document.home},
        )

    @cached_property
    def _homes(self) -> HomesDocument:
        """The homes of the folder, read when the first task asks for one."""
        return read_document(HomesDocument, self._folder / "homes.json")

    @cached_property
    def _lines(self) -> Mapping[str, tuple[int, str]]:
        """Return the line number and text of each task.

        Texts take a fifth of the memory of parsed lines.
        """
        path = self._folder / "tasks.jsonl"
        lines: dict[str, tuple[int, str]] = {}
        for number, text, line in read_lines(path):
            task_id = line.get("id")
            # Without an identifier it is not a task, and reading it raises the error.
            if not isinstance(task_id, str):
                parse_document(TaskDocument, line, where=f"{path}:{number}")
            elif task_id in lines:
                what = f"task {task_id!r} is already in line {lines[task_id][0]}"
                expected = "a unique id for every task"
                raise SchemaError(what, where=f"{path}:{number}", expected=expected)
            else:
                lines[task_id] = number, text
        return lines

    def _start(self, document: TaskDocument, where: str) -> tuple[Home, State]:
        """Return the home and the initial state of a task."""
        changes = document.changes
        has_changes = changes.add or changes.states or changes.places
        # Most tasks do not change their home, so its initial state is computed once for them.
        if not has_changes and document.home in self._kept.starts:
            home, state = self._kept.starts[document.home]
            return home, state.copy()
        home_document = self._homes.homes.get(document.home)
        if home_document is None:
            raise UnknownNameError("home", document.home, self._homes.homes, where=where)
        # If the task changes its home, messages name the task instead of the home.
        location = f"{self._folder / 'homes.json'}: {document.home}"
        if changes.model_fields_set:
            location = f"{where}: changes of {document.home}"
        home = expand_home(home_document, self._homes.classes, changes=changes, where=location)
        state = VirtualHomeSimulator().world.state(home.objects, home.atoms)
        if not has_changes:
            self._kept.starts[document.home] = home, state.copy()
        return home, state


def _goal(text: str, vocabulary: Vocabulary, where: str) -> Goal:
    """Read the goal of a task, in which only known names may occur.

    Args:
        text: The goal as it is written.
        vocabulary: The names of the task.
        where: Place of the task, for messages.

    Raises:
        InputError: If it cannot be read, or names something unknown.
    """
    names = LogicVocabulary(vocabulary.predicates, vocabulary.actions, vocabulary.objects)
    formula = parse_formula(text, vocabulary=names, source=f"{where}: goal")
    types = ("object", *virtualhome_domain().types)
    # The grammar reads any word as a type. A misspelled type would have no objects.
    for node in formula.walk():
        for variable in node.variables:
            for kind in variable.types:
                check_name("type", kind, types, where=f"{where}: goal")
    try:
        return goal_from_formula(formula, text)
    except InputError as error:
        error.where = f"{where}: goal"
        raise


def _plan(steps: Sequence[str], vocabulary: Vocabulary, where: str) -> tuple[Action, ...]:
    """Read a reference plan."""
    plan = []
    for index, step in enumerate(steps):
        plan.append(_action(step, vocabulary, f"{where}[{index}]"))
    return tuple(plan)


def _action(step: str, vocabulary: Vocabulary, where: str) -> Action:
    """Read a step of a reference plan, ``PUTIN(milk.41, fridge.40)``."""
    match = _STEP.fullmatch(step)
    if match is None:
        expected = "ACTION(object, ...), or ACTION()"
        raise SchemaError(f"{step!r} is not a step", where=where, expected=expected)
    name = match[1].lower()
    # "()" has no argument; split() would find an empty one.
    arguments: tuple[str, ...] = ()
    if match[2].strip():
        arguments = tuple(argument.strip() for argument in match[2].split(","))
    arity = look_up("action", name, vocabulary.actions, where=where)
    for argument in arguments:
        check_name("object", argument, vocabulary.objects, where=where)
    if len(arguments) != arity:
        what = f"{name} takes {counted(arity, 'object')}, not {len(arguments)}"
        raise SchemaError(what, where=where)
    return Action(name, arguments)
