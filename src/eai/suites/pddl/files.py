"""Where the tasks of a folder or a file are: which domain belongs to which problem."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path

from eai.errors import InputError, SchemaError, UnknownNameError, check_keys
from eai.files.paths import advice
from eai.nesting import load_json
from eai.pddl import read_file
from eai.suites.pddl.acpbench import known_kind, published_rows, task_of_row
from eai.suites.pddl.planbench import PublishedFile, Query

_OF = re.compile(r"(?P<before>.+)[-_]domain|domain[-_](?P<behind>.+)", re.IGNORECASE)
_EXPECTED = (
    "a folder with domain.pddl and problems beside or below it, or a .jsonl file, or a file of "
    "ACPBench or PlanBench; after it perhaps @seed=1,steps=3"
)


GOAL_KEYS = ("goal", "instruction")
"""Keys that a file of goals may have for a task."""

_LINE_KEYS = ("id", "domain", "problem", *GOAL_KEYS, "kind", "question", "answer")
"""The keys of a line of a file of tasks; the last three are of a published question."""

_READ = ("goals.json", "manifest.json", "phrases.json")
"""The files beside the problems that are read."""
_NEAR = 0.8
"""How alike the names of files are that are taken for one another, as :mod:`difflib` counts."""


@dataclass(frozen=True)
class TaskFiles:
    """Where a task is.

    Args:
        domain: The domain's file, or its name in a file of tasks.
        problem: The problem's file; its text where it is not in a file of its own.
        where: What messages call it.
        folder: Where phrases and plans are; None if there are none.
        name: What its plans are called.
        said: Where the rest is said; empty if that is no file.
        extra: What else is said of it: ``goal`` (a formula about the way) and ``instruction``, or a
            question that was published about it (``kind``, ``question``, ``answer``).
        query: What PlanBench asks, which says all of the problem.
    """

    domain: Path | str
    problem: Path | str
    where: str
    folder: Path | None
    name: str = ""
    said: str = ""
    extra: Mapping[str, object] = field(default_factory=dict)
    query: Query | None = None

    @property
    def text(self) -> str:
        """The text of the problem."""
        return read_file(self.problem) if isinstance(self.problem, Path) else self.problem


def natural(name: str) -> list[tuple[int, str]]:
    """Return a key that sorts ``instance-2`` before ``instance-10``."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", name)]


def sources_of(path: Path) -> dict[str, TaskFiles]:
    """Find the tasks of a folder or a file, by their names, without reading problems."""
    rows = published_rows(path)
    if rows is not None:
        found = dict(_questions(path, rows))
    elif path.suffix == ".jsonl" and path.is_file():
        found = dict(_lines(path))
    elif path.is_dir():
        _check_names(path)
        found = dict(_files(path, path, None))
        goals = path / "goals.json"
        for name, extra in _goals(goals, found).items():
            found[name] = replace(found[name], said=str(goals), extra=extra)
    else:
        raise InputError(
            "there is no such folder", where=str(path), expected=_EXPECTED, mend=advice(path)
        )
    return {name: found[name] for name in sorted(found, key=natural)}


def _check_names(folder: Path) -> None:
    """Refuse files whose names are nearly those of files that are read.

    A ``goal.json`` that nobody reads would drop the goals in it without a word. Other files may lie
    in the folder.

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
    """Return the error that a folder has no problem; it names a file that may be meant."""
    files = path.rglob("*.json*") if path.is_dir() else ()
    questions = next((file for file in sorted(files) if published_rows(file)), None)
    return InputError(
        "there is no problem here",
        where=str(path),
        expected=_EXPECTED,
        mend=None if questions is None else f"name one file of questions: pddl:{questions}",
    )


def asked_sources(folder: Path, file: PublishedFile) -> dict[str, TaskFiles]:
    """Return the tasks that a file of PlanBench asks, by their names.

    Args:
        folder: Where the domain is, and perhaps the phrases.
        file: The file.

    Raises:
        InputError: If the folder has no domain, or several.
    """
    domain = _domain_of(folder, file)
    found: dict[str, TaskFiles] = {}
    for query in file.queries():
        source = TaskFiles(domain, "", query.where, folder, query.name, query=query)
        found.setdefault(query.name, source)
    return found


def holds_domain(folder: Path) -> bool:
    """Whether a folder has a domain, so that files of answers may bring their own tasks."""
    return (folder / "domain.pddl").is_file()


def _domain_of(folder: Path, file: PublishedFile) -> Path:
    usual = folder / "domain.pddl"
    if usual.is_file():
        return usual
    others = sorted(each for each in folder.glob("*.pddl") if "domain" in each.name.lower())
    if len(others) != 1:
        raise InputError(
            "there is no domain for this file" if not others else "there are several domains",
            where=str(folder),
            expected=f"domain.pddl, the domain of {file.path.name}",
            mend=f"name the folder of the domain: pddl:FOLDER@asked={file.path}",
        )
    return others[0]


def _goals(path: Path, names: Collection[str]) -> dict[str, Mapping[str, object]]:
    """Read a file of goals: for each problem a formula, or an object with the :data:`GOAL_KEYS`."""
    given = document(path)
    found: dict[str, Mapping[str, object]] = {}
    if not isinstance(given, dict):
        raise SchemaError("it is not a JSON object", where=str(path), expected="problem to formula")
    for name, said in given.items():
        extra = found[name] = {"goal": said} if isinstance(said, str) else said
        if name not in names:
            raise UnknownNameError("problem", name, names, where=str(path))
        if not isinstance(extra, dict):
            raise SchemaError(
                f"the value of {name!r} is not a goal: {json.dumps(said)}",
                where=str(path),
                expected='problem to formula, or to {"goal": ..., "instruction": ...}',
            )
        check_keys(extra, GOAL_KEYS, where=f"{path}: {name}")
    return found


def _files(root: Path, folder: Path, above: Path | None) -> Iterator[tuple[str, TaskFiles]]:
    entries = sorted(folder.iterdir())
    files = [each for each in entries if each.suffix.lower() == ".pddl" and each.is_file()]
    named: dict[str, list[Path]] = {}
    for file in files:
        of = _OF.fullmatch(file.stem)
        if of is not None:
            named.setdefault((of["before"] or of["behind"]).lower(), []).append(file)
    own = next((each for each in files if each.stem.lower() == "domain"), None) or above
    domains = {own, *(each for several in named.values() for each in several)}
    for file in files:
        if file in domains:
            continue
        begins = [start for start in named if file.stem.lower().startswith(start)]
        several = named[max(begins, key=len)] if begins else [own] if own else []
        if len(several) != 1 or several[0] is None:
            listed = " and ".join(each.name for each in several if each) or "no domain"
            raise InputError(
                f"domains for this problem: {listed}",
                where=str(file),
                expected="one domain for each problem: domain.pddl, or X-domain.pddl for X*.pddl",
                mend="put each domain into a folder of its own, with its problems",
            )
        home = several[0].parent
        name = file.relative_to(home).with_suffix("").as_posix()
        task = file.relative_to(root).with_suffix("").as_posix()
        yield task, TaskFiles(several[0], file, str(file), home, name)
    below_root = folder.relative_to(root).as_posix()
    if folder != root and (folder / "goals.json").is_file():
        raise InputError(
            "goals are read from the folder of the suite only",
            where=str(folder / "goals.json"),
            expected=f"{root / 'goals.json'}, with names as {below_root}/NAME",
        )
    for below in entries:
        if below.is_dir() and below.name != "plans" and not below.name.startswith("."):
            yield from _files(root, below, own)


def _lines(path: Path) -> Iterator[tuple[str, TaskFiles]]:
    from eai.suites.shared.documents import read_lines  # it loads pydantic

    seen: dict[str, int] = {}
    for number, _, line in read_lines(path):
        where = f"{path}:{number}"
        name = line.get("id")
        texts = [line.get(key) for key in ("domain", "problem")]
        if not isinstance(name, str) or not all(isinstance(text, str) for text in texts):
            raise SchemaError(
                "the line is not a task",
                where=where,
                expected='{"id": ..., "domain": ..., "problem": ...}, all texts',
            )
        check_keys(line, _LINE_KEYS, where=where)
        extra = dict(line)
        if "kind" in line:
            extra["kind"] = known_kind(str(line["kind"]), where)
        if name in seen:
            raise SchemaError(f"task {name!r} is already in line {seen[name]}", where=where)
        seen[name] = number
        domain, problem = str(line["domain"]), str(line["problem"])
        yield name, TaskFiles(domain, problem, where, path.parent, name, where, extra)


def _questions(
    path: Path, rows: Iterable[tuple[str, Mapping[str, object]]]
) -> Iterator[tuple[str, TaskFiles]]:
    """Yield the tasks of published questions.

    Questions of several kinds may have the same identifier: then the kind stands before it. A
    question that is there twice is one task.
    """
    lines = [(where, task_of_row(row, where)) for where, row in rows]
    kinds: dict[object, set[object]] = {}
    for _, line in lines:
        kinds.setdefault(line["id"], set()).add(line["kind"])
    seen: dict[str, Mapping[str, object]] = {}
    for where, line in lines:
        name = str(line["id"])
        if len(kinds[name]) > 1:
            name = f"{line['kind']}/{name}"
        if seen.setdefault(name, line) != line:
            raise SchemaError(f"{name!r} is another question before", where=where)
        domain, problem = str(line["domain"]), str(line["problem"])
        yield name, TaskFiles(domain, problem, where, path.parent, name, where, line)


def domain_text(source: TaskFiles) -> str:
    """Return the text of a task's domain."""
    if isinstance(source.domain, Path):
        return read_file(source.domain)
    if "(" in source.domain:
        return source.domain
    known = document(source.folder / "domains.json") if source.folder else {}
    if not isinstance(known, dict) or not isinstance(known.get(source.domain), str):
        names = known if isinstance(known, dict) else ()
        raise UnknownNameError("domain", source.domain, names, where=source.where)
    return str(known[source.domain])


def document(path: Path, *, needed: bool = False) -> object:
    """Return what a file of JSON holds; if it is not needed and not there, an empty object."""
    try:
        return load_json(path.read_text("utf-8-sig")) if needed or path.exists() else {}
    except (OSError, ValueError) as error:
        line = f":{error.lineno}:{error.colno}" if isinstance(error, json.JSONDecodeError) else ""
        said = error.msg if isinstance(error, json.JSONDecodeError) else error
        raise SchemaError(f"it cannot be read as JSON: {said}", where=f"{path}{line}") from error


def plans_of(source: TaskFiles) -> Sequence[Path]:
    """Return the files with reference plans of a task: ``plans/NAME.*`` beside its domain."""
    if source.folder is None or not source.name:
        return ()
    file = source.folder / "plans" / source.name
    if not file.parent.is_dir():
        return ()
    return sorted(each for each in file.parent.iterdir() if each.stem == file.name)
