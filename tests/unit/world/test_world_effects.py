"""What actions change, one kind of effect at a time."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from eai.errors import InputError, UnknownNameError
from eai.logic import Atom, Variable
from eai.pddl import (
    AddEffect,
    AndEffect,
    CostEffect,
    DeleteEffect,
    Domain,
    ForallEffect,
    Operator,
    Predicate,
    WhenEffect,
    parse_condition,
    parse_domain,
)
from eai.world import World
from eai.world.compiler import Updates

OBJECTS = {"a": "cup", "b": "cup", "c": "plate"}


def after(effect: str, facts: str, *, parameters: str = "", arguments: str = "") -> set[str]:
    """The atoms that hold after an action, as words."""
    domain = parse_domain(f"""(define (domain d)
      (:requirements :adl :derived-predicates :action-costs)
      (:types cup plate - object)
      (:predicates (dark) (clean ?x) (wet ?x) (on ?x ?y) (between ?x ?y ?z) (covered ?x))
      (:functions (total-cost) - number)
      (:derived (covered ?x) (exists (?y) (on ?y ?x)))
      (:action act :parameters ({parameters}) :effect {effect}))""")
    world = World(domain)
    atoms = [
        Atom(words[0], tuple(words[1:])) for words in map(str.split, facts.split(", ")) if words
    ]
    state = world.state(OBJECTS, atoms)
    before = set(state.atoms())
    numbers = world.numbers(state, "act", arguments.split())
    expected_change = world.changes(state, "act", numbers)
    changes = world.apply(state, "act", numbers)
    found = set(state.atoms())
    assert expected_change == (found != before)
    replayed = world.state(OBJECTS, before)
    replayed.apply(changes)
    assert set(replayed.atoms()) == found
    assert bool(changes) == (found != before)
    compiled = world.operator("act")
    parts = [part(state, *numbers) for _, part in compiled.effects]
    for about, part in compiled.effects:  # other arguments make no difference to a part
        others = [number if at in about else 0 for at, number in enumerate(numbers)]
        assert part(state, *others) == part(state, *numbers)
    for number, whole in enumerate(compiled.effect(state, *numbers)):  # additions, deletions
        assert merged([whole]) == merged(changed[number] for changed in parts)
    return {" ".join([atom.predicate, *map(str, atom.terms)]) for atom in found}


def merged(parts: Iterable[Updates]) -> dict[tuple[int, int, object], int]:
    """The mask of everything that some parts of an effect change, by place."""
    found: dict[tuple[int, int, object], int] = {}
    for updates in parts:
        for predicate, direction, argument, mask in updates:
            place = predicate, direction, argument
            found[place] = found.get(place, 0) | mask
    return found


def test_atoms_of_every_arity_are_added_and_deleted() -> None:
    names, arguments = "?x ?y ?z", "a b c"
    effect = "(and (dark) (clean ?x) (on ?x ?y) (between ?x ?y ?z))"
    full = {"dark", "clean a", "on a b", "between a b c"}
    assert after(effect, "", parameters=names, arguments=arguments) == full
    gone = "(and (not (dark)) (not (clean ?x)) (not (on ?x ?y)) (not (between ?x ?y ?z)))"
    facts = ", ".join(sorted(full))
    assert after(gone, facts, parameters=names, arguments=arguments) == set()
    others = "clean b, on b a, between c b a"
    assert after(gone, others, parameters=names, arguments=arguments) == set(others.split(", "))


def test_nothing_changes_without_effects() -> None:
    assert after("()", "clean a") == {"clean a"}
    assert after("(increase (total-cost) 3)", "clean a") == {"clean a"}


def test_what_is_deleted_and_added_stays() -> None:
    both = "(and (clean ?x) (not (clean ?x)))"
    assert after(both, "clean a", parameters="?x", arguments="a") == {"clean a"}
    assert after(both, "", parameters="?x", arguments="a") == {"clean a"}


def test_a_whole_row_is_deleted_and_one_atom_of_it_added() -> None:
    effect = "(and (forall (?o) (not (on ?x ?o))) (on ?x c))".replace(" c)", " ?y)")
    found = after(effect, "on a b, on a c, on b c", parameters="?x ?y", arguments="a c")
    assert found == {"on a c", "on b c"}


def test_a_whole_column_is_deleted_and_rows_added() -> None:
    effect = "(and (forall (?o) (not (on ?o ?y))) (forall (?p - plate) (on ?x ?p)))"
    found = after(effect, "on a c, on b c, on b a", parameters="?x ?y", arguments="a c")
    assert found == {"on a c", "on b a"}


def test_what_a_row_deletes_and_a_column_adds_did_not_change() -> None:
    effect = "(and (forall (?o) (not (on ?x ?o))) (forall (?o) (on ?o ?x)))"
    facts = "on a a, on b a, on c a"
    assert after(effect, facts, parameters="?x", arguments="a") == set(facts.split(", "))


THINGS = "abc"


@pytest.mark.parametrize(("kind", "members"), [("cup", "ab"), ("plate", "c"), ("object", "abc")])
@pytest.mark.parametrize("x", THINGS)
@pytest.mark.parametrize("y", THINGS)
def test_rows_and_columns_keep_only_what_is_added_where_they_cross(
    kind: str, members: str, x: str, y: str
) -> None:
    facts = {f"on {first} {second}" for first in THINGS for second in THINGS}
    row = {f"on {x} {other}" for other in THINGS}
    column = {f"on {other} {y}" for other in THINGS}
    some_of_row = {f"on {x} {other}" for other in members}
    some_of_column = {f"on {other} {y}" for other in members}
    all_y = "(forall (?o) (not (on ?x ?o)))"
    all_x = "(forall (?o) (not (on ?o ?y)))"
    some_y = f"(forall (?p - {kind}) (on ?x ?p))"
    some_x = f"(forall (?p - {kind}) (on ?p ?y))"
    for effect, deleted, added in [
        (f"(and {all_y} {some_x})", row, some_of_column),
        (f"(and {all_x} {some_y})", column, some_of_row),
        (f"(and {all_y} {all_x} {some_y} {some_x})", row | column, some_of_row | some_of_column),
    ]:
        given = {"parameters": "?x ?y", "arguments": f"{x} {y}"}
        assert after(effect, ", ".join(facts), **given) == facts - deleted | added
        assert after(effect, "", **given) == added


def test_conditions_are_read_before_anything_changes() -> None:
    swap = """(and (when (clean ?x) (and (not (clean ?x)) (wet ?x)))
                   (when (wet ?x) (and (not (wet ?x)) (clean ?x))))"""
    assert after(swap, "clean a", parameters="?x", arguments="a") == {"wet a"}
    assert after(swap, "wet a", parameters="?x", arguments="a") == {"clean a"}


def test_a_conditional_effect_of_a_derived_predicate() -> None:
    effect = "(forall (?o) (when (covered ?o) (wet ?o)))"
    assert after(effect, "on a b, on b c") == {"on a b", "on b c", "wet b", "wet c"}


def test_nested_conditions_must_all_hold() -> None:
    effect = "(when (dark) (forall (?o) (when (clean ?o) (when (wet ?o) (not (clean ?o))))))"
    assert after(effect, "dark, clean a, clean b, wet b") == {"dark", "clean a", "wet b"}
    assert after(effect, "clean b, wet b") == {"clean b", "wet b"}


def test_an_effect_for_every_object_of_a_type() -> None:
    assert after("(forall (?o - cup) (clean ?o))", "") == {"clean a", "clean b"}


@pytest.mark.parametrize(
    ("effect", "facts", "expected"),
    [
        # both variables in one atom; each in its own atom; one of them idle
        ("(forall (?o - cup ?p - plate) (on ?o ?p))", "", {"on a c", "on b c"}),
        ("(forall (?o ?p) (when (on ?o ?p) (on ?p ?o)))", "on a b", {"on a b", "on b a"}),
        ("(forall (?o ?p) (when (on ?o ?p) (and (clean ?o) (wet ?p))))", "on a b",
         {"on a b", "clean a", "wet b"}),
        ("(forall (?o ?p) (when (on ?o ?p) (clean ?p)))", "on a b", {"on a b", "clean b"}),
        ("(forall (?o) (forall (?p) (when (on ?o ?p) (not (on ?o ?p)))))", "on a b, on b c", set()),
        ("(forall (?o) (on ?o ?o))", "", {"on a a", "on b b", "on c c"}),
        ("(forall (?p - cup ?o) (when (clean ?o) (on ?p ?o)))", "clean c",
         {"clean c", "on a c", "on b c"}),
    ],
)  # fmt: skip
def test_several_variables(effect: str, facts: str, expected: set[str]) -> None:
    assert after(effect, facts) == expected


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        ("(forall (?o) (between ?o ?x ?x))", {"between a b b", "between b b b", "between c b b"}),
        ("(forall (?o) (between ?x ?o ?x))", {"between b a b", "between b b b", "between b c b"}),
        ("(forall (?o) (between ?x ?x ?o))", {"between b b a", "between b b b", "between b b c"}),
        ("(forall (?o - cup) (when (not (= ?o ?x)) (between ?o ?x ?o)))", {"between a b a"}),
    ],
)
def test_three_arguments_of_which_one_is_quantified(effect: str, expected: set[str]) -> None:
    assert after(effect, "", parameters="?x", arguments="b") == expected


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        # the condition is about the parameter, the literal about the quantified variable
        ("(when (wet ?x) (forall (?x) (clean ?x)))", {"wet a", "clean a", "clean b", "clean c"}),
        ("(forall (?o) (when (wet ?o) (forall (?o - plate) (clean ?o))))", {"wet a", "clean c"}),
        ("(forall (?x - plate) (when (not (wet ?x)) (clean ?x)))", {"wet a", "clean c"}),
        ("(and (forall (?x - plate) (clean ?x)) (clean ?x))", {"wet a", "clean a", "clean c"}),
        ("(forall (?o) (when (wet ?o) (forall (?x - plate) (when (exists (?o) (wet ?o))"
         " (on ?o ?x)))))", {"wet a", "on a c"}),
    ],
)  # fmt: skip
def test_a_variable_hides_an_outer_one(effect: str, expected: set[str]) -> None:
    assert after(effect, "wet a", parameters="?x", arguments="a") == expected


X = Variable("x")


def test_a_quantified_effect_built_in_code() -> None:
    # types at the place of use need not repeat those of the quantifier
    effect = ForallEffect((Variable("x", ("cup",)),), AddEffect(Atom("clean", (X,))))
    world = World(
        Domain(
            "d",
            types={"cup": "object"},
            predicates={"clean": Predicate("clean", (X,))},
            operators={"act": Operator("act", (), effect=AndEffect((effect, CostEffect(1.0))))},
        )
    )
    state = world.state({"a": "cup", "b": "object"}, [])
    world.apply(state, "act", ())
    assert list(state.atoms()) == [Atom("clean", ("a",))]


def test_effects_on_derived_predicates_are_refused() -> None:
    bad = DeleteEffect(Atom("free", (X,)))
    domain = Domain(
        "d",
        predicates={name: Predicate(name, (X,)) for name in ("clean", "free")},
        operators={"act": Operator("act", (X,), effect=bad)},
    )
    world = World(domain, computed={"free": lambda _state: 0})
    with pytest.raises(InputError, match="an effect changes the derived predicate 'free'"):
        world.apply(world.state({"a": "object"}, []), "act", (0,))


@pytest.mark.parametrize(
    ("effect", "error", "message"),
    [
        (AddEffect(Atom("cleen", (X,))), UnknownNameError, "did you mean 'clean'"),
        (AddEffect(Atom("clean", (X, X))), InputError, "clean takes 1 argument, not 2"),
        (AddEffect(Atom("clean", (Variable("y"),))), InputError, "variable 'y' is bound by no"),
        (
            WhenEffect(parse_condition("(clean mug)"), AddEffect(Atom("clean", (X,)))),
            UnknownNameError,
            "no object named 'mug'",
        ),
    ],
)
def test_effects_that_mention_unknown_things_are_errors(
    effect: AddEffect | WhenEffect, error: type[InputError], message: str
) -> None:
    domain = Domain(
        "d",
        predicates={"clean": Predicate("clean", (X,))},
        operators={"act": Operator("act", (X,), effect=effect)},
    )
    world = World(domain)
    with pytest.raises(error, match=message):
        world.apply(world.state({"a": "object"}, []), "act", (0,))


def test_too_many_loops_are_an_error() -> None:
    names = tuple(Variable(f"v{i}") for i in range(25))
    effect = ForallEffect(names, AddEffect(Atom("many", names)))
    domain = Domain(
        "d",
        predicates={"many": Predicate("many", names)},
        operators={"act": Operator("act", (), effect=effect)},
    )
    world = World(domain)
    with pytest.raises(InputError, match="nested too deeply"):
        world.apply(world.state({"a": "object"}, []), "act", ())
