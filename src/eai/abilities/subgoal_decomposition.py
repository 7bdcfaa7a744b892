"""Subgoal decomposition: subgoals become actions, which are evaluated by the goal (section 2.4).

The metrics are those of action sequencing. Of all ways through the subgoals the first one that
solves the task counts, else the one that meets the most goal conditions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from eai.abilities.action_sequencing import Evaluator, excluded, missing, unread
from eai.abilities.subgoals.binding import BoundSubgoals, SubgoalReading, bind_subgoals
from eai.abilities.subgoals.reader import read_subgoals
from eai.abilities.subgoals.search import Branch, Pursuit, best_result, pursue
from eai.answers import BoundPlan
from eai.budget import BeyondBudgetError
from eai.diagnosis import (
    Condition,
    ErrorKind,
    Finding,
    Result,
    Run,
    goal_conditions,
    unmet_conditions,
    unmet_goals,
)
from eai.logic import evaluate
from eai.simulators import Execution
from eai.task import Task, Vocabulary
from eai.text import counted
from eai.world.garbage import without_collecting_garbage


def _end_of_pursuit(pursuit: Pursuit, texts: Sequence[str]) -> tuple[str, Finding | None]:
    """Return the outcome of a search for subgoals, and the finding if not all were reached.

    Args:
        pursuit: The plan, with the subgoal at which it stopped and why.
        texts: The subgoals as they are written.
    """
    if pursuit.bound:
        text = texts[pursuit.reached]
        message = f"{text}: not decided, because {pursuit.bound}"
        return "bound", Finding(ErrorKind.BEYOND_BUDGET, message, action=text)
    if pursuit.stopped is not None:
        return "unreachable", pursuit.stopped
    return "reached", None


class Subgoals(Evaluator):
    """Reads, follows and scores subgoals by the definitions.

    A suite whose published evaluator does something else overrides what differs.
    """

    def vocabulary(self, task: Task) -> Vocabulary:
        """Return the names that subgoals may use."""
        return task.readable

    def read(self, task: Task, answer: str) -> SubgoalReading:
        """Read the subgoals of an answer."""
        return read_subgoals(answer, self.vocabulary(task))

    def bind(self, reading: SubgoalReading, task: Task) -> BoundSubgoals:
        """Look up the names in subgoals."""
        types = task.start.universe.type_masks
        return bind_subgoals(reading, self.vocabulary(task), types=types)

    def conditions(self, task: Task, execution: Execution) -> tuple[Condition, ...]:
        """Score the conditions of a goal: on the final state, as the paper says."""
        return goal_conditions(task.goal, execution.trajectory)

    def unmet(self, task: Task) -> tuple[Condition, ...]:
        """Return the conditions of a goal, unmet, for an answer that cannot be followed."""
        return unmet_conditions(task.goal)

    def start(self, task: Task) -> Branch:
        """Return the branch in which nothing was done yet."""
        demanded = frozenset(name for goal in task.goal.actions for name in goal.names)
        world = self.simulator(task).world
        return Branch(Run(world, task.start, task.agent, demanded=demanded))

    def evaluate(self, task: Task, answer: str | None) -> Result:
        """Evaluate an answer; None if it is missing.

        Returns:
            The result of the best plan through the subgoals. Its outcome is ``"reached"`` if all
            subgoals were reached, ``"unreachable"`` if one cannot be reached, ``"bound"`` if the
            search for one used up its part of the budget, and ``"beyond the budget"`` if the whole
            budget was used up before any plan was complete.
        """
        reason = self.excluded(task)
        if reason:
            return excluded(reason)
        if answer is None:
            return missing(task, self.unmet(task))
        return self.evaluate_reading(task, self.read(task, answer))

    def evaluate_reading(self, task: Task, reading: SubgoalReading) -> Result:
        """Return the result of subgoals that were read from an answer.

        Subgoals may be reached in several ways. The best result counts.
        """
        subgoals = self.bind(reading, task)
        if subgoals.findings:
            return self.unread(task, *subgoals.findings, subgoals=subgoals)
        meter = self.semantics.budget.meter()
        rules = self.simulator(task).rules
        # The search also looks for ways to a subgoal that keep conditions of the goal.
        goals = []
        for alternative in task.goal.final:
            goals.append([condition for _, condition in alternative])
        pursuits = pursue(self.start(task), subgoals.subgoals, rules, meter=meter, goals=goals)
        followed_pursuits: list[Pursuit] = []
        with without_collecting_garbage():
            best = best_result(self._results(pursuits, subgoals, task, followed_pursuits))
        return replace(best, notes=(*best.notes, *_left_out(best, followed_pursuits)))

    def unread(
        self, task: Task, *findings: Finding, subgoals: BoundSubgoals | None = None
    ) -> Result:
        """Return the result of an answer that cannot be followed.

        Args:
            task: The task.
            *findings: The reasons.
            subgoals: The subgoals, if they were read.
        """
        bound = subgoals or BoundSubgoals()
        plan = BoundPlan((), findings, bound.notes, bound.written)
        return unread(plan, task, self.unmet(task))

    def _results(
        self,
        pursuits: Iterator[Pursuit],
        subgoals: BoundSubgoals,
        task: Task,
        followed: list[Pursuit],
    ) -> Iterator[Result]:
        """Yield the results of the ways through the subgoals, as these are found.

        Args:
            pursuits: The ways.
            subgoals: The subgoals.
            task: The task.
            followed: The ways are added to it.
        """
        try:
            for pursuit in pursuits:
                yield self._result(pursuit, subgoals, task)
                # After the yield, so that a pursuit at which the caller stops is not noted.
                followed.append(pursuit)
        except BeyondBudgetError as error:
            # The ways that were followed count, whatever others there might be.
            if followed:
                followed[-1] = replace(followed[-1], is_last=True)
            else:
                finding = Finding(ErrorKind.BEYOND_BUDGET, f"beyond the budget: {error}")
                result = self.unread(task, finding, subgoals=subgoals)
                yield replace(result, outcome="beyond the budget")

    def _result(self, pursuit: Pursuit, subgoals: BoundSubgoals, task: Task) -> Result:
        """Return the result of one plan through the subgoals.

        The plan is successful if it reaches all subgoals and the goal of the task holds at the end.
        If a bound ended the search, a finding says that the subgoal is undecided.

        Args:
            pursuit: The plan, with the subgoal at which it stopped and the reason.
            subgoals: The subgoals.
            task: The task.
        """
        branch = pursuit.branch
        trajectory = branch.run.trajectory
        texts = [subgoal.text for subgoal in subgoals.subgoals]
        # Conditions and formula are evaluated on the executed actions, even if the plan stopped.
        goals = self.conditions(task, branch.execution)
        is_reached = all(goal.met for goal in goals)
        formula_holds: bool | None = None
        if task.goal.formula is not None:
            formula_holds = evaluate(task.goal.formula, trajectory).holds
        outcome, failure = _end_of_pursuit(pursuit, texts)
        findings = list(branch.findings)
        if failure is not None:
            findings.append(failure)
        notes = list(subgoals.notes)
        if pursuit.reached < len(texts):
            notes.append(f"{pursuit.reached} of {len(texts)} subgoals were reached")
        return Result(
            "evaluated",
            success=not pursuit.ended and is_reached and formula_holds is not False,
            executable=not pursuit.ended,
            plan=tuple(map(str, branch.actions)),
            executed=tuple(branch.outcomes),
            findings=(*findings, *unmet_goals(goals, trajectory)),
            goals=goals,
            formula=task.goal.text,
            formula_holds=formula_holds,
            notes=tuple(notes),
            outcome=outcome,
        )


def _left_out(best_result_: Result, followed: Sequence[Pursuit]) -> Iterator[str]:
    """Yield notes on what was not examined, where that might have changed a failure.

    Args:
        best_result_: The best result.
        followed: The ways that were followed.
    """
    # A success needs no note: no other way could have been better.
    if best_result_.success:
        return
    if best_result_.outcome != "bound" and any(pursuit.bound for pursuit in followed):
        yield "not decided: another way through the subgoals ended at a bound"
    elif followed and followed[-1].is_last:
        yield f"{counted(len(followed), 'way')} followed; others were not looked for"
