"""Logs of EmbodiedBench in its official layouts, written for tests; their contents are made up."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

DONE = "Last action executed successfully."


def planner(*steps: tuple[int, str], reasoning: str = "") -> str:
    """A planner's text."""
    plan = [{"action_id": number, "action_name": words} for number, words in steps]
    return json.dumps({"reasoning_and_reflection": reasoning, "executable_plan": plan})


def row(
    step: float, number: int, words: str, *, success: float = 1.0, **more: Any
) -> dict[str, Any]:
    """A row of EB-ALFRED, EB-Habitat or EB-Navigation."""
    return {
        "instruction": "carry it",
        "env_step": step,
        "env_feedback": DONE,
        "last_action_success": success,
        "action_id": number,
        "action_description": words,
        "task_success": 0.0,
        "task_progress": 0.0,
        "reasoning": planner((number, words)),
        **more,
    }


EMPTY = {"last_action_success": 0.0, "action_id": -2, "action_description": "empty plan"}
UNREAD = {"last_action_success": 0.0, "action_id": -1, "action_description": "invalid"}


def write_skills(
    folder: Path,
    subset: str,
    number: int,
    rows: Sequence[Mapping[str, Any]],
    final: Mapping[str, Any] | None = None,
) -> Path:
    """Write an episode of EB-ALFRED or EB-Habitat; return the log."""
    log = folder / subset / f"episode_{number}_step_{len(rows)}.json"
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text("".join(json.dumps(each) + "\n" for each in rows))
    if final is not None:
        results = folder / subset / "results"
        results.mkdir(exist_ok=True)
        (results / f"episode_{number}_final_res.json").write_text(json.dumps(final))
    return log


def write_moves(folder: Path, subset: str, number: int, *runs: Sequence[Mapping[str, Any]]) -> Path:
    """Append runs to a file of EB-Navigation; a blank line stands before each answer."""
    log = folder / subset / f"episode_{number}.json"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a") as file:
        for rows in runs:
            for each in rows:
                file.write("\n" + json.dumps(each) + "\n")
    return log


def write_poses(folder: Path, number: int, final: Mapping[str, Any], text: str) -> None:
    """Write the results of an episode of EB-Manipulation."""
    results = folder / "base" / "results"
    results.mkdir(parents=True, exist_ok=True)
    (results / f"episode_{number}_res.json").write_text(json.dumps(final))
    (results / f"planner_output_episode_{number}.txt").write_text(text)


def summary(finals: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The mean of every number in files of results, as ``summary.json`` has them."""
    found = {}
    for key in dict.fromkeys(key for final in finals for key in final):
        values = [final[key] for final in finals if key in final]
        flat = [v[0] if isinstance(v, list) and len(v) == 1 else v for v in values]
        numbers = [float(v) for v in flat if isinstance(v, (bool, int, float))]
        if numbers:
            found[key] = sum(numbers) / len(numbers)
    return found
