"""Words for what was found: made last, from findings and what they were seen on.

Conditions are put in words by the phrases that a domain brings (:mod:`eai.pddl.phrases`). What
is said is what is the case: that a condition *does not hold* is told by what holds in its
stead. Conditions that mention a predicate without a phrase, or speak of time, have no words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from eai.diagnosis.result import Evidence, Finding
from eai.diagnosis.taxonomy import UNMET, ErrorKind
from eai.errors import InputError
from eai.logic.formula import (
    And,
    Atom,
    Count,
    Equal,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Implies,
    Not,
    Or,
    Term,
    Variable,
    generalize,
    objects_of,
)
from eai.pddl.model import Named
from eai.world.bits import bits
from eai.world.state import State
from eai.world.trajectory import Trajectory
from eai.world.transition import World

__all__ = ["in_words", "sentence", "why_false"]

_MOST = 6
"""More clauses than this are counted."""

_OF_KIND: Mapping[tuple[type, bool], tuple[str, bool]] = {
    (Forall, True): ("every", True),
    (Forall, False): ("some", False),
    (Exists, True): ("some", True),
    (Exists, False): ("no", True),
}
"""Quantifier and value to the word for the objects, and what the body is of them."""

_OBJECTS = ("there is no ", "the number of ")
_SUBJECT = re.compile(r"(?:(?:every|some|no) )?\S+")


class _Clause(NamedTuple):
    """A few words; ``guard`` if they say that something is so that no action changes."""

    text: str
    guard: bool = False


class _WordlessError(Exception):
    """There are no words for a part of a condition."""


def in_words(world: World, state: State, condition: Formula, *, holds: bool = False) -> str:
    """Say in words that a condition does not hold, or holds, in a state.

    Args:
        world: The world; its domain has the phrases.
        state: The state.
        condition: A closed condition.
        holds: Whether the condition holds in the state.

    Returns:
        ``"novel.15 is inside nightstand.13, which is closed"``; empty if there are no words.
    """
    if not world.domain.phrases:
        return ""
    try:
        clauses = _Teller(world, state).tell(condition, holds)
    except _WordlessError:
        return ""
    return _joined(_telling(clauses))


def sentence(finding: Finding) -> str:
    """Say what is wrong and why.

    Args:
        finding: The finding; without evidence only the condition is named, not what is the case
            in its stead.
    """
    made = finding.text
    if not made and finding.kind in UNMET:
        made = _unmet_action(finding) if finding.kind is ErrorKind.ACTION_GOAL else _unmet(finding)
    elif not made and finding.kind is ErrorKind.ADDITIONAL_STEP:
        made = f"{finding.action}: its effects hold already"
    elif not made:
        made = _failed_step(finding)
    return f"{made} (for {finding.subgoal})" if finding.subgoal else made


def why_false(evidence: Evidence) -> str:
    """Say why the goal's formula is false on a trajectory."""
    from eai.logic import explain

    trajectory, formula = evidence.trajectory, evidence.formula
    if formula is None:
        return ""
    steps = trajectory.steps
    plan, numbers = [step.action for step in steps], [step.number for step in steps]
    return explain(formula, trajectory, plan=plan, numbers=numbers).text


def _failed_step(finding: Finding) -> str:
    """Why a step cannot be done: which condition does not hold, and what became of it."""
    action, kind = finding.action, finding.kind
    if not finding.conditions:
        return f"{action}: it cannot be executed"
    text, evidence = finding.conditions[0], finding.evidence
    destroyed_by = finding.destroyed_by
    destroyer, never, begun, words = f"step {destroyed_by}", False, True, ""
    if evidence is not None and evidence.formula is not None:
        trajectory, formula = evidence.trajectory, evidence.formula
        begun = bool(trajectory.steps)
        for step in trajectory.steps:
            if step.number == destroyed_by:
                destroyer = f"step {destroyed_by}, {step.action},"
        never = kind is ErrorKind.MISSING_STEP and not trajectory.condition(formula)
        words = in_words(trajectory.world, trajectory.final, formula)
    if words:
        since = "; no step before it changed that" if never and begun else ""
        if destroyed_by is not None:
            since = f"; {destroyer} made it so"
        return f"{action} cannot be done: {words}{since} [{text}]"
    since = "; it never held before" if never else ""
    if destroyed_by is not None:
        since = f"; it held until {destroyer} made it false"
    return f"{action}: {text} does not hold{since}"


def _unmet(finding: Finding) -> str:
    """Which condition of a goal does not hold at the end, and what is the case instead."""
    lost_by, evidence = finding.destroyed_by, finding.evidence
    [text] = finding.conditions
    formula = None if evidence is None else evidence.formula
    words = "" if evidence is None or formula is None else _at_the_end(formula, evidence.trajectory)
    if not words:
        end = " and never did" if lost_by is None else f": step {lost_by} made it false"
        return f"{text} does not hold at the end{end}"
    inner = formula.operand if isinstance(formula, Not) else formula
    since = "; no step changed that" if lost_by is None else f"; step {lost_by} made it so"
    if inner is not None and inner.variables:
        # The words are about one object or a number, the past is known of the condition only.
        since = "" if lost_by is None else f"; the condition held until step {lost_by}"
    return f"{words} at the end{since} [{text}]"


def _at_the_end(formula: Formula, trajectory: Trajectory) -> str:
    """What is the case at the end, where a condition does not hold; empty if it cannot be said.

    An evaluator may not count what holds, and a goal may speak of kinds of objects that only its
    suite knows.
    """
    world, state = trajectory.world, trajectory.final
    try:
        return "" if world.holds(state, formula) else in_words(world, state, formula)
    except InputError:
        return ""


def _unmet_action(finding: Finding) -> str:
    """Why an action does not count: it was not done, or not after what comes before it."""
    [name], evidence = finding.conditions, finding.evidence
    if evidence is None:
        return f"{name} was not done (in this order)"
    steps, names = evidence.trajectory.steps, name.split("|")
    done = [step.number for step in steps if step.action.name.upper() in names]
    before = [each for each in evidence.goals[:-1] if each.kind == "action"]
    if not done or not before:
        return f"{name} was not done"
    last, since = done[-1], before[-1].since
    missing = next((each for each in before if not each.met), None)
    if missing is not None:
        return (
            f"{name} was done in step {last}, but not after {missing.text}, which the goal asks "
            "for first"
        )
    if last == since:
        return f"{name} was not done again after step {last}"
    return f"{name} was done in step {last}, but not after {before[-1].text} (step {since})"


class _Teller:
    """Tells conditions of one state."""

    def __init__(self, world: World, state: State) -> None:
        self._world = world
        self._state = state

    def tell(self, formula: Formula, value: bool) -> list[_Clause]:
        """What is the case if a formula has a value."""
        if isinstance(formula, Atom):
            return [self._atom(formula, value)]
        if isinstance(formula, Not):
            return self.tell(formula.operand, not value)
        if isinstance(formula, Implies):
            return self.tell(Or((Not(formula.left), formula.right)), value)
        if isinstance(formula, (And, Or)):
            return self._junction(formula, value)
        if isinstance(formula, (Exists, Forall)):
            return self._quantified(formula, value)
        if isinstance(formula, Count):
            return [self._counted(formula, value)]
        if isinstance(formula, ForPairs) and not value:
            return [self._unpaired(formula)]
        if isinstance(formula, Equal):
            word = "is" if value else "is not"
            return [_Clause(f"{_name(formula.left)} {word} {_name(formula.right)}", guard=value)]
        raise _WordlessError

    def _atom(self, atom: Atom, value: bool) -> _Clause:
        domain = self._world.domain
        phrase = domain.phrases.get(atom.predicate)
        if phrase is None:
            raise _WordlessError
        text, names = (phrase.true if value else phrase.false), list(map(_name, atom.terms))
        named = phrase.named.get(value)
        found = None if named is None or atom.free else self._found(named, names)
        if named is not None and found is not None:
            text, names = named.text, found
        return _Clause(text.format(*names), value and atom.predicate not in domain.fluents)

    def _found(self, named: Named, names: Sequence[str]) -> list[str] | None:
        """The names of an atom and of the objects that are to blame, if there are some."""
        known = list(names)
        for variable, condition in named.search:
            known_as = {str(number): name for number, name in enumerate(known)}
            fitting = self._fitting(condition.substitute(known_as), variable)
            if fitting is None:
                return None
            known.append(fitting)
        return known

    def _fitting(self, condition: Formula, variable: Variable) -> str | None:
        """The first object for which a condition holds."""
        fitting = self._all_fitting(condition, variable)
        return self._state.universe.names[next(bits(fitting))] if fitting else None

    def _all_fitting(self, condition: Formula, variable: Variable) -> int:
        """The objects for which a condition holds, as a mask."""
        universe, constants = self._state.universe, self._world.domain.constants
        objects = sorted(objects_of(condition).difference(constants))
        # Objects become parameters, so that one compiled function serves all of them.
        swap = {name: Variable(f"?{number}") for number, name in enumerate(objects)}
        search = self._world.members_of(generalize(condition, swap), variable, tuple(swap.values()))
        return search(self._state, *[universe.number(name) for name in objects])

    def _holds(self, formula: Formula) -> bool:
        return self._world.holds(self._state, formula)

    def _junction(self, formula: And | Or, value: bool) -> list[_Clause]:
        parts: Iterable[Formula] = formula.operands
        together = isinstance(formula, And) is value
        if not together:
            if formula.free:
                told = (_joined(self.tell(part, value)) for part in parts)
                return [_Clause(" or ".join(told))]
            parts = [part for part in parts if self._holds(part) == value]
            # Of a conjunction all that fails is told, of a disjunction what makes it true.
            parts = parts[:1] if value else parts
        return [clause for part in parts for clause in self.tell(part, value)]

    def _quantified(self, formula: Exists | Forall, value: bool) -> list[_Clause]:
        first, *others = formula.variables
        if formula.free:
            return self._of_kind(formula, value)
        body = type(formula)(tuple(others), formula.body) if others else formula.body
        searched = isinstance(formula, Exists)
        if searched is value:
            found = self._fitting(body if value else Not(body), first)
            if found is None:
                raise _WordlessError
            return self.tell(body.substitute({first.name: found}), value)
        names = " and ".join(variable.name for variable in formula.variables)
        told = self._told(formula.body, searched)
        kind = _kind(first)
        named = "" if names == kind else f" {names}"
        return [_Clause(f"there is no {kind}{named} for which {told}")]

    def _of_kind(self, formula: Exists | Forall, value: bool) -> list[_Clause]:
        """What is so of a kind of objects, where it depends on others that have no names."""
        variable, *others = formula.variables
        word, inner = _OF_KIND[type(formula), value]
        body = formula.body
        parts = body.operands if isinstance(body, And) and word == "every" else (body,)
        if others or not all(map(_is_literal, parts)):
            # To say it twice of "some" is not to say it of one.
            raise _WordlessError
        every = Variable(f"{word} {_kind(variable)}", variable.types)
        return self.tell(body.substitute({variable.name: every}), inner)

    def _told(self, body: Formula, value: bool) -> str:
        """What is so of objects that have no names."""
        return _joined(_telling(self.tell(body, value)))

    def _counted(self, formula: Count, value: bool) -> _Clause:
        if formula.free:
            raise _WordlessError
        number = self._all_fitting(formula.body, formula.variable).bit_count()
        least = "" if formula.comparison == "exactly" else f"{formula.comparison} "
        instead = "" if value else f" instead of {least}{formula.number}"
        told = self._told(formula.body, True)
        return _Clause(
            f"the number of {_named(formula.variable)} for which {told} is {number}{instead}"
        )

    def _unpaired(self, formula: ForPairs) -> _Clause:
        """How many of the pairs can be formed."""
        if formula.free:
            raise _WordlessError
        sides = formula.first, formula.second
        objects = [self._state.universe.of_types(side.types) for side in sides]
        wanted = min(map(len, objects)) if formula.number is None else formula.number
        formed = wanted - 1
        while formed > 0 and not self._holds(ForPairs(*sides, formula.body, formed)):
            formed -= 1
        pairs, told = " and ".join(map(_named, sides)), self._told(formula.body, True)
        return _Clause(
            f"the number of pairs of {pairs} for which {told} is {formed} instead of {wanted}"
        )


def _is_literal(formula: Formula) -> bool:
    return isinstance(formula.operand if isinstance(formula, Not) else formula, Atom)


def _kind(variable: Variable) -> str:
    return " or ".join(variable.types)


def _named(variable: Variable) -> str:
    kind = _kind(variable)
    return kind if kind == variable.name else f"{kind} {variable.name}"


def _name(term: Term) -> str:
    return term.name if isinstance(term, Variable) else term


def _telling(clauses: Sequence[_Clause]) -> list[_Clause]:
    """The clauses that say something: once each, without what only says that the rest matters.

    What objects there are comes last: such a clause has clauses of its own.
    """
    own = list(dict.fromkeys(clauses))
    telling = [clause for clause in own if not clause.guard] or own
    return sorted(telling, key=lambda clause: clause.text.startswith(_OBJECTS))


def _joined(clauses: Sequence[_Clause]) -> str:
    """One sentence; what has the same subject as the words before does not repeat it."""
    words = ""
    subject = ""
    for clause in clauses[:_MOST]:
        found = _SUBJECT.match(clause.text)
        now = found[0] if found else ""
        rest = clause.text[len(now) :].lstrip()
        if words:
            words += f" and {rest if now == subject else clause.text}"
        else:
            words = clause.text
        subject = now
    more = len(clauses) - _MOST
    return f"{words}, and {more} more" if more > 0 else words
