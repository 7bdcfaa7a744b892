"""Reading files of a release straight from its wheel: nothing is unpacked, imported or run."""

from __future__ import annotations

import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eai.errors import DataError, InputError
from eai.nesting import load_json
from eai.suites.shared.data import EAI_EVAL, located

if TYPE_CHECKING:
    from typing_extensions import Self

    from eai.suites.shared.store import SharedData, StoredTask

_UNREADABLE = (OSError, EOFError, RuntimeError, ValueError, zipfile.BadZipFile, zlib.error)
_UNEXPECTED = (KeyError, TypeError, ValueError, AttributeError, IndexError)


class Archive:
    """The opened wheel of the official release, a context manager.

    A file that cannot be read, or has an unexpected shape, raises :class:`DataError`.
    """

    def __init__(self, path: Path) -> None:
        """Open the wheel at a path."""
        self.path = path
        try:
            self._zip = zipfile.ZipFile(path)
        except _UNREADABLE as problem:
            raise DataError(
                f"the release cannot be read ({problem})",
                where=str(path),
                mend="eai data fetch eai --force",
            ) from problem

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._zip.close()

    def read(self, name: str) -> bytes:
        """Return the contents of a file."""
        try:
            return self._zip.read(name)
        except KeyError:
            raise DataError(
                f"the release has no file {name}", where=str(self.path), expected=EAI_EVAL.file
            ) from None
        except _UNREADABLE as problem:
            raise self._damage(name, problem) from problem

    def json(self, name: str) -> Any:  # noqa: ANN401
        """Return the contents of a JSON file."""
        content = self.read(name)
        with self.shape(name):
            return load_json(content)

    @contextmanager
    def shape(self, name: str) -> Iterator[None]:
        """Turn Python errors at data of unexpected form into errors about the file."""
        try:
            yield
        except _UNEXPECTED as problem:
            raise self._damage(name, problem) from problem

    def _damage(self, name: str, problem: Exception) -> DataError:
        """Return the error for an entry with unexpected contents."""
        return DataError(
            f"{name} does not have the contents that were expected "
            f"({type(problem).__name__}: {problem})",
            where=str(self.path),
            mend="eai data fetch eai --force",
        )


class TaskArchive(Archive, ABC):
    """The wheel, opened for the files of one suite."""

    @abstractmethod
    def collection(self) -> SharedData:
        """Return the data that all tasks share."""

    @abstractmethod
    def task(self, task: str, shared: SharedData) -> StoredTask:
        """Convert one task of the release."""


def read_prompts(
    files: Mapping[str, Sequence[str]], ability: str, *, suite: str
) -> Iterator[tuple[str, str]]:
    """Yield (task, text) of the official release's prompts.

    Args:
        files: Ability to its files in the release: the prompts, then those of the system prompt.
        ability: The ability.
        suite: Name of the suite, for messages.

    Raises:
        InputError: If the release has no prompts for the ability.
        DataError: If a file does not have the expected contents.
    """
    if ability not in files:
        raise InputError(
            f"the release has no prompts for {ability} in the suite {suite!r}",
            expected=", ".join(files),
            mend="leave --prompts out: prompts in our own words are built from the tasks",
        )
    prompt_file, *system_prompt_files = files[ability]
    with Archive(located(EAI_EVAL)) as archive:
        system_prompt = ""
        for system_prompt_file in system_prompt_files:
            document = archive.json(system_prompt_file)
            with archive.shape(system_prompt_file):
                system_prompt = f"{document['system_prompt']}\n\n"
        entries = archive.json(prompt_file)
        with archive.shape(prompt_file):
            # All entries are read before the first is yielded, so that a damaged file is reported
            # as one, and the archive is closed while the caller works.
            prompts = [(entry["identifier"], entry["llm_prompt"]) for entry in entries]
    for identifier, text in prompts:
        yield identifier.removeprefix("scene_1_"), system_prompt + text
