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
    """An object as the agent sees it.

    Args:
        properties: The visible part of its state, by name: ``{"dirty": True, "liquid": "coffee"}``.
            Unseen properties are absent.
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
        image: The picture of the camera, as a PNG; empty if there is no camera.
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
        resolved: The executed action, with the objects that it chose where the agent named a type.
            For the evaluator, not for the agent. None if nothing was tried.
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
    """A world for one task in which an agent acts step by step."""

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
class ShownProperty:
    """A property of objects in the form shown to agents.

    It is shown as true if one predicate holds, and as false if another one does, or if the object
    has the property and it is not true. Otherwise it is not shown at all.

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
        """Return two masks: objects for which the property is true, and those where it is false.

        An object that is in neither does not have the property.
        """
        index = state.layout.index
        otherwise_false = 0
        for predicate in (self.no, self.having):
            if predicate:
                otherwise_false |= state.unary[index[predicate]]
        return state.unary[index[self.yes]], otherwise_false


@dataclass(frozen=True, slots=True)
class ObservationModel:
    """Derives observations from the states of a domain.

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

    properties: Mapping[str, ShownProperty]
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
        """Return the observation of a state.

        Args:
            state: The state.
            agent: Name of the agent.
            names: The objects that can be observed.
            focus: Name of the object that the agent looks at.
            there: Returns whether an object is there at all.
        """
        universe = state.universe
        # By property: the objects of which it is true, and those of which it is false.
        property_masks = []
        for name, shown_property in self.properties.items():
            true_objects, false_objects = shown_property.masks(state)
            property_masks.append((name, true_objects, false_objects))
        agent_number = universe.number(agent)
        for predicate, name in self.agent.items():
            related_objects = state.rows[state.layout.index[predicate]][agent_number]
            property_masks.append((name, related_objects, 0))
        objects = []
        for object_number, name in enumerate(universe.names):
            if name in names and there(name):
                objects.append(self._observe_object(state, object_number, names, property_masks))
        return Observation(tuple(objects), self.holding(state, agent), focus)

    def around(self, state: State, names: frozenset[str]) -> frozenset[str]:
        """Return some objects, everything they are in or on, and the rooms.

        For a cup on a tray on a table, the tray and the table are included, because without them
        the place of the cup would be unknown.
        """
        # Each object is examined once, so objects that are on each other do no harm.
        pending = [*names]
        if self.room:
            pending += state.universe.of_types((self.room,))
        reached: set[str] = set()
        while pending:
            name = pending.pop()
            if name in reached:
                continue
            reached.add(name)
            # Outwards from each object: the table, what the table is in, and so on.
            for predicate in self.locations:
                pending += state.related(predicate, name)
        return frozenset(reached)

    def holding(self, state: State, agent: str) -> tuple[str, ...]:
        """Return the names of the objects that the agent holds."""
        layout = state.layout
        universe = state.universe
        agent_number = universe.number(agent)
        names: list[str] = []
        for predicate in self.held:
            index = layout.index[predicate]
            if layout.arity[index] == 2:  # holds(agent, object)
                held = state.rows[index][agent_number]
            else:  # held(object)
                held = state.unary[index]
            names += [universe.names[object_number] for object_number in bits(held)]
        return tuple(names)

    def _observe_object(
        self,
        state: State,
        object_number: int,
        names: frozenset[str],
        property_masks: Sequence[tuple[str, int, int]],
    ) -> SeenObject:
        """Return an object as the agent sees it.

        Args:
            state: The state.
            object_number: Number of the object.
            names: The objects that can be observed.
            property_masks: Each property with two masks: the objects for which it is true, and
                those for which it is false.
        """
        universe = state.universe
        object_bit = 1 << object_number
        properties: dict[str, object] = {}
        for property_name, true_objects, false_objects in property_masks:
            # An object that is in neither mask does not have the property.
            if (true_objects | false_objects) & object_bit:
                properties[property_name] = bool(true_objects & object_bit)
        object_name = universe.names[object_number]
        for predicate, property_name in self.relations.items():
            related_names = state.related(predicate, object_name)
            observable_names = tuple(
                [related_name for related_name in related_names if related_name in names]
            )
            if observable_names:
                properties[property_name] = observable_names
        location, relation = self._location(state, object_number, names)
        return SeenObject(
            object_name, universe.types[object_number], properties, location, relation
        )

    def _location(self, state: State, object_number: int, names: frozenset[str]) -> tuple[str, str]:
        """Return the location of an object and the relation to it.

        Args:
            state: The state.
            object_number: Number of the object.
            names: The objects that can be named.

        Returns:
            The object that it is in or on, and ``"in"`` or ``"on"``; both empty if there is none.
        """
        universe = state.universe
        index = state.layout.index
        room_mask = 0
        if self.room:
            room_mask = universe.type_masks[self.room]
        # A room is the location only if the object is in or on nothing else.
        for candidate_mask in (~room_mask, room_mask):
            for predicate, word in self.locations.items():
                for candidate in bits(state.rows[index[predicate]][object_number] & candidate_mask):
                    if universe.names[candidate] in names:
                        return universe.names[candidate], word
        return "", ""


_Arguments = tuple[int, ...]
"""Numbers of the objects that an action is about, one for each parameter of its schema."""

_Test = Callable[..., bool]
"""Returns whether a condition holds in a state (first argument) for the arguments of an action."""


class SymbolicEnvironment:
    """A task in which an agent acts by the rules that also evaluate plans.

    A step has the outcome that it would have in a plan, except that a step that fails does not end
    the episode. The code of a failed step is the kind of error by the rules (``"missing_step"``);
    an action whose effects hold already has the code ``"additional_step"``, unless the rules carry
    it out. Everything is observed: wrap the environment in :class:`~eai.acting.views.Viewed` to
    hide something.

    Args:
        task: The task.
        simulator: The world and the rules.
        observed: The model that turns a state into an observation.
        present: A predicate of the objects that are there at all; empty if all are.

    Attributes:
        observing: Whether results hold what is observed; without it, steps take less time.
    """

    observing = True

    def __init__(
        self, task: Task, simulator: Simulator, *, observed: ObservationModel, present: str = ""
    ) -> None:
        """Prepare the names that can be observed, and begin an episode."""
        self.task = task
        self.simulator = simulator
        self.observed = observed
        self._present = present
        self._names = observed.around(task.start, task.vocabulary.objects)
        demanded_names: set[str] = set()
        for goal in task.goal.actions:
            demanded_names.update(goal.names)
        self._demanded = frozenset(demanded_names)
        # By action: the arguments that meet all conditions which no action changes.
        self._static_arguments: dict[str, list[_Arguments]] = {}
        # By action, and whether changing conditions count: see :meth:`_ranges_and_tests`.
        self._prepared: dict[
            tuple[str, bool], tuple[list[_Arguments], Mapping[int, list[_Test]]]
        ] = {}
        self._begin()

    def _begin(self) -> None:
        """Begin an episode in the initial state of the task."""
        task = self.task
        self._run = Run(self.simulator.world, task.start, task.agent, demanded=self._demanded)
        self._executed: list[str] = []
        self._findings: list[Finding] = []
        # The trajectory that was asked for last, and its number of steps.
        self._last_trajectory: Trajectory | None = None
        self._last_length = 0
        self._focus = ""
        self._drop_caches()

    def _drop_caches(self) -> None:
        """Forget what was computed of the state; a step that is not done keeps it."""
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
        """Take one action. It fails if a name is unknown.

        Returns:
            Whether it was done, what is observed afterwards, and why it failed if it did.
        """
        step_number = len(self._executed) + 1
        # An agent may try anything. An action that the rules refuse counts as a failed step.
        try:
            outcome, finding = self.simulator.rules.take(self._run, action, step_number)
        except InputError as error:
            outcome = "failed"
            finding = _finding_of_refusal(error, action, step_number)
        self._executed.append(outcome)
        if finding is not None:
            self._findings.append(finding)
        # A failed or an additional step changes neither the state nor the observation.
        if outcome == "done":
            self._drop_caches()
            # The agent looks at the object of its last action, unless it carries that object.
            held = self.observed.holding(self._run.state, self.task.agent)
            for name in action.arguments:
                if name not in held:
                    self._focus = name
            return StepResult(True, self.observation, resolved=action)
        if finding is None:
            return StepResult(False, self.observation, outcome, "", action)
        message = self._sentence(finding, action)
        return StepResult(False, self.observation, finding.kind.value, message, action)

    def _sentence(self, finding: Finding, _action: Action) -> str:
        """Return why an action was not done; subclasses word it in their own way."""
        return finding.message

    def state(self) -> State:
        """The whole state, as a copy."""
        return self._run.state.copy()

    @cached_property
    def ground_actions(self) -> tuple[Action, ...]:
        """The ground actions whose static preconditions hold, in a fixed order."""
        actions: list[Action] = []
        for name in sorted(self.actions):
            for arguments in self._arguments_by_static_conditions(name):
                actions.append(self._action(name, arguments))
        return tuple(actions)

    def _arguments_by_static_conditions(self, name: str) -> list[_Arguments]:
        """Return the arguments with which an action's static preconditions hold."""
        if name not in self._static_arguments:
            arguments = self._instances(name, self.task.start, changing=False)
            self._static_arguments[name] = list(arguments)
        return self._static_arguments[name]

    def applicable(self) -> list[int]:
        """Return the indices of the ground actions that are applicable now.

        They are computed once for each state.
        """
        if self._applicable is None:
            indices: list[int] = []
            for name in sorted(self.actions):
                for arguments in self._instances(name, self._run.state, changing=True):
                    indices.append(self._index_of[self._action(name, arguments)])
            self._applicable = indices
        return self._applicable

    @cached_property
    def _index_of(self) -> Mapping[Action, int]:
        """Index of each ground action."""
        return {action: index for index, action in enumerate(self.ground_actions)}

    def _action(self, name: str, arguments: _Arguments) -> Action:
        """Return an action as a plan writes it: the agent, if there is one, is not named."""
        first = 1 if self.task.agent else 0
        names = self.task.start.universe.names
        return Action(name, tuple(names[number] for number in arguments[first:]))

    def _instances(self, name: str, state: State, *, changing: bool) -> Iterator[_Arguments]:
        """Yield the arguments with which an action's preconditions hold in a state.

        Args:
            name: The action.
            state: The state.
            changing: Whether conditions that actions change count.
        """
        candidates_by_position, tests = self._ranges_and_tests(name, changing)
        # A condition is tested as soon as its last parameter has a value, which removes most
        # candidates early. The test does not read the open parameters, so any number fills them.
        prefixes: list[_Arguments] = [()]
        for position, candidates in enumerate(candidates_by_position):
            number_of_open = len(candidates_by_position) - position - 1
            decided_tests = tests.get(position, ())
            # This is one nested comprehension, because it takes most of the time of a step.
            prefixes = [
                (*prefix, object_number)
                for prefix in prefixes
                for object_number in candidates
                if all(
                    test(state, *prefix, object_number, *(object_number,) * number_of_open)
                    for test in decided_tests
                )
            ]
        yield from prefixes

    def _ranges_and_tests(
        self, name: str, changing: bool
    ) -> tuple[list[_Arguments], Mapping[int, list[_Test]]]:
        """Return for each parameter its objects, and the tests it completes.

        Args:
            name: Name of the action.
            changing: Whether conditions count that actions can change.
        """
        key = (name, changing)
        if key not in self._prepared:
            # The static arguments are found first, by types, and narrow the ranges of the others.
            candidates_by_position = (
                self._static_ranges(name) if changing else self._typed_ranges(name)
            )
            self._prepared[key] = candidates_by_position, self._tests(name, changing)
        return self._prepared[key]

    def _tests(self, name: str, changing: bool) -> dict[int, list[_Test]]:
        """Return the tests of an action by the index of their last parameter.

        Arguments are chosen one after the other. A test is made as soon as all parameters in it
        have an argument, so that failing choices are given up early.

        Args:
            name: Name of the action.
            changing: Whether conditions that actions can change count as well.
        """
        world = self.simulator.world
        operator = world.operator(name)
        parameters = [parameter.name for parameter in operator.operator.parameters]
        tests: dict[int, list[_Test]] = {}
        for test, function in zip(operator.tests, operator.test_functions, strict=True):
            if changing or world.domain.is_static(test):
                # A test without variables is made with the first parameter.
                last_position = max(
                    (parameters.index(variable.name) for variable in test.free), default=0
                )
                tests.setdefault(last_position, []).append(function)
        return tests

    def _typed_ranges(self, name: str) -> list[_Arguments]:
        """Return the objects of each parameter's type.

        Only objects that an answer may name are among them; the first parameter is the agent.

        Args:
            name: Name of the action.

        Returns:
            Numbers of objects, by parameter.
        """
        universe = self.task.start.universe
        nameable = self.task.vocabulary.objects
        candidates_by_position = []
        for parameter in self.simulator.world.operator(name).operator.parameters:
            numbers = []
            for object_name in universe.of_types(parameter.types):
                if object_name in nameable:
                    numbers.append(universe.number(object_name))
            candidates_by_position.append(tuple(numbers))
        # The agent is fixed, even if an answer may not name it.
        if self.task.agent:
            candidates_by_position[0] = (universe.number(self.task.agent),)
        return candidates_by_position

    def _static_ranges(self, name: str) -> list[_Arguments]:
        """Return the objects of each parameter in arguments that pass the static tests.

        ``[(1, 5), (2, 5)]`` gives the ranges ``[(1, 2), (5,)]``: fewer objects to combine than
        those of the types, and no arguments are lost.
        """
        instances = self._arguments_by_static_conditions(name)
        if not instances:
            return [()] * len(self.simulator.world.operator(name).operator.parameters)
        return [tuple(sorted(set(column))) for column in zip(*instances, strict=True)]

    @property
    def observation(self) -> Observation:
        """The current observation of the task's objects and their locations.

        It is computed at the first request after each action, because many callers never ask.
        """
        if not self.observing:
            return Observation()
        if self._observed is None:
            # The next action resets it to None.
            self._observed = self.observed.observe(
                self._run.state,
                self.task.agent,
                names=self._names,
                focus=self._focus,
                there=self._is_there,
            )
        return self._observed

    def _is_there(self, name: str) -> bool:
        """Return whether an object is there at all now; a whole is not when it was sliced."""
        if not self._present:
            return True
        return self.simulator.world.holds(self._run.state, Atom(self._present, (name,)))

    @property
    def execution(self) -> Execution:
        """The steps so far, as an execution of a plan."""
        # Asked for after every action, most of which are done: a new one is made for those only.
        run = self._run
        trajectory = self._last_trajectory
        if trajectory is None or self._last_length != len(run.steps):
            trajectory = run.trajectory
            self._last_trajectory = trajectory
            self._last_length = len(run.steps)
        return Execution(trajectory, tuple(self._executed), tuple(self._findings))


class OwnWorld(Protocol):
    """The interface of a user's simulator: three members."""

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
    """An environment over a user's simulator, which reports the true facts.

    Args:
        world: The world.
        task: The task, whose start declares the objects and predicates.

    Raises:
        InputError: If the world lacks a method.
    """

    capabilities = Capabilities()

    def __init__(self, world: OwnWorld, task: Task) -> None:
        """Check that the simulator has all methods."""
        # Missing methods are reported before the episode, because episodes can be expensive.
        missing = [name for name in _METHODS if not callable(getattr(world, name, None))]
        if missing:
            mend = None
            if "state" in missing:
                mend = 'state() returns what is true now, as ["on(lamp.1)"]'
            raise InputError(
                f"the simulator has no method {', '.join(missing)}",
                where=type(world).__qualname__,
                expected=f"an object with the methods {', '.join(_METHODS)}",
                mend=mend,
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
        answer = self.world.step(action.name, *action.arguments)
        # Most functions return None on success, so only False and texts are refusals.
        if answer is not False and not isinstance(answer, str):
            return StepResult(True, self._observe(), resolved=action)
        reason = str(answer or "it is not done")
        return StepResult(False, self._observe(), "refused", reason, action)

    def state(self) -> State:
        """The whole state.

        Raises:
            InputError: If the world says something that is not an atom of the task's names.
        """
        start = self.task.start
        atoms: list[Atom] = []
        for fact in self.world.state():
            atom: object = fact
            if isinstance(fact, str):
                atom = parse_formula(fact, source="state")
            if not isinstance(atom, Atom):
                raise InputError(f"{fact!r} is not an atom", where="state", expected='"on(lamp.1)"')
            atoms.append(atom)
        return State.of(start.layout, start.universe, atoms)

    def _observe(self) -> Observation:
        """Return an observation derived from the simulator's state.

        ``on(cup.1, table.1)`` and ``clean(cup.1)`` become ``{"on": "table.1", "clean": True}``.
        """
        state = self.state()
        properties: dict[str, dict[str, object]] = {}
        for atom in state.atoms():
            if not atom.terms:
                continue  # it is about no object
            subject, *other_objects = map(str, atom.terms)
            own_properties = properties.setdefault(subject, {})
            if not other_objects:
                own_properties[atom.predicate] = True
                continue
            value = ", ".join(other_objects)
            # Several others are one text: {"on": "table.1, tray.2"}.
            if atom.predicate in own_properties:
                value = f"{own_properties[atom.predicate]}, {value}"
            own_properties[atom.predicate] = value
        universe = state.universe
        objects = []
        for name, type_name in universe.objects.items():
            if name in self.task.vocabulary.objects:
                objects.append(SeenObject(name, type_name, properties.get(name, {})))
        return Observation(tuple(objects))


def _finding_of_refusal(error: InputError, action: Action, step_number: int) -> Finding:
    """Return the finding for an action with unknown names or wrong arguments.

    Args:
        error: The error that the world raised.
        action: The action.
        step_number: Number of the step, from 1.
    """
    error_kind = ErrorKind.ARGUMENT_NUMBER
    if isinstance(error, UnknownNameError):
        error_kind = ErrorKind.ACTION_HALLUCINATION
        if error.kind == "object":
            error_kind = ErrorKind.OBJECT_HALLUCINATION
    message = f"{action}: {error.what}"
    if error.expected and error.where:
        message += f"; expected: {error.expected}"
    return Finding(error_kind, message, step_number, str(action))
