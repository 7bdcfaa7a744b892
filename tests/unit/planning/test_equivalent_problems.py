"""Problems that are the same but for names, and what tells others apart."""

from __future__ import annotations

import pytest
from pddl_blocks import DOMAIN

from eai.errors import InputError
from eai.pddl import Problem, parse_domain, parse_problem
from eai.planning import ProblemComparison, equivalent_problems, validate

BLOCKS = parse_domain(DOMAIN)
TWO = "(ontable a) (clear a) (ontable b) (clear b) (handempty)"


def _compared(
    one: tuple[str, str, str], other: tuple[str, str, str], *, states: int = 20_000
) -> ProblemComparison:
    texts = []
    for objects, start, goal in (one, other):
        text = (
            f"(define (problem p) (:domain blocks) (:objects {objects})"
            f" (:init {start}) (:goal {goal}))"
        )
        texts.append(parse_problem(text, domain=BLOCKS))
    return equivalent_problems(BLOCKS, texts[0], texts[1], states=states)


def test_names_make_no_difference() -> None:
    other = TWO.replace("a)", "red)").replace("b)", "blue)")
    found = _compared(("a b", TWO, "(on a b)"), ("blue red", other, "(on red blue)"))
    assert found
    assert found.renaming == {"a": "red", "b": "blue"}


@pytest.mark.parametrize(
    "goal",
    [
        "(and (on a b) (ontable b))",
        "(and (on a b) (clear a) (handempty))",
        "(and (not (clear b)) (not (holding b)) (handempty))",
        "(exists (?x) (on ?x b))",
        "(on b a)",  # the start is symmetric: a renaming makes it the same
    ],
)
def test_what_follows_from_a_goal_may_be_said_or_not(goal: str) -> None:
    assert _compared(("a b", TWO, "(on a b)"), ("a b", TWO, goal))


@pytest.mark.parametrize(
    "goal", ["(clear a)", "(holding a)", "(and (on a b) (on b a))", "(not (on a b))"]
)
def test_other_goals_differ_and_a_plan_shows_it(goal: str) -> None:
    found = _compared(("a b", TWO, "(on a b)"), ("a b", TWO, goal))
    assert found.verdict == "different"
    assert {difference.kind for difference in found.differences} == {"goal"}
    assert found.plan is not None
    first, second = [
        parse_problem(
            f"(define (problem p) (:domain blocks) (:objects a b) (:init {TWO}) (:goal {text}))",
            domain=BLOCKS,
        )
        for text in ("(on a b)", goal)
    ]
    assert validate(BLOCKS, first, found.plan).valid != validate(BLOCKS, second, found.plan).valid


def test_other_starts_differ() -> None:
    found = _compared(("a b", TWO, "(on a b)"), ("a b", TWO.replace("(clear b)", ""), "(on a b)"))
    assert found.verdict == "different"
    assert [(d.kind, d.text, d.missing) for d in found.differences] == [
        ("initial fact", "(clear b)", True)
    ]


def test_missing_and_additional_objects_are_named() -> None:
    more = f"{TWO} (ontable c) (clear c)"
    found = _compared(("a b", TWO, "(on a b)"), ("a b c", more, "(on a b)"))
    kinds = {(d.kind, d.missing) for d in found.differences}
    assert kinds == {("object", False), ("initial fact", False)}
    lacking = _compared(("a b c", more, "(on a b)"), ("a b", TWO, "(on a b)"))
    assert ("object", True) in {(d.kind, d.missing) for d in lacking.differences}


def test_goals_beyond_the_states_are_searched_for() -> None:
    same = _compared(("a b", TWO, "(on a b)"), ("a b", TWO, "(on b a)"), states=2)
    assert same
    differs = _compared(("a b", TWO, "(on a b)"), ("a b", TWO, "(holding a)"), states=2)
    assert differs.verdict == "different"
    longer = _compared(("a b", TWO, "(on a b)"), ("a b", TWO, "(and (on a b) (clear a))"), states=2)
    assert longer
    assert not longer.reason


def test_two_goals_that_nothing_fulfils_are_equivalent() -> None:
    assert _compared(
        ("a b", TWO, "(and (on a b) (on b a))"), ("a b", TWO, "(and (holding a) (handempty))")
    )


def test_the_number_of_states_is_positive() -> None:
    with pytest.raises(InputError):
        _compared(("a b", TWO, "(on a b)"), ("a b", TWO, "(clear a)"), states=0)


def test_another_initial_value_is_named() -> None:
    domain = parse_domain(
        "(define (domain tank) (:requirements :typing :numeric-fluents) (:types truck)"
        " (:predicates (done ?t - truck)) (:functions (fuel ?t - truck))"
        " (:action go :parameters (?t - truck) :precondition (>= (fuel ?t) 2)"
        " :effect (and (done ?t) (decrease (fuel ?t) 2))))"
    )
    problems = []
    for name, value in (("t", "5"), ("lorry", "2.5")):
        text = (
            f"(define (problem p) (:domain tank) (:objects {name} - truck)"
            f" (:init (= (fuel {name}) {value})) (:goal (done {name})))"
        )
        problems.append(parse_problem(text, domain=domain))
    found = equivalent_problems(domain, problems[0], problems[1])
    assert found.verdict == "different"
    described = {(each.kind, each.text, each.missing) for each in found.differences}
    assert described == {
        ("initial fact", "(= (fuel t) 5)", True),
        ("initial fact", "(= (fuel t) 2.5)", False),
    }


COUNTERS = parse_domain(
    "(define (domain counters) (:requirements :typing :numeric-fluents) (:types counter)"
    " (:functions (value ?c - counter) (most ?c - counter) (total-cost))"
    " (:action up :parameters (?c - counter) :precondition (< (value ?c) (most ?c))"
    " :effect (and (increase (value ?c) 1) (increase (total-cost) 1)))"
    " (:action down :parameters (?c - counter) :precondition (> (value ?c) 0)"
    " :effect (and (decrease (value ?c) 1) (increase (total-cost) 1))))"
)


def _counters(goal: str, values: tuple[tuple[str, int], ...]) -> Problem:
    names = " ".join(name for name, _ in values)
    start = " ".join(f"(= (value {name}) {value}) (= (most {name}) 3)" for name, value in values)
    return parse_problem(
        f"(define (problem p) (:domain counters) (:objects {names} - counter)"
        f" (:init {start} (= (total-cost) 0)) (:goal {goal}))",
        domain=COUNTERS,
    )


@pytest.mark.parametrize(
    ("goal", "verdict"),
    [
        ("(>= (value a) 3)", "equivalent"),
        ("(> (value a) 2)", "equivalent"),
        ("(and (> (* 2 (value a)) 5) (>= (value b) 0))", "equivalent"),
        ("(> (value a) 1)", "different"),
        ("(= (value b) 3)", "different"),
    ],
)
def test_goals_over_numbers_are_compared_on_reachable_states(goal: str, verdict: str) -> None:
    first = _counters("(= (value a) 3)", (("a", 1), ("b", 0)))
    found = equivalent_problems(COUNTERS, first, _counters(goal, (("a", 1), ("b", 0))))
    assert found.verdict == verdict
    if verdict == "different":
        assert found.plan is not None


def test_numbers_without_a_bound_leave_goals_undecided() -> None:
    endless = parse_domain(
        "(define (domain d) (:requirements :numeric-fluents) (:functions (f))"
        " (:action up :parameters () :effect (increase (f) 1)))"
    )
    texts = "(define (problem p) (:domain d) (:init (= (f) 0)) (:goal {}))"
    first, second = [
        parse_problem(texts.format(goal), domain=endless) for goal in ("(> (f) 2)", "(>= (f) 3)")
    ]
    found = equivalent_problems(endless, first, second, states=50)
    assert found.verdict == "undecided"
    assert found.reason


PAINTERS = parse_domain(
    "(define (domain painters) (:requirements :typing) (:types painter tile colour)"
    " (:predicates (at ?p - painter ?t - tile) (has ?p - painter ?c - colour)"
    " (next ?s ?t - tile) (painted ?t - tile ?c - colour) (in-stock ?c - colour))"
    " (:action go :parameters (?p - painter ?s ?t - tile)"
    " :precondition (and (at ?p ?s) (next ?s ?t)) :effect (and (at ?p ?t) (not (at ?p ?s))))"
    " (:action take :parameters (?p - painter ?c ?d - colour)"
    " :precondition (and (has ?p ?c) (in-stock ?d))"
    " :effect (and (has ?p ?d) (not (has ?p ?c))))"
    " (:action paint :parameters (?p - painter ?t - tile ?c - colour)"
    " :precondition (and (at ?p ?t) (has ?p ?c)) :effect (painted ?t ?c)))"
)


def _painters(goal: str) -> Problem:
    """Return a problem of two painters, of whom one can move; both can take black only."""
    rows = " ".join(f"(next t{n} t{n + 1}) (next t{n + 1} t{n})" for n in range(5))
    return parse_problem(
        "(define (problem p) (:domain painters) (:objects eve bob - painter"
        " t0 t1 t2 t3 t4 t5 t6 - tile white black - colour)"
        f" (:init {rows} (at eve t0) (has eve white) (at bob t6) (has bob black)"
        f" (in-stock black)) (:goal (and {goal})))",
        domain=PAINTERS,
    )


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        # A fact that no action changes, and facts that none can change here.
        ("(painted t1 white)", "(painted t1 white) (in-stock black)", "equivalent"),
        ("(painted t1 white)", "(painted t1 white) (at bob t6)", "equivalent"),
        ("(has bob black)", "", "equivalent"),
        ("(painted t1 white)", "(painted t1 white) (not (at eve t6))", "equivalent"),
        # Who painted black has black, as no other colour is in stock.
        ("(painted t1 black)", "(painted t1 black) (has eve black)", "equivalent"),
        ("(painted t1 black)", "(painted t1 black) (not (has eve white))", "equivalent"),
        # Nobody is at two places, so neither goal can be reached.
        ("(at eve t1) (at eve t2)", "(at eve t3) (at eve t4)", "equivalent"),
        # Bob may paint his own tile, and whoever is at a tile need not stay there.
        ("(painted t6 black)", "(painted t6 black) (has eve black)", "different"),
        ("(painted t1 white)", "(painted t1 white) (at eve t1)", "different"),
        ("(at eve t1)", "(or (at eve t1) (painted t2 white))", "different"),
        ("(at eve t1)", "(or (at eve t1) (at bob t1))", "equivalent"),
    ],
)
def test_what_follows_is_proved_where_too_many_states_are_reachable(
    first: str, second: str, verdict: str
) -> None:
    problems = _painters(first), _painters(second)
    for one, other in (problems, problems[::-1]):
        found = equivalent_problems(PAINTERS, one, other, states=20)
        assert found.verdict == verdict
        if verdict == "different":
            assert found.plan is not None
            one_holds = validate(PAINTERS, one, found.plan).valid
            assert one_holds != validate(PAINTERS, other, found.plan).valid


SWITCHES = parse_domain(
    "(define (domain switches) (:requirements :adl :derived-predicates)"
    " (:predicates (wired ?x) (on ?x) (lit ?x))"
    " (:derived (lit ?x) (and (on ?x) (wired ?x)))"
    " (:action press :parameters (?x) :effect (on ?x)))"
)


@pytest.mark.parametrize("states", [1, 1000])
@pytest.mark.parametrize(
    ("goal", "verdict"),
    [("(on a)", "equivalent"), ("(not (lit a))", "different"), ("(lit b)", "different")],
)
def test_goals_of_derived_predicates_are_told_apart(goal: str, verdict: str, states: int) -> None:
    first, second = [
        parse_problem(
            "(define (problem p) (:domain switches) (:objects a b)"
            f" (:init (wired a)) (:goal {text}))",
            domain=SWITCHES,
        )
        for text in ("(lit a)", goal)
    ]
    assert equivalent_problems(SWITCHES, first, second, states=states).verdict == verdict


@pytest.mark.parametrize("states", [2, 20_000])
def test_goals_may_be_compared_by_a_renaming_of_their_own(states: int) -> None:
    objects, start = "a b c d", "(on a b) (ontable b) (ontable c) (ontable d)"
    clear = "(clear a) (clear c) (clear d) (handempty)"
    first, second = [
        parse_problem(
            f"(define (problem p) (:domain blocks) (:objects {objects})"
            f" (:init {start} {clear}) (:goal {goal}))",
            domain=BLOCKS,
        )
        for goal in ("(on a b)", "(and (on c d) (not (clear d)))")
    ]
    found = equivalent_problems(BLOCKS, first, second, states=states, is_joint=False)
    assert found.verdict == "equivalent"


def test_objects_are_matched_by_the_values_of_their_functions() -> None:
    first = _counters("(= (value a) 3)", (("a", 1), ("b", 2), ("c", 0)))
    second = _counters("(= (value x) 3)", (("z", 0), ("y", 2), ("x", 2)))
    found = equivalent_problems(COUNTERS, first, second)
    assert found.renaming == {"a": "x", "b": "y", "c": "z"}
    assert {str(each) for each in found.differences} == {
        "initial fact missing: (= (value a) 1)",
        "initial fact in excess: (= (value a) 2)",
    }


def test_goals_differ_where_nothing_can_be_done() -> None:
    still = parse_domain("(define (domain d) (:predicates (p) (q)))")
    text = "(define (problem x) (:domain d) (:init (p)) (:goal {}))"
    first, second = (parse_problem(text.format(goal), domain=still) for goal in ("(p)", "(q)"))
    found = equivalent_problems(still, first, second)
    assert found.verdict == "different"
    assert found.plan == ()
    assert equivalent_problems(still, first, first)


@pytest.mark.parametrize(
    ("first_step", "values"),
    [
        ("(assign (m) 5)", "(= (m) 0) (= (n) 0)"),
        ("(increase (m) 5)", "(= (m) 0) (= (n) 0)"),
        # A number without a value cannot be increased.
        ("(assign (n) 5)", "(= (m) 0)"),
    ],
)
def test_states_differ_by_a_number_that_only_an_effect_reads(first_step: str, values: str) -> None:
    domain = parse_domain(f"""(define (domain d) (:requirements :adl :numeric-fluents)
      (:predicates (ready) (added) (won)) (:functions (m) (n))
      (:action skip :parameters () :precondition (not (ready)) :effect (ready))
      (:action start :parameters () :precondition (not (ready)) :effect (and (ready) {first_step}))
      (:action add :parameters () :precondition (and (ready) (not (added)))
        :effect (and (added) (increase (n) (m))))
      (:action win :parameters () :precondition (and (added) (>= (n) 5)) :effect (won)))""")
    text = f"(define (problem p) (:domain d) (:init {values}) (:goal {{}}))"
    one = parse_problem(text.format("(ready)"), domain=domain)
    other = parse_problem(text.format("(or (ready) (won))"), domain=domain)
    never = parse_problem(text.format("(and (ready) (not (won)))"), domain=domain)
    assert equivalent_problems(domain, one, other).verdict == "equivalent"
    assert equivalent_problems(domain, one, never).verdict == "different"


def test_states_differ_by_a_number_that_only_a_conditional_effect_reads() -> None:
    """One push by two lights the lamp at the next look, one by one does not."""
    domain = parse_domain(
        "(define (domain d) (:requirements :adl :numeric-fluents) (:predicates (on) (new))"
        " (:functions (force))"
        " (:action a-little :parameters () :precondition (new)"
        " :effect (and (not (new)) (increase (force) 1)))"
        " (:action much :parameters () :precondition (new)"
        " :effect (and (not (new)) (increase (force) 2)))"
        " (:action look :parameters () :effect (when (>= (force) 2) (on))))"
    )
    text = "(define (problem x) (:domain d) (:init (new) (= (force) 0)) (:goal {}))"
    lit, never = (
        parse_problem(text.format(goal), domain=domain) for goal in ("(on)", "(and (on) (new))")
    )
    found = equivalent_problems(domain, lit, never)
    assert found.verdict == "different"
    assert found.plan is not None
    assert [step.name for step in found.plan] == ["much", "look"]
