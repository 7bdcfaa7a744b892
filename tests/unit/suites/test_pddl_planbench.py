"""PlanBench's tasks as its files ask them: what queries say, and which answers are right."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from command_line import call
from pddl_blocks import DOMAIN
from planbench_files import (
    GOAL,
    PLAN,
    event_query,
    plan_query,
    query,
    state_query,
    write_domain,
    write_file,
)

import eai
from eai.contract import prompt_of
from eai.diagnosis import Result
from eai.errors import InputError
from eai.logic import conjuncts
from eai.pddl import parse_domain
from eai.suites.pddl import Pddl
from eai.suites.pddl.fact_words import FactWords

REUSE, VERIFICATION = "task_4_plan_reuse", "task_3_plan_verification"
EXECUTION, REPLANNING = "task_7_plan_execution", "task_6_replanning"
OPTIMALITY = "task_2_plan_optimality"


def suite_of(folder: Path, task: str, asked: str, **more: Any) -> Pddl:
    file = write_file(folder / f"{task}.json", task, {"query": asked, **more})
    return Pddl(f"{write_domain(folder)}@asked={file}")


def result(suite: Pddl, answer: str | None, semantics: str = "strict") -> Result:
    [ability] = suite.abilities if len(suite.abilities) == 1 else ["action_sequencing"]
    return suite.evaluate(ability, suite.task("instance-1"), answer, suite.semantics(semantics))


def measured(found: Result) -> dict[str, int]:
    return {each.kind: each.amount for each in found.measures}


def words() -> FactWords:
    domain = parse_domain(DOMAIN)
    phrases = {
        "ontable": ["the {} is on the table"],
        "clear": ["the {} is clear"],
        "handempty": ["the hand is empty"],
        "holding": ["the hand is currently holding {}"],
        "on": ["the {} is on top of the {}"],
    }
    return FactWords.of(domain, phrases, {"a": "red block", "b": "blue block"}, ["a", "b"])


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("the red block is clear", "clear(a)"),
        ("Red is clear and blue is on the table.", "clear(a) ontable(b)"),
        ("the red block is clear and on the table", "clear(a) ontable(a)"),
        ("the hand is holding the blue block", "holding(b)"),
        ("the hand is empty, the red block is not clear", "handempty()"),
        ("the red block is no longer clear", ""),
        (
            "- **the red block is on top of the blue block**\n- the hand is empty",
            "on(a, b) handempty()",
        ),
        ("As a result, we have that the red block is clear", "clear(a)"),
        ("(on a b) and (clear a)", "on(a, b) clear(a)"),
        ("on(a, b), handempty()", "on(a, b) handempty()"),
        ("the green block is clear", ""),
        ("the red block is bright", ""),
    ],
)
def test_facts_are_read_clause_by_clause(text: str, facts: str) -> None:
    assert " ".join(map(str, words().read(text).facts)) == facts


def test_objects_with_numbers_are_called_by_a_pattern() -> None:
    domain = parse_domain("(define (domain d) (:predicates (at ?x ?y)))")
    numbered = FactWords.of(
        domain, {"at": ["{} is at {}"]}, {"pN": "package_N", "lN-M": "location_N_M"}
    )
    reading = numbered.read("package_10 is at location_2_3, package_x is at location_2_3")
    assert [str(fact) for fact in reading.facts] == ["at(p10, l2-3)"]
    assert reading.unread == ("package_x is at location_2_3",)


def test_the_last_statement_of_a_query_is_the_task(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, REUSE, query())
    task = suite.task("instance-1")
    assert sorted(task.problem.objects) == ["a", "b", "d"]
    assert [str(each) for each in conjuncts(task.problem.goal)] == ["on(d, b)"]
    assert len(task.problem.initial) == 6
    assert prompt_of(suite, task, "action_sequencing") == query()


def test_a_plan_is_tested_on_the_goal_of_the_query(tmp_path: Path) -> None:
    instance = {"init": {"pred": [["clear", ["d"]], ["ontable", ["d"]], ["handempty", []]]}}
    tested = {"instance": {**instance, "goal": [["holding", ["d"]]]}}
    suite = suite_of(tmp_path, REUSE, query(), new_instance=tested)
    assert result(suite, PLAN).success
    assert not result(suite, "pick up the yellow block\n[PLAN END]").success
    # PlanBench tests a part of the goal, which stands in files of prompts.
    assert result(suite, "pick up the yellow block\n[PLAN END]", "official").success


def test_replanning_begins_after_the_event(tmp_path: Path) -> None:
    asked = event_query(
        "the hand is empty and the yellow block is on the table",
        "the hand is currently holding yellow block",
    )
    suite = suite_of(tmp_path, REPLANNING, asked)
    assert {str(fact) for fact in suite.task("instance-1").problem.initial} >= {
        "ontable(d)",
        "handempty()",
    }
    solved = event_query(
        "the hand is empty and the yellow block is on top of the blue block",
        "the blue block is clear and the hand is currently holding yellow block",
    )
    reached = suite_of(tmp_path / "reached", REPLANNING, solved)
    for answer in ("[PLAN END]", "No further actions are needed.\n[PLAN END]"):
        assert result(reached, answer).success
    assert not result(suite, "[PLAN END]").success
    assert not result(reached, "I do not know.").success


def test_tasks_of_planbench_that_are_solved_already_count(tmp_path: Path) -> None:
    file = write_file(
        tmp_path / "t.json",
        REPLANNING,
        {
            "query": event_query(GOAL, "the hand is currently holding yellow block"),
            "llm_raw_response": "[PLAN END]",
        },
    )
    report = eai.evaluate(f"pddl:{write_domain(tmp_path / 'd')}", file)
    assert [each.result.status for each in report.records] == ["evaluated"]


def test_an_optimal_plan_has_no_more_steps_than_the_published_one(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, OPTIMALITY, query(), ground_truth_plan="(pick-up d)\n(stack d b)\n")
    assert result(suite, PLAN).success
    longer = "pick up the yellow block\nput down the yellow block\n" + PLAN
    found = result(suite, longer)
    assert (found.success, found.executable) == (False, True)


UNMET_GOAL = f"This is the unmet goal condition:\n{GOAL}"
UNMET = "The unmet precondition is:\nthe hand is currently holding yellow block"
BAD = "stack the yellow block on top of the blue block"


@pytest.mark.parametrize(
    ("steps", "answer", "right", "kind", "reason"),
    [
        (PLAN[:-11], "The above plan is valid.", True, 1, 1),
        (PLAN[:-11], "The above plan is invalid.", False, 0, 0),
        (
            "pick up the yellow block",
            f"The plan is not valid. {UNMET_GOAL}",
            True,
            1,
            1,
        ),
        (
            "pick up the yellow block",
            "The above plan is invalid. This is the unmet goal condition:\nthe red block is clear",
            True,
            1,
            0,
        ),
        (
            BAD,
            (
                "The above plan is invalid. This action at step 1 has an unmet precondition:\n"
                f"{BAD}\n"
                f"{UNMET}"
            ),
            True,
            1,
            1,
        ),
        (
            BAD,
            (
                "The above plan is invalid. The following actions have unmet preconditions:\n"
                f"At step 1: {BAD}\n"
                f"{UNMET} at step 1\n"
                "At step 2: pick up the red block\n"
                "The unmet precondition is:\n"
                "the red block is clear"
            ),
            True,
            1,
            1,
        ),
        (
            BAD,
            (
                "The above plan is invalid. The following action has an unmet precondition:\n"
                f"{BAD}\n"
                "The unmet precondition is:\n"
                "the hand is empty"
            ),
            True,
            1,
            0,
        ),
        (
            BAD,
            f"The above plan is invalid. {UNMET_GOAL}",
            True,
            0,
            0,
        ),
        (BAD, "The plan is invalid", True, 0, 0),
        (
            "",
            f"The above plan is invalid. {UNMET_GOAL}",
            True,
            1,
            1,
        ),
    ],
)
def test_verification_is_graded_by_running_the_plan(
    tmp_path: Path, steps: str, answer: str, right: bool, kind: int, reason: int
) -> None:
    found = result(suite_of(tmp_path, VERIFICATION, plan_query(steps)), answer)
    assert (found.success, measured(found)) == (right, {"kind_of_reason": kind, "reason": reason})


def test_text_behind_the_next_statement_is_no_answer(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, VERIFICATION, plan_query("pick up the yellow block"))
    assert not result(
        suite, "The above plan is valid.\n[STATEMENT]\nThe above plan is invalid."
    ).success
    unread = result(suite, "I cannot tell.")
    assert [str(each.kind) for each in unread.findings] == ["parsing"]
    assert result(suite, None).status == "missing"


STATE = (
    "the blue block is clear, the hand is currently holding yellow block, "
    "the blue block is on top of the red block and the red block is on the table"
)


@pytest.mark.parametrize(
    ("answer", "strict", "official"),
    [
        (STATE.replace(" and ", ", "), True, True),
        (
            STATE.replace(" and ", ", ") + ", the yellow block is no longer on the table",
            True,
            False,
        ),
        (
            STATE.replace(" and ", ", ").replace(
                "the hand is currently holding yellow block, ", ""
            ),
            False,
            False,
        ),
        (STATE.replace(" and ", ", ") + ", the hand is empty", False, False),
        (f"[RESULTING STATE]\n{STATE}", True, False),
    ],
)
def test_execution_is_graded_by_the_state(
    tmp_path: Path, answer: str, strict: bool, official: bool
) -> None:
    suite = suite_of(tmp_path, EXECUTION, state_query("pick up the yellow block"))
    assert result(suite, answer).success is strict
    assert result(suite, answer, "official").success is official


def test_a_record_says_if_the_published_verdict_is_another_one(tmp_path: Path) -> None:
    answer = "pick up the yellow block\n[PLAN END]"
    suite = suite_of(tmp_path, REUSE, query(), llm_raw_response=answer, llm_correct=True)
    assert any("other_goal_tested" in note for note in result(suite, answer).notes)
    assert not any("published" in note for note in result(suite, PLAN).notes)


@pytest.mark.parametrize(
    ("task", "asked"),
    [
        (REUSE, query("")),
        (REUSE, "plan it"),
        (REUSE, query("the yellow block is bright")),
        (VERIFICATION, query()),
        (VERIFICATION, plan_query("pick up the yellow block\ndance")),
        (REPLANNING, plan_query("pick up the yellow block")),
    ],
)
def test_a_query_that_does_not_give_its_task_is_refused_by_name(
    tmp_path: Path, task: str, asked: str
) -> None:
    suite = suite_of(tmp_path, task, asked)
    with pytest.raises(InputError) as caught:
        suite.task("instance-1")
    assert caught.value.what.startswith(task)


def test_a_task_that_planbench_does_not_have_is_refused(tmp_path: Path) -> None:
    file = write_file(tmp_path / "t.json", "task_9_juggling", {"query": query()})
    with pytest.raises(InputError) as caught:
        eai.evaluate(f"pddl:{write_domain(tmp_path / 'd')}", file)
    assert "task_9_juggling" in caught.value.what


@pytest.fixture
def files(tmp_path: Path) -> Path:
    results = tmp_path / "results"
    answers = {"query": query(), "llm_raw_response": PLAN}
    write_file(results / "one" / f"{REUSE}.json", REUSE, answers, engine="one")
    write_file(results / "two" / f"{REUSE}.json", REUSE, answers, engine="two")
    state = {"query": state_query("pick up the yellow block"), "llm_raw_response": STATE}
    write_file(results / "one" / f"{EXECUTION}.json", EXECUTION, state, engine="one")
    write_domain(tmp_path / "d")
    return tmp_path


def test_a_file_brings_its_tasks_and_its_model(files: Path) -> None:
    report = eai.evaluate(f"pddl:{files / 'd'}", files / "results" / "one" / f"{EXECUTION}.json")
    assert (report.models, report.setting.ability) == (("one",), "plan_execution")
    assert [record.result.success for record in report.records] == [True]


def test_packed_files_are_read(files: Path) -> None:
    plain = files / "results" / "one" / f"{EXECUTION}.json"
    packed = plain.with_suffix(".json.gz")
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    report = eai.evaluate(f"pddl:{files / 'd'}", packed)
    assert [record.result.success for record in report.records] == [True]


def test_files_of_several_tasks_give_a_report_for_each(files: Path) -> None:
    done = call(
        "evaluate", f"pddl:{files / 'd'}", str(files / "results"), "-o", str(files / "run"), "-q"
    )
    assert done.exit_code == 0, done.output
    found = eai.evaluation.read_run(files / "run").all
    assert {(each.setting.ability, tuple(sorted(each.models))) for each in found} == {
        ("action_sequencing", ("one", "two")),
        ("plan_execution", ("one",)),
    }
    with pytest.raises(InputError):
        eai.evaluate(f"pddl:{files / 'd'}", files / "results")


def test_files_that_ask_other_questions_are_refused(files: Path) -> None:
    other = {"query": query("the red block is clear"), "llm_raw_response": PLAN}
    write_file(files / "results" / "two" / f"{REUSE}.json", REUSE, other, engine="two")
    with pytest.raises(InputError):
        eai.evaluate(f"pddl:{files / 'd'}", files / "results")
    [first, second] = [files / "results" / name / f"{REUSE}.json" for name in ("one", "two")]
    with pytest.raises(InputError):
        eai.evaluate(f"pddl:{files / 'd'}@asked={first}", second)
    assert eai.evaluate(f"pddl:{files / 'd'}@asked={first}", first).records


def test_plans_for_the_instances_of_a_folder_are_read_as_before(files: Path) -> None:
    from pddl_blocks import PROBLEM

    (files / "d" / "instance-1.pddl").write_text(PROBLEM)
    answers = {"query": query("the red block is clear"), "llm_raw_response": PLAN}
    file = write_file(files / "t1.json", "task_1_plan_generation", answers)
    report = eai.evaluate(f"pddl:{files / 'd'}", file)
    assert report.setting.suite == f"pddl:{files / 'd'}"
