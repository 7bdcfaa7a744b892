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
    r"""Return the sections of a text in the notation of configuration files: name to its entries.

    Every command reads such files, and :mod:`configparser`, which takes any dialect of them, would
    take ten times as long. Here an entry is ``key = value``, or a key alone for an empty value. A
    line that is indented goes on with the value, and one that begins with ``#`` is a comment.

    Example:
        >>> sections("[verbs]\nopen = pull\n  push\n# Alone:\nwait\n")
        {'verbs': {'open': 'pull\npush', 'wait': ''}}
    """
    by_name: dict[str, dict[str, str]] = {}
    entries: dict[str, str] = {}
    key = ""
    for line in text.splitlines():
        words = line.strip()
        if not words or words[0] == "#":
            continue
        if line[0].isspace():
            entries[key] += f"\n{words}"
        elif words[0] == "[":
            entries = by_name[words[1:-1]] = {}
        else:
            key, _, value = words.partition("=")
            key = key.rstrip()
            entries[key] = value.lstrip()
    return by_name


def _file(path: str) -> Path:
    """Return a file of the first folder that has it; of the last one, if none has it."""
    files = [Path(folder, path) for folder in __path__]
    return next(filter(Path.is_file, files), files[-1])


@cache
def read_json(path: str) -> dict[str, Any]:
    """Return the object in a file of JSON that ships (read once); nobody changes it."""
    found: dict[str, Any] = json.loads(read_text(path))
    return found
