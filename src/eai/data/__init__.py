"""Files that come with the package: grammars, domains, tasks."""

import gzip
import json
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
if not (_HERE / "domains").is_dir():  # in a checkout they are its own, whichever is installed
    __path__.append(str(_HERE.parents[2]))


def read_text(path: str) -> str:
    """Return a text that ships (``"tasks/longact/goals.json"``); ``.gz`` is unpacked."""
    folder, _, name = path.rpartition("/")
    content = resources.files(f"eai.data.{folder.replace('/', '.')}").joinpath(name).read_bytes()
    return (gzip.decompress(content) if name.endswith(".gz") else content).decode("utf-8")


@cache
def read_json(path: str) -> dict[str, Any]:
    """Return the object in a file of JSON that ships (read once); nobody changes it."""
    found: dict[str, Any] = json.loads(read_text(path))
    return found
