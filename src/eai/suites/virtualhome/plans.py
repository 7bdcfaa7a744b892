"""Plans in the VirtualHome world, under any set of the published evaluator's quirks."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import accumulate

from eai.abilities import Plans, unread
from eai.answers import BoundPlan, bind, read_answer
from eai.diagnosis import Condition, ErrorKind, Result, action_conditions, condition_of, unmet_goals
from eai.semantics import Semantics
from eai.simulators import Execution, VirtualHomeSimulator
from eai.suites.virtualhome.executors import HomeExecutorRules
from eai.suites.virtualhome.quirks import DYNAMICS
from eai.suites.virtualhome.reader import UNLIKE, official_plan
from eai.suites.virtualhome.tasks import NO_GOAL, answer_names, goalless_count
from eai.task import ActionGoal, Task, Vocabulary
from eai.world import Action, Trajectory


@cache
def simulator(semantics: Semantics) -> VirtualHomeSimulator:
    """Return the world under a semantics (built once)."""
    rules = HomeExecutorRules.of(semantics)
    return VirtualHomeSimulator(semantics.quirks & DYNAMICS, rules=rules)


class VirtualHomePlans(Plans):
    """Reads, runs and scores plans in VirtualHome."""

    def __init__(self, semantics: Semantics) -> None:
        super().__init__(semantics)
        self.must_execute = "success_without_execution" not in semantics

    @property
    def by_definition(self) -> bool:
        """Whether the verdict is that of the definitions."""
        return not self.semantics.quirks

    def simulator(self, task: Task) -> VirtualHomeSimulator:
        """Return the world under the semantics."""
        return simulator(self.semantics)

    def vocabulary(self, task: Task) -> Vocabulary:
        """Return the names that an answer may use."""
        return answer_names(task, self.semantics)

    def excluded(self, task: Task) -> str:
        """Return the reason why a task is not counted, or "" if it is."""
        final = task.goal.final
        # The quirk looks at the first alternative of the goal alone.
        if "multi_relation_tasks_dropped" in self.semantics and final:
            relations = {formula for kind, formula in final[0] if kind == "relation"}
            if len(relations) > 1:
                left_out = "is left out (multi_relation_tasks_dropped)"
                return f"the task has {len(relations)} relation goals and {left_out}"
        if task.goal.is_empty and not goalless_count(self.semantics):
            return NO_GOAL
        return ""

    def read(self, task: Task, answer: str) -> BoundPlan:
        """Read a plan from an answer under the given semantics."""
        vocabulary = self.vocabulary(task)
        if "pattern_reader" in self.semantics:
            return official_plan(
                answer, vocabulary, self.semantics, preferred=task.vocabulary.objects
            )
        return bind(read_answer(answer, vocabulary), vocabulary)

    def write(self, plan: Iterable[Action]) -> str:
        """Write a plan as a JSON list of steps, with objects as class and id."""
        steps = []
        for step in plan:
            entries: list[str] = []
            for name in step.arguments:
                # ``apple.12`` is the apple with the id 12; a name without a dot has no id.
                kind, _, number = name.rpartition(".")
                entries += [kind, number] if kind else [number]
            # The published pattern does not see an empty list without a blank in it.
            written = json.dumps(entries) if step.arguments else "[ ]"
            steps.append(f"{{{json.dumps(step.name.upper())}: {written}}}")
        return f"[{', '.join(steps)}]"

    def conditions(self, task: Task, execution: Execution | None) -> tuple[Condition, ...]:
        """Score the conditions of a goal under the quirks of the published evaluator.

        - ``one_relation_goal``: only the first relation that is met counts.
        - ``action_goals_sorted``: actions have to come in the order of the alphabet.
        - ``action_goals_by_text``: actions are searched in the text of the executed steps.
        """
        counts_one_relation = "one_relation_goal" in self.semantics
        sorts_actions = "action_goals_sorted" in self.semantics
        searches_text = "action_goals_by_text" in self.semantics
        has_quirk = counts_one_relation or sorts_actions or searches_text
        if execution is None or not has_quirk:
            return super().conditions(task, execution)
        trajectory = execution.trajectory
        conditions: list[Condition] = []
        has_met_relation = False
        for kind, formula in task.goal.final[0]:
            condition = condition_of(kind, formula, trajectory)
            if kind == "relation" and counts_one_relation:
                if has_met_relation:
                    condition = replace(condition, met=False, lost_by=None)
                has_met_relation = has_met_relation or condition.met
            conditions.append(condition)
        # An action that the goal has twice is scored once.
        action_goals = tuple(dict.fromkeys(task.goal.actions))
        if sorts_actions:
            action_goals = tuple(sorted(action_goals, key=str))
        if searches_text:
            return (*conditions, *_score_by_text(action_goals, trajectory))
        return (*conditions, *action_conditions(action_goals, trajectory))

    def evaluate_plan(self, task: Task, plan: BoundPlan) -> Result:
        """Evaluate a plan that was read."""
        has_usual_notation = not plan.findings and UNLIKE not in plan.notes
        is_annotated_plan = has_usual_notation and plan.actions in task.plans[:1]
        if is_annotated_plan and "gold_shortcut" in self.semantics:
            result = unread(plan, task)
            note = "equal to the annotated plan: counted as executable, not run (gold_shortcut)"
            return replace(
                result,
                executable=True,
                executed=("done",) * len(plan.actions),
                findings=unmet_goals(result.goals),
                notes=(*result.notes, note),
            )
        result = super().evaluate_plan(task, plan)
        if not any(finding.kind is ErrorKind.UNSCORABLE for finding in result.findings):
            return result
        # The published evaluator would crash at this plan, so that no goal counts as met.
        goals = tuple(replace(goal, met=False) for goal in result.goals)
        step_findings = [finding for finding in result.findings if finding.step is not None]
        return replace(
            result,
            success=False,
            executable=False,
            goals=goals,
            findings=(*step_findings, *unmet_goals(goals)),
        )


def _score_by_text(goals: tuple[ActionGoal, ...], trajectory: Trajectory) -> tuple[Condition, ...]:
    """Score action goals by finding their names in order in the text of the executed steps.

    This is the quirk ``action_goals_by_text``: a name is also found as a part of another name or of
    an object. After the first goal that is not found, no other goal is met.
    """
    lines = [_script_line(step.action) for step in trajectory.steps]
    # Where each line begins in the script, which has one blank between lines.
    line_starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    script = " ".join(lines)
    search_start = 0
    has_missing_goal = False
    conditions: list[Condition] = []
    for goal in goals:
        offset, name = _first_found(goal.names, script, search_start)
        has_missing_goal = has_missing_goal or offset < 0
        since = None
        if not has_missing_goal:
            # The next goal has to come behind this one.
            search_start = offset + len(name)
            line_index = bisect_right(line_starts, offset) - 1
            since = trajectory.steps[line_index].number
        conditions.append(Condition("action", str(goal), not has_missing_goal, since=since))
    return tuple(conditions)


def _script_line(action: Action) -> str:
    """Return an action as a line of a VirtualHome script: ``[GRAB] <apple> (12)``."""
    words = [f"[{action.name.upper()}]"]
    for name in action.arguments:
        kind, _, number = name.rpartition(".")
        words.append(f"<{kind}> ({number})")
    return " ".join(words)


def _first_found(names: Iterable[str], script: str, start: int) -> tuple[int, str]:
    """Return index and name of the first alternative in a script, or index -1."""
    for name in names:
        index = script.find(name.upper(), start)
        if index >= 0:
            return index, name
    return -1, ""
