"""Properties of runs that go through a journal."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import eai
from eai.predictions import load_all
from eai.runs import match_answers
from eai.runs.journal import Answers, Journal
from eai.suites.household import Household, samples

TASKS = ["a", "b", "c"]
NAMES = st.sampled_from(["a", "b", "c", " a", "a ", "x", " x", "y"])
TEXTS = st.text(max_size=3) | st.sampled_from(["\ud800", "\ud83d\ude00", "\0"])
ITEMS = st.lists(st.tuples(NAMES, TEXTS), min_size=1, max_size=12)


@settings(max_examples=50)
@given(items=ITEMS)
def test_answers_in_a_journal_are_those_in_memory(items: list[tuple[str, str]]) -> None:
    suite = Household()  # which removes blanks around identifiers
    with Journal() as journal:
        [usual] = load_all(items)
        [found] = load_all(items, store=journal.answers)
        assert dict(found.items) == usual.items
        assert found.problems == usual.problems
        answers = found.items
        assert isinstance(answers, Answers)
        known, expected = match_answers(suite, usual.items.items(), TASKS)
        numbers, fitting = match_answers(suite, answers.numbers(), TASKS)
        assert fitting == expected
        texts = journal.texts(numbers.values())
        assert {task: texts[number] for task, number in numbers.items()} == known
        journal.close()


def test_answers_are_a_mapping_like_any_other() -> None:
    with Journal() as journal:
        first, second = journal.answers(), journal.answers()
        first.update({"b": "1", "a": "2"})
        first["b"] = "3"
        second["c"] = "4"
        assert (list(first.items()), len(second)) == ([("b", "3"), ("a", "2")], 1)
        assert "c" not in first
        del first["b"]
        with pytest.raises(KeyError):
            del first["b"]
        journal.close()


CHANGES = st.lists(st.tuples(st.sampled_from("+-?#"), NAMES, TEXTS), max_size=20)


@pytest.mark.parametrize("waiting_bytes", [0, 250, 1 << 20])
@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=CHANGES)
def test_answers_are_the_same_whether_they_wait_to_be_written(
    waiting_bytes: int, monkeypatch: pytest.MonkeyPatch, changes: list[tuple[str, str, str]]
) -> None:
    monkeypatch.setattr("eai.runs.journal._MAX_WAITING_BYTES", waiting_bytes)
    expected: dict[str, str] = {}
    with Journal() as journal:
        other, answers = journal.answers(), journal.answers()
        other["a"] = "of another model"
        for change, name, text in changes:
            if change == "+":
                answers[name] = expected[name] = text
            elif change == "-":
                assert answers.pop(name, None) == expected.pop(name, None)
            elif change == "#":
                assert len(answers) == len(expected)
            assert (name in answers, answers.get(name)) == (name in expected, expected.get(name))
        assert list(answers.items()) == list(expected.items())
        assert dict(other) == {"a": "of another model"}
        journal.close()


def test_lines_of_tasks_are_the_same_whether_their_records_are_written() -> None:
    with Journal() as journal:
        assert journal.is_empty
        for task, model, line in (
            ("a", "m", "1"),
            ("b", "m", "2"),
            ("a", "n", "3"),
            ("a", "m", "4"),
        ):
            journal.put(task, model, b"key", line)
        of_task = {("a", "m"): b"4", ("a", "n"): b"3"}
        assert not journal.is_empty
        assert journal.lines_of_tasks(["a"]) == of_task
        assert sorted(journal.lines()) == [b"2", b"3", b"4"]  # which writes them
        journal.put("a", "l", b"key", "5")
        assert journal.lines_of_tasks(["a"]) == {**of_task, ("a", "l"): b"5"}
        journal.close()


FEW = Household().task_ids()[:24]


def evaluate(folder: Path, **options: Any) -> None:
    """A run over a few tasks."""
    eai.evaluate("household", samples()[:1], tasks=FEW, output=folder, **options)


def stop_after(number: int) -> Callable[[int, int], None]:
    def stop(done: int, _: int) -> None:
        if done >= number:
            raise KeyboardInterrupt

    return stop


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The records of the run when nothing interrupts it."""
    folder = tmp_path_factory.mktemp("whole")
    evaluate(folder)
    return (folder / "records.jsonl").read_bytes()


@settings(max_examples=4)
@given(stops=st.lists(st.integers(1, len(FEW)), max_size=3), workers=st.sampled_from([None, 1]))
def test_runs_that_stop_anywhere_go_on(stops: list[int], workers: int | None, whole: bytes) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "run"
        for number in stops:
            with pytest.raises(KeyboardInterrupt):
                evaluate(folder, workers=workers, progress=stop_after(number))
        evaluate(folder, workers=workers)
        assert (folder / "records.jsonl").read_bytes() == whole


@pytest.fixture(scope="module")
def interrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that stopped in the middle."""
    folder = tmp_path_factory.mktemp("interrupted")
    with pytest.raises(KeyboardInterrupt):
        evaluate(folder, progress=stop_after(15))
    return folder


@settings(max_examples=6)
@given(share=st.floats(0, 1))
def test_a_journal_that_was_cut_is_used_or_refused(
    share: float, interrupted: Path, whole: bytes
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "run"
        shutil.copytree(interrupted, folder)
        with (folder / ".journal.sqlite3").open("r+b") as stream:
            stream.truncate(round(share * (folder / ".journal.sqlite3").stat().st_size))
        try:
            evaluate(folder)
        except eai.EaiError:
            evaluate(folder, force=True)
        assert (folder / "records.jsonl").read_bytes() == whole
