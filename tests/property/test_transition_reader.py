"""Operators are found by one pattern as by going through the answer bracket by bracket."""

from __future__ import annotations

import re

from hypothesis import example, given, settings, strategies as st

from eai.abilities import OperatorText
from eai.suites.transition.written import find_operators

WORDS = (
    *("(:action open", ":parameters", ":precondition", ":effect", "(:action shut", "x:y"),
    *("(?x - a)", "()", "( )", "(and (on ?x) (not (off ?x)))", "((on) (off))", "(", ")", ") )"),
)
WHOLE = "(:action open :parameters () :precondition (on ?x) :effect (and (off ?x)))"


def by_brackets(text: str) -> dict[str, OperatorText] | None:
    """The definition: every key after the name, its first bracket, up to where that closes."""
    found: dict[str, OperatorText] = {}
    at = 0
    while match := re.compile(r"\(:action\s+(\w+)").search(text, at):
        keys = [text.find(key, match.end()) for key in (":parameters", ":precondition", ":effect")]
        if -1 in keys:
            break
        blocks = [block(text, text.find("(", key) + 1) for key in keys]
        if blocks[0] is None:
            return None
        parts = ["()" if part is None else part for part in blocks]
        found[match[1]] = OperatorText(
            match[1], *[f"({part}".replace(") )", "))") for part in parts]
        )
        at = parts[2].find(")") + keys[2] + 1
    return found


def block(text: str, start: int) -> str | None:
    depth = 1
    for end in range(start, len(text)):
        # The first character is not looked at, unless it closes the block.
        if end > start or text[end] == ")":
            depth += {"(": 1, ")": -1}.get(text[end], 0)
        if not depth:
            return text[start : end + 1]
    return None


@settings(max_examples=400)
@given(st.lists(st.sampled_from((*WORDS, WHOLE)), max_size=14))
@example([WHOLE, "(:action shut", ":parameters", "()"])
@example(["(:action open", ":parameters", "()", ":precondition", "((on) (off))", ":effect", "()"])
def test_operators_are_found_as_bracket_by_bracket(words: list[str]) -> None:
    text = " ".join(words)
    assert find_operators(text) == by_brackets(text)


@settings(max_examples=200)
@given(st.integers(0, 2 * len(WHOLE)), st.sampled_from(["", "(", ")", ":effect "]))
def test_a_change_anywhere_is_read_bracket_by_bracket(at: int, put: str) -> None:
    text = f"{WHOLE} {WHOLE.replace('open', 'shut')}"
    text = " ".join((text[:at] + put + text[at + 1 :]).split())
    assert find_operators(text) == by_brackets(text)


def test_deep_nesting_is_read_all_the_same() -> None:
    deep = WHOLE.replace("(on ?x)", "(not " * 30 + "(on ?x)" + ")" * 30)
    assert find_operators(deep) == by_brackets(deep)


def test_what_looks_like_an_operator_without_end_takes_no_time() -> None:
    assert find_operators("(:action " + "a" * 200_000) == {}
    assert find_operators("(:action a :parameters () :precondition " + "(a " * 50_000) == {}
