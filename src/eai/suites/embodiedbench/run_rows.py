"""The rows of a log, read as runs of one task: what was done, said and answered, step by step.

A log may hold several runs (a rerun is appended), break off within a line (the run was stopped),
and hold rows that are no step (an answer that could not be read). A run ends where the numbers of
its steps begin anew, or where another instruction is given.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from eai.contract import Raw
from eai.nesting import decoding, load_json
from eai.suites.embodiedbench.skills import ALFRED, HABITAT, NAVIGATION, STEPS, read_feedback

MAX_ANSWER_CHARACTERS = 100_000
"""Maximum length of an answer that is kept; behind that stands no plan."""
_HUGE = 1e9
"""Numbers of this size or larger, and NaN, count as missing."""
_NO_STEP: dict[float | None, str] = {-1: "unparsable", -2: "empty_plan"}
"""Number of an action that is none, and why: the evaluators write these in place of a skill."""
_ROW_NUMBERS = (
    *("env_step", "distance", "task_progress", "task_success", "action_id", "reward"),
    *("episode_elapsed_seconds", "was_prev_action_invalid", "predicate_task_success"),
)


def digest(text: str) -> str:
    """Return the SHA-256 of an instruction, by which tasks are known."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def instruction_of(row: Mapping[str, Any]) -> str:
    """Return the instruction in a row, or in a file of results; empty if there is none."""
    return str(row.get("instruction") or "")


def decode_json(text: str) -> Any:  # noqa: ANN401
    """Return the value of a JSON text, or None if it is not JSON."""
    try:
        return load_json(text)
    except ValueError:
        return None


def number_of(value: object) -> float | None:
    """Return a number that may stand in quotes or in a list of one, or None.

    Example:
        >>> number_of([0.5]), number_of("True"), number_of("n/a")
        (0.5, True, None)
    """
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    elif isinstance(value, str):
        value = decode_json(value.lower())  # Python writes "True", JSON "true"
    # This comparison is false for NaN, too.
    if isinstance(value, (int, float)) and abs(value) < _HUGE:
        return value
    return None


# Feedback and words of the simulator's Done, whether it was executed or not.
_DONE = re.compile(
    r"(?:Last action )?Done(?: executed successfully\.?| is invalid\b.*)?", re.DOTALL
)


def is_done_row(row: Mapping[str, Any]) -> bool:
    """Return whether a row only marks that EB-Navigation was stopped (February 2025).

    It calls the simulator's ``Done`` and names the last of the skills beside it, for an action
    that is out of range and for one behind the last step.
    """
    if "distance" not in row:
        return False
    texts = (row.get("env_feedback"), row.get("action_description"), row.get("action"))
    return any(isinstance(text, str) and _DONE.fullmatch(text.strip()) for text in texts)


@dataclass
class RunReader:
    """The rows of one run of a task, collected while its log is read.

    Args:
        steps: Steps as a record has them.
        rows: Line and numbers of each step's row.
        named_steps: Number of steps in the name of the file; -1 if it has none.
        answer: The last answer, which the rows of one plan repeat.
        answered: Number of answers so far.
        cut: Number of answers that were too long to be kept whole.
        cut_line: Line in which the log breaks off; 0 if it does not.
        done_step: Number of the row with which EB-Navigation was stopped; 0 if there is none.
        last: Number of the last step.
    """

    steps: list[dict[str, Any]] = field(default_factory=list)
    rows: list[dict[str, Any]] = field(default_factory=list)
    instruction: str = ""
    file: str = ""
    named_steps: int = -1
    notes: list[str] = field(default_factory=list)
    success: bool | None = None
    answer: str = ""
    answered: int = 0
    cut: int = 0
    cut_line: int = 0
    done_step: float = 0
    last: float = 0

    def add(self, row: Mapping[str, Any], line: int, *, new_answer: bool) -> None:
        """Add a row of a log: a step, or an answer without an action.

        Args:
            row: The row.
            line: Its line in the file.
            new_answer: Whether the log shows that the row has another answer than the row before.
                Otherwise the answers are compared.
        """
        numbers = self._numbers(row, line)
        code = _NO_STEP.get(numbers.get("action_id"), "")
        if is_done_row(row):
            code = "outside"
        text = _answer_of_row(row)
        # All rows of a plan repeat its answer. A row without a step always had an answer of its
        # own, even if its text is the same as before.
        is_same_plan = bool(self.steps) and text == self.answer and not code
        is_new_answer = new_answer or not is_same_plan
        if is_new_answer:
            self.answered += 1
            if len(text) > MAX_ANSWER_CHARACTERS:
                self.cut += 1
        self.answer = text
        step = self._step(row, code)
        stored_row: dict[str, Any] = {"line": line, **numbers}
        if is_new_answer:
            # The answer of a row without a step is not read again: its text stays in the row.
            text_holder = step if step["action"] else stored_row
            text_holder["text"] = text[:MAX_ANSWER_CHARACTERS]
        self.steps.append(step)
        self.rows.append(stored_row)
        self.instruction = self.instruction or instruction_of(row)
        if "task_success" in numbers:
            self.success = bool(numbers["task_success"])
        self.last = numbers.get("env_step") or self.last

    def _step(self, row: Mapping[str, Any], code: str) -> dict[str, Any]:
        """Return a row as a step of a record.

        ``code`` is the reason if it has no action, else "".
        """
        action = ""
        if not code:
            action = str(row.get("action_description", row.get("action")) or "")
        step = {
            "action": action,
            "success": bool(number_of(row.get("last_action_success"))),
            "feedback": str(row.get("env_feedback") or ""),
            "answered": self.answered,
        }
        # Most steps have no code; the key would make all of them longer.
        if code:
            step["code"] = code
        return step

    def _numbers(self, row: Mapping[str, Any], line: int) -> dict[str, float]:
        """Return the numeric fields of a row by name, and note fields that are not numbers."""
        present = {name: number_of(row[name]) for name in _ROW_NUMBERS if name in row}
        numbers = {name: number for name, number in present.items() if number is not None}
        if len(numbers) < len(present):
            self.notes.append(f"{line}: a value is not a number (null, NaN, infinite)")
        return numbers

    def record(self, name: str, model: str, more: Mapping[str, Any]) -> dict[str, Any]:
        """Return the run as a recorded episode.

        Args:
            name: Name of the task.
            model: Name of the model.
            more: Further metadata.
        """
        metadata = {**more, "instruction": self.instruction, "file": self.file, "rows": self.rows}
        optional_metadata = {
            "notes": self.notes,
            "cut": self.cut,
            "cut_line": self.cut_line,
            "done_step": self.done_step,
        }
        # Most logs are whole and have none of these, so empty values are left out.
        metadata |= {key: value for key, value in optional_metadata.items() if value}
        if self.named_steps >= 0:
            metadata["named_steps"] = self.named_steps
        return {
            "task": name,
            "metadata": metadata,
            "steps": self.steps,
            "success": self.success,
            "model": model,
            "recorder": "EmbodiedBench",
        }

    def item(self, name: str, model: str, more: Mapping[str, Any]) -> Raw:
        """Return the run as a prediction that also holds the digest of its instruction.

        Args:
            name: Name of the task.
            model: Name of the model.
            more: Further metadata of the record.
        """
        if self.instruction:
            name += f"@{digest(self.instruction)}"
        record = json.dumps(self.record(name, model, more), ensure_ascii=False)
        # An answer may be cut within a surrogate pair, whose half cannot be stored as UTF-8.
        record = record.encode("utf-8", "replace").decode()
        return self.file, {"id": name, "output": record, "model": model}


def runs_in(file: str, text: str, named_steps: int) -> Iterator[RunReader]:
    """Yield the runs in a log. A run begins where steps restart or the instruction changes.

    Args:
        file: Name of the log.
        text: The log.
        named_steps: Number of steps in the name of the file; -1 if it has none.
    """
    run = RunReader(file=file, named_steps=named_steps)
    lines = _lines_of(text)
    # The evaluator of EB-Navigation leaves a line empty between the rows of two answers.
    after_blank = True
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            after_blank = True
            continue
        row = decode_json(line)
        if not isinstance(row, dict):
            is_last = number == len(lines)
            _add_broken_line(run, line, number, is_last=is_last, new_answer=after_blank)
            continue
        if _is_row_behind_the_end(run, row):
            run.done_step = number_of(row.get("env_step")) or STEPS[NAVIGATION] + 1
            continue
        if _begins_another_run(run, row):
            yield run
            run = RunReader(file=file, named_steps=named_steps)
        run.add(row, number, new_answer=after_blank and "distance" in row)
        after_blank = False
    if run.steps or run.notes or run.cut_line:
        yield run


def _add_broken_line(
    run: RunReader, line: str, number: int, *, is_last: bool, new_answer: bool
) -> None:
    """Add a line that is no JSON object: as a row that was cut off, or else as a note.

    Args:
        run: The run that the line belongs to.
        line: The line.
        number: Its number in the file.
        is_last: Whether it is the last line.
        new_answer: Whether it follows a blank line.
    """
    is_begun = bool(run.steps) or number == 1
    if is_last and is_begun and line.lstrip().startswith("{"):
        # Only the last line lacks its end: the run was stopped while it was written.
        run.cut_line = number
        _add_cut_row(run, line, number, new_answer=new_answer)
    else:
        run.notes.append(f"{number}: the line is cut off, or not a JSON object")


def _lines_of(text: str) -> list[str]:
    """Return the rows of a log as JSON texts: its lines, or the items of one JSON list."""
    if text.lstrip()[:1] == "[":
        decoded = decode_json(text)
        if isinstance(decoded, list):
            return [json.dumps(row) for row in decoded]
    return text.split("\n")


def _is_row_behind_the_end(run: RunReader, row: Mapping[str, Any]) -> bool:
    """Return whether a row only says that EB-Navigation was stopped after its last step."""
    return is_done_row(row) and len(run.steps) >= STEPS[NAVIGATION]


def _answer_of_row(row: Mapping[str, Any]) -> str:
    """Return the answer that a row repeats, as JSON if the log has an object in its place."""
    answer = row.get("reasoning") or ""
    if isinstance(answer, str):
        return answer
    return json.dumps(answer)


def _begins_another_run(run: RunReader, row: Mapping[str, Any]) -> bool:
    """Return whether a row belongs to another run than the one being read."""
    if not run.steps:
        return False
    step = number_of(row.get("env_step"))
    if step is not None and step <= run.last:
        return True
    instruction = instruction_of(row)
    return bool(run.instruction and instruction) and instruction != run.instruction


def _add_cut_row(run: RunReader, written: str, line: int, *, new_answer: bool) -> None:
    """Add a row that breaks off, if the readable part tells which action was taken.

    Args:
        run: The run.
        written: The line, which breaks off.
        line: Its number in the file.
        new_answer: Whether it follows a blank line.
    """
    row = pairs_before_cut(written)
    words = row.get("action_description")
    feedback = row.get("env_feedback")
    if not isinstance(words, str) or not isinstance(feedback, str):
        return
    # The lost values are inferred: the outcome from the feedback, and the number of the step and
    # the answer from the row before.
    if "last_action_success" not in row:
        feedback_of_action = read_feedback(_environment_of_keys(row), feedback)
        row["last_action_success"] = bool(feedback_of_action.success)
    row.setdefault("env_step", run.last + 1)
    row.setdefault("reasoning", run.answer)
    if _is_row_behind_the_end(run, row):
        run.done_step = STEPS[NAVIGATION] + 1
        return
    run.add(row, line, new_answer=new_answer and "distance" in row)


def _environment_of_keys(row: Mapping[str, Any]) -> str:
    """Return the environment whose feedback a row has, by keys that only one of them writes."""
    if "distance" in row:
        return NAVIGATION
    if "was_prev_action_invalid" in row:
        return HABITAT
    return ALFRED


def pairs_before_cut(written: str) -> dict[str, Any]:
    """Return the complete key-value pairs of a JSON object that breaks off.

    Example:
        >>> pairs_before_cut('{"action_id": 4, "text": "I t')
        {'action_id': 4}
    """
    decode = decoding(json.JSONDecoder(), written)
    pairs: dict[str, Any] = {}
    position = written.find("{") + 1
    # Pair by pair, until the text ends within one: then a value cannot be decoded (ValueError), or
    # the next character is not there (IndexError).
    try:
        while True:
            position = _skip_blanks(written, position)
            key, position = decode(position)
            position = _skip_blanks(written, position)
            if written[position] != ":" or not isinstance(key, str):
                return pairs
            value, position = decode(_skip_blanks(written, position + 1))
            position = _skip_blanks(written, position)
            if written[position] != ",":  # the last value may be a number that is cut off
                return pairs
            pairs[key] = value
            position += 1
    except (ValueError, IndexError):
        return pairs


def _skip_blanks(text: str, at: int) -> int:
    """Return the position of the first character from a position on that is no blank."""
    while text[at].isspace():
        at += 1
    return at


# ------------------------------------------------------------------ files of results

_COUNTED = (
    *("task_success", "task_progress", "avg_reward", "num_steps", "planner_steps"),
    *("num_invalid_actions", "num_invalid_action_ratio", "planner_output_error"),
)
"""The numbers of a file of results that an evaluation shows."""


@dataclass(frozen=True)
class ResultsFile:
    """The valid values of a file of results, and a description of what is wrong with it."""

    values: Mapping[str, Any]
    problems: Sequence[str] = ()


def read_results(text: str) -> ResultsFile:
    """Read an episode's file of results. Invalid values are left out and reported."""
    stored = decode_json(text)
    if not isinstance(stored, dict):
        return ResultsFile({}, ("the results are not a JSON object",))
    values = dict(stored)
    values["episode_elapsed_seconds"] = number_of(stored.get("episode_elapsed_seconds"))
    problems: tuple[str, ...] = ()
    for key in _COUNTED:
        if key not in stored:
            continue
        values[key] = number_of(stored[key])
        if values[key] is None:
            problems = ("a value is not a number (null, NaN, infinite)",)
    # An invalid number is worth as little as a missing one to all readers.
    present = {key: value for key, value in values.items() if value is not None}
    return ResultsFile(present, problems)
