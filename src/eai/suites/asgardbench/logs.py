"""Runs of the published evaluator: episodes as their logs say, and the audit of these.

``official`` trusts the log (``log_trusted``): whether an action succeeded, which goals are met, how
many errors a step has. ``strict`` takes the actions again in the symbolic room, where objects lie
as the pictures of the reference execution show them, and names the steps that end differently.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from eai.acting import End, Episode, RecordedEpisode, RecordedStep, Turn
from eai.contract import AuditFinding
from eai.diagnosis import Condition, ErrorKind, GoalStatus
from eai.semantics import Semantics
from eai.simulators import Observation, StepResult
from eai.simulators.thor.engine import failure_of
from eai.suites.asgardbench.environment import WITHOUT_OBJECT
from eai.suites.asgardbench.episodes import episode_limits, published_reader
from eai.suites.asgardbench.gate import ACTIONS
from eai.suites.asgardbench.instances import Instance, rules
from eai.suites.asgardbench.quirks import QUIRKS

# Type of an error in a log to the kind of error that it is here.
_FAULTS = {
    "Unparsable": ErrorKind.PARSING,
    "Invalid Action": ErrorKind.ACTION_HALLUCINATION,
    "Invalid Object": ErrorKind.OBJECT_HALLUCINATION,
}
# Reason of an episode that ended because the model could not be asked.
_MODEL_NOT_ASKED = "API_Failure"
# A slot of a message, such as "{held}", after its brackets were escaped.
_PLACEHOLDER = re.compile(r"\\\{\w*\\\}")


def with_error_codes(record: RecordedEpisode) -> RecordedEpisode:
    """Return an episode whose failed steps have codes, read from the program's messages."""
    steps = []
    for step in record.steps:
        code = step.code or _failure_code(step.action, step.feedback)
        steps.append(replace(step, code=code))
    end = record.end
    if end == _MODEL_NOT_ASKED:
        end = End.AGENT_FAILURE.value
    return replace(record, steps=tuple(steps), end=end)


def episode_of_log(task: str, record: RecordedEpisode) -> Episode:
    """Return the episode that a log of the published evaluator describes.

    Args:
        task: Identifier of the task.
        record: The log.
    """
    goal = GoalStatus(bool(record.success), tuple(_conditions(record.metadata["goal"])))
    read = published_reader(dict.fromkeys(ACTIONS, 1), (), tried=True)
    turns: list[Turn] = []
    for number, (step, errors) in enumerate(_with_errors(record), start=1):
        action_line = f"Action: {step.action}"
        answer = step.text or action_line
        # If the entry of the log has no action, the answer shows which one was tried.
        reply = read(action_line if step.action else step.text)
        turns.append(Turn(number, answer, reply, _logged_result(step, errors), number))
    note = ""
    if not turns:
        note = "there is no plan.json: its steps are not known"
    return Episode(task, Observation(), tuple(turns), _end_of_log(record), goal, note)


def _end_of_log(record: RecordedEpisode) -> str:
    """Return why an episode ended: as the log says, else by whether it succeeded."""
    if record.end:
        return record.end.lower()
    if record.success:
        return End.SUCCESS.value
    return End.NO_MORE_ANSWERS.value


def _logged_result(step: RecordedStep, errors: Sequence[_Error]) -> StepResult:
    """Return the result of a logged step. Its error is that of the first object that was tried."""
    codes = [_failure_code(_action_of(error), str(error.get("error_msg", ""))) for error in errors]
    error_kind = None
    # The benchmark reports the first object's failure to the agent.
    if errors:
        error_kind = _FAULTS.get(str(errors[0].get("error_type")))
    return StepResult(
        bool(step.success),
        Observation(),
        "" if step.success else step.code,
        step.feedback,
        errors=tuple(codes),
        kind=error_kind,
    )


_Error = Mapping[str, Any]
"""An entry of the log about an error."""


def _with_errors(record: RecordedEpisode) -> Iterator[tuple[RecordedStep, Sequence[_Error]]]:
    """Yield the steps of an episode, each with its errors.

    The log has one list of errors for all steps. A failed step has one error for every object that
    was tried, all with the name of its action; each failed step behind it has at least one, too.
    """
    remaining_errors = deque(record.metadata["errors"])
    n_later_failures = sum(step.success is False for step in record.steps)
    for step in record.steps:
        if step.success is not False:
            yield step, []
            continue
        n_later_failures -= 1
        step_errors: list[_Error] = []
        if remaining_errors:
            step_errors.append(remaining_errors.popleft())
        # Further errors belong to this step, too, as long as each later failure keeps one.
        action = step.action.partition(" ")[0]
        while (
            len(remaining_errors) > n_later_failures and _action_of(remaining_errors[0]) == action
        ):
            step_errors.append(remaining_errors.popleft())
        yield step, step_errors


def _action_of(error: _Error) -> str:
    """Return the name of the action that an error is about."""
    return str(error.get("action_name", "")).upper()


@cache
def _messages() -> Sequence[tuple[str, str, re.Pattern[str]]]:
    """Return triples of an action, a code, and a pattern of the published program's message."""
    messages = []
    for key, template in rules().feedback.items():
        # "PICKUP HAND_FULL" is a code of one action, "NO_INSTANCE" of all actions.
        key_words = key.split()
        pattern = re.compile(_PLACEHOLDER.sub(".+", re.escape(template)))
        messages.append((key_words[0], key_words[-1], pattern))
    return messages


def _failure_code(action: str, message: str) -> str:
    """Return the code for a failure message of the published program, or "" without a message."""
    if not message:
        return ""
    keys = (action.partition(" ")[0], "INVALID_RESPONSE", *WITHOUT_OBJECT)
    for key, code, pattern in _messages():
        if key in keys and pattern.fullmatch(message):
            return code
    failure: str = failure_of(message).value
    return failure


# List of goals in a log to their kind here, and to their text with the fields of a row.
_GOALS = {
    "action_goals": ("action", "{name}"),
    "location_goals": ("relation", "{object_type} in {destination_type}"),
    "put_away_goals": ("relation", "{object_type} put away"),
    "contents_goals": ("relation", "{container_type} holds {contents} and nothing else"),
    "state_goals": ("state", "{object_type} {state}: {value}"),
}


def _conditions(goal: Mapping[str, Any]) -> Iterator[Condition]:
    """Yield the goals in a log as conditions, each met or not."""
    for key, (kind, text) in _GOALS.items():
        for row in goal.get(key, ()):
            met = row.get("outcome") == "success"
            yield Condition(kind, text.format_map(defaultdict(str, row)), met)


# ------------------------------------------------------------------ audit


def own_episodes(items: Mapping[str, str]) -> dict[str, RecordedEpisode]:
    """Return the items that are episodes recorded by the published evaluator, by name."""
    episodes = {}
    for name, text in items.items():
        if '"benchmark": "asgardbench"' in text:
            episodes[name] = RecordedEpisode.from_json(text)
    return episodes


def audit(known: Mapping[str, Instance], items: Mapping[str, str]) -> Iterator[AuditFinding]:
    """Yield the problems of a run: unknown, missing and contradictory episodes."""
    episodes = own_episodes(items)
    for name, record in episodes.items():
        where = str(record.metadata.get("file", ""))
        if name not in known:
            yield AuditFinding("foreign", name, "there is no such task", where)
            continue
        for kind, text in _contradictions_of_end(record):
            yield AuditFinding(kind, name, text, where)
        for kind, text in _contradictions_of_steps(record, known[name]):
            yield AuditFinding(kind, name, text, where)
    # A run without any episode of the benchmark belongs to another suite: nothing is missing.
    if not episodes:
        return
    for name in known:
        if name not in episodes:
            yield AuditFinding("missing", name, "there is no episode of this task", "")


def _contradictions_of_end(record: RecordedEpisode) -> Iterator[tuple[str, str]]:
    """Yield the places where a log contradicts itself about how the episode ended."""
    metadata = record.metadata
    result = metadata.get("result") or {}
    plan = metadata.get("plan") or {}
    if metadata.get("results", 1) > 1:
        yield "duplicate", f"{metadata['results']} entries among the results"
    if not result:
        yield "interrupted", "the results have no entry for this task"
    if record.end == _MODEL_NOT_ASKED:
        yield "interrupted", "the model could not be asked (API_Failure), which counts as failed"
    # A file that is missing is a finding of its own, not a contradiction.
    if plan and result:
        yield from _contradictions_of_plan(plan, is_failed=not record.success)
    yield from _contradictions_of_goals(record)


def _contradictions_of_plan(
    plan: Mapping[str, Any], *, is_failed: bool
) -> Iterator[tuple[str, str]]:
    """Yield a contradiction if plan or folder name claim another end than the results."""
    says = f"the results say failed: {is_failed}"
    # Folders of failed plans have names that begin with an underscore.
    is_in_failed_folder = str(plan.get("folder")).startswith("_")
    if bool(plan.get("failed")) is not is_failed:
        yield "mis-scored", f"{says}, the plan says {plan.get('failed')}"
    elif is_in_failed_folder is not is_failed:
        yield "mis-scored", f"{says}, the folder is {plan['folder']}"


def _contradictions_of_goals(record: RecordedEpisode) -> Iterator[tuple[str, str]]:
    """Yield a contradiction if the recorded success does not follow from the recorded goals."""
    goal = record.metadata["goal"]
    unmet = [condition.text for condition in _conditions(goal) if not condition.met]
    if record.success and unmet:
        yield "mis-scored", f"it counts as solved, but goals are unmet: {'; '.join(unmet)}"
    # An episode that the model never answered is failed, whatever its goals were.
    if not record.success and not unmet and goal and record.end != _MODEL_NOT_ASKED:
        yield "mis-scored", "it counts as failed, but all goals are met"


def _contradictions_of_steps(
    record: RecordedEpisode, instance: Instance
) -> Iterator[tuple[str, str]]:
    """Yield the steps that contradict the results, the benchmark's rules or the model's answers."""
    yield from _contradictions_of_counts(record, instance)
    yield from _contradictions_of_limits(record, instance)
    read = published_reader(dict.fromkeys(ACTIONS, 1), (), tried=False)
    for number, step in enumerate(record.steps, start=1):
        if not step.text or not step.action:
            continue
        written = read(step.text).written
        if written.lower() != step.action.lower():
            yield "answer", f"step {number} is {step.action!r}; the answer says {written!r}"


def _contradictions_of_counts(
    record: RecordedEpisode, instance: Instance
) -> Iterator[tuple[str, str]]:
    """Yield counts of steps in a log that do not agree with each other."""
    result = record.metadata.get("result") or {}
    if not result:
        return
    count = result.get("test_step_count")
    if record.metadata.get("plan") and count != len(record.steps):
        yield "steps", f"the results say {count} steps, the plan has {len(record.steps)}"
    reference = result.get("orig_step_count")
    if reference != instance.reference_steps:
        text = f"{reference}, not {instance.reference_steps}"
        yield "reference", f"the number of reference steps is {text}"


def _contradictions_of_limits(
    record: RecordedEpisode, instance: Instance
) -> Iterator[tuple[str, str]]:
    """Yield a contradiction if the episode ended at another limit than those of the benchmark."""
    turns = episode_of_log(instance.id, record).turns
    official = Semantics.of("official", QUIRKS)
    limit_checks = [limit.begin() for limit in episode_limits(instance.reference_steps, official)]
    n_steps = len(record.steps)
    for n_taken in range(1, n_steps + 1):
        # Limits count turns, so each check is called at every turn.
        reasons = [check(turns[:n_taken]) for check in limit_checks]
        reason = _first_of(reasons)
        if not reason:
            continue
        if n_taken < n_steps:
            text = f"by {reason} the episode should end after {n_taken} of {n_steps} steps"
            yield "step_limit", text
            break
        if not record.success and record.end.lower() not in (reason, ""):
            yield "end", f"the results say {record.end}, the steps say {reason}"


def _first_of(reasons: Iterable[str]) -> str:
    """Return the reason that the evaluator checks first, or "" without a reason."""
    for reason in reasons:
        if reason:
            return reason
    return ""
