"""Scoring BEHAVIOR goals: whole conditions from cut lists of options, or the best simple goal."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from small_behavior import OFFICIAL, STRICT, SUITE, evaluated, kitchen, task_in

from eai.errors import InputError
from eai.logic import Formula, format_formula, parse_formula
from eai.pddl import read_bddl
from eai.simulators.behavior import BehaviorObject, BehaviorScene
from eai.suites.behavior.listed_options import MOST_COMBINATIONS, listed_options

JARS = "(forall (?j - jar.n.01) (not (open ?j)))"
GOAL = f"(and {JARS} (exists (?j - jar.n.01) (inside egg_6 ?j)) (ontop plate_10 table_1))"


def conditions(goal: str, *steps: str, strict: bool = False, without: str = "") -> dict[str, bool]:
    semantics = STRICT if strict else OFFICIAL
    if without:
        semantics = SUITE.semantics("official", without=[without])
    task = task_in(kitchen("Open jar_3", "ontop plate_10 table_1"), goal)
    return {g.text: g.met for g in evaluated(task, *steps, semantics=semantics).goals}


STEPS = ("RIGHT_GRASP egg_6", "RIGHT_PLACE_INSIDE jar_3")


def test_official_counts_whole_conditions() -> None:
    assert list(conditions(GOAL, *STEPS).values()) == [False, True, True]


def test_strict_counts_the_literals_of_the_best_simple_goal() -> None:
    assert conditions(GOAL, *STEPS, strict=True) == {
        "inside(egg_6, jar_3)": True,
        "not open(jar_3)": False,
        "not open(jar_4)": True,
        "ontop(plate_10, table_1)": True,
    }


def test_a_condition_knows_its_kind_and_who_ended_it() -> None:
    task = task_in(kitchen("Open jar_3", "ontop plate_10 table_1"), GOAL)
    result = evaluated(task, *STEPS, "LEFT_GRASP plate_10")
    jars, egg, plate = result.goals
    assert (jars.kind, egg.kind, plate.kind) == ("state", "relation", "relation")
    assert (egg.since, plate.since, plate.lost_by) == (2, 0, 3)
    assert [f.kind.value for f in result.findings] == ["state_goal", "relation_goal"]


def test_an_answer_with_grammar_errors_meets_nothing_and_counts_everything() -> None:
    for strict, number in ((False, 3), (True, 4)):
        found = conditions(GOAL, "LEVITATE egg_6", strict=strict)
        assert list(found.values()) == [False] * number


def test_a_goal_that_contradicts_itself_is_one_unmet_condition() -> None:
    goal = "(and (open jar_3) (not (open jar_3)))"
    assert list(conditions(goal, "CLOSE jar_3", strict=True).values()) == [False]
    assert list(conditions(goal, "LEVITATE egg_6", strict=True).values()) == [False]


def test_forn_is_at_least_in_the_list_and_exact_in_truth() -> None:
    goal = "(forn (1) (?j - jar.n.01) (open ?j))"
    assert list(conditions(goal, "OPEN jar_4").values()) == [True]
    assert list(conditions(goal, "OPEN jar_4", without="listed_options").values()) == [False]


# ---------------------------------------------------------------------- the cut lists


def options(text: str, **objects: str) -> list[str]:
    by_type = {name: tuple(members.split()) for name, members in objects.items()}
    listed = listed_options(read_bddl(text), by_type)
    return [" ".join(map(format_formula, option)) for option in listed]


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("(p a)", ["p(a)"]),
        ("(and (p a) (or (q a) (q b)))", ["p(a) q(a)", "p(a) q(b)"]),
        ("(not (and (p a) (q a)))", ["not p(a)", "not q(a)"]),
        ("(not (or (p a) (not (q a))))", ["not p(a) q(a)"]),
        ("(imply (p a) (q a))", ["not p(a)", "q(a)"]),
        ("(exists (?x - t) (p ?x))", ["p(a)", "p(b)"]),
        ("(forall (?x - t) (p ?x))", ["p(a) p(b)"]),
        ("(forn (1) (?x - t) (p ?x))", ["p(a)", "p(b)"]),
        ("(forpairs (?x - t) (?y - u) (r ?x ?y))", ["r(a, c) r(b, d)", "r(b, c) r(a, d)"]),
        ("(forpairs (?x - t) (?y - w) (r ?x ?y))", ["r(a, g)", "r(b, g)"]),
        ("(fornpairs (1) (?x - t) (?y - u) (r ?x ?y))", ["r(a, c)", "r(a, d)"]),
    ],
)
def test_options_are_listed_in_order(text: str, listed: list[str]) -> None:
    assert options(text, t="a b", u="c d", w="g") == listed


def test_early_options_come_first_and_twenty_are_tried() -> None:
    both = "(forall (?x - t) (or (p ?x) (q ?x)))"
    assert options(both, t="a b") == ["p(a) p(b)", "p(a) q(b)", "q(a) p(b)", "q(a) q(b)"]
    names = "abcde"
    found = options(both, t=" ".join(names))
    # What lies behind the end of a list counts as tried: sums 0 and 1 are complete, of sum 2
    # the ten pairs are found among the fourteen positions that are still tried.
    assert len(found) < MOST_COMBINATIONS
    everything = [
        " ".join(f"{way}({name})" for way, name in zip(ways, names, strict=True))
        for ways in product("pq", repeat=5)
    ]
    assert set(found) < set(everything)
    assert " ".join(f"q({name})" for name in names) not in found


def test_ten_ways_to_pair_off_are_kept() -> None:
    found = options("(forpairs (?x - t) (?y - u) (r ?x ?y))", t="a b c d", u="e f g h")
    ways = [
        " ".join(f"r({y}, {x})" for y, x in zip(chosen, "efgh", strict=True))
        for chosen in permutations("abcd")
    ]
    assert found == ways[:10]


def test_a_way_that_was_cut_off_does_not_count() -> None:
    # Either jar will do for each of five things, and all five are in the second one.
    objects = tuple(
        BehaviorObject(name, f"{kind}.n.01_{i}", abilities=("Open",), states=("Open",))
        for kind, names in (
            ("jar", ("jar_1", "jar_2")),
            ("egg", tuple(f"egg_{i}" for i in range(5))),
        )
        for i, name in enumerate(names, start=1)
    )
    scene = BehaviorScene(objects, tuple(("inside", f"egg_{i}", "jar_2") for i in range(5)))
    goal = "(forall (?e - egg.n.01) (exists (?j - jar.n.01) (inside ?e ?j)))"
    task = task_in(scene, goal)
    assert not evaluated(task, "CLOSE jar_1").success
    whole = SUITE.semantics("official", without=["listed_options"])
    assert evaluated(task, "CLOSE jar_1", semantics=whole).success
    assert evaluated(task, "CLOSE jar_1", semantics=STRICT).success


def test_a_formula_that_is_not_bddl_is_refused() -> None:
    formula: Formula = parse_formula("F open(jar_3)")
    with pytest.raises(InputError, match="Eventually"):
        listed_options(formula, {})
