"""Hostile files are refused soon and by name, and long ones are read in flat memory."""

from __future__ import annotations

import json
import time
import tracemalloc
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from needs import package

from eai.errors import InputError
from eai.predictions import Predictions, limits, load_all
from eai.predictions.collecting import collect
from eai.predictions.containers import rows_of
from eai.predictions.entries import Entry
from eai.predictions.reader import Reader

WIDE = {f"k{number}": number for number in range(100_000)}


def is_task(name: str) -> bool:
    return name in ("studio-01", "flat-17")


def zipped(**files: bytes) -> bytes:
    content = BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "."), data)
    return content.getvalue()


HOSTILE: dict[str, str | bytes] = {
    "keys.jsonl": json.dumps(WIDE) + "\n",
    "keys.json": json.dumps(WIDE),
    "texts.json": json.dumps(dict.fromkeys(WIDE, "x")),
    "columns.json": json.dumps({key: [1, 2] for key in WIDE}),
    "doc.jsonl": json.dumps({"doc": WIDE, "resps": [["x"]]}) + "\n",
    "response.jsonl": json.dumps({"custom_id": "a", "response": {"body": WIDE}}) + "\n",
    "wide.csv": ",".join(WIDE) + "\n" + ",".join("1" for _ in WIDE) + "\n",
    "deep.jsonl": "[" * 200_000,
    "deep.json": '{"a":' * 100_000 + "1" + "}" * 100_000,
    "digits.jsonl": '{"id": ' + "9" * 1_000_000 + ', "output": "x"}\n',
    "nan.jsonl": '{"id": NaN, "output": "x"}\n{"id": "studio-01", "output": Infinity}\n',
    "quote.csv": 'id,output\nstudio-01,"' + "x" * 20_000_000,
    "quotes.csv": 'id,output\nstudio-01,"' + f"{'x' * 79}\n" * 150_000,
    "bomb.zip": zipped(a_outputs__json=b" " * 20_000_000),
    "pickle.pkl": b"\x80\x04\x95\x00",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_within_a_second(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    content = HOSTILE[name]
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    begun = time.process_time()
    with pytest.raises(InputError):
        load_all(path, is_task=is_task)
    assert time.process_time() - begun < 1


@pytest.mark.parametrize("text", ["a: &a [x, x]\nb: [*a, *a]\n", "[" * 150 + "]" * 150])
def test_yaml_that_stands_for_more_than_is_written_is_refused(text: str, tmp_path: Path) -> None:
    package("yaml", extra="tables")
    path = tmp_path / "m.yaml"
    path.write_text(text)
    with pytest.raises(InputError):
        load_all(path)


def test_halves_of_signs_are_kept_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_text('{"id": "studio-01", "output": "a\\ud800"}\n{"id": "\\udfff", "output": "b"}\n')
    [found] = load_all(path, is_task=is_task)
    assert found.items == {"studio-01": "a\ud800", "\udfff": "b"}


def test_names_in_a_zip_lead_nowhere(tmp_path: Path) -> None:
    path = tmp_path / "m.zip"
    rows = json.dumps([{"id": "studio-01", "output": "x"}])
    with ZipFile(path, "w") as archive:
        archive.writestr("../../outside.json", rows)
        archive.writestr("inside.json", rows)
    found = load_all(path)
    assert [of.model for of in found] == ["inside"]
    assert sorted(path.parent.iterdir()) == [path]


def test_a_zip_with_very_many_files_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_MEMBERS", 10)
    path = tmp_path / "m.zip"
    path.write_bytes(zipped(**{f"f{number}__json": b"" for number in range(11)}))
    with pytest.raises(InputError, match="11 files"):
        load_all(path)


class Counted(dict[str, str]):
    """Keeps the number of answers only, as a store on the disk does."""

    count = 0

    def __setitem__(self, name: str, text: str) -> None:
        self.count += 1


def test_rows_are_streamed_in_flat_memory(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    body = {"model": "m", "choices": [{"message": {"role": "assistant", "content": "x" * 200}}]}
    with path.open("w") as file:
        for number in range(5_000):
            response = {"status_code": 200, "body": body}
            file.write(json.dumps({"custom_id": str(number), "response": response}) + "\n")
    reader = Reader()

    def rows() -> Iterator[object]:
        yield from rows_of(Entry(path), reader)

    tracemalloc.start()
    [found] = collect(rows(), "m", Counted, reader)  # type: ignore[arg-type]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(found, Predictions)
    assert found.items.count == 5_000  # type: ignore[attr-defined]
    assert path.stat().st_size > 1_500_000
    assert peak < 700_000
