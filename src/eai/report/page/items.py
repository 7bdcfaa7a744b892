"""Items as data for the page: an index that is small, and the items in packed portions.

Everything is short and printable, so that no answer can blow up the page or steer it.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from eai.contract import PLANS
from eai.diagnosis import Condition, Finding, Result
from eai.report.record import Record
from eai.text import cut, sample_label, short

if TYPE_CHECKING:
    from eai.report.page.details import Details, Reader

PORTION = 50
"""So many items are packed together; the page unpacks them when one of them is opened."""

_LEVEL = 3
"""How hard it is tried to pack: the most would take five times as long for three tenths less."""

_GZIP = 16 + zlib.MAX_WBITS
"""The format, as :mod:`zlib` calls it; its header has no time, so equal data are equal bytes."""

_STATUS = ("solved", "failed", "missing", "excluded")

_MOST_STEPS = 200
_MOST_NOTES = 50
_MOST_CHARACTERS = 4096
_MOST_CHANGES = 40
_KEPT = 1_000
"""So many items are kept, in case that another model answers alike."""

Note = list[Any]
"""What it is, in a word or two; one sentence or condition; more about it, one line each."""


def index(records: Sequence[Record]) -> dict[str, Any]:
    """Return what the list of items needs: one short row each.

    Returns:
        ``models``, ``names`` (categories of tasks) and ``kinds`` (of errors), each listed once,
        ``status``, and ``items``: rows of a model's number, task, number of the category, number
        of the status, numbers of the kinds, and the reason in words.
    """
    models: dict[str, int] = {}
    names: dict[str, int] = {}
    kinds: dict[str, int] = {}

    def number(known: dict[str, int], name: str) -> int:
        return known.setdefault(name, len(known))

    rows = [
        [
            number(models, short(record.model, 200)),
            short(sample_label(record.task, record.epoch), 200),
            number(names, short(record.name, 200)),
            _STATUS.index(_status(record.result)),
            [number(kinds, kind) for kind in _kinds(record.result)],
            short(_reason(record.result), 160),
        ]
        for record in records
    ]
    return {
        "models": list(models),
        "names": list(names),
        "kinds": list(kinds),
        "status": _STATUS,
        "portion": PORTION,
        "items": rows,
    }


def portions(records: Sequence[Record], reader: Reader | None) -> Iterator[str]:
    """Yield the items in portions, each packed; no more than one portion is held in memory.

    What is shown of models that answer alike is made once.
    """
    known: dict[tuple[str, str], tuple[Result, dict[str, Any]]] = {}
    for start in range(0, len(records), PORTION):
        portion = []
        for record in records[start : start + PORTION]:
            key = record.task, record.output
            if key not in known or known[key][0] != record.result:
                if len(known) >= _KEPT:
                    known.clear()
                known[key] = record.result, _item(record, reader(record) if reader else None)
            portion.append(known[key][1])
        yield packed(portion)


def packed(data: object) -> str:
    """Return data as JSON, compressed, in letters that mean nothing in HTML.

    The same data give the same text.
    """
    text = json.dumps(data, separators=(",", ":"))
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    whole = packer.compress(text.encode("ascii")) + packer.flush()
    return base64.b64encode(whole).decode("ascii")


def _status(result: Result) -> str:
    if result.status in ("missing", "excluded"):
        return result.status
    return "solved" if result.success else "failed"


def _kinds(result: Result) -> Iterable[str]:
    """The kinds of error; without any, what keeps a failed answer from being right."""
    found = dict.fromkeys(finding.kind.value.replace("_", " ") for finding in result.findings)
    if result.status == "excluded":
        return ()
    if found or result.success:
        return found
    wrong = any(match.fp for match in result.matches)
    absent = any(match.fn for match in result.matches)
    return ["left out"] * absent + ["not annotated"] * wrong or ["goal not reached"]


def _reason(result: Result) -> str:
    """Say in a few words why an item failed, or else how it ended."""
    if result.status == "missing":
        return "no prediction"
    if result.status == "excluded":
        return next(iter(result.notes), "left out")
    parts = list(_kinds(result))
    unmet = sum([not goal.met for goal in result.goals])
    if unmet and result.tried:
        parts.append(f"{unmet} of {len(result.goals)} goal conditions unmet")
    return ", ".join(parts) or "solved"


def _item(record: Record, details: Details | None) -> dict[str, Any]:
    result = (details and details.result) or record.result
    if record.ability != PLANS:
        # Only plans are evaluated again for their words (`with_evidence`). Of other answers only
        # records that were made in this process have words: the page says what is stored, so that
        # it is the same whoever evaluated.
        result = result.without_evidence()
    goals = result.goals[:_MOST_NOTES] if result.tried else ()
    steps = [
        [short(text), result.executed[number] if number < len(result.executed) else ""]
        for number, text in enumerate(result.plan[:_MOST_STEPS])
    ]
    output, output_cut = cut(record.output, _MOST_CHARACTERS)
    unmet = [
        [goal.kind, short(goal.text), list(_history(goal)) if result.executed else []]
        for goal in goals
        if not goal.met
    ]
    met = [[goal.kind, short(goal.text), list(_history(goal))] for goal in goals if goal.met]
    formula: Note | None = None
    if result.formula:
        verdict = {True: "holds", False: "does not hold", None: "was not evaluated"}
        reason = result.formula_reason  # made each time that it is asked for
        lines = [short(reason, 2000)] if reason else []
        formula = [verdict[result.formula_holds], short(result.formula, 2000), lines]
    data = {
        "steps": steps,
        "findings": [
            [
                finding.kind.value.replace("_", " "),
                short(finding.message, 2000),
                list(_more(finding)),
                finding.step,
            ]
            for finding in result.findings[:_MOST_NOTES]
        ],
        "unmet": unmet,
        "met": met,
        "formula": formula,
        "matches": [[m.kind, m.tp, m.fp, m.fn] for m in result.matches],
        "remarks": [*_remarks(result), *(() if details is None else details.behaviours)],
        "output": output,
        "cut": output_cut,
    }
    if details is None:
        return data
    return data | {
        "instruction": short(details.instruction, 2000),
        "changes": [
            [_atoms(step.added), _atoms(step.deleted)] for step in details.steps[: len(steps)]
        ],
        "positions": details.positions,
        "truth": [
            [short(row.text, 300), "".join("01"[value] for value in row.truth)]
            for row in details.truth
        ],
        "repair": None if details.repair is None else [short(edit) for edit in details.repair],
    }


def _more(finding: Finding) -> Iterator[str]:
    if finding.step is not None:
        yield f"step {finding.step}: {short(finding.action)}".removesuffix(": ")
    for condition in finding.conditions[:_MOST_NOTES]:
        yield f"needs {short(condition)}"
    if finding.held_until is not None:
        step = finding.held_until
        yield f"last held {f'after step {step}' if step else 'at the start'}"
    if finding.destroyed_by is not None:
        yield f"made false by step {finding.destroyed_by}"
    if finding.position is not None:
        yield f"at character {finding.position + 1:,} of the answer"


def _history(goal: Condition) -> Iterator[str]:
    if goal.since is not None:
        yield f"true from step {goal.since}" if goal.since else "true from the start"
    elif not goal.met:
        yield "never taken" if goal.kind == "action" else "never held"
    if goal.lost_by is not None:
        yield f"lost by step {goal.lost_by}"


def _remarks(result: Result) -> Iterator[str]:
    yield from (short(note) for note in result.notes[:_MOST_NOTES])
    for rule in result.rules[:_MOST_NOTES]:
        if not rule.kept:
            yield short(f"rule {rule.name}: {rule.outcome}: {rule.reason}")
    for what, number, most in (
        ("steps", len(result.plan), _MOST_STEPS),
        ("findings", len(result.findings), _MOST_NOTES),
        ("goal conditions", len(result.goals), _MOST_NOTES),
        ("remarks", len(result.notes), _MOST_NOTES),
        ("rules", len(result.rules), _MOST_NOTES),
    ):
        if number > most:
            yield f"the first {most} of {number:,} {what} are shown"


def _atoms(texts: Sequence[str]) -> list[str]:
    listed = [short(text) for text in texts[:_MOST_CHANGES]]
    more = len(texts) - len(listed)
    return [*listed, f"... and {more} more"] if more else listed
