"""Files that are one JSON object, and files that hold something else than predictions."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pytest

from eai.errors import InputError
from eai.predictions import load_all, load_predictions
from eai.predictions.reader import ReadAnswer, Reader, plain_item
from eai.predictions.values import JsonObject

TASKS = ("27_2", "850_1")
ITEMS = [{"id": "27_2", "output": "[]"}, {"id": "850_1", "output": "{}"}]
ANSWERS = {"27_2": "[]", "850_1": "{}"}


def saved(folder: Path, content: object) -> Path:
    path = folder / "m.json"
    path.write_text(json.dumps(content, indent=2), encoding="utf-8")
    return path


def is_task(name: str) -> bool:
    return name in TASKS


@pytest.mark.parametrize("told", [is_task, None])
@pytest.mark.parametrize(
    ("content", "models"),
    [
        (ANSWERS, ["m"]),
        ({"predictions": ITEMS}, ["m"]),
        ({"Tasks": ITEMS}, ["m"]),
        ({"date": "today", "model": "gpt", "results": ITEMS}, ["gpt"]),
        ({"gpt": ITEMS}, ["gpt"]),
        ({"gpt": ANSWERS, "llama": ANSWERS}, ["gpt", "llama"]),
        ({"gpt": ITEMS, "llama": ANSWERS}, ["gpt", "llama"]),
    ],
)
def test_an_object_has_answers_by_task_by_model_or_below_a_key(
    tmp_path: Path, content: object, models: list[str], told: object
) -> None:
    found = load_all(saved(tmp_path, content), is_task=told)  # type: ignore[arg-type]
    assert [(p.model, p.items) for p in found] == [(model, ANSWERS) for model in models]


def test_answers_that_are_values_are_told_from_models_by_the_tasks(tmp_path: Path) -> None:
    plans = {"27_2": {"plan": "walk"}, "850_1": {"plan": "run"}}
    [found] = load_all(saved(tmp_path, plans), is_task=is_task)
    assert found.items == {"27_2": '{"plan": "walk"}', "850_1": '{"plan": "run"}'}
    [found] = load_all(saved(tmp_path, {"gpt": {"27_2": [["WALK", "light"]]}}), is_task=is_task)
    assert (found.model, found.items) == ("gpt", {"27_2": '[["WALK", "light"]]'})
    [found] = load_all(saved(tmp_path, {"27_2": [["WALK", "light"]]}))
    assert (found.model, found.items) == ("m", {"27_2": '[["WALK", "light"]]'})


def test_an_object_over_many_lines_needs_no_ending(tmp_path: Path) -> None:
    path = saved(tmp_path, {"gpt": ANSWERS, "llama": ANSWERS}).rename(tmp_path / "m.jsonl")
    assert [p.model for p in load_all(path)] == ["gpt", "llama"]
    path.write_text("{\n" + json.dumps(ITEMS[0]) + "\n")
    [found] = load_all(path)
    assert found.items == {"27_2": "[]"}
    assert len(found.problems) == 1


def test_items_of_a_model_may_name_another_one(tmp_path: Path) -> None:
    path = saved(tmp_path, {"gpt": [ITEMS[0], {**ITEMS[1], "model": "llama"}]})
    assert [(p.model, len(p)) for p in load_all(path)] == [("gpt", 1), ("llama", 1)]


@pytest.mark.parametrize(
    ("name", "content", "what", "mend"),
    [
        ("m.csv", b"27_2,[]\n", "headings only", "a line for each answer"),
        ("m.tsv", b"task\tidentifier\n1\t2\n", "no output", "task"),
        ("m.txt", b"walk(light.34)\nswitch on(light.34)\n", "is not JSON", "eai repair"),
        ("m.yaml", b"27_2: [\n", "not YAML", "a line for each answer"),
        ("m.png", b"\x89PNG\r\n\x1a\n123", "a picture (PNG)", "a line for each answer"),
        ("m.txt", b"Answer: walk\nto the light\n", "is not JSON", "a line for each answer"),
        ("m.txt", b"Dear all, I walk to the light.\n", "is not JSON", "a line for each answer"),
    ],
)
def test_what_a_file_is_instead_is_said(
    tmp_path: Path, name: str, content: bytes, what: str, mend: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        load_predictions(path)
    assert "there is no prediction in this file" in caught.value.what
    assert what in caught.value.what
    assert mend in str(caught.value.mend)


def test_objects_below_a_key_without_an_identifier_are_explained(tmp_path: Path) -> None:
    path = saved(tmp_path, {"tasks": [{"task": "27_2", "plan": "[]"}]})
    with pytest.raises(InputError, match="found 'plan', 'task'"):
        load_all(path, is_task=is_task)


def test_nothing_at_all_is_an_error() -> None:
    for nothing in (dict[str, str](), list[str](), iter(())):
        with pytest.raises(InputError, match="there are no predictions"):
            load_predictions(nothing)


@pytest.mark.parametrize("pairs", list(permutations([("id", "a"), ("output", "[]")])))
@pytest.mark.parametrize("more", [(), (("id", "b"),), (("model", "m"),)])
def test_items_of_the_usual_form_are_recognised_quickly_and_read_alike(
    pairs: tuple[tuple[str, object], ...], more: tuple[tuple[str, object], ...]
) -> None:
    item = JsonObject((*pairs, *more))
    found = plain_item(item)
    assert (found is not None) == (pairs[0][0] == "id" and not more)
    assert found is None or [ReadAnswer(*found)] == Reader().items(item)
    assert plain_item(JsonObject((("id", ""), ("output", "[]")))) is None
    assert plain_item(JsonObject((("id", 7), ("output", "[]")))) is None
