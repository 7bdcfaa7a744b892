"""Properties of reading damaged PDDL: always a model and findings, never an exception."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from fixtures_pddl import DOMAINS, FOLDER
from hypothesis import HealthCheck, given, settings, strategies as st
from strategies_pddl import domains

from eai.pddl import Domain, Issue, format_domain, read_actions, read_domain, read_problem

slow = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
FILES = sorted(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.pddl"))
BRACKETS = {"unclosed-bracket", "extra-bracket", "missing-bracket"}
Read = Callable[[str], tuple[object, Sequence[Issue]]]


def operators(text: str) -> tuple[object, list[Issue]]:
    read, outside = read_actions(text, domain=DOMAINS["gripper"])
    return read, [*outside, *(issue for one in read for issue in one.issues)]


READERS: list[Read] = [
    read_domain,
    read_problem,
    partial(read_problem, domain=DOMAINS["gripper"]),
    operators,
]


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A file with some pieces replaced by others, and perhaps cut off."""
    text = draw(st.sampled_from(FILES))
    junk = st.text(alphabet='()()?:-; \n\\`"{}=aZ09.\u00e9', max_size=3)
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(text)))
        end = start + draw(st.integers(0, 12))
        text = text[:start] + draw(junk) + text[end:]
    return text[: draw(st.integers(0, len(text)))] if draw(st.booleans()) else text


@slow
@given(st.sampled_from(READERS), damaged())
def test_damaged_text_is_read_with_findings_at_places_inside_of_it(read: Read, text: str) -> None:
    _, issues = read(text)
    for issue in issues:
        assert issue.place is not None
        assert 0 <= issue.place.position <= len(text)
        assert issue.render().count("\n") >= 2


@slow
@given(domains(), st.data())
def test_a_lost_bracket_leaves_the_other_actions(domain: Domain, data: st.DataObject) -> None:
    text = format_domain(domain)
    actions = [i for i in range(len(text)) if text.startswith("(:action", i)]
    if len(actions) < 2:
        return
    # a bracket of the first action, and not the one before its keyword
    brackets = [i for i in range(actions[0] + 1, actions[1]) if text[i] in "()"]
    at = data.draw(st.sampled_from(brackets))
    read, issues = read_domain(text[:at] + text[at + 1 :])
    assert BRACKETS & {issue.kind for issue in issues}
    first, *others = domain.operators
    assert {name: read.operators[name] for name in others} == {
        name: domain.operators[name] for name in others
    }
    assert first in read.operators


@slow
@given(domains())
def test_operators_read_alone_are_those_of_the_domain(domain: Domain) -> None:
    read, _ = read_actions(format_domain(domain))
    assert [one.operator for one in read] == list(domain.operators.values())
