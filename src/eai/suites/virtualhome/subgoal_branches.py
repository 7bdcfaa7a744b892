"""Executing subgoals as ``eai-eval`` 1.0.5 does: every list of actions for a subgoal is a branch.

A branch ends at the first error that is no additional step. Of those that reach the end and
solve the task the one with the fewest errors is reported; if there is none, of those that reach
the end; if none does, of all that ended early, the longest one on ties.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from eai.diagnosis.judgement import Finding
from eai.diagnosis.runtime import Rules, Run
from eai.diagnosis.taxonomy import ErrorKind
from eai.logic import evaluate, format_formula
from eai.logic.formula import ActionAtom, Atom, Formula, Not
from eai.simulators.base import Execution
from eai.suites.virtualhome.executors import TESTS, ExecutorRules
from eai.suites.virtualhome.subgoal_templates import action_lists
from eai.task import Task
from eai.world.action import Action

__all__ = ["MOST_BRANCHES", "Branch", "Branches", "UnparseableError"]

MOST_BRANCHES = 1_000
"""So many branches are followed at a time; the published evaluator follows all."""


class UnparseableError(Exception):
    """The published evaluator would stop with an exception and call the answer unparseable."""


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

    def take(self, actions: Sequence[Action], rules: Rules, subgoal: str) -> None:
        """Execute a list of actions up to the first that fails.

        Raises:
            UnparseableError: If an executor crashes.
        """
        for action in actions:
            number = len(self.actions) + 1
            outcome, finding = rules.take(self.run, action, number)
            self.actions.append(action)
            self.outcomes.append(outcome)
            if finding is not None:
                if outcome == "failed":
                    self._check_category(action, finding, rules)
                message = f"{finding.message} (for {subgoal})"
                self.findings.append(replace(finding, message=message))
            if outcome == "failed":
                return

    def _check_category(self, action: Action, finding: Finding, rules: Rules) -> None:
        """What has no category, or is missing something that was not recorded, is a crash."""
        if finding.kind is ErrorKind.UNSCORABLE:
            raise UnparseableError(finding.message)
        if finding.kind is not ErrorKind.MISSING_STEP or not isinstance(rules, ExecutorRules):
            return
        run = self.run
        failed = run.world.first_failure(run.state, action.name, run.numbers(action))
        if not TESTS[action.name][failed].recorded:
            raise UnparseableError(finding.message)


class Branches:
    """All ways through the subgoals of an answer.

    Args:
        start: The branch that nothing was done in.
        rules: How steps are judged.
        task: The task.

    Attributes:
        ended: Branches that ended early, in the order in which they did.
        alive: Branches that go on.
        cut: Whether there were too many branches.
    """

    def __init__(self, start: Run, rules: Rules, task: Task) -> None:
        self._rules = rules
        self._task = task
        self.alive = [Branch(start)]
        self.ended: list[Branch] = []
        self.cut = False

    def follow(self, literal: Formula) -> None:
        """Execute what a subgoal stands for in every branch.

        Raises:
            UnparseableError: If the published evaluator cannot treat the subgoal, or crashes.
        """
        text = format_formula(literal)
        before, self.alive = self.alive, []
        for branch in before:
            lists = _lists(literal, branch, self._task.agent)
            for number, actions in enumerate(lists or [[]], start=1):
                following = branch if number == len(lists or [[]]) else branch.copy()
                following.take(actions, self._rules, text)
                (self.alive if following.alive else self.ended).append(following)
        if len(self.alive) > MOST_BRANCHES:
            self.cut = True
            del self.alive[MOST_BRANCHES:]

    def best(self) -> tuple[Branch, bool]:
        """The branch that is reported, and whether the goal formula holds on it."""
        formula = self._task.goal.formula
        solved = [
            branch
            for branch in self.alive
            if formula is not None and evaluate(formula, branch.run.trajectory)
        ]
        if solved:
            return min(solved, key=lambda branch: len(branch.findings)), True
        return min(
            self.alive or self.ended,
            key=lambda branch: (len(branch.findings), -len(branch.run.steps)),
        ), False


def _lists(literal: Formula, branch: Branch, agent: str) -> list[list[Action]]:
    if isinstance(literal, Not):
        raise UnparseableError(f"{format_formula(literal)}: a negated subgoal has no actions")
    assert isinstance(literal, (Atom, ActionAtom))  # noqa: S101 - nothing else is a literal
    bare = next((term for term in map(str, literal.terms) if "." not in term), None)
    if bare is not None:
        raise UnparseableError(f"{format_formula(literal)}: {bare} has no id")
    state = branch.run.state

    def holds(what: str) -> bool:
        return any(state.holds(hand, (agent, what)) for hand in ("holds_rh", "holds_lh"))

    return action_lists(literal, agent, holds)
