"""The published success rates of AsgardBench."""

import pytest

from eai.errors import UnknownNameError
from eai.suites.asgardbench.suite import (
    CONDITION,
    CONDITIONS,
    NOT_COMPARABLE,
    published_results,
)


def test_the_table_of_the_paper_has_nine_models_and_nine_conditions() -> None:
    results = published_results()
    assert len({each.model for each in results}) == 9
    assert {each.condition for each in results} == set(CONDITIONS)
    assert len(results) == 62


def test_one_condition() -> None:
    rates = {each.model: each.success_rate for each in published_results("text_only_none")}
    assert rates["GPT-4o"] == 0.0
    assert rates["Kimi-K2.5"] == 14.2
    assert "GPT-5.2" not in rates


def test_our_condition_is_none_of_the_published_ones() -> None:
    assert CONDITION not in CONDITIONS
    assert CONDITION in NOT_COMPARABLE
    with pytest.raises(UnknownNameError, match="textual observation"):
        published_results(CONDITION)
