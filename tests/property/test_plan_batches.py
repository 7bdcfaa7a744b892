"""Plans of one problem that are run together get the verdicts that each gets alone."""

from __future__ import annotations

from unittest import mock

import pytest
from fixtures_pddl import DOMAINS, PROBLEMS
from hypothesis import given, strategies as st

from eai.planning import plan, runs, validate, validate_all
from eai.suites.pddl import Validator
from eai.world import Action

SMALL = ("blocks-and-boxes", "briefcase", "gripper")
REFERENCES = {name: tuple(plan(DOMAINS[name], PROBLEMS[name]).plan or ()) for name in SMALL}


@st.composite
def batches(draw: st.DrawFn, name: str) -> list[list[Action]]:
    """Beginnings of a plan that works, with other steps behind them, and repeated plans."""
    domain, problem = DOMAINS[name], PROBLEMS[name]
    objects = sorted({**domain.constants, **problem.objects})
    others = []
    for _ in range(draw(st.integers(0, 3))):
        operator = draw(st.sampled_from([*domain.operators.values()]))
        arguments = [draw(st.sampled_from(objects)) for _ in operator.parameters]
        others.append(Action(operator.name, tuple(arguments)))
    others.append(Action("no-such-action"))
    reference = REFERENCES[name]
    plans = []
    for _ in range(draw(st.integers(1, 6))):
        begin = draw(st.integers(0, len(reference)))
        inserted = draw(st.lists(st.sampled_from(others), max_size=2))
        rest = draw(st.sampled_from([reference[begin:], ()]))
        plans.append([*reference[:begin], *inserted, *rest])
    return plans


@pytest.mark.parametrize("name", SMALL)
@given(data=st.data())
def test_batch_is_validated_as_each_plan_alone(name: str, data: st.DataObject) -> None:
    domain, problem = DOMAINS[name], PROBLEMS[name]
    plans = data.draw(batches(name))
    assert validate_all(domain, problem, plans) == [validate(domain, problem, p) for p in plans]


@pytest.mark.parametrize("name", SMALL)
@given(data=st.data())
def test_plan_that_is_known_to_work_has_the_diagnosis_of_an_evaluation(
    name: str, data: st.DataObject
) -> None:
    validator = Validator(DOMAINS[name], PROBLEMS[name])
    for steps in data.draw(batches(name)):
        quick = validator.diagnose(steps)
        with mock.patch.object(Validator, "_works", return_value=False):
            whole = validator.diagnose(steps)
        assert quick == whole


@pytest.mark.parametrize("name", SMALL)
def test_reference_plan_works_and_beginnings_do_not(name: str) -> None:
    reference = REFERENCES[name]
    validations = validate_all(DOMAINS[name], PROBLEMS[name], [reference, reference[:-1]])
    assert [each.valid for each in validations] == [True, False]


def test_verdicts_stay_when_the_tree_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    reference = REFERENCES["gripper"]
    plans = [reference[:count] for count in range(len(reference) + 1)] * 2
    kept = validate_all(DOMAINS["gripper"], PROBLEMS["gripper"], plans)
    monkeypatch.setattr(runs, "MAX_NODES", 1)
    assert validate_all(DOMAINS["gripper"], PROBLEMS["gripper"], plans) == kept


def test_common_beginning_is_run_once() -> None:
    domain, problem, reference = DOMAINS["gripper"], PROBLEMS["gripper"], REFERENCES["gripper"]
    world = "eai.world.transition.World.apply"
    with mock.patch(world, autospec=True) as apply:
        validate_all(domain, problem, [reference[:1]] * 5)
    assert apply.call_count == 1
