"""Reading BEHAVIOR subgoals as ``eai-eval`` 1.0.5 reads them: from text to ground literals.

Objects are written with a dot before their number (``basket.0`` is ``basket_0``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from eai.abilities.subgoals import BoundSubgoals, bind_subgoals
from eai.abilities.subgoals.literals import Names, flattened, listed_entries, parsed, unparseable
from eai.abilities.subgoals.reader import SubgoalReading, read_subgoals, reading_of
from eai.diagnosis.judgement import Finding
from eai.diagnosis.taxonomy import ErrorKind
from eai.logic.formula import Atom, Formula, Not, atoms, map_atoms
from eai.semantics import Semantics
from eai.task import Task

__all__ = ["bound_subgoals", "official_literals", "read_entries"]

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
_HANDS = ("holds_rh", "holds_lh")
_ALIASES = {"toggledon": "toggled_on", "touching": "nextto"}
_DOT = re.compile(r"(\w)\.(\d+)")


def read_entries(answer: str, semantics: Semantics) -> SubgoalReading:
    """Take the subgoals out of an answer, as the semantics says."""
    if "subgoal_pattern_reader" not in semantics:
        reading = read_subgoals(answer)
    else:
        answer = answer.replace("toggled.on", "toggledon").replace("t-shirt", "shirt")
        reading = reading_of(listed_entries(answer))
    if "subgoal_entries_dropped" not in semantics:
        return reading
    kept = tuple(subgoal for subgoal in reading.subgoals if not _is_dropped(subgoal.text))
    return replace(reading, subgoals=kept)


def _is_dropped(entry: str) -> bool:
    return not entry or "agent" in entry or _DROPPED.search(entry) is not None


def bound_subgoals(reading: SubgoalReading, task: Task, semantics: Semantics) -> BoundSubgoals:
    """Bind subgoals to the world, for a search.

    What a hand holds has one object (``holds_rh(rag.0)``), and what touches something is next to
    it. Objects may be written with a dot or an underscore before their number.

    Args:
        reading: What was read out of the answer.
        task: The task.
        semantics: Which quirks are on.
    """
    known = task.vocabulary
    predicates = {**known.predicates, **dict.fromkeys((*_HANDS, *_ALIASES), 1), "touching": 2}
    if "subgoal_vocabulary" in semantics:
        predicates = {name: predicates[name] for name in predicates if name != "toggled_on"}
    vocabulary = replace(known, actions={}, predicates=predicates)
    spelled = tuple(
        replace(subgoal, text=_DOT.sub(r"\1_\2", subgoal.text)) for subgoal in reading.subgoals
    )
    bound = bind_subgoals(replace(reading, subgoals=spelled), vocabulary)
    subgoals = tuple(
        replace(subgoal, text=written.text, ways=tuple(_worldly(subgoal.ways, task.agent)))
        for subgoal, written in zip(bound.subgoals, reading.subgoals, strict=False)
    )
    return replace(bound, subgoals=subgoals)


def _worldly(ways: Iterable[tuple[Formula, ...]], agent: str) -> Iterator[tuple[Formula, ...]]:
    for way in ways:
        yield tuple(_with_hands(map_atoms(each, _ALIASES), agent) for each in way)


def _with_hands(formula: Formula, agent: str) -> Formula:
    """The formula with the robot as the one that holds something."""
    if isinstance(formula, Atom):
        held = formula.predicate in _HANDS
        return Atom(formula.predicate, (agent, *formula.terms)) if held else formula
    parts = tuple(_with_hands(part, agent) for part in formula.operands)
    return formula.rebuild(parts) if parts else formula


def official_literals(
    entries: Iterable[str], task: Task, semantics: Semantics
) -> tuple[Formula, ...] | Finding:
    """Parse subgoals and take their literals in reading order.

    Args:
        entries: The subgoals, one text each.
        task: The task.
        semantics: Which quirks are on.

    Returns:
        Atoms and negated ones over objects of the task, or what is wrong.
    """
    formula = parsed(entries)
    if isinstance(formula, Finding):
        return formula
    found = _names(task, semantics).check(formula)
    if found is None or found.kind is not ErrorKind.ACTION_HALLUCINATION:
        found = _empty(formula) or found
    literals = flattened(formula) if found is None else found
    if isinstance(literals, Finding):
        return literals
    return tuple(_read(literal) for literal in literals)


def _names(task: Task, semantics: Semantics) -> Names:
    arities: dict[str, int | None] = {
        **{kind.replace(".", "_"): None for kind in task.start.universe.types if "." in kind},
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

    if "subgoal_vocabulary" in semantics:
        later = {*_STOPPING, *task.vocabulary.actions}.difference(_STATES)
        return Names(arities, find, later=later)
    return Names({name.lower(): arity for name, arity in arities.items()}, find, fold=True)


def _empty(formula: Formula) -> Finding | None:
    """A primitive without arguments stops the published evaluator."""
    bare = next((each for each in atoms(formula) if not each.terms), None)
    return None if bare is None else unparseable("a primitive has no arguments")


def _read(literal: Formula) -> Formula:
    if isinstance(literal, Not):
        return Not(_read(literal.operand))
    assert isinstance(literal, Atom)  # noqa: S101 - only literals are read
    terms = tuple(str(term).replace(".", "_") for term in literal.terms)
    return Atom(literal.predicate.lower(), terms)
