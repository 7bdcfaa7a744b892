"""Operators that are read one by one are those that are read out of the whole answer."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from eai.suites.transition_reader import _read, find_operators

WORDS = (
    *("(:action open", ":parameters", ":precondition", ":effect"),
    *("(?x - a)", "()", "(and (on ?x) (not (off ?x)))", "(", ")", "; note", "(:action shut"),
)
WHOLE = "(:action open :parameters () :precondition (on ?x) :effect (and (off ?x)))"


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from((*WORDS, WHOLE)), max_size=14))
def test_operators_are_read_alone_as_in_the_whole_answer(words: list[str]) -> None:
    text = " ".join(words).replace("; note", "")
    assert find_operators(text) == _read(" ".join(text.split()))


@given(st.integers(0, 2 * len(WHOLE)), st.sampled_from(["", "(", ")", ":effect "]))
def test_a_change_anywhere_is_read_as_in_the_whole_answer(at: int, put: str) -> None:
    text = f"{WHOLE} {WHOLE.replace('open', 'shut')}"
    text = text[:at] + put + text[at + 1 :]
    assert find_operators(text) == _read(" ".join(text.split()))
