"""Rules beside a goal: which step broke them, and with which facts."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, strategies as st

from eai.diagnosis import Evidence
from eai.diagnosis.rules import MAX_FACTS, TaskRules, rule_verdict
from eai.errors import LimitError
from eai.logic import LogicVocabulary, evaluate, explain, parse_formula
from eai.pddl import parse_domain
from eai.world import Action, Step, Trajectory, World

WORLD = World(
    parse_domain("""(define (domain lamps) (:requirements :adl) (:predicates (lit ?x) (dark))
    (:action switch :parameters (?x)
      :effect (and (when (lit ?x) (not (lit ?x))) (when (not (lit ?x)) (lit ?x))))
    (:action rest :parameters ()))""")
)
LAMPS = ("a", "b")
NAMES = LogicVocabulary({"lit": 1, "dark": 0}, {"switch": 1, "rest": 0}, set(LAMPS))
ACTIONS = [Action("switch", ("a",)), Action("switch", ("b",)), Action("rest")]


def executed(plan: list[Action], numbers: list[int] | None = None) -> Trajectory:
    start = WORLD.state(dict.fromkeys(LAMPS, "object"), [])
    state, steps = start.begin(), []
    for number, action in zip(numbers or range(1, 100), plan, strict=False):
        given = WORLD.numbers(state, action.name, action.arguments)
        steps.append(Step(action, number, WORLD.apply(state, action.name, given)))
    return Trajectory(WORLD, start, steps, state)


@st.composite
def plans(draw: st.DrawFn) -> tuple[list[Action], list[int]]:
    """Plans, and the numbers of their steps: between them others could not be done."""
    random = Random(draw(st.integers(0, 10**6)))
    plan = random.choices(ACTIONS, k=random.randint(0, 6))
    return plan, sorted(random.sample(range(1, 12), len(plan)))


def lit_after(plan: list[Action], lamp: str) -> list[bool]:
    """Return whether a lamp is lit at the start and after each step."""
    found = [False]
    for action in plan:
        found.append(found[-1] != (action.arguments == (lamp,)))
    return found


@given(plans())
def test_what_must_never_be_is_broken_by_the_first_step_that_brings_it(
    case: tuple[list[Action], list[int]],
) -> None:
    plan, numbers = case
    verdict = rule_verdict(
        "never", parse_formula("G not lit(a)", vocabulary=NAMES), executed(plan, numbers)
    )
    lit = lit_after(plan, "a")
    assert verdict.name == "never"
    assert verdict.kept is (True not in lit)
    if verdict.kept:
        assert (verdict.step, verdict.facts, verdict.reason) == (None, (), "")
    else:
        assert verdict.step == numbers[lit.index(True) - 1]
        assert verdict.facts == ("lit(a)",)
        assert verdict.reason


@given(plans())
def test_what_must_come_at_some_time_is_missing_after_the_last_step(
    case: tuple[list[Action], list[int]],
) -> None:
    plan, numbers = case
    rule = parse_formula("F (lit(a) and lit(b))", vocabulary=NAMES)
    verdict = rule_verdict("some time", rule, executed(plan, numbers))
    both = [a and b for a, b in zip(lit_after(plan, "a"), lit_after(plan, "b"), strict=True)]
    assert verdict.kept is any(both)
    if not verdict.kept:
        assert verdict.step == (numbers[-1] if numbers else 0)


@given(plans())
def test_a_forbidden_action_is_the_step_that_breaks_the_rule(
    case: tuple[list[Action], list[int]],
) -> None:
    plan, numbers = case
    rule = parse_formula("G not switch(b)", vocabulary=NAMES)
    verdict = rule_verdict("never", rule, executed(plan, numbers))
    taken = [n for n, action in zip(numbers, plan, strict=True) if action.arguments == ("b",)]
    assert verdict.kept is (not taken)
    assert verdict.step == (taken[0] if taken else None)


@given(plans())
def test_an_action_that_never_comes_is_missing_after_the_last_step(
    case: tuple[list[Action], list[int]],
) -> None:
    plan, numbers = case
    rule = parse_formula("F rest()", vocabulary=NAMES)
    verdict = rule_verdict("rest", rule, executed(plan, numbers))
    assert verdict.kept is (ACTIONS[2] in plan)
    if not verdict.kept:
        assert verdict.step == (numbers[-1] if numbers else 0)
        assert verdict.facts == ("not rest()",)


@given(plans(), st.sampled_from(["true", "false", "G (lit(a) -> F !lit(a))", "lit(a) U lit(b)"]))
def test_a_rule_is_kept_if_its_formula_holds(
    case: tuple[list[Action], list[int]], text: str
) -> None:
    plan, numbers = case
    trajectory = executed(plan, numbers)
    rule = parse_formula(f"G ({text})", vocabulary=NAMES)
    verdict = rule_verdict("rule", rule, trajectory)
    assert verdict.kept is evaluate(rule, trajectory).holds
    if not verdict.kept:
        assert verdict.step in {0, *numbers}


@pytest.mark.parametrize(("plan", "step"), [([], 0), (ACTIONS, 3)])
def test_a_rule_that_nothing_can_keep_is_broken_at_the_end(plan: list[Action], step: int) -> None:
    rule = parse_formula("G true and F false", vocabulary=NAMES)
    verdict = rule_verdict("impossible", rule, executed(plan))
    assert (verdict.kept, verdict.step) == (False, step)


@pytest.mark.parametrize("number", [1, 4, 5, 6, 9])
def test_up_to_five_facts_are_told(number: int) -> None:
    names = [f"x{lamp}" for lamp in range(number)]
    start = WORLD.state(dict.fromkeys(names, "object"), [])
    rule = parse_formula(" or ".join(f"lit({lamp})" for lamp in names))
    verdict = rule_verdict("lit", rule, Trajectory(WORLD, start, []))
    assert len(verdict.facts) == min(number, 5)


def test_facts_that_hold_come_first_and_a_few_are_kept() -> None:
    many = [f"x{number}" for number in range(9)]
    start = WORLD.state(dict.fromkeys(many, "object"), [])
    state = start.begin()
    steps = []
    for number, lamp in enumerate(many[:2], start=1):
        changes = WORLD.apply(state, "switch", WORLD.numbers(state, "switch", (lamp,)))
        steps.append(Step(Action("switch", (lamp,)), number, changes))
    trajectory = Trajectory(WORLD, start, steps, state)
    all_dark = " or ".join(f"(!lit(x0) and lit({lamp}))" for lamp in many[2:])
    rule = parse_formula(f"F (lit(x0) and lit(x1) -> ({all_dark})) -> false")
    verdict = rule_verdict("rule", rule, trajectory)
    assert not verdict.kept
    dark = rule_verdict("all", parse_formula("F (lit(x0) and lit(x8) and !lit(x1))"), trajectory)
    assert len(dark.facts) <= MAX_FACTS
    held = [not fact.startswith("not ") for fact in dark.facts]
    assert held == sorted(held, reverse=True)
    several = " and ".join(f"lit({lamp})" for lamp in many[2:])
    every = rule_verdict("all", parse_formula(f"G (lit(x1) -> ({several}))"), trajectory)
    assert every.step == 2
    assert every.facts[0] == "lit(x1)"


def test_a_rule_too_large_for_reasons_has_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = parse_formula("G forall x. forall y. (lit(x) -> !lit(y) | dark)", vocabulary=NAMES)
    run = executed([Action("rest"), Action("switch", ("b",)), Action("rest")])
    told = rule_verdict("all", rule, run)
    monkeypatch.setattr("eai.logic.evidence.EVIDENCE_LIMIT", 3)
    short = rule_verdict("all", rule, run)
    assert told.facts
    assert (short.kept, short.facts) == (told.kept, ())
    assert "3" in short.reason
    with pytest.raises(LimitError):
        explain(rule, run)
    assert Evidence(run, rule).reason == short.reason


@pytest.mark.parametrize(
    ("plan", "broken"),
    [
        ([], ("lit",)),
        (ACTIONS[:1], ("dark",)),
        ([ACTIONS[0], ACTIONS[0]], ("dark",)),
        ([ACTIONS[1], ACTIONS[2]], ("lit", "rest")),
    ],
)
def test_rules_that_a_plan_breaks_are_named(plan: list[Action], broken: tuple[str, ...]) -> None:
    texts = {"lit": "F lit(a)", "dark": "G not lit(a)", "rest": "G not rest()"}
    rules = TaskRules(
        tuple((name, parse_formula(text, vocabulary=NAMES)) for name, text in texts.items())
    )
    trajectory = executed(plan)
    assert rules.broken(trajectory) == broken
    kept = {verdict.name for verdict in rules.verdicts(trajectory) if verdict.kept}
    assert kept == texts.keys() - set(broken)
