"""The tasks of SafeAgentBench as facts, and the texts of a checkout that the user has."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from eai.data import read_json
from eai.errors import InputError, SchemaError
from eai.nesting import load_json
from eai.suites.shared.data import cache_folder, keep

FILES: Mapping[str, str] = {
    "safe": "safe_detailed_1009.jsonl",
    "unsafe": "unsafe_detailed_1009.jsonl",
    "abstract": "abstract_1009.jsonl",
    "long": "long_horizon_1009.jsonl",
}
"""Kind of a task to its file in the folder ``dataset`` of the repository."""

_KIND_OF_FILE = {file: kind for kind, file in FILES.items()}

HAZARDOUS = frozenset(("unsafe", "abstract"))
"""Kinds whose instruction is a hazard that a safe agent refuses to bring about."""

ABSTRACT_LEVELS = 4
"""Wordings of an abstract task, from the most concrete (1) to the vaguest (4)."""


@dataclass(frozen=True, slots=True)
class SafetyRule:
    """The safety requirement of a long task.

    Args:
        formula: It, over the domain of the suite.
        is_whole: Whether the formula says all that the requirement says.
        missing: The missing part of the requirement, in a word; empty if it is whole.
        trigger: The events that trigger it: pairs of a type, and what happens to it.
        required: The conditions that it requires then: pairs of a type, and how it has to be.
        within_steps: Number of actions within which that has to be so; None if none is given.
    """

    formula: str
    is_whole: bool
    missing: str = ""
    trigger: tuple[tuple[str, str], ...] = ()
    required: tuple[tuple[str, str], ...] = ()
    within_steps: int | None = None


@dataclass(frozen=True, slots=True)
class SafeTask:
    """One task with the contents of its file.

    Args:
        kind: One of :data:`FILES`.
        index: Line of its file, from 0.
        scene: The room.
        steps: The reference plan; empty for long tasks.
        final_state: The stored final state: for each object its type and properties; None if
            there is none.
        digests: SHA-256 of the instruction, or of each wording.
        risk: Hazard, as the file names it; empty if it names none.
        texts: The instruction, or each wording, if they were fetched.
        rule: The requirement of a long task.
    """

    kind: str
    index: int
    scene: str
    steps: tuple[str, ...]
    final_state: tuple[Mapping[str, Any], ...] | None
    digests: tuple[str, ...] = ()
    risk: str = ""
    texts: tuple[str, ...] = ()
    rule: SafetyRule | None = None

    @property
    def name(self) -> str:
        """Kind and index: ``"unsafe/12"``."""
        return f"{self.kind}/{self.index}"

    @property
    def ids(self) -> tuple[str, ...]:
        """Identifiers of its tasks in the suite, one for each wording."""
        if self.kind != "abstract":
            return (self.name,)
        return tuple(f"{self.name}/{level}" for level in range(1, ABSTRACT_LEVELS + 1))

    @property
    def is_hazardous(self) -> bool:
        """Whether a safe agent refuses it."""
        return self.kind in HAZARDOUS


@cache
def records() -> Mapping[str, SafeTask]:
    """Return all known tasks by name: the shipped ones, and the fetched ones."""
    tasks: dict[str, SafeTask] = {}
    for row in _rows():
        task = _task_that_ships(row)
        tasks[task.name] = task
    path = _file()
    if path.is_file():
        for row in json.loads(path.read_text("utf-8")):
            fetched = _task_of_line(row["kind"], row["index"], row["line"])
            # The package has the facts of a task, and the fetched file its texts.
            if fetched.name in tasks:
                fetched = _join(tasks[fetched.name], fetched)
            tasks[fetched.name] = fetched
    # Tasks have the order of the published files, no matter which were fetched.
    kinds = list(FILES)
    ordered = sorted(tasks.values(), key=lambda task: (kinds.index(task.kind), task.index))
    return {task.name: task for task in ordered}


@cache
def _rules() -> Mapping[int, SafetyRule]:
    """Return the requirements of the long tasks by index."""
    rules: dict[int, SafetyRule] = {}
    for row in read_json("tasks/safeagentbench/rules.json")["rules"]:
        rules[row["index"]] = SafetyRule(
            formula=row["formula"],
            is_whole=row["expressible"] == "full",
            missing=row.get("missing", ""),
            trigger=tuple(tuple(pair) for pair in row["trigger"]),
            required=tuple(tuple(pair) for pair in row["required"]),
            within_steps=row["within_steps"],
        )
    return rules


def _rows() -> Sequence[Mapping[str, Any]]:
    rows: Sequence[Mapping[str, Any]] = read_json("tasks/safeagentbench/tasks.json.gz")["tasks"]
    return rows


def _task_that_ships(row: Mapping[str, Any]) -> SafeTask:
    """Return the task of a row of facts that ship."""
    kind = _KIND_OF_FILE[row["file"]]
    # One digest, or one for each wording of the instruction.
    digests = row["instruction_sha256"]
    if isinstance(digests, str):
        digests = [digests]
    return SafeTask(
        kind=kind,
        index=row["index"],
        scene=row["scene"],
        steps=_steps(row.get("steps")),
        final_state=_final_state(row),
        digests=tuple(digests),
        risk=row.get("risk_category") or "",
        rule=_rules().get(row["index"]) if kind == "long" else None,
    )


def _task_of_line(kind: str, index: int, line: Mapping[str, Any]) -> SafeTask:
    """Return the task of a line of the published files.

    Args:
        kind: Kind of the tasks in the file, such as ``"long"``.
        index: Index of the line in the file.
        line: The line.
    """
    texts = line["instruction"]  # one text, or each of several wordings
    if isinstance(texts, str):
        texts = [texts]
    rule: SafetyRule | None = None
    if kind == "long":
        rule = _rules().get(index)
    return SafeTask(
        kind=kind,
        index=index,
        scene=line["scene_name"],
        steps=_steps(line.get("step")),
        final_state=_final_state(line),
        digests=tuple(hashlib.sha256(text.encode()).hexdigest() for text in texts),
        risk=line.get("risk_category") or "",
        texts=tuple(texts),
        rule=rule,
    )


def _steps(written: Sequence[str] | None) -> tuple[str, ...]:
    """Return the steps of a reference plan, without empty ones."""
    return tuple(step for step in written or () if step.strip())


def _final_state(row: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...] | None:
    stored = row.get("final_state")
    return tuple(stored) if stored else None


def _join(known: SafeTask, fetched: SafeTask) -> SafeTask:
    """Add the texts to facts that ship; those of another version of the data are left out."""
    if not _are_texts_of(known, fetched.texts):
        return known
    return replace(known, texts=fetched.texts)


def _are_texts_of(known: SafeTask, texts: Sequence[str]) -> bool:
    """Return whether texts match the shipped hashes, either plain or as JSON strings."""
    if len(texts) != len(known.digests):
        return False
    for text, digest in zip(texts, known.digests, strict=True):
        # Hashes are of the text as the file writes it: "caf\u00e9" with its escape, or without.
        spellings = (text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1])
        if all(hashlib.sha256(each.encode()).hexdigest() != digest for each in spellings):
            return False
    return True


# ------------------------------------------------------------------ the checkout of a user


def _file() -> Path:
    return cache_folder() / "safeagentbench" / "tasks.json"


def store(folder: Path) -> int:
    """Store the tasks of a checkout, and return how many tasks have a text now.

    Raises:
        InputError: If a file is missing, or a text is not the one whose hash ships.
        SchemaError: If a line is not a task.
    """
    shipped_tasks = {}
    for row in _rows():
        shipped_task = _task_that_ships(row)
        shipped_tasks[shipped_task.name] = shipped_task
    rows: list[dict[str, Any]] = []
    for kind, file in FILES.items():
        path = _file_of_checkout(folder, file)
        for line_index, line in enumerate(_lines(path)):
            fetched = _task_of_line(kind, line_index, line)
            same_task = shipped_tasks.get(fetched.name)
            # The facts in the package belong to one version of the texts.
            if same_task and not _are_texts_of(same_task, fetched.texts):
                raise InputError(
                    "the instruction is not that of commit 38ca3ab: its SHA-256 differs",
                    where=f"{path}:{line_index + 1}",
                    expected="the files of this commit; copies on data hubs have other texts",
                )
            rows.append({"kind": kind, "index": line_index, "line": line})
    # The tasks are stored only after all files were read without an error.
    keep(_file(), json.dumps(rows))
    records.cache_clear()
    return len(rows)


def _file_of_checkout(folder: Path, name: str) -> Path:
    """Return a file of a checkout; the user may name the checkout, its folder, or one around it.

    Raises:
        InputError: If there is no such file.
    """
    paths = sorted(folder.rglob(name))
    if not paths:
        raise InputError(
            f"there is no {name} in it",
            where=str(folder),
            expected="a checkout of SafeAgentBench with its folder dataset",
        )
    return paths[0]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the tasks of a file, one a line."""
    for line_number, text in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if not text.strip():
            continue
        where = f"{path}:{line_number}"
        try:
            line = load_json(text)
        except ValueError as error:
            raise SchemaError(f"this is not JSON ({error})", where=where) from error
        if not _is_task(line):
            raise SchemaError(
                "this is no task",
                where=where,
                expected="scene_name, instruction, step, final_state",
            )
        yield line


def _is_task(line: object) -> bool:
    """Return whether a value has all fields of a task that are read."""
    if not isinstance(line, dict) or not isinstance(line.get("scene_name"), str):
        return False
    written = line.get("instruction")
    texts = written if isinstance(written, list) else [written]
    return bool(texts) and all(isinstance(text, str) for text in texts)
