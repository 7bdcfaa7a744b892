"""Properties of records, tallies, intervals and printable text, over arbitrary values."""

from hypothesis import given, settings, strategies as st

from eai.diagnosis import GOAL_KINDS, Condition, ErrorKind, Finding, Result
from eai.report import Record, Tally, record_from_json, record_to_json, wilson
from eai.report.aggregate import tally
from eai.report.metrics.plans import PLANS
from eai.text import latex, printable


def _joined(text: str) -> str:
    # JSON cannot tell a surrogate pair from the character that it stands for.
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


TEXTS = st.text(st.characters(), max_size=20).map(_joined)
STEPS = st.none() | st.integers(0, 1000)
MANY_TEXTS = st.lists(TEXTS, max_size=3).map(tuple)
FINDINGS = st.builds(
    Finding,
    kind=st.sampled_from(ErrorKind),
    text=TEXTS,
    step=STEPS,
    action=TEXTS,
    conditions=MANY_TEXTS,
    held_until=STEPS,
    destroyed_by=STEPS,
    position=STEPS,
)
CONDITIONS = st.builds(
    Condition,
    kind=st.sampled_from(GOAL_KINDS),
    text=TEXTS,
    met=st.booleans(),
    since=STEPS,
    lost_by=STEPS,
)
RESULTS = st.builds(
    Result,
    status=st.sampled_from(("evaluated", "missing", "excluded")),
    success=st.booleans(),
    executable=st.booleans(),
    plan=MANY_TEXTS,
    executed=st.lists(
        st.sampled_from(("done", "skipped", "failed", "not reached")), max_size=3
    ).map(tuple),
    findings=st.lists(FINDINGS, max_size=3).map(tuple),
    goals=st.lists(CONDITIONS, max_size=3).map(tuple),
    formula=TEXTS,
    formula_holds=st.none() | st.booleans(),
    reason=TEXTS,
    notes=MANY_TEXTS,
)
RECORDS = st.builds(
    Record,
    **dict.fromkeys(
        ("suite", "version", "ability", "semantics", "model", "task", "name", "output"), TEXTS
    ),
    result=RESULTS,
)
MANY = st.lists(RESULTS, max_size=6)


@settings(max_examples=150)
@given(RECORDS)
def test_a_record_survives_json_exactly(record: Record) -> None:
    line = record_to_json(record)
    assert record_from_json(line) == record
    assert record_to_json(record_from_json(line)) == line
    assert line.isascii()
    assert "\n" not in line


@settings(max_examples=60)
@given(MANY, MANY, MANY)
def test_tallies_merge_in_any_grouping(
    one: list[Result], two: list[Result], three: list[Result]
) -> None:
    whole = tally([*one, *two, *three])
    assert (tally(one) + tally(two)) + tally(three) == whole
    assert tally(one) + (tally(two) + tally(three)) == whole
    assert tally(two) + tally(one) + tally(three) == whole
    assert sum([tally(one), tally(two), tally(three)], Tally()) == whole


@settings(max_examples=60)
@given(MANY)
def test_metrics_are_proportions_unless_they_count_occurrences(evaluated: list[Result]) -> None:
    for metric in PLANS.metrics(tally(evaluated)):
        if metric.value is None:
            assert metric.denominator == metric.numerator == 0
        elif metric.unit != "occurrences":
            assert 0 <= metric.value <= 100


@settings(max_examples=150)
@given(st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_an_interval_holds_its_rate_and_mirrors(counts: tuple[int, int]) -> None:
    successes, trials = counts
    low, high = wilson(successes, trials)
    assert 0 <= low <= 100 * successes / trials <= high <= 100
    mirrored_low, mirrored_high = wilson(trials - successes, trials)
    assert abs(low + mirrored_high - 100) < 1e-9
    assert abs(high + mirrored_low - 100) < 1e-9


@settings(max_examples=150)
@given(st.text(st.characters()))
def test_printable_text_can_be_written_and_is_printable_already(text: str) -> None:
    shown = printable(text)
    shown.encode("utf-8")
    assert printable(shown) == shown
    assert not any(character in shown for character in "\x00\x1b\r\u202e\u2028")


@settings(max_examples=150)
@given(st.text(alphabet='\\{}$&#%_^~<>|"`ab ', max_size=30))
def test_latex_leaves_no_character_with_a_meaning(text: str) -> None:
    shown = latex(text)
    for command in (r"\textbackslash{}", r"\textasciicircum{}", r"\textasciitilde{}"):
        shown = shown.replace(command, "")
    for escape in (r"\{", r"\}", r"\$", r"\&", r"\#", r"\%", r"\_"):
        shown = shown.replace(escape, "")
    assert not set('$&#%_^~<>|"`') & set(shown)
    assert shown.count("{") == shown.count("}")
