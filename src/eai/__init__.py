"""Says, symbolically and exactly, whether a plan would work, and if not, why.

``eai.evaluate("household", "answers.jsonl")`` judges a file of answers and returns a report.
Names are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from eai.version import __version__

if TYPE_CHECKING:
    from eai.agents import interact, replan
    from eai.errors import EaiError
    from eai.evaluation import evaluate
    from eai.logic import parse_formula
    from eai.overview import evaluate_outputs
    from eai.pddl import parse_domain, parse_problem
    from eai.perturbation import perturb
    from eai.planning import plan
    from eai.predictions import load_predictions
    from eai.registry import suite
    from eai.remedy import repair
    from eai.report.records import read_records
    from eai.report.report import Report
    from eai.report.story import tell
    from eai.rewards import Reward, reward
    from eai.semantics import Semantics
    from eai.steps import causes
    from eai.task import Task
    from eai.world.action import Action
    from eai.world.trajectory import Trajectory
    from eai.world.transition import World

_HOMES = {
    "Action": "eai.world.action",
    "EaiError": "eai.errors",
    "Report": "eai.report.report",
    "Reward": "eai.rewards",
    "Semantics": "eai.semantics",
    "Task": "eai.task",
    "Trajectory": "eai.world.trajectory",
    "World": "eai.world.transition",
    "causes": "eai.steps",
    "evaluate": "eai.evaluation",
    "evaluate_outputs": "eai.overview",
    "interact": "eai.agents",
    "load_predictions": "eai.predictions",
    "parse_domain": "eai.pddl",
    "parse_formula": "eai.logic",
    "parse_problem": "eai.pddl",
    "perturb": "eai.perturbation",
    "plan": "eai.planning",
    "read_records": "eai.report.records",
    "repair": "eai.remedy",
    "replan": "eai.agents",
    "reward": "eai.rewards",
    "suite": "eai.registry",
    "tell": "eai.report.story",
}

__all__ = [
    "Action",
    "EaiError",
    "Report",
    "Reward",
    "Semantics",
    "Task",
    "Trajectory",
    "World",
    "__version__",
    "causes",
    "evaluate",
    "evaluate_outputs",
    "interact",
    "load_predictions",
    "parse_domain",
    "parse_formula",
    "parse_problem",
    "perturb",
    "plan",
    "read_records",
    "repair",
    "replan",
    "reward",
    "suite",
    "tell",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'eai' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
