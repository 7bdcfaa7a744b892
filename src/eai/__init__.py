"""Says, symbolically and exactly, whether a plan would work, and if not, why.

``eai.evaluate("household", "answers.jsonl")`` evaluates a file of answers and returns a report.
Names are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from eai.version import __version__

if TYPE_CHECKING:
    from eai.abilities.plans import causes, repair
    from eai.agents import interact, replan
    from eai.contract import Ability, Suite
    from eai.contract.registry import suite
    from eai.errors import EaiError
    from eai.evaluation import evaluate
    from eai.evaluation.overview import evaluate_outputs, read_run
    from eai.logic import parse_formula
    from eai.pddl import parse_domain, parse_problem
    from eai.perturbation import perturb
    from eai.planning import plan
    from eai.predictions import load_predictions
    from eai.report import Report, explain, metric, read_records
    from eai.rewards import Reward, reward
    from eai.semantics import Semantics
    from eai.task import Task
    from eai.world import Action, Trajectory, World

_HOMES = {
    "Ability": "eai.contract",
    "Action": "eai.world.action",
    "EaiError": "eai.errors",
    "Report": "eai.report.report",
    "Reward": "eai.rewards",
    "Semantics": "eai.semantics",
    "Suite": "eai.contract",
    "Task": "eai.task",
    "Trajectory": "eai.world.trajectory",
    "World": "eai.world.transition",
    "causes": "eai.abilities.plans",
    "evaluate": "eai.evaluation",
    "evaluate_outputs": "eai.evaluation.overview",
    "explain": "eai.report.explanation",
    "interact": "eai.agents",
    "load_predictions": "eai.predictions",
    "metric": "eai.report.metric",
    "parse_domain": "eai.pddl",
    "parse_formula": "eai.logic",
    "parse_problem": "eai.pddl",
    "perturb": "eai.perturbation",
    "plan": "eai.planning",
    "read_records": "eai.report.records",
    "read_run": "eai.evaluation.overview",
    "repair": "eai.abilities.plans",
    "replan": "eai.agents",
    "reward": "eai.rewards",
    "suite": "eai.contract.registry",
}

_INSTEAD = {
    "analyze": "import eai.analyses; eai.analyses.error_breakdown(report) is one of many",
    "compare": "report.compare(other)",
    "leaderboard": "eai.read_run(folder).leaderboard()",
    "judge": "eai.evaluate(suite, answers); eai.suite(name).evaluate evaluates one answer",
    "load": "eai.load_predictions(path) reads answers, eai.read_records(path) a run",
    "read_report": "eai.Report(eai.read_records(path))",
    "score": "eai.evaluate(suite, answers), or eai.reward(tasks, completions) for training",
    "tell": "eai.explain(record)",
    "suites": "from eai.contract.registry import suites; eai.suite(name) is one of them",
    "view": "report.to_html(path) writes the page; on the command line: eai view RUN",
}
"""What is guessed to be here, and where it is."""

__all__ = [
    "Ability",
    "Action",
    "EaiError",
    "Report",
    "Reward",
    "Semantics",
    "Suite",
    "Task",
    "Trajectory",
    "World",
    "__version__",
    "causes",
    "evaluate",
    "evaluate_outputs",
    "explain",
    "interact",
    "load_predictions",
    "metric",
    "parse_domain",
    "parse_formula",
    "parse_problem",
    "perturb",
    "plan",
    "read_records",
    "read_run",
    "repair",
    "replan",
    "reward",
    "suite",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401
    home = _HOMES.get(name)
    if home is None:
        instead = f": {_INSTEAD[name]}" if name in _INSTEAD else ""
        # Names with an underscore are asked for by Python and by tools, which expect nothing.
        if not (instead or name.startswith("_")):
            from eai.errors import nearest

            near = nearest(name, __all__, most=1)
            instead = f"; did you mean eai.{near[0]}?" if near else ""
        raise AttributeError(f"module 'eai' has no attribute {name!r}{instead}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
