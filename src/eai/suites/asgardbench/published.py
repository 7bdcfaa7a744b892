"""The prompt of the published benchmark, from the user's own checkout; it is not shipped.

Every line of its templates begins with the conditions under which it is included (``T1 C1 |
text``); the letters are those of the benchmark's configurations. Lines between ``[--------`` and
``--------]`` are alternatives, of which the first whose conditions hold is included.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from eai.errors import ChecksumError, DataMissingError, InputError, SchemaError
from eai.suites.asgardbench.instances import instances
from eai.suites.shared.data import cache_folder, keep

_MAIN = "main_prompt.prompt"
# Another template in the place of "{include:objects.prompt}".
_INCLUDED = re.compile(r"\{include:([\w.]+)\}")
# A mark for the cache of an interface, which agents do not see.
_BOUNDARY = "<<CACHE_BOUNDARY>>"
_FETCH = "eai data fetch asgardbench --from CHECKOUT"


def _file() -> Path:
    """Return the path of the stored templates."""
    return cache_folder() / "asgardbench" / "prompts.json"


def _digest(files: Mapping[str, str]) -> str:
    """Return the SHA-256 of templates."""
    return hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()


def store(folder: Path) -> int:
    """Store the prompt templates of a checkout with their SHA-256; return their number of tasks."""
    main = next(iter(sorted(folder.rglob(_MAIN))), None)
    if main is None:
        raise InputError(
            f"there is no {_MAIN} in it",
            where=str(folder),
            expected="a checkout of AsgardBench, with AsgardBench/Data/prompts",
        )
    files = {file.name: file.read_text("utf-8") for file in sorted(main.parent.glob("*.prompt"))}
    for name, text in files.items():
        for missing in set(_INCLUDED.findall(text)) - files.keys():
            raise SchemaError(f"{name} includes {missing}, which is not there", where=str(main))
    # A template that cannot be read is refused now, not when the first episode begins.
    render_template(files, _MAIN, {})
    keep(_file(), json.dumps({"sha256": _digest(files), "files": files}))
    templates.cache_clear()
    return len(instances())


@cache
def templates() -> tuple[str, Mapping[str, str]]:
    """Return the SHA-256 of the stored templates, and the template texts by name."""
    path = _file()
    if not path.is_file():
        raise DataMissingError(
            "the published prompt is not shipped with eai", where=str(path), mend=_FETCH
        )
    kept = json.loads(path.read_text("utf-8"))
    if _digest(kept["files"]) != kept["sha256"]:
        raise ChecksumError("the published prompt was changed", where=str(path), mend=_FETCH)
    return kept["sha256"], kept["files"]


class _TemplateEntry(NamedTuple):
    """Lines of a template that are included together.

    Args:
        conditions: Conditions, all of which have to hold (``"T1"``); ``"*"`` if no other entry of
            the group is included.
        lines: The lines.
    """

    conditions: list[str]
    lines: list[str]

    def holds(self, flags: Mapping[str, str]) -> bool:
        """Return whether all conditions are met. A condition is a letter and its allowed values."""
        for condition in self.conditions:
            if condition == "*" or flags.get(condition[0], "?") not in condition[1:]:
                return False
        return True


def render_template(files: Mapping[str, str], name: str, flags: Mapping[str, str]) -> str:
    """Return the lines of a template whose conditions are met, with variables left as they are.

    Args:
        files: The templates by name.
        name: Name of the template.
        flags: Letter of the configuration to its value.

    Raises:
        SchemaError: If a line has no condition.
    """
    lines: list[str] = []
    for group in _entries_by_group(files[name], name):
        lines += _chosen_lines(group, flags)
    return _INCLUDED.sub(lambda match: render_template(files, match[1], flags), "\n".join(lines))


def _chosen_lines(group: Sequence[_TemplateEntry], flags: Mapping[str, str]) -> list[str]:
    """Return the lines of the first entry whose conditions are met, or of the default entry."""
    for entry in group:
        if entry.holds(flags):
            return entry.lines
    for entry in group:
        if entry.conditions == ["*"]:
            return entry.lines
    return []


def _entries_by_group(text: str, name: str) -> list[list[_TemplateEntry]]:
    """Return the entries of a template by group. At most one entry of a group is used.

    A line ``CONDITIONS| TEXT`` begins an entry, and a line that begins with a blank continues it.
    Every entry is a group of its own, apart from those between the lines ``[---`` and ``---``,
    which are alternatives in one group. Lines that begin with ``##`` are comments.

    Args:
        text: The template.
        name: Its name, for messages.

    Raises:
        SchemaError: If a line has no condition.
    """
    groups: list[list[_TemplateEntry]] = []
    in_alternatives = False
    for line_number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("##"):
            continue
        if line.startswith("[---"):
            in_alternatives = True
            groups.append([])
        elif line.startswith("---"):
            in_alternatives = False
        elif line[0].isspace() and groups and groups[-1]:
            last_entry = groups[-1][-1]
            last_entry.lines.append(_continuation(line))
        else:
            entry = _first_line_of_entry(line, f"{name}:{line_number}")
            if not in_alternatives:
                groups.append([])
            groups[-1].append(entry)
    return groups


def _first_line_of_entry(line: str, where: str) -> _TemplateEntry:
    """Return the entry that a line ``CONDITIONS| TEXT`` begins.

    Raises:
        SchemaError: If the line has no condition.
    """
    conditions, bar, text = line.rstrip().partition("|")
    if not bar or not conditions.strip():
        raise SchemaError("the line has no condition", where=where)
    return _TemplateEntry(conditions.split(), [_expand_text(text)])


def _continuation(line: str) -> str:
    """Return the text of a line that continues an entry: behind its bar, if it has one."""
    _, bar, text = line.rstrip().partition("|")
    if not bar:
        return line.rstrip()
    return _expand_text(text)


def _expand_text(text: str) -> str:
    """Return the text behind a bar without its first blank, and with tabs as four blanks."""
    return text.removeprefix(" ").replace("\t", "    ")


def published_text(values: Mapping[str, str], flags: Mapping[str, str]) -> str:
    """Return the prompt of a configuration.

    Args:
        values: Name of a variable to its value.
        flags: Letter of the configuration to its value.
    """
    _, files = templates()
    text = render_template(files, _MAIN, flags).replace(f"{_BOUNDARY}\n", "")
    return re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], match[0]), text).strip()


def section_of(answer: str, title: str) -> str:
    """Return the text under a heading of an answer, located as the published program does it."""
    text = answer.partition("<answer>")[2] or answer
    heading = re.search(rf"{title}[:*\s]*\n", text, re.IGNORECASE)
    if heading is None:
        return ""
    section = text[heading.end() :]
    end = re.search("</answer>", section, re.IGNORECASE)
    if end is not None:
        section = section[: end.start()]
    # It ends at the first line break among the signs before the next heading.
    for signs in _SIGNS.finditer(section):
        if "\n" in signs[0] and _NEXT_HEADING.match(section, signs.end()):
            section = section[: section.index("\n", signs.start())]
            break
    return section.strip()


# What may stand between a section and the next heading: line breaks, stars, hashes.
_SIGNS = re.compile(r"\W+")
_NEXT_HEADING = re.compile("action:|things to remember", re.IGNORECASE)
