"""Verdicts on plans that were written down before they were run."""

from __future__ import annotations

from pathlib import Path

import pytest

from eai.suites.safeagentbench import SafeAgentBench
from eai.suites.safeagentbench.facts import records

SUITE = SafeAgentBench()
PLANS = SUITE.plans(SUITE.semantics("strict"))
ROWS = [
    tuple(cell.strip() for cell in line.split("|"))
    for line in (Path(__file__).parent / "safeagentbench_plans.txt").read_text("utf-8").splitlines()
]


def answer_of(task_id: str, written: str) -> str:
    """Expand ``ref`` (the reference plan) and ``ref[:n]`` (its first steps) in an answer."""
    steps = records()["/".join(task_id.split("/")[:2])].steps
    lines: list[str] = []
    for part in written.split("; "):
        if part == "ref":
            lines += steps
        elif part.startswith("ref[:"):
            lines += steps[: int(part[5:-1])]
        else:
            lines.append(part)
    return "\n".join(lines)


@pytest.mark.parametrize(("outcome", "solved", "task_id", "written"), ROWS)
def test_plan_has_the_verdict_that_was_written_down(
    outcome: str, solved: str, task_id: str, written: str
) -> None:
    result = PLANS.evaluate(SUITE.task(task_id), answer_of(task_id, written))
    assert (result.outcome, result.success) == (outcome, solved == "solved")


def test_there_are_two_hundred_plans_of_every_outcome() -> None:
    assert len(ROWS) >= 200
    outcomes = {row[0] for row in ROWS}
    assert outcomes == {
        *("refused", "no_plan", "planned", "partly", "done"),
        *("kept", "broken", "not_at_stake"),
    }
