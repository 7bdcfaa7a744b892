from __future__ import annotations

import pytest

from eai.errors import InputError, UnknownNameError
from eai.logic import Atom, Not
from eai.pddl import parse_domain
from eai.world import State, World

DOMAIN = parse_domain("""(define (domain d) (:requirements :adl :derived-predicates)
    (:types cup - object)
    (:predicates (here ?x) (clean ?x) (held ?x) (free))
    (:derived (free) (not (exists (?x) (held ?x))))
    (:action take :parameters (?x - cup)
      :precondition (and (here ?x) (and (free) (not (held ?x)))) :effect (held ?x))
    (:action wash :parameters (?x ?with) :precondition (here ?with) :effect (clean ?x))
    (:action drop :parameters (?x) :precondition (and) :effect (not (held ?x)))
    (:action look :parameters () :precondition (here mug))
    (:constants mug - cup))""")
WORLD = World(DOMAIN)


def state(*atoms: Atom) -> State:
    return WORLD.state({"mug": "cup", "pan": "object"}, atoms)


def test_the_tests_of_a_precondition_are_its_conjuncts_in_order() -> None:
    numbers = WORLD.numbers(state(), "take", ("mug",))
    cases = {
        (): 0,
        (Atom("here", ("mug",)),): -1,
        (Atom("here", ("mug",)), Atom("held", ("mug",))): 1,
        (Atom("here", ("mug",)), Atom("held", ("pan",))): 1,
    }
    for atoms, failed in cases.items():
        assert WORLD.first_failure(state(*atoms), "take", numbers) == failed
    assert WORLD.failures(state(Atom("held", ("mug",))), "take", numbers) == [0, 1, 2]
    assert WORLD.failures(state(Atom("held", ("pan",))), "take", numbers) == [0, 1]
    assert WORLD.failures(state(Atom("here", ("mug",))), "take", numbers) == []


def test_a_test_can_be_shown_with_the_arguments_of_the_action() -> None:
    assert WORLD.test("take", 0, ("mug",)) == Atom("here", ("mug",))
    assert WORLD.test("take", 2, ("mug",)) == Not(Atom("held", ("mug",)))
    assert WORLD.test("wash", 0, ("pan", "mug")) == Atom("here", ("mug",))


def test_an_action_without_precondition_is_always_applicable() -> None:
    assert WORLD.first_failure(state(), "drop", (1,)) == -1
    assert WORLD.failures(state(), "drop", (1,)) == []


def test_applying_returns_what_changed_and_only_that() -> None:
    changed = state()
    held = WORLD.layout.index["held"]
    assert WORLD.apply(changed, "take", (0,)) == [(held, 0, None, 0b01, True)]
    assert WORLD.apply(changed, "take", (0,)) == []
    assert WORLD.apply(changed, "drop", (0,)) == [(held, 0, None, 0b01, False)]
    assert WORLD.apply(changed, "drop", (0,)) == []


def test_changes_are_recorded_by_line_with_a_mask_of_all_their_objects() -> None:
    world = World(
        parse_domain("""(define (domain d) (:predicates (on ?x ?y) (wet ?x) (near ?x ?y ?z))
          (:action flood :parameters (?x)
            :effect (and (forall (?o) (wet ?o)) (forall (?o) (on ?x ?o))))
          (:action clear :parameters (?x) :effect (forall (?o) (not (on ?o ?x))))
          (:action wedge :parameters (?x ?y) :effect (forall (?o) (near ?x ?y ?o)))
          (:action free :parameters (?x ?y ?z) :effect (not (near ?x ?y ?z))))""")
    )
    on, wet, near = (world.layout.index[name] for name in ("on", "wet", "near"))
    changed = world.state(dict.fromkeys("abc", "object"), [Atom("wet", ("b",))])
    assert world.apply(changed, "flood", (1,)) == [
        (wet, 0, None, 0b101, True),
        (on, 0, 1, 0b111, True),
    ]
    assert world.apply(changed, "clear", (2,)) == [(on, 1, 2, 0b010, False)]
    assert world.apply(changed, "wedge", (0, 2)) == [(near, 0, (0, 2), 0b111, True)]
    assert world.apply(changed, "free", (0, 2, 1)) == [(near, 0, (0, 2), 0b010, False)]


def test_what_is_deleted_and_added_again_is_not_recorded() -> None:
    world = World(
        parse_domain("""(define (domain d) (:predicates (on ?x ?y))
          (:action keep :parameters (?x ?y)
            :effect (and (forall (?o) (not (on ?x ?o))) (on ?x ?y))))""")
    )
    on = world.layout.index["on"]
    changed = world.state(dict.fromkeys("ab", "object"), [Atom("on", ("a", "a"))])
    assert world.apply(changed, "keep", (0, 0)) == []
    assert world.apply(changed, "keep", (0, 1)) == [(on, 0, 0, 1, False), (on, 0, 0, 2, True)]


def test_an_action_that_is_not_applicable_can_be_applied_all_the_same() -> None:
    changed = state(Atom("held", ("pan",)))
    WORLD.apply(changed, "take", (0,))
    assert changed.holds("held", ("mug",))


def test_whether_an_action_would_change_anything() -> None:
    assert WORLD.changes(state(), "take", (0,))
    assert not WORLD.changes(state(Atom("held", ("mug",))), "take", (0,))
    assert not WORLD.changes(state(), "drop", (0,))
    assert WORLD.changes(state(Atom("held", ("mug",))), "drop", (0,))
    assert not WORLD.changes(state(), "look", ())
    assert WORLD.operator("take").always_acts
    assert not WORLD.operator("look").always_acts


def test_conditions_hold_with_derived_predicates_and_constants() -> None:
    assert WORLD.holds(state(), Atom("free"))
    assert not WORLD.holds(state(Atom("held", ("pan",))), Atom("free"))
    assert WORLD.holds(state(Atom("here", ("mug",))), Atom("here", ("mug",)))


@pytest.mark.parametrize(
    ("name", "arguments", "error", "message"),
    [
        ("tak", ("mug",), UnknownNameError, "did you mean 'take'"),
        ("take", ("mugg",), UnknownNameError, "did you mean 'mug'"),
        ("take", (), InputError, "take takes 1 argument, not 0"),
        ("take", ("mug", "pan"), InputError, "take takes 1 argument, not 2"),
        ("take", ("pan",), InputError, r"argument \?x of take: 'pan' is a object"),
    ],
)
def test_actions_that_make_no_sense_are_errors(
    name: str, arguments: tuple[str, ...], error: type[InputError], message: str
) -> None:
    with pytest.raises(error, match=message):
        WORLD.numbers(state(), name, arguments)


def test_a_state_is_built_from_known_names() -> None:
    with pytest.raises(UnknownNameError, match="no predicate named 'hold'"):
        state(Atom("hold", ("mug",)))
    with pytest.raises(InputError, match="free is a derived predicate"):
        state(Atom("free"))
