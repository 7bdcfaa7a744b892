"""Checks of the log of a recorded episode: its rows, its success, and its answers.

Each check knows how the published evaluator writes a log (its code is named beside the rule), and
yields only what that evaluator cannot have written, or what its log contradicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from eai.acting import RecordedStep
from eai.suites.embodiedbench import alfred, habitat, navigation
from eai.suites.embodiedbench.acting import INVALID
from eai.suites.embodiedbench.log_faults import (
    LogFault,
    ends_without_action,
    has_gaps,
    is_whole,
    last_step,
    whole_number,
)
from eai.suites.embodiedbench.mending import (
    broken_as_logged,
    broken_by_mending,
    unread_texts,
)
from eai.suites.embodiedbench.recorded import ACTED, OUTSIDE, EpisodeLog
from eai.suites.embodiedbench.result_checks import check_results
from eai.suites.embodiedbench.skills import (
    ALFRED,
    EMPTY_PLAN,
    HABITAT,
    MANIPULATION,
    NAVIGATION,
    STEPS,
    UNKNOWN,
    read_feedback,
    read_output,
    skill_named,
    skills,
)
from eai.text import counted

LOW_LEVEL = 8
"""Number of movements with which the list of EB-ALFRED begins since later in 2026: they shift the
numbers of all other skills."""
_TAKING = frozenset({"pick", "pick up"})
_LEAVING = frozenset({"put down", "place", "drop"})
_NAMED_ACTION = -3
"""The number of an action that was given by its name (2026)."""
# Difference of numbers that comes from writing and reading them alone.
_CLOSE = 1e-6


def is_finished(log: EpisodeLog) -> bool:
    """Whether a log shows the end of its episode, behind which the results are written."""
    faults = (fault.kind for fault in check_order(log, ""))
    return bool(log.record.steps) and is_whole(log) and "interrupted" not in faults


# ------------------------------------------------------------------ order


def check_order(log: EpisodeLog, _task: str) -> Iterator[LogFault]:
    """Yield steps after the end of an episode, and episodes without an end."""
    steps = log.record.steps
    last_row = len(steps) - 1
    rows_with_action = [index for index, step in enumerate(steps) if step.action]
    n_actions = len(rows_with_action)
    limit = STEPS[log.environment]
    if n_actions > limit:
        text = f"{n_actions} environment steps, of {limit}"
        yield LogFault("step_limit", text, rows_with_action[limit])
    yield from _rows_after_success(log)
    ends = _Ends.find(log)
    yield from _rows_after_end(log, ends)
    # A log that breaks off is one fault; its missing end is not another one.
    n_lost = _steps_lost_by_cut(log)
    if n_lost:
        yield LogFault("interrupted", f"it breaks off {n_lost} steps before its end", last_row)
    elif not _is_ended(log, ends):
        yield LogFault("interrupted", f"it ends after {n_actions} of {limit} steps", last_row)


def _rows_after_end(log: EpisodeLog, ends: _Ends) -> Iterator[LogFault]:
    """Yield the rows that end an episode although the log continues after them."""
    last = len(log.record.steps) - 1
    if ends.invalid is not None and ends.invalid < last:
        text = f"it goes on after {INVALID} invalid actions"
        yield LogFault("invalid_limit", text, ends.invalid + 1)
    if ends.outside is not None and ends.outside < last:
        text = "the episode goes on after an action id out of range, as in the 2026 version"
        yield LogFault("version", text, ends.outside)
    # In a log of trajectories an answer that could not be read has an empty plan, too, so that an
    # empty plan need not be an end.
    if log.record.metadata.get("trajectory"):
        return
    if ends.empty is not None and ends.empty < last:
        yield LogFault("after_end", f"{last - ends.empty} rows after an empty plan", ends.empty + 1)


class _Ends(NamedTuple):
    """The first rows of a log that end its episode, by reason, or None where there is none.

    Args:
        invalid: The last of the invalid actions that are allowed.
        outside: An action id out of range (EB-Navigation).
        empty: An empty plan.
    """

    invalid: int | None
    outside: int | None
    empty: int | None

    @classmethod
    def find(cls, log: EpisodeLog) -> _Ends:
        """Return the rows of a log that end its episode."""
        empty_plan_rows: list[int] = []
        invalid_rows: list[int] = []
        for index, step in enumerate(log.record.steps):
            if step.code == EMPTY_PLAN:
                empty_plan_rows.append(index)
            elif not step.success:
                invalid_rows.append(index)
        last_invalid = first_outside = None
        # A number of invalid actions ends episodes of EB-ALFRED and EB-Habitat only.
        if log.environment in ACTED and len(invalid_rows) >= INVALID:
            last_invalid = invalid_rows[INVALID - 1]
        if log.environment == NAVIGATION and OUTSIDE in log.sources:
            first_outside = log.sources.index(OUTSIDE)
        first_empty_plan = empty_plan_rows[0] if empty_plan_rows else None
        return cls(last_invalid, first_outside, first_empty_plan)


def _is_ended(log: EpisodeLog, ends: _Ends) -> bool:
    """Return whether something in a log ends its episode, or may do so."""
    steps = log.record.steps
    # A log of EB-Manipulation does not show whether its episode was over.
    if not steps or log.environment == MANIPULATION:
        return True
    if log.flag or _first_success(log) is not None:
        return True
    if ends != _Ends(None, None, None):
        return True
    last_number = last_step(log)
    if not last_number:  # no row has a number, so that the actions are counted
        last_number = sum(bool(step.action) for step in steps)
    if last_number >= STEPS[log.environment]:
        return True
    return _ends_with_unread_answers(log) or _is_only_last_line_cut(log)


def _rows_after_success(log: EpisodeLog) -> Iterator[LogFault]:
    """Yield a fault if a log continues after the row that solved its task."""
    solved = _first_success(log)
    last = len(log.record.steps) - 1
    if solved is not None and solved < last:
        yield LogFault("after_success", f"{last - solved} rows after success", solved + 1)


def _stated_steps(log: EpisodeLog) -> int | None:
    """Return the number of environment steps that the results or the log's name state."""
    stated = whole_number(log.final.get("num_steps"))
    named = log.record.metadata.get("named_steps", -1)
    if stated is None and named >= 0:
        return int(named)
    return stated


def _steps_lost_by_cut(log: EpisodeLog) -> int:
    """Return how many steps are missing from a log that breaks off in the middle of a line."""
    cut_line = log.record.metadata.get("cut_line")
    stated = _stated_steps(log)
    if not cut_line or stated is None or not log.rows:
        return 0
    lost = int(stated - (last_step(log) or 0))
    # The line itself is a step, too: it counts as lost unless enough of it could be read.
    is_read = log.rows[-1].get("line") == cut_line
    return max(0, lost if is_read else lost - 1)


def _is_only_last_line_cut(log: EpisodeLog) -> bool:
    """Return whether a log that breaks off may be complete except for its last line.

    That is so if the number of steps is stated elsewhere, which would reveal lost lines, or if the
    line breaks off before the outcome of the last step. It is False for a log that is whole.
    """
    cut_line = log.record.metadata.get("cut_line")
    if not cut_line or not log.rows:
        return False
    if _stated_steps(log) is not None:
        return True
    last_row = log.rows[-1]
    was_cut_line_read = last_row.get("line") == cut_line
    if not was_cut_line_read:
        return True  # the outcome in it is unknown
    has_outcome = any(key in last_row for key in _OUTCOMES)
    return not has_outcome


# Keys of a row that tell whether the task is solved: two flags, of which the first that is there
# counts, and the distance from the target.
_FLAG_KEYS = ("task_success", "predicate_task_success")
_OUTCOMES = (*_FLAG_KEYS, "distance")


def _first_success(log: EpisodeLog) -> int | None:
    """Return the first row that counts as solved, by its flag or else by its distance."""
    for index, row in enumerate(log.rows):
        flags = [row[key] for key in _FLAG_KEYS if key in row]
        if flags:
            if flags[0]:
                return index
            continue
        distance = log.distances[index]
        if distance is not None and distance <= navigation.NEAR:
            return index
    return None


def _ends_with_unread_answers(log: EpisodeLog) -> bool:
    """Return whether the last ten answers are unreadable, which ends EB-Navigation (2026)."""
    last = log.record.steps[-INVALID:]
    return len(last) == INVALID and not any(step.action for step in last)


# ------------------------------------------------------------------ rows


def check_rows(log: EpisodeLog, _task: str) -> Iterator[LogFault]:
    """Yield rows that contradict themselves."""
    shift = id_shift(log)
    for index, (step, row) in enumerate(zip(log.record.steps, log.rows, strict=False)):
        if not step.action:
            continue
        # Values that a row has twice: the action, its outcome, and the distance.
        fault = _id_fault(log.environment, row.get("action_id"), step.action, shift)
        if fault:
            yield LogFault("id_words", fault, index)
        yield from _feedback_flags(log.environment, step, index)
        yield from _habitat_flags(step, row, index)
        fault = _feedback_fault(log.environment, step.action, step.feedback)
        if fault:
            yield LogFault("feedback_action", fault, index)
        distance = log.distances[index]
        if distance is None or "task_success" not in row:
            continue
        flag = row["task_success"]
        if (distance <= navigation.NEAR) is not bool(flag):
            text = f"the target is {distance:.3f} m away, but task_success is {flag}"
            yield LogFault("mis-scored", text, index)


def _feedback_flags(environment: str, step: RecordedStep, index: int) -> Iterator[LogFault]:
    """Check the flag of a step by its feedback.

    Args:
        environment: The environment.
        step: The step.
        index: Index of its row in the log.
    """
    stated = read_feedback(environment, step.feedback)
    if stated.success is not None and stated.success is not bool(step.success):
        flag = "done" if step.success else "not done"
        text = f"the flag says {flag}: {step.feedback!r:.80}"
        yield LogFault("feedback_flag", text, index)
    elif stated.key == UNKNOWN and step.feedback:
        yield LogFault("unknown_feedback", f"{step.feedback!r:.80}", index)


def _habitat_flags(step: RecordedStep, row: Mapping[str, Any], index: int) -> Iterator[LogFault]:
    """Yield flags of EB-Habitat that contradict another value of their row.

    Args:
        step: The step.
        row: Its row in the log.
        index: Index of the row.
    """
    expected_flags = {"was_prev_action_invalid": not step.success}
    if "task_success" in row:
        expected_flags["predicate_task_success"] = bool(row["task_success"])
    for key, expected in expected_flags.items():
        if key in row and bool(row[key]) is not expected:
            text = f"{key} is {row[key]}, its row says {expected}"
            yield LogFault("feedback_flag", text, index)


_MOVES = (
    *("MoveAhead", "MoveBack", "MoveRight", "MoveLeft"),
    *("RotateRight", "RotateLeft", "LookUp", "LookDown"),
)
"""Action names of the simulator for the skills of EB-Navigation, indexed by skill number."""
# How the feedback of EB-Habitat begins to say what the hand holds.
_HELD = "you are holding "


def _feedback_fault(environment: str, words: str, feedback: str) -> str:
    """Return a message if feedback names another action or object than its row, or "".

    Args:
        environment: The environment.
        words: The action as the row names it.
        feedback: The feedback of the row.
    """
    skill = skill_named(environment, words)
    if skill is None:
        return ""
    if environment == NAVIGATION:
        named_moves = [move for move in _MOVES if f"Last action {move} " in feedback]
        if named_moves and named_moves[0] != _MOVES[skill.id]:
            return f"{words!r} has the feedback of {named_moves[0]}"
    if environment == HABITAT and _HELD in feedback:
        held = feedback.partition(_HELD)[2].rstrip(".")
        # Feedback may have only the first word of a longer name, so that word is searched in the
        # skill.
        if held != "nothing" and held not in skill.words:
            return f"{words!r} is followed by: {_HELD}{held}"
    return ""


def id_shift(log: EpisodeLog) -> int:
    """Return by how much the numbers of EB-ALFRED are shifted: 0, or 8 in later 2026."""
    if log.environment != ALFRED:
        return 0
    all_skills = skills(ALFRED)
    # For each shift the number of rows in which number and words are the same skill.
    n_agreeing_rows = {0: 0, LOW_LEVEL: 0}
    for step, row in zip(log.record.steps, log.rows, strict=False):
        number = row.get("action_id")
        named_skill = skill_named(ALFRED, step.action)
        if named_skill is None or not isinstance(number, int):
            continue
        for shift in n_agreeing_rows:
            index = number - shift
            if 0 <= index < len(all_skills) and all_skills[index].words == named_skill.words:
                n_agreeing_rows[shift] += 1
    if n_agreeing_rows[LOW_LEVEL] > n_agreeing_rows[0]:
        return LOW_LEVEL
    return 0


def _id_fault(environment: str, number: object, words: str, shift: int) -> str:
    """Return a message if the number of a skill does not agree with the words of an action.

    Args:
        environment: The environment.
        number: The number in the log.
        words: The words in the log.
        shift: How far all numbers of the log are moved, as by a list of EB-ALFRED that begins with
            the movements of EB-Navigation.

    Returns:
        The message, or "" if both agree or the number belongs to no list of skills.
    """
    if not skills(environment) or not isinstance(number, int) or number == _NAMED_ACTION:
        return ""
    if shift and 0 <= number < shift:
        return _number_fault(NAVIGATION, number, number, words)
    return _number_fault(environment, number, number - shift, words)


def _number_fault(environment: str, number: int, index: int, words: str) -> str:
    """Return a message if a number does not agree with the words of an action, or "".

    Args:
        environment: The environment whose skills are numbered.
        number: The number in the log.
        index: The index of the skill that the number means.
        words: The words in the log.
    """
    all_skills = skills(environment)
    named_skill = skill_named(environment, words)
    if not 0 <= index < len(all_skills):
        # Skills for second instances, which only some episodes have, have higher numbers.
        if environment == ALFRED and named_skill is not None:
            return ""
        return f"there is no skill {number}"
    numbered_skill = all_skills[index]
    if named_skill is not None and named_skill.words == numbered_skill.words:
        return ""
    return f"{number} is {numbered_skill.words!r}, not {words!r}"


def check_sequence(log: EpisodeLog, _task: str) -> Iterator[LogFault]:
    """Yield rows that are lost, or not in the order in which they were written."""
    if log.record.metadata.get("trajectory") or not is_whole(log):
        return
    yield from _missing_steps(log.rows)
    yield from _decreasing_times(log)


def _missing_steps(rows: Sequence[Mapping[str, Any]]) -> Iterator[LogFault]:
    """Yield each row before which the log lacks the rows of some steps."""
    previous = 0.0
    for index, row in enumerate(rows):
        number = row.get("env_step")
        if number is None:
            continue
        if number > previous + 1:
            # A step that the simulator broke off has a number, too, and no row.
            text = f"{counted(int(number - previous - 1), 'step')} without a row"
            yield LogFault("gap", f"{text} before step {number:g}", index)
        previous = number


def _decreasing_times(log: EpisodeLog) -> Iterator[LogFault]:
    """Yield each row, and the results, if less time has passed there than at the row before."""
    previous = 0.0
    for index, row in enumerate(log.rows):
        elapsed = row.get("episode_elapsed_seconds")
        if elapsed is None:
            continue
        if elapsed < previous:
            text = f"{elapsed:g} s have passed, at the row before {previous:g}"
            yield LogFault("seconds", text, index)
        previous = elapsed
    total = log.final.get("episode_elapsed_seconds")
    # After a second run, the log and the results may be those of different runs.
    is_rerun = bool(log.record.metadata.get("earlier"))
    if isinstance(total, (int, float)) and total + _CLOSE < previous and not is_rerun:
        text = f"the results say {total:g} s, the last row {previous:g}"
        yield LogFault("seconds", text, len(log.rows) - 1)


def check_plans(log: EpisodeLog, _task: str) -> Iterator[LogFault]:
    """Yield actions that differ from the plan in the answer of their row.

    The evaluators execute the actions of a plan in order until one fails. Rows are skipped if the
    evaluator could not read a plan from the answer, or if the number belongs to no skill.
    """
    if log.record.metadata.get("trajectory") or not is_whole(log):
        return
    shift = id_shift(log)
    for index, planned in enumerate(_planned_numbers(log)):
        number = log.rows[index].get("action_id")
        if planned is None or not isinstance(number, int) or number in (planned, _NAMED_ACTION):
            continue
        if not _id_fault(log.environment, number, log.record.steps[index].action, shift):
            text = f"action {number} was taken, the plan of its answer says {planned}"
            yield LogFault("unplanned", text, index)


@dataclass
class _PlanCursor:
    """A plan of an answer, and the position of its next step."""

    plan: Sequence[tuple[object, str]] = ()
    position: int = 0

    @property
    def is_at_end(self) -> bool:
        """Whether all steps were taken."""
        return self.position >= len(self.plan)

    def take(self) -> object:
        """Return the skill number of the next step and go on, or None behind the last one."""
        number = None if self.is_at_end else self.plan[self.position][0]
        self.position += 1
        return number


def _planned_numbers(log: EpisodeLog) -> Iterator[int | None]:
    """Yield the skill number that the answer's plan has for each row, or None.

    If a row has another number than its plan, None is yielded for the later rows of the plan.
    """
    cursor = _PlanCursor()
    previous_success: bool | None = True
    for step, row, source in zip(log.record.steps, log.rows, log.sources, strict=False):
        if step.text:
            cursor = _PlanCursor(_plan_of_answer(step.text))
        elif cursor.is_at_end or not previous_success:
            # After a failure, or the end of a plan, the model is asked again. A row without a text
            # means that it gave the same answer again.
            cursor.position = 0
        previous_success = step.success
        planned = cursor.take()
        if source != "model" or not step.action or not isinstance(planned, int):
            yield None
            continue
        yield planned
        # From the first row that differs on, the position in the plan is unknown.
        number = row.get("action_id")
        if isinstance(number, int) and number not in (planned, _NAMED_ACTION):
            cursor = _PlanCursor()


def _plan_of_answer(text: str) -> Sequence[tuple[object, str]]:
    """Return the plan in an answer, or an empty one if the answer needs repair first."""
    output = read_output(text)
    if output.status != "ok" or output.repaired:
        return ()
    return output.plan


def check_holding(log: EpisodeLog, _task: str) -> Iterator[LogFault]:
    """Yield successful picks while something is held, and places while nothing is held.

    The robot has one hand, so a successful pick needs it free. Logs with gaps are skipped, as the
    object may have been put down in a row that is lost.
    """
    if log.environment not in ACTED or not is_whole(log) or has_gaps(log):
        return
    is_holding: bool | None = False  # None if that is not known
    for index, step in enumerate(log.record.steps):
        skill = skill_named(log.environment, step.action)
        if skill is None or skill.verb not in _TAKING | _LEAVING:
            continue
        is_pick = skill.verb in _TAKING
        if step.success:
            # A pick asks for an empty hand and fills it; a place the other way round.
            if is_holding is is_pick:
                state = "something" if is_pick else "nothing"
                text = f"{step.action!r} was done while {state} was held"
                yield LogFault("impossible", text, index)
            is_holding = is_pick
        elif not is_pick:
            is_holding = None  # a place that failed may leave the object in the hand, or not


# ------------------------------------------------------------------ success


def check_success(log: EpisodeLog, task: str) -> Iterator[LogFault]:
    """Yield successes that contradict the actions or another part of the log."""
    yield from _contradicting_success(log)
    # The other two environments have no symbolic world in which to repeat actions.
    if log.environment in ACTED and log.record.steps and is_whole(log):
        reached = _reaches_goal(log, task)
        if reached not in (None, log.flag):
            does = "reach" if reached else "do not reach"
            yield LogFault(
                "mis-scored",
                f"the log says task_success={log.flag}; the recorded actions {does} the goal",
                len(log.rows) - 1,
            )
    if log.environment == NAVIGATION:
        yield from _check_distances(log, task)
    yield from _random_success(log)


def _contradicting_success(log: EpisodeLog) -> Iterator[LogFault]:
    """Yield a success in the results or the last row that another part contradicts."""
    if not is_whole(log) or log.environment == MANIPULATION:
        return
    last = len(log.rows) - 1
    # Rows of EB-Navigation may have distances alone: then the last one decides.
    flags = [bool(row["task_success"]) for row in log.rows if "task_success" in row]
    if flags:
        in_results = log.final.get("task_success")
        if in_results is not None and bool(in_results) is not flags[-1]:
            text = f"the results say {in_results}, the last row {flags[-1]}"
            yield LogFault("mis-scored", text, last)
        return
    if not log.record.steps or log.record.success is None:
        return
    distance = log.distances[-1]
    if distance is None:
        return
    is_near = distance <= navigation.NEAR
    if is_near is not log.flag:
        text = f"it says success={log.flag}, but ends {distance:.3f} m from the target"
        yield LogFault("mis-scored", text, last)


def _reaches_goal(log: EpisodeLog, task: str) -> bool | None:
    """Return whether the recorded actions reach the goal, or None if that is unknown."""
    if log.environment == HABITAT:
        return habitat.solves(task, log.done)
    share = alfred.progress(task, tuple(log.done))
    return None if share is None else share[1] == 1


def _check_distances(log: EpisodeLog, task: str) -> Iterator[LogFault]:
    """Check recorded distances against the task, and search for a task that fits better."""
    misfit = log.misfit(task)
    if misfit <= navigation.EXACT:
        return
    last = len(log.rows) - 1
    text = f"its distances differ from the task's by up to {misfit:.3f} m"
    for other in navigation.records():
        if log.misfit(other) <= navigation.EXACT:
            yield LogFault("foreign", f"{text}; they fit {other}", last)
            return
    yield LogFault("distance", text, last)


def _random_success(log: EpisodeLog) -> Iterator[LogFault]:
    """Yield a success by an action that was drawn at random for an unreadable answer."""
    if not log.flag:
        return
    steps = log.record.steps
    if log.environment == NAVIGATION and steps and steps[-1].action:
        if log.sources[len(steps) - 1] != "model":
            yield LogFault("random_fallback", "a random action solved it", len(steps) - 1)
    elif log.environment == MANIPULATION and not steps and _is_last_answer_unread(log):
        text = "the last answer was not read: a random pose solved it"
        yield LogFault("random_fallback", text)


def _is_last_answer_unread(log: EpisodeLog) -> bool:
    """Return whether the last answer of an EB-Manipulation episode could not be read."""
    errors = whole_number(log.final.get("planner_output_error"))
    if errors is None or errors <= 0:
        return False
    if errors == whole_number(log.final.get("planner_steps")):
        return True  # no answer was read
    outputs = str(log.record.metadata.get("planner", ""))
    unread = unread_texts(outputs)
    return bool(unread) and outputs.rstrip().endswith(unread[-1])


# ------------------------------------------------------------------ progress


def check_progress(log: EpisodeLog, task: str) -> Iterator[LogFault]:
    """Yield progress values that are impossible or contradict another part of the log."""
    # Progress in EB-ALFRED is the share of conditions that are met: with 4 of them 0, 1/4, ... 1.
    n_conditions = 0
    if log.environment == ALFRED:
        n_conditions = len(alfred.counted_conditions(task))
    final_progress: object = None
    for index, row in enumerate(log.rows):
        if "task_progress" not in row:
            continue
        final_progress = row["task_progress"]
        fault = _progress_fault(log, row, n_conditions)
        if fault:
            yield LogFault("progress", fault, index)
    # The last progress is compared with other parts of the log, if no row is lost.
    if final_progress is None or not is_whole(log):
        return
    if n_conditions and isinstance(final_progress, float):
        yield from _reached_progress(log, task, final_progress)
    yield from _final_progress(log, final_progress)


def _reached_progress(log: EpisodeLog, task: str, final: float) -> Iterator[LogFault]:
    """Check the last progress of EB-ALFRED against the conditions that the actions meet.

    Args:
        log: The log.
        task: Identifier of the task.
        final: The last progress in the log.
    """
    share = alfred.progress(task, tuple(log.done))
    if share is None:
        return
    least, most = share
    if not least - _SLACK <= final <= most + _SLACK:
        text = f"the log says a progress of {final:.2f}; the recorded actions reach {most:.2f}"
        yield LogFault("progress", text, len(log.rows) - 1)


def _final_progress(log: EpisodeLog, final: object) -> Iterator[LogFault]:
    """Check the progress in the results against that of the last row."""
    last = len(log.rows) - 1
    stated = log.final.get("task_progress")
    if not isinstance(stated, (int, float)) or not isinstance(final, (int, float)):
        return
    if abs(stated - final) <= _CLOSE:
        return
    text = f"the results say a progress of {stated:g}, the last row {final}"
    # The published evaluator writes 0 if an empty plan ends an episode (quirk progress_reset).
    if stated == 0:
        yield LogFault("progress_reset", text, last)
    elif not ends_without_action(log):
        yield LogFault("progress", text, last)


_SLACK = 0.02
"""Difference of progress within which logs, which round it, are right."""


def _progress_fault(log: EpisodeLog, row: Mapping[str, Any], total: int) -> str:
    """Return the reason why the progress of a row is impossible, or "" if it is possible.

    ``total`` is the number of conditions of the goal; 0 if progress is no share of them.
    """
    value = row["task_progress"]
    if not isinstance(value, (int, float)) or not 0 <= value <= 1:
        return f"{value!r} is not a share"
    # Logs round: 0.33 is a share of three conditions, 0.4 is not.
    if total and abs(value * total - round(value * total)) > _SLACK * total:
        return f"{value!r} is not a share of {total} conditions"
    if log.environment in ACTED and row.get("task_success") and value != 1:
        return f"it counts as solved, but its progress is {value}"
    return ""


# ------------------------------------------------------------------ answers


def check_texts(log: EpisodeLog, _task: str) -> Iterator[LogFault]:
    """Yield valid answers that the evaluator broke by its repair and could not read."""
    if log.environment == MANIPULATION and not log.record.steps:
        for text in unread_texts(str(log.record.metadata.get("planner", ""))):
            yield from _find_broken_by_repair(text, -1)
        return
    for index, (step, row) in enumerate(zip(log.record.steps, log.rows, strict=False)):
        text = str(row.get("text", ""))
        if text and not step.action and step.code not in (EMPTY_PLAN, OUTSIDE):
            yield from _find_broken_by_repair(text, index)


def _find_broken_by_repair(text: str, index: int) -> Iterator[LogFault]:
    """Yield a fault if a published repair breaks an answer that is valid JSON."""
    broken = broken_as_logged(text) or broken_by_mending(text)
    if broken:
        names = " and ".join(broken)
        yield LogFault("repair", f"valid JSON, which the published repair {names} breaks", index)


HABITS = frozenset(
    {
        "gap",
        "seconds",
        "unplanned",
        "reward",
        "rewards",
        "answers",
        "ended_early",
        "feedback_action",
    }
)
"""Kinds of faults that are none where most episodes of a subset have them: another program than the
published evaluator counts so."""
CHECKS = (
    check_order,
    check_rows,
    check_sequence,
    check_plans,
    check_holding,
    check_success,
    check_progress,
    check_results,
    check_texts,
)
