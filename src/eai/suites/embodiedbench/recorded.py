"""Recorded episodes: what a log says, what follows from it, and where the two differ.

``official`` believes the log, as the published evaluator does; ``strict`` evaluates what was done:
distances of EB-Navigation, and the actions taken again in the symbolic worlds of EB-ALFRED and
EB-Habitat, in which the recorded feedback says what was done and what was not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Union, cast

from eai.acting import (
    Episode,
    EpisodeRules,
    RecordedEpisode,
    RecordedStep,
    Reply,
    Turn,
    evaluate_episode,
    recorded_episode,
)
from eai.contract import Suite
from eai.diagnosis import Condition, ErrorKind, Finding, GoalStatus, Measure, Result
from eai.errors import InputError
from eai.semantics import Semantics
from eai.simulators import Observation, StepResult
from eai.suites.embodiedbench import habitat, navigation
from eai.suites.embodiedbench.failures import EpisodeFailure, groups_of, measures
from eai.suites.embodiedbench.manipulation import lint_plan, listed_objects
from eai.suites.embodiedbench.skills import (
    ALFRED,
    EMPTY_PLAN,
    HABITAT,
    MANIPULATION,
    NAVIGATION,
    UNKNOWN,
    Output,
    read_feedback,
    read_output,
    skill_named,
    skills,
)
from eai.task import Task
from eai.world import Action

if TYPE_CHECKING:
    from eai.suites.embodiedbench.acting import SkillEnvironment

ACTED = (ALFRED, HABITAT)
"""The environments with a symbolic world."""
KINDS = {
    **dict.fromkeys(("simulator", "blocked", "unreachable", UNKNOWN), ErrorKind.UNSCORABLE),
    "absent": ErrorKind.OBJECT_HALLUCINATION,
    "state_or_far": ErrorKind.MISSING_STEP,
    EMPTY_PLAN: ErrorKind.PARSING,
}
"""Kind of failure in the feedback to the kind of error."""


FALLBACK = "invalid json, random action"
"""Text that the evaluator of EB-Navigation logs for an answer that it cannot parse."""
OUTSIDE = "outside"
"""The code of an action whose number is that of no skill."""


@dataclass(frozen=True)
class EpisodeLog:
    """A recorded episode of one environment."""

    environment: str
    record: RecordedEpisode

    def check(self) -> EpisodeLog:
        """Return the episode itself, if it is one of the environment.

        Raises:
            InputError: If its metadata or its actions show that it is of a different environment.
        """
        about = self.record.metadata
        where = str(about.get("file", ""))
        expected = f"a run of {self.environment}"
        stated = str(about.get("environment") or self.environment)
        if stated != self.environment:
            raise InputError(f"this is a run of {stated}", where=where, expected=expected)
        # Without such metadata, the names of the actions show the environment.
        actions = [step.action for step in self.record.steps if step.action]
        if actions and not any(self._is_action(action) for action in actions):
            raise InputError("this is a run of something else", where=where, expected=expected)
        return self

    def _is_action(self, words: str) -> bool:
        """Whether some words are an action of the environment."""
        if self.environment == MANIPULATION:
            return words.startswith("[")  # a pose in seven numbers: "[62, 45, 17, 0, 60, 90, 1]"
        return skill_named(self.environment, words) is not None

    @cached_property
    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Rows of the log, one for each turn, with the fields that the record does not hold."""
        return self.record.metadata.get("rows") or [{}] * len(self.record.steps)

    @property
    def final(self) -> Mapping[str, Any]:
        """The file of results."""
        return self.record.metadata.get("final") or {}

    @property
    def flag(self) -> bool:
        """Whether the log says that it was solved."""
        return bool(self.final.get("task_success", self.record.success))

    @property
    def done(self) -> list[tuple[str, bool]]:
        """Words of each step, and whether it was done."""
        return [(step.action, bool(step.success)) for step in self.record.steps]

    @cached_property
    def distances(self) -> list[float | None]:
        """Distance to the target after each turn, where one is recorded."""
        distances: list[float | None] = []
        for row in self.rows:
            distance = row.get("distance")
            if isinstance(distance, (int, float)):
                distances.append(float(distance))
            else:
                distances.append(None)
        return distances

    @cached_property
    def sources(self) -> list[str]:
        """The chooser of each turn's action: ``"model"``, ``"random"`` or ``"outside"``.

        ``"random"`` is the evaluator, which draws an action if it cannot read the answer or if the
        plan is empty. ``"outside"`` is the environment, which replaces the number of an unknown
        skill. Answers in prose are the model's.
        """
        sources: list[str] = []
        # Only the first row of a plan has the answer; later rows count their position in the plan.
        output = Output()
        position = 0
        is_fallback = False
        for step in self.record.steps:
            if step.text:
                output = read_output(step.text)
                position = 0
                is_fallback = FALLBACK in step.text and not output.plan
            else:
                position += 1
            if is_fallback or (output.status == EMPTY_PLAN and step.action):
                sources.append("random")
            elif step.code == OUTSIDE or self._is_outside(output, position):
                sources.append(OUTSIDE)
            else:
                sources.append("model")
        return sources

    def _is_outside(self, output: Output, position: int) -> bool:
        """Return whether the number at a position of a plan belongs to no skill."""
        count = len(skills(self.environment))
        if not count or position >= len(output.plan):
            return False
        number = output.plan[position][0]
        return isinstance(number, int) and not 0 <= number < count

    @cached_property
    def stale(self) -> list[bool]:
        """Whether each step followed a failed step of the same answer.

        The outcomes ``done, failed, done`` of one answer give ``False, False, True``.
        """
        stale: list[bool] = []
        # An answer is known by its number: the steps of one plan share it.
        failed_answer: int | None = None  # the answer that is acted on, if a step of it failed
        for step in self.record.steps:
            if step.answered != failed_answer:
                failed_answer = None
            stale.append(failed_answer is not None)
            if not step.success:
                failed_answer = step.answered
        return stale

    def misfit(self, task_id: str) -> float:
        """Return by how many metres the distances deviate from a task of EB-Navigation."""
        moves = []
        for step, row, distance in zip(self.record.steps, self.rows, self.distances, strict=False):
            skill = skill_named(NAVIGATION, step.action)
            # Words count more than the number, which versions count otherwise.
            number = skill.id if skill else row.get("action_id")
            if not isinstance(number, int):
                number = -1
            moves.append((number, bool(step.success), distance))
        return navigation.misfit(navigation.records()[task_id], moves)


@dataclass(frozen=True)
class _RepeatedEpisode:
    """A recorded episode after its steps were repeated in the symbolic world.

    Args:
        episode: The episode.
        solved: Whether its actions reach the goal; None if that cannot be told.
        notes: Notes on the record.
        failures: Failures that the episode alone does not show.
    """

    episode: Episode
    solved: bool | None
    notes: Sequence[str]
    failures: Sequence[EpisodeFailure]


def follow_record(
    suite: Suite, task: Task, record: RecordedEpisode, semantics: Semantics
) -> Episode:
    """Return a recorded episode as an :class:`Episode`.

    Raises:
        InputError: If it is none of this environment.
    """
    return _follow(suite, task, EpisodeLog(suite.name, record).check(), semantics).episode


def _code(log: EpisodeLog, step: RecordedStep) -> str:
    """Return the code of the reason why a step failed, or "" if it succeeded."""
    if not step.action and step.code == EMPTY_PLAN:
        return EMPTY_PLAN
    if not step.action:
        return ErrorKind.PARSING.value
    if step.success:
        return ""
    feedback = read_feedback(log.environment, step.feedback)
    return feedback.fault or feedback.key


def _recorded_outcomes(steps: Sequence[RecordedStep], rules: EpisodeRules) -> list[bool | None]:
    """Return for each action that the environment will take whether it succeeded in the record."""
    outcomes: list[bool | None] = []
    for step in steps:
        # The environment only takes actions that can be read, so only these have outcomes.
        if step.action and rules.read(f"Action: {step.action}").action:
            outcomes.append(step.success)
    return outcomes


def _follow(suite: Suite, task: Task, log: EpisodeLog, semantics: Semantics) -> _RepeatedEpisode:
    """Repeat the actions of a record in the symbolic world, where there is one.

    Whether a step was done comes from the record, not from the world: the real simulator may have
    refused what the symbolic one allows. The world adds what follows from it, such as the goal.

    Args:
        suite: The suite.
        task: The task.
        log: The recorded episode.
        semantics: The semantics of the environment.
    """
    if suite.name not in ACTED:
        return _episode_as_logged(task, log, semantics)
    environment = cast("SkillEnvironment", suite.environment(task, semantics))
    rules = suite.episode_rules(task, semantics)
    steps = log.record.steps
    environment.follow(_recorded_outcomes(steps, rules))
    episode = recorded_episode(environment, log.record, rules=rules, task=task)
    turns: list[Turn] = []
    for turn, step in zip(episode.turns, steps, strict=True):
        turns.append(_with_recorded_feedback(turn, step, log))
    last_goal = episode.goal
    if turns and turns[-1].goal:
        last_goal = turns[-1].goal
    episode = replace(episode, turns=tuple(turns), goal=last_goal)
    notes = [*environment.findings]
    feedback = [read_feedback(suite.name, step.feedback) for step in steps if step.action]
    n_unknown = sum(text.key == UNKNOWN for text in feedback)
    if n_unknown:
        notes.append(f"{n_unknown} texts of feedback are not known")
    failures = tuple(environment.failures(solved=last_goal.reached))
    # Without a step the actions prove nothing, and the flag in the log decides.
    is_solved = last_goal.reached if steps else None
    return _RepeatedEpisode(episode, is_solved, notes, failures)


def _with_recorded_feedback(turn: Turn, step: RecordedStep, log: EpisodeLog) -> Turn:
    """Return a turn with the record's feedback and failure code.

    Args:
        turn: The turn as the symbolic world has it.
        step: The step of the record.
        log: The log.
    """
    # The world's own reason counts most; where it sees no problem, the feedback has the reason.
    code = turn.code if step.action else ""
    if not code and not turn.success:
        code = _code(log, step)
    result = replace(turn.result, code=code, message=step.feedback or turn.result.message)
    return replace(turn, result=result)


def _episode_as_logged(task: Task, log: EpisodeLog, semantics: Semantics) -> _RepeatedEpisode:
    """Return the episode as logged, for an environment without a symbolic world.

    Args:
        task: The task.
        log: The recorded episode.
        semantics: Decides which rows count, and whether a lucky random action does.
    """
    # Some semantics leave rows out, and a note says how many.
    rows, notes = _counted_rows(log, semantics)
    turns = [_turn(log, number, *row) for number, row in enumerate(rows, start=1)]
    last_goal = GoalStatus(False)
    if turns and turns[-1].goal:
        last_goal = turns[-1].goal
    failures: list[EpisodeFailure] = []
    if log.environment == NAVIGATION:
        misfit = log.misfit(task.id)
        if misfit > navigation.EXACT:
            notes.append(f"its distances do not fit this task: they differ by up to {misfit:.3f} m")
    else:
        failures += _failures_of_plans(log)
    is_solved: bool | None = None  # the flag in the log decides
    if _is_decided_by_rows(log, len(rows)):
        is_solved = last_goal.reached
    if _is_solved_by_chance(log, turns, last_goal):
        failures.append(EpisodeFailure("random_fallback", "a random action solved it", len(turns)))
        if "random_fallback" not in semantics:
            is_solved = False
    end = "success" if last_goal.reached else "no_more_answers"
    episode = Episode(task.id, Observation(), tuple(turns), end, last_goal)
    return _RepeatedEpisode(episode, is_solved, notes, failures)


def _is_solved_by_chance(log: EpisodeLog, turns: Sequence[Turn], goal: GoalStatus) -> bool:
    """Whether the action of the last turn, which reached the goal, was not the model's."""
    if not turns or not log.flag or not goal.reached:
        return False
    return log.sources[len(turns) - 1] != "model"


def _is_decided_by_rows(log: EpisodeLog, counted_rows: int) -> bool:
    """Return whether the rows of a log show if the goal is reached, whatever its flag says.

    Distances show it, and steps that do not count change the end.
    """
    if counted_rows < len(log.record.steps):
        return True
    if log.environment != NAVIGATION:
        return False
    return any(distance is not None for distance in log.distances)


_LogRow = tuple[RecordedStep, Mapping[str, Any], Union[float, None]]
"""A step, its row in the log, and the distance to the target after it, in metres."""


def _counted_rows(log: EpisodeLog, semantics: Semantics) -> tuple[list[_LogRow], list[str]]:
    """Return the rows that count under the semantics, and notes on the others."""
    rows: list[_LogRow] = list(zip(log.record.steps, log.rows, log.distances, strict=False))
    if log.environment == NAVIGATION:
        if "id_range_2025" not in semantics or OUTSIDE not in log.sources:
            return rows, []
        # The evaluator of 2025 stopped at the first number that is no skill's.
        end = log.sources.index(OUTSIDE)
        note = f"an action id out of range ends the episode: {len(rows) - end} steps left out"
        return rows[:end], [note]
    if "failed_action_goes_on" in semantics or not any(log.stale):
        return rows, []
    counted = [row for row, is_stale in zip(rows, log.stale, strict=False) if not is_stale]
    note = f"{sum(log.stale)} steps after a failed one of the same answer are left out"
    return counted, [note]


def _turn(
    log: EpisodeLog,
    number: int,
    step: RecordedStep,
    row: Mapping[str, Any],
    distance: float | None,
) -> Turn:
    """Return a row of a log as a turn, with the goal status that its distance or flag tells.

    Args:
        log: The log.
        number: Number of the turn.
        step: The step of the record.
        row: Its row in the log.
        distance: Distance to the target after the step in metres; None if it is not recorded.
    """
    # The part of the goal that a log shows, as one condition.
    condition = "the success sensors detect the goal"
    if log.environment == NAVIGATION:
        condition = "the target is within 1 m"
    is_met = bool(row.get("task_success"))
    if distance is not None:
        is_met = distance <= navigation.NEAR
    goal = GoalStatus.of((Condition("state", condition, is_met),))
    reply = Reply(Action(step.action) if step.action else None, step.action)
    result = StepResult(bool(step.success), Observation(), _code(log, step), step.feedback)
    return Turn(number, step.text, reply, result, step.answered, goal)


def _failures_of_plans(log: EpisodeLog) -> Iterator[EpisodeFailure]:
    """Yield the failures that the numbers in the plans of EB-Manipulation reveal."""
    outputs = str(log.record.metadata.get("planner", ""))
    objects = listed_objects(outputs or str(log.record.metadata.get("input", "")))
    for text in (*(step.text for step in log.record.steps), outputs):
        if text:
            plan = [pose for pose, _ in read_output(text).plan if isinstance(pose, tuple)]
            yield from lint_plan(plan, objects)


# ------------------------------------------------------------------ scores


def evaluate(suite: Suite, task: Task, answer: str | None, semantics: Semantics) -> Result:
    """Evaluate a recorded episode, or a missing one (None).

    Args:
        suite: The suite.
        task: The task.
        answer: The record as JSON; None if it is missing.
        semantics: The semantics.
    """
    groups = groups_of(task)
    if answer is None:
        return _missing(semantics, groups)
    try:
        log = EpisodeLog(suite.name, RecordedEpisode.from_json(answer)).check()
        run = _follow(suite, task, log, semantics)
    except InputError as error:
        text = " ".join(str(error).split())
        return Result("excluded", notes=(f"not a recorded run: {text}",), groups=groups)
    # If steps were left out, the numbers in the log do not belong to the evaluated episode.
    is_whole = len(run.episode.turns) == len(log.record.steps)
    trusts_flag = is_whole and "flags_trusted" in semantics
    # The flag in the log decides if the actions cannot, or if the semantics trusts it.
    is_solved = run.solved
    if is_solved is None or trusts_flag:
        is_solved = log.flag
    measure_episode = partial(
        measures,
        suite.name,
        distances=log.distances,
        more=run.failures,
        progress=_progress(task, log, semantics, solved=is_solved),
        reward=log.final.get("avg_reward", log.final.get("reward")),
    )
    rules = suite.episode_rules(task, semantics) if suite.name in ACTED else _RULES_OF_LOGS
    rules = replace(rules, codes=KINDS, groups=groups, measures=measure_episode)
    result = evaluate_episode(replace(run.episode, task=task.id), rules)
    all_measures = result.measures
    if trusts_flag or (is_whole and suite.name == MANIPULATION):
        all_measures = tuple(_with_published_number(measure, log.final) for measure in all_measures)
    notes = (*result.notes, *run.notes, *_notes(log, run.solved))
    return replace(result, success=is_solved, measures=all_measures, notes=notes)


def _missing(semantics: Semantics, groups: tuple[str, ...]) -> Result:
    """Return the result of a task without an episode."""
    if "files_counted" in semantics:
        return Result("excluded", notes=("there is no episode (files_counted)",), groups=groups)
    finding = Finding(ErrorKind.NO_ANSWER, "there is no episode of this task")
    return Result("missing", findings=(finding,), groups=groups)


def _notes(log: EpisodeLog, solved: bool | None) -> Iterator[str]:
    """Yield the reader's notes on a log, and a note if its flag and its actions disagree."""
    about = log.record.metadata
    yield from map(str, about.get("notes", ()))
    if "cut" in about:
        text = "answers of more than 100,000 characters, of which the rest is left out"
        yield f"{text}: {about['cut']}"
    if solved is None or solved == log.flag:
        return
    if log.flag:
        yield "the log says solved; its actions, evaluated here, say that it is not solved"
    else:
        yield "the log says not solved; its actions, evaluated here, say that it is solved"


_KEYS = {
    "env_steps": ("num_steps", 100),
    "planner_steps": ("planner_steps", 100),
    "invalid_actions": ("num_invalid_actions", 100),
    "format_errors": ("planner_output_error", 100),
    "invalid_ratio": ("num_invalid_action_ratio", 1),
}
"""Measure to the key of the file of results that has it, and what the number is out of."""


def _with_published_number(measure: Measure, final: Mapping[str, Any]) -> Measure:
    """Return a measure with the number from the file of results, if there is one."""
    key, base = _KEYS.get(measure.kind, ("", 1))
    value = final.get(key)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return measure
    # Measures are fractions of whole numbers; six digits are kept of a number such as 13.5.
    return Measure(measure.kind, round(value * 10**6), base * 10**6)


def _never_called(*_: object, **__: object) -> Any:  # noqa: ANN401
    raise NotImplementedError  # a recorded episode has its goal, and its actions are read already


_RULES_OF_LOGS = EpisodeRules(goal=_never_called, read=_never_called, brief=_never_called)
"""Rules for environments without a symbolic world: only their codes and measures are used."""
_LOGGED = {HABITAT: ("whole_state_subgoals",), ALFRED: ("initial_progress", "substring_types")}
"""The quirks without which the progress of a log is not that of the definitions."""


def _progress(task: Task, log: EpisodeLog, semantics: Semantics, *, solved: bool) -> float | None:
    """Return the progress of an episode, or None if it follows from the turns.

    The number in the last row counts, or else that in the file of results. Under the quirk
    ``progress_reset`` it is the other way round.
    """
    if log.environment not in ACTED:
        return float(solved)
    if not all(name in semantics for name in _LOGGED[log.environment]):
        return None
    values_in_rows = [row["task_progress"] for row in log.rows if "task_progress" in row]
    candidates = [*values_in_rows[-1:], log.final.get("task_progress")]
    if "progress_reset" in semantics:
        candidates.reverse()
    for value in candidates:
        if isinstance(value, (int, float)) and math.isfinite(value):
            return value
    if log.environment == ALFRED:
        return None
    return habitat.HabitatEnvironment.progress(task, semantics, log.done, solved=solved)
