"""Properties of runs that go through files."""

from __future__ import annotations

import shutil
import tempfile
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

import eai
from eai.predictions import load_all
from eai.report.aggregate import tally
from eai.runs.matching import Fit, fit
from eai.runs.shards import AnswerFile, StoredAnswers, Summary, answers_of, shards
from eai.suites.household import Household, samples

COUNTS = st.integers(0, 3000)
TASKS = ["a", "b", "c"]
NAMES = st.sampled_from(["a", "b", "c", " a", "a ", "x", " x", "y"])
ITEMS = st.lists(st.tuples(NAMES, st.text(max_size=3)), min_size=1, max_size=12)


@given(tasks=COUNTS, models=st.integers(1, 3000))
def test_shards_are_consecutive_and_cover_everything(tasks: int, models: int) -> None:
    cut = shards(tasks, models)
    assert list(chain.from_iterable(cut)) == list(range(tasks))
    assert all(cut)
    assert all(len(shard) * models <= max(4096, models) for shard in cut)


@settings(max_examples=50, deadline=None)
@given(items=ITEMS)
def test_answers_on_disk_are_those_in_memory(items: list[tuple[str, str]]) -> None:
    suite = Household()  # which removes blanks around identifiers
    with tempfile.TemporaryDirectory() as name:
        with AnswerFile(Path(name), TASKS, suite.canonical_id) as file:
            [usual] = load_all(items)
            [found] = load_all(items, store=file.answers)
            assert dict(found.items) == usual.items
            assert found.problems == usual.problems
            stored = found.items
            assert isinstance(stored, StoredAnswers)
            known, expected = fit(suite, usual.items, TASKS)
            second = [file.task(raw) for raw in stored.second]
            assert Fit(stored.answered, second, list(stored.strange)) == expected
            file.finish({"m": stored})
        read = answers_of(Path(name), range(3), models=1, of=3)
        assert {TASKS[place]: text for place, _, text in read if text is not None} == known


@pytest.fixture(scope="module")
def interrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that stopped in the middle."""
    folder = tmp_path_factory.mktemp("interrupted")

    def stop(done: int, _: int) -> None:
        if done >= 48:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        eai.evaluate("household", samples()[:1], output=folder, workers=1, progress=stop)
    return folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The records of the run when nothing interrupts it."""
    folder = tmp_path_factory.mktemp("whole")
    eai.evaluate("household", samples()[:1], output=folder)
    return (folder / "records.jsonl").read_bytes()


@settings(max_examples=6, deadline=None)
@given(records=st.floats(0, 1), journal=st.floats(0, 1), workers=st.sampled_from([None, 1]))
def test_files_that_were_cut_anywhere_are_mended(
    records: float, journal: float, workers: int | None, interrupted: Path, whole: bytes
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "run"
        shutil.copytree(interrupted, folder)
        [log] = folder.glob(".parts/*/journal.jsonl")
        for path, share in ((folder / "records.jsonl", records), (log, journal)):
            with path.open("r+b") as stream:
                stream.truncate(round(share * path.stat().st_size))
        eai.evaluate("household", samples()[:1], output=folder, workers=workers)
        assert (folder / "records.jsonl").read_bytes() == whole


def test_a_damaged_line_of_the_journal_ends_it(
    tmp_path: Path, interrupted: Path, whole: bytes
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(interrupted, folder)
    [log] = folder.glob(".parts/*/journal.jsonl")
    first, *_ = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(first + b"\0" * 40 + b"\n")
    eai.evaluate("household", samples()[:1], output=folder, workers=1)
    assert (folder / "records.jsonl").read_bytes() == whole


def test_a_summary_is_read_back() -> None:
    report = eai.evaluate("household", samples())
    counts = [report.tally(model) for model in report.models]
    summary = Summary([*counts, tally([])], {"task": "the \ud800 mistake"})
    assert Summary.from_json(summary.to_json()) == summary
