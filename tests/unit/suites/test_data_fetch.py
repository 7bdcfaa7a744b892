"""The cache: where it is, what comes into it from a file, and what goes wrong on the way."""

from __future__ import annotations

import errno
import os
import sys
import threading
import time
from pathlib import Path

import pytest
from fake_virtualhome_release import release_of

from eai.errors import ChecksumError, DataError, DataMissingError, UnknownNameError
from eai.suites.shared import data
from eai.suites.shared.data import (
    EAI_EVAL,
    cache_folder,
    fetch,
    find_release,
    located,
    release_folder,
)

CONTENT = b"a wheel" * 400_000
TOY = release_of(CONTENT)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EAI_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "copy (1).whl"
    path.write_bytes(CONTENT)
    return path


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if not path.is_dir())


def test_the_variable_names_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EAI_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.setenv("EAI_CACHE", "~/somewhere")
    assert cache_folder() == Path.home() / "somewhere"


@pytest.mark.parametrize(
    ("platform", "variable", "value", "expected"),
    [
        ("linux", "XDG_CACHE_HOME", "/caches", Path("/caches/eai")),
        ("linux", "XDG_CACHE_HOME", "not/absolute", Path.home() / ".cache/eai"),
        ("linux", "XDG_CACHE_HOME", "", Path.home() / ".cache/eai"),
        ("darwin", "XDG_CACHE_HOME", "/caches", Path.home() / "Library/Caches/eai"),
        ("win32", "LOCALAPPDATA", "/local", Path("/local/eai")),
        ("win32", "LOCALAPPDATA", "", Path.home() / "AppData/Local/eai"),
    ],
)
def test_without_it_the_platform_decides(
    platform: str, variable: str, value: str, expected: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EAI_CACHE", raising=False)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv(variable, value)
    assert cache_folder() == expected


def test_a_release_is_found_by_its_name() -> None:
    assert find_release("eai") is EAI_EVAL
    with pytest.raises(UnknownNameError, match="data release named 'eia'"):
        find_release("eia")


def test_what_was_not_fetched_is_missing(cache: Path) -> None:
    with pytest.raises(DataMissingError, match="has not been fetched") as caught:
        located(TOY)
    assert caught.value.mend == "eai data fetch toy"
    assert str(cache) in str(caught.value)


def test_a_copy_is_taken_into_the_cache(cache: Path, source: Path) -> None:
    told: list[tuple[str, int, int]] = []
    path = fetch(TOY, source=source, progress=lambda *news: told.append(news))
    assert path == located(TOY) == release_folder(TOY) / TOY.file
    assert path.read_bytes() == CONTENT
    assert files(cache) == [TOY.file]
    assert told[-1] == ("copying", len(CONTENT), len(CONTENT))
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)
    assert source.exists()


def test_a_good_copy_is_kept_and_a_damaged_one_replaced(cache: Path, source: Path) -> None:
    path = fetch(TOY, source=source)
    source.write_bytes(b"something else")
    assert fetch(TOY, source=source) == path
    with pytest.raises(ChecksumError):
        fetch(TOY, source=source, force=True)
    assert path.read_bytes() == CONTENT
    path.write_bytes(CONTENT[:-1] + b"?")
    source.write_bytes(CONTENT)
    fetch(TOY, source=source)
    assert path.read_bytes() == CONTENT
    assert files(cache) == [TOY.file]


def test_an_edited_file_in_the_cache_is_not_the_release(cache: Path, source: Path) -> None:
    path = fetch(TOY, source=source)
    assert located(TOY) == path
    path.write_bytes(CONTENT[:-1] + b"?")
    os.utime(path, ns=(0, 0))  # it was hashed before, as it was then
    with pytest.raises(ChecksumError, match="not the pinned release any more") as caught:
        located(TOY)
    assert caught.value.mend == "eai data fetch toy --force"
    assert cache.exists()


def test_a_cut_file_in_the_cache_counts_as_missing(cache: Path, source: Path) -> None:
    path = fetch(TOY, source=source)
    path.write_bytes(CONTENT[:100])
    with pytest.raises(DataMissingError):
        located(TOY)
    assert cache.exists()


def test_the_cached_file_can_be_its_own_source(cache: Path, source: Path) -> None:
    path = fetch(TOY, source=source)
    assert fetch(TOY, source=path, force=True).read_bytes() == CONTENT
    assert files(cache) == [TOY.file]


def test_another_file_is_refused_with_both_sums(cache: Path, source: Path) -> None:
    source.write_bytes(CONTENT[:-1] + b"?")
    wrong = release_of(source.read_bytes()).sha256
    with pytest.raises(ChecksumError) as caught:
        fetch(TOY, source=source)
    message = str(caught.value)
    assert wrong in message
    assert TOY.sha256 in message
    assert str(source) in message
    assert "not kept" in message
    assert files(cache) == []


def test_a_file_that_is_too_large_is_not_copied_to_its_end(cache: Path, source: Path) -> None:
    source.write_bytes(CONTENT * 3)
    told: list[int] = []
    with pytest.raises(ChecksumError, match="8,400,000 bytes"):
        fetch(TOY, source=source, progress=lambda _what, done, _total: told.append(done))
    assert max(told) <= TOY.size
    assert files(cache) == []


def test_an_unreadable_source_is_named(cache: Path, tmp_path: Path) -> None:
    for path in (tmp_path / "absent.whl", tmp_path):
        with pytest.raises(DataError, match="--from cannot be read") as caught:
            fetch(TOY, source=path)
        assert caught.value.where == str(path)
        assert TOY.file in str(caught.value)
    assert files(cache) == []


@pytest.mark.parametrize(
    ("number", "words", "mend"),
    [
        (errno.ENOSPC, "disk is full", "free some space"),
        (errno.EACCES, "cannot be written to", "EAI_CACHE"),
        (errno.EROFS, "cannot be written to", "EAI_CACHE"),
        (errno.EIO, "cannot be stored", "EAI_CACHE"),
    ],
)
def test_trouble_with_the_disk_is_told(
    number: int,
    words: str,
    mend: str,
    cache: Path,
    source: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(self: Path, target: Path) -> Path:
        raise OSError(number, os.strerror(number), str(self), None, str(target))

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(DataError, match=words) as caught:
        fetch(TOY, source=source)
    assert mend in str(caught.value)
    assert str(cache) in str(caught.value)
    assert ("3 MB" in str(caught.value)) == (number == errno.ENOSPC)
    assert files(cache) == []
    assert [path.name for path in release_folder(TOY).iterdir()] == []


def test_a_cache_that_is_a_file_is_told(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EAI_CACHE", str(source))
    with pytest.raises(DataError, match="cannot be stored"):
        fetch(TOY, source=source)


def test_an_interruption_leaves_nothing_behind(cache: Path, source: Path) -> None:
    def interrupt(_what: str, done: int, _total: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(TOY, source=source, progress=interrupt)
    assert list(release_folder(TOY).iterdir()) == []
    with pytest.raises(DataMissingError):
        located(TOY)
    assert cache.exists()


def test_what_killed_fetches_left_is_swept_after_a_day(cache: Path, source: Path) -> None:
    old, young = (release_folder(TOY) / f"{data._WORK}{name}" for name in ("old", "young"))
    for folder in (old, young):
        folder.mkdir(parents=True)
        (folder / "part").write_bytes(b"...")
    os.utime(old, times=(time.time() - 90_000,) * 2)
    fetch(TOY, source=source)
    assert not old.exists()
    assert young.exists()
    assert cache.exists()


def test_many_fetches_at_once_do_no_harm(cache: Path, source: Path) -> None:
    results: list[Path] = []
    threads = [
        threading.Thread(target=lambda: results.append(fetch(TOY, source=source, force=True)))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [located(TOY)] * 6
    assert located(TOY).read_bytes() == CONTENT
    assert files(cache) == [TOY.file]
