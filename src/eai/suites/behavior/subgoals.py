"""Subgoal decomposition in the BEHAVIOR world, under any set of the quirks.

The published evaluator puts a fixed list of actions in place of every literal; otherwise actions
that reach a subgoal are searched in the world.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from eai.abilities.action_sequencing import unread
from eai.abilities.subgoal_decomposition import evaluate_bound_subgoals
from eai.abilities.subgoals import BoundSubgoals, bind_subgoals
from eai.abilities.subgoals.choice import best_result, pieces
from eai.abilities.subgoals.literals import Names, flattened, listed_entries, parsed, unparseable
from eai.abilities.subgoals.reader import SubgoalReading, read_subgoals, reading_of
from eai.abilities.subgoals.search import Branch
from eai.answers import BoundPlan
from eai.diagnosis.goals import unmet_goals
from eai.diagnosis.result import Condition, Finding, Result
from eai.diagnosis.runtime import Rules, Run
from eai.diagnosis.taxonomy import ErrorKind
from eai.logic import format_formula
from eai.logic.formula import Atom, Formula, Not, atoms, map_atoms
from eai.semantics import Semantics
from eai.simulators.base import Execution
from eai.suites.behavior.executors import ExecutorRules
from eai.suites.behavior.plans import blank_conditions, score_goal, simulator
from eai.task import Task
from eai.world.action import Action
from eai.world.bits import bits

__all__ = [
    "Hands",
    "SubgoalRules",
    "actions_for",
    "bound_subgoals",
    "evaluate_subgoals",
    "joint_actions",
    "official_literals",
    "read_entries",
    "subgoal_rules",
]

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
    return tuple(_spelled(literal) for literal in literals)


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


def _spelled(literal: Formula) -> Formula:
    if isinstance(literal, Not):
        return Not(_spelled(literal.operand))
    assert isinstance(literal, Atom)  # noqa: S101 - only literals are read
    terms = tuple(str(term).replace(".", "_") for term in literal.terms)
    return Atom(literal.predicate.lower(), terms)


_PLACES = {
    "inside": "place_inside",
    "ontop": "place_ontop",
    "onfloor": "place_ontop",
    "nextto": "place_nextto",
    "touching": "place_nextto",
    "under": "place_under",
}


_MAKERS = {
    "cooked": "cook",
    "burnt": "cook",
    "frozen": "freeze",
    "open": "open",
    "sliced": "slice",
    "soaked": "soak",
    "toggledon": "toggle_on",
}


_ENDERS = {
    "dusty": "clean",
    "stained": "clean",
    "frozen": "unfreeze",
    "open": "close",
    "toggledon": "toggle_off",
}


_ON = ("ontop", "onfloor")


_BY = ("nextto", "touching")


_HAND_OF = {"holds_rh": "right", "holds_lh": "left"}


@dataclass(frozen=True)
class Hands:
    """What the robot holds.

    Args:
        right: What the right hand holds; empty if nothing.
        left: What the left hand holds; empty if nothing.
    """

    right: str = ""
    left: str = ""

    def holding(self, name: str) -> str:
        """The hand that holds something; a name that begins or contains it will do."""
        if name in self.left:
            return "left"
        return "right" if name in self.right else ""

    def freed(self, hand: str) -> list[Action]:
        """Empty a hand."""
        held = self.right if hand == "right" else self.left
        return [Action(f"{hand}_release", (held,))] if held else []

    def with_one_free(self) -> list[Action]:
        """Empty the right hand if both are full."""
        return self.freed("right") if self.left else []

    def with_grasped(self, name: str) -> tuple[str, list[Action]]:
        """The hand that holds something, and how it comes to hold it."""
        hand = self.holding(name)
        if hand:
            return hand, []
        hand = "left" if self.right and not self.left else "right"
        release = self.freed("right") if hand == "right" else []
        return hand, [*release, Action(f"{hand}_grasp", (name,))]


def joint_actions(first: Formula, second: Formula, hands: Hands) -> list[Action]:
    """The actions for two subgoals that are one; none if they are not."""
    if not (isinstance(first, Atom) and isinstance(second, Atom)):
        return []
    on, by = (first, second) if first.predicate in _ON else (second, first)
    if on.predicate not in _ON or by.predicate not in _BY or on.terms[0] not in by.terms:
        return []
    name, target = map(str, on.terms)
    neighbour = by.terms[0] if name == by.terms[1] else by.terms[1]
    hand, begin = hands.with_grasped(name)
    return [*begin, Action(f"{hand}_place_nextto_ontop", (str(neighbour), target))]


def actions_for(literal: Formula, hands: Hands) -> list[Action]:
    """The actions for a subgoal; none where the published evaluator has none.

    Args:
        literal: A ground literal.
        hands: What the robot holds now.
    """
    if isinstance(literal, Not):
        return _negative(literal.operand, hands)
    assert isinstance(literal, Atom)  # noqa: S101 - nothing else is a literal
    name = str(literal.terms[0])
    if literal.predicate in _PLACES:
        hand, begin = hands.with_grasped(name)
        act = f"{hand}_{_PLACES[literal.predicate]}"
        return [*begin, Action(act, (str(literal.terms[1]),))]
    if literal.predicate in _HAND_OF:
        hand = _HAND_OF[literal.predicate]
        return [*hands.freed(hand), Action(f"{hand}_grasp", (name,))]
    return _changed(_MAKERS, literal, hands)


def _negative(atom: Formula, hands: Hands) -> list[Action]:
    assert isinstance(atom, Atom)  # noqa: S101 - nothing else is negated in a literal
    name = str(atom.terms[0])
    if atom.predicate == "inside":
        return [*hands.with_grasped(name)[1], Action("right_release", (name,))]
    if atom.predicate in _HAND_OF:
        hand = _HAND_OF[atom.predicate]
        return hands.freed(hand) if hands.holding(name) == hand else []
    return _changed(_ENDERS, atom, hands)


def _changed(table: dict[str, str], atom: Atom, hands: Hands) -> list[Action]:
    act = table.get(atom.predicate)
    return [*hands.with_one_free(), Action(act, (str(atom.terms[0]),))] if act else []


class SubgoalRules(ExecutorRules):
    """The rules of the published executors, with the order in which subgoals rank errors.

    A step can have several kinds of error there. Of these, wrong order comes before affordance,
    while in action sequencing it is the other way round.
    """

    def take(self, run: Run, action: Action, number: int) -> tuple[str, Finding | None]:
        """See :meth:`eai.diagnosis.runtime.Rules.take`."""
        outcome, finding = super().take(run, action, number)
        if finding is None or finding.kind is not ErrorKind.AFFORDANCE:
            return outcome, finding
        if not self._was_possible(run, action):
            return outcome, finding
        return outcome, replace(finding, kind=ErrorKind.WRONG_ORDER)


@cache
def subgoal_rules(semantics: Semantics) -> Rules:
    """How the steps of subgoals are evaluated."""
    if {"executor_order", "wrong_order_before_affordance"} <= semantics.quirks:
        return SubgoalRules(semantics)
    return simulator(semantics).rules


def evaluate_subgoals(task: Task, answer: str | None, semantics: Semantics) -> Result:
    """Evaluate an answer to subgoal decomposition (see :class:`eai.contract.Ability`)."""
    if answer is None:
        finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
        return replace(_grammar(finding, task, semantics), status="missing")
    reading = read_entries(answer, semantics)
    if "subgoal_templates" not in semantics:
        return _searched(reading, task, semantics)
    if reading.problems:
        finding = Finding(ErrorKind.PARSING, reading.problems[0].message)
        return _grammar(finding, task, semantics)
    entries = [subgoal.text for subgoal in reading.subgoals]
    choices = pieces(entries, first_only="subgoal_alternative_drawn" in semantics)
    return best_result(_expanded(choice, task, semantics) for choice in choices)


def _searched(reading: SubgoalReading, task: Task, semantics: Semantics) -> Result:
    """The result on subgoals that are searched for in the world."""

    def score(task: Task, execution: Execution) -> tuple[Condition, ...]:
        return score_goal(task, execution, semantics)

    bound = bound_subgoals(reading, task, semantics)
    world, budget = simulator(semantics), semantics.budget
    result = evaluate_bound_subgoals(bound, task, world, score=score, budget=budget)
    if not bound.findings and result.outcome != "beyond the budget":
        return result
    return replace(result, goals=_unread_goals(task, semantics))


def _expanded(entries: tuple[str, ...], task: Task, semantics: Semantics) -> Result:
    """The result on subgoals that are expanded by templates."""
    literals = official_literals(entries, task, semantics)
    if isinstance(literals, Finding):
        return _grammar(literals, task, semantics)
    branch, rules = _begin(task, semantics), subgoal_rules(semantics)
    waiting = list(reversed(literals))
    while waiting and branch.alive:
        literal = waiting.pop()
        hands = _hands(branch)
        joint = joint_actions(literal, waiting[-1], hands) if waiting else []
        if joint:
            waiting.pop()
        actions = joint or actions_for(literal, hands)
        branch.take(actions, rules, subgoal=format_formula(literal))
    stopped = next((each for each in branch.findings if each.kind is ErrorKind.UNSCORABLE), None)
    if stopped is not None:
        # What an executor stops with ends the evaluation of the answer.
        return _grammar(unparseable(stopped.message), task, semantics)
    return _evaluated(branch, task, semantics)


def _begin(task: Task, semantics: Semantics) -> Branch:
    return Branch(Run(simulator(semantics).world, task.start, task.agent))


def _hands(branch: Branch) -> Hands:
    state = branch.run.state
    held = [
        state.rows[state.layout.index[hand]][state.universe.number(branch.run.agent)]
        for hand in ("holds_rh", "holds_lh")
    ]
    return Hands(*(next((state.universe.names[i] for i in bits(mask)), "") for mask in held))


def _evaluated(branch: Branch, task: Task, semantics: Semantics) -> Result:
    execution = branch.execution
    goals = score_goal(task, execution, semantics)
    met = all(goal.met for goal in goals)
    findings = tuple(branch.findings)
    if "additional_uncounted_if_unsolved" in semantics and branch.alive and not met:
        findings = tuple(replace(finding, times=0) for finding in findings)
    return Result(
        "evaluated",
        success=met and branch.alive,
        executable=branch.alive,
        plan=tuple(map(str, branch.actions)),
        executed=tuple(branch.outcomes),
        findings=(*findings, *unmet_goals(goals, execution.trajectory)),
        goals=goals,
        formula=task.goal.text,
        formula_holds=met,
    )


def _grammar(finding: Finding, task: Task, semantics: Semantics) -> Result:
    result = unread(BoundPlan((), (finding,), ()), task)
    return replace(result, goals=_unread_goals(task, semantics))


def _unread_goals(task: Task, semantics: Semantics) -> tuple[Condition, ...]:
    if "unread_goals_from_start" in semantics:
        return score_goal(task, _begin(task, semantics).execution, semantics)
    return blank_conditions(task, semantics)
