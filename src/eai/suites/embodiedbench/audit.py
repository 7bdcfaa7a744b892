"""What is out of order in recorded episodes.

Every finding names its line. Nothing is guessed: what a log does not decide is no finding.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from eai.acting import RecordedEpisode
from eai.contract import AuditFinding, Suite
from eai.errors import InputError
from eai.suites.embodiedbench import alfred, habitat, navigation
from eai.suites.embodiedbench.acting import INVALID
from eai.suites.embodiedbench.failures import EMPTY_PLAN
from eai.suites.embodiedbench.recorded import ACTED, Recorded
from eai.suites.embodiedbench.skills import (
    ALFRED,
    HABITAT,
    MANIPULATION,
    NAVIGATION,
    REPAIRS,
    STEPS,
    UNKNOWN,
    read_feedback,
    read_output,
    skill_named,
    skills,
)

_PARTIAL = re.compile(r"down_sample_ratio\W+0?\.\d|selected_indexes\W+\d")
"""A run that was meant to be a part of the benchmark says so."""
_NAMED = re.compile(r'"environment": "([^"]+)"')
"""Inside of a text of a record quotes are escaped, so that this is the record's own."""

Found = Iterator[tuple[str, str, int]]
"""Kind and text of a finding, and which step it is about (from 0; -1: none)."""


def _own(suite: Suite, items: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The items that are recorded episodes of a suite."""
    for name, text in items.items():
        of = _environment(text)
        if of and suite.name.startswith(of):
            yield name, text


def _environment(text: str) -> str:
    """The environment of a record, as its folder names it, else by its words; empty if of none."""
    named = _NAMED.search(text)
    if named is not None:
        return named[1]
    try:
        record = RecordedEpisode.from_json(text)
    except InputError:
        return ""
    if any("distance" in row for row in record.metadata.get("rows", ())):
        return NAVIGATION
    words = [step.action for step in record.steps] if record.metadata else []
    if any(each.startswith("[") for each in words):
        return MANIPULATION
    known = (HABITAT, NAVIGATION, ALFRED)
    return next((of for of in known if any(skill_named(of, each) for each in words)), "")


def audit(suite: Suite, items: Mapping[str, str]) -> Iterator[AuditFinding]:
    """Yield what is out of order in recorded episodes of the tasks of a suite.

    The records stand as JSON under their identifiers as they are written.
    """
    tasks = dict.fromkeys(suite.task_ids())
    seen: dict[str, str] = {}
    partial = False
    for name, text in _own(suite, items):
        task, numbered = suite.canonical_id(name), suite.canonical_id(name.partition("@")[0])
        try:
            record = RecordedEpisode.from_json(text)
        except InputError as error:
            yield AuditFinding("unreadable", task, error.what, str(error.where or ""))
            continue
        about = record.metadata
        where, earlier = str(about.get("file", "")), about.get("earlier", ())
        partial = partial or bool(_PARTIAL.search(str(about.get("config", ""))))
        if task not in tasks:
            yield AuditFinding("foreign", task, "there is no such task", where)
            continue
        if task != numbered:
            yield AuditFinding("foreign", task, f"its log is in the file of {numbered}", where)
        elif about.get("foreign"):  # of which task, that cannot be told
            yield AuditFinding("foreign", task, "some rows have another instruction", where)
            continue
        if earlier or task in seen:
            more = f"{len(earlier) + 1} runs of it"
            more = more if earlier else f"another one is in {seen[task]}"
            yield AuditFinding("duplicate", task, more, where)
        seen[task] = where
        for run in earlier:
            yield from _of_run(suite.name, task, RecordedEpisode.from_json(json.dumps(run)))
        yield from _of_run(suite.name, task, record)
        if not record.steps and not (about.get("final") and suite.name == MANIPULATION):
            yield AuditFinding("interrupted", task, "there is no step", where)
    if not partial:
        yield from _missing(tasks, seen)


def _missing(tasks: Iterable[str], seen: Mapping[str, str]) -> Iterator[AuditFinding]:
    """The tasks without an episode, of subsets that have some."""
    present = {task.partition("/")[0] for task in seen}
    for task in tasks:
        if task not in seen and task.partition("/")[0] in present:
            yield AuditFinding("missing", task, "there is no episode of this task", "")


def _of_run(name: str, task: str, record: RecordedEpisode) -> Iterator[AuditFinding]:
    about = record.metadata
    where = str(about.get("file", ""))
    try:
        made = Recorded(name, record).check()
    except InputError as error:
        yield AuditFinding("unreadable", task, error.what, where)
        return
    for check in (_order, _steps, _scores, _progress, _texts):
        for kind, message, place in check(made, task):
            line = made.rows[place].get("line", "") if 0 <= place < len(made.rows) else ""
            yield AuditFinding(kind, task, message, f"{where}:{line}" if line else where)
    for note in about.get("notes", ()):
        line, _, message = str(note).partition(": ")
        yield AuditFinding("damaged", task, message, f"{where}:{line}")


def _order(made: Recorded, _: str) -> Found:
    """Steps behind what ends an episode, and episodes that nothing ended."""
    steps, rows = made.record.steps, made.rows
    taken = [place for place, step in enumerate(steps) if step.action]
    most, acted = STEPS[made.environment], made.environment in ACTED
    if len(taken) > most:
        yield "step_limit", f"{len(taken)} environment steps, of {most}", taken[most]
    solved = next((place for place, row in enumerate(rows) if row.get("task_success")), None)
    if solved is not None and solved < len(rows) - 1:
        yield "after_success", f"{len(rows) - 1 - solved} rows after success", solved + 1
    failed = [p for p, s in enumerate(steps) if not s.success and s.code != EMPTY_PLAN]
    over = acted and len(failed) >= INVALID
    if over and failed[INVALID - 1] < len(steps) - 1:
        text = f"it goes on after {INVALID} invalid actions"
        yield "invalid_limit", text, failed[INVALID - 1] + 1
    outside = made.environment == NAVIGATION and "outside" in made.sources
    if outside and (place := made.sources.index("outside")) < len(steps) - 1:
        yield (
            "version",
            "the episode goes on after an action id out of range, as in the 2026 version",
            place,
        )
    empty = next((p for p, step in enumerate(steps) if step.code == EMPTY_PLAN), None)
    if empty is not None and empty < len(steps) - 1:
        yield "after_end", f"{len(steps) - 1 - empty} rows after an empty plan", empty + 1
    ended = made.flag or over or outside or empty is not None or len(taken) >= most
    if steps and not ended and made.environment != MANIPULATION:
        yield "interrupted", f"it ends after {len(taken)} of {most} steps", len(steps) - 1


def _steps(made: Recorded, _: str) -> Found:
    """Rows that contradict themselves."""
    for place, (step, row) in enumerate(zip(made.record.steps, made.rows, strict=False)):
        if not step.action:
            continue
        fault = _id_fault(made.environment, row.get("action_id"), step.action)
        if fault:
            yield "id_words", fault, place
        said = read_feedback(made.environment, step.feedback)
        if said.success is not None and said.success is not bool(step.success):
            flag = "done" if step.success else "not done"
            yield "feedback_flag", f"the flag says {flag}: {step.feedback!r:.80}", place
        elif said.key == UNKNOWN and step.feedback:
            yield "unknown_feedback", f"{step.feedback!r:.80}", place
        distance = made.distances[place] if "task_success" in row else None
        if distance is not None and (distance <= navigation.NEAR) is not bool(row["task_success"]):
            yield (
                "mis-scored",
                f"the target is {distance:.3f} m away, but task_success is {row['task_success']}",
                place,
            )


def _id_fault(environment: str, number: object, words: str) -> str:
    """How a number does not agree with its words; what only some episodes have, words decide."""
    known, named = skills(environment), skill_named(environment, words)
    if not known or not isinstance(number, int):
        return ""
    if not 0 <= number < len(known):
        own = environment == ALFRED and named is not None
        return "" if own else f"there is no skill {number}"
    agree = named is not None and named.words == known[number].words
    return "" if agree else f"{number} is {known[number].words!r}, not {words!r}"


def _scores(made: Recorded, task: str) -> Found:
    """Success that what was done, or another part of the log, contradicts."""
    last = len(made.rows) - 1
    flags = [bool(row["task_success"]) for row in made.rows if "task_success" in row]
    said = made.final.get("task_success")
    if flags and said is not None and bool(said) is not flags[-1]:
        yield "mis-scored", f"the results say {said}, the last row {flags[-1]}", last
    if made.environment in ACTED and made.record.steps:
        share = alfred.progress(task, tuple(made.done)) if made.environment == ALFRED else None
        reached = None if share is None else share[1] == 1
        if made.environment == HABITAT:
            reached = habitat.solves(task, made.done)
        if reached not in (None, made.flag):
            does = "reach" if reached else "do not reach"
            yield (
                "mis-scored",
                f"the log says task_success={made.flag}; the recorded actions {does} the goal",
                last,
            )
    if made.environment == NAVIGATION and (off := made.misfit(task)) > navigation.EXACT:
        known = navigation.records()
        better = next((name for name in known if made.misfit(name) <= navigation.EXACT), None)
        text = f"its distances differ from the task's by up to {off:.3f} m"
        text += f"; they fit {better}" if better else ""
        yield "foreign" if better else "distance", text, last


def _progress(made: Recorded, task: str) -> Found:
    """Progress that cannot be, or that another part of the log contradicts."""
    last, rows = len(made.rows) - 1, made.rows
    progress = {n: row["task_progress"] for n, row in enumerate(rows) if "task_progress" in row}
    total = len(alfred.counted(task)) if made.environment == ALFRED else 0
    for place, value in progress.items():
        number = value if isinstance(value, (int, float)) else -1.0
        if not 0 <= number <= 1:
            yield "progress", f"{value!r} is not a share", place
        elif total and abs(number * total - round(number * total)) > 0.02 * total:
            yield "progress", f"{value!r} is not a share of {total} conditions", place
        elif made.environment in ACTED and rows[place].get("task_success") and value != 1:
            yield "progress", f"it counts as solved, but its progress is {value}", place
    final = list(progress.values())[-1:]
    share = alfred.progress(task, tuple(made.done)) if total and final else None
    known = share is not None and isinstance(final[0], float)
    if share and known and not share[0] - 0.02 <= final[0] <= share[1] + 0.02:
        yield (
            "progress",
            f"the log says a progress of {final[0]:.2f}; the recorded actions reach {share[1]:.2f}",
            last,
        )
    if final and final[0] and made.final.get("task_progress") == 0:
        yield "progress_reset", f"the results say a progress of 0, the last row {final[0]}", last


def _texts(made: Recorded, _: str) -> Found:
    """Answers that are valid, and were not read because they were mended."""
    for place, (step, row) in enumerate(zip(made.record.steps, made.rows, strict=False)):
        text = str(row.get("text", ""))
        if step.action or step.code == EMPTY_PLAN or not text:
            continue
        read = read_output(text)
        broken = [name for name, mend in REPAIRS.items() if read_output(text, mend).status != "ok"]
        if read.status == "ok" and not read.repaired and broken:
            yield (
                "repair",
                f"valid JSON, which the published repair {' and '.join(broken)} breaks",
                place,
            )


def rates(suite: Suite, items: Mapping[str, str]) -> dict[str, tuple[int, int, int]]:
    """Return for each subset: solved episodes, episodes that are found, tasks."""
    tasks = set(suite.task_ids())
    found = {group: (0, 0, len(ids)) for group, ids in suite.groups().items()}
    for name, text in _own(suite, items):
        task, made = suite.canonical_id(name), Recorded(suite.name, RecordedEpisode.from_json(text))
        if task in tasks and not made.record.metadata.get("foreign"):
            solved, episodes, size = found[subset := task.partition("/")[0]]
            found[subset] = solved + made.flag, episodes + 1, size
    return found if any(episodes for _, episodes, _ in found.values()) else {}
