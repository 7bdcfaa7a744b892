"""Texts with the PDDL that they mean: folders, files of rows, and the database of Planetarium.

- A folder with a domain and problems: a problem each; ``NAME.txt`` beside it is its text.
- A folder with domains only: a domain each, likewise.
- JSON lines, a JSON list or CSV. A row has a text, the problem, and the text or the name of its
  domain; without a problem it is about the domain. The rows of Planetarium name their domain.
- SQLite with the tables ``problems`` and ``domains`` (Planetarium).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from eai.errors import InputError
from eai.files.paths import advice
from eai.pddl import read_file
from eai.pddl.text import definitions_in
from eai.suites.pddl.files import domain_text, sources_of
from eai.suites.translations.rows import SENTENCE_KEYS, read_raw_rows

TEXT_KEYS = ("natural_language", "description", "prompt", *SENTENCE_KEYS)
"""Keys of the text, in the order in which they are looked for."""
PROBLEM_KEYS = ("problem_pddl", "problem", "reference", "pddl_problem")
"""Keys of the problem, likewise."""
DOMAIN_KEYS = ("domain_pddl", "pddl_domain", "domain")
"""Keys of the domain, or of its name, likewise."""

EXPECTED = (
    "a folder with domain.pddl and problems, a folder of domains, a .jsonl, .json or .csv file of "
    "rows with a text (natural_language, text, ...), problem_pddl and domain_pddl, or a database "
    "of Planetarium"
)


@dataclass(frozen=True)
class PddlRow:
    """A text together with the problem or domain that it describes.

    Args:
        id: Identifier.
        text: The text; empty if there is none.
        domain: The domain in PDDL.
        problem: The problem in PDDL; empty if the domain is what is asked for.
        where: Its place, for messages.
        is_joint: Whether one renaming has to make initial states and goals equal.
    """

    id: str
    text: str
    domain: str
    problem: str
    where: str
    is_joint: bool = True


def read_pddl_rows(path: Path) -> dict[str, PddlRow]:
    """Return the rows of a folder or file by their identifiers.

    Raises:
        InputError: If there is nothing of the kind, or a row has no text of its domain.
    """
    if path.is_dir():
        rows = list(_rows_of_folder(path))
    elif path.suffix.lower() in (".db", ".sqlite", ".sqlite3"):
        rows = list(_rows_of_database(path))
    else:
        rows = []
        for number, (where, raw) in enumerate(read_raw_rows(path, EXPECTED), start=1):
            rows.append(_row(raw, str(number), where, path.parent))
    if not rows:
        raise InputError("there is no reference here", where=str(path), expected=EXPECTED)
    by_id = {row.id: row for row in rows}
    if len(by_id) < len(rows):
        raise InputError("two rows have the same id", where=str(path), expected="an id for each")
    return by_id


def _rows_of_folder(folder: Path) -> Iterator[PddlRow]:
    """Yield the problems of a folder, or its domains if it has no problems."""
    kinds_by_file: dict[Path, set[str]] = {}
    for file in sorted(folder.glob("*.pddl")):
        kinds_by_file[file] = {definition.kind for definition in definitions_in(read_file(file))}
    has_only_domains = all(kinds == {"domain"} for kinds in kinds_by_file.values())
    if kinds_by_file and has_only_domains:
        for file in kinds_by_file:
            yield PddlRow(file.stem, _text_beside(file), read_file(file), "", str(file))
        return
    for name, source in sources_of(folder).items():
        text = str(source.extra.get("instruction", ""))
        if isinstance(source.problem, Path):
            text = text or _text_beside(source.problem)
        yield PddlRow(name, text, domain_text(source), source.text, source.where)


def _text_beside(file: Path) -> str:
    beside = file.with_suffix(".txt")
    return read_file(beside, expected="a text").strip() if beside.is_file() else ""


def _rows_of_database(path: Path) -> Iterator[PddlRow]:
    """Yield the problems in a database of Planetarium."""
    if not path.is_file():
        raise InputError(
            "there is no such file", where=str(path), expected=EXPECTED, mend=advice(path)
        )
    query = (
        "SELECT problems.id, natural_language, domain_pddl, problem_pddl, is_placeholder"
        " FROM problems JOIN domains ON problems.domain = domains.name ORDER BY problems.id"
    )
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            rows = database.execute(query).fetchall()
    except sqlite3.Error as error:
        raise InputError(
            f"this is no database of Planetarium: {error}", where=str(path), expected=EXPECTED
        ) from None
    for number, text, domain, problem, is_placeholder in rows:
        where = f"{path}: problem {number}"
        # With placeholders, initial state and goal may be renamed apart, as in Planetarium.
        yield PddlRow(str(number), text, domain, problem, where, not is_placeholder)


def _row(raw: Mapping[str, object], number: str, where: str, folder: Path) -> PddlRow:
    """Return the row that a mapping describes.

    Args:
        raw: The mapping.
        number: Its position in the file; the identifier of a row that names none.
        where: Its place, for messages.
        folder: Folder of the files that it may name.

    Raises:
        InputError: If the text of its domain is nowhere.
    """
    # csv.DictReader keeps cells beyond the headings under None.
    fields = {key.strip().lower(): value for key, value in raw.items() if isinstance(key, str)}
    domain = _first(fields, DOMAIN_KEYS)
    if "(" not in domain:  # the name of a domain, not its text
        domain = _named_domain(domain, where, folder)
    identifier = fields.get("id", fields.get("index", number))
    # Tables spell a truth value as a number or a word.
    placeholder = str(fields.get("is_placeholder", "")).strip().lower()
    return PddlRow(
        str(identifier).strip(),
        _first(fields, TEXT_KEYS),
        domain,
        _first(fields, PROBLEM_KEYS),
        where,
        placeholder not in ("1", "1.0", "true"),
    )


def _named_domain(name: str, where: str, folder: Path) -> str:
    """Return the text of a named domain, in the folder or in its subfolder ``domains``."""
    stem = name or "domain"
    files = [folder / f"{stem}.pddl", folder / "domains" / f"{stem}.pddl"]
    for file in files:
        if file.is_file():
            return read_file(file)
    raise InputError(
        f"the domain {name!r} is not here" if name else "the row names no domain",
        where=where,
        expected=f"its PDDL in the row (domain_pddl), or the file {files[0]}",
    )


def _first(row: Mapping[str, object], keys: Iterable[str]) -> str:
    """Return the first value under some keys that is a text."""
    for key in keys:
        value = row.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""
