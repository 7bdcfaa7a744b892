"""Reading subgoals as ``eai-eval`` 1.0.5 reads them: from the answer's text to ground literals.

The entries of the answer are joined by ``then`` and parsed as one formula, whose literals are
taken in reading order. Only the first thing that is wrong counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from eai.abilities.answers_plan import shorten
from eai.diagnosis.judgement import Finding
from eai.diagnosis.taxonomy import ErrorKind
from eai.errors import ParseError, nearest
from eai.logic import format_formula, parse_formula
from eai.logic.formula import (
    ActionAtom,
    And,
    Atom,
    Formula,
    Not,
    Or,
    Then,
    atoms,
    children,
    has_then,
    walk,
)
from eai.semantics import Semantics
from eai.simulators.virtualhome import object_class
from eai.task import Task, Vocabulary

__all__ = ["Literals", "official_entries", "official_literals", "subgoal_vocabulary"]

_BLOCK = re.compile(r"\{[^{}]*\}", re.DOTALL)
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


@dataclass(frozen=True, slots=True)
class Literals:
    """The subgoals of an answer, one ground literal each.

    Args:
        literals: Atoms, actions, and negated ones; an object without id keeps its class name if
            the semantics does not read it.
        finding: What is wrong with the answer; then there are no literals.
    """

    literals: tuple[Formula, ...] = ()
    finding: Finding | None = None


def subgoal_vocabulary(task: Task, semantics: Semantics) -> Vocabulary:
    """The names that subgoals may use, over all objects of the scene."""
    known, objects = task.vocabulary, task.start.universe.names
    predicates, actions = known.predicates, known.actions
    if "subgoal_vocabulary" in semantics:
        predicates = {name: predicates[name] for name in _PREDICATES}
        actions = {name: actions[name] for name in _ACTIONS}
    classes: dict[str, tuple[str, ...]] = {}
    for name in objects:
        classes[object_class(name)] = (*classes.get(object_class(name), ()), name)
    return Vocabulary(actions, predicates, frozenset(objects), classes)


def official_entries(answer: str) -> tuple[str, ...] | Finding:
    """Take the subgoals out of an answer; a finding if the published evaluator cannot."""
    block = _BLOCK.search(answer.strip().replace("}}", "}"))
    try:
        entries = json.loads(block.group())["output"] if block else None
    except (ValueError, KeyError, RecursionError) as error:
        return _unread(f"the first pair of braces is no JSON object with 'output': {error}")
    if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
        return _unread("there is no list of texts called 'output'")
    stripped = [entry.strip() for entry in entries]
    called = [f"{entry}()" if entry in _BARE else entry for entry in stripped]
    return tuple(entry for entry in called if _CALL.search(entry))


def official_literals(entries: Iterable[str], task: Task, semantics: Semantics) -> Literals:
    """Parse subgoals and take their literals in reading order.

    Args:
        entries: The subgoals, one text each.
        task: The task.
        semantics: Which quirks are on.
    """
    try:
        formula = parse_formula(" then ".join(entries), dialect="eai", source="subgoals")
    except ParseError as error:
        message = f"the subgoals are no formula: {error.what}, at character {error.position + 1}"
        return Literals(finding=_unread(message))
    reader = _Reader(task, semantics)
    finding = reader.unknown(formula) or _mixed(formula) or reader.unfit(formula)
    finding = finding or _goal_outside(task, reader.vocabulary, semantics)
    literals = tuple(_literals(formula)) if finding is None else ()
    if None in literals:
        finding = _unread("a negation, a quantifier or a count has no actions")
    if finding is not None:
        return Literals(finding=finding)
    return Literals(tuple(reader.read(literal) for literal in literals if literal is not None))


class _Reader:
    """Looks names up in the vocabulary of one task."""

    def __init__(self, task: Task, semantics: Semantics) -> None:
        self.vocabulary = subgoal_vocabulary(task, semantics)
        self._upper = "subgoal_vocabulary" in semantics
        self._ids = "subgoal_ids_required" in semantics
        self._numbered = {int(name.rpartition(".")[2]): name for name in self.vocabulary.objects}

    def unknown(self, formula: Formula) -> Finding | None:
        """The first predicate or action that does not exist."""
        known = {**self.vocabulary.predicates, **self.vocabulary.actions}
        for atom in _primitives(formula):
            name = atom.predicate
            if name.lower() not in known or (self._upper and not name.isupper()):
                near = nearest(name, (each.upper() for each in known))
                hint = f"; nearest: {', '.join(near)}" if near else ""
                message = f"{shorten(name)} is not a predicate or action of subgoals{hint}"
                return _of(atom, ErrorKind.ACTION_HALLUCINATION, message)
        return None

    def unfit(self, formula: Formula) -> Finding | None:
        """The first primitive with a wrong number of arguments, or else the first bad object."""
        arities = {**self.vocabulary.actions, **self.vocabulary.predicates}
        for atom in _primitives(formula):
            arity, given = arities[atom.predicate.lower()], len(atom.terms)
            if arity != given:
                message = f"{atom.predicate} takes {arity} objects, not {given}"
                return _of(atom, ErrorKind.ARGUMENT_NUMBER, message)
        for atom in _primitives(formula):
            for term in atom.terms:
                if isinstance(term, str) and self._object(term) is None:
                    message = f"{shorten(term)} is not an object of the scene"
                    return _of(atom, ErrorKind.OBJECT_HALLUCINATION, message)
        return None

    def _object(self, term: str) -> str | None:
        kind, _, number = term.rpartition(".")
        if not kind:
            found = self.vocabulary.classes.get(term, ("",))[0]
            return (term if self._ids and found else found) or None
        name = self._numbered.get(int(number), "")
        return name if object_class(name) == kind else None

    def read(self, literal: Formula) -> Formula:
        """The literal in the spelling of the world."""
        if isinstance(literal, Not):
            return Not(self.read(literal.operand))
        assert isinstance(literal, Atom)  # noqa: S101 - only literals are read
        name = literal.predicate.lower()
        terms = tuple(self._object(str(term)) or str(term) for term in literal.terms)
        if name in self.vocabulary.predicates:
            return Atom(name, terms)
        return ActionAtom(name, terms)


def _literals(formula: Formula) -> Iterator[Formula | None]:
    """The literals in reading order; None for what the published evaluator cannot flatten."""
    if isinstance(formula, Atom) or (
        isinstance(formula, Not) and isinstance(formula.operand, Atom)
    ):
        yield formula
    elif isinstance(formula, (And, Then)):
        for part in children(formula):
            yield from _literals(part)
    elif isinstance(formula, Or):
        # One is drawn at random; fixed here as the first one.
        yield from _literals(formula.operands[0])
    else:
        yield None


def _mixed(formula: Formula) -> Finding | None:
    """A conjunction of a state and a sequence stops the published parser."""
    for node in walk(formula):
        if isinstance(node, And) and len({has_then(part) for part in children(node)}) > 1:
            return _unread(f"'and' joins a state and a sequence: {format_formula(node)}")
    return None


def _goal_outside(task: Task, known: Vocabulary, semantics: Semantics) -> Finding | None:
    if "goal_in_subgoal_vocabulary" not in semantics or task.goal.formula is None:
        return None
    for atom in atoms(task.goal.formula):
        if isinstance(atom, ActionAtom) and atom.action not in known.actions:
            name = atom.action.upper()
            return _unread(f"the goal demands {name}, which is no action of subgoals")
    return None


def _primitives(formula: Formula) -> Iterator[Atom]:
    return (atom for atom in atoms(formula) if isinstance(atom, Atom))


def _unread(message: str) -> Finding:
    return Finding(ErrorKind.PARSING, message)


def _of(atom: Atom, kind: ErrorKind, message: str) -> Finding:
    return Finding(kind, message, action=shorten(format_formula(atom)))
