"""Goal options: what they are, how many, and which fits best."""

from __future__ import annotations

import time
from fractions import Fraction
from itertools import permutations
from math import comb, factorial

import pytest

from eai.errors import InputError, SchemaError, UnknownNameError
from eai.logic import ActionAtom, And, Atom, Exists, Formula, Next, Not, Or, Then, Truth, Variable
from eai.logic.options import GoalOptions, families, grounding
from eai.pddl import read_bddl


def objects(**sizes: int) -> dict[str, list[str]]:
    return {name: [f"{name}{number}" for number in range(size)] for name, size in sizes.items()}


def options(text: str, **sizes: int) -> GoalOptions:
    return GoalOptions(read_bddl(text), objects(**sizes))


def inside(a: int, b: int) -> Atom:
    return Atom("inside", (f"a{a}", f"b{b}"))


PAIRS = "(forpairs (?a - a) (?b - b) (inside ?a ?b))"


def test_pairs_can_be_formed_in_several_ways() -> None:
    two = options(PAIRS, a=2, b=2)
    assert two.enumerate().options == (
        frozenset([inside(0, 0), inside(1, 1)]),
        frozenset([inside(0, 1), inside(1, 0)]),
    )
    assert two.count() == 2


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("(and)", 1),
        ("(or)", 0),
        ("(p a0)", 1),
        ("(and (p a0) (not (p a0)))", 0),
        ("(or (p a0) (p a0))", 1),
        ("(or (p a0) (not (p a0)))", 2),
        ("(forall (?a - a) (p ?a))", 1),
        ("(exists (?a - a) (p ?a))", 4),
        ("(forall (?a - a) (exists (?b - b) (on ?a ?b)))", 3**4),
        ("(not (forall (?a - a) (p ?a)))", 4),
        ("(not (exists (?a - a) (p ?a)))", 1),
        ("(forn (2) (?a - a) (p ?a))", comb(4, 2)),
        ("(forn (5) (?a - a) (p ?a))", 0),
        ("(not (forn (2) (?a - a) (p ?a)))", 2**4 - comb(4, 2)),
        ("(forn (2) (?a - a) (exists (?b - b) (on ?a ?b)))", comb(4, 2) * 3**2),
        (PAIRS, 4 * 3 * 2),
        ("(fornpairs (2) (?a - a) (?b - b) (inside ?a ?b))", comb(4, 2) * comb(3, 2) * 2),
        ("(fornpairs (0) (?a - a) (?b - b) (inside ?a ?b))", 1),
        ("(fornpairs (4) (?a - a) (?b - b) (inside ?a ?b))", 0),
        ("(forpairs (?a - a) (?c - a) (beside ?a ?c))", 9),  # derangements of four
        ("(forpairs (?a - a) (?b - b) (or (inside ?a ?b) (= ?a a0)))", 6 + 18 + 18),
        ("(forpairs (?a - a) (?n - none) (inside ?a ?n))", 1),
        ("(forall (?n - none) (p ?n))", 1),
        ("(exists (?n - none) (p ?n))", 0),
    ],
)
def test_options_are_counted_exactly(text: str, count: int) -> None:
    found = options(text, a=4, b=3, none=0)
    assert found.count() == count
    listed = found.enumerate(10_000)
    assert listed.complete
    assert len(listed.options) == count


def test_conjuncts_that_contradict_each_other_are_not_combined() -> None:
    both = options(
        "(and (exists (?b - b) (and (inside a0 ?b) (not (inside a1 ?b))))"
        " (exists (?b - b) (and (inside a1 ?b) (not (inside a0 ?b)))))",
        a=2,
        b=2,
    )
    assert both.count() == 2


def test_exactly_denies_the_others_and_at_least_does_not() -> None:
    text = "(forn (1) (?a - a) (p ?a))"
    p0, p1 = Atom("p", ("a0",)), Atom("p", ("a1",))
    exactly = GoalOptions(read_bddl(text), objects(a=2))
    assert set(exactly.enumerate().options) == {
        frozenset([p0, Not(p1)]),
        frozenset([Not(p0), p1]),
    }
    at_least = GoalOptions(read_bddl(text, forn="at least"), objects(a=2))
    assert set(at_least.enumerate().options) == {frozenset([p0]), frozenset([p1])}


def test_enumeration_is_bounded_and_says_so() -> None:
    many = options(PAIRS, a=9, b=9)
    found = many.enumerate(5)
    assert len(found.options) == 5
    assert not found.complete
    assert many.enumerate(5) == found
    assert not many.enumerate(0).complete
    assert options("(p a0)").enumerate(1).complete


def test_large_goals_are_counted_without_listing_them() -> None:
    text = f"(and {PAIRS} (forall (?a - a) (exists (?c - c) (on ?a ?c))))"
    large = options(text, a=30, b=30, c=20)
    start = time.process_time()
    assert large.count() == factorial(30) * 20**30
    predicted = [inside(n, (n * 7) % 30) for n in range(30)]
    best = large.best_f1(predicted)
    assert best is not None
    assert best.score == Fraction(2 * 30, 30 + 60)
    assert best.exact
    assert time.process_time() - start < 20


def test_the_best_option_is_an_assignment() -> None:
    three = options(PAIRS, a=3, b=3)
    predicted = [inside(0, 1), inside(0, 2), inside(1, 1), inside(2, 0)]
    best = three.best_f1(predicted)
    assert best is not None
    assert best.matched == best.option == {inside(0, 2), inside(1, 1), inside(2, 0)}
    assert best.score == Fraction(2 * 3, 3 + 4)


def test_the_best_share_is_taken_over_all_options() -> None:
    either = options("(or (and (p a0) (p a1) (p a2)) (and (q a0) (not (q a1))))", a=3)
    best = either.best_partial({Atom("p", ("a0",)), Atom("p", ("a1",))})
    assert best is not None
    assert best.score == Fraction(2, 3)
    best = either.best_partial({Atom("q", ("a0",))})
    assert best is not None
    assert best.score == 1
    assert best.option == {Atom("q", ("a0",)), Not(Atom("q", ("a1",)))}


def test_the_best_share_is_not_that_of_the_option_with_most_matches() -> None:
    long = "(and (p a0) (p a1) (p a2) (p a3) (q a0) (q a1))"
    facts = {*(Atom("p", (f"a{number}",)) for number in range(4)), Atom("r", ("a0",))}
    best = options(f"(or {long} (r a0))", a=4).best_partial(facts)
    assert best is not None
    assert best.score == 1
    assert best.option == {Atom("r", ("a0",))}


@pytest.mark.parametrize("order", [*permutations(range(3))])
def test_the_best_f1_is_not_that_of_the_shortest_option(order: tuple[int, ...]) -> None:
    alternatives = (
        "(and (p a0) (p a1))",
        "(and (p a0) (p a1) (p a2) (q a0))",
        "(and (p a0) (p a1) (p a2) (q a1) (q a2))",
    )
    text = " ".join(alternatives[number] for number in order)
    best = options(f"(or {text})", a=3).best_f1([Atom("p", (f"a{number}",)) for number in range(3)])
    assert _score(best) == Fraction(6, 7)


def test_nothing_asked_and_nothing_predicted_is_a_match() -> None:
    empty = options("(and)")
    assert _score(empty.best_f1([])) == 1
    assert _score(empty.best_f1([Atom("p", ("a",))])) == 0
    assert _score(empty.best_partial(set())) == 1
    assert options("(or)").best_f1([]) is None
    assert options("(or)").best_partial(set()) is None


def _score(best: object) -> Fraction:
    score = getattr(best, "score", None)
    assert isinstance(score, Fraction)
    return score


def test_an_action_sequence_is_one_element() -> None:
    x = Variable("x", ("a",))
    looks = Exists((x,), Or((ActionAtom("look", (x,)), ActionAtom("watch", (x,)))))
    on = Atom("on", ("tv",))
    found = GoalOptions(Then((looks, looks, And((on, Atom("plugged", ("tv",)))))), objects(a=300))
    assert found.count() == 600**2
    sequence = Then((ActionAtom("watch", ("a7",)), ActionAtom("look", ("a8",))))
    assert _score(found.best_f1([sequence, on])) == Fraction(2 * 2, 3 + 2)
    assert _score(found.best_f1([Then(sequence.operands[:1]), on])) == Fraction(2, 3 + 2)
    taken = [ActionAtom("walk", ("a1",)), ActionAtom("look", ("a1",)), ActionAtom("look", ("a1",))]
    assert _score(found.best_partial({on}, actions=taken)) == Fraction(2, 3)
    assert _score(found.best_partial({on}, actions=taken[:2])) == Fraction(1, 3)


def test_a_goal_may_consist_of_actions_only() -> None:
    sleep = ActionAtom("sleep")
    only = GoalOptions(Then((sleep, sleep)), {})
    assert only.enumerate().options == (frozenset([Then((sleep, sleep))]),)
    assert _score(only.best_partial(set(), actions=[sleep, sleep])) == 1
    assert GoalOptions(Then((Or(()), Truth(True))), {}).count() == 0
    assert GoalOptions(sleep, {}).enumerate().options == (frozenset([sleep]),)


@pytest.mark.parametrize(
    ("goal", "error"),
    [
        (Next(Atom("p")), InputError),
        (Then((Atom("p"), Atom("q"))), InputError),
        (And((Atom("p"), Then((Atom("p"), Atom("q"))))), InputError),
        (Atom("p", (Variable("x"),)), SchemaError),
        (Exists((Variable("x", ("sort",)),), Atom("p")), UnknownNameError),
    ],
)
def test_goals_without_simple_goals_are_refused(goal: Formula, error: type[Exception]) -> None:
    with pytest.raises(error):
        GoalOptions(goal, {"sorts": ["a"]})


def test_predictions_are_ground_literals() -> None:
    for wrong in (Atom("p", (Variable("x"),)), And((Atom("p"),)), Not(Not(Atom("p"))), Then(())):
        with pytest.raises(SchemaError, match="simple goal"):
            options("(p a)").best_f1([wrong])


def test_goals_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grounding, "GROUND_LIMIT", 1000)
    x, y, z = (Variable(name, ("a",)) for name in "xyz")
    with pytest.raises(InputError, match="ground subformulas"):
        GoalOptions(Exists((x, y, z), Atom("p", (x, y, z))), objects(a=300))
    unpaired = read_bddl(f"(not {PAIRS})")
    with pytest.raises(InputError, match="ground subformulas"):
        GoalOptions(unpaired, objects(a=9, b=9))


def test_a_tangled_goal_is_searched_up_to_a_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(families, "LISTING_LIMIT", 5000)
    clash = " ".join(
        f"(exists (?b - b) (and (inside a{n} ?b) (not (inside a{(n + 1) % 9} ?b))))"
        for n in range(9)
    )
    tangled = options(f"(and {clash})", a=9, b=9)
    with pytest.raises(InputError, match="cannot be counted"):
        tangled.count()
    found = tangled.enumerate(3)
    assert len(found.options) == 3
    assert not found.complete
    best = tangled.best_f1(found.options[0])
    assert best is not None
    assert not best.exact
    assert best.score == 1


def test_whether_there_is_any_option_may_stay_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(families, "LISTING_LIMIT", 300)
    apart = "(or (= ?a ?c) (not (in ?a ?b)) (not (in ?c ?b)))"
    pigeons = options(
        "(and (forall (?a - a) (exists (?b - b) (in ?a ?b)))"
        f" (forall (?b - b) (forall (?a - a) (forall (?c - a) {apart}))))",
        a=5,
        b=4,
    )
    assert not pigeons.enumerate().complete
    for ask in (pigeons.count, lambda: pigeons.best_f1([]), lambda: pigeons.best_partial(set())):
        with pytest.raises(InputError, match="share atoms"):
            ask()


@pytest.mark.parametrize(("size", "derangements"), [(2, 1), (5, 44), (20, 895014631192902121)])
def test_no_object_is_paired_with_itself(size: int, derangements: int) -> None:
    swaps = options("(forpairs (?a - a) (?c - a) (beside ?a ?c))", a=size)
    assert swaps.count() == derangements
    assert len(swaps.enumerate(10).options) == min(10, derangements)


def test_pairs_may_have_different_numbers_of_options() -> None:
    either = "(or (inside ?a ?b) (= ?a a0) (and (= ?b b0) (on ?a ?b)) (and (= ?a ?b) (no)))"
    mixed = options(f"(fornpairs (2) (?a - a) (?b - b) {either})", a=3, b=3)
    assert mixed.count() == len(mixed.enumerate(10_000).options)


def test_untyped_variables_range_over_all_objects() -> None:
    goal = Exists((Variable("x"),), Atom("p", (Variable("x"),)))
    assert GoalOptions(goal, {"a": ["o1", "o2"], "b": ["o2", "o3"]}).count() == 3
    assert GoalOptions(goal, {"object": ["o1"], "b": ["o1"]}).count() == 1
    assert (
        GoalOptions(goal, lambda types: ("o1", "o2") if types == ("object",) else ()).count() == 2
    )


def test_alternatives_that_ask_for_different_things_are_counted_apart() -> None:
    """Neither has what the other one asks for, so there is no need to list the 2**25 options."""
    names = [f"a{number}" for number in range(24)]
    shared = " ".join(f"(or (wet {name}) (dry {name}))" for name in names)
    assert options(f"(or (and (p a0) {shared}) (and (p a1) {shared}))").count() == 2**25


def test_a_predicted_sequence_fits_at_every_place() -> None:
    first = Or((ActionAtom("look", ("a0",)), ActionAtom("go", ("a0",))))
    second = Or((ActionAtom("look", ("a1",)), ActionAtom("go", ("a1",))))
    asked = GoalOptions(Then((first, second)), {})
    half = Then((ActionAtom("look", ("a0",)), ActionAtom("sit", ("a1",))))
    whole = Then((ActionAtom("go", ("a0",)), ActionAtom("look", ("a1",))))
    assert _score(asked.best_f1([half])) == 0
    found = asked.best_f1([half, whole])
    assert found is not None
    assert found.matched == {whole}
    assert found.score == Fraction(2, 3)
