"""Running plans: what every simulator does, and what an execution is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from eai.diagnosis import DomainRules, Finding, Rules, Run
from eai.world import Action, State, Trajectory, World


@dataclass(frozen=True, slots=True)
class Execution:
    """The execution of a plan.

    Args:
        trajectory: The steps that were done, up to the first that failed.
        executed: For each step ``"done"``, ``"skipped"``, ``"failed"`` or ``"not reached"``.
        findings: The errors, in order.
    """

    trajectory: Trajectory
    executed: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def completed(self) -> bool:
        """Whether the plan ran to its end (skipped steps do not stop it)."""
        return "failed" not in self.executed


class Simulator(Protocol):
    """A symbolic world in which plans can be executed."""

    @property
    def world(self) -> World:
        """The engine that it runs on."""
        ...

    @property
    def rules(self) -> Rules:
        """The rules that decide whether a step is executed."""
        ...


@dataclass(frozen=True, eq=False)
class Symbolic:
    """A symbolic world with its execution rules, by default those of its domain."""

    world: World
    rules: Rules = field(default_factory=DomainRules)


def execute(
    simulator: Simulator,
    start: State,
    plan: Sequence[Action],
    *,
    agent: str,
    demanded: frozenset[str] = frozenset(),
) -> Execution:
    """Execute a plan from a state.

    Args:
        simulator: Where to run it.
        start: The initial state; it is not changed.
        plan: The steps; every name must be known (see :meth:`Rules.take` for what is raised).
        agent: The object that acts.
        demanded: Names of actions that the goal demands for their own sake; repeating them is
            not an additional step.
    """
    run = Run(simulator.world, start, agent, demanded=demanded)
    take = simulator.rules.take
    executed: list[str] = []
    findings: list[Finding] = []
    for number, action in enumerate(plan, start=1):
        outcome, finding = take(run, action, number)
        executed.append(outcome)
        if finding is not None:
            findings.append(finding)
        # A plan ends at the first step that cannot be done.
        if outcome == "failed":
            executed.extend(["not reached"] * (len(plan) - number))
            break
    return Execution(run.trajectory, tuple(executed), tuple(findings))
