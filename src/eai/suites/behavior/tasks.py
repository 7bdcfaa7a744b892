"""BEHAVIOR's tasks.

A task is a demo; objects have their names in the simulator (``jar_0``), as in plans.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, final

from eai.simulators import BehaviorSimulator, behavior_domain
from eai.simulators.behavior import AGENT
from eai.suites.behavior.goals import BddlGoal
from eai.suites.behavior.scenes import category_of
from eai.suites.shared.store import StartedTask, StoredTask, TaskStore
from eai.task import Goal

if TYPE_CHECKING:
    from eai.pddl import Domain
    from eai.suites.behavior.release import BehaviorArchive
    from eai.world import World

# The end of a piece's name: "apple_12_part_0".
_PART = re.compile(r"_part_\d+$")


class BehaviorTask(StartedTask):
    """A task in the BEHAVIOR world."""

    __slots__ = ()

    @property
    def world(self) -> World:
        """The world without the oddities of the published simulator."""
        return BehaviorSimulator().world


@final
class BehaviorStore(TaskStore):
    """BEHAVIOR's stored tasks."""

    name = "behavior"
    form = BehaviorTask
    agent = AGENT

    def archive(self, wheel: Path) -> BehaviorArchive:
        """Open the release."""
        from eai.suites.behavior.release import BehaviorArchive

        return BehaviorArchive(wheel)

    @property
    def domain(self) -> Domain:
        """BEHAVIOR's domain."""
        return behavior_domain()

    def goal(self, task: StoredTask) -> Goal:
        """Return the goal of a task; it is read when it is first asked for."""
        return BddlGoal(task.goal["text"])

    def class_of(self, name: str) -> str:
        """Return the category of an object; pieces have none."""
        return "" if _PART.search(name) else category_of(name)
