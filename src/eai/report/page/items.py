"""Items as data for the page: an index that is small, and the items in packed portions.

Everything is short and printable, so that no answer can blow up the page or steer it.
"""

from __future__ import annotations

import json
import zlib
from binascii import b2a_base64
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from eai.contract import PLANS
from eai.diagnosis import Finding, Result
from eai.report.record import Record
from eai.text import cut, sample_label, short

if TYPE_CHECKING:
    from eai.diagnosis import Condition
    from eai.report.page.details import Details, Reader

PORTION = 50
"""Number of items packed together; the page unpacks a portion when an item of it is opened."""

_ZLIB_LEVEL = 3
"""Compression level: 9 is five times slower for 30 % less."""

_GZIP = 16 + zlib.MAX_WBITS
"""Window size that asks :mod:`zlib` for gzip; its header has no time: equal data, equal bytes."""

_STATUS = ("solved", "failed", "missing", "excluded")

_encode = json.JSONEncoder(separators=(",", ":")).encode

_MAX_STEPS = 200
"""Maximum number of steps shown of one item."""

_MAX_NOTES = 50
"""Maximum number of errors, goal conditions and remarks shown of one item, each."""

_MAX_CHARACTERS = 4096
"""Maximum number of characters shown of an answer."""

_MAX_CHANGES = 40
"""Maximum number of atoms shown that one step made true, or false."""

_MAX_CACHED = 5_000
"""Maximum number of items held in case that another model gives the same answer: some models'
answers to several hundred tasks, in 20 MB."""

_shown = lru_cache(maxsize=1 << 12)(short)
"""Shortens an action, an atom or a condition; the answers to a task have the same few."""

Note = list[Any]
"""A note as the page reads it: ``[kind, headline, details]``, the details one line each."""


def index(records: Sequence[Record]) -> dict[str, Any]:
    """Return the rows of the page's item list.

    Returns:
        ``models``, ``names`` (categories of tasks) and ``kinds`` (of errors), each listed once,
        ``status``, and ``items``: rows with the index of the model, the task, the indices of the
        category, the status and the kinds, and the reason in words.
    """
    shortened = lru_cache(maxsize=1 << 10)(short)  # models, categories and reasons come again
    # Each name is listed once, and rows have its index: a page may list 20,000 items.
    model_indices: dict[str, int] = {}
    category_indices: dict[str, int] = {}
    kind_indices: dict[str, int] = {}

    def index_of(name: str, indices: dict[str, int]) -> int:
        """Return the index of a name; a new name gets the next index."""
        return indices.setdefault(name, len(indices))

    # The page's script reads the values of a row in this order.
    rows = []
    for record in records:
        result = record.result
        result_kinds = _error_kinds(result)
        rows.append(
            [
                index_of(shortened(record.model, 200), model_indices),
                short(sample_label(record.task, record.epoch), 200),
                index_of(shortened(record.name, 200), category_indices),
                _STATUS.index(_status(result)),
                [index_of(kind, kind_indices) for kind in result_kinds],
                shortened(_reason_in_words(result, result_kinds), 160),
            ]
        )
    return {
        "models": list(model_indices),
        "names": list(category_indices),
        "kinds": list(kind_indices),
        "status": _STATUS,
        "portion": PORTION,
        "items": rows,
    }


def portions(records: Sequence[Record], reader: Reader | None) -> Iterator[str]:
    """Yield the items in packed portions, of which only one is in memory at a time.

    Models that answer alike share the data of an item, because running a plan again takes time.
    """
    items = _Items(reader)
    for start in range(0, len(records), PORTION):
        texts = [items.json_of(record) for record in records[start : start + PORTION]]
        yield _packed_text(f"[{','.join(texts)}]")


class _Items:
    """Computes items as JSON, and caches the last ones as models often answer alike.

    Args:
        reader: Reads the steps of an answer, which takes time; None for none.
    """

    def __init__(self, reader: Reader | None) -> None:
        """Begin with an empty cache of items by task and answer."""
        self._reader = reader
        self._cache: dict[tuple[str, str], tuple[Result, str]] = {}

    def json_of(self, record: Record) -> str:
        """Return the item of a record as the page reads it."""
        key = record.task, record.output
        if key in self._cache:
            result, text = self._cache[key]
            # The same answer may have another result, as one of several samples or in a report
            # that was put together by hand.
            if result == record.result:
                return text
        details = None
        if self._reader is not None:
            details = self._reader(record)
        text = _json(_item_data(record, details))
        if len(self._cache) >= _MAX_CACHED:
            self._cache.clear()
        self._cache[key] = record.result, text
        return text


def packed(data: object) -> str:
    """Return data as compressed JSON in base64, which is safe inside HTML.

    The same data give the same text.
    """
    return _packed_text(_json(data))


def _json(data: object) -> str:
    """Return data as JSON without blanks."""
    return _encode(data)


def _packed_text(text: str) -> str:
    """Return a text compressed and in base64."""
    packer = zlib.compressobj(_ZLIB_LEVEL, zlib.DEFLATED, _GZIP)
    compressed = packer.compress(text.encode("ascii")) + packer.flush()
    return b2a_base64(compressed, newline=False).decode("ascii")


def _status(result: Result) -> str:
    """Return the status of an item, one of ``_STATUS``."""
    if result.status in ("missing", "excluded"):
        return result.status
    if result.success:
        return "solved"
    return "failed"


def _error_kinds(result: Result) -> Sequence[str]:
    """Return the kinds of error in words.

    An answer may fail without an error, for example by a goal that it leaves out. Then the result
    says how the answer differs from the annotation.
    """
    if result.status == "excluded":
        return ()
    kinds = list(dict.fromkeys(map(_kind_in_words, result.findings)))
    if kinds or result.success:
        return kinds
    if any(match.fn for match in result.matches):
        kinds.append("left out")
    if any(match.fp for match in result.matches):
        kinds.append("not annotated")
    return kinds or ["goal not reached"]


def _kind_in_words(finding: Finding) -> str:
    """Return the kind of an error in words."""
    return finding.kind.value.replace("_", " ")


def _reason_in_words(result: Result, kinds: Sequence[str]) -> str:
    """Return briefly why an item failed, or how it ended.

    Args:
        result: The result.
        kinds: Its kinds of error.
    """
    if result.status == "missing":
        return "no prediction"
    if result.status == "excluded":
        return next(iter(result.notes), "left out")
    parts = list(kinds)
    unmet = sum(not goal.met for goal in result.goals)
    if unmet and result.tried:
        parts.append(f"{unmet} of {len(result.goals)} goal conditions unmet")
    return ", ".join(parts) or "solved"


def _item_data(record: Record, details: Details | None) -> dict[str, Any]:
    """Return the data of an item in the form that the page's script reads."""
    result = record.result
    behaviours: Sequence[str] = ()
    if details is not None:
        behaviours = details.behaviours
        # The result of the repeated evaluation has the evidence that words are made from.
        result = details.result or result
    if record.ability != PLANS:
        # Only plans are evaluated again for their wording (`with_evidence`). Other records have
        # wording only if this process made them, so the page uses what is stored, to be the same
        # for everybody.
        result = result.without_evidence()
    steps = _steps_with_outcomes(result)
    met, unmet = _goal_notes(result)
    output, is_cut = cut(record.output, _MAX_CHARACTERS)
    data = {
        "steps": steps,
        "findings": [_error_note(finding) for finding in result.findings[:_MAX_NOTES]],
        "unmet": unmet,
        "met": met,
        "formula": _formula_note(result),
        "matches": [[match.kind, match.tp, match.fp, match.fn] for match in result.matches],
        "remarks": [*_remarks(result), *behaviours],
        "output": output,
        "cut": is_cut,
    }
    if details is not None:
        data |= _details_data(details, len(steps))
    return data


def _steps_with_outcomes(result: Result) -> list[list[str]]:
    """Return the first steps of the plan with their outcomes, "" for unreached steps."""
    steps = []
    for step_index, action in enumerate(result.plan[:_MAX_STEPS]):
        outcome = ""
        if step_index < len(result.executed):
            outcome = result.executed[step_index]
        steps.append([_shown(action), outcome])
    return steps


def _goal_notes(result: Result) -> tuple[list[Note], list[Note]]:
    """Return notes on the met and on the unmet goal conditions."""
    met: list[Note] = []
    unmet: list[Note] = []
    if not result.tried:
        return met, unmet
    for goal in result.goals[:_MAX_NOTES]:
        history: list[str] = []
        # Without an executed step there is nothing to say about an unmet condition's past.
        if goal.met or result.executed:
            history += _history_in_words(goal)
        conditions = met if goal.met else unmet
        conditions.append([goal.kind, _shown(goal.text), history])
    return met, unmet


def _formula_note(result: Result) -> Note | None:
    """Return a note on the goal formula with verdict and reason, or None without one."""
    if not result.formula:
        return None
    verdict = {True: "holds", False: "does not hold", None: "was not evaluated"}
    reason = result.formula_reason  # made anew each time that it is asked for
    lines = []
    if reason:
        lines.append(short(reason, 2000))
    return [verdict[result.formula_holds], short(result.formula, 2000), lines]


def _error_note(finding: Finding) -> Note:
    """Return an error: its kind, its message, more about it, and its step."""
    return [
        _kind_in_words(finding),
        short(finding.message, 2000),
        list(_lines_about(finding)),
        finding.step,
    ]


def _details_data(details: Details, steps: int) -> dict[str, Any]:
    """Return the data of an item that are computed by running its answer again.

    Args:
        details: The details.
        steps: Number of steps that are shown.
    """
    truth = []
    for row in details.truth:
        # "0011": false at the start and after the first step, true from then on.
        bits = "".join("1" if value else "0" for value in row.truth)
        truth.append([short(row.text, 300), bits])
    changes = []
    for step in details.steps[:steps]:
        changes.append([_first_atoms(step.added), _first_atoms(step.deleted)])
    repair = None
    if details.repair is not None:
        repair = [_shown(edit) for edit in details.repair]
    return {
        "instruction": short(details.instruction, 2000),
        "changes": changes,
        "positions": details.positions,
        "truth": truth,
        "repair": repair,
    }


def _lines_about(finding: Finding) -> Iterator[str]:
    """Yield lines on an error: its step, its conditions, and the steps that made them false."""
    if finding.step is not None:
        yield f"step {finding.step}: {_shown(finding.action)}".removesuffix(": ")
    for condition in finding.conditions[:_MAX_NOTES]:
        yield f"needs {_shown(condition)}"
    # Position 0 is the start, before any step.
    if finding.held_until == 0:
        yield "last held at the start"
    elif finding.held_until is not None:
        yield f"last held after step {finding.held_until}"
    if finding.destroyed_by is not None:
        yield f"made false by step {finding.destroyed_by}"
    if finding.position is not None:
        yield f"at character {finding.position + 1:,} of the answer"


def _history_in_words(goal: Condition) -> Iterator[str]:
    """Yield since when a goal condition holds, and which step made it false."""
    if goal.since == 0:
        yield "true from the start"
    elif goal.since is not None:
        yield f"true from step {goal.since}"
    elif not goal.met and goal.kind == "action":
        yield "never taken"
    elif not goal.met:
        yield "never held"
    if goal.lost_by is not None:
        yield f"lost by step {goal.lost_by}"


def _remarks(result: Result) -> Iterator[str]:
    """Yield the notes of a result, and a line for each truncated list."""
    for note in result.notes[:_MAX_NOTES]:
        yield short(note)
    for rule in result.rules[:_MAX_NOTES]:
        if not rule.kept:
            yield short(f"rule {rule.name}: {rule.outcome}: {rule.reason}")
    # If a list is cut, the page says so.
    for noun, count, limit in (
        ("steps", len(result.plan), _MAX_STEPS),
        ("findings", len(result.findings), _MAX_NOTES),
        ("goal conditions", len(result.goals), _MAX_NOTES),
        ("remarks", len(result.notes), _MAX_NOTES),
        ("rules", len(result.rules), _MAX_NOTES),
    ):
        if count > limit:
            yield f"the first {limit} of {count:,} {noun} are shown"


def _first_atoms(texts: Sequence[str]) -> list[str]:
    """Return the first atoms, and a line with the number of the others."""
    lines = [_shown(text) for text in texts[:_MAX_CHANGES]]
    omitted_count = len(texts) - len(lines)
    if omitted_count:
        lines.append(f"... and {omitted_count} more")
    return lines
