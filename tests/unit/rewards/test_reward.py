"""Rewards: what answers are worth, in which forms they are taken, what is refused."""

from __future__ import annotations

import inspect
import json
import multiprocessing
import pickle
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

import eai
from eai.abilities import Plans
from eai.contract import PLANS, Suite, write_plan
from eai.diagnosis import Result
from eai.errors import DataMissingError, InputError, UnknownNameError
from eai.rewards import Attempt, Reward, Weights
from eai.rewards.progress import attempt_function
from eai.semantics import Semantics
from eai.suites.household import Household
from eai.task import Task

LIGHT = "studio-01"
WALK = '{"WALK": ["light.34"]}'
SWITCH = '{"SWITCHON": ["light.34"]}'
SOLUTION = f"[{WALK}, {SWITCH}]"
SUITE = Household()


@pytest.fixture(scope="module")
def reward() -> Reward:
    return Reward(SUITE)


def gold(task: str) -> list[str]:
    return [str(step) for step in SUITE.task(task).plans[0]]


def batch() -> tuple[list[str], list[str]]:
    """Every prefix of the first reference plan of some tasks."""
    pairs = [
        (task, "\n".join(gold(task)[:count]) or "[]")
        for task in SUITE.task_ids()[::15]
        for count in range(len(gold(task)) + 1)
    ]
    tasks, completions = zip(*pairs, strict=True)
    return list(tasks), list(completions)


def test_a_solution_is_worth_one_and_nothing_else_is(reward: Reward) -> None:
    answers = [SOLUTION, f"[{WALK}]", "[]", "", "I cannot do that.", None]
    assert reward.score(LIGHT, answers) == [1.0, 0.15, 0.0, 0.0, 0.0, 0.0]
    binary = Reward(SUITE, kind="binary")
    assert binary.score(LIGHT, answers) == [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]


def test_every_reference_plan_solves_its_task_and_the_empty_plan_none(reward: Reward) -> None:
    assert reward.tasks() == list(SUITE.task_ids())
    for name in SUITE.task_ids():
        task = SUITE.task(name)
        plans = ["\n".join(map(str, plan)) for plan in task.plans]
        assert reward.score(name, plans) == [1.0] * len(plans)
        assert reward.attempt(name, "[]") == Attempt(solved=False)


def test_each_step_towards_the_goal_is_worth_more(reward: Reward) -> None:
    steps = gold("studio-02")
    values = reward.score("studio-02", ["\n".join(steps[:n]) for n in range(1, len(steps) + 1)])
    assert values == sorted(set(values))


def test_steps_that_are_not_executed_cost_what_they_are_in_reference_plans(reward: Reward) -> None:
    stuck = '{"GRAB": ["couch.22"]}'
    one = reward.attempt(LIGHT, f"[{WALK}, {stuck}]")
    many = reward.attempt(LIGHT, f"[{WALK}, {stuck}, {SWITCH}, {SWITCH}]")
    assert one == Attempt(solved=False, goals=0.0, way=0.5, left=0.5)
    assert many == Attempt(solved=False, goals=0.0, way=0.5, left=1.0)
    assert reward.weights.value(many) < reward.weights.value(one) < 0.15


def test_a_plan_that_stops_behind_the_goal_does_not_solve_the_task(reward: Reward) -> None:
    attempt = reward.attempt(LIGHT, f'{SOLUTION[:-1]}, {{"GRAB": ["couch.22"]}}]')
    assert attempt == Attempt(solved=False, goals=1.0, way=1.0, left=0.5)
    assert reward.weights.value(attempt) == pytest.approx(0.9 * 0.75)


def test_what_was_reached_and_destroyed_again_is_worth_nothing(reward: Reward) -> None:
    wandering = "WALK(fridge.40)\nOPEN(fridge.40)\nCLOSE(fridge.40)"
    assert reward.attempt("studio-02", wandering).goals == 0.0
    undone = "\n".join([*gold(LIGHT), "SWITCHOFF(light.34)"])
    assert reward.attempt(LIGHT, undone) == Attempt(solved=False, goals=0.0, way=0.5)


def test_of_several_plans_only_the_last_is_read(reward: Reward) -> None:
    nothing = '[{"WALK": ["couch.22"]}]'
    answers = [f"Either {SOLUTION} or {nothing}", f"Either {nothing} or {SOLUTION}"]
    # A step beside the last plan may belong to it: then the answer is not read.
    assert reward.score(LIGHT, answers) == [reward.score(LIGHT, [nothing])[0], 0.0]
    both = f"First idea: {nothing}. Final answer: {SOLUTION}"
    assert reward.score(LIGHT, [both]) == [1.0]
    assert reward.score(LIGHT, [f'{{"plan": {SOLUTION}, "actions": {SOLUTION}}}']) == [1.0]
    hidden = f"<think>{SOLUTION}</think>{nothing}"
    assert reward.score(LIGHT, [hidden]) == reward.score(LIGHT, [nothing])


def test_chat_messages_and_parts_of_messages_are_read(reward: Reward) -> None:
    reply = {"role": "assistant", "content": SOLUTION}
    parts = {"role": "assistant", "content": [{"type": "text", "text": SOLUTION}]}
    call = {"role": "assistant", "content": None}
    asked = {"role": "user", "content": SOLUTION}
    answers = [[reply], reply, [parts], [call, asked, reply, asked], [reply, call], [asked], []]
    assert reward.score(LIGHT, answers) == [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]


def test_answers_that_were_parsed_are_plans(reward: Reward) -> None:
    walk, switch = {"WALK": ["light.34"]}, {"SWITCHON": ["light.34"]}
    assert reward.score(LIGHT, [[walk, switch], [walk], walk, (walk, switch)]) == [
        1.0,
        0.15,
        0.15,
        1.0,
    ]
    frozen = MappingProxyType({"WALK": ("light.34",)})
    assert reward.score(LIGHT, [{"steps": [frozen, switch]}]) == [1.0]
    goals = Reward(SUITE, "goal_interpretation", kind="binary")
    answer = {"node goals": [{"name": "light.34", "state": "ON"}], "edge goals": []}
    assert goals.score(LIGHT, [answer]) == goals.score(LIGHT, [json.dumps(answer)])


def test_an_answer_that_was_parsed_is_no_list_of_messages(reward: Reward) -> None:
    walk, switch = {"WALK": ["light.34"]}, {"SWITCHON": ["light.34"]}
    hidden = {"FLY": ["moon"], "role": "user"}
    assert reward.score(LIGHT, [[hidden, {"plan": [walk, switch]}], [walk, hidden, switch]]) == [
        0.0,
        0.0,
    ]


@pytest.mark.parametrize(
    "answer",
    [
        f'{{"plan": {SOLUTION}, "then": [{{"FLY": ["moon"]}}]}}',
        f'{{"plan": {SOLUTION}, "FLY": ["moon"]}}',
        f'{{"plan": {SOLUTION}, "switchoff": "light.34"}}',
        f"{SOLUTION} FLY(moon)",
        f"```json\n{SOLUTION}\n```\n\nswitchoff light.34",
        f"{SOLUTION}\netc.",
        "WALK(light.34) - FLY(moon)\nSWITCHON(light.34)",
        "WALK(light.34)\n<FLY>moon</FLY>\nSWITCHON(light.34)",
        '[{"action": "WALK", "object": "light.34", "next": {"action": "FLY", "object": "moon"}},'
        ' {"action": "SWITCHON", "object": "light.34"}]',
    ],
)
def test_a_step_that_is_hidden_beside_the_plan_makes_it_worth_nothing(
    reward: Reward, answer: str
) -> None:
    assert reward.score(LIGHT, [answer]) == [0.0]
    strict = SUITE.semantics("strict")
    result = SUITE.evaluate("action_sequencing", SUITE.task(LIGHT), answer, strict)
    assert not result.success
    assert result.findings


def test_none_and_lists_without_an_answer_are_worth_nothing(reward: Reward) -> None:
    assert reward.score(LIGHT, [None, [], [{"role": "user", "content": SOLUTION}]]) == [0.0] * 3


def test_the_function_takes_a_suite_by_its_name(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EAI_CACHE", str(tmp_path))
        with pytest.raises(DataMissingError):
            eai.reward("virtualhome", [LIGHT], [SOLUTION])
    with pytest.raises(UnknownNameError):
        eai.reward(SUITE, "studio-99", [SOLUTION])


def test_the_call_of_a_trainer(reward: Reward) -> None:
    values = reward(
        prompts=["...", "..."],
        completions=[[{"role": "assistant", "content": SOLUTION}], f"[{WALK}]"],
        completion_ids=[[1], [2]],
        task=[LIGHT, LIGHT],
        trainer_state=None,
    )
    assert values == [1.0, 0.15]
    assert Reward(SUITE, column="id")(["?"], [SOLUTION], id=[LIGHT]) == [1.0]
    assert reward.__name__ == "household_action_sequencing_graded"
    assert not inspect.iscoroutinefunction(reward)
    with pytest.raises(InputError, match="no column 'task'") as error:
        reward(prompts=["?"], completions=[SOLUTION], names=[LIGHT], places=["?"])
    assert "column=" in str(error.value)
    assert error.value.expected is not None
    assert error.value.expected.endswith("given: names, places")
    with pytest.raises(InputError) as error:
        reward(prompts=["?"], completions=[SOLUTION])
    assert error.value.expected is not None
    assert error.value.expected.endswith("given: none")


def test_a_mixed_batch_has_its_rewards_in_its_own_order(reward: Reward) -> None:
    tasks = ["studio-01", "flat-03", "studio-01", "flat-03", "studio-01"]
    answers = [SOLUTION, SOLUTION, "no", None, SOLUTION]
    single = [reward.score(task, [answer])[0] for task, answer in zip(tasks, answers, strict=True)]
    assert reward.score(tasks, answers) == single
    assert single[0] == single[4] == 1
    assert single[1] < 1


def test_arrays_are_batches_and_the_function_scores_once(reward: Reward) -> None:
    tasks, completions = np.array([LIGHT, LIGHT]), np.array([SOLUTION, "no"])
    assert reward.score(tasks, completions) == [1.0, 0.0]
    assert eai.reward("household", tasks, completions) == [1.0, 0.0]
    assert eai.reward(SUITE, LIGHT, iter([SOLUTION]), kind="binary") == [1.0]
    assert reward.score([], []) == []


def test_other_weights_and_what_is_no_weight() -> None:
    only = Reward(SUITE, weights=Weights(goals=0.5, way=0.0))
    assert only.score(LIGHT, [SOLUTION, f"[{WALK}]"]) == [1.0, 0.0]
    for wrong in (-0.1, 1.5, float("nan"), "much", True):
        with pytest.raises(InputError, match="the weight goals"):
            Weights(goals=wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="add up to 1"):
        Weights(goals=0.7, way=0.3)


def test_other_abilities_have_a_binary_reward() -> None:
    made = Reward(SUITE, "goal_interpretation", kind="binary")
    assert made.score(LIGHT, ["[]", None]) == [0.0, 0.0]
    with pytest.raises(InputError, match="no graded reward for goal_interpretation"):
        Reward(SUITE, "goal_interpretation")


def test_another_semantics_asks_the_evaluate() -> None:
    made = Reward(SUITE, semantics="official")
    stuck = f'[{WALK}, {{"GRAB": ["couch.22"]}}]'
    assert made.score(LIGHT, [SOLUTION, stuck, "no"]) == Reward(SUITE).score(
        LIGHT, [SOLUTION, stuck, "no"]
    )


def test_another_semantics_runs_an_answer_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reward, task = Reward("household", semantics="official"), SUITE.task(SUITE.task_ids()[0])
    half = write_plan(SUITE, task.plans[0][:-1])
    once = reward.score([task.id], [half])
    run: list[str] = []

    def again(_plans: Plans, _task: Task, answer: str) -> None:
        run.append(answer)

    monkeypatch.setattr(Plans, "execution", again)
    fresh = Reward("household", semantics="official")
    [value] = fresh.score([task.id], [half])
    assert half not in run
    assert 0 < value == once[0] < 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"suite": "no such"}, "no such"),
        ({"ability": "dancing"}, "dancing"),
        ({"kind": "generous"}, "generous"),
        ({"semantics": "lax"}, "lax"),
        ({"weights": 0.5}, "weights are float"),
    ],
)
def test_what_cannot_be_used_is_named(given: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Reward(**{"suite": SUITE, **given})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("tasks", "completions", "message"),
    [
        ([LIGHT], [SOLUTION, SOLUTION], "1 task for 2 completions"),
        (LIGHT, SOLUTION, "completions are str"),
        (LIGHT, [{1}], "a completion is set"),
        (LIGHT, None, "completions are NoneType, not a list"),
        (LIGHT, [[SOLUTION, SOLUTION]], "a completion is list"),
        (LIGHT, [[{"WALK": {"light.34"}}]], "cannot be written as JSON"),
        (LIGHT, [{"content": 3}], "content of a message is int"),
        (LIGHT, [{"content": [{"WALK": ["light.34"]}]}], "content of a message is a list without"),
        (LIGHT, [{"content": [3]}], "content of a message is list"),
        ([3], [SOLUTION], "a task is int"),
        (3, [SOLUTION], "a task is int"),
    ],
)
def test_what_is_no_batch_is_refused(
    reward: Reward, tasks: object, completions: object, message: str
) -> None:
    with pytest.raises(InputError, match=message) as error:
        reward.score(tasks, completions)
    assert error.value.expected


def test_who_gives_no_list_is_told_how_to_make_one(reward: Reward) -> None:
    mends = []
    for completions in ({LIGHT: SOLUTION}, SOLUTION, None):
        with pytest.raises(InputError) as error:
            reward.score(LIGHT, completions)
        mends.append(error.value.mend or "")
    mapping, text, nothing = mends
    assert "[completion]" in text
    assert text == nothing
    assert "keys" in mapping
    assert mapping != text


def test_an_unknown_task_is_refused(reward: Reward) -> None:
    with pytest.raises(UnknownNameError, match="studio-99"):
        reward.score("studio-99", [SOLUTION])


def own_suite(folder: Path, goal: str) -> Household:
    """The shipped suite with one task only, which has another goal."""
    (shipped,) = SUITE.samples()[0].parent.glob("manifest.json")
    for name in ("manifest.json", "homes.json"):
        (folder / name).write_text(shipped.with_name(name).read_text("utf-8"), "utf-8")
    line = shipped.with_name("tasks.jsonl").read_text("utf-8").splitlines()[0]
    (folder / "tasks.jsonl").write_text(line.replace("on(light.34)", goal), "utf-8")
    return Household(folder)


def test_a_task_that_is_solved_at_the_start_cannot_be_rewarded(tmp_path: Path) -> None:
    made = Reward(own_suite(tmp_path, "off(light.34)"))
    with pytest.raises(InputError, match="the empty plan solves it"):
        made.score(LIGHT, ["[]"])
    assert made.tasks() == []


def test_what_held_at_the_start_is_no_merit_and_can_be_lost(tmp_path: Path) -> None:
    suite = own_suite(tmp_path, "on(light.34) and closed(fridge.40) and off(television.24)")
    made = Reward(suite)
    assert made.attempt(LIGHT, f"[{WALK}]").goals == 0.0
    assert made.attempt(LIGHT, SOLUTION).solved
    spoilt = f'{SOLUTION[:-1]}, {{"WALK": ["fridge.40"]}}, {{"OPEN": ["fridge.40"]}}]'
    attempt = made.attempt(LIGHT, spoilt)
    assert not attempt.solved
    assert attempt.goals == 0.0


ROUTES = """(define (domain routes) (:requirements :strips :typing) (:types van crate place)
(:predicates (at ?x - object ?p - place) (in ?c - crate ?v - van))
(:action drive :parameters (?v - van ?a - place ?b - place) :precondition (at ?v ?a)
 :effect (and (not (at ?v ?a)) (at ?v ?b)))
(:action load :parameters (?c - crate ?v - van ?p - place)
 :precondition (and (at ?c ?p) (at ?v ?p)) :effect (and (not (at ?c ?p)) (in ?c ?v))))"""
ROUTE = """(define (problem one) (:domain routes) (:objects v - van c - crate a b - place)
(:init (at v a) (at c b)) (:goal (in c v)))"""


def test_a_step_with_objects_of_other_types_is_worth_nothing(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(ROUTES, "utf-8")
    (tmp_path / "one.pddl").write_text(ROUTE, "utf-8")
    made = Reward(f"pddl:{tmp_path}")
    answers = ["drive(v, a, b)\nload(c, v, b)", "drive(c, a, b)\nload(c, v, b)"]
    assert made.score("one", answers) == [1.0, 0.0]


def test_what_comes_from_pickles_again_and_again_is_prepared_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent = pickle.dumps(Reward("household", semantics=Semantics("strict", version="sent")))
    prepared: list[Task] = []

    def count(suite: Suite, ability: str, task: Task, **options: Any) -> object:
        prepared.append(task)
        return attempt_function(suite, ability, task, **options)

    monkeypatch.setattr(sys.modules[Reward.__module__], "attempt_function", count)
    assert [pickle.loads(sent).score(LIGHT, [SOLUTION]) for _ in range(3)] == [[1.0]] * 3
    assert len(prepared) == 1


def test_a_copy_can_be_changed_without_changing_others() -> None:
    sent = pickle.dumps(Reward("household"))
    changed, other = pickle.loads(sent), pickle.loads(sent)
    changed.column, changed.weights = "prompt_id", Weights(0.5, 0.2)
    assert (other.column, other.weights) == ("task", Weights())
    assert pickle.loads(sent).column == "task"


def test_a_reward_says_what_it_is() -> None:
    shown = "Reward('household', 'action_sequencing', kind='binary', semantics='strict')"
    assert repr(Reward("household", kind="binary")) == shown


def test_a_copy_from_a_pickle_gives_the_same(reward: Reward) -> None:
    tasks, completions = batch()
    expected = reward.score(tasks, completions)
    copy = pickle.loads(pickle.dumps(reward))
    assert copy.score(tasks, completions) == expected
    assert len(pickle.dumps(Reward("household", weights=Weights(0.5, 0.2)))) < 1000


@pytest.mark.heavy
def test_threads_that_share_a_reward_get_the_same() -> None:
    tasks, completions = batch()
    expected = Reward("household").score(tasks, completions)
    shared = Reward("household")
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(shared.score, [tasks] * 4, [completions] * 4))
    assert found == [expected] * 4


@pytest.mark.heavy
def test_two_processes_give_the_same_as_one() -> None:
    tasks, completions = batch()
    made = Reward("household")
    half = len(tasks) // 2
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        parts = list(
            pool.map(
                made.score, [tasks[:half], tasks[half:]], [completions[:half], completions[half:]]
            )
        )
    assert [*parts[0], *parts[1]] == made.score(tasks, completions)


def test_repair_counts_the_edits_that_are_left() -> None:
    name = max(SUITE.task_ids(), key=lambda each: len(SUITE.task(each).plans[0]))
    plan = gold(name)
    near = Reward(SUITE, kind="repair")
    missing = ["\n".join(plan[:-count]) for count in (1, 2)]
    padded = "\n".join([plan[0], *plan[:-1]])
    values = near.score(name, ["\n".join(plan), *missing, padded, "[]", "I cannot do that.", None])
    size = len(plan)
    assert values[0] == 1.0
    assert values[1:3] == pytest.approx([0.9 * (1 - 1 / size), 0.9 * (1 - 2 / size)])
    assert values[3] == values[1]
    assert values[4:] == [0.0, 0.0, 0.0]


def test_repair_is_about_plans_under_strict() -> None:
    with pytest.raises(InputError, match="strict"):
        Reward(SUITE, kind="repair", semantics="official")


def test_a_list_with_one_task_is_told_how_one_task_is_given() -> None:
    with pytest.raises(InputError, match="1 task for 2 completions") as caught:
        eai.reward("household", ["studio-01"], ["no", "no"])
    assert caught.value.mend == "give it as a string, without a list: 'studio-01'"


def test_tasks_behind_the_completions_are_told_to_come_first() -> None:
    with pytest.raises(InputError, match="the tasks come first"):
        eai.reward("household", ["no"], ["studio-01"])
    with pytest.raises(InputError, match="the tasks come first"):
        eai.reward("household", ["no", "nothing"], ["studio-01", "other"])


@pytest.mark.parametrize("completion", ["no", SOLUTION, None, 3, [{"content": "studio-01"}]])
def test_other_unknown_tasks_are_not_taken_for_completions(completion: object) -> None:
    with pytest.raises(UnknownNameError) as caught:
        eai.reward("household", ["studio-0l"], [completion])
    assert "completions" not in (caught.value.mend or "")


@pytest.mark.parametrize("wrong", [3, 2.5, True, b"no", b"\xff", bytearray(b"3")])
def test_what_is_no_text_does_not_stop_a_batch(wrong: object) -> None:
    scores = eai.Reward("household").score("studio-01", ["no", wrong])
    assert scores == [0.0, 0.0]


@pytest.mark.parametrize("excluding", ["strict", "official"])
def test_a_task_that_one_semantics_excludes_has_no_reward(
    excluding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = eai.suite("household")
    evaluate = suite.evaluate

    def excluded(ability: str, task: Task, answer: str | None, meaning: Semantics) -> Result:
        if meaning.name == excluding:
            return Result("excluded")
        return evaluate(ability, task, answer, meaning)

    monkeypatch.setattr(suite, "evaluate", excluded, raising=False)
    task = suite.task("studio-01")
    official = Semantics("official", version="other")
    found = attempt_function(suite, PLANS, task, semantics=official, kind="graded")
    assert isinstance(found, str)
    assert excluding in found
    under_strict = attempt_function(
        suite, PLANS, task, semantics=suite.semantics("strict"), kind="graded"
    )
    assert isinstance(under_strict, str) is (excluding == "strict")
