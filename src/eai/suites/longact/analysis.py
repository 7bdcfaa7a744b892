"""Analyses of runs of LongAct: metrics by scenario, errors of failed items, progress.

In the paper a language model gave each failed item one of these errors. Here they follow from the
episode and from the log of the agent, so shares are not comparable with published ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Mapping, Sequence
from typing import NamedTuple

from eai.acting import Episode
from eai.report import Record, Report
from eai.suites.longact.acting import checklist_of
from eai.suites.longact.episodes import SCENARIOS, WORDINGS, Bound
from eai.suites.longact.metrics import ItemStatus, curve
from eai.suites.longact.view import MEANS
from eai.table import Cell, Table
from eai.task import Task

Log = Sequence[Mapping[str, object]]
Logged = tuple[Task, Episode, Log]
"""A task, an episode in it, and the log of its agent; empty if it keeps none."""

PLANNING = "task planning"
ABSENT = "memory, absent"
UNRECALLED = "memory, unrecalled"
MISMATCH = "memory, mismatch"
PARTIAL = "memory, partial"

ERRORS = (PLANNING, ABSENT, UNRECALLED, MISMATCH, PARTIAL)
"""Errors other than those of execution, in the order in which they are looked for."""

_EXECUTION_OTHER = "execution, other"

_VERBS = {
    "position": ("put",),
    "on": ("on", "off"),
    "open": ("open", "close"),
    "sliced": ("slice",),
    "cooked": ("cook",),
    "filled": ("fill",),
}
"""Kind of a condition to the first words of an agent's goals that are about it."""

_MAX_ROWS = 20
"""Maximum number of rows of the progress of a model, but for the first."""


def by_scenario(report: Report) -> Table:
    """Return the metrics of each scenario and wording."""
    rows: list[dict[str, Cell]] = []
    for model in report.models:
        records = report.of(model)
        rows.append(_row_of_part(report, model, "all", records))
        for part in (*SCENARIOS, *WORDINGS):
            # A record has a scenario and a wording, so it is in two parts.
            of_part = [record for record in records if part in record.result.groups]
            if of_part:
                rows.append(_row_of_part(report, model, part, of_part))
    note = f"{report.setting}; shares in percent, steps and the improvement rate as they are"
    return Table.by_model("Metrics by scenario and wording", rows, (note,))


def _row_of_part(
    report: Report, model: str, part: str, records: Sequence[Record]
) -> dict[str, Cell]:
    """Return the metrics of some records of a model as a row.

    Args:
        report: The report.
        model: Name of the model.
        part: Name of the part.
        records: The records of the part.
    """
    # The records become a report, which computes the metrics.
    metrics = Report(records, setting=report.setting).metrics(model)
    values = {metric.key: metric.value for metric in metrics}
    row: dict[str, Cell] = {"model": model, "part": part, "episodes": len(records)}
    row["SR"] = values["task_success_rate"]
    for key, (_, heading) in MEANS.items():
        row[heading] = values[key]
    return row


def error_shares(logged: Mapping[str, Sequence[Logged]]) -> Table:
    """Return the share of each error among the failed items of each model.

    Args:
        logged: Model to its episodes.
    """
    rows: list[dict[str, Cell]] = []
    notes: list[str] = []
    for model, episodes in logged.items():
        error_counts = _count_errors(episodes)
        if error_counts:
            # All errors of the paper are listed, in its order, even if they did not occur.
            other_errors = sorted(set(error_counts).difference(ERRORS))
            for error in (*ERRORS, *other_errors):
                count = error_counts[error]
                share = 100 * count / error_counts.total()
                rows.append({"model": model, "error": error, "items": count, "%": share})
        n_without_log = sum(not log for _, _, log in episodes)
        if n_without_log:
            notes.append(
                f"{model}: {n_without_log} of {len(episodes)} episodes have no log of what the "
                "agent decided; their failed items count as execution, other"
            )
    return Table.by_model("Errors of failed items", rows, tuple(notes))


def _count_errors(episodes: Sequence[Logged]) -> Counter[str]:
    """Count the errors that explain the failed items of some episodes."""
    causes = Counter[str]()
    for task, episode, log in episodes:
        items = checklist_of(task).items
        for bound, status in zip(items, episode.goal.conditions, strict=True):
            if not status.met:
                causes[cause_of(bound, status, task, episode, log)] += 1
    return causes


def cause_of(bound: Bound, status: object, task: Task, episode: Episode, log: Log) -> str:
    """Return the error that explains why an item of the checklist failed.

    - Task planning: no goal of the agent is about the item.
    - Absent: its object was never seen. Unrecalled: it was seen, but not found again.
    - Mismatch: the agent acted on another object. Partial: it acted on too few objects.
    - Execution: everything else, with the action that failed last or that undid the item.

    Args:
        bound: The item.
        status: Its condition at the end of the episode.
        task: The task.
        episode: The episode.
        log: The log of the agent. Without one the error is execution, with no further reason.
    """
    # The errors are tested in the order in which an agent works: goals come first.
    goals = _goals_of(log)
    if goals is None:
        return _EXECUTION_OTHER
    types = checklist_of(task).house.types
    about_item = _goals_about(bound, goals, types)
    if not about_item:
        return PLANNING
    entries = _entries_about(log, about_item)
    missing = _types_reported_missing(entries)
    if missing:
        seen = _seen_types(episode, types)
        # An object that was in view at some turn was forgotten, not absent.
        was_seen = any(not seen.isdisjoint(alternatives) for alternatives in missing)
        return UNRECALLED if was_seen else ABSENT
    return _wrong_objects(bound, about_item, entries, types) or _execution_error(
        status, episode, entries
    )


def _goals_about(
    bound: Bound, goals: Mapping[int, _AgentGoal], types: Mapping[str, str]
) -> dict[int, _AgentGoal]:
    """Return the agent's goals that concern an item of the checklist, by number.

    An item has conditions of one or more kinds. If the agent has no goal for one of these kinds,
    it did not have the item in mind, and nothing is returned.

    Args:
        bound: The item, with the objects that it may be about.
        goals: The goals of the agent, by their numbers.
        types: The type of each object.
    """
    item_types = {types[name].lower() for name in bound.objects}
    goals_about_item: dict[int, _AgentGoal] = {}
    for kind in bound.tests:
        goals_of_kind = {}
        for number, goal in goals.items():
            if goal.verb in _VERBS[kind] and goal.is_about(bound.objects, item_types):
                goals_of_kind[number] = goal
        # An item "mug on the table, filled" is not planned by a goal that only puts it there.
        if not goals_of_kind:
            return {}
        goals_about_item |= goals_of_kind
    return goals_about_item


def _wrong_objects(
    bound: Bound,
    goals: Mapping[int, _AgentGoal],
    entries: Sequence[Mapping[str, object]],
    types: Mapping[str, str],
) -> str:
    """Return the error of acting on other or too few objects, or "" if the agent acted on none.

    Args:
        bound: The item of the checklist, with the objects that it may be about.
        goals: The agent's goals that concern the item. They may name other types than the item,
            which would do as well.
        entries: The log of the agent's actions.
        types: The type of each object.
    """
    intended_types = {types[name].lower() for name in bound.objects}
    for goal in goals.values():
        intended_types.update(goal.types)
    handled_objects = set()
    for entry in entries:
        name = str(entry.get("target"))
        if entry.get("event") == "done" and types.get(name, "").lower() in intended_types:
            handled_objects.add(name)
    right_objects = handled_objects.intersection(bound.objects)
    if handled_objects and not right_objects:
        return MISMATCH
    # The item is about "two Mugs", and only one was handled.
    if 0 < len(right_objects) < bound.count:
        return PARTIAL
    return ""


def _execution_error(
    status: object, episode: Episode, entries: Sequence[Mapping[str, object]]
) -> str:
    """Return the error of a well-planning agent: its last failed or harmful action.

    Args:
        status: The status of the item at the end.
        episode: The episode.
        entries: The log of the agent's actions.
    """
    if isinstance(status, ItemStatus) and status.lost_by:
        action = str(episode.turns[status.lost_by - 1].reply.action)
    else:
        failed = [str(entry.get("action")) for entry in entries if entry.get("event") == "failed"]
        if not failed:
            return _EXECUTION_OTHER
        action = failed[-1]
    name = action.partition("(")[0]
    return f"execution, {name}"


class _AgentGoal(NamedTuple):
    """A goal that an agent wrote into its log.

    Args:
        verb: First word of its text (``"put"``).
        types: Types of objects that it may be met by, in lower case.
        name: Name of the object, if the agent meant one.
    """

    verb: str
    types: Sequence[str]
    name: str

    def is_about(self, objects: Collection[str], types: Container[str]) -> bool:
        """Return whether the goal is about one of some objects, or of their types."""
        return self.name in objects or any(kind in types for kind in self.types)


def _goals_of(log: Log) -> dict[int, _AgentGoal] | None:
    """Return the goals that an agent logged, by number, or None if it logged none.

    Logs may be of other agents, or edited, so goals of another form are skipped.
    """
    for entry in log:
        if entry.get("event") == "goals":  # {"event": "goals", "goals": [["put mug", ["mug"], ""]]}
            rows = entry.get("goals")
            break
    else:
        return None
    if not isinstance(rows, Sequence):
        return None
    goals = {}
    for number, row in enumerate(rows, 1):
        goal = _goal_of_row(row)
        if goal is not None:
            goals[number] = goal
    return goals


def _goal_of_row(row: object) -> _AgentGoal | None:
    """Return a logged goal, or None if the row is not a list of a text, types and a name."""
    if not isinstance(row, (list, tuple)) or len(row) != 3:
        return None
    text, types, name = row
    if not isinstance(types, (list, tuple)):
        return None
    if not all(isinstance(word, str) for word in (text, name, *types)):
        return None
    return _AgentGoal(text.partition(" ")[0], types, name)


def _entries_about(log: Log, goals: Container[int]) -> list[Mapping[str, object]]:
    """Return the log entries that were made while one of some goals was pursued."""
    entries: list[Mapping[str, object]] = []
    current_goal: object = None
    for entry in log:
        # A log has an entry when another goal begins; the entries behind it are about that goal.
        if entry.get("event") == "goal" and entry.get("status") == "running":
            current_goal = entry.get("goal")
        if isinstance(current_goal, int) and current_goal in goals:
            entries.append(entry)
    return entries


def _types_reported_missing(entries: Sequence[Mapping[str, object]]) -> list[list[str]]:
    """Return the object types that would have sufficed, for each failed search.

    The cause of such an entry is ``"mug|cup is nowhere"``.
    """
    missing = []
    for entry in entries:
        cause = str(entry.get("cause"))
        if "nowhere" in cause:
            missing.append(cause.split(maxsplit=1)[0].split("|"))
    return missing


def _seen_types(episode: Episode, types: Mapping[str, str]) -> set[str]:
    """Return the names and types of all objects that were seen in an episode."""
    seen = set()
    for turn in episode.turns:
        for visible in turn.result.observation.objects:
            seen.add(visible.name)
            if visible.name in types:
                seen.add(types[visible.name].lower())
    return seen


def progress(logged: Mapping[str, Sequence[Logged]]) -> Table:
    """Return the share of satisfied items by the number of counted steps.

    Args:
        logged: Model to its episodes.
    """
    curves: dict[str, list[list[float]]] = {}
    max_length = 0
    for model, episodes in logged.items():
        curves[model] = [curve(episode) for _, episode, _ in episodes]
        max_length = max([max_length, *map(len, curves[model])])
    # Rows are 10, 20, 40, ... steps apart, so that there are at most _MAX_ROWS of them.
    row_distance = 10
    while row_distance * _MAX_ROWS < max_length:
        row_distance *= 2
    rows: list[dict[str, Cell]] = []
    for model, model_curves in curves.items():
        for step in range(0, max_length + row_distance, row_distance):
            shares = [_share_at(scores, step) for scores in model_curves]
            n_acting = sum(len(scores) > step for scores in model_curves)
            row: dict[str, Cell] = {
                "model": model,
                "counted steps": step,
                "GC": 100 * sum(shares) / len(shares),
                "still acting": n_acting,
            }
            rows.append(row)
    note = "percent, mean over episodes; a finished episode keeps its last value"
    return Table.by_model("Goal conditions over counted steps", rows, (note,))


def _share_at(scores: Sequence[float], step: int) -> float:
    """Return the share of satisfied items after a step. After the end, it stays the same."""
    # Before the first counted step nothing is met: items that hold at the start are refused.
    if not scores or step == 0:
        return 0
    return scores[min(step, len(scores)) - 1]
