"""Corners of the rules: bare outcomes, conditional effects, conditions that hold after all."""

import pytest

from eai.diagnosis import DomainRules, ErrorKind, Run, runtime_finding
from eai.logic import Atom, Formula
from eai.pddl import parse_domain, with_phrases
from eai.world import Action, World

DOMAIN = parse_domain("""(define (domain door) (:requirements :adl)
    (:predicates (open ?d) (locked ?d) (oiled ?d) (wooden ?d))
    (:action unlock :parameters (?a ?d) :effect (not (locked ?d)))
    (:action open :parameters (?a ?d)
      :precondition (not (locked ?d)) :effect (open ?d))
    (:action paint :parameters (?a ?d) :precondition (wooden ?d) :effect (oiled ?d))
    (:action push :parameters (?a ?d)
      :precondition (not (locked ?d)) :effect (when (oiled ?d) (open ?d)))
    (:action slam :parameters (?a ?d)
      :precondition (open ?d) :effect (and (locked ?d) (not (open ?d)))))""")
DOOR = Action("open", ("door",))


def started(*facts: str, world: World | None = None) -> Run:
    world = world or World(DOMAIN)
    start = world.state({"ann": "object", "door": "object"}, [Atom(f, ("door",)) for f in facts])
    return Run(world, start, "ann")


@pytest.mark.parametrize(
    ("facts", "names", "outcome"),
    [
        ((), ("open",), "done"),
        (("open",), ("open",), "done"),  # an additional step
        (("open", "locked"), ("open",), "skipped"),
        (("locked",), ("open",), "failed"),
        ((), ("open", "slam", "open"), "failed"),
        ((), ("paint",), "failed"),
    ],
)
def test_without_descriptions_the_outcomes_are_the_same_and_nothing_is_found(
    facts: tuple[str, ...], names: tuple[str, ...], outcome: str
) -> None:
    bare, told = started(*facts), started(*facts)
    for number, name in enumerate(names, start=1):
        action = Action(name, ("door",))
        last = DomainRules(described=False).take(bare, action, number)
        assert last[0] == DomainRules().take(told, action, number)[0]
        assert last[1] is None
    assert last[0] == outcome


def test_a_step_that_may_do_nothing_is_not_superfluous_because_it_would_do_nothing() -> None:
    """Pushing has only a conditional effect, so a locked door is in its way."""
    outcome, finding = DomainRules().take(started("locked"), Action("push", ("door",)), 1)
    assert (outcome, finding and finding.kind) == ("failed", ErrorKind.MISSING_STEP)


def test_a_failure_without_any_condition_says_only_that() -> None:
    for kind in (ErrorKind.MISSING_STEP, ErrorKind.WRONG_ORDER):
        finding = runtime_finding(started(), DOOR, 1, kind, [])
        assert finding.message == "open(door): it cannot be executed"
        assert (finding.conditions, finding.held_until) == ((), None)


def test_what_still_holds_was_destroyed_by_no_step() -> None:
    """Other rules than the domain's may refuse a step whose condition holds."""
    run = started()
    DomainRules().take(run, DOOR, 4)
    finding = runtime_finding(run, DOOR, 5, ErrorKind.WRONG_ORDER, [Atom("open", ("door",))])
    assert (finding.held_until, finding.destroyed_by) == (4, None)
    assert finding.message == "open(door): open(door) does not hold"


def test_only_a_wrong_order_has_a_time_until_which_its_condition_held() -> None:
    """Other rules than the domain's may call a step missing though its effect was there once."""
    run = started()
    for number, name in enumerate(("open", "slam"), start=1):
        DomainRules().take(run, Action(name, ("door",)), number)
    opened: list[Formula] = [Atom("open", ("door",))]
    found = [
        runtime_finding(run, DOOR, 3, kind, opened)
        for kind in (ErrorKind.WRONG_ORDER, ErrorKind.MISSING_STEP, ErrorKind.AFFORDANCE)
    ]
    assert [(each.held_until, each.destroyed_by) for each in found] == [
        (1, 2),
        (None, None),
        (None, None),
    ]
    assert found[1].message == "open(door): open(door) does not hold"


def test_words_speak_of_earlier_steps_only_if_there_are_any() -> None:
    world = World(with_phrases(DOMAIN, {"locked": ["{0} is locked", "{0} is not locked"]}))
    run = started("locked", world=world)
    _, first = DomainRules().take(run, DOOR, 1)
    assert first is not None
    assert first.message == "open(door) cannot be done: door is locked [not locked(door)]"
    paint = started("locked", "wooden", world=world)
    DomainRules().take(paint, Action("paint", ("door",)), 1)
    _, second = DomainRules().take(paint, DOOR, 2)
    assert second is not None
    assert "door is locked; no step before it changed that [" in second.message


def test_where_nothing_is_passed_over_a_superfluous_step_that_cannot_be_done_fails() -> None:
    run = started("open", "locked")
    outcome, finding = DomainRules(skip=False).take(run, DOOR, 1)
    assert (outcome, finding and finding.kind) == ("failed", ErrorKind.ADDITIONAL_STEP)
    assert finding is not None
    assert finding.conditions == ("not locked(door)",)
    assert run.steps == []
    assert DomainRules(skip=False, described=False).take(run, DOOR, 1) == ("failed", None)
    # One that can be done is done, and superfluous.
    outcome, finding = DomainRules(skip=False).take(started("open"), DOOR, 1)
    assert (outcome, finding and finding.kind) == ("done", ErrorKind.ADDITIONAL_STEP)
