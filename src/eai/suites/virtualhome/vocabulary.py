"""The names that answers to VirtualHome tasks may use, from the domain and from a task."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from eai.errors import DataError
from eai.simulators.virtualhome_model import virtualhome_domain
from eai.suites.virtualhome.compact import CompactTask, Facts
from eai.task import Vocabulary

__all__ = [
    "RELATIONS",
    "action_arities",
    "check_facts",
    "predicate_arities",
    "vocabulary_of",
]

RELATIONS: Mapping[str, str] = {
    "ON": "ontop",
    "INSIDE": "inside",
    "BETWEEN": "between",
    "CLOSE": "next_to",
    "FACING": "facing",
    "HOLDS_RH": "holds_rh",
    "HOLDS_LH": "holds_lh",
}
"""Relation of a scene graph to predicate of the domain."""


@cache
def action_arities() -> Mapping[str, int]:
    """Operator name to the number of objects that a plan gives it: all but the agent."""
    return {
        name: len(operator.parameters) - 1
        for name, operator in virtualhome_domain().operators.items()
    }


@cache
def predicate_arities() -> Mapping[str, int]:
    """Predicate name to arity: states, relations and properties; no rules, no bookkeeping."""
    domain = virtualhome_domain()
    return {
        name: predicate.arity
        for name, predicate in domain.predicates.items()
        if name not in domain.derived and not name.startswith("from_")
    }


def check_facts(facts: Facts) -> None:
    """See that the domain declares what a scene graph says.

    Raises:
        DataError: If it does not.
    """
    known = virtualhome_domain().predicates
    told = [name.lower() for table in (facts.properties, facts.states) for name in table]
    told += [RELATIONS.get(relation, relation) for relation in facts.edges]
    for predicate in told:
        if predicate not in known:
            raise DataError(
                f"the scene graph has {predicate!r}, which the domain does not declare",
                expected=", ".join(known),
            )


def vocabulary_of(task: CompactTask, names: Mapping[int, str]) -> Vocabulary:
    """Return what an answer to a task may mention.

    Args:
        task: The task.
        names: Id to name of every object of its scene.
    """
    relevant = [names[number] for number in task.relevant]
    classes: dict[str, tuple[str, ...]] = {}
    for name in relevant:
        class_name = name.rpartition(".")[0]
        classes[class_name] = (*classes.get(class_name, ()), name)
    return Vocabulary(action_arities(), predicate_arities(), frozenset(relevant), classes)
