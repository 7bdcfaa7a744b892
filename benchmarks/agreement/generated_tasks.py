"""Generated tasks of all worlds: duplicates, plans that solve them, twins, and scores of agents.

python benchmarks/agreement/generated_tasks.py household=1000,100 thor=500,0 pddl:FOLDER=1000,100

Each world is followed by the number of tasks, and of those whose twin is tried out, with the task's
own plan and with one that differs from it. The last line is about all worlds together.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from statistics import median
from typing import cast

import eai
from eai.abilities import Plans
from eai.contract import Suite
from eai.suites.generated import difficulty, twin
from eai.suites.pddl import Pddl
from eai.task import Task
from eai.world import Action

_ABILITY = "action_sequencing"
_PDDL = Pddl.from_texts(
    "twins",
    "(define (domain none) (:action wait :parameters () :precondition () :effect ()))",
    {"none": "(define (problem none) (:domain none) (:init) (:goal ()))"},
)
"""A suite that evaluates tasks in PDDL; it has no tasks that are used."""
_RANDOM = 500
"""Number of tasks that random actions and no steps are tried on."""


@dataclass
class Figures:
    """Figures of one world."""

    world: str
    tasks: int = 0
    solved: int = 0
    solved_by_nothing: int = 0
    seconds: float = 0.0
    lengths: list[int] = field(default_factory=list)
    structures: dict[str, str] = field(default_factory=dict)
    repeated: int = 0
    in_two_splits: int = 0
    random: tuple[int, int] = (0, 0)
    twins: tuple[int, int] = (0, 0)
    shortest: tuple[int, int] = (0, 0)

    def add(self, other: Figures) -> None:
        """Add the figures of another world; a structure of both worlds is a repeated one."""
        self.tasks += other.tasks
        self.solved += other.solved
        self.solved_by_nothing += other.solved_by_nothing
        self.seconds += other.seconds
        self.lengths += other.lengths
        self.repeated += other.repeated + len(self.structures.keys() & other.structures.keys())
        self.structures.update(other.structures)
        self.in_two_splits += other.in_two_splits
        self.random = _sums(self.random, other.random)
        self.twins = _sums(self.twins, other.twins)
        self.shortest = _sums(self.shortest, other.shortest)


def _sums(first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
    return first[0] + second[0], first[1] + second[1]


class World:
    """One world, with the suite that evaluates its tasks."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self.seed = seed
        self.suite: Suite = eai.suite(f"generated:{name}?n=1&seed={seed}")
        self.strict = self.suite.semantics("strict")
        self.plans = cast("Plans", self.suite.plans(self.strict))

    def solves(self, task: Task, plan: Sequence[Action]) -> bool:
        """Return whether a plan, written as an answer, solves a task."""
        answer = self.plans.write(plan)
        return self.suite.evaluate(_ABILITY, task, answer, self.strict).success

    def tasks(self, count: int, figures: Figures) -> Iterator[Task]:
        """Yield tasks, and note how long it took to make them."""
        made = eai.generate(self.name, n=count, seed=self.seed)
        while True:
            start = time.process_time()
            task = next(made, None)
            figures.seconds += time.process_time() - start
            if task is None:
                return
            yield task

    def twin_differs(self, task: Task, random: Random) -> bool:
        """Return whether the verdict of a plan differs from that of the renamed plan.

        Both the task's own plan and an altered one are tried.
        """
        other = twin(task)
        for plan in (task.plans[0], altered(task, random)):
            steps = [other.action(step) for step in plan]
            text = "\n".join(f"({' '.join((step.name, *step.arguments))})" for step in steps)
            verdict = _PDDL.evaluate(_ABILITY, other.task, text, _PDDL.semantics("strict"))
            if verdict.success is not self.solves(task, plan):
                return True
        return False


def altered(task: Task, random: Random) -> list[Action]:
    """Return the plan of a task with a step left out, two steps swapped, or one about others."""
    plan = list(task.plans[0])
    first, second = random.sample(range(len(plan)), 2)
    change = random.choice(("leave out", "swap", "rename"))
    if change == "leave out":
        plan.pop(first)
    elif change == "swap":
        plan[first], plan[second] = plan[second], plan[first]
    else:
        objects = sorted(task.vocabulary.objects)
        arguments = [random.choice(objects) for _ in plan[first].arguments]
        plan[first] = Action(plan[first].name, tuple(arguments))
    return plan


def random_plan(task: Task, random: Random) -> list[Action]:
    """Return as many actions as the task's plan has, about any objects."""
    actions, objects = sorted(task.vocabulary.actions), sorted(task.vocabulary.objects)
    plan = []
    for _ in task.plans[0]:
        name = random.choice(actions)
        arguments = [random.choice(objects) for _ in range(task.vocabulary.actions[name])]
        plan.append(Action(name, tuple(arguments)))
    return plan


def _note(figures: Figures, task: Task) -> None:
    """Note the structure of a task; it must not come twice, and never in another split."""
    structure, split = str(task.metadata["structure"]), str(task.metadata["split"])
    figures.repeated += structure in figures.structures
    figures.structures[structure] = split
    figures.lengths.append(len(task.plans[0]))


def _in_other_splits(figures: Figures, seed: int) -> int:
    """Return how many tasks of the test split, made from another seed, are in the other splits."""
    count = 0
    for task in eai.generate(figures.world, n=_RANDOM, seed=seed + 1, split="test"):
        split = figures.structures.get(str(task.metadata["structure"]), "test")
        count += split != "test"
    return count


def figures_of(name: str, tasks: int, twins: int, seed: int, measured: int) -> Figures:
    """Generate the tasks of a world and return what was found."""
    figures, world = Figures(name), World(name, seed)
    random = Random(f"{seed} {name}")  # noqa: S311 - nothing is secret
    by_chance = differing = pairs = 0
    found = equal = 0
    every = max(1, tasks // max(1, twins))
    for number, task in enumerate(world.tasks(tasks, figures)):
        _note(figures, task)
        figures.tasks += 1
        figures.solved += world.solves(task, task.plans[0])
        if number < _RANDOM:
            figures.solved_by_nothing += world.solves(task, ())
            by_chance += world.solves(task, random_plan(task, random))
        if number % every == 0 and pairs < twins:
            pairs += 1
            differing += world.twin_differs(task, random)
    for task in islice(eai.generate(name, n=tasks, seed=seed), measured):
        shortest = difficulty(task).shortest
        found += shortest is not None
        equal += shortest == len(task.plans[0])
    figures.in_two_splits = _in_other_splits(figures, seed)
    figures.random = by_chance, min(figures.tasks, _RANDOM)
    figures.twins = differing, pairs
    figures.shortest = equal, found
    return figures


def _share(count: int, total: int) -> str:
    return f"{100 * count / total:.1f} %" if total else ""


def row(figures: Figures) -> str:
    """Return a line of the table."""
    cells = [
        f"`{figures.world}`",
        f"{figures.tasks:,}",
        f"{figures.tasks / figures.seconds:,.0f}",
        f"{figures.repeated}, {figures.in_two_splits}",
        f"{median(figures.lengths):g} ({max(figures.lengths)})",
        _share(figures.solved, figures.tasks),
        _share(figures.solved_by_nothing, figures.random[1]),
        _share(*figures.random),
        f"{figures.twins[0]} of {figures.twins[1]:,}" if figures.twins[1] else "none",
        f"{figures.shortest[0]} of {figures.shortest[1]}" if figures.shortest[1] else "",
    ]
    return f"| {' | '.join(cells)} |"


_HEADINGS = (
    *("world", "tasks", "a second", "repeated, in two splits", "median (longest) plan"),
    *("own plan", "no step", "random actions", "twins with another verdict"),
    "own plan is a shortest",
)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("worlds", nargs="*", default=["household=1000,100", "thor=300,0"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--measured", type=int, default=5, help="number of tasks whose difficulty is found out"
    )
    options = parser.parse_args()
    print(f"| {' | '.join(_HEADINGS)} |")
    print("| --- " * len(_HEADINGS) + "|")
    total = Figures("all")
    for asked in options.worlds:
        name, _, numbers = asked.rpartition("=")
        tasks, _, twins = numbers.partition(",")
        figures = figures_of(name, int(tasks), int(twins or 0), options.seed, options.measured)
        print(row(figures), flush=True)
        total.add(figures)
    print(row(total))


if __name__ == "__main__":
    main()
