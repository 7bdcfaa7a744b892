"""The questions of a release, read from the user's folder, and what is known of the release."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from eai.data import read_json
from eai.errors import DataMissingError, InputError, SchemaError
from eai.suites.shared.data import cache_folder, keep

# End of a question's identifier to the ability that it asks for.
_QUESTIONS = {"Q1": "multi_step_plan", "Q2": "next_step", "Q3": "state_estimation"}
# Word in the type of a question to the ability that it asks for.
_OTHERS = {"point": "points", "trajectory": "trajectories"}


@dataclass(frozen=True, slots=True)
class RoboBenchQuestion:
    """One question.

    Args:
        id: Its unique id, without pictures.
        ability: The ability that it asks for.
        gold: The right answer, as it is written.
        dag: The gold order as JSON text; None if there is none.
        options: The texts of the options, in order.
        embodiment: ``"single-arm"``, ``"dual-arm"``, ``"mobile-manipulator"`` or ``"human"``.
        images: Paths of pictures, which nothing here looks at.
        scene: The facts at the start, as atoms; None to read it off the gold plan.
    """

    id: str
    ability: str
    manifest: str
    question: str
    gold: str
    dag: str | None = None
    options: tuple[str, ...] = ()
    embodiment: str = ""
    images: tuple[str, ...] = ()
    scene: str | None = None
    prompt: str = ""

    @property
    def groups(self) -> tuple[str, ...]:
        """Its manifest, task, dimension and embodiment, as far as they are known."""
        groups = [self.manifest]
        manifest = taxonomy()["manifests"].get(self.manifest)
        if manifest:
            groups += [f"task {manifest['task']}", manifest.get("dimension", "")]
        groups.append(self.embodiment)
        return tuple(dict.fromkeys(group for group in groups if group))


def taxonomy() -> Mapping[str, Any]:
    """Return dimensions, tasks and manifests of the release, with their sizes if known."""
    return read_json("tasks/robobench/taxonomy.json")


def published_results() -> Mapping[str, Any]:
    """Return the published tables, ``paper_v1`` and ``eccv2026``.

    They were scored by two versions of a language model: no score of
    :func:`~eai.suites.robobench.judge_plan` stands in a column with them.
    """
    return read_json("tasks/robobench/results.json")


def plain_id(raw: str) -> str:
    """Return an identifier without picture folder and file ending.

    Example:
        >>> plain_id("./images/robot_12_Q1.png")
        'robot_12_Q1'
    """
    parts = raw.strip().replace("\\", "/").split("/")
    name = "/".join(part for part in parts if part not in ("", ".", "images"))
    stem, dot, ending = name.rpartition(".")
    if dot and ending.casefold() in ("png", "jpg", "jpeg", "mp4", "json"):
        return stem
    return name


def read_release(folder: Path) -> Iterator[RoboBenchQuestion]:
    """Read the questions of a downloaded release.

    Its folder has ``<dimension>/[<group>/]<manifest>/questions.json``, ``dag.json`` beside those
    of plans, and perhaps ``system_prompt.json``.

    Raises:
        InputError: If there are no questions.
        SchemaError: If a file has another form, or an id is there twice.
    """
    files = sorted(folder.rglob("questions.json"))
    if not files:
        raise InputError(
            f"there is no questions.json in {folder}",
            expected="the folder of the dataset LeoFan01/RoboBench",
        )
    prompts = _json(folder / "system_prompt.json", {}) if folder.is_dir() else {}
    # The file in which each identifier occurred first.
    first_files: dict[str, Path] = {}
    for file in files:
        orders = _orders_beside(file)
        for number, row in enumerate(_json(file, None), start=1):
            where = f"{file}: question {number}"
            question = _read_question(row, file.parent.name, orders, prompts, where)
            if question.id in first_files:
                text = f"the id {question.id!r} is already in {first_files[question.id]}"
                raise SchemaError(text, where=where)
            first_files[question.id] = file
            yield question


def _orders_beside(file: Path) -> dict[str, object]:
    """Return the gold orders in the file beside a question file, by question identifier.

    Questions that are not about plans have none.
    """
    orders = {}
    for entry in _json(file.parent / "dag.json", []):
        if "id" in entry:
            orders[plain_id(str(entry["id"]))] = entry.get("gt_dag")
    return orders


def _json(path: Path, default: Any) -> Any:  # noqa: ANN401
    """Return the value in a JSON file, or the default if the file is missing.

    Without a default (None), a missing file is an error.

    Raises:
        SchemaError: If it is not JSON, or the file is missing and has no default.
    """
    if default is not None and not path.is_file():
        return default
    try:
        return json.loads(path.read_text("utf-8"))
    except (ValueError, OSError) as error:
        raise SchemaError(f"it cannot be read as JSON: {error}", where=str(path)) from None


def _read_question(
    question: Any,  # noqa: ANN401
    manifest: str,
    orders: Mapping[str, object],
    prompts: Mapping[str, str],
    where: str,
) -> RoboBenchQuestion:
    """Read one question of a release, with its gold order and its prompt.

    Args:
        question: The question as the release has it.
        manifest: Name of the file of questions.
        orders: Name of a scene to its gold order.
        prompts: Name of a list of skills to its text.
        where: Place of the question, for messages.

    Raises:
        SchemaError: If the question has no identifier or no answer.
    """
    if not isinstance(question, dict) or not {"unique_id", "gt_answer"} <= question.keys():
        raise SchemaError("it has no unique_id or no gt_answer", where=where)
    question_id = plain_id(str(question["unique_id"]))
    options = question.get("options") or ()
    if isinstance(options, Mapping):
        options = tuple(options.values())
    # Identifiers of planning questions end with their type: "robot_12_Q1" and "robot_12_Q2" are
    # about the same scene "robot_12", and share its order.
    question_type = question_id.rpartition("_")[2]
    scene = question_id
    if question_type in _QUESTIONS:
        scene = question_id.removesuffix(f"_{question_type}")
    dag = orders.get(scene)
    prompt_key = f"skill_list_{question_type}"
    if manifest == "navigation":
        prompt_key = "navigation_skill_list"
    embodiment = question.get("robotic_type") or taxonomy()["embodiments"].get(manifest, "")
    task_types = " ".join(map(str, question.get("task_type", ())))
    return RoboBenchQuestion(
        id=question_id,
        ability=_ability(question_type, task_types, has_options=bool(options)),
        manifest=manifest,
        question=str(question.get("question", "")),
        gold=_as_text(question["gt_answer"]),
        dag=None if dag is None else _as_text(dag, ensure_ascii=True),
        options=tuple(map(str, options)),
        embodiment=str(embodiment),
        images=tuple(map(str, question.get("image_urls") or ())),
        prompt=str(prompts.get(prompt_key, "") or ""),
    )


def _as_text(value: object, *, ensure_ascii: bool = False) -> str:
    """Return a text as it is, any other value as JSON."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=ensure_ascii)


def _ability(kind: str, task_types: str, *, has_options: bool) -> str:
    """Return the ability that a question asks for.

    Args:
        kind: The end of the identifier, such as ``Q1``.
        task_types: The types of the question in the release.
        has_options: Whether it is a multiple-choice question.
    """
    if kind in _QUESTIONS:
        return _QUESTIONS[kind]
    if has_options:
        return "multiple_choice"
    for word, ability in _OTHERS.items():
        if word in task_types:
            return ability
    return "multi_step_plan"


def stored() -> Path:
    """Return the path of the questions that were fetched."""
    return cache_folder() / "robobench" / "items.jsonl"


def store(folder: Path) -> int:
    """Read a release and keep its questions; return how many there are."""
    lines = [json.dumps(asdict(item), ensure_ascii=False) for item in read_release(folder)]
    keep(stored(), "\n".join(lines) + "\n")
    return len(lines)


def read_items(path: Path) -> dict[str, RoboBenchQuestion]:
    """Return stored questions by their identifiers."""
    if not path.is_file():
        raise DataMissingError(
            "the questions of RoboBench are not here",
            mend="eai data fetch robobench --from FOLDER (your download of LeoFan01/RoboBench)",
        )
    questions = {}
    for line in path.read_text("utf-8").splitlines():
        fields = json.loads(line)
        # JSON has no tuples, and questions do not change.
        for key in ("options", "images"):
            fields[key] = tuple(fields.get(key, ()))
        questions[fields["id"]] = RoboBenchQuestion(**fields)
    return questions
