"""Executor: sub-goals as actions of a suite.

The purpose of an action (its role) follows from its effects in the domain, or from its name if
there is no domain. A sub-goal is an action of its role, after going to its object if that is far.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from eai.agents.holomind.episodic import EpisodicMemory
from eai.agents.holomind.goals import ANYTHING, GoalNode, ObjectReference
from eai.agents.holomind.percepts import Percept, knowledge, plain
from eai.agents.holomind.spatial import ObjectRecord, SpatialMemory, fits
from eai.answers import likely_actions
from eai.logic import Variable
from eai.pddl import AddEffect, Domain, Operator, literal_effects
from eai.world import Action

_AGENT = -1
"""Position of the agent among the arguments of an action, which do not name it."""

_UNKNOWN = -2
"""Position of a term that is no argument of an action."""

_GENERAL = ("", "thing", "object", "location", "surface", "movable")
"""Types that stand for any object."""
_ROLES = (
    ("slice", "sliced", ""),
    ("clean", "clean", "dirty"),
    ("fill", "filled", ""),
    ("close", "closed", "open"),
    ("open", "open", "closed"),
    ("off", "off", "on"),
    ("on", "on", "off"),
    ("goto", "at", ""),
)
"""Triples of a role, the meaning that it makes true of an object, and one that it makes false.

The latter counts for domains that have only the opposite predicate.
"""


@dataclass(frozen=True, slots=True)
class SubGoal:
    """A step towards a goal: a role with an object and perhaps a target.

    Args:
        role: ``"pick"``, ``"place"``, ``"goto"``, ..., or the name of an action.
        what: The object.
        to: The object that it is placed in or on.
        fix: The cause that it mends, if it was put before another sub-goal; ``"search"`` if it is
            to find something.
        once: Whether it is over as soon as it was tried.
    """

    role: str
    what: ObjectReference = ANYTHING
    to: ObjectReference | None = None
    relation: str = ""
    fix: str = ""
    once: bool = False

    def __str__(self) -> str:
        if self.to is None:
            return f"{self.role}({self.what})"
        return f"{self.role}({self.what}, {self.to})"


class _Effect(NamedTuple):
    """A literal that an action makes true or false.

    Args:
        predicate: Its predicate.
        value: Whether it is made true.
        positions: For each term the index of the argument, :data:`_AGENT` or :data:`_UNKNOWN`.
    """

    predicate: str
    value: bool
    positions: tuple[int, ...]

    @property
    def has_argument(self) -> bool:
        """Whether one of its terms is an argument of the action."""
        return any(position >= 0 for position in self.positions)


@dataclass(frozen=True, slots=True)
class Skill:
    """An action with its role.

    Args:
        action: Name of the action.
        role: Kind of the sub-goals that it reaches, such as ``"pick"``; its name if none is known.
        arity: Number of its arguments without the agent.
        relation: ``"in"`` or ``"on"``, of an action that places something.
        type: Type that its object has to have; empty for any.
        effects: Its effects.
    """

    action: str
    role: str
    arity: int
    relation: str = ""
    type: str = ""
    effects: tuple[_Effect, ...] = ()


def class_of(predicate: str) -> str:
    """Return the agent's own word for a predicate, or "" if it does not know it.

    The agent knows a few meanings (``"held"``, ``"in"``, ``"open"``) with the predicates that
    domains use for them. So it acts in a domain that it has never seen.
    """
    # The whole name, or its first word: "inside_of", "inside".
    for word in (predicate.lower(), predicate.lower().split("_")[0]):
        for meaning, words in knowledge()["predicates"].items():
            if word in words:
                return str(meaning)
    return ""


class Skills:
    """The actions of a suite.

    Args:
        actions: Name of an action to the number of its arguments.
        domain: Domain with the effects of the actions; an action is found there by its name, or
            by one that means the same. Others are known by their names only.
    """

    def __init__(self, actions: Mapping[str, int], domain: Domain | None = None) -> None:
        """Find the role of each action."""
        self.actions = actions
        self.agent_type = ""
        self._supertype: dict[str, str] = {}
        if domain is not None:
            for type_name, supertype in domain.types.items():
                self._supertype[plain(type_name)] = plain(supertype or "")
        # Suites may have several actions for moving; the agent's knowledge has an order for them.
        preference_of = {
            word: preference for preference, word in enumerate(knowledge()["actions"]["goto"])
        }
        skills = [self._find_skill(name, count, domain) for name, count in actions.items()]
        self.skills = sorted(
            skills, key=lambda skill: preference_of.get(skill.action.lower(), len(preference_of))
        )

    def _find_skill(self, name: str, number_of_arguments: int, domain: Domain | None) -> Skill:
        """Return the skill of an action, by its operator or else by its name."""
        operators: Mapping[str, Operator] = {}
        if domain is not None:
            operators = domain.operators
        names_in_domain = [
            operator_name for operator_name in operators if operator_name.lower() == name.lower()
        ]
        for operator_name in names_in_domain or likely_actions(name, operators)[:1]:
            # Operators may have the agent as one more parameter.
            if len(operators[operator_name].parameters) in (
                number_of_arguments,
                number_of_arguments + 1,
            ):
                return self._skill_of_operator(name, number_of_arguments, operators[operator_name])
        return Skill(name, _role_of_name(name, is_guessed=domain is None), number_of_arguments)

    def _skill_of_operator(self, name: str, number_of_arguments: int, operator: Operator) -> Skill:
        """Return the skill of an action whose operator is known.

        Args:
            name: Name of the action.
            number_of_arguments: Number of its arguments.
            operator: The operator, which may have the agent as one more parameter.
        """
        parameters = operator.parameters
        if len(parameters) > number_of_arguments and not self.agent_type:
            self.agent_type = plain("".join(parameters[0].types))
        # The arguments begin at position 0, so an agent before them is at -1.
        positions: dict[str, int] = {}
        for position, parameter in enumerate(
            parameters, start=number_of_arguments - len(parameters)
        ):
            positions[parameter.name] = position
        effects: list[_Effect] = []
        for effect in literal_effects(operator.effect):
            atom = effect.atom
            terms = tuple(_position_of(term, positions) for term in atom.terms)
            effects.append(_Effect(atom.predicate, isinstance(effect, AddEffect), terms))
        role, relation = _role_of_effects(effects)
        object_type = ""
        # A skill with one argument of a single type is only for objects of this type.
        if number_of_arguments == 1 and len(parameters[-1].types) == 1:
            object_type = plain(parameters[-1].types[0])
        return Skill(
            name, role or name.lower(), number_of_arguments, relation, object_type, tuple(effects)
        )

    def of(self, role: str, record: ObjectRecord | None = None, relation: str = "") -> Skill | None:
        """Return the skill with a role that fits an object, or None.

        A skill for the type of the object is preferred to one for all objects. Among equals, a
        skill with the relation is preferred.

        Args:
            role: The role, or the name of an action.
            record: The object; None if any skill with the role will do.
            relation: ``"in"`` or ``"on"`` for skills that place objects.
        """
        candidates = [skill for skill in self.skills if role in (skill.role, skill.action.lower())]
        if record is not None:
            typed = [skill for skill in candidates if skill.type in record.kinds]
            general = [skill for skill in candidates if skill.type in _GENERAL]
            candidates = typed or general or candidates
        if not candidates:
            return None
        for skill in candidates:
            if skill.relation == relation:
                return skill
        return candidates[0]

    def leads_to(self, record: ObjectRecord) -> bool:
        """Return whether the agent can go to an object, by the types of the domain."""
        skill = self.of("goto")
        object_type = plain(record.type)
        if skill is None or not skill.type or object_type not in self._supertype:
            return True
        while object_type and object_type != skill.type:
            object_type = self._supertype.get(object_type, "")
        return bool(object_type)

    def achieving(self, predicate: str, *, value: bool) -> Skill | None:
        """Return the first skill that makes a predicate true or false, or None."""
        for skill in self.skills:
            for effect in skill.effects:
                if effect.predicate == predicate and effect.value is value:
                    return skill
        return None


def _role_of_name(name: str, *, is_guessed: bool) -> str:
    """Return the role of an action by its name, or the name itself if it is unknown.

    Args:
        name: Name of the action.
        is_guessed: Whether a similar name is enough.
    """
    words = knowledge()["actions"]
    for role in words:
        if name.lower() in words[role]:
            return str(role)
    if is_guessed:
        for role in likely_actions(name, ["pick", "place", *knowledge()["words"]]):
            return role
    return name.lower()


def _position_of(term: object, positions: Mapping[str, int]) -> int:
    """Return the position of a term among the arguments of an action, by its variable's name."""
    if not isinstance(term, Variable):
        return _UNKNOWN
    return positions.get(term.name, _UNKNOWN)


def _role_of_effects(effects: Sequence[_Effect]) -> tuple[str, str]:
    """Return the role of an action by its effects, and the relation if it places objects.

    Both are empty if no role has such effects.
    """
    made_true: set[str] = set()
    made_false: set[str] = set()
    for effect in effects:
        if not effect.value:
            made_false.add(class_of(effect.predicate))
        elif effect.has_argument:
            # An effect on the agent alone does not characterise the object.
            made_true.add(class_of(effect.predicate))
    if "held" in made_true:
        return "pick", ""
    placements = [effect for effect in effects if effect.value and _is_placement(effect)]
    if "held" in made_false and placements:
        return "place", _relation_in_name(placements[0].predicate)
    # A literal that is deleted and added stays true. Unknown predicates have the meaning "".
    changed_to_false = made_false - made_true - {""}
    # The first role that fits counts: opening a drawer may also move the agent there.
    for role, true_meaning, false_meaning in _ROLES:
        if true_meaning in made_true or false_meaning in changed_to_false:
            return role, ""
    return "", ""


def _is_placement(effect: _Effect) -> bool:
    """Return whether an effect is about something that is in or on an object."""
    if class_of(effect.predicate) != "in":
        return False
    return effect.positions[-1] >= 0 and effect.positions[0] != _AGENT


def _relation_in_name(predicate: str) -> str:
    """Return the relation in the name of a predicate, or ""."""
    if "on" in predicate:
        return "on"
    if "inside" in predicate:
        return "in"
    return ""


@dataclass(slots=True)
class Context:
    """The state that all modules share.

    Args:
        memory: The memory of objects and places.
        episodic: The memory of what was done and learned.
        skills: The actions of the agent.
        percept: The latest percept.
        goal: The goal that is pursued.
        tried: Causes that fixes were tried for, of its sub-goal that failed.
    """

    memory: SpatialMemory
    episodic: EpisodicMemory
    skills: Skills
    percept: Percept = field(default_factory=Percept)
    goal: GoalNode | None = None
    tried: set[str] = field(default_factory=set)

    def bind(self, query: ObjectReference) -> ObjectRecord | None:
        """Return the nearest object that matches a reference. An object once chosen is kept."""
        goal = self.goal
        # References are compared by identity, because an equal one may mean a second object.
        is_of_goal = goal is not None and query is goal.what
        if goal is not None and is_of_goal and goal.bound:
            return self.memory.named(goal.bound)
        refused: Iterable[str] = ()
        if goal is not None:
            refused = goal.refused
        candidates = self.memory.find(query, without=refused)
        if not candidates:
            return None
        if goal is not None and is_of_goal:
            goal.bound = candidates[0].name
        return candidates[0]

    def target(self, sub: SubGoal) -> ObjectRecord | None:
        """Return the object that the action of a sub-goal is done at."""
        if sub.role == "place" and sub.to:
            return self.bind(sub.to)
        return self.bind(sub.what)

    @property
    def held(self) -> ObjectRecord | None:
        """The object in the hand; None if there is none."""
        if not self.percept.held:
            return None
        return self.memory.named(self.percept.held[0])

    def near(self, record: ObjectRecord) -> bool:
        """Return whether the agent is near an object, as far as it knows."""
        if record.held or record.words.get("near") or record.name == self.memory.here:
            return True
        # An object that the agent cannot go to is near if it is at what that is in or on.
        stop = record.place
        if self.skills.leads_to(record):
            stop = record.name
        return stop in (self.percept.focus, self.episodic.position)

    def holds(
        self, role: str, record: ObjectRecord | None, destination: ObjectReference | None
    ) -> bool | None:
        """Return whether a goal or sub-goal is met, or None if the agent cannot see it.

        Args:
            role: Role of the sub-goal, or kind of the goal.
            record: The object.
            destination: The object that it is placed in or on, if any.
        """
        if record is None or record.stale:
            return None  # never seen, or the memory of it was refuted
        if role == "goto":
            return self.near(record)
        if role in ("pick", "hold"):
            return record.held
        if role in ("place", "put"):
            return self._is_placed(record, destination)
        state_word, wanted_value = knowledge()["words"].get(role, ("", True))
        value = record.words.get(state_word)
        if value is None:
            return None
        if value is wanted_value:
            return True
        # An object that is not visible may have changed. And if names are types, another object
        # with the same name may meet the goal.
        if record.name not in self.memory.shown or self.memory.several(record):
            return None
        return False

    def _is_placed(self, record: ObjectRecord, destination: ObjectReference | None) -> bool | None:
        """Return whether an object is in or on another one, or None if unknown."""
        if record.held:
            return False
        around = self.memory.named(record.place)
        if around is None or destination is None:
            return None
        if fits(destination, around):
            return True
        if self.memory.several(around):
            return None  # another of the objects of this name may be meant
        return False


def translate(subgoal: SubGoal, context: Context) -> list[Action]:
    """Return the actions for a sub-goal: moving to the object if needed, then the action.

    ``place(mug, table)`` becomes ``[GoTo(table), Place(table)]`` in a suite whose actions name
    the receptacle only. Empty if no action of the suite has the role of the sub-goal.
    """
    target = context.target(subgoal)
    skill = context.skills.of(subgoal.role, target, subgoal.relation)
    if skill is None:
        return []
    actions = []
    if target is not None and subgoal.role != "goto" and not context.near(target):
        destination = target.place  # for an object that no action leads to
        if context.skills.leads_to(target):
            destination = target.name
        actions = translate(SubGoal("goto", ObjectReference(name=destination)), context)
    # With two arguments, an action names the object and its destination. With one argument, it
    # names only the destination, because the object is in the hand.
    arguments: list[str] = []
    if skill.arity == 2:
        object_record = context.bind(subgoal.what)
        arguments.append(object_record.name if object_record else "")
        if subgoal.to:
            target = context.bind(subgoal.to)
    if skill.arity:
        arguments.append(target.name if target else subgoal.what.name)
    return [*actions, Action(skill.action, tuple(arguments))]
