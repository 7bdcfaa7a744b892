"""Files of sentences with their formulas, as their producers write them.

- JSON lines, or a JSON list, of objects; tokens in a list (NL2TL) are joined by spaces.
- CSV with a header (Lang2LTL, the results of nl2spec).
- Text with one ``sentence;formula`` a line (the data set of nl2spec).
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from eai.errors import InputError
from eai.files.paths import advice
from eai.nesting import load_json

SENTENCE_KEYS = (
    "logic_sentence",
    "text",
    "nl",
    "sentence",
    "instruction",
    "utterance",
    "utterances",
    "nl_command",
    "natural_language",
    "question",
    "input",
)
"""Keys of the sentence, in the order in which they are looked for; letter case does not matter."""
FORMULA_KEYS = ("logic_ltl", "formula", "ltl", "ltl_formula", "true_ltl", "label", "target")
"""Keys of the formula, likewise."""

_EXPECTED = (
    "a .jsonl, .json or .csv file of rows with a sentence "
    f"({', '.join(SENTENCE_KEYS[1:4])}, ...) and a formula ({', '.join(FORMULA_KEYS[1:3])}, ...), "
    "or a .txt file of lines 'sentence;formula'"
)


@dataclass(frozen=True)
class Row:
    """A sentence with the formula that it means.

    Args:
        id: Identifier: the row's own if all rows have different ones, else its number.
        sentence: The sentence.
        formula: The formula as it is written.
        where: Its place: the file with its line, or the number of the row.
        atoms: Names that answers may use, with the name of the reference for each.
    """

    id: str
    sentence: str
    formula: str
    where: str
    atoms: Mapping[str, str] = field(default_factory=dict)


def read_rows(path: Path) -> dict[str, Row]:
    """Return the rows of a file by identifier, in file order.

    Raises:
        InputError: If there is no such file, or a row has no sentence or no formula.
    """
    raw_rows = read_raw_rows(path, _EXPECTED)
    rows = [_row(number, raw, where) for number, (where, raw) in enumerate(raw_rows, 1)]
    if not rows:
        raise InputError("there is no row in the file", where=str(path), expected=_EXPECTED)
    id_counts = Counter(row.id for row in rows)
    has_unique_ids = max(id_counts.values()) == 1 and "" not in id_counts
    if not has_unique_ids:
        # A file that was merged from several files repeats ids, so rows are counted instead.
        rows = [_with_place(number, row) for number, row in enumerate(rows, 1)]
    return {row.id: row for row in rows}


def read_raw_rows(path: Path, expected: str) -> _Raw:
    """Return the rows of a file as mappings, each with its place.

    Args:
        path: The file.
        expected: Description of a right file, for messages.

    Raises:
        InputError: If there is no such file, or it is of no kind that is read.
    """
    if not path.is_file():
        raise InputError(
            "there is no such file", where=str(path), expected=expected, mend=advice(path)
        )
    # Spreadsheets begin a file with a byte order mark, which "utf-8-sig" leaves out.
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    readers = {".jsonl": _json_lines, ".json": _json_list, ".csv": _csv_rows, ".txt": _text_lines}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise InputError(
            f"files of the kind {path.suffix!r} are not read", where=str(path), expected=expected
        )
    return reader(path, text)


def _with_place(number: int, row: Row) -> Row:
    """Return a row with its number in the file as its identifier."""
    return Row(str(number), row.sentence, row.formula, row.where, row.atoms)


_Raw = Iterator[tuple[str, Mapping[str, object]]]
"""Places, with the row there."""


def _json_lines(path: Path, text: str) -> _Raw:
    """Yield the rows of a file with one JSON object a line, with their places."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            where = f"{path}:{number}"
            yield where, _checked_object(_json_value(line, where), where)


def _json_list(path: Path, text: str) -> _Raw:
    """Yield the rows of a file that is one JSON list, with their places."""
    values = _json_value(text, str(path))
    if not isinstance(values, list):
        raise InputError("the file holds no list", where=str(path), expected=_EXPECTED)
    for number, value in enumerate(values, start=1):
        where = f"{path}: row {number}"
        yield where, _checked_object(value, where)


def _json_value(text: str, where: str) -> object:
    """Return the value of a JSON text, or raise an error."""
    try:
        return load_json(text)
    except ValueError as error:
        raise InputError(f"this is no JSON: {error}", where=where, expected=_EXPECTED) from None


def _checked_object(value: object, where: str) -> Mapping[str, object]:
    """Return a JSON value that is an object, or raise an error."""
    if not isinstance(value, dict):
        raise InputError("the row is no object", where=where, expected=_EXPECTED)
    return value


def _csv_rows(path: Path, text: str) -> _Raw:
    """Yield the rows of a CSV file by the names of their columns, with their places."""
    reader = csv.DictReader(text.splitlines(keepends=True))
    for row in reader:
        # A quoted sentence may span lines: this is the line that the row ends in.
        yield f"{path}:{reader.line_num}", {key or "": value for key, value in row.items()}


def _text_lines(path: Path, text: str) -> _Raw:
    """Yield the lines of a text file, each ``sentence;formula``, as rows with their places."""
    for number, line in enumerate(text.splitlines(), start=1):
        # A sentence may have semicolons, a formula has none.
        sentence, mark, formula = line.rpartition(";")
        if mark:
            yield f"{path}:{number}", {"sentence": sentence, "ltl": formula}
        elif line.strip():
            raise InputError(
                "the line has no ';'", where=f"{path}:{number}", expected="sentence;formula"
            )


def _row(number: int, raw: Mapping[str, object], where: str) -> Row:
    """Return the row in a mapping.

    Args:
        number: Its position in the file, from 1; the identifier of a row that names none.
        raw: The mapping; its keys may be in capitals.
        where: Its place, for messages.

    Raises:
        InputError: If the sentence or the formula is missing, or the atoms are no mapping.
    """
    fields: dict[str, object] = {}
    for key, value in raw.items():
        if isinstance(key, str):
            fields[key.strip().lower()] = value
    sentence = _text(fields, SENTENCE_KEYS)
    formula = _text(fields, FORMULA_KEYS)
    if not sentence or not formula:
        missing = "formula" if sentence else "sentence"
        keys = ", ".join(map(str, raw)) or "none"
        raise InputError(
            f"the row has no {missing}; its keys: {keys}", where=where, expected=_EXPECTED
        )
    identifier = _identifier(fields, number)
    return Row(identifier, sentence, formula, where, _atom_names(fields, where))


def _atom_names(fields: Mapping[str, object], where: str) -> dict[str, str]:
    """Return the name of each atom in answers with its name in the formula.

    Raises:
        InputError: If the field has no mapping.
    """
    atoms = fields.get("atoms")
    if atoms is None:
        return {}
    if not isinstance(atoms, Mapping):
        raise InputError(
            "'atoms' is no object", where=where, expected="name in answers: name in the formula"
        )
    return {str(in_answers): str(in_formula) for in_answers, in_formula in atoms.items()}


def _identifier(fields: Mapping[str, object], number: int) -> str:
    """Return the identifier of a row, by default its number."""
    for key in ("id", "index", ""):  # tables are often written with an index without a heading
        if fields.get(key) is not None:
            return str(fields[key]).strip()
    return str(number)


def _text(row: Mapping[str, object], keys: Iterable[str]) -> str:
    """Return the first non-empty value under some keys as text."""
    for key in keys:
        value = row.get(key)
        if isinstance(value, Sequence) and not isinstance(value, str):
            # NL2TL has tokens: ["globally", "prop_1"] -> "globally prop_1"
            value = " ".join(map(str, value))
        if isinstance(value, str) and value.strip():
            return " ".join(value.split())
    return ""
