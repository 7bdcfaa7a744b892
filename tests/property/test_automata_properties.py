"""Automata accept what a direct reading of the definitions accepts, and are minimal."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

from hypothesis import given, settings, strategies as st
from list_trajectory import ListTrajectory
from strategies import OBJECTS, formulas, trajectories
from strategies_formulas import BINARY, UNARY, all_formulas

from eai.logic import (
    FALSE,
    FIRST,
    LAST,
    TRUE,
    ActionAtom,
    Always,
    And,
    Atom,
    Eventually,
    First,
    Formula,
    Historically,
    Iff,
    Implies,
    Last,
    Next,
    Not,
    Once,
    Or,
    Previous,
    Proposition,
    Release,
    Since,
    StrongRelease,
    Then,
    Trigger,
    Truth,
    Until,
    WeakNext,
    WeakPrevious,
    WeakUntil,
    Xor,
    automaton,
    entails,
    equivalent,
    evaluate,
    satisfiable,
    valid,
)

P, Q = Atom("p"), Atom("q")
Letter = frozenset[Proposition]
Word = Sequence[Letter]
LETTERS: list[Letter] = [frozenset(), frozenset({P}), frozenset({Q}), frozenset({P, Q})]
FEW = settings(max_examples=80)

_CHAINS = [And, Or]


def linear_formulas(*, most: int = 7, chains: bool = False) -> st.SearchStrategy[Formula]:
    """Formulas over two propositions with every operator; ``then`` only if chains."""
    lists: list[Callable[[tuple[Formula, ...]], Formula]] = [*_CHAINS, *([Then] if chains else [])]

    def larger(part: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        return st.one_of(
            *(st.builds(kind, part) for kind in UNARY),
            *(st.builds(kind, part, part) for kind in BINARY),
            *(st.lists(part, max_size=3).map(tuple).map(kind) for kind in lists),
        )

    leaves = st.sampled_from([P, Q, P, Q, LAST, FIRST, TRUE, FALSE])
    return st.recursive(leaves, larger, max_leaves=most)


def words(longest: int = 5) -> st.SearchStrategy[Word]:
    return st.lists(st.sampled_from(LETTERS), min_size=1, max_size=longest)


def every_word(longest: int) -> Iterator[Word]:
    for length in range(1, longest + 1):
        yield from itertools.product(LETTERS, repeat=length)


def holds(formula: Formula, word: Word) -> bool:
    """Whether a formula holds on a word, read as a part of a trajectory."""
    if isinstance(formula, Then):
        return any(
            all(map(holds, formula.operands, pieces))
            for pieces in _pieces(word, len(formula.operands))
        )
    if isinstance(formula, (Not, And, Or, Implies, Iff, Xor)) and formula.has_then:
        return _joined(formula, [holds(each, word) for each in formula.operands])
    if formula.has_linear:
        return len(word) > 0 and true_at(formula, word, 0)
    return any(true_at(formula, word, i) for i in range(len(word)))


def true_at(formula: Formula, word: Word, i: int) -> bool:
    """Whether a formula is true at a position of a word."""
    if isinstance(formula, (Atom, ActionAtom)):
        return formula in word[i]
    if isinstance(formula, Truth):
        return formula.value
    if isinstance(formula, (First, Last)):
        return i == (0 if isinstance(formula, First) else len(word) - 1)
    if isinstance(formula, Then):
        return holds(formula, word[i:])
    if isinstance(formula, (Not, And, Or, Implies, Iff, Xor)):
        return _joined(formula, [true_at(each, word, i) for each in formula.operands])
    return _moved(formula, word, i)


def _moved(formula: Formula, word: Word, i: int) -> bool:
    """Operators that look at other positions, each by its definition."""

    def at(k: int, part: Formula) -> bool:
        return true_at(part, word, k)

    later, earlier = range(i, len(word)), range(i, -1, -1)
    *_, left, right = (None, *formula.operands, None)[: len(formula.operands) + 1]
    assert right is not None
    if isinstance(formula, (Next, WeakNext)):
        return at(i + 1, right) if i + 1 < len(word) else isinstance(formula, WeakNext)
    if isinstance(formula, (Previous, WeakPrevious)):
        return at(i - 1, right) if i > 0 else isinstance(formula, WeakPrevious)
    if isinstance(formula, (Eventually, Once)):
        return any(at(k, right) for k in (later if isinstance(formula, Eventually) else earlier))
    if isinstance(formula, (Always, Historically)):
        return all(at(k, right) for k in (later if isinstance(formula, Always) else earlier))
    assert left is not None
    ahead = earlier if isinstance(formula, (Since, Trigger)) else later
    found = [at(k, right) for k in ahead]
    kept = [at(k, left) for k in ahead]
    n = range(len(found))
    until = any(found[k] and all(kept[:k]) for k in n)
    release = all(found[k] or any(kept[:k]) for k in n)
    if isinstance(formula, (Until, Since)):
        return until
    if isinstance(formula, WeakUntil):
        return until or all(kept)
    if isinstance(formula, StrongRelease):
        return release and any(kept)
    assert isinstance(formula, (Release, Trigger))
    return release


def _joined(formula: Formula, values: list[bool]) -> bool:
    if isinstance(formula, Not):
        return not values[0]
    if isinstance(formula, (And, Or)):
        return all(values) if isinstance(formula, And) else any(values)
    left, right = values
    if isinstance(formula, Implies):
        return right or not left
    return (left == right) is isinstance(formula, Iff)


def _pieces(word: Word, pieces: int) -> Iterator[list[Word]]:
    if pieces == 0:
        yield from [[]] * (not word)
        return
    for cuts in itertools.combinations_with_replacement(range(len(word) + 1), pieces - 1):
        yield [word[a:b] for a, b in itertools.pairwise([0, *cuts, len(word)])]


@settings(FEW, max_examples=300)
@given(linear_formulas(), words())
def test_linear_formulas_are_accepted_where_they_are_true(formula: Formula, word: Word) -> None:
    assert automaton(formula).accepts(word) == holds(formula, word)
    assert automaton(formula, reading="ltlf").accepts(word) == true_at(formula, word, 0)


@settings(FEW, max_examples=150)
@given(linear_formulas(most=6, chains=True), words(4))
def test_chains_are_accepted_where_a_cut_exists(formula: Formula, word: Word) -> None:
    assert automaton(formula).accepts(word) == holds(formula, word)


@FEW
@given(formulas(depth=2) | all_formulas(depth=2), trajectories())
def test_goals_over_objects_are_accepted_as_they_are_evaluated(
    formula: Formula, trajectory: ListTrajectory
) -> None:
    found = automaton(formula, objects=OBJECTS)
    assert found.accepts(found.word(trajectory)) == evaluate(formula, trajectory).holds


@FEW
@given(linear_formulas(chains=True, most=5))
def test_there_are_as_few_states_as_there_can_be(formula: Formula) -> None:
    found = automaton(formula)
    letters = [found.letter(each) for each in LETTERS]
    table = [[found.step(state, each) for each in letters] for state in found.states]
    # Every two states, but for the initial one if it is never entered, accept different words.
    different = {
        (a, b)
        for a, b in itertools.product(found.states, repeat=2)
        if (a in found.accepting) != (b in found.accepting)
    }
    grown = True
    while grown:
        more = {
            (a, b)
            for a, b in itertools.product(found.states, repeat=2)
            if any(pair in different for pair in zip(table[a], table[b], strict=True))
        }
        grown = not more <= different
        different |= more
    assert len(different) == len(found.states) * (len(found.states) - 1)
    assert {0, *itertools.chain(*table)} == set(found.states)


@settings(FEW, max_examples=25)
@given(linear_formulas(chains=True, most=4))
def test_states_are_the_classes_of_words_that_go_on_alike(formula: Formula) -> None:
    found = automaton(formula)
    rows: dict[int, set[tuple[bool, ...]]] = {}
    for head in every_word(2):
        row = (holds(formula, [*head, *tail]) for tail in [(), *every_word(3)])
        rows.setdefault(found.run(head)[-1], set()).add(tuple(row))
    assert all(len(each) == 1 for each in rows.values())
    # Of at most 5 states every two are told apart by at most 3 letters (Myhill & Nerode).
    if len(found.states) <= 5:
        assert len(set.union(*rows.values())) == len(rows)


@FEW
@given(linear_formulas(most=4, chains=True), linear_formulas(most=4, chains=True))
def test_comparisons_agree_with_all_short_words(left: Formula, right: Formula) -> None:
    verdicts = [(word, holds(left, word), holds(right, word)) for word in every_word(4)]
    different = [word for word, a, b in verdicts if a != b]
    _check(equivalent(left, right).word, different)
    _check(entails(left, right).word, [word for word, a, b in verdicts if a and not b])
    _check(satisfiable(left).word, [word for word, a, _ in verdicts if a])
    _check(valid(left).word, [word for word, a, _ in verdicts if not a])
    assert equivalent(left, right).holds == (equivalent(left, right).word is None)
    for answer in (equivalent(left, right), entails(left, right)):
        if answer.word is not None:
            assert answer.verdicts == (holds(left, answer.word), holds(right, answer.word))


def _check(word: Word | None, expected: list[Word]) -> None:
    """A shortest word is found, or one that is longer than all that were tried."""
    if expected:
        assert word is not None
        assert len(word) == len(expected[0])
        assert frozenset(word) <= frozenset(LETTERS)
        assert tuple(word) in {tuple(each) for each in expected}
    else:
        assert word is None or len(word) > 4


@FEW
@given(linear_formulas(chains=True))
def test_guards_say_where_letters_lead(formula: Formula) -> None:
    found = automaton(formula)
    for state, letter in itertools.product(found.states, LETTERS):
        fitting = [
            each.target
            for each in found.transitions
            if each.source == state and true_at(each.guard, [letter], 0)
        ]
        assert fitting == [found.step(state, found.letter(letter))]


@FEW
@given(linear_formulas(most=5))
def test_equivalent_formulas_have_the_same_automaton(formula: Formula) -> None:
    both = And((P | ~P, Q | ~Q))
    other = Not(Not(Or((formula, FALSE))))
    first = automaton(And((both, formula)), reading="ltlf")
    second = automaton(And((both, other)), reading="ltlf")
    assert first == second
    assert hash(first) == hash(second)
