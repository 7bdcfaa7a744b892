"""The 120 rooms of AI2-THOR as a world of generated tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eai.contract import INTERACTION, PLANS, Ability, TaskWorld
from eai.errors import check_name
from eai.simulators.thor.scenes import scene_names
from eai.simulators.thor.skills import skill_world
from eai.suites.thor.document import room
from eai.suites.thor.suite import ThorSuite, room_task
from eai.task import Goal, Task
from eai.world import Change, State


class ThorRooms(ThorSuite):
    """The rooms without goals, in which tasks are generated."""

    name = "thor"
    title = "The 120 rooms of AI2-THOR"
    version = "5.0.0, symbolic"
    abilities: Mapping[str, Ability] = {
        PLANS: Ability(prompt="eai.abilities.prompts:plan_prompt"),
        INTERACTION: Ability(),
    }

    def task_ids(self) -> Sequence[str]:
        """Names of the rooms."""
        return scene_names()

    def task(self, task_id: str) -> Task:
        """Return a room with everything in its place, and no goal."""
        check_name("room", task_id, scene_names())
        return room_task(task_id, skill_world().start(room(task_id)), Goal())


def _settle(state: State, after: Sequence[Change]) -> list[Change]:
    return skill_world(knife=True).settle(state, after)


WORLD = TaskWorld(
    {
        "open": ("{0} is open", "open {0}"),
        "not open": ("{0} is closed", "close {0}"),
        "on": ("{0} is switched on", "switch {0} on"),
        "not on": ("{0} is switched off", "switch {0} off"),
        "not dirty": ("{0} is clean", "wash {0}"),
        "filled": ("{0} is filled", "fill {0}"),
        "contains": ("{0} has {1} in it", "fill {0} with {1}"),
        "sliced": ("{0} is sliced", "slice {0}"),
        "cooked": ("{0} is cooked", "cook {0}"),
        "hot": ("{0} is hot", "heat {0}"),
        "cold": ("{0} is cold", "cool {0}"),
        "in": ("{0} is in or on {1}", "put {0} in or on {1}"),
        "holds": ("the {0} holds {1}", "let the {0} take {1}"),
    },
    settle=_settle,
    suite=ThorRooms,
)
"""The world ``thor``."""
