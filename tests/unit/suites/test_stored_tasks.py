"""Tasks as they are stored: one file each, made from the release when one is missing."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest
from fake_virtualhome_release import write_wheel
from hypothesis import given, strategies as st

from eai.errors import DataError, DataMissingError, UnknownNameError
from eai.simulators import virtualhome_domain
from eai.suites.shared.store import SharedData, StoredStart, atoms_of, numbered
from eai.suites.virtualhome.tasks import HomeStore

OBJECTS = ["bathroom.1", "cup.2", "character.65"]
NAMES = st.sampled_from(OBJECTS)
ATOMS = st.sets(
    st.tuples(st.sampled_from(["clean", "off"]), NAMES) | st.tuples(st.just("inside"), NAMES, NAMES)
)


@given(ATOMS)
def test_atoms_are_read_back(atoms: set[tuple[str, ...]]) -> None:
    shared = SharedData({}, objects=dict.fromkeys(OBJECTS, "thing"), atoms=numbered(atoms, OBJECTS))
    assert atoms_of(shared, virtualhome_domain()) == atoms


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    return write_wheel(tmp_path / "toy.whl")


@pytest.fixture
def store(tmp_path: Path, wheel: Path) -> HomeStore:
    return HomeStore(tmp_path / "stored", wheel=wheel)


def names(store: HomeStore) -> list[str]:
    return sorted(path.name for path in store.folder.iterdir())


def test_filling_makes_one_file_for_each_task(store: HomeStore) -> None:
    told: list[tuple[str, int, int]] = []
    assert store.fill(progress=lambda *news: told.append(news)) == 2
    assert names(store) == ["1_1.json", "2_1.json", "collection.json"]
    assert told == [("converting", 1, 2), ("converting", 2, 2)]
    assert store.fill() == 0
    assert store.fill(force=True) == 2


def test_what_a_killed_process_left_is_removed_when_tasks_are_made(store: HomeStore) -> None:
    store.folder.mkdir()
    left, written = store.folder / ".1_1.json.ab.part", store.folder / ".2_1.json.cd.part"
    for part in (left, written):
        part.write_bytes(b"{")
    hours_ago = time.time() - 7_200
    os.utime(left, (hours_ago, hours_ago))
    assert store.task("2_1").id == "2_1"
    assert not left.exists()
    assert written.exists()  # another process may be writing it now


def test_stored_tasks_do_not_need_the_release(store: HomeStore, wheel: Path) -> None:
    store.fill()
    wheel.unlink()
    again = HomeStore(store.folder, wheel=wheel)
    assert again.ids == ("1_1", "2_1")
    assert again.shared == store.shared
    assert again.task("2_1").instruction == "Take a knife"
    assert list(again.shared.objects) == ["bathroom.1", "character.65", "desk.70"]


def test_missing_files_are_made_when_they_are_asked_for(store: HomeStore) -> None:
    task = store.task("2_1")
    assert names(store) == ["2_1.json", "collection.json"]
    assert HomeStore(store.folder, wheel=store.folder / "absent").task("2_1") == task


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"format": 1}', '{"format": 2, "content": {"colour": 1}}']
)
@pytest.mark.parametrize("name", ["collection", "1_1"])
def test_damaged_and_old_files_are_made_anew(
    name: str, text: str, store: HomeStore, wheel: Path
) -> None:
    good = store.task("1_1")
    path = store.folder / f"{name}.json"
    content = path.read_bytes()
    path.write_text(text)
    again = HomeStore(store.folder, wheel=wheel)
    assert again.task("1_1") == good
    assert path.read_bytes() == content
    path.write_text(text)
    assert HomeStore(store.folder, wheel=wheel).fill() == (2 if name == "1_1" else 1)
    assert path.read_bytes() == content


def test_an_unknown_task_is_told_with_its_neighbours(store: HomeStore) -> None:
    with pytest.raises(UnknownNameError, match="no task named '1_2'") as caught:
        store.task("1_2")
    assert "1_1" in caught.value.suggestions


def test_a_file_that_cannot_be_read_is_told(store: HomeStore) -> None:
    (store.folder / "collection.json").mkdir(parents=True)
    with pytest.raises(DataError, match="cached task cannot be read") as caught:
        _ = store.shared
    assert "EAI_CACHE" in str(caught.value)


def test_a_full_disk_leaves_nothing_half_written(
    store: HomeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(DataError, match="disk is full"):
        store.fill()
    assert names(store) == []


def test_without_the_release_the_command_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EAI_CACHE", str(tmp_path))
    with pytest.raises(DataMissingError, match="eai data fetch eai"):
        HomeStore().task("1_1")


def test_tasks_of_another_flat_are_told_as_damage(store: HomeStore) -> None:
    shared = store.shared
    store.shared = shared._replace(objects={**shared.objects, "ghost.999": "thing"})
    with pytest.raises(DataError, match="not in the scene"):
        store.task("1_1")


def edited(store: HomeStore, name: str) -> bytes:
    """Change what a stored task says and leave its form as it is; return what it was."""
    path = store.folder / f"{name}.json"
    before = path.read_bytes()
    changed = before.replace(b'"instruction":"', b'"instruction":"No: ')
    assert changed != before
    path.write_bytes(changed)
    return before


def test_a_file_that_was_edited_is_made_anew(store: HomeStore, wheel: Path) -> None:
    store.fill()
    good = store.task("2_1")
    before = edited(store, "2_1")
    assert [path.name for path in store.verify()] == ["2_1.json"]
    assert HomeStore(store.folder, wheel=wheel).task("2_1") == good
    assert (store.folder / "2_1.json").read_bytes() == before
    assert store.verify() == []


def test_a_file_under_the_name_of_another_task_is_made_anew(store: HomeStore, wheel: Path) -> None:
    store.fill()
    good = store.task("2_1")
    path, other = (store.folder / f"{name}.json" for name in ("2_1", "1_1"))
    path.write_bytes(other.read_bytes())
    assert store.verify() == [path]
    assert HomeStore(store.folder, wheel=wheel).task("2_1") == good
    assert store.verify() == []


def test_a_file_with_a_hash_of_its_own_making_is_found_out(store: HomeStore) -> None:
    store.fill()
    store._write("2_1", store.task("2_1")._replace(instruction="Do nothing."))
    assert [path.name for path in store.verify()] == ["2_1.json"]
    (store.folder / "9_9.json").write_bytes((store.folder / "2_1.json").read_bytes())
    assert [path.name for path in store.verify()] == ["2_1.json", "9_9.json"]


def test_an_edited_file_is_not_read_without_the_release(
    store: HomeStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.fill()
    edited(store, "2_1")
    monkeypatch.setenv("EAI_CACHE", str(tmp_path))
    with pytest.raises(DataMissingError, match="has not been fetched"):
        HomeStore(store.folder).task("2_1")


def test_an_unknown_value_with_the_right_hash_is_told(store: HomeStore) -> None:
    start = StoredStart(atoms={"shiny": [0]})
    store._write("2_1", store.task("2_1")._replace(start=start.text))
    with pytest.raises(DataError, match="the predicate 'shiny', which its domain does not declare"):
        _ = store.load("2_1").start


@pytest.mark.parametrize("text", ["", "[]", '{"shiny": []}'])
def test_a_start_that_is_none_with_the_right_hash_is_told(store: HomeStore, text: str) -> None:
    store._write("2_1", store.task("2_1")._replace(start=text))
    with pytest.raises(DataError) as caught:
        _ = store.load("2_1").start
    assert caught.value.mend
