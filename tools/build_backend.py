"""Build backend: setuptools, with archives that are the same byte for byte in every clone.

Setuptools copies the time and the mode of each file into an archive. These differ from clone to
clone (time of the checkout, umask) though the contents do not. So both archives are written again,
with the same time and mode for all files. The time is the environment variable SOURCE_DATE_EPOCH
(seconds since 1970), else the beginning of 1980, the earliest that a zip archive can state.

The version of setuptools has to be the same, too: setuptools writes it into the wheel.
"""

from __future__ import annotations

import gzip
import os
import shutil
import tarfile
import time
import zipfile
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

EARLIEST_ZIP_TIME = 315532800
"""1980-01-01 as seconds since 1970."""


def build_wheel(
    wheel_directory: str,
    config_settings: dict[str, Any] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Build a wheel and return its file name."""
    # Setuptools packs whatever an earlier build left in this folder, deleted modules too.
    shutil.rmtree("build/lib", ignore_errors=True)
    name: str = build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)
    normalize_zip(Path(wheel_directory, name))
    return name


def build_sdist(sdist_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    """Build a source distribution and return its file name."""
    name: str = build_meta.build_sdist(sdist_directory, config_settings)
    normalize_tar(Path(sdist_directory, name))
    return name


def normalize_zip(archive: Path) -> None:
    """Give all files of a zip archive the same time and mode; their order stays."""
    with zipfile.ZipFile(archive) as original:
        contents = [(name, original.read(name)) for name in original.namelist()]
    date = time.gmtime(max(build_time(), EARLIEST_ZIP_TIME))[:6]
    with zipfile.ZipFile(archive, "w", compression=zipfile.ZIP_DEFLATED) as normalized:
        for name, content in contents:
            info = zipfile.ZipInfo(name, date_time=date)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3  # Unix, also when built on Windows
            info.external_attr = 0o100644 << 16
            normalized.writestr(info, content)


def normalize_tar(archive: Path) -> None:
    """Give all files of a .tar.gz the same time, owner and mode, in the order of their names.

    Files that may be executed (scripts) stay so: Git keeps this bit, and no other.
    """
    normalized = archive.with_suffix(".normalized")
    with (
        tarfile.open(archive) as original,
        normalized.open("wb") as file,
        # The header of a gzip file has a name and a time, too.
        gzip.GzipFile("", "wb", fileobj=file, mtime=build_time()) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as target,
    ):
        for member in sorted(original.getmembers(), key=lambda member: member.name):
            info = tarfile.TarInfo(member.name)
            info.type = member.type
            info.linkname = member.linkname
            info.size = member.size
            info.mtime = build_time()
            is_executable = member.isdir() or member.mode & 0o100
            info.mode = 0o755 if is_executable else 0o644
            target.addfile(info, original.extractfile(member))
    normalized.replace(archive)


def build_time() -> int:
    """Return the time that all files get, in seconds since 1970."""
    return int(os.environ.get("SOURCE_DATE_EPOCH", EARLIEST_ZIP_TIME))
