"""Runs of the published evaluator: scored by what it recorded, or by what was done; audited.

``official`` takes the log at its word (``log_trusted``): whether an action was done, which goals
are met, how many errors a step has. ``strict`` takes the actions again in the symbolic room, where
things lie as the pictures of the reference execution show them, and names the steps that come out
otherwise.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from eai.acting import End, Episode, RecordedEpisode, Turn
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

_FAULTS = {
    "Unparsable": ErrorKind.PARSING,
    "Invalid Action": ErrorKind.ACTION_HALLUCINATION,
    "Invalid Object": ErrorKind.OBJECT_HALLUCINATION,
}
_API = "API_Failure"
_PLACE = re.compile(r"\\\{\w*\\\}")


def coded(record: RecordedEpisode) -> RecordedEpisode:
    """Give failed steps the code of what the published program said of them."""
    steps = (replace(s, code=s.code or _code(s.action, s.feedback)) for s in record.steps)
    end = End.AGENT_FAILURE.value if record.end == _API else record.end
    return replace(record, steps=tuple(steps), end=end)


def logged(task: str, record: RecordedEpisode) -> Episode:
    """Return an episode of the published evaluator as its log says it was."""
    goal = GoalStatus(bool(record.success), tuple(_conditions(record.metadata["goal"])))
    errors = list(record.metadata["errors"])
    failed = sum(step.success is False for step in record.steps)
    turns: list[Turn] = []
    read = published_reader(dict.fromkeys(ACTIONS, 1), (), tried=True)
    for number, step in enumerate(record.steps, start=1):
        own: list[Mapping[str, Any]] = []
        if step.success is False:
            name, failed = step.action.partition(" ")[0], failed - 1
            own, errors = errors[:1], errors[1:]
            # One for every object that was tried; the steps behind have one at least, too.
            while len(errors) > failed and _named(errors[0]) == name:
                own.append(errors.pop(0))
        reply = read(f"Action: {step.action}" if step.action else step.text)
        codes = tuple(_code(_named(each), str(each.get("error_msg", ""))) for each in own)
        fault = _FAULTS.get(str(own[0].get("error_type"))) if own else None
        code = "" if step.success else step.code
        result = StepResult(
            bool(step.success), Observation(), code, step.feedback, errors=codes, kind=fault
        )
        turns.append(Turn(number, step.text or f"Action: {step.action}", reply, result, number))
    end = record.end.lower() or (End.SUCCESS if record.success else End.NO_MORE_ANSWERS).value
    note = "" if turns else "there is no plan.json: its steps are not known"
    return Episode(task, Observation(), tuple(turns), end, goal, note)


def _named(error: Mapping[str, Any]) -> str:
    return str(error.get("action_name", "")).upper()


@cache
def _messages() -> Sequence[tuple[str, str, re.Pattern[str]]]:
    """Action, code, and what the published program says."""
    return [
        (known.split()[0], known.split()[-1], re.compile(_PLACE.sub(".+", re.escape(text))))
        for known, text in rules().feedback.items()
    ]


def _code(action: str, message: str) -> str:
    """The code of a failure, by what the published program says of it."""
    known = (action.partition(" ")[0], "INVALID_RESPONSE", *WITHOUT_OBJECT)
    for name, code, pattern in _messages() if message else ():
        if name in known and pattern.fullmatch(message):
            return code
    return failure_of(message).value if message else ""


_GOALS = {
    "action_goals": ("action", "{name}"),
    "location_goals": ("relation", "{object_type} in {destination_type}"),
    "put_away_goals": ("relation", "{object_type} put away"),
    "contents_goals": ("relation", "{container_type} holds {contents} and nothing else"),
    "state_goals": ("state", "{object_type} {state}: {value}"),
}


def _conditions(goal: Mapping[str, Any]) -> Iterator[Condition]:
    for key, (kind, text) in _GOALS.items():
        for row in goal.get(key, ()):
            met = row.get("outcome") == "success"
            yield Condition(kind, text.format_map(defaultdict(str, row)), met)


# ------------------------------------------------------------------ audit


def own_episodes(items: Mapping[str, str]) -> dict[str, RecordedEpisode]:
    """Return the items that are episodes of the published evaluator."""
    own = (name for name, text in items.items() if '"benchmark": "asgardbench"' in text)
    return {name: RecordedEpisode.from_json(items[name]) for name in own}


def audit(known: Mapping[str, Instance], items: Mapping[str, str]) -> Iterator[AuditFinding]:
    """Yield what is out of order in a run."""
    episodes = own_episodes(items)
    for name, record in episodes.items():
        where = str(record.metadata.get("file", ""))
        if name not in known:
            yield AuditFinding("foreign", name, "there is no such task", where)
            continue
        for kind, text in (*_flags(record), *_steps(record, known[name])):
            yield AuditFinding(kind, name, text, where)
    for name in known if episodes else ():
        if name not in episodes:
            yield AuditFinding("missing", name, "there is no episode of this task", "")


def _flags(record: RecordedEpisode) -> Iterator[tuple[str, str]]:
    """Parts of a log that contradict each other about how an episode ended."""
    result, plan = (record.metadata.get(each) or {} for each in ("result", "plan"))
    if record.metadata.get("results", 1) > 1:
        yield "duplicate", f"{record.metadata['results']} entries among the results"
    if not result:
        yield "interrupted", "the results have no entry for this task"
    if record.end == _API:
        yield "interrupted", "the model could not be asked (API_Failure), which counts as failed"
    failed = not record.success
    if plan and result and bool(plan.get("failed")) is not failed:
        yield "mis-scored", f"the results say failed: {failed}, the plan says {plan.get('failed')}"
    elif plan and result and str(plan.get("folder")).startswith("_") is not failed:
        yield "mis-scored", f"the results say failed: {failed}, the folder is {plan['folder']}"
    unmet = [each.text for each in _conditions(record.metadata["goal"]) if not each.met]
    if unmet and record.success:
        yield "mis-scored", f"it counts as solved, but goals are unmet: {'; '.join(unmet)}"
    if not unmet and failed and record.metadata["goal"] and record.end != _API:
        yield "mis-scored", "it counts as failed, but all goals are met"


def _steps(record: RecordedEpisode, instance: Instance) -> Iterator[tuple[str, str]]:
    """Steps that contradict the results, the rules of the benchmark, or what the model wrote."""
    result, count = record.metadata.get("result") or {}, len(record.steps)
    if result and record.metadata.get("plan") and result.get("test_step_count") != count:
        yield (
            "steps",
            f"the results say {result.get('test_step_count')} steps, the plan has {count}",
        )
    if result and result.get("orig_step_count") != instance.reference_steps:
        said = f"{result.get('orig_step_count')}, not {instance.reference_steps}"
        yield "reference", f"the number of reference steps is {said}"
    turns = logged(instance.id, record).turns
    official = Semantics.of("official", QUIRKS)
    checks = [limit.begin() for limit in episode_limits(instance.reference_steps, official)]
    for number in range(1, count + 1):
        reason = next(filter(None, [check(turns[:number]) for check in checks]), "")
        if reason and number < count:
            yield (
                "step_limit",
                f"by {reason} the episode should end after {number} of {count} steps",
            )
            break
        if reason and not record.success and record.end.lower() not in (reason, ""):
            yield "end", f"the results say {record.end}, the steps say {reason}"
    read = published_reader(dict.fromkeys(ACTIONS, 1), (), tried=False)
    for number, step in enumerate(record.steps, start=1):
        written = read(step.text).written
        if step.text and step.action and written.lower() != step.action.lower():
            yield "answer", f"step {number} is {step.action!r}; the answer says {written!r}"
