"""The official release itself; skipped where it is not at hand."""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path

import pytest

from eai.errors import DataMissingError
from eai.suites.data import EAI_EVAL, _digest, located
from eai.suites.virtualhome.compact import expand
from eai.suites.virtualhome.release import Archive
from eai.suites.virtualhome.shelf import Shelf
from eai.suites.virtualhome.tasks import TaskLibrary

pytestmark = pytest.mark.official

SAMPLE = ("27_2", "339_1", "826_1", "504_2")


@pytest.fixture(scope="module")
def wheel() -> Path:
    named = os.environ.get("EAI_TEST_WHEEL")
    if named:
        return Path(named)
    try:
        return located(EAI_EVAL)
    except DataMissingError:
        pytest.skip("the official data is not here (eai data fetch eai, or EAI_TEST_WHEEL)")


@pytest.fixture(scope="module")
def shelf(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """The user's own shelf if it is filled already, else a new one."""
    mine = Shelf(wheel=wheel)
    if len(list(mine.folder.glob("*.json"))) < 343:
        mine = Shelf(tmp_path_factory.mktemp("official"), wheel=wheel)
        mine.fill()
    return mine


def test_the_wheel_is_the_pinned_one(wheel: Path) -> None:
    assert _digest(wheel) == (EAI_EVAL.size, EAI_EVAL.sha256)


def test_the_compact_form_loses_nothing(wheel: Path, shelf: Shelf) -> None:
    with Archive(wheel) as archive:
        for number in SAMPLE:
            graph, relevant = archive.graphs(number)
            task = shelf.task(number)
            assert expand(task, shelf.scene) == graph
            assert frozenset(task.relevant) == relevant
            annotation = archive.annotations[number]
            assert (tuple(task.goals), task.formula) == (annotation.goals, annotation.formula)


def test_what_there_is(shelf: Shelf) -> None:
    library = TaskLibrary(shelf)
    tasks = [library.load(number) for number in library.ids]
    assert len(tasks) == 342
    assert len({task.name for task in tasks}) == 26
    assert sum(len(task.plans[0]) for task in tasks) == 2978
    assert sum(task.goal.formula is None for task in tasks) == 4
    assert len({task.goal.text for task in tasks} - {""}) == 92
    kinds = Counter(kind for task in tasks for kind, _ in task.goal.final[0])
    assert kinds == {"state": 340, "relation": 298}
    assert sum(len(task.goal.actions) for task in tasks) == 162


def test_gold_plans_outside_the_vocabulary(shelf: Shelf) -> None:
    """19 gold plans mention an object that they do not change."""
    library = TaskLibrary(shelf)
    outside = [
        task.id
        for task in map(library.load, library.ids)
        if not {name for step in task.plans[0] for name in step.arguments}
        <= task.vocabulary.objects
    ]
    assert len(outside) == 19
    assert "504_2" in outside


def test_names_are_those_of_the_domain(shelf: Shelf) -> None:
    library = TaskLibrary(shelf)
    for number in library.ids:
        task = library.load(number)
        known = task.start.universe.index
        ids = [int(name.rpartition(".")[2]) for name in known]
        assert ids == sorted(ids)
        for step in task.plans[0]:
            assert task.vocabulary.actions[step.name] == len(step.arguments)
            assert set(step.arguments) <= set(known)


def test_loading_is_fast(shelf: Shelf) -> None:
    library = TaskLibrary(shelf)
    library.load("27_2")
    began = time.process_time()
    for number in library.ids:
        library.load(number)
    assert time.process_time() - began < 15  # about 0.2 s when nothing else runs
