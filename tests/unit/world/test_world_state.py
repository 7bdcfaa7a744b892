from __future__ import annotations

import itertools

import pytest

from eai.errors import InputError, UnknownNameError
from eai.logic import Atom
from eai.pddl import parse_domain
from eai.world import Layout, State, Universe

DOMAIN = parse_domain("""(define (domain d)
    (:requirements :adl :derived-predicates)
    (:predicates (dark) (clean ?x) (on ?x ?y) (between ?x ?y ?z) (fixed ?x ?y) (messy ?x))
    (:derived (messy ?x) (not (clean ?x)))
    (:action tidy :parameters (?x ?y)
      :effect (and (dark) (clean ?x) (not (on ?x ?y)) (between ?x ?y ?x))))""")
LAYOUT = Layout(DOMAIN)
UNIVERSE = Universe(DOMAIN, dict.fromkeys("abc", "object"))
ATOMS = [
    Atom("dark"),
    Atom("clean", ("b",)),
    Atom("on", ("a", "b")),
    Atom("on", ("c", "b")),
    Atom("between", ("a", "b", "c")),
]
CLEAN, ON, BETWEEN = (LAYOUT.index[name] for name in ("clean", "on", "between"))


def state(*atoms: Atom) -> State:
    return State.of(LAYOUT, UNIVERSE, atoms)


def test_rows_and_columns_are_those_of_stored_relations_of_two_objects() -> None:
    derived = parse_domain("""(define (domain d) (:requirements :adl :derived-predicates)
      (:predicates (dark) (clean ?x) (above ?x ?y) (on ?x ?y) (between ?x ?y ?z) (fixed ?x ?y))
      (:derived (above ?x ?y) (on ?y ?x)) (:action lay :parameters (?x ?y) :effect (on ?x ?y)))""")
    layout = Layout(derived)
    assert [layout.names[number] for number in layout.binary] == ["on", "fixed"]


def test_a_state_has_the_atoms_that_it_was_made_of_in_the_order_of_the_domain() -> None:
    assert list(state(*reversed(ATOMS)).atoms()) == ATOMS
    assert list(state().atoms()) == []


@pytest.mark.parametrize("atom", ATOMS, ids=lambda atom: atom.predicate)
def test_an_atom_of_any_arity_can_be_made_true_and_false(atom: Atom) -> None:
    changed, arguments = state(), tuple(map(str, atom.terms))
    assert not changed.holds(atom.predicate, arguments)
    changed.add(atom.predicate, arguments)
    changed.add(atom.predicate, arguments)
    assert changed.holds(atom.predicate, arguments)
    assert list(changed.atoms()) == [atom]
    changed.remove(atom.predicate, arguments)
    changed.remove(atom.predicate, arguments)
    assert not changed.holds(atom.predicate, arguments)
    assert list(changed.atoms()) == []


def test_relations_can_be_read_by_row_and_by_column() -> None:
    full = state(*ATOMS)
    assert full.rows[ON] == [0b010, 0, 0b010]
    assert full.cols[ON] == [0, 0b101, 0]
    assert full.wide[BETWEEN] == {(0, 1): 0b100}


def test_writing_a_row_or_a_column_says_what_changed() -> None:
    changed = state(*ATOMS)
    assert changed.write(ON, 1, 1, 0b111, True) == 0b010
    assert changed.write(ON, 0, 1, 0b111, False) == 0b010
    assert changed.write(ON, 0, 1, 0b111, False) == 0
    assert changed.cols[ON][1] == 0b101
    assert changed.rows[ON] == [0b010, 0, 0b010]
    assert changed.write(CLEAN, 0, None, 0b110, True) == 0b100
    assert changed.write(CLEAN, 0, None, 0b010, False) == 0b010
    assert changed.unary[CLEAN] == 0b100
    assert changed.write(BETWEEN, 0, (0, 1), 0b101, True) == 0b001
    assert changed.write(BETWEEN, 0, (2, 2), 0b1, False) == 0
    assert changed.wide[BETWEEN] == {(0, 1): 0b101}


def test_recorded_changes_can_be_made_again() -> None:
    changed = state()
    changed.apply([(ON, 1, 2, 0b011, True), (ON, 0, 0, 0b100, False), (CLEAN, 0, None, 1, True)])
    assert list(changed.atoms()) == [Atom("clean", ("a",)), Atom("on", ("b", "c"))]


@pytest.mark.parametrize("atom", [*ATOMS, Atom("fixed", ("a", "c"))], ids=str)
def test_copies_are_changed_apart(atom: Atom) -> None:
    first, arguments = state(), tuple(map(str, atom.terms))
    second = first.copy()
    second.add(atom.predicate, arguments)
    third = second.copy()
    second.remove(atom.predicate, arguments)
    assert list(first.atoms()) == []
    assert list(second.atoms()) == []
    assert list(third.atoms()) == [atom]
    first.add(atom.predicate, arguments)
    assert list(second.atoms()) == []


def test_each_relation_is_changed_apart() -> None:
    relations = {"on": ("a", "c"), "between": ("a", "b", "a"), "fixed": ("b", "a")}
    for first, second in itertools.product(relations, repeat=2):
        start = state(*ATOMS)
        other = start.copy()
        other.add(first, relations[first])
        other.add(second, relations[second])
        assert list(start.atoms()) == ATOMS
        third = other.copy()
        third.remove(second, relations[second])
        third.remove(first, relations[first])
        assert other.holds(first, relations[first])
        assert other.holds(second, relations[second])


def test_an_execution_remembers_the_state_that_it_began_with() -> None:
    start = state(*ATOMS)
    run = start.begin()
    run.remove("dark", ())
    assert run.initial is start
    assert run.copy().initial is start
    assert start.initial is start
    assert start.holds("dark", ())


def test_a_state_can_be_enlarged_by_objects() -> None:
    small = state(*ATOMS)
    more = Universe(DOMAIN, dict.fromkeys("abcd", "object"))
    large = small.enlarged(more)
    large.add("on", ("d", "a"))
    large.add("between", ("d", "d", "d"))
    assert set(large.atoms()) == {*ATOMS, Atom("on", ("d", "a")), Atom("between", ("d", "d", "d"))}
    assert list(small.atoms()) == ATOMS
    assert large.initial is large


def test_a_state_is_not_enlarged_by_other_objects() -> None:
    with pytest.raises(InputError, match="does not begin with the same objects"):
        state().enlarged(Universe(DOMAIN, dict.fromkeys("bacd", "object")))


@pytest.mark.parametrize("ask", ["holds", "add", "remove"])
def test_atoms_that_cannot_be_stored_are_refused(ask: str) -> None:
    act = getattr(state(), ask)
    with pytest.raises(UnknownNameError, match="did you mean 'clean'"):
        act("clea", ("a",))
    with pytest.raises(UnknownNameError, match="no object named 'z'"):
        act("clean", ("z",))
    with pytest.raises(InputError, match=r"on\(a\): on takes 2 arguments, not 1"):
        act("on", ("a",))
    with pytest.raises(InputError, match="messy is a derived predicate"):
        act("messy", ("a",))


def test_text_is_no_atom_of_a_state() -> None:
    with pytest.raises(InputError) as raised:
        State.of(LAYOUT, UNIVERSE, ["clean(b)"])  # type: ignore[list-item]
    assert raised.value.mend == "eai.parse_formula reads one from text"
