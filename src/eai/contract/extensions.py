"""Extensions of one or two benchmarks, which are announced beside the suite and not in it.

An entry point of the groups below has the name of its suite (or its scheme, ``pddl``); packages of
others announce theirs in the same way.

- ``eai.analyses``: ``(suite, report, logs)`` returns tables that only this suite has
- ``eai.judges``: ``(suite, answers, semantics, file)`` compares scores with another evaluator's
- ``eai.audits``: an :class:`Audit` of recorded episodes
- ``eai.published``: ``(suite)`` returns numbers that were printed elsewhere
- ``eai.published_prompts``: ``(suite, ability)`` yields task and text of a release's prompts
- ``eai.stores``: ``(suite)`` returns the stores that are filled when its data is fetched
- ``eai.answer_formats``: format of published answers to ability to the quirks to switch off
- ``eai.answer_fields``: key of answers to the line that is put before them
- ``eai.listed_goals``: ``(suite, task)`` returns literals that a release lists for a goal
- ``eai.worlds``: an :class:`eai.contract.TaskWorld`, in which tasks are generated
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from eai.contract.suite import AuditFinding, Suite
from eai.errors import InputError
from eai.plugins import announced, find_object, shipped

GROUPS = (
    "eai.analyses",
    "eai.judges",
    "eai.audits",
    "eai.published",
    "eai.published_prompts",
    "eai.stores",
    "eai.answer_formats",
    "eai.answer_fields",
    "eai.listed_goals",
    "eai.worlds",
)
"""Groups of entry points that have the name of a suite."""


class Audit(NamedTuple):
    """The functions that audit a suite's recorded episodes (``eai audit``).

    Args:
        episodes: ``(suite, episodes)`` yields what is out of order in them, given as identifiers
            as they are written to records as JSON; nothing about those of others.
        rates: ``(suite, episodes)`` returns for each group what logs claim: solved episodes,
            episodes, tasks.
        table: ``(suite, rows)`` yields what is out of order in a table of results, whose rows map
            headings to cells; None if the suite has no such tables.
    """

    episodes: Callable[[Any, Mapping[str, str]], Iterator[AuditFinding]]
    rates: Callable[[Any, Mapping[str, str]], Mapping[str, tuple[int, int, int]]]
    table: Callable[[Any, Iterable[Mapping[str, str]]], Iterator[AuditFinding]] | None = None


def extension(group: str, suite: Suite, *, name: str | None = None) -> Any:  # noqa: ANN401
    """Return a suite's registered extension of a group, or None.

    Args:
        group: The group of entry points (``"eai.analyses"``).
        suite: The suite.
        name: The name that it is announced under; by default the suite's, or its scheme.

    Raises:
        InputError: If the extension cannot be imported.
    """
    if name is None:
        # "generated:thor?seed=1" -> "generated": all suites of a scheme share their extensions.
        name, _, _ = suite.name.partition(":")
    origin = shipped(group).get(name)
    # Looking through other packages takes a tenth of a second, and suites of eai are not theirs.
    is_ours = name in shipped("eai.suites") or name in shipped("eai.schemes")
    if origin is None and not is_ours:
        origin = announced(group).get(name)
    if origin is None:
        return None
    return find_object(origin.target, what=f"{name!r} in {group} from {origin.package}")


def needed_extension(group: str, suite: Suite, *, lacks: str = "", mend: str | None = None) -> Any:  # noqa: ANN401
    """Return a suite's registered extension of a group, or raise an error.

    Args:
        group: The group of entry points.
        suite: The suite.
        lacks: Words about a suite without such an extension: ``"has nothing to audit"``.
        mend: Advice for that case.

    Raises:
        InputError: If the suite has no such extension, or it cannot be imported.
    """
    value = extension(group, suite)
    if value is not None:
        return value
    expected = None
    suites_with_extension = sorted(announced(group))
    if suites_with_extension:
        expected = f"one of {', '.join(suites_with_extension)}"
    problem = lacks or f"announces nothing in {group}"
    raise InputError(f"the suite {suite.name!r} {problem}", expected=expected, mend=mend)


def answer_formats(suite: Suite) -> Mapping[str, Mapping[str, Iterable[str]]]:
    """Return the formats of published answers: ability to the quirks that keep them unread."""
    formats: Mapping[str, Mapping[str, Iterable[str]]] | None
    formats = extension("eai.answer_formats", suite)
    return formats or {}
