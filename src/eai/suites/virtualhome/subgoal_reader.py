"""Reading subgoals as ``eai-eval`` 1.0.5 reads them: from the answer's text to ground literals."""

from __future__ import annotations

import re
from collections.abc import Iterable

from eai.abilities.subgoals.literals import Names, flattened, listed_entries, parsed, unparseable
from eai.diagnosis.judgement import Finding
from eai.logic.formula import ActionAtom, Atom, Formula, Not, atoms
from eai.semantics import Semantics
from eai.simulators.virtualhome import object_class
from eai.task import Task, Vocabulary

__all__ = ["official_entries", "official_literals", "subgoal_vocabulary"]

_CALL = re.compile(r"\w+\(.*?\)")
_BARE = frozenset({"SLEEP", "WAKEUP", "STANDUP"})
_ACTIONS = re.findall(
    r"\w+",
    "drink eat cut touch lookat watch read type push pull move squeeze sleep wakeup rinse scrub "
    "wash wipe grab switchoff",
)
_PREDICATES = re.findall(
    r"\w+",
    "grabbable cuttable can_open readable has_paper movable pourable cream has_switch lookable "
    "has_plug drinkable body_part recipient containers cover_object surfaces sittable lieable "
    "person hangable clothes eatable closed open on off sitting dirty clean lying plugged_in "
    "plugged_out ontop inside between next_to facing holds_rh holds_lh",
)


def subgoal_vocabulary(task: Task, semantics: Semantics) -> Vocabulary:
    """The names that subgoals may use, over all objects of the scene, relevant ones first."""
    known = task.vocabulary
    predicates, actions = known.predicates, known.actions
    if "subgoal_vocabulary" in semantics:
        predicates = {name: predicates[name] for name in _PREDICATES}
        actions = {name: actions[name] for name in _ACTIONS}
    classes = dict(known.classes)
    for name in task.start.universe.names:
        if name not in known.objects:
            kind = object_class(name)
            classes[kind] = (*classes.get(kind, ()), name)
    return Vocabulary(actions, predicates, frozenset(task.start.universe.names), classes)


def official_entries(answer: str) -> list[str] | Finding:
    """Take the subgoals out of an answer; a finding if the published evaluator cannot."""
    entries = listed_entries(answer)
    if isinstance(entries, Finding):
        return entries
    called = [f"{entry}()" if entry in _BARE else entry for entry in entries]
    return [entry for entry in called if _CALL.search(entry)]


def official_literals(
    entries: Iterable[str], task: Task, semantics: Semantics
) -> tuple[Formula, ...] | Finding:
    """Parse subgoals and take their literals in reading order.

    Args:
        entries: The subgoals, one text each.
        task: The task.
        semantics: Which quirks are on.

    Returns:
        Atoms, actions, and negated ones; an object without id keeps its class name if the
        semantics does not read it. Or what is wrong.
    """
    formula = parsed(entries)
    if isinstance(formula, Finding):
        return formula
    vocabulary = subgoal_vocabulary(task, semantics)
    names = _names(vocabulary, semantics)
    found = names.check(formula) or _goal_outside(task, vocabulary, semantics)
    literals = flattened(formula) if found is None else found
    if isinstance(literals, Finding):
        return literals
    return tuple(_read(literal, vocabulary, names) for literal in literals)


def _names(vocabulary: Vocabulary, semantics: Semantics) -> Names:
    arities = {**vocabulary.actions, **vocabulary.predicates}
    upper = "subgoal_vocabulary" in semantics
    numbered = {int(name.rpartition(".")[2]): name for name in vocabulary.objects}
    ids = "subgoal_ids_required" in semantics

    def object_of(term: str) -> str | None:
        kind, _, number = term.rpartition(".")
        if kind:
            name = numbered.get(int(number), "")
            return name if object_class(name) == kind else None
        if term not in vocabulary.classes:
            return None
        return term if ids else vocabulary.classes[term][0]

    return Names(
        {name.upper() if upper else name: arity for name, arity in arities.items()},
        object_of,
        fold=not upper,
    )


def _read(literal: Formula, vocabulary: Vocabulary, names: Names) -> Formula:
    """A literal in the spelling of the world."""
    if isinstance(literal, Not):
        return Not(_read(literal.operand, vocabulary, names))
    assert isinstance(literal, Atom)  # noqa: S101 - only literals are read
    name = literal.predicate.lower()
    terms = tuple(names.object_of(str(term)) or str(term) for term in literal.terms)
    return Atom(name, terms) if name in vocabulary.predicates else ActionAtom(name, terms)


def _goal_outside(task: Task, known: Vocabulary, semantics: Semantics) -> Finding | None:
    if "goal_in_subgoal_vocabulary" not in semantics or task.goal.formula is None:
        return None
    for atom in atoms(task.goal.formula):
        if isinstance(atom, ActionAtom) and atom.action not in known.actions:
            name = atom.action.upper()
            return unparseable(f"the goal demands {name}, which is no action of subgoals")
    return None
