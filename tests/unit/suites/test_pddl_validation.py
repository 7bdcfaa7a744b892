"""``eai validate``: whether plan files work, and if not why."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from command_line import call
from hypothesis import given, settings, strategies as st
from pddl_blocks import DOMAIN, PLAN, PROBLEM, WORDS
from strategies_planning import random_task

import eai
from eai.errors import InputError
from eai.planning import validate
from eai.suites.pddl import Validator, diagnose
from eai.world import Action

WRONG = "(unstack b a)\n(pick-up d)\n(stack d b)\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    texts = {
        "d.pddl": DOMAIN,
        "p.pddl": PROBLEM,
        "ok": PLAN,
        "wrong": WRONG,
        "short": "(pick-up d)",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def run(files: Path, *plans: str, more: tuple[object, ...] = ()) -> tuple[int, str]:
    paths = [plan if plan == "-" else files / plan for plan in plans]
    done = call("validate", files / "d.pddl", files / "p.pddl", *paths, *more)
    return done.exit_code, done.stdout.replace(f"{files}/", "")


def test_a_valid_plan_has_its_length_and_cost(files: Path) -> None:
    assert run(files, "ok") == (0, "ok: valid, 2 steps, cost 2\n")


def test_a_plan_that_fails_says_where_and_why(files: Path) -> None:
    assert run(files, "wrong", more=("--repair",)) == (
        1,
        "wrong: not valid: step 2 of 3, (pick-up d), line 2\n"
        "  wrong_order: (handempty) does not hold; it did until step 1, (unstack b a)\n"
        "  goal: 0 of 1 conditions hold after the steps that could be done; unmet: (on d b)\n"
        "  repair (1 edit, no repair has fewer): delete step 1, (unstack b a)\n",
    )


def test_where_there_is_no_repair_the_reason_is_given(files: Path) -> None:
    (files / "cannot").write_text(PROBLEM.replace("(on d b)", "(on d d)"))
    done = call(
        "validate", files / "d.pddl", files / "cannot", files / "wrong", "--repair", "--json"
    )
    [found] = json.loads(done.stdout)["plans"]
    assert found["repair"] is None
    assert "fewer than 3 edits" in found["repair_reason"]
    assert diagnose(DOMAIN, PROBLEM, "(fly d)", repair=True).repair_reason
    assert not diagnose(DOMAIN, PROBLEM, WRONG).repair_reason
    assert not diagnose(DOMAIN, PROBLEM, WRONG, repair=True).repair_reason


def test_a_step_whose_effects_hold_already_is_taken_out() -> None:
    found = diagnose(DOMAIN, PROBLEM, "(pick-up d)\n(pick-up d)\n(stack d b)", repair=True)
    assert (found.kind, found.proved) == ("additional_step", True)
    assert found.repair is not None
    assert len(found.repair) == 1


def test_a_goal_that_is_not_reached(files: Path) -> None:
    code, text = run(files, "short")
    assert code == 1
    assert "the goal does not hold at the end" in text


def test_all_failing_steps_are_told(files: Path) -> None:
    _, text = run(files, "wrong", more=("--all",))
    assert "step 2, wrong_order" in text
    assert "step 3, missing_step: (holding d) does not hold; it never did" in text


def test_a_document_has_all_of_it(files: Path) -> None:
    _, text = run(files, "wrong", more=("--json", "--repair"))
    [found] = json.loads(text)["plans"]
    assert found == {
        "plan": "wrong",
        "valid": False,
        "steps": 3,
        "cost": None,
        "failed_step": 2,
        "line": 2,
        "kind": "wrong_order",
        "reasons": ["wrong_order: (handempty) does not hold; it did until step 1, (unstack b a)"],
        "unmet": ["(handempty)"],
        "destroyed_by": 1,
        "goal": {"met": 0, "of": 1, "unmet": ["(on d b)"]},
        "notes": [],
        "repair": ["delete step 1, (unstack b a)"],
        "repair_reason": None,
    }


def test_plans_may_be_folders_and_exit_codes_are_no_counts(files: Path) -> None:
    (files / "plans").mkdir()
    for number in range(256):
        (files / "plans" / str(number)).write_text(WRONG)
    code, text = run(files, "plans")
    assert (code, text.count("not valid")) == (1, 256)


def test_files_that_cannot_be_used_end_with_3(files: Path) -> None:
    (files / "binary").write_bytes(b"\x00\xff\xfe")
    (files / "none").mkdir()
    for name in ("binary", "none", "nowhere"):
        done = call("validate", files / "d.pddl", files / "p.pddl", files / name)
        assert done.exception is not None, name


def test_files_that_cannot_be_used(files: Path) -> None:
    for more in (("--phrases", files / "nope.json"), ("--phrases", files / "d.pddl")):
        done = call("validate", files / "d.pddl", files / "p.pddl", files / "ok", *more)
        assert done.exit_code == 3
    with pytest.raises(InputError, match="no folder is named"):
        eai.suite("pddl:")


def test_words_need_phrases(files: Path) -> None:
    (files / "words").write_text("pick up yellow\nstack yellow on blue")
    (files / "phrases.json").write_text(json.dumps(WORDS))
    assert run(files, "words")[0] == 1
    assert run(files, "words", more=("--phrases", files / "phrases.json"))[0] == 0


def test_lines_that_scripts_look_for(files: Path) -> None:
    (files / "prose").write_text(f"Here it is:\n{PLAN}")
    (files / "surplus").write_text("(pick-up d a)\n(stack d b)")
    _, text = run(files, "ok", "wrong", "short", "prose", "surplus", more=("--as-val",))
    ok, wrong, short, prose, surplus = text.split("Checking plan: ")[1:]
    assert "Plan valid\nFinal value: 2 " in ok
    assert "Plan failed because of unsatisfied precondition in:\n(pick-up d)" in wrong
    assert "(pick-up d) has an unsatisfied precondition at time 2\n(Set (handempty) to" in wrong
    assert "Goal not satisfied" in short
    assert "Goal not satisfied" in prose
    assert "Plan valid" in surplus


def test_python_asks_the_same() -> None:
    found = diagnose(DOMAIN, PROBLEM, WRONG, repair=True)
    assert (found.valid, found.failed_step, found.kind) == (False, 2, "wrong_order")
    assert diagnose(DOMAIN, PROBLEM, [Action("pick-up", ("d",)), Action("stack", ("d", "b"))]).valid


@pytest.mark.heavy
def test_long_and_strange_plans_end(files: Path) -> None:
    (files / "long").write_text("(pick-up d)\n(put-down d)\n" * 5_000)
    assert "10000 conditions" not in run(files, "long")[1]
    (files / "line").write_text("x" * 5_000_000)
    assert run(files, "line")[0] == 1


@settings(max_examples=150)
@given(st.integers(0, 2**32))
def test_the_judge_of_the_suite_and_validate_never_differ(seed: int) -> None:
    random = Random(seed)
    domain, problem = random_task(random)
    objects = [*domain.constants, *problem.objects, "nobody"]
    plan = []
    for _ in range(random.randrange(6)):
        name = random.choice([*domain.operators])
        count = len(domain.operators[name].parameters) + (random.random() < 0.05)
        plan.append(Action(name, tuple(random.choice(objects[:-1]) for _ in range(count))))
    if plan and random.random() < 0.1:
        plan[random.randrange(len(plan))] = Action("nothing", ())
    known = validate(domain, problem, plan)
    found = Validator(domain, problem).diagnose(plan)
    assert found.valid == known.valid
    assert found.cost == known.cost


def test_the_command_ends_with_its_code(files: Path) -> None:
    words = [sys.executable, "-m", "eai", "validate", "d.pddl", "p.pddl", "-"]
    done = subprocess.run(words, cwd=files, input=PLAN, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, "-: valid, 2 steps, cost 2\n")
