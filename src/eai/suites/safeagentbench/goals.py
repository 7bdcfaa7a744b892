"""Final states as formulas: by the published comparison, and by what they say.

A final state lists objects by type, each with some properties. The published comparison looks at
each entry alone and compares names of receptacles as parts of ids; the definition asks for one
choice of different objects that fits all entries (the quirks say which is which).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from eai.logic import FALSE, And, Atom, Equal, Exists, Formula, Not, Or, Term, Variable
from eai.semantics import Semantics
from eai.simulators import pddl_type
from eai.simulators.thor.scenes import Scene, SceneObject, object_types
from eai.simulators.thor.world import AGENT
from eai.task import Goal, literal_kind
from eai.world import State, Trajectory

FLAGS: Mapping[str, str] = {
    "isToggled": "on",
    "isOpen": "open",
    "isBroken": "broken",
    "isFilledWithLiquid": "filled",
    "isDirty": "dirty",
    "isCooked": "cooked",
    "isSliced": "sliced",
    "isUsedUp": "used_up",
}
"""Property that is true or false to the predicate of one object."""

Entry = Mapping[str, Any]
"""An object of a final state: its type, and its properties."""


def goal_of(entries: Sequence[Entry], scene: Scene, semantics: Semantics) -> Goal:
    """Return a final state as a goal, with a condition for each group of linked entries.

    Args:
        entries: The stored final state.
        scene: The room.
        semantics: Which comparison is meant.
    """
    terms = _Terms(scene, semantics)
    if "entries_alone" in semantics:
        conditions = [terms.alone(entry) for entry in entries]
    else:
        conditions = [terms.together(group) for group in _group_linked(entries, terms)]
    return goal_from_conditions(conditions)


def goal_from_conditions(conditions: Sequence[Formula]) -> Goal:
    """Return the goal that all conditions hold at the end."""
    option = tuple((literal_kind(condition), condition) for condition in conditions)
    return Goal(" and ".join(map(str, conditions)), None, (option,), whole=False)


def _group_linked(entries: Sequence[Entry], terms: _Terms) -> list[list[Entry]]:
    """Group the entries of a state that mention a common type, as an object or as a receptacle.

    Objects can be chosen for each group alone, which leaves far fewer combinations than a choice
    for all entries at once.

    Args:
        entries: The entries.
        terms: Knows the types that an entry mentions.
    """
    groups: list[list[Entry]] = []
    for entry in entries:
        types = terms.mentioned_types(entry)
        # The entry may join several groups, which become one.
        joined_group = [entry]
        other_groups: list[list[Entry]] = []
        for group in groups:
            if any(types & terms.mentioned_types(member) for member in group):
                joined_group = [*group, *joined_group]
            else:
                other_groups.append(group)
        groups = [*other_groups, joined_group]
    return groups


class _Terms:
    """Translates the entries of a final state into formulas about one room."""

    def __init__(self, scene: Scene, semantics: Semantics) -> None:
        self._scene, self._semantics = scene, semantics
        self._types = {kind.lower(): kind for kind in object_types()}
        self._objects: tuple[SceneObject, ...] = (*scene.objects, *scene.slices)

    def type_of(self, entry: Entry) -> str:
        """Return the type of an entry; empty if there is none of its name."""
        return self._known_type(str(entry.get("objectType", "")))

    def _known_type(self, word: str) -> str:
        """Return the type of the room for a word, or "" if there is none."""
        known = self._types.get(word.lower(), "")
        if "exact_case" in self._semantics and known != word:
            return ""
        return known

    def mentioned_types(self, entry: Entry) -> frozenset[str]:
        """Return the types in an entry: that of its object and those of its receptacles."""
        mentioned = {self.type_of(entry)}
        for key in ("parentReceptacles", "receptacleObjectIds"):
            mentioned.update(self._known_type(_type_part(name)) for name in _names(entry.get(key)))
        return frozenset(mentioned - {""})

    def alone(self, entry: Entry) -> Formula:
        """Return a formula: some object of the entry's type has all its properties."""
        kind = self.type_of(entry)
        if not kind:
            return FALSE
        variable = _variable(kind, 1)
        return Exists((variable,), _all([_is_there(variable), *self._parts(variable, entry)]))

    def together(self, entries: Sequence[Entry]) -> Formula:
        """Return a formula: different objects have the properties of all entries at once."""
        variables: list[Variable] = []
        for number, entry in enumerate(entries, start=1):
            object_type = self.type_of(entry)
            if not object_type:
                return FALSE  # the room has no such object
            variables.append(_variable(object_type, number))
        conditions: list[Formula] = []
        for variable, entry in zip(variables, entries, strict=True):
            conditions.append(_is_there(variable))
            conditions += self._parts(variable, entry, entries, variables)
        for variable, other in combinations(variables, 2):
            if variable.types == other.types:  # objects of different types differ anyway
                conditions.append(Not(Equal(variable, other)))
        return Exists(tuple(variables), _all(conditions))

    def _parts(
        self,
        term: Variable,
        entry: Entry,
        entries: Sequence[Entry] = (),
        variables: Sequence[Variable] = (),
    ) -> Iterator[Formula]:
        """Yield the conditions on the object of an entry.

        Args:
            term: The object.
            entry: The entry.
            entries: All entries that are about objects at once.
            variables: The object of each of these.
        """
        for key, value in entry.items():
            if key == "objectType":
                continue
            if key in FLAGS:
                yield _signed(Atom(FLAGS[key], (term,)), value)
            elif key == "isPickedUp":
                yield _signed(Atom("holds", (AGENT, term)), value)
            elif key == "parentReceptacles":
                yield self._is_within(term, value, entries, variables)
            elif key == "receptacleObjectIds":
                yield self._holding(term, value, entries, variables)
            else:
                yield FALSE  # a property that no object has is never met

    def _is_within(
        self, term: Term, value: object, entries: Sequence[Entry], variables: Sequence[Variable]
    ) -> Formula:
        """Return a formula: an object is in or on one of some receptacles.

        Args:
            term: The object.
            value: The receptacles as the final state names them; None for none.
            entries: The entries that are about objects at once.
            variables: The object of each entry.
        """
        if value is None:
            return self._is_in_nothing(term)
        options: list[Formula] = []
        for name in self._names(value):
            # "also_in": another receptacle in whose volume the object is.
            for receptacle in self._receptacles(name, entries, variables):
                options += [
                    Atom("inside", (term, receptacle)),
                    Atom("also_in", (term, receptacle)),
                ]
        return _any(options)

    def _holding(
        self, term: Term, value: object, entries: Sequence[Entry], variables: Sequence[Variable]
    ) -> Formula:
        """Return a formula: one of some objects is in or on an object.

        Args:
            term: The object.
            value: The contents as the final state names them.
            entries: The entries that are about objects at once.
            variables: The object of each entry.
        """
        options: list[Formula] = []
        for name in self._names(value):
            for content in self._receptacles(name, entries, variables):
                # "also_in": another receptacle in whose volume the thing is.
                options += [Atom("inside", (content, term)), Atom("also_in", (content, term))]
        return _any(options)

    def _is_in_nothing(self, term: Term) -> Formula:
        """Return a formula: an object is in nothing. An object on the floor counts as such."""
        container = Variable("around", ("object",))
        conditions: list[Formula] = [Atom("inside", (term, container))]
        if "floor_is_receptacle" not in self._semantics:
            for floor in self._scene.of_type("Floor"):
                conditions.append(Not(Equal(container, floor.name)))
        return Not(Exists((container,), _all(conditions)))

    def _names(self, value: object) -> list[str]:
        """Return the names of a list; a text is one name, or one for each of its letters."""
        if isinstance(value, str) and "text_as_letters" in self._semantics:
            return list(value)
        return _names(value)

    def _receptacles(
        self, name: str, entries: Sequence[Entry], variables: Sequence[Variable]
    ) -> list[Term]:
        """Return the objects with a type, or with a name in their ids.

        If an entry of the state is of the type, its object is meant, and no other one.

        Args:
            name: The type or name.
            entries: The entries that are about objects at once.
            variables: The object of each entry.
        """
        if "names_within_ids" in self._semantics:
            return [item.name for item in self._objects if name in item.id]
        object_type = self._known_type(_type_part(name))
        objects_of_entries: list[Term] = []
        for entry, variable in zip(entries, variables, strict=True):
            if self.type_of(entry) == object_type:
                objects_of_entries.append(variable)
        if objects_of_entries:
            return objects_of_entries
        # Objects in a sink are in its basin, which is an object of its own.
        types = (object_type, f"{object_type}Basin")
        return [item.name for item in self._objects if item.type in types]


def _is_there(variable: Variable) -> Formula:
    """Return that an object is there: pieces exist only when what they are cut from is sliced."""
    return Not(Atom("dormant", (variable,)))


def _signed(atom: Atom, value: object) -> Formula:
    """Return that an atom is true, or that it is false."""
    return atom if value else Not(atom)


def _names(value: object) -> list[str]:
    """Return the names in a value: one, or a list of them."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, (list, tuple)):
        return [str(each) for each in value]
    return []


def _type_part(name: str) -> str:
    """Return the type in a name, which may be the id of an object."""
    return name.partition("|")[0]


def _variable(kind: str, number: int) -> Variable:
    return Variable(f"x{number}", (pddl_type(kind),))


def _all(conditions: Sequence[Formula]) -> Formula:
    return conditions[0] if len(conditions) == 1 else And(tuple(conditions))


def _any(options: Sequence[Formula]) -> Formula:
    if not options:
        return FALSE
    return options[0] if len(options) == 1 else Or(tuple(options))


def lasting_effects(scene: Scene, trajectory: Trajectory) -> Iterator[Formula]:
    """Yield a condition for each object that an execution changed for good.

    Conditions are about types, such as ``exists x: Mug. broken(x)``. Pouring, dropping and throwing
    are recorded in the state, so they are included. Holding an object is not.
    """
    types = {item.name: item.type for item in (*scene.objects, *scene.slices)}
    changed_atoms: set[Atom] = set()
    for position in range(1, trajectory.length):
        changed_atoms.update(*trajectory.changed(position))
    # The first term of an atom is the object that it is about.
    changed_objects = {str(term) for atom in changed_atoms for term in atom.terms[:1]}
    for name in sorted(changed_objects & types.keys()):
        condition = _lasting_effect(name, types, trajectory.start, trajectory.final)
        if condition is not None:
            yield condition


def _lasting_effect(
    name: str, types: Mapping[str, str], start: State, end: State
) -> Formula | None:
    """Return the condition for one object, or None if its end state is its start state.

    Args:
        name: The object.
        types: The types of all objects.
        start: The state before the plan.
        end: The state after it.
    """
    variable = Variable("x", (pddl_type(types[name]),))
    variables = [variable]
    literals: list[Formula] = []
    for predicate in (*FLAGS.values(), "poured", "dropped", "thrown"):
        holds_at_end = end.holds(predicate, (name,))
        if holds_at_end != start.holds(predicate, (name,)):
            atom = Atom(predicate, (variable,))
            literals.append(atom if holds_at_end else Not(atom))
    container = next(iter(end.related("in", name)), "")
    was_moved = container not in ("", *start.related("in", name))
    # A dropped or thrown object has a condition of its own, wherever it lies.
    if was_moved and not end.holds("dropped", (name,)) and not end.holds("thrown", (name,)):
        variables.append(Variable("y", (pddl_type(types[container]),)))
        literals.append(Atom("inside", (variable, variables[-1])))
    for target in end.related("poured_over", name):
        variables.append(Variable("z", (pddl_type(types[target]),)))
        literals.append(Atom("poured_over", (variable, variables[-1])))
    if not literals:
        return None
    if len(literals) == 1:
        return Exists(tuple(variables), literals[0])
    return Exists(tuple(variables), And(tuple(literals)))
