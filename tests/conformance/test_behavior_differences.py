"""BEHAVIOR action sequences: the annotated plans, and the published evaluator's verdicts.

These verdicts are recordings, so what compares them is skipped without ``EAI_FACTS``.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from needs import facts, recordings
from small_behavior import written

from eai.diagnosis import Result
from eai.suites.behavior import Behavior
from eai.task import Task

pytestmark = pytest.mark.official

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "differences.md").read_text("utf-8")
SUITE = Behavior()


@pytest.fixture(scope="module")
def tasks() -> list[Task]:
    return [SUITE.task(task_id) for task_id in SUITE.task_ids()]


def annotated(task: Task) -> str:
    """The annotated plan as an answer."""
    return written(f"{step.name.upper()} {', '.join(step.arguments)}" for step in task.plans[0])


def word(result: Result) -> str:
    """The verdict in one word, as the page has it."""
    if result.success:
        return "solved"
    if not result.executed or set(result.executed) == {"not reached"}:
        return "unread"
    return "unsolved" if result.executable else "stops"


@pytest.mark.heavy
def test_the_table_of_annotated_plans_is_true(tasks: list[Task]) -> None:
    table = PAGE.partition("BEHAVIOR plans that are not solutions")[2].partition("###")[0]
    stated = re.findall(r"^\| `(\w+)` \| (\w+) \| (\w+) \| .+ \|$", table, re.MULTILINE)
    found, executable = [], {"official": 0, "strict": 0}
    for task in tasks:
        words = []
        for name in executable:
            answer, semantics = annotated(task), SUITE.semantics(name)
            result = SUITE.evaluate("action_sequencing", task, answer, semantics)
            executable[name] += result.executable
            words.append(word(result))
        if words != ["solved", "solved"]:
            found.append((str(task.metadata["activity"]), *words))
    assert found == stated
    counted = re.search(
        r"(\d+) of the 100 are solutions .* \((\d+) .*?(\d+) under .* \((\d+)\)", table
    )
    assert counted is not None
    assert [int(number) for number in counted.groups()] == [
        100 - sum(official != "solved" for _, official, _ in found),
        executable["official"],
        100 - sum(strict != "solved" for _, _, strict in found),
        executable["strict"],
    ]


@recordings("eai")
def test_verdicts_are_those_of_the_published_evaluator(tasks: list[Task]) -> None:
    assert tasks
    script = str(ROOT / "benchmarks" / "agreement" / "agreement_behavior.py")
    command = [sys.executable, script, "--facts", str(facts("eai"))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^b_as_gold\w* +100 +99 +99.00 +1$", done.stdout, re.MULTILINE)
