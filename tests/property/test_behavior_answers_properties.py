"""Whatever a model writes, a BEHAVIOR answer is evaluated and nothing is raised."""

from __future__ import annotations

import ast
import warnings

from hypothesis import given, settings, strategies as st
from small_behavior import OFFICIAL, STRICT, SUITE, kitchen, task_in, written

from eai.semantics import Semantics
from eai.suites.behavior.plans import BehaviorPlans
from eai.suites.behavior.quirks import QUIRKS
from eai.suites.behavior.reader import read_answer

TASK = task_in(kitchen("Open jar_3", "inside egg_6 jar_3; ontop jar_3 table_1"))
NAMES = sorted(TASK.vocabulary.objects)
WORDS = ("action", "object", "OPEN", "jar_3", "null", "True", "1e9", "# so")
pieces = st.sampled_from(
    ['{"action": "OPEN", "object": "jar_4"}', "[]", *WORDS, *"[]{}()\"',: \n\\\0"]
)
texts = st.lists(pieces, max_size=25).map("".join)
steps = st.builds(
    "{} {}".format,
    st.sampled_from([name.upper() for name in TASK.vocabulary.actions] + ["BURN", "open"]),
    st.lists(st.sampled_from([*NAMES, "unicorn_1"]), min_size=1, max_size=3).map(", ".join),
)
semantics = st.one_of(
    st.sampled_from([OFFICIAL, STRICT]),
    st.sets(st.sampled_from(sorted(QUIRKS)), max_size=4).map(
        lambda off: SUITE.semantics("official", without=sorted(off))
    ),
    st.sets(st.sampled_from(sorted(QUIRKS)), max_size=4).map(
        lambda on: SUITE.semantics("strict", only=sorted(on))
    ),
)
modestly = settings(max_examples=60)


@modestly
@given(st.one_of(texts, st.text(max_size=40)), semantics)
def test_any_text_is_evaluated(text: str, chosen: Semantics) -> None:
    result = BehaviorPlans(chosen).evaluate(TASK, text)
    assert result.status == "evaluated"
    assert result.success or result.findings


@modestly
@given(st.lists(steps, min_size=1, max_size=12), semantics)
def test_any_plan_is_evaluated(plan: list[str], chosen: Semantics) -> None:
    result = BehaviorPlans(chosen).evaluate(TASK, written(plan))
    assert len(result.plan) == len(result.executed) == len(plan)
    done = [outcome for outcome in result.executed if outcome != "not reached"]
    assert result.executable is (len(done) == len(plan) and "failed" not in done)
    assert all(finding.step is None or finding.step <= len(plan) for finding in result.findings)


@modestly
@given(texts)
def test_official_reads_what_python_reads_as_a_list_of_literals(text: str) -> None:
    start, end = text.find("["), text.find("]")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = ast.literal_eval(text[start : end + 1]) if 0 <= start < end else None
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        value = None
    wanted = [
        item
        for item in value or ()
        if isinstance(item, dict) and "action" in item and "object" in item
    ]
    kinds = [f.kind.value for f in read_answer(text, TASK.vocabulary, OFFICIAL).findings]
    assert ("parsing" in kinds) is (not wanted)
