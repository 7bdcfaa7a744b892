"""Judging subgoal decomposition in the BEHAVIOR world, under any set of quirks."""

from __future__ import annotations

from dataclasses import replace

from eai.abilities.action_sequencing import unread
from eai.abilities.answers import BoundPlan
from eai.abilities.subgoal_decomposition import judge_bound_subgoals
from eai.abilities.subgoals.branch import Branch
from eai.abilities.subgoals.choice import best_judgement, pieces
from eai.abilities.subgoals.literals import unparseable
from eai.abilities.subgoals.reader import SubgoalReading
from eai.diagnosis.goals import unmet_goals
from eai.diagnosis.judgement import Condition, Finding, Judgement
from eai.diagnosis.runtime import Run
from eai.diagnosis.taxonomy import ErrorKind
from eai.logic import format_formula
from eai.semantics import Semantics
from eai.simulators.base import Execution
from eai.suites.behavior.plans import blank_conditions, score_goal, simulator
from eai.suites.behavior.subgoal_reader import bound_subgoals, official_literals, read_entries
from eai.suites.behavior.subgoal_rules import subgoal_rules
from eai.suites.behavior.subgoal_templates import Hands, actions_for, joint_actions
from eai.task import Task
from eai.world.bits import bits

__all__ = ["judge_subgoals"]


def judge_subgoals(task: Task, answer: str | None, semantics: Semantics) -> Judgement:
    """Judge an answer to subgoal decomposition (see :class:`eai.contract.Ability`)."""
    if answer is None:
        finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
        return replace(_grammar(finding, task, semantics), status="missing")
    reading = read_entries(answer, semantics)
    if "subgoal_templates" not in semantics:
        return _searched(reading, task, semantics)
    if reading.problems:
        finding = Finding(ErrorKind.PARSING, reading.problems[0].message)
        return _grammar(finding, task, semantics)
    entries = [subgoal.text for subgoal in reading.subgoals]
    choices = pieces(entries, first_only="subgoal_alternative_drawn" in semantics)
    return best_judgement(_expanded(choice, task, semantics) for choice in choices)


def _searched(reading: SubgoalReading, task: Task, semantics: Semantics) -> Judgement:
    """The judgement on subgoals that are searched for in the world."""

    def score(task: Task, execution: Execution) -> tuple[Condition, ...]:
        return score_goal(task, execution, semantics)

    bound = bound_subgoals(reading, task, semantics)
    world, budget = simulator(semantics), semantics.budget
    judgement = judge_bound_subgoals(bound, task, world, score=score, budget=budget)
    if not bound.findings and judgement.outcome != "beyond the budget":
        return judgement
    return replace(judgement, goals=_unread_goals(task, semantics))


def _expanded(entries: tuple[str, ...], task: Task, semantics: Semantics) -> Judgement:
    """The judgement on subgoals that are expanded by templates."""
    literals = official_literals(entries, task, semantics)
    if isinstance(literals, Finding):
        return _grammar(literals, task, semantics)
    branch, rules = _begin(task, semantics), subgoal_rules(semantics)
    waiting = list(reversed(literals))
    while waiting and branch.alive:
        literal = waiting.pop()
        hands = _hands(branch)
        joint = joint_actions(literal, waiting[-1], hands) if waiting else []
        if joint:
            waiting.pop()
        actions = joint or actions_for(literal, hands)
        branch.take(actions, rules, subgoal=format_formula(literal))
    stopped = next((each for each in branch.findings if each.kind is ErrorKind.UNSCORABLE), None)
    if stopped is not None:
        # What an executor stops with ends the evaluation of the answer.
        return _grammar(unparseable(stopped.message), task, semantics)
    return _judged(branch, task, semantics)


def _begin(task: Task, semantics: Semantics) -> Branch:
    return Branch(Run(simulator(semantics).world, task.start, task.agent))


def _hands(branch: Branch) -> Hands:
    state = branch.run.state
    held = [
        state.rows[state.layout.index[hand]][state.universe.number(branch.run.agent)]
        for hand in ("holds_rh", "holds_lh")
    ]
    return Hands(*(next((state.universe.names[i] for i in bits(mask)), "") for mask in held))


def _judged(branch: Branch, task: Task, semantics: Semantics) -> Judgement:
    execution = branch.execution
    goals = score_goal(task, execution, semantics)
    met = all(goal.met for goal in goals)
    findings = tuple(branch.findings)
    if "additional_uncounted_if_unsolved" in semantics and branch.alive and not met:
        findings = tuple(replace(finding, times=0) for finding in findings)
    return Judgement(
        "judged",
        success=met and branch.alive,
        executable=branch.alive,
        plan=tuple(map(str, branch.actions)),
        executed=tuple(branch.outcomes),
        findings=(*findings, *unmet_goals(goals, execution.trajectory)),
        goals=goals,
        formula=task.goal.text,
        formula_holds=met,
    )


def _grammar(finding: Finding, task: Task, semantics: Semantics) -> Judgement:
    judgement = unread(BoundPlan((), (finding,), ()), task)
    return replace(judgement, goals=_unread_goals(task, semantics))


def _unread_goals(task: Task, semantics: Semantics) -> tuple[Condition, ...]:
    if "unread_goals_from_start" in semantics:
        return score_goal(task, _begin(task, semantics).execution, semantics)
    return blank_conditions(task, semantics)
