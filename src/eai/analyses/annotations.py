"""What is wrong with the annotations of suites."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from eai.contract import Suite
from eai.lint import FAULTS, lint_suite
from eai.registry import given_suite
from eai.table import Table

__all__ = ["annotation_faults"]


def annotation_faults(suites: Iterable[str | Suite]) -> Table:
    """List the faults of the annotations of suites, found by running every reference plan.

    Args:
        suites: The suites, by name or as they are.

    Raises:
        DataMissingError: If the data of a suite was not fetched.
    """
    chosen = list(map(given_suite, suites))
    found = [(suite.name, fault) for suite in chosen for fault in lint_suite(suite)]
    counts = Counter((suite, fault.kind) for suite, fault in found)
    notes = [
        f"{suite.name}: {len(suite.task_ids())} tasks; "
        + (", ".join(f"{counts[suite.name, kind]} {kind}" for kind in _kinds(suite, counts)) or "-")
        for suite in chosen
    ]
    meanings = [f"{kind}: {FAULTS[kind]}" for kind in FAULTS if any(k == kind for _, k in counts)]
    return Table(
        "Faults of annotations",
        [
            {
                "suite": suite,
                "task": fault.task,
                "kind": fault.kind,
                "step": fault.step,
                "what": fault.message,
            }
            for suite, fault in found
        ],
        (*notes, *meanings),
    )


def _kinds(suite: Suite, counts: Counter[tuple[str, str]]) -> list[str]:
    return [kind for kind in FAULTS if counts[suite.name, kind]]
