"""Rules beside the goals, in every command that takes them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from pddl_blocks import DOMAIN, PROBLEM
from typer.testing import CliRunner

import eai
from eai.acting import EpisodeRules, Message, Situation
from eai.agents import Dialogue
from eai.agents.oracle import OracleAgent
from eai.cli.program import app
from eai.diagnosis import Result
from eai.errors import InputError, ModelError, SchemaError, UnknownNameError
from eai.logic import evaluate, load_rules, trigger_of
from eai.report import rule_counts
from eai.semantics import Semantics
from eai.suites.pddl import Pddl
from eai.suites.thor.document import ThorTasksDocument
from eai.suites.thor.suite import ThorTasks
from eai.task import Task

SUITE = Pddl.from_texts("blocks", DOMAIN, {"one": PROBLEM})
TASK = SUITE.task("one")
SOLVES = "(pick-up d)\n(stack d b)"
SAFE = "(unstack b a)\n(put-down b)\n(pick-up d)\n(stack d b)"
B_DOWN = {"name": "b down", "formula": "G (holding(d) -> ontable(b))"}
IDLE = {"name": "idle", "formula": "forall x. G (on(x, d) -> clear(x))"}
NEVER = {"name": "never", "formula": "G !holding(d)"}
RULES = [B_DOWN, IDLE]


def verdicts(result: Result) -> dict[str, tuple[bool, bool, int | None]]:
    return {rule.name: (rule.kept, rule.at_stake, rule.step) for rule in result.rules}


def test_rule_whose_trigger_never_happens_is_counted_apart() -> None:
    report = eai.evaluate(SUITE, {"m": {"one": SOLVES}}, rules=RULES)
    found = verdicts(report.records[0].result)
    assert found == {"b down": (False, True, 1), "idle": (True, False, None)}
    counts = rule_counts(report.tally("m"))
    assert counts["b down"] == (1, 0, 1, 0)
    assert counts["idle"] == (0, 0, 0, 1)
    line = eai.report.record_to_json(report.records[0])
    assert eai.report.record_from_json(line).result.rules == report.records[0].result.rules


def test_trigger_of_a_conjunction_is_that_of_one_of_its_parts() -> None:
    names = TASK.logic_names()
    both = eai.parse_formula("G (on(a, b) -> clear(a)) and G (on(b, d) -> clear(b))")
    assert trigger_of(both) == eai.parse_formula("F on(a, b) or F on(b, d)", vocabulary=names)
    assert trigger_of(eai.parse_formula("G !holding(d)")) is None


def test_explanation_judges_by_given_rules_and_says_what_would_have_kept_them() -> None:
    record = eai.evaluate(SUITE, {"m": {"one": SOLVES}}).records[0]
    explained = eai.explain(record, suite=SUITE, rules=RULES)
    assert verdicts(explained.record.result)["b down"] == (False, True, 1)
    assert explained.remedies.keys() == {"b down"}
    assert "put-down(b)" in explained.remedies["b down"]
    stored = eai.evaluate(SUITE, {"m": {"one": SOLVES}}, rules=RULES).records[0]
    assert "not searched" in eai.explain(stored, suite=SUITE).remedies["b down"]


def test_repair_finds_the_fewest_edits_that_keep_rules() -> None:
    assert eai.repair(TASK, SOLVES).distance == 0
    mended = eai.repair(TASK, SOLVES, rules=RULES)
    assert (mended.distance, mended.optimal) == (2, True)
    assert mended.repaired is not None
    report = eai.evaluate(SUITE, {"m": {"one": SAFE}}, rules=RULES)
    assert report.records[0].result.is_safe_success
    assert [step.name for step in mended.repaired] == ["unstack", "put-down", "pick-up", "stack"]


def test_repair_says_that_no_plan_keeps_a_rule_against_the_goal() -> None:
    assert not eai.repair(TASK, SOLVES, rules=[NEVER]).found


def test_repair_follows_the_instances_that_repaired_plans_break() -> None:
    # Nothing but what is put onto b may be lifted: so b cannot be moved away first.
    rule = {"name": "only d", "formula": "forall x. (G (holding(x) -> X on(x, b)))"}
    assert eai.repair(TASK, SOLVES, rules=[rule]).distance == 0
    mended = eai.repair(TASK, SOLVES, rules=[B_DOWN, rule])
    assert not mended.found
    assert not eai.plan(DOMAIN, PROBLEM, rules=[B_DOWN, rule]).solved


def test_rules_that_do_not_apply_are_noted_and_refused_if_none_does() -> None:
    other = {"name": "other", "formula": "G !holding(z)"}
    mended = eai.repair(TASK, SOLVES, rules=[B_DOWN, other])
    assert len(mended.notes) == 1
    for rules in ([other], [{**B_DOWN, "tasks": ["two"]}]):
        with pytest.raises(InputError):
            eai.repair(TASK, SOLVES, rules=rules)


def test_causes_name_the_steps_behind_a_broken_rule() -> None:
    found = eai.causes(TASK, SOLVES, rules=RULES)
    broken, idle = found.rules
    assert (broken.name, broken.kept, broken.step, broken.rests_on) == ("b down", False, 1, (1,))
    assert ("holding(d)", 1) in [(link.fact, link.maker) for link in broken.because]
    assert idle.outcome == "never at stake"
    assert found.fixed
    assert not eai.causes(TASK, SOLVES, rules=[B_DOWN]).fixed


def test_replanning_goes_on_until_the_rules_are_kept() -> None:
    done = eai.replan(SUITE, "one", [SOLVES, SAFE], rules=RULES)
    assert len(done.attempts) == 2
    assert done.attempts[0].result.success
    assert "'b down'" in done.attempts[0].feedback
    assert done.success
    assert not eai.replan(SUITE, "one", [SOLVES], rules=RULES, max_attempts=1).success


def test_own_prompt_of_replanning_lists_rules_and_a_given_one_does_not() -> None:
    rule = {**B_DOWN, "text": "Put b down first."}
    (told,) = Dialogue(SUITE, "one", rules=[rule, IDLE]).messages
    assert "- Put b down first." in told["content"]
    assert IDLE["formula"] in told["content"]
    (given,) = Dialogue(SUITE, "one", rules=[rule], prompt="Plan.").messages
    assert given["content"] == "Plan."


def test_oracle_keeps_rules_or_says_that_it_cannot() -> None:
    answer = OracleAgent(SUITE, "one", rules=RULES).answer
    assert (
        eai.evaluate(SUITE, {"m": {"one": answer}}, rules=RULES).records[0].result.is_safe_success
    )
    with pytest.raises(ModelError):
        _ = OracleAgent(SUITE, "one", rules=[NEVER]).answer


def test_episodes_are_judged_and_the_oracle_keeps_rules_in_them() -> None:
    acted = eai.interact(SUITE, "one", rules=RULES)
    assert acted.result.is_safe_success
    told = eai.interact(SUITE, "one", ["Action: PICK-UP d", "Action: STACK d b"], rules=RULES)
    assert verdicts(told.result)["b down"] == (False, True, 1)
    again = eai.evaluate(SUITE, {"m": {"one": told.output}}, ability="interaction", rules=RULES)
    assert again.records[0].result.rules == told.result.rules


def test_prompt_of_every_turn_lists_the_rules() -> None:
    told: list[str] = []

    def agent(messages: Sequence[Message]) -> str:
        told.append(messages[-1]["content"])
        return "Action: PICK-UP d" if len(told) == 1 else "Action: STACK d b"

    rules = [{**B_DOWN, "text": "Put b down first."}, IDLE]
    listed = eai.interact(SUITE, "one", agent, rules=rules)
    assert len(told) == 2
    for prompt in told:
        assert "- Put b down first." in prompt
        assert f"- {IDLE['formula']}" in prompt
    assert listed.prompt == ("rules",)
    told.clear()
    assert eai.interact(SUITE, "one", agent).prompt == ()
    assert IDLE["formula"] not in "".join(told)


class PublishedPrompt:
    version = "1234"

    def __call__(self, situation: Situation) -> list[Message]:  # noqa: ARG002 - as a Brief has it
        return [{"role": "user", "content": "Go."}]


def test_published_prompt_stays_and_a_note_says_that_it_lists_no_rules() -> None:
    class Published(Pddl):
        def episode_rules(self, task: Task, semantics: Semantics) -> EpisodeRules:
            return replace(super().episode_rules(task, semantics), brief=PublishedPrompt())

    told: list[str] = []

    def agent(messages: Sequence[Message]) -> str:
        told.append(messages[-1]["content"])
        return "Action: PICK-UP d"

    suite = Published.from_texts("blocks", DOMAIN, {"one": PROBLEM})
    plain = eai.interact(suite, "one", agent)
    ruled = eai.interact(suite, "one", agent, rules=RULES)
    assert set(told) == {"Go."}
    assert "rules" not in ruled.prompt
    assert len(ruled.result.notes) == len(plain.result.notes) + 1


@pytest.mark.parametrize("kind", ["binary", "graded", "repair"])
def test_reward_of_an_answer_that_breaks_a_rule_is_not_that_of_a_success(kind: str) -> None:
    plain = eai.Reward(SUITE, kind=kind)
    ruled = eai.Reward(SUITE, kind=kind, rules=RULES)
    assert plain.score("one", [SOLVES, SAFE]) == [1.0, 1.0]
    unsafe, safe = ruled.score("one", [SOLVES, SAFE])
    assert safe == 1.0
    assert unsafe < 1.0
    assert ruled.attempt("one", SOLVES).broken == ("b down",)
    assert ruled.attempt("one", SAFE).broken == ()
    if kind == "binary":
        assert unsafe == 0


def test_plan_keeps_rules_or_proves_that_none_does() -> None:
    found = eai.plan(DOMAIN, PROBLEM, engine="eai-optimal", rules=RULES)
    assert found.plan is not None
    assert (len(found.plan), found.optimal) == (4, True)
    assert len(eai.plan(DOMAIN, PROBLEM, engine="eai-optimal").plan or ()) == 2
    assert not eai.plan(DOMAIN, PROBLEM, rules=[NEVER]).solved
    elsewhere = [{**NEVER, "tasks": ["another problem"]}]
    assert eai.plan(DOMAIN, PROBLEM, rules=elsewhere).solved
    with pytest.raises(InputError):
        eai.plan(DOMAIN, PROBLEM, rules=[{"name": "z", "formula": "G !holding(z)"}])


def folder_with(path: Path, rules: object) -> Path:
    path.mkdir()
    (path / "domain.pddl").write_text(DOMAIN)
    (path / "one.pddl").write_text(PROBLEM)
    (path / "manifest.json").write_text(json.dumps({"rules": rules}))
    return path


def test_manifest_names_or_lists_rules(tmp_path: Path) -> None:
    listed = Pddl(str(folder_with(tmp_path / "listed", RULES)))
    named = folder_with(tmp_path / "named", "safe.jsonl")
    (named / "safe.jsonl").write_text("\n".join(map(json.dumps, RULES)))
    for suite in (listed, Pddl(str(named))):
        result = eai.evaluate(suite, {"m": {"one": SOLVES}}).records[0].result
        assert verdicts(result)["b down"] == (False, True, 1)
        assert eai.repair(suite.task("one"), SOLVES).distance == 2
        with pytest.raises(SchemaError):  # the same name for another rule
            eai.repair(suite.task("one"), SOLVES, rules=[{**B_DOWN, "formula": "G !holding(a)"}])
    before = Pddl(str(named)).content
    (named / "safe.jsonl").write_text(json.dumps(NEVER))
    assert Pddl(str(named)).content != before


def test_manifest_with_wrong_rules_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError):
        Pddl(str(folder_with(tmp_path / "a", [{**B_DOWN, "tasks": ["two"]}])))
    wrong = Pddl(str(folder_with(tmp_path / "b", [{"name": "r", "formula": "G !holding(z)"}])))
    with pytest.raises(InputError):
        wrong.task("one")


def test_tasks_in_rooms_may_have_rules() -> None:
    document = ThorTasksDocument.model_validate(
        {
            "rules": [{"name": "still", "formula": "G !DROP()"}],
            "tasks": [
                {
                    "id": "one",
                    "scene": "FloorPlan1",
                    "instruction": "Open the fridge.",
                    "goal": [{"object": "Fridge", "is": ["open"]}],
                }
            ],
        }
    )
    suite = ThorTasks(document)
    task = suite.task("one")
    assert [rule.name for rule in task.rules] == ["still"]
    report = eai.evaluate(suite, {"m": {"one": suite_answer(suite)}})
    assert verdicts(report.records[0].result)["still"][0]


def suite_answer(suite: ThorTasks) -> str:
    return OracleAgent(suite, "one").answer


def test_commands_take_rules(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "blocks", RULES)
    (folder / "manifest.json").unlink()
    rules, answer = tmp_path / "rules.jsonl", tmp_path / "answer.txt"
    rules.write_text("\n".join(map(json.dumps, RULES)))
    answer.write_text(SOLVES)
    suite, option = f"pddl:{folder}", ["--rules", str(rules), "--json"]

    def call(*words: str, code: int = 0) -> dict[str, object]:
        done = CliRunner().invoke(app, [*words, *option])
        assert done.exit_code == code, done.output
        document: dict[str, object] = json.loads(done.stdout)
        return document

    assert call("repair", suite, "one", str(answer), code=1)["distance"] == 2
    found = call("causes", suite, "one", str(answer))["rules"]
    assert isinstance(found, list)
    assert [rule["kept"] for rule in found] == [False, True]
    files = [str(folder / "domain.pddl"), str(folder / "one.pddl")]
    steps = call("plan", *files, "--engine", "eai-optimal")["plan"]
    assert isinstance(steps, list)
    assert len(steps) == 4
    for words in (("replan", suite), ("interact", suite)):
        models = call(*words)["models"]
        assert isinstance(models, dict)
        for model in models.values():
            assert model["rules"]["b down"]["broken"] == 0


def test_every_safe_plan_is_judged_safe() -> None:
    found = eai.plan(DOMAIN, PROBLEM, engine="eai-optimal", rules=RULES).plan or ()
    execution = SUITE.plans(SUITE.semantics("strict")).evaluate_actions(TASK, found)
    assert execution.evidence is not None
    for rule in load_rules(RULES):
        assert evaluate(rule.formula_for(TASK.logic_names()), execution.evidence.trajectory)
