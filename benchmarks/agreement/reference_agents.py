"""What each reference agent reaches with a model that errs now and then, by hand.

    python benchmarks/agreement/reference_agents.py [SUITE ...] [--agents plain llm+p]
        [--errors 0.05 0.2] [--every 6] [--annotated]

The model is simulated: it knows the oracle's steps, and at every step it errs with the probability
that is given, that is, it takes any action with any objects instead. When a step of its own was
not done it tries it again. For `llm+p` it leaves out each part of the goal with the same
probability. What it thinks (`react`) makes it no better. So the numbers say how the suites and the
ways of acting forgive errors, not how good a model is. Acted is under `strict`, with simple
feedback. `llm+p` plans, which takes minutes. `--every N` takes every N-th task; those that a suite
never counts are left out. `--annotated` leaves out those that their annotated plan does not solve,
for which the oracle may search for minutes.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterable, Iterator, Sequence

import eai
from eai.acting import format_action, write_answers
from eai.agents import (
    REFERENCE_AGENTS,
    WHOLE_PLAN,
    Assignment,
    Message,
    RandomAgent,
    reference_agent,
)
from eai.contract import INTERACTION, PLANS, Suite
from eai.logic import And, format_formula
from eai.task import Task

_LINE = re.compile(r"^\d+\. (.*): (Success|Failure)", re.MULTILINE)


class Simulated:
    """A model that knows what to do and errs now and then."""

    def __init__(
        self, task: Task, steps: Sequence[str], agent: str, error: float, seed: str
    ) -> None:
        self._task = task
        self._steps = [step.removeprefix("Action: ") for step in steps]
        self._whole = agent == "replan"
        self._error = error
        self._dice = random.Random(seed)  # noqa: S311
        names = sorted({word for step in self._steps for word in step.split()[1:]})
        actions = {step.split()[0]: len(step.split()) - 1 for step in self._steps}
        self._chance = RandomAgent(actions, names, seed=seed)
        self._done = self._seen = 0

    def __call__(self, messages: Sequence[Message]) -> str:
        """Answer."""
        text = messages[-1]["content"]
        if "Goal: predicate(" in text:
            return f"Goal: {self._goal()}"
        lines = _LINE.findall(text)
        for action, outcome in lines[self._seen :]:
            right = self._done < len(self._steps) and action == self._steps[self._done]
            self._done += right and outcome == "Success"
        self._seen = len(lines)
        rest = self._steps[self._done :] or self._steps[-1:]
        answers = (self._chance([]) if self._errs() else f"Action: {step}" for step in rest)
        return "\n".join(answers) if self._whole else next(answers)

    def _errs(self) -> bool:
        return self._dice.random() < self._error

    def _goal(self) -> str:
        goal = self._task.goal
        if goal.formula is not None and goal.is_extended:
            return "" if self._errs() else format_formula(goal.formula)
        kept = tuple(formula for _, formula in goal.final[0] if not self._errs())
        return format_formula(And(kept)) if kept else ""


def chosen(suite: Suite, every: int, *, annotated: bool) -> Iterator[Task]:
    """The tasks in which is acted."""
    strict = suite.semantics("strict")
    for task in map(suite.task, suite.task_ids()[::every]):
        if suite.episode_rules(task, strict).excluded:
            continue
        if annotated:
            answer = write_answers(map(format_action, task.plans[0] if task.plans else ()))
            if not suite.evaluate(INTERACTION, task, answer, strict).success:
                continue
        yield task


def solved(
    suite: Suite, agent: str, error: float, seed: int, given: Iterable[Task]
) -> tuple[int, int]:
    """How many tasks are solved, and how many there are."""
    found = tasks = 0
    for task in given:
        oracle = eai.interact(suite, task, semantics="strict")
        tasks += 1
        if not oracle.episode.turns:
            acted = oracle  # its goal holds at the start
        elif agent in ("oracle", "random"):
            acted = eai.interact(suite, task, agent, semantics="strict", seed=seed)
        else:
            steps = [turn.answer for turn in oracle.episode.turns]
            model = Simulated(task, steps, agent, error, f"{seed}/{task.id}")
            wrapped = reference_agent(agent, model, Assignment.of(suite, task, "strict"))
            most = WHOLE_PLAN if agent == "replan" else None
            acted = eai.interact(suite, task, wrapped, semantics="strict", actions=most)
        found += acted.success
    return found, tasks


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("suites", nargs="*", default=["household", "asgardbench"])
    parser.add_argument("--agents", nargs="+", default=["oracle", *REFERENCE_AGENTS, "random"])
    parser.add_argument("--errors", nargs="+", type=float, default=[0.05, 0.2])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--annotated", action="store_true")
    options = parser.parse_args()
    for name in options.suites:
        suite = eai.suite(name)
        tasks = list(chosen(suite, options.every, annotated=options.annotated))
        for agent in options.agents:
            if agent == "llm+p" and PLANS not in suite.abilities:
                continue
            fixed = agent in ("oracle", "random")
            for error in options.errors[:1] if fixed else options.errors:
                number, count = solved(suite, agent, error, options.seed, tasks)
                at = "" if fixed else f"errs in {100 * error:g} % of steps"
                print(f"{name:12} {agent:8} {at:24} {number:4} of {count}", flush=True)


if __name__ == "__main__":
    main()
