"""A small, quickly read form of BEHAVIOR's tasks: one file for each, and one for what they share.

Nothing is corrected: misspelt action names, goals of another version and contradictions between
files are kept as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

__all__ = ["FORMAT", "Common", "CompactTask", "Listed", "Option", "Words"]

FORMAT = 1
"""Version of the written form; files of another version are made anew."""

Words = tuple[str, ...]
"""A condition as the release flattens it: ``("not", "open", "jar.n.01_1")``."""

Option = tuple[Words, ...]
"""Literals that together satisfy a goal condition."""

Listed = tuple[str, str, tuple[str, ...]]
"""An object: name in plans, name in the definition, the states that it can be in."""


@dataclass(frozen=True, slots=True)
class Common:
    """What all tasks share.

    Args:
        activities: Demo to activity, in the order of the release.
        actions: Action name, in lower case, to the number of objects that a plan gives it.
        predicates: State or relation, as in goals, to its arity.
    """

    activities: Mapping[str, str]
    actions: Mapping[str, int]
    predicates: Mapping[str, int]

    def to_json(self) -> dict[str, Any]:
        """Return a value for the json module."""
        return asdict(self)

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Common:
        """Rebuild it from what :meth:`to_json` returned, after a round trip to text."""
        return cls(content["activities"], content["actions"], content["predicates"])


@dataclass(frozen=True, slots=True)
class CompactTask:
    """One task.

    Args:
        id: Name of the demo.
        activity: Name of the activity (``"bottling_fruit"``).
        place: The home in which it was recorded (``"Wainscott_0_int"``).
        instruction: What the agent is told, in words.
        objects: Its objects, in the order of the release; the agent is not among them.
        initial: What holds at the start, in the definition's names.
        goal: The goal in BDDL, in the definition's names, on one line.
        plan: The human annotation: action and object (or two, with a comma).
        options: For each goal condition the ways to satisfy it that the release lists.
        terms: Each goal condition, flattened, and whether it held at the start of the recording.
    """

    id: str
    activity: str
    place: str
    instruction: str
    objects: tuple[Listed, ...]
    initial: tuple[Words, ...]
    goal: str
    plan: tuple[tuple[str, str], ...]
    options: tuple[tuple[Option, ...], ...]
    terms: tuple[tuple[Words, bool], ...]

    def to_json(self) -> dict[str, Any]:
        """Return a value for the json module; options refer to their literals by number."""
        literals = dict.fromkeys(words for ways in self.options for way in ways for words in way)
        number = {words: at for at, words in enumerate(literals)}
        plain = {name: getattr(self, name) for name in self.__slots__}
        return {
            **plain,
            "literals": list(literals),
            "options": [
                [[number[words] for words in way] for way in ways] for ways in self.options
            ],
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> CompactTask:
        """Rebuild a task from what :meth:`to_json` returned, after a round trip to text."""
        literals = _tuples(content["literals"])
        return cls(
            content["id"],
            content["activity"],
            content["place"],
            content["instruction"],
            tuple([(name, bddl, tuple(states)) for name, bddl, states in content["objects"]]),
            _tuples(content["initial"]),
            content["goal"],
            tuple([(action, target) for action, target in content["plan"]]),
            tuple([_ways(ways, literals) for ways in content["options"]]),
            tuple([(tuple(words), bool(held)) for words, held in content["terms"]]),
        )


def _tuples(rows: Iterable[Iterable[str]]) -> tuple[Words, ...]:
    return tuple([tuple(row) for row in rows])


def _ways(ways: Iterable[Iterable[int]], literals: Sequence[Words]) -> tuple[Option, ...]:
    return tuple([tuple([literals[at] for at in way]) for way in ways])
