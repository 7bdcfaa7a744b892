"""BEHAVIOR's compact tasks in the cache."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, final

from eai.suites import shelf
from eai.suites.behavior.compact import FORMAT, Common, CompactTask
from eai.suites.behavior.release import Archive

__all__ = ["Shelf"]


@final
class Shelf(shelf.Shelf[Archive, Common, CompactTask]):
    """The compact files of BEHAVIOR: names that all tasks share, and the tasks."""

    name = "behavior"
    version = FORMAT
    common_file = "common"

    def archive(self, wheel: Path) -> Archive:
        """Open the release."""
        return Archive(wheel)

    def read_common(self, content: Mapping[str, Any]) -> Common:
        """Rebuild what all tasks share."""
        return Common.from_json(content)

    def read_task(self, content: Mapping[str, Any]) -> CompactTask:
        """Rebuild a task."""
        return CompactTask.from_json(content)

    def make_common(self, archive: Archive) -> Common:
        """Gather what all tasks share."""
        return archive.common()

    def make_task(self, archive: Archive, task: str) -> CompactTask:
        """Gather a task."""
        return archive.task(task)

    def names(self, common: Common) -> Collection[str]:
        """Identifiers of all tasks, in the order of the release."""
        return common.activities
