"""Planning: grounding, search, engines, and what comes of them."""

from __future__ import annotations

from eai.planning.engines import Engine, engine_names, find_engine
from eai.planning.grounding import ground
from eai.planning.limits import Limits
from eai.planning.own import Validation, validate
from eai.planning.planner import plan, plan_many
from eai.planning.results import Outcome, PlanningResult
from eai.planning.subgoals import Bounds, SubgoalSearch, reach
from eai.planning.task import GroundAction, Task

__all__ = [
    "Bounds",
    "Engine",
    "GroundAction",
    "Limits",
    "Outcome",
    "PlanningResult",
    "SubgoalSearch",
    "Task",
    "Validation",
    "engine_names",
    "find_engine",
    "ground",
    "plan",
    "plan_many",
    "reach",
    "validate",
]
