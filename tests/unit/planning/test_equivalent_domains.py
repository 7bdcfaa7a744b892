"""Domains that are the same but for names, and plans that tell others apart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations, product
from random import Random

import pytest
from pddl_blocks import DOMAIN, PROBLEM

from eai.logic import And, Atom, Formula, Not, Variable, conjuncts
from eai.pddl import (
    AddEffect,
    AndEffect,
    DeleteEffect,
    Domain,
    Operator,
    Predicate,
    Problem,
    numeric_clauses,
    parse_domain,
    parse_problem,
)
from eai.planning import DomainComparison, DomainWitness, equivalent_domains, in_names_of, validate
from eai.planning.domain_names import guessed_names
from eai.world import Action

BLOCKS = parse_domain(DOMAIN)
ONE = parse_problem(PROBLEM, domain=BLOCKS)


def _is_shown(first: Domain, second: Domain, witness: DomainWitness) -> bool:
    """Return whether a plan is valid in the domain that its witness names, and there only."""
    valid = [validate(domain, witness.problem, witness.plan).valid for domain in (first, second)]
    return valid == [witness.works_in == "first", witness.works_in == "second"]


def _verdict(change: tuple[str, str], problems: tuple[Problem, ...] = ()) -> str:
    """Return the verdict on an altered domain, whose witness is tried out."""
    assert change[0] in DOMAIN
    second = parse_domain(DOMAIN.replace(*change))
    found = equivalent_domains(BLOCKS, second, problems)
    if found.witness is not None:
        renamed = in_names_of(BLOCKS, second, found.names)
        assert _is_shown(BLOCKS, renamed, found.witness)
    return found.verdict


def test_names_and_orders_make_no_difference() -> None:
    actions = DOMAIN.index("(:action pick-up")
    stack = DOMAIN.index("(:action stack")
    reordered = f"{DOMAIN[:actions]}{DOMAIN[stack:].rstrip()[:-1]}{DOMAIN[actions:stack]})"
    renamed = reordered.replace("clear", "free").replace("pick-up", "grab").replace("?x", "?block")
    found = equivalent_domains(BLOCKS, parse_domain(renamed))
    assert found.verdict == "equivalent"
    assert dict(found.names.renamed()) == {"clear": "free", "pick-up": "grab"}


def test_order_of_parameters_is_told() -> None:
    head = "unstack :parameters"
    second = parse_domain(DOMAIN.replace(f"{head} (?x ?y)", f"{head} (?y ?x)"))
    found = equivalent_domains(BLOCKS, second)
    assert found
    assert dict(found.names.reordered()) == {"unstack": (1, 0)}


def test_names_that_are_exchanged_are_not_right() -> None:
    text = DOMAIN.replace("pick-up", "tmp").replace("put-down", "pick-up")
    found = equivalent_domains(BLOCKS, parse_domain(text.replace("tmp", "put-down")))
    assert found.verdict == "different"
    assert "right but for its names" in found.reason


@pytest.mark.parametrize(
    "change",
    [
        ("(not (handempty)) (holding ?x)))\n  (:action put", "(holding ?x)))\n  (:action put"),
        ("(and (holding ?x) (clear ?y))", "(holding ?x)"),
        ("(clear ?x) (handempty) (on ?x ?y)", "(clear ?x) (handempty) (on ?y ?x)"),
        ("(and (on ?x ?y) (clear ?x) (handempty))", "(and (on ?x ?y) (clear ?x))"),
    ],
)
def test_altered_action_is_told_apart_by_one_step_and_by_a_plan(change: tuple[str, str]) -> None:
    assert _verdict(change) == "different"
    assert _verdict(change, problems=(ONE,)) == "different"


def test_condition_that_always_holds_matters_in_made_states_only() -> None:
    change = ("(and (holding ?x) (clear ?y))", "(and (holding ?x) (clear ?y) (not (= ?x ?y)))")
    assert _verdict(change) == "different"
    assert _verdict(change, problems=(ONE,)) == "equivalent"


def test_predicate_that_nothing_uses_is_no_difference_in_behaviour() -> None:
    found = equivalent_domains(
        BLOCKS, parse_domain(DOMAIN.replace("(holding ?x))", "(holding ?x) (heavy ?x))", 1))
    )
    assert found
    assert [(each.kind, each.text, each.missing) for each in found.differences] == [
        ("predicate", "heavy", False)
    ]


def test_condition_by_a_rule_over_other_objects_is_told_apart() -> None:
    lamps = """(define (domain lamps) (:requirements :adl :derived-predicates) (:types lamp room)
      (:predicates (on ?l - lamp) (in ?l - lamp ?r - room) (lit ?r - room) (seen ?r - room))
      (:derived (lit ?r - room) (exists (?l - lamp) (and (on ?l) (in ?l ?r))))
      (:action look :parameters (?r - room) :precondition (lit ?r) :effect (seen ?r)))"""
    first = parse_domain(lamps)
    second = parse_domain(lamps.replace(":precondition (lit ?r)", ":precondition (not (lit ?r))"))
    found = equivalent_domains(first, second)
    assert found.witness is not None
    assert _is_shown(first, second, found.witness)
    third = parse_domain(lamps.replace("(and (on ?l) (in ?l ?r))", "(on ?l)"))
    found = equivalent_domains(first, third)
    assert found.witness is not None
    assert _is_shown(first, third, found.witness)


def test_too_many_states_are_undecided() -> None:
    change = ("(and (holding ?x) (clear ?y))", "(and (holding ?x) (clear ?y) (not (= ?x ?y)))")
    second = parse_domain(DOMAIN.replace(*change))
    assert equivalent_domains(BLOCKS, second, [ONE], states=3).verdict == "undecided"


CUPS = """(define (domain cups) (:requirements :adl :derived-predicates)
  (:types thing room - object cup pan - thing)
  (:constants tap - thing)
  (:predicates (wet ?x - thing) (hot ?x - thing) (in ?x - thing ?r - room) (ready ?x - thing)
               (soaked ?r - room))
  (:derived (ready ?x - thing) (wet ?x))
  (:derived (soaked ?r - room) (exists (?x - thing) (and (in ?x ?r) (ready ?x))))
  (:action wash :parameters (?x - cup) :effect (wet ?x))
  (:action heat :parameters (?x - pan) :precondition (wet ?x) :effect (hot ?x))
  (:action air :parameters (?r - room) :precondition (soaked ?r)
    :effect (forall (?x - thing) (when (in ?x ?r) (not (wet ?x))))))"""


def _compared(change: tuple[str, str], objects: str, start: str, goal: str) -> DomainComparison:
    """Compare the domain of cups with an altered one in the states of a problem."""
    assert change[0] in CUPS
    first = parse_domain(CUPS)
    text = f"""(define (problem p) (:domain cups) (:objects {objects}) (:init {start})
      (:goal {goal}))"""
    problem = parse_problem(text, domain=first)
    return equivalent_domains(first, parse_domain(CUPS.replace(*change)), [problem])


@pytest.mark.parametrize("order", list(permutations(["dry", "wet", "far"])))
def test_of_several_problems_the_shortest_witness_is_shown(order: tuple[str, ...]) -> None:
    first = parse_domain(CUPS)
    second = parse_domain(
        CUPS.replace(":precondition (wet ?x) :effect (hot ?x)", ":effect (hot ?x)")
    )
    assert first != second
    starts = {
        "dry": "(in p hall)",  # a dry pan can be heated in the second domain only
        "wet": "(in p hall) (wet p)",  # it has to dry before
        "far": "(in p hall) (wet p) (in c hall)",
    }
    problems = []
    for name in order:
        text = f"""(define (problem {name}) (:domain cups) (:objects p - pan c - cup hall - room)
          (:init {starts[name]}) (:goal (hot p)))"""
        problems.append(parse_problem(text, domain=first))
    for number in (3, 2, 1):
        found = equivalent_domains(first, second, problems[:number])
        assert found.witness is not None
        assert _is_shown(first, second, found.witness)
        length = 1 if "dry" in order[:number] else 2
        assert len(found.witness.plan) == length
        assert found.witness.problem.name in order[:number]


def test_objects_of_a_type_that_is_missing_are_of_the_next_one_above() -> None:
    text = CUPS.replace("cup pan - thing", "pan - thing").replace("?x - cup", "?x - thing")
    first, second = parse_domain(CUPS), parse_domain(text)
    problem = """(define (problem p) (:domain cups) (:objects {} hall - room)
      (:init (in c hall)) (:goal (wet c)))"""
    # A cup is a thing in both; but a pan can be washed in the second domain only.
    cups = parse_problem(problem.format("c - cup"), domain=first)
    found = equivalent_domains(first, second, [cups])
    assert [(d.kind, d.text, d.missing) for d in found.differences] == [("type", "cup", True)]
    assert found.witness is not None
    assert found.witness.plan == (Action("wash", ("tap",)),)
    assert found.witness.works_in == "second"
    constants = "(:constants tap - thing)"
    first, second = [parse_domain(each.replace(constants, "")) for each in (CUPS, text)]
    found = equivalent_domains(first, second, [cups])
    assert found.verdict == "equivalent"
    pans = parse_problem(problem.format("c - pan"), domain=first)
    found = equivalent_domains(first, second, [pans])
    assert found.witness is not None
    assert found.witness.plan == (Action("wash", ("c",)),)


def test_a_type_elsewhere_below_the_others_is_a_difference_though_no_action_names_it() -> None:
    first, second = [
        parse_domain(
            f"""(define (domain d) (:types {types}) (:predicates (wet ?x - thing))
            (:action wash :parameters (?x - thing) :effect (wet ?x)))"""
        )
        for types in ("thing - object cup - thing", "thing cup - object")
    ]
    found = equivalent_domains(first, second)
    assert found.witness is not None
    assert list(found.witness.problem.objects.values()) == ["cup"]
    assert _is_shown(first, second, found.witness)


def test_one_literal_among_many_is_shown_by_the_state_that_lacks_nothing_else() -> None:
    needed = " ".join(f"(p{number} ?x)" for number in range(12))
    made = " ".join(f"(e{number} ?x)" for number in range(8))
    text = f"""(define (domain d) (:requirements :negative-preconditions)
      (:predicates (q ?x) (r ?x) {needed} {made})
      (:action do :parameters (?x) :precondition (and {needed} (not (r ?x)))
        :effect (and {made})))"""
    first = parse_domain(text)
    second = parse_domain(text.replace("(not (r ?x))", "(not (r ?x)) (not (q ?x))"))
    found = equivalent_domains(first, second)
    assert found.witness is not None
    assert found.witness.works_in == "first"
    names = {atom.predicate for atom in found.witness.problem.initial}
    assert names == {"q", *(f"p{number}" for number in range(12))}


def test_names_that_are_given_are_matched_before_all_others() -> None:
    text = CUPS.replace("wash", "rinse").replace("air", "wash").replace("(hot", "(warm")
    names = {"rinse": "wash", "wash": "air", "warm": "hot"}
    found = equivalent_domains(parse_domain(CUPS), parse_domain(text), names=names)
    assert found
    assert found.names.actions == {"rinse": "wash", "wash": "air", "heat": "heat"}
    # Of names that are alike each is matched once, also where a given one is in the way.
    guess = guessed_names(parse_domain(CUPS), parse_domain(text), {"rinse": "air"})
    assert guess.actions["rinse"] == "air"
    assert len(set(guess.actions.values())) == len(guess.actions)


@pytest.mark.parametrize("kind", ["actions", "predicates"])
@pytest.mark.parametrize("target", ["1", "2"])
def test_of_symbols_that_are_used_alike_the_given_pair_is_matched(kind: str, target: str) -> None:
    def two_switches(action: str, predicate: str) -> Domain:
        switches = " ".join(
            f"(:action {action}{number} :effect ({predicate}{number}))" for number in (1, 2)
        )
        return parse_domain(
            f"(define (domain d) (:predicates ({predicate}1) ({predicate}2)) {switches})"
        )

    given = {"turn1": f"push{target}"} if kind == "actions" else {"lit1": f"on{target}"}
    found = equivalent_domains(two_switches("push", "on"), two_switches("turn", "lit"), names=given)
    assert found
    assert found.names.actions["turn1"] == f"push{target}"
    assert found.names.predicates["lit1"] == f"on{target}"


@pytest.mark.parametrize(
    ("parameters", "order"),
    [
        ("?from ?to - place ?by - car", (0, 1, 2)),
        ("?to ?from - place ?by - car", (1, 0, 2)),
        ("?by - car ?to ?from - place", (2, 1, 0)),
    ],
)
def test_arguments_of_actions_that_differ_are_matched_by_use(
    parameters: str, order: tuple[int, ...]
) -> None:
    text = """(define (domain d) (:types place car)
      (:predicates (at ?x - place) (seen ?x - place) (used ?x - car))
      (:action go :parameters ({}) :precondition (at ?from)
        :effect (and (at ?to) (not (at ?from)) {})))"""
    first = parse_domain(text.format("?from ?to - place ?by - car", "(used ?by)"))
    second = parse_domain(text.format(parameters, "(seen ?to)"))
    found = equivalent_domains(first, second)
    assert found.names.parameters == {"go": order}
    assert found.witness is not None
    assert len(found.witness.problem.initial) == 1


def test_a_comparison_is_told_with_the_start_of_its_witness_and_missing_names() -> None:
    second = parse_domain(
        CUPS.replace(":precondition (wet ?x) :effect (hot ?x)", ":effect (hot ?x)")
    )
    found = equivalent_domains(parse_domain(CUPS), second)
    verdict, start = str(found).splitlines()
    assert verdict.startswith("different: (heat o1) can be done in the second domain only")
    assert start.strip() == "from a state without facts"
    problem = parse_problem(
        "(define (problem dry) (:domain cups) (:objects p - pan) (:init) (:goal (hot p)))",
        domain=parse_domain(CUPS),
    )
    found = equivalent_domains(parse_domain(CUPS), second, [problem])
    assert str(found).splitlines()[1].strip() == "from the start of the problem dry"
    fewer = parse_domain(
        CUPS.replace(" (soaked ?r - room))", " (soaked ?r - room) (cold ?x - thing))")
    )
    found = equivalent_domains(fewer, parse_domain(CUPS))
    assert found.verdict == "different"
    assert str(found).splitlines()[1:] == ["  predicate missing: cold"]


def test_an_action_that_is_missing_and_can_never_be_done_leaves_domains_undecided() -> None:
    never = " (:action never :parameters (?x - cup) :precondition (and (wet ?x) (not (wet ?x)))"
    first = parse_domain(f"{CUPS[:-1]}{never} :effect (hot ?x)))")
    found = equivalent_domains(first, parse_domain(CUPS))
    assert (found.verdict, found.witness) == ("undecided", None)
    assert [(d.kind, d.text, d.missing) for d in found.differences] == [("action", "never", True)]
    # In excess it takes nothing from the problems that can be posed.
    found = equivalent_domains(parse_domain(CUPS), first)
    assert (found.verdict, found.witness) == ("undecided", None)


def test_guessed_names_are_one_to_one_and_the_most_alike_first() -> None:
    def domain_of(*names: str) -> Domain:
        actions = [
            f"(:action {name} :parameters () :precondition (p) :effect (q))" for name in names
        ]
        return parse_domain(f"(define (domain d) (:predicates (p) (q)) {' '.join(actions)})")

    one, two = domain_of("go-left"), domain_of("go-leftwards", "go-lefty")
    assert guessed_names(one, two, {}).actions == {"go-lefty": "go-left"}
    assert guessed_names(two, one, {}).actions == {"go-left": "go-lefty"}


@pytest.mark.parametrize(("one", "other"), [("?x", "?x ?y"), ("?x ?y", "?x")])
def test_actions_that_are_matched_may_have_other_numbers_of_parameters(
    one: str, other: str
) -> None:
    text = """(define (domain d) (:predicates (p ?x) (q))
      (:action {} :parameters ({}) :precondition (p ?x) :effect (q)))"""
    first, second = parse_domain(text.format("go", one)), parse_domain(text.format("run", other))
    found = equivalent_domains(first, second, names={"run": "go"})
    assert found.verdict == "different"


def test_names_with_little_in_common_are_not_matched() -> None:
    text = """(define (domain d) (:types {0} - object) (:constants {1} - {0})
        (:predicates ({2} ?x) (r))
        (:action {3} :parameters (?x) :precondition ({2} ?x) :effect ({4} (r))))"""
    one = parse_domain(text.format("box", "lid", "open", "push", "not"))
    two = parse_domain(text.format("sun", "ray", "wait", "hum", "and"))
    guess = guessed_names(one, two, {})
    assert guess.types == {"object": "object"}
    assert (guess.constants, guess.predicates, guess.actions) == ({}, {"r": "r"}, {})
    # Half of the letters are enough.
    assert guessed_names(
        one, parse_domain(text.format("bog", "lip", "o", "x", "and")), {}
    ).types == {
        "bog": "box",
        "object": "object",
    }


@pytest.mark.parametrize(
    ("condition", "other"),
    [
        ("(forall (?x) (exists (?y) (on ?x ?y)))", "(forall (?x) (exists (?y) (on ?y ?x)))"),
        (
            "(exists (?x - a) (exists (?y) (on ?x ?y)))",
            "(exists (?x) (exists (?y - a) (on ?x ?y)))",
        ),
    ],
)
def test_what_a_quantifier_binds_makes_a_difference(condition: str, other: str) -> None:
    first, second = [
        parse_domain(
            f"""(define (domain d) (:requirements :adl) (:types a) (:predicates (on ?x ?y) (p))
            (:action do :parameters () :precondition {text} :effect (p)))"""
        )
        for text in (condition, other)
    ]
    found = equivalent_domains(first, second)
    assert not found
    assert not found.names.is_proof


def test_rules_below_rules_tell_apart_what_an_action_needs() -> None:
    first = parse_domain(CUPS)
    for change in (
        ("(:derived (ready ?x - thing) (wet ?x))", "(:derived (ready ?x - thing) (hot ?x))"),
        ("(and (in ?x ?r) (ready ?x))", "(ready ?x)"),
        ("(when (in ?x ?r) (not (wet ?x)))", "(not (wet ?x))"),
    ):
        second = parse_domain(CUPS.replace(*change))
        found = equivalent_domains(first, second)
        assert found.witness is not None
        assert [step.name for step in found.witness.plan] == ["air"]
        assert _is_shown(first, second, found.witness)


def test_a_goal_that_one_domain_reaches_alone_tells_them_apart() -> None:
    rule = "(exists (?x - thing) (and (in ?x ?r) (ready ?x)))"
    drier = (rule, "(not (exists (?x - thing) (wet ?x)))")
    found = _compared(drier, "hall - room c - cup", "(in c hall)", "(soaked hall)")
    assert found.witness is not None
    assert (found.witness.plan, found.witness.works_in) == ((), "second")
    assert not found.is_made


def test_a_goal_that_the_other_domain_cannot_state_tells_them_apart() -> None:
    first = parse_domain(CUPS)
    text = CUPS.replace("(hot ?x - thing)", "(hot ?x ?y - thing)").replace(
        "(hot ?x)", "(hot ?x ?x)"
    )
    problem = """(define (problem p) (:domain cups) (:objects p - pan) (:init (wet p))
      (:goal {}))"""
    hot = parse_problem(problem.format("(hot p)"), domain=first)
    found = equivalent_domains(first, parse_domain(text), [hot])
    assert (found.verdict, found.witness) == ("different", None)
    wet = parse_problem(problem.format("(wet p)"), domain=first)
    assert equivalent_domains(first, parse_domain(text), [wet]).verdict == "equivalent"


# Random domains with one object, compared with all states tried out.

_PREDICATES = ("p", "q", "r")
_Facts = frozenset[str]


def test_an_effect_in_some_of_the_states_that_an_action_needs_is_found() -> None:
    """It needs many facts, and two of four others: no state with one fact more or less has them."""
    needed = [f"(p{number})" for number in range(30)]
    pairs = combinations([f"(q{number})" for number in range(4)], 2)
    others = {pair: [f"(q{n})" for n in range(4) if f"(q{n})" not in pair] for pair in pairs}
    two = " ".join(
        f"(and {' '.join(pair)} {' '.join(f'(not {fact})' for fact in rest)})"
        for pair, rest in others.items()
    )
    text = f"""(define (domain d) (:requirements :adl)
      (:predicates {" ".join(needed)} (q0) (q1) (q2) (q3) (done) (rung))
      (:action ring :parameters () :precondition (and {" ".join(needed)})
        :effect (and (rung) (when (or {two}) (done)))))"""
    first, second = parse_domain(text), parse_domain(text.replace(f"(when (or {two}) (done))", ""))
    found = equivalent_domains(first, second)
    assert found.verdict == "different"
    assert found.witness is not None
    assert _is_shown(first, second, found.witness)


def _random_domain(random: Random) -> Domain:
    operators = {}
    for name in ("go", "stop"):
        operators[name] = _random_operator(random, name)
    predicates = {name: Predicate(name, (Variable("x"),)) for name in _PREDICATES}
    return Domain("d", predicates=predicates, operators=operators)


def _random_operator(random: Random, name: str) -> Operator:
    x = Variable("x")
    conditions: list[Formula] = []
    effects: list[AddEffect | DeleteEffect] = []
    for predicate in _PREDICATES:
        atom = Atom(predicate, (x,))
        drawn = random.choice(("", "", "yes", "no"))
        if drawn:
            conditions.append(atom if drawn == "yes" else Not(atom))
        drawn = random.choice(("", "", "add", "delete"))
        if drawn:
            effects.append(AddEffect(atom) if drawn == "add" else DeleteEffect(atom))
    return Operator(name, (x,), And.of(conditions), AndEffect(tuple(effects)))


def _after(operator: Operator, facts: _Facts) -> _Facts | None:
    """Return the facts after an action by the definition; None if it cannot be done."""
    for literal in conjuncts(operator.precondition):
        is_positive = isinstance(literal, Atom)
        atom = literal if is_positive else literal.operands[0]
        assert isinstance(atom, Atom)
        if (atom.predicate in facts) != is_positive:
            return None
    assert isinstance(operator.effect, AndEffect)
    added, deleted = set(), set()
    for effect in operator.effect.parts:
        if isinstance(effect, AddEffect):
            added.add(effect.atom.predicate)
        elif isinstance(effect, DeleteEffect):
            deleted.add(effect.atom.predicate)
    return (facts - deleted) | added


def _states() -> Iterator[_Facts]:
    for size in range(len(_PREDICATES) + 1):
        for chosen in combinations(_PREDICATES, size):
            yield frozenset(chosen)


def _is_same(first: Domain, second: Domain) -> bool:
    for facts, name in product(_states(), first.operators):
        if _after(first.operators[name], facts) != _after(second.operators[name], facts):
            return False
    return True


def _shortest(first: Domain, second: Domain, start: _Facts) -> int | None:
    """Return the length of a shortest plan that tells domains apart; None if there is none."""
    level, seen = {start}, {start}
    length = 1
    while level:
        following = set()
        for facts, name in product(level, first.operators):
            one, other = [_after(d.operators[name], facts) for d in (first, second)]
            if one != other:
                return length
            if one is not None and one not in seen:
                following.add(one)
        seen |= following
        level = following
        length += 1
    return None


@pytest.mark.parametrize("seed", range(60))
def test_random_domains_are_told_apart_as_by_trying_all_states(seed: int) -> None:
    random = Random(seed)
    first = _random_domain(random)
    # An altered copy, so that many pairs differ in one literal or not at all.
    second = _random_domain(random) if seed % 3 else first
    operators = {**first.operators, "go": second.operators["go"]}
    second = Domain("e", predicates=first.predicates, operators=operators)
    found = equivalent_domains(first, second)
    assert (found.verdict == "different") is not _is_same(first, second)
    if found.witness is not None:
        assert _is_shown(first, second, found.witness)
    for start in _states():
        atoms = tuple(Atom(name, ("a",)) for name in sorted(start))
        problem = Problem("p", "d", {"a": "object"}, atoms)
        walked = equivalent_domains(first, second, [problem])
        length = _shortest(first, second, start)
        if walked.names.is_proof:
            assert length is None
        elif length is None:
            assert walked.verdict == "equivalent"
        else:
            assert walked.witness is not None
            assert len(walked.witness.plan) == length
            assert _is_shown(first, second, walked.witness)


@pytest.mark.parametrize("seed", range(20))
def test_renamed_domains_are_the_same(seed: int) -> None:
    random = Random(seed)
    text = DOMAIN
    words = ["pick-up", "put-down", "unstack", "ontable", "handempty", "holding", "clear"]
    for word in random.sample(words, random.randint(1, len(words))):
        text = text.replace(word, f"n{random.randint(100, 999)}{word[0]}")
    assert equivalent_domains(BLOCKS, parse_domain(text))


def test_many_names_that_nothing_tells_apart_are_matched() -> None:
    texts = []
    for letter in "ab":
        predicates = " ".join(f"({letter}{number} ?x ?y)" for number in range(12))
        actions = []
        for number in range(12):
            fact = f"({letter}{number} ?x ?y)"
            head = f"(:action do-{letter}{number} :parameters (?x ?y)"
            actions.append(f"{head} :precondition {fact} :effect (not {fact}))")
        text = f"(define (domain d) (:predicates {predicates}) {' '.join(actions)})"
        texts.append(parse_domain(text))
    first, second = texts
    found = equivalent_domains(first, second)
    assert found.names.is_proof
    assert len(found.names.actions) == 12


NUMERIC = """(define (domain road) (:requirements :typing :numeric-fluents) (:types truck place)
  (:predicates (at ?t - truck ?p - place))
  (:functions (fuel ?t - truck) (distance ?a ?b - place))
  (:action drive :parameters (?t - truck ?a ?b - place)
    :precondition (and (at ?t ?a) (>= (fuel ?t) (distance ?a ?b)))
    :effect (and (at ?t ?b) (not (at ?t ?a)) (decrease (fuel ?t) (distance ?a ?b)))))"""


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ("drive", "go", "equivalent"),
        ("(at ?t", "(is ?t", "equivalent"),
        (
            "?t - truck ?a ?b - place)\n    :pre",
            "?a ?b - place ?t - truck)\n    :pre",
            "equivalent",
        ),
        (":typing", ":strips :typing", "equivalent"),
        ("(>= (fuel", "(> (fuel", "undecided"),
        ("(>= (fuel ?t) (distance ?a ?b))", "(>= (fuel ?t) (distance ?b ?a))", "undecided"),
        ("(decrease (fuel ?t) (distance ?a ?b))", "(decrease (fuel ?t) 1)", "undecided"),
        ("(decrease (fuel ?t) (distance ?a ?b))", "", "undecided"),
        ("decrease", "increase", "undecided"),
    ],
)
def test_domains_with_numbers_are_compared_by_structure(old: str, new: str, verdict: str) -> None:
    assert old in NUMERIC
    second = parse_domain(NUMERIC.replace(old, new))
    found = equivalent_domains(parse_domain(NUMERIC), second)
    assert found.verdict == verdict
    assert list(found.names.actions.values()) == ["drive"]


def test_a_domain_with_numbers_keeps_its_changes_in_other_names() -> None:
    first = parse_domain(NUMERIC)
    second = parse_domain(NUMERIC.replace("drive", "go").replace("truck", "lorry"))
    names = equivalent_domains(first, second).names
    renamed = in_names_of(first, second, names)
    assert equivalent_domains(first, renamed)
    assert renamed.functions == first.functions
    (change,) = numeric_clauses(renamed.operators["drive"].effect)
    assert (change.update, str(change.target)) == ("decrease", "fuel(t)")


TIMED = """(define (domain lamps) (:requirements :durative-actions :derived-predicates)
  (:constants big) (:predicates (on ?l) (used ?l) (lit) (dark)) (:functions (size ?l))
  (:derived (lit) (on big))
  (:derived (dark) (used big))
  (:action look :parameters (?l) :precondition (on ?l) :effect (used ?l))
  (:durative-action light :parameters (?l) :duration (= ?duration 2)
    :condition (at start (used ?l)) :effect (at end (on ?l))))"""


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ("(:derived (dark) (used big))\n", "", "undecided"),
        (
            "(:derived (lit) (on big))\n  (:derived (dark) (used big))",
            "(:derived (dark) (used big))\n  (:derived (lit) (on big))",
            "equivalent",
        ),
        ("(= ?duration 2)", "(= ?duration 3)", "undecided"),
        ("(at start (used ?l))", "(at end (used ?l))", "undecided"),
        (":precondition (on ?l)", ":precondition (used ?l)", "undecided"),
        ("(size ?l)", "(weight ?l)", "undecided"),
        ("(used ?l) (lit)", "(used ?l) (lit) (broken ?l)", "undecided"),
        ("domain lamps", "domain lights", "equivalent"),
    ],
)
def test_domains_with_times_are_compared_as_they_are_written(
    old: str, new: str, verdict: str
) -> None:
    assert old in TIMED
    found = equivalent_domains(parse_domain(TIMED), parse_domain(TIMED.replace(old, new)))
    assert found.verdict == verdict
    assert found.witness is None
    assert bool(found.reason) is (verdict == "undecided")


def test_a_domain_in_other_names_has_the_same_costs() -> None:
    text = """(define (domain shop) (:requirements :adl :action-costs)
        (:predicates (dear ?x) (bought ?x)) (:functions (total-cost) (price ?x) - number)
        (:action buy :parameters (?x ?y) :precondition (dear ?y) :effect (and (bought ?x)
            (increase (total-cost) (price ?x)) (when (dear ?x) (increase (total-cost) 3)))))"""
    first = parse_domain(text)
    second = parse_domain(text.replace("buy", "get").replace("dear", "costly"))
    problem = parse_problem(
        """(define (problem p) (:domain shop) (:objects a b)
            (:init (dear a) (= (price a) 5) (= (price b) 7))
            (:goal (and (bought a) (bought b))) (:metric minimize (total-cost)))""",
        domain=first,
    )
    renamed = in_names_of(first, second, equivalent_domains(first, second).names)
    for domain in (first, renamed):
        found = validate(domain, problem, [Action("buy", ("a", "a")), Action("buy", ("b", "a"))])
        assert (found.valid, found.cost) == (True, 15)


@pytest.mark.parametrize("is_swapped", [False, True])
def test_names_are_guessed_by_what_actions_do(is_swapped: bool) -> None:
    def domain_of(lit: str, wet: str, on: str, turn: str, soak: str, put: str) -> Domain:
        return parse_domain(
            f"""(define (domain d) (:predicates ({lit} ?x) ({wet} ?x) ({on} ?x ?y))
            (:action {turn} :parameters (?x) :effect ({lit} ?x))
            (:action {soak} :parameters (?x) :effect (not ({wet} ?x)))
            (:action {put} :parameters (?x ?y) :effect ({on} ?x ?y)))"""
        )

    first = domain_of("lit", "wet", "on", "turn", "soak", "put")
    # Of predicates whose names say nothing, those count that the same actions change alike.
    names = ("aa", "bb") if is_swapped else ("bb", "aa")
    guess = guessed_names(first, domain_of(*names, "on", "turn", "soak", "put"), {})
    assert guess.predicates == {names[0]: "lit", names[1]: "wet", "on": "on"}
    # Of actions whose names say nothing, those that change the same predicates.
    guess = guessed_names(first, domain_of("lit", "wet", "on", *names, "put"), {})
    assert guess.actions == {names[0]: "turn", names[1]: "soak", "put": "put"}


@pytest.mark.parametrize(("effect", "order"), [("(on ?x ?y)", (0, 1)), ("(on ?y ?x)", (1, 0))])
def test_parameters_are_matched_by_what_an_action_does(effect: str, order: tuple[int, ...]) -> None:
    text = """(define (domain d) (:predicates (on ?x ?y))
      (:action put :parameters (?x ?y) :effect {}))"""
    first, second = parse_domain(text.format("(on ?x ?y)")), parse_domain(text.format(effect))
    assert guessed_names(first, second, {}).parameters == {"put": order}


def test_objects_of_the_same_name_are_the_same() -> None:
    text = """(define (domain d) (:constants tap bell) (:predicates (on ?x))
      (:action {} :parameters () :effect (on {})) (:action {} :parameters () :effect (on {})))"""
    # The names of the actions say nothing, so that only those of the objects decide.
    first = parse_domain(text.format("aa", "tap", "bb", "bell"))
    for names, expected in ((("tap", "bell"), "cc"), (("bell", "tap"), "dd")):
        second = parse_domain(text.format("cc", names[0], "dd", names[1]))
        found = equivalent_domains(first, second)
        assert found.verdict == "equivalent"
        assert dict(found.names.renamed())["aa"] == expected
