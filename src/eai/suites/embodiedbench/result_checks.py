"""Checks of the file of results of an episode: by its log, and by itself.

The evaluator writes the results when an episode has ended, so that each of their numbers can be
counted again in the rows of the log; those of EB-Manipulation stand without a log.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from eai.acting import RecordedEpisode, RecordedStep
from eai.suites.embodiedbench.log_faults import (
    LogFault,
    ends_without_action,
    has_gaps,
    has_results,
    is_whole,
    last_step,
    whole_number,
)
from eai.suites.embodiedbench.mending import count_outputs, is_json, unread_texts
from eai.suites.embodiedbench.recorded import ACTED, FALLBACK, OUTSIDE, EpisodeLog
from eai.suites.embodiedbench.skills import EMPTY_PLAN, MANIPULATION, NAVIGATION, STEPS

# Difference of numbers that comes from writing and reading them alone.
_CLOSE = 1e-6
_MAX_TEXT = 100_000
"""The reader cuts answers here; a text of this length may lack its end."""


def check_results(log: EpisodeLog, _task: str) -> Iterator[LogFault]:
    """Yield numbers in the file of results that contradict the log or each other.

    If a rerun was interrupted, the file has the results of an earlier run. They may differ from the
    log then, and only impossible numbers are faults.
    """
    if not has_results(log):
        return
    if log.environment == MANIPULATION:
        yield from _pose_results(log)
        return
    if not log.record.metadata.get("has_log") or not is_whole(log):
        yield from _impossible_numbers(log)
        return
    contradictions = list(_contradictions(log))
    if contradictions and not _are_results_of_earlier_run(log):
        yield from contradictions
    else:
        yield from _impossible_numbers(log)


def _are_results_of_earlier_run(log: EpisodeLog) -> bool:
    """Return whether the results belong to an earlier run of the same episode."""
    for earlier in log.record.metadata.get("earlier", ()):
        before = RecordedEpisode.from_json(json.dumps(earlier))
        # The earlier log with these results: without a contradiction, they belong together.
        record = RecordedEpisode(
            before.task,
            before.steps,
            success=before.success,
            metadata={**before.metadata, "final": log.final},
        )
        if not list(_contradictions(EpisodeLog(log.environment, record))):
            return True
    return False


def _impossible_numbers(log: EpisodeLog) -> Iterator[LogFault]:
    """Yield numbers in the results that contradict each other, whatever the log says."""
    limit = STEPS[log.environment]
    if log.environment == NAVIGATION:
        limit += 1  # in February 2025 a failed episode ends with a step "Done"
    steps = whole_number(log.final.get("num_steps"))
    if steps is not None and steps > limit:
        yield LogFault("step_limit", f"the results count {steps} environment steps, of {limit}")
    yield from _impossible_shares(log)
    yield from _invalid_ratio(log.final, steps)
    answers = whole_number(log.final.get("planner_steps"))
    errors = log.final.get("planner_output_error")
    if answers is not None and isinstance(errors, (int, float)) and errors > answers:
        yield LogFault("results", f"{errors} format errors in {answers} answers")


def _impossible_shares(log: EpisodeLog) -> Iterator[LogFault]:
    """Yield a success or progress that is out of range, and a success without full progress."""
    success = log.final.get("task_success")
    progress = log.final.get("task_progress")
    for key, value in (("task_success", success), ("task_progress", progress)):
        if isinstance(value, (int, float)) and not 0 <= value <= 1:
            yield LogFault("results", f"{key} is {value}")
    if log.environment != MANIPULATION and success not in (None, 0, 1):
        yield LogFault("results", f"task_success is {success}, neither 0 nor 1")
    if success == 1 and isinstance(progress, (int, float)) and progress < 1:
        yield LogFault("progress", f"it counts as solved, but its progress is {progress}")


def _invalid_ratio(final: Mapping[str, Any], steps: int | None) -> Iterator[LogFault]:
    """Yield a ratio of invalid actions that does not follow from the two counts in the results."""
    invalid = final.get("num_invalid_actions")
    ratio = final.get("num_invalid_action_ratio")
    if not isinstance(invalid, (int, float)) or not isinstance(ratio, (int, float)):
        return
    if steps is None:
        return
    expected = invalid / steps if steps else 0
    if abs(ratio - expected) > _CLOSE:
        text = f"num_invalid_action_ratio is {ratio}, not {expected:.4f}"
        yield LogFault("results", f"{text} ({invalid} of {steps})")


def _contradictions(log: EpisodeLog) -> Iterator[LogFault]:
    """Yield results that the rows contradict (``evaluate`` of published evaluators)."""
    instruction = str(log.final.get("instruction") or "")
    logged = str(log.record.metadata.get("instruction") or "")
    if instruction and logged and instruction != logged:
        yield LogFault("foreign", "the results have another instruction than the log")
    yield from _step_counts(log)
    outcomes = _count_outcomes(log.record.steps)
    invalid = whole_number(log.final.get("num_invalid_actions"))
    # An answer that could not be read counts as an invalid action, an empty plan does not.
    invalid_in_log = outcomes.unread + outcomes.failed
    if invalid not in (None, invalid_in_log):
        text = f"the results count {invalid} invalid actions, the log {invalid_in_log}"
        yield LogFault("results", text)
    empty = whole_number(log.final.get("empty_plan"))
    if empty is not None and bool(empty) is not outcomes.has_empty_plan:
        text = f"empty_plan is {empty}, which the log contradicts"
        yield LogFault("results", text, len(log.rows) - 1)
    if log.environment in ACTED:
        yield from _format_errors(log, outcomes.unread)
    else:
        yield from _mean_reward(log)
        yield from _unread_answers(log)
    yield from _answer_counts(log)


class _Outcomes(NamedTuple):
    """The outcomes of the rows of a log.

    Args:
        unread: Number of answers that could not be read.
        failed: Number of actions that failed.
        has_empty_plan: Whether an answer was an empty plan.
    """

    unread: int
    failed: int
    has_empty_plan: bool


def _count_outcomes(steps: Sequence[RecordedStep]) -> _Outcomes:
    """Count the outcomes of steps. A step outside of the episode counts as none."""
    unread = 0
    failed = 0
    has_empty_plan = False
    for step in steps:
        if step.action:
            failed += not step.success
        elif step.code == EMPTY_PLAN:
            has_empty_plan = True
        # A number outside of the list of skills was read, so its answer counts as read.
        elif step.code != OUTSIDE:
            unread += 1
    return _Outcomes(unread, failed, has_empty_plan)


def _answer_counts(log: EpisodeLog) -> Iterator[LogFault]:
    """Check the number of answers. Two equal answers in a row look like one in the log."""
    stated = whole_number(log.final.get("planner_steps"))
    if stated is None:
        return
    min_answers = _count_answers(log)
    if stated < min_answers:
        text = f"the results count {stated} answers, the log at least {min_answers}"
        yield LogFault("results", text)
        return
    # A row that only marks the end is not among the rows, but may have had an answer.
    has_done_row = bool(log.record.metadata.get("done_step"))
    if stated > len(log.rows) and not has_done_row and not has_gaps(log):
        text = f"the results count {stated} answers, the log has {len(log.rows)} rows"
        yield LogFault("results", text)


def _step_counts(log: EpisodeLog) -> Iterator[LogFault]:
    """Yield differences in the number of steps between a log, its name and the results.

    A step that the simulator aborted is counted but has no row. The last row has the last number,
    unless the episode ended with an answer without an action.
    """
    last_number = last_step(log)
    named_count = log.record.metadata.get("named_steps", -1)
    stated_count = whole_number(log.final.get("num_steps"))
    if named_count >= 0 and stated_count is not None and named_count != stated_count:
        text = f"the file is named after {named_count} steps, the results count {stated_count}"
        yield LogFault("results", text)
    if last_number is None:
        return
    # Numbers that have to agree with the last row, each with a text for messages.
    claims = []
    if stated_count is not None:
        claims.append((stated_count, f"the results count {stated_count} environment steps"))
    if named_count >= 0:
        claims.append((named_count, f"the file is named after {named_count} steps"))
    may_be_more = ends_without_action(log)
    for count, claim in claims:
        if count == last_number or (may_be_more and count > last_number):
            continue
        yield LogFault("results", f"{claim}, the log ends with {last_number:g}")


def _mean_reward(log: EpisodeLog) -> Iterator[LogFault]:
    """Yield a reward of EB-Navigation that is not the mean success of its steps.

    In February 2025 a random action broke off before its reward was noted.
    """
    stated = log.final.get("reward")
    solved = [bool(row["task_success"]) for row in log.rows if "task_success" in row]
    if not isinstance(stated, (int, float)) or not math.isfinite(stated) or not solved:
        return
    n_rewards = len(solved)
    if log.record.metadata.get("done_step"):
        n_rewards += 1  # the mean counts a row behind the last step, which has no success
    n_random = log.sources.count("random")
    # Any number of the random actions may be missing from the mean.
    max_missing = min(n_random, n_rewards - 1)
    means = [sum(solved) / (n_rewards - missing) for missing in range(max_missing + 1)]
    if not any(abs(stated - mean) < _CLOSE for mean in means):
        text = f"reward is {stated}, the mean of its rows {means[0]:.4f}"
        yield LogFault("reward", text)


def _unread_answers(log: EpisodeLog) -> Iterator[LogFault]:
    """Yield a fault if the results count more format errors than the log of EB-Navigation shows."""
    stated = whole_number(log.final.get("planner_output_error"))
    marked = sum(FALLBACK in step.text for step in log.record.steps)
    marked += bool(log.record.metadata.get("done_step"))  # a row that is no step
    if stated is not None and stated > marked and not has_gaps(log):
        text = f"the results count {stated} format errors, the log marks {marked}"
        yield LogFault("errors", text)


def _count_answers(log: EpisodeLog) -> int:
    """Return the least possible number of answers: changes of text, and rows without action."""
    count = 0
    previous_text = None
    for step, row in zip(log.record.steps, log.rows, strict=False):
        text = step.text or row.get("text", "")
        if not step.action or (text and text != previous_text):
            count += 1
        previous_text = text or previous_text
    return count


def _format_errors(log: EpisodeLog, unread: int) -> Iterator[LogFault]:
    """Check the number of format errors: answers that are not JSON or lack a key."""
    stated = whole_number(log.final.get("planner_output_error"))
    if stated is None:
        return
    if stated > unread:
        text = f"the results count {stated} format errors, the log {unread} answers"
        yield LogFault("results", text)
        return
    # An answer that is not JSON is an error. Whether JSON lacks a key cannot be told from the log.
    n_broken = 0
    for step, row in zip(log.record.steps, log.rows, strict=False):
        text = str(row.get("text", ""))
        is_unread = not step.action and step.code != EMPTY_PLAN
        if is_unread and 0 < len(text) < _MAX_TEXT and not is_json(text):
            n_broken += 1
    if stated < n_broken:
        yield LogFault("results", f"the results count {stated} format errors, the log {n_broken}")


def _pose_results(log: EpisodeLog) -> Iterator[LogFault]:
    """Check results of EB-Manipulation, which are stored without a log (``EBManEnv.step``)."""
    final = log.final
    limit = STEPS[MANIPULATION]
    steps = whole_number(final.get("num_steps"))
    success = final.get("task_success")
    # The evaluator writes -1 for an answer without a plan.
    ended_with_empty_plan = final.get("planner_output_error") == -1
    if success not in (None, 0, 1):
        yield LogFault("results", f"task_success is {success}, neither 0 nor 1")
    yield from _pose_answers(log)
    yield from _pose_steps(final, steps, is_empty=ended_with_empty_plan)
    if steps is not None and steps > limit:
        yield LogFault("step_limit", f"the results count {steps} environment steps, of {limit}")
    yield from _success_and_rewards(final)
    yield from _faults_of_rewards(final, is_empty=ended_with_empty_plan)
    if ended_with_empty_plan:
        if success == 1:
            yield LogFault("mis-scored", "it counts as solved, but an empty plan ended it")
    elif success == 0 and steps is not None and steps < limit:
        yield LogFault("ended_early", f"it ends without success after {steps} of {limit} steps")


def _pose_steps(
    final: Mapping[str, Any], steps: int | None, *, is_empty: bool
) -> Iterator[LogFault]:
    """Check the number of steps against the lists with one entry for each step.

    Args:
        final: The results.
        steps: The number of steps that they state.
        is_empty: Whether an empty plan ended the episode.
    """
    limit = STEPS[MANIPULATION]
    for key, noun in (("reward", "rewards"), ("action_success", "action results")):
        values = final.get(key)
        if not isinstance(values, list):
            continue
        # The step that an empty plan ends with is not counted.
        count = len(values) - is_empty
        if count > limit:
            yield LogFault("step_limit", f"{count} {noun}, of at most {limit} steps")
        elif steps is not None and steps != count:
            yield LogFault("results", f"num_steps is {steps}, but there are {count} {noun}")


def _pose_answers(log: EpisodeLog) -> Iterator[LogFault]:
    """Yield differences between the stated number of answers and the stored outputs.

    EB-Manipulation stores the outputs of its planner one behind the other.
    """
    n_answers = whole_number(log.final.get("planner_steps"))
    if n_answers is None:
        return
    outputs = str(log.record.metadata.get("planner", ""))
    n_outputs = count_outputs(outputs)
    n_unread = len(unread_texts(outputs))
    n_errors = log.final.get("planner_output_error")
    if isinstance(n_errors, (int, float)):
        if n_errors > n_answers:
            yield LogFault("results", f"{n_errors:g} format errors in {n_answers} answers")
        if 0 <= n_errors < n_unread:
            text = f"{n_errors:g} format errors, but {n_unread} answers are no JSON"
            yield LogFault("errors", text)
    # Outputs that are not JSON have no clear end, so their number is uncertain.
    is_count_certain = bool(outputs) and not n_unread and "\n\n" not in outputs
    if n_outputs > n_answers or (is_count_certain and n_outputs < n_answers):
        text = f"planner_steps is {n_answers}, but {n_outputs} answers were written"
        yield LogFault("answers", text)


def _faults_of_rewards(final: Mapping[str, Any], *, is_empty: bool) -> Iterator[LogFault]:
    """Yield the steps whose reward is impossible or contradicts their success.

    A reward is -1, 0 or 1, and it is -1 for exactly the steps that failed (``EBManEnv.step``).

    Args:
        final: The last entry of the log.
        is_empty: Whether the plan was empty. Then the last reward belongs to no action.
    """
    rewards, successes = final.get("reward"), final.get("action_success")
    if not isinstance(rewards, list) or not isinstance(successes, list):
        return
    if len(rewards) != len(successes):
        return
    rewards_of_actions = rewards[:-1] if is_empty else rewards
    for number, reward in enumerate(rewards_of_actions, start=1):
        success = successes[number - 1]
        is_failure_by_reward = reward == -1
        if reward not in (-1, 0, 1):
            yield LogFault("rewards", f"the reward of step {number} is {reward}")
        elif is_failure_by_reward == bool(success):
            text = f"step {number} has a reward of {reward}"
            yield LogFault("rewards", f"{text}, but action_success is {success}")


def _success_and_rewards(final: Mapping[str, Any]) -> Iterator[LogFault]:
    """Check success and the mean of rewards. The reward of success is 1."""
    rewards = final.get("reward")
    if not isinstance(rewards, list) or not rewards:
        return
    if not all(isinstance(reward, (int, float)) for reward in rewards):
        return
    # An episode ends with the first reward of 1.
    mean, stated = sum(rewards) / len(rewards), final.get("avg_reward")
    if isinstance(stated, (int, float)) and abs(stated - mean) > _CLOSE:
        yield LogFault("results", f"avg_reward is {stated}, the mean of the rewards {mean:.4f}")
    success = final.get("task_success")
    if success == 1 and rewards[-1] != 1:
        yield LogFault("mis-scored", f"it counts as solved, but its last reward is {rewards[-1]}")
    elif success == 0 and rewards[-1] == 1:
        yield LogFault("mis-scored", "it does not count as solved, but its last reward is 1")
    if 1 in rewards[:-1]:
        behind = len(rewards) - 1 - rewards.index(1)
        yield LogFault("after_success", f"{behind} steps after a reward of 1")
