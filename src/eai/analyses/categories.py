"""Which categories of predicates dominate a task (paper, section L.5 and Table 25)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from eai.analyses.table import AnalysisTable
from eai.errors import InputError

__all__ = ["categorize", "category_counts"]


def categorize(
    programs: Mapping[str, Iterable[str]],
    predicates: Mapping[str, Iterable[str]],
    *,
    categories: Mapping[str, str],
    most: int = 2,
) -> dict[str, tuple[str, ...]]:
    """Assign each program the categories whose predicates say most about it (section L.5).

    The predicates of a program are those of its actions. With df(t) the number of the |P|
    programs that have the predicate t, ``IDF(t) = log(|P| / df(t))``; the score of a category is
    the sum of the IDF of its predicates in the program, and the highest scores win.

    Args:
        programs: Program to the names of its actions.
        predicates: Action to the predicates of its conditions and effects.
        categories: Predicate to category; predicates without one do not count.
        most: Number of categories for each program (2 in the paper).

    Returns:
        Program to its categories, highest score first (equal scores: by name). A category none
        of whose predicates occurs in the program is never assigned.

    Raises:
        InputError: If a program has an action that is not known, or ``most`` is below 1.
    """
    if most < 1:
        raise InputError(f"a program cannot have {most} categories", expected="1 or more")
    known = {action: frozenset(names) for action, names in predicates.items()}
    found = {program: _predicates(program, actions, known) for program, actions in programs.items()}
    frequency = Counter(name for names in found.values() for name in names)
    weight = {name: math.log(len(found) / count) for name, count in frequency.items()}
    return {program: _best(names, weight, categories, most) for program, names in found.items()}


def _predicates(
    program: str, actions: Iterable[str], known: Mapping[str, frozenset[str]]
) -> frozenset[str]:
    names: set[str] = set()
    for action in actions:
        if action not in known:
            raise InputError(
                f"the program {program!r} has the action {action!r}, which has no predicates",
                expected=f"one of {', '.join(sorted(known)[:8])}, ...",
            )
        names |= known[action]
    return frozenset(names)


def _best(
    names: Iterable[str], weight: Mapping[str, float], categories: Mapping[str, str], most: int
) -> tuple[str, ...]:
    scores: dict[str, float] = {}
    for name in sorted(names):  # a fixed order of additions, so that sums do not differ
        if name in categories:
            category = categories[name]
            scores[category] = scores.get(category, 0.0) + weight[name]
    ranked = sorted(scores, key=lambda category: (-scores[category], category))
    return tuple(ranked[:most])


def category_counts(assigned: Mapping[str, Iterable[str]]) -> AnalysisTable:
    """Count the tasks in each category (Table 25); a task counts in each of its categories."""
    counts = Counter(category for categories in assigned.values() for category in categories)
    return AnalysisTable(
        "Tasks in each category",
        [{"category": category, "tasks": counts[category]} for category in sorted(counts)],
        (f"{len(assigned)} tasks; a task counts in each of its categories",),
    )
