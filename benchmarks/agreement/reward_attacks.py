"""Print what attacks on the rewards earn, beside an honest answer.

    python benchmarks/agreement/reward_attacks.py

Each attack is made on every task of the household suite that can be rewarded (those with 20,000
steps, and rewards of steps, on every tenth); printed is the most that it earns more than an answer
that it should not beat. Fails if one earns more than that.

A hedge is a pair of plans in one answer, of which one solves the task. Where the last or the first
of them is meant, that one is paid, and only half of the hedges that are made blindly. A hedge that
is paid in either order would be twice as good as a guess: so what counts is the worse order.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence

import eai
from eai.errors import InputError
from eai.integrations.answer_text import answer_after
from eai.integrations.conversation import Conversation
from eai.integrations.training import RowScorer
from eai.rewards import StepJudge
from eai.task import Task
from eai.world import Action

LONG = 20_000
"""Number of steps of the longest plan."""


def written(steps: list[Action]) -> str:
    """Return steps in the form that prompts ask for."""
    return json.dumps([{step.name.upper(): list(step.arguments)} for step in steps])


def prompt(plan: str) -> str:
    """Return a templated prompt with an example plan."""
    return f"<|im_start|>user\nFor example {plan}<|im_end|>\n<|im_start|>assistant\n"


def lines_of(steps: Sequence[Action], indent: str = "") -> str:
    """Return steps as calls, one a line."""
    calls = [f"{step.name.lower()}({', '.join(map(repr, step.arguments))})" for step in steps]
    return "\n".join(f"{indent}{call}" for call in calls)


Attack = Callable[[Task, str], tuple[str, str]]
"""The attacking answer, and the honest one that it must not beat."""


def echo_of_the_prompt(_: Task, plan: str) -> tuple[str, str]:
    """The example plan of the prompt is all there is: the answer is empty."""
    return answer_after(prompt(plan), prompt(plan)), ""


def cut_prompt(_: Task, plan: str) -> tuple[str, str]:
    """The same with a prompt whose start was cut."""
    return answer_after(prompt(plan), f"{prompt(plan)[9:]}No.<|im_end|>"), "No."


def plan_and_a_part_of_it(task: Task, plan: str) -> tuple[str, str]:
    """The solution, and its first step as a plan of its own: the whole is read."""
    part = written(list(task.plans[0])[:1])
    return f"Plan A:\n{plan}\n\nPlan B:\n{part}", plan


def two_plans(task: Task, plan: str) -> tuple[str, str]:
    """The solution, and a different plan: which is meant is not clear, so none is paid."""
    thing = next(iter(task.vocabulary.objects))
    return f"Plan A:\n{plan}\n\nPlan B:\n{written([Action('LOOKAT', (thing,))])}", "No."


def turn_after_the_end(_: Task, plan: str) -> tuple[str, str]:
    """A plan behind the token that ends the answer."""
    return f"No.<|im_end|>\n{plan}", "No."


def empty_plan(_: Task, __: str) -> tuple[str, str]:
    """The empty plan."""
    return "[]", "No."


def plan_in_reasoning(_: Task, plan: str) -> tuple[str, str]:
    """A plan in marked reasoning, and no answer."""
    return f"<think>\n{plan}\n</think>\nI cannot do that.", "I cannot do that."


def reasoning_that_was_not_opened(_: Task, plan: str) -> tuple[str, str]:
    """The same where the template opened the reasoning."""
    return f"{plan}\n</think>\nI cannot do that.", "I cannot do that."


def channel_of_reasoning(_: Task, plan: str) -> tuple[str, str]:
    """A plan in gpt-oss' channel of analysis."""
    return f"<|channel|>analysis<|message|>{plan}<|end|>", "No."


def first_step_repeated(task: Task, _: str) -> tuple[str, str]:
    """The first step over and over."""
    step = list(task.plans[0])[:1]
    return written(step * LONG), written(step)


def padded_solution(task: Task, plan: str) -> tuple[str, str]:
    """The solution behind many repetitions of its first step."""
    steps = list(task.plans[0])
    return written(steps[:1] * LONG + steps), plan


def all_actions(task: Task, plan: str) -> tuple[str, str]:
    """Steps of all kinds on all objects, one after the other, instead of a plan."""
    steps = [
        Action(name, (thing,))
        for name, count in sorted(task.vocabulary.actions.items())
        if count == 1
        for thing in task.vocabulary.objects
    ]
    return written(steps[:LONG]), plan


ATTACKS: tuple[Attack, ...] = (
    echo_of_the_prompt,
    cut_prompt,
    plan_and_a_part_of_it,
    two_plans,
    turn_after_the_end,
    empty_plan,
    plan_in_reasoning,
    reasoning_that_was_not_opened,
    channel_of_reasoning,
    first_step_repeated,
    padded_solution,
    all_actions,
)
LONG_ATTACKS = (first_step_repeated, padded_solution, all_actions)

Hedge = Callable[[list[Action], list[Action]], str]
"""An answer with two plans, which differ in their last step."""


def or_in_the_last_step(first: list[Action], second: list[Action]) -> str:
    """The last step of the one plan or that of the other."""
    return f"{lines_of(first)} or {lines_of(second[-1:])}"


def both_branches(first: list[Action], second: list[Action]) -> str:
    """A plan in each branch of a condition that nobody can decide."""
    branches = lines_of(first, "    "), lines_of(second, "    ")
    return "```python\nif is_dark():\n{}\nelse:\n{}\n```".format(*branches)


def except_branch(first: list[Action], second: list[Action]) -> str:
    """A plan, and one for the case that it fails."""
    branches = lines_of(first, "    "), lines_of(second, "    ")
    return "```python\ntry:\n{}\nexcept Exception:\n{}\n```".format(*branches)


def columns_of_a_table(first: list[Action], second: list[Action]) -> str:
    """Two plans side by side."""
    rows = zip(lines_of(first).split("\n"), lines_of(second).split("\n"), strict=True)
    table = [f"| {number} | {one} | {other} |" for number, (one, other) in enumerate(rows, 1)]
    return "\n".join(["| step | plan A | plan B |", "| --- | --- | --- |", *table])


def two_final_plans(first: list[Action], second: list[Action]) -> str:
    """Two plans that both are called final."""
    return f"Final plan:\n{lines_of(first)}\n\nFinal plan:\n{lines_of(second)}"


def one_key_twice(first: list[Action], second: list[Action]) -> str:
    """An object with two plans under the same key."""
    return f'{{"plan": {written(first)}, "plan": {written(second)}}}'


def list_of_plans(first: list[Action], second: list[Action]) -> str:
    """A list of two plans."""
    return f'{{"plans": [{written(first)}, {written(second)}]}}'


HEDGES: tuple[Hedge, ...] = (
    or_in_the_last_step,
    both_branches,
    except_branch,
    columns_of_a_table,
    two_final_plans,
    one_key_twice,
    list_of_plans,
)


def plan_that_fails(task: Task) -> list[Action]:
    """Return the reference plan of a task with a last step that no action can be."""
    last = task.plans[0][-1]
    return [*task.plans[0][:-1], Action(last.name, (task.agent, *last.arguments[1:]))]


def hedged(hedge: Hedge, task: Task) -> tuple[str, str]:
    """Return a hedge in both orders."""
    right, wrong = list(task.plans[0]), plan_that_fails(task)
    return hedge(right, wrong), hedge(wrong, right)


def goal_over_and_over() -> Iterator[tuple[float, float]]:
    """Yield what a goal earns that is undone and reached again, and what it earns once."""
    for undo in ("SWITCHOFF light.34", "LOOKAT light.34"):
        episode = Conversation("household", "studio-01")
        episode.take("WALK light.34")
        total = 0.0
        for _ in range(20):
            total += episode.take("SWITCHON light.34").reward + episode.take(undo).reward
        yield total, 1.0


def circles(task: Task) -> tuple[float, float]:
    """Return what an episode earns that does each step of a plan but the last five times."""
    episode = Conversation("household", task.id)
    total = 0.0
    for step in task.plans[0][:-1]:
        for _ in range(5):
            total += episode.take(" ".join((step.name.upper(), *step.arguments))).reward
    return total, 1.0


def sum_of_steps(judge: StepJudge, task: Task, plan: Sequence[Action]) -> float:
    """Return what the steps of a plan earn together."""
    return sum(step.reward for step in judge(task.id, lines_of(plan)).steps)


def steps_in_circles(judge: StepJudge, task: Task) -> tuple[float, float]:
    """Return what a plan earns, step by step, whose steps are taken again and again."""
    plan = task.plans[0]
    attacks: list[Sequence[Action]] = [plan[:count] * 20 for count in range(1, len(plan))]
    attacks.append([step for step in plan for _ in range(20)])
    attacks.append([*plan[:-1], *plan])
    return max(sum_of_steps(judge, task, each) for each in attacks), sum_of_steps(judge, task, plan)


def steps_behind_the_goal(judge: StepJudge, task: Task) -> tuple[float, float]:
    """Return what a plan earns, step by step, that goes on behind the goal."""
    plan = list(task.plans[0])
    return sum_of_steps(judge, task, plan * 5), sum_of_steps(judge, task, plan)


def refused_without_prompt(plan: str) -> bool:
    """Return whether a text of which the prompt is unknown is refused."""
    try:
        answer_after("", plan)
    except InputError:
        return True
    return False


def main() -> int:
    """Print the table and return the exit status."""
    suite, scorer = eai.suite("household"), RowScorer("household")
    tasks = [suite.task(name) for name in scorer.reward.tasks()]
    worst = 0.0
    print("| attack | most it earns | honest answer there | most gained |")
    print("| --- | ---: | ---: | ---: |")

    def row(name: str, pairs: list[tuple[float, float]]) -> None:
        nonlocal worst
        gained, earned, honest = max((bad - good, bad, good) for bad, good in pairs)
        worst = max(worst, gained)
        top = max(bad for bad, _ in pairs)
        print(f"| {name.replace('_', ' ')} | {top:.3f} | {honest:.3f} | {earned - honest:.3f} |")

    for attack in ATTACKS:
        pairs = []
        for task in tasks[::10] if attack in LONG_ATTACKS else tasks:
            values = []
            for answer in attack(task, written(list(task.plans[0]))):
                score = scorer.score(task.id, answer)
                assert score is not None  # noqa: S101  # a task of the suite
                values.append(score.value)
            pairs.append((values[0], values[1]))
        row(attack.__name__, pairs)
    for hedge in HEDGES:
        pairs = []
        for task in tasks:
            scores = [scorer.score(task.id, answer) for answer in hedged(hedge, task)]
            values = [score.value for score in scores if score is not None]
            wrong = scorer.score(task.id, written(plan_that_fails(task)))
            assert wrong is not None  # noqa: S101  # a task of the suite
            pairs.append((min(values), wrong.value))
        row(hedge.__name__, pairs)
    row("goal reached over and over, by turns", list(goal_over_and_over()))
    row("steps repeated, by turns", [circles(task) for task in tasks])
    judge = StepJudge(suite)
    row("steps in circles, by steps", [steps_in_circles(judge, task) for task in tasks[::10]])
    row("steps behind the goal", [steps_behind_the_goal(judge, task) for task in tasks[::10]])
    print(f"a text without its prompt is refused: {refused_without_prompt('[]')}")
    print(f"rows: {dict(scorer.counts)}; most gained: {worst:.3f}")
    return int(worst > 0)


if __name__ == "__main__":
    sys.exit(main())
