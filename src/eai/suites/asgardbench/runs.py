"""Reader of runs that the published evaluator of AsgardBench wrote, as recorded episodes.

A folder ``MODEL--CONDITION--repN`` has ``test_results.json``, ``config.json`` and for every task
``Plans/NAME/plan.json`` (``_NAME`` if it failed). The metadata of an episode have ``result`` (its
entry among the results), ``plan`` (the end according to its plan), ``goal`` (the goals with their
outcomes) and ``config``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from eai.contract import PredictionProblem, Raw
from eai.nesting import load_json
from eai.suites.asgardbench.run_layout import PLAN, RESULTS

# The message behind "[STEP ERROR]" in the log of a step.
_MESSAGE = re.compile(r"\[STEP ERROR\] (.*)")
# Plain words, such as the name of an action and a type.
_WORDS = re.compile(r"[\w ]+")


def run_episodes(path: Path) -> Iterator[Raw]:
    """Yield the episodes in a folder or file of runs, and the problems with its files."""
    if path.is_dir():
        folders = {file.parent for file in path.rglob(RESULTS)}
        folders |= {file.parent.parent.parent for file in path.rglob(f"Plans/*/{PLAN}")}
        for folder in sorted(folders):
            yield from _episodes_of_run(folder, sorted(folder.glob(f"Plans/*/{PLAN}")))
    elif path.name == RESULTS:
        yield from _episodes_of_run(path.parent, sorted(path.parent.glob(f"Plans/*/{PLAN}")))
    else:
        yield from _episodes_of_run(path.parent.parent.parent, [path], whole=False)


def _episodes_of_run(folder: Path, plans: list[Path], *, whole: bool = True) -> Iterator[Raw]:
    """Yield the episodes of one run, and a problem for each file that cannot be used.

    Args:
        folder: Its folder.
        plans: The files of its plans.
        whole: Whether results without a plan are episodes, too.
    """
    model = folder.absolute().name
    results_file = folder / RESULTS
    stored_results: Mapping[str, Any] | None = {}
    if results_file.is_file():
        stored_results = _json_object_in(results_file)
        if stored_results is None:
            yield PredictionProblem("it is not a list of results", str(results_file), model)
    rows_by_task: dict[str, list[dict[str, Any]]] = {}
    for row in _rows((stored_results or {}).get("test_results")):
        rows_by_task.setdefault(str(row.get("task_name")), []).append(row)
    config = _json_object_in(folder / "config.json") or {}
    for file in plans:
        plan = _json_object_in(file)
        if plan is None or not isinstance(plan.get("steps"), list):
            yield PredictionProblem("it is not a plan with steps", str(file), model)
            continue
        task = str(plan.get("name"))
        # The rows are removed, so that those of tasks without a plan remain.
        rows = rows_by_task.pop(task, [])
        yield _prediction_of_files(_EpisodeFiles(task, model, file, plan, rows, config))
    if whole:
        for task, rows in rows_by_task.items():
            files = _EpisodeFiles(task, model, results_file, {}, rows, config)
            yield _prediction_of_files(files)


class _EpisodeFiles(NamedTuple):
    """The contents of the files about one episode.

    Args:
        file: The file that it is from.
        plan: Contents of the plan; empty if there is none.
        rows: Entries among the results; the last one counts.
        config: Configuration of the run.
    """

    name: str
    model: str
    file: Path
    plan: Mapping[str, Any]
    rows: list[dict[str, Any]]
    config: Mapping[str, Any]


_LARGE = ("goal", "step_errors")
"""Parts of a result that are stored beside it in the metadata."""


def _json_object_in(file: Path) -> dict[str, Any] | None:
    """Return the JSON object in a file, or None if the file holds none."""
    try:
        content = load_json(file.read_text("utf-8", "replace"))
    except (OSError, ValueError):
        return None
    return content if isinstance(content, dict) else None


def _rows(value: object) -> list[dict[str, Any]]:
    """Return the objects of a list; nothing of any other value."""
    if not isinstance(value, list):
        return []
    return [row for row in value if isinstance(row, dict)]


def _prediction_of_files(files: _EpisodeFiles) -> tuple[str, object]:
    """Return the name of an episode's file, and the prediction that is made from it."""
    plan = files.plan
    result: dict[str, Any] = {}
    if files.rows:
        result = files.rows[-1]
    # The file of results decides whether the episode failed, or else the file of the plan.
    failed = result.get("task_failed", plan.get("task_failed"))
    success = None if failed is None else not failed
    plan_metadata: dict[str, Any] = {}
    if plan:
        # Folders of failed plans have names that begin with an underscore.
        plan_metadata = {"failed": plan.get("task_failed"), "folder": files.file.parent.name}
    record = {
        "task": files.name,
        "steps": [_step_of_row(row) for row in _rows(plan.get("steps"))],
        "success": success,
        "end": str(result.get("fail_reason") or ""),
        "model": files.model,
        "recorder": "AsgardBench",
        "metadata": {
            "benchmark": "asgardbench",
            "file": str(files.file),
            "result": {name: value for name, value in result.items() if name not in _LARGE},
            "errors": _rows(result.get("step_errors")),
            "results": len(files.rows),
            "plan": plan_metadata,
            "goal": _filled_goal_rows(result.get("goal") or plan.get("goal")),
            "config": files.config,
        },
    }
    item = {"id": files.name, "output": json.dumps(record), "model": files.model}
    return str(files.file), item


def _filled_goal_rows(goal: object) -> dict[str, Any]:
    """Return the rows of each kind of goal in a file, without kinds that have no rows."""
    filled: dict[str, Any] = {}
    for kind, value in _goal_rows_by_kind(goal).items():
        goal_rows = _rows(value)
        if goal_rows:
            filled[kind] = goal_rows
    return filled


def _goal_rows_by_kind(goal: object) -> dict[str, Any]:
    """Return the goals of an episode by kind, each as a list of rows with its outcome.

    Logs list the outcomes of acts as truth values by name.
    """
    if not isinstance(goal, dict):
        goal = {}
    acts = goal.get("action_goals")
    rows = []
    if isinstance(acts, dict):
        for act, is_done in acts.items():
            rows.append({"name": act, "outcome": "success" if is_done else "failure"})
    return {**goal, "action_goals": rows}


def _step_of_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a step of an episode.

    The published evaluator writes words such as "Invalid" for an answer without an action.
    """
    # "PICKUP Mug"
    words = f"{row.get('action') or ''} {row.get('object') or ''}".strip()
    name, _, target = words.partition(" ")
    action = f"{name.upper()} {target}"
    if name.lower().startswith(("invalid", "empty")) or not _WORDS.fullmatch(words):
        action = ""
    # A log has an error for each object that was tried, and the agent was told the last one.
    messages = _MESSAGE.findall(str(row.get("log") or ""))
    return {
        "action": action,
        "success": bool(row.get("action_success")),
        "feedback": messages[-1] if messages else "",
        "text": str(row.get("model_response") or ""),
    }
