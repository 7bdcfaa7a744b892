"""Which environment rows are of, and the digests of instructions that its tasks are known by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from eai.suites.embodiedbench.skills import (
    ALFRED,
    HABITAT,
    MANIPULATION,
    NAVIGATION,
    skill_named,
)

_MODULES = {ALFRED: "alfred", HABITAT: "habitat", NAVIGATION: "navigation"}
"""The environments whose tasks are known by the SHA-256 of their instructions."""


def environment_of_rows(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the environment that wrote some rows, by their keys or else by their actions."""
    if any("distance" in row for row in rows):
        return NAVIGATION
    if any(isinstance(row.get("action_success"), list) for row in rows):
        return MANIPULATION
    if any("subgoal_reward" in row or "lang_goal" in row for row in rows):
        return HABITAT
    words: list[str] = []
    for row in rows:
        words.append(str(row.get("action_description") or row.get("action") or ""))
    return environment_of_words(words)


def environment_of_words(words: Iterable[str]) -> str:
    """Return the environment that knows most of the named actions, or "" if none does.

    The spelling decides between environments that share words: EB-ALFRED writes its types in
    capitals ("pick up the Mug"), EB-Habitat its categories in small letters.
    """
    points: Counter[str] = Counter()
    for text in words:
        # EB-Manipulation writes positions instead of words: "[57, 61, 20, 0, 60, 90, 1]".
        if text.startswith("["):
            points[MANIPULATION] += 2
        for environment in (ALFRED, HABITAT, NAVIGATION):
            skill = skill_named(environment, text)
            if skill is None:
                continue
            is_spelled_so = skill.words.rstrip(".") == text.rstrip(".")
            points[environment] += 2 if is_spelled_so else 1
    if not points:
        return ""
    [(best, _)] = points.most_common(1)
    return best


@cache
def task_digests(environment: str, subset: str) -> Sequence[str]:
    """Return the digest of each task's instruction in a subset, or nothing if they are unknown."""
    module = _MODULES.get(environment)
    if module is None:
        return ()
    # Imported late: the tasks of an environment are large, and most runs are of one of them.
    records = import_module(f"{__package__}.{module}").records()
    size = sum(name.partition("/")[0] == subset for name in records)
    return tuple(records[f"{subset}/{index}"].sha256 for index in range(size))
