"""The names of VirtualHome's domain that answers may use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from eai import simulators

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
        for name, operator in simulators.virtualhome_domain().operators.items()
    }


@cache
def predicate_arities() -> Mapping[str, int]:
    """Predicate name to arity: states, relations and properties; no rules, no bookkeeping."""
    domain = simulators.virtualhome_domain()
    return {
        name: predicate.arity
        for name, predicate in domain.predicates.items()
        if name not in domain.derived and not name.startswith("from_")
    }
