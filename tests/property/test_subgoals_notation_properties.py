"""Subgoals in the published notation: what is written is read, with blanks or without."""

from __future__ import annotations

from hypothesis import assume, given, settings, strategies as st

from eai.abilities.subgoals.literals import parse_subgoals
from eai.logic import And, Atom, Formula, Not, Or, Then, parse_formula

WORDS = {And: "and", Or: "or", Then: "then"}

objects = st.sampled_from(["rag.0", "sink_a.12", "bed"])
primitives = st.sampled_from([("-x", 0), ("dusty", 1), ("inside", 2)]).flatmap(
    lambda named: st.builds(Atom, st.just(named[0]), st.tuples(*[objects] * named[1]))
)


def _longer(parts: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    several = st.lists(parts, min_size=2, max_size=3).map(tuple)
    return st.one_of(parts.map(Not), several.map(And), several.map(Or), several.map(Then))


formulas: st.SearchStrategy[Formula] = st.recursive(primitives, _longer, max_leaves=8)


def written(formula: Formula) -> str:
    """The formula, every part of a connective in parentheses."""
    if isinstance(formula, Atom):
        return f"{formula.predicate}({', '.join(map(str, formula.terms))})"
    if isinstance(formula, Not):
        return f"not ({written(formula.operand)})"
    assert isinstance(formula, (And, Or, Then))
    return f" {WORDS[type(formula)]} ".join(f"({written(part)})" for part in formula.operands)


def is_mixed(formula: And) -> bool:
    """Whether it joins a sequence and what is none, which the published parser refuses."""
    return len({operand.has_then for operand in formula.operands}) > 1


@settings(max_examples=60)
@given(formulas)
def test_what_is_written_is_read_with_blanks_or_without(formula: Formula) -> None:
    assume(not any(isinstance(part, And) and is_mixed(part) for part in formula.walk()))
    text = written(formula)
    assert parse_subgoals(text) == formula
    assert parse_subgoals(text.replace(" ", "")) == formula


@settings(max_examples=60)
@given(formulas)
def test_the_grammar_of_goals_reads_the_same(formula: Formula) -> None:
    assume(not any(isinstance(part, And) and part.has_then for part in formula.walk()))
    text = written(formula)
    assert parse_subgoals(text) == parse_formula(text, dialect="eai")
