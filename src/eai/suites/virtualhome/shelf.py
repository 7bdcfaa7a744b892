"""The compact tasks in the cache: made from the release once, then read one by one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from eai.errors import DataError, UnknownNameError
from eai.suites.data import EAI_EVAL, Progress, located, release_folder
from eai.suites.storage import store
from eai.suites.virtualhome.compact import FORMAT, CompactTask, Scene, compact, scene_of
from eai.suites.virtualhome.release import Archive

__all__ = ["Shelf"]

_Read = TypeVar("_Read")


class Shelf:
    """The compact files of the release; what is missing is made when it is asked for.

    Args:
        folder: Where the files are; by default beside the release in the cache.
        wheel: The release; by default the one in the cache.
    """

    def __init__(self, folder: Path | None = None, *, wheel: Path | None = None) -> None:
        self.folder = folder or release_folder(EAI_EVAL) / f"virtualhome-{FORMAT}"
        self._wheel = wheel

    @cached_property
    def scene(self) -> Scene:
        """What all tasks share (read once).

        Raises:
            DataMissingError: If neither the file nor the release is there.
        """
        scene = self._load("scene", Scene.from_json)
        if scene is not None:
            return scene
        with self._archive() as archive:
            return self._make_scene(archive)

    def task(self, task: str) -> CompactTask:
        """Read one task.

        Raises:
            UnknownNameError: If there is no such task.
            DataMissingError: If neither the file nor the release is there.
        """
        names = self.scene.names
        if task not in names:
            raise UnknownNameError("task", task, names)
        found = self._load(task, CompactTask.from_json)
        if found is not None:
            return found
        with self._archive() as archive:
            return self._make(archive, task)

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
            if force or self._load("scene", Scene.from_json) is None:
                self.scene = self._make_scene(archive)
            missing = [task for task in self.scene.names if force or not self._has(task)]
            for done, task in enumerate(missing):
                self._make(archive, task)
                if progress:
                    progress("converting", done + 1, len(missing))
        return len(missing)

    def _archive(self) -> Archive:
        return Archive(self._wheel or located(EAI_EVAL))

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def _has(self, task: str) -> bool:
        return self._load(task, CompactTask.from_json) is not None

    def _load(self, name: str, read: Callable[[Mapping[str, Any]], _Read]) -> _Read | None:
        """Read a file; None if it is absent, damaged or of another version."""
        path = self._path(name)
        try:
            content = json.loads(path.read_bytes())
            return read(content) if content["format"] == FORMAT else None
        except (FileNotFoundError, KeyError, TypeError, ValueError):
            return None
        except OSError as problem:
            raise DataError(
                f"the cached task cannot be read ({problem.strerror})",
                where=str(path),
                mend="make it readable, or set EAI_CACHE to a folder of your own",
            ) from problem

    def _make_scene(self, archive: Archive) -> Scene:
        names = {task: found.name for task, found in archive.annotations.items()}
        graph, _ = archive.graphs(next(iter(names)))
        scene = scene_of(graph, names)
        self._save("scene", scene.to_json())
        return scene

    def _make(self, archive: Archive, task: str) -> CompactTask:
        graph, relevant = archive.graphs(task)
        made = compact(
            archive.annotations[task],
            archive.program(task),
            graph,
            relevant=relevant,
            scene=self.scene,
        )
        self._save(task, made.to_json())
        return made

    def _save(self, name: str, content: dict[str, Any]) -> None:
        store(self._path(name), json.dumps(content, separators=(",", ":")).encode())
