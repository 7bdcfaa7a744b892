"""What may be meant by a path that leads nowhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from needs import on

from eai.errors import InputError
from eai.files.paths import advice, similar_paths
from eai.predictions import load_predictions

posix = on(os.sep != "\\")  # where backslashes separate no folders


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "preds").mkdir()
    (tmp_path / "preds" / "alpha.jsonl").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


ALPHA = str(Path("preds", "alpha.jsonl"))


@pytest.mark.parametrize("path", ["preds/alhpa.jsonl", "pred/alpha.jsonl", "./perds/alpha"])
@pytest.mark.usefixtures("home")
def test_what_is_suggested_can_be_read_from_here(path: str) -> None:
    assert similar_paths(path) == [ALPHA]
    assert advice(path) == f"did you mean {ALPHA!r}?"


@posix
@pytest.mark.parametrize("path", ["preds\\alpha.jsonl", "preds\\alhpa.jsonl"])
@pytest.mark.usefixtures("home")
def test_backslashes_are_taken_for_separators(path: str) -> None:
    assert advice(path) == f"did you mean {ALPHA!r}?"


@posix
def test_of_a_path_of_windows_it_is_said_where_it_would_be() -> None:
    told = advice("C:\\Users\\me\\alpha.jsonl")
    assert "as on Windows" in told
    assert "'/mnt/c/Users/me/alpha.jsonl'" in told


def test_absolute_paths_stay_absolute(home: Path) -> None:
    assert similar_paths(home / "pred" / "alpha.json") == [str(home / ALPHA)]


@pytest.mark.usefixtures("home")
def test_a_folder_that_there_is_not_is_named() -> None:
    assert advice("nowhere/x.jsonl") == "check the path: there is no folder 'nowhere'"


@pytest.mark.parametrize("path", ["zzz", "a\0b", ""])
@pytest.mark.usefixtures("home")
def test_without_anything_similar_the_path_is_to_be_checked(path: str) -> None:
    assert advice(path).startswith("check ")


@pytest.mark.usefixtures("home")
def test_misspelled_predictions_are_suggested_with_their_folder() -> None:
    with pytest.raises(InputError, match="cannot be read") as caught:
        load_predictions("preds/alhpa.jsonl")
    assert caught.value.mend == f"did you mean {ALPHA!r}?"
