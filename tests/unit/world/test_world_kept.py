"""What a world keeps: compiled conditions up to a number, and the worlds of domains."""

from __future__ import annotations

import sys

import pytest

from eai.errors import UnknownNameError
from eai.logic import Atom, Exists, Formula, Not, Variable
from eai.pddl import Domain, parse_domain
from eai.world import Universe, World, mask_of, world_of
from eai.world.compiler import Compiler
from eai.world.differences import Differences

TEXT = """(define (domain d) (:requirements :adl :derived-predicates)
    (:predicates (lit ?x) (wet ?x) (on ?x ?y) (high ?x) (odd ?x) (plain ?x))
    (:derived (high ?x) (exists (?y) (and (on ?x ?y) (lit ?y))))
    (:derived (plain ?x) (not (odd ?x)))
    (:action lift :parameters (?x) :effect (wet ?x)))"""
OBJECTS = dict.fromkeys("abc", "object")
X = Variable("x")
TRANSITION = sys.modules[World.__module__]


def counted(monkeypatch: pytest.MonkeyPatch, name: str) -> list[Formula]:
    """Conditions that are compiled from now on, where a world keeps three of them."""
    compiled: list[Formula] = []
    compile_it = getattr(Compiler, name)

    def counting(self: Compiler, formula: Formula, *rest: object) -> object:
        compiled.append(formula)
        return compile_it(self, formula, *rest)

    monkeypatch.setattr(Compiler, name, counting)
    monkeypatch.setattr(TRANSITION, "_MAX_CONDITIONS", 3)
    return compiled


LIT, WET, HIGH = (Atom(name, (X,)) for name in ("lit", "wet", "high"))
FORMULAS = (LIT, WET, Not(LIT), HIGH)


@pytest.mark.parametrize("method", ["condition", "members"])
def test_a_condition_is_compiled_once_while_there_is_room(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, compiled = World(parse_domain(TEXT)), counted(monkeypatch, method)

    def ask(*numbers: int) -> int:
        """Ask about some of the conditions; return how many were compiled so far."""
        for number in numbers:
            if method == "condition":
                world.function_of(FORMULAS[number], (X,))
            else:
                world.members_of(FORMULAS[number], X, ())
        return len(compiled)

    assert ask(0, 1, 2, 0, 1, 2) == 3
    assert ask(3, 3) == 4  # there was no room: the others are forgotten
    assert ask(0, 3, 0) == 5
    assert ask(1, 2) == 7


def test_objects_are_put_in_once_for_each_condition(monkeypatch: pytest.MonkeyPatch) -> None:
    world, made = World(parse_domain(TEXT)), []
    put_in = TRANSITION.generalize

    def counting(condition: Formula, *rest: object) -> Formula:
        made.append(condition)
        found: Formula = put_in(condition, *rest)
        return found

    monkeypatch.setattr(TRANSITION, "generalize", counting)
    monkeypatch.setattr(TRANSITION, "_MAX_CONDITIONS", 3)
    state = world.state(OBJECTS, [Atom("lit", ("b",))])

    def ask(names: str) -> int:
        assert [world.holds(state, Atom("lit", (name,))) for name in names] == [
            name == "b" for name in names
        ]
        return len(made)

    assert ask("abcabc") == 3
    assert [world.holds(state, Atom("wet", ("a",))) for _ in range(2)] == [False, False]
    assert len(made) == 4
    assert ask("bab") == 6


def test_one_compiled_condition_serves_all_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    world, compiled = World(parse_domain(TEXT)), counted(monkeypatch, "condition")
    state = world.state(OBJECTS, [Atom("on", ("a", "b")), Atom("on", ("c", "a"))])
    pairs = [(one, other) for one in "abc" for other in "abc" if one != other]
    holding = [pair for pair in pairs if world.holds(state, Atom("on", pair))]
    assert holding == [("a", "b"), ("c", "a")]
    assert len(compiled) == 2  # for either order of their names


def test_the_world_of_a_domain_is_made_once() -> None:
    domain, same = parse_domain(TEXT), parse_domain(TEXT)
    assert world_of(domain) is world_of(domain)
    assert world_of(domain).domain is domain
    assert world_of(same) is not world_of(domain)
    assert world_of(domain) is world_of(domain)


def test_the_worlds_of_few_domains_are_kept() -> None:
    first = world_of(Domain("first"))
    domains = [Domain(f"d{number}") for number in range(200)]
    worlds = [world_of(domain) for domain in domains]
    assert [world_of(domain) for domain in domains[-50:]] == worlds[-50:]
    assert world_of(first.domain) is not first
    assert world_of(domains[0]) is not worlds[0]


def test_a_predicate_depends_on_what_its_rules_lead_to() -> None:
    world = World(parse_domain(TEXT))
    index = world.layout.index
    for name in index:
        read = world.reads(Atom(name, (X,) * world.layout.arity[index[name]]))
        assert read is not None
        for _ in range(2):
            assert world.depends(index[name]) == mask_of(read)
    assert world.depends(index["high"]) == mask_of([index["on"], index["lit"]])


def test_a_predicate_above_a_computed_one_depends_on_everything() -> None:
    world = World(parse_domain(TEXT), computed={"odd": lambda _state: 0})
    assert world.depends(world.layout.index["plain"]) == -1
    assert world.depends(world.layout.index["odd"]) == -1
    assert world.depends(world.layout.index["lit"]) == 1 << world.layout.index["lit"]


def test_kinds_that_only_one_universe_knows_are_refused_by_another() -> None:
    world = World(parse_domain(TEXT))
    foreign = Domain("other", types={"cat": "object"})
    cats, plain = Universe(foreign, {"a": "cat"}), Universe(world.domain, {"a": "object"})
    cat = Variable("c", ("cat",))
    some = Exists((cat,), Atom("lit", (cat,)))
    for _ in range(2):
        assert callable(world.test_of(some, cats))
        with pytest.raises(UnknownNameError, match="no type named 'cat'"):
            world.test_of(some, plain)


def test_a_state_is_made_again_from_what_differs_from_the_first() -> None:
    world = World(
        parse_domain("""(define (domain d) (:requirements :adl)
          (:predicates (dark) (open ?x) (on ?x ?y) (near ?x ?y ?z))
          (:action switch :parameters (?x) :effect (and (dark) (open ?x)))
          (:action lay :parameters (?x ?y)
            :effect (and (not (dark)) (on ?x ?y) (forall (?z) (near ?x ?y ?z))))
          (:action clear :parameters (?y) :effect (forall (?x) (not (on ?x ?y)))))""")
    )
    objects = dict.fromkeys("abc", "object")
    start = world.state(objects, [Atom("on", ("a", "b")), Atom("open", ("c",))])
    differences = Differences(start)
    state, difference = start.begin(), 0
    assert set(differences.state(0).atoms()) == set(start.atoms())
    for text in ("switch a", "lay b c", "lay c b", "clear b", "switch b", "clear c"):
        name, *arguments = text.split()
        changes = world.apply(state, name, world.numbers(state, name, arguments))
        difference = differences.after(difference, changes)
        assert set(differences.state(difference).atoms()) == set(state.atoms())
