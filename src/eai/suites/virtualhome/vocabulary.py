"""The names of VirtualHome's domain that answers may use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from eai import simulators
from eai.task import Vocabulary

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
def domain_names() -> Vocabulary:
    """All but the objects: actions, states, relations and properties; no rules, no bookkeeping."""
    known = Vocabulary.of(simulators.virtualhome_domain(), ())
    predicates = {name: n for name, n in known.predicates.items() if not name.startswith("from_")}
    return replace(known, predicates=predicates)
