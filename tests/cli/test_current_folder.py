"""Modules of the current folder are never executed, by no process that a command starts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from needs import INSTALLED, extra
from planning_examples import DOMAIN, PROBLEM

from eai.suites.household import samples

COMMAND = Path(sys.executable).with_name("eai")

pytestmark = pytest.mark.skipif(not COMMAND.is_file(), reason=INSTALLED)

OTHERS = ("pip", "numpy", "pandas", "rich", "pydantic", "lark", "unified_planning", "ai2thor")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a module for every name that Python knows, each leaving a mark."""
    here = tmp_path / "here"
    here.mkdir()
    mark = tmp_path / "executed"
    for name in (*sys.stdlib_module_names, *OTHERS):
        if name not in sys.builtin_module_names:
            (here / f"{name}.py").write_text(
                f"with open({str(mark)!r}, 'a') as mark:\n    mark.write({name!r} + ' ')\n"
            )
    (here / "domain.pddl").write_text(DOMAIN)
    (here / "problem.pddl").write_text(PROBLEM)
    return here


def executed(folder: Path, *words: str, **variables: str) -> str:
    """Run a command in the folder; which of its modules were executed."""
    cache = str(folder.parent / "cache")
    done = subprocess.run(
        [str(COMMAND), *words],
        cwd=folder,
        env={**os.environ, "EAI_CACHE": cache, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert "Traceback" not in done.stderr
    mark = folder.parent / "executed"
    return mark.read_text() if mark.exists() else ""


@pytest.mark.heavy
def test_pip_is_not_taken_from_the_current_folder(folder: Path) -> None:
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "0"}
    assert executed(folder, "data", "fetch", "eai", **nowhere) == ""


@pytest.mark.heavy
def test_workers_take_no_modules_from_the_current_folder(folder: Path) -> None:
    file = str(samples()[0])
    assert executed(folder, "evaluate", "household", file, "--workers", "2") == ""


@pytest.mark.heavy
@pytest.mark.parametrize(
    "engine",
    [
        "eai",
        pytest.param("fast-downward", marks=extra("planners", "up_fast_downward")),
        pytest.param("pyperplan", marks=extra("planners", "pyperplan")),
    ],
)
def test_planners_take_no_modules_from_the_current_folder(folder: Path, engine: str) -> None:
    assert executed(folder, "plan", "domain.pddl", "problem.pddl", "--engine", engine) == ""
