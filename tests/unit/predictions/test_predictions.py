"""Predictions: every shape of source, and what becomes of damaged ones."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import pytest
from needs import package

from eai.errors import InputError, SameNameError
from eai.predictions import Predictions, load_all, load_predictions

pd = package("pandas", extra="pandas")

PLAN = '[{"WALK": ["light", "411"]}]'
BOTH = {"27_2": PLAN, "850_1": "{'WALK': ['light']}"}
LINES = "".join(json.dumps({"id": name, "output": text}) + "\n" for name, text in BOTH.items())
OFFICIAL = [{"identifier": name, "llm_output": text} for name, text in BOTH.items()]


def saved(folder: Path, name: str, content: str | bytes) -> Path:
    data = content.encode() if isinstance(content, str) else content
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("gpt-4o.jsonl", LINES),
        ("gpt-4o.jsonl.gz", LINES),
        ("gpt-4o.ndjson", "\n" + LINES.replace("\n", "\r\n\r\n")),
        ("gpt-4o.json", LINES),
        ("gpt-4o_outputs.json", json.dumps(OFFICIAL)),
        ("gpt-4o_outputs.json", json.dumps(OFFICIAL, indent=4)),
        ("gpt-4o_outputs.json.gz", json.dumps(OFFICIAL, indent=1)),
        ("gpt-4o.jsonl", json.dumps(OFFICIAL)),
        ("gpt-4o.json", json.dumps(BOTH)),
        ("gpt-4o.json", json.dumps(BOTH, indent=2)),
        ("gpt-4o.json", "\ufeff" + json.dumps(BOTH)),
        ("gpt-4o.json", "\n".join(json.dumps(item, indent=2) for item in OFFICIAL)),
        ("gpt-4o.json", json.dumps(list(BOTH.items()))),
    ],
)
def test_shapes_of_files(tmp_path: Path, name: str, content: str) -> None:
    predictions = load_predictions(saved(tmp_path, name, content))
    assert predictions == Predictions("gpt-4o", BOTH, [])


def test_gzip_is_recognised_without_its_ending(tmp_path: Path) -> None:
    path = saved(tmp_path, "gpt-4o.jsonl", gzip.compress(LINES.encode()))
    assert load_predictions(str(path)).items == BOTH


@pytest.mark.parametrize(
    "source",
    [
        BOTH,
        list(BOTH.items()),
        iter(BOTH.items()),
        OFFICIAL,
        ({"id": name, "output": text, "seconds": 2} for name, text in BOTH.items()),
        pd.DataFrame({"id": list(BOTH), "output": list(BOTH.values()), "other": [1, 2]}),
        pd.DataFrame(OFFICIAL),
        Predictions("unnamed", BOTH),
    ],
    ids=[
        "mapping",
        "pairs",
        "iterator",
        "official",
        "generator",
        "frame",
        "official frame",
        "same",
    ],
)
def test_shapes_in_memory(source: object) -> None:
    assert load_predictions(source) == Predictions("unnamed", BOTH, [])


def test_a_name_can_be_given() -> None:
    assert load_predictions(BOTH, model="mine").model == "mine"


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("llama-3-8b-chat_outputs.json", "llama-3-8b-chat"),
        ("gemini-1.0-pro.json.gz", "gemini-1.0-pro"),
        ("my model.txt", "my model.txt"),
        ("gpt-3.5.JSONL", "gpt-3.5"),
    ],
)
def test_the_file_names_the_model(tmp_path: Path, name: str, model: str) -> None:
    assert load_predictions(saved(tmp_path, name, LINES)).model == model


def test_numbers_are_identifiers() -> None:
    assert load_predictions([{"id": 7, "output": "[]"}]).items == {"7": "[]"}


def test_answers_that_are_values_become_text_with_repeated_keys(tmp_path: Path) -> None:
    line = '{"id": "a", "output": {"WALK": ["x"], "GRAB": ["x", 1.5], "WALK": [null, "é"]}}\n'
    assert load_predictions(saved(tmp_path, "m.jsonl", line)).items == {
        "a": '{"WALK": ["x"], "GRAB": ["x", 1.5], "WALK": [null, "\\u00e9"]}'
    }
    assert load_predictions({"a": [{"WALK": ("x",)}]}).items == {"a": '[{"WALK": ["x"]}]'}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "c", "output": "[', "the line is not JSON"),
        ("oops", "the line is not JSON (Expecting value)"),
        ('{"id": "c", "output": "[]"} {}', "the line is not JSON (text after the value)"),
        ("[" * 100_000, "the line is not JSON (nested more than 250 levels deep)"),
        (
            '{"id": ' + "9" * 5000 + ', "output": "[]"}',
            "the line is not JSON (a number is too long)",
        ),
        ('{"id": "c", "plan": "[]"}', "there is no output to 'c'; found 'id', 'plan'"),
        ('{"output": "[]"}', "there is no id; found 'output'"),
        ('{"id": null, "output": "[]"}', "the id is None, not text"),
        ('{"id": true, "output": "[]"}', "the id is True, not text"),
        ('{"id": "c", "output": null}', "the output of 'c' is None, not text"),
        ('{"id": "c", "output": 5}', "the output of 'c' is 5, not text"),
        ('"text"', "str is not a prediction"),
        ('{"id": "27_2", "output": "[]"}', "duplicate id '27_2', keeping the first"),
    ],
)
def test_a_bad_line_is_a_problem_and_the_rest_is_kept(
    tmp_path: Path, line: str, message: str
) -> None:
    first, second = LINES.splitlines()
    path = saved(tmp_path, "m.jsonl", f"{first}\n\n{line}\n{second}\n")
    predictions = load_predictions(path)
    assert predictions.items == BOTH
    (problem,) = predictions.problems
    assert problem.where == f"{path}:3"
    assert problem.message.startswith(message)


def test_bytes_that_are_not_utf8_are_replaced_and_reported(tmp_path: Path) -> None:
    path = saved(tmp_path, "m.jsonl", b'{"id": "a", "output": "[]"}\n{"id": "b", "output": "\xff"}')
    predictions = load_predictions(path)
    assert predictions.items == {"a": "[]", "b": "\ufffd"}
    assert [problem.where for problem in predictions.problems] == [f"{path}:2"]


def test_a_cut_gzip_file_keeps_its_whole_lines(tmp_path: Path) -> None:
    noise = random.Random(0)
    texts = {str(i): "".join(noise.choices("abcdefgh", k=200)) for i in range(2000)}
    lines = "".join(json.dumps({"id": i, "output": text}) + "\n" for i, text in texts.items())
    packed = gzip.compress(lines.encode())
    predictions = load_predictions(saved(tmp_path, "m.jsonl", packed[: len(packed) // 2]))
    assert 500 < len(predictions) < 1500
    assert list(predictions.items.items()) == list(texts.items())[: len(predictions)]
    assert "the compressed file is cut off" in predictions.problems[-1].message


def test_a_cut_official_list_keeps_its_whole_items(tmp_path: Path) -> None:
    text = json.dumps(OFFICIAL, indent=4)
    path = saved(tmp_path, "m_outputs.json", text[:-20])
    predictions = load_predictions(path)
    assert list(predictions.items) == ["27_2"]
    assert predictions.problems[0].where == f"{path}:6"
    assert "from here on the file is not JSON" in predictions.problems[0].message


@pytest.mark.parametrize("bad", ["\xff", ""])
def test_places_in_a_list_count_blank_lines(tmp_path: Path, bad: str) -> None:
    items = json.dumps(OFFICIAL, indent=4)[:-2]
    text = items.replace("},", "},\n \n") + ',\n\n    {"identifier": "c' + bad + '"}\n]\n'
    encoding = "latin-1" if bad == "\xff" else "utf-8"
    path = saved(tmp_path, "m_outputs.json", text.encode(encoding))
    predictions = load_predictions(path)
    assert predictions.items == BOTH
    assert {problem.where for problem in predictions.problems} == {f"{path}:13"}


def test_a_list_that_is_none_is_read_line_by_line(tmp_path: Path) -> None:
    predictions = load_predictions(saved(tmp_path, "m.json", "[\noops\n\n" + LINES))
    assert predictions.items == BOTH
    assert [problem.where[-2:] for problem in predictions.problems] == [":1", ":2"]


def test_a_json_file_of_lines_with_a_bad_first_line(tmp_path: Path) -> None:
    predictions = load_predictions(saved(tmp_path, "m.json", '{"id": "a", "out\n' + LINES))
    assert predictions.items == BOTH
    assert len(predictions.problems) == 1


def test_many_problems_are_counted(tmp_path: Path) -> None:
    predictions = load_predictions(saved(tmp_path, "m.jsonl", LINES + "?\n" * 1500))
    assert len(predictions.problems) == 1001
    assert "500 more problems" in predictions.problems[-1].message


@pytest.mark.parametrize(
    ("content", "where", "what"),
    [
        ("", "", "it is empty"),
        (" \n ", "", "it is empty"),
        ("[]", "", "it is empty"),
        ("id,output\n1,x\n", ":1", "there is no prediction in this file"),
        ("\n\n{oops", ":3", "there is no prediction in this file"),
        ('{"a": 1}', ":1", "the output of 'a' is 1, not text"),
        (b"\x00\x01\x02", ":1", "there is no prediction in this file"),
        (gzip.compress(LINES.encode(), mtime=0)[:12], "", "the compressed file is cut off"),
    ],
)
def test_a_file_without_predictions_is_an_error(
    tmp_path: Path, content: str | bytes, where: str, what: str
) -> None:
    path = saved(tmp_path, "m.json", content)
    with pytest.raises(InputError) as caught:
        load_predictions(path)
    assert what in caught.value.what
    assert caught.value.where == f"{path}{where}"
    assert '{"id": ..., "output": ...}' in str(caught.value)


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        load_predictions(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="cannot be read"):
        load_predictions("a\0b")


def test_what_is_no_source_at_all() -> None:
    with pytest.raises(InputError, match="int is not a source of predictions"):
        load_predictions(5)
    with pytest.raises(InputError, match="there is no prediction in this value"):
        load_predictions(pd.DataFrame({"id": ["a"], "plan": ["b"]}))


SEVERAL = (
    '{"id": "a", "output": "1", "model": "x"}\n'
    '{"id": "a", "output": "2", "model": "y"}\n'
    '{"id": "a", "output": "3"}\n'
)


def test_lines_can_name_their_model(tmp_path: Path) -> None:
    path = saved(tmp_path, "rest.jsonl", SEVERAL)
    assert [(p.model, p.items) for p in load_all(path)] == [
        ("x", {"a": "1"}),
        ("y", {"a": "2"}),
        ("rest", {"a": "3"}),
    ]
    assert load_predictions(path, model="y").items == {"a": "2"}
    with pytest.raises(InputError, match="several models") as caught:
        load_predictions(path)
    assert "rest, x, y" in str(caught.value)


def test_a_folder_holds_a_file_for_each_model(tmp_path: Path) -> None:
    saved(tmp_path, "b_outputs.json", json.dumps(OFFICIAL))
    saved(tmp_path, "a_outputs.json.gz", json.dumps(OFFICIAL))
    saved(tmp_path, "summary.json", "{}")
    saved(tmp_path, "notes.txt", "x")
    first, second = load_all(tmp_path)
    assert (first.model, second.model) == ("a", "b")
    left_out = {Path(problem.where).name for problem in first.problems}
    assert left_out == {"notes.txt", "summary.json"}
    assert {problem.reason for problem in first.problems} == {"file"}
    assert [p.model for p in load_all([tmp_path / "b_outputs.json"])] == ["b"]


def test_of_several_files_those_without_predictions_are_left_out(tmp_path: Path) -> None:
    good = saved(tmp_path, "good.jsonl", SEVERAL)
    bad = saved(tmp_path, "bad.jsonl", "Dear all,\n")
    for sources in ([bad, good], [good, str(bad)], {"me": good, "you": bad}):
        found = load_all(sources)
        assert [p.model for p in found][:2] == ["x", "y"]
        told = {str(of.problems[-1]) for of in found}
        assert len(told) == 1
        assert told.pop().startswith(f"{bad}:1: left out: there is no prediction in this file")
    with pytest.raises(InputError, match="No such file"):
        load_all([good, tmp_path / "absent.jsonl"])
    with pytest.raises(InputError, match="there is no prediction in this file"):
        load_all([bad, saved(tmp_path, "bad2.jsonl", "Dear all,\n")])


def test_a_folder_without_predictions(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file of predictions in this folder"):
        load_all(tmp_path)


def test_files_of_the_same_name_get_their_folder(tmp_path: Path) -> None:
    paths = [saved(tmp_path, f"{folder}/m_outputs.json", LINES) for folder in ("v2", "v4")]
    assert [p.model for p in load_all(paths)] == ["m", "v4/m"]
    same = [saved(tmp_path, f"{folder}/v2/m.jsonl", LINES) for folder in ("old", "new")]
    with pytest.raises(SameNameError) as raised:
        load_all([paths[0], *same])
    assert raised.value.name == "v2/m"


def test_the_name_that_is_given_comes_before_that_in_the_file(tmp_path: Path) -> None:
    named = saved(tmp_path, "file.jsonl", '{"id": "1", "output": "x", "model": "field"}\n')
    plain = saved(tmp_path, "other.jsonl", '{"id": "1", "output": "x"}\n')
    assert [p.model for p in load_all({"option": named, "o": plain})] == ["option", "o"]
    assert [p.model for p in load_all([named, plain])] == ["field", "other"]


def test_two_files_that_name_the_same_model_have_to_be_named(tmp_path: Path) -> None:
    line = '{"id": "1", "output": "x", "model": "m"}\n'
    paths = [saved(tmp_path, f"{name}.jsonl", line) for name in ("ok", "rate")]
    names = {"ok": str(paths[0]), "rate": str(paths[1])}
    for sources in (paths, tmp_path):
        with pytest.raises(SameNameError) as raised:
            load_all(sources)
        assert (raised.value.name, raised.value.names) == ("m", names)
    assert [p.model for p in load_all({n: Path(path) for n, path in names.items()})] == [*names]


def test_a_file_that_is_given_twice_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, "m.jsonl", LINES)
    for again in (path, f"{path.parent}/./m.jsonl"):
        with pytest.raises(InputError, match="given twice, and would be evaluated as two models"):
            load_all([path, again])
    for twice in ([tmp_path, tmp_path], [tmp_path, path], [path, tmp_path]):
        with pytest.raises(InputError, match="given twice"):
            load_all(twice)
    assert [p.model for p in load_all({"a": path, "b": path})] == ["a", "b"]


def test_several_sources_can_be_named(tmp_path: Path) -> None:
    path = saved(tmp_path, "m.jsonl", LINES)
    found = load_all({"first": path, "second": BOTH, "third": pd.DataFrame(OFFICIAL)})
    assert [(p.model, p.items) for p in found] == [
        ("first", BOTH),
        ("second", BOTH),
        ("third", BOTH),
    ]


@pytest.mark.parametrize(
    "source", [BOTH, list(BOTH.items()), OFFICIAL, Predictions("unnamed", BOTH)]
)
def test_one_source_is_also_several(source: object) -> None:
    assert load_all(source) == [Predictions("unnamed", BOTH)]


def test_a_frame_can_hold_several_models() -> None:
    frame = pd.DataFrame({"id": ["a", "a"], "output": ["1", float("nan")], "model": ["x", "y"]})
    first, second = load_all(frame)
    assert (first.model, first.items, first.problems) == ("x", {"a": "1"}, [])
    assert (second.model, second.items) == ("y", {})
    assert str(second.problems[0]) == "row 2: the output of 'a' is nan, not text"
