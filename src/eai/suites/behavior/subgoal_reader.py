"""Reading BEHAVIOR subgoals as ``eai-eval`` 1.0.5 reads them: from text to ground literals.

Objects are written with a dot before their number (``basket.0`` is ``basket_0``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from eai.abilities.subgoals_literals import Names, flattened, listed_entries, parsed, unparseable
from eai.diagnosis.judgement import Finding
from eai.logic.formula import Atom, Formula, Not, atoms
from eai.semantics import Semantics
from eai.task import Task

__all__ = ["official_entries", "official_literals"]

_DROPPED = re.compile("forall|exists|forpairs|forn")
_STATES = re.findall(
    r"\w+",
    "frozen dusty soaked toggledon sliced burnt cooked stained open holds_rh holds_lh "
    "inFOVOfRobot inHandOfRobot inReachOfRobot inSameRoomAsRobot",
)
_ROOMS = re.findall(
    r"\w+",
    "Undefined BedRoom EmptyRoom DiningRoom PantryRoom Garage Bathroom PlayRoom HomeOffice "
    "Library Staircase Kitchen LivingRoom ExerciseRoom Corridor Auditorium TelevisionRoom Lobby "
    "Balcony StorageRoom ChildsRoom Closet UtilityRoom",
)
_RELATIONS = ("inside", "nextto", "touching", "under", "ontop", "onfloor")
_STOPPING = ("burn", "stain", "unclean")


def official_entries(answer: str, semantics: Semantics) -> list[str] | Finding:
    """Take the subgoals out of an answer; a finding if the published evaluator cannot."""
    answer = answer.replace("toggled.on", "toggledon").replace("t-shirt", "shirt")
    entries = listed_entries(answer)
    if isinstance(entries, Finding) or "subgoal_entries_dropped" not in semantics:
        return entries
    return [entry for entry in entries if not _is_dropped(entry)]


def _is_dropped(entry: str) -> bool:
    return not entry or "agent" in entry or _DROPPED.search(entry) is not None


def official_literals(entries: Iterable[str], task: Task) -> tuple[Formula, ...] | Finding:
    """Parse subgoals and take their literals in reading order.

    Args:
        entries: The subgoals, one text each.
        task: The task.

    Returns:
        Atoms and negated ones over objects of the task, or what is wrong.
    """
    formula = parsed(entries)
    if isinstance(formula, Finding):
        return formula
    literals = _names(task).check(formula) or _empty(formula) or flattened(formula)
    if isinstance(literals, Finding):
        return literals
    return tuple(_read(literal, task) for literal in literals)


def _names(task: Task) -> Names:
    arities: dict[str, int | None] = {
        **{kind.replace(".", "_"): None for kind in task.start.universe.types},
        **dict.fromkeys(_STOPPING),
        **task.vocabulary.actions,
        **dict.fromkeys(_STATES, 1),
        **dict.fromkeys([f"isIn{room}" for room in _ROOMS], 1),
        **dict.fromkeys(_RELATIONS, 2),
    }
    # The pieces of what can be sliced have no name in the release.
    known = {name for names in task.vocabulary.classes.values() for name in names}

    def find(term: str) -> str | None:
        kind, _, number = term.rpartition(".")
        name = f"{kind}_{number}" if kind else term
        return name if name in known and ("_" not in name or kind) else None

    return Names(arities, find)


def _empty(formula: Formula) -> Finding | None:
    """A primitive without arguments stops the published evaluator."""
    bare = next((each for each in atoms(formula) if not each.terms), None)
    return None if bare is None else unparseable("a primitive has no arguments")


def _read(literal: Formula, task: Task) -> Formula:
    if isinstance(literal, Not):
        return Not(_read(literal.operand, task))
    assert isinstance(literal, Atom)  # noqa: S101 - only literals are read
    terms = tuple(str(term).replace(".", "_") for term in literal.terms)
    return Atom(literal.predicate, terms)
