"""What a reward promises, on random plans for the tasks of the household suite."""

from __future__ import annotations

import json
from functools import cache

from hypothesis import given, settings, strategies as st

from eai.answers import Binder, bind, read_plan
from eai.diagnosis import DomainRules
from eai.rewards import Reward, Weights
from eai.simulators import VirtualHomeSimulator, execute
from eai.suites.household import Household
from eai.task import Task

thorough = settings(max_examples=60)

SUITE = Household()
STRICT = SUITE.semantics("strict")
REWARD, OTHER = Reward(SUITE), Reward("household")
WORTH = REWARD.weights.value
HIGHEST = REWARD.weights.goals + REWARD.weights.way

Plan = tuple[str, list[str]]
"""A task and the steps of a plan, as text."""


@cache
def known(name: str) -> Task:
    return SUITE.task(name)


def step(task: Task) -> st.SearchStrategy[str]:
    """A step of a reference plan, or any action with any objects."""
    own = st.sampled_from([str(action) for plan in task.plans for action in plan])
    objects = st.sampled_from(sorted(task.vocabulary.objects))
    free = st.sampled_from(sorted(task.vocabulary.actions)).flatmap(
        lambda name: st.lists(
            objects, min_size=(n := task.vocabulary.actions[name]), max_size=n
        ).map(lambda names: f"{name}({', '.join(names)})")
    )
    return own | own | free


def damaged(task: Task) -> st.SearchStrategy[list[str]]:
    """A reference plan with a few steps left out, put in and exchanged."""

    def change(steps: list[str], edits: list[tuple[str, int, str]]) -> list[str]:
        steps = list(steps)
        for kind, at, new in edits:
            place = at % (len(steps) + 1)
            steps[place : place + (kind != "insert")] = [] if kind == "delete" else [new]
        return steps

    plans = st.sampled_from([list(map(str, plan)) for plan in task.plans])
    kinds = st.sampled_from(["insert", "delete", "replace"])
    edits = st.lists(st.tuples(kinds, st.integers(0, 20), step(task)), max_size=4)
    return st.builds(change, plans, edits) | st.lists(step(task), max_size=8)


names = st.sampled_from(SUITE.task_ids())
plans: st.SearchStrategy[Plan] = names.flatmap(
    lambda name: st.tuples(st.just(name), damaged(known(name)))
)
answers: st.SearchStrategy[tuple[str, str]] = plans.map(
    lambda plan: (plan[0], written(plan[1]))
) | st.tuples(names, st.text(max_size=60) | st.sampled_from(["[{}]", '{"WALK": [', "WALK()"]))


def written(steps: list[str]) -> str:
    return "\n".join(steps) or "[]"


def worth(task: str, steps: list[str]) -> float:
    return WORTH(REWARD.attempt(task, written(steps)))


def outcomes(task: str, steps: list[str]) -> tuple[str, ...]:
    result = SUITE.evaluate("action_sequencing", known(task), written(steps), STRICT)
    return result.executed


def left_over(task: str, steps: list[str]) -> int:
    """The number of steps that are not executed."""
    return sum(outcome in ("failed", "not reached") for outcome in outcomes(task, steps))


@thorough
@given(answers)
def test_a_reward_is_one_if_the_suite_says_solved_and_else_clearly_less(
    answer: tuple[str, str],
) -> None:
    task, text = answer
    solved = SUITE.evaluate("action_sequencing", known(task), text, STRICT).success
    attempt = REWARD.attempt(task, text)
    value = WORTH(attempt)
    assert attempt.solved is solved
    assert value == 1.0 if solved else 0.0 <= value <= HIGHEST < 1.0
    assert all(0.0 <= share <= 1.0 for share in (attempt.goals, attempt.way, attempt.left))


@thorough
@given(st.lists(answers, max_size=6).flatmap(lambda b: st.tuples(st.just(b), st.permutations(b))))
def test_a_batch_is_scored_item_by_item_in_any_order(
    batches: tuple[list[tuple[str, str]], list[tuple[str, str]]],
) -> None:
    batch, shuffled = batches
    one_by_one = {answer: REWARD.score(answer[0], [answer[1]])[0] for answer in batch}
    tasks, texts = [task for task, _ in shuffled], [text for _, text in shuffled]
    assert OTHER.score(tasks, texts) == [one_by_one[answer] for answer in shuffled]


@thorough
@given(plans, st.lists(st.integers(0, 50), max_size=3))
def test_what_follows_a_step_that_fails_never_pays(plan: Plan, more: list[int]) -> None:
    task, steps = plan
    done = outcomes(task, steps)
    if "failed" not in done:
        return
    stop = done.index("failed")
    own = list(map(str, known(task).plans[0]))
    values = [
        worth(task, steps[:stop]),
        worth(task, steps[: stop + 1]),
        worth(task, steps),
        worth(task, [*steps, *(own[i % len(own)] for i in more)]),
    ]
    assert values == sorted(values, reverse=True)


@thorough
@given(plans, st.integers(0, 50), st.sampled_from(["FLY()", "WALK(unicorn.1)", "WALK()"]))
def test_a_plan_with_a_step_that_does_not_exist_is_worth_nothing(
    plan: Plan, at: int, strange: str
) -> None:
    task, steps = plan
    place = at % (len(steps) + 1)
    assert worth(task, [*steps[:place], strange, *steps[place:]]) == 0.0


REVERSED = {"open": "close", "close": "open", "switchon": "switchoff", "switchoff": "switchon"}


@thorough
@given(plans, st.integers(1, 4))
def test_doing_undoing_and_redoing_never_pays(plan: Plan, times: int) -> None:
    task, steps = plan
    if " then " in known(task).goal.text:
        return  # what happens on the way is a part of the goal
    repeated: list[str] = []
    for text, outcome in zip(steps, outcomes(task, steps) or steps, strict=False):
        name, _, rest = text.partition("(")
        repeated.append(text)
        if outcome == "done" and name in REVERSED:
            repeated += [f"{REVERSED[name]}({rest}", text] * times
    if left_over(task, repeated) > left_over(task, steps):
        return  # opening takes a free hand, closing does not: the repetition stops the plan
    assert worth(task, repeated) <= worth(task, steps)


@thorough
@given(plans, st.lists(st.integers(0, 200), min_size=1, max_size=12))
def test_wandering_about_before_a_plan_never_pays(plan: Plan, places: list[int]) -> None:
    task, steps = plan
    if not steps or not steps[0].startswith("walk("):
        return
    objects = sorted(known(task).vocabulary.objects)
    wandering = [f"walk({objects[i % len(objects)]})" for i in places]
    assert worth(task, [*wandering, *steps]) <= worth(task, steps)


@thorough
@given(names, st.lists(st.integers(0, 200), max_size=8))
def test_steps_without_effect_are_worth_nothing(name: str, places: list[int]) -> None:
    objects = sorted(known(name).vocabulary.objects)
    looking = [f"turnto({objects[i % len(objects)]})" for i in places]
    assert REWARD.attempt(name, written(looking)).goals == 0.0 or "facing" in known(name).goal.text


@thorough
@given(plans, st.sampled_from(["Here is my plan:\n\n{}\n\nI hope it helps.", "```\n{}\n```"]))
def test_words_around_a_plan_make_no_difference(plan: Plan, frame: str) -> None:
    task, steps = plan
    assert worth(task, steps) == WORTH(REWARD.attempt(task, frame.format(written(steps))))


@thorough
@given(
    plans,
    st.floats(0, 0.5, exclude_max=True),
    st.floats(0, 0.4999),  # nearer to 0.5, their sum may be rounded to 1
    st.floats(0, 1),
)
def test_any_weights_keep_the_bounds(plan: Plan, goals: float, way: float, left: float) -> None:
    task, steps = plan
    attempt = REWARD.attempt(task, written(steps))
    value = Weights(goals, way, left).value(attempt)
    assert value == 1.0 if attempt.solved else 0.0 <= value <= goals + way < 1.0


@thorough
@given(answers)
def test_actions_without_findings_are_those_that_are_bound(answer: tuple[str, str]) -> None:
    task, text = answer
    binder, reading = Binder(known(task).vocabulary), read_plan(text)
    bound = binder.bind(reading)
    assert binder.actions(reading) == (None if bound.findings else bound.actions)


@thorough
@given(plans)
def test_rules_that_describe_nothing_decide_the_same(plan: Plan) -> None:
    task, steps = plan
    actions = bind(read_plan(written(steps)), known(task).vocabulary).actions
    described, bare = (
        execute(
            VirtualHomeSimulator(rules=DomainRules(described=described)),
            known(task).start,
            actions,
            agent=known(task).agent,
        )
        for described in (True, False)
    )
    assert bare.executed == described.executed
    assert bare.findings == ()
    assert list(bare.trajectory.final.atoms()) == list(described.trajectory.final.atoms())


HIDING = (
    '{{"plan": {plan}, "then": [{{"FLY": ["moon"]}}]}}',
    '{{"plan": {plan}, "FLY": ["moon"]}}',
    '{{"plan": {plan}, "actions": ["FLY(moon)"]}}',
    '{{"output": {{"FLY": [], "steps": {plan}}}}}',
    "{plan}\n\nFLY(moon)",
    "```json\n{plan}\n```\nFLY(moon)",
    "{plan} then FLY(moon)",
    "{plan}\netc.",
)


@thorough
@given(
    case=plans,
    hiding=st.sampled_from(HIDING),
)
def test_nothing_for_a_plan_with_a_step_hidden_beside_it(case: Plan, hiding: str) -> None:
    name, steps = case
    answer = hiding.format(plan=json.dumps(steps or ["FLY(moon)"]))
    assert REWARD.score(name, [answer]) == [0.0]
