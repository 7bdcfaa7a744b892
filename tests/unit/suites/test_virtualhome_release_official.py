"""The official release itself."""

from __future__ import annotations

import time
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

from eai.suites.shared.data import EAI_EVAL
from eai.suites.virtualhome.release import HomeArchive
from eai.suites.virtualhome.tasks import HomeStore

pytestmark = pytest.mark.official

SAMPLE = ("27_2", "339_1", "826_1", "504_2")


@pytest.fixture(scope="module")
def store(official_wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> HomeStore:
    """The user's own tasks if they are converted already, else new ones."""
    mine = HomeStore(wheel=official_wheel)
    if len(list(mine.folder.glob("*.json"))) < 343:
        mine = HomeStore(tmp_path_factory.mktemp("official"), wheel=official_wheel)
        mine.fill()
    return mine


def test_the_wheel_is_the_pinned_one(official_wheel: Path) -> None:
    content = official_wheel.read_bytes()
    assert (len(content), sha256(content).hexdigest()) == (EAI_EVAL.size, EAI_EVAL.sha256)


@pytest.mark.heavy
def test_what_is_stored_is_what_the_release_has(official_wheel: Path, store: HomeStore) -> None:
    with HomeArchive(official_wheel) as archive:
        for number in SAMPLE:
            graph, relevant = archive.graphs(number)
            task = store.load(number)
            assert task.start.universe.names == tuple(graph.names.values())
            atoms = {(atom.predicate, *map(str, atom.terms)) for atom in task.start.atoms()}
            assert atoms == graph.atoms
            assert task.vocabulary.objects == {graph.names[each] for each in relevant}
            assert task.goal.text == archive.annotations[number][1]["formula"]


def test_what_there_is(store: HomeStore) -> None:
    tasks = [store.load(number) for number in store.ids]
    assert len(tasks) == 342
    assert len({task.name for task in tasks}) == 26
    assert sum(len(task.plans[0]) for task in tasks) == 2978
    assert sum(task.goal.formula is None for task in tasks) == 4
    assert len({task.goal.text for task in tasks} - {""}) == 92
    kinds = Counter(kind for task in tasks for kind, _ in task.goal.final[0])
    assert kinds == {"state": 340, "relation": 298}
    assert sum(len(task.goal.actions) for task in tasks) == 162


def test_gold_plans_outside_the_vocabulary(store: HomeStore) -> None:
    """19 gold plans mention an object that they do not change."""
    outside = [
        task.id
        for task in map(store.load, store.ids)
        if not {name for step in task.plans[0] for name in step.arguments}
        <= task.vocabulary.objects
    ]
    assert len(outside) == 19
    assert "504_2" in outside


def test_names_are_those_of_the_domain(store: HomeStore) -> None:
    for number in store.ids:
        task = store.load(number)
        known = task.start.universe.index
        ids = [int(name.rpartition(".")[2]) for name in known]
        assert ids == sorted(ids)
        for step in task.plans[0]:
            assert task.vocabulary.actions[step.name] == len(step.arguments)
            assert set(step.arguments) <= set(known)


def test_loading_is_fast(store: HomeStore) -> None:
    store.load("27_2")
    began = time.process_time()
    for number in store.ids:
        store.load(number)
    assert time.process_time() - began < 15  # about 0.2 s when nothing else runs
