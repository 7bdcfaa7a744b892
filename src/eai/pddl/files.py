"""PDDL files: their text, and everything that is wrong with several that belong together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Union

from eai.errors import InputError
from eai.paths import advice
from eai.pddl.answers import read_actions
from eai.pddl.issues import Issue
from eai.pddl.model import Domain
from eai.pddl.readers import find_kind, read_domain, read_problem

__all__ = ["check_files", "read_file"]

_Path = Union[str, Path]


def read_file(path: _Path) -> str:
    """Return the text of a file (UTF-8, with or without a byte order mark).

    Raises:
        InputError: The file cannot be read.
    """
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte {error.start} is not UTF-8 text", where=str(path), expected="a PDDL file"
        ) from error
    except OSError as error:
        folder = Path(path).is_dir()
        raise InputError(
            f"the file cannot be read: {error.strerror}",
            where=str(path),
            expected="a PDDL file",
            mend=f"name the files in it: {Path(path) / '*.pddl'}" if folder else advice(path),
        ) from error


def check_files(paths: Iterable[_Path]) -> dict[str, list[Issue]]:
    """Find everything that is wrong or doubtful in domains, problems and lists of actions.

    Args:
        paths: Files, in any order. Problems are checked against the domain that they name; if
            there is one domain only, against that one, and lists of actions, too.

    Returns:
        The issues of each file, in the order of its text.

    Raises:
        InputError: A file cannot be read.
    """
    texts = {str(path): read_file(path) for path in paths}
    kinds = {path: find_kind(text) for path, text in texts.items()}
    found: dict[str, list[Issue]] = {path: [] for path in texts}
    domains: dict[str, Domain] = {}
    for path, text in texts.items():
        if kinds[path] == "domain":
            domain, found[path] = read_domain(text, source=path)
            domains.setdefault(domain.name, domain)
    for path, text in texts.items():
        if kinds[path] != "domain":
            found[path] = _check(text, path, domains, problem=kinds[path] == "problem")
    return found


def _check(text: str, path: str, domains: Mapping[str, Domain], *, problem: bool) -> list[Issue]:
    domain = next(iter(domains.values())) if len(domains) == 1 else None
    if problem:
        if domain is None:
            domain = domains.get(read_problem(text)[0].domain)
        return read_problem(text, domain=domain, source=path)[1]
    operators, outside = read_actions(text, domain=domain, source=path)
    if not operators:
        return read_domain(text, source=path)[1]
    return [*outside, *(issue for read in operators for issue in read.issues)]
