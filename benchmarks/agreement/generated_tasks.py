"""Generated tasks: duplicates, plans that solve them, twins, and scores beside the fixed tasks.

python benchmarks/agreement/generated_tasks.py --tasks 1000 --twins 100
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Sequence
from itertools import islice
from random import Random

import eai
from eai.suites.generated import generate, twin
from eai.suites.pddl import Pddl
from eai.task import Task
from eai.world import Action

_ABILITY = "action_sequencing"


def answer(plan: Iterable[Action]) -> str:
    """Return a plan as an answer to a household task."""
    return json.dumps([{step.name.upper(): list(step.arguments)} for step in plan])


def solved(tasks: Sequence[Task], plans: Sequence[Sequence[Action]]) -> float:
    """Return the share of tasks that plans solve, in percent."""
    suite = eai.suite("household")
    strict = suite.semantics("strict")
    verdicts = []
    for task, plan in zip(tasks, plans, strict=True):
        verdicts.append(suite.evaluate(_ABILITY, task, answer(plan), strict).success)
    return 100 * sum(verdicts) / len(verdicts)


def random_plans(tasks: Sequence[Task], random: Random) -> list[list[Action]]:
    """Return a plan for each task: as many actions as its plan has, about any objects."""
    plans = []
    for task in tasks:
        actions, objects = sorted(task.vocabulary.actions), sorted(task.vocabulary.objects)
        plan = []
        for _ in task.plans[0]:
            name = random.choice(actions)
            number = task.vocabulary.actions[name]
            plan.append(Action(name, tuple(random.choice(objects) for _ in range(number))))
        plans.append(plan)
    return plans


def twin_differences(tasks: Sequence[Task], random: Random) -> int:
    """Return on how many pairs the verdicts of a plan and of the renamed plan differ."""
    suite = eai.suite("household")
    strict = suite.semantics("strict")
    differences = 0
    for task in tasks:
        other = twin(task)
        twins = Pddl.from_texts("twins", other.task.texts[0], {task.id: other.task.texts[1]})
        plan = list(task.plans[0])
        if random.random() < 0.5:
            plan.pop(random.randrange(len(plan)))
        expected = suite.evaluate(_ABILITY, task, answer(plan), strict).success
        steps = [other.action(step) for step in plan]
        text = "\n".join(f"({' '.join((step.name, *step.arguments))})" for step in steps)
        verdict = twins.evaluate(_ABILITY, other.task, text, twins.semantics("strict"))
        differences += verdict.success is not expected
    return differences


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=1_000)
    parser.add_argument("--twins", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random = Random(options.seed)  # noqa: S311 - nothing is secret
    made = generate("household", n=options.tasks + 1, seed=options.seed)
    tasks = list(islice(made, 1))
    start = time.process_time()
    tasks += made
    seconds = time.process_time() - start
    print(f"{len(tasks):,} tasks, {(len(tasks) - 1) / seconds:.0f} a second of processor time")
    structures = {task.metadata["structure"] for task in tasks}
    print(f"{len(tasks) - len(structures)} duplicates")
    suite = eai.suite("household")
    fixed = [suite.task(name) for name in suite.task_ids()]
    for name, chosen in (("generated", tasks), ("fixed", fixed)):
        reference = solved(chosen, [task.plans[0] for task in chosen])
        drawn = solved(chosen, random_plans(chosen, random))
        print(f"{name}: reference plans {reference:.1f} %, random actions {drawn:.1f} %")
    pairs = tasks[: options.twins]
    print(f"{twin_differences(pairs, random)} of {len(pairs)} twins have another verdict")


if __name__ == "__main__":
    main()
