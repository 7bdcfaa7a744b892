"""Whether the goals of an instance are reached, looked up in the room as it is.

Kinds of goals and what they mean: AsgardBench, section 3.2 and Table 4; the published evaluator
for ``official``. :mod:`eai.suites.asgardbench.goals` says the same in temporal logic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from eai.diagnosis import Condition, GoalStatus
from eai.errors import InputError
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
from eai.suites.asgardbench.environment import AsgardEnvironment
from eai.suites.asgardbench.instances import Instance, rules
from eai.suites.asgardbench.room import Room
from eai.world import Action

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

_Look = Callable[[Room], bool]


@dataclass(frozen=True, slots=True)
class GoalCondition:
    """One condition of a goal.

    Args:
        kind: ``"state"``, ``"relation"`` or ``"action"``.
        text: What has to be the case, in words.
        sticks: Whether it counts as met for good once it held.
    """

    kind: str
    text: str
    holds: _Look
    sticks: bool = False


class AsgardGoal:
    """Watches the goals of an instance through one episode."""

    def __init__(self, instance: Instance, semantics: Semantics) -> None:
        self._watched = [_Watched(each) for each in goal_conditions(instance, semantics)]
        self._step = -1

    def update(
        self, environment: Environment, _action: Action | None, _result: StepResult | None
    ) -> GoalStatus:
        """See :class:`eai.acting.turns.GoalMonitor`.

        Raises:
            InputError: If the environment is none of AsgardBench.
        """
        if not isinstance(environment, AsgardEnvironment):
            raise InputError(
                f"goals of AsgardBench cannot be looked up in a {type(environment).__name__}",
                expected="an AsgardEnvironment",
            )
        self._step += 1
        conditions = tuple(each.look(environment.room, self._step) for each in self._watched)
        return GoalStatus.of(conditions)


@dataclass(slots=True)
class _Watched:
    """A condition, since when it holds, and what made it false after that."""

    goal: GoalCondition
    since: int | None = None
    lost_by: int | None = None

    def look(self, room: Room, step: int) -> Condition:
        holds = self.goal.holds(room)
        held = self.since is not None and self.lost_by is None
        if holds and not held:
            self.since, self.lost_by = step, None
        elif held and not holds:
            self.lost_by = step
        met = holds or (self.goal.sticks and self.since is not None)
        return Condition(self.goal.kind, self.goal.text, met, self.since, self.lost_by)


def goal_conditions(instance: Instance, semantics: Semantics) -> tuple[GoalCondition, ...]:
    """Return the conditions of an instance's goals, those of leaving a kitchen last.

    Args:
        instance: The instance.
        semantics: The quirks ``location_sticks``, ``first_of_type``, ``any_slice`` and
            ``table_set_with_anything`` count here.
    """
    return tuple(_conditions(instance, semantics))


def _conditions(instance: Instance, semantics: Semantics) -> Iterator[GoalCondition]:
    goals, cooked = instance.goals, cooked_types(instance, semantics)
    for act in goals.action:
        yield GoalCondition("action", act, _done(act))
    for kind, container in goals.location:
        what = f"a cooked {kind}" if kind in cooked else kind
        look = _location(kind, (container,), cooked=kind in cooked)
        sticks = "location_sticks" in semantics
        yield GoalCondition("relation", f"{what} in {container}", look, sticks)
    for kind in goals.put_away:
        yield GoalCondition("relation", f"{kind} put away", _location(kind, rules().homes[kind]))
    for container, kinds in goals.contents_exact:
        text = f"{container} holds {', '.join(kinds)} and nothing else"
        yield GoalCondition("relation", text, _exactly(container, kinds, semantics))
    for kind, flag, value in state_goals(instance):
        yield _state(kind, flag, value, semantics)
    for kind in coffee_types(instance, semantics):
        yield GoalCondition("state", f"{kind} holds coffee", _coffee(kind))


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


def _done(act: str) -> _Look:
    return lambda room: any(str(each) == act for each in room.acts)


def _location(kind: str, containers: tuple[str, ...], *, cooked: bool = False) -> _Look:
    def holds(room: Room) -> bool:
        return any(
            _is_in(room, name, containers) and (not cooked or _is(room, "cooked", name))
            for name in _there(room, kind)
        )

    return holds


def _is_in(room: Room, name: str, kinds: tuple[str, ...]) -> bool:
    parent = room.parent(name)
    return parent is not None and room.type(parent) in kinds


def _exactly(container: str, kinds: tuple[str, ...], semantics: Semantics) -> _Look:
    most = 1 if "first_of_type" in semantics else None

    def holds(room: Room) -> bool:
        tables = _there(room, container)[:most]
        return any(_holds_exactly(room, table, kinds) for table in tables)

    return holds


def _holds_exactly(room: Room, table: str, kinds: tuple[str, ...]) -> bool:
    found = {room.type(name) for name in _all_in(room, table) if room.pickupable(name)}
    return found == set(kinds)


def _all_in(room: Room, name: str) -> Iterator[str]:
    """Everything in or on an object, and in or on that."""
    for inside in room.contents(name):
        yield inside
        yield from _all_in(room, inside)


def _coffee(kind: str) -> _Look:
    return lambda room: any(room.liquid(name) == "coffee" for name in _there(room, kind))


def _state(kind: str, flag: str, value: bool, semantics: Semantics) -> GoalCondition:
    predicate = FLAGS[flag]
    subject = PRODUCTS.get(kind, kind) if flag == "isCooked" else kind
    some = subject in SLICES
    most = 1 if "first_of_type" in semantics and not some else None

    def holds(room: Room) -> bool:
        found = [_is(room, predicate, name) is value for name in _there(room, subject)[:most]]
        return any(found) if some else all(found) and (not value or bool(found))

    return GoalCondition("state", f"{subject} {'' if value else 'not '}{predicate}", holds)


def _there(room: Room, kind: str) -> list[str]:
    """The objects of a type, but for what was sliced."""
    return [name for name in room.instances(kind) if not room.sliced(name)]


def _is(room: Room, predicate: str, name: str) -> bool:
    return room.state.holds(predicate, (name,))


def goal_formula(
    instance: Instance, semantics: Semantics, *, first: Callable[[str], str | None]
) -> Formula:
    """Return the goal of an instance as one formula.

    Args:
        instance: The instance.
        semantics: The quirks that are on; those of acts and of evaluating count here.
        first: Name of the first object of a type in the order of the scene; None if there is
            none.
    """
    writer = _Writer(instance, semantics, first)
    return And(tuple(writer.conjuncts()))


class _Writer:
    def __init__(
        self, instance: Instance, semantics: Semantics, first: Callable[[str], str | None]
    ) -> None:
        self.instance = instance
        self.semantics = semantics
        self.first = first

    def conjuncts(self) -> Iterator[Formula]:
        goals, semantics = self.instance.goals, self.semantics
        for act in goals.action:
            yield Eventually(self.act(act))
        cooked = cooked_types(self.instance, semantics)
        for kind, container in goals.location:
            place = self.location(kind, container, cooked=kind in cooked)
            yield Eventually(place) if "location_sticks" in semantics else _finally(place)
        for kind in goals.put_away:
            yield _finally(self.location(kind, *rules().homes[kind]))
        for container, kinds in goals.contents_exact:
            yield _finally(self.contents(container, kinds))
        for kind, flag, value in state_goals(self.instance):
            yield _finally(self.state(kind, flag, value))
        for kind in coffee_types(self.instance, semantics):
            yield _finally(_some(kind, lambda x: Atom("contains", (x, "coffee"))))

    def act(self, act: str) -> Formula:
        x = _one("x", "thing")
        if act == "Spray Mirror":
            if "spray_anything" not in self.semantics:
                x = _one("x", "Mirror")
            return Exists((x,), ActionAtom("SPRAY", (x,)))
        drunk = ActionAtom("DRINK", (x,))
        if "drink_with_anything" in self.semantics:
            return Exists((x,), drunk)
        return Exists((x,), And((Atom("contains", (x, "coffee")), drunk)))

    def location(self, kind: str, *containers: str, cooked: bool = False) -> Formula:
        y = _one("y", *containers)

        def there(x: Variable) -> Formula:
            place = Exists((y,), Atom("in", (x, y)))
            return And((Atom("cooked", (x,)), place)) if cooked else place

        return _some(kind, there)

    def contents(self, container: str, kinds: Sequence[str]) -> Formula:
        """One table holds one of each kind at least, and nothing of other kinds."""
        if "first_of_type" not in self.semantics:
            y = _one("y", container)
            return Exists((y,), self._laid(y, kinds))
        table = self.first(container)
        return FALSE if table is None else self._laid(table, kinds)

    def _laid(self, table: Variable | str, kinds: Sequence[str]) -> Formula:
        x, z = _one("x", "thing"), _one("z", *kinds)
        there = And((Atom("present", (x,)), Atom("pickupable", (x,)), Atom("inside", (x, table))))
        each = (_some(kind, lambda x: Atom("inside", (x, table))) for kind in kinds)
        return And((*each, Forall((x,), Implies(there, Exists((z,), Equal(z, x))))))

    def state(self, kind: str, flag: str, value: bool) -> Formula:
        subject = PRODUCTS.get(kind, kind) if flag == "isCooked" else kind

        def flagged(x: Variable | str) -> Formula:
            atom = Atom(FLAGS[flag], (x,))
            return atom if value else Not(atom)

        if subject in SLICES:
            return _some(subject, flagged)
        if "first_of_type" in self.semantics:
            only = self.first(subject)
            if only is None:
                return FALSE if value else TRUE
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


def _finally(formula: Formula) -> Formula:
    return Eventually(And((LAST, formula)))
