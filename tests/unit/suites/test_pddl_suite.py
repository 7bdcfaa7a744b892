"""The suite ``pddl:FOLDER``: which tasks there are, and what becomes of answers to them."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from command_line import call
from pddl_blocks import DOMAIN, PLAN, PROBLEM, WORDS, write_suite

import eai
from eai.cli.reading import named_suite
from eai.contract import prompt_of
from eai.diagnosis import Result
from eai.errors import (
    InputError,
    OutputExistsError,
    ParseError,
    SchemaError,
    UnknownNameError,
)
from eai.pddl import Problem, read_problem
from eai.report import Leaderboard
from eai.suites.pddl import Pddl


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_suite(tmp_path_factory.mktemp("pddl") / "blocks", words=True)


def evaluated(folder: Path, answer: str, task: str = "instance-2", **options: Any) -> Result:
    report = eai.evaluate(f"pddl:{folder}", {task: answer}, tasks=[task], **options)
    [record] = report.of(report.models[0])
    return record.result


def told(folder: Path, answer: str, **options: Any) -> list[tuple[str, int | None]]:
    return [(str(f.kind), f.step) for f in evaluated(folder, answer, **options).findings]


def test_tasks_are_listed_in_natural_order_and_read_one_by_one(folder: Path) -> None:
    suite = eai.suite(f"pddl:{folder}")
    assert list(suite.task_ids()) == ["instance-2", "instance-10"]
    assert (suite.name, suite.title, suite.version) == (f"pddl:{folder}", "Blocks", "3")
    task = suite.task("instance-2")
    assert [str(step) for step in task.plans[0]] == ["pick-up(d)", "stack(d, b)"]
    assert pickle.loads(pickle.dumps(suite)).name == suite.name


def test_a_number_means_the_task_that_has_it(folder: Path) -> None:
    suite = eai.suite(f"pddl:{folder}")
    assert [suite.canonical_id(raw) for raw in ("2", "010", "instance-2.pddl", "x")] == [
        "instance-2",
        "instance-10",
        "instance-2",
        "x",
    ]


@pytest.mark.parametrize("answer", [PLAN, "Pick up yellow.\nStack yellow on the blue block."])
def test_a_plan_that_works_solves_its_task(folder: Path, answer: str) -> None:
    result = evaluated(folder, answer)
    assert result.success
    assert result.plan == ("pick-up(d)", "stack(d, b)")
    assert "cost 2" in result.notes


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("(unstack b a)\n(pick-up d)", [("wrong_order", 2), ("relation_goal", None)]),
        ("(stack d b)", [("missing_step", 1), ("relation_goal", None)]),
        ("(pick-up d)\n(pick-up d)", [("additional_step", 2), ("relation_goal", None)]),
        ("(pickup d)", [("action_hallucination", 1)]),
        ("(pick-up zz)", [("object_hallucination", 1)]),
        ("(pick-up d b)", [("argument_number", 1)]),
        ("(pick-up)", [("argument_number", 1)]),
        ("I do not know.", [("parsing", None)]),
        ("; nothing", [("relation_goal", None)]),
        ("There is no plan, it is impossible.", [("no_answer", None)]),
        ("(no plan possible)", [("no_answer", None)]),
    ],
)
def test_what_is_wrong_is_said_by_kind(
    folder: Path, answer: str, expected: list[tuple[str, int | None]]
) -> None:
    assert told(folder, answer) == expected


def test_no_step_is_passed_over(folder: Path) -> None:
    result = evaluated(folder, "(pick-up d)\n(pick-up d)\n(stack d b)")
    assert (result.success, result.executed) == (False, ("done", "failed", "not reached"))


def test_a_near_name_is_offered(folder: Path) -> None:
    [finding] = evaluated(folder, "(pickup d)").findings
    assert "did you mean pick-up?" in finding.message


def test_no_plan_is_right_where_there_is_none(folder: Path) -> None:
    assert evaluated(folder, "It is impossible to reach the goal.", "instance-10").success
    assert not evaluated(folder, PLAN, "instance-10").success
    thought = "<think>Is it impossible?</think>"
    assert not evaluated(folder, f"{thought} I do not know.", "instance-10").success
    assert evaluated(folder, f"{thought} There is no plan.", "instance-10").success


def test_official_is_what_the_published_validator_does(folder: Path) -> None:
    def official(answer: str) -> bool:
        return bool(evaluated(folder, answer, semantics="official").success)

    assert official(PLAN)
    assert official("(pick-up d a)\n(stack d b planet_c)")
    assert official("1: (stack d b)\n0: (pick-up d)")
    assert not official(f"Here it is:\n{PLAN}")
    assert not evaluated(
        folder, "(pick-up d a)", semantics="official", without="surplus_arguments_dropped"
    ).success


def test_published_files_of_results_are_predictions(folder: Path, tmp_path: Path) -> None:
    instances = [
        {"instance_id": 2, "llm_raw_response": PLAN, "extracted_llm_plan": "(pick-up a)"},
        {"instance_id": 10, "llm_raw_response": "None", "extracted_llm_plan": ""},
    ]
    file = tmp_path / "gpt.json"
    file.write_text(json.dumps({"task": "t1", "instances": instances}))
    report = eai.evaluate(f"pddl:{folder}", file)
    assert [(r.task, r.result.status, r.result.success) for r in report.of("gpt")] == [
        ("instance-2", "evaluated", True),
        ("instance-10", "missing", False),
    ]


@pytest.mark.parametrize(
    ("plan", "works"),
    [
        (PLAN, True),
        (["pick-up_d", "stack_d_b"], True),  # as in the oldest files
        (f"[PDDL PLAN]\n{PLAN}", True),
        ("1: (stack d b)\n0: (pick-up d) ; (first)", True),
        ("(pick-up a)", False),
        ("pick-up d\nstack d on b", False),
        (f"   - It holds (True).\n\n[PDDL PLAN]\n{PLAN}", False),
    ],
)
def test_an_extracted_plan_is_what_stands_in_brackets(
    folder: Path, tmp_path: Path, plan: object, works: bool
) -> None:
    instances = [{"instance_id": 2, "llm_raw_response": "", "extracted_llm_plan": plan}]
    file = tmp_path / "gpt.json"
    file.write_text(json.dumps({"task": "t1", "instances": instances}))
    done = call("evaluate", f"pddl:{folder}", file, "--field", "extracted_llm_plan", "--json")
    rate = json.loads(done.stdout)["models"]["gpt"]["metrics"]["task_success_rate"]
    assert (done.exit_code, rate["numerator"]) == (0, works)


def test_lists_repairs_causes_and_rewards_work(folder: Path) -> None:
    task = eai.suite(f"pddl:{folder}").task("instance-2")
    found = eai.repair(task, "(unstack b a)\n(pick-up d)\n(stack d b)")
    assert found.distance == 1
    assert [str(each) for each in eai.causes(task, PLAN).steps[1].uses]
    rewards = eai.reward(f"pddl:{folder}", ["instance-2", "instance-2"], [PLAN, "(pick-up a)"])
    assert rewards == [1.0, 0.0]
    assert call("tasks", f"pddl:{folder}").stdout.count("instance-") == 2
    assert "(stack d b)" not in call("tasks", f"pddl:{folder}", "2").stdout
    suite = eai.suite(f"pddl:{folder}")
    assert "in these words" in str(prompt_of(suite, task, "action_sequencing"))


def test_a_run_names_the_folder_and_can_be_explained(folder: Path, tmp_path: Path) -> None:
    answers = tmp_path / "gpt.jsonl"
    answers.write_text(json.dumps({"id": "2", "output": "(unstack b a)\n(pick-up d)"}))
    run = tmp_path / "run"
    assert call("evaluate", f"pddl:{folder}", answers, "-o", run, "-q").exit_code == 0
    shown = call("explain", run, "instance-2")
    assert shown.exit_code == 0
    assert "wrong" in shown.stdout.lower()


def test_perturbed_reference_plans_go_wrong(folder: Path, tmp_path: Path) -> None:
    made = tmp_path / "wrong.jsonl"
    done = call("perturb", f"pddl:{folder}", "--kind", "drop", "-o", made)
    assert done.exit_code == 0, done.output
    assert json.loads(made.read_text().splitlines()[0])["id"] == "instance-2"
    asked = tmp_path / "questions.jsonl"
    done = call("perturb", f"pddl:{folder}", "--questions", "--seed", 1, "-o", asked)
    assert done.exit_code == 0, done.output
    [line] = map(json.loads, asked.read_text().splitlines())
    assert (line["id"], line["gold"] in "ABCD") == ("instance-2", True)


def test_a_folder_may_have_several_domains(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_suite(tmp_path / name)
    suite = eai.suite(f"pddl:{tmp_path}")
    assert list(suite.task_ids())[:2] == ["one/instance-2", "one/instance-10"]
    (tmp_path / "flat").mkdir()
    (tmp_path / "flat" / "b-domain.pddl").write_text(DOMAIN)
    (tmp_path / "flat" / "b-7.pddl").write_text(PROBLEM)
    assert list(eai.suite(f"pddl:{tmp_path / 'flat'}").task_ids()) == ["b-7"]


def test_tasks_may_stand_in_one_file(tmp_path: Path) -> None:
    (tmp_path / "domains.json").write_text(json.dumps({"blocks": DOMAIN}))
    (tmp_path / "phrases.json").write_text(json.dumps({"blocks": WORDS}))
    lines = [{"id": name, "domain": "blocks", "problem": PROBLEM} for name in ("x", "y")]
    file = tmp_path / "tasks.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    report = eai.evaluate(f"pddl:{file}", {"x": "pick up yellow\nstack yellow on blue"})
    assert [r.result.success for r in report.of(report.models[0])] == [True, False]


def test_a_folder_that_is_no_suite_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        eai.suite(f"pddl:{tmp_path / 'nowhere'}")
    (tmp_path / "p.pddl").write_text(PROBLEM)
    with pytest.raises(InputError, match="no domain"):
        eai.suite(f"pddl:{tmp_path}")
    for name in ("p-domain.pddl", "domain-p.pddl"):
        (tmp_path / name).write_text(DOMAIN)
    with pytest.raises(InputError, match=r"domain-p.pddl and p-domain.pddl"):
        eai.suite(f"pddl:{tmp_path}")


def test_a_problem_that_cannot_be_read_spoils_only_its_task(tmp_path: Path) -> None:
    write_suite(tmp_path)
    (tmp_path / "instance-3.pddl").write_text(PROBLEM.replace("(clear b)", "(clean b)"))
    (tmp_path / "instance-4.pddl").write_bytes(b"\x00\xff\xfe")
    (tmp_path / "instance-5.pddl").write_text("")
    report = eai.evaluate(f"pddl:{tmp_path}", {"2": PLAN, "3": PLAN, "4": PLAN, "5": PLAN})
    found = {r.task: r.result.status for r in report.of(report.models[0])}
    assert found["instance-2"] == "evaluated"
    assert {found[f"instance-{n}"] for n in (3, 4, 5)} == {"excluded"}


def test_another_name_of_the_domain_is_noted(tmp_path: Path) -> None:
    write_suite(tmp_path)
    (tmp_path / "instance-2.pddl").write_text(PROBLEM.replace("(:domain blocks)", "(:domain b)"))
    result = evaluated(tmp_path, PLAN)
    assert result.success
    assert any("the problem is for the domain 'b'" in note for note in result.notes)


def test_a_type_without_names_is_a_warning() -> None:
    _, issues = read_problem(
        "(define (problem p) (:domain d) (:objects - t a - t) (:init) (:goal (and)))"
    )
    assert [(issue.severity, issue.kind) for issue in issues] == [("warning", "misplaced-word")]


SMALL = """(define (domain d) (:requirements :adl) (:types t) (:constants k - t)
  (:predicates (p ?x - t) (q ?x - t))
  (:action both :parameters (?x ?y - t) :precondition (not (= ?x ?y))
    :effect (and (p ?x) (not (p ?x)) (q ?y)))
  (:action and :parameters () :effect (p k)))"""


def test_what_is_unusual_in_domains(tmp_path: Path) -> None:
    def result(goal: str, plan: str) -> Result:
        (tmp_path / "domain.pddl").write_text(SMALL)
        (tmp_path / "p.pddl").write_text(
            f"(define (problem p) (:domain d) (:objects a - t) (:init) (:goal {goal}))"
        )
        return evaluated(tmp_path, plan, "p")

    def solved(goal: str, plan: str) -> bool:
        return bool(result(goal, plan).success)

    # Goals that are empty or met already are solved by the empty plan, and left out.
    for goal in ("(and)", "(not (p a))"):
        assert result(goal, "(both a k)").status == "excluded"
    assert solved("(p a)", "(both a k)")  # adding wins, a constant is an object
    assert not solved("(p a)", "(both a a)")  # = in a precondition
    assert solved("(p k)", "(and)")  # a name that is a keyword
    assert solved("(p A)", "(BOTH A K)")


def test_an_argument_of_another_type_is_an_argument_error(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(SMALL.replace("(:types t)", "(:types t u)"))
    (tmp_path / "p.pddl").write_text(
        "(define (problem p) (:domain d) (:objects a - t b - u) (:init) (:goal (p a)))"
    )
    result = evaluated(tmp_path, "(both a b)", "p")
    assert [(str(f.kind), f.step) for f in result.findings] == [("argument_number", 1)]
    assert not result.success


PATH = {"goal": "ontable(a) U holding(D)", "instruction": "Take d first."}


def test_a_path_goal_counts_beside_the_goal_of_the_problem() -> None:
    by_text = Pddl.from_texts(
        "blocks", DOMAIN, {"one": PROBLEM, "two": {**PATH, "problem": PROBLEM}}
    )
    domain = eai.parse_domain(DOMAIN)
    problem = eai.parse_problem(PROBLEM, domain=domain)
    given: dict[str, Problem | dict[str, object]] = {
        "one": problem,
        "two": {**PATH, "problem": problem},
    }
    late = "(unstack b a) (put-down b) (pick-up a) (stack a b) (unstack a b) (put-down a) " + PLAN
    for suite in (by_text, Pddl.from_texts("blocks", domain, given)):
        assert pickle.loads(pickle.dumps(suite)).task("two").goal == suite.task("two").goal
        answers = {"good": {"one": PLAN, "two": PLAN}, "late": {"one": late, "two": late}}
        found = eai.evaluate(suite, answers)
        assert [r.result.success for r in found.records] == [True, True, True, False]
        [failure] = found.failures()
        assert "is false at the start" in str(eai.explain(failure, suite=suite))
        asked = prompt_of(suite, suite.task("two"), "action_sequencing") or ""
        assert "Take d first." in asked
        assert "ontable(a) U holding(d)" in asked


def test_a_suite_of_texts_reads_nothing_of_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "d.pddl").write_text(DOMAIN)
    suite = Pddl.from_texts("blocks", tmp_path / "d.pddl", {"one": PROBLEM})
    task, content = suite.task("one"), suite.content
    monkeypatch.chdir(tmp_path)
    for name in ("phrases.json", "domains.json", "manifest.json"):
        (tmp_path / name).write_text("{")
    again = pickle.loads(pickle.dumps(suite))
    assert (again.task("one").goal, again.content) == (task.goal, content)


def test_path_goals_stand_beside_problems(tmp_path: Path) -> None:
    folder = write_suite(tmp_path / "blocks")
    goals = {"instance-2": "G ontable(a)", "instance-10": PATH}
    (folder / "goals.json").write_text(json.dumps(goals))
    suite = eai.suite(f"pddl:{folder}")
    assert str(suite.task("instance-2").goal.formula) == "G ontable(a)"
    assert suite.task("instance-10").instruction == "Take d first."
    line = {"id": "x", "domain": DOMAIN, "problem": PROBLEM, **PATH}
    (tmp_path / "tasks.jsonl").write_text(json.dumps(line))
    assert str(eai.suite(f"pddl:{tmp_path / 'tasks.jsonl'}").task("x").goal.formula) == (
        "ontable(a) U holding(d)"
    )


@pytest.mark.parametrize(
    ("goals", "message"),
    [
        ('{"instance-3": "F holding(d)"}', "goals.json: there is no problem named 'instance-3'"),
        ('{"instance-2": 3}', "goals.json: the value of 'instance-2' is not a goal: 3"),
        ('{"instance-2": {"gaol": "F holding(d)"}}', "did you mean 'goal'"),
        ('["F"]', "goals.json: it is not a JSON object"),
        ('{"instance-2": "F",}', "goals.json:1:20: it cannot be read as JSON"),
    ],
)
def test_goals_of_another_form_are_refused(tmp_path: Path, goals: str, message: str) -> None:
    folder = write_suite(tmp_path / "blocks")
    (folder / "goals.json").write_text(goals)
    with pytest.raises((SchemaError, UnknownNameError), match=message):
        eai.suite(f"pddl:{folder}")


@pytest.mark.parametrize("name", ["goal.json", "Goals.json", "golas.json", "goals.jsonl"])
def test_goals_in_a_file_of_another_name_are_not_dropped(tmp_path: Path, name: str) -> None:
    folder = write_suite(tmp_path / "blocks")
    (folder / name).write_text('{"instance-2": "F holding(d)"}')
    with pytest.raises(UnknownNameError) as caught:
        eai.suite(f"pddl:{folder}")
    assert caught.value.suggestions[0] == "goals.json"


@pytest.mark.parametrize("name", ["metadata.json", "answers.json", "plans.json", "goals.md"])
def test_other_files_may_lie_beside_the_problems(tmp_path: Path, name: str) -> None:
    folder = write_suite(tmp_path / "blocks")
    before = eai.suite(f"pddl:{folder}").task_ids()
    (folder / name).write_text("{}")
    assert eai.suite(f"pddl:{folder}").task_ids() == before


def test_goals_in_a_folder_below_are_not_dropped(tmp_path: Path) -> None:
    write_suite(tmp_path / "all" / "blocks")
    goals = tmp_path / "all" / "blocks" / "goals.json"
    goals.write_text('{"instance-2": "F holding(d)"}')
    with pytest.raises(InputError) as caught:
        eai.suite(f"pddl:{tmp_path / 'all'}")
    assert caught.value.where == str(goals)
    assert "blocks/NAME" in str(caught.value.expected)


def test_a_mistake_in_a_path_goal_names_the_file(tmp_path: Path) -> None:
    folder = write_suite(tmp_path / "blocks")
    (folder / "goals.json").write_text('{"instance-2": "F holdin(d)"}')
    with pytest.raises(ParseError, match=r"goals\.json: instance-2: goal:1:3"):
        eai.suite(f"pddl:{folder}").task("instance-2")


def test_a_path_goal_has_a_column_only_where_there_is_one(tmp_path: Path) -> None:
    folder = write_suite(tmp_path / "blocks")
    answers = {"instance-2": PLAN}
    before = eai.evaluate(eai.suite(f"pddl:{folder}"), answers, tasks="answered")
    assert before.failures() == ()
    assert "Path Goal" not in str(before)
    (folder / "goals.json").write_text('{"instance-2": "G ontable(d)"}')
    suite = eai.suite(f"pddl:{folder}")
    report = eai.evaluate(suite, answers, tasks="answered")
    scores = {score.key: score for score in report.metrics("unnamed")}
    assert (scores["total_goal"].counts, scores["path_goal"].counts) == ("1/1", "0/1")
    assert scores["task_success_rate"].counts == "0/1"
    assert "Path Goal" in str(report)
    [finding] = next(iter(report.records)).result.findings
    assert (finding.kind.value, "after step" in finding.message) == ("path_goal", True)
    assert "unmet path condition" in str(eai.explain(next(iter(report.records)), suite=suite))
    others = eai.evaluate(eai.suite(f"pddl:{folder}"), {"instance-10": PLAN})
    absent = next(record for record in others.records if record.task == "instance-2")
    assert [(each.kind, each.amount) for each in absent.result.measures] == [("path_goal", 0)]
    both = eai.evaluate(eai.suite(f"pddl:{folder}"), {"a": answers, "b": {}})
    assert "over 1 task," in both.compare(metrics="path_goal").conclusions[0]
    ranked = Leaderboard([both], metrics=["path_goal"])
    assert "n=1)" in ranked.rows.columns[1].heading


def test_what_a_suite_of_texts_lacks_is_said() -> None:
    given = {"one": {"problem": PROBLEM, "goal": "F holdin(d)"}}
    suite = Pddl.from_texts("blocks", DOMAIN, given)
    with pytest.raises(ParseError, match="holdin"):
        suite.task("one")
    with pytest.raises(SchemaError, match="no problem"):
        Pddl.from_texts("blocks", DOMAIN, {"one": {"goal": "F holding(d)"}})
    with pytest.raises(InputError, match="no tasks"):
        Pddl.from_texts("blocks", DOMAIN, {})
    absent = Pddl.from_texts("blocks", Path("missing.pddl"), {"one": PROBLEM})
    with pytest.raises(InputError, match="missing"):
        absent.task("one")


@pytest.mark.parametrize("file", ["domain.pddl", "instance-2.pddl", "goals.json", "manifest.json"])
def test_a_run_does_not_go_on_with_tasks_that_were_changed(tmp_path: Path, file: str) -> None:
    folder, run = write_suite(tmp_path / "blocks"), tmp_path / "run"
    eai.evaluate(f"pddl:{folder}", {"instance-2": PLAN}, output=run)
    eai.evaluate(f"pddl:{folder}", {"instance-2": PLAN}, output=run)
    path = folder / file
    new = {"goals.json": {"instance-2": "F on(a, b)"}, "manifest.json": {"version": "3"}}.get(file)
    path.write_text(json.dumps(new) if new else path.read_text() + "; changed\n")
    with pytest.raises(OutputExistsError, match="a complete run of tasks that were changed since"):
        eai.evaluate(f"pddl:{folder}", {"instance-2": PLAN}, output=run)
    eai.evaluate(f"pddl:{folder}", {"instance-2": PLAN}, output=run, force=True)


@pytest.mark.parametrize("key", ["gaol", "Goal", "ltl", "formula", "path_goal", "instructions"])
def test_unknown_keys_of_tasks_are_refused(tmp_path: Path, key: str) -> None:
    with pytest.raises(UnknownNameError) as raised:
        Pddl.from_texts("mine", DOMAIN, {"x": {"problem": PROBLEM, key: "G false"}})
    assert raised.value.name == key
    assert raised.value.suggestions == ["instruction" if key == "instructions" else "goal"]
    file = tmp_path / "tasks.jsonl"
    file.write_text(json.dumps({"id": "x", "domain": DOMAIN, "problem": PROBLEM, key: "G false"}))
    with pytest.raises(UnknownNameError) as raised:
        eai.suite(f"pddl:{file}")
    assert raised.value.kind == "key"
    assert raised.value.suggestions
    with pytest.raises(UnknownNameError) as on_command_line:
        named_suite(f"pddl:{file}")
    assert on_command_line.value.mend == raised.value.mend


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("goals.json", '{"instance-2": "G ontable(a)", "instance-2": "F ontable(a)"}'),
        ("manifest.json", '{"unsolvable": ["instance-2"], "unsolvable": []}'),
        ("manifest.json", '{"rules": [{"name": "n", "formula": "G false", "formula": "F true"}]}'),
        ("phrases.json", '{"actions": {"stack": "put {} on {}", "stack": "lay {} on {}"}}'),
    ],
)
def test_keys_that_are_given_twice_are_refused(tmp_path: Path, file: str, content: str) -> None:
    folder = write_suite(tmp_path / "blocks")
    (folder / file).write_text(content)
    with pytest.raises(SchemaError) as raised:
        eai.suite(f"pddl:{folder}").task("instance-2")
    assert raised.value.where == str(folder / file)


def test_a_misspelled_action_among_the_phrases_is_refused(tmp_path: Path) -> None:
    folder = write_suite(tmp_path / "blocks")
    phrases = {name: text for name, text in WORDS["actions"].items() if name != "stack"}
    # An action of another domain is none of the domain's, but resembles none without a phrase.
    (folder / "phrases.json").write_text(json.dumps({"actions": phrases | {"paint": "paint {}"}}))
    assert eai.suite(f"pddl:{folder}").task("instance-2")
    (folder / "phrases.json").write_text(
        json.dumps({"actions": phrases | {"stakc": "put {} on {}"}})
    )
    with pytest.raises(UnknownNameError) as raised:
        eai.suite(f"pddl:{folder}").task("instance-2")
    assert raised.value.suggestions == ["stack"]


def test_phrases_of_a_domain_that_is_not_there_are_refused(tmp_path: Path) -> None:
    (tmp_path / "domains.json").write_text(json.dumps({"blocks": DOMAIN}))
    (tmp_path / "phrases.json").write_text(json.dumps({"block": WORDS}))
    file = tmp_path / "tasks.jsonl"
    file.write_text(json.dumps({"id": "x", "domain": "blocks", "problem": PROBLEM}))
    with pytest.raises(UnknownNameError) as raised:
        eai.suite(f"pddl:{file}").task("x")
    assert raised.value.suggestions == ["blocks"]


def test_unknown_keys_of_a_manifest_are_refused(tmp_path: Path) -> None:
    folder = write_suite(tmp_path / "blocks")
    (folder / "manifest.json").write_text('{"unsolveable": ["instance-2"]}')
    with pytest.raises(UnknownNameError) as raised:
        eai.suite(f"pddl:{folder}")
    assert raised.value.suggestions == ["unsolvable"]


@pytest.mark.parametrize(
    "name", ["plans/instance-99.plan", "plans/instance-2.plan.1", "below/plans/instance-2.plan"]
)
def test_a_reference_plan_that_belongs_to_no_problem_is_named(tmp_path: Path, name: str) -> None:
    folder = write_suite(tmp_path / "blocks")
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("(pick-up d)", "utf-8")
    with pytest.raises(InputError, match="belongs to no problem") as caught:
        eai.suite(f"pddl:{folder}")
    assert caught.value.where == str(file)


@pytest.mark.parametrize("name", ["README.md", ".gitkeep"])
def test_texts_about_the_reference_plans_are_allowed(tmp_path: Path, name: str) -> None:
    folder = write_suite(tmp_path / "blocks")
    before = eai.suite(f"pddl:{folder}").task_ids()
    (folder / "plans" / name).write_text("how they were made", "utf-8")
    assert eai.suite(f"pddl:{folder}").task_ids() == before


@pytest.mark.parametrize("scheme", ["pddl", "ltl"])
def test_a_path_that_cannot_be_read_is_no_mistake_of_a_suite(scheme: str) -> None:
    too_long = 300 * "a"
    with pytest.raises(InputError) as caught:
        eai.suite(f"{scheme}:{too_long}@traces=finite" if scheme == "ltl" else f"pddl:{too_long}")
    assert too_long in str(caught.value.where)
    assert "module:attribute" not in str(caught.value)
