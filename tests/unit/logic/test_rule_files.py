"""Files of rules: what is read, and what is refused and where."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from eai.errors import InputError, ParseError, SchemaError, UnknownNameError
from eai.logic import LogicVocabulary, Rule, load_rules, parse_formula

CLOSED = {"name": "closed", "formula": "G !open(a)"}
NAMES = LogicVocabulary(
    {"open": 1}, objects={"a": "box"}, types={"object": "object", "box": "object"}
)


def written(path: Path, *lines: object) -> Path:
    path.write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
    return path


def test_lines_and_one_list_are_the_same_rules(tmp_path: Path) -> None:
    other = {"name": "b", "formula": "F open(a)", "tasks": ["t1"], "text": "It is opened."}
    lines = written(tmp_path / "rules.jsonl", CLOSED, other)
    whole = written(tmp_path / "rules.json", [CLOSED, other])
    rules = load_rules(lines)
    assert rules == load_rules(whole) == load_rules([CLOSED, other])
    assert rules[1] == Rule("b", "F open(a)", ("t1",), "It is opened.")
    assert load_rules(list(rules)) == rules


@pytest.mark.parametrize(
    "entry",
    [
        ["G !open(a)"],
        {"formula": "G !open(a)"},
        {"name": "", "formula": "G !open(a)"},
        {"name": "a", "formula": 3},
        {**CLOSED, "tasks": "t1"},
        {**CLOSED, "tasks": []},
        {**CLOSED, "tasks": [1]},
        {**CLOSED, "text": None},
        {"name": "of one state", "formula": "not open(a)"},
    ],
)
def test_what_is_no_rule_is_refused_with_its_line(tmp_path: Path, entry: object) -> None:
    path = written(tmp_path / "rules.jsonl", {**CLOSED, "name": "first"}, entry)
    with pytest.raises(SchemaError) as raised:
        load_rules(path)
    assert str(raised.value.where).startswith(f"{path}:2")


def test_a_rule_with_a_key_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rules.jsonl"
    path.write_text('{"name": "n", "formula": "G !open(a)", "formula": "F open(a)"}\n', "utf-8")
    with pytest.raises(SchemaError) as raised:
        load_rules(path)
    assert raised.value.where == f"{path}:1"


def test_two_rules_of_one_name_are_refused() -> None:
    with pytest.raises(SchemaError):
        load_rules([CLOSED, CLOSED])


def test_unknown_key_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError) as raised:
        load_rules([{"name": "a", "formule": "G !open(a)"}])
    assert list(raised.value.suggestions) == ["formula"]


def test_formula_that_does_not_parse_names_its_rule(tmp_path: Path) -> None:
    path = written(tmp_path / "rules.jsonl", {"name": "cut", "formula": "G ("})
    with pytest.raises(ParseError) as raised:
        load_rules(path)
    assert str(path) in str(raised.value)
    assert "cut" in str(raised.value)


@pytest.mark.parametrize("text", ["", "\n\n", "[]"])
def test_file_without_rules_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "rules.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError):
        load_rules(path)


@pytest.mark.parametrize("source", [3, None, {"name": "a"}])
def test_other_values_are_refused(source: object) -> None:
    with pytest.raises(InputError):
        load_rules(source)


def test_missing_file_and_broken_json_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load_rules(tmp_path / "none.jsonl")
    assert os.strerror(errno.ENOENT) in str(caught.value)
    (tmp_path / "latin.jsonl").write_bytes(b'{"name": "\xe9"}')
    with pytest.raises(InputError) as caught:
        load_rules(tmp_path / "latin.jsonl")
    assert "utf-8" in str(caught.value)
    broken = tmp_path / "rules.jsonl"
    broken.write_text('{"name": ', "utf-8")
    with pytest.raises(SchemaError):
        load_rules(broken)


@pytest.mark.parametrize("formula", ["G !opn(a)", "G !open(b)", "G forall x:crate. (!open(x))"])
def test_names_that_a_task_does_not_have_are_refused(formula: str) -> None:
    [rule] = load_rules([{"name": "a", "formula": formula}])
    with pytest.raises(InputError):
        rule.formula_for(NAMES)


@pytest.mark.parametrize(
    "record",
    [
        CLOSED,
        {**CLOSED, "tasks": ["t1", "t2"]},
        {**CLOSED, "severity": "warning"},
        {**CLOSED, "text": "It stays closed."},
        {**CLOSED, "tasks": ["t1"], "severity": "warning", "text": "It stays closed."},
    ],
)
def test_a_rule_is_written_as_it_was_read(record: dict[str, object]) -> None:
    (rule,) = load_rules([record])
    assert rule.as_record() == record


def test_a_formula_over_the_names_of_a_task_is_returned() -> None:
    (rule,) = load_rules([CLOSED])
    assert rule.formula_for(NAMES) is parse_formula("G !open(a)", vocabulary=NAMES)


def test_rules_of_a_list_are_numbered_from_one(tmp_path: Path) -> None:
    path = written(tmp_path / "rules.json", [CLOSED, {**CLOSED, "name": ""}])
    with pytest.raises(SchemaError) as raised:
        load_rules(path)
    assert raised.value.where == f"{path}[2]"


def test_the_place_of_a_rule_is_no_part_of_it(tmp_path: Path) -> None:
    (from_list,) = load_rules([CLOSED])
    (from_file,) = load_rules(written(tmp_path / "rules.jsonl", CLOSED))
    assert from_list == from_file
    assert repr(from_list) == repr(from_file)
    assert from_list.place != from_file.place
