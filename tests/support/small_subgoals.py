"""Tiny VirtualHome tasks with subgoals."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

from small_virtualhome import small_task

from eai.diagnosis import Result
from eai.logic import LogicVocabulary, parse_formula
from eai.semantics import Semantics
from eai.simulators import virtualhome_domain
from eai.suites.virtualhome.quirks import QUIRKS, SUBGOAL_QUIRKS
from eai.suites.virtualhome.subgoals import evaluate_subgoals
from eai.task import Task, Vocabulary

KNOWN = {**QUIRKS, **SUBGOAL_QUIRKS}
PREDICATES = {
    name: predicate.arity
    for name, predicate in virtualhome_domain().predicates.items()
    if name not in virtualhome_domain().derived and not name.startswith("from_")
}
CUPS = Vocabulary(
    actions={"drink": 1, "sleep": 0},
    predicates={"on": 1, "holds_rh": 2},
    objects=frozenset({"me.1", "cup.2", "cup.3"}),
    classes={"me": ("me.1",), "cup": ("cup.2", "cup.3")},
)
"""Two cups and somebody, with few actions and predicates."""
ROOM = (
    "inside lamp.8 kitchen.1; off lamp.8; has_switch lamp.8; inside cup.11 kitchen.1; "
    "grabbable cup.11; inside bed.9 bedroom.2; lieable bed.9; sittable bed.9; "
    "inside box.12 bedroom.2; can_open box.12; closed box.12; inside pen.13 box.12; "
    "grabbable pen.13; inside desk.14 bedroom.2; surfaces desk.14"
)


def subgoal_task(
    *,
    states: Iterable[str] = (),
    relations: Iterable[str] = (),
    actions: Iterable[str] = (),
    formula: str = "",
) -> Task:
    """A task in a flat with a lamp, a cup, a bed, and a pen in a closed box."""
    task = small_task(ROOM, states=states, relations=relations, actions=actions)
    vocabulary = replace(task.vocabulary, predicates=PREDICATES)
    names = LogicVocabulary(PREDICATES, vocabulary.actions, None)
    goal = replace(
        task.goal,
        text=formula,
        formula=parse_formula(formula, vocabulary=names) if formula else None,
    )
    return replace(task, vocabulary=vocabulary, goal=goal)


def listed(*subgoals: str) -> str:
    """Subgoals as the prompt asks for them."""
    return json.dumps({"necessity_to_use_action": "no", "output": list(subgoals)})


def meaning(choice: str, *, without: Iterable[str] = (), only: Iterable[str] = ()) -> Semantics:
    """A semantics of subgoal decomposition."""
    return Semantics.of(choice, KNOWN, without=without, only=only)


def evaluated(task: Task, answer: str | None, semantics: Semantics | None = None) -> Result:
    """The result on an answer, under ``official`` unless another semantics is given."""
    return evaluate_subgoals(task, answer, semantics or meaning("official"))
