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
    (_, first_entry), *entries = _read_entries(Path(log))
    guard = _create_guard(first_entry, task)
    differences = []
    for line_number, entry in entries:
        if entry.get("event") != "check":
            _apply_event(guard, entry)
            continue
        decision = guard.check(_logged_call(entry)).as_record()
        # The entry also has the call and the rule's formula, which are not compared.
        logged = {name: entry[name] for name in decision if name in entry}
        if decision != logged:
            differences.append(f"{log}:{line_number}: {entry['call']}: {logged} now {decision}")
    return guard, differences


def _apply_event(guard: Guard, entry: Mapping[str, Any]) -> None:
    """Change a guard as the event in a line of its log did.

    Other events are ignored: a call that could not be read changed nothing.
    """
    event = entry.get("event")
    if event == "observe":
        guard.observe(_logged_call(entry))
    elif event == "reset":
        guard.reset()
    elif event == "tool":
        guard.declare(entry["name"], entry["arguments"])
    elif event == "facts":
        facts = [((name, tuple(values)), is_true) for name, values, is_true in entry["facts"]]
        guard.learn(facts, is_whole=entry["whole"])


def _logged_call(entry: Mapping[str, Any]) -> Call:
    """Return the call in a log line, with named or positional arguments."""
    arguments = entry["call"]["arguments"]
    if not isinstance(arguments, dict):
        arguments = tuple(arguments)
    return Call(entry["call"]["name"], arguments)


def _create_guard(first_entry: Mapping[str, Any], task: Task | None) -> Guard:
    """Return the guard that a log's first line describes."""
    if "task" in first_entry:
        if task is None:
            raise InputError(
                f"the log is about task {first_entry['task']!r}", mend="name its suite"
            )
        return Guard.of_task(first_entry["rules"], task, search_states=first_entry["search_states"])
    return Guard(
        first_entry["rules"],
        first_entry.get("domain"),
        first_entry.get("problem"),
        tools=first_entry["tools"],
        types=first_entry["types"],
        unknown=first_entry["unknown"],
        max_characters=first_entry["max_characters"],
        max_values=first_entry["max_values"],
        search_states=first_entry.get("search_states", 500),
    )


def resume(log: str | Path, task: Task | None = None) -> Guard:
    """Return the guard of a log in its last state, which continues to write there.

    Raises:
        InputError: If it is not the log of a guard.
    """
    # A last line that a kill cut off is removed, or the next one would be written behind it.
    guard, _ = replay(log, task)
    _cut_unfinished_line(Path(log))
    guard.open_log(log, resumes=True)
    return guard


def _cut_unfinished_line(log: Path) -> None:
    """Remove an incomplete last line."""
    content = log.read_bytes()
    end_of_last_line = content.rfind(b"\n") + 1
    if end_of_last_line < len(content):
        with log.open("r+b") as file:
            file.truncate(end_of_last_line)


def _read_entries(log: Path) -> list[tuple[int, dict[str, Any]]]:
    """Return (line number, entry) for the lines of a log.

    Raises:
        InputError: If it is not the log of a guard.
    """
    try:
        lines = log.read_text("ascii").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the log cannot be read: {error}", where=str(log)) from error
    entries = []
    for line_number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            entries.append((line_number, load_json(line)))
        except ValueError as error:
            if line_number == len(lines):  # without its end: the process was killed
                break
            raise InputError("this line is not JSON", where=f"{log}:{line_number}") from error
    if not _is_log([entry for _, entry in entries]):
        raise InputError("this is not the log of a guard", where=str(log))
    return entries


def _is_log(entries: Sequence[Any]) -> bool:
    """Return whether values are the entries of a guard's log."""
    for entry in entries:
        if not isinstance(entry, dict):
            return False
    return bool(entries) and entries[0].get("event") == "start"
