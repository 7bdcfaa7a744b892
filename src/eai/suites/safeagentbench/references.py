"""Reference plans: how they are read and run, and why some do not reach their final state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from eai.answers import BoundPlan, bind, read_answer
from eai.diagnosis import ErrorKind, Finding
from eai.logic import Formula
from eai.semantics import Semantics
from eai.simulators import Execution, execute
from eai.simulators.thor.world import AGENT
from eai.suites.safeagentbench.facts import SafeTask, records
from eai.suites.safeagentbench.goals import goal_of, lasting_effects
from eai.suites.safeagentbench.rooms import start_of, vocabulary_of
from eai.suites.safeagentbench.running import controller
from eai.suites.thor import room

DATA, NOT_MODELLED = "data", "not modelled"
"""Causes: an error of the data, or something that this world does not have."""


@dataclass(frozen=True, slots=True)
class Unreached:
    """The reason why a reference plan does not reach its final state.

    Args:
        cause: :data:`DATA` or :data:`NOT_MODELLED`.
        code: What kind of reason it is (``"not_in_room"``).
        evidence: The step or the condition, and what is the case there.
    """

    cause: str
    code: str
    evidence: str

    def __str__(self) -> str:
        return f"{self.code.replace('_', ' ')} ({self.cause}): {self.evidence}"


_CODES: Mapping[str, str] = {
    "in_reach": "shut_in",
    "close_by": "not_near",
    "suited": "takes_only_other_things",
    "vacant": "full",
    "ready_to_take": "receptacle_closed",
    "shut_to_run": "open_while_running",
    "off": "already_on",
    "on": "already_off",
    "dirty": "already_clean",
    "clean": "already_dirty",
    "empty": "already_filled",
    "filled": "already_empty",
    "hand_free": "hand_full",
    "hand_full": "hand_empty",
}
"""Test of the domain to the code of a step that fails it; others are affordances."""


@cache
def _read(scene: str, steps: tuple[str, ...]) -> BoundPlan:
    vocabulary = vocabulary_of(scene)
    return bind(read_answer("\n".join(steps), vocabulary), vocabulary)


def reference_plan(record: SafeTask) -> BoundPlan:
    """Return the reference plan of a task as the reader reads it; long tasks have none."""
    if not record.steps:
        return BoundPlan((), (), ())
    return _read(record.scene, record.steps)


@cache
def _run(name: str) -> Execution | None:
    """Execute the reference plan of a task. The result is None if it cannot be read."""
    record = records()[name]
    plan = reference_plan(record)
    if plan.findings:
        return None
    return execute(controller(), start_of(record.scene), plan.actions, agent=AGENT)


@cache
def reference_effects(name: str) -> tuple[Formula, ...]:
    """Return the lasting effects of a task's reference plan, or none if it fails."""
    record, execution = records()[name], _run(name)
    if execution is None or not execution.completed:
        return ()
    return tuple(lasting_effects(room(record.scene), execution.trajectory))


@cache
def why_unreached(name: str) -> Unreached | None:
    """Return why a reference plan does not reach its final state, or None if it does.

    Args:
        name: Name of the task's record.
    """
    record = records()[name]
    plan = reference_plan(record)
    if not plan.actions and not plan.findings:
        return Unreached(DATA, "no_plan", "no reference plan is stored")
    execution = _run(name)
    if execution is None:
        return _unreadable(plan)
    if not execution.completed:
        return _reason_of_failure(execution.findings[-1])
    if record.final_state is None:
        # The task has no final state, so a plan is taken to reach whatever it changes.
        if reference_effects(name):
            return None
        return Unreached(NOT_MODELLED, "no_effect", "the state at the end is that at the start")
    goal = goal_of(record.final_state, room(record.scene), Semantics("strict"))
    final = execution.trajectory.final
    for _, condition in goal.final[0]:
        if not controller().world.holds(final, condition):
            return _reason_for_missed_state(record, str(condition))
    return None


def _unreadable(plan: BoundPlan) -> Unreached:
    """Return the reason for a reference plan with an unreadable step."""
    finding = plan.findings[0]
    if finding.kind is ErrorKind.OBJECT_HALLUCINATION:
        return Unreached(DATA, "not_in_room", finding.message)
    return Unreached(DATA, "not_a_step", finding.message)


def _reason_of_failure(finding: Finding) -> Unreached:
    """Return the reason of a step that failed, by its first condition."""
    # "hand_free(robot)" -> "hand_free"; the first condition is the one that the domain tests first.
    test = finding.conditions[0].partition("(")[0] if finding.conditions else ""
    return Unreached(DATA, _CODES.get(test, "cannot_be_done"), finding.message)


def _reason_for_missed_state(record: SafeTask, condition: str) -> Unreached:
    """Return the reason for an executable reference plan that misses its final state."""
    # "turn on Laptop" -> "turn"
    verbs = {step.split()[0].lower() for step in record.steps}
    broken = [entry for entry in record.final_state or () if entry.get("isBroken")]
    if "break" in verbs and any(entry.get("isToggled") for entry in broken):
        # The engine switches off what breaks by a change of its surface, such as a screen.
        return Unreached(
            DATA, "on_while_broken", "what is broken goes off; the stored state has it on"
        )
    if "drop" in verbs and broken:
        return Unreached(NOT_MODELLED, "drop_breaks", "whether a dropped thing breaks is not known")
    return Unreached(DATA, "other_state", f"no step of the plan brings about {condition}")
