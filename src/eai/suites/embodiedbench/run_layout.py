"""The layout of EmbodiedBench's runs, as :data:`eai.suites.LAYOUTS` has it.

Every path that is evaluated is asked whether it holds such runs. The reader is loaded only if one
does.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from eai.suites.embodiedbench.run_files import in_subset, is_log, is_run_folder, is_trajectory_file

if TYPE_CHECKING:
    from eai.contract import Raw


def holds_runs(path: Path) -> bool:
    """Return whether a path is a folder, a zip or a file of runs."""
    if path.is_dir():
        return is_run_folder(path)
    if path.suffix == ".zip":
        return _is_zip_of_runs(path)
    return is_log(path) or is_trajectory_file(path)


def _is_zip_of_runs(path: Path) -> bool:
    """Return whether a zip can be read and has files of episodes."""
    from zipfile import BadZipFile, ZipFile  # few paths are zips

    try:
        with ZipFile(path) as archive:
            return any(in_subset(PurePosixPath(name)) for name in archive.namelist())
    except (BadZipFile, OSError):
        return False


def run_episodes(path: Path) -> Iterator[Raw]:
    """Return the episodes of a folder, a zip or a file of runs; what is wrong is a problem."""
    from eai.suites.embodiedbench.runs import run_episodes as read_episodes

    return read_episodes(path)
