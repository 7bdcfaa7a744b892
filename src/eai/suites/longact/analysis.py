"""What runs of LongAct say beyond their metrics: scenarios, errors of failed items, progress.

In the paper a language model gave each failed item one of these errors. Here they follow from what
happened and from the log of the agent, so that shares do not stand beside published ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence

from eai.acting import Episode
from eai.report import Report
from eai.suites.longact.acting import checklist_of
from eai.suites.longact.episodes import SCENARIOS, WORDINGS, Bound
from eai.suites.longact.metrics import ItemStatus, curve
from eai.suites.longact.view import MEANS
from eai.table import Cell, Table
from eai.task import Task

Log = Sequence[Mapping[str, object]]
Logged = tuple[Task, Episode, Log]
"""A task, an episode in it, and what its agent noted; nothing if it keeps no log."""

ERRORS = (
    "task planning",
    "memory, absent",
    "memory, unrecalled",
    "memory, mismatch",
    "memory, partial",
)
"""Errors beside those of execution, in the order in which they are looked for."""

_GOALS = {
    "position": ("put",),
    "on": ("on", "off"),
    "open": ("open", "close"),
    "sliced": ("slice",),
    "cooked": ("cook",),
    "filled": ("fill",),
}
_ROWS = 20  # the curve has at most so many


def by_scenario(report: Report) -> Table:
    """Return the metrics of each scenario and wording."""
    rows: list[dict[str, Cell]] = []
    for model in report.models:
        for part in ("all", *SCENARIOS, *WORDINGS):
            records = [r for r in report.of(model) if part in ("all", *r.result.groups)]
            if records:
                found = Report(records, setting=report.setting).metrics(model)
                values = {metric.key: metric.value for metric in found}
                row: dict[str, Cell] = {"model": model, "part": part, "episodes": len(records)}
                row["SR"] = values["task_success_rate"]
                rows.append(row | {head: values[key] for key, (_, head) in MEANS.items()})
    note = f"{report.setting}; shares in percent, steps and the improvement rate as they are"
    return Table.by_model("Metrics by scenario and wording", rows, (note,))


def error_shares(found: Mapping[str, Sequence[Logged]]) -> Table:
    """Return what the failed items of each model failed by."""
    rows: list[dict[str, Cell]] = []
    notes: list[str] = []
    for model, episodes in found.items():
        causes = Counter(
            cause_of(bound, status, task, episode, log)
            for task, episode, log in episodes
            for bound, status in zip(checklist_of(task).items, episode.goal.conditions, strict=True)
            if not status.met
        )
        names = (*ERRORS, *sorted(set(causes).difference(ERRORS)))
        for name in names if causes else ():
            share = 100 * causes[name] / causes.total()
            rows.append({"model": model, "error": name, "items": causes[name], "%": share})
        silent = sum(not log for _, _, log in episodes)
        if silent:
            notes.append(
                f"{model}: {silent} of {len(episodes)} episodes have no log of what the agent "
                "decided; their failed items count as execution, other"
            )
    return Table.by_model("Errors of failed items", rows, tuple(notes))


def cause_of(bound: Bound, status: object, task: Task, episode: Episode, log: Log) -> str:
    """Say by what an item failed; without a log nothing is known.

    Planning: no goal of the agent says it. Absent: what it is about was never seen; unrecalled: it
    was seen, and not found again; mismatch: something else was taken for it; partial: fewer than
    asked. All else is execution, by the action that failed last, or that undid it.
    """
    goals = next((entry.get("goals") for entry in log if entry.get("event") == "goals"), None)
    if not isinstance(goals, Sequence):
        return "execution, other"
    # Logs may be of other agents, or were edited.
    read = [row if _is_goal(row) else ("", (), "") for row in goals]
    types = checklist_of(task).house.types
    kinds = {types[name].lower() for name in bound.objects}
    about: dict[int, Sequence[str]] = {}
    for kind in bound.tests:
        matching = {
            number: words
            for number, (text, words, name) in enumerate(read, 1)
            if text.partition(" ")[0] in _GOALS[kind]
            and (name in bound.objects or kinds.intersection(words))
        }
        if not matching:
            return ERRORS[0]
        about |= matching
    own = _entries(log, about)
    kinds.update(*about.values())
    lost = {str(entry["cause"]).split()[0] for entry in own if "nowhere" in str(entry.get("cause"))}
    if lost:
        seen = {one.name for turn in episode.turns for one in turn.result.observation.objects}
        seen |= {types[name].lower() for name in seen if name in types}
        return ERRORS[2 if any(seen & {*words.split("|")} for words in lost) else 1]
    taken = {str(entry.get("target")) for entry in own if entry.get("event") == "done"}
    alike = {name for name in taken if types.get(name, "").lower() in kinds}
    meant = alike.intersection(bound.objects)
    if alike and not meant:
        return ERRORS[3]
    if 0 < len(meant) < bound.count:
        return ERRORS[4]
    undone = status.lost_by if isinstance(status, ItemStatus) else None
    failed = [str(entry.get("action")) for entry in own if entry.get("event") == "failed"]
    if undone:
        failed.append(str(episode.turns[undone - 1].reply.action))
    return f"execution, {failed[-1].partition('(')[0]}" if failed else "execution, other"


def _is_goal(row: object) -> bool:
    row = row if isinstance(row, (list, tuple)) else ()
    words = row[1] if len(row) == 3 and isinstance(row[1], (list, tuple)) else (None,)
    return all(isinstance(word, str) for word in (*words, *row[::2]))


def _entries(log: Log, goals: Container[int]) -> list[Mapping[str, object]]:
    """What a log says while one of some goals is at hand."""
    found: list[Mapping[str, object]] = []
    running: object = None
    for entry in log:
        if entry.get("event") == "goal" and entry.get("status") == "running":
            running = entry.get("goal")
        if isinstance(running, int) and running in goals:
            found.append(entry)
    return found


def progress(found: Mapping[str, Sequence[Logged]]) -> Table:
    """Return the share of the items that are met after so many counted steps."""
    rows: list[dict[str, Cell]] = []
    curves = {model: [curve(each) for _, each, _ in of] for model, of in found.items()}
    longest = max((len(each) for of in curves.values() for each in of), default=0)
    width = next(w for w in (10 * 2**n for n in range(40)) if w * _ROWS >= longest)
    for model, each in curves.items():
        for step in range(0, longest + width, width):
            met = [scores[min(step, len(scores)) - 1] if scores and step else 0 for scores in each]
            going = sum(len(scores) > step for scores in each)
            gc = 100 * sum(met) / len(met)
            rows.append({"model": model, "counted steps": step, "GC": gc, "still acting": going})
    note = "percent, mean over episodes; a finished episode keeps its last value"
    return Table.by_model("Goal conditions over counted steps", rows, (note,))
