"""Corners of formulas: intervals that are empty, values without a timeline, long names."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from itertools import product
from math import factorial
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from list_trajectory import ListTrajectory

from eai.errors import InputError, ParseError, SchemaError
from eai.logic import (
    ActionAtom,
    Always,
    And,
    Atom,
    Formula,
    LogicVocabulary,
    Not,
    Once,
    Or,
    Previous,
    Since,
    Then,
    Trace,
    automaton,
    check_formula,
    evaluate,
    explain,
    parse_formula,
)
from eai.logic.algebra import Bits, Timeline
from eai.logic.constraints import hold_after, hold_during, within
from eai.logic.dialects import prepare
from eai.logic.evidence import StepNames
from eai.logic.options.choices import Pairing
from eai.logic.options.families import Fixed
from eai.logic.progression.diagrams import Diagrams

if TYPE_CHECKING:
    from eai.logic import Reading, Trajectory
    from eai.logic.algebra import Counting

P, Q = Atom("p"), Atom("q")
WORDS: tuple[list[list[Atom]], ...] = ([[]], [[], []], [[P], [], [P, Q]])


@pytest.mark.parametrize(("start", "end"), [(0, 0), (1, 1), (2, 1), (3, 0)])
def test_during_an_empty_interval_only_the_end_matters(start: int, end: int) -> None:
    formula = hold_during(start, end, P)
    for length in range(1, 6):
        for truth in product([False, True], repeat=length):
            trace = Trace.of_states([[P] if now else [] for now in truth])
            expected = truth[-1] if length <= start + 1 else True
            assert evaluate(formula, trace, reading="ltlf").holds is expected


def test_an_interval_begins_and_ends_where_it_says() -> None:
    for start, end in ((0, 1), (1, 3), (2, 5)):
        for length in range(1, 7):
            for truth in product([False, True], repeat=length):
                trace = Trace.of_states([[P] if now else [] for now in truth])
                inside = [truth[min(at, length - 1)] for at in range(start, end)]
                assert evaluate(hold_during(start, end, P), trace, reading="ltlf").holds is all(
                    inside
                )
                later = [truth[min(at, length - 1)] for at in range(start + 1, length + start + 1)]
                assert evaluate(hold_after(start, P), trace, reading="ltlf").holds is all(later)
                soon = truth[: start + 1]
                assert evaluate(within(start, P), trace, reading="ltlf").holds is any(soon)


def test_values_at_one_place_have_no_order_of_time() -> None:
    bits = Bits(0b11)
    asked: tuple[Callable[[], int], ...] = (
        lambda: bits.next(1, weak=False),
        lambda: bits.previous(1, weak=False),
        lambda: bits.lasting(1, 1, weak=False),
        lambda: bits.looking_back(1, 1, weak=False),
    )
    for ask in asked:
        with pytest.raises(InputError):
            ask()
    with pytest.raises(InputError):
        Timeline(0)
    assert Timeline(1).next(1, weak=False) == 0


def matching(edges: list[tuple[str, str]]) -> int:
    """The largest number of pairs without a common object, by trying all."""
    if not edges:
        return 0
    (first, second), *rest = edges
    apart = [edge for edge in rest if not {first, second} & {*edge}]
    return max(matching(rest), 1 + matching(apart))


def test_pairs_are_formed_wherever_they_can_be() -> None:
    random = Random(1)
    names = "abcdef"
    for _ in range(150):
        edges = [
            (one, other)
            for one in names
            for other in names
            if one != other and random.random() < 0.25
        ]
        best = matching(edges)
        for number in range(-1, 5):
            found = Bits(0b11).paired(dict.fromkeys(edges, 0b10), number)
            assert found == (0b10 if best >= number else 0) | (0b01 if number <= 0 else 0)


KNOWN = LogicVocabulary({"on": 1}, {}, frozenset({"lamp"}))


@pytest.mark.parametrize("length", [79, 80, 81, 200])
def test_long_unknown_names_are_cut(length: int) -> None:
    name = "n" * length
    with pytest.raises(InputError) as caught:
        parse_formula(f"on({name})", vocabulary=KNOWN)
    text = str(caught.value)
    assert (repr(name) in text) is (length <= 80)
    assert (f"'{'n' * 77}...'" in text) is (length > 80)


def test_a_state_formula_is_true_where_its_parts_are() -> None:
    traces = [Trace.of_states([[P] if now else []]) for now in (False, True)]
    for formula, truth in ((P, [False, True]), (Not(P), [True, False]), (And(()), [True, True])):
        assert [evaluate(formula, trace).holds for trace in traces] == truth
    empty: Formula = Or(())
    assert [evaluate(empty, trace).holds for trace in traces] == [False, False]


def test_positions_are_named_by_the_steps_before_them() -> None:
    names = StepNames(4, ["a", "b", "c"], [2, 5, 11])
    grab = ActionAtom("GRAB")

    def numbers(text: str) -> list[int]:
        return [int(number) for number in re.findall(r"\d+", text)]

    assert [numbers(names.when(position)) for position in range(-1, 4)] == [[], [], [2], [5], [11]]
    assert [numbers(names.when(position, grab)) for position in range(3)] == [[2], [5], [11]]
    assert numbers(names.span(1, 3)) == [2, 11]
    assert numbers(names.span(0, 2)) == [5]
    assert numbers(names.span(0, 2, grab)) == [2, 11]
    assert names.span(2, 2) == names.when(2)
    assert numbers(StepNames(3).span(1, 2)) == [1, 2]
    assert len({names.when(-1), names.when(0), names.when(1), names.span(0, 1)}) == 4
    with pytest.raises(SchemaError) as caught:
        StepNames(4, [], [1, 2])
    assert "2" in caught.value.what
    assert str(caught.value.expected).startswith("3")


def test_work_on_diagrams_is_allowed_up_to_its_limit() -> None:
    diagrams = Diagrams(3)
    diagrams.spend(2)
    diagrams.spend()
    with pytest.raises(InputError) as caught:
        diagrams.spend()
    assert "3 operations" in caught.value.what
    Diagrams(0).spend(0)
    lifted = Diagrams(0)
    lifted.lift_limit()
    lifted.spend(10**9)


def test_the_cubes_of_all_guards_together_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    def made() -> int:
        found = automaton(Or((And((P, Q)), Then((Or((P, Q)), And((P, Not(Q))))))))
        return sum(len(each.cubes) for each in found.transitions)

    total = made()
    assert total > 4
    monkeypatch.setattr(sys.modules[automaton.__module__], "_MAX_CUBES", total)
    assert made() == total
    monkeypatch.setattr(sys.modules[automaton.__module__], "_MAX_CUBES", total - 1)
    with pytest.raises(InputError):
        made()


def test_pairs_that_share_atoms_only_with_their_objects_are_counted() -> None:
    def pair(first: int, second: int) -> Fixed:
        atoms = (("row", first), ("column", second), ("both", 100 * first + second))
        return Fixed(frozenset(Atom(name, (str(number),)) for name, number in atoms))

    rows = [[pair(first, second) for second in range(10)] for first in range(10)]
    assert Pairing(10, rows).count == factorial(10)
    assert Pairing(9, rows).count == 10 * 10 * factorial(9)
    shared = [[Fixed(frozenset([Atom("p")])) for _ in range(2)] for _ in range(2)]
    assert Pairing(2, shared).count == 1


def test_unknown_names_are_errors_and_unused_variables_are_not() -> None:
    problems = check_formula("on(lmap) and exists x. (on(lamp))", KNOWN)
    assert {problem.kind: problem.is_error for problem in problems}.get("unused-variable") is False
    assert any(problem.is_error for problem in problems)


CHAIN = Then((Once(P), Q))


@pytest.mark.parametrize(
    ("formula", "looks_back", "has_then", "has_linear"),
    [
        (P, False, False, False),
        (And((P, Not(Q))), False, False, False),
        (Always(P), False, False, True),
        (Once(P), True, False, True),
        (Since(P, Q), True, False, True),
        (And((P, Once(Q))), True, False, True),
        (Always(Previous(P)), True, False, True),
        # A link is a part of its own: nothing before it is looked at.
        (CHAIN, False, True, True),
        (Or((CHAIN, P)), False, True, True),
        (Not(Then((P, Q))), False, True, False),
    ],
)
def test_a_formula_knows_of_what_it_speaks(
    formula: Formula, looks_back: bool, has_then: bool, has_linear: bool
) -> None:
    assert formula.looks_back is looks_back
    assert formula.has_then is has_then
    assert formula.has_linear is has_linear
    assert formula.is_temporal is (has_then or has_linear)


@pytest.mark.parametrize(("number", "more"), [(3, False), (12, False), (13, True)])
def test_the_first_twelve_known_names_are_listed(number: int, more: bool) -> None:
    names = [f"on{at:02}" for at in range(number)]
    known = LogicVocabulary(dict.fromkeys(names, 1), {}, frozenset({"lamp"}))
    with pytest.raises(InputError) as caught:
        parse_formula("off(lamp)", vocabulary=known)
    assert caught.value.expected == ", ".join(names[:12]) + (", ..." if more else "")


@pytest.mark.parametrize("length", [39, 40, 41])
def test_long_words_that_stand_in_the_wrong_place_are_cut(length: int) -> None:
    word = "w" * length
    with pytest.raises(InputError) as caught:
        parse_formula(f"on(lamp) {word}(lamp)", vocabulary=KNOWN)
    assert (repr(word) in caught.value.what) is (length <= 40)
    assert (f"'{'w' * 37}...'" in caught.value.what) is (length > 40)


@pytest.mark.parametrize(
    ("steps", "atoms", "fits"), [(10, 500, True), (100, 970, True), (100, 985, False)]
)
def test_a_constraint_is_written_out_up_to_a_size(steps: int, atoms: int, fits: bool) -> None:
    text = f"within({steps}, {' and '.join(f'p{number}()' for number in range(atoms))})"
    if fits:
        assert parse_formula(text).is_temporal
        return
    with pytest.raises(InputError):
        parse_formula(text)


@pytest.mark.parametrize("reading", ["eai", "ltlf"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("forall x - lid. (p(x))", True),
        ("exists x - lid. (p(x))", False),
        ("forall x - lid. (p(x) then q(x))", True),
        ("exists x - lid. (p(x) then q(x))", False),
        ("forall x - lid. (F p(x))", True),
        ("exists x - lid. (F p(x))", False),
        ("forn 1 x - lid. (F p(x))", False),
    ],
)
def test_quantifiers_over_nothing(text: str, expected: bool, reading: Reading) -> None:
    found = automaton(parse_formula(text), objects={"box": "thing"}, reading=reading)
    for word in WORDS:
        assert found.accepts(word) is expected


def test_how_many_of_some_values_are_true() -> None:
    for most in range(4):
        for number in range(-1, most + 2):
            for comparison, fits in (
                ("at least", int.__ge__),
                ("at most", int.__le__),
                ("exactly", int.__eq__),
            ):
                diagrams = Diagrams(10_000)
                counted = diagrams.count(
                    number, cast("Counting", comparison), list(map(diagrams.variable, range(most)))
                )
                expected = diagrams.any_of(
                    [
                        diagrams.all_of(
                            [
                                value if true else diagrams.negation(value)
                                for value, true in zip(
                                    map(diagrams.variable, range(most)), truth, strict=True
                                )
                            ]
                        )
                        for truth in product([False, True], repeat=most)
                        if fits(sum(truth), number)
                    ]
                )
                assert counted == expected, (most, number, comparison)


@pytest.mark.parametrize(
    "text", ["p()", "p() \N{LOGICAL AND}", "\N{FOR ALL}x. (p(x)", "p() \N{LOGICAL AND} (q()"]
)
def test_what_is_missing_is_missing_at_the_end_of_the_text(text: str) -> None:
    prepared = prepare(text, "default")
    assert prepared.place(len(prepared.text)) == len(text)
    if text != "p()":
        with pytest.raises(ParseError) as caught:
            parse_formula(text)
        assert caught.value.position == len(text)


def test_signs_between_arguments_are_told_apart() -> None:
    mends = set()
    for text in ("p(a [b])", "p(a {b})", "p(a = b)", "p(a), q(b)", "p(a b)"):
        with pytest.raises(ParseError) as caught:
            parse_formula(text)
        assert caught.value.mend
        mends.add(caught.value.mend)
    assert len(mends) == 4  # brackets and braces are mended in the same way


def test_without_a_state_no_position_can_be_explained() -> None:
    empty = cast("Trajectory", SimpleNamespace(length=0))
    for at, named in ((None, 0), (0, 0), (2, 2), (-1, -1)):
        with pytest.raises(InputError) as caught:
            explain(P, empty, at=at)
        assert re.findall(r"-?\d+", caught.value.what) == [str(named), "0"]


@pytest.mark.parametrize("positions", [1, 2, 3])
def test_no_pairs_are_wanted_where_a_side_has_no_objects(positions: int) -> None:
    trajectory = ListTrajectory({"cup": "cup"}, [set()] * positions, [("LOOK",)] * (positions - 1))
    formula = parse_formula("forpairs x - pan, y - cup. (near(x, y) then on(y))")
    assert evaluate(formula, trajectory).holds
