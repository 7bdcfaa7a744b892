"""Answers on disk are a mapping like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from eai.runs.shards import AnswerFile, answers_of


def test_answers_are_found_by_identifier_and_by_task(tmp_path: Path) -> None:
    with AnswerFile(tmp_path, ["a", "b", "c"], str.strip) as file:
        first, second = file.answers(), file.answers()
        first["b"] = "of b\n\ud800"
        first[" b "] = "again"
        first["z"] = "of nothing"
        second["c "] = "of c"
        assert dict(first) == {"b": "of b\n\ud800", " b ": "again", "z": "of nothing"}
        assert list(first.second) == [" b "]
        assert list(first.strange) == ["z"]
        assert (len(first), first.answered, len(second)) == (3, 1, 1)
        assert "b" in first
        assert "c" not in second  # it was given as "c "
        with pytest.raises(KeyError):
            _ = second["c"]
        file.finish({"one": first, "two": second})
    found = list(answers_of(tmp_path, range(1, 3), models=2, of=3))
    assert found == [(1, 0, "of b\n\ud800"), (1, 1, None), (2, 0, None), (2, 1, "of c")]


def test_answers_can_be_forgotten(tmp_path: Path) -> None:
    with AnswerFile(tmp_path, ["a"], str.strip) as file:
        answers = file.answers()
        answers.update({"a": "1", "a ": "2", "z": "3"})
        for raw in ("z", "a ", "a"):
            del answers[raw]
        assert dict(answers) == {}
        with pytest.raises(KeyError):
            del answers["a"]


def test_other_answers_have_another_checksum(tmp_path: Path) -> None:
    seen = set()
    for raw, text, model in (("a", "1", "m"), ("b", "1", "m"), ("a", "2", "m"), ("a", "1", "n")):
        with AnswerFile(tmp_path, ["a", "b"], str.strip) as file:
            answers = file.answers()
            answers[raw] = text
            seen.add(file.finish({model: answers}))
    assert len(seen) == 4
