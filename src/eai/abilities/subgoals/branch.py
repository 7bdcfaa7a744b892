"""One way through the subgoals of an answer: what was executed for them so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from eai.diagnosis.judgement import Finding
from eai.diagnosis.runtime import Rules, Run
from eai.simulators.base import Execution
from eai.world.action import Action

__all__ = ["Branch"]


@dataclass
class Branch:
    """One way through the subgoals.

    Args:
        run: What was executed.
        actions: The steps, refused ones included.
        outcomes: What became of each step.
        findings: What was wrong.
    """

    run: Run
    actions: list[Action] = field(default_factory=list)
    outcomes: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def alive(self) -> bool:
        """Whether no step has failed."""
        return "failed" not in self.outcomes[-1:]

    @property
    def execution(self) -> Execution:
        """The branch as an execution of its actions."""
        return Execution(self.run.trajectory, tuple(self.outcomes), tuple(self.findings))

    def copy(self) -> Branch:
        """A branch that can go on by itself."""
        run = Run(self.run.world, self.run.start, self.run.agent, demanded=self.run.demanded)
        run.state, run.steps = self.run.state.copy(), self.run.steps[:]
        return Branch(run, self.actions[:], self.outcomes[:], self.findings[:])

    def take(self, actions: Sequence[Action], rules: Rules, *, subgoal: str) -> None:
        """Execute actions up to the first that fails.

        Args:
            actions: The actions.
            rules: How steps are judged.
            subgoal: What they are for, as text.
        """
        for action in actions:
            outcome, finding = rules.take(self.run, action, len(self.actions) + 1)
            self.actions.append(action)
            self.outcomes.append(outcome)
            if finding is not None:
                self.findings.append(replace(finding, subgoal=subgoal))
            if outcome == "failed":
                return
