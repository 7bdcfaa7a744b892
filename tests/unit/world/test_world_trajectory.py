from __future__ import annotations

import itertools

import pytest

from eai.errors import InputError, UnknownNameError
from eai.logic import Atom
from eai.pddl import parse_condition, parse_domain
from eai.world import Action, Step, Trajectory, World
from eai.world.state import Change

DOMAIN = parse_domain("""(define (domain d) (:requirements :adl :derived-predicates)
    (:predicates (open ?x) (on ?x ?y) (near ?x ?y ?z) (dark) (busy) (bare ?x))
    (:derived (bare ?x) (not (exists (?y) (on ?y ?x))))
    (:action open :parameters (?x) :effect (open ?x))
    (:action shut :parameters (?x) :effect (not (open ?x)))
    (:action move :parameters (?x ?y)
      :effect (and (forall (?o) (not (on ?x ?o))) (on ?x ?y) (near ?x ?y ?x)))
    (:action clear :parameters (?y) :effect (forall (?o) (not (on ?o ?y))))
    (:action darken :parameters () :effect (and (dark) (not (busy)))))""")
OBJECTS = dict.fromkeys(("box", "cup", "desk"), "object")


def run(*steps: str, computed: bool = False) -> Trajectory:
    functions = {"busy": lambda state: int(state.unary[state.layout.index["open"]] > 1)}
    domain = parse_domain("(define (domain e) (:predicates (open ?x) (busy))"
                          "(:action open :parameters (?x) :effect (open ?x)))")  # fmt: skip
    world = World(domain, computed=functions) if computed else World(DOMAIN)
    start = world.state(OBJECTS, [] if computed else [Atom("on", ("cup", "box")), Atom("busy")])
    state, taken = start.begin(), []
    for number, text in enumerate(steps, start=1):
        name, *arguments = text.split()
        changes = world.apply(state, name, world.numbers(state, name, arguments))
        taken.append(Step(Action(name, tuple(arguments)), 2 * number, changes))
    return Trajectory(world, start, taken, state)


PLAN = ("open box", "move cup desk", "shut box", "open box", "clear desk", "darken")


def test_a_history_has_a_bit_for_every_position() -> None:
    trajectory = run(*PLAN)
    assert trajectory.length == 7
    assert trajectory.history("open", ("box",)) == 0b1110110
    assert trajectory.history("open", ("cup",)) == 0
    assert trajectory.history("on", ("cup", "box")) == 0b0000011
    assert trajectory.history("on", ("cup", "desk")) == 0b0011100
    assert trajectory.history("on", ("desk", "cup")) == 0
    assert trajectory.history("near", ("cup", "desk", "cup")) == 0b1111100
    assert trajectory.history("near", ("cup", "desk", "box")) == 0
    assert trajectory.history("dark", ()) == 0b1000000
    assert trajectory.history("busy", ()) == 0b0111111


def test_a_history_is_the_truth_of_an_atom_in_each_state() -> None:
    trajectory = run("open cup", *PLAN, "open desk", "shut cup", "open box")
    states = [state.copy() for state in trajectory.states()]
    for name, predicate in DOMAIN.predicates.items():
        for arguments in itertools.product(OBJECTS, repeat=predicate.arity):
            atom = Atom(name, arguments)
            holds = [trajectory.world.holds(state, atom) for state in states]
            truth = sum(is_true << at for at, is_true in enumerate(holds))
            assert trajectory.history(name, arguments) == truth, (name, arguments)


def test_the_empty_plan_has_one_position() -> None:
    trajectory = run()
    assert trajectory.length == 1
    assert trajectory.history("on", ("cup", "box")) == 1
    assert trajectory.condition(Atom("dark")) == 0
    assert [list(state.atoms()) for state in trajectory.states()] == [
        [Atom("on", ("cup", "box")), Atom("busy")]
    ]


def test_derived_and_computed_predicates_have_histories_too() -> None:
    trajectory = run(*PLAN)
    assert trajectory.history("bare", ("box",)) == 0b1111100
    assert trajectory.history("bare", ("desk",)) == 0b1100011
    assert run("open box", "open cup", computed=True).history("busy", ()) == 0b100


def test_the_truth_of_a_condition_at_every_position() -> None:
    trajectory = run(*PLAN)
    assert trajectory.condition(parse_condition("(and (open box) (on cup desk))")) == 0b0010100
    assert trajectory.condition(parse_condition("(exists (?x) (bare ?x))")) == 0b1111111


def test_what_a_step_added_and_deleted() -> None:
    trajectory = run("open box", "move cup desk", "move cup desk", "clear desk", "clear desk")
    assert list(trajectory.added(1)) == [Atom("open", ("box",))]
    assert list(trajectory.deleted(1)) == []
    assert list(trajectory.added(2)) == [
        Atom("on", ("cup", "desk")),
        Atom("near", ("cup", "desk", "cup")),
    ]
    assert list(trajectory.deleted(2)) == [Atom("on", ("cup", "box"))]
    assert list(trajectory.added(3)) == []
    assert list(trajectory.deleted(3)) == []
    assert list(trajectory.deleted(4)) == [Atom("on", ("cup", "desk"))]
    assert list(trajectory.deleted(5)) == []


@pytest.mark.parametrize("presses", range(7))
def test_a_step_of_several_changes_says_what_came_of_them(presses: int) -> None:
    domain = parse_domain("""(define (domain d) (:requirements :adl) (:predicates (lit ?x))
      (:action press :parameters (?x)
        :effect (and (when (lit ?x) (not (lit ?x))) (when (not (lit ?x)) (lit ?x)))))""")
    world = World(domain)
    for facts in ([], [Atom("lit", ("cup",))]):
        start = world.state(OBJECTS, facts)
        state = start.begin()
        changes: list[Change] = []
        for _ in range(presses):
            changes += world.apply(state, "press", world.numbers(state, "press", ("cup",)))
        trajectory = Trajectory(world, start, [Step(Action("press"), 1, changes)], state)
        changed = [Atom("lit", ("cup",))] * (presses % 2)
        assert list(trajectory.added(1)) == (changed if not facts else [])
        assert list(trajectory.deleted(1)) == (changed if facts else [])


def test_an_atom_that_a_step_deletes_and_adds_again_did_not_change() -> None:
    domain = parse_domain("""(define (domain d) (:predicates (on ?x ?y))
      (:action swap :parameters (?x ?y) :effect
        (and (forall (?o) (not (on ?o ?y))) (on ?x ?y))))""")
    world = World(domain)
    start = world.state(OBJECTS, [Atom("on", ("cup", "desk")), Atom("on", ("box", "desk"))])
    state = start.begin()
    changes = world.apply(state, "swap", world.numbers(state, "swap", ("cup", "desk")))
    trajectory = Trajectory(world, start, [Step(Action("swap"), 1, changes)], state)
    assert list(trajectory.added(1)) == []
    assert list(trajectory.deleted(1)) == [Atom("on", ("box", "desk"))]
    assert trajectory.history("on", ("cup", "desk")) == 0b11


@pytest.mark.parametrize("is_first", [True, False])
def test_an_atom_that_did_not_change_hides_none_that_did(is_first: bool) -> None:
    # Atoms come in the order of their predicates: the one that is put back before or after others.
    names = "kept up down" if is_first else "up down kept"
    predicates = " ".join(f"({name})" for name in names.split())
    domain = parse_domain(f"""(define (domain d) (:predicates {predicates})
      (:action a :parameters () :effect (and (not (kept)) (kept) (up) (not (down)))))""")
    world = World(domain)
    start = world.state({}, [Atom("kept"), Atom("down")])
    state = start.begin()
    changes: list[Change] = []
    for name, value in (("kept", False), ("kept", True), ("up", True), ("down", False)):
        changes.append((world.layout.index[name], 0, None, 1, value))
    state.apply(changes)
    trajectory = Trajectory(world, start, [Step(Action("a"), 1, changes)], state)
    assert trajectory.changed(1) == ([Atom("up")], [Atom("down")])


@pytest.mark.parametrize("position", [-1, 0, 3])
def test_a_position_that_no_step_leads_into_is_an_error(position: int) -> None:
    trajectory = run("open box", "shut box")
    with pytest.raises(InputError, match=f"no step leads into position {position}"):
        list(trajectory.added(position))
    with pytest.raises(InputError, match="expected: 1 to 2"):
        list(trajectory.deleted(position))


def test_actions_are_found_at_the_position_that_they_are_taken_from() -> None:
    trajectory = run(*PLAN)
    assert trajectory.taken("open") == [(0, ("box",)), (3, ("box",))]
    assert trajectory.taken("darken") == [(5, ())]
    assert trajectory.occurrences("open", ("box",)) == 0b001001
    assert trajectory.occurrences("open", ("cup",)) == 0
    with pytest.raises(UnknownNameError, match="did you mean 'open'"):
        trajectory.taken("opem")


def test_names_that_are_not_known_are_errors() -> None:
    trajectory = run(*PLAN)
    with pytest.raises(UnknownNameError, match="did you mean 'open'"):
        trajectory.history("opened", ("box",))
    with pytest.raises(UnknownNameError, match="no object named 'lid'"):
        trajectory.history("open", ("lid",))
    with pytest.raises(InputError, match="open takes 1 argument, not 2"):
        trajectory.history("open", ("box", "box"))


def test_the_start_is_not_changed_and_the_states_lead_to_the_end() -> None:
    trajectory = run(*PLAN)
    *_, last = [list(state.atoms()) for state in trajectory.states()]
    assert last == list(trajectory.final.atoms())
    assert trajectory.start.holds("on", ("cup", "box"))
    assert trajectory.objects(("object",)) == ["box", "cup", "desk"]


@pytest.mark.parametrize("predicate", ["open", "on"])
def test_what_is_ever_true_is_what_the_histories_say(predicate: str) -> None:
    trajectory = run(*PLAN)
    names = list(OBJECTS)
    arity = trajectory.world.domain.predicates[predicate].arity
    true = [
        arguments
        for arguments in itertools.product(names, repeat=arity)
        if trajectory.history(predicate, arguments)
    ]
    assert true
    for place, pattern in itertools.product(
        range(arity), itertools.product([None, *names], repeat=arity)
    ):
        if pattern[place] is None:
            fitting = {
                each[place]
                for each in true
                if all(want in (None, has) for want, has in zip(pattern, each, strict=True))
            }
            assert set(trajectory.ever(predicate, pattern, place) or ()) == fitting


def test_what_is_ever_true_may_not_be_known() -> None:
    trajectory = run(*PLAN)
    assert trajectory.ever("on", (None,), 0) is None
    assert trajectory.ever("bare", (None,), 0) is None
    assert trajectory.ever("near", (None, None, None), 0) is None
    with pytest.raises(UnknownNameError):
        trajectory.ever("onn", (None,), 0)
    with pytest.raises(UnknownNameError):
        trajectory.ever("on", (None, "nowhere"), 0)


@pytest.mark.parametrize(
    ("steps", "arguments", "place", "names"),
    [
        (["open box"], (None,), 0, {"box"}),
        (["open box", "open cup"], (None,), 0, {"box", "cup"}),
        (["shut box"], (None,), 0, set()),
        (["move cup desk"], ("cup", None), 1, {"box", "desk"}),
        (["move cup desk"], (None, "desk"), 0, {"cup"}),
        (["move cup desk"], (None, None), 1, {"box", "desk"}),
        (["move box cup", "move desk cup"], (None, "cup"), 0, {"box", "desk"}),
        # What was deleted did hold before; what never was there did not.
        (["clear box"], (None, "box"), 0, {"cup"}),
        (["clear desk"], (None, "desk"), 0, set()),
        ([], ("cup", None), 1, {"box"}),
    ],
)
def test_objects_of_which_an_atom_is_ever_true(
    steps: list[str], arguments: tuple[str | None, ...], place: int, names: set[str]
) -> None:
    predicate = "open" if len(arguments) == 1 else "on"
    assert set(run(*steps).ever(predicate, arguments, place) or ()) == names
