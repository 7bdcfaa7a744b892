"""Failure-analysis questions with known answers: what is wrong with this plan, if anything?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from eai.agents import Assignment
from eai.contract import Suite, plan_ability, refuse_without, write_plan
from eai.contract.registry import given_suite
from eai.perturbation.perturb import perturb_suite
from eai.planning import Dice
from eai.task import Task

LABELS: Mapping[str, tuple[str, ...]] = {
    "object mistaken": ("replace_object",),
    "incomplete": ("drop",),
    "wrong order": ("swap", "move"),
    "correct": (),
}
"""Error of a plan (RoboBench, high-level planning errors) to the changes that cause it."""


@dataclass(frozen=True, slots=True)
class FailureQuestion:
    """A plan with the question what is wrong with it.

    Args:
        label: The right answer, one of :data:`LABELS`.
        options: The labels in the order of the question.
    """

    task: str
    label: str
    plan: tuple[str, ...]
    instruction: str
    options: tuple[str, ...] = tuple(LABELS)

    @property
    def letter(self) -> str:
        """The letter of the right answer."""
        return "ABCD"[self.options.index(self.label)]

    def as_dict(self) -> dict[str, object]:
        """Return the question and the right answer as data for JSON."""
        lines = [f"Task: {self.instruction}", "Plan:"]
        for step_number, step in enumerate(self.plan, start=1):
            lines.append(f"{step_number}. {step}")
        lines.append("What is wrong with the plan?")
        for letter, option in zip("ABCD", self.options, strict=True):
            lines.append(f"{letter}. {option}")
        return {
            "id": self.task,
            "question": "\n".join(lines),
            "gold": self.letter,
            "label": self.label,
        }


def failure_questions(
    suite: str | Suite, *, seed: int = 0, tasks: Iterable[str] | None = None
) -> Iterator[FailureQuestion]:
    """Yield a question about a right or wrong plan for every task.

    Wrong plans are verified: a correct plan is changed, and the changed plan misses the goal.

    Args:
        suite: The suite, or its name.
        seed: With the same seed, the same questions.
        tasks: Identifiers of the tasks; by default all. A task whose plan cannot be made wrong
            as drawn, or does not solve it, is left out.

    Raises:
        UnknownNameError: If there is no such suite or task, or it does not evaluate plans.
        DataMissingError: If the suite's data was not fetched.
    """
    chosen_suite = given_suite(suite)
    refuse_without(chosen_suite, plan_ability(chosen_suite))
    task_ids = chosen_suite.task_ids() if tasks is None else tasks
    for task_id in task_ids:
        task = chosen_suite.task(task_id)
        # A stream of its own for each task, so that a choice of tasks changes no question.
        dice = Dice(f"{seed}/{task_id}")
        label = dice.choice(tuple(LABELS))
        plan = _plan_with_label(chosen_suite, task, label, seed)
        if plan:
            options = [*LABELS]
            dice.shuffle(options)
            yield FailureQuestion(task_id, label, plan, task.instruction, tuple(options))


def _plan_with_label(suite: Suite, task: Task, label: str, seed: int) -> tuple[str, ...]:
    """Return a plan for which a label is right, or an empty one if none is found.

    Args:
        suite: The suite.
        task: The task, with its reference plans.
        label: One of :data:`LABELS`: ``"correct"``, or an error such as ``"wrong order"``.
        seed: Seed of the random choices.
    """
    if label == "correct":
        if not task.plans:
            return ()
        plan = task.plans[0]
        result = Assignment.of(suite, task, "strict").evaluate(write_plan(suite, plan))
        if not result.success:
            return ()
        return tuple(map(str, plan))
    # Of several changes with one label the first that can be made is taken.
    for kind in LABELS[label]:
        for perturbation in perturb_suite(suite, kind, seed=seed, tasks=[task.id]):
            if perturbation.before and not perturbation.success:
                return tuple(map(str, perturbation.plan))
    return ()
