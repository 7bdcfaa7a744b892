"""Answers to a task that are alike to the letter are evaluated, and looked at, once."""

from __future__ import annotations

import pytest

import eai
from eai.diagnosis import Result
from eai.report import Record, details_reader
from eai.report.page import Details
from eai.report.page.items import portions
from eai.suites.household import Household, samples


@pytest.fixture
def evaluated(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    answers: list[str | None] = []
    plain = Household.evaluate

    def counting(
        self: Household,
        ability: str,
        task: eai.Task,
        answer: str | None,
        semantics: eai.Semantics,
    ) -> Result:
        answers.append(answer)
        return plain(self, ability, task, answer, semantics)

    monkeypatch.setattr(Household, "evaluate", counting)
    return answers


def test_alike_answers_of_several_models_are_evaluated_once(
    evaluated: list[str | None],
) -> None:
    suite = Household()
    first, second = suite.task_ids()[:2]
    plan = "\n".join(map(str, suite.task(first).plans[0]))
    given = {"a": {first: plan, second: "x"}, "b": {first: plan, second: "y"}, "c": {first: plan}}
    report = eai.evaluate(suite, given, tasks=[first, second])
    # Whether the empty plan solves a task is asked once for each.
    assert evaluated == [plan, "[]", "x", "[]", "y", None]
    assert [record.model for record in report.records] == ["a", "a", "b", "b", "c", "c"]
    alone = eai.evaluate(suite, {"b": given["b"]}, tasks=[first, second])
    assert [each.result for each in alone.records] == [each.result for each in report.of("b")]


def test_the_page_looks_once_at_answers_that_are_alike() -> None:
    suite = Household()
    report = eai.evaluate(suite, {"a": samples()[0], "b": samples()[0]})
    read = details_reader(suite, suite.semantics("official"))
    seen: list[tuple[str, str]] = []

    def counting(record: Record) -> Details | None:
        seen.append((record.task, record.output))
        return read(record)

    assert list(portions(report.records, counting))
    assert len(seen) == len(set(seen)) == len(report.of("a"))
    assert list(portions(report.of("a"), read)) == list(portions(report.of("b"), read))
