"""The tasks of a folder or a file: their problems, and the domain of each."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import chain
from pathlib import Path

from eai.errors import InputError, SchemaError, UnknownNameError, check_keys
from eai.files.paths import advice
from eai.nesting import RepeatedKeyError, load_unambiguous_json
from eai.pddl import read_file
from eai.suites.pddl.acpbench import published_rows, task_of_row
from eai.suites.pddl.kinds import known_kind
from eai.suites.pddl.planbench import PublishedFile, Query

# The name of a domain that is for some problems alone: "easy-domain.pddl".
_OF = re.compile(r"(?P<before>.+)[-_]domain|domain[-_](?P<behind>.+)", re.IGNORECASE)
_EXPECTED = (
    "a folder with domain.pddl and problems beside or below it, or a .jsonl file, or a file of "
    "ACPBench or PlanBench; after it perhaps @seed=1,steps=3"
)


GOAL_KEYS = ("goal", "instruction")
"""Keys that a file of goals may have for a task."""

GOAL_SYNONYMS = dict.fromkeys(
    ("formula", "ltl", "ltlf", "path_goal", "constraint", "constraints", "rule", "rules", "safety"),
    "goal",
)
"""Names that others give to the goal of a task: a condition on the whole plan."""

_LINE_KEYS = ("id", "domain", "problem", *GOAL_KEYS, "kind", "question", "answer")
"""The keys of a line of a file of tasks; the last three are of a published question."""

_READ = ("goals.json", "manifest.json", "phrases.json")
"""The files beside the problems that are read."""
_NEAR = 0.8
"""Similarity (as :mod:`difflib` counts) from which a name of a file is taken for a misspelt one."""


@dataclass(frozen=True)
class TaskFiles:
    """The files, or texts, of a task.

    Args:
        domain: The domain's file, or its name in a file of tasks.
        problem: The problem's file; its text where it is not in a file of its own.
        where: Its place, for messages.
        folder: Folder of phrases and plans; None if there are none.
        name: Stem of the files of its plans.
        extra_source: Place of ``extra``, for messages; empty if it is in no file.
        extra: Further facts: ``goal`` (a formula about the whole plan) and ``instruction``, or a
            question that was published about it (``kind``, ``question``, ``answer``).
        query: PlanBench's query, which gives the whole problem.
    """

    domain: Path | str
    problem: Path | str
    where: str
    folder: Path | None
    name: str = ""
    extra_source: str = ""
    extra: Mapping[str, object] = field(default_factory=dict)
    query: Query | None = None

    @property
    def text(self) -> str:
        """The text of the problem."""
        if isinstance(self.problem, Path):
            return read_file(self.problem)
        return self.problem


def natural(name: str) -> list[tuple[int, str]]:
    """Return a sort key that puts ``instance-2`` before ``instance-10``."""
    key = []
    # "instance-10" -> [(0, "instance-"), (10, ""), (0, "")]
    for part in re.split(r"(\d+)", name):
        key.append((int(part), "") if part.isdecimal() else (0, part))
    return key


def sources_of(path: Path) -> dict[str, TaskFiles]:
    """Return the tasks in a folder or file by name, without reading the problems."""
    # From the surest sign to the weakest: rows of ACPBench, lines of tasks, a folder.
    rows = published_rows(path)
    if rows is not None:
        tasks = dict(_tasks_of_questions(path, rows))
    elif path.suffix == ".jsonl" and path.is_file():
        tasks = dict(_tasks_in_lines(path))
    elif path.is_dir():
        _check_names(path)
        tasks = dict(_tasks_in_folder(path, path, None))
        _check_plans(path, tasks.values())
        # Goals in temporal logic are in a file beside the problems.
        goals = path / "goals.json"
        for name, extra in _goals(goals, tasks).items():
            tasks[name] = replace(tasks[name], extra_source=str(goals), extra=extra)
    else:
        raise InputError(
            "there is no such folder", where=str(path), expected=_EXPECTED, mend=advice(path)
        )
    return {name: tasks[name] for name in sorted(tasks, key=natural)}


def _check_names(folder: Path) -> None:
    """Refuse files with a name that differs slightly from one that is read.

    The goals in a file ``goal.json``, for example, would be ignored, as ``goals.json`` is read.
    Files with other names are allowed.

    Raises:
        UnknownNameError: If there is one; it names the file that is meant.
    """
    stems = {Path(name).stem: name for name in _READ}
    for file in sorted(folder.iterdir()):
        if file.suffix.lower() not in (".json", ".jsonl") or file.name in _READ:
            continue
        if get_close_matches(file.stem.lower(), stems, cutoff=_NEAR) and file.is_file():
            raise UnknownNameError("file", file.name, _READ, where=str(folder))


def no_problem(path: Path) -> InputError:
    """Return the error for a folder without problems, with a similar file as a hint."""
    hint = None
    if path.is_dir():
        for file in sorted(path.rglob("*.json*")):
            if published_rows(file):
                hint = f"name one file of questions: pddl:{file}"
                break
    return InputError("there is no problem here", where=str(path), expected=_EXPECTED, mend=hint)


def sources_of_queries(folder: Path, file: PublishedFile) -> dict[str, TaskFiles]:
    """Return the tasks that a PlanBench file asks about, by name.

    Args:
        folder: Where the domain is, and perhaps the phrases.
        file: The file.

    Raises:
        InputError: If the folder has no domain, or several.
    """
    domain = _domain_of(folder, file)
    sources: dict[str, TaskFiles] = {}
    for query in file.queries():
        source = TaskFiles(domain, "", query.where, folder, query.name, query=query)
        # A file may ask the same query again for another answer: it is one task.
        sources.setdefault(query.name, source)
    return sources


def holds_domain(folder: Path) -> bool:
    """Whether a folder has a domain, so that files of answers may bring their own tasks."""
    return (folder / "domain.pddl").is_file()


def _domain_of(folder: Path, file: PublishedFile) -> Path:
    """Return the domain file of a folder: ``domain.pddl``, or the only file named like it."""
    # The usual name counts even next to other domains.
    usual = folder / "domain.pddl"
    if usual.is_file():
        return usual
    others = sorted(path for path in folder.glob("*.pddl") if "domain" in path.name.lower())
    if len(others) == 1:
        return others[0]
    raise InputError(
        "there are several domains" if others else "there is no domain for this file",
        where=str(folder),
        expected=f"domain.pddl, the domain of {file.path.name}",
        mend=f"name the folder of the domain: pddl:FOLDER@asked={file.path}",
    )


def _goals(path: Path, names: Collection[str]) -> dict[str, Mapping[str, object]]:
    """Read a file with a formula, or an object with the :data:`GOAL_KEYS`, for each problem."""
    content = document(path)
    goals: dict[str, Mapping[str, object]] = {}
    if not isinstance(content, dict):
        raise SchemaError("it is not a JSON object", where=str(path), expected="problem to formula")
    for name, value in content.items():
        if name not in names:
            raise UnknownNameError("problem", name, names, where=str(path))
        # A text alone is the formula.
        extra = {"goal": value} if isinstance(value, str) else value
        if not isinstance(extra, dict):
            raise SchemaError(
                f"the value of {name!r} is not a goal: {json.dumps(value)}",
                where=str(path),
                expected='problem to formula, or to {"goal": ..., "instruction": ...}',
            )
        check_keys(extra, GOAL_KEYS, where=f"{path}: {name}", synonyms=GOAL_SYNONYMS)
        goals[name] = extra
    return goals


def _tasks_in_folder(
    root: Path, folder: Path, above: Path | None
) -> Iterator[tuple[str, TaskFiles]]:
    """Yield the tasks of a folder and its subfolders.

    Args:
        root: The folder of the suite.
        folder: The folder.
        above: The domain of the folder above, which is used if the folder has no domain.
    """
    _refuse_goals_below(root, folder)
    # Sorted, because file systems list in any order.
    entries = sorted(folder.iterdir())
    files = [entry for entry in entries if entry.suffix.lower() == ".pddl" and entry.is_file()]
    domains = _domains_in(files, above)
    for file in files:
        if file in domains.all:
            continue
        domain = domains.of(file)
        name_in_domain_folder = file.relative_to(domain.parent).with_suffix("").as_posix()
        task_id = file.relative_to(root).with_suffix("").as_posix()
        yield task_id, TaskFiles(domain, file, str(file), domain.parent, name_in_domain_folder)
    for entry in entries:
        # The folder of plans has files that are named after problems, but no problems.
        if entry.is_dir() and entry.name != "plans" and not entry.name.startswith("."):
            yield from _tasks_in_folder(root, entry, domains.own)


def _check_plans(root: Path, tasks: Iterable[TaskFiles]) -> None:
    """Refuse a file in a folder of reference plans that belongs to no problem.

    It would be passed over, though its author gave the plan of a task. Texts about the folder
    (``README.md``) and hidden files are allowed.

    Raises:
        InputError: If there is one.
    """
    used_files: set[Path] = set()
    example = ""
    for task in tasks:
        used_files.update(plans_of(task))
        if not example and task.folder is not None:
            example = str(task.folder / "plans" / task.name)
    for file in sorted(root.rglob("plans/**/*")):
        names = file.relative_to(root).parts
        is_hidden = any(name.startswith(".") for name in names)
        is_about_folder = file.stem.upper() == "README"
        if file in used_files or is_hidden or is_about_folder or not file.is_file():
            continue
        raise InputError(
            "this reference plan belongs to no problem",
            where=str(file),
            expected=f"the name of a problem in a folder of plans beside its domain: {example}.txt",
            mend="rename it, or put it elsewhere if the problem is not here",
        )


def _refuse_goals_below(root: Path, folder: Path) -> None:
    """Refuse a file of goals in a subfolder, where it would be ignored."""
    goals = folder / "goals.json"
    if folder == root or not goals.is_file():
        return
    names = f"{folder.relative_to(root).as_posix()}/NAME"
    raise InputError(
        "goals are read from the folder of the suite only",
        where=str(goals),
        expected=f"{root / 'goals.json'}, with names as {names}",
    )


@dataclass(frozen=True)
class _Domains:
    """The domains of the problems in a folder.

    Args:
        own: ``domain.pddl``, also of a folder above; None if there is none.
        named: Beginning of the names of problems to their domains (``X-domain.pddl``).
    """

    own: Path | None
    named: Mapping[str, Sequence[Path]]

    @property
    def all(self) -> set[Path | None]:
        """All files that are domains."""
        return {self.own, *chain(*self.named.values())}

    def of(self, problem: Path) -> Path:
        """Return the domain of a problem: the one with the longest matching name, or the default.

        Raises:
            InputError: If there is none, or several.
        """
        # "easy-2-p1" begins with "easy" and "easy-2", and the longer one counts.
        prefixes = [prefix for prefix in self.named if problem.stem.lower().startswith(prefix)]
        candidates: Sequence[Path] = [self.own] if self.own else []
        if prefixes:
            candidates = self.named[max(prefixes, key=len)]
        if len(candidates) == 1:
            return candidates[0]
        names = " and ".join(domain.name for domain in candidates) or "no domain"
        raise InputError(
            f"domains for this problem: {names}",
            where=str(problem),
            expected="one domain for each problem: domain.pddl, or X-domain.pddl for X*.pddl",
            mend="put each domain into a folder of its own, with its problems",
        )


def _domains_in(files: Iterable[Path], above: Path | None) -> _Domains:
    """Return the domains among a folder's PDDL files, or the one of the parent folder."""
    shared_domain = None  # domain.pddl
    domains_by_prefix: dict[str, list[Path]] = {}  # easy-domain.pddl is for easy-1
    for file in files:
        match = _OF.fullmatch(file.stem)
        if match is not None:
            prefix = (match["before"] or match["behind"]).lower()
            domains_by_prefix.setdefault(prefix, []).append(file)
        if shared_domain is None and file.stem.lower() == "domain":
            shared_domain = file
    return _Domains(shared_domain or above, domains_by_prefix)


def _tasks_in_lines(path: Path) -> Iterator[tuple[str, TaskFiles]]:
    """Yield the tasks in a file of JSON lines, each with its name and texts.

    Raises:
        SchemaError: If a line has another shape, or a name is there twice.
    """
    from eai.suites.shared.documents import read_lines  # it loads pydantic

    first_lines: dict[str, int] = {}
    for number, _, line in read_lines(path):
        where = f"{path}:{number}"
        name, domain, problem = (line.get(key) for key in ("id", "domain", "problem"))
        has_texts = isinstance(domain, str) and isinstance(problem, str)
        if not isinstance(name, str) or not has_texts:
            raise SchemaError(
                "the line is not a task",
                where=where,
                expected='{"id": ..., "domain": ..., "problem": ...}, all texts',
            )
        check_keys(line, _LINE_KEYS, where=where, synonyms=GOAL_SYNONYMS)
        extra = dict(line)
        if "kind" in line:
            extra["kind"] = known_kind(str(line["kind"]), where)
        # A name that is there twice would hide a task.
        if name in first_lines:
            text = f"task {name!r} is already in line {first_lines[name]}"
            raise SchemaError(text, where=where)
        first_lines[name] = number
        yield name, TaskFiles(str(domain), str(problem), where, path.parent, name, where, extra)


def _tasks_of_questions(
    path: Path, rows: Iterable[tuple[str, Mapping[str, object]]]
) -> Iterator[tuple[str, TaskFiles]]:
    """Yield the tasks that published questions are about.

    If questions of several kinds have the same identifier, the kind is added: ``landmark/7``. A
    question that is repeated is yielded again.

    Args:
        path: The file or folder of the questions.
        rows: Place and contents of each question.

    Raises:
        SchemaError: If two different questions of one kind have the same identifier.
    """
    tasks = [(where, task_of_row(row, where)) for where, row in rows]
    kinds_by_id: dict[object, set[object]] = {}
    for _, task in tasks:
        kinds_by_id.setdefault(task["id"], set()).add(task["kind"])
    tasks_by_name: dict[str, Mapping[str, object]] = {}
    for where, task in tasks:
        name = str(task["id"])
        if len(kinds_by_id[name]) > 1:
            name = f"{task['kind']}/{name}"
        if tasks_by_name.setdefault(name, task) != task:
            raise SchemaError(f"{name!r} is another question before", where=where)
        domain, problem = str(task["domain"]), str(task["problem"])
        yield name, TaskFiles(domain, problem, where, path.parent, name, where, task)


def domain_text(source: TaskFiles) -> str:
    """Return the text of a task's domain."""
    if isinstance(source.domain, Path):
        return read_file(source.domain)
    if "(" in source.domain:
        return source.domain
    # A file of tasks names its domain, and a file beside it has the texts by name.
    domains: object = {}
    if source.folder:
        domains = document(source.folder / "domains.json")
    if not isinstance(domains, dict):
        raise UnknownNameError("domain", source.domain, (), where=source.where)
    if not isinstance(domains.get(source.domain), str):
        raise UnknownNameError("domain", source.domain, domains, where=source.where)
    return str(domains[source.domain])


def document(path: Path, *, needed: bool = False) -> object:
    """Return the value in a JSON file, or an empty object if it is optional and missing."""
    if not needed and not path.exists():
        return {}
    try:
        return load_unambiguous_json(path.read_text("utf-8-sig"))
    except RepeatedKeyError as error:
        raise SchemaError(str(error), where=str(path), expected="each key once") from None
    except json.JSONDecodeError as error:
        where = f"{path}:{error.lineno}:{error.colno}"
        raise SchemaError(f"it cannot be read as JSON: {error.msg}", where=where) from error
    except (OSError, ValueError) as error:
        raise SchemaError(f"it cannot be read as JSON: {error}", where=str(path)) from error


def plans_of(source: TaskFiles) -> Sequence[Path]:
    """Return the files with reference plans of a task: ``plans/NAME.*`` beside its domain."""
    if source.folder is None or not source.name:
        return ()
    file = source.folder / "plans" / source.name
    if not file.parent.is_dir():
        return ()
    return sorted(path for path in file.parent.iterdir() if path.stem == file.name)
