"""High-level planner: the goals of an instruction, their order, and replanning of failed ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count, permutations

from eai.agents.holomind.executor import Context, class_of
from eai.agents.holomind.goals import (
    ANYTHING,
    Edge,
    GoalGraph,
    GoalNode,
    ObjectReference,
    Status,
    object_and_target,
)
from eai.agents.holomind.percepts import knowledge, plain, stem
from eai.agents.holomind.spatial import ObjectRecord, SpatialMemory, fits
from eai.errors import InputError
from eai.logic import (
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Then,
    Variable,
    parse_formula,
)

MOST_REPLANS = 20
"""Maximum number of replans in an episode."""

_COST_OF_UNSEEN = 10.0
"""Estimated cost of going to an object that was never seen."""
_CLAUSE = re.compile(
    r"(?<=[.!?;])\s+|;\s*|,? (?:and|then) (?=(?:put a piece|serve|drink|wash|store)\b)"
    r"|, (?=drink|then)"
)
"""Where a task is cut into clauses: behind sentences, and before further steps of one."""
_SINGULAR = (("s", ""), ("es", ""), ("ies", "y"), ("ves", "f"), ("ves", "fe"))
"""Endings of plurals, and of their singulars: shelves, shelf; knives, knife."""

# Parts of a description: "the mug (mug_12) from the desk in the bedroom 1".
_ARTICLE = re.compile(r"^(?:the|a|an|one|some) ", re.IGNORECASE)
_NAMED = re.compile(r"\((\w+_\d+)\)")
"""Part with the name of an object: ``(mug_12)``."""
_ROOM = re.compile(r" in the ([a-z]+(?: [a-z]+)? \d+)$", re.IGNORECASE)
"""Part with a room: ``in the bedroom 1``."""
_FROM = re.compile(r" from the ([a-z ]+?)$", re.IGNORECASE)
"""Part with the place where an object is at the start: ``from the desk``."""
_AFTER_STATE = ("put", "close", "off")
"""Kinds of goals that come after another one has changed their object."""
_TOOLS = ("slice", "cook", "fill", "clean")
"""Kinds of goals for which a tool is used."""
_Names = Mapping[str, ObjectReference]
"""Names of variables, with the objects that they stand for."""


def read_goals(task: str, context: Context) -> list[GoalNode]:
    """Return the goals of a task, from a formula in its text or else from its sentences."""
    reader = _Reader(context)
    formula = _find_formula(task)
    if formula is not None:
        reader.walk(formula, {}, value=True)
    return add_edges(reader.goals or list(_goals_of_sentences(task)))


# ---------------------------------------------------------------------- formulas


def _find_formula(task: str) -> Formula | None:
    """Return the first formula in a text: a line, or what follows "that" or a colon in one."""
    for line in task.splitlines():
        for text in (line, line.partition(" that ")[2], line.partition(": ")[2]):
            if "(" not in text:
                continue
            with suppress(InputError):
                return parse_formula(text.strip().rstrip("."))
    return None


@dataclass
class _Reader:
    """Converts a formula into goals.

    Args:
        goals: The goals so far.
        shares: Reference to the number of the first goal that is about it.
        seat: Seat of the agent, if the formula names one.
    """

    context: Context
    goals: list[GoalNode] = field(default_factory=list)
    shares: dict[ObjectReference, int] = field(default_factory=dict)
    seat: ObjectReference | None = None

    def walk(self, formula: Formula, names: _Names, *, value: bool) -> None:
        """Add the goals of a formula.

        Args:
            formula: The formula.
            names: Name of a variable to the object that it stands for.
            value: Whether the formula has to become true, or false.
        """
        if isinstance(formula, (And, Or, Then)):
            self._walk_operands(formula, names, value=value)
        elif isinstance(formula, Not):
            self.walk(formula.operand, names, value=not value)
        elif isinstance(formula, Exists):
            extended_names = dict(names)
            for variable in formula.variables:
                extended_names[variable.name] = ObjectReference(tuple(map(plain, variable.types)))
            self.walk(formula.body, extended_names, value=value)
        elif isinstance(formula, Forall):
            # All objects that were seen so far.
            for record in self.context.memory.records.values():
                self._walk_instance(formula.body, formula.variables[0], record, names, value=value)
        elif isinstance(formula, Atom):
            self._add_goal_of_atom(formula, names, value=value)

    def _walk_operands(self, formula: And | Or | Then, names: _Names, *, value: bool) -> None:
        """Add the goals of a sequence, a conjunction, or the first disjunct.

        Args:
            formula: The formula.
            names: Names of variables, with the objects that they stand for.
            value: Whether the operands have to become true, or false.
        """
        # A seat comes first, because other operands may need it wherever it is named.
        for operand in formula.operands:
            self._note_seat(operand, names)
        operands = formula.operands
        if isinstance(formula, Or):
            operands = operands[:1]  # any alternative will do
        numbers_before: list[int] = []
        for operand in operands:
            number_of_goals = len(self.goals)
            self.walk(operand, names, value=value)
            new_goals = self.goals[number_of_goals:]
            if isinstance(formula, Then) and new_goals:
                for goal in new_goals:
                    goal.after.update(dict.fromkeys(numbers_before, Edge.TEMPORAL))
                numbers_before = [goal.number for goal in new_goals]

    def _note_seat(self, formula: Formula, names: _Names) -> None:
        """Remember the object that an atom requires the agent to sit on."""
        if not isinstance(formula, Atom) or class_of(formula.predicate) != "in":
            return
        terms = [self._reference_of_term(term, names) for term in formula.terms]
        if len(terms) > 1 and self._is_agent(terms[0]):
            self.seat = terms[1]

    def _walk_instance(
        self, body: Formula, variable: Variable, record: ObjectRecord, names: _Names, *, value: bool
    ) -> None:
        """Add the goals of a quantified formula for one object, if it fits.

        Args:
            body: The formula behind the quantifier.
            variable: The variable.
            record: The object.
            names: Name of a variable to the object that it stands for.
            value: Whether the formula has to become true, or false.
        """
        types = {plain(type_name) for type_name in variable.types}
        if not types & {"object", "thing", *record.kinds}:
            return
        extended_names = {**names, variable.name: ObjectReference(name=record.name)}
        if not isinstance(body, Implies):
            self.walk(body, extended_names, value=value)
            return
        if not isinstance(body.left, Atom):
            return
        # The goal of an implication is only added for objects that meet its condition.
        predicate = body.left.predicate
        is_shown = knowledge()["shown"].get(predicate) in record.words
        if is_shown or record.words.get(predicate) or plain(predicate) in record.kinds:
            self.walk(body.right, extended_names, value=value)

    def _reference_of_term(self, term: object, names: _Names) -> ObjectReference:
        """Return the object that a term stands for."""
        name = getattr(term, "name", str(term))
        return names.get(name) or ObjectReference(name=name)

    def _is_agent(self, reference: ObjectReference) -> bool:
        """Return whether a reference means the agent itself."""
        record = self.context.memory.named(reference.name)
        kinds: tuple[str, ...] = (stem(reference.name),)
        if record is not None:
            kinds = record.kinds
        return bool(reference.name) and self.context.skills.agent_type in kinds

    def _add_goal_of_atom(self, atom: Atom, names: _Names, *, value: bool) -> None:
        """Add the goal of an atom: an action, a position, a state or an effect of a skill.

        Args:
            atom: The atom; one in capitals (``WIPE(table)``) is an action to be done.
            names: Names of variables, with the objects that they stand for.
            value: Whether it has to become true, or false.
        """
        terms = [self._reference_of_term(term, names) for term in atom.terms]
        objects = [term for term in terms if not self._is_agent(term)]
        predicate = atom.predicate
        actions = [action.lower() for action in self.context.skills.actions]
        if predicate.isupper() and predicate.lower() in actions:
            self._add_goal("do", objects, action=predicate.lower())
            return
        predicate_class = class_of(predicate)
        if predicate_class == "in" and len(objects) == 2 and value:
            # "ontop" and "inside" are both placements, distinguished by the predicate.
            relation = "on" if "on" in predicate else "in"
            self._add_goal("put", objects, relation=relation)
            return
        verbs = knowledge()["verbs"]
        if predicate_class in verbs and objects:
            verb_if_true, verb_if_false = verbs[predicate_class]
            verb = verb_if_true if value else verb_if_false
            self._add_goal(verb, objects)
            return
        if predicate_class not in ("in", "held"):
            self._add_achieved(predicate, objects, value=value)

    def _add_achieved(self, name: str, objects: list[ObjectReference], *, value: bool) -> None:
        """Add the goal to take an action that makes a fact true or false, if there is one."""
        skill = self.context.skills.achieving(name, value=value)
        if skill is None:
            return
        if not objects and skill.arity:
            objects = [self.seat or ObjectReference.of(*knowledge()["seats"].get(name, ()))]
        self._add_goal("do", objects, action=skill.action.lower())

    def _add_goal(
        self, kind: str, objects: Sequence[ObjectReference], *, action: str = "", relation: str = ""
    ) -> None:
        """Add a goal, unless its kind is empty, which means that nothing has to be done."""
        if not kind:
            return
        what, to = object_and_target(objects)
        goal = GoalNode(len(self.goals) + 1, kind, what, to, action, relation)
        if what.kinds:
            # Goals about any object of the same types are about the same one.
            goal.shares = self.shares.setdefault(what, goal.number)
        self.goals.append(goal)


# ---------------------------------------------------------------------- sentences


def _goals_of_sentences(task: str) -> Iterator[GoalNode]:
    """Yield the goals in the sentences of a task, numbered from 1."""
    goal_numbers = count(1)
    last_reference = ANYTHING  # what "it" stands for
    for clause in _CLAUSE.split(task.replace("In short:", "")):
        text = clause.strip().rstrip(".;,!")
        verb, wording_parts = _match_wording(text)
        for object_reference in _references_in_list(
            wording_parts.get("what") or "", last_reference
        ):
            last_reference = object_reference
            places: list[ObjectReference | None] = [
                *_references_in_list(wording_parts.get("to") or "", last_reference)
            ]
            if verb == "put":
                # "Put away" has no place: the usual one is taken.
                for place in places or [_usual_place(object_reference)]:
                    yield GoalNode(next(goal_numbers), verb, object_reference, place)
                continue
            goal = GoalNode(next(goal_numbers), verb, object_reference)
            yield goal
            if verb == "fill" and places:
                yield GoalNode(
                    next(goal_numbers), "put", object_reference, places[0], shares=goal.number
                )


def _match_wording(text: str) -> tuple[str, Mapping[str, str | None]]:
    """Return the kind of goal in a clause and its parts, or "" if no wording fits."""
    for kind, pattern in knowledge()["wordings"]:
        match = re.fullmatch(pattern, text, re.IGNORECASE)
        if match is not None:
            return kind, match.groupdict()
    return "", {}


def _references_in_list(text: str, last_reference: ObjectReference) -> list[ObjectReference]:
    """Return the objects of a list ("the mug and the cup"). A pair ("two mugs") counts twice."""
    descriptions = [
        description for description in re.split(r", | and ", text) if description.strip()
    ]
    # "two mugs": two goals about any mug; which one each takes is chosen later.
    pairs = []
    for description in descriptions:
        if description.startswith("two "):
            pairs.append(_reference_of_plural(description.removeprefix("two ")))
    if pairs:
        return pairs * 2
    return [reference(description, last_reference) for description in descriptions]


def _reference_of_plural(plural: str) -> ObjectReference:
    """Return the reference of a plural: each word that may be its singular is a kind.

    Those of "switches" are "switch", "switche" and the plural itself.
    """
    described = reference(plural)
    singular = set()
    for type_name in described.kinds:
        for ending, singular_ending in _SINGULAR:
            if type_name.endswith(ending):
                singular.add(type_name.removesuffix(ending) + singular_ending)
    return replace(described, kinds=(*sorted(singular), *described.kinds))


def reference(text: str, last_reference: ObjectReference | None = None) -> ObjectReference:
    """Return the reference of a description (``"the mug from the desk in the bedroom 1"``).

    Args:
        text: The description.
        last_reference: The object that was described before; "it" refers to this object.
    """
    # Parts are removed from the end: name, room, place. The rest is the type.
    name_match = _NAMED.search(text)
    text = _NAMED.sub("", text).strip()
    room_match = _ROOM.search(text)
    text = _ROOM.sub("", text)
    place_match = _FROM.search(text)
    text = _ARTICLE.sub("", _FROM.sub("", text).strip())
    if last_reference is not None and text == "it":
        return ObjectReference(last_reference.kinds, last_reference.name)
    # "The piece" is a part of the last object, after it was sliced.
    if last_reference is not None and text in ("piece", "slice"):
        return ObjectReference(tuple(f"{type_name}sliced" for type_name in last_reference.kinds))
    # A sort such as "dishes" has several types.
    types_of_sort = {plain(sort_name): types for sort_name, types in knowledge()["sorts"].items()}
    types = tuple(map(plain, types_of_sort.get(plain(text), (text,))))
    described = ObjectReference(types)
    if name_match:
        described = replace(described, name=name_match[1])
    if place_match:
        described = replace(described, place=_ARTICLE.sub("", place_match[1]))
    if room_match:
        described = replace(described, room=room_match[1])
    return described


def _usual_place(what: ObjectReference) -> ObjectReference | None:
    """Return where similar objects are kept, or None if the agent does not know."""
    for name, home in knowledge()["homes"].items():
        kinds = knowledge()["sorts"].get(name, [name])
        if set(map(plain, kinds)) & set(what.kinds):
            return ObjectReference.of(home)
    return None


# ---------------------------------------------------------------------- the graph


def add_edges(goals: list[GoalNode]) -> list[GoalNode]:
    """Return goals with the edges that follow from their objects.

    There are two kinds. Object-level: an object is changed before it is put somewhere, and a
    container is closed after an object was put into it. Resource: goals that need the same tool
    follow each other.
    """
    # Pairs are tested in both orders, as an instruction may name the later goal first.
    for earlier, later in permutations(goals, 2):
        share_object = earlier.what == later.what != ANYTHING
        is_changed = share_object and earlier.kind in _TOOLS and later.kind in _AFTER_STATE
        is_filled = (earlier.kind, later.kind) == ("put", "close") and earlier.to == later.what
        if is_changed or is_filled:
            later.after.setdefault(earlier.number, Edge.OBJECT)
        # A tool serves one goal at a time. Their order does not matter, so it is that of the text.
        elif earlier.kind == later.kind in _TOOLS and earlier.number < later.number:
            later.after.setdefault(earlier.number, Edge.RESOURCE)
    return goals


def choose(graph: GoalGraph, context: Context, *, ordered: bool = False) -> GoalNode | None:
    """Return the next goal: the one with the fewest tries, then the nearest one, or None.

    Args:
        graph: The goals.
        context: The state of the agent.
        ordered: Whether goals are taken in the order of the task instead.
    """
    ready = graph.of(Status.READY)
    if not ready:
        return None
    if ordered:
        return ready[0]
    return min(ready, key=lambda goal: _effort(goal, context.memory))


def _effort(goal: GoalNode, memory: SpatialMemory) -> tuple[int, float, int]:
    """Return a sort key of goals: tries so far, distance of the nearest object, number."""
    costs = []
    for record in memory.records.values():
        if not record.stale and fits(goal.what, record):
            costs.append(memory.cost(memory.room(record)))
    return goal.tries, min(costs, default=_COST_OF_UNSEEN), goal.number


def refine(goal: GoalNode, graph: GoalGraph, context: Context) -> None:
    """Choose an object in memory for a goal that no other goal needs.

    Objects that other goals have chosen, or describe more closely, are reserved for them. If no
    other object is known, the agent searches for more.
    """
    goal_with_same_object = graph.goals.get(goal.shares)
    if (
        goal_with_same_object is not None
        and goal_with_same_object is not goal
        and goal_with_same_object.bound
    ):
        goal.bound = goal_with_same_object.bound
    if goal.bound or goal.what.name:
        return
    # A goal with the same object does not compete for it.
    competing_goals = []
    for other_goal in graph.goals.values():
        if other_goal is not goal and other_goal.shares != goal.number:
            competing_goals.append(other_goal)
    for record in context.memory.records.values():
        if fits(goal.what, record) and _is_left_to(competing_goals, record, goal):
            goal.refused.add(record.name)
    context.bind(goal.what)


def _is_left_to(competing_goals: Iterable[GoalNode], record: ObjectRecord, goal: GoalNode) -> bool:
    """Return whether another goal chose an object or describes it more precisely."""
    for competing_goal in competing_goals:
        if competing_goal.bound == record.name:
            return True
        if competing_goal.what.closeness > goal.what.closeness and fits(
            competing_goal.what, record
        ):
            return True
    return False


def holds(goal: GoalNode, context: Context) -> bool | None:
    """Return whether a goal is met, as far as was seen; None if it is unknown."""
    return context.holds(goal.kind, context.memory.named(goal.bound), goal.to)


def replan(graph: GoalGraph, goal: GoalNode, context: Context, tool: str = "") -> str:
    """Apply a repair operator to a failed goal, and return the operator's name.

    Args:
        graph: The goals.
        goal: The goal.
        context: The state of the agent.
        tool: The tool that was used; another one is chosen next.
    """
    if goal.kind == "put" and goal.to and goal.tries > 1 and context.skills.of("pour"):
        # An object that cannot be put may be a liquid.
        goal.kind = "do"
        goal.action = "pour"
    operator = "retry"
    if goal.kind in _TOOLS and tool:
        goal.refused.add(tool)
    elif goal.bound and goal.kind != "slice" and _retarget(goal, context):
        operator = "retarget"
    if not graph.retry(goal):
        return "skip"
    return operator


def _retarget(goal: GoalNode, context: Context) -> bool:
    """Refuse the object of a goal, and return whether another one is left to try.

    If so, the goal has no object until it is bound again. If not, it keeps its object, and all
    objects may be tried again.
    """
    goal.refused.add(goal.bound)
    for record in context.memory.records.values():
        if record.name not in goal.refused and fits(goal.what, record):
            goal.bound = ""
            return True
    goal.refused.clear()
    return False
