"""The prompt of the published benchmark, from the user's own checkout; it does not ship.

Its templates say of every line under which conditions it stands (``T1 C1 | text``); the letters
are those of the benchmark's configurations. Lines between ``[--------`` and ``--------]`` are
alternatives, of which the first that fits stands.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from eai.errors import ChecksumError, DataMissingError, InputError, SchemaError
from eai.suites.asgardbench.instances import instances
from eai.suites.shared.data import cache_folder, keep

_MAIN = "main_prompt.prompt"
_INCLUDED = re.compile(r"\{include:([\w.]+)\}")
_BOUNDARY = "<<CACHE_BOUNDARY>>"
_FETCH = "eai data fetch asgardbench --from CHECKOUT"


def _file() -> Path:
    return cache_folder() / "asgardbench" / "prompts.json"


def _digest(files: Mapping[str, str]) -> str:
    return hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()


def store(folder: Path) -> int:
    """Keep the templates of a checkout, with their SHA-256; return how many tasks they are for."""
    main = next(iter(sorted(folder.rglob(_MAIN))), None)
    if main is None:
        raise InputError(
            f"there is no {_MAIN} in it",
            where=str(folder),
            expected="a checkout of AsgardBench, with AsgardBench/Data/prompts",
        )
    files = {each.name: each.read_text("utf-8") for each in sorted(main.parent.glob("*.prompt"))}
    for name, text in files.items():
        for missing in set(_INCLUDED.findall(text)) - files.keys():
            raise SchemaError(f"{name} includes {missing}, which is not there", where=str(main))
    rendered(files, _MAIN, {})
    keep(_file(), json.dumps({"sha256": _digest(files), "files": files}))
    templates.cache_clear()
    return len(instances())


@cache
def templates() -> tuple[str, Mapping[str, str]]:
    """Return the SHA-256 of the templates that were fetched, and these by name."""
    path = _file()
    if not path.is_file():
        raise DataMissingError(
            "the published prompt is not shipped with eai", where=str(path), mend=_FETCH
        )
    kept = json.loads(path.read_text("utf-8"))
    if _digest(kept["files"]) != kept["sha256"]:
        raise ChecksumError("the published prompt was changed", where=str(path), mend=_FETCH)
    return kept["sha256"], kept["files"]


def rendered(files: Mapping[str, str], name: str, flags: Mapping[str, str]) -> str:
    """Return the lines of a template that stand under some conditions, variables as they are."""
    groups: list[list[tuple[list[str], list[str]]]] = []
    alternatives = False
    for number, line in enumerate(files[name].splitlines(), start=1):
        codes, bar, text = line.rstrip().partition("|")
        text = text.removeprefix(" ").replace("\t", "    ")
        if not line.strip() or line.startswith("##"):
            continue
        if line.startswith(("[---", "---")):
            alternatives = line.startswith("[")
            groups += [[]] if alternatives else []
        elif codes[:1].isspace() and groups and groups[-1]:
            groups[-1][-1][1].append(text if bar else line.rstrip())
        elif bar and codes.strip():
            groups += [] if alternatives else [[]]
            groups[-1].append((codes.split(), [text]))
        else:
            raise SchemaError("the line has no condition", where=f"{name}:{number}")

    def fits(codes: Sequence[str]) -> bool:
        return all(code != "*" and flags.get(code[0], "?") in code[1:] for code in codes)

    lines: list[str] = []
    for group in groups:
        found = next((text for codes, text in group if fits(codes)), None)
        lines += found or next((text for codes, text in group if codes == ["*"]), [])
    return _INCLUDED.sub(lambda of: rendered(files, of[1], flags), "\n".join(lines))


def published_text(values: Mapping[str, str], flags: Mapping[str, str]) -> str:
    """Return the prompt under some conditions, with values for its variables."""
    text = rendered(templates()[1], _MAIN, flags).replace(f"{_BOUNDARY}\n", "")
    return re.sub(r"\{(\w+)\}", lambda name: values.get(name[1], name[0]), text).strip()


def section_of(answer: str, title: str) -> str:
    """Return what stands under a heading of an answer, as the published program finds it."""
    text = answer.partition("<answer>")[2] or answer
    heading = re.search(rf"{title}[:*\s]*\n", text, re.IGNORECASE)
    if heading is None:
        return ""
    ends = re.search("</answer>", text[heading.end() :], re.IGNORECASE)
    section = text[heading.end() :][: ends.start() if ends else None]
    # It ends with the first line break of those signs that stand before the next heading.
    for signs in _SIGNS.finditer(section):
        if "\n" in signs[0] and _NEXT_HEADING.match(section, signs.end()):
            section = section[: section.index("\n", signs.start())]
            break
    return section.strip()


_SIGNS = re.compile(r"\W+")
_NEXT_HEADING = re.compile("action:|things to remember", re.IGNORECASE)
