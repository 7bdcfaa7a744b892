"""Subgoals as the evaluators of both official suites take them (``eai-eval`` 1.0.5).

They put fixed lists of actions in place of every literal; otherwise actions that reach a subgoal
are searched in the world.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

from eai.abilities import (
    Branch,
    SubgoalReading,
    Subgoals,
    best_result,
    flattened,
    parsed,
    pieces,
    reading_of,
)
from eai.diagnosis import ErrorKind, Finding, Result, unmet_goals
from eai.logic import Atom, Formula
from eai.task import Task


class PublishedSubgoals(Subgoals):
    """Reads, executes and scores subgoals under any set of quirks."""

    @property
    def narrow(self) -> bool:
        """Whether the published parser's words are the only ones, in its spelling."""
        return "subgoal_vocabulary" in self.semantics

    @abstractmethod
    def entries(self, answer: str) -> list[str] | Finding:
        """Take the subgoals out of an answer as the published evaluator does, or say why not."""

    @abstractmethod
    def objection(self, formula: Formula, task: Task) -> Finding | None:
        """Return the first error of the published evaluator in a formula, if any."""

    @abstractmethod
    def speller(self, task: Task) -> Callable[[Atom], Formula]:
        """Spell atoms as the world does."""

    @abstractmethod
    def follow(self, literals: tuple[Formula, ...], task: Task) -> Result | Finding:
        """Take the actions that literals stand for; a finding if the evaluator would stop."""

    def read(self, task: Task, answer: str) -> SubgoalReading:
        """Read the subgoals of an answer, as the semantics says."""
        if "subgoal_pattern_reader" in self.semantics:
            return reading_of(self.entries(answer))
        return super().read(task, answer)

    def evaluate_reading(self, task: Task, reading: SubgoalReading) -> Result:
        """Evaluate subgoals that were read."""
        if "subgoal_templates" not in self.semantics:
            return super().evaluate_reading(task, reading)
        if reading.problems:
            return self.unread(task, Finding(ErrorKind.PARSING, reading.problems[0].message))
        # An answer with "or" stands for several lists of actions, of which the best one counts.
        entries = [subgoal.text for subgoal in reading.subgoals]
        choices = pieces(entries, first_only="subgoal_alternative_drawn" in self.semantics)
        return best_result(self.followed(choice, task) for choice in choices)

    def followed(self, entries: Sequence[str], task: Task) -> Result:
        """Return the result of executing the actions that subgoals stand for."""
        literals = self.literals(entries, task)
        if isinstance(literals, Finding):
            return self.unread(task, literals)
        result = self.follow(literals, task)
        if isinstance(result, Finding):
            return self.unread(task, result)
        return result

    def literals(self, entries: Sequence[str], task: Task) -> tuple[Formula, ...] | Finding:
        """Return the literals of subgoals in reading order, or the finding on a wrong one."""
        formula = parsed(entries)
        if isinstance(formula, Finding):
            return formula
        literals = self.objection(formula, task) or flattened(formula)
        if isinstance(literals, Finding):
            return literals
        spelled = cast("Callable[[Formula], Formula]", self.speller(task))  # leaves are atoms
        return tuple(literal.map_leaves(spelled) for literal in literals)

    def result(
        self, branch: Branch, task: Task, *, met: bool | None = None, holds: bool | None = None
    ) -> Result:
        """Return the result of following subgoals.

        Args:
            branch: The actions that were executed for the subgoals.
            task: The task.
            met: Whether the goal is met; by default if all its conditions are.
            holds: Whether the formula of the goal holds; by default if the goal is met.
        """
        execution = branch.execution
        goals = self.conditions(task, execution)
        if met is None:
            met = all(goal.met for goal in goals)
        if holds is None:
            holds = met
        findings = branch.findings
        if branch.alive and not met and "additional_uncounted_if_unsolved" in self.semantics:
            # They are shown but not counted.
            findings = [replace(finding, times=0) for finding in findings]
        return Result(
            "evaluated",
            success=met and branch.alive,
            executable=branch.alive,
            plan=tuple(map(str, branch.actions)),
            executed=tuple(branch.outcomes),
            findings=(*findings, *unmet_goals(goals, execution.trajectory)),
            goals=goals,
            formula=task.goal.text,
            formula_holds=holds,
        )
