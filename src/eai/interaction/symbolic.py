"""Any task of a symbolic world as an environment."""

from __future__ import annotations

from collections.abc import Mapping

from eai.diagnosis.judgement import Finding
from eai.diagnosis.runtime import Run
from eai.diagnosis.taxonomy import ErrorKind
from eai.errors import InputError, UnknownNameError
from eai.interaction.lenses import Lens
from eai.interaction.protocol import Capabilities, Observation, StepResult
from eai.logic.formula import Atom
from eai.simulators.base import Execution, Simulator
from eai.task import Task
from eai.world.action import Action
from eai.world.state import State

__all__ = ["SymbolicEnvironment"]


class SymbolicEnvironment:
    """A task that is acted in step by step, by the rules by which plans are judged.

    What becomes of a step is what would become of it in a plan; only, a step that fails does
    not end anything. The code of a failed step is the kind of error that the rules say it is
    (``"missing_step"``); an action whose effects hold already is one too
    (``"additional_step"``), unless the rules carry it out. Everything is observed: wrap it in
    :class:`~eai.interaction.views.Viewed` to hide something.

    Args:
        task: The task.
        simulator: The world, and the rules of its steps.
        lens: What is observed of a state.
        present: A predicate of the objects that are there at all; empty if all are.
    """

    def __init__(self, task: Task, simulator: Simulator, *, lens: Lens, present: str = "") -> None:
        self.task = task
        self.simulator = simulator
        self.lens = lens
        self._present = present
        self._names = lens.around(task.start, task.vocabulary.objects)
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
            self._look(action)
            return StepResult(True, self.observation, resolved=action)
        code, message = (finding.kind.value, finding.message) if finding else (outcome, "")
        return StepResult(False, self.observation, code, message, action)

    def _look(self, action: Action) -> None:
        """The agent looks at what it acted on last, unless it carries that."""
        held = self.lens.holding(self._run.state, self.task.agent)
        self._focus = next(
            (name for name in reversed(action.arguments) if name not in held), self._focus
        )

    def state(self) -> State:
        """The whole state, as a copy."""
        return self._run.state.copy()

    @property
    def observation(self) -> Observation:
        """Everything that can be observed now: the objects of the task, and where they are."""
        task, state, world = self.task, self._run.state, self.simulator.world

        def there(name: str) -> bool:
            return world.holds(state, Atom(self._present, (name,)))

        if not self._present:
            return self.lens.observe(state, task.agent, names=self._names, focus=self._focus)
        return self.lens.observe(
            state, task.agent, names=self._names, focus=self._focus, there=there
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
