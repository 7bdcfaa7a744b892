"""Files of PlanBench in small: blocks, one instance for each query."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pddl_blocks import DOMAIN

START = (
    "the blue block is clear, the yellow block is clear, the hand is empty, the blue block is on "
    "top of the red block, the red block is on the table and the yellow block is on the table"
)
GOAL = "the yellow block is on top of the blue block"
PLAN = "pick up the yellow block\nstack the yellow block on top of the blue block\n[PLAN END]"
EXAMPLE = (
    "[STATEMENT]\nAs initial conditions I have that, the red block is clear.\n"
    "My goal is to have that the red block is on the table.\nMy plan is as follows:\n\n"
    "[PLAN]\npick up the red block\n[PLAN END]\n\n"
)


def query(goal: str = GOAL, *, start: str = START, rest: str = "\n[PLAN]\n") -> str:
    """What a model is asked: an example, then the statement that counts."""
    wanted = f"My goal is to have that {goal}.\n" if goal else ""
    return f"{EXAMPLE}[STATEMENT]\nAs initial conditions I have that, {start}.\n{wanted}{rest}"


def plan_query(steps: str, *, goal: str = GOAL) -> str:
    """A question whether a plan is valid."""
    return query(goal, rest=f"My plan is as follows:\n\n[PLAN]\n{steps}\n[PLAN END]\n")


def state_query(steps: str) -> str:
    """A question what holds after some steps."""
    rest = f"I have executed:\n\n[ACTION SEQUENCE]\n{steps}\n[ACTION SEQUENCE END]\n"
    return query("", rest=f"{rest}[RESULTING STATE]\n")


def event_query(true: str, false: str) -> str:
    """A question for a new plan after one step and an unexpected event."""
    return (
        plan_query("pick up the yellow block\nstack the yellow block on top of the blue block")
        + "\nDuring execution, an unexpected event has occurred.\n"
        + 'After executing the action "pick up the yellow block" at step 1 in the plan, '
        + f"the following facts unexpectedly became true: {true}\n"
        + f"The following facts became unexpectedly false: {false}\n"
        + "After re-planning from the new state, the plan is as follows:\n[PLAN]\n"
    )


def write_domain(folder: Path) -> Path:
    """A folder with nothing but the domain."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "domain.pddl").write_text(DOMAIN)
    return folder


def write_file(path: Path, task: str, *instances: dict[str, Any], engine: str = "gpt") -> Path:
    """A file of results; instances have numbers from 1 unless they say theirs."""
    numbered = [{"instance_id": number, **each} for number, each in enumerate(instances, 1)]
    document = {"task": task, "domain": "blocksworld", "engine": engine, "instances": numbered}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document))
    return path
