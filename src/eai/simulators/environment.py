"""Environments that are acted in step by step, and any task of a symbolic world as one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from eai.diagnosis import ErrorKind, Finding, Run
from eai.errors import InputError, UnknownNameError
from eai.logic import Atom
from eai.simulators.base import Execution, Simulator
from eai.task import Task
from eai.world import Action, State
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
    """What is observed at one moment.

    Args:
        objects: The objects that are seen, in a fixed order.
        held: Names of the objects that the agent holds.
        focus: Name of the object that the agent looks at; empty if there is none.
    """

    objects: tuple[SeenObject, ...] = ()
    held: tuple[str, ...] = ()
    focus: str = ""


@dataclass(frozen=True, slots=True)
class StepResult:
    """What came of one action.

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
    """What an environment can do.

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
        """What it can do."""
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

    def of(self, state: State, number: int) -> bool | None:
        """Whether the object with a number has it; None if that is not shown."""
        if _holds(state, self.yes, number):
            return True
        refuted = self.no and _holds(state, self.no, number)
        possible = self.having and _holds(state, self.having, number)
        return False if refuted or possible else None


@dataclass(frozen=True, slots=True)
class ObservationModel:
    """What is observed of the states of one domain.

    No predicate may be a derived one.

    Args:
        locations: Predicate to the word for it, ``"in"`` or ``"on"``: which other object an object
            is in or on. If there are several such objects, the first predicate counts, and
            rooms come last.
        room: The type of rooms; empty if there are none.
        held: Predicates between the agent and what it holds.
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
        """Observe everything.

        Args:
            state: The state.
            agent: The object that acts.
            names: The objects that can be observed.
            focus: The object that the agent looks at.
            there: Whether an object is there at all (what is born later is not yet).
        """
        universe = state.universe
        seen = tuple(
            self._seen(state, number, universe.number(agent), names)
            for number, name in enumerate(universe.names)
            if name in names and there(name)
        )
        return Observation(seen, self.holding(state, agent), focus)

    def around(self, state: State, names: frozenset[str]) -> frozenset[str]:
        """Add to some objects what they are in or on, and the rooms."""
        universe, index = state.universe, state.layout.index
        pending = [*names, *(universe.of_types((self.room,)) if self.room else ())]
        found = set[str]()
        while pending:
            name = pending.pop()
            if name not in found:
                found.add(name)
                rows = (state.rows[index[p]][universe.number(name)] for p in self.locations)
                pending += [universe.names[i] for row in rows for i in bits(row)]
        return frozenset(found)

    def holding(self, state: State, agent: str) -> tuple[str, ...]:
        """Names of what the agent holds."""
        index, number = state.layout.index, state.universe.number(agent)
        return tuple(
            state.universe.names[i]
            for predicate in self.held
            for i in bits(state.rows[index[predicate]][number])
        )

    def _seen(self, state: State, number: int, agent: int, names: frozenset[str]) -> SeenObject:
        universe = state.universe
        inside, relation = self._place(state, number, names)
        return SeenObject(
            universe.names[number],
            universe.types[number],
            dict(self._properties(state, number, agent, names)),
            inside,
            relation,
        )

    def _properties(
        self, state: State, number: int, agent: int, names: frozenset[str]
    ) -> Iterator[tuple[str, object]]:
        for name, shown in self.properties.items():
            value = shown.of(state, number)
            if value is not None:
                yield name, value
        rows, index = state.rows, state.layout.index
        for predicate, name in self.agent.items():
            if rows[index[predicate]][agent] >> number & 1:
                yield name, True
        for predicate, name in self.relations.items():
            others = (state.universe.names[i] for i in bits(rows[index[predicate]][number]))
            listed = tuple(other for other in others if other in names)
            if listed:
                yield name, listed

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


def _holds(state: State, predicate: str, number: int) -> bool:
    return bool(state.unary[state.layout.index[predicate]] >> number & 1)


class SymbolicEnvironment:
    """A task that is acted in step by step, by the rules by which plans are evaluated.

    What becomes of a step is what would become of it in a plan; only, a step that fails does
    not end anything. The code of a failed step is the kind of error that the rules say it is
    (``"missing_step"``); an action whose effects hold already is one too
    (``"additional_step"``), unless the rules carry it out. Everything is observed: wrap it in
    :class:`~eai.acting.views.Viewed` to hide something.

    Args:
        present: A predicate of the objects that are there at all; empty if all are.
    """

    def __init__(
        self, task: Task, simulator: Simulator, *, observed: ObservationModel, present: str = ""
    ) -> None:
        self.task = task
        self.simulator = simulator
        self.observed = observed
        self._present = present
        self._names = observed.around(task.start, task.vocabulary.objects)
        self._demanded = frozenset(name for goal in task.goal.actions for name in goal.names)
        self._begin()

    def _begin(self) -> None:
        task = self.task
        self._run = Run(self.simulator.world, task.start, task.agent, demanded=self._demanded)
        self._executed: list[str] = []
        self._findings: list[Finding] = []
        self._focus = ""

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
            # The agent looks at what it acted on last, unless it carries that.
            held = self.observed.holding(self._run.state, self.task.agent)
            free = (name for name in reversed(action.arguments) if name not in held)
            self._focus = next(free, self._focus)
            return StepResult(True, self.observation, resolved=action)
        code, message = (finding.kind.value, finding.message) if finding else (outcome, "")
        return StepResult(False, self.observation, code, message, action)

    def state(self) -> State:
        """The whole state, as a copy."""
        return self._run.state.copy()

    @property
    def observation(self) -> Observation:
        """Everything that can be observed now: the objects of the task, and where they are."""
        state, world = self._run.state, self.simulator.world

        def there(name: str) -> bool:
            return not self._present or world.holds(state, Atom(self._present, (name,)))

        return self.observed.observe(
            state, self.task.agent, names=self._names, focus=self._focus, there=there
        )

    @property
    def execution(self) -> Execution:
        """The steps so far, as an execution of a plan."""
        return Execution(self._run.trajectory, tuple(self._executed), tuple(self._findings))


def _refusal(error: InputError, action: Action, number: int) -> Finding:
    """What is wrong with names or arguments that the world does not accept."""
    kind = ErrorKind.ARGUMENT_NUMBER
    if isinstance(error, UnknownNameError):
        unknown_object = error.kind == "object"
        kind = ErrorKind.OBJECT_HALLUCINATION if unknown_object else ErrorKind.ACTION_HALLUCINATION
    expected = f"; expected: {error.expected}" if error.expected and error.where else ""
    return Finding(kind, f"{action}: {error.what}{expected}", number, str(action))
