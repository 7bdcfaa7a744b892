"""The repair problem: edits of a plan, what has to be reached, and how far a plan comes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from typing import NamedTuple, Optional

from eai.budget import Meter
from eai.errors import InputError
from eai.logic import ActionAtom, Atom, Automaton, Formula, automaton
from eai.planning.achievers import Achiever, Sign, achievers, without_doubles
from eai.world import Action, Change, Literal, State, World, changed_literals


class EditKind(str, Enum):
    """What is done to a plan; each edit counts one."""

    INSERT = "insert"
    """An action is put in: a step was missing."""
    DELETE = "delete"
    """A step is taken out: it was additional."""
    REPLACE = "replace"
    """Another action takes the place of a step: its object or its action was wrong."""
    MOVE = "move"
    """A step is taken out and put in elsewhere: the order was wrong."""

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit.

    Args:
        kind: What is done.
        step: 1-based number of the step that is taken out, replaced or moved; None for an
            insertion.
        before: 1-based number of the step before which an action is put in or moved; one more
            than there are steps for the end; None otherwise.
        old: The step that is taken out, replaced or moved.
        new: The action that is put in or moved, or that replaces the step.
        necessary: Whether every repair with so few edits takes this step out, and puts this
            action in (wherever that is); None if that is not known, since not all of them were
            found.
    """

    kind: EditKind
    step: int | None = None
    before: int | None = None
    old: Action | None = None
    new: Action | None = None
    necessary: bool | None = None

    @property
    def mistake(self) -> str:
        """What was wrong, read off the edit.

        Returns:
            ``"missing_step"``, ``"additional_step"``, ``"wrong_order"``, ``"wrong_object"`` (the
            same action on something else) or ``"wrong_action"``. These words are about edits;
            the kinds of error that the paper defines come from its own rules.
        """
        if self.kind is EditKind.REPLACE:
            assert self.old is not None  # noqa: S101 - it has both
            assert self.new is not None  # noqa: S101
            return "wrong_object" if self.old.name == self.new.name else "wrong_action"
        return {
            EditKind.INSERT: "missing_step",
            EditKind.DELETE: "additional_step",
            EditKind.MOVE: "wrong_order",
        }[self.kind]

    @property
    def place(self) -> int:
        """1-based number of the step of the plan at which it begins."""
        return min(place for place in (self.step, self.before) if place is not None)

    @property
    def changes(self) -> tuple[int | Action, ...]:
        """What it takes out (the number of a step) and puts in (an action, wherever)."""
        out = () if self.step is None else (self.step,)
        put = () if self.new is None else (self.new,)
        return (*out, *put)

    def __str__(self) -> str:
        if self.kind is EditKind.INSERT:
            return f"insert {self.new} before step {self.before}"
        if self.kind is EditKind.DELETE:
            return f"delete step {self.step}, {self.old}"
        if self.kind is EditKind.REPLACE:
            return f"replace step {self.step}, {self.old}, by {self.new}"
        return f"move step {self.step}, {self.old}, before step {self.before}"


class Slot(NamedTuple):
    """A step of a plan that is being mended, and what was done to it; None if it is kept.

    The numbers of the operator's arguments are None if the world does not know the step. Its
    origin is the 0-based number of the step of the plan that stands here, or stood here; None for
    an action that was put in.
    """

    action: Action
    numbers: Optional[tuple[int, ...]]  # noqa: UP045
    origin: Optional[int] = None  # noqa: UP045
    edit: Optional[EditKind] = EditKind.INSERT  # noqa: UP045


Slots = tuple[Slot, ...]


def edits_of(slots: Slots, plan: Sequence[Action]) -> tuple[Edit, ...]:
    """Return the edits that lead from a plan to what became of it, in the order of the plan."""
    found: list[Edit] = []
    gone = set(range(len(plan)))
    before = len(plan) + 1
    for slot in reversed(slots):
        if slot.origin is not None:
            gone.discard(slot.origin)
        if slot.edit is EditKind.INSERT or slot.origin is None:
            found.append(Edit(EditKind.INSERT, None, before, None, slot.action))
        elif slot.edit is EditKind.MOVE:
            step = slot.origin + 1
            found.append(Edit(EditKind.MOVE, step, before, slot.action, slot.action))
        else:
            before = slot.origin + 1
            if slot.edit is EditKind.REPLACE:
                old = plan[slot.origin]
                found.append(Edit(EditKind.REPLACE, before, None, old, slot.action))
    found += [Edit(EditKind.DELETE, at + 1, None, plan[at]) for at in gone]
    found.reverse()
    return tuple(sorted(found, key=lambda edit: (edit.place, edit.step is not None)))


def align(plan: Slots, other: Slots) -> Slots:
    """Return what becomes of a plan when it is turned into another one.

    Insertions, deletions and replacements are the fewest (Levenshtein 1966); what is taken out
    in one place and put in in another is a move.
    """
    # For each pair of positions, how many operations the rests are apart.
    costs = [[len(other) - j for j in range(len(other) + 1)]]
    for slot in reversed(plan):
        below, row = costs[0], [costs[0][-1] + 1]
        for j in reversed(range(len(other))):
            changed = slot.action != other[j].action
            row.insert(0, min(below[j] + 1, row[0] + 1, below[j + 1] + changed))
        costs.insert(0, row)
    found: list[Slot] = []
    gone: dict[Action, list[int]] = defaultdict(list)
    i = j = 0
    while i < len(plan) or j < len(other):
        changed = i < len(plan) and j < len(other) and plan[i].action != other[j].action
        if i < len(plan) and j < len(other) and costs[i][j] == costs[i + 1][j + 1] + changed:
            new = other[j]._replace(origin=i, edit=EditKind.REPLACE)
            found.append(new if changed else plan[i])
            i, j = i + 1, j + 1
        elif j < len(other) and costs[i][j] == costs[i][j + 1] + 1:
            found.append(other[j]._replace(origin=None, edit=EditKind.INSERT))
            j += 1
        else:
            gone[plan[i].action].append(i)
            i += 1
    return tuple(
        slot._replace(origin=gone[slot.action].pop(0), edit=EditKind.MOVE)
        if slot.edit is EditKind.INSERT and gone[slot.action]
        else slot
        for slot in found
    )


_RECURSIVE = 9
"""How deep a recursive axiom counts."""


@lru_cache(maxsize=4096)
def depth_of(world: World, formula: Formula, above: tuple[str, ...] = ()) -> int:
    """Return how many variables quantifiers bind below each other, axioms included."""
    if isinstance(formula, Atom):
        if formula.predicate in above:
            return _RECURSIVE
        bodies = [a.body for a in world.domain.axioms if a.head.predicate == formula.predicate]
        inside = (*above, formula.predicate)
        return max((depth_of(world, body, inside) for body in bodies), default=0)
    below = max((depth_of(world, each, above) for each in formula.operands), default=0)
    return below + len(formula.variables)


ACTION = 2
"""An action that is tried counts as so many conditions that are looked at."""

_RECURSIVE_ACTION = 6
"""An action in a world with recursive axioms counts as so many others."""


@dataclass(frozen=True, slots=True)
class Target:
    """What has to be reached.

    Args:
        final: Alternatives for the last state: all conditions of one of them have to hold.
        actions: Actions that have to be taken, in order: for each the names that will do.
        formula: A formula that has to hold on the trajectory.
    """

    final: tuple[tuple[Formula, ...], ...] = ((),)
    actions: tuple[tuple[str, ...], ...] = ()
    formula: Formula | None = None


Progress = tuple[int, int]
"""How many action goals were reached, and the state of the formula's automaton."""


@dataclass(frozen=True)
class Execution:
    """What became of a plan, up to where it stops.

    There are the states before the steps that were done, and the last one; how far the goal had
    come in each of them; and what each step changed, None if it was passed over. The target is
    reached if the plan comes to its end, too.

    A step after which the formula can no longer be true fails as well: ``violating`` is the state
    to which it would lead.
    """

    slots: Slots
    states: tuple[State, ...]
    progress: tuple[Progress, ...]
    changes: tuple[list[Change] | None, ...]
    reached: bool
    violating: State | None = None

    @property
    def at(self) -> int:
        """0-based number of the step that fails; the number of steps if none does."""
        return len(self.changes)

    @property
    def left(self) -> int:
        """How many steps are not done."""
        return len(self.slots) - self.at

    @cached_property
    def differing(self) -> frozenset[object]:
        """The atoms in which the last state differs from the first."""
        return self._passed[-1]

    @property
    def passed(self) -> frozenset[frozenset[object]]:
        """The states that were passed, each as the atoms in which it differs from the first."""
        return frozenset(self._passed)

    @cached_property
    def _passed(self) -> list[frozenset[object]]:
        found: set[object] = set()
        passed = [frozenset(found)]
        for changes in self.changes:
            found ^= {each[:2] for each in changed_literals(changes or (), self.states[0].layout)}
            passed.append(frozenset(found))
        return passed


class RepairTask:
    """A plan, its target, and the agent that acts in a world.

    What is asked for, and what is refused, is as in :func:`least_repair`. The meter counts the
    conditions that are looked at; all that is tried may raise its BeyondBudgetError.
    """

    def __init__(
        self,
        world: World,
        start: State,
        plan: Sequence[Action],
        target: Target,
        *,
        agent: str,
        skip: bool,
        meter: Meter,
    ) -> None:
        self.world = world
        self.start = start
        self.universe = universe = start.universe
        self.plan = tuple(plan)
        self.target = target
        self.meter = meter
        self.agent = agent
        self.actor: tuple[int, ...] = (universe.number(agent),) if agent else ()
        """The first arguments of every action."""
        self.skip = skip
        self.slots = self.slots_of(plan)
        demanded = {name for names in target.actions for name in names}
        used = [slot.action.name for slot in self.slots if slot.numbers]
        own = [
            name
            for name in dict.fromkeys([*used, *world.domain.operators])
            if not agent
            or any(
                universe.mask(first.types) >> universe.number(agent) & 1
                for first in world.domain.operators[name].parameters[:1]
            )
        ]
        # Of several operators that do the same, one that the plan uses.
        others = without_doubles(world.domain, [name for name in own if name not in demanded])
        self.operators = demanded.intersection(own).union(others)
        self._names = tuple([name for name in world.domain.operators if name in self.operators])
        self._weights: dict[Literal, int] = {}
        self._hopeless: dict[tuple[str, tuple[int, ...]], bool] = {}
        recursive = any(depth_of(world, Atom(n)) >= _RECURSIVE for n in world.domain.derived)
        self._cost = ACTION * (_RECURSIVE_ACTION if recursive else 1)
        self._final = [[world.test_of(each, universe) for each in opt] for opt in target.final]
        self._automaton: Automaton | None = None
        self._can_be_violated = False
        if target.formula is not None:
            found = self._automaton = automaton(target.formula, objects=universe.of_types)
            self._can_be_violated = any(found.verdict(each) is False for each in found.states)
        self.letters = self._automaton.letters if self._automaton else ()
        self._letters = [
            (each, None if isinstance(each, ActionAtom) else world.test_of(each, universe))
            for each in self.letters
        ]

    def slots_of(self, plan: Sequence[Action]) -> Slots:
        """Return the steps of a plan, all kept."""
        return tuple([Slot(each, self._numbers(each), at, None) for at, each in enumerate(plan)])

    def _numbers(self, action: Action) -> tuple[int, ...] | None:
        try:
            return self.world.numbers(self.start, action.name, action.by(self.agent))
        except InputError:
            return None

    def slot_of(self, name: str, numbers: tuple[int, ...]) -> Slot:
        """Return an action to be put in."""
        names = self.universe.names
        return Slot(Action(name, tuple([names[i] for i in numbers[len(self.actor) :]])), numbers)

    # ------------------------------------------------------------------ steps
    def run(self, slots: Slots, *, after: Execution | None = None, begin: int = 0) -> Execution:
        """Do steps one after the other, until one fails."""
        if after is None:
            states, progress = [self.start.begin()], [(0, 0)]
            changes: list[list[Change] | None] = []
        else:
            states, progress = list(after.states[: begin + 1]), list(after.progress[: begin + 1])
            changes = list(after.changes[:begin])
        violating: State | None = None
        for slot in slots[begin:]:
            done = self._step(states[-1], slot)
            if done is None:
                break
            state, change = done
            now = progress[-1]
            if change is not None:
                now = self.advance(now, states[-1], slot.action)
                if self.is_violated(now, state):
                    violating = state
                    break
            progress.append(now)
            states.append(state)
            changes.append(change)
        reached = len(changes) == len(slots) and self.is_reached(progress[-1], states[-1])
        return Execution(slots, tuple(states), tuple(progress), tuple(changes), reached, violating)

    def _step(self, state: State, slot: Slot) -> tuple[State, list[Change] | None] | None:
        """The state after a step and what changed; None if the plan stops there.

        Where steps are passed over, nothing changes.
        """
        if slot.numbers is None:
            return None
        self.meter.count_instances(1)
        operator = self.world.operator(slot.action.name)
        if operator.first_failure(state, *slot.numbers) < 0:
            self.meter.count_instances(self._cost)
            return self.done(state, slot.action.name, slot.numbers)
        if not self.skip or not operator.always_acts or self.is_hopeless(slot):
            return None
        if self.world.changes(state, slot.action.name, slot.numbers):
            return None
        return state, None

    def is_applicable(self, state: State, name: str, numbers: tuple[int, ...]) -> bool:
        """Whether an action can be done in a state."""
        return self.world.first_failure(state, name, numbers) < 0

    def done(self, state: State, name: str, numbers: tuple[int, ...]) -> tuple[State, list[Change]]:
        """Return the state after an applicable action, and what changed."""
        after = state.copy()
        return after, self.world.apply(after, name, numbers)

    def is_hopeless(self, slot: Slot) -> bool:
        """Whether a step fails whatever happens before it."""
        if slot.numbers is None:
            return True
        key = slot.action.name, slot.numbers
        if key not in self._hopeless:
            self._hopeless[key] = self._is_ruled_out(*key)
        return self._hopeless[key]

    def _is_ruled_out(self, name: str, numbers: Sequence[int | None]) -> bool:
        """Whether what no action changes forbids an action; None stands for any object."""
        tests = self.world.operator(name).test_functions
        padded = [0 if number is None else number for number in numbers]
        return any(
            all(numbers[at] is not None for at in locations)
            and not tests[test](self.start, *padded)
            for test, locations in _fixed_tests(self.world, name)
        )

    # ------------------------------------------------------------------ literals
    def achievers(self, sign: Sign) -> Sequence[Achiever]:
        """Return the effects by which the agent can make atoms of a predicate true or false."""
        return achievers(self.world, sign, self._names)

    def acting(self, effect: Achiever) -> dict[str, int]:
        """Return what binds the first parameter of an effect's operator to the agent."""
        return {v.name: i for v, i in zip(effect.variables, self.actor, strict=False)}

    def weight(self, literal: Literal) -> int:
        """Return how hard it is to find actions that make a literal true; 0 if it can never be.

        What no action brings about may be so from the start, until a step undoes it.
        """
        if literal not in self._weights:
            p, numbers, value = literal
            self._weights[literal] = int(self.start.test(p, numbers) is value) + sum(
                1 + 20 * any(each.name not in env for each in effect.operator.parameters)
                for effect in self.achievers((p, value))
                if (env := effect.binding(numbers, self.universe, self.acting(effect))) is not None
                and not self._is_ruled_out(
                    effect.operator.name, [env.get(v.name) for v in effect.operator.parameters]
                )
            )
        return self._weights[literal]

    # ------------------------------------------------------------------ the target
    def advance(self, progress: Progress, state: State, action: Action | None) -> Progress:
        """Return the progress after a position."""
        reached, place = progress
        actions = self.target.actions
        if action is not None and reached < len(actions) and action.name in actions[reached]:
            reached += 1
        if self._automaton is not None:
            word = self._true_atoms(state)
            for number, (each, test) in enumerate(self._letters):
                if test is None and action is not None and isinstance(each, ActionAtom):
                    word |= ((each.action, each.terms) == (action.name, action.arguments)) << number
            place = self._automaton.step(place, word)
        return reached, place

    def _true_atoms(self, state: State) -> int:
        """The letters of the formula's automaton that are conditions and hold in a state."""
        word = 0
        for number, (_, test) in enumerate(self._letters):
            if test is not None:
                word |= test(state) << number
        return word

    def is_violated(self, progress: Progress, state: State) -> bool:
        """Whether the formula can no longer be true, whatever is done from a state on."""
        if self._automaton is None or not self._can_be_violated:
            return False
        word = self._true_atoms(state)
        # The next action makes at most one of the letters true that are actions.
        acts = [1 << number for number, (_, test) in enumerate(self._letters) if test is None]
        following = (self._automaton.step(progress[1], word | act) for act in (0, *acts))
        return all(self._automaton.verdict(place) is False for place in following)

    def is_reached(self, progress: Progress, state: State) -> bool:
        """Whether the target is reached if the plan ends in a state."""
        if progress[0] < len(self.target.actions):
            return False
        if not any(all(test(state) for test in option) for option in self._final):
            return False
        if self._automaton is None:
            return True
        return self.advance(progress, state, None)[1] in self._automaton.accepting

    def unmet(self, state: State) -> list[list[Formula]]:
        """For each alternative of the target, its conditions that do not hold in a state."""
        return [
            [each for each, test in zip(option, tests, strict=True) if not test(state)]
            for option, tests in zip(self.target.final, self._final, strict=True)
        ]


@lru_cache(maxsize=1024)
def _fixed_tests(world: World, name: str) -> list[tuple[int, list[int]]]:
    """The tests of an operator that no action can change, each with the parameters it needs."""
    compiled = world.operator(name)
    locations = {variable.name: at for at, variable in enumerate(compiled.operator.parameters)}
    return [
        (number, [locations[variable.name] for variable in test.free])
        for number, test in enumerate(compiled.tests)
        if world.domain.is_static(test)
    ]
