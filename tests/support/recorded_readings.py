"""Answers as they were read before: for each, exactly what was read out of it, and where.

Run as a script, it reads all answers of the fixtures anew; the difference shows what a change of
a reader does to them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from small_virtualhome import ARITIES, small_task

from eai.abilities import GoalNames, read_goals, read_operators, read_subgoals
from eai.logic import format_formula
from eai.pddl import Operator, clauses, parse_domain
from eai.task import Vocabulary

__all__ = ["READERS", "recorded"]

FOLDER = Path(__file__).parents[1] / "fixtures" / "readings"

SUBGOAL_NAMES = Vocabulary(
    actions={"drink": 1, "sleep": 0},
    predicates={"on": 1, "next_to": 2, "holds_rh": 2},
    objects=frozenset({"me.1", "cup.2", "cup.3", "lamp.3"}),
    classes={"me": ("me.1",), "cup": ("cup.2", "cup.3"), "lamp": ("lamp.3",)},
)
_HOME = small_task("off lamp.1; off computer.2; readable book.3; inside cup.5 kitchen.1").vocabulary
_STATES = {"on": 1, "open": 1, "plugged_in": 1, "computer": 1}
_RELATIONS = {"ontop": 2, "facing": 2, "holds_rh": 2}
GOAL_NAMES = GoalNames(Vocabulary(ARITIES, {**_STATES, **_RELATIONS}, _HOME.objects, _HOME.classes))
DOMAIN = parse_domain(
    "(define (domain d) (:types thing) (:predicates (on ?x - thing) (next_to ?x - thing)))"
)
OPERATORS = ("switch_on", "walk_towards")


def subgoals(answer: str) -> list[Any]:
    """Return the subgoals with their places, the places of problems, and the number of notes."""
    found = []
    for names in (None, SUBGOAL_NAMES):
        reading = read_subgoals(answer, names)
        texts = [[each.text, each.position] for each in reading.subgoals]
        problems = [problem.position for problem in reading.problems]
        found.append([texts, problems, len(reading.notes)])
    return found


def goals(answer: str) -> list[Any]:
    """Return the goals with their places, and how they were chosen."""
    reading = read_goals(answer, GOAL_NAMES)
    texts = [
        [each.kind, each.name, *each.arguments, not each.negated, each.text, each.position]
        for each in reading.goals
    ]
    problem = reading.problem
    unusable = None if problem is None else [problem.kind.value, problem.position]
    return [texts, unusable, len(reading.notes), reading.status, reading.rule]


def _parts(operator: Operator) -> list[Any]:
    """Return an operator in its parts, as texts."""
    effects = [
        [added, format_formula(atom), format_formula(condition)]
        for _, condition, added, atom in clauses(operator.effect)
    ]
    parameters = [[each.name, *each.types] for each in operator.parameters]
    return [operator.name, parameters, format_formula(operator.precondition), effects]


def operators(answer: str) -> list[Any]:
    """Return the operators with their places, and what is wrong in them."""
    reading = read_operators(answer, DOMAIN, OPERATORS)
    texts = [
        [
            *_parts(each.operator),
            each.place.position,
            [str(issue.kind) for issue in each.issues],
        ]
        for each in reading.operators
    ]
    outside = [str(issue.kind) for issue in reading.outside]
    problems = [position for _, position in reading.problems]
    return [texts, outside, len(reading.notes), problems]


READERS: dict[str, Callable[[str], list[Any]]] = {
    "subgoals": subgoals,
    "goals": goals,
    "operators": operators,
}


def recorded(name: str) -> list[tuple[str, list[Any]]]:
    """Return the answers of a fixture, each with what was read."""
    lines = (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [tuple(json.loads(line)) for line in lines]


def write(name: str, answers: list[str]) -> None:
    """Read answers, and keep what was read."""
    FOLDER.mkdir(exist_ok=True)
    rows = [[answer, READERS[name](answer)] for answer in answers]
    lines = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows]
    (FOLDER / f"{name}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    for reader in READERS:
        write(reader, [answer for answer, _ in recorded(reader)])
