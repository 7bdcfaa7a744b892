"""The suite ``generated:SOURCE?seed=1&n=500``: tasks in the worlds of another suite."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from eai.abilities import Plans
from eai.contract import INTERACTION, PLANS, Ability, Suite, given_world, is_interactive
from eai.errors import InputError, look_up
from eai.semantics import Semantics
from eai.suites.generated.generator import generate
from eai.task import Task

if TYPE_CHECKING:
    from eai.acting import EpisodeRules
    from eai.simulators import Environment

_STEPS = re.compile(r"(\d+)-(\d+)")


class Generated(Suite):
    """Generated tasks, evaluated by the definitions (``strict``).

    Args:
        name: ``SOURCE?seed=1&n=500&steps=3-40&split=test``; what is left out is seed 0, 100 tasks,
            3 to 40 steps, all splits.

    Raises:
        UnknownNameError: If there is no such source.
        InputError: If a setting is unknown or has another form.
    """

    version = "2"

    def __init__(self, name: str) -> None:
        """Read the settings in a name; tasks are generated when they are first asked for."""
        self.name = f"generated:{name}"
        source, _, query = name.partition("?")
        self._source, _ = given_world(source)
        settings = _read_settings(query, where=self.name)
        min_steps, _, max_steps = settings.get("steps", "3-40").partition("-")
        self.title = f"Generated tasks in the worlds of {self._source.name}"
        self._task_generator = generate(
            source,
            n=int(settings.get("n", "100")),
            steps=(int(min_steps), int(max_steps)),
            seed=int(settings.get("seed", "0")),
            split=settings.get("split"),
        )

    def __reduce__(self) -> tuple[object, ...]:
        # A generator cannot be pickled, so the suite is created again from its name.
        return Generated, (self.name.removeprefix("generated:"),)

    @property
    def abilities(self) -> Mapping[str, Ability]:
        """Action sequencing, and acting where the source can be acted in."""
        abilities = {PLANS: self._source.abilities[PLANS]}
        if is_interactive(self._source):
            abilities[INTERACTION] = self._source.abilities[INTERACTION]
        return abilities

    @property
    def content(self) -> str:
        """The content of the source."""
        return self._source.content

    @cached_property
    def _tasks(self) -> Mapping[str, Task]:
        return {task.id: task for task in self._task_generator}

    def task_ids(self) -> Sequence[str]:
        """Identifiers of all tasks: the seed and a number."""
        return tuple(self._tasks)

    def task(self, task_id: str) -> Task:
        """Return one task."""
        task = look_up("task", task_id, self._tasks)
        # Copies, because the caller may change them.
        return replace(task, start=task.start.copy(), metadata=dict(task.metadata))

    def plans(self, semantics: Semantics) -> Plans | None:
        """How plans are read, run and scored: as the source does."""
        return self._source.plans(self._source.semantics(semantics.name))

    def environment(self, task: Task, semantics: Semantics) -> Environment:
        """Set up the environment of a task, as the source does."""
        return self._source.environment(task, self._source.semantics(semantics.name))

    def episode_rules(self, task: Task, semantics: Semantics) -> EpisodeRules:
        """Return the rules of an episode of a task, as the source does."""
        return self._source.episode_rules(task, self._source.semantics(semantics.name))


def _read_settings(query: str, where: str) -> dict[str, str]:
    """Read settings such as ``seed=1&steps=3-40``.

    Args:
        query: The settings, written as in the query of a web address.
        where: Name of the suite, for messages.

    Raises:
        InputError: If a setting is unknown or has another form.
    """
    settings = dict(parse_qsl(query, keep_blank_values=True))
    for key, value in settings.items():
        is_number = key in ("seed", "n") and value.isdecimal()
        is_range = key == "steps" and _STEPS.fullmatch(value)
        if not (is_number or is_range or key == "split"):
            raise InputError(
                f"{key}={value} is no setting of generated tasks",
                where=where,
                expected="seed=NUMBER, n=NUMBER, steps=LEAST-MOST, split=train|validation|test",
            )
    return settings
