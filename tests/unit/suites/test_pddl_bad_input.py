"""What may be wrong with domains, problems, plans and answers in PDDL, and what is said of it.

More of it is tested where plans are read (``answers/test_steps.py``) and in
``test_pddl_suite.py``.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from pddl_blocks import DOMAIN, PLAN, PROBLEM, write_suite

import eai
from eai.errors import EaiError, InputError, SchemaError
from eai.suites.pddl import Validator, diagnose
from eai.world import Action


def test_a_task_twice_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "tasks.jsonl"
    line = json.dumps({"id": "x", "domain": DOMAIN, "problem": PROBLEM})
    file.write_text(f"{line}\n{line}\n")
    with pytest.raises(SchemaError, match=r"'x' is already in line 1") as raised:
        eai.suite(f"pddl:{file}")
    assert f"{file}:2" in str(raised.value)
    file.write_text('{"id": "x", "domain": 3}')
    with pytest.raises(SchemaError, match="the line is not a task"):
        eai.suite(f"pddl:{file}")
    file.write_text(json.dumps({"id": "x", "domain": "bloks", "problem": PROBLEM}))
    (tmp_path / "domains.json").write_text(json.dumps({"blocks": DOMAIN}))
    with pytest.raises(InputError, match="did you mean 'blocks'"):
        eai.suite(f"pddl:{file}").task("x")


def test_answers_with_one_id_twice_or_of_no_task(tmp_path: Path) -> None:
    suite = f"pddl:{write_suite(tmp_path / 'blocks')}"
    answers = tmp_path / "gpt.jsonl"
    lines = [{"id": name, "output": PLAN} for name in ("2", "instance-2.pddl")]
    answers.write_text("\n".join(map(json.dumps, lines)))
    second = "1 prediction (instance-2) left out: their tasks have an answer already"
    assert second in str(eai.evaluate(suite, answers))
    report = eai.evaluate(suite, {"instance-2": PLAN, "instance-7": PLAN})
    assert "(instance-7) left out: no such task; did you mean 'instance-2'?" in str(report)
    assert [r.task for r in report.of(report.models[0])] == ["instance-2", "instance-10"]


def test_parts_beside_the_problems(tmp_path: Path) -> None:
    folder = write_suite(tmp_path / "blocks")
    for name, text, said in (
        ("manifest.json", '{"unsolvable": "instance-2"}', "this is not a manifest"),
        ("manifest.json", "{", "cannot be read as JSON"),
        ("manifest.json", '{"unsolvable": ["instance-20"]}', "did you mean 'instance-2'"),
        ("phrases.json", '{"actions": {"stack": 3}}', "not a table of phrases"),
        ("plans/instance-2.plan", "(stack)", "the reference plan cannot be read"),
    ):
        file = folder / name
        kept = file.read_text() if file.is_file() else None
        file.write_text(text)
        with pytest.raises(InputError, match=said) as raised:
            eai.suite(f"pddl:{folder}").task("instance-2")
        assert file.name in str(raised.value)
        file.unlink() if kept is None else file.write_text(kept)


@pytest.mark.parametrize(
    ("domain", "problem"),
    [
        (DOMAIN.replace("(:predicates", "(:derived (clear ?x) (not (clear ?x))) (:predicates"), ""),
        (DOMAIN.replace("(handempty) (holding", "(handempty) (handempty) (holding"), ""),
        (DOMAIN.replace("(:action pick-up", "(:durative-action pick-up"), ""),
        ("", ""),
        (DOMAIN[:300], ""),
        (DOMAIN, PROBLEM.replace("(on d b)", "(on d)")),
        (DOMAIN, PROBLEM.replace("(on d b)", "(on d zz)")),
        (DOMAIN, PROBLEM.replace("(:goal", "(:goals")),
    ],
    ids=["cycle", "twice", "durations", "empty", "cut", "arity", "object", "no goal"],
)  # fmt: skip
def test_texts_that_are_refused(domain: str, problem: str) -> None:
    with pytest.raises(EaiError) as raised:
        diagnose(domain, problem or PROBLEM, PLAN)
    assert len(str(raised.value)) > 20


def test_names_that_differ_by_case_only_are_one() -> None:
    problem = PROBLEM.replace("(:objects a b d)", "(:objects a b d D)")
    with pytest.raises(EaiError, match="the object 'd' is declared twice"):
        diagnose(DOMAIN, problem, PLAN)
    assert diagnose(DOMAIN, PROBLEM, PLAN.upper()).valid


def test_axioms_that_support_each_other_have_no_foundation() -> None:
    rules = "(:derived (up ?x) (down ?x)) (:derived (down ?x) (up ?x))"
    domain = DOMAIN.replace("(:strips)", "(:strips :derived-predicates)")
    domain = domain.replace("(holding ?x))", "(holding ?x) (up ?x) (down ?x))", 1)
    domain = domain.replace("(:action pick-up", f"{rules}\n(:action pick-up")
    assert not diagnose(domain, PROBLEM.replace("(on d b)", "(up d)"), PLAN).valid


def test_a_file_with_two_plans_says_what_it_leaves_out() -> None:
    found = diagnose(DOMAIN, PROBLEM, f"Plan A:\n(pick-up a)\n(put-down a)\n\nPlan B:\n{PLAN}")
    assert found.valid
    assert any("2 plans in the answer" in note for note in found.notes)
    glued = diagnose(DOMAIN, PROBLEM, f"{PLAN}{PLAN}")  # nothing parts them: one plan
    assert (glued.valid, glued.steps, glued.failed_step) == (False, 4, 3)


@pytest.mark.heavy
def test_a_plan_of_100_000_steps_takes_linear_time() -> None:
    validator = Validator(DOMAIN, PROBLEM)

    def seconds(count: int) -> float:
        steps = [Action("pick-up", ("d",)), Action("put-down", ("d",))] * (count // 2)
        begin = time.process_time()
        found = validator.diagnose([*steps, steps[1]])
        assert (found.steps, found.failed_step) == (count + 1, count + 1)
        return time.process_time() - begin

    seconds(1_000)
    short = seconds(5_000)
    assert seconds(100_000) < 60 * max(short, 0.05)


def test_texts_as_other_systems_write_them_are_read(tmp_path: Path) -> None:
    folder = write_suite(tmp_path / "blocks")
    for file in (*folder.glob("*.pddl"), *folder.glob("plans/*")):
        file.write_bytes(b"\xef\xbb\xbf" + file.read_text().replace("\n", "\r\n").encode())
    suite = eai.suite(f"pddl:{folder}")
    task = suite.task("instance-2")
    assert [str(step) for step in task.plans[0]] == ["pick-up(d)", "stack(d, b)"]
    assert suite.evaluate("action_sequencing", task, PLAN, suite.semantics("strict")).success


def test_a_problem_of_another_domain_says_which_predicate_is_not_its(tmp_path: Path) -> None:
    folder = write_suite(tmp_path / "blocks")
    other = PROBLEM.replace("(:domain blocks)", "(:domain cubes)").replace("(clear b)", "(clean b)")
    (folder / "instance-2.pddl").write_text(other)
    with pytest.raises(EaiError, match="clean") as raised:
        eai.suite(f"pddl:{folder}").task("instance-2")
    said = str(raised.value)
    assert f"{folder / 'instance-2.pddl'}:2" in said
    assert "did you mean 'clear'" in said
