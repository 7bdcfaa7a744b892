"""Instructions, which do not ship: read from the user's checkout, joined by their SHA-256."""

from __future__ import annotations

import hashlib
import io
import json
import pickle
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from eai.errors import InputError
from eai.nesting import load_json
from eai.suites.shared.data import cache_folder, keep

_ARRAYS = {("numpy", "ndarray"), ("numpy", "dtype")}
for _core in ("numpy.core.multiarray", "numpy._core.multiarray"):
    _ARRAYS |= {(_core, "_reconstruct"), (_core, "scalar")}
_TASKS = ("alfred", "habitat", "navigation")
# How a file begins that only points to its data in the store of git-lfs.
_POINTER = b"version https://git-lfs"
_MAX_BYTES = 1 << 28


def _file() -> Path:
    return cache_folder() / "embodiedbench" / "instructions.json"


def _wanted_digests() -> list[str]:
    """Return the SHA-256 of each task's instruction, repeated for tasks that share one."""
    digests: list[str] = []
    for name in _TASKS:
        records = import_module(f"{__package__}.{name}").records()
        digests += [record.sha256 for record in records.values()]
    return digests


@cache
def instructions() -> Mapping[str, str]:
    """Return the fetched instructions by SHA-256, or none if they were not fetched."""
    path = _file()
    if not path.is_file():
        return {}
    stored: Mapping[str, str] = json.loads(path.read_text("utf-8"))
    return stored


def store(folder: Path) -> int:
    """Keep the instructions of a checkout that belong to tasks; return the number of tasks."""
    wanted_digests = _wanted_digests()
    texts, pointers = _texts_in(folder)
    kept_texts = {digest: texts[digest] for digest in wanted_digests if digest in texts}
    if pointers and len(set(wanted_digests)) > len(kept_texts):
        raise InputError(
            "this is a pointer of git-lfs, not the data",
            where=pointers[0],
            expected="the file itself",
            mend="git lfs pull, in the checkout",
        )
    if not kept_texts:
        raise InputError("no instruction of a task is in it", where=str(folder))
    keep(_file(), json.dumps(kept_texts))
    instructions.cache_clear()
    # Tasks share instructions, so there are more tasks than texts.
    return sum(digest in kept_texts for digest in wanted_digests)


def _texts_in(folder: Path) -> tuple[dict[str, str], list[str]]:
    """Return the instructions in a folder by SHA-256, and files that are only LFS pointers."""
    texts: dict[str, str] = {}
    pointers: list[str] = []
    for path in sorted(folder.rglob("*")):
        if path.suffix not in (".json", ".pickle", ".pkl") or not path.is_file():
            continue
        with path.open("rb") as stream:
            # A file that is cut off cannot be read as a whole, and is left out below.
            content = stream.read(_MAX_BYTES)
        if content.startswith(_POINTER):
            pointers.append(str(path))
            continue
        for text in _texts(_value(path, content)):
            # The digest says which task a text is of, whatever its file is called.
            texts[hashlib.sha256(text.encode()).hexdigest()] = text
    return texts, pointers


def _value(path: Path, content: bytes) -> object:
    """Return the value in a JSON or pickle file, or None if it cannot be read."""
    try:
        if path.suffix == ".json":
            return load_json(content)
        return _Arrays(io.BytesIO(content)).load()
    except (ValueError, pickle.UnpicklingError, EOFError, AttributeError):
        return None


class _Arrays(pickle.Unpickler):
    """Unpickles plain values and arrays, and refuses to import anything else."""

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401
        """Return a class of plain arrays.

        Raises:
            InputError: For any other class: to import it could run code of a stranger.
        """
        if (module, name) not in _ARRAYS:
            raise InputError(
                f"the pickle wants {module}.{name}, which is refused",
                expected="plain values and numpy arrays",
            )
        return super().find_class(module, name)


def _texts(value: Any) -> Iterator[str]:  # noqa: ANN401
    """Yield the values of all keys named ``instruction``, at any depth."""
    if isinstance(value, Mapping):
        text = value.get("instruction")
        if isinstance(text, str):
            yield text
        # An object may have more instructions inside, such as those of its subgoals.
        value = value.values()
    elif not isinstance(value, (list, tuple)):
        return
    for entry in value:
        yield from _texts(entry)
