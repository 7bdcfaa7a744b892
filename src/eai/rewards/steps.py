"""A judgement of every step of a plan, for process reward models and dense rewards.

A step is judged by the distance to the goal before and after it, in steps of a shortest plan
(:class:`eai.planning.Distances`), and by the causal links of the plan (:func:`eai.causes`). The
semantics is ``strict``.

Where a world is too large to be grounded, the distance is at most the number of last steps of a
reference plan that lead from there to the goal, and the result says that it is a bound.

The reward of a step is a difference of potentials (Ng, Harada & Russell 1999): the potential of a
state with distance d is -min(d, 2 D) / D, where D is the distance at the start, and -2 where the
goal is lost or nothing is known. Whatever the bounds are, it is a function of the state alone: the
rewards of a way add up to the potential of its end less that of its start, so every way around a
circle earns 0, and no way earns more than 2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from math import inf
from typing import Any

from eai.abilities.plans import causes
from eai.answers import BoundPlan, PlanReading, ReadStep, bind, read_answer
from eai.contract import PLANS, Suite, refuse_without
from eai.contract.registry import given_suite
from eai.diagnosis import DomainRules, ErrorKind, Finding, Run
from eai.errors import InputError
from eai.planning import Distance, Distances, goal_of
from eai.rewards.completions import text_of
from eai.rewards.executions import FAILED, SKIPPED, Situation
from eai.rewards.progress import RememberedProgress
from eai.task import Task
from eai.world import Action

Offsets = Sequence[tuple[int, int]]
"""Begin and end of each token in the text, as a tokenizer's ``return_offsets_mapping`` gives."""

_MAX_DISTANCE = 2.0
"""Distance, in distances of the start, from which on all states have the same potential."""
MAX_PLANS = 2_000
"""Maximum number of plans of a task whose causal links are remembered."""


@dataclass(frozen=True, slots=True)
class StepReward:
    """The judgement of one step.

    Args:
        number: Its 1-based number.
        action: The step, as text.
        outcome: ``"done"``; ``"skipped"`` (it could not be done, but its effects held, and the
            suite passes over such steps); ``"failed"``; or ``"not reached"`` (a step before it
            failed).
        label: ``"shortest"`` (it is on a shortest way), ``"detour"`` (the goal can still be
            reached, but the step gains nothing), ``"dead end"`` (the step makes the goal
            unreachable), ``"lost"`` (it was so before), ``"invalid"`` (it failed), ``"not
            reached"``, or ``"unknown"`` (a distance is a bound only).
        before: Distance to the goal before the step; ``inf`` where it cannot be reached; None
            where nothing is known of it.
        after: Distance to the goal after the step.
        bound: ``"exact"`` if both are distances; ``"at least"`` or ``"at most"`` if one is only a
            bound; empty if one is not known.
        reward: The difference of potentials; 0 for a step that was not done.
        needed: Whether the goal, or the failure, rests on the step; None if it was not done, or if
            the goal speaks of time in a way that is not taken apart.
        kind: The kind of error of a failed step; empty for others.
        failed: The conditions that a failed step lacks, or what is wrong with its names.
        span: Begin and end of the step in the text, 0-based, the end excluded.
        tokens: Numbers of the first token of the step and of the first one behind it; None if no
            offsets were given.
    """

    number: int
    action: str
    outcome: str
    label: str
    before: float | None
    after: float | None
    bound: str
    reward: float
    needed: bool | None
    kind: str
    failed: tuple[str, ...]
    span: tuple[int, int]
    tokens: tuple[int, int] | None = None

    @property
    def applicable(self) -> bool | None:
        """Whether the step could be done; None if the plan did not come so far."""
        if self.outcome == "not reached":
            return None
        return self.outcome == "done"

    @property
    def keeps_goal(self) -> bool | None:
        """Whether the goal can still be reached after the step; None if that is not known."""
        if self.after is None or not self.bound:
            return None
        if self.after == inf:
            return False
        return None if self.bound == "at least" else True

    @property
    def is_shortest(self) -> bool | None:
        """Whether the step is on a shortest way to the goal; None if that is not known."""
        if self.outcome == "failed" or self.label in ("dead end", "lost"):
            return False
        if self.bound != "exact" or self.after is None or self.before is None:
            return None
        return self.after == self.before - 1

    def as_dict(self) -> dict[str, Any]:
        """Return everything as data for JSON; ``inf`` is None with ``keeps_goal`` false."""
        row = asdict(self)
        for name in ("before", "after"):
            if row[name] == inf:
                row[name] = None
        row["applicable"] = self.applicable
        row["keeps_goal"] = self.keeps_goal
        row["is_shortest"] = self.is_shortest
        return row


@dataclass(frozen=True, slots=True)
class StepRewards:
    """The judgements of the steps of one answer.

    Args:
        task: Identifier of the task.
        steps: The steps, in order; empty if no plan was read.
        problem: What could not be read of the answer; empty if all of it was.
    """

    task: str
    steps: tuple[StepReward, ...]
    problem: str = ""


class StepJudge:
    """Judges the steps of answers to the tasks of a suite; each task is prepared once.

    Args:
        suite: Name of a suite, ``module:attribute``, or a suite object.

    Raises:
        UnknownNameError: If there is no such suite, or its answers are no plans.
        InputError: If it cannot be loaded.
    """

    def __init__(self, suite: str | Suite) -> None:
        self._suite = given_suite(suite)
        refuse_without(self._suite, PLANS)
        self._tasks: dict[str, _TaskJudge] = {}

    def __call__(self, task: str, answer: object, *, offsets: Offsets | None = None) -> StepRewards:
        """Return the judgements of the steps of an answer: see :func:`step_rewards`."""
        judge = self._tasks.get(task)
        if judge is None:
            judge = _TaskJudge(self._suite.task(self._suite.canonical_id(task)))
            self._tasks[task] = judge
        return judge.judged(text_of(answer) or "", offsets)


def step_rewards(
    suite: str | Suite, task: str, answer: object, *, offsets: Offsets | None = None
) -> StepRewards:
    """Return a judgement of every step of an answer, under ``strict`` semantics.

    Args:
        suite: Name of a suite, ``module:attribute``, or a suite object; for many answers keep a
            :class:`eai.rewards.StepJudge`.
        task: Identifier of the task.
        answer: A text, or chat messages, as for :func:`eai.reward`; None for no answer.
        offsets: Begin and end of each token of the text, to know the tokens of each step.

    Returns:
        The steps, each with its distances, its label, and its place in the text.

    Raises:
        UnknownNameError: If a name is not known, or the suite's answers are no plans.
        InputError: If the answer is no text, or the task has no goal or cannot be run.
        DataMissingError: If the suite's data was not fetched.

    Example:
        The world is large, so only "at most two steps" is known at the start:

        >>> answer = '[{"WALK": ["light.34"]}, {"SWITCHON": ["light.34"]}]'
        >>> [step.label for step in step_rewards("household", "studio-01", answer).steps]
        ['unknown', 'shortest']
    """
    judge = _judge(suite) if isinstance(suite, str) else StepJudge(suite)
    return judge(task, answer, offsets=offsets)


@lru_cache(maxsize=8)
def _judge(suite: str) -> StepJudge:
    return StepJudge(suite)


@dataclass(frozen=True, slots=True)
class _Judgement:
    """The judgement of a step, without its place in the text."""

    outcome: str
    label: str
    before: Distance | None
    after: Distance | None
    kind: str = ""
    failed: tuple[str, ...] = ()


def _distances_to_goal(task: Task) -> Distances | None:
    """Return the distances of states to a task's final goal; None if the planner knows none."""
    # The planner knows no computed predicates.
    if task.world.computed or not task.goal.final:
        return None
    options = []
    for option in task.goal.final:
        options.append([formula for _, formula in option])
    return Distances.of(task.start, goal_of(options), task.agent)


def _refused_arguments(action: Action, number: int, error: InputError) -> Finding:
    """Return the error of a step whose arguments the domain does not accept."""
    kind = ErrorKind.ARGUMENT_NUMBER
    return Finding(kind, step=number, action=str(action), conditions=(str(error),))


class _TaskJudge:
    """Judges the steps of answers to one task."""

    def __init__(self, task: Task) -> None:
        task.check_agent()
        task.check_goal()
        self._task = task
        self._progress = RememberedProgress(task, graded=True)
        self._executions = self._progress.executions
        self._needed: dict[tuple[Action, ...], frozenset[int] | None] = {}
        # A goal that asks for more than the state at the end is at least as far as that state.
        is_about_path = task.goal.whole and task.goal.is_extended
        self._is_state_goal = not task.goal.actions and not is_about_path
        self._distances = _distances_to_goal(task)
        self._project: Callable[..., int] | None = None
        if self._distances is not None:
            self._project = self._distances.projection(task.start)
        start = self._distance(self._executions.start)
        self._scale = 1.0
        if start is not None and 0 < start.steps < inf:
            self._scale = start.steps

    def judged(self, answer: str, offsets: Offsets | None) -> StepRewards:
        """Return the judgements of the steps of an answer.

        Args:
            answer: The answer.
            offsets: Where the tokens of the answer begin and end, to name those of each step.
        """
        vocabulary = self._task.readable
        reading = read_answer(answer, vocabulary)
        plan = bind(reading, vocabulary)
        written, findings = _written(reading, plan)
        problem = ""
        if None in findings and findings[None].kind is ErrorKind.PARSING:
            problem = findings[None].message
        judgements = self._judge_steps(written, findings)
        # Only what was done can be needed: the goal rests on steps before the first failed one.
        done: list[Action] = []
        for action, judgement in zip(written, judgements, strict=True):
            if judgement.outcome in ("failed", "not reached"):
                break
            done.append(action)
        needed = self._needed_steps(tuple(done))
        spans = step_spans(answer, reading.steps)
        steps: list[StepReward] = []
        judged_steps = zip(written, judgements, spans, strict=True)
        for number, (action, judgement, span) in enumerate(judged_steps, start=1):
            is_needed = None
            if needed is not None and number <= len(done):
                is_needed = number in needed
            steps.append(self._reward_of_step(number, action, judgement, is_needed, span))
        if offsets is not None:
            steps = [replace(step, tokens=_tokens(step.span, offsets)) for step in steps]
        return StepRewards(self._task.id, tuple(steps), problem)

    def _reward_of_step(
        self,
        number: int,
        action: Action,
        judgement: _Judgement,
        is_needed: bool | None,
        span: tuple[int, int],
    ) -> StepReward:
        """Return the judgement of a step as callers see it, with its reward.

        Args:
            number: Its 1-based number.
            action: The step.
            judgement: Its outcome, and the distances before and after it.
            is_needed: Whether the goal rests on it; None if that is not known.
            span: Begin and end in the text.
        """
        before = judgement.before
        after = judgement.after
        # Shaping by a potential: the rewards of all steps add up to the difference between the
        # end and the start, so they do not change which plan is best (Ng, Harada & Russell 1999).
        reward = 0.0
        if judgement.outcome == "done":
            reward = self._potential(after) - self._potential(before)
        return StepReward(
            number,
            str(action),
            judgement.outcome,
            judgement.label,
            None if before is None else before.steps,
            None if after is None else after.steps,
            _joint_bound(before, after),
            reward,
            is_needed,
            judgement.kind,
            judgement.failed,
            span,
        )

    def _potential(self, distance: Distance | None) -> float:
        """Return the potential of a state by its distance: from -2 to 0, -1 as far as the start."""
        if distance is None:
            return -_MAX_DISTANCE
        return -min(distance.steps / self._scale, _MAX_DISTANCE)

    def _distance(self, situation: Situation) -> Distance | None:
        """Return the distance of a situation; None if nothing is known of it."""
        if situation.distance is None:
            situation.distance = self._measure_distance(situation)
        return situation.distance

    def _measure_distance(self, situation: Situation) -> Distance | None:
        """Return what :meth:`_distance` returns, worked out anew.

        The distance in the ground task is exact if the goal is about the state at the end alone;
        else the end of a reference plan that leads on to the goal gives an upper bound.
        """
        if self._executions.is_goal(situation):
            return Distance(0)
        least: Distance | None = None
        if self._distances is not None and self._project is not None:
            state = self._executions.state(situation)
            least = self._distances.distance(self._project(state))
            # The state at the end may be one demand of several: a lower bound then.
            if least.steps == inf or (self._is_state_goal and least.is_exact):
                return least
        most = self._progress.remaining_from(situation)
        if most is not None:
            return Distance(most, "exact" if most == 1 else "at most")
        return None if least is None else Distance(max(least.steps, 1), "at least")

    def _judge_steps(
        self, actions: Sequence[Action], findings: dict[int | None, Finding]
    ) -> list[_Judgement]:
        """Return a judgement of each step; those behind the first failed one are not reached.

        Args:
            actions: The steps.
            findings: The errors in the names of steps, by 1-based number.
        """
        situation = self._executions.start
        judgements: list[_Judgement] = []
        for number, action in enumerate(actions, start=1):
            before = self._distance(situation)
            finding = findings.get(number)
            following: Situation | int = FAILED
            if finding is None:
                try:
                    following = self._executions.follow(situation, self._executions.number(action))
                except InputError as error:
                    finding = _refused_arguments(action, number, error)
            if isinstance(following, Situation):
                situation = following
                after = self._distance(situation)
                judgements.append(_Judgement("done", _label(before, after), before, after))
            elif following == SKIPPED:
                label = _label_of_skipped(before)
                judgements.append(_Judgement("skipped", label, before, before))
            else:
                finding = finding or self._failure(situation, action, number)
                reasons = tuple(finding.conditions or (finding.message,))
                kind = str(finding.kind)
                judgements.append(_Judgement("failed", "invalid", before, before, kind, reasons))
                # An execution ends with its first failed step; the steps behind it are added below.
                break
        not_reached = _Judgement("not reached", "not reached", None, None)
        return judgements + [not_reached] * (len(actions) - len(judgements))

    def _failure(self, situation: Situation, action: Action, number: int) -> Finding:
        """Return the finding about a step that fails in a situation."""
        task = self._task
        run = Run(task.world, task.start.begin(), task.agent)
        rules = DomainRules(skip=task.skips)
        for place, step in enumerate(self._executions.steps(situation), start=1):
            rules.take(run, step.action, place)
        _, finding = rules.take(run, action, number)
        assert finding is not None  # noqa: S101 - the step failed in the same state before
        return finding

    def _needed_steps(self, done: tuple[Action, ...]) -> frozenset[int] | None:
        """Return the numbers of the steps on which the goal rests; None if that is not known."""
        if done not in self._needed:
            if len(self._needed) >= MAX_PLANS:
                self._needed = {}
            self._needed[done] = self._find_needed_steps(done)
        return self._needed[done]

    def _find_needed_steps(self, done: tuple[Action, ...]) -> frozenset[int] | None:
        """Return what :meth:`_needed_steps` returns, worked out anew."""
        try:
            analysis = causes(self._task, done)
        except InputError:  # a goal about time that is not taken apart
            return None
        if analysis.fixed:
            return None
        return frozenset(range(1, len(done) + 1)).difference(analysis.idle)


def _joint_bound(before: Distance | None, after: Distance | None) -> str:
    """Return whether two distances are exact, or the bound that one of them is."""
    if before is None or after is None:
        return ""
    return before.bound if after.is_exact else after.bound


def _label_of_skipped(distance: Distance | None) -> str:
    """Return the label of a step that was passed over: nothing changes, so nothing is gained."""
    if distance is None:
        return "unknown"
    if distance.steps == inf:
        return "lost"
    return "detour" if distance.is_exact else "unknown"


def _label(before: Distance | None, after: Distance | None) -> str:
    """Return the label of a step that was done."""
    if before is None or after is None:
        return "unknown"
    if before.steps == inf:
        return "lost"
    if after.steps == inf:
        return "dead end"
    if not (before.is_exact and after.is_exact):
        return "unknown"
    return "shortest" if after.steps == before.steps - 1 else "detour"


def _written(
    reading: PlanReading, plan: BoundPlan
) -> tuple[list[Action], dict[int | None, Finding]]:
    """Return the steps of an answer, and the findings about those whose names are wrong.

    From the first wrong one on, which ends the plan, steps are as they are written: of many wrong
    ones not all are in the findings, so that it is not known which action belongs to which step.
    """
    findings: dict[int | None, Finding] = {}
    for finding in plan.findings:
        findings.setdefault(finding.step, finding)
    known = iter(plan.actions)
    written: list[Action] = []
    is_wrong = False
    for number, step in enumerate(reading.steps, start=1):
        is_wrong = is_wrong or number in findings
        if is_wrong:
            written.append(Action(step.name.lower(), tuple(step.arguments)))
        else:
            written.append(next(known))
    return written, findings


_CLOSING = {")": "(", "]": "[", "}": "{", ">": "<"}


def step_spans(text: str, steps: Sequence[ReadStep]) -> list[tuple[int, int]]:
    """Return begin and end of each step in a text.

    A step begins where its reading says, and ends behind the last of its names, with the quotes
    and the closing brackets that belong to it; it never reaches into the next step.
    """
    spans = []
    for number, step in enumerate(steps):
        limit = len(text)
        if number + 1 < len(steps) and steps[number + 1].position > step.position:
            limit = steps[number + 1].position
        segment = text[step.position : limit]
        end = 0
        for word in (step.name, *step.arguments):
            end = _end_of_name(segment.lower(), word.lower(), end)
        if end == 0:  # written in other words: the rest of its line
            end = len(segment.split("\n", 1)[0].rstrip())
        spans.append((step.position, step.position + _closed(segment, end)))
    return spans


def _end_of_name(segment: str, name: str, begin: int) -> int:
    """Return the offset behind a name; where to look for it from if it is not there.

    A name and its number may be written apart: ``<light> (34)``.
    """
    if name in segment[begin:]:
        return segment.index(name, begin) + len(name)
    end = begin
    for part in name.rsplit(".", 1):
        place = segment.find(part, end)
        if place < 0:
            return begin
        end = place + len(part)
    return end


def _closed(segment: str, end: int) -> int:
    """Return the end of a step behind its last name, with what closes there."""
    opened = list(segment[:end])
    while end < len(segment):
        sign = segment[end]
        if sign in _CLOSING and opened.count(_CLOSING[sign]) <= opened.count(sign):
            break
        if sign not in _CLOSING and sign not in "\"'`":
            break
        opened.append(sign)
        end += 1
    return end


def _tokens(span: tuple[int, int], offsets: Offsets) -> tuple[int, int]:
    """Return the numbers of the first token that touches a span and of the first one behind it."""
    begin, end = span
    touching = [n for n, (first, last) in enumerate(offsets) if first < end and last > begin]
    return (touching[0], touching[-1] + 1) if touching else (0, 0)
