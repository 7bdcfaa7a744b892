"""How many shapes of answers are read as a careful person reads them, by suite and ability.

    python benchmarks/agreement/reading.py [--part plans,decisions,...] [--suites household,...]
        [--tasks 4] [--show SHAPE]

The shapes are in ``tests/support``. A plan is read rightly if the text succeeds as the suite's own
notation of the same plan does. Of two plans in one answer the chosen one must be judged. Negatives
hold a right plan without giving it as the answer, so none of them may succeed. ``--show`` prints
the texts of one shape that are misread, and what is found in them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "support"))

from answer_shapes import DECISIONS, IN_WORDS, NEGATIVES, SHAPES, Step
from answer_words import PDDL_DOMAIN, PDDL_PLANS, PDDL_PROBLEMS, in_words
from reading_abilities import goals, operators, robobench, subgoals
from reading_board import Board

import eai
from eai.contract import Suite, write_plan
from eai.diagnosis import Result
from eai.task import Task
from eai.world import Action

SUITES = "household,virtualhome,behavior,eb-alfred,eb-habitat,pddl"
PLANNING = "action_sequencing"
CONTROLS = ("plain_fence_with_title", "offer_at_the_end", "json_final_answer_key", "python_dicts")
LOOKED_AT = 40  # tasks of a suite that are looked at for the wanted number of usable ones


@dataclass
class Case:
    """A task with a right plan, and two wrong ones."""

    suite: Suite
    task: Task
    steps: list[Step]
    native: str
    wrong: tuple[list[Step], list[Step]]

    def succeeds(self, text: str) -> bool:
        """Say whether a text is judged a success."""
        return self.result(text).success

    def result(self, text: str) -> Result:
        """Evaluate a text as an answer to the task."""
        semantics = self.suite.semantics("strict")
        return self.suite.evaluate(PLANNING, self.task, text, semantics)


def main() -> None:
    """Print the parts that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suites", default=SUITES)
    parser.add_argument("--tasks", type=int, default=4)
    parser.add_argument("--show", help="a shape whose misread texts are printed")
    parser.add_argument("--part", default=",".join(PARTS))
    options = parser.parse_args()
    for part in options.part.split(","):
        PARTS[part](options)


def cases_of(options: argparse.Namespace) -> dict[str, list[Case]]:
    """Return usable tasks for each suite that is asked for and has its data."""
    found = {name: _cases_if_there(name, options.tasks) for name in options.suites.split(",")}
    return {name: cases for name, cases in found.items() if cases}


def _cases_if_there(name: str, number: int) -> list[Case]:
    try:
        return _cases(name, number)
    except eai.EaiError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return []


def _cases(name: str, number: int) -> list[Case]:
    suite = _pddl_suite() if name == "pddl" else eai.suite(name)
    found: list[Case] = []
    ids = list(suite.task_ids())
    for task_id in ids[:: max(1, len(ids) // LOOKED_AT)]:
        task = suite.task(task_id)
        plans = [_pddl_plan(task_id)] if name == "pddl" else task.plans
        if not plans or not 3 <= len(plans[0]) <= 12:
            continue
        steps = _steps(name, suite, plans[0])
        wrong = (steps[:-1], steps[::-1])
        case = Case(suite, task, steps, write_plan(suite, plans[0]), wrong)
        fails = [plans[0][:-1], plans[0][::-1], ()]
        if case.succeeds(case.native) and not any(
            case.succeeds(write_plan(suite, plan)) for plan in fails
        ):
            found.append(case)
        if len(found) == number:
            break
    return found


def _pddl_suite() -> Suite:
    from eai.suites.pddl import Pddl

    return Pddl.from_texts("tea-room", PDDL_DOMAIN, PDDL_PROBLEMS)


def _pddl_plan(task_id: str) -> tuple[Action, ...]:
    words = (line.split() for line in PDDL_PLANS[task_id].splitlines())
    return tuple(Action(name, tuple(arguments)) for name, *arguments in words)


def _steps(name: str, suite: Suite, plan: Sequence[Action]) -> list[Step]:
    """Return the steps of a plan in the notation of the suite, and in words."""
    if name.startswith("eb-"):
        entries = json.loads(write_plan(suite, plan))["executable_plan"]
        skills = [entry["action_name"] for entry in entries]
        return [
            Step(action.name, action.arguments, skill, skill)
            for action, skill in zip(plan, skills, strict=True)
        ]
    steps = []
    for action in plan:
        written = action.name if name == "pddl" else action.name.upper()
        call = f"{written}({', '.join(action.arguments)})"
        if name == "pddl":
            call = f"({' '.join((written, *action.arguments))})"
        words = in_words(action.name, action.arguments)
        steps.append(Step(written, action.arguments, call, words))
    return steps


def plans(options: argparse.Namespace) -> None:
    """Right plans in many shapes."""
    board = Board("plans", options.show)
    said = Board("plans in words of English", options.show)
    for suite, cases in cases_of(options).items():
        for name, shape in SHAPES.items():
            outcomes = []
            for case in cases:
                text = shape(case.steps)
                outcomes.append(case.succeeds(text))
                if not outcomes[-1]:
                    board.show(name, case.task.id, text, case.result(text))
            (said if name in IN_WORDS else board).count(name, suite, outcomes)
    board.print()
    said.print()


def decisions(options: argparse.Namespace) -> None:
    """Two plans in one answer: either the right one is chosen, or a wrong one."""
    right = Board("decisions for the right plan: read", options.show)
    wrong = Board("decisions for a wrong plan: not a success", options.show)
    for suite, cases in cases_of(options).items():
        for name, decision in DECISIONS.items():
            read = []
            withheld = []
            for case in cases:
                for other in case.wrong:
                    text = decision(case.steps, other)
                    read.append(case.succeeds(text))
                    if not read[-1]:
                        right.show(name, case.task.id, text, case.result(text))
                    text = decision(other, case.steps)
                    withheld.append(not case.succeeds(text))
                    if not withheld[-1]:
                        wrong.show(name, case.task.id, text, case.result(text))
            right.count(name, suite, read)
            wrong.count(name, suite, withheld)
    right.print()
    wrong.print()


def negatives(options: argparse.Namespace) -> None:
    """Texts that must not succeed, and the same plans said plainly.

    A reader that reads nothing has all negatives right: the controls tell it apart.
    """
    board = Board("negatives", options.show)
    controls = Board("controls of the negatives", options.show)
    for suite, cases in cases_of(options).items():
        for name in CONTROLS:
            read = [case.succeeds(SHAPES[name](case.steps)) for case in cases]
            controls.count(name, suite, read)
        for name, negative in NEGATIVES.items():
            outcomes = []
            for case in cases:
                text = negative(case.steps)
                outcomes.append(not case.succeeds(text))
                if not outcomes[-1]:
                    board.show(name, case.task.id, text, case.result(text))
            board.count(name, suite, outcomes)
    board.print()
    controls.print()


PARTS: Mapping[str, Callable[[argparse.Namespace], None]] = {
    "plans": plans,
    "decisions": decisions,
    "negatives": negatives,
    "goals": goals,
    "subgoals": subgoals,
    "operators": operators,
    "robobench": robobench,
}

if __name__ == "__main__":
    main()
