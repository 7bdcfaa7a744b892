"""What the page of a result shows: its tables, row by row."""

from __future__ import annotations

import re

from eai.diagnosis import Condition, ErrorKind, Finding, Match, Result

RESULT = Result(
    "evaluated",
    plan=("walk(a)", "open(a)", "close(a)"),
    executed=("done", "failed", "not reached"),
    findings=(
        Finding(ErrorKind.MISSING_STEP, "it is locked", step=2, action="open(a)"),
        Finding(ErrorKind.PARSING, "odd"),
    ),
    goals=(Condition("state", "open(a)", met=False), Condition("state", "lit(b)", met=True)),
    matches=(Match("state", 3, 1, 2),),
    formula="F open(a)",
    formula_holds=False,
)


def rows(result: Result) -> list[list[str]]:
    """The texts of the cells, row by row, headings included."""
    found = []
    for row in re.findall(r"<tr.*?</tr>", result.to_html(), re.DOTALL):
        cells = re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row, re.DOTALL)
        found.append([re.sub(r"<.*?>", "", cell).strip() for cell in cells])
    return found


def test_steps_findings_goals_and_matches_have_a_row_each() -> None:
    found = rows(RESULT)
    for row in (
        ["1", "walk(a)", "done"],
        ["2", "open(a)", "failed"],
        ["3", "close(a)", "not reached"],
        ["missing_step", "2", "it is locked"],
        ["parsing", "", "odd"],
        ["state", "open(a)", "unmet"],
        ["state", "lit(b)", "met"],
        ["state", "3", "1", "2"],
        ["Formula", "F open(a): false"],
    ):
        assert row in found


def test_an_answer_that_was_not_read_has_no_unmet_conditions() -> None:
    unread = Result("evaluated", findings=(Finding(ErrorKind.PARSING, "odd"),), goals=RESULT.goals)
    assert not unread.tried
    assert ["state", "open(a)", "unmet"] not in rows(unread)
    assert RESULT.tried
