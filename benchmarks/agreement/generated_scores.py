"""Scores of simulated models on a suite's fixed tasks and on tasks generated in its world.

    python benchmarks/agreement/generated_scores.py [SUITE] [--tasks 500] [--answers 5]
        [--errors 0.02 0.05 0.1 0.2] [--steps 4-6]

A simulated model knows the reference plan of every task, and errs with a given probability per
step: for each error one random edit of `eai.perturb` is made in the plan, wherever it leads. So
the scores say how the tasks forgive errors, not how good a model is. Longer plans have more errors;
the last two columns are therefore about tasks with plans of similar length only. Random actions are
as many as the plan has.

A score is the share of the answers that solve their task under `strict` semantics, and behind ± the
half width of its interval at 95 %, for which tasks are the sample: answers to one task belong
together.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import sqrt
from random import Random
from statistics import fmean, stdev

from generated_tasks import random_plan

import eai
from eai.agents import format_plan
from eai.contract import Suite
from eai.errors import InputError
from eai.task import Task
from eai.world import Action

_ABILITY = "action_sequencing"
_EDITS = (
    *("drop", "move", "swap", "duplicate", "insert", "replace_object", "replace_action"),
    *("hallucinate_action", "hallucinate_object", "argument_number"),
)
"""All edits of steps, each as likely as any other."""

Answering = Callable[[Suite, Task, Random], str]
"""A simulated model: the suite, the task and random numbers to the text of an answer."""


def random_actions(suite: Suite, task: Task, random: Random) -> str:
    """Answer with as many actions as the reference plan has, about any objects."""
    return format_plan(suite, random_plan(task, random))


def erring(suite: Suite, task: Task, random: Random, *, error: float) -> str:
    """Answer with the reference plan, with an error per step at a given probability."""
    plan: Sequence[Action] = task.plans[0]
    errors = sum(random.random() < error for _ in plan)
    while errors:
        edit = random.choice(_EDITS)
        seed = random.randrange(1_000_000)
        try:
            changed = eai.perturb(suite, task, plan, edit, seed=seed, harmful=False)
        except InputError:
            continue  # this plan has nothing that can be edited so
        plan = changed.plan
        errors -= 1
    return format_plan(suite, plan)


def rates(suite: Suite, tasks: Iterable[Task], model: Answering, answers: int) -> dict[str, float]:
    """Return the share of answers that solve each task, by the task's identifier."""
    strict = suite.semantics("strict")
    shares = {}
    for task in tasks:
        random = Random(task.id)  # noqa: S311  # nothing is secret
        solved = 0
        for _ in range(answers):
            answer = model(suite, task, random)
            solved += suite.evaluate(_ABILITY, task, answer, strict).success
        shares[task.id] = solved / answers
    return shares


def score(shares: Sequence[float]) -> str:
    """Return the mean share with the half width of its interval at 95 %, in percent."""
    half_width = 1.96 * stdev(shares) / sqrt(len(shares))
    return f"{100 * fmean(shares):.1f} ± {100 * half_width:.1f}"


def solvable_tasks(suite: Suite) -> list[Task]:
    """Return the tasks of a suite that have a reference plan."""
    tasks = [suite.task(identifier) for identifier in suite.task_ids()]
    return [task for task in tasks if task.plans]


def models_with(errors: Sequence[float]) -> dict[str, Answering]:
    """Return the models by name: no errors, those with the given error rates, random actions."""
    models: dict[str, Answering] = {"own plan": partial(erring, error=0.0)}
    for error in errors:
        models[f"{100 * error:g} % errors"] = partial(erring, error=error)
    models["random actions"] = random_actions
    return models


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", nargs="?", default="household")
    parser.add_argument("--tasks", type=int, default=500, help="number of generated tasks")
    parser.add_argument("--answers", type=int, default=10, help="number of answers to each task")
    parser.add_argument("--errors", type=float, nargs="+", default=[0.02, 0.05, 0.1, 0.2])
    parser.add_argument("--steps", default="4-6", help="lengths of plans of the last columns")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    shortest, longest = map(int, options.steps.split("-"))

    fixed = eai.suite(options.suite)
    generated = eai.suite(f"generated:{options.suite}?n={options.tasks}&seed={options.seed}")
    samples = [(suite, solvable_tasks(suite)) for suite in (fixed, generated)]

    of_length = f"{options.steps} steps"
    print(f"| model | fixed | generated | fixed, {of_length} | generated, {of_length} |")
    print("| --- " * 5 + "|")
    for name, model in models_with(options.errors).items():
        all_scores = []
        scores_of_length = []
        for suite, tasks in samples:
            shares = rates(suite, tasks, model, options.answers)
            similar = [task for task in tasks if shortest <= len(task.plans[0]) <= longest]
            all_scores.append(score(list(shares.values())))
            scores_of_length.append(score([shares[task.id] for task in similar]))
        print(f"| {' | '.join([name, *all_scores, *scores_of_length])} |", flush=True)
    counts = []
    for _, tasks in samples:
        lengths = [len(task.plans[0]) for task in tasks]
        similar_count = sum(shortest <= length <= longest for length in lengths)
        counts.append(f"{len(tasks)} tasks, {similar_count} of them with {of_length}")
    print(f"fixed: {counts[0]}; generated: {counts[1]}")


if __name__ == "__main__":
    main()
