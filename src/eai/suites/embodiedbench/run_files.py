"""The files of runs: which of a folder or zip belong to an episode, and how they are read.

A file of an episode is known by its name *and* its folder, because ``episode_1.json`` alone could
be anything: only below a subset's folder is the name enough, elsewhere the file's first bytes have
to look like the rows of a log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from eai.errors import InputError
from eai.text import lazy_pattern

if TYPE_CHECKING:
    from zipfile import ZipFile

SUBSETS: Mapping[str, str] = {
    "base": "base",
    "common_sense": "common_sense",
    "complex_instruction": "complex_instruction",
    "complex": "complex_instruction",
    "visual_appearance": "visual_appearance",
    "visual": "visual_appearance",
    "spatial": "spatial",
    "spatial_relationship": "spatial_relationship",
    "long_horizon": "long_horizon",
}
"""How evaluators spell the subsets (EB-Manipulation has ``complex`` and ``visual``), and what these
are called here."""
MAX_FILE_BYTES = 1 << 28
"""Maximum size of one file, and of all in a zip, unpacked."""
HEAD_BYTES = 1 << 12
"""Bytes of a file that are looked at to see what it is."""
LIST_SUFFIXES = (".json", ".jsonl")


class RunFile(NamedTuple):
    """One file of a source: its path with slashes, and a function that reads it."""

    name: str
    content: Callable[[], bytes]

    @property
    def text(self) -> str:
        """The whole text."""
        return self.content().decode("utf-8-sig", "replace")

    @property
    def head(self) -> bytes:
        """The first bytes, by which the kind of file is told."""
        return self.content()[:HEAD_BYTES]


class EpisodeFile(NamedTuple):
    """Role, episode number and number of steps, read from the name of an episode's file.

    The role is ``"log"``, ``"final"`` or ``"outputs"``; the steps are -1 if they are not named.
    """

    role: str
    number: int
    steps: int = -1


# Role of a file to its name; the groups are the numbers of the episode and of its steps.
_NAMES = (
    ("log", lazy_pattern(r"episode_(\d{1,5})(?:_step_(\d{1,6}))?\.json")),
    ("final", lazy_pattern(r"episode_(\d{1,5})_(?:final_)?res\.json")),
    ("outputs", lazy_pattern(r"planner_output_episode_(\d{1,5})\.txt")),
)


def episode_file(name: str) -> EpisodeFile | None:
    """Return the parts of an episode file's name, or None if the name is not of that form."""
    # Every file of answers is asked for, and hardly any has such a name.
    if "episode_" not in name:
        return None
    for role, pattern in _NAMES:
        match = pattern.fullmatch(name)
        if match is None:
            continue
        number = int(match[1])
        if role == "log" and match[2] is not None:
            return EpisodeFile(role, number, int(match[2]))
        return EpisodeFile(role, number)
    return None


def subset_folder(path: PurePosixPath) -> PurePosixPath:
    """Return the folder of the subset that an episode's file would belong to."""
    if path.parent.name == "results":
        return path.parent.parent
    return path.parent


def in_subset(path: PurePosixPath) -> bool:
    """Return whether an episode's file lies below the folder of a subset."""
    name_parts = episode_file(path.name)
    if name_parts is None or subset_folder(path).name not in SUBSETS:
        return False
    # Logs lie in the subset's own folder, everything else in `results` below it.
    is_in_results = path.parent.name == "results"
    return is_in_results is (name_parts.role != "log")


def begins_as_trajectories(head: bytes) -> bool:
    """Whether a file begins like a published list of trajectories."""
    if b'"eval_set"' not in head or b'"episode_id"' not in head:
        return False
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]  # behind the byte order mark
    return first in (b"[", b"{")


def begins_as_rows(head: bytes) -> bool:
    """Whether a file begins like a log of an environment."""
    return b'"env_feedback"' in head and b'"action_description"' in head


def _head_of(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(HEAD_BYTES)


def is_trajectory_file(path: Path) -> bool:
    """Whether a path is a published list of trajectories."""
    return (
        path.suffix in LIST_SUFFIXES and path.is_file() and begins_as_trajectories(_head_of(path))
    )


def is_log(path: Path) -> bool:
    """Whether a path is a file of an episode."""
    if in_subset(PurePosixPath(path.absolute().as_posix())):
        return True
    name_parts = episode_file(path.name)
    return name_parts is not None and name_parts.role == "log" and begins_as_rows(_head_of(path))


def is_run_folder(path: Path) -> bool:
    """Whether a folder has logs at any depth, or lists of trajectories near its top."""
    # Names first: to open every file of a large folder that is something else would take minutes.
    for file in path.rglob("*episode_*"):
        if file.is_file() and is_log(file):
            return True
    return any(is_trajectory_file(file) for file in [*path.glob("*"), *path.glob("*/*")])


def files_in_folder(path: Path) -> list[RunFile]:
    """Return the files of a folder; of a single log the files of the same episode."""
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file())
    else:
        files = [path, *_files_beside(path)]
    return [RunFile(file.absolute().as_posix(), reader_of(file)) for file in files]


def _files_beside(log: Path) -> list[Path]:
    """Return the configuration of the run that a log belongs to, and other files of its episode."""
    folder = log.absolute().parent
    run_folder = folder.parent if folder.name == "results" else folder
    candidates = [run_folder / "config.txt"]
    episode = episode_file(log.name)
    if episode is not None:
        for path in sorted((run_folder / "results").glob("*")):
            result = episode_file(path.name)
            if result is not None and result.number == episode.number:
                candidates.append(path)
    return [file for file in candidates if file.is_file() and file != log]


def reader_of(path: Path) -> Callable[[], bytes]:
    """Return a function that reads a file when it is called."""

    def content() -> bytes:
        with path.open("rb") as stream:
            # To ask for more than there is reserves the memory first, which takes its time.
            return stream.read(min(MAX_FILE_BYTES, path.stat().st_size))

    return content


def files_in_zip(archive: ZipFile, path: Path) -> list[RunFile]:
    """Return the files of a zip.

    Raises:
        InputError: If an entry leads out of the zip, or all together are too large.
    """
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    for entry in entries:
        if entry.filename[:1] == "/" or ".." in entry.filename:
            text = f"the zip is refused: {entry.filename!r} leads out of it"
            raise InputError(text, where=str(path))
    if sum(entry.file_size for entry in entries) > MAX_FILE_BYTES:
        raise InputError("the zip is refused: it is too large unpacked", where=str(path))
    names = sorted(entry.filename for entry in entries)
    return [RunFile(name, _reader_of_entry(archive, name)) for name in names]


def _reader_of_entry(archive: ZipFile, name: str) -> Callable[[], bytes]:
    """Return a function that reads an entry of a zip when it is called."""

    def content() -> bytes:
        with archive.open(name) as stream:
            # The sizes that a zip states may be false, so that the limit holds here, too.
            return stream.read(MAX_FILE_BYTES)

    return content
