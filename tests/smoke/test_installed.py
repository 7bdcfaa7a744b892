"""The package as it is installed: every module, its data, and the first things one does.

`.ci/wheel` runs this file by itself, without the source tree, with the wheel and nothing but its
own requirements, on every Python that is found.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import subprocess
import sys
from pathlib import Path

import eai
from eai.errors import MissingExtraError

PLAN = '[{"WALK": ["light.34"]}, {"SWITCHON": ["light.34"]}]'

OPTIONAL = {
    "gymnasium",
    "httpx",  # comes with verifiers
    "inspect_ai",
    "matplotlib",
    "openai",
    "pandas",
    "pyarrow",
    "pytest",
    "unified_planning",
    # Trainers: each is installed by who trains with it.
    "nemo_gym",
    "openenv",
    "ray",
    "reasoning_gym",
    "skyrl_gym",
    "torch",
    "verifiers",
}
"""Packages that some modules are about; most are extras."""


def test_every_module_can_be_imported() -> None:
    found = [module.name for module in pkgutil.walk_packages(eai.__path__, "eai.")]
    assert [name for name in found if not name.endswith("__main__") and _lacks(name)] == []


def _lacks(module: str) -> str:
    """The package that a module needs and that no extra brings; empty if there is none."""
    try:
        importlib.import_module(module)
    except MissingExtraError:
        return ""
    except ModuleNotFoundError as error:
        name = str(error.name).partition(".")[0]
        return "" if name in OPTIONAL else name
    return ""


def test_shipped_tasks_answers_and_grammars_are_read() -> None:
    report = eai.evaluate("household", {"model": {"studio-01": PLAN, "flat-01": "no plan"}})
    solved = {record.task for record in report.records if record.result.success}
    assert solved == {"studio-01"}
    assert len(eai.suite("asgardbench").task_ids()) == 108
    assert str(eai.parse_formula("F (on(light.34) and G clean(cup.1))"))


def test_a_plan_is_found_and_repaired() -> None:
    domain = """(define (domain d) (:predicates (p) (q))
        (:action a :parameters () :precondition (p) :effect (q)))"""
    found = eai.plan(domain, "(define (problem x) (:domain d) (:init (p)) (:goal (q)))")
    assert [str(step) for step in found.plan or ()] == ["a()"]
    assert eai.repair(eai.suite("household").task("studio-01"), PLAN).distance == 0


def test_the_command_evaluates_and_writes_a_page(tmp_path: Path) -> None:
    answers = tmp_path / "model.jsonl"
    answers.write_text(json.dumps({"id": "studio-01", "output": PLAN}) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "eai", "evaluate", "household", str(answers)]
    done = subprocess.run(
        [*command, "--output", str(tmp_path / "run")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "run" / "report.html").stat().st_size > 10_000
