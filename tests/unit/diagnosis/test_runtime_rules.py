"""The kinds of runtime error follow from the domain, whatever the domain is."""

from __future__ import annotations

from eai.diagnosis import DomainRules, ErrorKind, Finding, Run, runtime_finding
from eai.logic import Atom
from eai.pddl import parse_domain
from eai.world import Action, World

WORLD = World(
    parse_domain("""(define (domain shop) (:requirements :adl :derived-predicates)
    (:predicates (metal ?x) (hot ?x) (wet ?x) (clamped ?x) (sound ?x) (bent ?x) (noisy) (firm ?x)
      (held ?c ?x))
    (:derived (firm ?x) (and (metal ?x) (clamped ?x)))
    (:action heat :parameters (?c ?x)
      :precondition (metal ?x) :effect (and (hot ?x) (not (wet ?x))))
    (:action cool :parameters (?c ?x) :effect (and (wet ?x) (not (hot ?x))))
    (:action clamp :parameters (?c ?x) :effect (clamped ?x))
    (:action loosen :parameters (?c ?x) :effect (not (clamped ?x)))
    (:action bend :parameters (?c ?x)
      :precondition (and (metal ?x) (hot ?x) (clamped ?x)) :effect (bent ?x))
    (:action file :parameters (?c ?x) :precondition (firm ?x) :effect (not (bent ?x)))
    (:action weld :parameters (?c ?x)
      :precondition (or (not (metal ?x)) (hot ?x)) :effect (sound ?x))
    (:action shake :parameters (?c ?x)
      :effect (and (forall (?o) (not (held ?o ?x))) (held ?c ?x)))
    (:action listen :parameters (?c) :precondition (noisy))
    (:action ring :parameters (?c)))""")
)
OBJECTS = dict.fromkeys(("smith", "rod", "log"), "object")
METAL = Atom("metal", ("rod",))


class Shop:
    """A run that is told its steps in words."""

    def __init__(self, *facts: Atom, demanded: str = "") -> None:
        start = WORLD.state(OBJECTS, [METAL, *facts])
        self.run = Run(WORLD, start, "smith", demanded=frozenset(demanded.split()))
        self.number = 0

    def take(self, *steps: str) -> tuple[str, Finding | None]:
        """Take some steps; return what became of the last one."""
        for step in steps:
            name, *arguments = step.split()
            self.number += 1
            outcome = DomainRules().take(self.run, Action(name, tuple(arguments)), self.number)
        return outcome

    def finding(self, *steps: str) -> Finding:
        _, finding = self.take(*steps)
        assert finding is not None
        return finding


def test_an_applicable_step_is_done() -> None:
    shop = Shop()
    assert shop.take("heat rod") == ("done", None)
    assert shop.run.state.holds("hot", ("rod",))
    assert not shop.run.start.holds("hot", ("rod",))
    assert [step.number for step in shop.run.steps] == [1]


def test_what_no_action_can_change_is_an_affordance_error() -> None:
    outcome, finding = Shop().take("heat log")
    assert outcome == "failed"
    assert finding == Finding(
        ErrorKind.AFFORDANCE,
        step=1,
        action="heat(log)",
        conditions=("metal(log)",),
    )
    assert finding.message == "heat(log): metal(log) does not hold"


def test_affordance_comes_before_all_other_kinds_and_names_only_what_is_static() -> None:
    finding = Shop(Atom("bent", ("log",))).finding("bend log")
    assert finding.kind is ErrorKind.AFFORDANCE
    assert finding.conditions == ("metal(log)",)


def test_a_derived_predicate_that_a_fluent_decides_is_no_affordance() -> None:
    finding = Shop().finding("file rod")
    # the effects of filing (not bent) hold already
    assert finding.kind is ErrorKind.ADDITIONAL_STEP
    finding = Shop(Atom("bent", ("rod",))).finding("file rod")
    assert finding.kind is ErrorKind.MISSING_STEP
    assert finding.conditions == ("firm(rod)",)


def test_a_test_with_a_static_part_and_a_fluent_one_is_not_static() -> None:
    assert Shop().finding("weld rod").kind is ErrorKind.MISSING_STEP


def test_a_failing_step_whose_effects_hold_is_additional_and_is_skipped() -> None:
    shop = Shop(Atom("bent", ("rod",)))
    outcome, finding = shop.take("bend rod")
    assert outcome == "skipped"
    assert finding == Finding(
        ErrorKind.ADDITIONAL_STEP,
        step=1,
        action="bend(rod)",
    )
    assert finding.message == "bend(rod): its effects hold already"
    assert shop.run.steps == []


def test_an_applicable_step_that_changes_nothing_is_additional_and_done() -> None:
    shop = Shop()
    assert shop.take("heat rod")[1] is None
    outcome, finding = shop.take("heat rod")
    assert outcome == "done"
    assert finding is not None
    assert finding.kind is ErrorKind.ADDITIONAL_STEP
    assert len(shop.run.steps) == 2


def test_deleting_and_adding_the_same_atom_changes_nothing() -> None:
    shop = Shop(Atom("held", ("smith", "rod")))
    assert shop.finding("shake rod").kind is ErrorKind.ADDITIONAL_STEP
    assert Shop(Atom("held", ("log", "rod"))).take("shake rod") == ("done", None)


def test_an_action_without_effects_is_never_additional() -> None:
    assert Shop().take("ring", "ring") == ("done", None)
    finding = Shop().finding("listen")
    # nothing can make it noisy
    assert finding.kind is ErrorKind.AFFORDANCE


def test_a_demanded_action_may_be_repeated() -> None:
    assert Shop(demanded="heat").take("heat rod", "heat rod") == ("done", None)


def test_a_condition_that_never_held_is_a_missing_step() -> None:
    finding = Shop().finding("clamp rod", "bend rod")
    assert finding == Finding(
        ErrorKind.MISSING_STEP,
        step=2,
        action="bend(rod)",
        conditions=("hot(rod)",),
    )
    assert finding.message == "bend(rod): hot(rod) does not hold; it never held before"


def test_a_missing_step_names_only_what_never_held() -> None:
    # it was clamped before, but never hot
    finding = Shop().finding("clamp rod", "loosen rod", "bend rod")
    assert finding.kind is ErrorKind.MISSING_STEP
    assert finding.conditions == ("hot(rod)",)


def test_a_condition_that_held_is_a_wrong_order_and_knows_its_destroyer() -> None:
    finding = Shop().finding("clamp rod", "heat rod", "clamp log", "cool rod", "ring", "bend rod")
    assert finding.kind is ErrorKind.WRONG_ORDER
    assert finding.conditions == ("hot(rod)",)
    assert (finding.held_until, finding.destroyed_by) == (3, 4)
    assert finding.message == (
        "bend(rod): hot(rod) does not hold; it held until step 4, cool(rod), made it false"
    )


def test_a_condition_of_the_start_held_until_the_start() -> None:
    finding = Shop(Atom("hot", ("rod",)), Atom("clamped", ("rod",))).finding("cool rod", "bend rod")
    assert finding.kind is ErrorKind.WRONG_ORDER
    assert (finding.held_until, finding.destroyed_by) == (0, 1)


def test_skipped_steps_leave_gaps_in_the_numbers() -> None:
    shop = Shop(Atom("bent", ("rod",)), Atom("hot", ("rod",)))
    steps = ("bend rod", "clamp rod", "bend rod", "cool rod", "weld rod")
    finding = shop.finding(*steps)
    assert shop.run.steps[0].number == 2
    assert (finding.held_until, finding.destroyed_by) == (3, 4)


def test_the_last_destroyer_counts() -> None:
    finding = Shop().finding("heat rod", "cool rod", "heat rod", "cool rod", "weld rod")
    assert (finding.held_until, finding.destroyed_by) == (3, 4)


def test_several_conditions_that_held_are_all_named() -> None:
    steps = ("clamp rod", "heat rod", "loosen rod", "cool rod", "bend rod")
    finding = Shop().finding(*steps)
    assert finding.kind is ErrorKind.WRONG_ORDER
    assert finding.conditions == ("hot(rod)", "clamped(rod)")
    assert finding.destroyed_by == 4


def test_a_finding_can_be_made_without_conditions() -> None:
    shop = Shop()
    finding = runtime_finding(shop.run, Action("heat", ("rod",)), 1, ErrorKind.UNSCORABLE, [])
    assert finding.message == "heat(rod): it cannot be executed"
    assert finding.conditions == ()
