"""Records that were stored are evaluated again for what they do not hold."""

from __future__ import annotations

from dataclasses import replace

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
