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
        """Load the suite; its tasks are prepared when they first occur."""
        self._suite = given_suite(suite)
        refuse_without(self._suite, PLANS)
        self._tasks: dict[str, _TaskJudge] = {}

    def __call__(self, task: str, answer: object, *, offsets: Offsets | None = None) -> StepRewards:
        """Return the judgements of the steps of an answer: see :func:`step_rewards`."""
        judge = self._tasks.get(task)
        if judge is None:
            judge = _TaskJudge(self._suite.task(self._suite.canonical_id(task)))
            self._tasks[task] = judge
        return judge.judge_answer(text_of(answer) or "", offsets)


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
    judge = _cached_judge(suite) if isinstance(suite, str) else StepJudge(suite)
    return judge(task, answer, offsets=offsets)


@lru_cache(maxsize=8)
def _cached_judge(suite: str) -> StepJudge:
    """Return the judge of a suite, made once for each name."""
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
        """Prepare executions and distances; rewards are scaled by the distance of the start."""
        task.check_agent()
        task.check_goal()
        self._task = task
        self._progress = RememberedProgress(task, graded=True)
        self._executions = self._progress.executions
        self._needed: dict[tuple[Action, ...], frozenset[int] | None] = {}
        # Other goals also ask for actions or for a path, which the final state does not show.
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

    def judge_answer(self, answer: str, offsets: Offsets | None) -> StepRewards:
        """Return the judgements of the steps of an answer.

        Args:
            answer: The answer.
            offsets: Begin and end of each token of the answer; None if tokens are not asked for.
        """
        vocabulary = self._task.readable
        reading = read_answer(answer, vocabulary)
        plan = bind(reading, vocabulary)
        actions, findings = _steps_with_findings(reading, plan)
        problem = ""
        if None in findings and findings[None].kind is ErrorKind.PARSING:
            problem = findings[None].message
        judgements = self._judge_steps(actions, findings)
        # Only executed steps can be needed for the goal: those before the first failed one.
        executed_actions: list[Action] = []
        for action, judgement in zip(actions, judgements, strict=True):
            if judgement.outcome in ("failed", "not reached"):
                break
            executed_actions.append(action)
        needed_steps = self._find_needed_steps(tuple(executed_actions))
        spans = step_spans(answer, reading.steps)
        steps: list[StepReward] = []
        judged_steps = zip(actions, judgements, spans, strict=True)
        for step_number, (action, judgement, span) in enumerate(judged_steps, start=1):
            is_needed = None
            if needed_steps is not None and step_number <= len(executed_actions):
                is_needed = step_number in needed_steps
            steps.append(self._reward_of_step(step_number, action, judgement, is_needed, span))
        if offsets is not None:
            steps = [replace(step, tokens=_token_range(step.span, offsets)) for step in steps]
        return StepRewards(self._task.id, tuple(steps), problem)

    def _reward_of_step(
        self,
        step_number: int,
        action: Action,
        judgement: _Judgement,
        is_needed: bool | None,
        span: tuple[int, int],
    ) -> StepReward:
        """Return the public form of the judgement of a step, with the reward of the step.

        Args:
            step_number: The 1-based number of the step.
            action: The step.
            judgement: The outcome, and the distances from the goal before and after the step.
            is_needed: Whether the goal rests on the step; None if that is not known.
            span: Begin and end of the step in the text.
        """
        distance_before = judgement.before
        distance_after = judgement.after
        # Shaping by a potential: the rewards of all steps add up to the difference between the
        # end and the start, so they do not change which plan is best (Ng, Harada & Russell 1999).
        reward = 0.0
        if judgement.outcome == "done":
            reward = self._potential(distance_after) - self._potential(distance_before)
        return StepReward(
            step_number,
            str(action),
            judgement.outcome,
            judgement.label,
            None if distance_before is None else distance_before.steps,
            None if distance_after is None else distance_after.steps,
            _joint_bound(distance_before, distance_after),
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
        """Measure the distance of a situation from the goal; None if nothing is known of it.

        The distance in the ground task is exact if the goal is about the state at the end alone.
        Otherwise a reference plan that ends in the goal from here gives an upper bound.
        """
        if self._executions.is_goal(situation):
            return Distance(0)
        lower_bound: Distance | None = None
        if self._distances is not None and self._project is not None:
            state = self._executions.state_of(situation)
            lower_bound = self._distances.distance(self._project(state))
            # If the goal also demands something else, the distance is only a lower bound.
            if lower_bound.steps == inf or (self._is_state_goal and lower_bound.is_exact):
                return lower_bound
        reference_steps = self._progress.remaining_from(situation)
        if reference_steps is not None:
            return Distance(reference_steps, "exact" if reference_steps == 1 else "at most")
        if lower_bound is None:
            return None
        return Distance(max(lower_bound.steps, 1), "at least")

    def _judge_steps(
        self, actions: Sequence[Action], findings: dict[int | None, Finding]
    ) -> list[_Judgement]:
        """Return a judgement of each step; those after the first failed one are not reached.

        Args:
            actions: The steps.
            findings: The errors in the names of steps, by 1-based number.
        """
        situation = self._executions.start
        judgements: list[_Judgement] = []
        for step_number, action in enumerate(actions, start=1):
            distance_before = self._distance(situation)
            finding = findings.get(step_number)
            successor: Situation | str = FAILED
            if finding is None:
                try:
                    successor = self._executions.follow(
                        situation, self._executions.action_id(action)
                    )
                except InputError as error:
                    finding = _refused_arguments(action, step_number, error)
            if isinstance(successor, Situation):
                situation = successor
                distance_after = self._distance(situation)
                label = _label_of_step(distance_before, distance_after)
                judgements.append(_Judgement("done", label, distance_before, distance_after))
            elif successor == SKIPPED:
                label = _label_of_skipped(distance_before)
                judgements.append(_Judgement("skipped", label, distance_before, distance_before))
            else:
                finding = finding or self._find_failure(situation, action, step_number)
                reasons = tuple(finding.conditions or (finding.message,))
                kind = str(finding.kind)
                judgements.append(
                    _Judgement("failed", "invalid", distance_before, distance_before, kind, reasons)
                )
                break
        # An execution ends with its first failed step, so the later steps are not reached.
        not_reached = _Judgement("not reached", "not reached", None, None)
        return judgements + [not_reached] * (len(actions) - len(judgements))

    def _find_failure(self, situation: Situation, action: Action, step_number: int) -> Finding:
        """Return the finding about a step that fails in a situation."""
        task = self._task
        run = Run(task.world, task.start.begin(), task.agent)
        rules = DomainRules(skip=task.skips)
        for earlier_number, step in enumerate(self._executions.steps_to(situation), start=1):
            rules.take(run, step.action, earlier_number)
        _, finding = rules.take(run, action, step_number)
        assert finding is not None  # noqa: S101 - the step failed in the same state before
        return finding

    def _find_needed_steps(self, executed_actions: tuple[Action, ...]) -> frozenset[int] | None:
        """Return the numbers of the steps on which the goal rests; None if that is not known."""
        if executed_actions not in self._needed:
            if len(self._needed) >= MAX_PLANS:
                self._needed = {}
            self._needed[executed_actions] = self._analyse_needed_steps(executed_actions)
        return self._needed[executed_actions]

    def _analyse_needed_steps(self, executed_actions: tuple[Action, ...]) -> frozenset[int] | None:
        """Return the numbers of the steps on which the goal rests, by a causal analysis.

        Returns:
            None if the goal speaks of time, or of rules, in a way that has no causal analysis.
        """
        try:
            analysis = causes(self._task, executed_actions)
        except InputError:  # a goal about time that is not taken apart
            return None
        if analysis.fixed:
            return None
        return frozenset(range(1, len(executed_actions) + 1)).difference(analysis.idle)


def _joint_bound(distance_before: Distance | None, distance_after: Distance | None) -> str:
    """Return the bound of two distances together: exact only if both are; empty if unknown."""
    if distance_before is None or distance_after is None:
        return ""
    return distance_before.bound if distance_after.is_exact else distance_after.bound


def _label_of_skipped(distance: Distance | None) -> str:
    """Return the label of a skipped step, which changes nothing."""
    if distance is None:
        return "unknown"
    if distance.steps == inf:
        return "lost"
    return "detour" if distance.is_exact else "unknown"


def _label_of_step(distance_before: Distance | None, distance_after: Distance | None) -> str:
    """Return the label of a step that was done."""
    if distance_before is None or distance_after is None:
        return "unknown"
    if distance_before.steps == inf:
        return "lost"
    if distance_after.steps == inf:
        return "dead end"
    if not (distance_before.is_exact and distance_after.is_exact):
        return "unknown"
    return "shortest" if distance_after.steps == distance_before.steps - 1 else "detour"


def _steps_with_findings(
    reading: PlanReading, plan: BoundPlan
) -> tuple[list[Action], dict[int | None, Finding]]:
    """Return the steps of an answer, and the findings about its steps by their 1-based numbers.

    The first step with a wrong name ends the plan. From it on steps are returned as the answer
    spells them, since the bound plan does not say which action belongs to which step there.
    """
    findings: dict[int | None, Finding] = {}
    for finding in plan.findings:
        findings.setdefault(finding.step, finding)
    bound_actions = iter(plan.actions)
    actions: list[Action] = []
    has_wrong_name = False
    for step_number, step in enumerate(reading.steps, start=1):
        has_wrong_name = has_wrong_name or step_number in findings
        if has_wrong_name:
            actions.append(Action(step.name.lower(), tuple(step.arguments)))
        else:
            actions.append(next(bound_actions))
    return actions, findings


_CLOSING = {")": "(", "]": "[", "}": "{", ">": "<"}


def step_spans(text: str, steps: Sequence[ReadStep]) -> list[tuple[int, int]]:
    """Return begin and end of each step in a text.

    A step begins at its position and ends after its last name, with the quotes and brackets that
    close there: ``WALK(light.34)`` includes ``)``. It never reaches into the next step.
    """
    spans = []
    for step_index, step in enumerate(steps):
        segment_end = len(text)
        if step_index + 1 < len(steps) and steps[step_index + 1].position > step.position:
            segment_end = steps[step_index + 1].position
        segment = text[step.position : segment_end]
        end = 0
        for word in (step.name, *step.arguments):
            end = _end_of_name(segment.lower(), word.lower(), end)
        if end == 0:
            # The step does not spell its names, so it takes its whole line.
            end = len(segment.split("\n", 1)[0].rstrip())
        spans.append((step.position, step.position + _end_with_closing_signs(segment, end)))
    return spans


def _end_of_name(segment: str, name: str, begin: int) -> int:
    """Return the offset after a name in a segment, or ``begin`` if the name is not there.

    A name and its number may be written apart: ``<light> (34)``.
    """
    if name in segment[begin:]:
        return segment.index(name, begin) + len(name)
    end = begin
    for name_part in name.rsplit(".", 1):
        offset = segment.find(name_part, end)
        if offset < 0:
            return begin
        end = offset + len(name_part)
    return end


def _end_with_closing_signs(segment: str, end: int) -> int:
    """Return the end of a step, including closing brackets and quotes after its last name.

    Args:
        segment: The text from the begin of the step on.
        end: Offset after the last name of the step.
    """
    signs_before = list(segment[:end])
    while end < len(segment):
        sign = segment[end]
        if sign in _CLOSING and signs_before.count(_CLOSING[sign]) <= signs_before.count(sign):
            break
        if sign not in _CLOSING and sign not in "\"'`":
            break
        signs_before.append(sign)
        end += 1
    return end


def _token_range(span: tuple[int, int], offsets: Offsets) -> tuple[int, int]:
    """Return the range of tokens that overlap a span, as begin and end indices; (0, 0) if none."""
    begin, end = span
    overlapping = []
    for token_index, (token_begin, token_end) in enumerate(offsets):
        if token_begin < end and token_end > begin:
            overlapping.append(token_index)
    if not overlapping:
        return 0, 0
    return overlapping[0], overlapping[-1] + 1
