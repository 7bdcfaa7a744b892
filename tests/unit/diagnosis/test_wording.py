"""Conditions in words: what is the case where a condition does not hold."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from importlib import resources
from typing import Any

import pytest

from eai.diagnosis import Condition, ErrorKind, in_words, unmet_goals
from eai.errors import SchemaError, UnknownNameError
from eai.logic import Atom, Count, Counting, Exists, Formula, ForPairs, Not, Then, Variable
from eai.pddl import Domain, parse_condition, parse_domain, read_bddl, with_phrases
from eai.simulators import behavior_domain, virtualhome_domain
from eai.simulators.thor.world import thor_domain
from eai.world import Action, State, Step, Trajectory, Universe, World

PLAIN = parse_domain("""(define (domain store) (:requirements :adl :derived-predicates)
    (:types box cat)
    (:predicates (in ?x ?y) (shut ?x) (lidded ?x) (tame ?x) (caught ?x) (odd ?x))
    (:derived (caught ?x) (exists (?b) (and (in ?x ?b) (shut ?b))))
    (:action close :parameters (?a ?x) :precondition (lidded ?x) :effect (shut ?x))
    (:action put :parameters (?a ?x ?y) :effect (in ?x ?y)))""")
PHRASES: Mapping[str, Any] = {
    "in": ["{0} is in {1}", "{0} is not in {1}"],
    "shut": ["{0} is shut", "{0} is open"],
    "lidded": ["{0} has a lid", "{0} has no lid"],
    "tame": ["{0} is tame", "{0} is wild"],
    "caught": {
        "true": "{0} is in something that is shut",
        "false": "{0} is free",
        "named": {"true": ["{0} is in {1}, which is shut", "in({0}, {1})", "shut({1})"]},
    },
}
WORLD = World(with_phrases(PLAIN, PHRASES))
OBJECTS = {"kim": "cat", "tom": "cat", "crate": "box", "chest": "box", "me": "object"}


def said(condition: str, *facts: str, holds: bool = False, world: World = WORLD) -> str:
    domain = world.domain

    def read(text: str) -> Formula:
        return parse_condition(text, domain=domain, objects=OBJECTS)

    atoms: list[Any] = [read(f"({fact})") for fact in facts]
    state = world.state(OBJECTS, atoms)
    formula = read(condition)
    assert world.holds(state, formula) == holds
    return in_words(world, state, formula, holds=holds)


def test_what_is_said_is_what_is_the_case() -> None:
    assert said("(in kim crate)") == "kim is not in crate"
    assert said("(not (in kim crate))", "in kim crate") == "kim is in crate"
    assert said("(in kim crate)", "in kim crate", holds=True) == "kim is in crate"


def test_the_object_that_is_to_blame_is_named() -> None:
    facts = ("in kim chest", "in kim crate", "shut crate")
    assert said("(not (caught kim))", *facts) == "kim is in crate, which is shut"
    assert said("(caught kim)", "shut crate") == "kim is free"


def test_without_an_object_to_blame_the_plain_phrase_is_said() -> None:
    phrases = {**PHRASES, "caught": dict(PHRASES["caught"])}
    phrases["caught"]["named"] = {"true": ["{0} is in {1}", "in({0}, {1})", "not shut({1})"]}
    world = World(with_phrases(PLAIN, phrases))
    facts = ("in kim crate", "shut crate")
    assert said("(not (caught kim))", *facts, world=world) == "kim is in something that is shut"


def test_all_that_fails_of_a_disjunction_is_said_and_the_subject_once() -> None:
    assert said("(or (tame kim) (in kim crate))") == "kim is wild and is not in crate"
    assert said("(or (tame kim) (in tom crate))") == "kim is wild and tom is not in crate"


def test_what_only_makes_the_rest_matter_is_left_out() -> None:
    assert said("(or (not (lidded crate)) (shut crate))", "lidded crate") == "crate is open"
    # If it is all that there is, it is said.
    assert said("(not (lidded crate))", "lidded crate") == "crate has a lid"


def test_of_a_conjunction_that_is_said_which_fails() -> None:
    assert said("(and (tame kim) (shut crate) (in kim crate))", "tame kim", "in kim crate") == (
        "crate is open"
    )


def test_a_quantified_condition_names_an_object() -> None:
    inside = "(forall (?x - cat) (imply (tame ?x) (in ?x crate)))"
    assert said(inside, "tame tom") == "tom is not in crate"
    assert said("(not (exists (?b - box) (shut ?b)))", "shut chest") == "chest is shut"


@pytest.mark.parametrize(
    ("condition", "facts", "holds", "words"),
    [
        ("(exists (?x - cat ?b - box) (in ?x ?b))", ["in tom chest"], True, "tom is in chest"),
        (
            "(not (exists (?x - cat ?b - box) (in ?x ?b)))",
            ["in tom chest"],
            False,
            "tom is in chest",
        ),
        (
            "(forall (?b - box ?x - cat) (or (tame ?x) (in ?x ?b)))",
            ["tame kim", "in tom crate"],
            False,
            "tom is wild and is not in chest",
        ),
        (
            "(exists (?x - cat ?b - box) (in ?x ?b))",
            [],
            False,
            "there is no cat x and b for which x is in b",
        ),
    ],
)
def test_of_several_quantified_variables_each_has_its_object(
    condition: str, facts: list[str], holds: bool, words: str
) -> None:
    assert said(condition, *facts, holds=holds) == words


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("comparison", ["exactly", "at least", "at most"])
def test_a_count_says_how_many_there_are_and_what_there_should_be(
    number: int, comparison: Counting
) -> None:
    cat = Variable("c", ("cat",))
    caught = Count(number, cat, Atom("in", (cat, "crate")), comparison)
    for cats in ([], ["kim"], ["kim", "tom"]):
        state = WORLD.state(OBJECTS, [Atom("in", (name, "crate")) for name in cats])
        difference = len(cats) - number
        holds = {
            "exactly": difference == 0,
            "at least": difference >= 0,
            "at most": difference <= 0,
        }[comparison]
        wanted = str(number) if comparison == "exactly" else f"{comparison} {number}"
        instead = "" if holds else f" instead of {wanted}"
        words = f"the number of cat c for which c is in crate is {len(cats)}{instead}"
        assert in_words(WORLD, state, caught, holds=holds) == words


def test_what_is_counted_around_an_open_object_has_no_words() -> None:
    state = WORLD.state(OBJECTS, [])
    cat, box, other = (Variable(*pair) for pair in (("c", ("cat",)), ("b", ("box",)), ("o",)))
    inside = Atom("in", (cat, box))
    for counted in (Count(1, cat, inside, "at least"), ForPairs(cat, other, inside, 1)):
        assert in_words(WORLD, state, Exists((box,), counted)) == ""


def test_more_clauses_than_six_are_counted() -> None:
    def unmet(number: int) -> str:
        parts = [f"(in kim {box})" for box in ("crate", "chest", "tom", "me")]
        parts += ["(tame kim)", "(shut crate)", "(shut chest)", "(tame tom)"]
        return said(f"(or {' '.join(parts[:number])})")

    words = "kim is not in crate and is not in chest and is not in tom and is not in me and is wild"
    assert unmet(5) == words
    assert unmet(6) == f"{words} and crate is open"
    assert unmet(7) == f"{words} and crate is open, and 1 more"
    assert unmet(8) == f"{words} and crate is open, and 2 more"


def test_objects_that_are_the_same_or_not_are_guards() -> None:
    assert said("(= kim tom)") == "kim is not tom"
    assert said("(not (= kim kim))") == "kim is kim"
    assert said("(or (not (= kim kim)) (tame kim))") == "kim is wild"
    assert said("(or (= kim tom) (tame kim))") == "kim is not tom and is wild"


def test_of_a_disjunction_that_holds_the_first_part_that_does_is_said() -> None:
    facts = ("tame tom", "shut crate")
    condition = "(or (tame kim) (tame tom) (shut crate))"
    assert said(condition, *facts, holds=True) == "tom is tame"
    assert said(f"(not {condition})", *facts) == "tom is tame"
    both = "(and (in tom chest) (shut crate))"
    assert said(both, "in tom chest", "shut crate", holds=True) == (
        "tom is in chest and crate is shut"
    )


def test_what_is_never_true_and_what_speaks_of_time_has_no_words() -> None:
    assert said("(or)") == ""
    assert said("(and (or) (tame kim))") == ""
    state = WORLD.state(OBJECTS, [])
    tame = Atom("tame", ("kim",))
    assert in_words(WORLD, state, Then((tame, Not(tame)))) == ""
    assert in_words(WORLD, state, tame) == "kim is wild"


def test_what_no_object_satisfies_is_said_as_such() -> None:
    assert said("(exists (?b - box) (and (in kim ?b) (shut ?b)))") == (
        "there is no box b for which kim is in b and b is shut"
    )


@pytest.mark.parametrize(
    ("inner", "facts", "words"),
    [
        ("(forall (?c - cat) (in ?c ?b))", "in kim crate", "every cat is in b"),
        ("(exists (?c - cat) (in ?c ?b))", "shut crate", "some cat is in b"),
        ("(not (exists (?c - cat) (in ?c ?b)))", "in kim crate", "no cat is in b"),
        ("(not (forall (?c - cat) (in ?c ?b)))", "", "some cat is not in b"),
    ],
)
def test_a_quantifier_about_an_open_object_has_a_word(inner: str, facts: str, words: str) -> None:
    condition = f"(exists (?b - box) (and {inner} (lidded ?b)))"
    assert f"for which {words}" in said(condition, *filter(None, [facts]))


@pytest.mark.parametrize(
    "inner",
    [
        "(forall (?c - cat) (and (in ?c ?b) (or (tame ?c) (in ?c ?b))))",
        "(forall (?c - cat) (or (tame ?c) (in ?c ?b)))",  # every cat one of them, not all the same
        "(exists (?c - cat) (and (tame ?c) (in ?c ?b)))",  # the same cat
    ],
)
def test_several_conditions_about_an_open_object_have_no_words(inner: str) -> None:
    assert said(f"(exists (?b - box) (and {inner} (shut ?b)))") == ""


def test_without_a_phrase_there_are_no_words() -> None:
    assert said("(odd kim)") == ""
    assert said("(or (odd kim) (tame kim))") == ""
    assert said("(tame kim)", world=World(PLAIN)) == ""


def test_phrases_change_nothing_but_what_is_said() -> None:
    domain = with_phrases(PLAIN, json.dumps(PHRASES))
    assert domain == PLAIN
    assert domain.phrases == WORLD.domain.phrases
    more = with_phrases(domain, {"odd": ["{0} is odd", "{0} is even"]})
    assert more.phrases.keys() == {*PHRASES, "odd"}


@pytest.mark.parametrize(
    ("phrases", "message"),
    [
        ({"shut": "{0} is shut"}, "it is '{0} is shut'"),
        ({"shut": ["{0} is shut"]}, "shut: it is"),
        ({"shut": ["{0} is shut", ""]}, "the phrase is ''"),
        ({"shut": ["{0} is shut", "{1} is open"]}, "has other placeholders"),
        ({"shut": ["{0} is shut", "{x} is open"]}, "has other placeholders"),
        ({"shut": {"true": "{0}", "false": "{0}", "name": {}}}, "shut: it is"),
        ({"shut": {"true": "{0}", "false": "{0}", "named": {"yes": []}}}, "'named' is"),
        ({"shut": {"true": "{0}", "false": "{0}", "named": {"true": ["{0}"]}}}, "'named' has"),
        (
            {"shut": {"true": "{0}", "false": "{0}", "named": {"true": ["{1}", "in {0} {1}"]}}},
            "not a literal",
        ),
        (
            {"shut": {"true": "{0}", "false": "{0}", "named": {"true": ["{1}", "in({1})"]}}},
            "1 arguments",
        ),
        ("[1]", "not a JSON object"),
        ("{", "not JSON"),
    ],
)
def test_phrases_of_another_shape_are_refused(phrases: Any, message: str) -> None:
    with pytest.raises(SchemaError) as caught:
        with_phrases(PLAIN, phrases, source="store.json")
    assert message in str(caught.value)
    assert "store.json" in str(caught.value)
    assert caught.value.expected


def test_a_phrase_for_an_unknown_predicate_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="shutt"):
        with_phrases(PLAIN, {"shutt": ["{0}", "{0}"]})


@pytest.mark.parametrize(
    ("domain", "folder"),
    [
        (virtualhome_domain(), "virtualhome"),
        (behavior_domain(), "behavior"),
        (thor_domain(), "thor"),
    ],
)
def test_every_predicate_that_ships_has_a_phrase(domain: Domain, folder: str) -> None:
    assert domain.phrases.keys() == domain.predicates.keys()
    text = resources.files(f"eai.data.domains.{folder}").joinpath("phrases.json").read_text("utf-8")
    assert list(json.loads(text)) == list(dict.fromkeys(json.loads(text)))
    for phrase in domain.phrases.values():
        assert phrase.true != phrase.false


def told(condition: str, *facts: str) -> str:
    """Words for a BDDL condition over a scene whose kinds of objects the domain does not know."""
    objects = {"k1": "cat.n.01", "k2": "cat.n.01", "b1": "box.n.01", "b2": "box.n.01"}
    start = WORLD.state(dict.fromkeys(objects, "object"), [])
    universe = Universe(
        replace(WORLD.domain, types=dict.fromkeys(objects.values(), "object")), objects
    )
    atoms = [Atom(name, tuple(terms)) for name, *terms in map(str.split, facts)]
    state = State.of(start.layout, universe, atoms)
    formula = read_bddl(condition)
    assert not WORLD.holds(state, formula)
    return in_words(WORLD, state, formula)


@pytest.mark.parametrize(
    ("condition", "facts", "words"),
    [
        ("(forall (?c - cat.n.01) (tame ?c))", ["tame k1"], "k2 is wild"),
        (
            "(forall (?c - cat.n.01) (and (exists (?b - box.n.01) (in ?c ?b)) (tame ?c)))",
            ["tame k1", "in k1 b2"],
            "k2 is wild and there is no box.n.01 b for which k2 is in b",
        ),
        (
            "(exists (?box.n.01 - box.n.01) (in k1 ?box.n.01))",
            [],
            "there is no box.n.01 for which k1 is in box.n.01",
        ),
        (
            "(exists (?b - box.n.01) (and (forall (?c - cat.n.01) (in ?c ?b)) (shut ?b)))",
            ["in k1 b1", "shut b1"],
            "there is no box.n.01 b for which every cat.n.01 is in b and b is shut",
        ),
        (
            "(forn (2) (?c - cat.n.01) (in ?c b1))",
            ["in k1 b1"],
            "the number of cat.n.01 c for which c is in b1 is 1 instead of 2",
        ),
        (
            "(forpairs (?b - box.n.01) (?c - cat.n.01) (in ?c ?b))",
            ["in k1 b1", "in k1 b2"],
            "the number of pairs of box.n.01 b and cat.n.01 c for which c is in b "
            "is 1 instead of 2",
        ),
        ("(exists (?b - box.n.01) (exists (?c - cat.n.01) (or (in ?c ?b) (tame ?c))))", [], ""),
        (
            "(exists (?b - box.n.01) (or (in k1 ?b) (shut ?b)))",
            [],
            "there is no box.n.01 b for which k1 is in b or b is shut",
        ),
        (
            "(forpairs (?b - box.n.01) (?c - cat.n.01) (in ?c ?b))",
            ["tame k1"],
            "the number of pairs of box.n.01 b and cat.n.01 c for which c is in b "
            "is 0 instead of 2",
        ),
        (
            "(fornpairs (1) (?b - box.n.01) (?c - cat.n.01) (in ?c ?b))",
            [],
            "the number of pairs of box.n.01 b and cat.n.01 c for which c is in b "
            "is 0 instead of 1",
        ),
        ("(exists (?b - box.n.01) (forn (1) (?c - cat.n.01) (in ?c ?b)))", [], ""),
        (
            "(exists (?b - box.n.01) (forpairs (?c - cat.n.01) (?d - cat.n.01) "
            "(and (in ?c ?b) (in ?d ?b))))",
            [],
            "",
        ),
    ],
)
def test_quantifiers_over_kinds_that_only_the_scene_knows(
    condition: str, facts: list[str], words: str
) -> None:
    assert told(condition, *facts) == words


def test_every_kind_of_error_has_a_meaning() -> None:
    assert all(kind.meaning for kind in ErrorKind)


@pytest.mark.parametrize(("cats", "boxes"), [(2, 2), (2, 3), (3, 2)])
def test_of_two_kinds_as_many_pairs_are_wanted_as_there_are_of_the_fewer(
    cats: int, boxes: int
) -> None:
    names = {f"cat_{n}": "cat" for n in range(cats)} | {f"box_{n}": "box" for n in range(boxes)}
    state = WORLD.state(names, [Atom("in", ("cat_0", "box_0"))])
    cat, box = Variable("c", ("cat",)), Variable("b", ("box",))
    said = in_words(WORLD, state, ForPairs(cat, box, Atom("in", (cat, box))))
    assert re.findall(r"is (\d) instead of (\d)", said) == [("1", "2")]


@pytest.mark.parametrize(
    ("condition", "lost_by", "message"),
    [
        ("(not (shut crate))", 2, "crate is shut at the end; step 2 made it so"),
        ("(in kim crate)", None, "kim is not in crate at the end; no step changed that"),
        # The object in the words need not be the one that the condition was lost by.
        (
            "(not (exists (?b - box) (shut ?b)))",
            2,
            "crate is shut at the end; the condition held until step 2",
        ),
        (
            "(exists (?b - box) (in kim ?b))",
            None,
            "there is no box b for which kim is in b at the end",
        ),
    ],
)
def test_an_unmet_condition_says_since_when_as_far_as_it_is_known(
    condition: str, lost_by: int | None, message: str
) -> None:
    start = WORLD.state(OBJECTS, [Atom("lidded", ("crate",))])
    state = start.begin()
    changes = WORLD.apply(state, "close", WORLD.numbers(state, "close", ("me", "crate")))
    trajectory = Trajectory(WORLD, start, [Step(Action("close", ("crate",)), 2, changes)], state)
    formula = parse_condition(condition, domain=WORLD.domain, objects=OBJECTS)
    since = None if lost_by is None else 0
    goal = Condition("state", "goal", False, since, lost_by, formula=formula)
    (finding,) = unmet_goals([goal], trajectory)
    assert finding.message == f"{message} [goal]"


@pytest.mark.parametrize("number", range(1, 4))
def test_missing_pairs_are_counted_up_to_those_that_can_be_formed(number: int) -> None:
    names = {f"cat_{n}": "cat" for n in range(3)} | {f"box_{n}": "box" for n in range(3)}
    cat, box = Variable("c", ("cat",)), Variable("b", ("box",))
    pairs = ForPairs(cat, box, Atom("in", (cat, box)), number)
    for formed in range(number):
        # More cats in the same box make no more pairs.
        inside = {(f"cat_{n}", f"box_{n}") for n in range(formed)}
        if formed == 1:
            inside |= {("cat_1", "box_0"), ("cat_2", "box_0")}
        state = WORLD.state(names, [Atom("in", pair) for pair in sorted(inside)])
        words = in_words(WORLD, state, pairs)
        assert re.findall(r"is (\d) instead of (\d)", words) == [(str(formed), str(number))]
