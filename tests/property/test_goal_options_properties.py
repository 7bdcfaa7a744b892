"""Goal options against their definition, written down a second time without any structure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings, strategies as st

from eai.errors import InputError, ParseError
from eai.logic import (
    And,
    Atom,
    Count,
    Counting,
    Equal,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Iff,
    Implies,
    Not,
    Or,
    Truth,
    Variable,
    Xor,
)
from eai.logic.options import GoalOptions, Option, families
from eai.pddl import format_bddl, read_bddl

OBJECTS = {"t": ("a1", "a2"), "u": ("b1", "b2", "b3"), "none": ()}
TYPES = ("t", "u", "none")


def names() -> st.SearchStrategy[Formula]:
    terms = st.sampled_from(["a1", "b1", Variable("x", ("t",)), Variable("y", ("u",))])
    return st.one_of(
        st.builds(lambda t: Atom("p", (t,)), terms),
        st.builds(lambda s, t: Atom("q", (s, t)), terms, terms),
        st.builds(Equal, terms, terms),
        st.builds(Truth, st.booleans()),
    )


def larger(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    several = st.lists(inner, max_size=3).map(tuple)
    variable = st.sampled_from([Variable("x", ("t",)), Variable("y", ("u",))])
    empty = st.sampled_from([Variable("x", ("none",)), Variable("y", ("t",))])
    binder = st.one_of(variable, variable, variable, empty)
    number = st.integers(0, 3)
    comparison = st.sampled_from(["exactly", "at least", "at most"])
    return st.one_of(
        st.builds(And, several),
        st.builds(Or, several),
        st.builds(Not, inner),
        st.builds(Implies, inner, inner),
        st.builds(Iff, inner, inner),
        st.builds(Xor, inner, inner),
        st.builds(lambda v, f: Forall((v,), f), binder, inner),
        st.builds(lambda v, f: Exists((v,), f), binder, inner),
        st.builds(Count, number, binder, inner, comparison),
        st.builds(
            ForPairs,
            st.just(Variable("x", ("t",))),
            st.sampled_from([Variable("y", ("u",)), Variable("y", ("t",))]),
            inner,
            st.one_of(st.none(), number),
        ),
    )


def closed(formula: Formula) -> Formula:
    return formula.substitute({"x": "a2", "y": "b2"})


GOALS = st.recursive(names(), larger, max_leaves=4).map(closed)


def bound(variable: Variable, body: Formula) -> list[Formula]:
    return [body.substitute({variable.name: name}) for name in OBJECTS[variable.types[0]]]


def pairs(goal: ForPairs) -> tuple[int, dict[tuple[int, int], Formula]]:
    firsts, seconds = (OBJECTS[v.types[0]] for v in (goal.first, goal.second))
    bodies = {
        (i, j): goal.body.substitute({goal.first.name: first, goal.second.name: second})
        for i, first in enumerate(firsts)
        for j, second in enumerate(seconds)
        if first != second
    }
    smaller = min(len(firsts), len(seconds))
    return (smaller if goal.number is None else goal.number), bodies


def matchings(number: int, places: Iterable[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    for chosen in combinations(list(places), number):
        if len({i for i, _ in chosen}) == len({j for _, j in chosen}) == number:
            yield list(chosen)


def true(goal: Formula, state: frozenset[Formula]) -> bool:  # noqa: C901, PLR0912 - a case a node
    """Whether a goal holds in a state."""
    match goal:
        case Atom():
            return goal in state
        case Truth(value):
            return value
        case Equal(left, right):
            return left == right
        case Not(operand):
            return not true(operand, state)
        case And(operands):
            return all(true(each, state) for each in operands)
        case Or(operands):
            return any(true(each, state) for each in operands)
        case Implies(left, right):
            return not true(left, state) or true(right, state)
        case Iff(left, right):
            return true(left, state) == true(right, state)
        case Xor(left, right):
            return true(left, state) != true(right, state)
        case Forall((variable,), body):
            return all(true(each, state) for each in bound(variable, body))
        case Exists((variable,), body):
            return any(true(each, state) for each in bound(variable, body))
        case Count(number, variable, body, comparison):
            found = sum(true(each, state) for each in bound(variable, body))
            return {"exactly": found == number, "at least": found >= number}.get(
                comparison, found <= number
            )
        case ForPairs():
            number, bodies = pairs(goal)
            good = [place for place, body in bodies.items() if true(body, state)]
            return any(True for _ in matchings(number, good))
    raise AssertionError(goal)


def together(parts: Iterable[set[Option]]) -> set[Option]:
    whole: set[Option] = {frozenset()}
    for part in parts:
        whole = {a | b for a in whole for b in part}
    return {o for o in whole if not any(Not(literal) in o for literal in o)}


def either(parts: Iterable[set[Option]]) -> set[Option]:
    return set[Option]().union(*parts)


def counted(number: int, bodies: list[Formula], *, of: bool) -> set[Option]:
    """Options by which ``number`` of the bodies are true (or false); the others are open."""
    chosen = combinations(bodies, number)
    return either(together(listed(b, wanted=of) for b in some) for some in chosen)


def exactly(number: int, bodies: list[Formula]) -> set[Option]:
    places = range(len(bodies))
    return either(
        together(listed(body, wanted=i in some) for i, body in enumerate(bodies))
        for some in map(set, combinations(places, number))
    )


def listed(goal: Formula, *, wanted: bool = True) -> set[Option]:  # noqa: C901 - a case a node
    """All options of a goal, or of its negation."""
    match goal:
        case Atom():
            return {frozenset([goal if wanted else Not(goal)])}
        case Truth() | Equal():
            return {frozenset()} if true(goal, frozenset()) == wanted else set()
        case Not(operand):
            return listed(operand, wanted=not wanted)
        case And(operands) | Or(operands):
            join = together if isinstance(goal, And) == wanted else either
            return join(listed(each, wanted=wanted) for each in operands)
        case Implies(left, right):
            return listed(Or((Not(left), right)), wanted=wanted)
        case Iff(left, right) | Xor(left, right):
            same = isinstance(goal, Iff) == wanted
            sides = [(left, True, same), (left, False, not same)]
            return either(
                together([listed(one, wanted=a), listed(right, wanted=b)]) for one, a, b in sides
            )
        case Forall((variable,), body) | Exists((variable,), body):
            whole = And if isinstance(goal, Forall) else Or
            return listed(whole(tuple(bound(variable, body))), wanted=wanted)
        case Count(number, variable, body, comparison):
            bodies = bound(variable, body)
            if comparison == "exactly":
                counts = {number} if wanted else set(range(len(bodies) + 1)) - {number}
                return either(exactly(each, bodies) for each in counts)
            if comparison == "at most":
                number, wanted = number + 1, not wanted
            if wanted:
                return counted(number, bodies, of=True)
            return counted(max(0, len(bodies) - number + 1), bodies, of=False)
        case ForPairs():
            return paired(goal, wanted=wanted)
    raise AssertionError(goal)


def paired(goal: ForPairs, *, wanted: bool) -> set[Option]:
    number, bodies = pairs(goal)
    if wanted:
        return either(
            together(listed(bodies[place]) for place in chosen)
            for chosen in matchings(number, bodies)
        )
    firsts, seconds = (len(OBJECTS[v.types[0]]) for v in (goal.first, goal.second))
    if number > min(firsts, seconds):
        return {frozenset()}
    objects = [(0, i) for i in range(firsts)] + [(1, j) for j in range(seconds)]
    return either(
        together(
            listed(body, wanted=False)
            for (i, j), body in bodies.items()
            if (0, i) not in cover and (1, j) not in cover
        )
        for cover in (combinations(objects, number - 1) if number else ())
    )


@settings(max_examples=150)
@given(GOALS)
def test_count_and_enumeration_follow_the_definition(goal: Formula) -> None:
    options = GoalOptions(goal, OBJECTS)
    expected = listed(goal)
    assert options.count() == len(expected)
    found, complete = options.enumerate(10_000)
    assert complete
    assert len(found) == len(expected)
    assert set(found) == expected


X, Y = Variable("x", ("t",)), Variable("y", ("u",))
BODIES = (
    Atom("p", (Y,)),
    Not(Atom("p", (Y,))),
    And((Atom("p", (Y,)), Atom("q", (Y, "a1")))),
    Or((Atom("p", (Y,)), Atom("q", (Y, "a1")))),
    And((Atom("p", (Y,)), Atom("p", ("b1",)))),
    Or((Atom("p", (Y,)), Equal(Y, "b2"))),
)
PAIRED = (
    Atom("q", (X, Y)),
    And((Atom("q", (X, Y)), Atom("p", (X,)))),
    Or((Atom("q", (X, Y)), Atom("p", (Y,)))),
    And((Atom("q", (X, Y)), Not(Equal(Y, "b2")))),
    Not(Atom("q", (X, Y))),
    Atom("p", (Y,)),
    # Atoms that all pairs share.
    And((Atom("q", (X, Y)), Atom("p", ("b1",)))),
    Or((Atom("q", (X, Y)), Atom("p", ("b1",)))),
    Or((Atom("q", (X, Y)), Not(Atom("p", ("b1",))))),
)


@pytest.mark.parametrize("comparison", ["exactly", "at least", "at most"])
@pytest.mark.parametrize("number", range(5))
def test_every_number_of_objects_has_its_options(number: int, comparison: Counting) -> None:
    for body in BODIES:
        count = Count(number, Y, body, comparison)
        for goal in (count, Not(count), And((count, Atom("p", ("b3",)))), Or((count, ATOMS[0]))):
            check(goal)


@pytest.mark.parametrize("number", [None, 0, 1, 2, 3])
def test_every_number_of_pairs_has_its_options(number: int | None) -> None:
    for body in PAIRED:
        paired_off = ForPairs(X, Y, body, number)
        for goal in (paired_off, Not(paired_off), And((paired_off, Atom("p", ("b3",))))):
            check(goal)


def check(goal: Formula) -> None:
    """Count, list and best options are those of the definition."""
    options, expected = GoalOptions(goal, OBJECTS), listed(goal)
    assert options.count() == len(expected)
    assert set(options.enumerate(10_000).options) == expected
    for predicted in (frozenset(ATOMS[2:5]), frozenset([ATOMS[2], Not(ATOMS[3]), ATOMS[5]])):
        best = options.best_f1(predicted)
        scores = [f1(option, predicted) for option in expected]
        assert (None if best is None else best.score) == max(scores, default=None)


ATOMS = [Atom("p", (name,)) for name in ("a1", "a2", "b1", "b2", "b3")] + [
    Atom("q", pair) for pair in permutations(("a1", "a2", "b1", "b2"), 2)
]


@settings(max_examples=100)
@given(GOALS, st.frozensets(st.sampled_from(ATOMS)))
def test_a_state_that_has_an_option_satisfies_the_goal(
    goal: Formula, state: frozenset[Formula]
) -> None:
    for option in GoalOptions(goal, OBJECTS).enumerate(20).options:
        denied = {literal.operand for literal in option if isinstance(literal, Not)}
        asked = {literal for literal in option if isinstance(literal, Atom)}
        assert true(goal, (state - denied) | asked)


@settings(max_examples=100)
@given(GOALS, st.frozensets(st.sampled_from(ATOMS)))
def test_a_state_that_satisfies_the_goal_has_an_option(
    goal: Formula, state: frozenset[Formula]
) -> None:
    best = GoalOptions(goal, OBJECTS).best_partial(_atoms(state))
    assert (best is not None and best.score == 1) == true(goal, state)


def _atoms(state: frozenset[Formula]) -> frozenset[Atom]:
    return frozenset(atom for atom in state if isinstance(atom, Atom))


LITERALS = st.sampled_from([*ATOMS, *map(Not, ATOMS)])


@settings(max_examples=150)
@given(GOALS, st.frozensets(LITERALS, max_size=5))
def test_best_f1_is_the_greatest_over_all_options(
    goal: Formula, predicted: frozenset[Formula]
) -> None:
    best = GoalOptions(goal, OBJECTS).best_f1(predicted)
    expected = [f1(option, predicted) for option in listed(goal)]
    assert (None if best is None else best.score) == max(expected, default=None)
    if best is not None:
        assert best.exact
        assert best.option in listed(goal)
        assert best.score == f1(best.option, predicted)
        assert best.matched == best.option & predicted


def f1(option: Option, predicted: frozenset[Formula]) -> Fraction:
    if not option and not predicted:
        return Fraction(1)
    return Fraction(2 * len(option & predicted), len(option) + len(predicted))


@settings(max_examples=150)
@given(GOALS, st.frozensets(st.sampled_from(ATOMS)))
def test_best_partial_is_the_greatest_over_all_options(
    goal: Formula, state: frozenset[Formula]
) -> None:
    best = GoalOptions(goal, OBJECTS).best_partial(_atoms(state))
    expected = [share(option, state) for option in listed(goal)]
    assert (None if best is None else best.score) == max(expected, default=None)
    assert best is None or share(best.option, state) == best.score


def share(option: Option, state: frozenset[Formula]) -> Fraction:
    held = [(e.operand not in state) if isinstance(e, Not) else (e in state) for e in option]
    return Fraction(sum(held), len(held)) if held else Fraction(1)


@settings(max_examples=60)
@given(GOALS, st.frozensets(LITERALS, max_size=5))
def test_at_the_limit_scores_are_lower_bounds_and_say_so(
    goal: Formula, predicted: frozenset[Formula]
) -> None:
    expected = max((f1(option, predicted) for option in listed(goal)), default=None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(families, "LISTING_LIMIT", 3)
        try:
            best = GoalOptions(goal, OBJECTS).best_f1(predicted)
        except InputError:
            return  # no option was found, and it says so
    if best is None or expected is None:
        assert expected is None
        assert best is None
    elif best.exact:
        assert best.score == expected
    else:
        assert best.score <= expected


WORDS = st.from_regex(r"[a-z][a-z_]{0,4}(\.n\.0[1-9])?(_[1-9])?", fullmatch=True).filter(
    lambda word: word not in {"x", "y", "and", "or", "not", "imply", "forn"}
)


def bddl() -> st.SearchStrategy[Formula]:
    terms = st.one_of(WORDS, st.sampled_from([Variable("x", ("t",)), Variable("y", ("u",))]))
    leaves: st.SearchStrategy[Formula] = st.one_of(
        st.builds(lambda name, args: Atom(name, tuple(args)), WORDS, st.lists(terms, max_size=3)),
        st.builds(Equal, terms, terms),
    )

    def wider(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        several = st.lists(inner, min_size=1, max_size=3).map(tuple)
        x, y = Variable("x", ("t",)), Variable("y", ("u",))
        number = st.integers(0, 20)
        return st.one_of(
            st.builds(And, several),
            st.builds(Or, several),
            st.builds(Not, inner),
            st.builds(Implies, inner, inner),
            st.builds(Forall, st.sampled_from([(x,), (y,), (x, y)]), inner),
            st.builds(Exists, st.sampled_from([(x,), (y,), (y, x)]), inner),
            st.builds(Count, number, st.sampled_from([x, y]), inner),
            st.builds(ForPairs, st.just(x), st.just(y), inner, st.one_of(st.none(), number)),
        )

    outer = Variable("x", ("t",)), Variable("y", ("u",))
    return st.recursive(leaves, wider, max_leaves=8).map(lambda body: Forall(outer, body))


@settings(max_examples=200)
@given(bddl())
def test_printed_bddl_is_read_back_as_the_same_tree(goal: Formula) -> None:
    assert read_bddl(format_bddl(goal)) == goal


@settings(max_examples=200)
@given(st.text(alphabet="() ?-.;:abandortfxn10", max_size=40))
def test_any_text_is_read_or_refused_with_a_place(text: str) -> None:
    try:
        goal = read_bddl(text)
    except ParseError as error:
        place = error.position
    else:
        assert read_bddl(format_bddl(goal)) == goal
        return
    assert place <= len(text)
