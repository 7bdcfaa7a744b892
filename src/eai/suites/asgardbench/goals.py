"""What is to be reached in an instance: conditions of one state, and the goal in temporal logic.

Kinds of goals and what they mean: AsgardBench, section 3.2 and Table 4; the published evaluator
for ``official``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
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
from eai.suites.asgardbench.room import SETUP, Act
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
"""Types whose being cooked is looked up in what they are cut into."""

SLICES = frozenset({"EggCracked", "BreadSliced", "PotatoSliced"})
"""Types of which any object will do where one is to be cooked."""

First = Callable[[str], "str | None"]
"""Returns the name of the first object of a type in the order of the scene; None without any."""


@dataclass(frozen=True, slots=True)
class GoalCondition:
    """One condition of a goal: a ``"state"``, ``"relation"`` or ``"action"``.

    Its text says it in words (of an act its name, :class:`Act`). One that sticks counts as met for
    good once it held.
    """

    kind: str
    text: str
    formula: Formula
    sticks: bool = False

    @property
    def over_time(self) -> Formula:
        """The same of an episode, at its first position."""
        return Eventually(self.formula if self.sticks else And((LAST, self.formula)))


class AsgardGoal:
    """Watches the goals of an instance through one episode."""

    def __init__(self, instance: Instance, semantics: Semantics) -> None:
        self._instance = instance
        self._semantics = semantics
        self._tests: list[tuple[GoalCondition, Callable[[State], bool] | None]] = []
        """The conditions with their tests of a state; of acts, which no state tells, with none."""
        self._last: Sequence[Condition | None] = ()
        self._step = -1

    def update(
        self, environment: Environment, _action: Action | None, _result: StepResult | None
    ) -> GoalStatus:
        """See :class:`eai.acting.turns.GoalMonitor`."""
        if not isinstance(environment, AsgardEnvironment):
            raise InputError(
                f"goals of AsgardBench cannot be looked up in a {type(environment).__name__}",
                expected="an AsgardEnvironment",
            )
        room = environment.room
        if self._step < 0:
            goals = goal_conditions(self._instance, self._semantics, first=room.first)
            self._tests = [
                (each, None if each.kind == "action" else room.test(each.formula)) for each in goals
            ]
            self._last = [None] * len(self._tests)
        self._step += 1
        found, acts = list[Condition](), {str(act) for act in room.acts}
        for (goal, test), before in zip(self._tests, self._last, strict=True):
            holds = goal.text in acts if test is None else test(room.state)
            since, lost_by = since_and_lost(holds, before, self._step)
            met = holds or (goal.sticks and since is not None)
            found.append(Condition(goal.kind, goal.text, met, since, lost_by))
        self._last = found
        return GoalStatus.of(tuple(found))


def refuse_unknown(instance: Instance) -> None:
    """See that an instance has goals and a set-up of the right form, of words that are known."""
    goals, where = instance.goals, f"instance {instance.id!r}"
    placements = (
        *goals.location,
        *((place, kind) for place, kinds in goals.contents_exact for kind in kinds),
    )
    if not (placements or goals.state or goals.put_away or goals.action or goals.contents_exact):
        raise SchemaError(
            "there is nothing to reach, so the task is solved before anything is done",
            where=where,
            expected="a goal besides that of leaving a kitchen",
        )
    types = object_types()
    asked: list[tuple[str, str, Collection[str]]] = [
        *(("type", kind, types) for kind, _, _ in goals.state),
        *(("flag", flag, FLAGS) for _, flag, _ in goals.state),
        *(("type", kind, types) for pair in placements for kind in pair),
        *(("type with a home", kind, rules().homes) for kind in goals.put_away),
        *(("act", act, [each.value for each in Act]) for act in goals.action),
        *(("word of a set-up", step[0] if step else "", SETUP) for step in instance.setup),
    ]
    for what, name, known in asked:
        check_name(what, name, known, where=where)
    for step in instance.setup:
        if len(step) != 2 + (step[0] == "fill"):
            raise SchemaError(
                f"the set-up {' '.join(step)!r} has {len(step)} words",
                where=where,
                expected='("dirty", NAME), ("empty", NAME) or ("fill", NAME, LIQUID)',
            )


def goal_formula(instance: Instance, semantics: Semantics, *, first: First) -> Formula:
    """Return the goal of an instance as one formula, of an episode at its first position."""
    goals = goal_conditions(instance, semantics, first=first)
    return And(tuple(each.over_time for each in goals))


def goal_conditions(
    instance: Instance, semantics: Semantics, *, first: First
) -> Iterator[GoalCondition]:
    """Yield the conditions of an instance's goals, those of leaving a kitchen last."""
    goals, cooked = instance.goals, cooked_types(instance, semantics)
    for act in goals.action:
        yield GoalCondition("action", act, _act(act, semantics), sticks=True)
    for kind, container in goals.location:
        what = f"a cooked {kind}" if kind in cooked else kind
        place = _location(kind, container, cooked=kind in cooked)
        sticks = "location_sticks" in semantics
        yield GoalCondition("relation", f"{what} in {container}", place, sticks)
    for kind in goals.put_away:
        home = _location(kind, *rules().homes[kind])
        yield GoalCondition("relation", f"{kind} put away", home)
    for container, kinds in goals.contents_exact:
        text = f"{container} holds {', '.join(kinds)} and nothing else"
        laid: Formula
        if "first_of_type" in semantics:
            table = first(container)
            laid = FALSE if table is None else _laid(table, kinds)
        else:
            y = _one("y", container)
            laid = Exists((y,), _laid(y, kinds))
        yield GoalCondition("relation", text, laid)
    for kind, flag, value in state_goals(instance):
        subject = PRODUCTS.get(kind, kind) if flag == "isCooked" else kind
        only = "first_of_type" in semantics and subject not in SLICES
        formula = _state(subject, flag, value, only=first(subject) if only else "")
        text = f"{subject} {'' if value else 'not '}{FLAGS[flag]}"
        yield GoalCondition("state", text, formula)
    for kind in coffee_types(instance, semantics):
        coffee = _some(kind, lambda x: Atom("contains", (x, "coffee")))
        yield GoalCondition("state", f"{kind} holds coffee", coffee)


def state_goals(instance: Instance) -> tuple[tuple[str, str, bool], ...]:
    """Return the goals about states, those of leaving a kitchen included."""
    goals = instance.goals
    return (*goals.state, *(rules().exit if goals.kitchen_exit else ()))


def cooked_types(instance: Instance, semantics: Semantics) -> frozenset[str]:
    """Return the types that count as served only if the very object is cooked."""
    goals = instance.goals
    found: set[str] = set()
    if "any_slice" not in semantics:
        wanted = (kind for kind, flag, value in goals.state if flag == "isCooked" and value)
        found |= {PRODUCTS.get(kind, kind) for kind in wanted}
    if goals.contents_exact and "table_set_with_anything" not in semantics:
        found.add("BreadSliced")
    return frozenset(found)


def coffee_types(instance: Instance, semantics: Semantics) -> tuple[str, ...]:
    """Return the types of what has to be filled with coffee, not with anything else."""
    goals = instance.goals
    if not goals.contents_exact or "table_set_with_anything" in semantics:
        return ()
    return tuple(
        kind for kind, flag, value in goals.state if flag == "isFilledWithLiquid" and value
    )


def _act(act: str, semantics: Semantics) -> Formula:
    x = _one("x", "thing")
    if act == "Spray Mirror":
        x = x if "spray_anything" in semantics else _one("x", "Mirror")
        return Exists((x,), ActionAtom("SPRAY", (x,)))
    drunk = ActionAtom("DRINK", (x,))
    if "drink_with_anything" in semantics:
        return Exists((x,), drunk)
    return Exists((x,), And((Atom("contains", (x, "coffee")), drunk)))


def _location(kind: str, *containers: str, cooked: bool = False) -> Formula:
    y = _one("y", *containers)

    def there(x: Variable) -> Formula:
        place = Exists((y,), Atom("in", (x, y)))
        return And((Atom("cooked", (x,)), place)) if cooked else place

    return _some(kind, there)


def _laid(table: Variable | str, kinds: Sequence[str]) -> Formula:
    """A table holds one of each kind at least, and nothing of other kinds."""
    x, z = _one("x", "thing"), _one("z", *kinds)
    there = And((Atom("present", (x,)), Atom("pickupable", (x,)), Atom("inside", (x, table))))
    each = (_some(kind, lambda x: Atom("inside", (x, table))) for kind in kinds)
    return And((*each, Forall((x,), Implies(there, Exists((z,), Equal(z, x))))))


def _state(subject: str, flag: str, value: bool, *, only: str | None) -> Formula:
    """All objects of a type are in a state, or the only one that counts is; of slices one."""

    def flagged(x: Variable | str) -> Formula:
        atom = Atom(FLAGS[flag], (x,))
        return atom if value else Not(atom)

    if subject in SLICES:
        return _some(subject, flagged)
    if only is None:
        return FALSE if value else TRUE
    if only:
        there = Atom("present", (only,))
        return And((there, flagged(only))) if value else Implies(there, flagged(only))
    x = _one("x", subject)
    every = Forall((x,), Implies(Atom("present", (x,)), flagged(x)))
    return And((every, _some(subject, flagged))) if value else every


def _one(name: str, *kinds: str) -> Variable:
    return Variable(name, tuple(map(pddl_type, kinds)))


def _some(kind: str, body: Callable[[Variable], Formula]) -> Formula:
    x = _one("x", kind)
    return Exists((x,), And((Atom("present", (x,)), *conjuncts(body(x)))))
