"""Commands load only what they run."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from fixtures_pddl import FOLDER

RUN = """
import json, sys
from eai.cli import main
sys.argv[0] = "eai"
try:
    main()
except SystemExit:
    pass
json.dump(sorted(sys.modules), sys.stderr)
"""
HEAVY = {"jinja2", "lark", "networkx", "numpy", "pandas", "pydantic", "rich", "scipy"}


def loaded_by(*words: str) -> set[str]:
    """Return the names of the modules that a command loads."""
    command = [sys.executable, "-c", RUN, *words]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(json.loads(ended.stderr))


@pytest.mark.parametrize("step", ["(move rooma roomb)", "(move roomb rooma)"])
def test_validation_loads_nothing_that_runs_reports_and_prose_need(
    tmp_path: Path, step: str
) -> None:
    plan = tmp_path / "plan"
    plan.write_text(step)
    domain, problem = FOLDER / "gripper.pddl", FOLDER / "gripper-problem.pddl"
    loaded = loaded_by("validate", str(domain), str(problem), str(plan))
    assert "eai.suites.pddl.validation" in loaded
    assert not loaded & HEAVY
    assert not loaded & {"eai.evaluation", "eai.report", "eai.runs", "eai.predictions"}
    assert not loaded & {"eai.answers.reading", "eai.answers.choice", "eai.suites.pddl.suite"}
    assert not loaded & {"eai.answers.common", "eai.logic.parser", "eai.logic.dialects", "_hashlib"}


@pytest.mark.parametrize("command", ["compare-domains", "compare-problems"])
def test_a_comparison_alone_loads_what_reads_answers(command: str) -> None:
    domain, problem = str(FOLDER / "gripper.pddl"), str(FOLDER / "gripper-problem.pddl")
    words = [domain, domain] if command == "compare-domains" else [domain, problem, problem]
    assert "eai.answers.definitions" in loaded_by(command, *words)


def test_a_run_of_one_model_loads_no_numbers_and_no_frames(tmp_path: Path) -> None:
    answers = tmp_path / "m.json"
    answers.write_text(json.dumps([{"id": "studio-01", "output": "{}"}]))
    for ability in ("goal_interpretation", "action_sequencing"):
        words = ["household", str(answers), "--ability", ability, "-o", str(tmp_path / ability)]
        loaded = loaded_by("evaluate", *words, "--tasks", "answered", "--quiet")
        assert (tmp_path / ability / "report.html").is_file()
        assert not loaded & {"jinja2", "numpy", "pandas", "scipy", "networkx"}


def test_version_loads_no_room() -> None:
    loaded = loaded_by("--version")
    assert not loaded & HEAVY
    assert not loaded & {"eai.contract", "eai.logic", "eai.pddl", "eai.world"}
