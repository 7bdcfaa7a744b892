"""A leaderboard as a data frame, and names that are too long for a line."""

from __future__ import annotations

from dataclasses import replace

import pytest
from report_samples import GARBLED, SOLVED, record

from eai.report import Leaderboard, Report
from eai.report.record import Records


def report(suite: str, solved: dict[str, str]) -> Report:
    kinds = {"+": SOLVED, "-": GARBLED}
    return Report(
        [
            replace(record(kinds[sign], task=f"t{n}", model=model), suite=suite)
            for model, signs in solved.items()
            for n, sign in enumerate(signs)
        ]
    )


def test_columns_stay_in_the_order_of_the_reports_and_rows_in_that_of_the_ranks() -> None:
    pytest.importorskip("pandas")
    board = Leaderboard(
        [
            report("zoo", {"a": "+--", "b": "++-", "c": "---"}),
            report("ark", {"a": "+++", "b": "+--"}),
        ]
    )
    frame = board.table()
    assert list(frame.index) == ["b", "a", "c"]
    assert [key[0] for key in frame.columns] == ["zoo", "ark"]
    assert frame.iloc[0, 0] == pytest.approx(200 / 3)
    assert frame.iloc[1, 1] == pytest.approx(100)
    assert frame.iloc[2].isna().tolist() == [False, True]


@pytest.mark.parametrize("length", [59, 60, 61, 90])
def test_a_name_of_sixty_characters_is_shown_whole(length: int) -> None:
    name = "m" * length
    shown = repr(Records([record(SOLVED, model=name)]))
    assert (name in shown) is (length <= 60)
    assert ("m" * 55 in shown) is True
