"""``eai plan``, as a user meets it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from planning_examples import DOMAIN, PROBLEM
from typer.main import get_group

from eai.cli import main
from eai.cli.planning import app
from eai.planning import Outcome, PlanningResult
from eai.planning.own import OWN
from eai.plugins import shipped

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    def call(goal: str, *options: str) -> tuple[int, str, str]:
        domain, problem = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
        domain.write_text(DOMAIN, encoding="utf-8")
        problem.write_text(PROBLEM.format(goal=goal), encoding="utf-8")
        monkeypatch.setattr(sys, "argv", ["eai", "plan", str(domain), str(problem), *options])
        code: object = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code or 0
        assert isinstance(code, int)
        return code, *capsys.readouterr()

    return call


def test_a_plan_is_printed_as_planners_do(run: Run) -> None:
    code, out, _ = run("(and (lit floor) (not (lit desk)))", "--engine", "eai-optimal")
    assert code == 0
    assert out.startswith("(go hall attic)\n(press floor)\n; solved (eai-optimal): ")
    assert "; cost 2, optimal\n" in out


def test_no_plan_is_another_exit_code(run: Run) -> None:
    code, out, _ = run("(lit wall)")
    assert code == 1
    assert out.startswith("; unsolvable (eai): ")


def test_a_mistake_in_a_file_is_an_error_with_its_place(run: Run) -> None:
    code, out, err = run("(lit wall")
    assert (code, out) == (3, "")
    assert "problem.pddl:" in err


def test_planning_has_a_limit_unless_another_is_asked_for(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[object] = []

    def planned(*_texts: str, **options: object) -> PlanningResult:
        limits.append(options["time_limit"])
        return PlanningResult(Outcome.TIME_LIMIT)

    monkeypatch.setattr("eai.plan", planned)
    for options in ((), ("--time-limit", "2")):
        code, out, _ = run("(lit floor)", *options)
        assert code == 1
        assert out.startswith("; time limit")
    assert limits == [300, 2]


def test_a_wrong_name_of_an_engine_is_corrected(run: Run) -> None:
    code, _, err = run("(lit wall)", "--engine", "eai-optimla")
    assert code == 3
    assert "did you mean 'eai-optimal'" in err


def test_the_help_and_the_page_name_every_engine_that_ships() -> None:
    ships = [*OWN, *shipped("eai.planners")]
    options = {option.name: vars(option) for option in get_group(app).commands["plan"].params}
    assert options["engine"]["help"].startswith(f"{', '.join(ships)}, unified:NAME")
    page = (Path(__file__).parents[3] / "docs" / "planners.md").read_text("utf-8")
    rows = page.partition("## Engines")[2].partition("\n\nPlans")[0].splitlines()[4:]
    assert [row.split("`")[1] for row in rows] == [*ships, "unified:NAME"]
