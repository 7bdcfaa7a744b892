"""What the page tells of real answers agrees with how they were evaluated."""

from __future__ import annotations

import pytest
from needs import facts, recordings

import eai
from eai.contract.registry import suite as find_suite
from eai.report import details_reader

OUTPUTS = ("eai", "model_outputs")


@pytest.mark.official
@recordings(*OUTPUTS)
@pytest.mark.parametrize("name", ["virtualhome", "behavior"])
def test_the_last_truth_of_a_condition_is_its_verdict(name: str) -> None:
    files = sorted(facts(*OUTPUTS, name, "action_sequencing").glob("*.json*"))
    report = eai.evaluate(name, files[-1], semantics="strict")
    suite = find_suite(name)
    reader = details_reader(suite, suite.semantics("strict"))
    compared = 0
    for record in report.records:
        details = reader(record)
        assert details is not None
        verdicts = {goal.text: goal.met for goal in record.result.goals}
        for row in details.truth:
            assert len(row.truth) == len(details.positions)
            assert row.truth[-1] is verdicts[row.text], (record.task, row.text)
            compared += 1
    assert compared > 100
