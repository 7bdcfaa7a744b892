"""Runs of the published evaluator of AsgardBench: read, scored, audited, explained."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from command_line import call

import eai
from eai.predictions import load_all
from eai.suites.asgardbench.instances import instance
from eai.suites.asgardbench.suite import AsgardBench

SUITE = AsgardBench()
TV = "turn_on_tv__FloorPlan202_V1"
EGG = "cook__Egg_FloorPlan13_V1"
FINDS = ("FIND RemoteControl", "PICKUP RemoteControl", "FIND Television", "TOGGLE_ON Television")


def step(words: str, *, said: str = "", text: str | None = None) -> dict[str, Any]:
    name, _, kind = words.partition(" ")
    return {
        "action": name.lower(),
        "object": kind,
        "action_success": not said,
        "model_response": f"<answer>Action: {words}</answer>" if text is None else text,
        "log": f"-  Action content\n[STEP ERROR] {said}\n" if said else "",
    }


def error(words: str, said: str, kind: str = "Undoable") -> dict[str, Any]:
    name, _, about = words.partition(" ")
    named = {"action_name": name.lower(), "object_name": about, "error_msg": said}
    return {**named, "error_type": kind}


def goals(task: str, *, met: bool = True) -> dict[str, Any]:
    outcome = "success" if met else "failure"
    states = [
        {"object_type": kind, "state": flag, "value": value, "outcome": outcome}
        for kind, flag, value in instance(task).goals.state
    ]
    return {"state_goals": states, "location_goals": [], "action_goals": {}}


def write(
    folder: Path,
    task: str,
    steps: Sequence[Mapping[str, Any]],
    *,
    failed: bool = False,
    errors: Iterable[Mapping[str, Any]] = (),
    plan: Mapping[str, Any] | None = None,
    **result: Any,
) -> None:
    """Add an episode to a run."""
    inside = folder / "Plans" / f"{'_' if failed else ''}{task}"
    inside.mkdir(parents=True)
    goal = result.pop("goal", goals(task, met=not failed))
    kept = {"name": task, "task_failed": failed, "steps": steps, "goal": goal, **(plan or {})}
    (inside / "plan.json").write_text(json.dumps(kept))
    listed = folder / "test_results.json"
    rows = json.loads(listed.read_text())["test_results"] if listed.exists() else []
    row = {
        "task_name": task,
        "task_failed": failed,
        "fail_reason": "Max_Steps" if failed else None,
        "orig_step_count": instance(task).reference_steps,
        "test_step_count": len(steps),
        "goal": goal,
        "step_errors": list(errors) or None,
        **result,
    }
    listed.write_text(json.dumps({"model_name": "m", "test_results": [*rows, row]}))


def findings(folder: Path) -> list[tuple[str, str]]:
    (loaded,) = load_all(folder)
    found = SUITE.audit(loaded.items)
    return [(each.kind, each.message) for each in found if each.kind != "missing"]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / "gpt-x--T0_Fs--rep1"
    folder.mkdir()
    return folder


def test_official_says_what_the_log_says(run: Path) -> None:
    unseen = "Cannot pick up Egg as it is not visible."
    steps = [step(words) for words in FINDS]
    write(run, TV, steps)
    write(
        run,
        EGG,
        [
            step("FIND Egg"),
            step("PICKUP Egg", said=unseen),
            step("invalid_response None", said="Response", text="no idea"),
        ],
        failed=True,
        errors=[
            error("PICKUP Egg_1", unseen),
            error("PICKUP Egg_2", unseen),
            error("invalid_response None", "Response", "Unparsable"),
        ],
    )
    report = eai.evaluate(SUITE, run, ability="recorded", tasks="answered")
    solved, failed = sorted(
        (each.result for each in report.records), key=lambda each: -each.success
    )
    assert report.records[0].model == "gpt-x--T0_Fs--rep1"
    assert (solved.success, solved.outcome, failed.outcome) == (True, "success", "max_steps")
    shares = {each.kind: (each.amount, each.base) for each in failed.measures}
    assert shares["undoable"] == (2, 3), "an error for every object that was tried"
    assert shares["undoable_not_visible"] == (2, 3)
    assert shares["unparsable"] == (1, 3)
    assert shares["goals_reached"][0] == 0
    ratio = next(each for each in solved.measures if each.kind == "step_ratio")
    assert (ratio.amount, ratio.base) == (4, instance(TV).reference_steps)


def test_strict_takes_the_actions_again(run: Path) -> None:
    write(run, TV, [step("FIND Television"), step("TOGGLE_ON Television")])
    task = SUITE.task(TV)
    (loaded,) = load_all(run)
    text = loaded.items[TV]
    believed = SUITE.evaluate("recorded", task, text, SUITE.semantics("official"))
    done = SUITE.evaluate("recorded", task, text, SUITE.semantics("strict"))
    assert believed.success
    assert not done.success
    assert "with another outcome here than in the record: 2" in done.notes[0]
    assert "the record says that the task was solved" in done.notes[0]


def test_an_api_failure_is_nobodys(run: Path) -> None:
    write(run, TV, [step(FINDS[0])], failed=True, fail_reason="API_Failure")
    (loaded,) = load_all(run)
    for semantics in ("official", "strict"):
        chosen = SUITE.semantics(semantics)
        result = SUITE.evaluate("recorded", SUITE.task(TV), loaded.items[TV], chosen)
        assert result.status == "excluded"
    assert [kind for kind, _ in findings(run)] == ["interrupted"]


def test_results_without_plans_are_scored_too(run: Path) -> None:
    write(run, TV, [step(words) for words in FINDS])
    (run / "Plans" / TV / "plan.json").unlink()
    (loaded,) = load_all(run / "test_results.json")
    result = SUITE.evaluate(
        "recorded", SUITE.task(TV), loaded.items[TV], SUITE.semantics("official")
    )
    assert result.success
    assert "no plan.json" in result.notes[0]


def test_a_run_in_order_has_no_findings(run: Path) -> None:
    write(run, TV, [step(words) for words in FINDS])
    assert findings(run) == []
    out = call("audit", run, "--json").output
    assert json.loads(out)["rates"][f"{run.name} asgardbench"]["tasks"] == pytest.approx(100 / 108)


@pytest.mark.parametrize(
    ("change", "kind", "text"),
    [
        ({"task_failed": True}, "mis-scored", "the plan says False"),
        ({"goal": goals(TV, met=False)}, "mis-scored", "counts as solved, but goals are unmet"),
        ({"test_step_count": 3}, "steps", "3 steps, the plan has 4"),
        ({"orig_step_count": 9}, "reference", "9, not 4"),
    ],
)
def test_what_contradicts_itself_is_found(
    run: Path, change: dict[str, Any], kind: str, text: str
) -> None:
    write(run, TV, [step(words) for words in FINDS], **change)
    assert (kind, True) in [(found, text in said) for found, said in findings(run)]


def test_limits_ends_and_answers_are_compared(run: Path) -> None:
    steps = [step("FIND Egg", text="Action: FIND Pan")] + [step("FIND Egg")] * 11
    write(run, EGG, steps, failed=True, fail_reason="Max_Failures")
    found = dict(findings(run))
    assert found["step_limit"] == "by max_repeats the episode should end after 8 of 12 steps"
    assert found["answer"] == "step 1 is 'FIND Egg'; the answer says 'FIND Pan'"
    write(run, TV, [step("FIND Television")] * 8, failed=True, fail_reason="Max_Failures")
    assert ("end", "the results say Max_Failures, the steps say max_repeats") in findings(run)


def test_duplicates_strangers_and_damage_are_named(run: Path) -> None:
    write(run, TV, [step(words) for words in FINDS])
    listed = run / "test_results.json"
    rows = json.loads(listed.read_text())["test_results"]
    listed.write_text(json.dumps({"test_results": [*rows, *rows, {"task_name": "other"}]}))
    (run / "Plans" / EGG).mkdir()
    (run / "Plans" / EGG / "plan.json").write_text("{")
    (loaded,) = load_all(run)
    assert "not a plan with steps" in loaded.problems[0].message
    assert [kind for kind, _ in findings(run)] == ["duplicate", "foreign"]
    listed.write_text("[]")
    (loaded,) = load_all(run)
    assert "not a list of results" in loaded.problems[0].message
    assert "interrupted" in dict(findings(run))


def test_a_recorded_step_is_explained(run: Path, tmp_path: Path) -> None:
    closed = "Cannot PUT in Fridge as it is closed. Open it first."
    steps = [step("FIND Egg"), step("PICKUP Egg"), step("PUT Fridge", said=closed)]
    write(run, EGG, steps, failed=True)
    made = tmp_path / "made"
    call("evaluate", "asgardbench", run, "--ability", "recorded", "--tasks", "answered",
         "-o", made, "--quiet")  # fmt: skip
    told = call("explain", made, EGG).output
    assert closed in told
    assert "3 PUT Fridge  [failed]" in told


def test_one_plan_is_an_episode(run: Path) -> None:
    write(run, TV, [step(words) for words in FINDS])
    write(run, EGG, [step("FIND Egg")], failed=True)
    (loaded,) = load_all(run / "Plans" / TV / "plan.json")
    assert [*loaded.items] == [TV]
