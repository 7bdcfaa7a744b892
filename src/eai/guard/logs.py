"""Logs of guards: replayed by an auditor, or resumed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from eai.errors import InputError
from eai.guard.decisions import Call
from eai.guard.guards import Guard
from eai.nesting import load_json
from eai.task import Task


def replay(log: str | Path, task: Task | None = None) -> tuple[Guard, list[str]]:
    """Replay a log, and return the guard at its end and the differing decisions.

    Args:
        log: The log. A last line that was cut off by a kill is passed over.
        task: The task that it is about, if the guard was made by :meth:`Guard.of_task`.

    Raises:
        InputError: If it is not the log of a guard.
    """
    (_, first_entry), *entries = _entries(Path(log))
    guard = _guard_of(first_entry, task)
    differing = []
    for line_number, entry in entries:
        if entry.get("event") != "check":
            _repeat_event(guard, entry)
            continue
        decision = guard.check(_call_of(entry)).as_record()
        # The entry also has the call and the rule's formula, which are not compared.
        logged = {name: entry[name] for name in decision if name in entry}
        if decision != logged:
            differing.append(f"{log}:{line_number}: {entry['call']}: {logged} now {decision}")
    return guard, differing


def _repeat_event(guard: Guard, entry: Mapping[str, Any]) -> None:
    """Change a guard as the event in a line of its log did.

    Other events are ignored: a call that could not be read changed nothing.
    """
    event = entry.get("event")
    if event == "observe":
        guard.observe(_call_of(entry))
    elif event == "reset":
        guard.reset()
    elif event == "tool":
        guard.declare(entry["name"], entry["arguments"])
    elif event == "facts":
        facts = [((name, tuple(values)), is_true) for name, values, is_true in entry["facts"]]
        guard.learn(facts, is_whole=entry["whole"])


def _call_of(entry: Mapping[str, Any]) -> Call:
    """Return the call in a log line, with named or positional arguments."""
    arguments = entry["call"]["arguments"]
    if not isinstance(arguments, dict):
        arguments = tuple(arguments)
    return Call(entry["call"]["name"], arguments)


def _guard_of(start: Mapping[str, Any], task: Task | None) -> Guard:
    """Return the guard that a log's first line describes."""
    if "task" in start:
        if task is None:
            raise InputError(f"the log is about task {start['task']!r}", mend="name its suite")
        return Guard.of_task(start["rules"], task, search_states=start["search_states"])
    return Guard(
        start["rules"],
        start.get("domain"),
        start.get("problem"),
        tools=start["tools"],
        types=start["types"],
        unknown=start["unknown"],
        max_characters=start["max_characters"],
        max_values=start["max_values"],
        search_states=start.get("search_states", 500),
    )


def resume(log: str | Path, task: Task | None = None) -> Guard:
    """Return the guard of a log in its last state, which continues to write there.

    Raises:
        InputError: If it is not the log of a guard.
    """
    # Whatever a kill left of a last line goes, or the next line would be written behind it.
    guard, _ = replay(log, task)
    _cut_unfinished_line(Path(log))
    guard.open_log(log, resumes=True)
    return guard


def _cut_unfinished_line(log: Path) -> None:
    """Remove an incomplete last line."""
    written = log.read_bytes()
    end = written.rfind(b"\n") + 1
    if end < len(written):
        with log.open("r+b") as file:
            file.truncate(end)


def _entries(log: Path) -> list[tuple[int, dict[str, Any]]]:
    """Return (line number, object) for the lines of a log.

    Raises:
        InputError: If it is not the log of a guard.
    """
    try:
        lines = log.read_text("ascii").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the log cannot be read: {error}", where=str(log)) from error
    entries = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            entries.append((number, load_json(line)))
        except ValueError as error:
            if number == len(lines):  # without its end: the process was killed
                break
            raise InputError("this line is not JSON", where=f"{log}:{number}") from error
    if not _is_log([entry for _, entry in entries]):
        raise InputError("this is not the log of a guard", where=str(log))
    return entries


def _is_log(entries: Sequence[Any]) -> bool:
    """Return whether values are the entries of a guard's log."""
    for entry in entries:
        if not isinstance(entry, dict):
            return False
    return bool(entries) and entries[0].get("event") == "start"
