"""Analyses of operators that a model wrote, in an environment of three operators."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from command_line import call

from eai.abilities import OperatorText
from eai.analyses import mixed_action_spaces
from eai.analyses.operators import read_answers
from eai.budget import Budget
from eai.contract import Ability, Suite
from eai.errors import UnknownNameError
from eai.planning import Outcome, PlanningResult
from eai.semantics import Semantics
from eai.suites.household import Household
from eai.suites.shared.store import StoredTask
from eai.suites.transition.data import ActionModel, Demand, OperatorStore
from eai.suites.transition.environment import OperatorEnvironment
from eai.suites.transition.operators import Annotated
from eai.suites.transition.quirks import TRANSITION_QUIRKS
from eai.table import Table

# The lamp of the paper's Figures 33 to 35: it has a switch and no plug, and is plugged out.
HEAD = """(define (domain lamps) (:requirements :typing) (:types thing)
(:predicates (near ?o - thing) (has_plug ?o - thing) (has_switch ?o - thing)
             (plugged_in ?o - thing) (on ?o - thing))"""
PARAMETERS = "(?o - thing)"
WALK = OperatorText("walk", PARAMETERS, "()", "(near ?o)")
PLUG = OperatorText(
    "plug", PARAMETERS, "(and (near ?o) (or (has_plug ?o) (has_switch ?o)))", "(plugged_in ?o)"
)
SWITCH = OperatorText(
    "switch", PARAMETERS, "(and (near ?o) (has_switch ?o) (plugged_in ?o))", "(on ?o)"
)
CATEGORIES = {
    "near": "spatial_relations",
    "has_plug": "object_affordance",
    "has_switch": "object_affordance",
    "plugged_in": "object_states",
    "on": "object_states",
}
NARROW_PLUG = PLUG._replace(precondition="(and (near ?o) (has_plug ?o))")
EASY_SWITCH = SWITCH._replace(precondition="(and (near ?o) (has_switch ?o))")


def problem(goal: str) -> str:
    return f"""(define (problem p) (:domain lamps) (:objects lamp - thing)
(:init (has_switch lamp)) (:goal {goal}))"""


class SmallStore:
    environment = "lamps"
    model = ActionModel(
        HEAD,
        {operator.name: operator for operator in (WALK, PLUG, SWITCH)},
        CATEGORIES,
        {
            "light": Demand(("walk", "plug", "switch"), ("object_states", "object_affordance")),
            "go": Demand(("walk",), ("spatial_relations",)),
        },
    )
    problems: Mapping[str, str] = {"light": problem("(on lamp)"), "go": problem("(near lamp)")}

    def task(self, task: str) -> StoredTask:
        return StoredTask(task, "", plans=[[]], metadata={"problem": self.problems[task]})


def _semantics(choice: str | Semantics, **_: Any) -> Semantics:
    return Semantics.of(choice, TRANSITION_QUIRKS)


SUITE = cast(
    "Suite",
    SimpleNamespace(
        name="lamps",
        abilities={
            "transition_modeling": Ability(
                operators=lambda: Annotated(
                    OperatorEnvironment(cast("OperatorStore", SmallStore()))
                )
            )
        },
        default_semantics="official",
        semantics=_semantics,
        canonical_id=lambda name: name.removeprefix("scene_1_"),
    ),
)


def text(*operators: OperatorText) -> str:
    return "\n".join(map(str, operators))


LIGHT = {"light": text(WALK, NARROW_PLUG, EASY_SWITCH)}


def rows(table: Table, key: str) -> dict[object, dict[str, object]]:
    return {row[key]: dict(row) for row in table.rows}


def outcomes(answer: str, predicted: Iterable[str], semantics: str) -> Outcome:
    [read] = read_answers(SUITE, {"light": answer}, semantics=semantics)
    return read.outcome(predicted)


# ---- action spaces


def test_a_mixture_can_fail_where_both_pure_spaces_have_a_plan() -> None:
    answer = LIGHT["light"]
    for semantics in ("official", "strict"):
        assert outcomes(answer, (), semantics) is Outcome.SOLVED
        assert outcomes(answer, ("walk", "plug", "switch"), semantics) is Outcome.SOLVED
        assert outcomes(answer, ("plug",), semantics) is Outcome.UNSOLVABLE


def test_an_operator_that_is_not_there_leaves_a_gap_only_without_gold_ones() -> None:
    answer = text(WALK, PLUG)
    [official] = read_answers(SUITE, {"light": answer})
    assert official.compared == ("walk", "plug")
    [strict] = read_answers(SUITE, {"light": answer}, semantics="strict")
    assert strict.compared == ("walk", "plug", "switch")
    assert strict.outcome(("switch",)) is Outcome.UNSOLVABLE


def test_an_operator_with_mistakes_is_no_operator() -> None:
    broken = text(WALK, PLUG, SWITCH._replace(effect="(glowing ?o)"))
    assert outcomes(broken, ("walk", "plug"), "official") is Outcome.SOLVED
    assert outcomes(broken, ("switch",), "official") is Outcome.REJECTED
    assert outcomes(broken, ("switch",), "strict") is Outcome.UNSOLVABLE


def test_identifiers_of_the_official_files_are_known_and_the_first_answer_counts() -> None:
    [answer] = read_answers(SUITE, {"scene_1_light": text(WALK), "light": text(PLUG)})
    assert answer.task == "light"
    assert list(answer.written) == ["walk"]


def test_a_suite_without_operators_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="transition_modeling"):
        mixed_action_spaces(Household(), LIGHT)


# ---- mixtures


def test_mixtures_are_counted_by_the_number_of_predicted_operators() -> None:
    table = mixed_action_spaces(SUITE, {**LIGHT, "go": text(WALK)})
    found = rows(table, "operators")
    assert {name: row["spaces"] for name, row in found.items()} == {
        "annotated": 1,
        "predicted": 1,
        "mixed": 6,
        "mixed, 1 predicted": 3,
        "mixed, 2 predicted": 3,
    }
    # Only a narrow plug with the annotated switch has no plan, with either way to walk.
    assert found["mixed"]["with a plan"] == 4
    assert found["mixed"]["success %"] == pytest.approx(200 / 3)
    assert "1 tasks have a plan" in table.notes[0]
    assert "in 1 of them" in table.notes[0]


def test_after_a_few_undecided_mixtures_of_an_answer_others_get_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[int] = []

    def undecided(_: object, __: str, ___: object, *, budget: Budget) -> PlanningResult:
        given.append(budget.states or 0)
        return PlanningResult(Outcome.BEYOND_BUDGET)

    monkeypatch.setattr(OperatorEnvironment, "plan", undecided)
    twice = {"light": text(*(o._replace(effect=f"(and {o.effect})") for o in (WALK, PLUG, SWITCH)))}
    table = mixed_action_spaces(SUITE, {"one": twice, "two": LIGHT})
    first = given.index(min(given))
    assert given[:first] == [Budget().states] * 2
    assert max(given[first:8]) < given[0] / 5
    assert {row["undecided"] for row in table.rows if row["operators"] == "mixed"} == {6}


# ---- commands


def test_the_command_prints_its_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("eai.cli.reading.find_suite", lambda _name: SUITE)
    file = tmp_path / "model.json"
    file.write_text(json.dumps({"id": "light", "output": text(WALK, NARROW_PLUG)}))
    result = call("analyze", "mixed", "lamps", str(file), "--csv", str(tmp_path / "mixed.csv"))
    assert result.exit_code == 0, result.output
    assert "lamps" in result.output
    assert (tmp_path / "mixed.csv").read_text().startswith("operators,tasks,spaces")
