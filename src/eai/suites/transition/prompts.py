"""Prompts for transition modeling: which operators to write, in which domain."""

from __future__ import annotations

from functools import cache

from eai.suites.shared.templates import filled
from eai.suites.transition.data import OperatorSource, OperatorStore
from eai.task import Task


def virtualhome(task: Task) -> str | None:
    """Ask for the operators of a VirtualHome task; None if it has none."""
    return operator_prompt(_store("virtualhome"), task)


def behavior(task: Task) -> str | None:
    """Ask for the operators of a BEHAVIOR task; None if it has none."""
    return operator_prompt(_store("behavior"), task)


_store = cache(OperatorStore)


def operator_prompt(store: OperatorSource, task: Task) -> str | None:
    """Return the prompt for the operators of a task, or None if the task has none."""
    demand = store.model.demands.get(task.id)
    if demand is None:
        return None
    return filled(
        "transition/prompt",
        head=store.model.head.strip(),
        problem=store.task(task.id).metadata["problem"].strip(),
        operators=[store.model.operators[name] for name in demand.operators],
    )
