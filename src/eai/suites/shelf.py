"""A benchmark's tasks in a compact form: made from the release once, then read one by one."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from eai.errors import DataError, UnknownNameError
from eai.suites.data import EAI_EVAL, Progress, located, release_folder
from eai.suites.storage import store

if TYPE_CHECKING:
    # Tasks that were converted are read without the release.
    from eai.suites.archive import Archive

__all__ = ["Shelf", "Written"]


class Written(Protocol):
    """What a file of a shelf holds."""

    def to_json(self) -> dict[str, Any]:
        """Return a value for the json module."""
        ...


_Archive = TypeVar("_Archive", bound="Archive")
_Common = TypeVar("_Common", bound=Written)
_Item = TypeVar("_Item", bound=Written)
_Read = TypeVar("_Read")
_Written = TypeVar("_Written", bound=Written)


class Shelf(ABC, Generic[_Archive, _Common, _Item]):
    """Compact files in the cache: one that all tasks share, and one for each task.

    What is missing, damaged or of another version is made when it is asked for.

    Args:
        folder: Where the files are; by default beside the release in the cache.
        wheel: The release; by default the one in the cache.
    """

    name: ClassVar[str]
    """The benchmark; begins the name of the folder."""
    version: ClassVar[int]
    """Version of the written form; files of another version are made anew."""
    common_file: ClassVar[str]
    """Name of the file that all tasks share, without its ending."""

    def __init__(self, folder: Path | None = None, *, wheel: Path | None = None) -> None:
        self.folder = folder or release_folder(EAI_EVAL) / f"{self.name}-{self.version}"
        self._wheel = wheel

    @abstractmethod
    def archive(self, wheel: Path) -> _Archive:
        """Open the release."""

    @abstractmethod
    def read_common(self, content: Mapping[str, Any]) -> _Common:
        """Rebuild what all tasks share from its file."""

    @abstractmethod
    def read_task(self, content: Mapping[str, Any]) -> _Item:
        """Rebuild a task from its file."""

    @abstractmethod
    def make_common(self, archive: _Archive) -> _Common:
        """Gather what all tasks share from the release."""

    @abstractmethod
    def make_task(self, archive: _Archive, task: str) -> _Item:
        """Gather a task from the release."""

    @abstractmethod
    def names(self, common: _Common) -> Collection[str]:
        """Identifiers of all tasks, in the order of the release."""

    @cached_property
    def common(self) -> _Common:
        """What all tasks share (read once).

        Raises:
            DataMissingError: If neither the file nor the release is there.
        """
        found = self._load(self.common_file, self.read_common)
        if found is not None:
            return found
        with self._archive() as archive:
            return self._made(self.common_file, self.make_common(archive))

    @property
    def ids(self) -> tuple[str, ...]:
        """Identifiers of all tasks, in the order of the release."""
        return tuple(self.names(self.common))

    def task(self, task: str) -> _Item:
        """Read one task.

        Raises:
            UnknownNameError: If there is no such task.
            DataMissingError: If neither the file nor the release is there.
        """
        names = self.names(self.common)
        if task not in names:
            raise UnknownNameError("task", task, names)
        found = self._load(task, self.read_task)
        if found is not None:
            return found
        with self._archive() as archive:
            return self._made(task, self.make_task(archive, task))

    def holds(self, task: str) -> bool:
        """Whether there is a file of a task; it is not looked into."""
        return f"{task}.json" in self._there or self._path(task).is_file()

    def fill(self, *, progress: Progress | None = None, force: bool = False) -> int:
        """Make the files that are missing; return how many tasks were converted.

        Args:
            progress: Told about the tasks that are done.
            force: Whether to make all files anew.

        Raises:
            DataMissingError: If the release is not there.
            DataError: If it is damaged or the files cannot be written.
        """
        with self._archive() as archive:
            if force or self._load(self.common_file, self.read_common) is None:
                self.common = self._made(self.common_file, self.make_common(archive))
            missing = [task for task in self.ids if force or not self._has(task)]
            for done, task in enumerate(missing):
                self._made(task, self.make_task(archive, task))
                if progress:
                    progress("converting", done + 1, len(missing))
        return len(missing)

    @cached_property
    def _there(self) -> frozenset[str]:
        """Names of the files that were there when this was first asked, in one look."""
        if not self.folder.is_dir():
            return frozenset()
        return frozenset([path.name for path in self.folder.iterdir()])

    def _archive(self) -> _Archive:
        return self.archive(self._wheel or located(EAI_EVAL))

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def _has(self, task: str) -> bool:
        return self._load(task, self.read_task) is not None

    def _load(self, name: str, read: Callable[[Mapping[str, Any]], _Read]) -> _Read | None:
        """Read a file; None if it is absent, damaged or of another version."""
        path = self._path(name)
        try:
            content = json.loads(path.read_bytes())
            return read(content) if content["format"] == self.version else None
        except (FileNotFoundError, KeyError, TypeError, ValueError):
            return None
        except OSError as problem:
            raise DataError(
                f"the cached task cannot be read ({problem.strerror})",
                where=str(path),
                mend="make it readable, or set EAI_CACHE to a folder of your own",
            ) from problem

    def _made(self, name: str, value: _Written) -> _Written:
        content = {"format": self.version, **value.to_json()}
        store(self._path(name), json.dumps(content, separators=(",", ":")).encode())
        return value
