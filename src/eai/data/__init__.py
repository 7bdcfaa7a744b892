"""Files that come with the package: grammars, domains, tasks."""

import json
from configparser import ConfigParser
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

    An entry is ``key = value``, or a key alone for an empty value. Keys keep their case.
    """
    parser = ConfigParser(
        delimiters=("=",), comment_prefixes=("#",), allow_no_value=True, interpolation=None
    )
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string(text)
    return {
        name: {key: value or "" for key, value in parser.items(name)} for name in parser.sections()
    }


def _file(path: str) -> Path:
    """Return a file of the first folder that has it; of the last one, if none has it."""
    files = [Path(folder, path) for folder in __path__]
    return next(filter(Path.is_file, files), files[-1])


@cache
def read_json(path: str) -> dict[str, Any]:
    """Return the object in a file of JSON that ships (read once); nobody changes it."""
    found: dict[str, Any] = json.loads(read_text(path))
    return found
