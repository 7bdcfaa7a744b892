"""Subgoal decomposition in the BEHAVIOR world, under any set of the quirks."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import cache

from eai.abilities import (
    BoundSubgoals,
    Branch,
    Names,
    SubgoalReading,
    bind_subgoals,
    listed_entries,
    unparseable,
)
from eai.diagnosis import Condition, ErrorKind, Finding, Result, Rules, Run
from eai.logic import Atom, Formula, Not, atoms, format_formula, map_atoms
from eai.semantics import Semantics
from eai.simulators import BehaviorSimulator, Execution
from eai.suites.behavior.executors import ExecutorRules, in_hand
from eai.suites.behavior.goals import with_tested_goal
from eai.suites.behavior.plans import BehaviorPlans, simulator
from eai.suites.shared.subgoals import PublishedSubgoals
from eai.task import Task, Vocabulary
from eai.world import Action
from eai.world.bits import bits

_DROPPED = re.compile("agent|forall|exists|forpairs|forn")
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
_HAND_OF = {"holds_rh": "right", "holds_lh": "left"}
_ALIASES = {"toggledon": "toggled_on", "touching": "nextto"}
_QUANTIFIER = re.compile(
    r"""\b(forall|exists|forn|forpairs|fornpairs)\(
        \s*(?:(\d+)\s*,)?            # of how many
        ([^()]*),\s*                  # the variables
        (?=\w+\s*\(|not\b|\()        # before the formula""",
    re.VERBOSE,
)
_DOT = re.compile(r"(\w)\.(\d+)")


class BehaviorSubgoals(PublishedSubgoals):
    """How subgoals are read, followed and scored where the world is BEHAVIOR."""

    def simulator(self, task: Task) -> BehaviorSimulator:
        """The world under the semantics."""
        return simulator(self.semantics)

    def evaluate(self, task: Task, answer: str | None) -> Result:
        """Evaluate an answer; the formula of the result is the goal as it was tested."""
        return super().evaluate(with_tested_goal(task, self.semantics), answer)

    def entries(self, answer: str) -> list[str] | Finding:
        """Take the subgoals out of an answer."""
        return listed_entries(answer.replace("toggled.on", "toggledon").replace("t-shirt", "shirt"))

    def vocabulary(self, task: Task) -> Vocabulary:
        """The names that subgoals may use.

        What a hand holds has one object (``holds_rh(rag.0)``).
        """
        known = task.vocabulary
        predicates = {**known.predicates, **dict.fromkeys((*_HAND_OF, *_ALIASES), 1), "touching": 2}
        if self.narrow:
            del predicates["toggled_on"]
        return replace(known, actions={}, predicates=predicates)

    def read(self, task: Task, answer: str) -> SubgoalReading:
        """Read the subgoals of an answer, as the semantics says."""
        reading = super().read(task, answer)
        if "subgoal_entries_dropped" not in self.semantics:
            return reading
        kept = (each for each in reading.subgoals if each.text and not _DROPPED.search(each.text))
        return replace(reading, subgoals=tuple(kept))

    def bind(self, reading: SubgoalReading, task: Task) -> BoundSubgoals:
        """Bind subgoals to the world, for a search.

        What touches something is next to it. Objects may be written with a dot or an underscore
        before their number.
        """
        types = task.start.universe.type_masks
        spelled = tuple(
            replace(subgoal, text=_quantified(_DOT.sub(r"\1_\2", subgoal.text), types))
            for subgoal in reading.subgoals
        )
        bound = bind_subgoals(
            replace(reading, subgoals=spelled), self.vocabulary(task), types=types
        )

        def worldly(leaf: Formula) -> Formula:
            """The robot is the one that holds something."""
            held = isinstance(leaf, Atom) and leaf.predicate in _HAND_OF
            return leaf.with_terms((task.agent, *leaf.terms)) if held else leaf

        found = []
        for subgoal, written in zip(bound.subgoals, reading.subgoals, strict=False):
            ways = (
                [map_atoms(each, _ALIASES).map_leaves(worldly) for each in way]
                for way in subgoal.ways
            )
            found.append(replace(subgoal, text=written.text, ways=tuple(map(tuple, ways))))
        return replace(bound, subgoals=tuple(found))

    def objection(self, formula: Formula, task: Task) -> Finding | None:
        """Return the first error of the published evaluator in a formula, if any."""
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

        if self.narrow:
            later = {*_STOPPING, *task.vocabulary.actions}.difference(_STATES)
            names = Names(arities, find, later=later)
        else:
            lower = {name.lower(): arity for name, arity in arities.items()}
            names = Names(lower, find, fold=True)
        found = names.check(formula)
        if found is not None and found.kind is ErrorKind.ACTION_HALLUCINATION:
            return found
        # A primitive without arguments stops the published evaluator.
        bare = any(not atom.terms for atom in atoms(formula))
        return unparseable("a primitive has no arguments") if bare else found

    def speller(self, task: Task) -> Callable[[Atom], Formula]:
        """Spell atoms as the world does."""

        def spelled(atom: Atom) -> Formula:
            terms = tuple(str(term).replace(".", "_") for term in atom.terms)
            return Atom(atom.predicate.lower(), terms)

        return spelled

    def conditions(self, task: Task, execution: Execution) -> tuple[Condition, ...]:
        """Score the conditions of a goal, as for plans."""
        return BehaviorPlans(self.semantics).conditions(task, execution)

    def unmet(self, task: Task) -> tuple[Condition, ...]:
        """The conditions of a goal for an answer that cannot be followed."""
        at_start = "unread_goals_from_start" in self.semantics
        execution = self.start(task).execution if at_start else None
        return BehaviorPlans(self.semantics).conditions(task, execution)

    def follow(self, literals: tuple[Formula, ...], task: Task) -> Result | Finding:
        """Take the actions that literals stand for; two of them can be one subgoal."""
        branch, rules = self.start(task), _rules(self.semantics)
        waiting = list(reversed(literals))
        while waiting and branch.alive:
            literal, hands = waiting.pop(), Hands.of(branch)
            actions = joint_actions(literal, waiting[-1], hands) if waiting else []
            if actions:
                waiting.pop()
            actions = actions or actions_for(literal, hands)
            branch.take(actions, rules, subgoal=format_formula(literal))
        for finding in branch.findings:
            if finding.kind is ErrorKind.UNSCORABLE:
                # What an executor stops with ends the evaluation of the answer.
                return unparseable(finding.message)
        return self.result(branch, task)


def _quantified(text: str, types: Collection[str]) -> str:
    """Write ``forall(bow_n_08, f)`` and ``forn(2, bow_n_08, f)`` as formulas have quantifiers.

    What is quantified over anything but types stays as it is, and cannot be parsed.
    """
    found = _QUANTIFIER.search(text)
    while found is not None:
        bound = []
        for name in found[3].split(","):
            kind = re.sub(r"_n_(?=\d+$)", ".n.", name.strip())
            if kind not in types:
                return text
            bound.append(f"{name.strip()}:{kind}")
        end = _closing(text, found.end())
        head = f"{found[1]} {found[2]}." if found[2] else found[1]
        formula = f"{head} {', '.join(bound)}. ({text[found.end() : end]})"
        text = f"{text[: found.start()]}{formula}{text[end + 1 :]}"
        found = _QUANTIFIER.search(text)
    return text


def _closing(text: str, start: int) -> int:
    """Return the offset of the bracket that closes what is open at an offset."""
    depth = 1
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if not depth:
            return place
    return len(text)


def evaluate_subgoals(task: Task, answer: str | None, semantics: Semantics) -> Result:
    """Evaluate an answer to subgoal decomposition (see :class:`eai.contract.suite.Ability`)."""
    return BehaviorSubgoals(semantics).evaluate(task, answer)


class _Rules(ExecutorRules):
    """The rules of the published executors, with the order in which subgoals rank errors.

    A step can have several kinds of error there. Of these, wrong order comes before affordance,
    while in action sequencing it is the other way round.
    """

    def take(self, run: Run, action: Action, number: int) -> tuple[str, Finding | None]:
        """See :meth:`eai.diagnosis.runtime.Rules.take`."""
        outcome, finding = super().take(run, action, number)
        wrong = finding is not None and finding.kind is ErrorKind.AFFORDANCE
        if finding is not None and wrong and self.was_possible(run, action):
            finding = replace(finding, kind=ErrorKind.WRONG_ORDER)
        return outcome, finding


@cache
def _rules(semantics: Semantics) -> Rules:
    """How the steps of subgoals are evaluated."""
    if "wrong_order_before_affordance" in semantics and _Rules.of(semantics):
        return _Rules(semantics)
    return simulator(semantics).rules


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


@dataclass(frozen=True)
class Hands:
    """The objects in the two hands of the robot; an empty hand is an empty text."""

    right: str = ""
    left: str = ""

    @classmethod
    def of(cls, branch: Branch) -> Hands:
        """Return the hands at the end of a branch."""
        names = branch.run.state.universe.names
        held = (in_hand(branch.run, hand) for hand in ("right", "left"))
        return cls(*(next((names[i] for i in bits(mask)), "") for mask in held))

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
    """The actions for a subgoal; none where the published evaluator has none."""
    atom = literal.operand if isinstance(literal, Not) else literal
    assert isinstance(atom, Atom)  # noqa: S101 - nothing else is a literal
    name = str(atom.terms[0])
    hand = _HAND_OF.get(atom.predicate, "")
    if isinstance(literal, Not):
        if atom.predicate == "inside":
            return [*hands.with_grasped(name)[1], Action("right_release", (name,))]
        if hand:
            return hands.freed(hand) if hands.holding(name) == hand else []
    elif hand:
        return [*hands.freed(hand), Action(f"{hand}_grasp", (name,))]
    elif atom.predicate in _PLACES:
        hand, begin = hands.with_grasped(name)
        return [*begin, Action(f"{hand}_{_PLACES[atom.predicate]}", (str(atom.terms[1]),))]
    act = (_MAKERS if atom is literal else _ENDERS).get(atom.predicate)
    return [*hands.with_one_free(), Action(act, (name,))] if act else []
