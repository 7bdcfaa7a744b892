"""Options that take numbers refuse NaN and infinity, which Python reads as numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command_line import call
from pddl_blocks import DOMAIN, PROBLEM

from eai.errors import InputError
from eai.planning import Limits

ENDPOINT = ("--model", "m", "--base-url", "http://localhost:1/v1", "--limit", "1")


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
@pytest.mark.parametrize("option", ["--time-limit", "--memory-limit"])
def test_limits_of_a_planner(tmp_path: Path, option: str, value: str) -> None:
    domain, problem = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    domain.write_text(DOMAIN, "utf-8")
    problem.write_text(PROBLEM, "utf-8")
    done = call("plan", domain, problem, option, value)
    assert done.exit_code == 2
    assert option in done.told


@pytest.mark.parametrize("value", ["nan", "inf"])
@pytest.mark.parametrize("option", ["--temperature", "--timeout"])
def test_how_a_model_is_asked(tmp_path: Path, option: str, value: str) -> None:
    answers = tmp_path / "answers.jsonl"
    done = call("ask", "household", *ENDPOINT, "--output", answers, option, value)
    assert done.exit_code == 2
    assert option in done.told
    assert not answers.exists()


def test_fields_of_a_request(tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    field = ("--option", "top_p=NaN")
    done = call("ask", "household", *ENDPOINT, "--output", answers, *field)
    assert done.exit_code == 3
    assert "JSON" in done.told
    assert not answers.exists()


@pytest.mark.parametrize("value", ["nan", "inf", "", "x"])
def test_a_gate(value: str) -> None:
    gate = ("--fail-under", f"task_success_rate={value}")
    assert call("evaluate", "household", "--quiet", *gate).exit_code == 2


@pytest.mark.parametrize("limits", [{"time": float("nan")}, {"memory": float("nan")}])
def test_limits_in_python(limits: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Limits(**limits)
