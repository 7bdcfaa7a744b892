"""Records that were stored are evaluated again for what they do not hold."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import eai
from eai.report import Record, record_from_json, record_to_json
from eai.report.explanation import with_evidence
from eai.suites.household import Household

SUITE = Household()
STRICT = SUITE.semantics("strict")
ANSWER = "walk(bathroom_cabinet.79)\nopen(bathroom_cabinet.79)\nscrub(teeth.8)"


def stored() -> Record:
    found = eai.evaluate(SUITE, {"studio-08": ANSWER}).records
    [record] = [each for each in found if each.task == "studio-08"]
    return record_from_json(record_to_json(record))


def test_a_stored_record_gets_its_evidence_back() -> None:
    record = stored()
    assert record.result.evidence is None
    again = with_evidence(record, SUITE.task(record.task), SUITE, STRICT)
    assert again.result.evidence is not None
    assert again.result == record.result


def test_a_record_with_another_verdict_than_now_stays_as_it_is() -> None:
    other = replace(stored(), output="[]")
    assert with_evidence(other, SUITE.task(other.task), SUITE, STRICT) is other


def page(records: list[Record], tmp_path: Path) -> bytes:
    target = tmp_path / "page.html"
    eai.Report(records).to_html(target, force=True)
    return target.read_bytes()


def test_page_is_the_same_whether_or_not_records_were_made_in_this_process(tmp_path: Path) -> None:
    records = list(eai.evaluate(SUITE, {"studio-08": ANSWER}, tasks="answered").records)
    assert any(finding.evidence for finding in records[0].result.findings)
    stored_records = [record_from_json(record_to_json(record)) for record in records]
    assert page(records, tmp_path) == page(stored_records, tmp_path)


@pytest.mark.official
@pytest.mark.parametrize("semantics", ["official", "strict"])
def test_page_of_subgoals_is_the_same_whether_or_not_records_were_made_in_this_process(
    semantics: str, tmp_path: Path
) -> None:
    lines = ["OPEN(basket_for_clothes.1000)"]
    asked = {"necessity_to_use_action": "no", "actions_to_include": [], "output": lines}
    report = eai.evaluate(
        "virtualhome",
        {"27_2": json.dumps(asked)},
        ability="subgoal_decomposition",
        semantics=semantics,
        tasks="answered",
    )
    records = list(report.records)
    assert any(finding.evidence for finding in records[0].result.findings)
    stored_records = [record_from_json(record_to_json(record)) for record in records]
    assert page(records, tmp_path) == page(stored_records, tmp_path)
