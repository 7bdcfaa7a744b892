"""Packed files are limited by what comes out of them, and one that is cut off is told as that."""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from eai.errors import InputError
from eai.predictions import limits, load_all

ANSWER = json.dumps({"id": "a", "output": "[]"}).encode() + b"\n"
HEADER = json.dumps({"version": 2, "status": "success", "eval": {"model": "m"}})


@pytest.fixture(autouse=True)
def _small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_BYTES", 1 << 20)
    monkeypatch.setattr(limits, "MIN_BYTES", 1 << 20)
    monkeypatch.setattr(limits, "MAX_MEMBER_BYTES", 1 << 20)


def problems(path: Path) -> str:
    return " ".join(problem.message for problem in load_all(path)[0].problems)


@pytest.mark.parametrize("unit", [b"\n", b"x\n", b" ", b"[1,\n", b"[\n"])
@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.json.gz"])
def test_a_small_file_that_unpacks_to_very_much_ends_soon(
    unit: bytes, name: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(unit * 5_000_000))
    begun = time.process_time()
    with pytest.raises(InputError, match="no prediction in this file"):
        load_all(path)
    assert time.process_time() - begun < 5


def test_what_stands_before_the_limit_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(ANSWER + b"\n" * 5_000_000))
    assert dict(load_all(path)[0].items) == {"a": "[]"}
    assert "unpacks to more than 200 times its size" in problems(path)


def test_a_long_file_of_ordinary_text_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    lines = [json.dumps({"id": str(n), "output": f"{n * n} {n}"}) for n in range(40_000)]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    assert len(load_all(path)[0]) == 40_000


@pytest.mark.parametrize("part", ["samples/b_epoch_1.json", "header.json"])
def test_a_part_of_a_log_that_unpacks_to_very_much_is_damaged(part: str, tmp_path: Path) -> None:
    path = tmp_path / "a.eval"
    sample = json.dumps({"id": "a", "output": {"completion": "[]"}})
    parts = {"header.json": HEADER, "samples/a_epoch_1.json": sample}
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, content in {**parts, part: " " * (2 << 20)}.items():
            archive.writestr(name, content)
    if part == "header.json":
        with pytest.raises(InputError, match="more than 1,048,576 bytes"):
            load_all(path)
    else:
        assert dict(load_all(path)[0].items) == {"a": "[]"}
        assert "more than 1,048,576 bytes" in problems(path)


@pytest.mark.parametrize("missing", [1, 8, 12])
def test_a_packed_file_that_is_cut_off_is_told_as_that(missing: int, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(ANSWER)[:-missing])
    if missing > 8:  # more is gone than what stands behind the text: its last line is no line
        with pytest.raises(InputError, match="the compressed file is cut off"):
            load_all(path)
    else:
        assert "the compressed file is cut off" in problems(path)
