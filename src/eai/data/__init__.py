"""Files that come with the package: grammars, domains, tasks."""

import json
from functools import cache
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
if not (_HERE / "domains").is_dir():  # in a checkout they are its own, whichever is installed
    __path__.append(str(_HERE.parents[2]))


def read_text(path: str) -> str:
    """Return a text that ships (``"tasks/longact/goals.json"``); ``.gz`` is unpacked."""
    content = _file(path).read_bytes()
    if path.endswith(".gz"):
        import gzip  # few files are packed

        content = gzip.decompress(content)
    return content.decode("utf-8")


def sections(text: str) -> dict[str, dict[str, str]]:
    """Return the sections of a text in the notation of configuration files: name to its entries.

    An entry is ``key = value``, or a key alone for an empty value, and goes on in indented lines.
    Keys keep their case. ``configparser`` gives the same for the files that ship, but takes six
    times as long and has to be loaded: 2 % of the evaluation of a few hundred answers.
    """
    entries: dict[str, str] = {}
    found: dict[str, dict[str, str]] = {}
    key = ""
    for line in text.splitlines():
        content = line.strip()
        if not content or content.startswith("#"):
            continue
        if line[0].isspace():
            entries[key] += f"\n{content}"
        elif line[0] == "[":
            entries = found.setdefault(content[1:-1], {})
        else:
            key, _, value = map(str.strip, line.partition("="))
            entries[key] = value
    return found


def _file(path: str) -> Path:
    """Return a file of the first folder that has it; of the last one, if none has it."""
    files = [Path(folder, path) for folder in __path__]
    return next(filter(Path.is_file, files), files[-1])


@cache
def read_json(path: str) -> dict[str, Any]:
    """Return the object in a file of JSON that ships (read once); nobody changes it."""
    found: dict[str, Any] = json.loads(read_text(path))
    return found
