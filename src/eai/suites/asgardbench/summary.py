"""How many tasks failed, by family."""

from __future__ import annotations

from collections.abc import Iterable

from eai.diagnosis.judgement import Judgement
from eai.semantics import Semantics

__all__ = ["failed_by_family"]


def failed_by_family(
    judgements: Iterable[Judgement], semantics: Semantics
) -> dict[str, tuple[int, int]]:
    """Count failed tasks and all tasks of each family.

    Args:
        judgements: The judgements of episodes.
        semantics: Under ``summary_fails_all`` every task counts as failed.

    Returns:
        Family to the number of failed tasks and the number of all.
    """
    everything = "summary_fails_all" in semantics
    found: dict[str, tuple[int, int]] = {}
    for judgement in judgements:
        failed = everything or not judgement.success
        for family in judgement.groups:
            failures, tasks = found.get(family, (0, 0))
            found[family] = failures + failed, tasks + 1
    return found
