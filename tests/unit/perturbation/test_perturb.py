"""Wrong plans and their labels."""

from __future__ import annotations

import json

import pytest

import eai
from eai.diagnosis import ErrorKind
from eai.errors import InputError, UnknownNameError
from eai.perturbation import KINDS, Perturbation, perturb, perturb_suite
from eai.perturbation.perturb import EDITS, ERRORS
from eai.suites.household import Household
from eai.world import Action

SUITE = Household()
TASK = SUITE.task("studio-02")
PLAN = TASK.plans[0]


def made(kind: str, seed: int = 0) -> Perturbation:
    return perturb(SUITE, TASK, kind=kind, seed=seed)


def evaluated(answer: str) -> list[tuple[ErrorKind, int | None]]:
    result = SUITE.evaluate("action_sequencing", TASK, answer, SUITE.semantics("strict"))
    return [(finding.kind, finding.step) for finding in result.findings]


def test_it_is_offered_at_the_top() -> None:
    assert eai.perturb is perturb


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_made_and_is_what_the_evaluate_finds(kind: str) -> None:
    found = made(kind)
    assert found.verified
    assert list(found.errors) == evaluated(found.answer)
    if kind in ERRORS:
        assert found.errors[0][0] is ERRORS[kind]
    else:
        assert found.fault.edit == kind
        assert EDITS[kind] <= {error for error, _ in found.errors}
    assert found.success is (kind in ("duplicate", "additional_step"))


def test_a_step_is_left_out() -> None:
    found = made("drop")
    step = found.fault.step
    assert step is not None
    assert found.plan == PLAN[: step - 1] + PLAN[step:]
    assert found.fault.change == f"step {step}, {PLAN[step - 1]}, left out"
    assert found.fault.place is None


def test_a_step_is_moved() -> None:
    fault = made("move").fault
    assert fault.step is not None
    assert fault.place is not None
    assert fault.plan[fault.place - 1] == PLAN[fault.step - 1]
    assert sorted(map(str, fault.plan)) == sorted(map(str, PLAN))
    assert fault.plan != PLAN


def test_two_steps_are_exchanged() -> None:
    fault = made("swap").fault
    differing = [
        i for i, pair in enumerate(zip(PLAN, fault.plan, strict=True)) if pair[0] != pair[1]
    ]
    assert len(differing) == 2
    assert fault.step == differing[0] + 1


def test_a_step_is_done_twice() -> None:
    fault = made("duplicate").fault
    assert fault.step is not None
    assert fault.place == fault.step + 1
    assert fault.plan[fault.step - 1] == fault.plan[fault.step] == PLAN[fault.step - 1]
    assert len(fault.plan) == len(PLAN) + 1


def test_a_step_is_put_in() -> None:
    fault = made("insert").fault
    assert fault.step is None
    assert fault.place is not None
    assert fault.plan[: fault.place - 1] + fault.plan[fault.place :] == PLAN


@pytest.mark.parametrize(
    "kind",
    ["replace_object", "replace_action", "hallucinate_object", "hallucinate_action"],
)
def test_one_step_is_replaced(kind: str) -> None:
    fault = made(kind).fault
    assert fault.step is not None
    old, new = PLAN[fault.step - 1], fault.plan[fault.step - 1]
    assert fault.plan == (*PLAN[: fault.step - 1], new, *PLAN[fault.step :])
    assert (old.name != new.name) is kind.endswith("action")
    assert (old.arguments != new.arguments) is kind.endswith("object")
    known = TASK.vocabulary.objects.issuperset(new.arguments)
    assert known is (kind != "hallucinate_object")
    assert (new.name in TASK.vocabulary.actions) is (kind != "hallucinate_action")


def test_a_number_of_arguments_is_wrong() -> None:
    fault = made("argument_number").fault
    assert fault.step is not None
    new = fault.plan[fault.step - 1]
    assert len(new.arguments) != TASK.vocabulary.actions[new.name]


def test_the_text_is_torn() -> None:
    found = made("break_text")
    whole = perturb(SUITE, TASK, PLAN, "duplicate").answer
    assert found.plan == PLAN
    assert not found.answer.endswith("]")
    assert whole.startswith(found.answer[:20])


def test_the_seed_decides() -> None:
    assert made("drop", 1) == made("drop", 1)
    assert len({made("replace_object", seed).answer for seed in range(8)}) > 4


def test_seeds_mean_the_same_everywhere() -> None:
    changes = [made(kind, 5).fault.change for kind in ("drop", "replace_object", "insert")]
    assert changes == [
        "step 6, grab(juice.44), left out",
        "step 1, walk(kitchen_cabinet.55), replaced by walk(kitchen_counter.48)",
        "plugout(coat.31) put in as step 10",
    ]


def test_a_plan_of_ones_own_can_be_made_wrong() -> None:
    plan = (Action("walk", ("light.34",)), Action("switchon", ("light.34",)))
    found = perturb("household", "studio-01", plan, "drop")
    assert len(found.plan) == 1
    assert not found.success


def test_harmless_edits_are_taken_when_harm_is_not_asked_for() -> None:
    plan = (Action("walk", ("light.34",)), *SUITE.task("studio-01").plans[0])
    seeds = range(12)
    found = [perturb(SUITE, "studio-01", plan, "drop", seed=s, harmful=False) for s in seeds]
    assert {each.success for each in found} == {True, False}
    assert [each.verified for each in found] == [not each.success for each in found]
    strict = [perturb(SUITE, "studio-01", plan, "drop", seed=s) for s in seeds]
    assert not any(each.success for each in strict)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="no kind of perturbation named 'dropp'"):
        made("dropp")


def test_a_plan_that_cannot_go_wrong_like_this_is_refused() -> None:
    with pytest.raises(InputError, match="no plan of kind 'drop' was found"):
        perturb(SUITE, TASK, (), "drop")
    with pytest.raises(InputError, match="no plan of kind 'action_goal' was found"):
        perturb(SUITE, "studio-01", kind="action_goal")


def test_labels_are_json() -> None:
    found = made("missing_step")
    label = json.loads(json.dumps(found.label()))
    assert label["errors"][0]["kind"] == "missing_step"
    assert label["plan"] == [str(action) for action in found.plan]
    assert found.prediction() == {"id": "studio-02", "output": found.answer}
    assert str(found).startswith(f"studio-02: {found.fault.change}; not solved: missing_step (step")


def test_a_whole_suite_is_made_wrong() -> None:
    found = list(perturb_suite("household", "hallucinate_action", seed=2))
    assert [each.task for each in found] == list(SUITE.task_ids())
    assert all(each.errors[0][0] is ErrorKind.ACTION_HALLUCINATION for each in found)


def test_any_draws_an_edit_for_every_task() -> None:
    found = list(perturb_suite(SUITE, "any", seed=2))
    assert {each.fault.edit for each in found} == set(EDITS)
    with pytest.raises(UnknownNameError):
        next(perturb_suite(SUITE, "all"))
