"""What holds of the BEHAVIOR world whatever is done in it."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings, strategies as st
from small_behavior import OFFICIAL, STRICT, kitchen, task_in

from eai.diagnosis import Run
from eai.logic import Atom
from eai.semantics import Semantics
from eai.simulators import behavior_domain, initial_state
from eai.simulators.behavior import AGENT
from eai.suites.behavior.plans import simulator
from eai.world import Action, State, World

SCENE = kitchen("Dusty plate_10; Stained plate_10; Frozen apple_5", "ontop apple_5 plate_10")
NAMES = sorted(task_in(SCENE).vocabulary.objects)
OPERATORS = behavior_domain().operators
AXIOMS = World(behavior_domain())
"""The domain as it is written, nothing computed."""

steps = st.sampled_from(sorted(OPERATORS)).flatmap(
    lambda name: st.builds(
        Action,
        st.just(name),
        st.tuples(*[st.sampled_from(NAMES)] * (len(OPERATORS[name].parameters) - 1)),
    )
)
plans = st.lists(steps, min_size=5, max_size=60)
given_plans = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])


def last_state(plan: list[Action], semantics: Semantics) -> State:
    """Where a plan leads if every step that fails is left out."""
    chosen = simulator(semantics)
    run = Run(chosen.world, initial_state(SCENE), AGENT)
    for number, action in enumerate(plan, start=1):
        chosen.rules.take(run, action, number)
    return run.state


def places(state: State, name: str) -> list[str]:
    """What something lies in or on."""
    around = (a for a in state.atoms() if a.predicate in ("placed_inside", "placed_ontop"))
    return [str(atom.terms[1]) for atom in around if atom.terms[0] == name]


@given_plans
@given(plans, st.sampled_from([OFFICIAL, STRICT]))
def test_containment_is_a_forest(plan: list[Action], semantics: Semantics) -> None:
    state = last_state(plan, semantics)
    for name in NAMES:
        seen, above = {name}, places(state, name)
        while above:
            assert len(above) == 1
            assert above[0] not in seen
            seen.add(above[0])
            above = places(state, above[0])


@given_plans
@given(plans)
def test_a_hand_holds_one_thing_and_what_is_held_lies_nowhere(plan: list[Action]) -> None:
    state = last_state(plan, STRICT)
    held = [a for a in state.atoms() if a.predicate.startswith("holds_")]
    assert len({atom.predicate for atom in held}) == len(held)
    assert len({atom.terms for atom in held}) == len(held)
    for atom in held:
        assert places(state, str(atom.terms[1])) == []


@given_plans
@given(plans)
def test_inside_is_what_the_rule_says(plan: list[Action]) -> None:
    state, world = last_state(plan, STRICT), simulator(STRICT).world
    for one in NAMES:
        for other in NAMES:
            atom = Atom("inside", (one, other))
            assert world.holds(state, atom) == AXIOMS.holds(state, atom)
