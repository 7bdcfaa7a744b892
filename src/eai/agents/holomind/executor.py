"""Executor: sub-goals as actions of a suite, by a table made of the effects of its domain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from eai.agents.holomind.episodic import EpisodicMemory
from eai.agents.holomind.goals import ANYTHING, Goal, Reference
from eai.agents.holomind.percepts import Percept, knowledge, plain
from eai.agents.holomind.spatial import Record, SpatialMemory, fits
from eai.answers import likely_actions
from eai.logic import Variable
from eai.pddl import AddEffect, Domain, Operator, literal_effects
from eai.world import Action

_AGENT = -1  # the place of the agent among the arguments of an effect
_NONE = -2
_GENERAL = ("", "thing", "object", "location", "surface", "movable")
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
"""A role, what it makes true of an object, and what it makes false if nothing is made true."""


@dataclass(frozen=True, slots=True)
class SubGoal:
    """One thing to do, with one object.

    Args:
        role: What is done (``"pick"``, ``"place"``, ``"goto"``, ...), or the name of an action.
        to: In or on what something is placed.
        fix: What it mends, if it stands before another sub-goal; ``"search"`` if it is to find
            something.
        once: Whether it is done with as soon as it was tried.
    """

    role: str
    what: Reference = ANYTHING
    to: Reference | None = None
    relation: str = ""
    fix: str = ""
    once: bool = False

    def __str__(self) -> str:
        return f"{self.role}({self.what}{f', {self.to}' if self.to else ''})"


@dataclass(frozen=True, slots=True)
class Skill:
    """An action by what it brings about.

    Args:
        relation: ``"in"`` or ``"on"``, of what places.
        type: Type that its object has to have; empty for any.
        effects: Predicates, whether they are made true, and the places of their arguments.
    """

    action: str
    role: str
    arity: int
    relation: str = ""
    type: str = ""
    effects: tuple[tuple[str, bool, tuple[int, ...]], ...] = ()


def class_of(predicate: str) -> str:
    """What a predicate means, in the words of the agent; empty if it does not know."""
    for word in (predicate.lower(), predicate.lower().split("_")[0]):
        for meaning, words in knowledge()["predicates"].items():
            if word in words:
                return str(meaning)
    return ""


class Skills:
    """The actions of a suite.

    Args:
        actions: Name of an action to the number of its arguments.
        domain: Says what they bring about; an action is known there by its name, or by one that
            means the same. What is not there is known by its name only.
    """

    def __init__(self, actions: Mapping[str, int], domain: Domain | None = None) -> None:
        self.actions = actions
        self.agent_type = ""
        self._above = (
            {plain(t): plain(up or "") for t, up in domain.types.items()} if domain else {}
        )
        first = {word: n for n, word in enumerate(knowledge()["actions"]["goto"])}
        skills = (self._skill(name, count, domain) for name, count in actions.items())
        self.skills = sorted(skills, key=lambda s: first.get(s.action.lower(), len(first)))

    def _skill(self, name: str, count: int, domain: Domain | None) -> Skill:
        known = domain.operators if domain else {}
        same = [each for each in known if each.lower() == name.lower()]
        for each in same or likely_actions(name, known)[:1]:
            if len(known[each].parameters) in (count, count + 1):
                return self._of(name, count, known[each])
        words = knowledge()["actions"]
        role = next((role for role in words if name.lower() in words[role]), "")
        if not role and domain is None:
            role = next(iter(likely_actions(name, ["pick", "place", *knowledge()["words"]])), "")
        return Skill(name, role or name.lower(), count)

    def _of(self, name: str, count: int, operator: Operator) -> Skill:
        names = [variable.name for variable in operator.parameters]
        at = {each: n for n, each in enumerate(names, count - len(names))}
        if len(names) > count:
            self.agent_type = self.agent_type or plain("".join(operator.parameters[0].types))
        effects = tuple(
            (
                effect.atom.predicate,
                isinstance(effect, AddEffect),
                tuple(
                    at.get(t.name, _NONE) if isinstance(t, Variable) else _NONE
                    for t in effect.atom.terms
                ),
            )
            for effect in literal_effects(operator.effect)
        )
        role, relation = _role(effects)
        types = operator.parameters[-1].types if count == 1 else ()
        only = plain(types[0]) if len(types) == 1 else ""
        return Skill(name, role or name.lower(), count, relation, only, effects)

    def of(self, role: str, record: Record | None = None, relation: str = "") -> Skill | None:
        """The skill of a role, or of a name, for an object; None if there is none."""
        found = [s for s in self.skills if role in (s.role, s.action.lower())]
        if record is not None:
            typed = [s for s in found if s.type in record.kinds]
            found = typed or [s for s in found if s.type in _GENERAL] or found
        return next((s for s in found if s.relation == relation), next(iter(found), None))

    def leads_to(self, record: Record) -> bool:
        """Whether the agent can go to an object itself, by the types of the domain."""
        skill, kind = self.of("goto"), plain(record.type)
        if skill is None or not skill.type or kind not in self._above:
            return True
        while kind and kind != skill.type:
            kind = self._above.get(kind, "")
        return bool(kind)

    def achieving(self, predicate: str, *, value: bool) -> Skill | None:
        """The first skill that makes a predicate true, or false."""
        wanted = (predicate, value)
        return next((s for s in self.skills if any(e[:2] == wanted for e in s.effects)), None)


def _role(effects: Sequence[tuple[str, bool, tuple[int, ...]]]) -> tuple[str, str]:
    """The role of an action with some effects, and the relation of what it places."""
    added = {class_of(p) for p, value, at in effects if value and any(n >= 0 for n in at)}
    gone = {class_of(p) for p, value, _ in effects if not value}
    if "held" in added:
        return "pick", ""
    for predicate, value, at in effects:
        placed = value and class_of(predicate) == "in" and at[-1] >= 0 and at[0] != _AGENT
        if placed and "held" in gone:
            return "place", "on" if "on" in predicate else "in" if "inside" in predicate else ""
    for role, made, lost in _ROLES:
        if made in added or (lost in gone - {""} and lost not in added):
            return role, ""
    return "", ""


@dataclass(slots=True)
class Context:
    """What the modules share, with the goal at hand and what was tried to mend its sub-goal."""

    memory: SpatialMemory
    episodic: EpisodicMemory
    skills: Skills
    percept: Percept = field(default_factory=Percept)
    goal: Goal | None = None
    tried: set[str] = field(default_factory=set)

    def bind(self, query: Reference) -> Record | None:
        """The nearest object that a reference means; one that was chosen for the goal stays."""
        goal, own = self.goal, self.goal is not None and query is self.goal.what
        if goal is not None and own and goal.bound:
            return self.memory.named(goal.bound)
        found = self.memory.find(query, without=goal.refused if goal else ())
        if found and goal is not None and own:
            goal.bound = found[0].name
        return found[0] if found else None

    def target(self, sub: SubGoal) -> Record | None:
        """What the action of a sub-goal is about."""
        return self.bind(sub.to if sub.role == "place" and sub.to else sub.what)

    @property
    def held(self) -> Record | None:
        """What is held."""
        return self.memory.named(self.percept.held[0]) if self.percept.held else None

    def near(self, record: Record) -> bool:
        """Whether the agent is at an object, as far as it can tell."""
        near = record.held or bool(record.words.get("near")) or record.name == self.memory.here
        where = record.name if self.skills.leads_to(record) else record.place
        return near or where in (self.percept.focus, self.episodic.position)

    def holds(self, role: str, what: Record | None, to: Reference | None) -> bool | None:
        """Whether a goal or sub-goal is met, as far as is seen; None if nothing says it."""
        if what is None or what.stale:
            return None
        if role == "goto":
            return self.near(what)
        if role in ("pick", "hold"):
            return what.held
        if role in ("place", "put"):
            around = self.memory.named(what.place)
            if what.held or around is None or to is None:
                return False if what.held else None
            return fits(to, around) or (None if self.memory.several(around) else False)
        word, wanted = knowledge()["words"].get(role, ("", True))
        value = what.words.get(word)
        # Where names are types, another of the same name may be as it should; and what is not seen
        # now may have changed since it was.
        unsure = what.name not in self.memory.shown or self.memory.several(what)
        unknown = value is None or (value is not wanted and unsure)
        return None if unknown else value is wanted


def translate(sub: SubGoal, context: Context) -> list[Action]:
    """Say by which actions a sub-goal is reached: go there, and act."""
    target = context.target(sub)
    skill = context.skills.of(sub.role, target, sub.relation)
    if skill is None:
        return []
    actions = []
    if target is not None and sub.role != "goto" and not context.near(target):
        where = target.name if context.skills.leads_to(target) else target.place
        actions = translate(SubGoal("goto", Reference(name=where)), context)
    what = context.bind(sub.what) if skill.arity == 2 else None
    second = context.bind(sub.to) if skill.arity == 2 and sub.to else target
    names = [what.name if what else "", second.name if second else sub.what.name]
    return [*actions, Action(skill.action, tuple(names[2 - skill.arity :]))]
