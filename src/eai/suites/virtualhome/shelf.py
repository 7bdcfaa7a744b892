"""VirtualHome's compact tasks in the cache."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, final

from eai.suites import shelf
from eai.suites.virtualhome.compact import FORMAT, CompactTask, Scene, compact, scene_of

if TYPE_CHECKING:
    # Tasks that were converted are read without the release.
    from eai.suites.virtualhome.release import Archive

__all__ = ["Shelf"]


@final
class Shelf(shelf.Shelf["Archive", Scene, CompactTask]):
    """The compact files of VirtualHome: the scene that all tasks share, and the tasks."""

    name = "virtualhome"
    version = FORMAT
    common_file = "scene"

    @property
    def scene(self) -> Scene:
        """What all tasks share (read once).

        Raises:
            DataMissingError: If neither the file nor the release is there.
        """
        return self.common

    def archive(self, wheel: Path) -> Archive:
        """Open the release."""
        from eai.suites.virtualhome.release import Archive

        return Archive(wheel)

    def read_common(self, content: Mapping[str, Any]) -> Scene:
        """Rebuild the scene."""
        return Scene.from_json(content)

    def read_task(self, content: Mapping[str, Any]) -> CompactTask:
        """Rebuild a task."""
        return CompactTask.from_json(content)

    def make_common(self, archive: Archive) -> Scene:
        """Gather the scene: the flat as the first task finds it.

        Raises:
            DataError: If it has facts that the domain does not declare.
        """
        names = {task: found.name for task, found in archive.annotations.items()}
        graph, _ = archive.graphs(next(iter(names)))
        return _checked(scene_of(graph, names))

    def make_task(self, archive: Archive, task: str) -> CompactTask:
        """Gather a task.

        Raises:
            DataError: If it has facts that the domain does not declare.
        """
        graph, relevant = archive.graphs(task)
        found = compact(
            archive.annotations[task],
            archive.program(task),
            graph,
            relevant=relevant,
            scene=self.scene,
        )
        return _checked(found)

    def names(self, common: Scene) -> Collection[str]:
        """Identifiers of all tasks, in the order of the release."""
        return common.names


_Made = TypeVar("_Made", Scene, CompactTask)


def _checked(made: _Made) -> _Made:
    from eai.suites.virtualhome.vocabulary import check_facts

    check_facts(made.facts)
    return made
