"""Gold orders: which step comes before which, in any of the shapes that they may have."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from eai.errors import InputError, SchemaError
from eai.planning import PartialOrder
from eai.suites.robobench.plans import Step, read_gold

_ARROW = re.compile(r"\s*(?:-+>|=+>|→)\s*")
_FROM, _TO = (
    ("source", "from", "src", "start", "u", "before"),
    ("target", "to", "dst", "end", "v", "after"),
)
_LABELS = ("action", "label", "name", "step", "text", "node")


def read_dag(dag: object, gold: Sequence[Step]) -> tuple[tuple[int, int], ...]:
    """Read a gold order.

    Args:
        dag: An adjacency map, a list of edges, an object of nodes and edges, texts ``"a -> b"``,
            or one of these as JSON text. Nodes are numbers of lines or texts of steps.
        gold: The gold plan.

    Returns:
        Pairs of 0-based numbers of steps, the first of which comes before the second.

    Raises:
        SchemaError: If it has another shape, or a node that is no step of the gold plan.
        InputError: If it has a cycle, or the gold plan does not respect it.
    """
    if isinstance(dag, str) and not _ARROW.search(dag):
        try:
            dag = json.loads(dag)
        except ValueError as error:
            raise SchemaError(f"the gold order is not JSON: {error}", where="gt_dag") from None
    labels = _labels(dag)
    edges = [
        (u, v)
        for one, other in _edges(dag)
        for u in _steps(labels.get(str(one), one), gold)
        for v in _steps(labels.get(str(other), other), gold)
    ]
    PartialOrder(range(len(gold)), edges)
    return tuple(dict.fromkeys(edges))


def _labels(dag: object) -> dict[str, object]:
    nodes = dag.get("nodes", ()) if isinstance(dag, Mapping) else ()
    if isinstance(nodes, Mapping):
        return {str(key): value for key, value in nodes.items()}
    found = {}
    for node in nodes if isinstance(nodes, list) else ():
        if isinstance(node, Mapping) and "id" in node:
            label = next((node[key] for key in _LABELS if key in node), node["id"])
            found[str(node["id"])] = label
    return found


def _edges(dag: object) -> Iterator[tuple[Any, Any]]:
    if isinstance(dag, Mapping) and "edges" in dag:
        yield from _edges(dag["edges"])
    elif isinstance(dag, Mapping):
        for node, following in dag.items():
            if not isinstance(following, list):
                raise _unknown(following)
            yield from ((node, each) for each in following)
    elif isinstance(dag, (list, str)):
        for edge in dag.splitlines() if isinstance(dag, str) else dag:
            if isinstance(edge, Mapping):
                ends = [next((edge[k] for k in keys if k in edge), None) for keys in (_FROM, _TO)]
            else:
                ends = _ARROW.split(edge) if isinstance(edge, str) else edge
            if not isinstance(ends, list) or len(ends) < 2 or None in ends:
                raise _unknown(edge)
            yield from pairwise(ends)
    else:
        raise _unknown(dag)


def _steps(node: object, gold: Sequence[Step]) -> list[int]:
    """The steps that a node means: those of a line, or those that are written like it."""
    text = str(node).strip()
    if isinstance(node, Mapping):
        return _steps(next((node[key] for key in _LABELS if key in node), ""), gold)
    if text.isdecimal():
        found = [i for i, step in enumerate(gold) if step.number == int(text)]
    else:
        try:
            meant = read_gold(text, where="gt_dag")
        except InputError:
            raise _unknown(node) from None
        number = int(text.split("-")[0]) if text.split("-")[0].isdecimal() else None
        alike = {(step.skill, step.arguments, step.arm) for step in meant}
        found = [
            i
            for i, step in enumerate(gold)
            if (step.skill, step.arguments, step.arm) in alike and number in (None, step.number)
        ]
    if not found:
        raise _unknown(node)
    return found


def _unknown(part: object) -> SchemaError:
    return SchemaError(
        f"the gold order has {str(part)[:60]!r}",
        where="gt_dag",
        expected="edges between lines or steps of the gold plan",
    )
