"""Executing subgoals as ``eai-eval`` 1.0.5 does: every list of actions for a subgoal is a branch.

A branch ends at the first error that is no additional step. Of those that reach the end and
solve the task the one with the fewest errors is reported; if there is none, of those that reach
the end; if none does, of all that ended early, the longest one on ties.
"""

from __future__ import annotations

from eai.abilities.subgoals.branch import Branch
from eai.diagnosis.runtime import Rules, Run
from eai.diagnosis.taxonomy import ErrorKind
from eai.logic import evaluate, format_formula
from eai.logic.formula import ActionAtom, Atom, Formula, Not
from eai.suites.virtualhome.executors import TESTS, ExecutorRules
from eai.suites.virtualhome.subgoal_templates import action_lists
from eai.task import Task
from eai.world.action import Action

__all__ = ["MOST_BRANCHES", "Branches", "UnparseableError"]

MOST_BRANCHES = 1_000
"""So many branches are followed at a time; the published evaluator follows all."""


class UnparseableError(Exception):
    """The published evaluator would stop with an exception and call the answer unparseable."""


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
                following.take(actions, self._rules, subgoal=text)
                if not following.alive:
                    _check_category(following, self._rules)
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


def _check_category(branch: Branch, rules: Rules) -> None:
    """A failure of no category, or for a precondition that is not recorded, is a crash."""
    action, finding, run = branch.actions[-1], branch.findings[-1], branch.run
    if finding.kind is ErrorKind.UNSCORABLE:
        raise UnparseableError(finding.message)
    if finding.kind is ErrorKind.MISSING_STEP and isinstance(rules, ExecutorRules):
        failed = run.world.first_failure(run.state, action.name, run.numbers(action))
        if not TESTS[action.name][failed].recorded:
            raise UnparseableError(finding.message)


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
