"""The repair problem: edits of a plan, the target, and runs of edited plans.

A plan that is being mended is a tuple of :class:`Slot`: its steps, each with the edit that put it
where it is. :func:`edits_of` turns slots into a script of edits, :func:`align` turns two plans into
slots, and :class:`RepairTask` runs slots in the world.

Example:
    >>> from eai.world import Action
    >>> walk, open_, grab = (Action(name, ()) for name in ("walk", "open", "grab"))
    >>> plan = [Slot(walk, (), 0, None), Slot(grab, (), 1, None)]
    >>> aligned = align(tuple(plan), (Slot(walk, ()), Slot(open_, ()), Slot(grab, ())))
    >>> [str(edit.kind) for edit in edits_of(aligned, [walk, grab])]
    ['insert']
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property, lru_cache
from typing import NamedTuple, Optional

from eai.budget import Meter
from eai.errors import InputError
from eai.logic import Atom, Formula
from eai.planning.achievers import Achiever, Sign, achievers, without_doubles
from eai.planning.repair.rules import Instance, Track, actions_named, instances_broken
from eai.world import (
    Action,
    Change,
    Literal,
    State,
    Step,
    Trajectory,
    World,
    changed_literals,
)


class EditKind(str, Enum):
    """Kinds of edits; each edit counts one."""

    INSERT = "insert"
    """An action is inserted: a step was missing."""
    DELETE = "delete"
    """A step is deleted: it was additional."""
    REPLACE = "replace"
    """Another action takes the place of a step: its object or its action was wrong."""
    MOVE = "move"
    """A step is moved to another position: the order was wrong."""

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit.

    Args:
        kind: Kind of the edit.
        step: 1-based number of the step that is taken out, replaced or moved; None for an
            insertion.
        before: 1-based number of the step before which an action is put in or moved; one more
            than there are steps for the end; None otherwise.
        old: The step that is taken out, replaced or moved.
        new: The action that is put in or moved, or that replaces the step.
        necessary: Whether every repair with as few edits takes this step out, and puts this
            action in (at any position); None if that is not known, since not all of them were
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
        """The mistake in the plan that the edit corrects.

        Returns:
            ``"missing_step"``, ``"additional_step"``, ``"wrong_order"``, ``"wrong_object"`` (the
            same action on something else) or ``"wrong_action"``. These words are about edits;
            the kinds of error that the paper defines come from its own rules.
        """
        if self.kind is EditKind.REPLACE:
            assert self.old is not None  # noqa: S101 - a replacement has both
            assert self.new is not None  # noqa: S101
            if self.old.name == self.new.name:
                return "wrong_object"
            return "wrong_action"
        return {
            EditKind.INSERT: "missing_step",
            EditKind.DELETE: "additional_step",
            EditKind.MOVE: "wrong_order",
        }[self.kind]

    @property
    def place(self) -> int:
        """1-based number of the step of the plan at which it begins."""
        return min(number for number in (self.step, self.before) if number is not None)

    @property
    def changes(self) -> tuple[int | Action, ...]:
        """The step (a number) that it removes, and the action that it inserts."""
        changes: list[int | Action] = []
        if self.step is not None:
            changes.append(self.step)
        if self.new is not None:
            changes.append(self.new)
        return tuple(changes)

    def __str__(self) -> str:
        """Return the edit in words, such as ``insert open(fridge) before step 2``."""
        if self.kind is EditKind.INSERT:
            return f"insert {self.new} before step {self.before}"
        if self.kind is EditKind.DELETE:
            return f"delete step {self.step}, {self.old}"
        if self.kind is EditKind.REPLACE:
            return f"replace step {self.step}, {self.old}, by {self.new}"
        return f"move step {self.step}, {self.old}, before step {self.before}"


class Slot(NamedTuple):
    """A step of a plan under repair.

    Args:
        action: The step.
        numbers: Object numbers of the operator's arguments; None if the world does not know it.
        origin: 0-based number of the step of the plan that is here, or was replaced here; None for
            an action that was put in.
        edit: The edit that put the step here; None if it was kept.
    """

    action: Action
    numbers: Optional[tuple[int, ...]]  # noqa: UP045
    origin: Optional[int] = None  # noqa: UP045
    edit: Optional[EditKind] = EditKind.INSERT  # noqa: UP045


Slots = tuple[Slot, ...]


def edits_of(slots: Slots, plan: Sequence[Action]) -> tuple[Edit, ...]:
    """Return the edits that turn a plan into slots, in the order of the plan.

    Args:
        slots: The edited plan.
        plan: The plan as it was.
    """
    edits: list[Edit] = []
    deleted = set(range(len(plan)))
    # Backwards, so that the step after an inserted action is known.
    step_after_insertion = len(plan) + 1
    for slot in reversed(slots):
        if slot.origin is not None:
            deleted.discard(slot.origin)
        if slot.edit is EditKind.INSERT or slot.origin is None:
            edits.append(Edit(EditKind.INSERT, None, step_after_insertion, None, slot.action))
            continue
        step_number = slot.origin + 1
        if slot.edit is EditKind.MOVE:
            edits.append(
                Edit(EditKind.MOVE, step_number, step_after_insertion, slot.action, slot.action)
            )
            continue
        step_after_insertion = step_number
        if slot.edit is EditKind.REPLACE:
            edits.append(Edit(EditKind.REPLACE, step_number, None, plan[slot.origin], slot.action))
    edits += [Edit(EditKind.DELETE, index + 1, None, plan[index]) for index in deleted]
    # Sorting is stable: reversed first, so that insertions before one step keep their order.
    edits.reverse()
    return tuple(sorted(edits, key=lambda edit: (edit.place, edit.step is not None)))


def align(plan: Slots, other: Slots) -> Slots:
    """Return the slots that turn a plan into another one with the fewest edits.

    The number of insertions, deletions and replacements is minimal (Levenshtein 1966). A deletion
    and an insertion of the same step are then counted as one move. Time and memory are the product
    of the two lengths.

    Args:
        plan: The plan.
        other: The plan that it becomes.
    """
    # Follow the table from the start of both plans (position i in one and j in the other). Each
    # edit must lower the remaining distance by 1, and a pair of equal steps must not change it.
    distances = _suffix_distances(plan, other)
    slots: list[Slot] = []
    deleted_positions: defaultdict[Action, list[int]] = defaultdict(list)
    plan_index = other_index = 0
    while plan_index < len(plan) or other_index < len(other):
        has_both = plan_index < len(plan) and other_index < len(other)
        is_different = has_both and plan[plan_index].action != other[other_index].action
        # A pair of equal steps, or a replacement, is preferred to an insertion and a deletion.
        if (
            has_both
            and distances[plan_index][other_index]
            == distances[plan_index + 1][other_index + 1] + is_different
        ):
            slot = plan[plan_index]
            if is_different:
                slot = other[other_index]._replace(origin=plan_index, edit=EditKind.REPLACE)
            slots.append(slot)
            plan_index += 1
            other_index += 1
        elif (
            other_index < len(other)
            and distances[plan_index][other_index] == distances[plan_index][other_index + 1] + 1
        ):
            slots.append(other[other_index]._replace(origin=None, edit=EditKind.INSERT))
            other_index += 1
        else:
            deleted_positions[plan[plan_index].action].append(plan_index)
            plan_index += 1
    return tuple(_with_moves(slots, deleted_positions))


def _with_moves(
    slots: Iterable[Slot], deleted_positions: defaultdict[Action, list[int]]
) -> Iterator[Slot]:
    """Yield slots; an inserted step that was deleted elsewhere becomes a move.

    Args:
        slots: The slots.
        deleted_positions: For each step where it was deleted. Positions of moves are taken out.
    """
    for slot in slots:
        if slot.edit is EditKind.INSERT and deleted_positions[slot.action]:
            origin = deleted_positions[slot.action].pop(0)
            yield slot._replace(origin=origin, edit=EditKind.MOVE)
        else:
            yield slot


def _suffix_distances(plan: Slots, other: Slots) -> list[list[int]]:
    """Return the edit distances of all pairs of suffixes of two plans.

    ``rows[i][j]`` is the distance of ``plan[i:]`` and ``other[j:]``. Each row depends only on the
    one below it, so they are filled from the last position to the first.
    """
    # At the end of the plan, all remaining steps of the other plan have to be inserted.
    rows = [[len(other) - j for j in range(len(other) + 1)]]
    for slot in reversed(plan):
        row_below = rows[-1]
        row = [0] * len(other) + [row_below[-1] + 1]
        for j in reversed(range(len(other))):
            is_different = slot.action != other[j].action
            row[j] = min(row_below[j] + 1, row[j + 1] + 1, row_below[j + 1] + is_different)
        rows.append(row)
    rows.reverse()
    return rows


_RECURSIVE_DEPTH = 9
"""The depth that counts for a recursive axiom."""


@lru_cache(maxsize=4096)
def depth_of(world: World, formula: Formula, visited: tuple[str, ...] = ()) -> int:
    """Return the nesting depth of quantified variables, including axioms.

    Args:
        world: The world.
        formula: A condition.
        visited: Derived predicates that are being expanded.
    """
    # An atom is as deep as the deepest rule of its predicate. The depth of a recursive rule is
    # unbounded, so a constant stands for it.
    if isinstance(formula, Atom):
        if formula.predicate in visited:
            return _RECURSIVE_DEPTH
        inside = (*visited, formula.predicate)
        depths = [0]
        for axiom in world.domain.axioms:
            if axiom.head.predicate == formula.predicate:
                depths.append(depth_of(world, axiom.body, inside))
        return max(depths)
    operand_depth = max(
        (depth_of(world, operand, visited) for operand in formula.operands), default=0
    )
    return operand_depth + len(formula.variables)


ACTION = 2
"""Number of conditions as which an action that is tried counts."""

_FREE_TESTS = 100_000
"""Number of tests of whether an action can be done that are too cheap to count."""

_TESTS_PER_CONDITION = 16
"""Number of further tests that count as one condition."""

_READS_PER_CONDITION = 1_000
"""Number of atoms that a test may read for the cost of one condition more."""

_OPEN_ARGUMENT_WEIGHT = 20
"""Additional weight of an effect with an argument that its literal leaves open, which may be any of
hundreds of objects."""

_RECURSIVE_ACTION = 6
"""Number of actions as which one counts in a world with recursive axioms."""


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a repair.

    Args:
        final: Alternatives for the last state: all conditions of one of them have to hold.
        actions: Actions that have to be taken, in order: for each the names that will do.
        formula: A formula that has to hold on the trajectory.
        rules: Rules that the trajectory has to keep, beside it.
    """

    final: tuple[tuple[Formula, ...], ...] = ((),)
    actions: tuple[tuple[str, ...], ...] = ()
    formula: Formula | None = None
    rules: tuple[Formula, ...] = ()


Progress = tuple[int, tuple[int, ...]]
"""Number of action goals reached so far, and the state of the automaton of each formula that is
followed."""


@dataclass(frozen=True)
class PlanRun:
    """The run of an edited plan, up to where it stops.

    A step after which the formula can no longer be true fails as well.

    Args:
        slots: The edited plan.
        states: The states before the steps that were done, and the last one.
        progress: The progress towards the target in each of these states.
        changes: The changes made by each step; None if it was skipped.
        reached: Whether the plan comes to its end and the target is reached.
        violating: The state after a step that would violate the formula; None if none would.
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
    def steps_left(self) -> int:
        """Number of steps that are not done."""
        return len(self.slots) - self.at

    @cached_property
    def differing(self) -> frozenset[object]:
        """The atoms in which the last state differs from the first."""
        return self._differences_passed[-1]

    @property
    def passed(self) -> frozenset[frozenset[object]]:
        """The states that were passed, each as the atoms in which it differs from the first."""
        return frozenset(self._differences_passed)

    @cached_property
    def _differences_passed(self) -> list[frozenset[object]]:
        """The atoms in which each state differs from the first, in order.

        Plans with equal differences pass through equal states, so one of them suffices.
        """
        layout = self.states[0].layout
        differing: set[object] = set()
        differences_of_states = [frozenset(differing)]
        for changes in self.changes:
            for predicate, arguments, _ in changed_literals(changes or (), layout):
                differing ^= {(predicate, arguments)}  # an atom that changes twice is as it was
            differences_of_states.append(frozenset(differing))
        return differences_of_states


class RepairTask:
    """A plan, its target, and the agent that acts in a world.

    See :func:`~eai.planning.repair.least.least_repair` for what can be repaired and what is
    refused.

    Args:
        world: The world.
        start: The initial state.
        plan: The plan.
        target: The target.
        agent: The object that acts; empty if nobody does.
        skip: Whether steps whose effects hold already are skipped.
        meter: Counts the conditions that are examined; whatever is tried may raise its
            BeyondBudgetError.
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
        """Prepare the tests of the target, and the automata of its formulas."""
        self.world = world
        self.start = start
        self.universe = universe = start.universe
        self.plan = tuple(plan)
        self.target = target
        self.meter = meter
        self.agent = agent
        self.actor: tuple[int, ...] = ()
        """The first arguments of every action."""
        if agent:
            self.actor = (universe.number(agent),)
        self.skip = skip
        self.slots = self.slots_of(plan)
        self.operators = self._usable_operators()
        self._names = tuple([name for name in world.domain.operators if name in self.operators])
        # Results of `weight` and `is_hopeless`.
        self._weights: dict[Literal, int] = {}
        self._hopeless: dict[tuple[str, tuple[int, ...]], bool] = {}
        # Trying an action costs more where recursive rules have to be evaluated.
        self._cost = ACTION
        if any(depth_of(world, Atom(name)) >= _RECURSIVE_DEPTH for name in world.domain.derived):
            self._cost *= _RECURSIVE_ACTION
        self._number_of_tests = 0
        """Number of tests of whether an action is applicable."""
        self._test_costs: dict[str, int] = {}
        """By operator: the cost of testing whether it is applicable, because of quantifiers."""
        self._final = []
        for conditions in target.final:
            tests = [world.test_of(condition, universe) for condition in conditions]
            self._final.append(tests)
        # The formulas that are followed along plans, each by its automaton.
        self._tracks: dict[Instance, Track] = {}
        if target.formula is not None:
            self.follow([Instance(target.formula)])
        self.missed: dict[Instance, None] = {}
        """Instances of rules that are not followed, and that a plan broke which reaches the target
        otherwise (an ordered set)."""
        if target.rules:
            self.follow(self._broken_rules(self.run(self.slots)))

    def follow(self, instances: Iterable[Instance]) -> None:
        """Track some formulas in all later runs.

        Raises:
            InputError: If an automaton is too large.
        """
        for instance in instances:
            if instance not in self._tracks:
                self._tracks[instance] = Track(instance, self.world, self.universe)

    @property
    def is_path(self) -> bool:
        """Whether the target is about the way: it has a formula, or rules that plans break."""
        return bool(self._tracks)

    @property
    def first_progress(self) -> Progress:
        """The progress before the first step."""
        return 0, (0,) * len(self._tracks)

    @property
    def letters(self) -> Sequence[Formula]:
        """The atoms and actions in the tracked formulas."""
        letters: dict[Formula, None] = {}
        for track in self._tracks.values():
            letters.update(dict.fromkeys(track.letters))
        return tuple(letters)

    def _broken_rules(self, run: PlanRun) -> list[Instance]:
        """Return the instances of rules that the steps of a run break."""
        steps = []
        for position, (slot, changes) in enumerate(
            zip(run.slots, run.changes, strict=False), start=1
        ):
            if changes is not None:  # a step that is passed over takes no time
                steps.append(Step(slot.action, position, changes))
        trajectory = Trajectory(self.world, self.start, steps, run.states[-1])
        return instances_broken(self.target.rules, trajectory)

    def _usable_operators(self) -> set[str]:
        """Return the agent's operators, without equivalent ones.

        Operators that the target demands are always kept. Of several equivalent operators, one that
        the plan uses is preferred.
        """
        operators = self.world.domain.operators
        demanded_names: set[str] = set()
        for names in self.target.actions:
            demanded_names.update(names)
        # A formula may demand or forbid one of two actions that do the same.
        formulas = [*self.target.rules]
        if self.target.formula is not None:
            formulas.append(self.target.formula)
        demanded_names |= actions_named(formulas).intersection(operators)
        names_in_plan = [slot.action.name for slot in self.slots if slot.numbers]
        usable: set[str] = set()
        optional_names: list[str] = []
        for name in dict.fromkeys([*names_in_plan, *operators]):
            if not self._can_act(name):
                continue
            if name in demanded_names:
                usable.add(name)
            else:
                optional_names.append(name)
        return usable.union(without_doubles(self.world.domain, optional_names))

    def _can_act(self, name: str) -> bool:
        """Return whether the agent can be the first argument of an operator."""
        if not self.agent:
            return True
        parameters = self.world.domain.operators[name].parameters
        if not parameters:
            return False
        return bool(self.universe.mask(parameters[0].types) >> self.actor[0] & 1)

    def slots_of(self, plan: Sequence[Action]) -> Slots:
        """Return the steps of a plan, all kept."""
        slots = []
        for origin, step in enumerate(plan):
            slots.append(Slot(step, self._numbers_of_arguments(step), origin, edit=None))
        return tuple(slots)

    def _numbers_of_arguments(self, action: Action) -> tuple[int, ...] | None:
        """Return the object numbers of an action, or None if the world lacks one."""
        try:
            return self.world.numbers(self.start, action.name, action.by(self.agent))
        except InputError:
            return None

    def slot_of(self, name: str, numbers: tuple[int, ...]) -> Slot:
        """Return an action as a slot that can be inserted."""
        names = self.universe.names
        arguments = tuple([names[number] for number in numbers[len(self.actor) :]])
        return Slot(Action(name, arguments), numbers)

    # ------------------------------------------------------------------ steps
    def run(self, slots: Slots, *, after: PlanRun | None = None, begin: int = 0) -> PlanRun:
        """Run an edited plan until a step fails.

        Args:
            slots: The edited plan.
            after: The run of a plan with the same first steps, which are not run again.
            begin: Number of these steps.
        """
        run = self._run_steps(slots, after, begin)
        if not run.reached or not self.target.rules:
            return run
        # Only the few plans that reach everything else are checked against the rules. Broken
        # instances are stored, so that later runs can track them.
        broken = self._broken_rules(run)
        if not broken:
            return run
        self.missed.update(dict.fromkeys(broken))
        return replace(run, reached=False)

    def _run_steps(self, slots: Slots, earlier_run: PlanRun | None, first_position: int) -> PlanRun:
        """Run an edited plan until a step fails; rules are not tested.

        Args:
            slots: The edited plan.
            earlier_run: A run of a plan with the same first steps, which are not run again; None if
                all steps are run.
            first_position: Number of these first steps.
        """
        # Invariant: states and progress have one entry more than changes, for the last state.
        states: list[State]
        progress: list[Progress]
        changes: list[list[Change] | None]
        if earlier_run is None:
            states = [self.start.begin()]
            progress = [self.first_progress]
            changes = []
        else:
            states = list(earlier_run.states[: first_position + 1])
            progress = list(earlier_run.progress[: first_position + 1])
            changes = list(earlier_run.changes[:first_position])
        violating: State | None = None
        for slot in slots[first_position:]:
            outcome = self.step(states[-1], slot)
            # The step fails, and so does the plan: what follows is not run.
            if outcome is None:
                break
            state, change = outcome
            next_progress = progress[-1]
            if change is not None:  # a skipped step takes no time
                next_progress = self.advance(next_progress, states[-1], slot.action)
                if self.is_violated(next_progress, state):
                    violating = state
                    break
            progress.append(next_progress)
            states.append(state)
            changes.append(change)
        is_complete = len(changes) == len(slots)
        reached = is_complete and self.is_reached(progress[-1], states[-1])
        return PlanRun(slots, tuple(states), tuple(progress), tuple(changes), reached, violating)

    def step(self, state: State, slot: Slot) -> tuple[State, list[Change] | None] | None:
        """Return the state after a step and its changes, or None if the plan stops.

        A step that is skipped leaves the state as it is and has no changes.
        """
        if slot.numbers is None:
            return None
        self.meter.count_instances(1)
        operator = self.world.operator(slot.action.name)
        if operator.first_failure(state, *slot.numbers) < 0:
            self.meter.count_instances(self._cost)
            return self.state_after(state, slot.action.name, slot.numbers)
        # A step may be skipped only if all that it would do holds already.
        if not self.skip or not operator.always_acts or self.is_hopeless(slot):
            return None
        if self.world.changes(state, slot.action.name, slot.numbers):
            return None
        return state, None

    def is_applicable(self, state: State, name: str, numbers: tuple[int, ...]) -> bool:
        """Return whether an action is applicable in a state, and count the test.

        Most tests cost nothing. But an action with several parameters may need millions of them,
        and a test with nested quantifiers may take long.
        """
        self._number_of_tests += 1
        test_cost = self._test_cost(name)
        tests = self._number_of_tests
        if tests > _FREE_TESTS and tests % _TESTS_PER_CONDITION == 0:
            test_cost += 1
        if test_cost:
            self.meter.count_instances(test_cost)
        return self.world.first_failure(state, name, numbers) < 0

    def _test_cost(self, name: str) -> int:
        """Return the cost of testing an operator: 0 without large quantifiers."""
        test_cost = self._test_costs.get(name)
        if test_cost is None:
            reads = 0
            for test in self.world.operator(name).tests:
                reads += self.world.instances(test, self.universe)
            test_cost = reads // _READS_PER_CONDITION
            self._test_costs[name] = test_cost
        return test_cost

    def state_after(
        self, state: State, name: str, numbers: tuple[int, ...]
    ) -> tuple[State, list[Change]]:
        """Return the state after an applicable action, and its changes."""
        after = state.copy()
        changes = self.world.apply(after, name, numbers)
        return after, changes

    def is_hopeless(self, slot: Slot) -> bool:
        """Return whether a step fails in every state."""
        if slot.numbers is None:
            return True
        key = slot.action.name, slot.numbers
        if key not in self._hopeless:
            self._hopeless[key] = self._is_ruled_out(*key)
        return self._hopeless[key]

    def _is_ruled_out(self, name: str, arguments: Sequence[int | None]) -> bool:
        """Return whether static facts rule out an action.

        Args:
            name: Name of the action.
            arguments: Numbers of its arguments; None for an argument that may be any object.
        """
        tests = self.world.operator(name).test_functions
        # A test reads only its own arguments, so any number can replace the open ones.
        padded_arguments = [
            0 if object_number is None else object_number for object_number in arguments
        ]
        for test, positions in _static_tests(self.world, name):
            is_bound = all(arguments[position] is not None for position in positions)
            if is_bound and not tests[test](self.start, *padded_arguments):
                return True
        return False

    # ------------------------------------------------------------------ literals
    def achievers(self, sign: Sign) -> Sequence[Achiever]:
        """Return the effects by which the agent can make atoms of a predicate true or false."""
        return achievers(self.world, sign, self._names)

    def acting(self, effect: Achiever) -> dict[str, int]:
        """Return the binding of the first parameter of an effect's operator to the agent."""
        return {v.name: number for v, number in zip(effect.variables, self.actor, strict=False)}

    def weight(self, literal: Literal) -> int:
        """Return how hard it is to make a literal true, or 0 if it is impossible.

        Even a literal that no action achieves may be true at the start until a step destroys it.
        """
        weight = self._weights.get(literal)
        if weight is None:
            weight = self._weights[literal] = self._compute_weight(literal)
        return weight

    def _compute_weight(self, literal: Literal) -> int:
        """Return the number of possible causes of a literal.

        The initial state counts 1 if the literal holds in it. Each effect counts 1, or more if it
        has free arguments and so represents many actions.
        """
        predicate, arguments, value = literal
        weight = int(self.start.test(predicate, arguments) is value)
        for effect in self.achievers((predicate, value)):
            env = effect.binding(arguments, self.universe, self.acting(effect))
            if env is None:
                continue
            operator_arguments = [env.get(v.name) for v in effect.operator.parameters]
            if self._is_ruled_out(effect.operator.name, operator_arguments):
                continue
            weight += 1
            # An open argument stands for many actions.
            if None in operator_arguments:
                weight += _OPEN_ARGUMENT_WEIGHT
        return weight

    # ------------------------------------------------------------------ the target
    def advance(self, progress: Progress, state: State, action: Action | None) -> Progress:
        """Return the progress after a position.

        Progress is how many of the demanded actions were done, in order, and the state of the
        automaton of each formula that is followed.

        Args:
            progress: The progress before.
            state: The state at the position.
            action: The action taken from it; None at the end.
        """
        reached, automaton_states = progress
        demanded = self.target.actions
        if action is not None and reached < len(demanded) and action.name in demanded[reached]:
            reached += 1
        following = []
        for track, automaton_state in zip(self._tracks.values(), automaton_states, strict=True):
            following.append(track.step(automaton_state, state, action))
        return reached, tuple(following)

    def is_violated(self, progress: Progress, state: State) -> bool:
        """Return whether a formula can no longer be true, whatever is done from a state on."""
        pairs = zip(self._tracks.values(), progress[1], strict=True)
        return any(track.is_violated(number, state) for track, number in pairs)

    def is_reached(self, progress: Progress, state: State) -> bool:
        """Return whether the target is reached if the plan ends in a state."""
        if progress[0] < len(self.target.actions):
            return False
        if not any(all(test(state) for test in tests) for tests in self._final):
            return False
        pairs = zip(self._tracks.values(), progress[1], strict=True)
        return all(track.holds_at_end(automaton_state, state) for track, automaton_state in pairs)

    def unmet(self, state: State) -> list[list[Formula]]:
        """Return the unmet conditions in a state, for each alternative of the target."""
        alternatives = []
        for conditions, tests in zip(self.target.final, self._final, strict=True):
            pairs = zip(conditions, tests, strict=True)
            alternatives.append([condition for condition, test in pairs if not test(state)])
        return alternatives


@lru_cache(maxsize=1024)
def _static_tests(world: World, name: str) -> list[tuple[int, list[int]]]:
    """Return the static tests of an operator, each with the arguments that it reads.

    Returns:
        Number of the test in the operator, and indices of its arguments.
    """
    compiled = world.operator(name)
    position_of = {
        variable.name: position for position, variable in enumerate(compiled.operator.parameters)
    }
    tests = []
    for test_index, test in enumerate(compiled.tests):
        if world.domain.is_static(test):
            tests.append((test_index, [position_of[variable.name] for variable in test.free]))
    return tests
