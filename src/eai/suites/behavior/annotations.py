"""What the release says of a demo beside the task itself, for abilities that need it as it is.

Names are those of the activity's definition (``jar.n.01_1``). Everything is read from the
stored tasks, demo by demo::

    goal_conditions(demo)[0][0]     # (("inside", "candle.n.01_1", "basket.n.01_1"), ...)
    object_states(demo)["jar.n.01_1"]               # ("Stained", "Open", "Dusty")
    subgoal_goal_terms(demo)[0]     # GoalTerm(("not", "dusty", "car.n.01_1"), held=False)
    definition_names(demo)["jar.n.01_1"]            # "jar_0", as plans call it
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from eai.suites.behavior.scenes import Words
from eai.suites.behavior.tasks import BehaviorStore


def _said(demo: str) -> Mapping[str, Any]:
    return _read(BehaviorStore().folder, demo)


@lru_cache(maxsize=128)
def _read(folder: Path, demo: str) -> Mapping[str, Any]:
    metadata = BehaviorStore(folder).task(demo).metadata
    return {key: _frozen(value) for key, value in metadata.items()}


def _frozen(value: Any) -> Any:  # noqa: ANN401
    """A JSON value with tuples for its lists."""
    if isinstance(value, dict):
        return {key: _frozen(part) for key, part in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class GoalTerm:
    """A goal condition, flattened.

    Args:
        words: Its words, brackets left out.
        held: Whether it held in the simulator when the recording began.
    """

    words: Words
    held: bool


def goal_conditions(demo: str) -> tuple[tuple[tuple[Words, ...], ...], ...]:
    """Return the options that the release lists for each goal condition (``all_conditions.json``).

    An option is a tuple of literals, a literal a tuple of words: ``("not", "open", "jar.n.01_1")``.
    For three demos the list was made from another version of the goal (see the page on goals).

    Args:
        demo: Identifier of the task.

    Raises:
        UnknownNameError: If there is no such demo.
        DataMissingError: If the official data was not fetched.
    """
    options: tuple[tuple[tuple[Words, ...], ...], ...] = _said(demo)["options"]
    return options


def object_states(demo: str) -> Mapping[str, tuple[str, ...]]:
    """Return the states that each object can be in (``all_objects.json``), as spelled there.

    Args:
        demo: Identifier of the task.

    Raises:
        UnknownNameError: If there is no such demo.
        DataMissingError: If the official data was not fetched.
    """
    states: Mapping[str, tuple[str, ...]] = _said(demo)["states"]
    return states


def definition_names(demo: str) -> Mapping[str, str]:
    """Return for each object's name in the definition its name in plans.

    Args:
        demo: Identifier of the task.

    Raises:
        UnknownNameError: If there is no such demo.
        DataMissingError: If the official data was not fetched.
    """
    names: Mapping[str, str] = _said(demo)["names"]
    return names


def subgoal_goal_terms(demo: str) -> tuple[GoalTerm, ...]:
    """Return the goal conditions as the simulator evaluated them at the start.

    The release has them in ``error_list_dict.json``, for subgoal decomposition.

    Args:
        demo: Identifier of the task.

    Raises:
        UnknownNameError: If there is no such demo.
        DataMissingError: If the official data was not fetched.
    """
    return tuple([GoalTerm(words, held) for words, held in _said(demo)["terms"]])
