"""Environments that are acted in step by step, and any task of a symbolic world as one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from eai.diagnosis import ErrorKind, Finding, Run
from eai.errors import InputError, UnknownNameError
from eai.logic import Atom, parse_formula
from eai.simulators.base import Execution, Simulator
from eai.task import Task
from eai.world import Action, State, Trajectory
from eai.world.bits import bits


@dataclass(frozen=True, slots=True)
class SeenObject:
    """One object as it is seen.

    Args:
        properties: What is seen of its state, by name: ``{"dirty": True, "liquid": "coffee"}``.
            What is not seen is not there.
        inside: Name of the object that it is in or on; empty if nothing says so.
        relation: Which of the two it is, ``"in"`` or ``"on"``; empty if nothing says so.
    """

    name: str
    type: str
    properties: Mapping[str, object] = field(default_factory=dict)
    inside: str = ""
    relation: str = ""


@dataclass(frozen=True, slots=True)
class Observation:
    """The observation of an agent at one moment.

    Args:
        objects: The objects that are seen, in a fixed order.
        held: Names of the objects that the agent holds.
        focus: Name of the object that the agent looks at; empty if there is none.
        image: What the camera sees, as a PNG; empty if there is no camera.
        hands: Whether the agent could hold anything.
    """

    objects: tuple[SeenObject, ...] = ()
    held: tuple[str, ...] = ()
    focus: str = ""
    image: bytes = field(default=b"", repr=False)
    hands: bool = True


@dataclass(frozen=True, slots=True)
class StepResult:
    """The result of one action.

    Args:
        code: Why it was not done, as a code of the environment (``"HAND_FULL"``); empty if it was.
        message: The same as a sentence.
        resolved: What the environment did: the action with the objects that it chose where the
            agent named a type. For the evaluator, not for the agent. None if nothing was tried.
        kind: The kind of error that it is, where the code does not say it.
        errors: Codes of all failures that count, if one action counts as several.
    """

    success: bool
    observation: Observation
    code: str = ""
    message: str = ""
    resolved: Action | None = None
    kind: ErrorKind | None = None
    errors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The capabilities of an environment.

    Args:
        physics: Whether objects fall, collide and fit by their shape.
        hidden_state: Whether the agent sees a part of the state only.
    """

    physics: bool = False
    images: bool = False
    hidden_state: bool = False


class Environment(Protocol):
    """A world that is acted in step by step, set up for one task."""

    @property
    def capabilities(self) -> Capabilities:
        """Capabilities of the environment."""
        ...

    @property
    def actions(self) -> Mapping[str, int]:
        """The actions that an agent may take, each with its number of arguments."""
        ...

    def reset(self) -> Observation:
        """Go back to the start of the task."""
        ...

    def step(self, action: Action) -> StepResult:
        """Take one action. A name that is not known is a failed step, never an exception."""
        ...

    def state(self) -> State:
        """The whole state; for the evaluator, never shown to the agent."""
        ...


@dataclass(frozen=True, slots=True)
class Shown:
    """A property of an object as it is shown.

    It is true if one predicate holds. It is false if another one does, or if it could be true
    and is not. Where neither is said, it is not shown at all.

    Args:
        yes: The predicate that makes it true (``"open"``).
        no: A predicate that makes it false (``"closed"``); empty if there is none.
        having: A predicate of the objects that have the property (``"openable"``); empty if
            there is none.
    """

    yes: str
    no: str = ""
    having: str = ""

    def masks(self, state: State) -> tuple[int, int]:
        """The objects of which it is true, and those of which it is false if it is not true."""
        unary, index = state.unary, state.layout.index
        false = unary[index[self.no]] if self.no else 0
        return unary[index[self.yes]], false | (unary[index[self.having]] if self.having else 0)


@dataclass(frozen=True, slots=True)
class ObservationModel:
    """The observable part of the states of a domain.

    No predicate may be a derived one.

    Args:
        locations: Predicate to the word for it, ``"in"`` or ``"on"``: which other object an object
            is in or on. If there are several such objects, the first predicate counts, and
            rooms come last.
        room: The type of rooms; empty if there are none.
        held: Predicates between the agent and what it holds, or of what its only agent holds.
        agent: Predicates between the agent and an object, to the name of the property that they
            are shown as (``{"next_to": "near"}``).
        relations: Predicates between objects, to the name of the property that lists the others
            (``{"under": "under"}``).
    """

    properties: Mapping[str, Shown]
    locations: Mapping[str, str] = field(default_factory=dict)
    room: str = ""
    held: tuple[str, ...] = ()
    agent: Mapping[str, str] = field(default_factory=dict)
    relations: Mapping[str, str] = field(default_factory=dict)

    def observe(
        self,
        state: State,
        agent: str,
        *,
        names: frozenset[str],
        focus: str = "",
        there: Callable[[str], bool] = lambda _: True,
    ) -> Observation:
        """Observe everything that can be observed (``names``) and is there at all (``there``)."""
        universe = state.universe
        shown = [(name, *each.masks(state)) for name, each in self.properties.items()]
        own, index = universe.number(agent), state.layout.index
        near = [(name, state.rows[index[p]][own], 0) for p, name in self.agent.items()]
        seen = tuple(
            self._seen(state, number, names, (*shown, *near))
            for number, name in enumerate(universe.names)
            if name in names and there(name)
        )
        return Observation(seen, self.holding(state, agent), focus)

    def around(self, state: State, names: frozenset[str]) -> frozenset[str]:
        """Add to some objects what they are in or on, and the rooms."""
        universe = state.universe
        pending = [*names, *(universe.of_types((self.room,)) if self.room else ())]
        found = set[str]()
        while pending:
            name = pending.pop()
            if name not in found:
                found.add(name)
                pending += (each for p in self.locations for each in state.related(p, name))
        return frozenset(found)

    def holding(self, state: State, agent: str) -> tuple[str, ...]:
        """Names of what the agent holds."""
        layout, number = state.layout, state.universe.number(agent)
        held = [layout.index[predicate] for predicate in self.held]
        masks = (state.rows[p][number] if layout.arity[p] == 2 else state.unary[p] for p in held)
        return tuple(state.universe.names[i] for mask in masks for i in bits(mask))

    def _seen(
        self,
        state: State,
        number: int,
        names: frozenset[str],
        masks: Sequence[tuple[str, int, int]],
    ) -> SeenObject:
        universe, bit = state.universe, 1 << number
        seen: dict[str, object] = {
            name: bool(true & bit) for name, true, false in masks if (true | false) & bit
        }
        name = universe.names[number]
        for predicate, called in self.relations.items():
            listed = tuple(each for each in state.related(predicate, name) if each in names)
            if listed:
                seen[called] = listed
        return SeenObject(name, universe.types[number], seen, *self._place(state, number, names))

    def _place(self, state: State, number: int, names: frozenset[str]) -> tuple[str, str]:
        """The object that an object is in or on, and which of the two."""
        universe, index = state.universe, state.layout.index
        rooms = universe.type_masks[self.room] if self.room else 0
        for wanted in (~rooms, rooms):
            for predicate, word in self.locations.items():
                for i in bits(state.rows[index[predicate]][number] & wanted):
                    if universe.names[i] in names:
                        return universe.names[i], word
        return "", ""


class SymbolicEnvironment:
    """A task that is acted in step by step, by the rules by which plans are evaluated.

    What becomes of a step is what would become of it in a plan; only, a step that fails does
    not end anything. The code of a failed step is the kind of error that the rules say it is
    (``"missing_step"``); an action whose effects hold already is one too
    (``"additional_step"``), unless the rules carry it out. Everything is observed: wrap it in
    :class:`~eai.acting.views.Viewed` to hide something.

    Args:
        present: A predicate of the objects that are there at all; empty if all are.

    Attributes:
        observing: Whether results hold what is observed; without it, steps take less time.
    """

    observing = True

    def __init__(
        self, task: Task, simulator: Simulator, *, observed: ObservationModel, present: str = ""
    ) -> None:
        self.task = task
        self.simulator = simulator
        self.observed = observed
        self._present = present
        self._names = observed.around(task.start, task.vocabulary.objects)
        self._demanded = frozenset(name for goal in task.goal.actions for name in goal.names)
        self._grounded: dict[str, list[tuple[int, ...]]] = {}
        self._chosen: dict[
            tuple[str, bool], tuple[list[tuple[int, ...]], Mapping[int, list[Callable[..., bool]]]]
        ] = {}
        self._begin()

    def _begin(self) -> None:
        task = self.task
        self._run = Run(self.simulator.world, task.start, task.agent, demanded=self._demanded)
        self._executed: list[str] = []
        self._findings: list[Finding] = []
        self._asked: tuple[int, Trajectory | None] = 0, None
        self._focus = ""
        self._changed()

    def _changed(self) -> None:
        """Forget what was worked out for the state: a step that is not done changes nothing."""
        self._observed: Observation | None = None
        self._applicable: list[int] | None = None

    @property
    def capabilities(self) -> Capabilities:
        """Everything is symbolic, and nothing is hidden."""
        return Capabilities()

    @property
    def actions(self) -> Mapping[str, int]:
        """The actions of the task's vocabulary."""
        return self.task.vocabulary.actions

    def reset(self) -> Observation:
        """Go back to the task's initial state."""
        self._begin()
        return self.observation

    def step(self, action: Action) -> StepResult:
        """Take one action; names that are not known make it fail."""
        number = len(self._executed) + 1
        try:
            outcome, finding = self.simulator.rules.take(self._run, action, number)
        except InputError as error:
            outcome, finding = "failed", _refusal(error, action, number)
        self._executed.append(outcome)
        if finding is not None:
            self._findings.append(finding)
        if outcome == "done":
            self._changed()
            # The agent looks at what it acted on last, unless it carries that.
            held = self.observed.holding(self._run.state, self.task.agent)
            free = (name for name in reversed(action.arguments) if name not in held)
            self._focus = next(free, self._focus)
            return StepResult(True, self.observation, resolved=action)
        if finding is None:
            return StepResult(False, self.observation, outcome, "", action)
        message = self._sentence(finding, action)
        return StepResult(False, self.observation, finding.kind.value, message, action)

    def _sentence(self, finding: Finding, _action: Action) -> str:
        """Say why an action was not done; it takes as long as there are steps before."""
        return finding.message

    def state(self) -> State:
        """The whole state, as a copy."""
        return self._run.state.copy()

    @cached_property
    def ground_actions(self) -> tuple[Action, ...]:
        """The actions with objects that meet all conditions that no action changes, in order."""
        return tuple(
            self._action(name, numbers)
            for name in sorted(self.actions)
            for numbers in self._static(name)
        )

    def _static(self, name: str) -> list[tuple[int, ...]]:
        if name not in self._grounded:
            self._grounded[name] = list(self._instances(name, self.task.start, changing=False))
        return self._grounded[name]

    def applicable(self) -> list[int]:
        """Return the places of those ground actions whose precondition holds now."""
        if self._applicable is None:
            self._applicable = [
                self._numbering[self._action(name, numbers)]
                for name in sorted(self.actions)
                for numbers in self._instances(name, self._run.state, changing=True)
            ]
        return self._applicable

    @cached_property
    def _numbering(self) -> Mapping[Action, int]:
        return {action: number for number, action in enumerate(self.ground_actions)}

    def _action(self, name: str, numbers: tuple[int, ...]) -> Action:
        names = self.task.start.universe.names
        return Action(name, tuple(names[n] for n in numbers[bool(self.task.agent) :]))

    def _instances(self, name: str, state: State, *, changing: bool) -> Iterator[tuple[int, ...]]:
        """Object numbers with which an operator meets its conditions in a state.

        Conditions that actions change count only with ``changing``.
        """
        ranges, tests = self._choices(name, changing)
        # A condition is tested as soon as its last parameter has a value: most fall early.
        pending: list[tuple[int, ...]] = [()]
        for at, numbers in enumerate(ranges):
            filler, here = len(ranges) - at - 1, tests.get(at, ())
            pending = [
                (*before, number)
                for before in pending
                for number in numbers
                if all(test(state, *before, number, *(number,) * filler) for test in here)
            ]
        yield from pending

    def _choices(
        self, name: str, changing: bool
    ) -> tuple[list[tuple[int, ...]], Mapping[int, list[Callable[..., bool]]]]:
        """For each parameter its objects by number, and the tests that end with it."""
        key = name, changing
        if key not in self._chosen:
            world, universe = self.simulator.world, self.task.start.universe
            operator = world.operator(name)
            parameters = [parameter.name for parameter in operator.operator.parameters]
            tests: dict[int, list[Callable[..., bool]]] = {}
            for test, function in zip(operator.tests, operator.test_functions, strict=True):
                if changing or world.domain.is_static(test):
                    last = max((parameters.index(v.name) for v in test.free), default=0)
                    tests.setdefault(last, []).append(function)
            known = self.task.vocabulary.objects
            ranges = [
                tuple(universe.number(n) for n in universe.of_types(each.types) if n in known)
                for each in operator.operator.parameters
            ]
            if self.task.agent:
                ranges[0] = (universe.number(self.task.agent),)
            if changing:
                # Only objects that occur where nothing changes can ever do.
                can = [set(column) for column in zip(*self._static(name), strict=True)]
                ranges = [tuple(sorted(column)) for column in can or [set[int]()] * len(ranges)]
            self._chosen[key] = ranges, tests
        return self._chosen[key]

    @property
    def observation(self) -> Observation:
        """Everything that can be observed now: the objects of the task, and where they are."""
        if not self.observing:
            return Observation()
        if self._observed is None:
            state, world = self._run.state, self.simulator.world

            def there(name: str) -> bool:
                return not self._present or world.holds(state, Atom(self._present, (name,)))

            self._observed = self.observed.observe(
                state, self.task.agent, names=self._names, focus=self._focus, there=there
            )
        return self._observed

    @property
    def execution(self) -> Execution:
        """The steps so far, as an execution of a plan."""
        # Whoever asks after every action need not find out again what was true before.
        run, (count, last) = self._run, self._asked
        if last is None or count != len(run.steps):
            before = last if count == len(run.steps) - 1 else None
            last = Trajectory(run.world, run.start, run.steps, run.state, before)
            self._asked = len(run.steps), last
        return Execution(last, tuple(self._executed), tuple(self._findings))


class OwnWorld(Protocol):
    """A world that is simulated anywhere: nothing but these three is asked of it."""

    def reset(self) -> object:
        """Go back to the start."""
        ...

    @property
    def step(self) -> Callable[..., object]:
        """Takes an action, by its name and its objects.

        A text that comes back says why it cannot be done; False does so without a reason.
        """
        ...

    def state(self) -> Iterable[str | Atom]:
        """Return what is true now: ``["on(lamp.1)", "at(robot.1, kitchen.1)"]``."""
        ...


_METHODS = ("reset", "step", "state")
"""Methods that a world must have."""


class OwnEnvironment:
    """A world of your own as an environment: it need not be symbolic, but says what is true.

    Args:
        world: The world.
        task: The task, whose start declares the objects and predicates.

    Raises:
        InputError: If the world lacks a method.
    """

    capabilities = Capabilities()

    def __init__(self, world: OwnWorld, task: Task) -> None:
        missing = [name for name in _METHODS if not callable(getattr(world, name, None))]
        if missing:
            raise InputError(
                f"the simulator has no method {', '.join(missing)}",
                where=type(world).__qualname__,
                expected=f"an object with the methods {', '.join(_METHODS)}",
                mend='state() returns what is true now, as ["on(lamp.1)"]'
                if "state" in missing
                else None,
            )
        self.world = world
        self.task = task

    @property
    def actions(self) -> Mapping[str, int]:
        """The actions of the task's vocabulary."""
        return self.task.vocabulary.actions

    def reset(self) -> Observation:
        """Go back to the start."""
        self.world.reset()
        return self._observe()

    def step(self, action: Action) -> StepResult:
        """Take one action."""
        said = self.world.step(action.name, *action.arguments)
        if said is not False and not isinstance(said, str):
            return StepResult(True, self._observe(), resolved=action)
        return StepResult(False, self._observe(), "refused", str(said or "it is not done"), action)

    def state(self) -> State:
        """The whole state.

        Raises:
            InputError: If the world says something that is no atom of the task's names.
        """
        start, atoms = self.task.start, list[Atom]()
        for said in self.world.state():
            read = parse_formula(said, source="state") if isinstance(said, str) else said
            if not isinstance(read, Atom):
                raise InputError(f"{said!r} is not an atom", where="state", expected='"on(lamp.1)"')
            atoms.append(read)
        return State.of(start.layout, start.universe, atoms)

    def _observe(self) -> Observation:
        state, found = self.state(), dict[str, dict[str, object]]()
        for atom in state.atoms():
            first, *others = map(str, atom.terms) if atom.terms else ("",)
            known = found.setdefault(first, {})
            before = f"{known[atom.predicate]}, " if others and atom.predicate in known else ""
            known[atom.predicate] = before + ", ".join(others) if others else True
        universe, shown = state.universe, self.task.vocabulary.objects
        return Observation(
            tuple(
                SeenObject(name, kind, found.get(name, {}))
                for name, kind in zip(universe.names, universe.types, strict=True)
                if name in shown
            )
        )


def _refusal(error: InputError, action: Action, number: int) -> Finding:
    """Return the finding about names or arguments that the world does not accept."""
    kind = ErrorKind.ARGUMENT_NUMBER
    if isinstance(error, UnknownNameError):
        unknown_object = error.kind == "object"
        kind = ErrorKind.OBJECT_HALLUCINATION if unknown_object else ErrorKind.ACTION_HALLUCINATION
    expected = f"; expected: {error.expected}" if error.expected and error.where else ""
    return Finding(kind, f"{action}: {error.what}{expected}", number, str(action))
