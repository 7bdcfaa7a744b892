"""Items as data for the page: an index that is small, and the items in packed portions."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from eai.diagnosis.judgement import Judgement
from eai.report.page.details import Details, Reader
from eai.report.page.item import Item, Note, item, reason
from eai.report.printable import short
from eai.report.record import Record

__all__ = ["PORTION", "index", "packed", "portions"]

PORTION = 50
"""So many items are packed together; the page unpacks them when one of them is opened."""

_LEVEL = 3
"""How hard it is tried to pack: the most would take five times as long for three tenths less."""

_GZIP = 16 + zlib.MAX_WBITS
"""The format, as :mod:`zlib` calls it; its header has no time, so equal data are equal bytes."""

_STATUS = ("solved", "failed", "missing", "excluded")
_MOST_CHANGES = 40


def index(records: Sequence[Record]) -> dict[str, Any]:
    """Return what the list of items needs: one short row each.

    Args:
        records: The records, in the order of the report.

    Returns:
        ``models``, ``names`` (categories of tasks) and ``kinds`` (of errors), each listed once,
        ``status``, and ``items``: rows of a model's number, task, number of the category, number
        of the status, numbers of the kinds, and the reason in words.
    """
    models: dict[str, int] = {}
    names: dict[str, int] = {}
    kinds: dict[str, int] = {}
    rows = [
        [
            _number(models, short(record.model, 200)),
            short(record.task, 200),
            _number(names, short(record.name, 200)),
            _STATUS.index(_status(record.judgement)),
            [_number(kinds, kind) for kind in _kinds(record.judgement)],
            short(reason(record.judgement), 160),
        ]
        for record in records
    ]
    return {
        "models": list(models),
        "names": list(names),
        "kinds": [kind.replace("_", " ") for kind in kinds],
        "status": _STATUS,
        "portion": PORTION,
        "items": rows,
    }


def portions(records: Sequence[Record], reader: Reader | None) -> Iterator[str]:
    """Yield the items in portions, each packed.

    Args:
        records: The records, in the order of the index.
        reader: Finds what is told beyond a record.
    """
    for start in range(0, len(records), PORTION):
        part = records[start : start + PORTION]
        yield packed([_item(record, reader(record) if reader else None) for record in part])


def packed(data: object) -> str:
    """Return data as JSON, compressed, in letters that mean nothing in HTML.

    The same data give the same text.
    """
    text = json.dumps(data, separators=(",", ":"))
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    whole = packer.compress(text.encode("ascii")) + packer.flush()
    return base64.b64encode(whole).decode("ascii")


def _number(known: dict[str, int], name: str) -> int:
    return known.setdefault(name, len(known))


def _status(judgement: Judgement) -> str:
    if judgement.status in ("missing", "excluded"):
        return judgement.status
    return "solved" if judgement.success else "failed"


def _kinds(judgement: Judgement) -> Iterable[str]:
    return dict.fromkeys(finding.kind.value for finding in judgement.findings)


def _item(record: Record, details: Details | None) -> dict[str, Any]:
    shown = item(record)
    data = {
        "steps": [[step.text, step.fate] for step in shown.steps],
        "findings": [
            [*_note(note), finding.step]
            for note, finding in zip(shown.findings, record.judgement.findings, strict=False)
        ],
        "unmet": [_note(note) for note in shown.unmet],
        "met": [_note(note) for note in shown.met],
        "formula": shown.formula and _note(shown.formula),
        "matches": [[m.kind, m.tp, m.fp, m.fn] for m in record.judgement.matches],
        "remarks": shown.remarks,
        "output": shown.output,
        "cut": shown.cut,
    }
    return data if details is None else data | _told(details, shown)


def _told(details: Details, shown: Item) -> dict[str, Any]:
    steps = len(shown.steps)
    return {
        "instruction": short(details.instruction, 2000),
        "moments": [
            [_changes(moment.added), _changes(moment.deleted)] for moment in details.moments[:steps]
        ],
        "positions": details.positions,
        "truth": [
            [short(row.text, 300), row.depth, "".join("01"[value] for value in row.truth)]
            for row in details.truth
        ],
        "repair": None if details.repair is None else [short(edit) for edit in details.repair],
    }


def _changes(texts: Sequence[str]) -> list[str]:
    shown = [short(text) for text in texts[:_MOST_CHANGES]]
    more = len(texts) - len(shown)
    return [*shown, f"... and {more} more"] if more else shown


def _note(note: Note) -> list[Any]:
    return [note.label, note.text, list(note.details)]
