"""Subgoal decomposition in the BEHAVIOR world, under any set of the quirks."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain

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
from eai.suites.behavior.executors import SceneExecutorRules, in_hand
from eai.suites.behavior.goals import with_tested_goal
from eai.suites.behavior.plans import BehaviorPlans, simulator
from eai.suites.shared.subgoals import PublishedSubgoals
from eai.task import Task, Vocabulary
from eai.world import Action
from eai.world.bits import bits

# The published evaluator leaves out subgoals with one of these words.
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
# The predicate of a held object, by the hand that holds it.
_HAND_OF = {"holds_rh": "right", "holds_lh": "left"}
# Predicate of a subgoal to its name in the domain.
_ALIASES = {"toggledon": "toggled_on", "touching": "nextto"}
_QUANTIFIER = re.compile(
    r"""\b(forall|exists|forn|forpairs|fornpairs)\(
        \s*(?:(\d+)\s*,)?            # of how many
        ([^()]*),\s*                  # the variables
        (?=\w+\s*\(|not\b|\()        # before the formula""",
    re.VERBOSE,
)
# The number of an object behind a dot: "jar.12".
_DOT = re.compile(r"(\w)\.(\d+)")


def _in_world(formula: Formula, agent: str) -> Formula:
    """Return a formula in the names of the world, with the robot where hands are told."""
    return map_atoms(formula, _ALIASES).map_leaves(partial(_with_holder, agent))


def _with_holder(agent: str, leaf: Formula) -> Formula:
    """Add the robot to an atom that says that a hand holds something."""
    if isinstance(leaf, Atom) and leaf.predicate in _HAND_OF:
        return leaf.with_terms((agent, *leaf.terms))
    return leaf


class BehaviorSubgoals(PublishedSubgoals):
    """How subgoals are read, followed and scored where the world is BEHAVIOR."""

    def simulator(self, task: Task) -> BehaviorSimulator:
        """Return the world under the semantics."""
        return simulator(self.semantics)

    def evaluate(self, task: Task, answer: str | None) -> Result:
        """Evaluate an answer; the formula of the result is the goal as it was tested."""
        return super().evaluate(with_tested_goal(task, self.semantics), answer)

    def entries(self, answer: str) -> list[str] | Finding:
        """Take the subgoals out of an answer.

        Two names are spelt as the published evaluator does: ``toggledon`` and ``shirt``.
        """
        return listed_entries(answer.replace("toggled.on", "toggledon").replace("t-shirt", "shirt"))

    def vocabulary(self, task: Task) -> Vocabulary:
        """Return the names that subgoals may use.

        Predicates of a hand have one argument (``holds_rh(rag.0)``).
        """
        vocabulary = task.vocabulary
        predicates = {
            **vocabulary.predicates,
            **dict.fromkeys((*_HAND_OF, *_ALIASES), 1),
            "touching": 2,
        }
        if self.narrow:
            del predicates["toggled_on"]
        return replace(vocabulary, actions={}, predicates=predicates)

    def read(self, task: Task, answer: str) -> SubgoalReading:
        """Read the subgoals of an answer, as the semantics says."""
        reading = super().read(task, answer)
        if "subgoal_entries_dropped" not in self.semantics:
            return reading
        subgoals = []
        for subgoal in reading.subgoals:
            if subgoal.text and not _DROPPED.search(subgoal.text):
                subgoals.append(subgoal)
        return replace(reading, subgoals=tuple(subgoals))

    def bind(self, reading: SubgoalReading, task: Task) -> BoundSubgoals:
        """Bind subgoals to the world, for a search.

        ``touching`` means ``nextto``. Objects may be written with a dot or an underscore before
        their number.
        """
        types = task.start.universe.type_masks
        respelled_subgoals = []
        for subgoal in reading.subgoals:
            text = _rewrite_quantifiers(_DOT.sub(r"\1_\2", subgoal.text), types)
            respelled_subgoals.append(replace(subgoal, text=text))
        respelled = replace(reading, subgoals=tuple(respelled_subgoals))
        bound = bind_subgoals(respelled, self.vocabulary(task), types=types)
        subgoals_of_world = []
        for bound_subgoal, written in zip(bound.subgoals, reading.subgoals, strict=False):
            # Each way is a set of literals that achieves the subgoal.
            ways = []
            for literals in bound_subgoal.ways:
                ways.append(tuple(_in_world(literal, task.agent) for literal in literals))
            # Findings quote the subgoal as the answer has it, not as it was respelled.
            subgoal_of_world = replace(bound_subgoal, text=written.text, ways=tuple(ways))
            subgoals_of_world.append(subgoal_of_world)
        return replace(bound, subgoals=tuple(subgoals_of_world))

    def objection(self, formula: Formula, task: Task) -> Finding | None:
        """Return the first error of the published evaluator in a formula, if any."""
        arities = _primitives(task)
        # The pieces of objects that can be sliced have no name in the release, hence no class.
        named_objects = frozenset(chain(*task.vocabulary.classes.values()))
        find_object = partial(_object_of_term, named_objects)
        if self.narrow:
            late_names = {*_STOPPING, *task.vocabulary.actions}.difference(_STATES)
            names = Names(arities, find_object, later=late_names)
        else:
            lower_arities = {name.lower(): arity for name, arity in arities.items()}
            names = Names(lower_arities, find_object, fold=True)
        finding = names.check(formula)
        if finding is not None and finding.kind is ErrorKind.ACTION_HALLUCINATION:
            return finding
        # A primitive without arguments stops the published evaluator, whatever else is wrong.
        if any(not atom.terms for atom in atoms(formula)):
            return unparseable("a primitive has no arguments")
        return finding

    def speller(self, task: Task) -> Callable[[Atom], Formula]:
        """Spell atoms as the world does."""

        def spelled(atom: Atom) -> Formula:
            """Return an atom in small letters, its objects as in ``jar_0`` for ``jar.0``."""
            terms = tuple(str(term).replace(".", "_") for term in atom.terms)
            return Atom(atom.predicate.lower(), terms)

        return spelled

    def conditions(self, task: Task, execution: Execution) -> tuple[Condition, ...]:
        """Score the conditions of a goal, as for plans."""
        return BehaviorPlans(self.semantics).conditions(task, execution)

    def unmet(self, task: Task) -> tuple[Condition, ...]:
        """Return the conditions of a goal for an answer that cannot be followed."""
        execution = None
        if "unread_goals_from_start" in self.semantics:
            execution = self.start(task).execution
        return BehaviorPlans(self.semantics).conditions(task, execution)

    def follow(self, literals: tuple[Formula, ...], task: Task) -> Result | Finding:
        """Execute the actions that achieve literals, one after the other.

        Two literals can be achieved by one action, such as putting a cup on a table next to a
        plate. Actions are executed until one fails.
        """
        branch = self.start(task)
        rules = _rules(self.semantics)
        # A stack: the next literal is the last item.
        remaining = list(reversed(literals))
        while remaining and branch.alive:
            literal = remaining.pop()
            hands = Hands.of(branch)
            actions: list[Action] = []
            if remaining:
                actions = joint_actions(literal, remaining[-1], hands)
            if actions:
                # They achieve the literal behind this one as well.
                remaining.pop()
            else:
                actions = actions_for(literal, hands)
            branch.take(actions, rules, subgoal=format_formula(literal))
        for finding in branch.findings:
            if finding.kind is ErrorKind.UNSCORABLE:
                # An executor that stops ends the published evaluation of the answer.
                return unparseable(finding.message)
        return self.result(branch, task)


def _object_of_term(objects: Container[str], term: str) -> str | None:
    """Return the object that a term of an answer names, or None.

    Only a dot may stand before the number of the object: ``jar.0``, not ``jar_0``.

    Args:
        objects: Names of objects in the world, such as ``jar_0``.
        term: The term.
    """
    category, _, number = term.rpartition(".")
    if not category and "_" in term:
        return None
    name = f"{category}_{number}" if category else term
    return name if name in objects else None


def _primitives(task: Task) -> dict[str, int | None]:
    """Return the primitives of the published evaluator with their arities; None for any number."""
    arities: dict[str, int | None] = {}
    for type_name in task.start.universe.types:
        if "." in type_name:
            arities[type_name.replace(".", "_")] = None
    # If a name is in several groups, the arity in the last one counts.
    arities.update(dict.fromkeys(_STOPPING))
    arities.update(task.vocabulary.actions)
    arities.update(dict.fromkeys(_STATES, 1))
    arities.update(dict.fromkeys([f"isIn{room}" for room in _ROOMS], 1))
    arities.update(dict.fromkeys(_RELATIONS, 2))
    return arities


def _rewrite_quantifiers(text: str, types: Collection[str]) -> str:
    """Rewrite ``forall(bow_n_08, f)`` as ``forall bow_n_08:bow.n.08. (f)``, likewise ``forn``.

    A text with a quantifier over something that is not a type is returned as it is from there on,
    so that parsing it reports the error.
    """
    quantifier = _QUANTIFIER.search(text)
    while quantifier is not None:
        word, number, variable_names = quantifier.groups()
        variables = []
        for name in variable_names.split(","):
            # The type "bow.n.08" is written with underscores, as names have no dots.
            type_name = re.sub(r"_n_(?=\d+$)", ".n.", name.strip())
            if type_name not in types:
                return text
            variables.append(f"{name.strip()}:{type_name}")
        start, body_start = quantifier.span()
        body_end = _closing(text, body_start)
        head = f"{word} {number}." if number else word
        formula = f"{head} {', '.join(variables)}. ({text[body_start:body_end]})"
        text = f"{text[:start]}{formula}{text[body_end + 1 :]}"
        quantifier = _QUANTIFIER.search(text)
    return text


def _closing(text: str, start: int) -> int:
    """Return the offset of the bracket that closes the one that is open at ``start``."""
    depth = 1
    for offset in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[offset], 0)
        if not depth:
            return offset
    return len(text)


def evaluate_subgoals(task: Task, answer: str | None, semantics: Semantics) -> Result:
    """Evaluate an answer to subgoal decomposition (see :class:`eai.contract.suite.Ability`)."""
    return BehaviorSubgoals(semantics).evaluate(task, answer)


class _Rules(SceneExecutorRules):
    """The rules of the published executors, with the order in which subgoals rank errors.

    A step can have several kinds of error there. Of these, wrong order comes before affordance,
    while in action sequencing it is the other way round.
    """

    def take(self, run: Run, action: Action, number: int) -> tuple[str, Finding | None]:
        """See :meth:`eai.diagnosis.runtime.Rules.take`."""
        outcome, finding = super().take(run, action, number)
        if finding is None or finding.kind is not ErrorKind.AFFORDANCE:
            return outcome, finding
        if self.was_possible(run, action):
            finding = replace(finding, kind=ErrorKind.WRONG_ORDER)
        return outcome, finding


@cache
def _rules(semantics: Semantics) -> Rules:
    """Return the rules by which the steps of subgoals are evaluated."""
    if "wrong_order_before_affordance" in semantics and _Rules.of(semantics):
        return _Rules(semantics)
    return simulator(semantics).rules


# By relation of a subgoal: the end of the name of the action that achieves it.
_PLACES = {
    "inside": "place_inside",
    "ontop": "place_ontop",
    "onfloor": "place_ontop",
    "nextto": "place_nextto",
    "touching": "place_nextto",
    "under": "place_under",
}

# State of a subgoal to the action that makes it true.
_MAKERS = {
    "cooked": "cook",
    "burnt": "cook",
    "frozen": "freeze",
    "open": "open",
    "sliced": "slice",
    "soaked": "soak",
    "toggledon": "toggle_on",
}

# State of a subgoal to the action that makes it false.
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
        return cls(_first_in_hand(branch.run, "right"), _first_in_hand(branch.run, "left"))

    def holding(self, name: str) -> str:
        """Return the hand that holds an object; a part of the object's name is enough."""
        if name in self.left:
            return "left"
        if name in self.right:
            return "right"
        return ""

    def free_hand(self, hand: str) -> list[Action]:
        """Return the actions that empty a hand."""
        held = self.right if hand == "right" else self.left
        if not held:
            return []
        return [Action(f"{hand}_release", (held,))]

    def with_one_free(self) -> list[Action]:
        """Return the actions that empty the right hand if both are full."""
        if not self.left:
            return []
        return self.free_hand("right")  # no action if it is empty already

    def grasp(self, name: str) -> tuple[str, list[Action]]:
        """Return a hand, and the actions after which it holds an object."""
        hand = self.holding(name)
        if hand:
            return hand, []
        grasp_left = Action("left_grasp", (name,))
        if self.right and not self.left:
            return "left", [grasp_left]
        return "right", [*self.free_hand("right"), Action("right_grasp", (name,))]


def _first_in_hand(run: Run, hand: str) -> str:
    """Return the name of an object in a hand; empty if the hand is."""
    numbers = list(bits(in_hand(run, hand)))
    if not numbers:
        return ""
    return run.state.universe.names[numbers[0]]


def joint_actions(first: Formula, second: Formula, hands: Hands) -> list[Action]:
    """Return the actions that achieve two subgoals at once; an empty list if none do.

    The simulator has one action to put an object on something and next to something else:
    "ontop(cup, table)" and "nextto(cup, plate)" put the cup on the table next to the plate.

    Args:
        first: One subgoal.
        second: The subgoal behind it; the two may come in either order.
        hands: The objects that both hands hold.
    """
    if not isinstance(first, Atom) or not isinstance(second, Atom):
        return []
    on_top, next_to = first, second
    if first.predicate not in _ON:
        on_top, next_to = second, first
    if on_top.predicate not in _ON or next_to.predicate not in _BY:
        return []
    # Both subgoals have to be about the object that is moved.
    if on_top.terms[0] not in next_to.terms:
        return []
    moved_object, support = map(str, on_top.terms)
    neighbour = next_to.terms[0]
    if neighbour == moved_object:
        neighbour = next_to.terms[1]
    hand, grasp_actions = hands.grasp(moved_object)
    return [*grasp_actions, Action(f"{hand}_place_nextto_ontop", (str(neighbour), support))]


def actions_for(literal: Formula, hands: Hands) -> list[Action]:
    """Return the actions for a subgoal; none where the published evaluator has none."""
    if isinstance(literal, Not):
        assert isinstance(literal.operand, Atom)  # noqa: S101 - nothing else is a literal
        return _actions_against(literal.operand, hands)
    assert isinstance(literal, Atom)  # noqa: S101
    name = str(literal.terms[0])
    hand = _HAND_OF.get(literal.predicate, "")
    if hand:
        return [*hands.free_hand(hand), Action(f"{hand}_grasp", (name,))]
    if literal.predicate in _PLACES:
        hand, grasp_actions = hands.grasp(name)
        placing = f"{hand}_{_PLACES[literal.predicate]}"
        return [*grasp_actions, Action(placing, (str(literal.terms[1]),))]
    if literal.predicate in _MAKERS:
        return [*hands.with_one_free(), Action(_MAKERS[literal.predicate], (name,))]
    return []


def _actions_against(atom: Atom, hands: Hands) -> list[Action]:
    """Return the actions after which an atom does not hold."""
    name = str(atom.terms[0])
    if atom.predicate == "inside":
        # The published evaluator releases with the right hand, whichever grasped.
        _, grasp_actions = hands.grasp(name)
        return [*grasp_actions, Action("right_release", (name,))]
    hand = _HAND_OF.get(atom.predicate, "")
    if hand:
        return hands.free_hand(hand) if hands.holding(name) == hand else []
    if atom.predicate in _ENDERS:
        return [*hands.with_one_free(), Action(_ENDERS[atom.predicate], (name,))]
    return []
