"""Tests find nothing that is the user's, but for those that are marked for the official data."""

from __future__ import annotations

from pathlib import Path

import pytest

from eai.errors import DataMissingError
from eai.suites.shared.data import EAI_EVAL, cache_folder, located


def test_the_cache_is_in_a_home_of_the_tests() -> None:
    assert Path.home().name.startswith("eai-tests-home-")
    assert cache_folder().parent == Path.home()


def test_an_unmarked_test_has_no_official_data() -> None:
    with pytest.raises(DataMissingError):
        located(EAI_EVAL)


@pytest.mark.official
def test_a_marked_test_has_the_official_data(official_wheel: Path) -> None:
    assert official_wheel == located(EAI_EVAL)
