"""Trajectories and states that are made again out of changes."""

from __future__ import annotations

import itertools

import pytest

from eai.errors import InputError
from eai.logic import And, Atom, Exists, Formula, ForPairs, Not, Or, Variable
from eai.pddl import Axiom, parse_condition, parse_domain
from eai.world import Action, State, Step, Trajectory, World
from eai.world.compiler import tabled

DOMAIN = parse_domain("""(define (domain d) (:requirements :adl :derived-predicates)
    (:predicates (wet ?x) (on ?x ?y) (dry ?x) (held ?x) (between ?x ?y ?z))
    (:derived (dry ?x) (not (wet ?x)))
    (:derived (held ?x) (exists (?y) (on ?x ?y)))
    (:action soak :parameters (?x) :effect (wet ?x))
    (:action towel :parameters (?x) :effect (not (wet ?x)))
    (:action put :parameters (?x ?y) :effect (on ?x ?y))
    (:action take :parameters (?x ?y) :effect (not (on ?x ?y)))
    (:action wedge :parameters (?x ?y ?z) :effect (between ?x ?y ?z)))""")
WORLD = World(DOMAIN)
OBJECTS = dict.fromkeys("abc", "object")


def run(plan: str) -> Trajectory:
    """Take the steps of ``"soak a; put a b"``; the last state is not given."""
    start = WORLD.state(OBJECTS, [Atom("on", ("b", "a"))])
    state, steps = start.begin(), []
    for number, words in enumerate(map(str.split, plan.split(";")), start=1):
        name, *arguments = words
        changes = WORLD.apply(state, name, WORLD.numbers(state, name, arguments))
        steps.append(Step(Action(name, tuple(arguments)), number, changes))
    return Trajectory(WORLD, start, steps)


def test_the_last_state_is_found_out_of_the_changes() -> None:
    trajectory = run("soak b; put a b; take b a; wedge a b c")
    expected = [Atom("wet", ("b",)), Atom("on", ("a", "b")), Atom("between", ("a", "b", "c"))]
    for _ in range(2):
        assert list(trajectory.final.atoms()) == expected
    assert list(trajectory.start.atoms()) == [Atom("on", ("b", "a"))]


@pytest.mark.parametrize("name", "abc")
def test_what_is_derived_of_every_object_follows_its_changes(name: str) -> None:
    """Each change is the only one, so it alone tells the state from the initial one."""
    trajectory = run(f"soak {name}; towel {name}; soak {name}; put {name} {name}")
    assert trajectory.history("dry", (name,)) == 0b00101
    assert trajectory.history("held", (name,)) == (0b11111 if name == "b" else 0b10000)
    undone = run("take b a; put b a; take b a")
    assert undone.history("held", ("b",)) == 0b0101
    assert run("put c a; take c a; put c b").history("held", ("c",)) == 0b1010


def test_a_trajectory_is_shown_as_a_table() -> None:
    html = run("soak b; put a b; take b a; take b a")._repr_html_()
    rows = html.count("<tr")
    assert rows == 5
    for text in ("wet(b)", "on(a, b)", "on(b, a)"):
        assert html.count(f">{text}<") == 1
    start = WORLD.state(OBJECTS, [])
    assert "<t" not in Trajectory(WORLD, start, [])._repr_html_()


def facts(state: State) -> set[Atom]:
    return set(state.atoms())


FACTS = (
    Atom("wet", ("a",)),
    Atom("wet", ("c",)),
    Atom("on", ("a", "b")),
    Atom("on", ("c", "b")),
    Atom("between", ("a", "b", "c")),
    Atom("between", ("b", "b", "a")),
)


def test_the_changes_to_another_state_lead_to_it_and_say_nothing_twice() -> None:
    subsets = [set(each) for n in range(4) for each in itertools.combinations(FACTS, n)]
    for before, after in itertools.product(subsets[::3], subsets[::2]):
        first, second = WORLD.state(OBJECTS, before), WORLD.state(OBJECTS, after)
        changes = first.changes_to(second)
        assert sum(mask.bit_count() for _, _, _, mask, _ in changes) == len(before ^ after)
        again = first.copy()
        again.apply(changes)
        assert facts(again) == after
        # A state that was made out of the other shares what did not change.
        shared = first.copy()
        for atom in before ^ after:
            shared.put(*_numbered(shared, atom), atom in after)
        assert sorted(map(repr, first.changes_to(shared))) == sorted(map(repr, changes))
        assert facts(first) == before


def _numbered(state: State, atom: Atom) -> tuple[int, tuple[int, ...]]:
    numbers = tuple(state.universe.number(str(term)) for term in atom.terms)
    return state.layout.index[atom.predicate], numbers


def test_objects_that_stand_in_a_relation_are_named_in_order() -> None:
    pairs = (("c", "b"), ("a", "b"), ("a", "a"))
    state = WORLD.state(OBJECTS, [Atom("on", pair) for pair in pairs])
    assert state.related("on", "a") == ["a", "b"]
    assert state.related("on", "b") == []
    assert state.related("on", "b", column=True) == ["a", "c"]
    assert state.related("on", "c", column=True) == []


X, Y, Z = (Variable(name) for name in "xyz")


@pytest.mark.parametrize(
    ("condition", "instances"),
    [
        (Exists((X,), Atom("on", ("a", "b"))), 1),  # a variable that nothing mentions
        (Exists((X, Y), Atom("on", ("a", Y))), 1),
        (Exists((X, Y), Atom("on", (Y, Y))), 3),
        (Exists((Y,), Or((Atom("wet", ("a",)), Exists((X, Z), Atom("on", (Y, X)))))), 4),
        (ForPairs(X, Y, Atom("on", (X, Y)), 1), 1),
    ],
)
def test_a_variable_that_nothing_mentions_multiplies_nothing(
    condition: Formula, instances: int
) -> None:
    assert WORLD.instances(condition, WORLD.universe(OBJECTS)) == instances


def chain(length: int) -> list[Axiom]:
    """Rules ``p1 <- q``, ``p2 <- p1`` and so on."""
    names = ["q", *(f"p{number}" for number in range(1, length + 1))]
    pairs = itertools.pairwise(names)
    return [Axiom(Atom(name, (X,)), Not(Atom(below, (X,)))) for below, name in pairs]


def test_a_table_is_made_of_what_is_defined_over_too_many_levels() -> None:
    assert tabled(chain(20), where="here") == ()
    assert tabled(chain(21), where="here") == (("p21",),)
    # What is defined by it begins anew.
    assert tabled(chain(41), where="here") == (("p21",),)
    assert tabled(chain(42), where="here") == (("p21",), ("p42",))


def test_a_table_is_made_of_rules_that_get_too_long() -> None:
    def rules(mentions: int) -> list[Axiom]:
        parts = tuple(Atom("q", (X,)) if number else Atom("p", (X,)) for number in range(mentions))
        two = And((Atom("q", (X,)), Not(Atom("q", (X,)))))
        return [Axiom(Atom("p", (X,)), two), Axiom(Atom("long", (X,)), Or(parts))]

    # The rule of p counts for two mentions.
    assert tabled(rules(499), where="here") == ()
    assert tabled(rules(500), where="here") == (("long",),)


def test_a_predicate_on_its_own_negation_is_refused() -> None:
    rules = [Axiom(Atom("p", (X,)), Not(Atom("q", (X,)))), Axiom(Atom("q", (X,)), Atom("p", (X,)))]
    with pytest.raises(InputError) as caught:
        tabled(rules, where="here")
    assert caught.value.where == "here"
    assert tabled([*chain(2), Axiom(Atom("q", (X,)), Atom("q", (X,)))], where="") == (("q",),)


@pytest.mark.parametrize("levels", [19, 20, 21, 41])
def test_a_derived_predicate_is_true_however_deep_it_is_defined(levels: int) -> None:
    derived = " ".join(
        f"(:derived (p{number} ?x) (not ({'q' if number == 1 else f'p{number - 1}'} ?x)))"
        for number in range(1, levels + 1)
    )
    names = " ".join(f"(p{number} ?x)" for number in range(1, levels + 1))
    world = World(
        parse_domain(
            "(define (domain deep) (:requirements :adl :derived-predicates)"
            f"(:predicates (q ?x) {names}) {derived})"
        )
    )
    state = world.state(OBJECTS, [Atom("q", ("a",))])
    last = parse_condition(f"(p{levels} a)")
    assert world.holds(state, last) is (levels % 2 == 0)
    assert world.holds(state, parse_condition(f"(p{levels} b)")) is (levels % 2 == 1)
