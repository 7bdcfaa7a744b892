"""Families of goal options against lists of all their options, and the sums behind them."""

from __future__ import annotations

from itertools import combinations, permutations, product
from math import prod
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from eai.logic import ActionAtom, Atom, Formula, Not, Then
from eai.logic.options import choices
from eai.logic.options.choices import ObjectChoice, Pairing, assignment, matchings, partners
from eai.logic.options.families import (
    EMPTY,
    Actions,
    Best,
    Family,
    Fixed,
    Option,
    Product,
    Scorer,
    Sum,
    join_best,
    unions,
)

thorough = settings(max_examples=300)
matrices = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.sampled_from([0, 1, 1, 1, 2, 3]), min_size=width, max_size=width),
        min_size=1,
        max_size=4,
    )
)


def choices_of(rows: list[list[int]], number: int) -> list[tuple[tuple[int, int], ...]]:
    """All ways to take entries, no two in a row or a column."""
    return [
        tuple(zip(firsts, seconds, strict=True))
        for firsts in combinations(range(len(rows)), number)
        for seconds in permutations(range(len(rows[0])), number)
    ]


@thorough
@given(matrices, st.integers(0, 5))
def test_matchings_add_up_all_products(rows: list[list[int]], number: int) -> None:
    expected = sum(prod(rows[i][j] for i, j in chosen) for chosen in choices_of(rows, number))
    assert matchings(rows, number) == expected


def test_too_many_differing_entries_in_one_part_are_not_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [[2, 2, 2, 1, 1], [2, 1, 1, 1, 1], [1, 1, 1, 1, 2], [1] * 5]
    # Rows 1 and 2 have a column in common; of the two, seen from the columns, 2 are connected.
    monkeypatch.setattr(choices, "_MAX_COLUMNS", 2)
    assert matchings(rows, 2) is not None
    monkeypatch.setattr(choices, "_MAX_COLUMNS", 1)
    assert matchings(rows, 2) is None


@thorough
@given(
    st.integers(1, 4).flatmap(
        lambda width: st.lists(
            st.lists(st.none() | st.integers(-3, 5), min_size=width, max_size=width),
            min_size=1,
            max_size=4,
        )
    ),
    st.integers(0, 5),
)
def test_an_assignment_has_the_greatest_total(rows: list[list[int | None]], number: int) -> None:
    totals = [
        sum(rows[i][j] or 0 for i, j in chosen)
        for chosen in choices_of([[0] * len(row) for row in rows], number)
        if all(rows[i][j] is not None for i, j in chosen)
    ]
    found = assignment(rows, number)
    if not totals:
        assert found is None
        return
    assert found is not None
    assert len(found) == number
    assert sorted(found) == found
    assert len({i for i, _ in found}) == len({j for _, j in found}) == number
    assert sum(rows[i][j] or 0 for i, j in found) == max(totals)


@settings(max_examples=60)
@given(matrices)
def test_partners_are_all_ways_to_take_an_entry_of_each_row(rows: list[list[int]]) -> None:
    entries = [[None if entry == 0 else entry for entry in row] for row in rows]
    expected = [
        columns
        for columns in product(range(len(rows[0])), repeat=len(rows))
        if len(set(columns)) == len(columns)
        and all(row[j] is not None for row, j in zip(entries, columns, strict=True))
    ]
    assert list(partners(entries)) == expected


# ---- families made by chance

ATOMS = [Atom(name) for name in "pqrstu"]
WANTED = frozenset([ATOMS[0], Not(ATOMS[1]), ATOMS[2], ATOMS[4]])
SCORER = Scorer(lambda element: element in WANTED, lambda _: None, reward=3, price=1)


def option(random: Random, atoms: list[Atom]) -> Option:
    chosen = random.sample(atoms, k=random.randint(0, min(2, len(atoms))))
    return frozenset(atom if random.random() < 0.7 else Not(atom) for atom in chosen)


def leaf(random: Random, atoms: list[Atom]) -> Family:
    if random.random() < 0.6:
        return Fixed(option(random, atoms))
    return Sum([Fixed(option(random, atoms)) for _ in range(random.randint(0, 3))])


def family(random: Random, depth: int = 2) -> Family:
    """Parts with atoms of their own are as likely as parts that share some."""
    kind = random.choice(["leaf", "sum", "product", "choice", "pairing"]) if depth else "leaf"
    own = random.random() < 0.5
    if kind == "leaf":
        return leaf(random, ATOMS)
    if kind in ("sum", "product"):
        parts = [family(random, depth - 1) for _ in range(random.randint(0, 3))]
        return Sum(parts) if kind == "sum" else Product(parts)
    if kind == "choice":
        count = random.randint(0, 3)
        numbers = random.sample(range(-1, 5), k=random.randint(0, 3))
        if random.random() < 0.5:
            groups = [ATOMS[2 * n : 2 * n + 2] if own else ATOMS for n in range(count)]
            return ObjectChoice(numbers, [leaf(random, group) for group in groups])
        # What is asked of an object that is chosen contradicts what is asked of one that is not.
        marks = ATOMS[:count]
        rest = [[ATOMS[3 + n]] if own else ATOMS[3:] for n in range(count)]
        sides = [
            [
                Sum(
                    [
                        Fixed(option(random, group) | {sign(mark)})
                        for _ in range(random.randint(0, 2))
                    ]
                )
                for mark, group in zip(marks, rest, strict=True)
            ]
            for sign in (lambda atom: atom, Not)
        ]
        return ObjectChoice(numbers, *sides)
    height, width = random.randint(1, 3), random.randint(1, 3)
    rows = [
        [
            None
            if random.random() < 0.2
            else leaf(random, [ATOMS[(3 * i + j) % 6]] if own else ATOMS)
            for j in range(width)
        ]
        for i in range(height)
    ]
    return Pairing(random.randint(0, 3), rows)


def options_of(one: Family) -> set[Option]:
    """Every option, by putting them together one by one."""
    if isinstance(one, Fixed):
        return {one.forced}
    if isinstance(one, Sum):
        return set[Option]().union(*map(options_of, one.parts))
    if isinstance(one, Product):
        return together([part for group in one.groups for part in group])
    if isinstance(one, ObjectChoice):
        found = set[Option]()
        for number in one.numbers:
            for chosen in combinations(range(len(one.inside)), number):
                others = one.outside or [EMPTY] * len(one.inside)
                found |= together(
                    [one.inside[n] if n in chosen else others[n] for n in range(len(one.inside))]
                )
        return found
    assert isinstance(one, Pairing)
    found = set()
    size = range(len(one.rows[0])) if one.rows else range(0)
    for firsts in combinations(one.rows, one.number):
        for seconds in permutations(size, one.number):
            pairs = [row[j] for row, j in zip(firsts, seconds, strict=True)]
            if all(pair is not None for pair in pairs):
                found |= together([pair for pair in pairs if pair is not None])
    return found


def together(parts: list[Family]) -> set[Option]:
    found = set[Option]()
    for chosen in product(*map(options_of, parts)):
        whole = frozenset[Formula]().union(*chosen)
        if not any(isinstance(each, Not) and each.operand in whole for each in whole):
            found.add(whole)
    return found


families = st.randoms(use_true_random=False).map(family)


@thorough
@given(families)
def test_a_family_has_the_options_that_its_parts_make(one: Family) -> None:
    expected = options_of(one)
    assert {each for each in one.steps() if each is not None} == expected
    assert one.count == len(expected)
    assert set(one.listing.options) == expected
    assert len(one.listing.options) == len(expected)
    assert one.listing.complete
    known = one.factored_count()
    assert known is None or known == len(expected)
    assert one.has_empty() is (frozenset() in expected)


@thorough
@given(families)
def test_the_best_option_is_worth_most(one: Family) -> None:
    values = {each: sum(map(SCORER.value, each)) for each in options_of(one)}
    best = one.best(SCORER)
    if not values:
        assert best is None
        return
    assert best is not None
    assert best.exact
    assert best.value == max(values.values())
    assert values[best.option] == best.value
    found = one.factored_best(SCORER)
    assert found is None or found.best is None or found.best.value == best.value


@thorough
@given(families)
def test_what_is_said_of_all_options_is_so(one: Family) -> None:
    for each in options_of(one):
        assert one.forced <= each <= one.literals
    assert {a.operand if isinstance(a, Not) else a for a in one.literals} == one.atoms


@settings(max_examples=60)
@given(families, st.integers(0, 5))
def test_a_list_ends_at_its_limit(one: Family, limit: int) -> None:
    expected = options_of(one)
    found = one.list(limit)
    assert len(found.options) == min(limit, len(expected))
    assert found.complete is (len(expected) <= limit)
    assert set(found.options) <= expected


def test_numbers_of_chosen_objects_are_those_that_are_possible() -> None:
    parts = [Fixed(frozenset([atom])) for atom in ATOMS[:3]]
    assert ObjectChoice([5, 1, -1, 3, 1, 0], parts).numbers == [0, 1, 3]
    assert ObjectChoice([2], parts).count == 3
    assert [len(each) for each in ObjectChoice([0, 2], parts).steps() if each is not None] == [
        0,
        2,
        2,
        2,
    ]


def test_options_of_objects_are_multiplied_only_if_the_chosen_are_told_apart() -> None:
    p, q, r, s = ATOMS[:4]
    anything, some = Fixed(frozenset()), Sum([Fixed(frozenset([p])), Fixed(frozenset([q]))])
    other = Fixed(frozenset([r]))
    # Nothing is asked of the others: whether an object that is satisfied by nothing is chosen
    # cannot be seen, so that the options of one and of two chosen objects are partly the same.
    alike = ObjectChoice([1, 2], [anything, some])
    assert alike.factored_count() is None
    assert alike.count == len(options_of(alike)) == 3
    apart = ObjectChoice([1, 2], [other, some])
    assert apart.factored_count() == apart.count == 5
    # Something is asked of the others, so that the choice can be seen.
    seen = ObjectChoice([0, 1], [anything, some], [Fixed(frozenset([s])), other])
    assert seen.factored_count() == seen.count == len(options_of(seen)) == 4
    # Two objects share an atom.
    shared = ObjectChoice([1], [some, Fixed(frozenset([p]))])
    assert shared.factored_count() is None
    assert shared.count == 2


def test_sequences_of_actions_take_one_of_each_part() -> None:
    a, b, c = (ActionAtom(name) for name in "abc")
    one = Actions([[a, b, a], [c]])
    assert [*one.steps()] == [frozenset([Then((a, c))]), frozenset([Then((b, c))])]
    assert one.count == 2
    wanted = Then((b, c))
    finding = Scorer(lambda each: each == wanted, lambda _: wanted, reward=3, price=1)
    assert one.best(finding) == Best(2, frozenset([wanted]), exact=True)
    assert one.best(SCORER) == Best(-1, frozenset([Then((a, c))]), exact=True)


def test_the_best_of_independent_parts_are_joined() -> None:
    p, q = ATOMS[:2]
    first, second = Best(2, frozenset([p]), exact=True), Best(-1, frozenset([q]), exact=False)
    assert join_best([first, second]) == Best(1, frozenset([p, q]), exact=False)
    assert join_best([]) == Best(0, frozenset(), exact=True)


def test_unions_leave_out_what_contradicts_itself() -> None:
    p, q = ATOMS[:2]
    yes, no = Fixed(frozenset([p])), Fixed(frozenset([Not(p)]))
    assert [*unions([yes, no])] == [None]
    either = Sum([yes, no])
    found = [each for each in unions([either, Sum([no, Fixed(frozenset([q]))])]) if each]
    assert found == [frozenset([p, q]), frozenset([Not(p)]), frozenset([Not(p), q])]


class Vague(Fixed):
    """A family of which not all options were seen."""

    def best(self, scorer: Scorer) -> Best | None:
        best = super().best(scorer)
        return None if best is None else best._replace(exact=False)


def test_the_best_of_alternatives_is_exact_if_that_of_each_is() -> None:
    p, q, r = (frozenset([atom]) for atom in ATOMS[:3])
    for parts, is_exact in (
        ([Fixed(p), Fixed(q), Fixed(r)], True),
        ([Vague(p), Fixed(q), Fixed(r)], False),
        ([Fixed(p), Vague(q), Fixed(r)], False),
        ([Fixed(p), Fixed(q), Vague(r)], False),
    ):
        best = Sum(parts).best(SCORER)
        assert best is not None
        assert best.exact is is_exact
        assert best.value == max(SCORER.value(atom) for atom in ATOMS[:3])


def test_an_atom_of_a_chosen_object_and_of_another_that_is_not_chosen_is_shared() -> None:
    p, q, r, s = (Fixed(frozenset([atom])) for atom in ATOMS[:4])
    shared = ObjectChoice([0, 2], [p, q], [q, p])  # none and both ask for the same
    assert shared.factored_count() is None
    assert shared.count == 1
    assert ObjectChoice([0, 2], [p, q], [r, r]).factored_count() is None
    assert ObjectChoice([0, 2], [p, q], [r, s]).factored_count() == 2
