"""Runs as the published evaluator of AsgardBench leaves them, as recorded episodes.

A folder ``MODEL--CONDITION--repN`` has ``test_results.json``, ``config.json`` and for every task
``Plans/NAME/plan.json`` (``_NAME`` if it failed). What these say beside the steps stands in the
metadata of an episode: ``result`` (its entry among the results), ``plan`` (what its plan says of
the end), ``goal`` (the goals with their outcomes) and ``config``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from eai.contract import PredictionProblem, Raw
from eai.nesting import load_json

RESULTS = "test_results.json"
_PLAN = "plan.json"
_SAID = re.compile(r"\[STEP ERROR\] (.*)")
_WORDS = re.compile(r"[\w ]+")


def holds_runs(path: Path) -> bool:
    """Whether a path is a folder or a file of runs."""
    if path.is_dir():
        return any(path.rglob(RESULTS)) or any(path.rglob(f"Plans/*/{_PLAN}"))
    return path.name == RESULTS or (path.name == _PLAN and path.parent.parent.name == "Plans")


def run_episodes(path: Path) -> Iterator[Raw]:
    """Yield the episodes of a folder or a file of runs; what is wrong is a problem."""
    if path.is_dir():
        plans = {each.parent.parent.parent for each in path.rglob(f"Plans/*/{_PLAN}")}
        for folder in sorted({each.parent for each in path.rglob(RESULTS)} | plans):
            yield from _run(folder, sorted(folder.glob(f"Plans/*/{_PLAN}")))
    elif path.name == RESULTS:
        yield from _run(path.parent, sorted(path.parent.glob(f"Plans/*/{_PLAN}")))
    else:
        yield from _run(path.parent.parent.parent, [path], whole=False)


def _run(folder: Path, plans: list[Path], *, whole: bool = True) -> Iterator[Raw]:
    model = folder.absolute().name
    results: dict[str, list[dict[str, Any]]] = {}
    listed = _object(folder / RESULTS) if (folder / RESULTS).is_file() else {}
    if listed is None:
        yield PredictionProblem("it is not a list of results", str(folder / RESULTS), model)
    for row in _rows((listed or {}).get("test_results")):
        results.setdefault(str(row.get("task_name")), []).append(row)
    more = {"config": _object(folder / "config.json") or {}}
    for file in plans:
        plan = _object(file)
        if plan is None or not isinstance(plan.get("steps"), list):
            yield PredictionProblem("it is not a plan with steps", str(file), model)
            continue
        rows = results.pop(name := str(plan.get("name")), [])
        yield _item(name, model, file, plan, rows, more)
    for name, rows in results.items() if whole else ():
        yield _item(name, model, folder / RESULTS, {}, rows, more)


_LARGE = ("goal", "step_errors")


def _object(file: Path) -> dict[str, Any] | None:
    try:
        found = load_json(file.read_text("utf-8", "replace"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _rows(value: object) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _item(
    name: str,
    model: str,
    file: Path,
    plan: Mapping[str, Any],
    rows: list[dict[str, Any]],
    more: Mapping[str, Any],
) -> tuple[str, object]:
    result = rows[-1] if rows else {}
    goal = result.get("goal") or plan.get("goal")
    goal = goal if isinstance(goal, dict) else {}
    acts = goal.get("action_goals")
    named = acts.items() if isinstance(acts, dict) else ()
    done = [{"name": act, "outcome": "success" if value else "failure"} for act, value in named]
    goal = {**goal, "action_goals": done}
    failed = result.get("task_failed", plan.get("task_failed"))
    about = {
        "benchmark": "asgardbench",
        "file": str(file),
        "result": {name: value for name, value in result.items() if name not in _LARGE},
        "errors": _rows(result.get("step_errors")),
        "results": len(rows),
        "plan": {"failed": plan.get("task_failed"), "folder": file.parent.name} if plan else {},
        "goal": {name: _rows(rows) for name, rows in goal.items() if _rows(rows)},
        **more,
    }
    record = {
        "task": name,
        "steps": [_step(each) for each in _rows(plan.get("steps"))],
        "success": None if failed is None else not failed,
        "end": str(result.get("fail_reason") or ""),
        "model": model,
        "recorder": "AsgardBench",
        "metadata": about,
    }
    return str(file), {"id": name, "output": json.dumps(record), "model": model}


def _step(row: Mapping[str, Any]) -> dict[str, Any]:
    """A step; an answer without an action has none, whatever the evaluator calls it."""
    words = f"{row.get('action') or ''} {row.get('object') or ''}".strip()
    name, _, rest = words.partition(" ")
    unread = name.lower().startswith(("invalid", "empty")) or not _WORDS.fullmatch(words)
    said = _SAID.findall(str(row.get("log") or ""))
    return {
        "action": "" if unread else f"{name.upper()} {rest}",
        "success": bool(row.get("action_success")),
        "feedback": said[-1] if said else "",
        "text": str(row.get("model_response") or ""),
    }
