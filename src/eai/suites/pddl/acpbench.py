"""Questions in files of ACPBench (Kokel et al. 2025), as they were published.

A row has ``id``, ``group``, ``context``, ``question`` and ``answer``. Generative questions have
their task in ``PDDL_domain`` and ``PDDL_problem`` and are answered by the engine. Questions with
``choices``, and those to be answered with yes or no, are in words alone: their published answer is
all that is known of them. Rows may be a JSON list, lines of JSON, or the ``doc`` of samples.
"""

from __future__ import annotations

import gzip
from collections.abc import Container, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from eai.contract import Ability
from eai.diagnosis import ErrorKind, Finding, Result
from eai.errors import SchemaError
from eai.nesting import load_json
from eai.semantics import Semantics
from eai.suites.pddl.kinds import CHOICE, YES_NO, known_kind
from eai.suites.shared.choices import read_choice, read_yes_no
from eai.task import Task

_NO_TASK = "(define (domain words))", "(define (problem question) (:domain words) (:goal (and)))"
"""Domain and problem of a question that has no PDDL: both are empty."""
_ENDINGS = (".json", ".jsonl", ".json.gz", ".jsonl.gz")


def published_rows(path: Path) -> list[tuple[str, Mapping[str, Any]]] | None:
    """Return the rows of an ACPBench file with their places, or None for another file."""
    if not path.name.endswith(_ENDINGS) or not path.is_file():
        return None
    rows: list[tuple[str, Mapping[str, Any]]] = []
    try:
        for where, row in _rows(path):
            # One other row is enough: files of tasks have JSON lines, too.
            if not _is_question(row):
                return None
            rows.append((where, row))
    except (OSError, EOFError, ValueError):
        return None
    return rows or None


def _rows(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield place and object of every row. A value of another type becomes an empty object.

    Logs of an evaluation have the row under ``doc``.
    """
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    for where, value in _values(path, data.decode("utf-8-sig")):
        row: object = value
        if isinstance(value, dict):
            row = value.get("doc", value)
        yield where, row if isinstance(row, dict) else {}


def _values(path: Path, text: str) -> Iterator[tuple[str, Any]]:
    """Yield place and value of every item of a JSON list, or of every line of JSON."""
    if text.lstrip().startswith("["):
        for number, value in enumerate(load_json(text), 1):
            yield f"{path} item {number}", value
        return
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield f"{path}:{number}", load_json(line)


def _is_question(row: Mapping[str, Any]) -> bool:
    """Return whether a row has the keys by which questions of ACPBench are told."""
    return "question" in row and ("group" in row or "PDDL_domain" in row)


def task_of_row(row: Mapping[str, Any], where: str) -> dict[str, object]:
    """Return a published row as a line of a file of tasks: ``id, domain, problem, kind, ...``.

    Raises:
        SchemaError: If it has no identifier, or its kind is unknown.
    """
    name = row.get("id")
    if isinstance(name, bool) or not isinstance(name, (str, int)):
        raise SchemaError("the question has no id", where=where, expected="a text or a number")
    domain, problem = row.get("PDDL_domain"), row.get("PDDL_problem")
    if isinstance(domain, str) and isinstance(problem, str):
        kind = _kind_of(row, where)
    else:
        # Without a domain nothing can be computed: the published answer decides.
        domain, problem = _NO_TASK
        kind = CHOICE if _choices(row) else YES_NO
    return {
        "id": str(name),
        "domain": domain,
        "problem": problem,
        "kind": kind,
        "question": str(row["question"]),
        "answer": row.get("answer"),
        "context": str(row.get("context") or ""),
        "choices": _choices(row),
    }


def _kind_of(row: Mapping[str, Any], where: str) -> str:
    """Return the kind of a generative question, given by ``kind`` or ``group``."""
    for key in ("kind", "group"):
        if isinstance(row.get(key), str):
            return known_kind(row[key], where)
    raise SchemaError("the question has no kind", where=where, expected='"kind" or "group"')


def _choices(row: Mapping[str, Any]) -> list[str]:
    """Return the texts of the options, or none if the row has no options."""
    # {"text": [...], "label": [...]}, or a list of texts
    choices = row.get("choices")
    texts = choices.get("text") if isinstance(choices, dict) else choices
    if not isinstance(texts, list):
        return []
    return list(map(str, texts))


def published_verdict(kind: str, published: object, named: str) -> bool | None:
    """Return ACPBench's own verdict on an answer, or None if it needs a planner.

    Args:
        kind: The kind of question.
        published: The answer that was published with it.
        named: The fact or action that the answer names, as ``(name object ...)``, or ``none``.
    """
    if not named:
        return None
    if kind in ("reachability", "action_reachability") and isinstance(published, list):
        return _verdict_of_reachability(_lower(published), named)
    if not isinstance(published, Mapping):
        return None
    # The right answers, and those for which a planner has to decide.
    right_answers = _lower(published.get("yes"))
    open_answers = _lower(published.get("maybe"))
    if kind == "landmark":
        return named in right_answers or (named == "none" and not right_answers)
    if kind == "next_action":
        return _verdict_of_next_action(right_answers, open_answers, named)
    return None


def _verdict_of_reachability(right: Container[str], named: str) -> bool | None:
    """Return the verdict on a fact or action that an answer calls unreachable."""
    if named in right:
        return True
    if not right:
        return named == "none"
    # The published list is incomplete, so a planner has to decide on other answers.
    return False if named == "none" else None


def _verdict_of_next_action(
    right: Container[str], maybe: Container[str], named: str
) -> bool | None:
    """Return the verdict on an action named as the next one.

    An action in ``maybe`` needs a planner.
    """
    if named in right:
        return True
    return None if named in maybe else False


def _lower(answers: object) -> set[str]:
    """Return facts or actions as they are compared: in brackets and in small letters."""
    if not isinstance(answers, list):
        return set()
    return {f"({str(answer).strip().strip('()').lower()})" for answer in answers}


def evaluate(kind: str, task: Task, answer: str | None, semantics: Semantics) -> Result:
    """Compare the answer to a multiple-choice question with the published answer.

    Args:
        kind: The kind of question.
        task: The task with the question.
        answer: The answer; None if it is missing.
        semantics: Not used: the published answer decides under all semantics.
    """
    del semantics  # the definitions say nothing of words
    question = task.metadata.get("question")
    if not isinstance(question, dict) or question["kind"] != kind:
        return Result("excluded", notes=(f"the task asks no question about {kind}",))
    if answer is None:
        finding = Finding(ErrorKind.NO_ANSWER, "there is no prediction for this task")
        return Result("missing", findings=(finding,))
    published = str(question.get("answer") or "")
    choices = question["choices"]
    # The published answer is read by the same rules, as it may be a letter or a text.
    right_choice = _read(kind, published, choices)
    if right_choice is None:
        return Result("excluded", notes=("no answer was published",))
    choice = _read(kind, answer, choices)
    if choice is None:
        expected = "yes or no" if kind == YES_NO else "one of the options"
        finding = Finding(ErrorKind.PARSING, f"the answer is not {expected}")
        return Result("evaluated", findings=(finding,))
    notes = (f"published answer: {published}",)
    return Result("evaluated", success=choice == right_choice, executable=True, notes=notes)


def _read(kind: str, text: str, choices: list[str]) -> object:
    """Return the answer in a text: true for yes, or an option; None if there is none."""
    if kind == YES_NO:
        return read_yes_no(text)
    return read_choice(text, choices)


def prompt(kind: str, task: Task) -> str | None:
    """Return the published question, or None if the task asks something else."""
    question = task.metadata.get("question")
    if not isinstance(question, dict) or question["kind"] != kind:
        return None
    request = "Only answer yes or no." if kind == YES_NO else "Only answer with the letter."
    paragraphs = (question["context"], question["question"], request)
    return "\n".join(paragraph for paragraph in paragraphs if paragraph)


IN_WORDS: Mapping[str, Ability] = {
    kind: Ability(partial(evaluate, kind), partial(prompt, kind)) for kind in (YES_NO, CHOICE)
}
"""Abilities for questions that are asked in words, by kind of question."""
