"""Runs as the evaluator of EmbodiedBench leaves them, and its published trajectories, as episodes.

Four layouts become recorded episodes (:class:`eai.acting.RecordedEpisode`): rows in
``SUBSET/episode_N_step_S.json`` with ``results/episode_N_final_res.json``; rows in
``SUBSET/episode_N.json``, where reruns are appended; ``results/episode_N_res.json`` with
``results/planner_output_episode_N.txt``; and one list of trajectories. Folders may be packed as
zip. What a row says beside its step stands in the metadata of the episode, under ``rows``. All
runs of a task are kept: the last one is the episode, those before it are ``earlier``.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from eai.contract import PredictionProblem, Raw
from eai.errors import InputError
from eai.nesting import load_json
from eai.suites.embodiedbench.skills import (
    ALFRED,
    HABITAT,
    MANIPULATION,
    NAVIGATION,
    STEPS,
    shipped,
)

SUBSETS = (*shipped("view.json")["subsets"], "spatial_relationship")
_FILE = re.compile(
    rf"(?:(?P<above>.*)/)?(?P<subset>{'|'.join(SUBSETS)})/(?P<results>results/)?"
    r"(?P<kind>planner_output_)?episode_(?P<n>\d{1,5})(?P<end>_step_\d+|_final_res|_res)?\.(?:json|txt)"
)
_MOST = 1 << 28
"""Bytes of one file, and of all in a zip, that are read, unpacked."""
_TEXT = 100_000
"""Characters of an answer that are kept; what stands behind them is no plan."""
_HUGE = 1e9
"""What is not below it (nor above its negative, as NaN) is not looked at as a number."""
_NO_STEP: dict[float | None, str] = {-1: "unparsable", -2: "empty_plan"}
_EXTRA = ("env_step", "distance", "task_progress", "task_success", "action_id", "reward")
_RESULTS = (
    *("task_success", "task_progress", "avg_reward", "num_steps", "planner_steps"),
    *("num_invalid_actions", "num_invalid_action_ratio", "planner_output_error"),
)
"""The numbers of a file of results that are looked at."""
_ENVIRONMENTS = {name[:6]: name for name in (ALFRED, HABITAT, NAVIGATION, MANIPULATION)}


@dataclass
class _Run:
    """One run of a task, while it is read."""

    steps: list[dict[str, Any]] = field(default_factory=list)
    rows: list[dict[str, Any]] = field(default_factory=list)
    instruction: str = ""
    file: str = ""
    notes: list[str] = field(default_factory=list)
    success: bool | None = None
    answer: str = ""
    answered: int = 0
    cut: int = 0
    last: float = 0

    def add(self, row: Mapping[str, Any], line: int, *, new_answer: bool) -> None:
        """Add a row of a log: a step, or an answer that is none."""
        raw = row.get("reasoning") or ""
        text = raw if isinstance(raw, str) else json.dumps(raw)
        numbers = {name: _number(row[name]) for name in _EXTRA if name in row}
        no_step = _NO_STEP.get(numbers.get("action_id"))
        fresh = new_answer or text != self.answer or no_step is not None or not self.steps
        self.answered += fresh
        self.cut += fresh and len(text) > _TEXT
        self.answer = text
        words = row.get("action_description", row.get("action")) or ""
        step = {
            "action": "" if no_step else str(words),
            "success": bool(_number(row.get("last_action_success"))),
            "feedback": str(row.get("env_feedback") or ""),
            "answered": self.answered,
        }
        if None in numbers.values():
            self.notes.append(f"{line}: a value is not a number (null, NaN, infinite)")
            numbers = {name: each for name, each in numbers.items() if each is not None}
        self.steps.append(step)
        self.rows.append({"line": line, **numbers})
        step |= {"code": no_step} if no_step else {}
        if fresh:  # of an answer that is no step nobody is to read one
            (step if step["action"] else self.rows[-1])["text"] = text[:_TEXT]
        self.instruction = self.instruction or _instruction(row)
        if "task_success" in numbers:
            self.success = bool(numbers["task_success"])
        self.last = numbers.get("env_step") or self.last

    def record(self, name: str, model: str, more: Mapping[str, Any]) -> dict[str, Any]:
        """Return the run as a recorded episode."""
        about = {**more, "instruction": self.instruction, "file": self.file, "rows": self.rows}
        about |= {"notes": self.notes} if self.notes else {}
        about |= {"cut": self.cut} if self.cut else {}
        return {
            "task": name,
            "metadata": about,
            "steps": self.steps,
            "success": self.success,
            "model": model,
            "recorder": "EmbodiedBench",
        }

    def item(self, name: str, model: str, more: Mapping[str, Any]) -> Raw:
        """Return the run as a prediction, which the digest of its instruction names, too."""
        text = self.instruction
        name += f"@{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()}" if text else ""
        record = json.dumps(self.record(name, model, more), ensure_ascii=False)
        record = record.encode("utf-8", "replace").decode()  # some halves of signs stand alone
        return self.file, {"id": name, "output": record, "model": model}


def _instruction(row: Mapping[str, Any]) -> str:
    return str(row.get("instruction") or "")


def _number(value: object) -> float | None:
    """The number that is meant, also by a list of one or in quotes; None if there is none."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    elif isinstance(value, str):
        value = _decoded(value.lower())
    known = isinstance(value, (int, float)) and abs(value) < _HUGE
    return value if known else None  # type: ignore[return-value]


# ------------------------------------------------------------------ files


def holds_runs(path: Path) -> bool:
    """Whether a path is a folder, a zip or a file of runs."""
    if path.is_dir():
        found = (each for each in path.rglob("*episode_*") if each.is_file())
        return any(_FILE.fullmatch(each.absolute().as_posix()) for each in found)
    if path.suffix == ".zip":
        try:
            with ZipFile(path) as archive:
                return any(map(_FILE.fullmatch, archive.namelist()))
        except (BadZipFile, OSError):
            return False
    if _FILE.fullmatch(path.absolute().as_posix()):
        return True
    if not path.name.endswith(".json"):
        return False
    with path.open("rb") as file:
        begin = file.read(1 << 12)
    return begin.lstrip()[:1] == b"[" and b'"eval_set"' in begin and b'"episode_id"' in begin


def run_episodes(path: Path) -> Iterator[Raw]:
    """Yield the episodes of a folder, a zip or a file of runs; what is wrong is a problem."""
    name = path.absolute().as_posix()
    if path.is_file() and path.suffix == ".json" and not _FILE.fullmatch(name):
        yield from _trajectories(path)
        return
    files = _packed(path) if path.suffix == ".zip" else _unpacked(path)
    groups: dict[tuple[str, str, int], dict[str, bytes]] = {}
    configs: dict[str, str] = {}
    for file, content in files:
        if file.endswith("/config.txt"):
            configs[file.rpartition("/")[0]] = _text(content)[:_TEXT]
        match = _FILE.fullmatch(file)
        if match is not None:
            key = (match["above"] or "", match["subset"], int(match["n"]))
            groups.setdefault(key, {})[file] = content
    if not groups:
        raise InputError(
            "there is no run in it",
            where=str(path),
            expected="SUBSET/episode_N_step_S.json, SUBSET/episode_N.json or SUBSET/results/...",
        )
    for (above, subset, number), found in groups.items():
        about = {key: text for key, text in configs.items() if key.startswith(above)}
        # a folder names its suite by how it begins (``eb_nav``)
        parts = [part[:6] for part in above.lower().replace("_", "-").split("/")]
        suite = next((_ENVIRONMENTS[each] for each in reversed(parts) if each in _ENVIRONMENTS), "")
        more = {"environment": suite, "config": "\n".join(about.values())}
        model = above.rpartition("/")[2] or "unnamed"
        yield from _episodes(f"{subset}/episode_{number}", model, found, more)


def _text(content: bytes) -> str:
    return content.decode("utf-8-sig", "replace")


def _unpacked(path: Path) -> Iterator[tuple[str, bytes]]:
    if path.is_dir():
        files = sorted(path.rglob("*"))
    else:  # a log, and what belongs to the same episode
        match = _FILE.fullmatch(path.absolute().as_posix())
        stem = f"episode_{match['n']}_" if match else path.stem
        results = path.parent if path.parent.name == "results" else path.parent / "results"
        beside = (each for each in sorted(results.glob("*")) if stem in each.name and each != path)
        files = [path, *beside]
    for file in files:
        if file.suffix in (".json", ".txt") and file.is_file():
            with file.open("rb") as stream:  # to ask for more than there is takes the time for it
                yield file.absolute().as_posix(), stream.read(min(_MOST, file.stat().st_size))


def _packed(path: Path) -> Iterator[tuple[str, bytes]]:
    try:
        with ZipFile(path) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            outside = [e.filename for e in entries if e.filename[:1] == "/" or ".." in e.filename]
            if outside or sum(entry.file_size for entry in entries) > _MOST:
                leads = f"{outside[0]!r} leads out of it" if outside else ""
                reason = leads or "it is too large unpacked"
                raise InputError(f"the zip is refused: {reason}", where=str(path))
            for entry in sorted(entries, key=lambda each: each.filename):
                with archive.open(entry) as stream:
                    yield entry.filename, stream.read(_MOST)
    except (BadZipFile, EOFError, RuntimeError, NotImplementedError) as error:
        raise InputError(f"the zip is damaged ({error})", where=str(path)) from error


# ------------------------------------------------------------------ episodes


def _episodes(
    name: str, model: str, files: Mapping[str, bytes], more: dict[str, Any]
) -> Iterator[Raw]:
    """The episodes of one number: those of another instruction stand for themselves, at the end."""
    runs: list[_Run] = []
    final: Any = {}
    for file in sorted(files, key=_order):
        if "/results/" not in f"/{file}":
            runs += _runs(file, _text(files[file]))
        elif file.endswith(".txt"):
            more["planner"] = _text(files[file])
        else:
            final = _decoded(_text(files[file]))
            if not isinstance(final, dict):
                yield PredictionProblem("the results are not a JSON object", file, model)
                final = {}
            numbers = {name: _number(final[name]) for name in _RESULTS if name in final}
            if None in numbers.values():
                yield PredictionProblem(
                    "a value is not a number (null, NaN, infinite)", file, model
                )
            final = {name: each for name, each in {**final, **numbers}.items() if each is not None}
    if not runs and not final:
        yield PredictionProblem("there is no row in it", next(iter(files)), model)
        return
    if not runs:
        solved = bool(_number(final.get("task_success")))
        runs = [_Run(instruction=_instruction(final), file=next(iter(files)), success=solved)]
    groups: dict[str, list[_Run]] = {}
    for run in runs:
        groups.setdefault(run.instruction, []).append(run)
    main = groups.pop(runs[-1].instruction)
    others = ((kept, {"foreign": True}) for kept in groups.values())
    for kept, own in ((main, {"final": final} if final else {}), *others):
        earlier = [run.record(name, model, {}) for run in kept[:-1]]
        about = {**more, **own, **({"earlier": earlier} if earlier else {})}
        yield kept[-1].item(name, model, about)


def _order(file: str) -> tuple[int, str]:
    found = re.search(r"_step_(\d+)", file)
    return (int(found[1]) if found else 0, file)


def _decoded(text: str) -> Any:  # noqa: ANN401
    try:
        return load_json(text)
    except ValueError:
        return None


def _runs(file: str, text: str) -> Iterator[_Run]:
    """The runs in a file of rows: steps that begin anew, or another instruction, begin one."""
    run, blank = _Run(file=file), True
    rows = text.split("\n")
    if text.lstrip()[:1] == "[" and isinstance(whole := _decoded(text), list):
        rows = [json.dumps(row) for row in whole]
    for line, written in enumerate(rows, start=1):
        if not written.strip():
            blank = True
            continue
        row = _decoded(written)
        if not isinstance(row, dict):
            run.notes.append(f"{line}: the line is cut off, or not a JSON object")
            continue
        step = _number(row.get("env_step"))
        other = (_instruction(row) or run.instruction) != run.instruction
        again = step is not None and bool(run.rows) and step <= run.last
        if "distance" in row and len(run.steps) >= STEPS[NAVIGATION] and "Done" in row.values():
            continue  # what the evaluator writes behind the last step of a failed episode
        if run.steps and (again or (other and run.instruction)):
            yield run
            run = _Run(file=file)
        run.add(row, line, new_answer=blank and "distance" in row)
        blank = False
    if run.steps or run.notes:
        yield run


def _trajectories(path: Path) -> Iterator[Raw]:
    """The episodes of a published list of trajectories."""
    episodes = _decoded(_text(path.read_bytes()))
    if not isinstance(episodes, list):
        raise InputError(
            "it is not a list of trajectories",
            where=str(path),
            expected='[{"eval_set": ..., "episode_id": ..., "trajectory": [...]}, ...]',
        )
    known = (each.get("episode_id") for each in episodes if isinstance(each, dict))
    from_zero = 0 in map(_number, known)
    for place, episode in enumerate(episodes):
        where = f"{path}:[{place}]"
        found = _trajectory(episode, where) if isinstance(episode, dict) else None
        said = str(episode.get("eval_set", "")) if found else ""
        subsets = [each for each in sorted(SUBSETS, key=len, reverse=True) if each in said]
        if found is None or not subsets:
            yield PredictionProblem("it is not a trajectory of a subset", where)
            continue
        number = int(_number(episode.get("episode_id")) or 0) + from_zero
        model = str(episode.get("model_name", "unnamed"))
        yield found.item(f"{subsets[0]}/episode_{number}", model, {})


def _trajectory(episode: Mapping[str, Any], where: str) -> _Run | None:
    answers = episode.get("trajectory")
    if not isinstance(answers, list):
        return None
    run = _Run(instruction=_instruction(episode), file=where)
    for answer in answers:
        steps = answer.get("executable_plan") if isinstance(answer, dict) else None
        text = (
            json.dumps({k: v for k, v in answer.items() if k != "input_image_path"})
            if steps
            else ""
        )
        for n, step in enumerate(steps if isinstance(steps, list) else ()):
            known = step if isinstance(step, dict) else {}
            words: Any = known.get("action")
            number, words = words if isinstance(words, list) and len(words) == 2 else (None, words)
            row = {
                "action_description": words,
                "last_action_success": known.get("action_success", 0),
                "env_feedback": known.get("env_feedback", ""),
                "reasoning": text,
            }
            more = {"action_id": number, "distance": known.get("distance")}
            row |= {name: each for name, each in more.items() if each is not None}
            run.add(row, len(run.steps) + 1, new_answer=n == 0)
        if not steps:
            empty = {"action_id": -2 if isinstance(steps, list) else -1}
            run.add(empty, len(run.steps) + 1, new_answer=True)
    run.success = bool(_number(episode.get("success")))
    return run
