"""Sources of predictions that are damaged, of another kind, or of several models at once."""

from __future__ import annotations

import gzip
import json
import os
import threading
from pathlib import Path

import pytest
from needs import package

from eai.errors import InputError
from eai.predictions import Predictions, limits, load_all, load_predictions

pd = package("pandas", extra="pandas")

ANSWERS = {"27_2": "[]", "850_1": '[{"WALK": ["light", "411"]}]'}
LINES = "".join(json.dumps({"id": name, "output": text}) + "\n" for name, text in ANSWERS.items())


def is_task(name: str) -> bool:
    return name in ANSWERS


def saved(folder: Path, content: bytes) -> Path:
    path = folder / "m.jsonl"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("packed", [False, True])
def test_a_pipe_is_read(tmp_path: Path, packed: bool) -> None:
    content = gzip.compress(LINES.encode()) if packed else LINES.encode()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(content,))
    writer.start()
    assert load_predictions(pipe) == Predictions("pipe", ANSWERS)
    writer.join()


@pytest.mark.parametrize("content", [LINES.replace("\n", "\r"), f"\r{LINES}".replace("\n", "\r")])
def test_lines_may_end_as_they_did_on_old_computers(tmp_path: Path, content: str) -> None:
    assert load_predictions(saved(tmp_path, content.encode())).items == ANSWERS


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (LINES.encode("utf-16"), "UTF-16 text: save it as UTF-8"),
        (LINES.encode("utf-16-le"), "UTF-16 text: save it as UTF-8"),
        (LINES.encode("utf-32"), "UTF-32 text: save it as UTF-8"),
        (b"PK\x03\x04 and more", "the zip is damaged"),
        (b"BZh91AY&SY and more", "packed with bzip2"),
        (b"\x80\x04 and more", "this is a pickle"),
    ],
)
def test_a_file_of_another_kind_is_named(tmp_path: Path, content: bytes, told: str) -> None:
    with pytest.raises(InputError, match=told):
        load_predictions(saved(tmp_path, content))


def test_a_file_without_line_ends_is_not_read_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_BYTES", 1 << 20)
    bomb = gzip.compress(LINES.encode() + bytes(8 << 20))
    found = load_predictions(saved(tmp_path, bomb))
    assert found.items == ANSWERS
    assert "more than 1,048,576 bytes" in str(found.problems[0])
    if Path("/dev/zero").exists():
        with pytest.raises(InputError, match="more than 1,048,576 bytes"):
            load_predictions("/dev/zero")


def test_a_misspelled_path_gets_a_suggestion(tmp_path: Path) -> None:
    saved(tmp_path, LINES.encode()).rename(tmp_path / "mistral-large.jsonl")
    with pytest.raises(InputError, match=r"did you mean '.*mistral-large\.jsonl'"):
        load_predictions(tmp_path / "mistral-lage.jsonl")


@pytest.mark.parametrize("path", ["x" * 300, "a\0b", ""])
def test_what_cannot_be_a_path(path: str) -> None:
    with pytest.raises(InputError) as caught:
        load_predictions(path)
    assert caught.value.mend


@pytest.mark.parametrize("source", [[1, 2], b"m.jsonl", ["27_2"], iter("ab")])
def test_a_value_without_predictions_is_an_error(source: object) -> None:
    with pytest.raises(InputError, match="there is no prediction in this value"):
        load_predictions(source)


def test_a_frame_with_a_column_twice() -> None:
    frame = pd.DataFrame([["27_2", "[]", "[]"]], columns=["id", "output", "output"])
    with pytest.raises(InputError, match="two columns 'output'"):
        load_predictions(frame)


def test_a_series_is_a_mapping() -> None:
    assert load_predictions(pd.Series(ANSWERS)).items == ANSWERS


def test_models_may_be_numbers() -> None:
    frame = pd.DataFrame({"id": ["a", "a"], "output": ["1", "2"], "model": [7, 8]})
    assert [(p.model, p.items) for p in load_all(frame)] == [("7", {"a": "1"}), ("8", {"a": "2"})]


def test_messages_are_the_same_in_every_run() -> None:
    [problem] = load_predictions({"a": object()}).problems
    assert problem.message == "the output of 'a' is a value of type object, not text"


@pytest.mark.parametrize(
    "one",
    [
        ANSWERS,
        list(ANSWERS.items()),
        iter(ANSWERS.items()),
        [{"id": name, "output": text} for name, text in ANSWERS.items()],
        pd.DataFrame({"id": list(ANSWERS), "output": list(ANSWERS.values())}),
        pd.Series(ANSWERS),
        Predictions("other", ANSWERS),
    ],
    ids=["mapping", "pairs", "iterator", "objects", "frame", "series", "loaded"],
)
def test_any_source_can_be_given_by_model(one: object) -> None:
    found = load_all({"gpt": one, "llama": {}, 3: {"27_2": "x"}}, is_task=is_task)
    assert [(p.model, p.items) for p in found] == [
        ("gpt", ANSWERS),
        ("llama", {}),
        ("3", {"27_2": "x"}),
    ]


def test_paths_by_model_may_be_text(tmp_path: Path) -> None:
    path = saved(tmp_path, LINES.encode())
    found = load_all({"gpt": str(path), "llama": path}, is_task=is_task)
    assert [p.model for p in found] == ["gpt", "llama"]


def test_answers_that_are_values_are_no_models() -> None:
    answers = {"27_2": {"plan": "walk to the light"}, "850_1": [["WALK", "light"]]}
    [found] = load_all(answers, is_task=is_task)
    assert found.items == {
        "27_2": '{"plan": "walk to the light"}',
        "850_1": '[["WALK", "light"]]',
    }


def test_a_model_without_answers_is_one_nevertheless() -> None:
    found = load_all({"gpt": {"27_2": "[]"}, "llama": {}})
    assert [(p.model, len(p)) for p in found] == [("gpt", 1), ("llama", 0)]
