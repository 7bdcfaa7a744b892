"""How plans are run: names of what was sliced, and plans that go on after a failure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from eai.diagnosis import Finding, Run
from eai.simulators import Execution, ThorWorld
from eai.simulators.thor.skills import controller_domain
from eai.simulators.thor.world import SettlingRules
from eai.task import Task
from eai.world import Action


class ControllerRules(SettlingRules):
    """Execution rules with the controller's verbs.

    The name of a sliced or cracked object means its first piece.

    The ids of pieces begin with the id of the whole, so the controller finds them by its name.
    """

    def take(self, run: Run, action: Action, number: int) -> tuple[str, Finding | None]:
        """See :meth:`eai.diagnosis.runtime.Rules.take`."""
        pieces = tuple(_piece_of(run, name) for name in action.arguments)
        if pieces != action.arguments:
            action = Action(action.name, pieces)
        return super().take(run, action, number)


def _piece_of(run: Run, name: str) -> str:
    """Return the first piece of an object that was cut, or the object itself."""
    state = run.state
    if name not in state.universe.index:
        return name
    is_cut = state.holds("sliced", (name,)) or state.holds("broken", (name,))
    if not is_cut:
        return name
    # All pieces are objects from the start, and dormant until their whole is cut.
    for piece in state.universe.names:
        if state.holds("slice_of", (piece, name)) and not state.holds("dormant", (piece,)):
            return piece
    return name


@cache
def controller() -> ThorWorld:
    """Return the world in which the verbs of the controller are taken."""
    world = ThorWorld(domain=controller_domain())
    world.rules = ControllerRules()
    return world


@dataclass(frozen=True, slots=True)
class WrittenStep:
    """A step of an answer.

    Args:
        text: The step as it was written.
        action: The action that it is; None if the controller does not know it.
    """

    text: str
    action: Action | None


def run_to_the_end(task: Task, steps: Sequence[WrittenStep]) -> Execution:
    """Execute all steps of a plan. Failed steps and steps without an action change nothing."""
    world = controller()
    run = Run(world.world, task.start, task.agent)
    executed: list[str] = []
    findings: list[Finding] = []
    for number, step in enumerate(steps, start=1):
        if step.action is None:
            executed.append("failed")
            continue
        outcome, finding = world.rules.take(run, step.action, number)
        # What holds already is an error of the controller: it was asked to do it again.
        executed.append("done" if outcome == "done" else "failed")
        if finding is not None:
            findings.append(finding)
    return Execution(run.trajectory, tuple(executed), tuple(findings))
