"""What an edit has to bring about, place by place, and the actions that do."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import pytest
from causes_worlds import NAMES, OPERATORS, THINGS, WORLD

from eai.budget import Budget
from eai.logic import TRUE, Atom, Formula, parse_formula
from eai.pddl import parse_domain
from eai.planning.repair.candidates import Candidates, first_edits
from eai.planning.repair.landmarks import (
    Disjunctions,
    LandmarkFinder,
    LiteralSet,
    RepairLandmarks,
)
from eai.planning.repair.least import RepairSearch, least_repair
from eai.planning.repair.task import EditKind, RepairTask, Target, depth_of
from eai.world import Action, Literal, State, World

OBJECTS = {"robot": "robot", **dict.fromkeys(THINGS, "thing")}
INDEX = WORLD.layout.index


def state_of(facts: Iterable[str]) -> State:
    return WORLD.state(OBJECTS, [Atom(name, tuple(rest)) for name, *rest in map(str.split, facts)])


def word(literal: Literal) -> str:
    p, numbers, value = literal
    names = tuple(OBJECTS)
    parts = [WORLD.layout.names[p], *(names[number] for number in numbers)]
    return " ".join(parts if value else ["not", *parts])


def literal(text: str) -> Literal:
    """``"not in can box"`` as a literal."""
    value = not text.startswith("not ")
    name, *things = text.removeprefix("not ").split()
    return INDEX[name], tuple(list(OBJECTS).index(thing) for thing in things), value


def every_literal() -> list[Literal]:
    """All literals about the things."""
    found: list[Literal] = []
    for name in ("lit", "painted", "wet", "in"):
        p = INDEX[name]
        for numbers in product(range(1, 4), repeat=WORLD.layout.arity[p]):
            found += [(p, numbers, True), (p, numbers, False)]
    return found


def all_of(literals: LiteralSet) -> set[str]:
    return {word(each) for each in every_literal() if each in literals}


# ---------------------------------------------------------------------- sets of literals
SOME = ["lit", "not painted box", "wet box", "wet pot", "in can box", "in can pot", "in pot box"]


def test_a_set_of_literals_has_what_was_added_and_not_removed() -> None:
    literals = LiteralSet(map(literal, SOME))
    assert all_of(literals) == set(SOME)
    other = literals.copy()
    other.add([literal("wet can"), literal("wet box")])
    other.remove([literal("lit"), literal("in can box")])
    assert all_of(literals) == set(SOME)
    assert all_of(other) == {*SOME, "wet can"} - {"lit", "in can box"}


def test_a_set_is_true_if_anything_is_in_it() -> None:
    assert not LiteralSet()
    assert LiteralSet([literal("not lit")])
    # What was taken out leaves nothing behind that could be met.
    emptied = LiteralSet([literal("not lit")])
    emptied.remove([literal("not lit")])
    assert all_of(emptied) == set()


@pytest.mark.parametrize("value", [True, False])
@pytest.mark.parametrize(("name", "arity"), [("lit", 0), ("painted", 1), ("wet", 1), ("in", 2)])
def test_literals_are_matched_with_what_is_given_of_their_arguments(
    name: str, arity: int, value: bool
) -> None:
    literals = LiteralSet(map(literal, SOME))
    sign = (INDEX[name], value)
    for pattern in product([None, 1, 2, 3], repeat=arity):
        expected = {
            each
            for each in map(literal, SOME)
            if (each[0], each[2]) == sign
            and all(a is None or a == b for a, b in zip(pattern, each[1], strict=True))
        }
        matching = list(literals.matching(sign, pattern))
        assert len(matching) == len(expected)
        assert set(matching) == expected


@pytest.mark.parametrize("value", [True, False])
@pytest.mark.parametrize("name", ["lit", "painted", "wet", "in"])
def test_literals_that_are_not_so_in_a_state_are_open(name: str, value: bool) -> None:
    literals = LiteralSet(every_literal())
    for facts in ([], ["lit", "wet box", "painted pot", "in can pot", "in pot pot"]):
        state, p = state_of(facts), INDEX[name]
        found = set()
        for prefix, mask in literals.open((p, value), state):
            assert mask > 0
            last = [number for number in range(4) if mask >> number & 1]
            found |= {(p, (*prefix, number) if WORLD.layout.arity[p] else ()) for number in last}
        expected = {
            (p, numbers)
            for q, numbers, wanted in every_literal()
            if (q, wanted) == (p, value) and state.test(p, numbers) is not value
        }
        assert found == expected


# ---------------------------------------------------------------------- landmarks
def formula(text: str) -> Formula:
    return parse_formula(text, vocabulary=NAMES)


def plan_of(text: str) -> tuple[Action, ...]:
    parts = (part.split() for part in text.split(";") if part.strip())
    return tuple(Action(name, tuple(rest)) for name, *rest in parts)


def task_of(
    plan: str,
    *goal: str,
    initially: Iterable[str] = (),
    actions: Iterable[str] = (),
    path: str = "",
    skip: bool = True,
) -> RepairTask:
    target = Target(
        (tuple(map(formula, goal)),),
        tuple((name,) for name in actions),
        formula(path) if path else None,
    )
    return RepairTask(
        WORLD,
        state_of(initially),
        plan_of(plan),
        target,
        agent="robot",
        skip=skip,
        meter=Budget.unlimited().meter(),
    )


def landmarks_of(task: RepairTask) -> tuple[RepairLandmarks, list[set[str]]]:
    found = LandmarkFinder(task).of(task.run(task.slots))
    words = [set(map(word, _members(each))) for each in found.literals]
    return found, words


def _members(literals: LiteralSet) -> list[Literal]:
    return [
        each
        for p, value in literals.tables
        for each in literals.matching((p, value), [None] * WORLD.layout.arity[p])
    ]


WET_CAN = {"wet can", "in can box", "in can pot"}
AIRED = {"door_open", "window_open", "painted box"}
DRY = {"not wet box", "painted box"}


@pytest.mark.parametrize(
    ("plan", "goal", "initially", "places"),
    [
        # At the end a condition is unmet: what can make it true, and what lets a step do so.
        ("", "wet(can)", [], [{"wet can"}]),
        ("soak box", "wet(can)", [], [WET_CAN, {"wet can"}]),
        (
            "soak box",
            "wet(can)",
            ["in can pot"],
            [{"wet can", "in can box", "in pot box", "in pot can"}, {"wet can"}],
        ),
        ("soak box; put can box", "wet(can)", [], [WET_CAN, {"wet can"}, {"wet can"}]),
        # A step fails: what lets it be done, or makes it superfluous.
        ("paint box", "painted(box)", [], [AIRED]),
        ("paint box", "painted(box)", ["wet box"], [DRY]),
        ("open_door; paint box", "painted(box)", ["wet box"], [DRY, DRY]),
        ("open_door; soak box; paint box", "painted(box)", [], [DRY, DRY, DRY]),
        ("open_door; paint box; soak box", "painted(box)", [], [{"painted box"}] * 4),
        ("look", "lit()", [], [{"lit"}]),
        ("press; look", "lit()", ["lit"], [{"lit", "not lit"}, {"lit"}]),
        (
            "put box pot; put box can",
            "in(box, can)",
            ["in can box"],
            [{"in box can"}, {"in box can", "not in box pot"}],
        ),
        # Nothing helps a step that nobody knows, and what comes behind it is of no use.
        ("put box can; paint fly", "nested(box, pot)", [], [set(), set()]),
        ("fly; paint box", "painted(box)", [], [set()]),
        # Of what has to become so together the easiest is chosen; alternatives all count.
        (
            "dry",
            "not wet(box) and not wet(can)",
            ["wet box", "wet can"],
            [{"door_open", "window_open", "not wet box"}, {"not wet box"}],
        ),
        ("", "lit() or wet(box)", [], [{"lit", "wet box"}]),
        ("", "forall x - thing. (wet(x))", ["wet can"], [{"wet box"}]),
        (
            "",
            "exists x - thing. (wet(x) and painted(x))",
            ["wet can"],
            [{"painted box", "painted can", "painted pot"}],
        ),
        (
            "",
            "not nested(can, pot)",
            ["in can box", "in box pot"],
            [{"not in can box", "not in box pot"}],
        ),
        ("", "aired()", [], [{"door_open", "window_open"}]),
        ("", "not aired()", ["door_open", "window_open"], [{"not window_open"}]),
    ],
)
def test_landmarks_say_what_has_to_change_at_each_place(
    plan: str, goal: str, initially: list[str], places: list[set[str]]
) -> None:
    found, words = landmarks_of(task_of(plan, goal, initially=initially))
    assert words == places
    assert not found.names
    assert not found.pauses
    assert not found.timed
    assert found.is_hopeless is not any(places)


def test_alternatives_of_the_goal_count_together() -> None:
    task = task_of("", "lit()")
    either = RepairTask(
        WORLD,
        task.start,
        (),
        Target(((formula("lit()"), formula("wet(box)")), (formula("painted(can)"),))),
        agent="robot",
        skip=True,
        meter=Budget.unlimited().meter(),
    )
    words = landmarks_of(either)[1]
    assert len(words[0]) == 2
    assert "painted can" in words[0]
    assert landmarks_of(task_of("", "wet(box)", "lit()", initially=["wet box"]))[1] == [{"lit"}]


def test_a_step_that_is_not_passed_over_has_to_be_possible() -> None:
    assert landmarks_of(task_of("paint box", "lit()", skip=False))[1] == [
        {"door_open", "window_open"}
    ]


@pytest.mark.parametrize(
    ("plan", "actions", "initially", "names", "places"),
    [
        ("open_door", ["look"], [], {"look"}, [set(), set()]),
        ("open_door", ["look"], ["lit"], {"look"}, [set(), set()]),
        ("look", ["look", "press"], ["lit"], {"look", "press"}, [set(), set()]),
        # It was passed over, because the door is open; if it were not, the step would count.
        ("open_door", ["open_door"], ["door_open"], {"open_door"}, [{"not door_open"}, set()]),
        ("open_door", ["look"], ["door_open"], {"look"}, [set(), set()]),
        (
            "close_door; look",
            ["look", "press"],
            ["door_open", "lit"],
            {"look", "press"},
            [set()] * 3,
        ),
        # The second step of the plan is one that is asked for: it may as well be mended.
        ("press; look; paint box", ["look", "paint"], [], set(), [AIRED] * 3),
    ],
)
def test_actions_that_the_goal_demands_are_of_use(
    plan: str, actions: list[str], initially: list[str], names: set[str], places: list[set[str]]
) -> None:
    found, words = landmarks_of(task_of(plan, actions=actions, initially=initially))
    assert (set(found.names), words) == (names, places)
    assert found.is_hopeless is not (bool(names) or any(places))


LETTERS = {"wet can", "painted can", "in can box", "in can pot"}


@pytest.mark.parametrize(
    ("plan", "path", "names", "pauses", "places"),
    [
        (
            "open_door; soak box",
            "wet(can) then painted(can)",
            set(),
            set(),
            [LETTERS, LETTERS, {"wet can", "painted can"}],
        ),
        (
            "open_door; soak box; paint can",
            "wet(box) then painted(box)",
            set(),
            set(),
            [
                {"wet box", "not wet box", "painted box"},
                {"wet box", "not wet box", "painted box"},
                DRY,
                DRY,
            ],
        ),
        ("open_door; close_door", "G not door_open()", set(), set(), [{"door_open"}]),
        (
            "soak box; open_door",
            "G (door_open() -> not wet(box))",
            set(),
            set(),
            [{"door_open", "wet box", "not wet box"}, {"door_open", "not wet box"}],
        ),
        (
            "press; soak box",
            "lit() then press()",
            {"press"},
            set(),
            [{"lit", "not lit"}, {"not lit"}, {"not lit"}],
        ),
        # It would do to wait, before either step.
        (
            "press; look",
            "X X X lit()",
            set(),
            {0, 1, 2},
            [{"lit", "not lit"}, {"not lit"}, {"not lit"}],
        ),
    ],
)
def test_where_the_way_matters_every_atom_of_the_formula_does(
    plan: str, path: str, names: set[str], pauses: set[int], places: list[set[str]]
) -> None:
    found, words = landmarks_of(task_of(plan, path=path))
    assert (set(found.names), set(found.pauses), words) == (names, pauses, places)
    assert found.timed
    assert not found.is_hopeless


# ---------------------------------------------------------------------- actions
GROUND = [
    (name, ("robot", *things))
    for name in sorted(OPERATORS)
    for things in product(THINGS, repeat=OPERATORS[name])
]
STATES: tuple[list[str], ...] = (
    [],
    ["lit", "door_open", "wet box", "in can box"],
    ["window_open", "painted can", "in box pot", "in can pot", "wet pot"],
)


def can(state: State, name: str, things: tuple[str, ...]) -> bool:
    return WORLD.first_failure(state, name, WORLD.numbers(state, name, things)) < 0


@pytest.mark.parametrize("facts", STATES)
def test_all_actions_that_can_be_done_are_found_in_order(facts: list[str]) -> None:
    state = state_of(facts)
    candidates = Candidates(task_of("", initially=facts))
    possible = [Action(n, rest[1:]) for n, rest in GROUND if can(state, n, rest)]
    assert [slot.action for slot in candidates.every(state)] == possible
    some = [action for action in possible if action.name in {"put", "look"}]
    assert [slot.action for slot in candidates.every(state, ["put", "look"])] == some


@pytest.mark.parametrize("facts", STATES)
def test_actions_that_bring_something_about_are_those_that_do(facts: list[str]) -> None:
    state = state_of(facts)
    candidates = Candidates(task_of("", initially=facts))
    for wanted in every_literal():
        if state.test(wanted[0], wanted[1]) is wanted[2]:
            continue
        bringing, refused = set(), set()
        for name, things in GROUND:
            after = state.copy()
            WORLD.apply(after, name, WORLD.numbers(state, name, things))
            if after.test(wanted[0], wanted[1]) is wanted[2] and can(state, name, things):
                bringing.add(Action(name, things[1:]))
            elif not can(state, name, things):
                refused.add(Action(name, things[1:]))
        found = [slot.action for slot in candidates.bringing(state, LiteralSet([wanted]))]
        assert len(found) == len(set(found))
        assert set(found) == bringing, word(wanted)
        others = {slot.action for slot in candidates.refused(state, LiteralSet([wanted]))}
        assert others <= refused
    named = [
        slot.action.name for slot in candidates.bringing(state, LiteralSet(), ["press", "fly"])
    ]
    assert named == ["press"]


def test_actions_that_cannot_be_done_now_are_found_too() -> None:
    state = state_of(["wet box"])
    candidates = Candidates(task_of("", initially=["wet box"]))
    for wanted, names, actions in (
        ("painted box", [], ["paint box"]),
        ("door_open", [], []),
        ("not in can box", [], []),
        ("in can can", [], ["put can can"]),
        ("painted box", ["look", "take"], ["paint box", "look"]),
    ):
        found = candidates.refused(state, LiteralSet([literal(wanted)]), names)
        assert [" ".join([s.action.name, *s.action.arguments]) for s in found] == actions


def test_first_edits_are_all_that_change_what_is_done_before_the_failure() -> None:
    task = task_of("open_door; look; soak can; fly")
    start = task.run(task.slots)
    assert start.at == 1
    steps = [slot.action for slot in task.slots]
    found = list(first_edits(task, start))
    assert len(found) == len(set(found))
    kinds = {kind: [s for s in found if any(slot.edit is kind for slot in s)] for kind in EditKind}
    inserted = {tuple(slot.action for slot in slots) for slots in kinds[EditKind.INSERT]}
    expected = {
        (*steps[:place], slot.action, *steps[place:])
        for place in (0, 1)
        for slot in Candidates(task).every(start.states[place])
    }
    assert inserted == expected
    replaced = [
        [s.origin for s in slots if s.edit is EditKind.REPLACE] for slots in kinds[EditKind.REPLACE]
    ]
    every = Candidates(task).every
    assert replaced.count([0]) == len(every(start.states[0])) - 1
    assert replaced.count([1]) == len(every(start.states[1]))
    moved = {tuple(slot.origin for slot in slots) for slots in kinds[EditKind.MOVE]}
    assert moved == {
        # The first and the second step to any place behind, the third before the failure.
        (1, 0, 2, 3),
        (1, 2, 0, 3),
        (1, 2, 3, 0),
        (0, 2, 1, 3),
        (0, 2, 3, 1),
        (2, 0, 1, 3),
        (0, 2, 1, 3),
    }
    out = [slots for slots in found if all(slot.edit is None for slot in slots)]
    assert [[slot.origin for slot in slots] for slots in out] == [[1, 2, 3], [0, 2, 3]]


# ---------------------------------------------------------------------- measures
@pytest.mark.parametrize(
    ("text", "depth"),
    [
        ("lit()", 0),
        ("aired()", 0),
        ("exists x - thing. (wet(x))", 1),
        ("exists x - thing, y - thing. (in(x, y))", 2),
        ("exists x - thing. (wet(x) and forall y - thing. (in(x, y)))", 2),
        ("(exists x - thing. (wet(x))) and (exists y - thing. (wet(y)))", 1),
        ("nested(box, can)", 10),
        ("exists x - thing. (nested(x, can))", 11),
        ("painted(box) and lit()", 0),
    ],
)
def test_the_depth_of_a_condition_counts_variables_below_each_other(text: str, depth: int) -> None:
    assert depth_of(WORLD, formula(text)) == depth


@pytest.mark.parametrize(
    ("text", "initially", "weight"),
    [
        ("lit", [], 1),
        ("lit", ["lit"], 2),
        ("not lit", ["lit"], 1),
        ("not lit", [], 2),
        # Two actions open or close something; one of them is enough for the window.
        ("door_open", [], 1),
        ("not door_open", ["door_open"], 2),
        ("window_open", [], 1),
        # Anything may be soaked that it is in.
        ("wet box", [], 21),
        ("painted box", [], 1),
        ("not painted box", ["painted box"], 21),
        ("in box can", [], 1),
        ("in box box", [], 0),
        ("not in box box", ["in box box"], 1),
    ],
)
def test_the_weight_of_a_literal_counts_what_brings_it_about(
    text: str, initially: list[str], weight: int
) -> None:
    assert task_of("", initially=initially).weight(literal(text)) == weight


@pytest.mark.parametrize("possible", [["jump", "climb"], ["jump"], ["climb"], []])
def test_actions_that_static_facts_rule_out_bring_nothing_about(possible: list[str]) -> None:
    operators = [
        f"(:action {name} :parameters (?a ?x) :precondition (can-{name} ?x) :effect (up ?x))"
        for name in ("jump", "climb")
    ]
    domain = parse_domain(
        "(define (domain d) (:predicates (up ?x) (can-jump ?x) (can-climb ?x))"
        f" {' '.join(operators)})"
    )
    world = World(domain)
    facts = [Atom(f"can-{name}", ("box",)) for name in possible]
    start = world.state({"me": "object", "box": "object"}, facts)
    target = Target(((parse_formula("up(box)"),),), ())
    meter = Budget.unlimited().meter()
    task = RepairTask(world, start, [], target, agent="me", skip=True, meter=meter)
    box = start.universe.number("box")
    assert task.weight((world.layout.index["up"], (box,), True)) == len(possible)
    repair = least_repair(world, start, [], target, agent="me")
    assert repair.distance == (1 if possible else None)


def test_an_operator_of_another_name_that_does_the_same_is_left_out() -> None:
    assert task_of("").operators == set(OPERATORS)


@pytest.mark.parametrize(
    ("plan", "hopeless"),
    [("fly", True), ("put box box", True), ("put box can", False), ("look", False)],
)
def test_a_step_is_hopeless_if_nothing_that_changes_forbids_it(plan: str, hopeless: bool) -> None:
    task = task_of(plan)
    assert task.is_hopeless(task.slots[0]) is hopeless
    assert task.is_hopeless(task.slots[0]) is hopeless


@pytest.mark.parametrize("known", [None, 1, 2, 3])
def test_a_third_of_the_budget_is_left_if_no_repair_can_be_shorter_than_a_known_one(
    known: int | None,
) -> None:
    task = task_of("", "lit()", "wet(can)", "painted(box)")
    task.meter.budget = Budget(instances=3_000_000)
    search = RepairSearch(task)
    search.run(2, known)
    assert search.bound == 3  # all pairs are tried
    assert task.meter.budget.instances == (1_000_000 if known == 2 else 3_000_000)


def test_a_step_whose_effect_need_not_happen_may_be_passed_over() -> None:
    domain = parse_domain("""(define (domain polishing) (:types robot thing)
      (:predicates (held ?x - thing) (dusty ?x - thing) (clean ?x - thing) (shiny ?x - thing))
      (:action take :parameters (?r - robot ?x - thing) :effect (held ?x))
      (:action dust :parameters (?r - robot ?x - thing) :effect (not (dusty ?x)))
      (:action rinse :parameters (?r - robot ?x - thing) :effect (clean ?x))
      (:action polish :parameters (?r - robot ?x - thing) :precondition (held ?x)
        :effect (and (shiny ?x) (when (dusty ?x) (clean ?x)))))""")
    world = World(domain)
    objects = {"robot": "robot", "cup": "thing", "pan": "thing"}

    def landmark_of(*facts: str, skip: bool = True) -> set[str]:
        atoms = [Atom(name, tuple(terms)) for name, *terms in map(str.split, facts)]
        task = RepairTask(
            world,
            world.state(objects, atoms),
            (Action("polish", ("cup",)),),
            Target(((TRUE,),)),
            agent="robot",
            skip=skip,
            meter=Budget.unlimited().meter(),
        )
        (landmark,) = LandmarkFinder(task).of(task.run(task.slots)).literals
        found = set()
        for p, value in landmark.tables:
            for _, numbers, _ in landmark.matching((p, value), [None]):
                name = f"{world.layout.names[p]} {tuple(objects)[numbers[0]]}"
                found.add(name if value else f"not {name}")
        return found

    assert landmark_of("dusty cup", "shiny cup") == {"held cup", "clean cup", "not dusty cup"}
    assert landmark_of("dusty cup", "shiny cup", skip=False) == {"held cup"}
    # The effect that is looked at is one that does not hold.
    assert landmark_of("dusty cup", "clean cup") == {"held cup", "shiny cup"}


def test_where_derivations_are_too_many_every_literal_counts_that_can_change() -> None:
    domain = parse_domain("""(define (domain ways) (:types robot place)
      (:predicates (link ?x ?y - place) (reach ?x ?y - place) (lit ?x - place))
      (:derived (reach ?x ?y - place)
        (or (link ?x ?y) (exists (?z - place) (and (link ?x ?z) (reach ?z ?y)))))
      (:action join :parameters (?r - robot ?x ?y - place) :effect (link ?x ?y)))""")
    world = World(domain)
    places = [f"p{number}" for number in range(8)]
    objects = {"robot": "robot", **dict.fromkeys([*places, "end"], "place")}
    linked = set(product(places, repeat=2))
    start = world.state(objects, [Atom("link", pair) for pair in linked])
    task = RepairTask(
        world,
        start,
        (),
        Target(((TRUE,),)),
        agent="robot",
        skip=True,
        meter=Budget.unlimited().meter(),
    )
    finder, goal = Disjunctions(task), Atom("reach", ("p0", "end"))
    names = tuple(objects)
    # All ways through the other places are too many to look at; links cannot be taken away.
    expected = {*product([*places, "end"], repeat=2)} - linked
    for _ in range(2):
        literals = finder.landmark(goal, {}, start)
        assert {(names[a], names[b]) for _, (a, b), _ in literals} == expected
        assert all(value for _, _, value in literals)
