"""Prompts for transition modeling: which operators to write, in which domain."""

from __future__ import annotations

import json
from functools import cache

from eai.abilities import section
from eai.suites.transition.data import OperatorStore
from eai.task import Task


def virtualhome(task: Task) -> str | None:
    """Ask for the operators of a VirtualHome task; None if it has none."""
    return _prompt("virtualhome", task)


def behavior(task: Task) -> str | None:
    """Ask for the operators of a BEHAVIOR task; None if it has none."""
    return _prompt("behavior", task)


@cache
def _store(environment: str) -> OperatorStore:
    return OperatorStore(environment)


def _prompt(environment: str, task: Task) -> str | None:
    store = _store(environment)
    demand = store.model.demands.get(task.id)
    if demand is None:
        return None
    empty = "\n".join(
        f"(:action {name}\n  :parameters {store.model.operators[name].parameters}\n"
        "  :precondition ()\n  :effect ()\n)"
        for name in demand.operators
    )
    return "\n\n".join(
        [
            "Complete the actions of a planning domain in PDDL: what has to hold before each "
            "action, and what it changes.",
            section("Types and predicates of the domain", store.model.head.strip()),
            section(
                "A problem that they have to solve", store.task(task.id).metadata["problem"].strip()
            ),
            section("Actions to complete", empty),
            section(
                "Answer",
                "Keep names and parameters as they are. Conditions and effects may use and, or, "
                "not, forall, exists and when, over the predicates above. Write one JSON object "
                'with the key "output" and all actions as one text, and nothing else. The form:',
                json.dumps(
                    {
                        "output": "(:action light :parameters (?x - object) "
                        ":precondition (off ?x) :effect (and (on ?x) (not (off ?x))))"
                    }
                ),
            ),
        ]
    )
