"""States are told apart by what differs from one of them, and made again from that."""

from __future__ import annotations

from itertools import product

import pytest

from eai.logic import Atom
from eai.pddl import parse_domain
from eai.world import World
from eai.world.differences import Differences

WORLD = World(
    parse_domain("""(define (domain d) (:requirements :adl)
      (:predicates (dark) (clean ?x) (on ?x ?y) (row ?x ?y ?z))
      (:action switch :parameters () :effect (dark))
      (:action wash :parameters (?x) :effect (clean ?x))
      (:action soil :parameters () :effect (forall (?x) (not (clean ?x))))
      (:action put :parameters (?x ?y) :effect (on ?x ?y))
      (:action clear :parameters (?y) :effect (forall (?x) (not (on ?x ?y))))
      (:action line :parameters (?x ?y ?z) :effect (row ?x ?y ?z)))""")
)
OBJECTS = dict.fromkeys("abc", "object")
INITIAL = [Atom("clean", ("a",)), Atom("on", ("a", "b")), Atom("on", ("c", "b"))]
STEPS = ["switch", "wash a", "wash c", "soil", "put b c", "put a b", "clear b", "line a b c"]


def differences_after(differences: Differences, steps: tuple[str, ...]) -> tuple[int, set[Atom]]:
    """Return the difference of the state after some actions, and its facts."""
    state = differences.initial.copy()
    difference = 0
    for name, *arguments in map(str.split, steps):
        numbers = WORLD.numbers(state, name, arguments)
        difference = differences.after(difference, WORLD.apply(state, name, numbers))
    return difference, set(state.atoms())


@pytest.mark.parametrize("first", STEPS)
def test_a_state_is_made_again_from_what_differs(first: str) -> None:
    differences = Differences(WORLD.state(OBJECTS, INITIAL))
    facts_of: dict[int, set[Atom]] = {}
    for rest in product(STEPS, repeat=2):
        difference, facts = differences_after(differences, (first, *rest))
        assert set(differences.state(difference).atoms()) == facts
        assert facts_of.setdefault(difference, facts) == facts


def test_bits_of_a_predicate_are_those_of_all_its_facts_so_far() -> None:
    differences = Differences(WORLD.state(OBJECTS, INITIAL))
    names = ("dark", "clean", "on", "row")
    mask_of = {name: 1 << WORLD.layout.index[name] for name in names}
    changed = dict.fromkeys(names, 0)
    steps = [("dark", "switch"), ("clean", "wash c"), ("on", "put b c"), ("on", "put b a")]
    steps += [("on", "clear b"), ("row", "line a b c"), ("row", "line b b c")]
    for name, step in steps:
        changed[name] |= differences_after(differences, (step,))[0]
    assert differences.line_count == 6  # b has one row for both of its facts
    bits = {name: differences.bits_of(mask) for name, mask in mask_of.items()}
    for name, others in ((name, set(names) - {name}) for name in names):
        assert changed[name] & bits[name] == changed[name] != 0
        assert not any(bits[name] & bits[other] for other in others)
    everything = differences.bits_of(sum(mask_of.values()))
    assert everything == sum(bits.values()) == (1 << 3 * 6) - 1
    assert differences.bits_of(0) == 0


def test_only_lines_from_the_first_that_counts_have_bits() -> None:
    differences = Differences(WORLD.state(OBJECTS, INITIAL))
    on = 1 << WORLD.layout.index["on"]
    differences_after(differences, ("put b c",))
    before = differences.line_count
    earlier = differences.bits_of(on)
    change = differences_after(differences, ("put a a",))[0]
    later = differences.bits_of(on, before)
    assert later & change == change
    assert not later & earlier
    assert later | earlier == differences.bits_of(on)
    assert differences.bits_of(on, differences.line_count) == 0
