"""The goals of an instance: conditions on one state, and the goal in temporal logic.

Kinds of goals and their meaning: AsgardBench, section 3.2 and Table 4; the published evaluator
for ``official``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from eai.diagnosis import Condition, GoalStatus, since_and_lost
from eai.errors import InputError, SchemaError, check_name
from eai.logic import (
    FALSE,
    LAST,
    TRUE,
    ActionAtom,
    And,
    Atom,
    Equal,
    Eventually,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Variable,
    conjuncts,
)
from eai.semantics import Semantics
from eai.simulators import Environment, StepResult, pddl_type
from eai.simulators.thor.scenes import object_types
from eai.suites.asgardbench.environment import AsgardEnvironment
from eai.suites.asgardbench.instances import Instance, rules
from eai.suites.asgardbench.room import SETUP, Act, Room
from eai.world import Action, State

FLAGS: Mapping[str, str] = {
    "isDirty": "dirty",
    "isFilledWithLiquid": "filled",
    "isCooked": "cooked",
    "isToggled": "on",
    "isOpen": "open",
}
"""Flag of the benchmark to the predicate of the world."""

PRODUCTS: Mapping[str, str] = {"Egg": "EggCracked", "Bread": "BreadSliced"}
"""Type to the type that it is cut into, which is what has to be cooked."""

SLICES = frozenset({"EggCracked", "BreadSliced", "PotatoSliced"})
"""Types of which any one object has to be cooked, not all."""

First = Callable[[str], "str | None"]
"""Returns the name of the first object of a type in the order of the scene; None without any."""


@dataclass(frozen=True, slots=True)
class GoalCondition:
    """One condition of a goal.

    Args:
        kind: ``"state"``, ``"relation"`` or ``"action"``.
        text: The condition in words; of an action the name of the act (:class:`Act`).
        formula: The condition on one state.
        sticks: Whether it counts as met for good once it held.
    """

    kind: str
    text: str
    formula: Formula
    sticks: bool = False

    @property
    def over_time(self) -> Formula:
        """Return the condition as a formula that is evaluated at the first position of an episode.

        A condition that sticks has to hold at some position (``F p``), any other one at the last
        position (``F (last & p)``).
        """
        if self.sticks:
            return Eventually(self.formula)
        return Eventually(And((LAST, self.formula)))


class AsgardGoal:
    """The monitor of the goals of an instance in one episode."""

    def __init__(self, instance: Instance, semantics: Semantics) -> None:
        """Keep the instance; its goals are read when the first episode begins."""
        self._instance = instance
        self._semantics = semantics
        # Each condition with its test of a state; acts, which do not change a state, have no test.
        self._tests: list[tuple[GoalCondition, Callable[[State], bool] | None]] = []
        # The statuses after the last action.
        self._last: Sequence[Condition | None] = ()
        self._step = -1

    def update(
        self, environment: Environment, _action: Action | None, _result: StepResult | None
    ) -> GoalStatus:
        """Return the status after an action (see :class:`eai.acting.turns.GoalMonitor`)."""
        if not isinstance(environment, AsgardEnvironment):
            raise InputError(
                f"goals of AsgardBench cannot be looked up in a {type(environment).__name__}",
                expected="an AsgardEnvironment",
            )
        room = environment.room
        if self._step < 0:
            self._begin(room)
        self._step += 1
        # Acts such as drinking do not change the state, so the room records them.
        acts = {str(act) for act in room.acts}
        statuses: list[Condition] = []
        for (goal, test), last_status in zip(self._tests, self._last, strict=True):
            holds = goal.text in acts if test is None else test(room.state)
            since, lost_by = since_and_lost(holds, last_status, self._step)
            # A condition that sticks stays met after it held once, even if it is undone.
            is_met = holds or (goal.sticks and since is not None)
            statuses.append(Condition(goal.kind, goal.text, is_met, since, lost_by))
        self._last = statuses
        return GoalStatus.of(tuple(statuses))

    def _begin(self, room: Room) -> None:
        """Compile the tests in the start state, where the first object of each type is fixed."""
        self._tests = []
        for goal in goal_conditions(self._instance, self._semantics, first=room.first):
            test = None if goal.kind == "action" else room.test(goal.formula)
            self._tests.append((goal, test))
        self._last = [None] * len(self._tests)


def refuse_unknown(instance: Instance) -> None:
    """Refuse an instance with goals or a set-up of unknown form, or with unknown words.

    Raises:
        SchemaError: If it has no goal, or a step of its set-up has another form.
        UnknownNameError: If a type, flag, act or word of a set-up is unknown.
    """
    where = f"instance {instance.id!r}"
    goals = instance.goals
    placements = [*goals.location]
    for container, kinds in goals.contents_exact:
        placements += [(container, kind) for kind in kinds]
    has_goal = placements or goals.state or goals.put_away or goals.action or goals.contents_exact
    if not has_goal:
        raise SchemaError(
            "there is nothing to reach, so the task is solved before anything is done",
            where=where,
            expected="a goal besides that of leaving a kitchen",
        )
    _refuse_unknown_words(instance, placements, where)
    for step in instance.setup:
        # A step is a pair such as ("dirty", "Mug_1"), or has a liquid as well.
        n_words = 3 if step[0] == "fill" else 2
        if len(step) != n_words:
            raise SchemaError(
                f"the set-up {' '.join(step)!r} has {len(step)} words",
                where=where,
                expected='("dirty", NAME), ("empty", NAME) or ("fill", NAME, LIQUID)',
            )


def _refuse_unknown_words(
    instance: Instance, placements: Iterable[tuple[str, str]], where: str
) -> None:
    """Refuse types, flags, acts and set-up words that are not in the benchmark's vocabulary.

    Args:
        instance: The instance.
        placements: Pairs of types in its goals, one of which has to be in or on the other.
        where: Location for error messages.
    """
    goals = instance.goals
    types = object_types()
    for object_type, _, _ in goals.state:
        check_name("type", object_type, types, where=where)
    for _, flag, _ in goals.state:
        check_name("flag", flag, FLAGS, where=where)
    for object_type, container in placements:
        check_name("type", object_type, types, where=where)
        check_name("type", container, types, where=where)
    for object_type in goals.put_away:
        check_name("type with a home", object_type, rules().homes, where=where)
    for act in goals.action:
        check_name("act", act, [known_act.value for known_act in Act], where=where)
    for step in instance.setup:
        check_name("word of a set-up", step[0] if step else "", SETUP, where=where)


def goal_formula(instance: Instance, semantics: Semantics, *, first: First) -> Formula:
    """Return the goal of an instance as one formula, of an episode at its first position."""
    goals = goal_conditions(instance, semantics, first=first)
    return And(tuple(goal.over_time for goal in goals))


def goal_conditions(
    instance: Instance, semantics: Semantics, *, first: First
) -> Iterator[GoalCondition]:
    """Yield the conditions of an instance's goals.

    Those about leaving the kitchen tidy come last.

    Args:
        instance: The instance.
        semantics: The semantics.
        first: Returns the first object of a type.
    """
    goals = instance.goals
    for act in goals.action:
        yield GoalCondition("action", act, _act_formula(act, semantics), sticks=True)
    # The object that is served must itself be cooked.
    cooked = cooked_types(instance, semantics)
    for object_type, container in goals.location:
        words = f"a cooked {object_type}" if object_type in cooked else object_type
        formula = _location_formula(object_type, container, cooked=object_type in cooked)
        sticks = "location_sticks" in semantics
        yield GoalCondition("relation", f"{words} in {container}", formula, sticks)
    for object_type in goals.put_away:
        formula = _location_formula(object_type, *rules().homes[object_type])
        yield GoalCondition("relation", f"{object_type} put away", formula)
    for container, kinds in goals.contents_exact:
        text = f"{container} holds {', '.join(kinds)} and nothing else"
        yield GoalCondition("relation", text, _contents_formula(container, kinds, semantics, first))
    for object_type, flag, value in state_goals(instance):
        yield _state_condition(object_type, flag, value, semantics, first)
    for object_type in coffee_types(instance, semantics):
        coffee = _some(object_type, lambda x: Atom("contains", (x, "coffee")))
        yield GoalCondition("state", f"{object_type} holds coffee", coffee)


def _state_condition(
    object_type: str, flag: str, value: bool, semantics: Semantics, first: First
) -> GoalCondition:
    """Return the condition that all objects of a type, or only the first one, have a state.

    Args:
        object_type: The type of the objects.
        flag: The state.
        value: Whether they have to be in it.
        semantics: Decides whether all objects or only the first one counts.
        first: Returns the first object of a type.
    """
    # A whole egg or loaf is never cooked: the goal is about its pieces.
    subject = PRODUCTS.get(object_type, object_type) if flag == "isCooked" else object_type
    only: str | None = ""
    if "first_of_type" in semantics and subject not in SLICES:
        only = first(subject)
    text = f"{subject} {FLAGS[flag]}" if value else f"{subject} not {FLAGS[flag]}"
    return GoalCondition("state", text, _state_formula(subject, flag, value, only=only))


def state_goals(instance: Instance) -> tuple[tuple[str, str, bool], ...]:
    """Return the goals about states as (type, state, value), those for a tidy kitchen included."""
    goals = instance.goals
    if goals.kitchen_exit:
        return (*goals.state, *rules().exit)
    return goals.state


def cooked_types(instance: Instance, semantics: Semantics) -> frozenset[str]:
    """Return the types that count as served only if the served object itself is cooked."""
    goals = instance.goals
    # By the definitions the slice that is served has to be the cooked one; as published, any
    # slice is served and any one is cooked.
    types: set[str] = set()
    if "any_slice" not in semantics:
        for kind, flag, value in goals.state:
            if flag == "isCooked" and value:
                types.add(PRODUCTS.get(kind, kind))
    if goals.contents_exact and "table_set_with_anything" not in semantics:
        types.add("BreadSliced")
    return frozenset(types)


def coffee_types(instance: Instance, semantics: Semantics) -> tuple[str, ...]:
    """Return the types that have to be filled with coffee and not with another liquid."""
    goals = instance.goals
    if not goals.contents_exact or "table_set_with_anything" in semantics:
        return ()
    types = []
    for kind, flag, value in goals.state:
        if flag == "isFilledWithLiquid" and value:
            types.append(kind)
    return tuple(types)


def _act_formula(act: str, semantics: Semantics) -> Formula:
    """Return a formula that is true where an act is done: a mirror is sprayed, or coffee is drunk.

    Args:
        act: ``"Spray Mirror"`` or ``"Drink Coffee"``; tasks demand no others.
        semantics: Whether another object will do, too.
    """
    if act == "Spray Mirror":
        sprayed = _variable("x", "thing" if "spray_anything" in semantics else "Mirror")
        return Exists((sprayed,), ActionAtom("SPRAY", (sprayed,)))
    vessel = _variable("x", "thing")
    drinking = ActionAtom("DRINK", (vessel,))
    if "drink_with_anything" in semantics:
        return Exists((vessel,), drinking)
    return Exists((vessel,), And((Atom("contains", (vessel, "coffee")), drinking)))


def _location_formula(object_type: str, *containers: str, cooked: bool = False) -> Formula:
    """Return a formula: some object of a type is in or on an object of the given types."""
    y = _variable("y", *containers)

    def is_located(x: Variable) -> Formula:
        """Return a formula: an object is in such a receptacle, and cooked if it has to be."""
        is_inside = Exists((y,), Atom("in", (x, y)))
        if cooked:
            # The same object has to be cooked, and not another one of its type.
            return And((Atom("cooked", (x,)), is_inside))
        return is_inside

    return _some(object_type, is_located)


def _contents_formula(
    container: str, kinds: Sequence[str], semantics: Semantics, first: First
) -> Formula:
    """Return a formula: a container of a type holds objects of the given types, and nothing else.

    Under ``first_of_type`` only the first container of the type counts.
    """
    if "first_of_type" not in semantics:
        y = _variable("y", container)
        return Exists((y,), _holds_exactly(y, kinds))
    table = first(container)
    if table is None:
        return FALSE
    return _holds_exactly(table, kinds)


def _holds_exactly(table: Variable | str, kinds: Sequence[str]) -> Formula:
    """Return a formula: a table holds objects of every given type, and of no other type."""
    x = _variable("x", "thing")
    z = _variable("z", *kinds)
    is_on_table = And((Atom("present", (x,)), Atom("pickupable", (x,)), Atom("inside", (x, table))))
    one_of_each = [_some(kind, lambda item: Atom("inside", (item, table))) for kind in kinds]
    # Every object on the table is equal to one of the given types.
    nothing_else = Forall((x,), Implies(is_on_table, Exists((z,), Equal(z, x))))
    return And((*one_of_each, nothing_else))


def _state_formula(subject: str, flag: str, value: bool, *, only: str | None) -> Formula:
    """Return a formula: all objects of a type, or at least one slice, have a state.

    Args:
        subject: The type.
        flag: Flag of the state.
        value: Value of the flag.
        only: Name of the only object that counts; empty if all count, None if there is none.
    """

    def has_value(term: Variable | str) -> Formula:
        """Return a formula: the flag of an object has the value."""
        atom = Atom(FLAGS[flag], (term,))
        return atom if value else Not(atom)

    if subject in SLICES:
        return _some(subject, has_value)
    # A sliced object no longer exists and has no state: a state that has to be true needs an
    # existing object, and one that has to be false does not.
    if only is None:
        return FALSE if value else TRUE
    if only:
        is_present = Atom("present", (only,))
        if value:
            return And((is_present, has_value(only)))
        return Implies(is_present, has_value(only))
    x = _variable("x", subject)
    all_of_type = Forall((x,), Implies(Atom("present", (x,)), has_value(x)))
    if value:
        return And((all_of_type, _some(subject, has_value)))
    return all_of_type


def _variable(name: str, *kinds: str) -> Variable:
    """Return a variable that ranges over the objects of some types."""
    return Variable(name, tuple(map(pddl_type, kinds)))


def _some(kind: str, body: Callable[[Variable], Formula]) -> Formula:
    """Return a formula: something is true of an object of a type that is there."""
    x = _variable("x", kind)
    return Exists((x,), And((Atom("present", (x,)), *conjuncts(body(x)))))
